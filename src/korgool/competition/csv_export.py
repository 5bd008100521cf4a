"""Tables of an event as CSV, for spreadsheets: start list, pairings, standings, cross table."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable
from dataclasses import replace

from korgool.competition.event_state import EventState
from korgool.competition.result import Result, points_text
from korgool.competition.standings import cross_table, find_tiebreak, standings, team_totals

_FORMULA = re.compile(r"[=+@](?! )|-(?! |$|\d+(\.\d+)?$)")
_NO_CAUSE = ("board", "forfeit")


def table_csv(header: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV with commas and the line ends of RFC 4180.

    A text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-` or `@`, and is neither a negative
    number nor a result) gets an apostrophe in front, which the reader of entry lists drops.
    """
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(header)
    writer.writerows([_safe(cell) for cell in row] for row in rows)
    return out.getvalue()


def _safe(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


def start_list_csv(state: EventState) -> str:
    """The players by pairing number with their public data; it can be read back as an entry list."""
    columns = ("number", "family", "given", "patronymic", "sex", "born", "title", "rating", "external", "federation",
               "club", "team", "board", "short", "groups")  # fmt: skip
    rows = []
    for player in sorted(state.players.values(), key=lambda player: player.number):
        entry = replace(player.entry, family=player.name) if player.entry.removed else player.entry
        held = [getattr(entry, name) for name in columns[1:-1]]
        rows.append([player.number, *(cell or "" for cell in held), "; ".join(player.entry.groups)])
    return table_csv(columns, rows)


def pairings_csv(state: EventState, number: int | None = None) -> str:
    """The boards of a round or of all rounds, with results; the byes of a round follow its boards."""
    rows: list[list[object]] = []
    for one in state.rounds if number is None else [state.round(number)]:
        for game in one.games:
            white, black = (_player(state, id_) for id_ in (game.white, game.black))
            result, cause = result_texts(game.result)
            rows.append([one.number, game.board, *white, *black, result, cause])
        held = state.teams if state.event.system.of_teams else state.players
        for bye in one.byes:
            who = held[bye.player]
            name = state.teams[bye.player].name if state.event.system.of_teams else state.players[bye.player].name
            rows.append([one.number, "", who.number, name, "", "", f"bye {bye.kind.value}", ""])
    header = ("round", "board", "white_number", "white", "black_number", "black", "result", "cause")
    return table_csv(header, rows)


def result_texts(result: Result | None) -> tuple[str, str]:
    """A result as protocols write it and, if the board does not show it, why the game ended; empty without a result."""
    if result is None:
        return "", ""
    return result.full_text, "" if result.cause in _NO_CAUSE else result.cause


def _player(state: EventState, id_: int) -> tuple[object, str]:
    return (state.players[id_].number, state.players[id_].name) if id_ else ("", "")


def competitor(state: EventState, id_: int) -> tuple[int, str]:
    """Pairing number and name of a player, or in a team event of a team."""
    if state.event.system.of_teams:
        return state.teams[id_].number, state.teams[id_].name
    return state.players[id_].number, state.players[id_].name


def standings_csv(state: EventState, *, rounds: int | None = None, group: str | None = None) -> str:
    """The standings with their tie-breaks; points are decimals."""
    codes = [find_tiebreak(code, teams=state.event.system.of_teams).code for code in state.event.tiebreaks]
    rows = []
    for row in standings(state, rounds=rounds, group=group):
        number, name = competitor(state, row.competitor)
        rows.append([row.rank, number, name, points_text(row.points), *(f"{value:g}" for value in row.values)])
    return table_csv(("rank", "number", "name", "points", *codes), rows)


def cross_table_csv(state: EventState, *, rounds: int | None = None, group: str | None = None) -> str:
    """The cross table: the standings with a column for each round, in the marks of `standings.Cell`."""
    rows = cross_table(state, rounds=rounds, group=group)
    played = range(1, 1 + (len(state.rounds) if rounds is None else rounds))
    header = ("rank", "number", "name", *(f"round {number}" for number in played), "points")
    return table_csv(
        header,
        ([row.rank, row.number, row.name, *(cell.text for cell in row.cells), points_text(row.points)] for row in rows),
    )


def team_totals_csv(state: EventState, *, rounds: int | None = None) -> str:
    """The teams of an individual event by the points of their players."""
    rows = []
    for total in team_totals(state, rounds=rounds):
        names = "; ".join(state.players[id_].name for id_ in total.counted)
        rows.append([total.rank, total.team, points_text(total.points), total.places, names])
    return table_csv(("rank", "team", "points", "places", "counted"), rows)
