"""The pages on which an adult opens accounts for children and looks after them."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action, PersonKind, name_key
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.forms import EMPTY, FieldError, see, shown_again
from korgool.app.server.http.responses import AnyRequest, page
from korgool.app.server.http.rights import action_of
from korgool.app.server.people.account.service import AccountService
from korgool.app.server.people.children.repository import ChildAccount
from korgool.app.server.people.children.service import ChildAccountService, ShortNameError
from korgool.app.server.people.page_frame import TheAccount, done_of
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.app.words.people import CONSENT, WORDING
from korgool.languages import N_

TheAccounts = NamedDependency[AccountService]
TheAuthentication = NamedDependency[Authentication]
TheChildren = NamedDependency[ChildAccountService]
TheChild = NamedDependency[ChildAccount]
"""The child in the address, with whom the action of the page is allowed."""
_OTHER_CHILD = N_("This is not the name of this account.")


async def child_in_address(
    request: AnyRequest, key_id: FromPath[str], principal: ThePrincipal, children: TheChildren
) -> ChildAccount:
    """Give a handler the child in its address.

    Raises:
        ApiError: the principal has no such child, or may not do this.
    """
    action = action_of(request.route_handler, request.path_params)
    assert action is not None, "every page of a child names its action"
    return await children.find(principal.actor, key_id, action)


@get("/children", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def children_page(request: AnyRequest, principal: ThePrincipal, children: TheChildren) -> Response[str]:
    """The children's accounts, and the form for another."""
    return page(request, "children.html", form=EMPTY, done=done_of(request), **await _children(principal, children))


@post("/children", action=Action.OPEN_CHILD)
async def make_child(
    request: AnyRequest,
    data: Form,
    principal: ThePrincipal,
    account: TheAccount,
    caller: TheCaller,
    children: TheChildren,
) -> Response[str] | Redirect:
    """Open an account for a child; its page tells that it can sign in."""
    try:
        child = await children.open(
            account.id,
            caller,
            name=data.get("name", ""),
            password=data.get("password", ""),
            short=data.get("short", ""),
            wording=data.get("wording", ""),
        )
    except ApiError as problem:
        field = "wording" if problem.message == errors.NOT_AGREED else ""
        about = "short" if isinstance(problem, ShortNameError) else field
        return shown_again(request, "children.html", problem, data, about, **await _children(principal, children))
    return see(f"{_path(child)}?done=child")


@get("/children/{key_id:str}", action=Action.SEE_OWN, media_type=MediaType.HTML)
async def child_page(
    request: AnyRequest,
    child: TheChild,
    principal: ThePrincipal,
    children: TheChildren,
) -> Response[str]:
    """A child's account: what others see of it, whom it may know, what protects it, and the end of it."""
    return page(request, "child.html", form=EMPTY, done=done_of(request), **await _child(child, principal, children))


@post("/children/{key_id:str}/short", action=Action.EDIT)
async def change_short(
    request: AnyRequest,
    child: TheChild,
    data: Form,
    principal: ThePrincipal,
    caller: TheCaller,
    children: TheChildren,
) -> Response[str] | Redirect:
    """Another short name."""
    try:
        await children.rename(child, data.get("short", ""), caller)
    except ApiError as problem:
        return shown_again(request, "child.html", problem, data, "short", **await _child(child, principal, children))
    return see(f"{_path(child)}?done=changed")


@post("/children/{key_id:str}/password", action=Action.PROTECT)
async def change_password(
    request: AnyRequest,
    child: TheChild,
    data: Form,
    principal: ThePrincipal,
    caller: TheCaller,
    children: TheChildren,
) -> Response[str] | Redirect:
    """Another password; the child is signed out everywhere."""
    try:
        await children.set_password(child, data.get("password", ""), caller)
    except ApiError as problem:
        return shown_again(request, "child.html", problem, data, **await _child(child, principal, children))
    return see(f"{_path(child)}?done=changed")


@post("/children/{key_id:str}/codes", action=Action.PROTECT, status_code=200)
async def new_codes(
    request: AnyRequest,
    child: TheChild,
    accounts: TheAccounts,
    caller: TheCaller,
) -> Response[str]:
    """New recovery codes. They are in this answer and nowhere else, so it leads to no other page."""
    codes = await accounts.new_codes(child.id, caller)
    return page(request, "codes.html", account=child.account, codes=codes, back=_path(child))


@post("/children/{key_id:str}/out", action=Action.END_SESSION)
async def end_sessions(
    request: AnyRequest,
    child: TheChild,
    children: TheChildren,
) -> Redirect:
    """Sign the child out everywhere."""
    await children.sign_out(child)
    return see(f"{_path(child)}?done=ended")


@post("/children/{key_id:str}/know", action=Action.PROTECT)
async def know(
    request: AnyRequest,
    child: TheChild,
    data: Form,
    principal: ThePrincipal,
    caller: TheCaller,
    children: TheChildren,
) -> Response[str] | Redirect:
    """Let the child and somebody else know each other's names."""
    try:
        await children.trust(child, data.get("who", "").strip(), caller)
    except ApiError as problem:
        return shown_again(request, "child.html", problem, data, "who", **await _child(child, principal, children))
    return see(f"{_path(child)}?done=changed")


@post("/children/{key_id:str}/forget", action=Action.EDIT)
async def know_no_longer(
    request: AnyRequest,
    child: TheChild,
    data: Form,
    children: TheChildren,
) -> Redirect:
    """Let them be strangers to each other again."""
    await children.distrust(child, data.get("who", ""))
    return see(f"{_path(child)}?done=changed")


@post("/children/{key_id:str}/delete", action=Action.DELETE)
async def withdraw(
    request: AnyRequest,
    child: TheChild,
    data: Form,
    principal: ThePrincipal,
    accounts: TheAccounts,
    children: TheChildren,
) -> Response[str] | Redirect:
    """Withdraw the consent: the child's account, whose name was typed once more, is deleted."""
    if name_key(data.get("name", "").strip()) != name_key(child.person.name):
        problem = FieldError(_OTHER_CHILD, "name")
        return shown_again(request, "child.html", problem, data, **await _child(child, principal, children))
    await accounts.delete(child.id)
    return see("/account/children?done=deleted")


def _path(child: ChildAccount) -> str:
    return f"/account/children/{child.handle}"


async def _children(guardian: Principal, children: ChildAccountService) -> dict[str, Any]:
    adult = guardian.person.kind in (PersonKind.ACCOUNT, PersonKind.OPERATOR)
    own = await children.of(guardian.person.id)
    return _shared(guardian) | {"found": own, "adult": adult, "consent": CONSENT, "wording": WORDING}


async def _child(child: ChildAccount, guardian: Principal, children: ChildAccountService) -> dict[str, Any]:
    sessions, codes = await children.protection(child)
    return _shared(guardian) | {"ward": child, "path": _path(child), "count": sessions, "left": codes}


def _shared(guardian: Principal) -> dict[str, Any]:
    return {"fresh": guardian.actor.fresh, "name": guardian.person.name}


handlers = [
    *(children_page, make_child, child_page, change_short, change_password, new_codes),
    *(end_sessions, know, know_no_longer, withdraw),
]
