"""The API of children's accounts: an adult opens them with a consent, and looks after them."""

from __future__ import annotations

import msgspec
from litestar import Response, Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action
from korgool.app.server.http.dependencies import Nothing, TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import answer, refusals
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.people.account.api import Everything, TheAccounts, export_file
from korgool.app.server.people.children.repository import ChildAccount
from korgool.app.server.people.children.service import ChildAccountService
from korgool.app.server.people.messages import Codes, Ended, KeyId, Password, Text
from korgool.app.words.people import CONSENT, WORDING
from korgool.languages import translations

TheChildren = NamedDependency[ChildAccountService]
_NO_CHILD = "you have no such child"


class NewChild(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An account for a child.

    Attributes:
        name: 2 to 20 letters and digits, as for every account; strangers are not told it.
        password: 8 to 256 characters, none of the common ones.
        wording: the text of the consent that you agree to, as the list of children calls it.
        short: what strangers are told instead of the name; empty for its first letters.
    """

    name: Text
    password: Text
    wording: Text
    short: Text = ""


class Short(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A short name, several letters and no digits; empty for the first letters of the name."""

    short: Text


class Acquaintance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of somebody with an account."""

    name: Text


class ChildMessage(msgspec.Struct, frozen=True):
    """A child's account before its guardian.

    Attributes:
        id: what it is called in addresses.
        name: the name with which the child signs in.
        short: what strangers are told instead.
        made: when it was opened, in milliseconds since 1970.
        agreed: when you consented.
        wording: to which text.
        known: the names of those whom the child may know.
        locked: whether the operator has locked the account.
    """

    id: str
    name: str
    short: str
    made: int
    agreed: int
    wording: str
    known: list[str]
    locked: bool


class ChildrenMessage(msgspec.Struct, frozen=True):
    """The children of a guardian, and what an adult agrees to who opens an account for one.

    Attributes:
        wording: what the present text of the consent is called.
        text: the text, in the language of the request.
        children: the accounts by name.
    """

    wording: str
    text: str
    children: list[ChildMessage]


@get("/", action=Action.SEE_OWN, responses=refusals(), summary="Your children")
async def read_children(request: AnyRequest, principal: ThePrincipal, children: TheChildren) -> ChildrenMessage:
    """The children's accounts that you have opened, and the text of the consent."""
    gettext = translations(language_of(request)).gettext
    messages = [_message(child) for child in await children.of(principal.person.id)]
    return ChildrenMessage(WORDING, " ".join(map(gettext, CONSENT)), messages)


@post(
    "/",
    action=Action.OPEN_CHILD,
    responses=refusals(
        {409: "the name is taken", 422: "no such name, short name or password, or no consent to the present text"},
        command=True,
    ),
    summary="Open a child's account",
)
async def make_child(
    data: JSONBody[NewChild], principal: ThePrincipal, caller: TheCaller, children: TheChildren
) -> ChildMessage:
    """An account under which a child plays: strangers are told a short name, and the child no names of strangers."""
    return _message(
        await children.open(
            principal.person.id, caller, name=data.name, password=data.password, short=data.short, wording=data.wording
        )
    )


@put(
    "/{key_id:str}/short",
    action=Action.EDIT,
    responses=refusals({404: _NO_CHILD, 422: "no such short name can be"}, command=True),
    summary="A child's short name",
)
async def change_short(
    principal: ThePrincipal, key_id: KeyId, data: JSONBody[Short], caller: TheCaller, children: TheChildren
) -> ChildMessage:
    """What strangers are told instead of the name."""
    child = await children.find(principal.actor, key_id, Action.EDIT)
    return _message(await children.rename(child, data.short, caller))


@put(
    "/{key_id:str}/password",
    action=Action.PROTECT,
    responses=refusals({404: _NO_CHILD, 422: "no such password can be"}, command=True),
    summary="A child's password",
)
async def change_password(
    principal: ThePrincipal, key_id: KeyId, data: JSONBody[Password], caller: TheCaller, children: TheChildren
) -> Ended:
    """Another password; all sessions of the child end."""
    child = await children.find(principal.actor, key_id, Action.PROTECT)
    return Ended(await children.set_password(child, data.password, caller))


@post(
    "/{key_id:str}/codes",
    action=Action.PROTECT,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Recovery codes for a child",
)
async def new_codes(
    principal: ThePrincipal,
    key_id: KeyId,
    data: JSONBody[Nothing],
    accounts: TheAccounts,
    children: TheChildren,
    caller: TheCaller,
) -> Codes:
    """New recovery codes in the place of all old ones; they are told this once."""
    child = await children.find(principal.actor, key_id, Action.PROTECT)
    return Codes(await accounts.new_codes(child.id, caller))


@delete(
    "/{key_id:str}/sessions",
    action=Action.END_SESSION,
    status_code=200,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Sign a child out",
)
async def end_sessions(principal: ThePrincipal, key_id: KeyId, children: TheChildren) -> Ended:
    """Sign the child out everywhere."""
    child = await children.find(principal.actor, key_id, Action.END_SESSION)
    return Ended(await children.sign_out(child))


@post(
    "/{key_id:str}/known",
    action=Action.PROTECT,
    responses=refusals({404: "you have no such child, or nobody has this name"}, command=True),
    summary="Let a child know somebody",
)
async def know(
    principal: ThePrincipal, key_id: KeyId, data: JSONBody[Acquaintance], caller: TheCaller, children: TheChildren
) -> ChildMessage:
    """The child and this person see each other's names and may invite each other. Where that is a child too, its own
    guardian must allow it as well."""
    child = await children.find(principal.actor, key_id, Action.PROTECT)
    return _message(await children.trust(child, data.name, caller))


@delete(
    "/{key_id:str}/known",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Let a child know somebody no longer",
)
async def know_no_longer(
    principal: ThePrincipal, key_id: KeyId, data: JSONBody[Acquaintance], children: TheChildren
) -> ChildMessage:
    """They are strangers to each other again; somebody whom the child does not know stays so."""
    child = await children.find(principal.actor, key_id, Action.EDIT)
    return _message(await children.distrust(child, data.name))


@get(
    "/{key_id:str}/export",
    action=Action.EXPORT,
    responses={200: answer(Everything, "everything, as a file"), **refusals({404: _NO_CHILD})},
    summary="Everything that is stored of a child",
)
async def export(
    principal: ThePrincipal, key_id: KeyId, accounts: TheAccounts, children: TheChildren, caller: TheCaller
) -> Response[bytes]:
    """As `GET /api/account/export` gives it of yourself."""
    child = await children.find(principal.actor, key_id, Action.EXPORT)
    return await export_file(await accounts.export(child.id, caller), "korgool-child.json")


@delete(
    "/{key_id:str}",
    action=Action.DELETE,
    status_code=200,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Withdraw your consent",
)
async def withdraw(principal: ThePrincipal, key_id: KeyId, accounts: TheAccounts, children: TheChildren) -> Ended:
    """Take the consent back: the child's account is deleted; its games stay, under "deleted player"."""
    child = await children.find(principal.actor, key_id, Action.DELETE)
    await accounts.delete(child.id)
    return Ended(1)


def _message(child: ChildAccount) -> ChildMessage:
    person = child.person
    return ChildMessage(
        child.handle,
        person.name,
        person.short,
        child.account.made,
        child.agreed,
        child.wording,
        list(child.trusted.values()),
        person.locked,
    )


router = Router(
    "/api/account/children",
    before_request=check_body,
    route_handlers=[
        *(read_children, make_child, change_short, change_password, new_codes, end_sessions),
        *(know, know_no_longer, export, withdraw),
    ],
    tags=["accounts"],
)
