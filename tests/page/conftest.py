"""A real server, a real browser, and pages that watch for errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.page.consoles import watch
from tests.patience import PATIENCE
from tests.server.guests import Address, Guest
from tests.server.processes import Program

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

    from tests.page.table import Table

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
NewTable = Callable[..., "Table"]
OpenPage = Callable[..., "Page"]


def start_server(data: Path, port: int = 0, *options: str, patient: bool = False) -> tuple[Program, str]:
    """`korgool serve` on its own data; the process and its address."""
    process = Program(["serve", "--port", str(port), "--data", str(data), *options], patient=patient)
    address = process.stdout.readline().strip()
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address), f"the server said {address!r}"
    return process, address.rstrip("/")


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that lives as long as the tests."""
    process, address = start_server(tmp_path_factory.mktemp("data"))
    yield address
    process.terminate()
    process.wait(PATIENCE)


@pytest.fixture
def guest(server: str) -> Guest:
    """Somebody without a browser."""
    return Guest(Address(server))


@pytest.fixture(scope="module")
def analysis(browser: Browser, server: str) -> Iterator[Page]:
    """The analysis board, for tests that call its modules."""
    context = browser.new_context(service_workers="block", locale="en")
    page = context.new_page()
    page.goto(f"{server}/analysis")
    page.locator("korgool-board[data-ready]").wait_for()
    yield page
    context.close()


@pytest.fixture
def table(browser: Browser, server: str) -> Iterator[NewTable]:
    """Make tables: pages in fresh contexts. At the end none may have seen an error in its console.

    A service worker keeps all files for the time without a network, which takes as long as many a test: the pages get
    none, unless a test allows it.

    A test with a server of its own asks for that before it asks for `table`: so pages are closed while it answers.
    """
    from tests.page.table import Table

    complaints: list[str] = []
    contexts = []

    def new(
        size: dict[str, Any] = DESK, *, address: str = server, locale: str = "en", expected: str = "$^", **options: Any
    ) -> Table:
        def complain(text: str) -> None:
            if not re.search(expected, text):
                complaints.append(text)

        context = browser.new_context(locale=locale, **({"service_workers": "block"} | size | options))
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        context.on("page", lambda page: watch(page, complain))
        return Table(context.new_page(), address)

    yield new
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def open_page(browser: Browser, server: str) -> Iterator[OpenPage]:
    """Make pages whose requests can be answered otherwise; at the end none may have seen an error but the expected."""
    complaints: list[str] = []
    contexts = []

    def new(answers: dict[str, Callable[[Route], None]] | None = None, *, expected: bool = False) -> Page:
        context = browser.new_context(service_workers="block", locale="en")
        contexts.append(context)
        for pattern, answer in (answers or {}).items():
            context.route(pattern, answer)
        page = context.new_page()
        if not expected:
            watch(page, complaints.append)
        page.goto(f"{server}/")
        return page

    yield new
    for context in contexts:
        context.close()
    assert not complaints
