"""Lists: the players, and the pairings by board and by name."""

from __future__ import annotations

from korgool.app.printing.event_layout import Column, Row, table
from korgool.app.printing.event_values import BLACK, WHITE, Block, Making, by_name, by_number, points_before
from korgool.app.words.event_texts import half, result_text
from korgool.competition.model import PairedGame, Player, Round, TeamMatch
from korgool.competition.privacy import shown_name
from korgool.competition.result import Result
from korgool.competition.round_history import RoundKind


def start_list(making: Making) -> list[Block]:
    """All players by pairing number."""
    words = making.words
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
            str(one.number),
            making.cell(shown_name(one)),
            making.cell(one.entry.title),
            rating(one),
            making.cell(one.entry.federation),
            making.cell(one.entry.team),
            making.cell(one.entry.club),
            status(making, one),
        ]
        for one in by_number(making.state)
    ]
    return [table(columns, rows)]


def rating(player: Player) -> str:
    """The rating as text, empty if there is none."""
    return str(player.entry.rating or "")


def status(making: Making, player: Player) -> str:
    """Status of a player: empty for one who plays."""
    if player.excluded:
        return making.words["excluded"]
    return "" if player.until is None else making.words["withdrawn"]


def pairings(making: Making) -> list[Block]:
    """The pairings of a round by board, with the known results; in a team event match by match."""
    one, words = making.state.round(making.number), making.words
    short = all(len(making.state.players[id_].entry.federation) <= 4 for game in one.games for id_ in _both(game))
    ahead = points_before(making.state, one.number)

    def side(id_: int) -> list[str]:
        if not id_:
            return ["", words["no_player"], "", ""]
        player = making.state.players[id_]
        federation = making.cell(player.entry.federation) if short else ""
        return [str(player.number), making.player(id_), federation, half(ahead[id_]) if one.number > 1 else ""]

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
    if one.matches:
        for match in one.matches:
            rows.append({"span": match_text(making, one, match)})
            rows += [cells(one.game(board)) for board in match.boards]
    else:
        rows += [cells(game) for game in one.games]
    blocks = [table(columns, rows)] if rows else []
    return blocks + byes(making, one)


def _both(game: PairedGame) -> list[int]:
    return [id_ for id_ in (game.white, game.black) if id_]


def match_text(making: Making, one: Round, match: TeamMatch) -> str:
    """`Table 1: Home 2½ – 1½ Away`, without points while a result is missing."""
    home, away = making.competitor(match.home), making.competitor(match.away)
    met = making.team_meetings(one.number)
    meeting, other = met[match.home], met[match.away]
    between = "–"
    if meeting.kind is not RoundKind.PENDING:
        between = f"{half(meeting.game_points)} – {half(other.game_points)}"
    return f"{making.words['table_n'] % {'table': match.table}}:  {home}  {between}  {away}"


def byes(making: Making, one: Round) -> list[Block]:
    """The players without an opponent in a round, except those who have left."""
    if not one.byes:
        return []
    left = set() if making.teams else {p.id for p in making.state.players.values() if p.until and p.until < one.number}
    rows: list[Row] = []
    for bye in one.byes:
        if bye.player in left:
            continue
        competitor = making.state.teams[bye.player] if making.teams else making.state.players[bye.player]
        rows.append([str(competitor.number), making.competitor(bye.player), making.bye(bye.kind)])
    if not rows:
        return []
    words = making.words
    columns = [
        Column("№", "right"),
        Column(words["team" if making.teams else "name"], flex=15, bold=True),
        Column(words["kind"]),
    ]
    return [{"kind": "heading", "text": sentence(words["no_opponent"])}, table(columns, rows)]


def sentence(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]


def pairings_by_name(making: Making) -> list[Block]:
    """The board, colour and opponent of every player, in alphabetical order."""
    one, words = making.state.round(making.number), making.words
    found: dict[int, list[str]] = {}
    for game in one.games:
        for id_, colour, other in ((game.white, WHITE, game.black), (game.black, BLACK, game.white)):
            if id_:
                number = str(making.state.players[other].number) if other else ""
                name = words["white" if colour == WHITE else "black"]
                found[id_] = [str(game.board), f"{colour} {name}", number, making.player(other)]
    if not making.teams:
        for bye in one.byes:
            found[bye.player] = ["", "", "", making.bye(bye.kind)]
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
            making.cell(shown_name(player)),
            str(player.number),
            making.cell(player.entry.federation),
            *found.get(player.id, ["", "", "", words["absent"]]),
        ]
        for player in by_name(making.state.players.values(), making.language)
        if player.until is None or player.until >= one.number
    ]
    return [table(columns, rows)]


def results_by_round(making: Making, number: int) -> list[Block]:
    """The results of a round in short form, for the protocol."""
    one, words = making.state.round(number), making.words
    columns = [
        Column(words["board"], "right"),
        Column(words["white"], flex=15),
        Column(words["result"], "center", bold=True),
        Column(words["black"], flex=15),
    ]

    def cells(game: PairedGame) -> list[str]:
        text = making.result(game) if game.result else "–"
        return [str(game.board), _numbered(making, game.white), text, _numbered(making, game.black)]

    rows: list[Row] = []
    for match in one.matches:
        rows.append({"span": match_text(making, one, match)})
        rows += [cells(one.game(board)) for board in match.boards]
    if not one.matches:
        rows += [cells(game) for game in one.games]
    blocks: list[Block] = [table(columns, rows)] if rows else []
    if listed := [bye for bye in one.byes if _stays(making, bye.player, number)]:
        names = [f"{making.competitor(bye.player)} ({making.bye(bye.kind)})" for bye in listed]
        blocks.append({"kind": "note", "text": f"{sentence(words['no_opponent'])}: {'; '.join(names)}"})
    return blocks


def _stays(making: Making, id_: int, number: int) -> bool:
    if making.teams:
        return True
    until = making.state.players[id_].until
    return until is None or until >= number


def _numbered(making: Making, id_: int) -> str:
    return f"{making.player(id_)} ({making.state.players[id_].number})" if id_ else making.words["no_player"]


def set_text(game: PairedGame) -> str:
    """The sets of a match: `1 (30) – 0 (18); …`; empty for a single game."""
    if game.result is None:
        return ""
    return "; ".join(result_text(Result(one.white, one.black, one.stores, one.cause)) for one in game.result.sets)
