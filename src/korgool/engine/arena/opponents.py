"""Players of the arena: a level of our own engine, or any program that speaks UGI."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Protocol

from korgool.engine.arena.clock import Standing
from korgool.engine.levels import NUMBERS, Level, choose, of_number
from korgool.engine.limits import Limits
from korgool.engine.pace import Pace
from korgool.engine.search import Engine
from korgool.engine.ugi_client import UgiEngine
from korgool.engine.ugi_process import UgiError
from korgool.rules import Game, Rules, Side

GRACE = 1.0
"""Seconds beyond its time after which a program has lost on time: this is about engines that hang, not about clocks."""
LEAST = 10.0
"""Seconds that any `go` may take, also one with a limit of nodes or depth."""


class OpponentError(Exception):
    """A player crashed, hung or said something that cannot be played. It loses the game."""


class Opponent(Protocol):
    """A player of the arena."""

    name: str

    def new_game(self, number: int = 0) -> None:
        """Prepare for another game, whose number in a series decides what is left to chance."""

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """The hole number it plays, on a clock or without one; raises OpponentError."""

    def close(self) -> None:
        """End the player."""


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
        self._seed, self._random = seed, Random(seed)
        self._pace = Pace()
        number = self._level.number
        self.name = f"{'level' if number in NUMBERS else 'rating'}:{number}"

    def new_game(self, number: int = 0) -> None:
        """Clear what the engine remembers; a game of the same number has the same chance."""
        self._engine.clear()
        if self._seed is not None:
            self._random = Random(f"{self._seed} {number}")

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
    """A program that speaks UGI, as a player.

    Args:
        command: how it is started, as a shell would read it; no shell is used.
        rules: the game.
        options: options to set, by name.

    Raises:
        OpponentError: it does not start, or does not say `ugiok`.
    """

    def __init__(self, command: str, rules: Rules, *, options: Mapping[str, object] | None = None) -> None:
        with _told():
            self._engine = UgiEngine(command, rules, options=options)
        self.name = self._engine.name

    def new_game(self, number: int = 0) -> None:
        """Send `uginewgame` to the program; it is not told the number."""
        with _told():
            self._engine.new_game()

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """The move it answers; raises OpponentError when that cannot be played or comes much too late."""
        clocks = None if clock is None else (clock.of(Side.WHITE), clock.of(Side.BLACK))
        longest = max(limits.seconds or 0.0, clock.left[game.position.to_move] if clock else 0.0)
        with _told():
            return self._engine.play(game, limits, clocks=clocks, timeout=max(longest + GRACE, LEAST))

    def close(self) -> None:
        """Ask it to leave, and end it when it does not."""
        self._engine.close()


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except UgiError as error:
        raise OpponentError(str(error)) from error
