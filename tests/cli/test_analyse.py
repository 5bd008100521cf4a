"""`korgool analyse`: what its lines say, in order, whatever the threads."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from korgool.notation import Record, format_movetext, write_record
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Position

Invoke = Callable[..., Any]
START = str(TOGUZ_KORGOOL.start())
LAST = "8,1S/8,1S 80 80 S 70"
OVER = "9/8,1S 79 82 S 70"
GAME = Game(TOGUZ_KORGOOL, [7, 5, 3, 2, 9, 9])


def data(done: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", GAMES)
def test_the_fields_of_a_line(name: str, invoke: Invoke) -> None:
    start = GAMES[name].start()
    (found,) = data(
        invoke("analyse", "--position", str(start), "--game", name, "--depth", "6", "--lines", "3", "--json")
    )
    assert found["position"] == str(start)
    assert found["nodes"] > 0
    assert found["seconds"] >= 0
    assert len(found["lines"]) == 3
    values = [line["evaluation"] for line in found["lines"]]
    assert values == sorted(values, reverse=True)
    assert len({line["move"] for line in found["lines"]}) == 3
    for line in found["lines"]:
        assert set(line) == {"move", "evaluation", "win", "draw", "loss", "exact", "depth", "pv", "pv_text", "reasons"}
        assert line["pv"][0] == line["move"] in start.legal_moves()
        assert line["win"] + line["draw"] + line["loss"] == pytest.approx(1, abs=0.001)
        assert line["depth"] == 6
        assert line["exact"] is False
        assert line["pv_text"] == format_movetext(Game(start, line["pv"]), numbered=False)


def test_a_proven_line_is_exact(invoke: Invoke) -> None:
    (found,) = data(invoke("analyse", "--position", LAST, "--depth", "5", "--json"))
    (line,) = found["lines"]
    assert (line["move"], line["exact"], line["win"], line["pv_text"]) == (9, True, 1.0, "91(82)")


def test_lines_say_why(invoke: Invoke) -> None:
    (found,) = data(invoke("analyse", "--position", LAST, "--depth", "5", "--json"))
    assert found["lines"][0]["reasons"][0] == {
        "kind": "goal", "stones": 82, "left": 0, "hole": 0, "line": [], "shared": False,
        "text": "brings the kazan to 82 stones and wins",
    }  # fmt: skip
    text = invoke("analyse", "--position", LAST, "--depth", "5").stdout
    assert "\n     brings the kazan to 82 stones and wins; is the only move; captures 2 stones\n" in text


def test_lines_end_with_the_game(invoke: Invoke) -> None:
    """The search plays on past the deciding stone, for its evaluation; what it shows does not."""
    for text in ("1S,1,5S,1S,1S,4/1S,3S,t,2,1S,1S,1S,1S 66 80 N 57", "1S,2S,1,1S,4S/1,2S,3S,2S,3S 24 8 S 26"):
        for depth in range(2, 9):
            (found,) = data(invoke("analyse", "--position", text, "--depth", str(depth), "--lines", "4", "--json"))
            for line in found["lines"]:
                assert line["pv"][0] == line["move"]
                Game(Position.parse(text), line["pv"])


def test_a_finished_game_has_no_lines(invoke: Invoke) -> None:
    (found,) = data(invoke("analyse", "--position", OVER, "--json"))
    assert (found["lines"], found["nodes"], found["termination"]) == ([], 0, "majority")
    assert "the game is over: 0 (79) - 1 (82), majority" in invoke("analyse", "--position", OVER).stdout


def test_more_lines_than_moves(invoke: Invoke) -> None:
    (found,) = data(invoke("analyse", "--position", LAST, "--depth", "2", "--lines", "9", "--json"))
    assert len(found["lines"]) == 1


def test_limits(invoke: Invoke) -> None:
    (by_nodes,) = data(invoke("analyse", "--position", START, "--nodes", "5000", "--json"))
    assert by_nodes["nodes"] <= 5000
    used = time.process_time()
    (by_time,) = data(invoke("analyse", "--position", START, "--seconds", "0.2", "--json"))
    assert by_time["seconds"] > 0.1
    (default,) = data(invoke("analyse", "--position", START, "--json"))
    assert default["seconds"] > 0.5
    assert time.process_time() - used < 3  # of this process, for both: what others run beside it does not count


def test_several_positions_of_several_games(invoke: Invoke) -> None:
    texts = [str(rules.start()) for rules in GAMES.values() if rules.name != "castle"] + [OVER]
    words = [word for text in texts for word in ("--position", text)]
    found = data(invoke("analyse", *words, "--depth", "4", "--threads", "3", "--json"))
    assert [line["position"] for line in found] == texts
    assert [line["game"] for line in found] == ["toguz", "mangala", "bestemshe", "toguz"]


@pytest.mark.parametrize("threads", ["1", "4"])
def test_a_record_gives_every_position_in_order(threads: str, tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "games.pgn"
    second = Game(GAMES["castle"], [4, 1, 3])
    path.write_text(write_record(Record.of(GAME)) + write_record(Record.of(second)))
    found = data(invoke("analyse", "--record", str(path), "--depth", "5", "--threads", threads, "--json"))
    boards = [(0, ply, position) for ply, position in enumerate(GAME.positions)]
    boards += [(1, ply, position) for ply, position in enumerate(second.positions)]
    assert [(line["index"], line["ply"], line["position"]) for line in found] == [
        (index, ply, str(position)) for index, ply, position in boards
    ]
    assert [line["played"] for line in found] == [*GAME.moves, None, *second.moves, None]
    alone = data(invoke("analyse", "--position", str(GAME.positions[3]), "--depth", "5", "--json"))
    assert found[3]["lines"] == alone[0]["lines"]


def test_a_record_that_goes_wrong(invoke: Invoke) -> None:
    done = invoke("analyse", "--record", "-", "--depth", "2", "--json", text="77777\n75\n")
    assert done.exit_code == 1
    assert [(line["index"], line["ply"]) for line in data(done)] == [(0, ply) for ply in range(5)] + [
        (1, ply) for ply in range(3)
    ]
    assert "standard input: game 0, line 1, ply 5: " in done.stderr


def test_the_plain_form(invoke: Invoke) -> None:
    lines = invoke("analyse", "--position", START, "--depth", "3").stdout.splitlines()
    assert lines[0] == START
    move = int(lines[1].split()[0])
    assert "win" in lines[1]
    assert move in Position.parse(START).legal_moves()
    assert "captures 10 stones" in lines[2]
    assert lines[3].startswith("  book: ")
    assert lines[4].endswith(" s")
