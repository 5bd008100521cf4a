"""Cross table and wall chart: opponents and results, round by round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from korgool.competition.event_state import EventState
from korgool.competition.result import points_text
from korgool.competition.round_history import Meeting, RoundKind
from korgool.competition.standings.figures import StandingsTable
from korgool.competition.standings.ranking import Ranking, rank


@dataclass(frozen=True, slots=True)
class Cell:
    """One round of one competitor.

    Attributes:
        round: its number.
        opponent: pairing number of the opponent, 0 without one.
        colour: `w`, `b`, or empty without an opponent. A team has the colour of its first board.
        mark: `1`, `=` or `0` as in TRF, `+` or `-` for a forfeit, the letter of a bye (`U` given, `F`, `H`, `Z`), `*`
            without a result yet; the board points of a team match.
    """

    round: int
    opponent: int
    colour: str
    mark: str

    @property
    def text(self) -> str:
        """As a chart prints it: `12w1`, `3b=`, `7w+`, `H`."""
        return f"{self.opponent}{self.colour}{self.mark}" if self.opponent else self.mark


@dataclass(frozen=True, slots=True)
class ChartRow:
    """A line of a cross table or wall chart.

    Attributes:
        rank, competitor, number, name: place and competitor, by id, pairing number and name.
        points: half points, penalties deducted.
        values: the tie-breaks, as in the standings.
        cells: one for each round.
        against: marks by the pairing number of the opponent, as a round robin table shows them; several meetings follow
            each other.
    """

    rank: int
    competitor: int
    number: int
    name: str
    points: int
    values: tuple[float, ...]
    cells: tuple[Cell, ...]
    against: Mapping[int, str]


def cross_table(
    state: EventState, *, rounds: int | None = None, group: str | None = None, tiebreaks: Sequence[str] | None = None,
    players: bool = False,
) -> tuple[ChartRow, ...]:  # fmt: skip
    """The standings with the rounds of every competitor, in order of place; arguments as in `standings`."""
    found = rank(state, rounds=rounds, tiebreaks=tiebreaks, group=group, players=players)
    return tuple(_row(state, found, row.competitor, row.rank, row.values) for row in found.rows())


def wall_chart(state: EventState, *, rounds: int | None = None, players: bool = False) -> tuple[ChartRow, ...]:
    """The cross table ordered by pairing number, as it hangs on the wall to be filled in."""
    return tuple(sorted(cross_table(state, rounds=rounds, players=players), key=lambda row: row.number))


def cells(figures: StandingsTable, id_: int) -> tuple[Cell, ...]:
    """One cell for every round of a competitor."""
    return tuple(_cell(figures, meeting) for meeting in figures.lines[id_].meetings)


def competitor_name(state: EventState, id_: int, *, teams: bool) -> str:
    """The name of a team or a player by the id."""
    return state.teams[id_].name if teams else state.players[id_].name


def _row(state: EventState, found: Ranking, id_: int, place: int, values: tuple[float, ...]) -> ChartRow:
    figures = found.table
    line, row = figures.lines[id_], cells(figures, id_)
    against: dict[int, str] = {}
    for cell in row:
        if cell.opponent:
            held = against.get(cell.opponent)
            joint = " " if figures.teams and held else ""
            against[cell.opponent] = f"{held or ''}{joint}{cell.mark}"
    name = competitor_name(state, id_, teams=figures.teams)
    return ChartRow(place, id_, line.number, name, line.points, values, row, against)


def _cell(figures: StandingsTable, meeting: Meeting) -> Cell:
    if meeting.opponent is None:
        return Cell(meeting.round, 0, "", meeting.bye.value if meeting.bye else _mark(figures, meeting))
    colour = "" if meeting.white is None else "w" if meeting.white else "b"
    return Cell(meeting.round, figures.lines[meeting.opponent].number, colour, _mark(figures, meeting))


def _mark(figures: StandingsTable, meeting: Meeting) -> str:
    if meeting.kind is RoundKind.PENDING:
        return "*"
    if figures.teams:
        return points_text(meeting.game_points)
    if meeting.result is None:
        points = meeting.points
    else:
        points = meeting.result.white if meeting.white else meeting.result.black
    if meeting.kind is RoundKind.FORFEIT:
        return "+" if points else "-"
    return "=" if points == 1 else "1" if points else "0"
