"""What the sentences of a language are made of: sides in their cases, numbers with their nouns, times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module


@dataclass(frozen=True, slots=True)
class Name:
    """The name of a side, lower case as in the middle of a sentence, in the cases that a language needs.

    A sentence writes `{player}`, `{player.gen}` or `{player.dat}`.
    """

    nom: str
    gen: str
    dat: str = ""

    def __str__(self) -> str:
        return self.nom


@dataclass(frozen=True)
class Language:
    """One language.

    Attributes:
        sentences: by kind of ruling, after a point what changes the wording: `no_move`, `no_move.draw`.
        sides: `white` and `black`.
        reasons: the reasons for a warning.
        units: abbreviations of hour, minute and second.
        decimal: the sign between seconds and their fractions.
        plural: which noun form belongs to a number, from 0.
        capital: the capital form of a letter.
    """

    sentences: Mapping[str, str]
    sides: Mapping[str, Name]
    reasons: Mapping[str, str]
    units: tuple[str, str, str]
    decimal: str = ","
    plural: Callable[[int], int] = field(default=lambda number: 0)
    capital: Callable[[str], str] = str.upper


@cache
def language_of(tag: str) -> Language:
    """The language of a tag, from the module of that name beside this one."""
    language: Language = import_module(f"korgool.conduct.sentences.{tag}").LANGUAGE
    return language


@dataclass(frozen=True, slots=True)
class Count:
    """A number in a sentence: `{times}` alone, `{times:time|times}` with the right form of its noun after it."""

    number: int
    language: Language

    def __format__(self, forms: str) -> str:
        if not forms:
            return str(self.number)
        return f"{self.number} {forms.split('|')[self.language.plural(self.number)]}"


@dataclass(frozen=True, slots=True)
class Duration:
    """A time in a sentence: `{left_ms}` in words, `30 min 30 s`; `{left_ms:clock}` as on a clock, `30:30`."""

    milliseconds: int
    language: Language

    def __format__(self, form: str) -> str:
        seconds, rest = divmod(max(0, self.milliseconds), 1000)
        minutes, seconds = divmod(seconds, 60)
        hours, minutes = divmod(minutes, 60)
        fraction = f"{self.language.decimal}{rest:03}".rstrip("0") if rest else ""
        if form == "clock":
            return (f"{hours}:{minutes:02}" if hours else f"{minutes}") + f":{seconds:02}{fraction}"
        parts = [(hours, ""), (minutes, ""), (seconds, fraction)]
        said = [
            f"{number}{fraction} {unit}"
            for (number, fraction), unit in zip(parts, self.language.units, strict=True)
            if number or fraction
        ]
        return " ".join(said) or f"0 {self.language.units[2]}"
