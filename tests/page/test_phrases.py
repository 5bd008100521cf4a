"""Two players and a watcher in browsers: what they say to each other, and who is away, by the parts of the game's page.

The parts stand on a page of their own with a real connection to a real server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from korgool.app.server.http.responses import templates
from korgool.app.server.http.template_texts import words
from korgool.languages import translations
from tests.page.conftest import DESK, PHONE
from tests.page.table import expect
from tests.server.slow_games import people, stored
from tests.server.support import Server, Visitor, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

GAMES = 5
"""One for each test."""
PAGE = """<!doctype html><html lang="{{ language }}"><head><meta charset="utf-8"><title>Korgool</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/css/page.css"><link rel="stylesheet" href="/static/css/game.css">
</head><body class="playing"><main style="padding-top: 60vh"><h1>Korgool</h1>
{% include "game_away.html" %}{% include "game_phrases.html" %}<p id="connection" hidden></p>
<div class="hidden" id="spoken" role="log" aria-live="polite"></div></main>
<script type="application/json" id="words">{{ words_json | safe }}</script>
<script type="module">
import { applyVacation, VacationLines } from "/static/js/play/vacations.js";
import { PresetPhrases } from "/static/js/play/preset_phrases.js";
import { StatusBar } from "/static/js/play/status_bar.js";
const state = {{ state_json | safe }};
window.heard = [];
window.pressed = [];
document.addEventListener("keydown", ({ key }) => pressed.push(key));
const socket = new WebSocket(`ws://${location.host}/api/games/${state.id}/live`);
const send = (phrase) => socket.send(JSON.stringify({ do: "say", phrase, id: String(heard.length) }));
const statusBar = new StatusBar(document.getElementById("connection"));
const phrases = new PresetPhrases({ currentState: () => state, send, tell: (text) => statusBar.phrase(text) });
const away = new VacationLines(() => Date.now());
away.show(state);
socket.onmessage = ({ data }) => {
  const said = JSON.parse(data);
  heard.push(said);
  if (said.kind === "phrase") phrases.receive(said);
  if (said.kind !== "vacation") return;
  state.away = applyVacation(state.away, said);
  away.show(state);
  away.announce(state, said);
};
</script></body></html>"""


class Place:
    """A server with slow games, and their players.

    Attributes:
        game: the one that a test looks at. In the game of another test the players might have said something a moment
            ago, and nothing more would be heard for two seconds.
        html: the last page.
    """

    game = html = ""

    def __init__(self, server: Server, ann: Visitor, bob: Visitor, games: list[str]) -> None:
        self.server, self.ann, self.bob, self.games = server, ann, bob, games
        self.contexts: list[BrowserContext] = []

    def page(self, browser: Browser, who: Visitor, language: str = "en", size: dict[str, Any] = DESK) -> Page:
        """A page of somebody, with errors reported."""
        state = who.state(self.game)
        html = templates().from_string(PAGE).render(words(language), state=state, state_json=json.dumps(state))
        context = browser.new_context(
            service_workers="block", timezone_id="Asia/Bishkek", bypass_csp=True, base_url=self.server.url, **size
        )
        self.contexts.append(context)
        jar = who.client.cookies.jar
        context.add_cookies([{"name": one.name, "value": one.value or "", "url": self.server.url} for one in jar])
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        self.show(page, html)
        self.html = html
        return page

    def show(self, page: Page, html: str) -> None:
        """Show the parts on an empty page of the server: its connections are those of the site itself."""
        page.goto("/healthz")
        page.set_content(html)
        page.wait_for_function("() => window.heard?.some(({ kind }) => kind === 'state')")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("phrases")
    with running(folder) as server:
        ann, bob = Visitor(server), Visitor(server)
    games = stored(folder, *[people(ann.identity, bob.identity)] * GAMES)
    with running(folder) as server:
        ann.move_to(server)
        bob.move_to(server)
        made = Place(server, ann, bob, games)
        yield made
        for context in made.contexts:
            context.close()
        assert "Traceback" not in server.stop()


@pytest.fixture
def place(served: Place) -> Place:
    served.game = served.games.pop()
    return served


def test_by_keyboard_and_by_touch(browser: Browser, place: Place) -> None:
    """Both read it in their own language, on every page of theirs; no key of the menu reaches the page."""
    ann = place.page(browser, place.ann)
    bob = place.page(browser, place.bob, "ky", PHONE | {"reduced_motion": "reduce"})
    button = ann.get_by_role("button", name="Say something")
    expect(ann.get_by_role("menu")).to_be_hidden()
    button.focus()
    ann.keyboard.press("ArrowDown")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(ann.get_by_role("menuitem", name="Hello!")).to_be_focused()
    for key, name in (("ArrowUp", "Do not show"), ("ArrowUp", "Goodbye!"), ("Home", "Hello!"), ("w", "Well played!")):
        ann.keyboard.press(key)
        expect(ann.locator(":focus")).to_have_text(re.compile(f"^{name}"))
    ann.keyboard.press("Escape")
    expect(ann.get_by_role("menu")).to_be_hidden()
    expect(button).to_be_focused()
    assert ann.evaluate("() => pressed") == []
    ann.keyboard.press("ArrowUp")
    ann.keyboard.press("ArrowUp")
    ann.keyboard.press("Enter")
    expect(button).to_be_focused()
    expect(ann.locator("#connection")).to_have_text("You: Goodbye!")
    goodbye = translations("ky").gettext("Goodbye!")
    assert goodbye != "Goodbye!"
    expect(bob.locator("#connection")).to_have_text(re.compile(goodbye))
    expect(bob.locator("#spoken p")).to_have_text([re.compile(goodbye)])
    assert bob.evaluate("() => [document.documentElement.scrollWidth, innerWidth]") == [360, 360]
    bob.locator("#say-something").tap()
    menu = bob.locator("#phrase-menu").bounding_box()
    assert menu is not None
    assert menu["x"] >= 0
    assert menu["x"] + menu["width"] <= 360
    heights = "items => items.map(item => item.getBoundingClientRect().height)"
    assert min(bob.locator("#phrase-menu button").evaluate_all(heights)) >= 44
    bob.locator("[data-phrase=thanks]").tap()
    expect(ann.locator("#connection")).to_have_text("The opponent: Thank you!")
    expect(ann.locator("#spoken p").last).to_have_text("The opponent: Thank you!")
    bob.locator("#say-something").tap()
    expect(bob.locator("[data-phrase=nice]")).to_have_attribute("aria-disabled", "true")
    expect(bob.locator("[data-phrase=nice]")).to_have_attribute("aria-disabled", "false")
    bob.mouse.click(5, 5)
    expect(bob.locator("#phrase-menu")).to_be_hidden()
    # What the opponent has just said goes away with the first press of the mute.
    button.click()
    ann.get_by_role("menuitemcheckbox").click()
    assert ann.locator("#connection").is_hidden()


def test_a_muted_opponent_is_neither_shown_nor_announced(browser: Browser, place: Place) -> None:
    ann = place.page(browser, place.ann)
    again = place.html
    bob = place.page(browser, place.bob)
    ann.get_by_role("button", name="Say something").click()
    ann.get_by_role("menuitemcheckbox").click()
    expect(ann.get_by_role("menuitemcheckbox")).to_be_checked()
    place.show(ann, again)
    bob.get_by_role("button", name="Say something").click()
    bob.get_by_role("menuitem", name="Nice move!").click()
    ann.wait_for_function("() => heard.some(({ kind }) => kind === 'phrase')")
    expect(ann.locator("#connection")).to_be_hidden()
    expect(ann.locator("#spoken p")).to_have_count(0)
    ann.get_by_role("button", name="Say something").click()
    expect(ann.get_by_role("menuitemcheckbox")).to_be_checked()
    ann.get_by_role("menuitem", name="Thank you!").click()
    expect(ann.locator("#connection")).to_have_text("You: Thank you!")


def test_watchers_have_no_menu_and_hear_nothing(browser: Browser, place: Place) -> None:
    ann, watcher = place.page(browser, place.ann), place.page(browser, Visitor(place.server))
    expect(watcher.locator("#phrases")).to_be_hidden()
    ann.get_by_role("button", name="Say something").click()
    ann.get_by_role("menuitem", name="Hello!").click()
    ann.wait_for_function("() => heard.some(({ ack, refused }) => ack ?? refused)")
    assert watcher.evaluate("() => heard.some(({ kind }) => kind === 'phrase')") is False


def test_who_is_away_is_shown_in_the_readers_time(browser: Browser, place: Place) -> None:
    ann, bob, watcher = (place.page(browser, who) for who in (place.ann, place.bob, Visitor(place.server)))
    line = "#away-white"
    expect(bob.locator(line)).to_be_hidden()
    home = ann.context.new_page()
    home.goto(f"{place.server.url}/games")
    home.locator("select[name=days]").select_option("2")
    home.get_by_role("button", name="Begin a vacation").click()
    expect(home.get_by_role("region", name="Vacation")).to_contain_text("You are away until")
    until = place.ann.state(place.game)["away"]["white"]
    shown = home.evaluate(
        """ms => new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "Asia/Bishkek" })
          .format(ms)""",
        until,
    )
    expect(home.locator("time.moment")).to_have_text(shown)
    expect(ann.locator(line)).to_have_text(f"You are away until {shown}.")
    expect(bob.locator(line)).to_have_text(f"The opponent is away until {shown}.")
    expect(watcher.locator(line)).to_have_text(f"White is away until {shown}.")
    expect(bob.locator("#spoken p").last).to_have_text(f"The opponent is away until {shown}.")
    later = place.page(browser, place.bob)
    expect(later.locator(line)).to_have_text(f"The opponent is away until {shown}.")
    home.get_by_role("button", name="End the vacation").click()
    expect(bob.locator(line)).to_be_hidden()
    expect(bob.locator("#spoken p").last).to_have_text("The opponent is back.")
    expect(home.get_by_role("button", name="Begin a vacation")).to_be_visible()


def test_a_moment_is_readable_where_the_browser_does_not_know_the_months(browser: Browser, place: Place) -> None:
    page = place.page(browser, place.ann)
    said = page.evaluate(
        """async () => {
          const { momentText } = await import("/static/js/site/local_times.js");
          return Object.fromEntries(["en", "ky", "kk", "ru", "tr"].map((language) => {
            document.documentElement.lang = language;
            return [language, momentText(Date.UTC(2026, 11, 3, 8, 5))];
          }));
        }"""
    )
    assert said["en"].startswith("Dec 3, 2026")
    for text in said.values():
        assert re.search(r"\bM\d", text) is None, text
        assert "3" in text
        assert "26" in text
