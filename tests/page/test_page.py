"""The page of a game: reload, tabs, languages, animation, healing, phones, no scripts."""

from __future__ import annotations

import re
import signal
from pathlib import Path
from typing import Literal

from tests.page.conftest import DESK, NewTable, start_server
from tests.page.table import PLAYABLE, Table, expect
from tests.patience import PATIENCE
from tests.ports import free_ports

SLOWER = "field => { field.value = 'slow'; field.dispatchEvent(new Event('change')); }"


def test_reload_and_second_tab(table: NewTable) -> None:
    first = table()
    first.start(clock="10+5")
    first.play(7)
    second = Table(first.page.context.new_page(), first.address)
    second.page.goto(first.page.url)
    second.ready()
    second.play()
    first.wait_for_ply(4)
    first.matches_server()
    second.matches_server()
    first.page.reload()
    first.ready()
    first.wait_for_ply(4)
    first.matches_server()
    expect(first.page.locator(".clock[data-running]")).to_have_text(re.compile(r"^\d+:\d\d"))


def test_take_back_resign_and_look_back(table: NewTable) -> None:
    board = table()
    board.start()
    undo = board.page.get_by_role("button", name="Take back")
    expect(undo).to_be_disabled()
    board.play(7)
    board.play()
    undo.click()
    expect(board.page.locator("#moves button")).to_have_count(2)
    board.matches_server()
    board.page.locator("#moves button").first.click()
    expect(board.page.locator("#back")).to_contain_text("Move 1, White")
    expect(board.hole(7)).to_have_attribute("aria-label", "hole 7, 1 stone")
    board.page.keyboard.press("Escape")
    board.matches_server()
    board.page.get_by_role("button", name="Resign").click()
    board.page.get_by_role("button", name="Play on", exact=True).click()
    assert board.state()["outcome"] is None
    board.page.get_by_role("button", name="Resign").click()
    board.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(board.page.get_by_role("heading", name="Kulun wins")).to_be_visible()
    expect(board.page.locator("#outcome")).to_contain_text("White resigned")
    board.page.goto(f"{board.address}/")
    recent = board.page.get_by_role("region", name="Your games")
    expect(recent.get_by_role("listitem")).to_contain_text(re.compile(r"0 \(\d+\) - 1 \(\d+\)"))


def test_watcher_sees_and_cannot_act(table: NewTable) -> None:
    player, watcher = table(), table()
    player.start()
    watcher.page.goto(player.page.url)
    watcher.ready()
    assert watcher.page.locator(PLAYABLE).count() == 0
    expect(watcher.page.get_by_role("button", name="Resign")).to_be_hidden()
    player.play(7)
    watcher.wait_for_ply(2)
    watcher.matches_server()


def test_events_during_an_animation_do_not_corrupt(table: NewTable) -> None:
    board = table()
    board.start()
    board.play()
    board.page.locator("#speed").evaluate(SLOWER)
    board.page.clock.install()
    board.page.clock.pause_at(board.page.evaluate("Date.now()") + 5_000)  # from here on time goes as the test says
    moving = board.page.locator("korgool-board[data-moving]")
    board.press(board.best())
    for width in (1000, 1080):  # the player's stones move, then the engine's
        while not moving.count():
            board.page.clock.run_for(100)
        board.page.set_viewport_size({"width": width, "height": 760})
        assert moving.count() == 1
        ply = board.plies()
        while board.plies() == ply:
            board.page.clock.run_for(100)
    board.page.clock.resume()
    board.page.get_by_role("button", name="Take back").click()
    expect(board.page.locator("#moves button")).to_have_count(2)
    board.matches_server()


def test_reduced_motion_means_no_animation(table: NewTable) -> None:
    board = table(reduced_motion="reduce")
    board.start(speed="slow")
    board.page.evaluate(
        """() => {
          window.moved = 0;
          new MutationObserver(() => { window.moved += 1; }).observe(
            document.querySelector("svg.board .hand"), {childList: true, attributes: true});
        }"""
    )
    board.play(7)
    assert board.page.evaluate("window.moved - document.querySelectorAll('svg.board .hand > *').length") <= 4
    assert board.page.locator("korgool-board[data-moving]").count() == 0
    board.matches_server()


def test_languages(table: NewTable) -> None:
    board = table(locale="ky-KG")
    board.start()
    expect(board.page.locator("html")).to_have_attribute("lang", "ky")
    expect(board.page.get_by_role("button", name="7-үй, 9 коргоол", exact=True)).to_be_visible()
    board.page.locator(".languages summary").click()
    board.page.get_by_role("button", name="Русский").click()
    board.ready()
    expect(board.page.locator("html")).to_have_attribute("lang", "ru")
    expect(board.page.get_by_role("button", name="лунка 7, 9 коргоолов", exact=True)).to_be_visible()
    board.page.keyboard.press("7")
    expect(board.page.locator("#spoken")).to_contain_text(re.compile("Белые: лунка 7, 9 коргоолов, берёт 10"))


def test_without_scripts(table: NewTable) -> None:
    board = table(java_script_enabled=False)
    page = board.page
    page.goto(f"{board.address}/")
    page.get_by_role("link", name="Other game").click()
    page.locator("label:has(input[value=bestemshe])").click()
    page.get_by_role("button", name="Start the game").click()
    for turn in range(3):
        expect(page.locator("korgool-board svg.board:visible")).to_have_count(1)
        hole = page.get_by_role("button", name=re.compile(r"^hole \d, ")).first
        hole.click()
        expect(page.locator("#moves")).to_contain_text(f"{turn + 1}. ")
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="Resign").click()
    expect(page.locator("#outcome")).to_contain_text(re.compile(r"0 \(\d+\) - 1 \(\d+\)"))


def test_error_pages(table: NewTable) -> None:
    board = table(java_script_enabled=False, locale="tr")
    page = board.page
    answer = page.request.get(
        f"{board.address}/games/nothing", headers={"accept": "text/html", "accept-language": "tr"}
    )
    assert answer.status == 404
    assert "Burada bir şey yok" in answer.text()
    assert "Traceback" not in answer.text()


def test_killed_server_heals(table: NewTable, tmp_path: Path) -> None:
    (port,) = free_ports(1)
    process, address = start_server(tmp_path, port)
    try:
        board = table(DESK, address=address, expected="ERR_CONNECTION_REFUSED|closed before")
        board.start()
        board.play(7)
        hole = board.best()
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
        board.press(hole)
        expect(board.page.locator("#connection")).to_be_visible()
        process, _ = start_server(tmp_path, port)
        expect(board.page.locator("#connection:not([data-calm])")).to_be_hidden()
        board.wait_for_ply(4)  # what was played meanwhile is sent again; the same hole need not be playable twice
        board.wait_for_turn()
        assert [move["hole"] for move in board.state()["moves"]][2] == hole
        board.play()
        board.matches_server()
    finally:
        process.kill()
        process.wait(PATIENCE)


def test_keys_in_fields_play_nothing(table: NewTable) -> None:
    board = table()
    board.start()
    board.page.locator("#settings summary").click()
    board.page.locator("#speed").focus()
    board.page.keyboard.press("7")
    board.page.locator("body").click(position={"x": 5, "y": 400})
    board.page.keyboard.press("0")
    assert board.state()["moves"] == []


PAIRS = [".brand", ".home .what", ".home .tabs a:not([aria-current])", ".home .tabs [aria-current]", ".caption .note"]
PAIRS += [".way.primary strong", ".way.primary small", "a.way strong", "a.way small"]
PAIRS += [".others a", ".cards h2", ".cards p", ".cards .on a"]
SHEET = [".games small", "legend", ".levels small", ".button.primary", ".choice input:checked + span"]
PLAYING = [".name", ".level", ".quiet", "#resign", ".more summary", ".clock", ".side", ".game-title"]
SCHEMES: tuple[Literal["light"], Literal["dark"]] = ("light", "dark")
CONTRAST = """selector => {
  const parts = colour => colour.match(/[\\d.]+/g).map(Number);
  const light = colour => parts(colour).slice(0, 3).map(v => v / 255)
    .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const element = document.querySelector(selector);
  let ground = element;
  while (ground && (parts(getComputedStyle(ground).backgroundColor)[3] ?? 1) < 1) ground = ground.parentElement;
  const colours = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor];
  if (selector.startsWith(".board ")) {
    colours[0] = getComputedStyle(element).fill;
    colours[1] = getComputedStyle(document.querySelector(".wood-a")).stopColor;
  }
  const [low, high] = colours.map(light).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""


def test_text_is_legible(table: NewTable) -> None:
    """Contrast of at least 4.5 : 1 (WCAG 2, AA)."""
    board = table()
    page = board.page

    def legible(selectors: list[str]) -> None:
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # no colour halfway to the next
            for selector in selectors:
                assert page.evaluate(CONTRAST, selector) >= 4.5, (scheme, selector)

    page.goto(f"{board.address}/")
    legible(PAIRS)
    page.locator("#other-game").click()
    legible([f".sheet[open] {selector}" for selector in SHEET])
    board.start(clock="30+0")
    legible([*PLAYING, ".board .label"])


def test_settings_last_and_stones_sound(table: NewTable) -> None:
    board = table()
    board.start_by_form(level=2, speed="normal")
    board.page.locator("#settings summary").click()
    board.page.get_by_label("Sound of the stones").check()
    board.page.get_by_label("Speed of the stones").select_option("fast")
    board.hole(7).click()
    board.wait_for_ply(2)
    board.page.reload()
    board.ready()
    board.page.locator("#settings summary").click()
    expect(board.page.get_by_label("Sound of the stones")).to_be_checked()
    expect(board.page.get_by_label("Speed of the stones")).to_have_value("fast")
    board.page.goto(f"{board.address}/")
    expect(board.page.locator(".way:has(#play-now)")).to_contain_text("Tai · ")
    expect(board.page.locator(".new-game input[name=level][value='2']")).to_be_checked()


def test_silent_line_is_noticed(table: NewTable) -> None:
    """A socket that stays open and says nothing, as behind some proxies: the page asks by itself."""
    board = table()
    board.page.route_web_socket(re.compile("/live"), lambda socket: None)
    board.start()
    board.page.keyboard.press("7")
    board.wait_for_ply(2)
    board.wait_for_turn()
    board.matches_server()


def test_graph_and_list_lead_to_positions(table: NewTable) -> None:
    board = table()
    board.start("bestemshe")
    board.play()
    board.play()
    board.page.get_by_role("button", name="Resign").click()
    board.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    graph = board.page.locator("#graph svg")
    box = graph.bounding_box()
    assert box is not None
    graph.click(position={"x": box["width"] * 0.12, "y": box["height"] / 2})
    expect(board.page.locator("#back")).to_contain_text("Start")
    for hole in range(1, 6):
        expect(board.hole(hole)).to_have_attribute("aria-label", f"hole {hole}, 5 stones")
    board.page.get_by_role("button", name="Back to the game").click()
    board.matches_server()
