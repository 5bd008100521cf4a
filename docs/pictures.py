"""Take a picture of every page of the program, from a server that it starts, into `docs/_pictures`.

Usage: .venv/bin/python docs/pictures.py [NAME ...]    needs the `docs` extra and a Chromium on the path.

The site of the pictures has two accounts, a child, a running and a finished game, an invitation, and the practice event
with two rounds. `python3 run.py docs` has the missing pictures taken, and shows those that lie in the folder.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import APIRequestContext, Browser, BrowserContext, Error, Page, sync_playwright

DOCS = Path(__file__).parent
FOLDER = DOCS / "_pictures"
sys.path.insert(0, str(DOCS / "_ext"))
from program_pages import GROUPS, Shown  # noqa: E402 - it stands beside Sphinx's other extensions

WIDTH, LEAST, MOST = 1000, 560, 1100
"""The width of a picture, and its height at least and at most, in CSS pixels."""
BROWSERS = ("chromium", "chromium-headless-shell", "chromium-browser", "google-chrome", "microsoft-edge")
"""Programs that can take the pictures, the first that is there."""
PASSWORD = "eleven green apples"
KORGOOL = [sys.executable, "-m", "korgool"]
STUDY = """[ChapterName "Take ten at once"]

{Look at the ninth hole.} 1. 76(10) $1 {It takes ten.} (1. 65(10) {So does this.}) 1... 55(10) 2. 33 *
"""
PUBLIC = ("/sign-up", "/sign-in", "/recovery", "/events/join", "/events/{event_id}/join/")
"""Pages that somebody sees who is not signed in, as addresses begin."""


def main(names: list[str]) -> None:
    """Take the pictures with these names, or all of them."""
    FOLDER.mkdir(exist_ok=True)
    with browsing() as browser, tempfile.TemporaryDirectory() as data, served(Path(data)) as address:
        member, guest = visitor(browser, address), visitor(browser, address)
        places = prepare(Path(data), address, member, visitor(browser, address))
        for shown in (one for group in GROUPS.values() for one in group if not names or one.name in names):
            context = guest if shown.door.startswith(PUBLIC) else member
            take(context.new_page(), address + shown.door.format(**places) + shown.more, shown)


@contextmanager
def browsing() -> Iterator[Browser]:
    """A browser: one on the path, or the one that Playwright has.

    Raises:
        SystemExit: there is none.
    """
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        except Error as error:
            why = error.message.splitlines()[0]
            raise SystemExit(f"there is no browser that could take pictures: {why}") from None
        yield browser
        browser.close()


@contextmanager
def served(data: Path) -> Iterator[str]:
    """A server with nothing on it; its address without the last slash."""
    command = [*KORGOOL, "serve", "--port", "0", "--data", str(data), "--limits", "off"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip().rstrip("/")
        finally:
            server.terminate()


def visitor(browser: Browser, address: str) -> BrowserContext:
    """Somebody who has just come."""
    context = browser.new_context(
        viewport={"width": WIDTH, "height": LEAST},
        locale="en",
        reduced_motion="reduce",
        service_workers="block",
        base_url=address,
    )
    context.new_page().goto("/")
    return context


def korgool(*words: str, given: str = "") -> str:
    """Run a command and return what it prints."""
    done = subprocess.run([*KORGOOL, *words], input=given, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def ask(context: BrowserContext, path: str, method: str = "post", **body: Any) -> Any:
    """Send a command as a page of this visitor does, and return the answer."""
    token = next((one["value"] for one in context.cookies() if one["name"] == "csrftoken"), "")
    request: APIRequestContext = context.request
    answer = getattr(request, method)(path, data=body, headers={"x-csrftoken": token})
    assert answer.ok, f"{path}: {answer.status} {answer.text()}"
    return answer.json()


def prepare(data: Path, address: str, member: BrowserContext, friend: BrowserContext) -> dict[str, str]:
    """Fill the site; what stands in the braces of the addresses."""
    ask(member, "/api/account", name="Aizada", password=PASSWORD)
    ask(friend, "/api/account", name="Bek", password=PASSWORD)
    wording = member.request.get("/api/account/children").json()["wording"]
    child = ask(member, "/api/account/children", name="Nurlan7", password=PASSWORD, wording=wording, short="Nur")
    finished, running = (play_together(member, friend, holes) for holes in ((7, 7, 2, 2), (7, 7, 2, 2, 9, 9)))
    ask(friend, f"/api/games/{finished}/resign")
    invitation = ask(member, "/api/challenges", game="toguz", to="link", clock="10+5")["id"]
    token = korgool("account", "token", "Aizada", "--scope", "event", "--data", str(data)).split()[-1]
    practice = data / "practice.korgool"
    korgool("event", "practice", str(practice))
    korgool("event", "practice", str(practice), "--play", "2")
    korgool("event", "change", str(practice), "--prize", "1=30000 KGS; 2=20000; 3=10000", "--sharing", "equal")
    korgool("event", "round", str(practice))
    told = korgool("event", "upload", str(practice), "--server", address, "--token", token)
    found = re.search(r"\b[a-z0-9]{8}\b", told)
    assert found is not None, told
    event = found[0]
    ask(member, f"/api/events/{event}", "put", public=True)
    helper = ask(member, f"/api/events/{event}/helpers", role="results", boards=[1, 6])
    room = school_class(member, friend)
    study = ask(member, "/api/studies", title="First moves", text=STUDY)
    return {
        "study_id": str(study["id"]),
        "game_id": running,
        "challenge_id": str(invitation),
        "game": "toguz",
        "stop": "even",
        "name": "Aizada",
        "key_id": str(child["id"]),
        "event_id": event,
        "class_id": room,
        "token": str(helper["token"]),
        "number": "1",
        "player_id": "1",
        "board": "1",
        "screen": "1",
    }


def school_class(trainer: BrowserContext, child: BrowserContext) -> str:
    """A class with tasks, which its trainer and somebody else have joined; its id."""

    def send(context: BrowserContext, path: str, **fields: str) -> str:
        token = next((one["value"] for one in context.cookies() if one["name"] == "csrftoken"), "")
        return context.request.post(path, form={"_csrf_token": token, **fields}).url

    made = send(trainer, "/classes", name="4b", game="toguz", language="en", ends="").rpartition("/")[2]
    for task in ("stop:sow", "drill:parity", "puzzles:capture", "game:1"):
        send(trainer, f"/classes/{made}/act", do="add-task", task=task)
    found = re.search(r'class="code">([\d ]+)<', trainer.request.get(f"/classes/{made}").text())
    assert found is not None
    for context, name in ((trainer, "Aizada"), (child, "Bek")):
        send(context, "/class", digits=found[1], name=name)
    return made


def play_together(one: BrowserContext, other: BrowserContext, holes: tuple[int, ...]) -> str:
    """A game of two people in which these holes have been sown; its id."""
    made = ask(one, "/api/challenges", game="toguz", to="link", clock="none", side="white")
    game = str(ask(other, f"/api/challenges/{made['id']}/accept")["game"])
    for ply, hole in enumerate(holes):
        mover = (one, other)[ply % 2]
        version = mover.request.get(f"/api/games/{game}").json()["version"]
        ask(mover, f"/api/games/{game}/move", hole=hole, version=version)
    return game


def take(page: Page, address: str, shown: Shown) -> None:
    """One picture: the whole page, unless it is very long."""
    answer = page.goto(address)
    assert answer is not None, address
    assert answer.ok, f"{address}: {answer.status}"
    page.locator(shown.ready).first.wait_for()
    page.evaluate("() => document.fonts.ready.then(() => new Promise(requestAnimationFrame))")
    tall = int(page.evaluate("document.documentElement.scrollHeight"))
    page.set_viewport_size({"width": WIDTH, "height": min(max(tall, LEAST), MOST)})
    path = FOLDER / f"{shown.name}.png"
    page.screenshot(path=path)
    with Image.open(path) as picture:
        picture.save(path.with_suffix(".webp"), quality=75, method=6)
    path.unlink()
    page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
