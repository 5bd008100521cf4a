"""Hands on a keyboard: every stop of the tabulator on a page, in order, and what a reader sees of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Page

MOST_STOPS = 600
MOST_PARTS = 12
"""Stops within one field: a day and a time have seven, and a button for the calendar."""
SLACK = 2
"""Pixels by which edges may differ."""

_HERE = """() => {
  const here = document.activeElement;
  if (!here || here === document.body) return null;
  const seen = (window.korgoolSeen ??= []);
  if (!seen.includes(here)) seen.push(here);
  const boxes = [...here.getClientRects()];
  const box = boxes.find((one) => one.width && one.height) ?? here.getBoundingClientRect();
  const label = here.labels?.[0];
  const marked = [here, ...(here.closest("label")?.children ?? [])].some((one) => {
    const style = getComputedStyle(one);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  });
  const points = [[0.5, 0.5], [0.1, 0.5], [0.9, 0.5], [0.5, 0.1]];
  const clear = points.some(([x, y]) => {
    const top = document.elementFromPoint(box.x + x * box.width, box.y + y * box.height);
    return top && (here.contains(top) || label?.contains(top));
  });
  return {
    at: seen.indexOf(here),
    name: `${here.tagName} ${here.getAttribute("aria-label") ?? label?.textContent ?? here.textContent}`,
    closed: here.matches("main details:not([open]) > summary"),
    group: here.matches("[type=radio]") ? document.querySelectorAll(`[type=radio][name="${here.name}"]`).length : 0,
    marked, clear, roams: Boolean(here.closest("#keypad")),
    left: box.left + scrollX, right: box.right + scrollX, top: box.top + scrollY, bottom: box.bottom + scrollY,
  };
}"""
_MISSED = """() => {
  const seen = window.korgoolSeen ?? [];
  const all = document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, details > summary:first-of-type, [tabindex]");
  return [...all].filter((one) => one.tabIndex >= 0 && !one.disabled && !seen.includes(one)
      && one.checkVisibility({ visibilityProperty: true })
      && !one.closest(".menu form"))
    .map((one) => one.outerHTML.slice(0, 120));
}"""


@dataclass(frozen=True, slots=True)
class Stop:
    """A control under the tabulator.

    Attributes:
        at: its number among those that were come to.
        name: its element and how it is read out.
        closed: whether it opens a part that is closed.
        group: how many circles belong to it, 0 if it is none.
        marked: whether it has an outline.
        clear: whether nothing lies over it, and it is within the window.
        roams: whether it goes with the field in which one types.
        left, right, top, bottom: its edges on the page, in pixels.
    """

    at: int
    name: str
    closed: bool
    group: int
    marked: bool
    clear: bool
    roams: bool
    left: float
    right: float
    top: float
    bottom: float


def stop(page: Page) -> Stop | None:
    """Where the focus is; None outside the page."""
    found: dict[str, Any] | None = page.evaluate(_HERE)
    return None if found is None else Stop(**found | {"name": " ".join(found["name"].split())[:60]})


def walk(page: Page) -> list[Stop]:
    """Every stop from the beginning of a page to its end; what is closed is opened on the way, by Enter or Space."""
    found: list[Stop] = []
    parts = 0
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        here = stop(page)
        if here is None or (here.at == 0 and len(found) > 1):
            return found
        if here.at < len(found):
            parts += not here.roams
            assert parts < MOST_PARTS, f"a trap: {here}"
            continue
        parts = 0
        found.append(here)
        if here.closed:
            page.keyboard.press("Enter" if len(found) % 2 else "Space")
            opened = stop(page)
            assert opened is not None
            assert not opened.closed, f"not opened by a key: {here.name}"
        for _ in range(here.group - 1):
            page.keyboard.press("ArrowDown")
            circle = stop(page)
            assert circle is not None
            if circle.at == len(found):
                found.append(circle)
    raise AssertionError(f"no end after {MOST_STOPS} stops: {found[-1]}")


def back(page: Page) -> set[int]:
    """The stops from the end of a page to its beginning, by their numbers."""
    found: set[int] = set()
    last, parts = -1, 0
    for _ in range(MOST_STOPS):
        page.keyboard.press("Shift+Tab")
        here = stop(page)
        if here is None and not found:
            continue
        if here is None or (here.at in found and here.at != last):
            return found
        parts = parts + 1 if here.at == last else 0
        assert parts < MOST_PARTS, f"a trap: {here}"
        found.add(here.at)
        last = here.at
    raise AssertionError(f"no beginning after {MOST_STOPS} stops")


def missed(page: Page) -> list[str]:
    """What can be seen and used, and was not come to."""
    found: list[str] = page.evaluate(_MISSED)
    return found


def backwards(one: Stop, other: Stop) -> bool:
    """Whether a stop lies before the one that it follows: to its left on the line, or above it in its column."""
    height = min(one.bottom - one.top, other.bottom - other.top)
    if min(one.bottom, other.bottom) - max(one.top, other.top) > height / 2:
        return other.right <= one.left + SLACK
    return other.bottom <= one.top + SLACK and other.left < one.right - SLACK


def to(page: Page, selector: str) -> None:
    """Go on with the tabulator, over the end if need be, until the focus is on a control."""
    is_it = "selector => document.activeElement.matches(selector)"
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(is_it, selector):
            return
    raise AssertionError(f"no {selector} at {page.url}")
