"""The board that the server draws is the one that the script takes over: nothing moves, nothing is drawn anew."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from korgool.app.server.http.stone_layout import Box, pack_hole, pack_store
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.games import Played
from tests.page.table import PLAYABLE, expect
from tests.slices import drawn

if TYPE_CHECKING:
    from playwright.sync_api import Route

LYING: dict[str, Any] = PHONE | {"viewport": {"width": 740, "height": 360}}
SMALL: dict[str, Any] = PHONE | {"viewport": {"width": 320, "height": 568}}
SHIFTS = """window.shifts = 0;
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
}).observe({type: "layout-shift", buffered: true});"""
# Every element of a picture with its attributes and its own text, whatever their order and the white space between.
SAME = """async () => {
  const tell = svg => [svg, ...svg.querySelectorAll("*")].map(one => [
    one.localName,
    ...[...one.attributes].map(({name, value}) =>
      `${name}=${name === "class" ? value.split(/\\s+/).filter(Boolean).sort().join(" ") : value}`).sort(),
    one.children.length ? "" : one.textContent,
  ].join("|"));
  const text = await (await fetch(location.href)).text();
  const served = new DOMParser().parseFromString(text, "text/html");
  const shown = [...document.querySelectorAll("svg.board")].filter(svg => getComputedStyle(svg).display !== "none");
  if (shown.length !== 1) return [`${shown.length} pictures are shown`];
  const shape = shown[0].getAttribute("class").split(" ")[1];
  const [now, then] = [tell(shown[0]), tell(served.querySelector(`korgool-board svg.${shape}`))];
  const other = now.map((line, index) => line === then[index] ? "" : `${then[index]} became ${line}`).filter(Boolean);
  return now.length === then.length ? other : [...other, `${then.length} elements became ${now.length}`];
}"""
PACKS = """async ([fields, counts, most]) => {
  const {packHole, packStore} = await import("/static/js/board/stone_layout.js");
  const plain = ({r, at}) => [r, ...at.flatMap(({x, y}) => [x, y])];
  return fields.map(box => counts.map(n =>
    [plain(packHole(box, n)), plain(packStore(box, n, most, false)), plain(packStore(box, n, most, true))]));
}"""


@pytest.mark.parametrize(
    ("game", "side", "sizes"),
    [
        ("toguz", "black", (PHONE, DESK)),
        ("mangala", "white", (LYING,)),
        ("castle", "black", (PHONE,)),
        ("bestemshe", "white", (DESK,)),
    ],
)
def test_the_script_takes_the_servers_picture_over(
    table: NewTable, server: str, game: str, side: str, sizes: tuple[dict[str, Any], ...]
) -> None:
    played = Played(server, game, side, 14)
    page = table().page
    played.sit(page.context)
    for size in sizes:
        page.set_viewport_size(size["viewport"])
        page.goto(played.url)
        page.locator(PLAYABLE if played.state["legal"] else "korgool-board[data-ready]").first.wait_for()
        page.mouse.move(1, 1)  # under the mouse a hole tells more
        assert page.evaluate(SAME) == []


@pytest.mark.parametrize("case", drawn("a slow phone", [("toguz", PHONE), ("mangala", SMALL), ("mangala", DESK)]))
def test_nothing_moves_while_a_slow_phone_takes_over(
    table: NewTable, server: str, case: tuple[str, dict[str, Any]]
) -> None:
    """Layout shift, as browsers measure it, with a sixth of the processor and a slow network."""
    game, size = case
    played = Played(server, game, "white", 4)
    page = table(size).page
    played.sit(page.context)
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    slow.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 100, "downloadThroughput": 300_000, "uploadThroughput": 100_000},
    )
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 6})
    page.add_init_script(SHIFTS)
    page.goto(played.url)
    page.locator("korgool-board[data-ready]").wait_for()
    page.locator("#moves button").first.wait_for()
    # Shifts are told with the frame after them.
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.shifts") < 0.02


def test_nothing_can_be_pressed_before_the_script_has_come(table: NewTable, server: str) -> None:
    """In a bad network it comes seconds after the page: a press would be lost without a word."""
    played, held, loading = Played(server, "toguz", "white", 4), list["Route"](), True
    page = table(PHONE).page
    played.sit(page.context)
    page.route("**/bundles/play/game_page.js", lambda route: held.append(route) if loading else route.continue_())
    with page.expect_request("**/bundles/play/game_page.js"):
        page.goto(played.url, wait_until="commit")
    expect(page.get_by_role("link", name="New game")).to_be_visible()
    expect(page.locator(".table button:visible")).not_to_have_count(0)
    # a form needs no script
    expect(page.locator(".table button:not([inert], [inert] *, form button):visible")).to_have_count(0)
    expect(page.locator(".steps")).to_have_css("opacity", "0.5")
    page.locator("#settings summary").click(force=True)
    expect(page.locator("#settings")).not_to_have_attribute("open", "")
    loading = False
    for route in held:
        route.continue_()
    page.get_by_role("button", name="Resign").click()
    expect(page.get_by_text("Resign this game?")).to_be_visible()
    expect(page.locator("[inert]")).to_have_count(0)
    expect(page.locator(".steps")).to_have_css("opacity", "1")


def test_server_and_script_pack_the_same_way(table: NewTable) -> None:
    fields = [Box(3, 5, 80, 120.5), Box(0, 2.25, 90, 42), Box(7, 7, 56, 40), Box(1, 1, 430, 48), Box(10, 4, 90, 210)]
    board = table()
    page = board.page
    page.goto(f"{board.address}/")
    most = 162
    counts = [*range(41), *range(41, most, 11), most]
    found = page.evaluate(PACKS, [[{"x": b.x, "y": b.y, "w": b.w, "h": b.h} for b in fields], counts, most])
    for field, said in zip(fields, found, strict=True):
        for count, heaps in zip(counts, said, strict=True):
            ours = [pack_hole(field, count)]
            ours += [pack_store(field, count, most, backwards=back) for back in (False, True)]
            for heap, told in zip(ours, heaps, strict=True):
                places = [heap.r, *(value for point in heap.at for value in point)]
                assert all(abs(x - y) < 1e-9 for x, y in zip(places, told, strict=True)), (field, count)


def test_the_board_stands_without_scripts(table: NewTable, server: str) -> None:
    page = table(PHONE, java_script_enabled=False).page
    page.goto(Played(server, "castle").url)
    shown = page.locator("svg.board.tall")
    assert shown.is_visible()
    assert not page.locator("svg.board.wide").is_visible()
    box = shown.bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert not page.locator("#actions").is_visible()
    assert not page.locator("#settings").is_visible()
