"""Papers of teams: their line-ups, and the protocol of a match on boards."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.app.printing.event_layout import Column, Row, table
from korgool.app.printing.event_lists import rating, set_text
from korgool.app.printing.event_values import BLACK, WHITE, Block, Making, only_teams
from korgool.app.words.event_texts import half, result_text
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame, Player, Round, Team, TeamMatch
from korgool.competition.privacy import shown_name
from korgool.competition.round_history import RoundKind, history, home_has_white, result_points


def team_sheets(making: Making) -> list[Block]:
    """A sheet for every team: its players by board, their results in every round, and the captain's signature.

    If a round is given, also the line-up for that round, to be filled in.
    """
    teams = _teams(making)
    if not teams:
        raise CompetitionError(f"{making.state.event.name} has no teams")
    blocks: list[Block] = []
    for at, team in enumerate(teams):
        if at:
            blocks.append({"kind": "break"})
        blocks += _sheet(making, team)
    return blocks


def _teams(making: Making) -> Sequence[Team]:
    """The teams of the event; in an individual event, those named in the entries."""
    state = making.state
    if making.teams:
        return sorted(state.teams.values(), key=lambda one: (one.number, one.id))
    found: dict[str, list[Player]] = {}
    for player in state.players.values():
        if player.entry.team:
            found.setdefault(player.entry.team, []).append(player)
    return [
        Team(
            0,
            0,
            name,
            players=tuple(p.id for p in sorted(players, key=lambda one: (one.entry.board or 99, one.number))),
        )
        for name, players in sorted(found.items())
    ]


def _sheet(making: Making, team: Team) -> list[Block]:
    words, state = making.words, making.state
    played = history(state)
    planned = state.event.rounds
    columns = [
        Column(words["board"], "right", bold=True),
        Column("№", "right"),
        Column(words["name"], flex=15, bold=True),
        Column(words["title"], flex=5, optional=True),
        Column(words["rating"], "right", optional=True),
        *(Column(str(number), "center", least=2.4, part=True) for number in range(1, planned + 1)),
        Column(words["points"], "right", bold=True),
    ]
    rows: list[Row] = []
    for board, id_ in enumerate(team.players, 1):
        player = state.players[id_]
        cells = []
        for meeting in played[id_][:planned]:
            colour = "" if meeting.white is None else WHITE if meeting.white else BLACK
            gained = "" if meeting.kind is RoundKind.PENDING else half(meeting.points)
            cells.append("–" if meeting.kind is RoundKind.BYE and not meeting.points else f"{colour} {gained}".strip())
        cells += [""] * (planned - len(cells))
        reserve = making.teams and board > state.event.boards
        total = half(sum(meeting.points for meeting in played[id_])) if played[id_] else ""
        rows.append(
            [
                words["reserve"] if reserve else str(board),
                str(player.number),
                making.cell(shown_name(player)),
                making.cell(player.entry.title),
                rating(player),
                *cells,
                total,
            ]
        )
    fields = [[words["captain"], making.cell(team.captain)], [words["federation"], making.cell(team.federation)]]
    title = f"{team.number}. {team.name}" if team.number else team.name
    blocks: list[Block] = [
        {"kind": "heading", "text": making.cell(title), "big": True},
        {"kind": "fields", "items": [field for field in fields if making.teams or field[1]]},
        table(columns, rows, tall=1.5),
    ]
    if making.round is not None and making.teams:
        blocks += _line_up(making, making.round)
    blocks.append({"kind": "signatures", "items": [[words["captain_signature"], making.cell(team.captain)]]})
    return blocks


def _line_up(making: Making, number: int) -> list[Block]:
    if not 1 <= number <= making.state.event.rounds:
        raise CompetitionError(f"the event has rounds 1 to {making.state.event.rounds}, not {number}")
    words = making.words
    heading = f"{words['line_up']}, {words['round_n'] % {'round': number}}"
    columns = [
        Column(words["board"], "right", bold=True),
        Column("№", "center", least=4.0),
        Column(words["name"], flex=15),
    ]
    rows: list[Row] = [[str(board), "", ""] for board in range(1, making.state.event.boards + 1)]
    return [{"kind": "heading", "text": heading}, table(columns, rows, tall=2.0)]


def match_protocols(making: Making) -> list[Block]:
    """The protocol of every match of a round, with known results and signatures."""
    only_teams(making, "match protocols")
    one = making.state.round(making.number)
    return [{"kind": "group", "blocks": _match(making, one, match)} for match in one.matches]


def _match(making: Making, one: Round, match: TeamMatch) -> list[Block]:
    words, state = making.words, making.state
    home, away = state.teams[match.home], state.teams[match.away]
    columns = [
        Column(words["board"], "right", bold=True),
        Column("№", "right"),
        Column(making.cell(home.name), flex=15, bold=True),
        Column("", "center"),
        Column(words["points"], "center", bold=True),
        Column(words["points"], "center", bold=True),
        Column("", "center"),
        Column(making.cell(away.name), flex=15, bold=True),
        Column("№", "right"),
        Column(words["result"], "center", least=8.0),
    ]
    rows: list[Row] = []
    totals = [0, 0]
    for board in match.boards:
        game = one.game(board)
        white_is_home = home_has_white(state, match, game)
        ids = (game.white, game.black) if white_is_home else (game.black, game.white)
        points = ["", ""]
        if game.result is not None:
            gained = [result_points(game.result, white, set_points=state.event.set_points) for white in (True, False)]
            gained = gained if white_is_home else gained[::-1]
            totals = [totals[0] + gained[0], totals[1] + gained[1]]
            points = [half(gained[0]), half(gained[1])]
        colours = (WHITE, BLACK) if white_is_home else (BLACK, WHITE)
        numbers = [str(state.players[id_].number) if id_ else "" for id_ in ids]
        rows.append(
            [
                str(board),
                numbers[0],
                making.player(ids[0]),
                colours[0],
                points[0],
                points[1],
                colours[1],
                making.player(ids[1]),
                numbers[1],
                _stores(game),
            ]
        )
    known = all(one.game(board).result is not None for board in match.boards)
    total = [half(totals[0]), half(totals[1])] if known else ["", ""]
    rows.append(["", "", words["total"], "", *total, "", "", "", ""])
    heading = f"{words['table_n'] % {'table': match.table}}:  {making.cell(home.name)} – {making.cell(away.name)}"
    return [
        {"kind": "heading", "text": heading},
        table(columns, rows, bold=[len(rows) - 1], tall=1.6),
        {
            "kind": "signatures",
            "items": [
                [f"{words['captain']}, {making.cell(home.name)}", making.cell(home.captain)],
                [f"{words['captain']}, {making.cell(away.name)}", making.cell(away.captain)],
                [words["referee"], ""],
            ],
        },
    ]


def _stores(game: PairedGame) -> str:
    if game.result is None:
        return ""
    return set_text(game).replace("; ", "\n") or result_text(game.result)
