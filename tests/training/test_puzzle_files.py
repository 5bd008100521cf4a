"""Files of puzzles: the journal of unfinished work, the choice of a set, and the packed sets of the package."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.rules import GAMES, Position
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_checking import Fault, PuzzleChecker
from korgool.training.puzzle_journal import Journal, PuzzleJournalError, task_key
from korgool.training.puzzle_making import RecordedGame, SelfPlay
from korgool.training.puzzle_selection import MOST_GREEDY, MOST_QUIET, greedy_chance, select, without_repeats
from korgool.training.puzzle_set import pack_set, read_set
from korgool.training.themes import themes_of
from tests.training.puzzles import CAPTURE, COUNTS, ENDING, FEEDS, NINTH, QUIET, STARVES, TUZ

ONES = [replace(one, themes=themes_of(one), rating=200 + 50 * at) for at, one in
        enumerate((QUIET, CAPTURE, TUZ, NINTH, FEEDS, COUNTS, ENDING, STARVES))]  # fmt: skip
FIRST_KEY, SECOND_KEY = (task_key(SelfPlay("toguz", 3, number)) for number in range(2))


def test_a_journal_goes_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "set.jsonl.part"
    with Journal(path) as journal:
        journal.add(FIRST_KEY, ONES[:3])
    whole = path.read_bytes()
    with Journal(path) as journal:
        assert (journal.known(FIRST_KEY), journal.known(SECOND_KEY)) == (ONES[:3], None)
        journal.add(SECOND_KEY, [])
    for cut in range(len(whole), path.stat().st_size):
        broken = tmp_path / "cut.part"
        broken.write_bytes(path.read_bytes()[:cut])
        with Journal(broken) as journal:
            assert (journal.known(FIRST_KEY), journal.known(SECOND_KEY)) == (ONES[:3], None)
            journal.add(SECOND_KEY, [])
        assert broken.read_bytes() == path.read_bytes()


def test_a_game_with_other_moves_is_another_one(tmp_path: Path) -> None:
    start = GAMES["toguz"].start()

    def of(moves: tuple[int, ...]) -> str:
        return task_key(RecordedGame(start, moves, "games.pgn, game 0"))

    with Journal(tmp_path / "part") as journal:
        journal.add(of((7, 6)), ONES[:1])
        assert journal.known(of((7, 6))) == ONES[:1]
        assert journal.known(of((7, 5))) is None


@pytest.mark.parametrize("content", [b"x", b"{}\n", b'{"a":1}\n{"b":2}\n', b"\xff\n", b"[" * 9999 + b"\n"])
def test_a_file_that_is_no_journal_is_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.part"
    path.write_bytes(content)
    with pytest.raises(PuzzleJournalError, match="delete it"):
        Journal(path)
    assert path.read_bytes() == content


def test_a_bent_line_of_a_journal_is_named(tmp_path: Path) -> None:
    path = tmp_path / "part"
    with Journal(path) as journal:
        journal.add(FIRST_KEY, ONES[:1])
    path.write_bytes(path.read_bytes().replace(b'"goal":"stones"', b'"goal":"stone"'))
    with pytest.raises(PuzzleJournalError, match="line 2"):
        Journal(path)


def test_a_packed_set_is_read_as_it_was(tmp_path: Path) -> None:
    packed = pack_set(ONES[::-1])
    assert packed == pack_set(ONES)
    told = read_set(packed)
    assert list(told) == ONES
    assert told[-1] == ONES[-1]
    assert told[1:3] == ONES[1:3]
    assert [told.find(one.id) for one in ONES] == list(range(len(ONES)))
    assert told.find("toguz-000000000000") is None
    assert [told[at] for at in told.of_theme("capture")] == [one for one in ONES if "capture" in one.themes]
    for bad in (b"", packed[:-9], packed[3:], b"x" * 99):
        with pytest.raises(ValueError, match="puzzles"):
            read_set(bad)


def many(puzzle: Puzzle, count: int) -> list[Puzzle]:
    """The same puzzle in positions that differ by stones in the stores."""
    start = puzzle.start
    return [
        replace(puzzle, start=Position(start.rules, start.holes, (start.stores[0] - at, start.stores[1] + at),
                                       start.tuz, start.to_move))
        for at in range(count)
    ]  # fmt: skip


def test_a_set_is_balanced_by_theme_and_keeps_its_order() -> None:
    rest = [one for puzzle in ONES[1:] for one in many(puzzle, 4)]
    quiet = many(ONES[0], 2)
    pool = without_repeats([*quiet, *rest, *quiet, *[one for puzzle in ONES for one in many(puzzle, 1)]])
    assert len(pool) == len({one.id for one in pool}) == 2 + 28
    chosen = select(pool, 16, seed=4)
    assert chosen == select(pool, 16, seed=4) != select(pool, 16, seed=5)
    assert [one for one in pool if one in chosen] == chosen
    counts = Counter(theme for one in chosen for theme in one.themes)
    assert set(counts) == {theme for one in ONES for theme in one.themes}
    assert counts["quiet"] <= MOST_QUIET * len(chosen) + 1
    assert sum(map(greedy_chance, chosen)) <= MOST_GREEDY * len(chosen) + 1
    assert select([], 5) == []


def test_the_greedy_solver_takes_the_most_and_draws_lots() -> None:
    """In a start all nine moves bring nothing, in `CAPTURE` the accepted one takes the most there is or not."""
    assert greedy_chance(QUIET) in (0, pytest.approx(1 / 9, abs=0.1))
    start = CAPTURE.start
    gains = {move: start.play(move).stores[start.to_move] for move in start.legal_moves()}
    best = [move for move, gain in gains.items() if gain == max(gains.values())]
    assert greedy_chance(CAPTURE) == (1 / len(best) if 1 in best else 0)
    assert greedy_chance(replace(CAPTURE, moves=((best[0],),))) == 1 / len(best)


def test_two_commands_do_not_write_into_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "part"
    with Journal(path) as journal:
        journal.add(FIRST_KEY, ONES[:1])
        with pytest.raises(PuzzleJournalError, match="another command is at work"):
            Journal(path)
        journal.add(SECOND_KEY, ONES[1:2])
    with Journal(path) as journal:
        assert (journal.known(FIRST_KEY), journal.known(SECOND_KEY)) == (ONES[:1], ONES[1:2])
        journal.finish()
        assert not path.exists()
        with Journal(path) as another:  # the name is free, though the file of that name is still open
            assert len(another) == 0


def test_a_rebuilt_set_is_chosen_judged_and_the_same_after_an_interruption(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from korgool.training import puzzle_packing

    command = ["--game", "mangala", "--games", "2", "--puzzles", "4", "--folder"]
    puzzle_packing.main([str(tmp_path / "work"), *command, str(tmp_path / "one")])
    told = capsys.readouterr().out
    whole = (tmp_path / "one" / "mangala.puzzles").read_bytes()
    chosen = list(read_set(whole))
    assert len(chosen) == 4
    assert f"mangala: 4 puzzles, {len(whole)} bytes" in told
    assert {one.source.split(",")[0] for one in chosen} == {"self-play 55"}

    right = PuzzleChecker.faults
    judged: list[str] = []

    def faults(checker: PuzzleChecker, puzzle: Puzzle) -> list[Fault]:
        judged.append(puzzle.id)
        if len(judged) == 3:
            raise KeyboardInterrupt
        return right(checker, puzzle)

    monkeypatch.setattr(PuzzleChecker, "faults", faults)
    again = [str(tmp_path / "again"), *command, str(tmp_path / "new" / "two")]
    with pytest.raises(KeyboardInterrupt):
        puzzle_packing.main(again)
    assert not (tmp_path / "new" / "two").exists()
    puzzle_packing.main(again)
    assert (tmp_path / "new" / "two" / "mangala.puzzles").read_bytes() == whole
    assert judged.count(judged[0]) == 1  # what was judged before the interruption is not judged again


def test_what_the_judge_refuses_is_left_out_and_another_is_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from korgool.training import puzzle_packing

    plan = puzzle_packing.Plan(2, 3)
    first = puzzle_packing.make_set("mangala", plan, tmp_path / "work", say=print)
    monkeypatch.setattr(
        PuzzleChecker,
        "faults",
        lambda _, puzzle: [Fault(1, "it is bent")] if puzzle == first[0] else [],
    )
    (tmp_path / "work" / "mangala.journal").unlink()
    second = puzzle_packing.make_set("mangala", plan, tmp_path / "work", say=print)
    assert first[0] not in second
    assert len(second) == 3
    assert f"{first[0].id}: ply 1: it is bent" in capsys.readouterr().out


def test_a_rebuild_ends_with_a_sentence(tmp_path: Path) -> None:
    from korgool.training.puzzle_packing import main

    (tmp_path / "mangala.journal").write_text("my notes\n")
    for words in (["--game", "mangala"], ["--game", "toguz", "--games", "0"]):
        with pytest.raises(SystemExit, match="korgool: "):
            main([str(tmp_path), *words, "--folder", str(tmp_path / "sets")])
    assert not (tmp_path / "sets").exists()
