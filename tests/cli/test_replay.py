"""`korgool replay`: every column, for good and for bad games."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from korgool.notation import DIALECTS, Record, write_record
from korgool.rules import (
    BESTEMSHE,
    GAMES,
    MANGALA,
    MANGALA_CASTLE,
    TOGUZ_KORGOOL,
    Game,
    Position,
    Rules,
    Side,
    Termination,
)

Invoke = Callable[..., Any]


def lines_of(done: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def expected(game: Game) -> dict[str, Any]:
    """The line of a game, derived from the rules alone."""
    position, outcome = game.position, game.outcome()
    swept = outcome is not None and sum(outcome.swept) > 0
    holes = [[0] * game.rules.holes] * 2 if swept else [list(row) for row in position.holes]
    stores = outcome.stores if outcome is not None else position.stores
    return {
        "game": game.rules.name,
        "plies": len(game.moves),
        "moves": list(game.moves),
        "result": "*" if outcome is None else outcome.result,
        "result_text": None if outcome is None else outcome.result_text,
        "termination": None if outcome is None else str(outcome.termination),
        "position": str(position),
        "holes": {"white": holes[0], "black": holes[1]},
        "stores": {"white": stores[0], "black": stores[1]},
        "tuz": {side.name.lower(): position.tuz[side] for side in Side},
        "variations": 0,
        "error": None,
    }


def random_game(rules: Rules, seed: int, plies: int = 400) -> Game:
    chance = random.Random(seed)
    game = Game(rules)
    while game.outcome() is None and len(game.moves) < plies:
        game.play(chance.choice(game.position.legal_moves()))
    return game


def check(line: dict[str, Any], game: Game) -> None:
    known = expected(game)
    assert {name: line[name] for name in known} == known


def test_the_online_games_end_as_they_ended(shared: Path, tmp_path: Path, invoke: Invoke) -> None:
    games = [json.loads(line) for line in (shared / "data" / "games_online.jsonl").read_text().splitlines()]
    path = tmp_path / "games.txt"
    path.write_text("".join(game["moves"] + "\n" for game in games))
    lines = lines_of(invoke("replay", str(path), "--json"))
    assert [line["index"] for line in lines] == list(range(500))
    ended = 0
    for line, game in zip(lines, games, strict=True):
        final = game["final"]
        position = Position.parse(line["position"])
        assert [list(row) for row in position.holes] == [final["white"], final["black"]]
        assert list(position.stores) == final["kazan"]
        assert line["tuz"] == {"white": final["tuz_white"], "black": final["tuz_black"]}
        assert (line["termination"] == "no_move") == game["ended_zero"]
        assert line["plies"] == game["plies"] == len(line["moves"])
        if line["termination"] is None:
            assert line["result"] == "*"
            continue
        ended += 1
        assert line["result"] == game["result"]
        rest = [sum(final["white"]), sum(final["black"])] if game["ended_zero"] else [0, 0]
        assert list(line["stores"].values()) == [kazan + more for kazan, more in zip(final["kazan"], rest, strict=True)]
        if game["ended_zero"]:
            assert line["holes"] == {"white": [0] * 9, "black": [0] * 9}
    assert ended > 200


def test_the_online_games_with_their_movetext(shared: Path, tmp_path: Path, invoke: Invoke) -> None:
    games = [json.loads(line) for line in (shared / "data" / "games_online.jsonl").read_text().splitlines()]
    path = tmp_path / "games.pgn"
    path.write_text(
        "".join(f'[Result "{game["result"]}"]\n\n{game["movetext"]} {game["result"]}\n\n' for game in games)
    )
    lines = lines_of(invoke("replay", str(path), "--json"))
    for line, game in zip(lines, games, strict=True):
        assert (line["error"], line["result"]) == (None, game["result"])
        assert "".join(map(str, line["moves"])) == game["moves"]
        assert line["termination"] is not None
        assert line["result_text"] is not None


def test_the_shortest_games_end_by_82(shared: Path, invoke: Invoke) -> None:
    path = shared / "data" / "shortest_games.txt"
    rows = [row.split() for row in path.read_text().splitlines()]
    lines = lines_of(invoke("replay", "-", "--json", text="".join(row[0] + "\n" for row in rows)))
    assert len(lines) == 1391
    for line, (moves, white, black) in zip(lines, rows, strict=True):
        assert "".join(map(str, line["moves"])) == moves
        assert line["stores"] == {"white": int(white), "black": int(black)}
        assert line["termination"] == "majority"
        assert line["result_text"].startswith("1 (8" if int(white) >= 82 else "0 (")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_random_games_of_every_kind_and_dialect(name: str, dialect: str, tmp_path: Path, invoke: Invoke) -> None:
    games = [random_game(GAMES[name], seed) for seed in range(15)]
    path = tmp_path / "games"
    path.write_text("".join(write_record(Record.of(game), dialect) for game in games))
    done = invoke("replay", str(path), "--json", "--game", name)
    assert done.exit_code == 0
    for line, game in zip(lines_of(done), games, strict=True):
        check(line, game)


def test_mangala_turns_and_sweep(invoke: Invoke) -> None:
    text = '[Variant "Mangala"]\n[Result "*"]\n\n1. 40,14 36 *\n'
    (line,) = lines_of(invoke("replay", "-", "--json", text=text))
    check(line, Game(MANGALA, [4, 1, 3]))
    assert line["result"] == "*"
    assert line["result_text"] is line["termination"] is None


def test_sweep_by_rule_for_named_and_unnamed_games(invoke: Invoke) -> None:
    game = next(game for seed in range(99) if sum((game := random_game(MANGALA, seed)).outcome().swept) > 2)  # type: ignore[union-attr]
    for dialect, words in (("pgn", []), ("pgn", ["--game", "mangala"]), ("bare", ["--game", "mangala"])):
        for choice in ("owner", "nobody", "emptied"):
            text = write_record(Record.of(game), dialect).replace(f'"{game.outcome().result}"', '"*"')  # type: ignore[union-attr]
            text = "".join(text.rsplit(game.outcome().result, 1)) if dialect == "pgn" else text  # type: ignore[union-attr]
            done = invoke("replay", "-", "--json", *words, "--rule", f"sweep={choice}", text=text.replace("{zero}", ""))
            (line,) = lines_of(done)
            check(line, Game(MANGALA.with_option("sweep", choice), game.moves))


def test_a_game_of_one_kind_does_not_change_the_next(tmp_path: Path, invoke: Invoke) -> None:
    kinds = [MANGALA, TOGUZ_KORGOOL, BESTEMSHE, MANGALA_CASTLE, MANGALA]
    games = [random_game(rules, seed) for seed, rules in enumerate(kinds)]
    text = "".join(write_record(Record.of(game), "pgn") for game in games)
    for words in ([], ["--rule", "threefold=3"]):
        for line, game in zip(lines_of(invoke("replay", "-", "--json", *words, text=text)), games, strict=True):
            check(line, game)


@pytest.mark.parametrize(
    ("tag", "termination"),
    [
        ("", "unknown"),
        ("White resigned", "resignation"),
        ("time", "time"),
        ("agreement", "agreement"),
        ("forfeit", "forfeit"),
    ],
)
def test_endings_by_people(tag: str, termination: str, invoke: Invoke) -> None:
    text = f'[Result "0-1"]\n[Termination "{tag}"]\n\n1. 76(10) 55(10) 0-1\n'
    (line,) = lines_of(invoke("replay", "-", "--json", text=text))
    assert (line["result"], line["result_text"], line["termination"]) == ("0-1", "0 (10) - 1 (10)", termination)
    assert sum(line["holes"]["white"]) + sum(line["holes"]["black"]) == 142


def test_the_board_is_believed_before_the_header(shared: Path, invoke: Invoke) -> None:
    moves = (shared / "data" / "shortest_games.txt").read_text().split()[0]
    text = write_record(Record.of(Game(TOGUZ_KORGOOL, map(int, moves))), "pgn").replace("1-0", "0-1")
    (line,) = lines_of(invoke("replay", "-", "--json", text=text))
    assert (line["result"], line["termination"], line["error"]) == ("1-0", "majority", None)
    assert line["warnings"]


def test_a_record_without_its_end_is_warned_of(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "cut.pgn"
    path.write_text('[Result "1-0"]\n\n1. 76(10) 98 2. ')
    for form in ((), ("--json",)):
        done = invoke("replay", str(path), *form)
        assert done.exit_code == 0
        reason = "no result follows the moves; the record may be cut off"
        assert done.stderr == f"korgool: {path}: game 0, line 1, warning: {reason}\n"


def test_a_bad_game_has_its_line_and_the_others_follow(tmp_path: Path, invoke: Invoke) -> None:
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    first.write_text("75\n777\n7x\n00\n")
    second.write_text("1. 76(10) 55(99)\n\n1. 75\n\n1. 76 55 2. 43x\n")
    done = invoke("replay", str(first), str(second), "--json")
    assert done.exit_code == 1
    lines = lines_of(done)
    assert [line["index"] for line in lines] == list(range(len(lines)))
    assert [line["file"] for line in lines] == [str(first)] * 4 + [str(second)] * 3
    assert [line["error"] and line["error"]["ply"] for line in lines] == [None, None, 1, 1, 2, 1, 3]
    for line in lines:
        assert line["plies"] == len(line["moves"])
        check({**line, "error": None}, Game(TOGUZ_KORGOOL, line["moves"]))
    assert "store holds 10" in lines[4]["error"]["reason"]
    said = done.stderr.splitlines()
    assert len(said) == sum(line["error"] is not None for line in lines)
    assert said[0] == f"korgool: {first}: game 2, line 3, ply 1: {lines[2]['error']['reason']}"


def test_plies_after_the_end_are_an_error(shared: Path, invoke: Invoke) -> None:
    moves = (shared / "data" / "shortest_games.txt").read_text().split()[0]
    done = invoke("replay", "-", "--json", text=moves + "1\n")
    assert done.exit_code == 1
    (line,) = lines_of(done)
    assert (line["plies"], line["error"]["ply"], line["termination"]) == (11, 12, "majority")
    assert line["result_text"] == "1 (82) - 0 (10)"


@pytest.mark.parametrize(
    "content",
    [
        b"\0\0\0",
        b"\xff\xfe7\x006\x00",
        b"76\n\xff\xff\n76\n",
        b"{",
        b'[Event "',
        b"7" * 10_000_000,
        b"x" * 10_000_000 + b"\n76\n",
    ],
    ids=["nul", "utf-16", "latin", "brace", "tag", "long bare", "long rubbish"],
)
def test_rubbish_is_named(content: bytes, tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "rubbish"
    path.write_bytes(content)
    done = invoke("replay", str(path), "--json")
    lines = lines_of(done)
    assert done.exit_code == 1
    assert any(line["error"] for line in lines)
    assert all(line["error"] is None or line["error"]["reason"] for line in lines)
    plain = invoke("replay", str(path))
    assert plain.exit_code == 1
    assert "error at move " in plain.stdout


def test_an_empty_file_has_no_games(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "empty"
    path.write_bytes(b"\n\n")
    done = invoke("replay", str(path), "--json")
    assert (done.exit_code, done.stdout) == (0, "")


def test_a_missing_file_after_a_good_one(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "games"
    path.write_text("76\n")
    done = invoke("replay", str(path), str(tmp_path / "none"), "--json")
    assert done.exit_code == 1
    assert len(lines_of(done)) == 1
    assert f"{tmp_path / 'none'}: cannot be read" in done.stderr


def test_the_plain_form(invoke: Invoke) -> None:
    done = invoke("replay", "-", text="75\n")
    assert done.stdout.startswith("0  toguz  2 moves  *  ")
    assert str(Game(TOGUZ_KORGOOL, [7, 5]).position) in done.stdout


def test_set_up_starts(invoke: Invoke) -> None:
    text = '[FEN "8,1S/8,1S 80 80 S 70"]\n[Result "*"]\n\n70. 91 *\n'
    (line,) = lines_of(invoke("replay", "-", "--json", text=text))
    assert line["error"] is None
    assert (line["termination"], line["plies"]) == (str(Termination.MAJORITY), 1)
    assert line["stores"] == {"white": 82, "black": 80}
    text = '[FEN "2S,8/8,1S 0 0 S 1"]\n[Result "*"]\n\n1. 91 *\n'
    done = invoke("replay", "-", "--json", text=text)
    assert (done.exit_code, lines_of(done)[0]["error"]["ply"]) == (1, 1)
    assert invoke("replay", "-", "--json", "--lenient", text=text).exit_code == 0


def test_games_come_as_they_are_read(program: Callable[..., Any]) -> None:
    done = program("replay", "-", "--json", text="75\n" * 3000)
    assert len(done.stdout.splitlines()) == 3000
    assert done.stderr == ""


def test_variations_are_counted_and_converted(invoke: Invoke) -> None:
    text = "1. 76 $1 (1. 54 (1. 98) 11) 55 {so} 2. 33 *"
    (line,) = lines_of(invoke("replay", "-", "--json", text=text))
    assert (line["moves"], line["variations"], line["error"]) == ([7, 5, 3], 2, None)
    written = invoke("convert", "-", "--to", "pgn", text=text).stdout
    assert "1. 76(10) $1 (1. 54(10) (1. 98(10)) 1... 11(10)) 1... 55(10) {so} 2. 33 *" in written
    assert invoke("convert", "-", "--to", "bare", text=written).stdout == "753\n"
    done = invoke("replay", "-", "--json", text="1. 76 (1. 54 99) 55 *")
    assert done.exit_code == 1
    (line,) = lines_of(done)
    assert line["error"]["ply"] == 2
    assert line["error"]["reason"].startswith("in a variation of ply 1, ply 2: '99' does not fit")


@pytest.mark.parametrize(("number", "words"), [(0, "0 moves"), (1, "1 move"), (2, "2 moves")])
def test_one_is_not_a_plural(invoke: Invoke, number: int, words: str) -> None:
    assert f"  {words}  " in invoke("replay", "-", text=f"{'79'[:number]} *\n").stdout
