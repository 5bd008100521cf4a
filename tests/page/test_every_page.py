"""Every page that the program has, opened once in a browser, on the site of which the manual has its pictures."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from tests.docs.commands import DOCS
from tests.page.conftest import NewTable, start_server
from tests.patience import PATIENCE


def korgool(*words: str, given: str = "") -> str:
    """A command within this process, which has imported it already; what it prints."""
    done = CliRunner().invoke(main, words, input=given)
    assert done.exit_code == 0, (words, done.output)
    return done.stdout.strip()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a server with nothing on it."""
    process, address = start_server(tmp_path, 0, "--limits", "off")
    yield address
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.smoke
def test_every_page_opens_without_a_fault(
    site: str, table: NewTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is answered, its main part is there, and nothing is wrong in its console."""
    monkeypatch.syspath_prepend(str(DOCS))
    monkeypatch.syspath_prepend(str(DOCS / "_ext"))
    pictures, pages = import_module("pictures"), import_module("program_pages")
    monkeypatch.setattr(pictures, "korgool", korgool)
    member, friend, guest = (table(address=site, reduced_motion="reduce", base_url=site).page for _ in range(3))
    for page in (member, friend, guest):
        page.goto("/help")
    places = pictures.prepare(tmp_path, site, member.context, friend.context)
    for shown in (shown for group in pages.GROUPS.values() for shown in group):
        page = guest if shown.door.startswith(pictures.PUBLIC) else member
        answer = page.goto(site + shown.door.format(**places) + shown.more)
        assert answer, shown.door
        assert answer.ok, shown.door
        page.locator(shown.ready).first.wait_for()
