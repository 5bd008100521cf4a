"""Tables of an event for spreadsheets: start list, pairings, standings, cross table, teams; and as CSV.

`TABLES` is the one list of them, for the command line, the desk and workbooks (`xlsx_export`).
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypeAlias

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.result import Result
from korgool.competition.standings import cross_table, find_tiebreak, standings, team_totals
from korgool.languages import N_

Cell: TypeAlias = "str | int | float"
_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n")
_HARMLESS = re.compile(r"[+-]( - [+-])?|-?\d+([.,]\d+)?")
"""Marks and results of forfeits, and numbers: a spreadsheet leaves them as they are."""
_NO_CAUSE = ("board", "forfeit")
SPREADSHEET_LANGUAGES = frozenset({"ky", "kk", "ru", "tr"})
"""Languages in whose countries spreadsheets part the cells of CSV by semicolons, write decimals with a comma, and know
UTF-8 by its mark."""


@dataclass(frozen=True, slots=True)
class EventTable:
    """A table: the headings, and rows of as many cells. Points are decimals, an empty text stands for nothing."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet would compute a text, or refuse it as a formula."""
    return text.startswith(_SIGNS) and not _HARMLESS.fullmatch(text)


def csv_text(table: EventTable, *, delimiter: str = ",", bom: bool = False) -> str:
    """A table as CSV with the line ends of RFC 4180.

    A text that a spreadsheet would take for a formula gets an apostrophe in front, which the reader of entry lists
    drops.

    Args:
        table: the table.
        delimiter: what parts the cells; with a semicolon, decimals have a comma, as spreadsheets expect there.
        bom: whether the mark of UTF-8 stands in front.

    Raises:
        CompetitionError: the delimiter is not a single character that can part cells.
    """
    if len(delimiter) != 1 or delimiter.isalnum() or delimiter in "\"'\r\n.-+ ":
        raise CompetitionError(N_("{delimiter!r} cannot part the cells"), delimiter=delimiter)
    comma = delimiter == ";"

    def plain(cell: Cell) -> str:
        if isinstance(cell, float):
            return f"{cell:g}".replace(".", "," if comma else ".")
        return f"'{cell}" if isinstance(cell, str) and is_formula(cell) else str(cell)

    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(table.header)
    writer.writerows(map(plain, row) for row in table.rows)
    return "\ufeff" * bom + out.getvalue()


def _table(name: str, header: Iterable[str], rows: Iterable[Iterable[Cell]]) -> EventTable:
    return EventTable(name, tuple(header), tuple(map(tuple, rows)))


def start_list(state: EventState) -> EventTable:
    """The players by pairing number with their public data; it can be read back as an entry list."""
    columns = ("number", "family", "given", "patronymic", "sex", "born", "title", "rating", "external", "federation",
               "club", "team", "board", "short", "groups")  # fmt: skip
    rows: list[list[Cell]] = []
    for player in sorted(state.players.values(), key=lambda player: player.number):
        entry = replace(player.entry, family=player.name) if player.entry.removed else player.entry
        held = [getattr(entry, name) for name in columns[1:-1]]
        rows.append([player.number, *(cell or "" for cell in held), "; ".join(player.entry.groups)])
    return _table("players", columns, rows)


def pairings(state: EventState, number: int | None = None) -> EventTable:
    """The boards of a round or of all rounds, with results; the byes of a round follow its boards."""
    rows: list[list[Cell]] = []
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
    return _table("pairings", header, rows)


def result_texts(result: Result | None) -> tuple[str, str]:
    """A result as protocols write it and, if the board does not show it, why the game ended; empty without a result."""
    if result is None:
        return "", ""
    return result.full_text, "" if result.cause in _NO_CAUSE else result.cause


def _player(state: EventState, id_: int) -> tuple[Cell, str]:
    return (state.players[id_].number, state.players[id_].name) if id_ else ("", "")


def competitor(state: EventState, id_: int) -> tuple[int, str]:
    """Pairing number and name of a player, or in a team event of a team."""
    if state.event.system.of_teams:
        return state.teams[id_].number, state.teams[id_].name
    return state.players[id_].number, state.players[id_].name


def standings_table(state: EventState, *, rounds: int | None = None, group: str | None = None) -> EventTable:
    """The standings with their tie-breaks; points are decimals."""
    codes = [find_tiebreak(code, teams=state.event.system.of_teams).code for code in state.event.tiebreaks]
    rows: list[list[Cell]] = []
    for row in standings(state, rounds=rounds, group=group):
        number, name = competitor(state, row.competitor)
        rows.append([row.rank, number, name, row.points / 2, *map(float, row.values)])
    return _table("standings", ("rank", "number", "name", "points", *codes), rows)


def cross_table_of(state: EventState, *, rounds: int | None = None, group: str | None = None) -> EventTable:
    """The cross table: the standings with a column for each round, in the marks of `standings.Cell`."""
    rows = cross_table(state, rounds=rounds, group=group)
    played = range(1, 1 + (len(state.rounds) if rounds is None else rounds))
    header = ("rank", "number", "name", *(f"round {number}" for number in played), "points")
    return _table(
        "crosstable",
        header,
        ([row.rank, row.number, row.name, *(cell.text for cell in row.cells), row.points / 2] for row in rows),
    )


def team_table(state: EventState, *, rounds: int | None = None) -> EventTable:
    """The teams of an individual event by the points of their players."""
    rows: list[list[Cell]] = []
    for total in team_totals(state, rounds=rounds):
        names = "; ".join(state.players[id_].name for id_ in total.counted)
        rows.append([total.rank, total.team, total.points / 2, total.places, names])
    return _table("teams", ("rank", "team", "points", "places", "counted"), rows)


TABLES: Mapping[str, Callable[[EventState, int | None], EventTable]] = MappingProxyType({
    "players": lambda state, number: start_list(state),
    "pairings": pairings,
    "standings": lambda state, number: standings_table(state, rounds=number),
    "crosstable": lambda state, number: cross_table_of(state, rounds=number),
    "teams": lambda state, number: team_table(state, rounds=number),
})  # fmt: skip
"""Every table by its name, of the event after a round, or for pairings of a round; None for all rounds."""
