"""The analysis board: its page, the reading of pasted records, and rules and engine for pages without WebAssembly.

Nothing here is stored and no visitor needs to be known, so the commands need no token against forged requests.
"""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated, Any

import msgspec
from litestar import MediaType, Response, Router, get, post
from litestar.params import JSONBody
from litestar.response import Redirect
from markupsafe import Markup

from korgool.accounts import Action
from korgool.app.server.analysis.messages import (
    ExactMessage,
    ReadRecord,
    ReadVariation,
    SearchMessage,
    Snapshot,
    exact_moves,
    report,
    snapshot,
)
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.engines.perfect_play import check_level, perfect_games
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search
from korgool.app.server.http.dependencies import TheCaller, TheVisitor, check_body
from korgool.app.server.http.openapi import BYTES, operation, refusals
from korgool.app.server.http.release import release
from korgool.app.server.http.responses import AnyRequest, language_of, page, templates
from korgool.app.server.http.template_texts import safe_json, words
from korgool.app.server.limits import Caller
from korgool.app.server.play.api import GameId
from korgool.app.server.play.board_picture import BoardPicture
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_events import one_of
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.link_pictures import animation, drawn
from korgool.engine.levels import NUMBERS, is_rating, rating_ends
from korgool.engine.perfect import PERFECT
from korgool.engine.ratings import LEAST
from korgool.languages import LANGUAGES
from korgool.notation.reading import read_records
from korgool.notation.record import Record, RecordError
from korgool.notation.result_words import LETTERS, WORDS
from korgool.notation.svg import svg_board
from korgool.notation.tags import DERIVED_TAGS, KNOWN_TAGS, TGK_TAGS
from korgool.notation.terminations import VARIANT_NAMES
from korgool.notation.variation import Variation
from korgool.notation.writing import TAG_ORDER
from korgool.rules import GAMES, Position, PositionError, Rules, Side, Sowing

MOST_PLIES = 1000
"""The most plies of a line that the server replays; the longest games of people have a third as many."""
MOST_NODES = 400_000
"""The most nodes that one search of the server visits: half a second on a slow core."""
MOST_LINES = 5
PICTURE_FORMS = {"png": "image/png", "svg": "image/svg+xml", "gif": "image/gif"}
"""Media types of the pictures that the server draws, by the names of their forms."""
_PLIES = 250
"""Plies that cost as much as a request without any."""
_BUSY_SECONDS = 3.0
_POSITION = re.compile(r"[0-9A-Za-z,]+/[0-9A-Za-z,]*(\s|$)")


class LineCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line of plies: hole numbers from a position text, or from the start of the game."""

    game: Annotated[str, one_of(*GAMES)]
    moves: list[int] = []
    position: str | None = None


class SearchCommand(LineCommand, frozen=True, forbid_unknown_fields=True):
    """Search the end of a line: how many first moves to report, and how many nodes to visit."""

    lines: int = 1
    nodes: int = 100_000


class LevelCommand(LineCommand, frozen=True, forbid_unknown_fields=True):
    """Let a level of the engine, a rating, or perfect play in mangala (level 9), choose a move at the end of a line."""

    level: int = 1


class TextCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A pasted text; `game` applies if the text does not name its own."""

    text: str
    game: Annotated[str, one_of(*GAMES)] = "toguz"


class PictureCommand(LineCommand, frozen=True, forbid_unknown_fields=True):
    """Draw the end of a line as PNG or SVG, or the whole line as an animated GIF, with the row of a side below."""

    form: Annotated[str, one_of(*PICTURE_FORMS)] = "png"
    below: Annotated[str, one_of("white", "black")] = "white"


class ChosenMove(msgspec.Struct, frozen=True):
    """The hole that a level or a rating sows."""

    move: int


_REFUSALS = refusals({422: "no such game, position or record, or a ply that cannot be played"}, command=True)


@get("/analysis", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def analysis_page(request: AnyRequest) -> Response[str]:
    """The page of the board; the fragment of its address says what it shows."""
    facts = await asyncio.to_thread(page_facts)
    board = drawn_boards(language_of(request))[0]
    return page(request, "analysis.html", analysis_json=safe_json(facts), board=board)


@get("/analysis/boards", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False, opt={"counts": False})
async def boards_page(request: AnyRequest) -> Response[str]:
    """The boards of all games, for a page that opens another game than the one it came with."""
    return page(request, "analysis_boards.html", boards=drawn_boards(language_of(request)))


@get("/games/{game_id:str}/review", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def review_page(
    request: AnyRequest, game_id: GameId, game_registry: TheGameRegistry, visitor: TheVisitor, caller: TheCaller
) -> Response[Any]:
    """The board with a finished game that is reviewed at once; while the game goes on, back to its page.

    Spectators of a delayed game review it when they may know of its end. Games by other rules than the usual ones have
    no review: the engine of the page does not know them.
    """
    running = await game_registry.met(game_id)
    running.attend(caller)
    state = running.broadcast.state(visitor)
    if state.outcome is None or not state.moves or state.rules:
        return Redirect(f"/games/{game_id}", status_code=303)
    facts = await asyncio.to_thread(page_facts) | {"reviewed": state}
    board = next(one for one in drawn_boards(language_of(request)) if one.game == state.game)
    return page(request, "analysis.html", analysis_json=safe_json(facts), board=board, reviewed=game_id)


@dataclass(frozen=True, slots=True)
class DrawnBoard:
    """The start of a game as the page shows it; `ends` says whether the stores lie at the ends of the board."""

    game: str
    ends: bool
    drawn: Markup


@lru_cache(maxsize=len(LANGUAGES))
def drawn_boards(language: str) -> list[DrawnBoard]:
    """The boards of all games, drawn once a language: most of the page, and the same for everybody."""
    macros: Any = templates().get_template("board.html").make_module(words(language))
    boards = [BoardPicture.start(game) for game in GAMES]
    return [DrawnBoard(board.game, board.ends, Markup(macros.pictures(board))) for board in boards]


def page_facts() -> dict[str, Any]:
    """The data that the page cannot get in any other way.

    These are the games, the levels and ratings, what records are read and written by, and the opening books.
    """
    now = release()
    books = {game: f"openings/{game}.json" for game in GAMES}
    return {
        "games": {name: rules.holes for name, rules in GAMES.items()},
        "levels": list(NUMBERS),
        "ratings": rating_ends(),
        "least": LEAST,
        "perfect": {"level": PERFECT, "games": perfect_games()},
        "records": record_facts(),
        "books": {game: now.root + name for game, name in books.items() if name in now.files and now.files[name].sound},
    }


def record_facts() -> dict[str, Any]:
    """Data from the library for the page's reader and writer of records: names of games and tags, and words."""
    return {
        "titles": {name: rules.title for name, rules in GAMES.items()},
        "variants": VARIANT_NAMES,
        "tags": {"names": KNOWN_TAGS, "derived": DERIVED_TAGS, "tgk": TGK_TAGS, "order": TAG_ORDER},
        "results": {"letters": LETTERS, "words": WORDS},
    }


@post("/line", action=Action.WATCH, status_code=200, open=True, responses=_REFUSALS, summary="Replay a line")
async def read_line(data: JSONBody[LineCommand], game_registry: TheGameRegistry, caller: TheCaller) -> list[Snapshot]:
    """The position at its start and after each of its plies."""
    count_boards(game_registry, caller, len(data.moves))

    def work() -> list[Snapshot]:
        start, sowings = walk(data)
        return [snapshot(start, None), *(snapshot(sowing.after, sowing) for sowing in sowings)]

    return await game_registry.reading.run(caller, work)


@post(
    "/record",
    action=Action.WATCH,
    status_code=200,
    open=True,
    responses=_REFUSALS,
    summary="Read a record or a position",
)
async def read_text(data: JSONBody[TextCommand], game_registry: TheGameRegistry, caller: TheCaller) -> ReadRecord:
    """A record of any dialect, or a position text. 422 names line, ply and reason."""
    count_boards(game_registry, caller, len(data.text) // 4)
    return await game_registry.reading.run(caller, read_pasted, data.text, rules_of(data.game))


@post("/search", action=Action.WATCH, status_code=200, open=True, responses=_REFUSALS, summary="Search a position")
async def search(data: JSONBody[SearchCommand], game_registry: TheGameRegistry, caller: TheCaller) -> SearchMessage:
    """The best first moves at the end of a line."""
    count_boards(game_registry, caller, len(data.moves))
    _within("lines", data.lines, MOST_LINES)
    _within("nodes", data.nodes, MOST_NODES)
    positions = await game_registry.reading.run(caller, unfinished, data)
    try:
        analysis = await game_registry.room.analyse(positions, data.lines, data.nodes, caller)
    except (BusyError, CancelledSearchError) as error:
        raise RateLimitError(errors.BUSY, _BUSY_SECONDS) from error
    return await game_registry.reading.run(caller, report, positions[-1], analysis)


@post("/move", action=Action.WATCH, status_code=200, open=True, responses=_REFUSALS, summary="A move of a level")
async def choose_move(data: JSONBody[LevelCommand], game_registry: TheGameRegistry, caller: TheCaller) -> ChosenMove:
    """What a level of the engine, or a rating, plays at the end of a line."""
    count_boards(game_registry, caller, len(data.moves))
    if not is_rating(data.level):
        _within("level", data.level, PERFECT)
    positions = await game_registry.reading.run(caller, unfinished, data)
    check_level(data.game, data.level)
    try:
        return ChosenMove(await game_registry.room.choose(positions, data.level, Search(), caller))
    except (BusyError, CancelledSearchError) as error:
        raise RateLimitError(errors.BUSY, _BUSY_SECONDS) from error


@post("/values", action=Action.WATCH, status_code=200, open=True, responses=_REFUSALS, summary="Exact values of moves")
async def exact_values(data: JSONBody[LineCommand], game_registry: TheGameRegistry, caller: TheCaller) -> ExactMessage:
    """What tables and the solver know about the moves at the end of a line, within three seconds."""
    count_boards(game_registry, caller, len(data.moves))
    positions = await game_registry.reading.run(caller, unfinished, data)
    try:
        found = await game_registry.room.values(positions[-1], caller)
    except (BusyError, CancelledSearchError) as error:
        raise RateLimitError(errors.BUSY, _BUSY_SECONDS) from error
    return exact_moves(positions[-1], found)


@post(
    "/picture",
    action=Action.WATCH,
    status_code=200,
    open=True,
    responses=_REFUSALS,
    operation_class=operation(gives=dict.fromkeys(PICTURE_FORMS.values(), BYTES)),
    summary="A picture of a position, or an animated one of a line",
)
async def draw_picture(
    data: JSONBody[PictureCommand], game_registry: TheGameRegistry, caller: TheCaller
) -> Response[bytes]:
    """PNG or SVG of the last position, or GIF of all."""
    among("form", data.form, PICTURE_FORMS)
    among("below", data.below, ("white", "black"))
    below = Side.BLACK if data.below == "black" else Side.WHITE
    if data.form == "gif":  # it counts by itself
        content = await animation(game_registry, caller, tuple(data.moves), below, lambda: walk(data)[0])
        return Response(content, media_type=PICTURE_FORMS["gif"])
    count_boards(game_registry, caller, len(data.moves))
    start, sowings = await game_registry.reading.run(caller, walk, data)
    position, trace = (sowings[-1].after, sowings[-1]) if sowings else (start, None)
    if data.form == "svg":
        text = await game_registry.reading.run(caller, partial(svg_board, position, trace=trace, below=below))
        return Response(text.encode(), media_type=PICTURE_FORMS["svg"])
    return Response(
        await game_registry.reading.run(caller, drawn, position, below, trace), media_type=PICTURE_FORMS["png"]
    )


def count_boards(game_registry: GameRegistry, caller: Caller, plies: int) -> None:
    """Count a request of a board by its cost.

    Raises:
        RateLimitError: this session or address has asked for too much.
    """
    wait = game_registry.rate_limiter.spend_both(("session_boards", "address_boards"), caller, 1 + plies / _PLIES)
    if wait:
        raise RateLimitError(errors.TOO_MANY_BOARDS, wait)


def rules_of(game: str) -> Rules:
    """The rules of a game's name.

    Raises:
        ApiError: there is no such game.
    """
    if game not in GAMES:
        raise ApiError(422, errors.BAD_FIELD, field="game", value=repr(game[:40]), choices=", ".join(GAMES))
    return GAMES[game]


def walk(line: LineCommand) -> tuple[Position, list[Sowing]]:
    """The start of a line and its plies.

    Raises:
        ApiError: there is no such game, the position is not valid, or a ply is illegal.
    """
    rules = rules_of(line.game)
    if len(line.moves) > MOST_PLIES:
        raise ApiError(422, errors.LONG_LINE, most=MOST_PLIES)
    try:
        start = rules.start() if line.position is None else Position.parse(line.position, rules)
    except PositionError as error:
        raise ApiError(422, errors.BAD_POSITION, reason=error) from None
    position, sowings = start, []
    for hole in line.moves:
        try:
            sowing = position.sow(hole)
        except ValueError as error:
            place = errors.BAD_MOVE[position.to_move]
            raise ApiError(422, place, number=position.fullmove, reason=error) from None
        sowings.append(sowing)
        position = sowing.after
    return start, sowings


def unfinished(line: LineCommand) -> Sequence[Position]:
    """The positions of a line that does not end the game; raises as `walk` does, or if the game is over at its end."""
    start, sowings = walk(line)
    positions = [start, *(sowing.after for sowing in sowings)]
    if positions[-1].outcome() is not None:
        raise ApiError(422, errors.OVER)
    return positions


def read_pasted(text: str, rules: Rules) -> ReadRecord:
    """A pasted position text or record; of several games the first.

    Args:
        text: the pasted text.
        rules: the game, if the text does not name its own.

    Raises:
        ApiError: it is neither, with line, ply and reason.
    """
    stripped = text.strip().removeprefix("\ufeff")
    if not stripped:
        raise ApiError(422, errors.NOTHING_PASTED)
    if _POSITION.match(stripped):
        return _pasted_position(stripped, rules)
    # Leading blank lines count in the line numbers of errors, because the visitor sees them.
    records = read_records(io.StringIO(text, newline=""), rules)
    record = next(records, None)
    if record is None:
        raise ApiError(422, errors.NOTHING_PASTED)
    if record.error is not None:
        raise _refused_record(record, record.error)
    own = record.start.rules
    if own != GAMES.get(own.name):
        raise ApiError(422, errors.OTHER_RULES, game=own.title)
    if max(len(record.moves), _last_ply(record.variations)) > MOST_PLIES:
        raise ApiError(422, errors.LONG_LINE, most=MOST_PLIES)
    start = None if record.start == own.start() and record.start.fullmove == 1 else str(record.start)
    players = record.tags.get("White"), record.tags.get("Black")
    more = next(records, None) is not None
    return ReadRecord(
        own.name,
        start,
        tuple(record.moves),
        record.result,
        players,
        more,
        record.dialect,
        dict(record.tags),
        record.comments,
        record.glyphs,
        record.offers,
        tuple(map(ReadVariation.of, record.variations)),
    )


def _last_ply(variations: tuple[Variation, ...]) -> int:
    """The highest number of a ply in variations and those within them, 0 without any."""
    return max((max(one.ply + len(one.moves) - 1, _last_ply(one.variations)) for one in variations), default=0)


def _refused_record(record: Record, error: RecordError) -> ApiError:
    """The refusal of a record that cannot be read, which names line, move and side."""
    position = record.position
    number, reason = position.fullmove, error.reason
    return ApiError(422, errors.BAD_RECORD[position.to_move], line=error.line, number=number, reason=reason)


def _pasted_position(text: str, rules: Rules) -> ReadRecord:
    """The position in the given game if it fits, otherwise in the game that its number of holes identifies."""
    try:
        position = Position.parse(text, rules)
    except PositionError as error:
        try:
            position = Position.parse(text)
        except PositionError as second:
            # The error in the game identified by the number of holes says more.
            raise ApiError(422, errors.BAD_POSITION, reason=second if "holes" in str(error) else error) from None
    return ReadRecord(position.rules.name, str(position), (), "*", (None, None), more=False)


def among(field: str, value: str, choices: Collection[str]) -> None:
    """Check a word of a command.

    Raises:
        ApiError: 422, it is none of the choices.
    """
    if value not in choices:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(value[:40]), choices=", ".join(choices))


def _within(field: str, value: int, most: int) -> None:
    if not 1 <= value <= most:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=value, choices=f"1 – {most:,}")


router = Router(
    "/api/analysis",
    before_request=check_body,
    route_handlers=[read_line, read_text, search, choose_move, exact_values, draw_picture],
    tags=["analysis"],
)
