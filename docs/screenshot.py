"""Make `docs/screenshot.png`: the first page as a visitor sees it, on a desk and on a phone, in Chromium.

Usage: .venv/bin/python docs/screenshot.py    needs the `test` extra and a Chromium on the path.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

PICTURE = Path(__file__).with_name("screenshot.png")
DESK: dict[str, Any] = {"viewport": {"width": 1180, "height": 700}}
PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 700}, "has_touch": True, "is_mobile": True}
MARGIN = 24
GROUND = "#e5d8c0"


def main() -> None:
    """Start a server with nothing on it, and put both pictures beside each other."""
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", data]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            address = server.stdout.readline().strip()
            program = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell"))), None)
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
            try:
                desk, phone = seen(browser, address, DESK), seen(browser, address, PHONE)
            finally:
                browser.close()
                server.terminate()
    whole = Image.new("RGB", (desk.width + phone.width + 3 * MARGIN, desk.height + 2 * MARGIN), GROUND)
    whole.paste(desk, (MARGIN, MARGIN))
    whole.paste(phone, (desk.width + 2 * MARGIN, MARGIN))
    whole.convert("P", palette=Image.Palette.ADAPTIVE, colors=200).save(PICTURE, optimize=True)


def seen(browser: Browser, address: str, screen: dict[str, Any]) -> Image.Image:
    """The first page on a screen, looked at for the second time: the letters of its headings are there then."""
    page = browser.new_page(locale="en", service_workers="block", reduced_motion="reduce", **screen)
    page.goto(address)
    page.wait_for_load_state("networkidle")
    page.reload()
    page.wait_for_load_state("networkidle")
    picture = Image.open(io.BytesIO(page.screenshot()))
    page.close()
    return picture.convert("RGB")


if __name__ == "__main__":
    main()
