"""The error that every refusal of an event raises, and messages that are translated where they are shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Self

from korgool.languages import translations


class Message(str):
    """An English text that knows which message of the catalogues it is, so that it can be said in another language.

    Attributes:
        message: the message, with fields in braces where there are values.
        values: what stands in the fields; messages and refusals among them are translated too, and tuples joined.
    """

    message: str
    values: dict[str, object]

    def __new__(cls, message: str, /, **values: object) -> Self:
        """The text of a message with these values."""
        made = super().__new__(cls, _filled(message, values, str))
        made.message, made.values = message, values
        return made

    def said(self, language: str) -> str:
        """The text in a language; in English where the catalogues do not have it."""
        return _filled(translations(language).gettext(self.message), self.values, lambda text: said(text, language))


class CompetitionError(ValueError):
    """The event does not allow this. The message names the place and the reason.

    Attributes:
        message: the same as a text that can be translated.
    """

    def __init__(self, message: str, /, **values: object) -> None:
        self.message = message if isinstance(message, Message) else Message(message, **values)
        super().__init__(str(self.message))

    def said(self, language: str) -> str:
        """The reason in a language."""
        return self.message.said(language)

    def __reduce__(self) -> tuple[object, ...]:
        return _made_again, (type(self), self.args, vars(self))  # also where a subclass is made from something else


def _made_again(cls: type[CompetitionError], args: tuple[object, ...], held: dict[str, object]) -> CompetitionError:
    """A copied or pickled error."""
    made = cls.__new__(cls, *args)
    made.__dict__.update(held)
    return made


def said(text: str, language: str) -> str:
    """A text in a language, if it is a message of the catalogues; any other text as it is."""
    return text.said(language) if isinstance(text, Message) else text


def _filled(message: str, values: dict[str, object], tell: Callable[[str], str]) -> str:
    def shown(value: object) -> object:
        if isinstance(value, CompetitionError):
            value = value.message
        if isinstance(value, tuple):
            return "; ".join(str(shown(one)) for one in value)
        return tell(value) if isinstance(value, Message) else value

    return message.format(**{name: shown(value) for name, value in values.items()}) if values else message
