"""Challenges for programs: making, looking at, taking, declining and withdrawing them, and the lobby."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from litestar import Router, delete, get, post
from litestar.di import NamedDependency
from litestar.params import Body, JSONBody, PathParameter, QueryParameter

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.departures import departure
from korgool.app.server.http.dependencies import Nothing, TheCaller, TheVisitor, check_body
from korgool.app.server.http.openapi import GUEST, refusals
from korgool.app.server.http.responses import AnyRequest, english_names, names_for, origin_of, people_lookup_of
from korgool.app.server.play.challenges.request import AskedTerms, read_request
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.live import Challenge, ChallengeState, DeclineReason, Way
from korgool.live.challenges import ENGINE
from korgool.rules import Side

TheChallengeService = NamedDependency[ChallengeService]
ChallengeId = Annotated[
    str,
    PathParameter(
        description="address of the challenge, 12 letters and digits",
        max_length=40,
        schema_extra={"pattern": "^[A-Za-z0-9]{12}$"},
    ),
]
LONGEST_WAIT = 20
"""Seconds."""
_NAMES: dict[Side, Literal["white", "black"]] = {Side.WHITE: "white", Side.BLACK: "black"}


class Made(msgspec.Struct, frozen=True):
    """A challenge that was made.

    Attributes:
        id: its address.
        url: the page that invites to it, or that of the game where it began at once.
        expires: until when it is open, in milliseconds since 1970.
        game: the address of the game where it began at once.
    """

    id: str
    url: str
    expires: int
    game: str | msgspec.UnsetType = msgspec.UNSET


class LotDrawn(msgspec.Struct, frozen=True):
    """The lot for the sides: White is the first name where the first byte of the SHA-256 of the seed is even."""

    seed: str
    white: str
    black: str


class ChallengeMessage(msgspec.Struct, frozen=True):
    """A challenge as it stands.

    Attributes:
        id: its address.
        url: the page that invites to it.
        state: what became of it.
        game: the address of the game that came of it, or None.
        to: how it reaches somebody; `none` where the game began at once.
        name: what its maker is called.
        own: whether the caller has made it.
        expires: until when it is open, in milliseconds since 1970.
        reason: why it was declined, if it was and a reason was given.
        lot: the lot for the sides, once it was drawn.
        terms: what is played, in the fields with which one asks for it; `side` is that of the maker.
    """

    id: str
    url: str
    state: ChallengeState
    game: str | None
    to: Way
    name: str
    own: bool
    expires: int
    reason: DeclineReason | None
    lot: LotDrawn | None
    terms: AskedTerms


class Listed(msgspec.Struct, frozen=True):
    """An open challenge of the lobby, its terms in the fields with which one asks for them; `side` is its maker's."""

    id: str
    url: str
    name: str
    own: bool
    expires: int
    game: str
    clock: str
    side: str
    rated: bool
    conduct: str
    position: str | None
    rules: dict[str, str | int | bool]
    delay: int


class Accepted(msgspec.Struct, frozen=True):
    """The game that came of a challenge, and the side of who has accepted it."""

    game: str
    side: Literal["white", "black"] | None


class Declined(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a challenge is declined; one of the set reasons, or none."""

    reason: DeclineReason | None = None


_NOT_STORED = "it could not be put on disk and did not happen"
_SETTLING = refusals(
    {
        403: "made to somebody else, or by somebody else, another site's page, or no token of the visitor",
        404: "no such challenge",
        409: "open no more: taken by another, withdrawn, declined or too old",
        422: "the caller's own challenge",
        503: _NOT_STORED,
    },
    command=True,
)


def somebody(visitor: str | None) -> str:
    """The identity of who acts.

    Raises:
        ApiError: 403, nobody does.
    """
    if visitor is None:
        raise ApiError(403, errors.NOBODY)
    return visitor


async def drawn(request: AnyRequest, challenge: Challenge) -> LotDrawn | None:
    """The lot of an accepted challenge: with names, and with no identity."""
    lot = challenge.lot
    if lot is None:
        return None
    await people_lookup_of(request).learn(lot.names)
    called = english_names(request)
    first, second = (one if one == ENGINE else called(one) for one in lot.names)
    white, black = (first, second) if lot.white() == lot.names[0] else (second, first)
    return LotDrawn(lot.seed, white, black)


def url_of(request: AnyRequest, challenge: Challenge) -> str:
    """The page of a challenge."""
    return f"{origin_of(request)}/c/{challenge.id}"


async def described(request: AnyRequest, challenge: Challenge, visitor: str | None) -> ChallengeMessage:
    """A challenge for one caller."""
    await people_lookup_of(request).learn((challenge.maker,))
    return ChallengeMessage(
        challenge.id,
        url_of(request, challenge),
        challenge.at(now_ms()),
        challenge.game or None,
        challenge.way,
        name_of(request, challenge),
        challenge.maker == visitor,
        challenge.expires,
        challenge.reason,
        await drawn(request, challenge),
        read_request(challenge),
    )


def name_of(request: AnyRequest, challenge: Challenge) -> str:
    """Return the name of the maker, in the language of the request."""
    return names_for(request)(challenge.maker)


@post(
    "/challenges",
    action=Action.CHALLENGE,
    responses=refusals(
        {
            403: "rated for a guest, another site's page, or no token of the visitor",
            404: "no player of that name",
            422: "terms that are not possible",
            503: _NOT_STORED,
        },
        command=True,
    ),
    security=GUEST,
    summary="Make a challenge",
)
async def make(
    request: AnyRequest,
    data: JSONBody[AskedTerms],
    challenge_service: TheChallengeService,
    visitor: TheVisitor,
    caller: TheCaller,
) -> Annotated[Made, Body(schema_component_key="challenges_Made")]:  # the name that the description had first
    """Invite to a game by link, in the lobby or by name; against the engine or at one device it begins at once."""
    challenge = await challenge_service.make(data, somebody(visitor), caller)
    url = url_of(request, challenge)
    if challenge.game:
        return Made(challenge.id, f"{origin_of(request)}/games/{challenge.game}", challenge.expires, challenge.game)
    return Made(challenge.id, url, challenge.expires)


@get(
    "/challenges/{challenge_id:str}",
    action=Action.WATCH,
    responses=refusals({404: "no such challenge"}),
    summary="A challenge",
)
async def look(
    request: AnyRequest,
    challenge_id: ChallengeId,
    challenge_service: TheChallengeService,
    visitor: TheVisitor,
    caller: TheCaller,
    wait: Annotated[int, QueryParameter(ge=0, le=LONGEST_WAIT, description="seconds to wait while it is open")] = 0,
) -> ChallengeMessage:
    """What has become of a challenge; looking never accepts it. With `wait`, the answer comes when it is settled."""
    found = await challenge_service.look(challenge_id)
    challenge_service.attend(found, visitor, wait)
    if wait:
        async with departure(request) as gone:
            found = await challenge_service.wait(challenge_id, caller, wait, gone, who=visitor)
    return await described(request, found, visitor)


@post(
    "/challenges/{challenge_id:str}/accept",
    action=Action.ANSWER,
    status_code=200,
    responses=_SETTLING,
    security=GUEST,
    summary="Accept",
)
async def accept(
    challenge_id: ChallengeId,
    data: JSONBody[Nothing],
    challenge_service: TheChallengeService,
    visitor: TheVisitor,
    caller: TheCaller,
) -> Accepted:
    """Take the open seat. Whoever has it already gets the same answer; 409: somebody else was quicker."""
    begun = await challenge_service.accept(challenge_id, somebody(visitor), caller)
    return Accepted(begun.game, None if begun.side is None else _NAMES[begun.side])


@post(
    "/challenges/{challenge_id:str}/decline",
    action=Action.ANSWER,
    status_code=200,
    responses=_SETTLING,
    security=GUEST,
    summary="Decline",
)
async def decline(
    request: AnyRequest,
    challenge_id: ChallengeId,
    data: JSONBody[Declined],
    challenge_service: TheChallengeService,
    visitor: TheVisitor,
) -> ChallengeMessage:
    """Decline a challenge that is made to the caller."""
    return await described(
        request, await challenge_service.decline(challenge_id, somebody(visitor), data.reason), visitor
    )


@delete(
    "/challenges/{challenge_id:str}",
    action=Action.WITHDRAW,
    status_code=200,
    responses=_SETTLING,
    security=GUEST,
    summary="Withdraw",
)
async def withdraw(
    request: AnyRequest, challenge_id: ChallengeId, challenge_service: TheChallengeService, visitor: TheVisitor
) -> ChallengeMessage:
    """Take one's own challenge back."""
    return await described(request, await challenge_service.withdraw(challenge_id, somebody(visitor)), visitor)


@get("/lobby", action=Action.WATCH, responses=refusals(), summary="The lobby")
async def lobby(request: AnyRequest, challenge_service: TheChallengeService, visitor: TheVisitor) -> list[Listed]:
    """The open challenges to everybody, for live games and for games of days."""
    return [listed(request, challenge, visitor) for challenge in await challenge_service.lobby(visitor)]


def listed(request: AnyRequest, challenge: Challenge, visitor: str | None) -> Listed:
    """A challenge as the lobby shows it to one caller."""
    terms = read_request(challenge)
    return Listed(
        challenge.id,
        url_of(request, challenge),
        name_of(request, challenge),
        challenge.maker == visitor,
        challenge.expires,
        terms.game,
        terms.clock,
        terms.side,
        terms.rated,
        terms.conduct,
        terms.position,
        dict(terms.rules or {}),
        terms.delay,
    )


router = Router(
    "/api",
    before_request=check_body,
    route_handlers=[make, look, accept, decline, withdraw, lobby],
    tags=["challenges"],
)
