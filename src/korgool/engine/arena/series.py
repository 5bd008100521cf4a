"""Many games between two players, in pairs with sides changed: in threads or on a cluster, resumable, logged."""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from korgool.clusters import Pool
from korgool.engine.arena.arena_game import Adjudicate, Played, play_game
from korgool.engine.arena.clock import Control
from korgool.engine.arena.elo import MatchScore, Sprt
from korgool.engine.arena.opponents import Opponent
from korgool.engine.limits import Limits
from korgool.rules import Rules, Side

Make: TypeAlias = Callable[[], Opponent]
"""Makes a player anew, one for each game that runs at the same time."""
_Job: TypeAlias = tuple[int, bool]
"""A game: the number of its opening, and whether the first player has White."""


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
    log: Path | None = None
    title: dict[str, Any] = field(default_factory=dict)

    @property
    def timed(self) -> bool:
        """True if games depend on time; the others are the same in every run."""
        return self.control is not None or self.limits.seconds is not None


def run_series(series: Series, place: Pool | None = None) -> Generator[tuple[MatchScore, Played, bool], None, None]:
    """Play the series.

    Args:
        series: its plan.
        place: where games are played; without it in this thread, one after the other.

    Yields:
        After each game the tally so far, the game, and whether the first player had White; the openings in their order,
        and with each the game in which the first player has White first, wherever they are played.

    Raises:
        LogError: the log belongs to another series.
        OpponentError: a player does not start at all.
        ClusterError: the cluster is lost.
    """
    place = place or Pool()
    halves: dict[int, dict[bool, int]] = {}
    tally = MatchScore()
    header = {**series.title, "openings": ["".join(map(str, opening)) for opening in series.openings]}
    for line in _continued(series.log, header):
        tally = _count(tally, halves, line["opening"], line["first_white"], line["half_points"])
    if series.sprt and series.sprt.verdict(tally):
        return
    pairs = [
        [(index, white) for white in (True, False) if white not in halves.get(index, {})]
        for index in range(len(series.openings))
    ]
    pairs = [pair for pair in pairs if pair]
    if series.timed:  # a game may take an hour, and is in the log when it ends; no bytes come again there anyway
        pairs = [[one] for pair in pairs for one in pair]
    with _Players(replace(series, log=None, title={})) as players:
        play = partial(_play_away, players.series) if place.remote else players.play_all
        for pair, games in zip(pairs, place.in_turn(play, pairs), strict=True):
            for (index, white), played in zip(pair, games, strict=True):
                half_points = played.half_points(Side.WHITE if white else Side.BLACK)
                _append(series.log, _line(series, index, white, played))
                tally = _count(tally, halves, index, white, half_points)
                yield tally, played, white
                if series.sprt and series.sprt.verdict(tally):
                    return


def read_tally(log: Path) -> MatchScore:
    """Read the results of a log so far."""
    halves: dict[int, dict[bool, int]] = {}
    tally = MatchScore()
    for text in log.read_text(encoding="utf-8").splitlines()[1:]:
        line = json.loads(text)
        tally = _count(tally, halves, line["opening"], line["first_white"], line["half_points"])
    return tally


class _Players:
    """The players of all games that run in this process, two for each; they are kept from game to game."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self._free: queue.SimpleQueue[tuple[Opponent, Opponent]] = queue.SimpleQueue()
        self._all: list[Opponent] = []

    def __enter__(self) -> _Players:
        return self

    def __exit__(self, *_: object) -> None:
        for player in self._all:
            with closing(player):
                pass

    def play_all(self, jobs: Sequence[_Job]) -> list[Played]:
        """Play some games with a free pair of players."""
        pair = self._pair()
        try:
            games = []
            for job in jobs:
                games.append(self._play(pair, *job))
                if games[-1].fault:  # a program that has exited is started again
                    for player in pair:
                        player.close()
                    pair = self._made()
            return games
        finally:
            self._free.put(pair)

    def _pair(self) -> tuple[Opponent, Opponent]:
        try:
            return self._free.get_nowait()
        except queue.Empty:
            return self._made()

    def _made(self) -> tuple[Opponent, Opponent]:
        first = self.series.first()
        self._all.append(first)
        second = self.series.second()
        self._all.append(second)
        return first, second

    def _play(self, pair: tuple[Opponent, Opponent], index: int, white: bool) -> Played:
        series = self.series
        return play_game(
            series.rules,
            *(pair if white else pair[::-1]),
            opening=series.openings[index],
            limits=series.limits,
            control=series.control,
            adjudicate=series.adjudicate,
            number=2 * index + (not white),
        )


def _play_away(series: Series, jobs: Sequence[_Job]) -> list[Played]:
    """Play some games where nobody stays behind to end the players."""
    with _Players(series) as players:
        return players.play_all(jobs)


def _count(
    tally: MatchScore, halves: dict[int, dict[bool, int]], index: int, white: bool, half_points: int
) -> MatchScore:
    halves.setdefault(index, {})[white] = half_points
    tally = tally.with_game(half_points)
    if len(halves[index]) == 2:
        tally = tally.with_pair(sum(halves[index].values()))
    return tally


def _line(series: Series, index: int, white: bool, played: Played) -> dict[str, Any]:
    return {
        "opening": index,
        "first_white": white,
        "half_points": played.half_points(Side.WHITE if white else Side.BLACK),
        "moves": list(played.game.moves),
        "result": played.outcome.result,
        "result_text": played.outcome.result_text,
        "termination": str(played.outcome.termination),
        "adjudicated": played.adjudicated,
        "fault": played.fault,
        # What time does not decide is the same in every run, and so are the bytes of its log.
        **({"seconds": [round(seconds, 3) for seconds in played.seconds]} if series.timed else {}),
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
