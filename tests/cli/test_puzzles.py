"""`korgool puzzles`: from records to a checked file, also after an interruption, and nothing of files that are bad."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from korgool.rules import GAMES
from korgool.training.puzzle_making import SelfPlay, puzzles_of_task
from korgool.training.self_play import self_play_engine, self_play_game
from tests.cli.conftest import Invoke

MAKE = "puzzles", "make", "--game", "castle", "--self-play", "3", "--seed", "9"


def test_what_is_made_is_right_and_the_same_with_more_threads(tmp_path: Path, invoke: Invoke) -> None:
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    done = invoke(*MAKE, "-o", str(one))
    assert (done.exit_code, done.stderr) == (0, "")
    assert invoke(*MAKE, "-o", str(two), "--workers", "2", "--json").exit_code == 0
    assert one.read_bytes() == two.read_bytes() != b""
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["one.jsonl", "two.jsonl"]
    lines = one.read_text().splitlines()
    checked = invoke("puzzles", "check", str(one), "--nodes", "100000", "--json")
    assert checked.exit_code == 0, checked.stderr
    told = [json.loads(line) for line in checked.stdout.splitlines()]
    assert told == [{"line": at, "id": json.loads(line)["id"], "faults": []} for at, line in enumerate(lines, 1)]
    out = invoke(*MAKE, "-o", "-", "--puzzles", "1")
    assert out.stdout.splitlines()[0] in lines


def test_records_of_any_dialect_are_searched_and_bad_ones_told(tmp_path: Path, invoke: Invoke) -> None:
    rules = GAMES["toguz"]
    game = self_play_game(rules, 9, 2, self_play_engine(rules))
    moves = "".join(map(str, game.moves))
    (tmp_path / "bare.txt").write_text(f"{moves}\n1111111\n")
    tags = '[Event "x"]\n[Variant "Mangala"]\n[Rules "sweep=owner"]\n[Result "*"]\n\n1. 1 1 *\n'
    (tmp_path / "tags.pgn").write_text(tags)
    done = invoke("puzzles", "make", str(tmp_path / "bare.txt"), str(tmp_path / "tags.pgn"), "-o", str(tmp_path / "o"))
    assert done.exit_code == 1
    first, second = done.stderr.splitlines()
    assert "bare.txt: game 1, line 2, ply" in first
    assert "tags.pgn: game 2, line" in second
    assert "rules" in second
    told = [json.loads(line) for line in (tmp_path / "o").read_text().splitlines()]
    assert [one["id"] for one in told] == [one.id for one in puzzles_of_task(SelfPlay("toguz", 9, 2))]
    assert told[0]["source"].startswith("bare.txt, game 0, ply ")


def test_an_interrupted_run_goes_on(tmp_path: Path, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, part, out = tmp_path / "whole", tmp_path / "out.part", tmp_path / "out"
    invoke(*MAKE, "-o", str(whole))
    looked: list[int] = []

    def interrupted(task: SelfPlay) -> object:
        looked.append(task.number)
        if len(looked) == 2:
            raise KeyboardInterrupt
        return puzzles_of_task(task)

    monkeypatch.setattr("korgool.training.puzzle_making.puzzles_of_task", interrupted)
    assert invoke(*MAKE, "-o", str(out)).exit_code != 0
    assert (looked, part.exists(), out.exists()) == ([0, 1], True, False)
    assert invoke(*MAKE, "-o", str(out)).exit_code == 0
    assert (looked, part.exists()) == ([0, 1, 1, 2], False)
    assert out.read_bytes() == whole.read_bytes()


def test_a_foreign_file_beside_the_output_is_left_alone(tmp_path: Path, invoke: Invoke) -> None:
    (tmp_path / "out.part").write_text("my notes\n")
    done = invoke(*MAKE, "-o", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "out.part" in done.stderr
    assert (tmp_path / "out.part").read_text() == "my notes\n"


@pytest.mark.parametrize(
    "words",
    [
        ("-o", "x"), ("--self-play", "0", "-o", "x"), ("games.pgn",), ("--self-play", "1", "--puzzles", "0", "-o", "x"),
        ("--self-play", "1", "--rule", "sweep=owner", "--game", "mangala", "-o", "x"),
    ],
)  # fmt: skip
def test_wrong_usage(words: tuple[str, ...], invoke: Invoke) -> None:
    assert invoke("puzzles", "make", *words).exit_code == 2


def test_bad_files_are_refused_with_place_and_reason(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "bad.jsonl"
    good = json.loads(invoke(*MAKE, "-o", "-").stdout.splitlines()[0])
    wrong = next(move for move in range(1, 7) if [move] != good["moves"][0])
    lines = [json.dumps(good), json.dumps({**good, "moves": [[wrong]]}), json.dumps(good)[:40], '{"a": 1}']
    path.write_text("\n".join(lines) + "\n" + "x" * 10_000_000)
    done = invoke("puzzles", "check", str(path), "--nodes", "100000")
    assert done.exit_code == 1
    for number in (2, 3, 4, 5):
        assert f"bad.jsonl: line {number}" in done.stderr
    assert "line 1:" not in done.stderr
    assert "4 of 5 puzzles have faults" in done.stderr
    for content in ("", "\n\n"):
        path.write_text(content)
        assert invoke("puzzles", "check", str(path)).exit_code == 1
    assert invoke("puzzles", "check", str(tmp_path / "missing")).exit_code == 1
    assert invoke("puzzles", "check", str(tmp_path)).exit_code == 1


def test_a_record_of_ten_megabytes_is_refused(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "huge.pgn"
    path.write_text('[Event "x"]\n\n' + "1. 7 7 " * 1_500_000 + "\n")
    done = invoke("puzzles", "make", str(path), "-o", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert "huge.pgn: game 0, line" in done.stderr
    assert (tmp_path / "out").read_bytes() == b""
