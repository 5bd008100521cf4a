"""Make `docs/screenshot.png`: a game of toguz korgool against level 4 after eleven moves, in Chromium.

Usage: .venv/bin/python docs/screenshot.py    needs the `test` extra and a Chromium on the path.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

PICTURE = Path(__file__).with_name("screenshot.png")
MOVES = 11
READY = '.hole-button[aria-disabled="false"]'


def main() -> None:
    """Play, then take the picture; no move or clock of the game is made up."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            try:
                page = browser.new_page(viewport={"width": 1200, "height": 760}, locale="en", service_workers="block")
                take(page, address)
            finally:
                browser.close()
                server.terminate()
    with Image.open(PICTURE) as picture:
        picture.convert("P", palette=Image.Palette.ADAPTIVE, colors=128).save(PICTURE, optimize=True)


def take(page: Page, address: str) -> None:
    """Play the most profitable move each time, and show what one more would take."""
    page.goto(f"{address}play")
    for name, value in {"game": "toguz", "side": "white", "level": "4", "clock": "30+0"}.items():
        page.locator(f"label:has(input[name={name}][value='{value}'])").click()
    page.locator("form.new-game .start button").click()
    for _ in range(MOVES):
        page.locator(READY).first.wait_for()
        page.locator(READY).nth(best(page)).click()
        page.locator(READY).first.wait_for(state="detached")
    page.locator(READY).first.wait_for()
    page.locator(READY).nth(best(page)).hover()
    page.screenshot(path=PICTURE)


def best(page: Page) -> int:
    """Which of the holes that can be sown takes most."""
    game = page.url.rsplit("/", 1)[1]
    state = page.request.get(f"{page.url.rsplit('/games/', 1)[0]}/api/games/{game}").json()
    holes = state["legal"]
    worth = [(state["previews"][str(hole)]["captures"], state["white"][hole - 1]) for hole in holes]
    return worth.index(max(worth))


if __name__ == "__main__":
    main()
