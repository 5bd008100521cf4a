"""The table of the program's pages, from which the manual has its pictures, holds every page that there is."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from tests.docs.commands import DOCS
from tests.server.doors import doors

sys.path.append(str(DOCS / "_ext"))
pages = import_module("program_pages")
SHOWN = [shown for group in pages.GROUPS.values() for shown in group]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_every_page_is_in_the_table() -> None:
    """Or it is named there with the reason why it has no picture: docs/_ext/program_pages.py."""
    looked = {door.path for door in doors() if door.looks and not door.path.startswith(("/api", "/openapi", "/static"))}
    assert {shown.door for shown in SHOWN} | set(pages.WITHOUT) == looked


def test_names_and_doors_stand_once() -> None:
    assert len({shown.name for shown in SHOWN}) == len({shown.door for shown in SHOWN}) == len(SHOWN)
    assert not {shown.door for shown in SHOWN} & set(pages.WITHOUT)
