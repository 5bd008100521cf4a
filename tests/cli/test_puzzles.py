"""`korgool puzzles`: from records to a checked file, also after an interruption, and nothing of files that are bad."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from korgool.rules import GAMES
from korgool.training.puzzle_making import SelfPlay, puzzles_of_task
from korgool.training.self_play import self_play_engine, self_play_game
from tests.cli.conftest import Invoke, Program
from tests.package import environment
from tests.patience import eventually

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


def test_a_run_that_was_killed_goes_on(tmp_path: Path, invoke: Invoke) -> None:
    """By SIGKILL, in a process of its own, when one game of three is noted; another run at the same time is refused."""
    whole, part, out = tmp_path / "whole", tmp_path / "out.part", tmp_path / "out"
    invoke(*MAKE, "-o", str(whole))
    command = [sys.executable, "-m", "korgool", *MAKE[:-3], "2000", *MAKE[-2:], "-o", str(out)]
    running = subprocess.Popen(command, env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        eventually(lambda: part.exists() and part.read_bytes().count(b"\n") >= 2, "the first game in the journal")
        second = invoke(*MAKE, "-o", str(out))
    finally:
        running.kill()
        running.wait()
    assert second.exit_code == 1
    assert "out.part: another command is at work on it" in second.stderr
    assert not out.exists()
    noted = part.read_bytes()
    assert noted.count(b"\n") >= 2
    assert invoke(*MAKE, "-o", str(out)).exit_code == 0
    assert out.read_bytes() == whole.read_bytes()
    assert not part.exists()


def test_a_name_that_is_not_utf8_stops_nothing(tmp_path: Path, program: Program) -> None:
    rules = GAMES["mangala"]
    game = self_play_game(rules, 9, 2, self_play_engine(rules))
    path = tmp_path / os.fsdecode(b"g\xff\x1bames.txt")
    try:
        path.write_text("".join(map(str, game.moves)) + "\n1111111\n")
    except OSError:
        pytest.skip("this file system has no such names")
    out = tmp_path / os.fsdecode(b"o\xff.jsonl")
    done = program("puzzles", "make", "--game", "mangala", str(path), "-o", str(out), "--json")
    assert done.returncode == 1  # of the second game
    assert json.loads(done.stdout)["file"].endswith("o�.jsonl")
    sources = {json.loads(line)["source"].split(",")[0] for line in out.read_text().splitlines()}
    assert sources == {"g��ames.txt"}
    done = program("puzzles", "make", "--game", "mangala", str(path), "-o", str(out))
    assert "o�.jsonl: " in done.stdout
    told = [
        json.loads(line) for line in program("replay", "--game", "mangala", str(path), "--json").stdout.splitlines()
    ]
    assert [one["file"].endswith("g�\x1bames.txt") for one in told] == [True, True]


def test_a_journal_that_cannot_be_made_is_told_as_that(tmp_path: Path, invoke: Invoke) -> None:
    done = invoke(*MAKE, "-o", str(tmp_path / "missing" / "out"))
    assert done.exit_code == 1
    assert "out.part: cannot be written" in done.stderr


def test_standard_input_is_checked(tmp_path: Path, invoke: Invoke) -> None:
    lines = invoke(*MAKE, "-o", "-", "--puzzles", "1").stdout
    assert invoke("puzzles", "check", "-", "--nodes", "60000", text=lines).stdout == "1 puzzles are right\n"
    done = invoke("puzzles", "check", "-", text="{}\n")
    assert done.exit_code == 1
    assert "standard input: line 1: it lacks id" in done.stderr
    assert "standard input: there is no puzzle" in invoke("puzzles", "check", "-", text="").stderr


def test_hostile_and_mixed_records_are_skipped_with_place_and_reason(tmp_path: Path, invoke: Invoke) -> None:
    """A good one with scripts in comments and tags, one that was cut off, and bytes that are no text."""
    rules = GAMES["mangala"]
    game = self_play_game(rules, 9, 2, self_play_engine(rules))
    script = "<script>alert(1)</script>\x1b[2J"
    tags = f'[Event "{script}"]\n[Variant "Mangala"]\n[Result "*"]\n\n{{{script}}} '
    good = tags + " ".join(f"{{{script}}} {move}" for move in game.moves) + " *\n\n"
    (tmp_path / "mixed.pgn").write_bytes(good.encode() + tags.encode() + b"1. 1 {cut off\n\n" + bytes(range(256)) * 40)
    done = invoke("puzzles", "make", str(tmp_path / "mixed.pgn"), "-o", str(tmp_path / "out"))
    assert done.exit_code == 1
    assert all(line.startswith(f"korgool: {tmp_path / 'mixed.pgn'}: game ") for line in done.stderr.splitlines())
    assert "<script>" not in (tmp_path / "out").read_text()
    told = [json.loads(line) for line in (tmp_path / "out").read_text().splitlines()]
    assert {one["source"].split(", ply")[0] for one in told} == {"mixed.pgn, game 0"}
    assert [one["id"] for one in told] == [one.id for one in puzzles_of_task(SelfPlay("mangala", 9, 2))]


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
