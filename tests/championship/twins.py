"""The same championship as single events, one for each group, by the command line alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from korgool.competition import EventFile
from korgool.competition.actions import Present
from tests.championship.cast import Group, people, typed
from tests.competition.program import korgool, lines

LOT = "a draw in the hall"


def play_single(folder: Path, group: Group, at: int) -> Path:
    """A group as an event of its own with the same regulations, all rounds played; its file."""
    path = folder / f"{group.name}.korgool"
    korgool("new", path, "--name", f"Championship, {group.name}", "--place", "Naryn", "--phones", *group.words)
    for one in people(group, at):
        words = [f"--{name}={value}" for name, value in one.items() if name not in {"family", "given"}]
        korgool("enter", path, "--name", f"{one['family']}, {one['given']}", *words)
    for number in range(1, group.rounds + 1):
        with EventFile.open(path) as file:
            file.do(Present(number, tuple(file.state.players)), by="Cleo")
        boards = lines("pair", path, *(("--lot", LOT) if number == 1 else ()))
        table = path.with_suffix(".txt")
        played = [one for one in boards if one["board"]]
        table.write_text("".join(f"{one['board']} {_result(group, number, one)}\n" for one in played), encoding="utf-8")
        korgool("results", path, number, table)
    return path


def _result(group: Group, number: int, board: dict[str, Any]) -> str:
    return typed(group, number, board["white_name"], board["black_name"])


def answers(path: Path, rounds: int, *which: str) -> dict[str, Any]:
    """What the command line says of an event, or of one of its groups by `--group NAME`."""
    told: dict[str, Any] = {word: lines(word, path, *which) for word in ("standings", "crosstable", "prizes")}
    told["rounds"] = [lines("round", path, number, *which) for number in range(1, rounds + 1)]
    told["trf"] = korgool("export", path, "--trf", "-", *which)
    (checked,) = lines("check", path, *which)
    told["check"] = [checked["ok"], checked["rounds"], checked["faults"]]
    return told


def assert_twins(together: Path, singles: Sequence[Path], groups: Sequence[Group]) -> None:
    """Each group of the event is what its single event is, in every answer."""
    for group, alone in zip(groups, singles, strict=True):
        mine, others = answers(together, group.rounds, "--group", group.name), answers(alone, group.rounds)
        for name, value in others.items():
            differs = [
                (one, other) for one, other in zip(_lines(mine[name]), _lines(value), strict=False) if one != other
            ]
            assert mine[name] == value, (group.name, name, differs[:5])
        assert others["check"] == [True, group.rounds, []], group.name


def _lines(value: Any) -> list[Any]:
    return value.splitlines() if isinstance(value, str) else list(value)
