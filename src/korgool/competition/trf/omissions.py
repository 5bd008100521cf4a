"""Omissions of a tournament report: data that it cannot express and other programs will miss."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from korgool.competition.event_state import EventState
from korgool.competition.model import Player
from korgool.competition.result import points_text
from korgool.competition.standings.tiebreaks import trf_code
from korgool.competition.trf.player_lines import name_column, title_column
from korgool.competition.trf.writing import Edition, without_reasons


def left_out(
    state: EventState, *, edition: Edition = "2026", rounds: int | None = None, reasons: bool = False
) -> tuple[str, ...]:
    """Data that other programs do not find in the report of an event (`write_trf`), one phrase each.

    All of it except game records, and reasons that were not asked for, is in comment lines, which this program reads
    back.

    Args:
        state: the event.
        edition: of the report; TRF16 holds less than TRF26.
        rounds: how many rounds are written; None for all.
        reasons: whether the reasons for warnings, penalties and dismissals are written.
    """
    count = len(state.rounds) if rounds is None else rounds
    players = sorted(state.players.values(), key=lambda one: one.number)
    found = list(_of_trf16(state, players, count)) if edition == "2016" else []
    games = [game for one in state.rounds[:count] for game in one.games]
    if stores := sum(1 for game in games if game.result is not None and game.result.played):
        found.append(f"stones and causes of {stores} games")
    if state.event.set_points:
        found.append("the points of sets, which count in this event in place of those of matches")
    if records := sum(1 for game in games if game.records):
        found.append(f"game records of {records} boards, which are in no comment line either")
    if warned := _numbers(one for one in players if one.warnings):
        found.append(f"warnings of players {warned}")
    kept = without_reasons(state)
    if not reasons and (kept.players != state.players or kept.officials != state.officials):
        found.append("the reasons for warnings, penalties and dismissals, which are in no comment line either")
    others = [code for code in state.event.tiebreaks if trf_code(code) is None]
    if edition == "2026" and others:
        found.append(f"the tie-breaks {', '.join(others)}, which have no code of FIDE")
    if state.event.forbid:
        found.append(f"that players of one {' or '.join(state.event.forbid)} are kept apart")
    if cut := _numbers(one for one in players if _is_cut(one)):
        found.append(f"a name, title, federation or number that is longer than its columns, of players {cut}")
    return tuple(found)


def _of_trf16(state: EventState, players: Iterable[Player], count: int) -> Iterable[str]:
    """Data for which TRF26 has records and TRF16 has none."""
    if state.event.system.of_teams:
        yield "who met whom as a team, and byes of teams"
    else:
        taken = [(one.number, sum(by.half_points for by in one.penalties if by.round <= count)) for one in players]
        if texts := [f"{number} ({points_text(half_points)})" for number, half_points in taken if half_points]:
            yield f"points taken off from players {', '.join(texts)}"
        later: dict[int, list[int]] = defaultdict(list)
        for one in players:
            for absence in one.absences:
                if absence.round > count + 1:
                    later[absence.round].append(one.number)
        for number, who in sorted(later.items()):
            yield f"byes of round {number} for players {', '.join(map(str, who))}"
    yield f"the order of tie-breaks {', '.join(state.event.tiebreaks)}"


def _is_cut(player: Player) -> bool:
    entry = player.entry
    return (
        name_column(player) != player.name
        or title_column(entry.title) != entry.title
        or len(entry.federation) > 3
        or len(entry.external) > 11
    )


def _numbers(players: Iterable[Player]) -> str:
    return ", ".join(str(one.number) for one in players)
