"""The pages of a round: by board with results as they come, by name, in large type, and the boards with a record."""

from __future__ import annotations

from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.words.event_texts import half, planned_time
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame, Round, TeamMatch
from korgool.competition.result import Result
from korgool.competition.result_sources import check_records
from korgool.competition.round_history import RoundKind
from korgool.notation import Record, format_movetext, svg_board


def find_round(making: PageMaking, text: str) -> Round:
    """The round that a page's name names; raises NoPageError if it is not paired."""
    if not (text.isascii() and text.isdigit() and text == str(int(text)) and int(text) > 0):
        raise NoPageError(making.at)
    if int(text) > len(making.figures.state.rounds):
        raise NoPageError(making.at)
    return making.figures.state.rounds[int(text) - 1]


def round_page(making: PageMaking, one: Round) -> Context:
    """The pairings by board; those of a team event by match."""
    games = {game.board: game for game in one.games}
    groups: list[Context] = []
    if one.matches:
        for match in one.matches:
            rows = [_board(making, one, games[board]) for board in match.boards]
            groups.append({"match": _match(making, one, match), "rows": rows})
    else:
        groups.append({"match": None, "rows": [_board(making, one, game) for game in one.games]})
    for group in groups:
        group["rows"] = [row for row in group["rows"] if _asked(making, row)]
    done = sum(game.result is not None for game in one.games)
    return {
        "round": one.number,
        "groups": [group for group in groups if group["rows"]],
        "byes": _byes(making, one),
        "done": done,
        "all": len(one.games),
        "manual": one.manual,
        "planned": planned_time(making.figures.state.event, one.number, making.circumstances.language),
        "others": _others(making, one),
    }


def _asked(making: PageMaking, row: Context) -> bool:
    found = any(making.fits(side["name"], side["number"]) for side in (row["white"], row["black"]))
    return found or making.circumstances.query.strip() == str(row["board"])


def _others(making: PageMaking, one: Round) -> list[tuple[int, str]]:
    kind = making.at.split("/")[2:]
    return [
        (other.number, making.link("/".join(["rounds", str(other.number), *kind])))
        for other in making.figures.state.rounds
    ]


def _board(making: PageMaking, one: Round, game: PairedGame) -> Context:
    before = making.figures.points_before
    sides = []
    for id_ in (game.white, game.black):
        side = making.player(id_)
        side["points"] = half(before[id_][one.number - 1]) if id_ and one.number > 1 else ""
        sides.append(side)
    white, black = sides
    return {
        "board": game.board,
        "white": white,
        "black": black,
        "record": making.record(one.number, game),
        **making.result(game.result),
    }


def _match(making: PageMaking, one: Round, match: TeamMatch) -> Context:
    met = making.figures.matches_of
    home, away = (met[id_][one.number - 1] for id_ in (match.home, match.away))
    known = home.kind is not RoundKind.PENDING
    score = f"{half(home.game_points)}–{half(away.game_points)}" if known else ""
    sides = {"home": making.competitor(match.home), "away": making.competitor(match.away)}
    return {"table": match.table, "score": score, **sides}


def _byes(making: PageMaking, one: Round) -> list[Context]:
    players = making.figures.state.players
    left = set() if making.figures.teams else {p.id for p in players.values() if p.until and p.until < one.number}
    shown = [bye for bye in one.byes if bye.player not in left]
    met = making.figures.matches_of
    found = [
        {"kind": making.bye(bye.kind), "points": half(met[bye.player][one.number - 1].points), **who}
        for bye in shown
        if (who := making.competitor(bye.player))
    ]
    return [line for line in found if making.fits(line["name"], line["number"])]


def names_page(making: PageMaking, one: Round) -> Context:
    """Every player in alphabetical order with board, colour and opponent, and the letters that lead to them."""
    seats: dict[int, Context] = {}
    for game in one.games:
        for id_, colour, other in ((game.white, "white", game.black), (game.black, "black", game.white)):
            if id_:
                seats[id_] = {"board": game.board, "colour": colour, "opponent": making.player(other)}
    if not making.figures.teams:
        for bye in one.byes:
            seats[bye.player] = {"board": "", "colour": "", "bye": making.bye(bye.kind)}
    rows, letters = [], list[str]()
    for player in making.by_name(making.figures.by_number):
        if player.until is not None and player.until < one.number:
            continue
        if not making.fits(player.entry.name, player.number):
            continue
        seat = seats.get(player.id) or {"board": "", "colour": "", "bye": making.words["absent"]}
        letter = player.entry.name[:1].upper()
        anchor = letter if letter not in letters else ""
        letters += [anchor] if anchor else []
        rows.append({**making.player(player.id), **seat, "anchor": anchor})
    planned = planned_time(making.figures.state.event, one.number, making.circumstances.language)
    return {
        "round": one.number,
        "planned": planned,
        "rows": rows,
        "letters": letters,
        "others": _others(making, one),
    }


def board_page(making: PageMaking, one: Round, text: str) -> Context:
    """A board of a round with the record of its game: moves, last position."""
    game = next((game for game in one.games if str(game.board) == text and game.records), None)
    if game is None:
        raise NoPageError(making.at)
    try:
        records = check_records(making.figures.state, game, game.records)
    except CompetitionError:  # the record of an older version of the rules: the board is shown without it
        records = ()
    return {
        "round": one.number,
        "game": _board(making, one, game),
        "sets": [making.result(part) for part in _sets(game)],
        "records": [_record(making, record) for record in records],
    }


def _sets(game: PairedGame) -> tuple[Result, ...]:
    if game.result is None:
        return ()
    return tuple(Result(one.white, one.black, one.stores, one.cause) for one in game.result.sets)


def _record(making: PageMaking, record: Record) -> Context:
    position, last = record.start, None
    for move in record.moves:
        last = position.sow(move)
        position = last.after
    rules = record.start.rules
    analysed = making.circumstances.place.live and record.start == rules.start()
    return {
        "svg": svg_board(position, trace=last),
        "moves": format_movetext((record.start, record.moves), offers=record.offers),
        "analysis": f"/analysis#game={rules.name}&moves={','.join(map(str, record.moves))}" if analysed else "",
    }
