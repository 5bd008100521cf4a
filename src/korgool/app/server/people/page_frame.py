"""Parts that the pages of an account share: they need somebody who is signed in, ask again for the password where a
right needs it, and say what the last form did."""

from __future__ import annotations

from typing import Any

from litestar import Response
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.response import Redirect

from korgool.accounts import RefusedKind
from korgool.app.server.core.errors import ACCOUNT_REFUSALS, ApiError
from korgool.app.server.http.dependencies import ThePrincipal
from korgool.app.server.http.forms import EMPTY
from korgool.app.server.http.responses import AnyRequest, error_response, page, redirect_to_sign_in, visitors_of
from korgool.app.server.http.return_address import local, onward
from korgool.app.server.http.site_names import SAFE, Connection
from korgool.app.server.http.visitors import identified_principal, principal_of
from korgool.app.server.people.account_repository import Account
from korgool.app.server.people.sign_in.authentication import Authentication, SignedIn
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
"""Messages of a page after a form was accepted."""


OPENED = "/account?done=opened"
"""The page after an account was opened, where no other was wanted."""


class SignedOutError(Exception):
    """Raised when a visitor without an account opens a page of an account."""


async def require_sign_in(connection: Connection, _: BaseRouteHandler) -> None:
    """Guard the pages of an account.

    Raises:
        SignedOutError: the principal is not signed in.
    """
    if principal_of(connection).session is None:
        raise SignedOutError


TheAccount = NamedDependency[Account]
"""The account of the principal, on pages that `require_sign_in` guards."""


async def own_account(principal: ThePrincipal, authentication: NamedDependency[Authentication]) -> Account:
    """Give a handler the account of the principal."""
    return (await authentication.own_account(principal))[0]


def entered(request: AnyRequest, sign_in: SignedIn, path: str) -> Redirect:
    """Go on after a sign-in, with the cookies of the session."""
    _, cookies = visitors_of(request).begin_session(request, sign_in.secret, sign_in.cookie)
    return Redirect(path, status_code=303, cookies=cookies)


def done_of(request: AnyRequest) -> str:
    """The message about the form that led to this page; empty without one."""
    return _DONE.get(request.query_params.get("done", ""), "")


def lead_in(request: AnyRequest, _: Exception) -> Redirect:
    """Lead to the form for signing in, which leads back."""
    return redirect_to_sign_in(onward(request), "asked")


def ask_first(request: AnyRequest, error: Exception) -> Response[Any]:
    """Answer a refusal; where the password is needed once more, by the form for it, which leads back."""
    principal = identified_principal(request)
    proof = isinstance(error, ApiError) and error.message == ACCOUNT_REFUSALS[RefusedKind.PROVE]
    if not proof or principal is None:
        return error_response(request, error)
    back = onward(request) if request.method in SAFE else _page_of(request)
    return page(request, "prove.html", 403, form=EMPTY, next=back, name=principal.person.name)


def _page_of(request: AnyRequest) -> str:
    """The page on which a form stands: `/account/tokens`, whatever is done there."""
    return local("/".join(request.scope["path"].split("/")[:3]))
