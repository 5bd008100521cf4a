"""What the platform says, in the languages of its visitors."""

from __future__ import annotations

from string import Formatter

import pytest

from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.languages import LANGUAGES, translations

ALL = {name: text for name, text in vars(messages).items() if name.isupper() and isinstance(text, str)}


def fields(text: str) -> set[str | None]:
    return {field for _, field, _, _ in Formatter().parse(text) if field is not None}


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_message_is_translated_with_its_fields(language: str) -> None:
    for name, text in ALL.items():
        translated = translations(language).gettext(text)
        assert translated != text, (language, name)
        assert fields(translated) == fields(text), (language, name)


def test_a_refusal_carries_its_reason() -> None:
    refused = RefusedError(422, messages.NO_HOLE, hole=12, holes=9)
    assert str(refused) == "There is no hole 12; holes are numbered 1 to 9."
