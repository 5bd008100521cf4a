"""The map of the site, the settings and the look: nothing is cut in any language, and a choice holds on every page."""

from __future__ import annotations

import unicodedata

import pytest
from playwright.sync_api import Browser, Page, expect

from korgool.app.server.http.appearance import APPEARANCE
from korgool.languages import LANGUAGES, translations
from tests.page.conftest import DESK, NewTable
from tests.page.table import Table

SMALL = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
AREAS = {"/": "Play", "/learn": "Learn", "/watch": "Watch", "/events": "Events", "/analysis": "Analyse"}
CUT = """() => {
  const SEEN = ".top, .map, .map a, .map span, .mine > *, .mine span, .foot a, h1, .button, .choice span";
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is wider than the screen");
  for (const one of document.querySelectorAll(SEEN)) {
    const {left, right, top, bottom, width} = one.getBoundingClientRect();
    if (!width || getComputedStyle(one).clipPath !== "none") continue;
    const name = `${one.className || one.tagName} "${one.textContent.trim().slice(0, 40)}"`;
    const inline = getComputedStyle(one).display === "inline";
    if (one.scrollWidth > one.clientWidth + 1 && !inline) wrong.push(`${name} is cut`);
    if (left < -0.5 || right > innerWidth + 0.5) wrong.push(`${name} leaves the screen`);
    if (one.closest(".map") && (bottom > innerHeight + 0.5 || top < 0)) wrong.push(`${name} leaves the bar`);
    const target = one.matches(".map a, .mine > a, .mine summary");
    const least = Math.min(44, innerWidth / 5 - 1);
    if (target && (bottom - top < 44 || right - left < least)) wrong.push(`${name} is small`);
  }
  return wrong;
}"""
LARGE = "() => { document.documentElement.style.fontSize = '200%'; }"
MISSING = """letters => {
  const pen = document.createElement("canvas").getContext("2d");
  const width = (font, letter) => { pen.font = `700 40px ${font}`; return pen.measureText(letter).width; };
  return document.fonts.load("700 40px Bitter", letters).then(() => [...letters].filter(letter => {
    const own = ["serif", "sans-serif", "monospace"].map(other => width(`Bitter, ${other}`, letter));
    return new Set(own).size > 1;
  }));
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut(table: NewTable, language: str) -> None:
    """All five areas from every page in one tap, at 360 px, with text at 200 %, and on a desk."""
    text = translations(language).gettext
    phone = table(SMALL, locale=language)
    for path in ("/settings", "/lobby", "/about"):
        phone.page.goto(phone.address + path)
        bar = phone.page.get_by_role("navigation", name=text("Areas"))
        assert [link.get_attribute("href") for link in bar.get_by_role("link").all()] == list(AREAS)
        for title in AREAS.values():
            expect(bar.get_by_role("link", name=text(title), exact=True)).to_be_in_viewport(ratio=1)
        assert phone.page.evaluate(CUT) == [], path
        phone.page.evaluate(LARGE)
        assert phone.page.evaluate(CUT) == [], f"{path} with large text"
    phone.page.set_viewport_size({"width": 180, "height": 320})
    phone.page.goto(f"{phone.address}/settings")
    assert phone.page.evaluate(CUT) == []
    phone.page.set_viewport_size({"width": 1366, "height": 657})
    phone.page.reload()
    assert phone.page.evaluate(CUT) == []
    top = phone.page.locator(".top").bounding_box()
    assert top is not None
    assert top["height"] == 56
    phone.page.evaluate(LARGE)
    assert phone.page.evaluate(CUT) == []


def test_areas_are_marked(table: NewTable) -> None:
    page = table(DESK).page
    address = table(DESK).address
    for path, area in {"/": "Play", "/rules/toguz": "Learn", "/players": "Watch", "/events": "Events"}.items():
        page.goto(address + path)
        expect(page.locator(".map [aria-current]")).to_have_text(area)


def test_font_has_every_letter(table: NewTable) -> None:
    """A letter that the font has not takes its width from the font behind it."""
    page = table(DESK).page
    page.goto(f"{table(DESK).address}/about")
    texts = "".join(str(text) for code in LANGUAGES for text in translations(code)._catalog.values())  # type: ignore[attr-defined]
    texts += "".join(LANGUAGES.values())
    letters = {letter for letter in texts if unicodedata.category(letter)[0] in "LN"}
    assert len(letters) > 140
    assert page.evaluate(MISSING, "".join(sorted(letters))) == []
    assert page.evaluate(MISSING, "λ") == ["λ"]


def looks(page: Page) -> dict[str, str]:
    """The choices at the root element of a page."""
    found: dict[str, str] = page.evaluate("() => ({...document.documentElement.dataset})")
    return found


def test_a_choice_holds_on_every_page(browser: Browser, table: NewTable) -> None:
    page = table(SMALL).page
    address = table(SMALL).address
    page.goto(f"{address}/settings")
    assert looks(page) == {}
    light = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    for name, values in APPEARANCE.items():
        page.locator(f'input[name="{name}"][value="{values[-1]}"]').check()
    chosen = {name: values[-1] for name, values in APPEARANCE.items()}
    assert looks(page) == chosen
    assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") != light
    expect(page.locator("#stored")).to_have_text("Stored.")
    page.locator("#sound").uncheck()
    page.locator("#speed").select_option("fast")
    # Where the browser has dropped the cookies of scripts, the next page writes them again.
    page.context.clear_cookies()
    page.reload()
    assert looks(page) == chosen
    kept = {it["name"]: it["value"] for it in page.context.cookies(address)}
    assert {name: kept.get(f"look_{name}") for name in chosen} == chosen
    for name, value in chosen.items():
        assert page.locator(f'input[name="{name}"]:checked').input_value() == value
    assert not page.locator("#sound").is_checked()
    game = Table(page, address)
    game.start(speed="fast")
    assert looks(page) == chosen
    assert not page.locator("#sound").is_checked()
    assert page.locator("#speed").input_value() == "fast"
    page.goto(f"{address}/settings")
    page.locator('input[name="theme"][value="system"]').check()
    page.goto(f"{address}/about")
    assert "theme" not in looks(page)


def test_a_sound_that_is_turned_on_is_heard(table: NewTable) -> None:
    """Although none was wanted when it was pressed. Alerts of a turn depend on the game until one is chosen."""
    page = table(SMALL).page
    page.add_init_script(
        """window.tones = 0;
        if (origin !== "null") localStorage.setItem("korgool.sound", "off");
        const start = AudioScheduledSourceNode.prototype.start;
        AudioScheduledSourceNode.prototype.start = function (...at) { tones += 1; return start.apply(this, at); };"""
    )
    page.goto(f"{table(SMALL).address}/settings")
    assert page.locator("#chime, #vibration").evaluate_all("all => all.map(one => one.indeterminate)") == [True, True]
    page.locator("#sound").check()
    assert page.evaluate("tones") == 1
    page.locator("#chime").check()
    assert page.evaluate("tones") == 3
    assert page.locator("#chime, #vibration").evaluate_all("all => all.map(one => one.indeterminate)") == [False, True]


def test_server_makes_pages_as_chosen(table: NewTable) -> None:
    """Before any script runs, so that nothing flashes; what is no choice is ignored."""
    page = table(DESK, java_script_enabled=False).page
    address = table(DESK).address
    page.context.add_cookies(
        [{"name": "look_theme", "value": "dark", "url": address}, {"name": "look_board", "value": '"x', "url": address}]
    )
    page.goto(f"{address}/about")
    html = page.locator("html")
    assert html.get_attribute("data-theme") == "dark"
    assert html.get_attribute("data-board") is None
