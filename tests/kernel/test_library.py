"""Loading the native library, and what crosses the border to it."""

from __future__ import annotations

import importlib.machinery
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from korgool.engine import kernel
from korgool.engine.kernel import Kernel, KernelMissingError, pack, unpack
from korgool.rules import GAMES, TOGUZ_KORGOOL, Side, perft

from .reference import random_setup


def _found_at(monkeypatch: pytest.MonkeyPatch, origin: Path | None) -> None:
    spec = None if origin is None else importlib.machinery.ModuleSpec("_korgool_kernel", None, origin=str(origin))
    monkeypatch.setattr(kernel, "find_spec", lambda name: spec)


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    _found_at(monkeypatch, None)
    with pytest.raises(KernelMissingError, match="the native kernel is not built; to have the right one: "):
        kernel.library.__wrapped__()


def test_a_broken_library_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "_korgool_kernel.so"
    broken.write_bytes(b"no library")
    _found_at(monkeypatch, broken)
    with pytest.raises(KernelMissingError, match=r"_korgool_kernel\.so cannot be loaded"):
        kernel.library.__wrapped__()


def test_a_library_of_another_version_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "VERSION", 99)
    with pytest.raises(KernelMissingError, match="is of version 1, not 99; to have the right one: "):
        kernel.library.__wrapped__()


def test_pack_and_unpack() -> None:
    start = TOGUZ_KORGOOL.start().play(7)
    assert start.to_move is Side.BLACK
    assert pack(start) == bytes([10, 10, 10, 10, 10, 0, 9, 9]) + bytes(
        [9, 9, 9, 9, 9, 9, 1, 10, 9, 10, 0, 10, 0, 0, 0, 0]
    )
    random = Random(3)
    for rules in GAMES.values():
        for _ in range(200):
            position = random_setup(rules, random)
            assert unpack(pack(position), rules, position.to_move) == position


def test_the_engine_waits_for_nobody_at_import() -> None:
    """Importing the rooms above does not load the library: who only wants `--help` must not need it."""
    code = "import korgool.engine.search, korgool.engine.kernel as k; print(k.library.cache_info().currsize)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "0"


def test_a_kernel_lives_as_long_as_it_is_used() -> None:
    """Memory given to the library is kept alive by its owner, however many come and go."""
    kernels = [Kernel(rules) for _ in range(50) for rules in GAMES.values()]
    counts = {kernel.rules.name: set[int]() for kernel in kernels}
    while kernels:
        last = kernels.pop()
        counts[last.rules.name].add(last.perft(last.rules.start(), 4))
    assert counts == {name: {perft(rules.start(), 4)} for name, rules in GAMES.items()}
    assert counts["toguz"] == {5199}
