"""Colours by FIDE C.04.3: what a competitor is due (art. 1.6, 1.7) and who gets which colour (art. 5.2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum

from korgool.competition.round_history import Meeting, RoundKind


class Strength(IntEnum):
    """Strength of a colour preference (C.04.3 art. 1.7)."""

    NONE = 0
    MILD = 1
    STRONG = 2
    ABSOLUTE = 3


@dataclass(frozen=True, slots=True)
class Preference:
    """The colour preference of a competitor.

    Attributes:
        white: the preferred colour, None without a preference.
        strength: its strength.
        difference: games with White minus games with Black.
        colours: the colours of the played games in order; True for White.
        rounds: the colour in each round, None if no game was played.
    """

    white: bool | None
    strength: Strength
    difference: int
    colours: tuple[bool, ...]
    rounds: tuple[bool | None, ...]


def preference(meetings: Iterable[Meeting]) -> Preference:
    """The colour preference after some rounds. Only played games count (C.04.2 art. 3.4).

    Two latest games of one colour weigh before the colour difference, unless that says at least 2 the same way round.
    """
    rounds = tuple(one.white if one.kind is RoundKind.PLAYED else None for one in meetings)
    colours = tuple(colour for colour in rounds if colour is not None)
    difference = sum(1 if colour else -1 for colour in colours)
    last = colours[-2:] if len(colours) > 1 and colours[-1] == colours[-2] else ()
    white: bool | None = None
    strength = Strength.NONE
    if abs(difference) > 1:
        white, strength = difference < 0, Strength.ABSOLUTE
    elif last:
        white, strength = not last[0], Strength.ABSOLUTE
    elif difference:
        white, strength = difference < 0, Strength.STRONG
    elif colours:
        white, strength = not colours[-1], Strength.MILD
    return Preference(white, strength, difference, colours, rounds)


@dataclass(frozen=True, slots=True)
class Allocation:
    """Allocation of White, with its article of C.04.3."""

    first_white: bool
    article: str


def allocate(first: Preference, second: Preference, *, first_number: int, white_first: bool) -> Allocation:
    """Colours of two competitors who meet, `first` being the higher ranked (by points, then by number).

    Args:
        first, second: what each is due.
        first_number: pairing number of the higher ranked among those who were ever paired.
        white_first: whether the lot gave White to number 1.
    """
    if first.white != second.white:
        if first.white is not None:
            return Allocation(first.white, "5.2.1")
        return Allocation(not second.white, "5.2.1")
    if first.white is not None:
        if first.strength != second.strength:
            return Allocation(first.white is (first.strength > second.strength), "5.2.2")
        if first.strength is Strength.ABSOLUTE and first.difference != second.difference:
            return Allocation(first.difference < second.difference, "5.2.2")
    for own, other in zip(reversed(first.colours), reversed(second.colours), strict=False):
        if own != other:
            return Allocation(not own, "5.2.3")
    if first.white is not None:
        return Allocation(first.white, "5.2.4")
    return Allocation((first_number % 2 == 1) is white_first, "5.2.5")


def may_meet(first: Preference, second: Preference, *, topscorer: bool) -> bool:
    """Return whether colours allow a pairing: with equal absolute preferences only if one is a topscorer (C3)."""
    absolute = first.strength is second.strength is Strength.ABSOLUTE
    return topscorer or not (absolute and first.white == second.white)
