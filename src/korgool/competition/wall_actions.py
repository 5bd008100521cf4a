"""The actions for the wall of a hall, as values: when a round begins, and what is announced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from korgool.competition.action_base import Action


@dataclass(frozen=True, slots=True)
class SetClock(Action):
    """Say when a round begins or has begun, `2026-09-14T10:05:00Z`; with an empty text the timetable says it again."""

    do: ClassVar[str] = "clock"
    round: int
    begins: str = ""


@dataclass(frozen=True, slots=True)
class Wording:
    """A text in a language, by its code; of no language in particular where that is empty."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Announce(Action):
    """Show something on the wall, until a moment in UTC: `2026-09-14T10:05:00Z`.

    `begin` asks the players at `boards` to begin, and `arbiter` calls a referee to them; `text` says `words`, a text
    in one or several languages, which the log keeps apart from its chain of hashes.
    """

    do: ClassVar[str] = "announce"
    kind: Literal["text", "begin", "arbiter"]
    until: str
    boards: tuple[int, ...] = ()
    words: tuple[Wording, ...] = ()


@dataclass(frozen=True, slots=True)
class Silence(Action):
    """Take an announcement from the wall before its time, by its id."""

    do: ClassVar[str] = "silence"
    announcement: int
