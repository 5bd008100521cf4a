"""Many games between two players, in pairs with sides changed: concurrent, resumable, logged line by line."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from korgool.engine.arena.arena_game import Adjudicate, Played, play_game
from korgool.engine.arena.clock import Control
from korgool.engine.arena.elo import MatchScore, Sprt
from korgool.engine.arena.opponents import Opponent
from korgool.engine.limits import Limits
from korgool.rules import Rules, Side

Make: TypeAlias = Callable[[], Opponent]
"""Makes a player anew, one for each game that runs at the same time."""


class LogError(ValueError):
    """A log that is to be continued belongs to another series, or cannot be read."""


@dataclass(frozen=True, slots=True)
class Series:
    """Plan of a series of games.

    Attributes:
        rules: the game.
        first, second: make the two players.
        openings: each is played twice, with sides changed.
        limits: of every move.
        control: the clocks of a game; None for games without clocks.
        adjudicate: ends games whose outcome is certain.
        sprt: ends the series when it has decided.
        at_once: games that run at the same time.
        log: a file of JSON lines; a series that was cut off goes on behind what stands there.
    """

    rules: Rules
    first: Make
    second: Make
    openings: Sequence[tuple[int, ...]]
    limits: Limits
    control: Control | None = None
    adjudicate: Adjudicate | None = None
    sprt: Sprt | None = None
    at_once: int = 1
    log: Path | None = None
    title: dict[str, Any] = field(default_factory=dict)


def run_series(series: Series) -> Generator[tuple[MatchScore, Played, bool], None, None]:
    """Play the series.

    Yields:
        After each game the tally so far, the game, and whether the first player had White. Games come in the order in
        which they end.

    Raises:
        LogError: the log belongs to another series.
        OpponentError: a player does not start at all.
    """
    halves: dict[int, dict[bool, int]] = {}
    tally = MatchScore()
    header = {**series.title, "openings": ["".join(map(str, opening)) for opening in series.openings]}
    for line in _continued(series.log, header):
        tally = _count(tally, halves, line["opening"], line["first_white"], line["half_points"])
    jobs = [(index, white) for index in range(len(series.openings)) for white in (True, False)]
    left = iter([job for job in jobs if job[1] not in halves.get(job[0], {})])
    if series.sprt and series.sprt.verdict(tally):
        return
    with _Players(series) as players, ThreadPoolExecutor(series.at_once) as pool:
        running = _start(pool, players, series, left, series.at_once)
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                index, white = running.pop(future)
                played = future.result()
                half_points = played.half_points(Side.WHITE if white else Side.BLACK)
                _append(series.log, _line(index, white, half_points, played))
                tally = _count(tally, halves, index, white, half_points)
                yield tally, played, white
            if not (series.sprt and series.sprt.verdict(tally)):
                running |= _start(pool, players, series, left, len(done))


def read_tally(log: Path) -> MatchScore:
    """Read the results of a log so far."""
    halves: dict[int, dict[bool, int]] = {}
    tally = MatchScore()
    for text in log.read_text(encoding="utf-8").splitlines()[1:]:
        line = json.loads(text)
        tally = _count(tally, halves, line["opening"], line["first_white"], line["half_points"])
    return tally


class _Players:
    """The players of all games that run, two for each; they are kept from game to game."""

    def __init__(self, series: Series) -> None:
        self._pairs: queue.SimpleQueue[tuple[Opponent, Opponent]] = queue.SimpleQueue()
        self._all: list[Opponent] = []
        self._series = series

    def __enter__(self) -> _Players:
        try:
            for _ in range(self._series.at_once):
                first = self._series.first()
                self._all.append(first)
                second = self._series.second()
                self._all.append(second)
                self._pairs.put((first, second))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._all:
            with closing(player):
                pass

    def play(self, index: int, white: bool) -> Played:
        """Play one game with a free pair of players; a program that has exited is started again for the next game."""
        first, second = self._pairs.get()
        series = self._series
        try:
            sides = (first, second) if white else (second, first)
            played = play_game(
                series.rules,
                *sides,
                opening=series.openings[index],
                limits=series.limits,
                control=series.control,
                adjudicate=series.adjudicate,
            )
            if played.fault:
                first, second = self._anew(first, series.first), self._anew(second, series.second)
        finally:
            self._pairs.put((first, second))
        return played

    def _anew(self, player: Opponent, make: Make) -> Opponent:
        player.close()
        fresh = make()
        self._all.append(fresh)
        return fresh


def _start(
    pool: Executor, players: _Players, series: Series, left: Iterator[tuple[int, bool]], count: int
) -> dict[Future[Played], tuple[int, bool]]:
    started = {}
    for _ in range(count):
        job = next(left, None)
        if job is None:
            break
        started[pool.submit(players.play, *job)] = job
    return started


def _count(
    tally: MatchScore, halves: dict[int, dict[bool, int]], index: int, white: bool, half_points: int
) -> MatchScore:
    halves.setdefault(index, {})[white] = half_points
    tally = tally.with_game(half_points)
    if len(halves[index]) == 2:
        tally = tally.with_pair(sum(halves[index].values()))
    return tally


def _line(index: int, white: bool, half_points: int, played: Played) -> dict[str, Any]:
    return {
        "opening": index,
        "first_white": white,
        "half_points": half_points,
        "moves": list(played.game.moves),
        "result": played.outcome.result,
        "result_text": played.outcome.result_text,
        "termination": str(played.outcome.termination),
        "adjudicated": played.adjudicated,
        "fault": played.fault,
        "seconds": [round(seconds, 3) for seconds in played.seconds],
        **({} if played.left is None else {"left": [round(seconds, 3) for seconds in played.left]}),
    }


def _continued(log: Path | None, header: dict[str, Any]) -> list[dict[str, Any]]:
    """The games of a log that is there, after its first line was held against this series; else begins one."""
    if log is None:
        return []
    if not log.exists() or not log.stat().st_size:
        _append(log, header)
        return []
    whole = log.read_text(encoding="utf-8")
    if not whole.endswith("\n"):  # the last line was cut off: its game is played again
        whole = whole[: whole.rfind("\n") + 1]
        log.write_text(whole, encoding="utf-8")
    lines = []
    for number, text in enumerate(whole.splitlines(), 1):
        try:
            lines.append(json.loads(text))
        except json.JSONDecodeError as error:
            raise LogError(f"{log}, line {number}: {error}") from None
    if not lines:
        _append(log, header)
        return []
    if lines[0] != json.loads(json.dumps(header)):
        raise LogError(f"{log} is the log of another series; give another name")
    return lines[1:]


def _append(log: Path | None, line: dict[str, Any]) -> None:
    if log is not None:
        with log.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
