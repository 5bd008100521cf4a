"""Make the pictures in the README, in Chromium: the first page, the analysis board, and the desk of an event.

Usage: .venv/bin/python docs/screenshot.py    needs the `test` extra and a Chromium on the path.
"""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

from pictures import browsing, prepare, served, visitor
from PIL import Image
from playwright.sync_api import Browser, BrowserContext

DOCS = Path(__file__).parent
DESK: dict[str, Any] = {"viewport": {"width": 1180, "height": 700}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 700}, "has_touch": True, "is_mobile": True}
STUDIED = "/analysis#game=toguz&moves=7,9,6,8,1,7,2,7,4,3,9,9,1,1,7,1,2,3,7,8,3,6,1,7&ply=24"
"""The first twelve moves of a game."""
MARGIN = 24
GROUND = "#e5d8c0"


def main() -> None:
    """Start a server, fill it, and take the pictures."""
    with browsing() as browser, tempfile.TemporaryDirectory() as data, served(Path(data)) as address:
        desk, phone = first_page(browser, address, DESK), first_page(browser, address, PHONE)
        save("screenshot", beside(desk, phone))
        official, friend = visitor(browser, address), visitor(browser, address)
        event = prepare(Path(data), address, official, friend)["event_id"]
        save("screenshot-analysis", page(official, STUDIED, "#lines li button"))
        save("screenshot-event", page(official, f"/events/{event}/desk/round/2", "main"))


def first_page(browser: Browser, address: str, screen: dict[str, Any]) -> Image.Image:
    """The first page on a screen, looked at for the second time: the letters of its headings are there then."""
    page = browser.new_page(locale="en", service_workers="block", reduced_motion="reduce", **screen)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.reload()
    page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture.convert("RGB")


def page(context: BrowserContext, address: str, ready: str) -> Image.Image:
    """A page on a desk, when this part of it is there and the engine has looked for two seconds."""
    page = context.new_page()
    page.set_viewport_size(DESK["viewport"])
    page.goto(address)
    page.locator(ready).first.wait_for()
    page.wait_for_timeout(2000)
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture.convert("RGB")


def beside(left: Image.Image, right: Image.Image) -> Image.Image:
    """Both pictures on one ground."""
    whole = Image.new("RGB", (left.width + right.width + 3 * MARGIN, left.height + 2 * MARGIN), GROUND)
    whole.paste(left, (MARGIN, MARGIN))
    whole.paste(right, (left.width + 2 * MARGIN, MARGIN))
    return whole


def save(name: str, picture: Image.Image) -> None:
    """Write a picture into this folder, in at most 128 colours."""
    colours = picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128, dither=Image.Dither.NONE)
    colours.save(DOCS / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
