"""The public pages of events in a browser: readable for everybody, narrow, and up to date without losing the place."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korgool.app.publishing import write_folder
from tests.page.conftest import DESK, PHONE
from tests.page.test_axe import only_what_differs, violations_here
from tests.patience import PATIENCE
from tests.printing.events import swiss

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

SITE = "http://events.test/"
PAGES = ("index", "rounds/3", "rounds/3/names", "standings", "crosstable", "players/3", "wall/1")
Open = Callable[..., "Page"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("site") / "cup"
    write_folder(swiss(40, 4, 3, pending=3), found, languages=("ky", "ru"), changed="2026-09-14T10:05:00Z")
    return found


@pytest.fixture
def open_event(browser: Browser, folder: Path) -> Iterator[Open]:
    """Open a page of the folder, whose texts may be changed on the way; nobody listens on a port."""
    contexts, complaints = [], list[str]()

    def new(path: str, change: Callable[[str], str] = str, **options: object) -> Page:
        def answer(route: Route) -> None:
            file = folder / route.request.url.removeprefix(SITE).partition("?")[0]
            kind = mimetypes.guess_type(file.name)[0] or "text/plain"
            if file.suffix == ".html":
                route.fulfill(body=change(file.read_text()), content_type="text/html; charset=utf-8")
            else:
                route.fulfill(body=file.read_bytes(), content_type="text/javascript" if file.suffix == ".js" else kind)

        context = browser.new_context(**({"locale": "ky"} | options))  # type: ignore[arg-type]
        context.set_default_timeout(PATIENCE * 1000)
        contexts.append(context)
        context.route(f"{SITE}**", answer)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(SITE + path)
        return page

    yield new
    for context in contexts:
        context.close()
    assert not complaints


def test_pages_are_readable_for_everybody_and_fit_small_phones(open_event: Open) -> None:
    page = open_event("ky/index.html", **PHONE)
    found = []
    for at, name in enumerate(PAGES):
        page.goto(f"{SITE}ky/{name}.html")
        page.set_viewport_size({"width": 320, "height": 700})
        wide = page.evaluate("() => document.documentElement.scrollWidth")
        found += [f"{name}: {wide} pixels wide"] if wide > 320 else []
        look = (PHONE, DESK)[at // 2 % 2]
        page.set_viewport_size(look["viewport"])
        page.emulate_media(color_scheme="dark" if at % 2 else "light", reduced_motion="reduce")
        only_what_differs(page, "tr")
        found += [f"{name}: {one}" for one in violations_here(page)]
    assert found == []


def test_a_list_is_filtered_while_somebody_types(open_event: Open) -> None:
    page = open_event("ky/rounds/3/names.html")
    rows = page.locator("#names tbody tr:visible")
    assert rows.count() == 40
    page.fill("#q", "17")
    assert rows.count() == 3  # the player with this number, and the two at this board
    assert rows.locator("small", has_text="17").count() == 1
    page.fill("#q", "zzz")
    assert page.locator("#nobody").is_visible()


def test_results_appear_where_the_reader_is(open_event: Open) -> None:
    fresh = False

    def change(html: str) -> str:
        html = html.replace('data-refresh="30"', 'data-refresh="0.05"')
        mark = '<tr id="b2"><td class="n">2<td>'
        return html.replace(mark, mark + "<i>82–60</i> ").replace("<h1>", "<h1>!") if fresh else html

    page = open_event("ru/rounds/3.html", change, **PHONE)
    last = page.locator("#b15")
    last.scroll_into_view_if_needed()
    before = last.bounding_box()
    fresh = True
    page.locator("#b2.fresh i").wait_for()
    after = last.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(after["y"] - before["y"]) < 1
    assert not page.locator("h1").inner_text().startswith("!")  # only parts that are marked are taken over


def test_a_code_on_paper_leads_to_the_board_in_the_readers_language(open_event: Open) -> None:
    page = open_event("index.html?round=2&board=4", locale="ru")
    page.wait_for_url(f"{SITE}ru/rounds/2.html#b4")
    assert page.locator("#b4").is_visible()


def hurried(text: str) -> str:
    """The first screen of the wall stays for a moment only, the second as long as ever."""
    return re.sub(r'(data-next="2\.html" data-seconds=)"\d+"', r'\1"0.2"', text)


def test_the_wall_asks_once_for_a_screen_that_comes_slowly(open_event: Open) -> None:
    page = open_event("ky/index.html", hurried)
    held: list[Route] = []
    page.route("**/wall/2.html", lambda route: route.fallback() if held else held.append(route))
    with page.expect_request("**/wall/2.html"):
        page.goto(f"{SITE}ky/wall/1.html")
    page.wait_for_timeout(1500)  # several turns long
    assert page.url == f"{SITE}ky/wall/1.html"
    held[0].fallback()
    page.wait_for_url(f"{SITE}ky/wall/2.html")


def test_the_wall_stays_without_a_network_and_goes_on_with_it(open_event: Open) -> None:
    page = open_event("ky/index.html", hurried)
    cut = True
    page.route("**/wall/2.html", lambda route: route.abort() if cut else route.fallback())
    page.goto(f"{SITE}ky/wall/1.html")
    for _ in range(2):
        page.wait_for_event("requestfailed", lambda request: request.url.endswith("/wall/2.html"))
    assert page.url == f"{SITE}ky/wall/1.html"
    page.locator("h1").wait_for()
    cut = False  # the route stays: a request that is on its way when it goes is lost
    page.wait_for_url(f"{SITE}ky/wall/2.html")
    breaks = "all => all.map(one => getComputedStyle(one).whiteSpace)"
    assert set(page.locator(".rows td").evaluate_all(breaks)) == {"nowrap"}  # a result never stands on three lines
