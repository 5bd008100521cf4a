"""Games that people really played, and the shortest that can be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from korgool import TOGUZ_KORGOOL, Game, Position, Side, Termination


def online_games(shared: Path) -> Iterator[dict[str, Any]]:
    with (shared / "data/games_online.jsonl").open() as lines:
        yield from map(json.loads, lines)


def test_five_hundred_online_games_end_as_they_did(shared: Path) -> None:
    count = 0
    for entry in online_games(shared):
        game = Game(TOGUZ_KORGOOL, map(int, entry["moves"]))
        position, final = game.position, entry["final"]
        assert [list(row) for row in position.holes] == [final["white"], final["black"]]
        assert list(position.stores) == final["kazan"]
        assert list(position.tuz) == [final["tuz_white"], final["tuz_black"]]
        assert "wb"[position.to_move] == final["to_move"]
        outcome = position.outcome()
        assert entry["ended_zero"] == (outcome is not None and outcome.termination is Termination.NO_MOVE)
        if outcome is not None:
            assert outcome.result == entry["result"]
        count += 1
    assert count == 500


def test_all_1391_shortest_games_end_with_82_at_ply_11(shared: Path) -> None:
    lines = (shared / "data/shortest_games.txt").read_text().splitlines()
    for line in lines:
        moves, white, black = line.split()
        outcome = Game(TOGUZ_KORGOOL, map(int, moves)).outcome()
        assert outcome is not None
        assert outcome.termination is Termination.MAJORITY
        assert outcome.stores == (int(white), int(black))
    assert len(lines) == 1391


def test_the_studies_are_positions(shared: Path) -> None:
    from korgool import Setup

    for line in (shared / "data/endgame_studies.jsonl").read_text().splitlines():
        study = json.loads(line)
        tuz = study["tuz_white"], study["tuz_black"]
        rows, stores = (study["white"], study["black"]), (study["kazan"][0], study["kazan"][1])
        position = Setup(TOGUZ_KORGOOL, rows, stores, tuz, Side.WHITE).position()
        assert position.legal_moves()
        assert Position.parse(str(position)) == position
