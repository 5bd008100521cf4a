"""Groups with standings of their own: women or men, an age, a rating, a club, a team, or a named group."""

from __future__ import annotations

import re

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Player
from korgool.languages import N_

_AGE = re.compile(r"(?P<under>U)(?P<most>\d{1,2})|(?P<over>S)(?P<least>\d{2})|(?P<plus>\d{2})\+", re.I)
_RATED = re.compile(r"(?:rating)?\s*<\s*(\d{1,4})")
_YEAR = re.compile(r"\d{4}")


def members(state: EventState, group: str) -> tuple[int, ...]:
    """Ids of the players of a group.

    A group is, in this order: a name in some player's `groups`, in any case; `women` or `men`; an age: `U16` for
    players who do not turn 17 in the year of the event, `S50` or `50+` for those who turn 50 or more in it; `unrated`,
    or `rating<1800` for those with a rating below 1800; or `team:NAME`, `club:NAME`, `federation:NAME`. A club
    is also found by one of its parts: `club:Osh` finds those of `Osh, School 5`.

    Raises:
        CompetitionError: it has no members, or the event has no date to compute ages from.
    """
    found = group_members(state, group)
    if not found:
        raise CompetitionError(N_("nobody belongs to the group {group!r}"), group=group)
    return found


def group_members(state: EventState, group: str) -> tuple[int, ...]:
    """Ids of the players of a group as in `members`, but empty if it has none."""
    key = group.strip().casefold()
    named = [one.id for one in state.players.values() if key in (name.casefold() for name in one.entry.groups)]
    if named:
        return tuple(named)
    return tuple(one.id for one in state.players.values() if _belongs(state, one, key))


def group_names(state: EventState) -> tuple[str, ...]:
    """The groups that entries name, in alphabetical order, then `women` if women and men take part."""
    names = {name for one in state.players.values() for name in one.entry.groups}
    sexes = {one.entry.sex for one in state.players.values()}
    return tuple(sorted(names)) + (("women",) if {"m", "f"} <= sexes and "women" not in names else ())


def personal(group: str) -> bool:
    """Return whether membership follows from a sex or a year of birth, unless entries name the group."""
    key = group.strip().casefold()
    return key in ("women", "men") or _AGE.fullmatch(key) is not None


def _belongs(state: EventState, player: Player, key: str) -> bool:
    entry = player.entry
    if key in ("women", "men"):
        return entry.sex == ("f" if key == "women" else "m")
    if age := _AGE.fullmatch(key):
        if not entry.born:
            return False
        turns = _year(state, key) - entry.born
        return turns <= int(age["most"]) if age["under"] else turns >= int(age["least"] or age["plus"])
    if key == "unrated":
        return not entry.rating
    if limit := _RATED.fullmatch(key):
        return 0 < entry.rating < int(limit[1])
    kind, _, name = key.partition(":")
    club = (entry.club, *entry.club.split(","))
    held = {"team": (entry.team,), "club": club, "federation": (entry.federation,)}.get(kind, ())
    return name.strip() in {one.strip().casefold() for one in held} - {""}


def _year(state: EventState, key: str) -> int:
    found = _YEAR.search(state.event.begins) or _YEAR.search(state.event.ends)
    if not found:
        raise CompetitionError(N_("the event needs a date before the group {key} can be told"), key=key.upper())
    return int(found[0])
