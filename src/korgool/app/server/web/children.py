"""Children's accounts over the API: an adult opens them with a consent, and looks after them."""

from __future__ import annotations

import asyncio

import msgspec
from litestar import MediaType, Response, Router, delete, get, post, put
from litestar.params import JSONBody

from korgool.accounts import Action
from korgool.app.server.now import now_ms
from korgool.app.server.people.farewell import everything
from korgool.app.server.people.wards import Ward
from korgool.app.server.web.accounts import Codes, Ended, KeyId, Password, Text, count_change
from korgool.app.server.web.answers import AnyRequest, language_of
from korgool.app.server.web.api import Nothing, check_body
from korgool.app.server.web.description import answer, refusals
from korgool.app.server.web.export import Everything
from korgool.app.server.web.given import TheCaller, TheDesk, TheHall, TheKeeper, TheWho
from korgool.app.server.web.wards import distrust, open_child, rename, set_password, sign_out, trust, ward_of
from korgool.app.words.people import CONSENT, WORDING
from korgool.languages import translations

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
async def read_children(request: AnyRequest, who: TheWho, keeper: TheKeeper) -> ChildrenMessage:
    """The children's accounts that you have opened, and the text of the consent."""
    gettext = translations(language_of(request)).gettext
    found = await asyncio.to_thread(keeper.wards.of, who.person.id)
    return ChildrenMessage(WORDING, " ".join(map(gettext, CONSENT)), [_told(one) for one in found])


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
    data: JSONBody[NewChild], who: TheWho, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> ChildMessage:
    """An account under which a child plays: strangers are told a short name, and the child no names of strangers."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    return _told(
        await open_child(
            keeper,
            who.person.id,
            name=data.name,
            password=data.password,
            short=data.short,
            wording=data.wording,
        )
    )


@put(
    "/{key_id:str}/short",
    action=Action.EDIT,
    responses=refusals({404: _NO_CHILD, 422: "no such short name can be"}, command=True),
    summary="A child's short name",
)
async def change_short(
    request: AnyRequest, key_id: KeyId, data: JSONBody[Short], keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> ChildMessage:
    """What strangers are told instead of the name."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    return _told(await rename(keeper, await ward_of(request, key_id, Action.EDIT), data.short))


@put(
    "/{key_id:str}/password",
    action=Action.PROTECT,
    responses=refusals({404: _NO_CHILD, 422: "no such password can be"}, command=True),
    summary="A child's password",
)
async def change_password(
    request: AnyRequest, key_id: KeyId, data: JSONBody[Password], keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Ended:
    """Another password; all sessions of the child end."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    return Ended(await set_password(keeper, await ward_of(request, key_id, Action.PROTECT), data.password))


@post(
    "/{key_id:str}/codes",
    action=Action.PROTECT,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Recovery codes for a child",
)
async def new_codes(
    request: AnyRequest, key_id: KeyId, data: JSONBody[Nothing], keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Codes:
    """New recovery codes in the place of all old ones; they are told this once."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    ward = await ward_of(request, key_id, Action.PROTECT)
    return Codes(await asyncio.to_thread(keeper.keys.new_codes, ward.id, now_ms()))


@delete(
    "/{key_id:str}/sessions",
    action=Action.END_SESSION,
    status_code=200,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Sign a child out",
)
async def end_sessions(request: AnyRequest, key_id: KeyId, keeper: TheKeeper) -> Ended:
    """Sign the child out everywhere."""
    return Ended(await sign_out(keeper, await ward_of(request, key_id, Action.END_SESSION)))


@post(
    "/{key_id:str}/known",
    action=Action.PROTECT,
    responses=refusals({404: "you have no such child, or nobody has this name"}, command=True),
    summary="Let a child know somebody",
)
async def know(
    request: AnyRequest,
    key_id: KeyId,
    data: JSONBody[Acquaintance],
    keeper: TheKeeper,
    caller: TheCaller,
    hall: TheHall,
) -> ChildMessage:
    """The child and this person see each other's names and may invite each other. Where that is a child too, its own
    guardian must allow it as well."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    return _told(await trust(keeper, await ward_of(request, key_id, Action.PROTECT), data.name))


@delete(
    "/{key_id:str}/known",
    action=Action.EDIT,
    status_code=200,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Let a child know somebody no longer",
)
async def know_no_longer(
    request: AnyRequest, key_id: KeyId, data: JSONBody[Acquaintance], keeper: TheKeeper
) -> ChildMessage:
    """They are strangers to each other again; somebody whom the child does not know stays so."""
    return _told(await distrust(keeper, await ward_of(request, key_id, Action.EDIT), data.name))


@get(
    "/{key_id:str}/export",
    action=Action.EXPORT,
    responses={200: answer(Everything, "everything, as a file"), **refusals({404: _NO_CHILD})},
    summary="Everything that is stored of a child",
)
async def export(
    request: AnyRequest, key_id: KeyId, keeper: TheKeeper, caller: TheCaller, hall: TheHall
) -> Response[bytes]:
    """As `GET /api/account/export` gives it of yourself."""
    count_change(hall.tally.spend_both(("session_changes", "address_changes"), caller))
    ward = await ward_of(request, key_id, Action.EXPORT)
    found = await asyncio.to_thread(everything, keeper.ledger, ward.id)
    text = await asyncio.to_thread(msgspec.json.encode, {"tables": found})
    headers = {"content-disposition": 'attachment; filename="korgool-child.json"'}
    return Response(text, media_type=MediaType.JSON, headers=headers)


@delete(
    "/{key_id:str}",
    action=Action.DELETE,
    status_code=200,
    responses=refusals({404: _NO_CHILD}, command=True),
    summary="Withdraw your consent",
)
async def withdraw(request: AnyRequest, key_id: KeyId, keeper: TheKeeper, desk: TheDesk) -> Ended:
    """Take the consent back: the child's account is deleted; its games stay, under "deleted player"."""
    ward = await ward_of(request, key_id, Action.DELETE)
    await keeper.delete(ward.id)
    desk.refresh()
    return Ended(1)


def _told(ward: Ward) -> ChildMessage:
    person = ward.person
    return ChildMessage(
        ward.handle,
        person.name,
        person.short,
        ward.account.made,
        ward.agreed,
        ward.wording,
        list(ward.trusted.values()),
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
