"""`korgool convert` and `korgool diagram`: what they write, and that they never write half of it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any
from xml.etree import ElementTree

import pytest

from korgool.app.cli.output import whole_file
from korgool.notation import DIALECTS, Record, parse_records, write_record
from korgool.notation.png import png_board
from korgool.notation.svg import svg_board
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Position, Rules

Invoke = Callable[..., Any]
TGK = """\ufeff[White "?"]
[Black "?"]
[Result "*"]
[Date "2011.10.21"]
[Event "?"]
[Round "1"]
[Site "?"]

1. 65 65
2. 99 89
3. 23 45x
*
"""


def played(rules: Rules, seed: int) -> Game:
    random, game = Random(seed), Game(rules)
    while game.outcome() is None and len(game.moves) < 300:
        game.play(random.choice(game.position.legal_moves()))
    return game


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_there_and_back(name: str, dialect: str, invoke: Invoke) -> None:
    games = [played(GAMES[name], seed) for seed in range(10)]
    text = "".join(write_record(Record.of(game)) for game in games)
    there = invoke("convert", "-", "--to", dialect, text=text)
    assert (there.exit_code, there.stderr) == (0, "")
    back = invoke("convert", "-", "--to", "bare", "--game", name, text=there.stdout)
    assert back.stdout.splitlines() == ["".join(map(str, game.moves)) for game in games]


def test_the_published_example(invoke: Invoke) -> None:
    assert invoke("convert", "-", "--to", "coordinates", text=TGK).stdout == "f1e2 d2e1 i1a2 b2i1 b1g2 f2e1\n"
    assert invoke("convert", "-", "--to", "bare", text=TGK).stdout == "669824\n"
    back = invoke("convert", "-", "--to", "tgk", text=TGK).stdout
    assert back.split() == TGK.lstrip("\ufeff").split()


def test_bad_games_are_named_and_left_out(tmp_path: Path, invoke: Invoke) -> None:
    path, out = tmp_path / "games.txt", tmp_path / "out.pgn"
    path.write_text("75\n77777\n57\n")
    done = invoke("convert", str(path), "--to", "pgn", "-o", str(out))
    assert done.exit_code == 1
    assert done.stderr.startswith(f"korgool: {path}: game 1, line 2, ply 5: ")
    assert [record.moves for record in parse_records(out.read_text())] == [(7, 5), (5, 7)]
    assert os.listdir(tmp_path) in (["games.txt", "out.pgn"], ["out.pgn", "games.txt"])


def test_what_a_form_cannot_hold_is_named(invoke: Invoke) -> None:
    text = '[FEN "8,1S/8,1S 80 80 S 70"]\n[Result "*"]\n\n70. 91(82) 1-0\n'
    done = invoke("convert", "-", "--to", "bare", text=text)
    assert done.exit_code == 1
    assert "standard input: game 0, line 1: the bare dialect cannot carry a set-up start" in done.stderr
    assert invoke("convert", "-", "--to", "pgn", text=text).exit_code == 0


@pytest.mark.parametrize("words", [["convert", "-", "--to", "pgn"], ["diagram"]])
def test_places_that_cannot_be_written(words: list[str], tmp_path: Path, invoke: Invoke) -> None:
    folder = tmp_path / "there.svg"
    folder.mkdir()
    for path in (tmp_path / "none" / "x.svg", folder, tmp_path / ("x" * 300 + ".svg")):
        done = invoke(*words, "-o", str(path), text="75\n")
        assert done.exit_code == 1, path
        assert str(path) in done.stderr
    assert os.listdir(tmp_path) == ["there.svg"]


def test_an_input_that_is_missing_leaves_the_output_as_it_was(tmp_path: Path, invoke: Invoke) -> None:
    out = tmp_path / "out.pgn"
    out.write_text("as it was")
    good = tmp_path / "good"
    good.write_text("75\n")
    assert invoke("convert", str(good), str(tmp_path / "none"), "--to", "pgn", "-o", str(out)).exit_code == 1
    assert out.read_text() == "as it was"
    assert sorted(os.listdir(tmp_path)) == ["good", "out.pgn"]


def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")
    path.chmod(0o640)
    with whole_file(str(path)) as write:
        write(b"new")
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640
    link = tmp_path / "link"
    link.symlink_to(path)
    with whole_file(str(link)) as write:
        write(b"by the link")
    assert link.is_symlink()
    assert path.read_text() == "by the link"
    with pytest.raises(KeyError):
        _fail_half_way(path)
    assert path.read_text() == "by the link"
    assert sorted(os.listdir(tmp_path)) == ["file", "link"]


def _fail_half_way(path: Path) -> None:
    with whole_file(str(path)) as write:
        write(b"half of")
        raise KeyError


POSITION = "2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16"


def test_diagrams_are_those_of_the_notation(tmp_path: Path, invoke: Invoke) -> None:
    position = Position.parse(POSITION)
    svg, png = tmp_path / "board.svg", tmp_path / "BOARD.PNG"
    for path in (svg, png):
        done = invoke("diagram", "--position", POSITION, "-o", str(path))
        assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    assert svg.read_text().rstrip() == svg_board(position).rstrip()
    assert ElementTree.fromstring(svg.read_text()).tag == "{http://www.w3.org/2000/svg}svg"
    assert png.read_bytes() == png_board(position)
    assert png.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert invoke("diagram", "--position", POSITION, "-o", "-").stdout == svg.read_text()


def test_a_diagram_of_the_start_needs_no_position(tmp_path: Path, invoke: Invoke) -> None:
    path = tmp_path / "board.svg"
    assert invoke("diagram", "--game", "mangala", "-o", str(path)).exit_code == 0
    assert path.read_text().rstrip() == svg_board(MANGALA.start()).rstrip()
    assert path.read_text() != svg_board(TOGUZ_KORGOOL.start())
