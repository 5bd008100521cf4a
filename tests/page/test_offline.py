"""Without a network: the pages that are kept, a game on the device to its end, and what a new release replaces."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jinja2 import Environment

from korgool.app.server import run
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.http import release, responses, static_files
from korgool.languages import LANGUAGES, translations
from tests.page.analysis import late_in
from tests.page.conftest import DESK, PHONE, NewTable, start_server
from tests.page.table import Table, expect
from tests.patience import PATIENCE
from tests.server.processes import FORKS, begin

if TYPE_CHECKING:
    from playwright.sync_api import Page

Cut = Callable[[], None]
CUT = "ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|ERR_FAILED"
KEPT = """async () => {
  const names = (await caches.keys()).filter((name) => name.startsWith("korgool-"));
  const found = {};
  for (const name of names) {
    const requests = await (await caches.open(name)).keys();
    found[name] = requests.map(({url}) => new URL(url).pathname);
  }
  return found;
}"""

SETTLED = """() => navigator.serviceWorker.ready.then(
  ({installing, waiting, active}) => !installing && !waiting && active.state === "activated"
)"""


def keep(page: Page) -> list[str]:
    """Wait until the pages are kept; their addresses and those of the files."""
    page.evaluate(
        """async () => {
          const {active} = await navigator.serviceWorker.ready;
          if (active.state !== "activated") await new Promise((done) => {
            active.addEventListener("statechange", () => active.state === "activated" && done());
          });
        }"""
    )
    found: dict[str, list[str]] = page.evaluate(KEPT)
    assert len(found) == 1, found.keys()
    return next(iter(found.values()))


def until(page: Page, done: Callable[[], bool]) -> None:
    """Wait for something that happens in the service worker."""
    late = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < late
        page.wait_for_timeout(100)


def replaced(page: Page, address: str, release: str) -> None:
    """Wait until a release is gone; what a busy browser broke off is tried again with the next page."""

    def gone() -> bool:
        page.goto(f"{address}/")
        return release not in page.evaluate(KEPT)

    until(page, gone)


def answered_in_time(page: Page, address: str) -> None:
    """Open a page as the server has it: a server that takes four seconds is not waited for, and the kept page comes."""
    for _ in range(20):
        began = time.monotonic()
        page.goto(address)
        if time.monotonic() < began + 4:
            return
    pytest.fail(f"the server never answered {address} within four seconds")


@contextmanager
def visited(
    table: NewTable, folder: Path, path: str = "/", **options: object
) -> Iterator[tuple[Table, Callable[[], None]]]:
    """A page after a first visit, and a function that cuts the network and ends the server."""
    process, address = start_server(folder)
    try:
        board = table(address=address, expected=CUT, service_workers="allow", **options)
        board.page.goto(f"{address}{path}")
        keep(board.page)

        def cut() -> None:
            board.page.context.set_offline(True)
            process.kill()
            process.wait(PATIENCE)

        yield board, cut
    finally:
        process.kill()
        process.wait(PATIENCE)


@pytest.mark.smoke
@pytest.mark.parametrize("plies", [6, pytest.param(400, marks=pytest.mark.long)])
def test_a_whole_game_on_the_device_without_a_server(table: NewTable, tmp_path: Path, plies: int) -> None:
    """Its beginning by the form; then on, or from about so many plies before the end of another."""
    with visited(table, tmp_path) as (board, cut):
        cut()
        page = board.page
        page.goto(f"{board.address}/")
        page.evaluate("localStorage.setItem('korgool.speed', 'off')")
        page.locator("#other-game").click()
        for name, value in {"game": "bestemshe", "side": "white", "level": 1}.items():
            page.locator(f"label:has(input[name={name}][value='{value}'])").click()
        page.get_by_role("button", name="Start the game").click()
        expect(page).to_have_url(re.compile(r"/analysis#game=bestemshe&opponent=1&side=white"))
        assert page.evaluate("crossOriginIsolated")
        own = page.locator('.hole-button[data-side="white"][aria-disabled="false"]')
        over = page.locator("#outcome:not([hidden])")
        for turn in range(300):
            own.or_(over).first.wait_for()
            if over.is_visible():
                break
            if turn == plies // 2:
                late = str(late_in("bestemshe", plies)).replace(" ", "+")
                page.goto(f"{board.address}/analysis#game=bestemshe&start={late}&opponent=1&side=white")
                expect(page.locator("#tree .ply")).to_have_count(0)
                own.first.wait_for()
            before = page.url
            own.first.click()
            expect(page).not_to_have_url(before)
        expect(over).to_contain_text(re.compile(r"\d+"))
        assert page.locator("#outcome .result").inner_text().count("(") == 2


def test_every_page_of_a_first_visit(table: NewTable, tmp_path: Path) -> None:
    """Whichever page comes first, all others are there afterwards; what is a game of the server stays with it."""
    with visited(table, tmp_path, "/analysis") as (board, cut):
        board.start_by_form("bestemshe")
        page, game = board.page, board.page.url
        page.keyboard.press("1")
        board.wait_for_ply(2)
        assert board.wait_for_turn()
        holes = [move["hole"] for move in board.state()["moves"]]
        listed = "async (game) => (await (await caches.match('/')).text()).includes(game)"
        until(page, lambda: page.evaluate(listed, f"/games/{board.id}"))  # the worker fetches the list once more
        kept = keep(page)
        files = {re.sub("^/static/[0-9a-f]{16}/", "", path) for path in kept}
        assert {"/", "/analysis", "/offline", "kernel.wasm", "networks/toguz.kgn"} <= files, sorted(files)
        assert not [path for path in kept if path.startswith(("/api", "/games"))]
        cut()
        page.goto(f"{board.address}/")
        expect(page.get_by_role("button", name="Play now")).to_be_visible()
        page.get_by_role("region", name="Your games").get_by_role("link", name="Bestemshe").click()
        expect(page.get_by_role("heading", name="No connection")).to_be_visible()
        expect(page).to_have_url(game)
        with page.expect_event("load"):  # a link pressed while the page loads again goes nowhere
            page.get_by_role("button", name="Try again").click()
        look = page.get_by_role("link", name="Look at this game on the board")

        def followed() -> bool:
            """On a busy machine the page may still be loading again after that."""
            look.click()
            page.wait_for_timeout(1000)
            return "/analysis#game=bestemshe" in page.url

        until(page, followed)
        expect(page.locator("#tree button")).to_have_count(1 + len(holes))
        page.goto(f"{board.address}/nothing")
        expect(page.get_by_role("link", name="To the board on this device")).to_be_visible()
        expect(look).to_be_hidden()


def test_the_language_used_last(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path, locale="ky-KG") as (board, cut):
        page = board.page
        html = page.locator("html")
        expect(html).to_have_attribute("lang", "ky")
        page.locator(".languages summary").click()
        page.get_by_role("button", name="Türkçe").click()
        expect(html).to_have_attribute("lang", "tr")
        languages = """() => Promise.all(["/", "/analysis", "/offline"].map(async (path) =>
          (await caches.match(path)).headers.get("content-language")))"""
        until(page, lambda: page.evaluate(languages) == ["tr"] * 3)
        cut()
        for path in ("/", "/analysis", "/games/abcdefghijkl"):
            page.goto(f"{board.address}{path}")
            expect(html).to_have_attribute("lang", "tr")
        page.locator(".languages summary").click()
        page.get_by_role("button", name="Русский").click()
        expect(page.get_by_role("heading")).to_have_text(translations("tr").gettext("No connection"))


def test_puzzles_of_a_game_that_was_played_here_go_on(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (board, cut):
        page = board.page
        paths = ["/puzzles/mangala/rated", "/puzzles/mangala/run"]
        for path in (f"{paths[0]}?near=1400", paths[1]):
            page.goto(f"{board.address}{path}")
        until(page, lambda: set(paths) <= set(keep(page)))
        cut()
        page.goto(f"{board.address}{paths[0]}?near=1600")
        expect(page.locator("#puzzle[data-rated] korgool-board[data-ready]")).to_be_visible()
        page.goto(f"{board.address}{paths[1]}")
        page.locator("#begin").click()
        expect(page.locator("#puzzle korgool-board[data-ready]")).to_be_visible()
        page.goto(f"{board.address}/puzzles/toguz/rated")
        expect(page.get_by_role("heading")).to_have_text(translations("en").gettext("No connection"))


def test_puzzles_that_were_kept_go_with_their_language(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (board, _):
        page = board.page
        for path in ("/puzzles/mangala/rated", "/"):
            page.goto(f"{board.address}{path}")
        until(page, lambda: "/puzzles/mangala/rated" in keep(page))
        page.locator(".languages summary").click()
        page.get_by_role("button", name="Türkçe").click()
        expect(page.locator("html")).to_have_attribute("lang", "tr")
        until(page, lambda: "/puzzles/mangala/rated" not in keep(page))


def test_the_page_without_connection_fits(table: NewTable, server: str) -> None:
    boards = table(PHONE), table(DESK)
    for language, board in product(LANGUAGES, boards):
        board.translated(language)
        board.page.goto(f"{server}/offline")
        wide, inner = board.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= inner
        for button in board.page.locator(".notice .button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        expect(board.page.get_by_role("heading")).to_have_text(translations(language).gettext("No connection"))


def serve(folder: Path, data: Path, port: int = 0, damaged: str = "") -> tuple[BaseProcess, str]:
    """A server whose pages take their files from a folder, as another release of the package would.

    The file `damaged` goes out with other bytes than it is announced with.
    """
    begin()
    reading, writing = FORKS.Pipe(duplex=False)
    process = FORKS.Process(target=_serve, args=(writing, folder, data, port, damaged))
    process.start()
    writing.close()
    with os.fdopen(os.dup(reading.fileno()), encoding="utf-8") as said:
        return process, said.readline().strip().rstrip("/")


class _OnDemand(Environment):
    """Templates that are compiled when a page needs them, with the addresses of this release."""

    def list_templates(self, *args: object, **options: object) -> list[str]:
        return []


def _serve(out: Connection, folder: Path, data: Path, port: int, damaged: str) -> None:
    os.dup2(out.fileno(), 1)
    sys.stdout = os.fdopen(1, "w", buffering=1, encoding="utf-8", closefd=False)
    static_files.FOLDER = folder
    static_files.File.packed = lambda file: None  # type: ignore[method-assign, assignment]  # compressing takes a second
    responses.Environment = _OnDemand  # type: ignore[attr-defined]
    for kept in (release._read, responses.templates):  # the common parent has read its own
        kept.cache_clear()
    if damaged:
        file = release.release().files[damaged]
        file.body = file.body.replace(b"second", b"broken")
    run.serve("127.0.0.1", port, ServerSettings(data=data), ready=print)


def test_a_new_release_replaces_the_old_one_and_a_broken_one_does_not(table: NewTable, tmp_path: Path) -> None:
    folder = tmp_path / "static"
    shutil.copytree(static_files.FOLDER, folder)
    process, address = serve(folder, tmp_path)
    port = int(address.rsplit(":", 1)[1])
    try:
        board = table(address=address, expected=CUT, service_workers="allow")
        page = board.page
        page.goto(f"{address}/")
        keep(page)
        (first,) = page.evaluate(KEPT)

        def restart(damaged: str = "") -> None:
            nonlocal process
            process.kill()
            process.join(PATIENCE)
            process, _ = serve(folder, tmp_path, port, damaged)

        # A release one of whose files arrives with other bytes than it was announced with.
        style = folder / "css" / "page.css"
        sound = style.read_text(encoding="utf-8") + "\n:root { --release: second; }\n"
        style.write_text(sound, encoding="utf-8")
        restart("css/page.css")
        state = page.evaluate(
            """async () => {
              const registration = await navigator.serviceWorker.ready;
              await registration.update().catch(() => undefined);
              const {installing} = registration;
              if (installing?.state === "installing") await new Promise((done) => {
                installing.addEventListener("statechange", done, {once: true});
              });
              return installing?.state ?? "gone";
            }"""
        )
        assert state in {"redundant", "gone"}
        assert list(page.evaluate(KEPT)) == [first], "what was kept before is still whole"

        # The next release, sound: pages are of it at once, and then what is kept.
        style.write_text(sound.replace("second", "third"), encoding="utf-8")
        restart()
        released = "getComputedStyle(document.documentElement).getPropertyValue('--release').trim()"
        answered_in_time(page, f"{address}/")
        assert page.evaluate(released) == "third", "a page of the new release has its own files"

        replaced(page, address, first)
        keep(page)
        page.context.set_offline(True)
        process.kill()
        process.join(PATIENCE)
        page.goto(f"{address}/")
        assert page.evaluate(released) == "third"
    finally:
        process.kill()
        process.join(PATIENCE)


def test_what_a_browser_did_not_let_an_activation_remove_goes_with_the_next_page(
    table: NewTable, tmp_path: Path
) -> None:
    """Chromium activates a worker also where it could not tell it of the activation, as on a busy machine."""
    folder = tmp_path / "static"
    shutil.copytree(static_files.FOLDER, folder)
    process, address = serve(folder, tmp_path)
    try:
        page = table(address=address, expected=CUT, service_workers="allow").page
        page.goto(f"{address}/")
        keep(page)
        (first,) = page.evaluate(KEPT)
        process.kill()
        process.join(PATIENCE)
        script = folder / "sw.js"
        heard = 'worker.addEventListener("activate"'
        text = script.read_text(encoding="utf-8")
        assert heard in text
        script.write_text(text.replace(heard, 'worker.addEventListener("unheard"'), encoding="utf-8")
        process, _ = serve(folder, tmp_path, int(address.rsplit(":", 1)[1]))

        def settled() -> bool:
            page.evaluate("navigator.serviceWorker.ready.then((kept) => kept.update()).catch(() => undefined)")
            return len(page.evaluate(KEPT)) == 2 and page.evaluate(SETTLED)

        until(page, settled)
        assert next(iter(page.evaluate(KEPT))) == first, "nobody has removed it"

        replaced(page, address, first)
        keep(page)
    finally:
        process.kill()
        process.join(PATIENCE)


def test_lists_say_what_to_do_without_a_network_and_the_rules_are_kept(table: NewTable, tmp_path: Path) -> None:
    with visited(table, tmp_path) as (board, cut):
        cut()
        for path, words in (
            ("/lobby", "Offers of other players"),
            ("/watch", "Games of others"),
            ("/players", "The list of players"),
            ("/events", "The list of events"),
            ("/games", "Games are kept there"),
        ):
            page = board.page.context.new_page()  # one that shows this already may try again just now
            page.goto(f"{board.address}{path}")
            expect(page.locator("#of-games p:visible").first).to_contain_text(words)
            assert page.locator("#of-games p:visible:not(.actions)").count() == 2
            expect(page.locator(".notice .icon")).to_be_visible()
            expect(page.get_by_role("link", name="To the board on this device")).to_be_visible()
        page = board.page.context.new_page()
        page.goto(f"{board.address}/learn")
        expect(page.locator(".film [data-do=play]")).to_be_visible()
        page.locator("[data-do=forward]").click()
        expect(page.locator('.film [aria-current="step"]')).to_have_attribute("id", "scene-2")
