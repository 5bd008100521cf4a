"""Fields and answers that the API uses for several features of an account, and the answer to a sign-in."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Response
from litestar.params import PathParameter

from korgool.app.server.http.responses import AnyRequest, visitors_of
from korgool.app.server.people.sign_in.authentication import SignedIn

Text = Annotated[str, msgspec.Meta(max_length=4096)]
KeyId = Annotated[str, PathParameter(description="as the list names it", max_length=40)]


class Password(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A password."""

    password: Text


class SignedInMessage(msgspec.Struct, frozen=True):
    """Somebody who is signed in now: the session is a cookie.

    Attributes:
        id: the identity.
        name: the name.
        csrf: what commands of this browser carry as `x-csrftoken`, and forms as `_csrf_token`.
    """

    id: str
    name: str
    csrf: str


class AccountMessage(msgspec.Struct, frozen=True):
    """Who asks.

    Attributes:
        id: the identity.
        name: what others see.
        kind: `visitor`, `account`, `child`, `bot` or `operator`.
        locked: whether the operator has locked the account.
        made: when it was opened, in milliseconds since 1970; None for a visitor.
        fresh: whether the password or a passkey was given a moment ago, as some commands need it.
        password: whether one is set.
        codes: recovery codes that are left.
    """

    id: str
    name: str
    kind: str
    locked: bool = False
    made: int | None = None
    fresh: bool = False
    password: bool = False
    codes: int = 0


class Codes(msgspec.Struct, frozen=True):
    """Recovery codes, told once; each opens the account one time."""

    codes: tuple[str, ...]


class Ended(msgspec.Struct, frozen=True):
    """How many were ended."""

    ended: int


def signed_in(request: AnyRequest, sign_in: SignedIn, status: int = 201) -> Response[SignedInMessage]:
    """The answer to a sign-in, with the cookies of the session."""
    csrf, cookies = visitors_of(request).begin_session(request, sign_in.secret, sign_in.cookie)
    message = SignedInMessage(sign_in.account.id, sign_in.account.person.name, csrf)
    return Response(message, status_code=status, cookies=cookies)
