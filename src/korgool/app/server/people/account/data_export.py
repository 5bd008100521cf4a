"""Taking out everything that is stored of who asks."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import MediaType, Response, Router, get

from korgool.accounts import Action
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal
from korgool.app.server.http.openapi import answer, refusals
from korgool.app.server.people.account.api import count_change
from korgool.app.server.people.account.deletion import everything
from korgool.app.server.people.dependencies import TheAuthentication
from korgool.app.server.play.dependencies import TheGameRegistry


class Everything(msgspec.Struct, frozen=True):
    """What is stored of somebody: the rows of each table in which they stand, without secrets.

    Attributes:
        tables: the rows by table; who else stands in them is left out.
    """

    tables: dict[str, list[dict[str, str | float | None]]]


@get(
    "/export",
    action=Action.EXPORT,
    responses={200: answer(Everything, "everything, as a file"), **refusals()},
    summary="Everything that is stored of you",
)
async def export(
    principal: ThePrincipal, authentication: TheAuthentication, caller: TheCaller, game_registry: TheGameRegistry
) -> Response[bytes]:
    """The account, its sessions, games with every event, challenges, ratings, and all else, as one file of JSON."""
    count_change(game_registry.rate_limiter.spend_both(("session_changes", "address_changes"), caller))
    found = await asyncio.to_thread(everything, authentication.ledger, principal.person.id)
    text = await asyncio.to_thread(msgspec.json.encode, {"tables": found})
    headers = {"content-disposition": 'attachment; filename="korgool.json"'}
    return Response(text, media_type=MediaType.JSON, headers=headers)


router = Router("/api/account", route_handlers=[export], tags=["accounts"])
