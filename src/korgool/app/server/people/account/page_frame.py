"""What the pages of an account share: they are for who is signed in, and ask others for their password first."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.response import Redirect

from korgool.accounts import RefusedKind, Session
from korgool.app.server.core.errors import ACCOUNT_REFUSALS, ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.forms import EMPTY
from korgool.app.server.http.responses import AnyRequest, answer_refusal, page, to_sign_in
from korgool.app.server.http.return_address import local, onward
from korgool.app.server.http.site_names import SAFE
from korgool.app.server.http.visitors import found_principal
from korgool.app.server.people.account.api import mine
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.sign_in.authentication import Authentication
from korgool.languages import N_

_DONE = {
    "opened": N_("Welcome! The account is open, and you are signed in."),
    "password": N_("The password is changed. All other browsers are signed out."),
    "passkey": N_("The passkey is added."),
    "code": N_("You are signed in, and the account has no password any more. Add a passkey, or set a password."),
    "removed": N_("The passkey is removed."),
    "token": N_("The token is ended."),
    "blocked": N_("The player is blocked."),
    "unblocked": N_("The block is ended."),
    "reported": N_("The report is sent to the operator of the site."),
    "child": N_("The account is open. The child can sign in now."),
    "changed": N_("The change is stored."),
    "deleted": N_("The account is deleted."),
    "ended": N_("Signed out there."),
}
"""What a page says after a form was accepted."""


class SignedOutError(Exception):
    """A page of an account was asked for by somebody who may see what is their own, and has no account."""


async def signed(who: Principal, keeper: Authentication) -> tuple[Account, Session]:
    """The account and the session of whoever asks for a page.

    Raises:
        SignedOutError: they are not signed in.
    """
    if who.session is None:
        raise SignedOutError
    return await mine(who, keeper)


def done_of(request: AnyRequest) -> str:
    """What was done before the page was asked for, as a message; empty for nothing."""
    return _DONE.get(request.query_params.get("done", ""), "")


def lead_in(request: AnyRequest, _: Exception) -> Redirect:
    """The way to the form for signing in, which leads back."""
    return to_sign_in(onward(request), "asked")


def page_of(request: AnyRequest) -> str:
    """The page on which a form stands: `/account/tokens`, whatever is done there."""
    return local("/".join(request.scope["path"].split("/")[:3]))


def ask_first(request: AnyRequest, error: Exception) -> Response[Any]:
    """The answer to who must give their password once more: the form for it, which leads back."""
    who = found_principal(request)
    proof = isinstance(error, ApiError) and error.message == ACCOUNT_REFUSALS[RefusedKind.PROVE]
    if not proof or who is None:
        return answer_refusal(request, error)
    back = onward(request) if request.method in SAFE else page_of(request)
    return page(request, "prove.html", 403, form=EMPTY, next=back, name=who.person.name)
