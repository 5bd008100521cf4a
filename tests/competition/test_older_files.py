"""Event files that earlier versions wrote: every answer is the one that they gave.

Beside each file lie its answers in JSON. A line may have more members today than then, and no other values.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.competition.program import call

FILES = sorted((Path(__file__).parent / "files").glob("*.korgool"))


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a file, beside its answers."""
    path: Path = request.param
    for suffix in (".korgool", ".json"):
        shutil.copy(path.with_suffix(suffix), tmp_path)
    return tmp_path / path.name


def test_there_are_older_files() -> None:
    assert FILES


def test_answers_are_those_of_then(older: Path) -> None:
    before = older.read_bytes()
    for words, held in json.loads(older.with_suffix(".json").read_text(encoding="utf-8")).items():
        command, *rest = words.split()
        done = call(command, older, *rest, "--json")
        if isinstance(held, str):
            assert held == done.stderr.replace(str(older), older.name)
            continue
        assert done.exit_code == 0, (words, done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(found) == len(held), words
        for one, then in zip(found, held, strict=True):
            assert held_in(then, one), (words, then, one)
    assert older.read_bytes() == before


def held_in(then: Any, now: Any) -> bool:
    """Whether an answer of then stands in that of now."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(name in now and held_in(one, now[name]) for name, one in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(held_in, then, now))
    return bool(then == now)
