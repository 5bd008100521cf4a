"""One word for one thing: compares texts with the list of the game's and the site's words, `terms.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from korgool.languages.catalogues import LANGUAGES, catalogue_path, read_catalogue

TERMS = Path(__file__).with_name("terms.toml")

_NO_WORDS = re.compile(r"%\(\w+\)s|\{\w+[^}]*\}|`[^`]*`|\[[A-Z][^\]]*\]")
"""Fields, code and clauses."""


@dataclass(frozen=True)
class Term:
    """A word of the list.

    Attributes:
        name: the key of the list.
        english: the English word, or None if only `never` counts.
        words: for each language, the word that a translation of it has.
        never: for each language, other words for the same thing.
        free: the first words of English messages that are not held to it.
    """

    name: str
    english: re.Pattern[str] | None = None
    words: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    never: Mapping[str, Sequence[re.Pattern[str]]] = field(default_factory=dict)
    free: tuple[str, ...] = ()

    def faults(self, language: str, text: str) -> Iterator[str]:
        """Yield other words for the same thing in a text."""
        for pattern in self.never.get(language, ()):
            found = pattern.search(text)
            if found:
                wanted = self.words.get(language)
                instead = f", where {wanted.pattern!r} is due" if wanted else ""
                yield f"{self.name}: {found[0]!r}{instead}"

    def missing(self, language: str, english: str, text: str) -> Iterator[str]:
        """Yield a fault where a translation lacks the word of its English text."""
        wanted = self.words.get(language)
        if wanted and self.english and self.english.search(english) and not wanted.search(text):
            yield f"{self.name}: no {wanted.pattern!r}"


@cache
def terms() -> tuple[Term, ...]:
    """The list."""
    return tuple(
        Term(
            name,
            _pattern(told["english"]) if "english" in told else None,
            {language: _pattern(told[language]) for language in LANGUAGES if language in told},
            {language: [_pattern(one) for one in others] for language, others in told.get("never", {}).items()},
            tuple(told.get("free", ())),
        )
        for name, told in tomllib.loads(TERMS.read_text(encoding="utf-8")).items()
    )


def catalogue_faults(language: str, folder: Path | None = None) -> list[str]:
    """Messages of a language's catalogue that use other words than the list, each with its fault.

    Args:
        language: the tag of the language.
        folder: where its catalogue is, if not in its place.
    """
    path = catalogue_path(language) if folder is None else folder / catalogue_path(language).name
    faults = []
    for key, said in read_catalogue(path.read_text(encoding="utf-8"), path.name).items():
        if not key:
            continue
        english = _words(key.split("\0")[-1])
        held = [term for term in terms() if not key.startswith(term.free)]
        for text in said.split("\0"):
            for term in held:
                found = *term.faults(language, _words(text)), *term.missing(language, english, _words(text))
                faults += [f"{path.name}, {key!r}: {text!r}: {fault}" for fault in found]
    return faults


def text_faults(language: str, text: str, name: str) -> list[str]:
    """Lines of a text, such as a page of the rules, that hold words that stand nowhere.

    Args:
        language: the language of the text.
        text: the text.
        name: where it stands.
    """
    lines = enumerate(text.split("\n"), 1)
    return [
        f"{name}, line {number}: {fault}"
        for number, line in lines
        for term in terms()
        for fault in term.faults(language, _words(line))
    ]


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _words(text: str) -> str:
    return _NO_WORDS.sub("", text)
