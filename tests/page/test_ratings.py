"""Strength by rating on the page: the slider of the form, and an engine on the device that overlooks as ours does."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from korgool.engine.levels import choose, of_number, ratings_of
from korgool.engine.search import Engine
from korgool.engine.sight import plies_seen
from korgool.rules import GAMES
from tests.page.conftest import PHONE, NewTable, OpenPage
from tests.page.devices import OPEN, boards_of, game_of
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


class _Told(Random):
    """A source of chance that says what it is told."""

    def __init__(self, numbers: list[float]) -> None:
        super().__init__()
        self._numbers = iter(numbers)

    def random(self) -> float:
        return next(self._numbers)


def test_settings_and_sight_are_those_of_the_engine(open_page: OpenPage) -> None:
    random = Random("sight")
    asked = [(name, random.choice(ratings_of(rules))) for name, rules in GAMES.items() for _ in range(60)]
    asked += [(name, ratings_of(rules)[end]) for name, rules in GAMES.items() for end in (0, -1)]
    seen = [(random.random(), random.randint(1, 40), 9, 0.02 + 0.97 * random.random()) for _ in range(300)]
    levels, plies, refused = open_page().evaluate(
        """async ([asked, seen, wrong]) => {
          const { fetchLevels, levelOf, sightPlies } = await import("/static/js/device/engine_levels.js");
          const numbers = await fetchLevels("/static/levels.json");
          const refused = wrong.map((number) => {
            try { levelOf(numbers, "mangala", number); } catch (error) { return error.message; }
          });
          const levels = asked.map(([game, rating]) => levelOf(numbers, game, rating));
          return [levels, seen.map((one) => sightPlies(...one)), refused];
        }""",
        [asked, seen, [99, 9999, 500.5]],
    )
    for (name, rating), told in zip(asked, levels, strict=True):
        here = of_number(rating, GAMES[name])
        assert (told["number"], told["depth"], told["nodes"]) == (rating, None, here.nodes)
        assert told["sight"] == pytest.approx(here.sight, abs=1e-12)
    assert plies == [plies_seen(*one) for one in seen]
    lowest, highest = ratings_of(GAMES["mangala"])[0], ratings_of(GAMES["mangala"])[-1]
    assert all(f"ratings {lowest} to {highest}" in one for one in refused)


def test_the_device_picks_what_the_server_picks(open_page: OpenPage) -> None:
    """The same numbers drawn on both: the same moves, from the weakest to those who think."""
    page = open_page()
    for name in GAMES:
        picks_the_same(page, name)


def picks_the_same(page: Page, name: str) -> None:
    random = Random(name)
    assert page.evaluate(OPEN, [name, {"threads": 1}]) is None
    ratings = ratings_of(GAMES[name])
    picked = set()
    for plies in range(4, 16):
        game = game_of(name, plies)
        if game.outcome() is not None:
            break
        rating = ratings[(plies - 4) * (len(ratings) - 1) // 14]
        chances = [random.random() for _ in range(10)]
        told = page.evaluate(
            """async ([boards, level, chances]) => {
              const drawn = [...chances], usual = Math.random;
              Math.random = () => drawn.shift();
              try { return (await device.choose(boards, level)).move; } finally { Math.random = usual; }
            }""",
            [boards_of(game), rating, chances],
        )
        legal = game.position.legal_moves()
        drawn = _Told([*(chances[move] for move in legal), chances[0]])
        here = choose(Engine(game.rules, tables=None), game.position, rating, history=game.positions[:-1], random=drawn)
        assert told == here.move, (plies, rating)
        picked.add(told)
    assert len(picked) > 1


def test_a_game_by_the_slider(table: NewTable) -> None:
    board = table(PHONE)
    page = board.page
    page.goto(f"{board.address}/play")
    slider, number = page.locator("#rating-slider"), page.locator("[name=rating]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert _level(page) == "rating"
    assert number.input_value() == slider.input_value() == "850"
    page.keyboard.press("End")
    assert 0 <= ratings_of(GAMES["toguz"])[-1] - int(number.input_value()) < 50
    page.locator("[name=game][value=mangala]").check(force=True)
    assert number.input_value() == str(ratings_of(GAMES["mangala"])[-1])
    number.fill("555")
    page.locator("[name=side][value=black]").check(force=True)
    page.locator(".new-game button.primary").click()
    page.wait_for_url("**/games/*")
    assert board.state()["level"] == 555
    page.get_by_text("rating 555").first.wait_for()
    page.goto(f"{board.address}/play")
    assert (_level(page), number.input_value()) == ("rating", "555")


def test_the_slider_waits_for_the_script(table: NewTable) -> None:
    """In a bad network it comes seconds after the page: nothing moves then, and what was entered is chosen."""
    board, held, loading = table(PHONE), list["Route"](), True
    page = board.page
    page.route("**/new_game_form.js", lambda route: held.append(route) if loading else route.continue_())
    with page.expect_request("**/new_game_form.js"):
        page.goto(f"{board.address}/play", wait_until="commit")
    below, slider, number = (page.locator(one) for one in ("#rating-help", "#rating-slider", "[name=rating]"))
    page.wait_for_function("() => [...document.querySelectorAll('link[rel=stylesheet]')].every((one) => one.sheet)")
    expect(slider).to_be_visible()
    expect(slider).to_be_disabled()  # a form sent before then would not heed it
    number.fill("950")
    before = below.bounding_box()
    loading = False
    with page.expect_response("**/new_game_form.js"):
        for route in held:
            route.continue_()
    expect(slider).to_be_enabled()
    assert (_level(page), slider.input_value(), below.bounding_box()) == ("rating", "950", before)
    slider.press("ArrowLeft")
    assert number.input_value() == "900"


def test_without_scripts_a_rating_is_entered(table: NewTable) -> None:
    board = table(PHONE, java_script_enabled=False)
    page = board.page
    page.goto(f"{board.address}/play")
    expect(page.locator("#rating-slider")).to_be_hidden()
    page.locator("[name=level][value=rating]").check(force=True)
    page.locator("[name=rating]").fill("555")
    page.locator(".new-game button.primary").click()
    page.wait_for_url("**/games/*")
    expect(page.locator(".strip.far")).to_contain_text("rating 555")


def _level(page: Page) -> Any:
    return page.evaluate("[...document.querySelectorAll('[name=level]')].find((one) => one.checked)?.value")


def test_a_number_that_is_no_rating_holds_up_no_form(table: NewTable) -> None:
    board = table()
    page = board.page
    for written in ("99999", "-5", "700.5", "1e", ""):
        page.goto(f"{board.address}/play")
        page.evaluate("localStorage.clear()")  # the form begins with what was chosen before
        page.reload()
        page.locator("[name=rating]").press_sequentially(written)
        page.locator("[name=level][value='2']").check(force=True)
        assert page.evaluate("document.querySelector('form.new-game').checkValidity()"), written
        page.locator(".new-game button.primary").click()
        page.wait_for_url("**/games/*")


def test_a_link_asks_for_any_rating(table: NewTable) -> None:
    board = table()
    page = board.page
    page.goto(f"{board.address}/analysis#game=mangala&opponent=555")
    page.wait_for_function("() => document.getElementById('opponent').value === '555'")
    highest = ratings_of(GAMES["mangala"])[-1]
    page.goto(f"{board.address}/analysis?again#game=mangala&opponent=9999")
    page.wait_for_function(f"() => document.getElementById('opponent').value === '{highest}'")
    page.locator("#set-up").click()
    page.locator("#game").select_option("toguz")
    page.locator("#new").click()
    page.wait_for_function("() => document.querySelectorAll('#opponent-ratings option').length > 9")
