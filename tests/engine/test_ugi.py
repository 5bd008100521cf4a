"""The engine protocol, within one process: every command, every refusal, and that a search is always answered."""

from __future__ import annotations

import io
import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.engine.search import Engine
from korgool.engine.ugi import LONGEST, Ugi
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Game
from tests.engine.sessions import OVER, SMALL, run


def test_the_greeting() -> None:
    lines = run("ugi", "isready", "quit", "isready")
    assert lines[0].startswith("id name Korgool ")
    assert lines[1].startswith("id author ")
    assert lines[-2:] == ["ugiok", "readyok"]
    options = [line.split() for line in lines[2:-2]]
    assert all(words[:2] == ["option", "name"] and words[3] == "type" for words in options)
    assert {words[2] for words in options} == {
        "hash",
        "multipv",
        "level",
        "rating",
        "threads",
        "overhead",
        "network",
        "tables",
        "book",
        "game",
        *TOGUZ_KORGOOL.options(),
    }
    assert "option name hash type spin default 16 min 1 max 4096" in lines


def test_the_session_of_the_protocol_page() -> None:
    lines = run(
        "ugi",
        "setoption name hash value 64",
        "isready",
        "uginewgame",
        "position startpos",
        "query p1turn",
        "go depth 4",
    )
    assert "response true" in lines
    best = lines[-1].split()
    assert best[0] == "bestmove"
    assert int(best[1]) in range(1, 10)
    depths = [line.split() for line in lines if line.startswith("info depth")]
    assert [int(words[2]) for words in depths] == [1, 2, 3, 4]
    assert all({"score", "cp", "nodes", "time", "pv"} <= set(words) for words in depths)
    after = run(f"position startpos moves {best[1]}", "query p1turn", "query result", "query gameover", "quit")
    assert after == ["response false", "response none", "response false"]


@pytest.mark.parametrize(
    ("position", "gameover", "p1turn", "result"),
    [
        ("startpos", "false", "true", "none"),
        ("startpos moves 7", "false", "false", "none"),
        ("fen 8,1S/9 82 79 N 70", "true", "false", "p1win"),
        (f"fen {OVER}", "true", "true", "p2win"),
        ("fen 9/9 81 81 S 70", "true", "true", "draw"),
        ("fen 8,1S/9 80 81 S 70", "true", "true", "p2win"),
        ("startpos moves 9 5 8 5 7 2 3 2 9 9 9", "true", "false", "p1win"),
    ],
)
def test_queries(position: str, gameover: str, p1turn: str, result: str) -> None:
    lines = run(f"position {position}", "query gameover", "query p1turn", "query result")
    assert lines == [f"response {answer}" for answer in (gameover, p1turn, result)]


def test_an_extra_turn_keeps_the_turn() -> None:
    questions = ["query p1turn"]
    lines = run(
        "setoption name game value mangala",
        "position startpos moves 4",
        *questions,
        "position startpos moves 4 1",
        *questions,
    )
    assert lines == ["response true", "response false"]
    assert run("position startpos moves 4", "query p1turn", rules=MANGALA) == ["response true"]


def test_the_position_tells_the_game_unless_it_was_chosen() -> None:
    assert run(f"position fen {SMALL} moves 4", "query p1turn") == ["response true"]
    assert run("setoption name game value castle", f"position fen {SMALL} moves 4", "query p1turn") == [
        "response false"
    ]
    (line,) = run("setoption name game value toguz", f"position fen {SMALL}")
    assert line.startswith("info string position: White has 6 holes instead of 9")


def test_rules_are_options() -> None:
    single = "6/6S,6S,6S,6S,5S,1S 12 6 S 1"
    assert run("setoption name game value mangala", f"position fen {single}", "query gameover") == ["response true"]
    text = "1S,1S,1S,1S,1S,1S/5S,5S,5S,5S,5S,1S 9 7 S 1"
    turns = ("setoption name game value mangala", f"position fen {text} moves 6", "query p1turn")
    assert run(*turns) == ["response true"]
    assert run("setoption name extra_turn_single value no", *turns) == ["response false"]


def test_threefold_is_a_draw_that_can_be_switched_off() -> None:
    cycle = "5 1 4 2 3 3 2 5 1 4"
    words = f"position fen 2S,4/1,1S,2S,2S,2S 20 21 S 1 moves {cycle} {cycle}"
    assert run(f"{words[: -len(cycle)]}", "query gameover") == ["response false"]
    assert run(words, "query gameover", "query result") == ["response true", "response draw"]
    off = run("setoption name threefold value 0", words, "query gameover", "query result")
    assert off == ["response false", "response none"]
    assert run(words, "go depth 2")[-1].startswith("bestmove ")


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("dance", "unknown command 'dance'; known are ugi"),
        ("QUIT now", "unknown command"),
        ("\0\x01", "unknown command"),
        ("x" * 500, "unknown command 'xxx"),
        ("position", "the form is position"),
        ("position startpos 3", "the form is position"),
        ("position fen", "the form is position"),
        ("position fen hello", "five parts"),
        ("position fen 9/9 0 0 S 1", "0 stones instead of 162"),
        ("position startpos moves 0", "ply 1: there is no hole 0"),
        ("position startpos moves 7 6", "ply 2: hole 6 of Black cannot be sown"),
        ("position startpos moves 7 x", "ply 2: a move is a hole number"),
        ("position startpos moves -1", "a move is a hole number"),
        ("position startpos moves \u0667", "a move is a hole number"),
        (f"position fen {OVER} moves 9", "the game is over"),
        ("setoption", "the form is setoption"),
        ("setoption name hash", "the form is setoption"),
        ("setoption name hash value 0", "whole number from 1 to 4096"),
        ("setoption name hash value -5", "whole number from 1 to 4096"),
        ("setoption name hash value 99999999999999999999", "whole number from 1 to 4096"),
        ("setoption name level value nine", "whole number from 1 to 8"),
        ("setoption name rating value strong", "rating is a whole number from 0 to"),
        ("setoption name rating value 50", "rating is 0, for off, or in Toguz korgool 200 to"),
        ("setoption name rating value 999999", "rating is a whole number from 0 to"),
        ("setoption name game value chess", "toguz, mangala, castle, bestemshe"),
        ("setoption name colour value red", "there is no option 'colour'"),
        ("setoption name sweep value all", "owner, emptied, nobody"),
        ("query", "unknown question"),
        ("query weather", "unknown question 'weather'"),
        ("stop", "no search is running"),
    ],
)
def test_what_cannot_be_obeyed_is_said_and_changes_nothing(line: str, part: str) -> None:
    lines = run("position startpos moves 7", line, "isready", "query p1turn", "go depth 1")
    assert lines[0].startswith("info string ")
    assert part in lines[0]
    assert lines[1:3] == ["readyok", "response false"]
    assert int(lines[-1].split()[1]) in Game(TOGUZ_KORGOOL, [7]).position.legal_moves()


def test_a_very_long_line_is_refused_in_parts() -> None:
    sink = io.StringIO()
    Ugi(io.StringIO("x" * (3 * LONGEST) + "\nisready\n" + "position startpos moves" + " 1" * LONGEST), sink).run()
    lines = sink.getvalue().splitlines()
    assert lines[0] == lines[2] == f"info string a line of more than {LONGEST} characters is refused"
    assert lines[1] == "readyok"


def test_threads() -> None:
    lines = run("setoption name threads value 3", "go nodes 100000")
    assert lines[-1].startswith("bestmove ")
    assert any(int(line.split()[line.split().index("nodes") + 1]) > 100_000 for line in lines if " nodes " in line)


def test_no_memory_for_the_table_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A smaller table takes its place, and the move comes."""
    allocate = Engine._allocated

    def refusing(self: Engine, table: int) -> Any:
        if table > 1 << 20:
            raise OSError("no memory")
        return allocate(self, table)

    monkeypatch.setattr(Engine, "_allocated", refusing)
    lines = run("setoption name hash value 4096", "go depth 2")
    assert (
        "info string go: there is no memory for a table of 4096 MiB; choose a smaller one; going on with 1 MiB" in lines
    )
    assert lines[-1].startswith("bestmove ")


def test_a_position_that_goes_on_keeps_the_game() -> None:
    """What was read before is not read again; what is refused leaves all as it was."""
    ugi = Ugi(io.StringIO(), io.StringIO())
    moves = ["7", "7", "2", "5", "1", "1", "9", "9"]
    ugi.obey(["position", "startpos", "moves", *moves[:4]])
    game = ugi.game
    ugi.obey(["position", "startpos", "moves", *moves])
    assert ugi.game is game
    assert list(map(str, game.moves)) == moves
    for bad in ("10", "x", "0"):
        ugi.obey(["position", "startpos", "moves", *moves, "3", bad])
        assert ugi.game is game
        assert list(map(str, game.moves)) == moves
    for words in (["startpos", "moves", *moves[:4]], ["startpos"], ["startpos", "moves", "6", "6"]):
        ugi.obey(["position", *words])
        assert list(map(str, ugi.game.moves)) == words[2:]
        assert ugi.game is not game


@pytest.mark.parametrize(
    "between",
    ["setoption name game value mangala", "setoption name threefold value 0", "uginewgame", "position startpos"],
)
def test_the_same_words_may_mean_another_game(between: str) -> None:
    ugi = Ugi(io.StringIO(), io.StringIO())
    ugi.obey(["position", "startpos", "moves", "4"])
    before = ugi.game
    ugi.obey(between.split())
    ugi.obey(["position", "startpos", "moves", "4", "1"])
    assert ugi.game is not before
    assert Game(ugi.options.rules, [4, 1]).positions == ugi.game.positions
    assert ugi.game.rules == ugi.options.rules


@given(st.lists(st.lists(st.integers(1, 9), max_size=12), max_size=6))
def test_any_way_to_a_position_leads_to_the_same(games: list[list[int]]) -> None:
    ugi = Ugi(io.StringIO(), io.StringIO())
    known: list[int] = []
    for moves in games:
        for told in (moves[: len(moves) // 2], moves):
            ugi.obey(["position", "startpos", "moves", *map(str, told)])
            try:
                known = list(Game(TOGUZ_KORGOOL, told).moves)
            except ValueError:
                continue
            finally:
                assert list(ugi.game.moves) == known
    assert ugi.game.positions == Game(TOGUZ_KORGOOL, known).positions


def test_stop_ends_an_endless_search(talk: Any) -> None:
    talk.say("go infinite")
    talk.until("info depth 5")
    used = time.process_time()
    assert talk.best("stop").isdigit()
    assert time.process_time() - used < 2
    assert talk.ask("stop") == ["info string stop: no search is running"]


def test_stop_at_once_is_not_forgotten(talk: Any) -> None:
    for _ in range(100):
        talk.say("go infinite")
        assert talk.best("stop").isdigit()


def test_an_endless_search_of_a_decided_game_waits_for_stop(talk: Any) -> None:
    talk.say("position fen 8,1S/8,1S 80 80 S 70", "go infinite")
    time.sleep(0.3)
    assert not any(line.startswith("bestmove") for line in talk.ask("query p1turn"))
    assert talk.best("stop") == "9"


def test_a_piped_script_needs_no_pauses(talk: Any) -> None:
    """What comes while a search with a limit runs waits for its end."""
    talk.say("go nodes 300000", "position startpos moves 7", "go depth 2", "position startpos moves 7 7", "go depth 3")
    answers = [talk.until("bestmove") for _ in range(3)]
    assert not any("refused" in line for lines in answers for line in lines)
    assert talk.ask("query p1turn") == ["response true"]


def test_patience_has_an_end(talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.engine.ugi.PATIENCE", 0.1)
    talk.say("go depth 60")
    said = [line for line in talk.ask("position startpos moves 7") if line.startswith("info string")]
    assert said == ["info string position is refused while a search runs; send stop first"]
    assert talk.best("stop")
    assert talk.ask("query p1turn") == ["response true"]


def test_while_a_search_runs(talk: Any) -> None:
    talk.say("go infinite")
    for line in ("go depth 1", "position startpos", "uginewgame", "setoption name hash value 8", "ugi"):
        said = [answer for answer in talk.ask(line) if not answer.startswith("info depth")]
        assert said == [f"info string {line.split()[0]} is refused while a search runs; send stop first"]
    assert "response true" in talk.ask("query p1turn")
    assert talk.best("stop").isdigit()
    assert talk.best("go depth 2").isdigit()


def test_the_next_command_may_follow_the_move_at_once(talk: Any) -> None:
    for _ in range(300):
        assert talk.best("go depth 1").isdigit()
        assert talk.ask("position startpos moves 7") == []


def test_the_end_of_the_input_lets_a_search_with_a_limit_finish() -> None:
    assert run("go depth 6")[-2].startswith("info depth 6 ")
    used = time.process_time()
    assert run("go infinite")[-1].startswith("bestmove")
    assert run("go movetime 60000", "quit")[-1].startswith("bestmove")
    assert time.process_time() - used < 5


def test_several_lines() -> None:
    lines = run("setoption name multipv value 3", "go depth 4")
    ranks = [line.split()[4] for line in lines if line.startswith("info depth 4 multipv")]
    assert ranks == ["1", "2", "3"]
    best = next(line for line in lines if line.startswith("info depth 4 multipv 1"))
    assert best.split(" pv ")[1].split()[0] == lines[-1].split()[1]


def test_levels_are_repeatable_by_seed() -> None:
    words = ("setoption name level value 1", "go depth 1")
    moves = {run(*words, seed=seed)[-1] for seed in range(20)}
    assert len(moves) > 1
    assert run(*words, seed=3) == run(*words, seed=3)


def test_a_rating_plays_in_place_of_the_level() -> None:
    words = ("setoption name rating value 200", "go depth 1")
    moves = {run(*words, seed=seed)[-1] for seed in range(20)}
    assert len(moves) > 3
    assert run(*words, seed=3) == run(*words, seed=3)
    off = run("setoption name rating value 200", "setoption name rating value 0", "go depth 2", seed=3)
    assert any(line.startswith("info depth 2") for line in off)


def test_a_rating_that_the_next_game_lacks_is_told_and_the_nearest_plays() -> None:
    lines = run("setoption name rating value 2300", "setoption name game value mangala", "go nodes 2000")
    (said,) = [line for line in lines if line.startswith("info string")]
    assert re.fullmatch(r"info string Mangala has no rating 2300; playing at 1\d\d\d", said)
    assert lines[-1].startswith("bestmove ")


def test_the_reported_lines_can_be_played() -> None:
    for name, rules in GAMES.items():
        game = Game(rules, [rules.start().legal_moves()[1]])
        position = f"position startpos moves {game.moves[0]}"
        for line in run(f"setoption name game value {name}", position, "go depth 9"):
            if line.startswith("info depth"):
                Game(game.position, map(int, line.split(" pv ")[1].split()))


VOCABULARY = """
ugi isready uginewgame setoption name value hash multipv level game mangala toguz castle bestemshe threefold sweep owner
position startpos fen moves S N 9/9 go infinite depth nodes movetime p1time p2time p1inc stop query gameover p1turn
result threads overhead wtime btime winc movestogo delay byoyomi 0 -1 1 2 3 4 5 6 7 8 9 x \0 \u0669
"""
WORDS = st.sampled_from(VOCABULARY.split())


@settings(deadline=None, max_examples=60)
@given(st.lists(st.lists(WORDS | st.text(max_size=8), max_size=8).map(" ".join), max_size=12))
def test_any_input_is_survived(lines: list[str]) -> None:
    said = run(
        *[line for line in lines if line.split() != ["quit"]], "stop", "isready", "position startpos", "go depth 1"
    )
    assert "readyok" in said
    assert said[-1].split()[0] == "bestmove"
    assert all(line.split()[0] in ("id", "option", "ugiok", "readyok", "response", "info", "bestmove") for line in said)


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(alphabet=st.characters(exclude_characters="\n\r"), max_size=60), max_size=8))
def test_any_text_is_survived(lines: list[str]) -> None:
    said = run(*[line for line in lines if line.split() != ["quit"]], "isready")
    assert "readyok" in said  # not always at the end: the text may happen to be "go"
