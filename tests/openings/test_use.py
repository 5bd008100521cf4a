"""The books in use: what `analyse` shows, what `play` and UGI play, and what the pages read."""

from __future__ import annotations

import io
import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from korgool.app.server.http.static_files import collect
from korgool.engine.openings import LEAST, MARGIN, BookError, consult, has_book, page, pick, shipped, use
from korgool.engine.solving import Solver
from korgool.engine.ugi import Ugi
from korgool.rules import BESTEMSHE, GAMES, MANGALA, TOGUZ_KORGOOL, Position

ANALYSED = ("toguz", "castle", "bestemshe")
OUT_OF_BOOK = "1,1S,2S,1,1S,4S/1,2S,3S,2S,3S,1 24 4 S 26"


@pytest.fixture
def damaged(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package whose books cannot be read."""

    def refuse(*_: Any) -> None:
        raise BookError("toguz.book is cut short or altered")

    monkeypatch.setattr(use, "shipped", refuse)


def run(*words: str, text: str = "") -> tuple[int, str, str]:
    done = CliRunner().invoke(main, list(words), input=text)
    assert "fault of the program" not in done.stderr, done.stderr
    return done.exit_code, done.stdout, done.stderr


def ugi(*lines: str, seed: int = 1) -> list[str]:
    sink = io.StringIO()
    Ugi(io.StringIO("".join(line + "\n" for line in lines)), sink, seed=seed).run()
    return sink.getvalue().splitlines()


@pytest.mark.parametrize("sweep", ["emptied", "owner"])
def test_mangala_is_exact(sweep: str) -> None:
    rules = MANGALA.with_option("sweep", sweep)
    start = rules.start()
    moves = consult(start)
    assert {move.move: move.evaluation for move in moves} == Solver(rules, memory=16 << 20).solve(start).moves
    assert all(move.exact and move.nodes == 0 for move in moves)
    found = {pick(start, Random(seed)) for seed in range(20)}
    assert found == {move for move in moves if move.evaluation == moves[0].evaluation}
    after = start.play(moves[0].move)
    assert consult(after)[0].evaluation == moves[0].evaluation * (1 if after.to_move is start.to_move else -1)


@pytest.mark.parametrize("name", ANALYSED)
def test_played_moves_are_nearly_the_best(name: str) -> None:
    """Games of the book with itself: legal, within the margin, with analysis behind, and of more than one kind."""
    rules = GAMES[name]
    ways = set()
    for seed in range(60):
        random, position, way = Random(seed), rules.start(), []
        while (move := pick(position, random)) is not None:
            best = consult(position)[0]
            assert move.move in position.legal_moves()
            assert move.evaluation >= best.evaluation - MARGIN * rules.total - 1e-6
            assert move.positions >= LEAST
            way.append(move.move)
            position = position.play(move.move)
        assert len(way) >= 4
        ways.add(tuple(way))
    if name == "toguz":
        assert len(ways) > 1


def test_chance_comes_from_the_seed() -> None:
    start = TOGUZ_KORGOOL.start()
    wide = [pick(start, Random(seed), margin=1.0, least=1) for seed in range(30)]
    assert wide == [pick(start, Random(seed), margin=1.0, least=1) for seed in range(30)]
    assert len(set(wide)) > 3
    assert pick(start, Random(1), least=1_000_000) is None


def test_nothing_out_of_book() -> None:
    position = Position.parse(OUT_OF_BOOK, lenient=True)
    assert consult(position) == ()
    assert pick(position, Random(1)) is None
    other = BESTEMSHE.with_option("sweep", "nobody")
    assert not has_book(other)
    assert consult(other.start()) == ()
    assert all(has_book(GAMES[name]) for name in ("toguz", "mangala", "castle", "bestemshe"))


def test_analyse_shows_the_book() -> None:
    start = TOGUZ_KORGOOL.start()
    code, out, _ = run("analyse", "--position", str(start), "--nodes", "2000", "--json")
    assert code == 0
    book = json.loads(out)["book"]
    assert [line["move"] for line in book] == [move.move for move in consult(start)]
    assert set(book[0]) == {"move", "evaluation", "nodes", "exact"}
    assert book[0]["nodes"] > 1_000_000
    _, text, _ = run("analyse", "--position", str(start), "--nodes", "2000")
    assert f"  book: {book[0]['move']} {book[0]['evaluation']:+.1f}, " in text
    _, text, _ = run("analyse", "--position", str(MANGALA.start()), "--nodes", "2000")
    assert "  book: 5 +0.0, " in text
    assert "(exact)" in text
    _, out, _ = run("analyse", "--position", "8,1S/8,1S 80 80 S 70", "--depth", "2", "--json")
    assert json.loads(out)["book"] is None
    _, text, _ = run("analyse", "--position", "8,1S/8,1S 80 80 S 70", "--depth", "2")
    assert "book" not in text


def test_a_record_and_a_request_show_it_too(tmp_path: Path) -> None:
    best = consult(TOGUZ_KORGOOL.start())[0].move
    after = TOGUZ_KORGOOL.start().play(best)
    said = [move.move for move in consult(after)]
    _, out, _ = run("analyse", "--serve", text=json.dumps({"moves": [best], "nodes": 1000}) + "\n")
    assert [line["move"] for line in json.loads(out)["book"]] == said
    (tmp_path / "game.txt").write_text(f"{best}\n", encoding="ascii")
    _, out, _ = run("analyse", "--record", str(tmp_path / "game.txt"), "--nodes", "1000", "--json")
    assert [[line["move"] for line in json.loads(text)["book"]] for text in out.splitlines()][1] == said


def test_play_uses_it_on_request() -> None:
    start = TOGUZ_KORGOOL.start()
    code, out, _ = run("play", "--level", "1", "--seed", "7", "--side", "black", "--book", text="quit\n")
    assert code == 0
    known = pick(start, Random(7))
    assert known is not None
    assert f"Engine: {known.move}" in out
    code, _, error = run("play", "--book", "--rule", "tuz=no", text="quit\n")
    assert code == 1
    assert "there is no opening book of Toguz korgool" in error


def test_ugi_plays_it_on_request() -> None:
    plain = ugi("go nodes 500")
    assert not any("book" in line for line in plain)
    assert "option name book type check default false" in ugi("ugi")
    known = pick(TOGUZ_KORGOOL.start(), Random(1))
    assert known is not None
    on = ugi("setoption name book value true", "position startpos", "go movetime 60000")
    assert on == [f"info string from the book: {known.move}, {known.evaluation:+.1f} stones", f"bestmove {known.move}"]
    out = ugi("setoption name book value true", f"position fen {'8,1S/8,1S 80 80 S 70'}", "go depth 2")
    assert out[-1].startswith("bestmove")
    assert not any("book" in line for line in out)
    assert ugi("setoption name book value perhaps") == ["info string setoption: book is true or false"]


def test_analysis_by_ugi_searches() -> None:
    several = ugi("setoption name book value true", "setoption name multipv value 2", "go nodes 2000")
    assert any(line.startswith("info depth") for line in several)
    endless = ugi("setoption name book value true", "go infinite", "stop")
    assert not any("from the book" in line for line in endless)
    assert endless[-1].startswith("bestmove")


def test_a_whole_game_by_ugi_is_legal() -> None:
    """Mangala too, where one side may go on."""
    for rules in GAMES.values():
        position, said = rules.start(), 0
        moves: list[int] = []
        while position.legal_moves() and len(moves) < 30:
            lines = ugi(
                f"setoption name game value {rules.name}",
                "setoption name book value true",
                " ".join(["position startpos", *(["moves", *map(str, moves)] if moves else [])]),
                "go nodes 300",
                seed=len(moves),
            )
            said += any("from the book" in line for line in lines)
            move = int(lines[-1].split()[1])
            assert move in position.legal_moves()
            moves.append(move)
            position = position.play(move)
        assert said >= 1


def test_the_engine_command_takes_it() -> None:
    _, out, _ = run("engine", "--book", "--seed", "1", text="go nodes 500\nquit\n")
    assert "info string from the book" in out


@pytest.mark.usefixtures("damaged")
def test_a_damaged_book_is_said_and_done_without() -> None:
    code, out, error = run("analyse", "--position", str(TOGUZ_KORGOOL.start()), "--nodes", "2000", "--json")
    assert (code, json.loads(out)["book"]) == (0, None)
    assert error.count("toguz.book is cut short or altered; going on without the book") <= 1
    lines = ugi("setoption name book value true", "go nodes 500")
    assert "info string no book is used: toguz.book is cut short or altered" in lines
    assert lines[-1].startswith("bestmove")
    code, _, error = run("play", "--book", text="quit\n")
    assert code == 1
    assert "--book: toguz.book is cut short or altered" in error


def test_the_installed_file_is_checked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = shipped(TOGUZ_KORGOOL)
    assert whole is not None
    (tmp_path / "toguz.book").write_text(whole.text()[:-40], encoding="ascii")
    monkeypatch.setattr("korgool.engine.openings.book.resources.files", lambda _: tmp_path)
    shipped.cache_clear()
    try:
        with pytest.raises(BookError, match=r"toguz\.book is cut short"):
            shipped(TOGUZ_KORGOOL)
        (tmp_path / "toguz.book").unlink()
        assert shipped(TOGUZ_KORGOOL) is None
    finally:
        shipped.cache_clear()


@pytest.mark.parametrize("name", GAMES)
def test_the_pages_read_it(name: str) -> None:
    found = page(name)
    assert (found is not None) == has_book(GAMES[name])
    if found is None:
        return
    said = json.loads(found[0])
    assert said["game"] == name
    start = GAMES[name].start()
    for text, moves in list(said["positions"].items())[::7]:
        position = Position.parse(f"{text} 1", GAMES[name])
        assert [tuple(move) for move in moves] == [
            (move.move, move.evaluation, move.nodes, move.exact) for move in consult(position)
        ]
    assert str(start).rpartition(" ")[0] in said["positions"]
    assert page("chess") is None


def test_the_server_serves_it() -> None:
    served = collect()["openings/toguz.json"]
    book = page("toguz")
    assert book is not None
    assert (served.kind, served.body, served.sum) == ("application/json", *book)
    assert {name for name in collect() if name.startswith("openings/")} == {f"openings/{name}.json" for name in GAMES}
