"""The words of the server: names that were replaced do not come back (docs/design.md, Words of the server)."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
SERVER = ROOT / "src/korgool/app/server"
DESIGN = (ROOT / "docs/design.md").read_text(encoding="utf-8")
SECTION = DESIGN[DESIGN.index("### Words of the server") : DESIGN.index("### Names that were replaced")]
TABLE = [line.strip("|").split(" | ") for line in SECTION.splitlines() if line.startswith("| *")]


def replaced() -> set[str]:
    """The class names in the last column of the table."""
    return {name for row in TABLE for name in re.findall(r"`([A-Z]\w+)`", row[-1])}


def gone() -> set[str]:
    """The names of modules that are not used any more."""
    paragraph = SECTION[SECTION.index("Names of modules") :]
    return set(re.findall(r"`([a-z_]+)`", paragraph))


def test_the_table_is_read() -> None:
    assert {"Hall", "RunningGame", "Doorkeeper"} <= replaced()
    assert {"told", "singly", "doorkeeper"} <= gone()


def test_replaced_names_are_no_names_of_classes() -> None:
    found = {
        f"{path.relative_to(SERVER)}: {node.name}"
        for path in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and node.name in replaced()
    }
    assert not found


def test_replaced_names_are_no_names_of_modules_or_folders() -> None:
    found = {
        str(path.relative_to(SERVER))
        for path in SERVER.rglob("*")
        if path.stem in gone() and (path.suffix == ".py" or path.is_dir())
    }
    assert not found


def test_the_new_words_are_names_in_the_server() -> None:
    """Each word of the table that is a class name is one of the server's classes."""
    classes = {
        node.name
        for path in SERVER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    named = {name for row in TABLE for name in re.findall(r"`([A-Z]\w+)`", row[1])}
    assert named
    assert named <= classes, named - classes
