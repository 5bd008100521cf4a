"""Lists: the players, and the pairings by board and by name."""

from __future__ import annotations

from korgool.app.printing.paper_context import BLACK, WHITE, Block, PaperContext, by_name, by_number, points_before
from korgool.app.printing.table_layout import Column, Row, table
from korgool.app.words.event_texts import half, result_text
from korgool.competition.model import PairedGame, Player, Round, TeamMatch
from korgool.competition.privacy import shown_name
from korgool.competition.result import Result
from korgool.competition.round_history import RoundKind


def start_list(context: PaperContext) -> list[Block]:
    """All players by pairing number."""
    words = context.words
    columns = [
        Column("№", "right"),
        Column(words["name"], flex=15, bold=True),
        Column(words["title"], flex=5, optional=True),
        Column(words["rating"], "right", optional=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["team"], optional=True, flex=7),
        Column(words["club"], optional=True, flex=7),
        Column("", optional=True),
    ]
    rows: list[Row] = [
        [
            str(player.number),
            context.cell(shown_name(player)),
            context.cell(player.entry.title),
            rating(player),
            context.cell(player.entry.federation),
            context.cell(player.entry.team),
            context.cell(player.entry.club),
            status(context, player),
        ]
        for player in by_number(context.state)
    ]
    return [table(columns, rows)]


def rating(player: Player) -> str:
    """The rating as text, empty if there is none."""
    return str(player.entry.rating or "")


def status(context: PaperContext, player: Player) -> str:
    """Status of a player: empty for one who plays."""
    if player.excluded:
        return context.words["excluded"]
    return "" if player.until is None else context.words["withdrawn"]


def pairings(context: PaperContext) -> list[Block]:
    """The pairings of a round by board, with the known results; in a team event match by match."""
    round_, words = context.state.round(context.number), context.words
    short = all(len(context.state.players[id_].entry.federation) <= 4 for game in round_.games for id_ in _both(game))
    ahead = points_before(context.state, round_.number)

    def side(id_: int) -> list[str]:
        if not id_:
            return ["", words["no_player"], "", ""]
        player = context.state.players[id_]
        federation = context.cell(player.entry.federation) if short else ""
        return [str(player.number), context.player(id_), federation, half(ahead[id_]) if round_.number > 1 else ""]

    def cells(game: PairedGame) -> list[str]:
        white, black = side(game.white), side(game.black)
        result = result_text(game.result) if game.result else "–"
        return [str(game.board), *white, result, *black[3:], *black[:3]]

    columns = [
        Column(words["board"], "right", bold=True),
        Column("№", "right"),
        Column(f"{WHITE} {words['white']}", flex=15, bold=True),
        Column("", optional=True),
        Column(words["points"], "right", optional=True),
        Column(words["result"], "center"),
        Column(words["points"], "right", optional=True),
        Column("№", "right"),
        Column(f"{BLACK} {words['black']}", flex=15, bold=True),
        Column("", optional=True),
    ]
    rows: list[Row] = []
    if round_.matches:
        for match in round_.matches:
            rows.append({"span": match_text(context, round_, match)})
            rows += [cells(round_.game(board)) for board in match.boards]
    else:
        rows += [cells(game) for game in round_.games]
    blocks = [table(columns, rows)] if rows else []
    return blocks + byes(context, round_)


def _both(game: PairedGame) -> list[int]:
    return [id_ for id_ in (game.white, game.black) if id_]


def match_text(context: PaperContext, round_: Round, match: TeamMatch) -> str:
    """`Table 1: Home 2½ – 1½ Away`, without points while a result is missing."""
    home, away = context.competitor(match.home), context.competitor(match.away)
    meetings = context.team_meetings(round_.number)
    meeting, other = meetings[match.home], meetings[match.away]
    between = "–"
    if meeting.kind is not RoundKind.PENDING:
        between = f"{half(meeting.game_points)} – {half(other.game_points)}"
    return f"{context.words['table_n'] % {'table': match.table}}:  {home}  {between}  {away}"


def byes(context: PaperContext, round_: Round) -> list[Block]:
    """The players without an opponent in a round, except those who have left."""
    if not round_.byes:
        return []
    left = (
        set()
        if context.teams
        else {p.id for p in context.state.players.values() if p.until and p.until < round_.number}
    )
    rows: list[Row] = []
    for bye in round_.byes:
        if bye.player in left:
            continue
        competitor = context.state.teams[bye.player] if context.teams else context.state.players[bye.player]
        rows.append([str(competitor.number), context.competitor(bye.player), context.bye(bye.kind)])
    if not rows:
        return []
    words = context.words
    columns = [
        Column("№", "right"),
        Column(words["team" if context.teams else "name"], flex=15, bold=True),
        Column(words["kind"]),
    ]
    return [{"kind": "heading", "text": sentence(words["no_opponent"])}, table(columns, rows)]


def sentence(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def pairings_by_name(context: PaperContext) -> list[Block]:
    """The board, colour and opponent of every player, in alphabetical order."""
    round_, words = context.state.round(context.number), context.words
    lines: dict[int, list[str]] = {}
    for game in round_.games:
        for id_, colour, other in ((game.white, WHITE, game.black), (game.black, BLACK, game.white)):
            if id_:
                number = str(context.state.players[other].number) if other else ""
                name = words["white" if colour == WHITE else "black"]
                lines[id_] = [str(game.board), f"{colour} {name}", number, context.player(other)]
    if not context.teams:
        for bye in round_.byes:
            lines[bye.player] = ["", "", "", context.bye(bye.kind)]
    columns = [
        Column(words["name"], flex=15, bold=True),
        Column("№", "right"),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["board"], "right", bold=True),
        Column(words["colour"]),
        Column("№", "right"),
        Column(words["opponent"], flex=15),
    ]
    rows: list[Row] = [
        [
            context.cell(shown_name(player)),
            str(player.number),
            context.cell(player.entry.federation),
            *lines.get(player.id, ["", "", "", words["absent"]]),
        ]
        for player in by_name(context.state.players.values(), context.language)
        if player.until is None or player.until >= round_.number
    ]
    return [table(columns, rows)]


def results_by_round(context: PaperContext, number: int) -> list[Block]:
    """The results of a round in short form, for the protocol."""
    round_, words = context.state.round(number), context.words
    columns = [
        Column(words["board"], "right"),
        Column(words["white"], flex=15),
        Column(words["result"], "center", bold=True),
        Column(words["black"], flex=15),
    ]

    def cells(game: PairedGame) -> list[str]:
        text = context.result(game) if game.result else "–"
        return [str(game.board), _numbered(context, game.white), text, _numbered(context, game.black)]

    rows: list[Row] = []
    for match in round_.matches:
        rows.append({"span": match_text(context, round_, match)})
        rows += [cells(round_.game(board)) for board in match.boards]
    if not round_.matches:
        rows += [cells(game) for game in round_.games]
    blocks: list[Block] = [table(columns, rows)] if rows else []
    if listed := [bye for bye in round_.byes if _stays(context, bye.player, number)]:
        names = [f"{context.competitor(bye.player)} ({context.bye(bye.kind)})" for bye in listed]
        blocks.append({"kind": "note", "text": f"{sentence(words['no_opponent'])}: {'; '.join(names)}"})
    return blocks


def _stays(context: PaperContext, id_: int, number: int) -> bool:
    if context.teams:
        return True
    until = context.state.players[id_].until
    return until is None or until >= number


def _numbered(context: PaperContext, id_: int) -> str:
    return f"{context.player(id_)} ({context.state.players[id_].number})" if id_ else context.words["no_player"]


def set_text(game: PairedGame) -> str:
    """The sets of a match: `1 (30) – 0 (18); …`; empty for a single game."""
    if game.result is None:
        return ""
    return "; ".join(result_text(Result(set_.white, set_.black, set_.stores, set_.cause)) for set_ in game.result.sets)
