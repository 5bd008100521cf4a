"""The first page, and the pages of its two forms: a game against the engine, and one with a friend."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Protocol, runtime_checkable

import msgspec
from litestar import MediaType, Response, get
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter

from korgool.accounts import Action
from korgool.app.publishing.page_making import dates
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.headers import GAME_COOKIE, LEARNT_COOKIE
from korgool.app.server.engines.perfect_play import perfect_games
from korgool.app.server.http.dependencies import ThePrincipal, TheVisitor
from korgool.app.server.http.page_variables import variables_of
from korgool.app.server.http.responses import AnyRequest, language_of, names_for, page, visitors_of
from korgool.app.server.play.challenges.api import TheChallengeService
from korgool.app.server.play.challenges.pages import friend_clocks, summary
from korgool.app.server.play.challenges.request import HANDICAPS_BETWEEN
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_repository import GameSummary
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.new_game_form import CLOCKS, HANDICAPS
from korgool.app.server.play.standing_board import picture
from korgool.app.server.play.waiting_repository import WaitingList
from korgool.app.server.school.puzzles.api import ThePuzzles
from korgool.app.server.school.puzzles.day_state import day_state
from korgool.app.server.school.puzzles.tasks import of_the_day, seen_by_solver, today
from korgool.app.server.site.living_board import (
    LivingBoard,
    LivingGame,
    most_watched,
    moves_since,
    played,
    stored_motion,
    stored_start,
)
from korgool.app.server.site.stored_games import STORED_GAMES
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.opponents import opponent_name
from korgool.app.words.puzzles import GOAL_WORDS
from korgool.engine.levels import NUMBERS, is_rating, nearest, rating_ends
from korgool.engine.perfect import PERFECT
from korgool.languages import translations
from korgool.rules import GAMES, Game
from korgool.training.lessons import path_of
from korgool.training.puzzle import Puzzle

_LISTED = 4
"""Lines of a card."""


@runtime_checkable
class CurrentEvents(Protocol):
    """The list of public events, as far as the first page shows it."""

    async def current(self, today: date, most: int) -> Sequence[tuple[str, Any]]:
        """The events that go on, then the next ones: `live` or `next`, and what a card shows of each."""


TheEvents = NamedDependency[CurrentEvents]


@dataclass(frozen=True, slots=True)
class QuickGame:
    """A game that one tap begins: the last one against the engine once more, or a first one.

    Attributes:
        game: its short name.
        side: of the person, `white` or `black`.
        strength: a level, perfect play or a rating.
        clock: as text.
    """

    game: str
    side: str = "white"
    strength: int = NUMBERS[0]
    clock: str = "none"

    @property
    def fields(self) -> dict[str, object]:
        """The fields of the form for a new game."""
        level = {"level": "rating", "rating": self.strength} if is_rating(self.strength) else {"level": self.strength}
        return {"game": self.game, "side": self.side, "clock": self.clock, **level}


def quick_game(games: Sequence[GameSummary], game: str) -> QuickGame:
    """Choose what one tap begins in a game for somebody with these games, newest first."""
    last = next((one for one in games if one.strength), None)
    if last is None:
        return QuickGame(game)
    strength = nearest(last.strength, GAMES[game])
    if strength == PERFECT and game not in perfect_games():
        strength = NUMBERS[-1]
    return QuickGame(game, last.side, strength, last.clock)


@get("/", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def home(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    challenge_service: TheChallengeService,
    event_list: TheEvents,
    visitor: TheVisitor,
    principal: ThePrincipal,
    puzzles: ThePuzzles,
    game: FromQuery[str] = "",
) -> Response[str]:
    """A board that lives, three ways to begin, the visitor's games, and what happens here; `game` is remembered.

    Who is new, with no game and no lesson, finds the lesson first.
    """
    games = [] if visitor is None else await asyncio.to_thread(game_registry.repository.recent, visitor)
    chosen, cookies = _chosen(request, game_registry, game, games)
    invitations = [] if visitor is None else await challenge_service.open_of(visitor)
    running = [one for one in (await game_registry.public_games())[0] if visitor not in (one.white, one.black)]
    day = today()
    puzzle, state = of_the_day(chosen, day), await day_state(request, principal, puzzles, chosen, day)
    if state.answered:
        puzzle = None
    session = None if puzzle is not None else await most_watched(game_registry, chosen, visitor)
    people = {one.opponent for one in games} | {one.maker for one in invitations}
    people |= {who for one in running[:_LISTED] for who in (one.white, one.black)}
    await game_registry.register.learn(people | (set() if session is None else session.players))
    learnt = LEARNT_COOKIE in request.cookies
    waiting = variables_of(request)["waiting"]
    known = {one.id for one in waiting.running} if isinstance(waiting, WaitingList) else set()
    answer = page(
        request,
        "home.html",
        game=chosen,
        quick=quick_game(games, chosen),
        newcomer=not games and not learnt and not invitations,
        learnt=learnt,
        first_stop=path_of(chosen)[0].name,
        living=_living(request, chosen, session) if puzzle is None else _puzzle_board(request, puzzle),
        day_state=state,
        finished=[one for one in games if one.id not in known][: _LISTED - 1],
        running=running[:_LISTED],
        events=await event_list.current(day, _LISTED),
        dates=lambda one: dates(one.begins, one.ends, language_of(request)),
        invitations=[summary(request, one, visitor) for one in invitations],
        **_form_values(chosen),
    )
    answer.cookies.extend(cookies)
    return answer


@get("/play", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def new_game_page(
    request: AnyRequest, game_registry: TheGameRegistry, visitor: TheVisitor, game: FromQuery[str] = ""
) -> Response[str]:
    """The form for a game against the engine, which the first page has as a sheet."""
    games = [] if visitor is None else await asyncio.to_thread(game_registry.repository.recent, visitor)
    chosen, _ = _chosen(request, game_registry, game, games)
    return page(request, "play.html", game=chosen, quick=quick_game(games, chosen), **_form_values(chosen))


@get("/friend", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def friend_page(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    challenge_service: TheChallengeService,
    visitor: TheVisitor,
    game: FromQuery[str] = "",
) -> Response[str]:
    """The form for a game with a friend, and the visitor's open invitations."""
    chosen, _ = _chosen(request, game_registry, game, [])
    invitations = [] if visitor is None else await challenge_service.open_of(visitor)
    await game_registry.register.learn({one.maker for one in invitations})
    return page(
        request,
        "with_friend.html",
        first=chosen,
        invitations=[summary(request, one, visitor) for one in invitations],
        friend_clocks=friend_clocks(request),
        friend_handicaps=HANDICAPS_BETWEEN,
        may_rate=visitor is not None and await asyncio.to_thread(game_registry.ratings.is_member, visitor),
    )


@get("/living-board", action=Action.WATCH, include_in_schema=False, opt={"counts": False})
async def living_board(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    game: FromQuery[str],
    id: Annotated[str, QueryParameter(max_length=40)] = "",
    ply: Annotated[int, QueryParameter(ge=0)] = 0,
) -> LivingGame:
    """The game of the living board: the one with this address as long as it goes on, with its moves since a ply."""
    if game not in GAMES:
        raise ApiError(404, errors.NO_PAGE)
    session = await game_registry.find(id) if id else await most_watched(game_registry, game, visitor)
    if session is None or not session.game.terms.between_people:
        return LivingGame()
    await game_registry.register.learn(session.players)
    now, seen = played(session), session.broadcast.seen(None)
    ended = "" if seen.game.ending is None else str(seen.game.ending.result_text)
    return LivingGame(
        session.address,
        _title(request, session),
        ended or _viewers(request, session),
        seen.over,
        len(now.moves),
        # A board that changes game has no position to go on from.
        msgspec.Raw(moves_since(now, ply if id else len(now.moves))),
    )


@get("/living-board/{game:str}", action=Action.WATCH, include_in_schema=False, opt={"counts": False})
async def stored_game(game: FromPath[str]) -> Response[bytes]:
    """All moves of the stored game that the first page shows."""
    if game not in STORED_GAMES:
        raise ApiError(404, errors.NO_PAGE)
    made = await asyncio.to_thread(stored_motion, game)
    return Response(made, media_type="application/json", headers={"cache-control": "public, max-age=86400"})


def _chosen(
    request: AnyRequest, game_registry: GameRegistry, asked: str, games: Sequence[GameSummary]
) -> tuple[str, list[Cookie]]:
    """The game of a page: the one asked for, which is remembered, else the remembered one, else the one played last."""
    visitors = visitors_of(request)
    if asked in GAMES:
        return asked, [visitors.cookie(request, GAME_COOKIE, asked)]
    kept = visitors.kept(request, GAME_COOKIE)
    if kept in GAMES:
        return kept, []
    return (games[0].game if games else game_registry.settings.game), []


def _form_values(game: str) -> dict[str, Any]:
    """Values of the form for a game against the engine."""
    return {
        "first": game,
        "perfect": PERFECT,
        "perfect_games": perfect_games(),
        "ratings": rating_ends(),
        "clocks": CLOCKS,
        "handicaps": HANDICAPS,
    }


def _living(request: AnyRequest, game: str, session: LiveSession | None) -> LivingBoard:
    """The first picture of the living board."""
    if session is not None:
        now = played(session)
        return LivingBoard(
            session.address, len(now.moves), picture(now), _title(request, session), _viewers(request, session)
        )
    stored, (board, ply) = STORED_GAMES[game], stored_start(game)
    gettext = translations(language_of(request)).gettext
    title = " – ".join(opponent_name(gettext, level) for level in (stored.white, stored.black))
    return LivingBoard("", ply, board, title, gettext("a game from the archive"), ",".join(stored.moves))


def _puzzle_board(request: AnyRequest, puzzle: Puzzle) -> LivingBoard:
    """The puzzle of the day, with its task."""
    gettext = translations(language_of(request), puzzle.game in STONE_GAMES).gettext
    board = picture(Game(seen_by_solver(puzzle).start))
    return LivingBoard("", 0, board, gettext("Puzzle of the day"), gettext(GOAL_WORDS[puzzle.goal]), puzzle=True)


def _title(request: AnyRequest, session: LiveSession) -> str:
    called = names_for(request)
    return " – ".join(called(seat.who) for seat in session.game.terms.seats)


def _viewers(request: AnyRequest, session: LiveSession) -> str:
    """The number of watchers as a sentence, or nothing where nobody watches."""
    viewers = session.broadcast.presence.audience().viewers
    if not viewers:
        return ""
    catalogue = translations(language_of(request))
    text = catalogue.ngettext("%(n)s person is watching", "%(n)s people are watching", viewers)
    return text % {"n": viewers}


handlers = [home, new_game_page, friend_page, living_board, stored_game]
