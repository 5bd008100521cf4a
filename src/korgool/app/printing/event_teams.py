"""Papers of teams: the nominal application, line-ups, and the protocol of a match on boards."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.app.printing.event_lists import rating, set_text
from korgool.app.printing.paper_context import BLACK, WHITE, Block, PaperContext, only_teams
from korgool.app.printing.table_layout import Column, Row, table
from korgool.app.words.event_texts import collation, half, result_text
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame, Personal, Player, Round, Team, TeamMatch
from korgool.competition.privacy import shown_name
from korgool.competition.round_history import RoundKind, history, home_has_white, result_points

_BLANK = {"a4": 9, "a5": 5}
"""The rows of a blank application: as many as fit on a page with the signatures."""


def team_sheets(context: PaperContext) -> list[Block]:
    """A sheet for every team: its players by board, their results in every round, and the captain's signature.

    If a round is given, also the line-up for that round, to be filled in.
    """
    teams = _teams(context)
    if not teams:
        raise CompetitionError(f"{context.state.event.name} has no teams")
    blocks: list[Block] = []
    for at, team in enumerate(teams):
        if at:
            blocks.append({"kind": "break"})
        blocks += _sheet(context, team)
    return blocks


def _teams(context: PaperContext) -> Sequence[Team]:
    """The teams of the event; in an individual event, those named in the entries."""
    state = context.state
    if context.teams:
        return sorted(state.teams.values(), key=lambda team: (team.number, team.id))
    players_by_team: dict[str, list[Player]] = {}
    for player in state.players.values():
        if player.entry.team:
            players_by_team.setdefault(player.entry.team, []).append(player)
    return [
        Team(
            0,
            0,
            name,
            players=tuple(p.id for p in sorted(players, key=lambda player: (player.entry.board or 99, player.number))),
        )
        for name, players in sorted(players_by_team.items())
    ]


def _sheet(context: PaperContext, team: Team) -> list[Block]:
    words, state = context.words, context.state
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
        reserve = context.teams and board > state.event.boards
        total = half(sum(meeting.points for meeting in played[id_])) if played[id_] else ""
        rows.append(
            [
                words["reserve"] if reserve else str(board),
                str(player.number),
                context.cell(shown_name(player)),
                context.cell(player.entry.title),
                rating(player),
                *cells,
                total,
            ]
        )
    fields = [[words["captain"], context.cell(team.captain)], [words["federation"], context.cell(team.federation)]]
    title = f"{team.number}. {team.name}" if team.number else team.name
    blocks: list[Block] = [
        {"kind": "heading", "text": context.cell(title), "big": True},
        {"kind": "fields", "items": [field for field in fields if context.teams or field[1]]},
        table(columns, rows, tall=1.5),
    ]
    if context.round is not None and context.teams:
        blocks += _line_up(context, context.round)
    blocks.append({"kind": "signatures", "items": [[words["captain_signature"], context.cell(team.captain)]]})
    return blocks


def _line_up(context: PaperContext, number: int) -> list[Block]:
    if not 1 <= number <= context.state.event.rounds:
        raise CompetitionError(f"the event has rounds 1 to {context.state.event.rounds}, not {number}")
    words = context.words
    heading = f"{words['line_up']}, {words['round_n'] % {'round': number}}"
    columns = [
        Column(words["board"], "right", bold=True),
        Column("№", "center", least=4.0),
        Column(words["name"], flex=15),
    ]
    rows: list[Row] = [[str(board), "", ""] for board in range(1, context.state.event.boards + 1)]
    return [{"kind": "heading", "text": heading}, table(columns, rows, tall=2.0)]


def match_protocols(context: PaperContext) -> list[Block]:
    """The protocol of every match of a round, with known results and signatures."""
    only_teams(context, "match protocols")
    round_ = context.state.round(context.number)
    return [{"kind": "group", "blocks": _match(context, round_, match)} for match in round_.matches]


def _match(context: PaperContext, round_: Round, match: TeamMatch) -> list[Block]:
    words, state = context.words, context.state
    home, away = state.teams[match.home], state.teams[match.away]
    columns = [
        Column(words["board"], "right", bold=True),
        Column("№", "right"),
        Column(context.cell(home.name), flex=15, bold=True),
        Column("", "center"),
        Column(words["points"], "center", bold=True),
        Column(words["points"], "center", bold=True),
        Column("", "center"),
        Column(context.cell(away.name), flex=15, bold=True),
        Column("№", "right"),
        Column(words["result"], "center", least=8.0),
    ]
    rows: list[Row] = []
    totals = [0, 0]
    for board in match.boards:
        game = round_.game(board)
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
                context.player(ids[0]),
                colours[0],
                points[0],
                points[1],
                colours[1],
                context.player(ids[1]),
                numbers[1],
                _stores(game),
            ]
        )
    known = all(round_.game(board).result is not None for board in match.boards)
    total = [half(totals[0]), half(totals[1])] if known else ["", ""]
    rows.append(["", "", words["total"], "", *total, "", "", "", ""])
    heading = f"{words['table_n'] % {'table': match.table}}:  {context.cell(home.name)} – {context.cell(away.name)}"
    return [
        {"kind": "heading", "text": heading},
        table(columns, rows, bold=[len(rows) - 1], tall=1.6),
        {
            "kind": "signatures",
            "items": [
                [f"{words['captain']}, {context.cell(home.name)}", context.cell(home.captain)],
                [f"{words['captain']}, {context.cell(away.name)}", context.cell(away.captain)],
                [words["referee"], ""],
            ],
        },
    ]


def _stores(game: PairedGame) -> str:
    if game.result is None:
        return ""
    return set_text(game).replace("; ", "\n") or result_text(game.result)


def application(context: PaperContext) -> list[Block]:
    """One application for every team, or for every federation if there are no teams; blank without personal data.

    The columns for personal data are those the organiser asks for, or all if the settings name none.
    """
    if context.personal is None:
        return _application(context, "", [], {})
    unknown = set(context.personal) - set(context.state.players)
    if unknown:
        raise CompetitionError(f"there is personal data for players that are not entered: {sorted(unknown)}")
    groups: dict[str, list[Player]] = {}
    for id_ in context.personal:
        player = context.state.players[id_]
        entry = player.entry
        groups.setdefault(entry.team or entry.federation or entry.club, []).append(player)
    blocks: list[Block] = []
    for name in sorted(groups, key=lambda name: collation(name, context.language)):
        players = sorted(
            groups[name], key=lambda player: (player.entry.board or 99, collation(player.name, context.language))
        )
        if blocks:
            blocks.append({"kind": "break"})
        blocks += _application(context, name, players, dict(context.personal))
    return blocks or _application(context, "", [], {})


def _application(
    context: PaperContext, team: str, players: Sequence[Player], personal: dict[int, Personal]
) -> list[Block]:
    words, event = context.words, context.state.event
    wanted = event.personal or ("born", "passport", "coaches", "doctor")
    columns = [
        Column("№", "right"),
        Column(words["family"], flex=7, least=6.0, bold=True),
        Column(words["given"], flex=7, least=6.0),
        Column(words["born"], "center") if "born" in wanted else None,
        Column(words["grade"], flex=7, least=6.0),
        Column(words["rating"], "right"),
        Column(words["passport"], flex=7, least=6.0) if "passport" in wanted else None,
        Column(words["coaches"], flex=7, least=6.0) if "coaches" in wanted else None,
        Column(words["doctor"], flex=7, least=6.0) if "doctor" in wanted else None,
    ]
    shown = [at for at, column in enumerate(columns) if column is not None]
    rows: list[Row] = []
    for at, player in enumerate(players, 1):
        entry, data = player.entry, personal[player.id]
        cells = [
            str(at),
            context.cell(player.name if entry.removed else entry.family),
            context.cell(" ".join(filter(None, (entry.given, entry.patronymic)))),
            context.cell(data.born),
            context.cell(entry.title),
            str(entry.rating or ""),
            context.cell(" ".join(filter(None, (data.passport_series, data.passport_number)))),
            context.cell("; ".join(data.coaches)),
            context.cell(data.doctor),
        ]
        rows.append([cells[place] for place in shown])
    for at in range(len(players), _BLANK[context.paper] if not players else len(players)):
        rows.append([str(at + 1)] + [""] * (len(shown) - 1))
    blocks: list[Block] = [
        {
            "kind": "fields",
            "items": [
                [words["application_to"], context.cell(event.name)],
                [words["team"], context.cell(team)],
                [words["place"], context.cell(event.place)],
                [words["dates"], context.dates],
            ],
        },
        table([column for column in columns if column is not None], rows, tall=2.2),
        {"kind": "text", "text": words["admitted"]},
        {
            "kind": "signatures",
            "items": [
                [words["doctor_signature"], ""],
                [words["representative"], ""],
                [words["head_signature"], ""],
                [words["date"], ""],
            ],
        },
    ]
    if players:
        blocks.append({"kind": "note", "text": words["confidential"]})
    return blocks
