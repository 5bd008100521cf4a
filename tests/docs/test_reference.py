"""The reference of the library holds every public module of every room, and every public name."""

from __future__ import annotations

import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType

import pytest

import korgool
from korgool import competition, conduct, engine, notation
from tests.docs.commands import DOCS

pytest.importorskip("sphinx", reason="the docs extra is not installed")
sys.path.append(str(DOCS / "_ext"))
modules_of = import_module("korgool_reference").modules_of

PACKAGE = Path(korgool.__file__).parent
TEXTS = {page.stem: page.read_text(encoding="utf-8") for page in sorted((DOCS / "api").glob("*.md"))}
PAGES_OF_ROOMS = {
    name: re.findall(r"^```\{(?:modules|packages)\} (\S+)$", text, re.MULTILINE) for name, text in TEXTS.items()
}


def test_every_room_has_its_page() -> None:
    rooms = {f"korgool.{path.parent.name}" for path in PACKAGE.glob("*/__init__.py")}
    rooms |= {f"korgool.{path.stem}" for path in PACKAGE.glob("[!_]*.py")}
    assert sorted(room for rooms in PAGES_OF_ROOMS.values() for room in rooms) == sorted(rooms)
    front = (DOCS / "api.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"\]\(api/(\w+)\.md\)", front)) == sorted(TEXTS)
    assert re.findall(r"^api/(\w+)$", front, re.MULTILINE) == re.findall(r"\]\(api/(\w+)\.md\)", front)


def test_every_module_of_a_room_is_found() -> None:
    """By reading the folders, as by asking Python."""
    for rooms in PAGES_OF_ROOMS.values():
        for room in rooms:
            place = PACKAGE.joinpath(*room.split(".")[1:])
            inside = walk_packages([str(place)], f"{room}.", onerror=str) if place.is_dir() else ()
            asked = {room, *(one.name for one in inside)}
            asked = {name for name in asked if not re.search(r"\._|\.migrations(\.|$)", name)}
            assert {module.name for module in modules_of(room)} == asked


def test_every_public_name_of_a_module_is_found() -> None:
    """Of the library; the application is read in the same way, but not all of it can be imported everywhere."""
    seen = 0
    for name, rooms in PAGES_OF_ROOMS.items():
        for module in (one for room in rooms for one in modules_of(room) if name != "application"):
            if "numpy" in module.path.read_text(encoding="utf-8"):
                continue  # only the `train` extra brings it
            made = {
                public
                for public, value in vars(import_module(module.name)).items()
                if not public.startswith("_")
                and (inspect.isclass(value) or inspect.isfunction(value))
                and value.__module__ == module.name
                and value.__name__ == public
            }
            assert made - set(module.names) == set(), module.name
            seen += len(made)
    assert seen > 800


@pytest.mark.parametrize("room", [korgool, notation, engine, conduct, competition], ids=lambda room: room.__name__)
def test_what_a_room_gives_at_its_door_stands_above(room: ModuleType) -> None:
    """By the name under which it is imported, before the list of every module."""
    name = {"korgool": "rules"}.get(room.__name__, room.__name__.rpartition(".")[2])
    above = TEXTS[name].partition("## Every module")[0]
    shown = {line.rpartition(".")[2] for line in re.findall(r"\bkorgool\.[\w.]+$", above, re.MULTILINE)}
    shown |= {"Record", "read_records", "write_record"} if room is korgool else {"DIALECTS"}
    assert set(room.__all__) - shown == set()
