"""Checks that the services of people share: the rights of an actor, and the rates of `ServiceLimits`."""

from __future__ import annotations

from korgool.accounts import Action, Actor, Person, Thing, refusal
from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError, refused_error
from korgool.app.server.limits import Caller, RateLimiter


def check_right(actor: Actor, action: Action, other: Person) -> None:
    """Refuse an action that concerns somebody else.

    Raises:
        ApiError: the actor may not.
    """
    refused = refusal(actor, action, Thing((other,)))
    if refused is not None:
        raise refused_error(refused)


def count_change(rate_limiter: RateLimiter, caller: Caller) -> None:
    """Count one change of an account, of an event, or of what belongs to them.

    Raises:
        RateLimitError: the session or the address has made too many.
    """
    if wait := rate_limiter.spend_both(("session_changes", "address_changes"), caller):
        raise RateLimitError(errors.TOO_MANY_CHANGES, wait)


def count_sign_in(rate_limiter: RateLimiter, caller: Caller) -> None:
    """Count one attempt to sign in.

    Raises:
        RateLimitError: the address has made too many.
    """
    if wait := rate_limiter.spend("address_sign_ins", caller.address):
        raise RateLimitError(errors.TOO_MANY_GUESSES, wait)


def count_account(rate_limiter: RateLimiter, caller: Caller) -> None:
    """Count one new account.

    Raises:
        RateLimitError: the session or the address has opened too many.
    """
    if wait := rate_limiter.spend_both(("session_accounts", "address_accounts"), caller):
        raise RateLimitError(errors.TOO_MANY_ACCOUNTS, wait)


def check_account_rate(rate_limiter: RateLimiter, caller: Caller) -> None:
    """Check that `count_account` would accept one more, without counting it.

    Raises:
        RateLimitError: it would not.
    """
    wait = 0.0 if caller.session is None else rate_limiter.refuses("session_accounts", caller.session)
    if wait := wait or rate_limiter.refuses("address_accounts", caller.address):
        raise RateLimitError(errors.TOO_MANY_ACCOUNTS, wait)
