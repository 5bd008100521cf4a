"""People with accounts, asking the application within this process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from litestar import Litestar

from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits import OFF
from korgool.app.server.people.passkeys.repository import PasskeyRepository
from korgool.app.server.people.reports.repository import ReportRepository
from korgool.app.server.people.sign_in.authentication import Authentication
from tests.patience import PATIENCE

from .support import Json, run_async

PASSWORD = "eleven green apples"


class Site:
    """The application, open."""

    def __init__(self, app: Litestar, folder: Path) -> None:
        self.app, self.folder = app, folder
        called: Any = app
        self.transport = httpx.ASGITransport(app=called, raise_app_exceptions=False)

    @property
    def keeper(self) -> Authentication:
        found: Authentication = self.app.state.authentication
        return found

    @property
    def passkeys(self) -> PasskeyRepository:
        found: PasskeyRepository = self.app.state.passkeys.repository
        return found

    @property
    def reports(self) -> ReportRepository:
        found: ReportRepository = self.app.state.reports.repository
        return found

    def browser(self, **headers: str) -> Browser:
        """A browser that has never been here, or a program."""
        return Browser(self, headers)


class Browser:
    """Keeps cookies, and sends the token that commands need."""

    def __init__(self, site: Site, headers: dict[str, str]) -> None:
        self.site = site
        self.client = httpx.AsyncClient(
            transport=site.transport, base_url="http://127.0.0.1:8000", timeout=PATIENCE, headers=headers
        )

    @property
    def csrf(self) -> dict[str, str]:
        token = self.client.cookies.get("csrftoken")
        return {} if token is None else {"x-csrftoken": token}

    async def ask(self, method: str, path: str, body: object = None, **headers: str) -> httpx.Response:
        """A request to the API; a command has a body."""
        sent: Any = {} if method == "GET" else {"json": {} if body is None else body}
        return await self.client.request(method, path, headers={**self.csrf, **headers}, **sent)

    async def told(self, method: str, path: str, body: object = None) -> Any:
        """The answer to what is allowed."""
        answer = await self.ask(method, path, body)
        assert answer.is_success, (answer.status_code, answer.text)
        return answer.json()

    async def visit(self) -> Browser:
        """Become a visitor."""
        (await self.client.get("/")).raise_for_status()
        return self

    async def sign_up(self, name: str, password: str = PASSWORD) -> Json:
        """Open an account."""
        found: Json = await self.told("POST", "/api/account", {"name": name, "password": password})
        return found

    async def sign_in(self, name: str, password: str = PASSWORD, **more: object) -> httpx.Response:
        """Try to sign in."""
        return await self.ask("POST", "/api/account/session", {"name": name, "password": password, **more})

    async def token(self, *scopes: str) -> Browser:
        """A program with a token of this account."""
        made = await self.told("POST", "/api/account/tokens", {"label": "t", "scopes": scopes})
        return self.site.browser(authorization=f"Bearer {made['token']}")


def on_site(
    folder: Path, test: Callable[[Site], Awaitable[None]], database: str | None = None, **settings: Any
) -> None:
    """Run a test on the application, without limits where nothing else is said."""

    async def run() -> None:
        app = create_app(ServerSettings(data=folder, database=database, **{"limits": OFF, **settings}))
        failed: list[Exception] = []
        async with app.lifespan():
            try:
                await test(Site(app, folder))
            except Exception as error:  # raised outside, where no group of tasks wraps it
                failed.append(error)
        if failed:
            raise failed[0]

    run_async(run())
