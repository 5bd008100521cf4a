"""Calling `korgool event` in tests, and events that are played through it."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from korgool.app.cli import main

ROOT = Path(__file__).parents[2]


def call(*words: object) -> Result:
    """`korgool event WORDS…` in this process; no outcome may hide a fault of the program."""
    done = CliRunner().invoke(main, ["event", *map(str, words)])
    assert "fault of the program" not in done.stderr, done.stderr
    assert "Traceback" not in done.output
    assert isinstance(done.exception, SystemExit | None)
    return done


def korgool(*words: object) -> str:
    """The same, which must succeed; what it printed."""
    done = call(*words)
    assert done.exit_code == 0, (words, done.output)
    return done.stdout


def lines(*words: object) -> list[dict[str, Any]]:
    """The same with `--json`: its lines."""
    return [json.loads(line) for line in korgool(*words, "--json").splitlines()]


def refused(*words: object) -> str:
    """The message of a call that must be refused as wrong input, with nothing on standard output."""
    done = call(*words)
    assert done.exit_code == 1, (words, done.output)
    assert done.stdout == ""
    assert done.stderr.startswith("korgool: "), done.stderr
    return done.stderr


def usage(*words: object) -> str:
    """The message of a call that must be refused as wrong usage."""
    done = call(*words)
    assert done.exit_code == 2, (words, done.output)
    return done.stderr


def a_result(chance: random.Random) -> str:
    """A result of toguz korgool as an arbiter writes it."""
    kind = chance.random()
    if kind < 0.12:
        return "0.5 (81) - 0.5 (81)"
    if kind < 0.16:
        return "0.5 (70) - 0.5 (66) agreement"
    if kind < 0.2:
        return chance.choice(("+ - -", "- - +"))
    won = chance.randint(82, 110)
    left = chance.randint(20, 162 - won)
    if kind < 0.26:
        return chance.choice((f"1 ({left}) - 0 (40) resignation", f"0 (33) - 1 ({left // 2}) time"))
    return f"1 ({won}) - 0 ({left})" if chance.random() < 0.52 else f"0 ({left}) - 1 ({won})"


def begin(path: Path, players: int, rounds: int, *options: str) -> None:
    """A new event with players `Player 1` and so on, the first the strongest."""
    korgool("new", path, "--name", "Cup", "--rounds", rounds, *options)
    table = path.with_suffix(".csv")
    rows = [f"Player {n},{2400 - min(10 * n, 2000)},{'mf'[n % 2]}" for n in range(1, players + 1)]
    table.write_text("\n".join(["family,rating,sex", *rows]) + "\n", encoding="utf-8")
    korgool("import", path, table)


def play_round(path: Path, chance: random.Random) -> list[dict[str, Any]]:
    """Pair the next round and enter all results; the boards of the round."""
    boards = [line for line in lines("pair", path) if line["board"]]
    for line in boards:
        korgool("result", path, line["round"], line["board"], a_result(chance))
    return boards
