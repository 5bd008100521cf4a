"""How each tie-break of a competitor came about, as pages show it: the name, what it is, and the parts of the sum."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from korgool.app.words.event_texts import number_text
from korgool.app.words.tiebreaks import tiebreak_meaning, tiebreak_name
from korgool.competition.standings import Joint, Part, Ranking, Working, workings


@dataclass(frozen=True, slots=True)
class SaidPart:
    """A part of a tie-break.

    Attributes:
        round: 0 if it is of the whole event; the board, for tie-breaks by boards.
        who: the opponent; empty without one.
        value: what it adds.
        product: of points and points won, such as `4½ × 1`; empty if it is none.
        cut: whether it is left out of the sum.
    """

    round: int
    who: str
    value: str
    product: str
    cut: bool


@dataclass(frozen=True, slots=True)
class SaidWorking:
    """A tie-break of a competitor.

    Attributes:
        code, name, meaning: of the tie-break.
        value: as the standings show it.
        joint: how the parts make it, a value of `Joint`.
        alone: whether nobody is equal to the competitor, so that a meeting of those who are decides nothing.
        parts: in the order of rounds.
    """

    code: str
    name: str
    meaning: str
    value: str
    joint: str
    alone: bool
    parts: tuple[SaidPart, ...]


def said_workings(found: Ranking, id_: int, language: str, name: Callable[[int], str]) -> tuple[SaidWorking, ...]:
    """Every tie-break of a competitor in the order of the standings.

    Args:
        found: the standings.
        id_: the competitor.
        language: one of `LANGUAGES`.
        name: the name of a competitor, by id.
    """
    return tuple(_working(one, language, name, teams=found.table.teams) for one in workings(found, id_))


def _working(one: Working, language: str, name: Callable[[int], str], *, teams: bool) -> SaidWorking:
    code = one.tiebreak.code
    meaning = tiebreak_meaning(code, language, teams=teams)
    # What somebody gathered after each round has nothing to do with the opponent of that round.
    named = code.partition("-")[0] != "PS"
    return SaidWorking(
        code=code,
        name=tiebreak_name(code, language, teams=teams),
        meaning=f"{meaning[:1].upper()}{meaning[1:]}.",
        value=number_text(one.value),
        joint=one.joint.value,
        alone=one.joint is Joint.ALONE and code in ("DE", "EDE"),
        parts=tuple(_part(part, name if named else None) for part in one.parts),
    )


def _part(part: Part, name: Callable[[int], str] | None) -> SaidPart:
    product = ""
    if part.strength is not None and part.won is not None:
        product = f"{number_text(part.strength)} × {number_text(part.won)}"
    who = name(part.opponent) if name is not None and part.opponent else ""
    return SaidPart(part.round, who, number_text(part.value), product, part.cut)
