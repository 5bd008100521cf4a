"""`korgool engine` as other programs meet it: two processes play whole games, and nothing they are fed ends them."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import pytest

from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Rules, Side
from tests.conftest import SEED
from tests.package import environment
from tests.patience import PATIENCE


class Engine:
    """A process that speaks UGI."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process

    def say(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, start: str) -> str:
        """The next line that begins so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(start):
                return line.strip()
        raise AssertionError(f"the engine ended before {start}")

    def ask(self, question: str) -> str:
        self.say(f"query {question}")
        return self.until("response").split()[1]


@contextmanager
def engine(*words: str) -> Iterator[Engine]:
    with subprocess.Popen(
        [sys.executable, "-m", "korgool", "engine", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        yield Engine(process)
        assert process.stdin is not None
        assert process.stderr is not None
        process.stdin.close()
        assert process.wait(PATIENCE) == 0
        assert process.stderr.read() == ""


def play(first: Engine, second: Engine, rules: Rules, go: str) -> Game:
    """A game as a match runner plays it: it knows no rules and asks the engines whose turn it is and who won."""
    engines = first, second
    for player in engines:
        player.say("ugi")
        player.until("ugiok")
        player.say(f"setoption name game value {rules.name}")
        player.say("uginewgame")
        player.say("isready")
        player.until("readyok")
    moves: list[str] = []
    while True:
        text = "position startpos" + (" moves " + " ".join(moves) if moves else "")
        for player in engines:
            player.say(text)
        answers = {(player.ask("gameover"), player.ask("p1turn"), player.ask("result")) for player in engines}
        assert len(answers) == 1
        over, p1turn, result = answers.pop()
        game = Game(rules, map(int, moves))
        outcome = game.outcome()
        repeated = any(claim.reason == "threefold" for claim in game.claims())
        assert over == str(outcome is not None or repeated).lower()
        assert p1turn == str(game.position.to_move is Side.WHITE).lower()
        if over == "true":
            winner = None if outcome is None else outcome.winner
            assert result == {None: "draw", Side.WHITE: "p1win", Side.BLACK: "p2win"}[winner]
            return game
        assert result == "none"
        player = engines[p1turn == "false"]
        player.say(go)
        words = player.until("bestmove").split()
        assert len(words) == 2
        moves.append(words[1])


def ways() -> Iterator[object]:
    """Each game in one of two ways, which the seed chooses, and in both in the long run."""
    for number, name in enumerate(GAMES):
        for way, go in enumerate(("go depth 4", "go p1time 80 p2time 80 p1inc 1 p2inc 1")):
            marks = [] if (SEED + number + way) % 2 else [pytest.mark.long]
            yield pytest.param(go, name, id=f"{go}-{name}", marks=marks)


@pytest.mark.parametrize(("go", "name"), list(ways()))
def test_two_engines_play_a_whole_game(go: str, name: str) -> None:
    with engine() as first, engine("--game", name) as second:
        game = play(first, second, GAMES[name], go)
    assert len(game.moves) > 10
    if name == "mangala":
        movers = [position.to_move for position in game.positions]
        assert any(now is then for now, then in pairwise(movers))


def test_options_of_the_command_line_are_those_of_the_session() -> None:
    with engine("--game", "mangala", "--rule", "extra_turn=no") as player:
        player.say("position startpos moves 4")
        assert player.ask("p1turn") == "false"
        player.say("ugi")
        assert player.until("option name game") == (
            "option name game type combo default mangala var toguz var mangala var castle var bestemshe"
        )
        assert player.until("option name extra_turn ") == "option name extra_turn type check default false"


def test_a_rule_alone_holds_for_every_game() -> None:
    with engine("--rule", "extra_turn=no") as player:
        player.say("position fen 4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 S 1 moves 4")
        assert player.ask("p1turn") == "false"
    assert MANGALA.start().play(4).to_move is Side.WHITE


@pytest.mark.parametrize(
    "rubbish",
    [b"\xff\xfe\x00\n", b"\x00" * 1000, b"a" * 10_000_000 + b"\n", b"position fen \xf0\x9f\n", b"\r\n\r\n\t\n"],
)
def test_bytes_of_all_kinds_are_survived(rubbish: bytes) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "korgool", "engine"],
        input=rubbish + b"\nposition startpos\r\ngo depth 3\n",
        capture_output=True,
        timeout=PATIENCE,
        env=environment(),
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.splitlines()[-1].startswith(b"bestmove ")


def test_the_end_of_the_input_ends_the_engine(program: Callable[..., Any]) -> None:
    done = program("engine", text="")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_reader_that_goes_away_ends_the_engine() -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "korgool", "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("isready\n")
        process.stdin.flush()
        assert process.stdout.readline() == "readyok\n"
        process.stdout.close()
        process.stdin.write("go movetime 50\n")
        process.stdin.flush()
        time.sleep(0.5)
        process.stdin.write("isready\n")
        process.stdin.close()
        assert process.stderr.read() == ""


def test_no_more_is_loaded_for_a_move_than_it_needs() -> None:
    """Whoever starts the engine waits for what it loads. `benchmarks/start.py` measures how long."""
    words = [sys.executable, "-X", "importtime", "-m", "korgool", "engine"]
    ran = subprocess.run(
        words,
        input="go movetime 10\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
        env=environment(),
    )
    assert int(ran.stdout.split()[-1]) in TOGUZ_KORGOOL.start().legal_moves()
    loaded = {line.rpartition("|")[2].strip() for line in ran.stderr.splitlines()}
    assert "korgool.engine.search" in loaded
    own = [tuple(name.split(".")[1:]) for name in loaded if name.startswith("korgool.")]
    assert {parts[0] for parts in own} == {"app", "clusters", "engine", "notation", "rules"}
    assert {parts[1] for parts in own if parts[0] == "app" and len(parts) > 1} == {"cli"}
    large = {"asyncio", "email", "http", "multiprocessing", "numpy", "sqlite3", "ssl", "subprocess", "sqlalchemy"}
    assert not large & {name.partition(".")[0] for name in loaded}
