"""A walk through the states of the site, as a designer looks at them: in every language, on five screens, by day and by
night, and with text twice as large. The message of each lies inside the first screen, nothing is cut, targets are large
enough, and axe finds nothing. Where KORGOOL_TEST_PICTURES names a folder, the pictures are kept there.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from korgool.languages import LANGUAGES
from tests.conftest import SEED
from tests.page.conftest import NewTable, start_server
from tests.page.states import STATES, State, Visit
from tests.page.test_axe import violations_here
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Page

SCREENS = [(360, 640), (390, 844), (768, 1024), (1366, 657), (1920, 1080)]
LOOKED_AT = {(360, 640), (1366, 657)}
"""The screens on which axe looks too."""
TWICE = "() => { document.documentElement.style.fontSize = '200%'; }"
ONCE = "() => { document.documentElement.style.fontSize = ''; }"
FAULTS = """screen => {
  const faults = [];
  const name = one => `<${one.tagName.toLowerCase()} class="${one.getAttribute("class") ?? ""}" id="${one.id}"> ` +
    `"${(one.getAttribute("aria-label") ?? one.textContent ?? "").trim().slice(0, 40)}"`;
  // A phone shows a page that is too wide smaller, and says then that its window is wider.
  const wide = Math.max(document.documentElement.scrollWidth, innerWidth) - screen;
  if (wide > 0) faults.push(`the page is ${wide} px wider than the screen`);
  const shown = one => one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) &&
    getComputedStyle(one).clipPath === "none" && one.getClientRects().length > 0 &&
    !one.closest("[aria-hidden=true], .skip, .hidden");
  const scrolls = one => /auto|scroll/.test(getComputedStyle(one).overflowX);
  const inScroller = one => one.parentElement && (scrolls(one.parentElement) || inScroller(one.parentElement));
  const root = document.querySelector("dialog:modal") ?? document.body;
  for (const one of [...root.querySelectorAll("*")].filter(one => one instanceof HTMLElement && shown(one))) {
    const style = getComputedStyle(one);
    const {left, right, width, height} = one.getBoundingClientRect();
    if (width <= 1) continue;
    const text = [...one.childNodes].some(part => part.nodeType === 3 && part.textContent.trim());
    const clips = style.overflowX !== "visible" && style.textOverflow !== "ellipsis" && style.display !== "inline";
    if (text && clips && !scrolls(one) && one.scrollWidth > one.clientWidth + 1) faults.push(`${name(one)} is cut`);
    const counts = text || one.matches("button, a, input, select");
    if (counts && (left < -1 || right > innerWidth + 1) && !inScroller(one)) {
      faults.push(`${name(one)} leaves the screen`);
    }
    const target = one.matches("button, summary, select, input:not([type=hidden], [type=range]), a[href]");
    const inText = style.display === "inline" || one.closest("label, td, pre") || one.matches(".hole-button");
    if (target && !inText && innerWidth <= 400 && (height < 43.5 || width < 43.5)) {
      faults.push(`${name(one)} is ${Math.round(width)} × ${Math.round(height)}`);
    }
  }
  return faults;
}"""
LOUD = """() => {
  const probe = Object.assign(document.createElement("i"), {className: "button primary"});
  document.body.append(probe);
  const fill = getComputedStyle(probe).backgroundColor;
  probe.remove();
  const root = document.querySelector("dialog:modal") ?? document.body;
  return [...root.querySelectorAll(".primary")].filter(one => {
    const {top, bottom} = one.getBoundingClientRect();
    return one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true}) && bottom > 0 && top < innerHeight &&
      getComputedStyle(one).backgroundColor === fill;
  }).map(one => one.textContent.trim());
}"""
"""The texts of the buttons that stand out on the screen."""
PALE = """() => {
  const channels = colour => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = colour => channels(colour).slice(0, 3).map(part => part / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, at) => sum + part * [0.2126, 0.7152, 0.0722][at], 0);
  const contrast = (one, other) => {
    const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const clear = colour => (channels(colour)[3] ?? 1) === 0;
  const behind = one => {
    for (let at = one.parentElement; at; at = at.parentElement) {
      const {backgroundColor, backgroundImage} = getComputedStyle(at);
      if (backgroundImage !== "none") return null;
      if (!clear(backgroundColor)) return backgroundColor;
    }
    return getComputedStyle(document.body).backgroundColor;
  };
  const controls = document.querySelectorAll("input, select, textarea, button, a.button, summary.button, .choice span");
  return [...controls].flatMap(one => {
    const {borderTopWidth, borderLeftWidth, borderTopStyle, borderTopColor, backgroundColor} = getComputedStyle(one);
    const off = one.matches(":disabled, [aria-disabled=true], :disabled + *, [inert] *, [type=range], " +
      "[type=checkbox], [type=radio]");
    const framed = parseFloat(borderTopWidth) && parseFloat(borderLeftWidth);
    const bordered = framed && borderTopStyle !== "none" && !clear(borderTopColor);
    if (off || !bordered || !one.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})) return [];
    const ground = behind(one);
    const seen = ground === null ? 3 : Math.max(contrast(borderTopColor, ground), contrast(backgroundColor, ground));
    return seen >= 2.99 ? [] : [`the border of ${one.outerHTML.slice(0, 80)} has ${seen.toFixed(2)} : 1`];
  });
}"""
"""The controls whose borders are less than 3 : 1 against what they lie on."""
INSIDE = """one => {
  const {top, bottom} = one.getBoundingClientRect();
  const bar = document.querySelector("dialog:modal") ? null : document.querySelector(".map");
  const fixed = bar && getComputedStyle(bar).position === "fixed" && getComputedStyle(bar).display !== "none";
  return {top: Math.round(top), bottom: Math.round(bottom), floor: innerHeight - (fixed ? bar.offsetHeight : 0)};
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of its own, without limits: the walk begins as many games as a school class."""
    process, address = start_server(tmp_path_factory.mktemp("walk"), 0, "--limits", "off")
    yield address
    process.terminate()
    process.wait(PATIENCE)


def pictured(page: Page, name: str) -> None:
    """Keep a picture, if somebody wants to look at it."""
    if folder := os.environ.get("KORGOOL_TEST_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png")


def looked_at(page: Page, state: State, screen: tuple[int, int], look: str, language: str) -> list[str]:
    """What is wrong with a state in one look."""
    width, height = screen
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme="dark" if look == "dark" else "light", reduced_motion="reduce")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    large = look == "large"
    if not large:
        page.evaluate("() => scrollTo(0, 0)")
    faults: list[str] = page.evaluate(FAULTS, width)
    if look != "large":
        faults += page.evaluate(PALE)
    if len(loud := page.evaluate(LOUD)) > 1:
        faults.append(f"several buttons stand out: {loud}")
    message = page.locator(state.message).first
    seen = message.evaluate(INSIDE)
    if not large and (seen["top"] < -1 or min(seen["bottom"], seen["top"] + 44) > seen["floor"] + 1):
        faults.append(f"its message, {state.message}, lies at {seen}")
    if look != "large" and screen in LOOKED_AT:
        faults += violations_here(page)
    pictured(page, f"{state.name}-{width}-{look}-{language}")
    return [f"{language} {width} × {height} {look}: {fault}" for fault in faults]


def walked(table: NewTable, address: str, state: State, language: str) -> list[str]:
    """What is wrong with a state in a language, in all looks."""
    page = state.make(Visit(table, address, language))
    if state.passing:
        return looked_at(page, state, SCREENS[0], "light", language)
    faults: list[str] = []
    for screen, look in [*product(SCREENS, ("light", "dark")), ((360, 640), "large")]:
        if look == "dark" and screen not in LOOKED_AT:
            continue
        if look == "large":
            page.evaluate(TWICE)
        faults += looked_at(page, state, screen, look, language)
    page.evaluate(ONCE)
    return faults


DEALT = Random(f"walk {SEED}").sample(STATES, 6)


@pytest.mark.parametrize("state", DEALT, ids=lambda state: state.name)
def test_a_few_states(table: NewTable, address: str, state: State) -> None:
    language = Random(f"{state.name} {SEED}").choice(list(LANGUAGES))
    assert not (faults := walked(table, address, state, language)), "\n".join(faults[:30])


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("state", STATES, ids=lambda state: state.name)
def test_every_state(table: NewTable, address: str, state: State, language: str) -> None:
    assert not (faults := walked(table, address, state, language)), "\n".join(faults[:30])
