"""Bare games by the thousand."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.engine.kernel import Kernel
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Rules, Side, Termination

from .reference import random_game, share


def test_shortest_games(shared: Path) -> None:
    """All 1,391 games of 11 plies that reach 82, in one call."""
    rows = [
        line.split() for line in (shared / "data" / "shortest_games.txt").read_text().splitlines() if line[:1].isdigit()
    ]
    assert len(rows) == 1391
    text = "\n".join(row[0] for row in rows).encode()
    replayed = list(Kernel(TOGUZ_KORGOOL).replay(text))
    assert len(replayed) == len(rows)
    for row, game in zip(rows, replayed, strict=True):
        assert game.moves == row[0].encode()
        assert game.plies == 11
        assert game.error is None
        assert game.position.stores == (int(row[1]), int(row[2]))
        assert game.outcome is not None
        assert game.outcome.termination is Termination.MAJORITY


@pytest.mark.parametrize("name", GAMES)
def test_random_games_by_text(name: str) -> None:
    rules, random = GAMES[name], Random(name)
    games = [random_game(rules.start(), random) for _ in range(share(300))]
    text = b"\r\n\n".join(b"  " + bytes(48 + move for move in moves) for moves, _, _, _ in games)
    replayed = list(Kernel(rules).replay(text))
    assert len(replayed) == len(games)
    for (moves, positions, _, outcome), game in zip(games, replayed, strict=True):
        assert (game.plies, game.error) == (len(moves), None)
        assert game.position == positions[-1]
        assert game.outcome == outcome


def test_errors_name_the_ply_and_the_others_follow() -> None:
    text = b"75\n7a6\n0\n71\n76\n  \n\n7588\n9" + b"\x00\n\xff\n"
    games = list(Kernel(TOGUZ_KORGOOL).replay(text))
    assert [(game.moves, game.plies, game.error) for game in games] == [
        (b"75", 2, None),
        (b"7a6", 1, "there is no hole 'a'; holes are numbered 1 to 9"),
        (b"0", 0, "there is no hole 0; holes are numbered 1 to 9"),
        (b"71", 2, None),
        (b"76", 1, "hole 6 is empty"),
        (b"7588", 4, None),
        (b"9\x00", 1, "there is no hole '\\x00'; holes are numbered 1 to 9"),
        (b"\xff", 0, "there is no hole 'ÿ'; holes are numbered 1 to 9"),
    ]
    assert games[0].position == Game(moves=(7, 5)).position
    assert games[1].position == Game(moves=(7,)).position
    assert games[1].position.to_move is Side.BLACK
    assert list(Kernel(TOGUZ_KORGOOL).replay(b"")) == []


def test_moves_after_the_end() -> None:
    game = next(iter(Kernel(TOGUZ_KORGOOL).replay(_finished() + b"1")))
    assert game.error == "the game is over"
    assert game.outcome is not None


def _finished() -> bytes:
    random = Random(5)
    while True:
        moves, _, _, outcome = random_game(TOGUZ_KORGOOL.start(), random)
        if outcome is not None:
            return bytes(48 + move for move in moves)


def test_a_line_of_ten_megabytes() -> None:
    game = next(iter(Kernel(TOGUZ_KORGOOL).replay(b"1" * 10_000_000)))
    assert game.error is not None
    assert len(game.moves) == 10_000_000


def test_more_games_than_one_batch() -> None:
    games = list(Kernel(TOGUZ_KORGOOL).replay(b"75\n" * 1300))
    assert len(games) == 1300
    assert {game.plies for game in games} == {2}


@given(st.binary(max_size=60), st.sampled_from(list(GAMES.values())))
def test_any_bytes(text: bytes, rules: Rules) -> None:
    games = list(Kernel(rules).replay(text))
    lines = [line.strip(b" \t\r") for line in text.split(b"\n")]
    assert [game.moves for game in games] == [line for line in lines if line]
    for game in games:
        played = Game(rules)
        for letter in game.moves[: game.plies]:
            played.play(letter - 48)
        assert played.position == game.position
        if game.error is None:
            assert game.plies == len(game.moves)
        else:
            with pytest.raises(ValueError, match=r"\w"):
                played.play(game.moves[game.plies] - 48)
