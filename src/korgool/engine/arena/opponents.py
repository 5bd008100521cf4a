"""Who plays in the arena: a level of our own engine, or any program that speaks UGI."""

from __future__ import annotations

import queue
import shlex
import subprocess
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Protocol

from korgool.engine.arena.clock import Standing
from korgool.engine.levels import NUMBERS, Level, choose, of_number
from korgool.engine.limits import Limits
from korgool.engine.pace import Pace
from korgool.engine.search import Engine
from korgool.rules import Game, Rules

PATIENCE = 10.0
"""Seconds that a program may take to answer anything but `go`."""
GRACE = 1.0
"""Seconds beyond its time after which a program has lost on time: this is about engines that hang, not about clocks."""
LEAST = 10.0
"""Seconds that any `go` may take, also one with a limit of nodes or depth."""


class OpponentError(Exception):
    """A player crashed, hung or said something that cannot be played. It loses the game."""


class Opponent(Protocol):
    """A player of the arena."""

    name: str

    def new_game(self) -> None:
        """Forget the game before."""

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """The hole number it plays, on a clock or without one; raises OpponentError."""

    def close(self) -> None:
        """Leave."""


class LevelOpponent:
    """A strength of the engine in this process.

    Args:
        rules: the game.
        level: a level, its number 1 to 8, or a rating.
        seed: of the chance of the weaker levels.
        table_mib: size of its table.
    """

    def __init__(self, rules: Rules, level: Level | int, *, seed: int | None = None, table_mib: int = 16) -> None:
        self._level = of_number(level, rules) if isinstance(level, int) else level
        self._engine = Engine(rules, table_mib=table_mib)
        self._random = Random(seed)
        self._pace = Pace()
        number = self._level.number
        self.name = f"{'level' if number in NUMBERS else 'rating'}:{number}"

    def new_game(self) -> None:
        """Forget the game before."""
        self._engine.clear()

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """The move of the level; only the highest level minds the limits, the others have their own and the clock."""
        began, history = time.perf_counter(), game.positions[:-1]
        seconds, aim = None, None
        if clock is not None:
            planned = self._pace.plan(game, clock.of(game.position.to_move))
            seconds, aim = planned.most, planned.aim
        if self._level.depth is None and self._level.nodes is None:
            limits = limits if clock is None else replace(limits, seconds=seconds, aim=aim)
            move = self._engine.analyse(game.position, limits, history=history).move
        else:
            move = choose(
                self._engine, game.position, self._level, history=history, seconds=seconds, random=self._random
            ).move
        if clock is not None:
            self._pace.answered(move, time.perf_counter() - began)
        return move

    def close(self) -> None:
        """Nothing is to be left."""


class UgiOpponent:
    """A program that speaks UGI on its standard input and output.

    Args:
        command: how it is started, as a shell would read it; no shell is used.
        rules: the game; it is told by `setoption name game`.
        options: further (name, value) pairs to set.

    Raises:
        OpponentError: it does not start, or does not say `ugiok`.
    """

    def __init__(self, command: str, rules: Rules, *, options: Sequence[tuple[str, str]] = ()) -> None:
        words = shlex.split(command)
        self.name = command
        self.named = False
        if not words:
            raise OpponentError("no command is given")
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True, encoding="utf-8", errors="replace", bufsize=1,
            )  # fmt: skip
        except OSError as error:
            raise OpponentError(f"{words[0]} does not start: {error.strerror or error}") from error
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self.say("ugi")
            self.options = self._greeting()
            if rules.name != "toguz" or "game" in self.options:
                self.say(f"setoption name game value {rules.name}")
            for name, value in options:
                self.say(f"setoption name {name} value {value}")
            self.ready()
        except BaseException:
            self.close()
            raise

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):
            for line in self._process.stdout:
                self._lines.put(line.strip())
        self._lines.put(None)

    def _greeting(self) -> tuple[str, ...]:
        """The names of its options; `id name` becomes its name."""
        options, until = [], time.monotonic() + PATIENCE
        while (line := self.hear(until - time.monotonic())) != "ugiok":
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name, self.named = " ".join(words[2:]), True
            if words[:2] == ["option", "name"] and len(words) > 2:
                options.append(words[2])
        return tuple(options)

    def say(self, line: str) -> None:
        """Send a line; raises OpponentError when nobody is there."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(line + "\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:
            raise OpponentError(f"{self.name} has left") from error

    def hear(self, seconds: float) -> str:
        """The next line; raises OpponentError when none comes in time or the program has ended."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.001))
        except queue.Empty:
            raise OpponentError(f"{self.name} does not answer") from None
        if line is None:
            self._lines.put(None)
            self.left_within(1.0)  # it closed its output a moment before it ended
            raise OpponentError(f"{self.name} has ended, with code {self._process.poll()}")
        return line

    def ready(self) -> None:
        """Wait for `readyok`."""
        self.say("isready")
        until = time.monotonic() + PATIENCE
        while self.hear(until - time.monotonic()) != "readyok":
            pass

    def drain(self) -> None:
        """Forget what it has said and nobody has heard."""
        with suppress(queue.Empty):
            while (line := self._lines.get_nowait()) is not None:
                del line
            self._lines.put(None)

    def left_within(self, seconds: float) -> bool:
        """Whether the program ends within a time."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def new_game(self) -> None:
        """Forget the game before."""
        self.say("uginewgame")
        self.ready()

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """The move it answers; raises OpponentError when that is none or comes much too late."""
        self.say(" ".join(["position", "startpos", *(["moves", *map(str, game.moves)] if game.moves else [])]))
        words, longest = ["go"], limits.seconds or 0
        if clock is not None:
            words += clock.words()
            longest = max(longest, clock.left[game.position.to_move])
        if limits.seconds is not None:
            words += ["movetime", str(max(1, round(limits.seconds * 1000)))]
        if limits.nodes is not None:
            words += ["nodes", str(limits.nodes)]
        if limits.depth is not None:
            words += ["depth", str(limits.depth)]
        self.say(" ".join(words))
        until = time.monotonic() + max(longest + GRACE, LEAST)
        while True:
            words = self.hear(until - time.monotonic()).split()
            if words[:1] == ["bestmove"]:
                break
        if len(words) < 2 or not words[1].isdecimal():
            raise OpponentError(f"{self.name} answers {' '.join(words)!r}")
        return int(words[1])

    def close(self) -> None:
        """Ask it to leave, and end it when it does not."""
        with suppress(OpponentError):
            self.say("quit")
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
