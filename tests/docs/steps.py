"""The steps of a tutorial in the browser, carried out as they are written.

A step is an item of a numbered list. Its sentences say *open* an address, *press* a button, *choose* something, perhaps
*in* a list, *write* a text *into* a field, *sow* a hole or *press the key*, and what the page then *shows*. Whatever is
set in bold or as code belongs to one of these, so a step that nobody carries out cannot be written.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from tests.page.table import PLAYABLE, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

ITEM = re.compile(r"^\d+\. ((?:.+\n)(?: {3}.+\n)*)", re.MULTILINE)
MARK = r"(?:\*\*(?P<{0}>[^*]+)\*\*|`(?P<{0}code>[^`]+)`)"
STEP = re.compile(
    r"(?P<verb>open|press the key|press|choose|write|sow hole|shows?)\s+(?:the [a-z ]+, |and |, )?"
    + MARK.format("what")
    + r"(?:\s+(?:in|into|under)\s+"
    + MARK.format("where")
    + ")?",
    re.IGNORECASE,
)


def steps(text: str) -> Iterator[tuple[str, str, str]]:
    """The steps of a page in their order: the verb, what it is about, and where.

    Raises:
        AssertionError: something is marked in an item and belongs to no step.
    """
    for item in ITEM.finditer(text):
        words = " ".join(item[1].split())
        for found in STEP.finditer(words):
            what = found["what"] or found["whatcode"]
            yield found["verb"].lower(), what, found["where"] or found["wherecode"] or ""
        left = re.findall(MARK.format("left"), re.sub(r"\[[^\]]*\]\([^)]*\)", "", STEP.sub("", words)))
        assert left == [], f"nobody knows what to do with {left} in: {words}"


def carry_out(page: Page, address: str, text: str) -> int:
    """Do every step of the page; how many there were."""
    count = 0
    for verb, what, where in steps(text):
        count += 1
        if verb == "open":
            page.goto(address + what)
        elif verb == "press the key":
            page.keyboard.press(what)
        elif verb == "press":
            button(page, what).click()
        elif verb == "choose" and where:
            page.get_by_role("combobox", name=where, exact=True).first.select_option(what)
        elif verb == "choose":
            page.locator("label").filter(has_text=re.compile(rf"(?:^|\s){re.escape(what)}(?:\s|$)")).first.click()
        elif verb == "write":
            page.get_by_label(where, exact=True).locator("visible=true").first.fill(what)
        elif verb == "sow hole":
            page.locator(f'{PLAYABLE}[data-hole="{what}"]').first.click()
        else:
            expect(page.get_by_text(what).locator("visible=true").first).to_be_visible()
    return count


def button(page: Page, name: str) -> Locator:
    """What can be pressed and is called so: a button, a link, or what opens a part of the page; in a question first."""
    asked = page.locator("dialog[open]")
    here = asked if asked.count() else page.locator("body")
    named = here.get_by_role("button", name=name, exact=True).or_(here.get_by_role("link", name=name, exact=True))
    named = named.or_(here.get_by_role("tab", name=name, exact=True))
    return named.or_(here.locator("summary").get_by_text(name, exact=True)).locator("visible=true").first
