"""The pages of challenges: the form of the home page, and the invitation. All work without scripts."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from typing import Annotated, Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, QueryParameter
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.headers import LEARNT_COOKIE
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import (
    Form,
    KnownVisitor,
    TheCaller,
    TheVisitor,
)
from korgool.app.server.http.forms import Filled, shown_again
from korgool.app.server.http.responses import AnyRequest, language_of, names_for, page
from korgool.app.server.http.template_texts import qr_svg
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.play.challenges.acquaintances import acquaintances
from korgool.app.server.play.challenges.api import ChallengeId, TheChallengeService, described, drawn, url_of
from korgool.app.server.play.challenges.request import BY_NAME, CLOCKS, read_friend_form, read_request
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.link_pictures import picture_answer
from korgool.app.words.online_games import DECLINE_REASONS, clock_words
from korgool.languages import translations
from korgool.live import Challenge, DeclineReason, Manner, Way, read_clock
from korgool.rules import Position, Side

_DAY = 86_400


@post("/challenges", action=Action.CHALLENGE, include_in_schema=False)
async def make_challenge(
    request: AnyRequest,
    data: Form,
    challenge_service: TheChallengeService,
    game_registry: TheGameRegistry,
    visitor: KnownVisitor,
    caller: TheCaller,
) -> Redirect | Response[str]:
    """Make a challenge and go to its page, or to the game where it begins at once. The form for a challenge by name
    comes again if it is refused."""
    try:
        challenge = await challenge_service.make(read_friend_form(data), visitor, caller)
    except ApiError as problem:
        if data.get("to") != BY_NAME:
            raise
        context = await _form_context(request, game_registry, visitor)
        return shown_again(request, "challenge_player.html", problem, data, "player", **context)
    return _redirect(f"/games/{challenge.game}" if challenge.game else f"/c/{challenge.id}")


@get("/challenge", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def player_form(
    request: AnyRequest,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
    player: Annotated[str, QueryParameter(max_length=40)] = "",
) -> Response[str]:
    """The form for a challenge by name."""
    form = Filled({"player": player, "game": game_registry.settings.game, "clock": "10+5"})
    context = await _form_context(request, game_registry, visitor)
    return page(request, "challenge_player.html", form=form, **context)


async def _form_context(request: AnyRequest, game_registry: GameRegistry, visitor: str | None) -> dict[str, Any]:
    """The choices of the form for a challenge by name."""
    people = [] if visitor is None else await acquaintances(game_registry, visitor)
    return {
        "acquaintances": [person.name for person in people],
        "friend_clocks": friend_clocks(request),
        "may_rate": visitor is not None and await asyncio.to_thread(game_registry.ratings.is_member, visitor),
    }


@get("/c/{challenge_id:str}", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def challenge_page(
    request: AnyRequest,
    challenge_id: ChallengeId,
    challenge_service: TheChallengeService,
    game_registry: TheGameRegistry,
    visitor: TheVisitor,
) -> Response[str]:
    """The invitation for its guest, and for its maker the link with its code. Looking never accepts.

    A guest who is new, with no game and no lesson, may learn the first moves before they accept.
    """
    challenge = await challenge_service.look(challenge_id)
    challenge_service.attend(challenge, visitor)
    url = url_of(request, challenge)
    side = challenge.side_of(visitor or "")
    games = [] if visitor is None else await asyncio.to_thread(game_registry.repository.recent, visitor)
    return page(
        request,
        "challenge.html",
        game=challenge.rules.name,
        challenge=await described(request, challenge, visitor),
        summary=summary(request, challenge, visitor),
        # Whoever plays sees the board from their own side; the guest's is the other one.
        mine=None if side is None else side.name.lower(),
        player=visitor is not None and visitor in (challenge.maker, challenge.by),
        invited=not challenge.to or challenge.to == visitor,
        addressed=bool(challenge.to),
        newcomer=not games and LEARNT_COOKIE not in request.cookies,
        # Others see it only as long as its maker looks at it.
        passing=challenge.way is Way.LOBBY and not challenge.slow,
        qr=qr_svg(url) if challenge.maker == visitor else "",
        reasons_to_decline=DECLINE_REASONS,
        lot=await drawn(request, challenge),
        board=LowBoard.at(*_board(challenge)),
        expires=_day(challenge.expires),
    )


@post(
    "/c/{challenge_id:str}/{command:str}",
    action={"accept": Action.ANSWER, "decline": Action.ANSWER, "withdraw": Action.WITHDRAW},
    include_in_schema=False,
)
async def settle(
    challenge_id: ChallengeId,
    command: FromPath[str],
    data: Form,
    challenge_service: TheChallengeService,
    visitor: KnownVisitor,
    caller: TheCaller,
) -> Redirect:
    """Accept and go to the game, decline, or withdraw. If it is open no more, its page tells what happened."""
    try:
        match command:
            case "accept":
                return _redirect(f"/games/{(await challenge_service.accept(challenge_id, visitor, caller)).game}")
            case "decline":
                await challenge_service.decline(challenge_id, visitor, _reason(data.get("reason", "")))
            case "withdraw":
                await challenge_service.withdraw(challenge_id, visitor)
            case _:
                raise ApiError(404, errors.NO_PAGE)
    except ApiError as problem:
        if problem.status not in (409, 422):
            raise
    return _redirect(f"/c/{challenge_id}")


@get("/c/{challenge_id:str}/picture.png", action=Action.WATCH, include_in_schema=False)
async def challenge_picture(challenge_id: ChallengeId, challenge_service: TheChallengeService) -> Response[bytes]:
    """The position to begin with, from the side of whoever is invited."""
    return await picture_answer(*_board(await challenge_service.look(challenge_id)), _DAY)


def _board(challenge: Challenge) -> tuple[Position, Side]:
    """The position to begin with, and the side of whoever is invited."""
    start = challenge.rules.start()
    position = start if challenge.start is None else Position.parse(challenge.start, challenge.rules)
    return position, Side.BLACK if challenge.side == "white" else Side.WHITE


def summary(request: AnyRequest, challenge: Challenge, visitor: str | None) -> dict[str, object]:
    """A challenge in the words of the request's language."""
    catalogue, terms = translations(language_of(request)), read_request(challenge)
    own = challenge.maker == visitor
    guests_side = {"white": "black", "black": "white"}.get(challenge.side, "random")
    return {
        "id": challenge.id,
        "game": terms.game,
        "name": names_for(request)(challenge.maker),
        "own": own,
        "clock": clock_words(challenge.control, catalogue),
        "live": challenge.control is not None and not terms.clock.endswith("d"),
        "side": challenge.side if own else guests_side,
        "competition": challenge.manner is Manner.COMPETITION,
        "rated": challenge.rated,
        "delay": challenge.delay_s,
        "options": [f"{name}={value}" for name, value in (terms.rules or {}).items()],
        "start": challenge.start,
    }


def _day(milliseconds: int) -> str | None:
    """The day of a time as ISO 8601; None where it is less than a day away, because readers have time zones."""
    if milliseconds - now_ms() < 1000 * _DAY:
        return None
    return datetime.fromtimestamp(milliseconds / 1000, UTC).date().isoformat()


def _reason(text: str) -> DeclineReason | None:
    if text and text not in list(DeclineReason):
        choices = ", ".join(DeclineReason)
        raise ApiError(422, errors.BAD_FIELD, field="reason", value=repr(text[:40]), choices=choices)
    return DeclineReason(text) if text else None


def _redirect(path: str) -> Redirect:
    return Redirect(path, status_code=303)


def friend_clocks(request: AnyRequest) -> list[tuple[str, str]]:
    """The clocks of the form for a friend, with their words."""
    catalogue = translations(language_of(request))
    return [(text, clock_words(read_clock(text), catalogue)) for text in CLOCKS]


handlers = [make_challenge, player_form, challenge_page, settle, challenge_picture]
