"""Tables of results: standings, cross table, wall chart, totals of teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from korgool.app.printing.event_layout import Column, Row, table
from korgool.app.printing.event_lists import status
from korgool.app.printing.event_values import BLACK, THIN, WHITE, Block, Making, by_number
from korgool.app.words.event_texts import half, number_text
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Player, System, Team
from korgool.competition.model import Row as Place
from korgool.competition.privacy import shown_name
from korgool.competition.round_history import Meeting, RoundKind, competitors
from korgool.competition.standings import Ranking, find_tiebreak, rank
from korgool.competition.standings.personal_teams import team_totals

_MATRIX = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN, System.TEAM_ROUND_ROBIN)


def standings(making: Making, *, players: bool = False) -> list[Block]:
    """The table after a round: places, points, tie-breaks by their codes with a legend; prize places in bold.

    `players` ranks the players of a team event on their boards.
    """
    ranking = rank(making.state, rounds=making.played, group=making.group, players=players)
    teams = making.teams and not players
    return [
        _places(making, ranking.rows(), [one.code for one in ranking.tiebreaks], teams=teams),
        _legend(making, ranking, teams=teams),
    ]


def _places(making: Making, rows: Sequence[Place], codes: Sequence[str], *, teams: bool) -> Block:
    words, state = making.words, making.state
    columns = [
        Column(words["rank"], "right", bold=True),
        Column("№", "right"),
        Column(words["team" if teams else "name"], flex=15, bold=True),
        Column(words["title"], flex=5, optional=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["team"], flex=7, optional=True),
        Column(words["rating"], "right", optional=True),
        Column(words["penalty"], "right", optional=True),
        Column(words["points"], "right", bold=True),
        *(Column(code, "right") for code in codes),
    ]
    found: list[Row] = []
    for row in rows:
        if teams:
            team = state.teams[row.competitor]
            head = [str(team.number), making.cell(team.name), "", making.cell(team.federation), "", "", ""]
        else:
            player = state.players[row.competitor]
            head = _head(making, player)
        values = [number_text(value) for value in row.values]
        found.append([str(row.rank), *head, half(row.points), *values])
    bold = [at for at, row in enumerate(rows) if row.rank <= state.event.prizes]
    return table(columns, found, bold=bold)


def _head(making: Making, player: Player) -> list[str]:
    entry = player.entry
    taken = sum(one.half_points for one in player.penalties if one.round <= making.played)
    return [
        str(player.number),
        " · ".join(filter(None, (making.cell(shown_name(player)), status(making, player)))),
        making.cell(entry.title),
        making.cell(entry.federation),
        making.cell(entry.team),
        str(entry.rating or ""),
        half(-taken) if taken else "",
    ]


def _legend(making: Making, ranking: Ranking, *, teams: bool) -> Block:
    items = []
    for one in ranking.tiebreaks:
        pair = [one.code, tiebreak_name(one.code, making.language, teams=teams)]
        if pair not in items:
            items.append(pair)
    return {"kind": "legend", "items": items}


def team_standings(making: Making) -> list[Block]:
    """Teams by their matches, or in an individual event by the points of their best players."""
    if making.teams:
        return standings(making)
    totals = team_totals(making.state, rounds=making.played)
    if not totals:
        raise CompetitionError(f"no player of {making.state.event.name} has a team")
    words = making.words
    valued = [code for code in making.state.event.tiebreaks if find_tiebreak(code).value is not None]
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["team"], flex=7, bold=True),
        Column(words["points"], "right", bold=True),
        *(Column(find_tiebreak(code).code, "right") for code in valued),
        Column(words["score_players"], flex=20, light=True),
    ]
    points = {row.competitor: row.points for row in rank(making.state, rounds=making.played, tiebreaks=()).rows()}
    rows: list[Row] = []
    for one in totals:
        names = [f"{making.player(id_)} {half(points[id_])}" for id_ in one.counted]
        head = [str(one.rank), making.cell(one.team), half(one.points)]
        rows.append([*head, *map(number_text, one.values), "; ".join(names)])
    bold = [at for at, one in enumerate(totals) if one.rank <= making.state.event.prizes]
    legend = [[find_tiebreak(code).code, tiebreak_name(code, making.language)] for code in valued]
    return [table(columns, rows, bold=bold), {"kind": "legend", "items": legend}]


def cross_table(making: Making) -> list[Block]:
    """Everybody against everybody by places; if not all meet, round by round."""
    ranking = rank(making.state, rounds=making.played)
    rows = ranking.rows()
    matrix = making.state.event.system in _MATRIX
    middle = _against(making, rows) if matrix else _by_round(making, rows)
    words = making.words
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["team" if making.teams else "name"], flex=15, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        *(Column(label, "center", part=True) for label in middle[0]),
        Column(words["points"], "right", bold=True),
        *(Column(one.code, "right") for one in ranking.tiebreaks),
    ]
    found: list[Row] = []
    for at, row in enumerate(rows):
        one = _competitor(making, row.competitor)
        found.append(
            [
                str(row.rank),
                making.competitor(row.competitor),
                making.cell(one.federation if isinstance(one, Team) else one.entry.federation),
                *middle[1][at],
                half(row.points),
                *map(number_text, row.values),
            ]
        )
    signs = _signs(making, "sign_place", matrix=matrix)
    bold = [at for at, row in enumerate(rows) if row.rank <= making.state.event.prizes]
    return [
        table(columns, found, bold=bold),
        {"kind": "note", "text": signs},
        _legend(making, ranking, teams=making.teams),
    ]


def _competitor(making: Making, id_: int) -> Player | Team:
    return making.state.teams[id_] if making.teams else making.state.players[id_]


def _signs(making: Making, first: str, *, matrix: bool = False) -> str:
    words = making.words
    signs = [] if matrix else [words[first]]
    signs += [words["sign_forfeit"], *([] if matrix else [words["sign_bye"]])]
    if first == "sign_cell":
        signs.append(words["sign_running"])
    if making.teams:
        signs.append(words["sign_board_points"])
    return " · ".join(signs) + "."


def _against(making: Making, rows: Sequence[Place]) -> tuple[list[str], list[list[str]]]:
    """Column headings and cells of a table in which all meet: one column for every opponent."""
    met = competitors(making.state, rounds=making.played)
    cells = []
    for at, row in enumerate(rows):
        line = []
        for other, against in enumerate(rows):
            results = [gained(one, making) for one in met[row.competitor] if one.opponent == against.competitor]
            line.append("×" if at == other else " ".join(results))
        cells.append(line)
    return [str(at) for at in range(1, len(rows) + 1)], cells


def _by_round(making: Making, rows: Sequence[Place]) -> tuple[list[str], list[list[str]]]:
    met = competitors(making.state, rounds=making.played)
    # Equals share a place, so opponents are named by their line.
    lines = {row.competitor: at for at, row in enumerate(rows, 1)}
    shared = {row.competitor: row.rank for row in rows}
    number: Mapping[int, int] = lines if len(set(shared.values())) == len(rows) else _numbers(making)
    cells = [[meeting_text(one, number, making) for one in met[row.competitor]] for row in rows]
    return [str(at) for at in range(1, making.played + 1)], cells


def _numbers(making: Making) -> dict[int, int]:
    found: Mapping[int, Player | Team] = making.state.teams if making.teams else making.state.players
    return {id_: one.number for id_, one in found.items()}


def gained(meeting: Meeting, making: Making) -> str:
    """The result of a round: `1`, `½`, `+` and `−` for a forfeit, board points in a team event; empty while pending."""
    if meeting.kind is RoundKind.PENDING:
        return ""
    points = meeting.game_points if making.teams else meeting.points
    if meeting.kind is RoundKind.FORFEIT and not making.teams:
        return "+" if points else "−"
    return half(points)


def meeting_text(meeting: Meeting, numbers: Mapping[int, int], making: Making) -> str:
    """`12● 1`: with Black against number 12, won; `(½)` for a bye, empty for a round without a game or points."""
    if meeting.kind is RoundKind.BYE:
        points = meeting.game_points if making.teams else meeting.points
        return f"({half(points)})" if points or meeting.bye != "Z" else "–"
    opponent = str(numbers[meeting.opponent]) if meeting.opponent else ""
    colour = WHITE if meeting.white else BLACK
    return f"{opponent}{THIN}{colour} {gained(meeting, making)}".strip()


def wall_chart(making: Making) -> list[Block]:
    """By pairing number, every round with opponent, result and points so far; later rounds are blank."""
    words, state = making.words, making.state
    met = competitors(state, rounds=making.number if state.rounds else 0)
    numbers, planned = _numbers(making), max(state.event.rounds, len(state.rounds))
    ordered: Sequence[Player | Team] = (
        sorted(state.teams.values(), key=lambda one: one.number) if making.teams else by_number(state)
    )
    columns = [
        Column("№", "right", bold=True),
        Column(words["team" if making.teams else "name"], flex=15, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["rating"], "right", optional=True),
        *(Column(str(number), "center", least=3.6, part=True) for number in range(1, planned + 1)),
        Column(words["penalty"], "right", optional=True),
        Column(words["points"], "right", bold=True),
    ]
    rows: list[Row] = []
    for one in ordered:
        total, cells = 0, []
        for meeting in met[one.id]:
            total += meeting.points
            text = meeting_text(meeting, numbers, making)
            cells.append(f"{text}\n{half(total)}" if meeting.kind is not RoundKind.PENDING else f"{text}\n ")
        cells += [""] * (planned - len(cells))
        taken = 0 if isinstance(one, Team) else sum(p.half_points for p in one.penalties if p.round <= len(met[one.id]))
        entry = None if isinstance(one, Team) else one.entry
        rows.append(
            [
                str(one.number),
                making.competitor(one.id),
                making.cell(one.federation if isinstance(one, Team) else one.entry.federation),
                str(entry.rating or "") if entry else "",
                *cells,
                half(-taken) if taken else "",
                half(total - taken) if state.rounds else "",
            ]
        )
    return [table(columns, rows, tall=2.0), {"kind": "note", "text": _signs(making, "sign_cell")}]
