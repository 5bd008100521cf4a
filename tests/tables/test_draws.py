"""Drawn positions, and who can bring them to an end, beside a brute force that knows the rules alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from korgool.engine.tables import Draws, TableError, Tables, build
from korgool.engine.tables.files import draws_file, game_folder
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Position, Rules, Side
from tests.tables.naive_draws import Play, count

SMALL = replace(BESTEMSHE, holes=3, stones=2, goal=7, name="small")
SMALLER = replace(BESTEMSHE, holes=2, stones=4, goal=9, name="smaller")
PUBLISHED = {2: (378, 18, 0), 3: (3900, 492, 0), 4: (27450, 3819, 9), 5: (150282, 20301, 337), 6: (685608, 83863, 2829)}


def found(rules: Rules, stones: int, folder: Path, workers: int = 1) -> Draws:
    return Draws.build(build(rules, stones, folder=folder, falling=rules.tuz), stones, folder=folder, workers=workers)


def test_the_numbers_of_the_manual(tmp_path: Path) -> None:
    """With up to 6 stones endless play decides nothing, and most draws are such that one side cannot end them."""
    draws = found(TOGUZ_KORGOOL, 6, tmp_path)
    for stones, (positions, one_sided, nobody_at_half) in PUBLISHED.items():
        counts = draws.counts(stones)
        assert (counts.positions, counts.one_sided, counts.open) == (positions, one_sided, nobody_at_half)
        assert counts.decided == counts.neither == 0
        listed = list(draws.positions(stones))
        assert len(listed) == one_sided + counts.neither
        opened = [at for at in listed if max(at.stores) < 81]
        assert opened == list(draws.positions(stones, open_only=True))
        assert len(opened) == nobody_at_half


@pytest.mark.parametrize(
    ("rules", "layers"),
    [(TOGUZ_KORGOOL, (2, 3)), (BESTEMSHE, (2, 4)), (SMALL, (2, 4, 6, 8)), (SMALLER, (2, 4, 8, 12))],
    ids=["toguz", "bestemshe", "small", "smaller"],
)
def test_brute_force_counts_the_same(rules: Rules, layers: tuple[int, ...], tmp_path: Path) -> None:
    draws = found(rules, max(layers), tmp_path, workers=2)
    for layer in layers:
        assert asdict(draws.counts(layer)) == {"stones": layer, **count(rules, layer)}


def test_small_games_have_all_kinds(tmp_path: Path) -> None:
    """So the comparison above is one of all numbers."""
    counts = [found(SMALL, 8, tmp_path).counts(8), found(SMALLER, 12, tmp_path).counts(12)]
    assert sum(each.decided for each in counts) > 0
    assert sum(each.one_sided for each in counts) > 0


@pytest.mark.parametrize("board", ["9/1S,7,1S 79 81 S 1", "1S,8/8,1S 81 79 S 1", "8,2S/2,1S,4,1S,1 79 79 S 1"])
def test_each_side_of_a_position(board: str, tmp_path: Path) -> None:
    position = Position.parse(board, TOGUZ_KORGOOL)
    ends = found(TOGUZ_KORGOOL, 4, tmp_path).ends(position)
    play = Play([position])

    def ended(side: int) -> Callable[[Position], bool]:
        return lambda at: (end := at.outcome()) is not None and end.winner in (side, None)

    able = [play.forced(side, ended(side))[0] for side in (0, 1)]
    assert ends is not None
    assert [ends.mover, ends.other] == able
    assert sorted(able) == [False, True]


def test_what_is_not_known(tmp_path: Path) -> None:
    draws = found(TOGUZ_KORGOOL, 2, tmp_path)
    assert draws.ends(TOGUZ_KORGOOL.start()) is None
    assert draws.ends(Position.parse("8,1S/1,t,6,1S 79 81 S 1", TOGUZ_KORGOOL)) is None
    with pytest.raises(TableError, match="Mangala by these rules"):
        Draws(Tables(MANGALA))
    with pytest.raises(TableError, match="no table of Toguz korgool with 1 stone"):
        Draws.build(Tables(TOGUZ_KORGOOL), 2, folder=tmp_path)


def test_files_are_kept_checked_and_made_again(tmp_path: Path) -> None:
    """What is there is read; what was cut or altered is worked out again; what belongs to others is refused."""
    first = found(TOGUZ_KORGOOL, 4, tmp_path)
    path = game_folder(TOGUZ_KORGOOL, tmp_path) / draws_file(4)
    whole = path.read_bytes()
    for spoilt in (
        b"",
        whole[:-1],
        whole[:100],
        whole[:500] + bytes((whole[500] ^ 1,)) + whole[501:],
        b"x" + whole[1:],
    ):
        path.write_bytes(spoilt)
        again = found(TOGUZ_KORGOOL, 4, tmp_path)
        assert path.read_bytes() == whole
        assert again.counts(4) == first.counts(4)
    path.write_bytes(whole[:12] + bytes((whole[12] ^ 1,)) + whole[13:])
    with pytest.raises(TableError, match="another game"):
        found(TOGUZ_KORGOOL, 4, tmp_path)


def test_the_command(tmp_path: Path) -> None:
    build(TOGUZ_KORGOOL, 4, folder=tmp_path, falling=True)
    run = CliRunner()
    said = run.invoke(main, ["tables", "drawn", "--from", "4", "--stones", "4", "--folder", str(tmp_path)])
    assert said.exit_code == 0
    assert said.stdout == (
        "4 stones: 5490 of 27450 positions drawn, 0 of them by endless play alone\n"
        "  one side cannot end 3819, neither side 0; nobody has half yet in 9\n"
    )
    listed = run.invoke(
        main, ["tables", "drawn", "--from", "4", "--stones", "4", "--list", "--open", "--folder", str(tmp_path)]
    )
    assert listed.stdout.splitlines()[0] == "1,1S,6,1S/8,2S 79 79 S 1"
    assert len(listed.stdout.splitlines()) == 9
    missing = run.invoke(main, ["tables", "drawn", "--stones", "5", "--folder", str(tmp_path)])
    assert (missing.exit_code, "with 5 stones" in missing.stderr) == (1, True)


@pytest.mark.parametrize("stones", [2, 3, 4])
def test_ways_round_lead_nowhere_else(stones: int, tmp_path: Path) -> None:
    """Whatever the other side does, short of giving its half away, the way goes on; nothing on it is ever gained."""
    draws = found(TOGUZ_KORGOOL, stones, tmp_path)
    lengths = []
    for start in list(draws.positions(stones))[:: 1 if stones < 4 else 97]:
        ends = draws.ends(start)
        assert ends is not None
        side = start.to_move if not ends.other else start.to_move.other
        way = {each.position: each.move for each in draws.way_round(start, side)}
        lengths.append(len(way))
        if start.to_move is side:
            assert start in way
        for at, move in way.items():
            after = at.play(move)
            if after.outcome() is None and after.to_move is side.other:
                for reply in after.legal_moves():
                    answered = after.play(reply)
                    assert answered in way or gives_half_away(draws, answered, side)
        with pytest.raises(ValueError, match="can bring this position to an end"):
            draws.way_round(start, side.other)
    assert min(lengths) == 9  # the circle of two stones
    assert stones > 2 or lengths == [9] * 18


def gives_half_away(draws: Draws, position: Position, side: Side) -> bool:
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner is side
    winning = 1 if position.to_move is side else -1
    return draws.tables.result(position) == winning
