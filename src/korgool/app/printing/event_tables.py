"""Tables of results: standings, cross table, wall chart, totals of teams, rating changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from korgool.app.printing.event_lists import status
from korgool.app.printing.paper_context import BLACK, THIN, WHITE, Block, PaperContext, by_number
from korgool.app.printing.table_layout import Column, Row, table
from korgool.app.words.event_texts import half, number_text
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Player, System, Team
from korgool.competition.model import Row as Place
from korgool.competition.privacy import shown_name
from korgool.competition.ratings import rating_changes
from korgool.competition.round_history import Meeting, RoundKind, competitors
from korgool.competition.standings import Ranking, find_tiebreak, rank
from korgool.competition.standings.personal_teams import team_totals

_MATRIX = (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN, System.TEAM_ROUND_ROBIN)


def standings(context: PaperContext, *, players: bool = False) -> list[Block]:
    """The table after a round: places, points, tie-breaks by their codes with a legend; prize places in bold.

    `players` ranks the players of a team event on their boards.
    """
    ranking = rank(context.state, rounds=context.played, group=context.group, players=players)
    teams = context.teams and not players
    return [
        _places(context, ranking.rows(), [tiebreak.code for tiebreak in ranking.tiebreaks], teams=teams),
        _legend(context, ranking, teams=teams),
    ]


def _places(context: PaperContext, rows: Sequence[Place], codes: Sequence[str], *, teams: bool) -> Block:
    words, state = context.words, context.state
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
    lines: list[Row] = []
    for row in rows:
        if teams:
            team = state.teams[row.competitor]
            head = [str(team.number), context.cell(team.name), "", context.cell(team.federation), "", "", ""]
        else:
            player = state.players[row.competitor]
            head = _head(context, player)
        values = [number_text(value) for value in row.values]
        lines.append([str(row.rank), *head, half(row.points), *values])
    bold = [at for at, row in enumerate(rows) if row.rank <= state.event.prizes]
    return table(columns, lines, bold=bold)


def _head(context: PaperContext, player: Player) -> list[str]:
    entry = player.entry
    penalty = sum(p.half_points for p in player.penalties if p.round <= context.played)
    return [
        str(player.number),
        " · ".join(filter(None, (context.cell(shown_name(player)), status(context, player)))),
        context.cell(entry.title),
        context.cell(entry.federation),
        context.cell(entry.team),
        str(entry.rating or ""),
        half(-penalty) if penalty else "",
    ]


def _legend(context: PaperContext, ranking: Ranking, *, teams: bool) -> Block:
    items = []
    for tiebreak in ranking.tiebreaks:
        pair = [tiebreak.code, tiebreak_name(tiebreak.code, context.language, teams=teams)]
        if pair not in items:
            items.append(pair)
    return {"kind": "legend", "items": items}


def team_standings(context: PaperContext) -> list[Block]:
    """Teams by their matches, or in an individual event by the points of their best players."""
    if context.teams:
        return standings(context)
    totals = team_totals(context.state, rounds=context.played)
    if not totals:
        raise CompetitionError(f"no player of {context.state.event.name} has a team")
    words = context.words
    valued = [code for code in context.state.event.tiebreaks if find_tiebreak(code).value is not None]
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["team"], flex=7, bold=True),
        Column(words["points"], "right", bold=True),
        *(Column(find_tiebreak(code).code, "right") for code in valued),
        Column(words["score_players"], flex=20, light=True),
    ]
    points = {row.competitor: row.points for row in rank(context.state, rounds=context.played, tiebreaks=()).rows()}
    rows: list[Row] = []
    for total in totals:
        names = [f"{context.player(id_)} {half(points[id_])}" for id_ in total.counted]
        head = [str(total.rank), context.cell(total.team), half(total.points)]
        rows.append([*head, *map(number_text, total.values), "; ".join(names)])
    bold = [at for at, total in enumerate(totals) if total.rank <= context.state.event.prizes]
    legend = [[find_tiebreak(code).code, tiebreak_name(code, context.language)] for code in valued]
    return [table(columns, rows, bold=bold), {"kind": "legend", "items": legend}]


def cross_table(context: PaperContext) -> list[Block]:
    """Everybody against everybody by places; if not all meet, round by round."""
    ranking = rank(context.state, rounds=context.played)
    rows = ranking.rows()
    matrix = context.state.event.system in _MATRIX
    middle = _against(context, rows) if matrix else _by_round(context, rows)
    words = context.words
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["team" if context.teams else "name"], flex=15, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        *(Column(label, "center", part=True) for label in middle[0]),
        Column(words["points"], "right", bold=True),
        *(Column(tiebreak.code, "right") for tiebreak in ranking.tiebreaks),
    ]
    lines: list[Row] = []
    for at, row in enumerate(rows):
        competitor = _competitor(context, row.competitor)
        lines.append(
            [
                str(row.rank),
                context.competitor(row.competitor),
                context.cell(competitor.federation if isinstance(competitor, Team) else competitor.entry.federation),
                *middle[1][at],
                half(row.points),
                *map(number_text, row.values),
            ]
        )
    signs = _signs(context, "sign_place", matrix=matrix)
    bold = [at for at, row in enumerate(rows) if row.rank <= context.state.event.prizes]
    return [
        table(columns, lines, bold=bold),
        {"kind": "note", "text": signs},
        _legend(context, ranking, teams=context.teams),
    ]


def _competitor(context: PaperContext, id_: int) -> Player | Team:
    return context.state.teams[id_] if context.teams else context.state.players[id_]


def _signs(context: PaperContext, first: str, *, matrix: bool = False) -> str:
    words = context.words
    signs = [] if matrix else [words[first]]
    signs += [words["sign_forfeit"], *([] if matrix else [words["sign_bye"]])]
    if first == "sign_cell":
        signs.append(words["sign_running"])
    if context.teams:
        signs.append(words["sign_board_points"])
    return " · ".join(signs) + "."


def _against(context: PaperContext, rows: Sequence[Place]) -> tuple[list[str], list[list[str]]]:
    """Column headings and cells of a table in which all meet: one column for every opponent."""
    meetings = competitors(context.state, rounds=context.played)
    cells = []
    for at, row in enumerate(rows):
        line = []
        for other, opponent_row in enumerate(rows):
            results = [
                gained(meeting, context)
                for meeting in meetings[row.competitor]
                if meeting.opponent == opponent_row.competitor
            ]
            line.append("×" if at == other else " ".join(results))
        cells.append(line)
    return [str(at) for at in range(1, len(rows) + 1)], cells


def _by_round(context: PaperContext, rows: Sequence[Place]) -> tuple[list[str], list[list[str]]]:
    meetings = competitors(context.state, rounds=context.played)
    # Equals share a place, so opponents are named by their line.
    lines = {row.competitor: at for at, row in enumerate(rows, 1)}
    shared = {row.competitor: row.rank for row in rows}
    number: Mapping[int, int] = lines if len(set(shared.values())) == len(rows) else _numbers(context)
    cells = [[meeting_text(meeting, number, context) for meeting in meetings[row.competitor]] for row in rows]
    return [str(at) for at in range(1, context.played + 1)], cells


def _numbers(context: PaperContext) -> dict[int, int]:
    competitors_by_id: Mapping[int, Player | Team] = context.state.teams if context.teams else context.state.players
    return {id_: competitor.number for id_, competitor in competitors_by_id.items()}


def gained(meeting: Meeting, context: PaperContext) -> str:
    """The result of a round: `1`, `½`, `+` and `−` for a forfeit, board points in a team event; empty while pending."""
    if meeting.kind is RoundKind.PENDING:
        return ""
    points = meeting.game_points if context.teams else meeting.points
    if meeting.kind is RoundKind.FORFEIT and not context.teams:
        return "+" if points else "−"
    return half(points)


def meeting_text(meeting: Meeting, numbers: Mapping[int, int], context: PaperContext) -> str:
    """`12● 1`: with Black against number 12, won; `(½)` for a bye, empty for a round without a game or points."""
    if meeting.kind is RoundKind.BYE:
        points = meeting.game_points if context.teams else meeting.points
        return f"({half(points)})" if points or meeting.bye != "Z" else "–"
    opponent = str(numbers[meeting.opponent]) if meeting.opponent else ""
    colour = WHITE if meeting.white else BLACK
    return f"{opponent}{THIN}{colour} {gained(meeting, context)}".strip()


def wall_chart(context: PaperContext) -> list[Block]:
    """By pairing number, every round with opponent, result and points so far; later rounds are blank."""
    words, state = context.words, context.state
    meetings = competitors(state, rounds=context.number if state.rounds else 0)
    numbers, planned = _numbers(context), max(state.event.rounds, len(state.rounds))
    ordered: Sequence[Player | Team] = (
        sorted(state.teams.values(), key=lambda competitor: competitor.number) if context.teams else by_number(state)
    )
    columns = [
        Column("№", "right", bold=True),
        Column(words["team" if context.teams else "name"], flex=15, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["rating"], "right", optional=True),
        *(Column(str(number), "center", least=3.6, part=True) for number in range(1, planned + 1)),
        Column(words["penalty"], "right", optional=True),
        Column(words["points"], "right", bold=True),
    ]
    rows: list[Row] = []
    for competitor in ordered:
        total, cells = 0, []
        for meeting in meetings[competitor.id]:
            total += meeting.points
            text = meeting_text(meeting, numbers, context)
            cells.append(f"{text}\n{half(total)}" if meeting.kind is not RoundKind.PENDING else f"{text}\n ")
        cells += [""] * (planned - len(cells))
        penalty = (
            0
            if isinstance(competitor, Team)
            else sum(p.half_points for p in competitor.penalties if p.round <= len(meetings[competitor.id]))
        )
        entry = None if isinstance(competitor, Team) else competitor.entry
        rows.append(
            [
                str(competitor.number),
                context.competitor(competitor.id),
                context.cell(competitor.federation if isinstance(competitor, Team) else competitor.entry.federation),
                str(entry.rating or "") if entry else "",
                *cells,
                half(-penalty) if penalty else "",
                half(total - penalty) if state.rounds else "",
            ]
        )
    return [table(columns, rows, tall=2.0), {"kind": "note", "text": _signs(context, "sign_cell")}]


def rating_list(context: PaperContext) -> list[Block]:
    """Rating, games, points and change of every player, and the rating after the event."""
    words, state = context.words, context.state
    columns = [
        Column("№", "right"),
        Column(words["name"], flex=15, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["rating"], "right"),
        Column(words["games"], "right"),
        Column(words["points"], "right"),
        Column(words["change"], "right", bold=True),
        Column(words["new_rating"], "right"),
    ]
    rows: list[Row] = []
    for change in rating_changes(state):
        player: Player = state.players[change.player]
        rows.append(
            [
                str(player.number),
                context.cell(shown_name(player)),
                context.cell(player.entry.federation),
                str(round(change.rating) or ""),
                str(change.games),
                half(change.score),
                f"{change.change:+.1f}".replace("-", "−") if change.rating and change.games else "",
                str(round(change.after) or ""),
            ]
        )
    return [table(columns, rows)]
