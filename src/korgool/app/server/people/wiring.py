"""The services and the routers of people, as the application takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import Router
from litestar.di import Provide
from litestar.types import ControllerRouterHandler

from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import from_state
from korgool.app.server.limits import ServiceLimits
from korgool.app.server.people.account import api as account_api
from korgool.app.server.people.account import pages as account_pages
from korgool.app.server.people.account import sign_in_pages
from korgool.app.server.people.account.service import AccountService
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.blocks import api as blocks_api
from korgool.app.server.people.blocks import pages as block_pages
from korgool.app.server.people.blocks.repository import BlockRepository
from korgool.app.server.people.blocks.service import BlockService
from korgool.app.server.people.children import api as children_api
from korgool.app.server.people.children import pages as children_pages
from korgool.app.server.people.children.repository import ChildRepository
from korgool.app.server.people.children.service import ChildAccountService
from korgool.app.server.people.guests import api as guests_api
from korgool.app.server.people.guests import pages as seat_pages
from korgool.app.server.people.guests.migration import GuestMigration
from korgool.app.server.people.page_frame import SignedOutError, ask_first, lead_in, own_account, require_sign_in
from korgool.app.server.people.passkeys import api as passkeys_api
from korgool.app.server.people.passkeys import pages as passkey_pages
from korgool.app.server.people.passkeys.repository import PasskeyRepository
from korgool.app.server.people.passkeys.service import PasskeyService
from korgool.app.server.people.profiles import pages as profile_pages
from korgool.app.server.people.profiles.service import ProfileService
from korgool.app.server.people.reports import api as reports_api
from korgool.app.server.people.reports import pages as report_pages
from korgool.app.server.people.reports.repository import ReportRepository
from korgool.app.server.people.reports.service import ReportService
from korgool.app.server.people.sign_in.authentication import Authentication, Purged
from korgool.app.server.people.tokens import api as tokens_api
from korgool.app.server.people.tokens import pages as token_pages
from korgool.app.server.people.tokens.service import TokenService
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.game_registry import GameRegistry

_SERVICES = ("authentication", "accounts", "passkeys", "guests", "blocks", "reports", "children", "tokens", "profiles")
PEOPLE_DEPENDENCIES = {name: from_state(name) for name in _SERVICES}
"""The services of people by the names under which handlers are given them."""


def authentication_of(
    transactions: PeopleTransactions, limits: ServiceLimits, *more: Callable[[PeopleTransactions], Purged]
) -> Authentication:
    """The authentication of a site, which also forgets what is old: ceremonies, reports, and `more` over its tables."""
    passkeys = PasskeyRepository(transactions, AccountRepository(transactions))
    purged: tuple[Purged, ...] = (passkeys, ReportRepository(transactions), *(make(transactions) for make in more))
    return Authentication(transactions, limits, purged)


def people_services(
    authentication: Authentication, game_registry: GameRegistry, challenges: ChallengeService
) -> dict[str, Any]:
    """The services but for authentication, by the same names."""
    transactions, rate_limiter = authentication.transactions, game_registry.rate_limiter
    blocks = BlockRepository(transactions)
    passkeys = PasskeyRepository(transactions, authentication.directory)
    guests = GuestMigration(transactions, game_registry, challenges)
    return {
        "accounts": AccountService(authentication, guests, passkeys, blocks, challenges, rate_limiter),
        "passkeys": PasskeyService(authentication, passkeys, guests, rate_limiter),
        "guests": guests,
        "blocks": BlockService(authentication.people, blocks, game_registry, rate_limiter),
        "reports": ReportService(ReportRepository(transactions), game_registry, rate_limiter),
        "children": ChildAccountService(
            authentication, ChildRepository(transactions, authentication.directory), rate_limiter
        ),
        "tokens": TokenService(authentication, rate_limiter),
        "profiles": ProfileService(game_registry),
    }


PEOPLE_HANDLERS: tuple[ControllerRouterHandler, ...] = (
    *(guests_api.router, account_api.router, tokens_api.router, children_api.router, passkeys_api.router),
    *(account_api.export_router, blocks_api.router, reports_api.router, report_pages.router),
    *profile_pages.handlers,
    *seat_pages.handlers,
    Router("/", route_handlers=[*sign_in_pages.handlers, *passkey_pages.sign_up_handlers], include_in_schema=False),
    Router(
        "/account",
        route_handlers=[
            *account_pages.handlers,
            *token_pages.handlers,
            *passkey_pages.handlers,
            *block_pages.handlers,
            *children_pages.handlers,
        ],
        guards=[require_sign_in],
        dependencies={"account": Provide(own_account), "child": Provide(children_pages.child_in_address)},
        exception_handlers={ApiError: ask_first, SignedOutError: lead_in},
        include_in_schema=False,
    ),
)
"""The API and the pages of people, but for the API of profiles, which the description lists behind the challenges."""
