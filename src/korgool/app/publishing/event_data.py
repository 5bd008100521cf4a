"""Data of an event for programs: its tables and games in the shapes of `korgool event … --json`, and its snapshot.

A snapshot is the public view of an event as one JSON text, from which another site makes the same pages. Nothing is in
it that is not public: names as pages show them, and of years of birth and sexes only the groups that follow from them.
A reader trusts nothing: a text of a stranger either makes an event whose pages can be shown, or is refused as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

from korgool.app.publishing.event_figures import EventFigures
from korgool.app.publishing.privacy import public_event
from korgool.competition.codec import from_json, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_fields import round_fields, standings_fields
from korgool.competition.event_state import EventState
from korgool.competition.game_records import games
from korgool.competition.model import Entry, Official, Player, Round, Settings, Team
from korgool.competition.prizes import prizes
from korgool.competition.standings.groups import group_members, group_names, personal
from korgool.notation import Record, write_record


def standings_data(state: EventState) -> list[dict[str, Any]]:
    """The standings, a line for each competitor; `state` is public already, see `public_event`."""
    return standings_fields(state)


def round_data(state: EventState, number: int) -> list[dict[str, Any]]:
    """The boards of a round with results, then its byes.

    Raises:
        CompetitionError: the round is not paired.
    """
    return round_fields(state, state.round(number))


def games_text(state: EventState) -> str:
    """All attached game records as one file; those that cannot be read by the rules of the event are left out."""
    return "".join(text for record in games(state) if (text := _written(record)))


def _written(record: Record) -> str:
    """Record as text; empty where it is damaged, as may be in a file from elsewhere."""
    try:
        return write_record(record)
    except ValueError:
        return ""


FORMAT = "korgool public event 1"
"""First member of every snapshot."""
MOST_BYTES = 8 * 1024 * 1024
_MOST_PLAYERS, _MOST_BOARDS, _MOST_POINTS, _MOST_STONES, _LONGEST = 5_000, 5_000, 200, 10_000, 1_000
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)


class SnapshotError(ValueError):
    """A text that holds no event whose pages can be shown."""


@dataclass(frozen=True, slots=True)
class LogMark:
    """The place of a copy in the log that it is of, by which another copy of the same event is known again.

    Attributes:
        origin: 16 hexadecimal digits of the hash of the first line; empty where the place is not known.
        line: number of the last line.
        head: 16 hexadecimal digits of its hash.
    """

    origin: str = ""
    line: int = 0
    head: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """An event at one moment, without what is not public.

    Attributes:
        format: `FORMAT`.
        changed: the time of the last change, `2026-09-14T10:05:00Z`, or empty.
        settings, players, teams, officials, rounds, seeded: as in `EventState`.
        log: the place in the log of the event.
    """

    format: str
    changed: str = ""
    settings: Settings
    players: tuple[Player, ...] = ()
    teams: tuple[Team, ...] = ()
    officials: tuple[Official, ...] = ()
    rounds: tuple[Round, ...] = ()
    seeded: bool = False
    log: LogMark = LogMark()


def snapshot_data(state: EventState, changed: str = "", log: LogMark = LogMark()) -> bytes:
    """The snapshot of an event, JSON in UTF-8."""
    public = public_event(state)
    groups = _groups(public)
    players = (
        replace(one, absences=(), photo="", entry=_public_entry(public.event, one.entry, groups.get(one.id, ())))
        for one in public.players.values()
    )
    made = Snapshot(
        format=FORMAT,
        changed=changed,
        settings=public.event,
        players=tuple(players),
        teams=tuple(public.teams.values()),
        officials=tuple(one for one in public.officials.values() if not one.excluded),
        rounds=public.rounds,
        seeded=public.seeded,
        log=log,
    )
    return to_json(made).encode()


def _groups(state: EventState) -> dict[int, tuple[str, ...]]:
    """The groups of every player that pages tell, also those that follow from a year or a sex."""
    offered = {one.category for one in state.event.fund.prizes}
    found = {id_: list(one.entry.groups) for id_, one in state.players.items()}
    for name in sorted(offered | set(group_names(state))):
        try:
            members = group_members(state, name) if personal(name) else ()
        except CompetitionError:  # the event has no date to compute ages from
            continue
        for id_ in members:
            if name.casefold() not in map(str.casefold, found[id_]):
                found[id_].append(name)
    return {id_: tuple(names) for id_, names in found.items()}


def _public_entry(settings: Settings, entry: Entry, groups: tuple[str, ...]) -> Entry:
    born = entry.born if "born" in settings.shown else 0
    return replace(entry, born=born, sex="", groups=groups)


def read_snapshot(data: bytes) -> tuple[EventState, str]:
    """Event of a snapshot and the time of its last change, which is empty if it is not stated.

    Raises:
        SnapshotError: the text is not a snapshot, or one whose pages could not be shown.
    """
    if len(data) > MOST_BYTES:
        raise SnapshotError("it is too long")
    try:
        found = from_json(data, Snapshot, lenient=True)
    except (ValueError, TypeError, RecursionError, OverflowError) as error:
        raise SnapshotError(str(error)) from None
    if found.format != FORMAT:
        raise SnapshotError(f"its format is not {FORMAT!r}")
    _check(found)
    state = EventState(
        settings=found.settings,
        players=MappingProxyType({one.id: one for one in found.players}),
        teams=MappingProxyType({one.id: one for one in found.teams}),
        officials=MappingProxyType({one.id: one for one in found.officials}),
        rounds=found.rounds,
        seeded=found.seeded,
    )
    try:
        figures = EventFigures(state)
        _ = (figures.rows, figures.players_rows, figures.totals, figures.chart, figures.points_before)
        _ = prizes(figures.state) if figures.prizes else None
    except (ValueError, LookupError, ArithmeticError, TypeError, AttributeError) as error:
        raise SnapshotError(f"its tables cannot be computed: {error}") from None
    return state, _moment(found.changed)


def snapshot_log(data: bytes) -> LogMark:
    """The place of a snapshot that can be read in the log of its event."""
    return from_json(data, Snapshot, lenient=True).log


def _moment(text: str) -> str:
    """The time of the last change if it is one, otherwise nothing."""
    try:
        return text if _MOMENT.fullmatch(text) and datetime.fromisoformat(text) else ""
    except ValueError:
        return ""


def _check(found: Snapshot) -> None:
    """Raise SnapshotError where members contradict each other, or a page could not show a figure."""
    if any(len(text) > _LONGEST or min(text, default=" ") < " " for text in _texts(found)):
        raise SnapshotError("a text in it is too long, or holds what no text holds")
    if len(found.players) > _MOST_PLAYERS or len(found.teams) > _MOST_PLAYERS:
        raise SnapshotError("it has too many players")
    players = _ids(found.players, "player")
    teams = _ids(found.teams, "team")
    _ids(found.officials, "official")
    for player in found.players:
        taken = [one.half_points for one in player.penalties]
        if not all(0 <= one <= _MOST_POINTS for one in taken) or len(taken) > _MOST_POINTS:
            raise SnapshotError(f"the penalties of player {player.id} are none")
        if not 0 <= player.since <= 100 or len(player.warnings) > _MOST_POINTS:
            raise SnapshotError(f"player {player.id} cannot be")
    for team in found.teams:
        if not set(team.players) <= players or len(set(team.players)) != len(team.players):
            raise SnapshotError(f"team {team.id} has players who are not there")
    if [one.number for one in found.rounds] != list(range(1, len(found.rounds) + 1)):
        raise SnapshotError("its rounds are not numbered from 1")
    for one in found.rounds:
        _check_round(one, players, teams if found.settings.system.of_teams else players, teams)
    if len(found.rounds) > found.settings.rounds:
        raise SnapshotError("it has more rounds than it may have")


def _check_round(one: Round, players: set[int], competitors: set[int], teams: set[int]) -> None:
    boards = [game.board for game in one.games]
    if len(set(boards)) != len(boards) or not all(0 < board <= _MOST_BOARDS for board in boards):
        raise SnapshotError(f"the boards of round {one.number} are not numbered")
    seated = [id_ for game in one.games for id_ in (game.white, game.black) if id_]
    if not set(seated) <= players or len(set(seated)) != len(seated):
        raise SnapshotError(f"round {one.number} seats somebody who is not there, or twice")
    missing = [bye.player for bye in one.byes]
    if not set(missing) <= competitors or len(set(missing)) != len(missing):
        raise SnapshotError(f"round {one.number} has a bye of somebody who is not there, or two")
    matched = [id_ for match in one.matches for id_ in (match.home, match.away)]
    if not set(matched) <= teams or len(set(matched)) != len(matched):
        raise SnapshotError(f"round {one.number} has matches of teams that are not there, or twice")
    placed = [board for match in one.matches for board in match.boards]
    if not set(placed) <= set(boards) or len(set(placed)) != len(placed):
        raise SnapshotError(f"round {one.number} has matches on boards that are not there")
    if set(missing) & set(matched or seated):
        raise SnapshotError(f"round {one.number} has a bye of somebody who plays")
    for result in (game.result for game in one.games if game.result is not None):
        points = (result.white, result.black, *(each for held in result.sets for each in (held.white, held.black)))
        stores = (result.stores, *(held.stores for held in result.sets))
        stones = [each for held in stores if held is not None for each in held]
        if not all(0 <= each <= _MOST_POINTS for each in points) or len(result.sets) > _MOST_POINTS:
            raise SnapshotError(f"round {one.number} has a result that cannot be")
        if not all(0 <= each <= _MOST_STONES for each in stones):
            raise SnapshotError(f"round {one.number} has stores that cannot be")


def _ids(held: Iterable[Player | Team | Official], kind: str) -> set[int]:
    ids = [one.id for one in held]
    numbers = [one.number for one in held if not isinstance(one, Official)]
    for counted in (ids, numbers):
        if len(set(counted)) != len(counted) or not all(0 < one < 10**6 for one in counted):
            raise SnapshotError(f"the numbers of its {kind}s are not right")
    return set(ids)


def _texts(found: Snapshot) -> Iterable[str]:
    """The texts that stand in tables and heads."""
    settings = found.settings
    yield from (settings.name, settings.place, settings.organiser, settings.begins, settings.ends)
    yield from (one.category + one.thing for one in settings.fund.prizes)
    for player in found.players:
        entry = player.entry
        yield from (entry.name, entry.title, entry.federation, entry.club, entry.team, *entry.groups)
    for team in found.teams:
        yield from (team.name, team.federation, team.captain)
    for official in found.officials:
        yield from (official.name, official.category, official.federation)
