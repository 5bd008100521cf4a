"""`korgool explorer`."""

from __future__ import annotations

import json
from pathlib import Path

from korgool.rules import GAMES
from tests.cli.conftest import Invoke

GAME = '[White "Ada"]\n[Black "Bek"]\n[WhiteElo "1800"]\n[Date "2026.05.01"]\n[Result "1-0"]\n\n1. 7 4 2. 9 1-0\n\n'


def test_games_are_built_into_a_file_that_answers(tmp_path: Path, invoke: Invoke) -> None:
    records, file = tmp_path / "games.pgn", tmp_path / "games.explorer"
    records.write_text(GAME * 2 + "727\n")
    built = invoke("explorer", "build", str(records), "-o", str(file), "--json")
    assert built.exit_code == 0, built.output
    assert json.loads(built.stdout) == {"file": str(file), "games": 3, "bad": 0, "bytes": file.stat().st_size}
    start = GAMES["toguz"].start()
    for words in ((str(file),), ("ask", str(file)), ("--position", str(start), str(file))):
        answer = json.loads(invoke("explorer", *words, "--json").stdout)
        assert answer["moves"] == [
            {"move": 7, "games": 3, "white": 2, "draws": 0, "black": 0, "rating": 1800, "last": "2026-05-01"}
        ]
    assert answer["games"][0] == {
        "white": "Ada", "black": "Bek", "white_rating": 1800, "black_rating": None,
        "result": "1-0", "date": "2026-05-01", "event": None, "moves": [7, 4, 9],
    }  # fmt: skip
    told = json.loads(invoke("explorer", str(file), "--position", str(start.play(7)), "--json").stdout)
    assert [(move["move"], move["games"]) for move in told["moves"]] == [(4, 2), (2, 1)]
    text = invoke("explorer", str(file)).stdout
    assert text.splitlines()[0] == "7        3  +2 =0 -0  1800  2026-05-01"
    assert "Ada (1800) - Bek" in text
    assert invoke("explorer", str(file), "--game", "mangala").stdout == "No game has had this position.\n"


def test_bad_games_are_told_and_the_others_taken_in(tmp_path: Path, invoke: Invoke) -> None:
    records, file = tmp_path / "games.pgn", tmp_path / "games.explorer"
    records.write_text("77\n727\n70\n")
    built = invoke("explorer", "build", str(records), "-o", str(file))
    assert built.exit_code == 1
    assert built.stderr.count("korgool: ") == 1
    assert f"{records}: game 2, line 3, ply 2" in built.stderr
    assert json.loads(invoke("explorer", str(file), "--json").stdout)["moves"][0]["games"] == 3


def test_what_is_no_explorer_is_said_with_its_name(tmp_path: Path, invoke: Invoke) -> None:
    records, none = tmp_path / "games.pgn", tmp_path / "none"
    records.write_text(GAME)
    for words, reason in [
        ((str(records),), f"{records}: it is not an explorer"),
        ((str(none),), f"{none}: there is no such file"),
        (("build", str(none), "-o", str(tmp_path / "new")), f"{none}"),
        (("build", str(records), "-o", str(none / "new")), "No such file"),
    ]:
        refused = invoke("explorer", *words)
        assert refused.exit_code == 1, refused.output
        assert reason in refused.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["games.pgn"]
    assert invoke("explorer", "build").exit_code == 2
    assert invoke("explorer").exit_code in (0, 2)
