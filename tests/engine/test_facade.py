"""`korgool.engine` gives the names used most, and loads nothing before they are used."""

from __future__ import annotations

import ast
import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import korgool.engine

LIGHT = """
import sys
import korgool.engine
loaded = [name for name in sys.modules if name == "ctypes" or name.startswith("korgool.engine.")]
assert not loaded, loaded
korgool.engine.Limits
assert "ctypes" not in sys.modules
korgool.engine.Engine
assert "ctypes" in sys.modules
"""


def test_the_kernel_waits_for_the_first_use() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_type_checkers_see_the_names_that_are_there() -> None:
    tree = ast.parse(Path(inspect.getfile(korgool.engine)).read_text(encoding="utf-8"))
    seen = {
        alias.name: node.module
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert sorted(seen) == sorted(korgool.engine.__all__)
    for name, module in seen.items():
        assert korgool.engine._MODULES[name] == str(module).removeprefix("korgool.engine.")
        assert getattr(korgool.engine, name) is getattr(sys.modules[str(module)], name)
        assert name in dir(korgool.engine)


def test_a_name_that_is_not_there_is_named() -> None:
    with pytest.raises(AttributeError, match=r"module 'korgool\.engine' has no attribute 'Motor'"):
        _ = korgool.engine.Motor


def test_its_example_runs() -> None:
    found = doctest.testmod(korgool.engine)
    assert found.attempted == 3
    assert not found.failed
