"""The tutorials: their steps in the browser are carried out as they are written. test_commands.py runs the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.docs.commands import DOCS
from tests.docs.steps import carry_out, steps
from tests.page.conftest import DESK, start_server
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = {path.stem: path.read_text(encoding="utf-8") for path in sorted((DOCS / "tutorials").glob("*.md"))}
ACCOUNT = PAGES["player"].partition("## Open an account")[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server for all tutorials."""
    process, address = start_server(tmp_path_factory.mktemp("data"), 0, "--limits", "off")
    yield address
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.parametrize("name", [name for name, text in PAGES.items() if any(steps(text))])
def test_every_step_leads_where_it_says(browser: Browser, site: str, name: str) -> None:
    context = browser.new_context(locale="en", service_workers="block", reduced_motion="reduce", **DESK)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    if name == "arbiter":
        carry_out(page, site, ACCOUNT.replace("Aizada", "Bek"))
    assert carry_out(page, site, PAGES[name]) > 7
    context.close()
    assert faults == []


def test_there_is_a_page_for_each_kind_of_person() -> None:
    assert set(PAGES) == {"player", "trainer", "arbiter", "operator", "researcher", "contributor"}
    front = (DOCS / "index.md").read_text(encoding="utf-8")
    for name, text in PAGES.items():
        assert f"](tutorials/{name}.md)" in front
        assert re.search(r"^## Where to go next$", text, re.MULTILINE)
        assert 250 < len(text.split()) < 1000, name


def test_a_step_that_nobody_carries_out_cannot_be_written() -> None:
    assert list(steps("1. Press **Play** and choose `3` in\n   **Opponent**.\n")) == [
        ("press", "Play", ""),
        ("choose", "3", "Opponent"),
    ]
    with pytest.raises(AssertionError, match="nobody knows what to do with"):
        list(steps("1. Admire **Play**.\n"))
