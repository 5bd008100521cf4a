"""The pages on which an adult opens accounts for children and looks after them."""

from __future__ import annotations

import asyncio
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, PersonKind, name_key
from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.now import now_ms
from korgool.app.server.people.doorkeeper import Doorkeeper
from korgool.app.server.people.wards import Ward
from korgool.app.server.web.accounts import count_change
from korgool.app.server.web.answers import AnyRequest, page
from korgool.app.server.web.forms import EMPTY, FieldError, see, shown_again
from korgool.app.server.web.given import Form, TheCaller, TheDesk, TheHall, TheKeeper, TheWho
from korgool.app.server.web.own_pages import done_of, signed
from korgool.app.server.web.wards import (
    ShortNameError,
    distrust,
    open_child,
    rename,
    set_password,
    sign_out,
    trust,
    ward_of,
)
from korgool.app.server.web.who import Who
from korgool.app.words.people import CONSENT, WORDING
from korgool.languages import N_

_OTHER_CHILD = N_("This is not the name of this account.")


@get("/children", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def children_page(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> Response[str]:
    """The children's accounts, and the form for another."""
    await signed(who, keeper)
    return page(request, "children.html", form=EMPTY, done=done_of(request), **await _children(who, keeper))


@post("/children", action=Action.OPEN_CHILD)
async def make_child(
    request: AnyRequest, data: Form, who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str] | Redirect:
    """Open an account for a child; its page tells that it can sign in."""
    account, _ = await signed(who, keeper)
    try:
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        ward = await open_child(
            keeper,
            account.id,
            name=data.get("name", ""),
            password=data.get("password", ""),
            short=data.get("short", ""),
            wording=data.get("wording", ""),
        )
    except RefusedError as problem:
        field = "wording" if problem.message == messages.NOT_AGREED else ""
        about = "short" if isinstance(problem, ShortNameError) else field
        return shown_again(request, "children.html", problem, data, about, **await _children(who, keeper))
    return see(f"{_path(ward)}?done=child")


@get("/children/{key_id:str}", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def child_page(request: AnyRequest, key_id: FromPath[str], who: TheWho, keeper: TheKeeper) -> Response[str]:
    """A child's account: what others see of it, whom it may know, what protects it, and the end of it."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.SEE_OWN)
    return page(request, "child.html", form=EMPTY, done=done_of(request), **await _child(ward, who, keeper))


@post("/children/{key_id:str}/short", action=Action.EDIT)
async def change_short(
    request: AnyRequest, key_id: FromPath[str], data: Form, who: TheWho, keeper: TheKeeper
) -> Response[str] | Redirect:
    """Another short name."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.EDIT)
    try:
        await rename(keeper, ward, data.get("short", ""))
    except RefusedError as problem:
        return shown_again(request, "child.html", problem, data, "short", **await _child(ward, who, keeper))
    return see(f"{_path(ward)}?done=changed")


@post("/children/{key_id:str}/password", action=Action.PROTECT)
async def change_password(
    request: AnyRequest,
    key_id: FromPath[str],
    data: Form,
    who: TheWho,
    keeper: TheKeeper,
    caller: TheCaller,
    hall: TheHall,
) -> Response[str] | Redirect:
    """Another password; the child is signed out everywhere."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.PROTECT)
    try:
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        await set_password(keeper, ward, data.get("password", ""))
    except RefusedError as problem:
        return shown_again(request, "child.html", problem, data, **await _child(ward, who, keeper))
    return see(f"{_path(ward)}?done=changed")


@post("/children/{key_id:str}/codes", action=Action.PROTECT, status_code=200)
async def new_codes(
    request: AnyRequest, key_id: FromPath[str], who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[str]:
    """New recovery codes. They are in this answer and nowhere else, so it leads to no other page."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.PROTECT)
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    codes = await asyncio.to_thread(keeper.keys.new_codes, ward.id, now_ms())
    return page(request, "codes.html", account=ward.account, codes=codes, back=_path(ward))


@post("/children/{key_id:str}/out", action=Action.END_SESSION)
async def end_sessions(request: AnyRequest, key_id: FromPath[str], who: TheWho, keeper: TheKeeper) -> Redirect:
    """Sign the child out everywhere."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.END_SESSION)
    await sign_out(keeper, ward)
    return see(f"{_path(ward)}?done=ended")


@post("/children/{key_id:str}/know", action=Action.PROTECT)
async def know(
    request: AnyRequest,
    key_id: FromPath[str],
    data: Form,
    who: TheWho,
    keeper: TheKeeper,
    caller: TheCaller,
    hall: TheHall,
) -> Response[str] | Redirect:
    """Let the child and somebody else know each other's names."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.PROTECT)
    try:
        count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
        await trust(keeper, ward, data.get("who", "").strip())
    except RefusedError as problem:
        return shown_again(request, "child.html", problem, data, "who", **await _child(ward, who, keeper))
    return see(f"{_path(ward)}?done=changed")


@post("/children/{key_id:str}/forget", action=Action.EDIT)
async def know_no_longer(
    request: AnyRequest, key_id: FromPath[str], data: Form, who: TheWho, keeper: TheKeeper
) -> Redirect:
    """Let them be strangers to each other again."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.EDIT)
    await distrust(keeper, ward, data.get("who", ""))
    return see(f"{_path(ward)}?done=changed")


@post("/children/{key_id:str}/delete", action=Action.DELETE)
async def withdraw(
    request: AnyRequest, key_id: FromPath[str], data: Form, who: TheWho, keeper: TheKeeper, desk: TheDesk
) -> Response[str] | Redirect:
    """Withdraw the consent: the child's account, whose name was typed once more, is deleted."""
    await signed(who, keeper)
    ward = await ward_of(request, key_id, Action.DELETE)
    if name_key(data.get("name", "").strip()) != name_key(ward.person.name):
        problem = FieldError(_OTHER_CHILD, "name")
        return shown_again(request, "child.html", problem, data, **await _child(ward, who, keeper))
    await keeper.delete(ward.id)
    desk.refresh()
    return see("/account/children?done=deleted")


def _path(ward: Ward) -> str:
    return f"/account/children/{ward.handle}"


async def _children(who: Who, keeper: Doorkeeper) -> dict[str, Any]:
    found = await asyncio.to_thread(keeper.wards.of, who.person.id)
    adult = who.person.kind in (PersonKind.ACCOUNT, PersonKind.OPERATOR)
    told = {"found": found, "adult": adult, "consent": CONSENT, "wording": WORDING}
    return told | {"fresh": who.actor.fresh, "name": who.person.name}


async def _child(ward: Ward, who: Who, keeper: Doorkeeper) -> dict[str, Any]:
    def counted() -> tuple[int, int]:
        return len(keeper.keys.sessions(ward.id, now_ms())), keeper.keys.codes_left(ward.id)

    count, left = await asyncio.to_thread(counted)
    told = {"ward": ward, "path": _path(ward), "count": count, "left": left}
    return told | {"fresh": who.actor.fresh, "name": who.person.name}


handlers = [
    *(children_page, make_child, child_page, change_short, change_password, new_codes),
    *(end_sessions, know, know_no_longer, withdraw),
]
