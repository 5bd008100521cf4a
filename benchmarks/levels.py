"""Rates the engine's levels on one scale: `python benchmarks/levels.py play FOLDER` and `... rate FOLDER`.

`play` lets neighbours play each other, and levels two apart as a check, over paired balanced openings; it writes one
log for each match into the folder and appends to existing logs, so it can be stopped and started again with the same
numbers of games. Every limit is a depth or a number of nodes, so the load of the machine changes nothing; level 8,
which plays by time, gets `--top` nodes. `rate` fits one scale to all games in the folder by maximum likelihood, with
level 1 at 0, and gives 95 % intervals by drawing pairs of games anew. `simple` plays levels 1 and 2 against a player of
random moves and a greedy one. The figures of `docs/levels.md` were measured like this.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random

from korgool.engine.arena import LevelOpponent, Series, Standing, elo_of, level_openings, run_series
from korgool.engine.arena.elo import LOGIT, fraction_of
from korgool.engine.arena.series import read_tally
from korgool.engine.levels import NUMBERS, levels_of
from korgool.engine.limits import Limits
from korgool.rules import GAMES, Game

NEIGHBOURS = tuple((number + 1, number) for number in NUMBERS[:-1])
CHECKS = tuple((number + 2, number) for number in NUMBERS[:-3])
TOP_NODES = 500_000
DRAWS = 300
PRIOR = 0.5
"""Drawn games added to each match, so that one won by everybody has a finite answer."""


@dataclass(frozen=True)
class Match:
    """Two levels and the points of the first in each pair of games, in half points 0 to 4."""

    first: int
    second: int
    pairs: tuple[int, ...]

    @property
    def games(self) -> int:
        return 2 * len(self.pairs)

    @property
    def fraction(self) -> float:
        return sum(self.pairs) / (4 * len(self.pairs))


def log_of(folder: Path, game: str, first: int, second: int) -> Path:
    """Where the games of a match stand."""
    return folder / f"{game}-{first}-{second}.jsonl"


def play(folder: Path, game: str, first: int, second: int, openings: Sequence[tuple[int, ...]], top: int) -> None:
    """Play a match, two games to an opening, behind those that are there."""
    rules, log = GAMES[game], log_of(folder, game, first, second)
    levels = levels_of(rules)
    makes = [
        partial(LevelOpponent, rules, number, seed=number, table_mib=16 if number == NUMBERS[-1] else 1)
        for number in (first, second)
    ]
    series = Series(
        rules,
        makes[0],
        makes[1],
        openings,
        Limits(nodes=top),
        log=log,
        title={"game": game, "first": repr(levels[first - 1]), "second": repr(levels[second - 1]), "top": top},
    )
    for tally, _, _ in run_series(series):
        if tally.games % 50 == 0:
            print(f"{game} {first}-{second}: {tally.text()}", flush=True)


class Simple:
    """A beginner to hold level 1 against: any legal move, or the one that takes most at once.

    Args:
        greedy: whether it takes.
        seed: of the chance among its moves.
    """

    def __init__(self, greedy: bool, seed: int) -> None:
        self.name, self._greedy, self._random = "greedy" if greedy else "chance", greedy, Random(seed)

    def new_game(self, number: int = 0) -> None:
        """It remembers nothing."""

    def choose(self, game: Game, limits: Limits, clock: Standing | None = None) -> int:
        """A legal move."""
        position = game.position
        moves = position.legal_moves()
        if self._greedy:
            taken = {move: position.sow(move).after.stores[position.to_move] for move in moves}
            moves = tuple(move for move in moves if taken[move] == max(taken.values()))
        return self._random.choice(moves)

    def close(self) -> None:
        """Nothing is to be left."""


def simple(game: str, games: int) -> None:
    """Print what levels 1 and 2 do against beginners."""
    rules = GAMES[game]
    book = list(level_openings(rules, games // 2))
    for greedy in (False, True):
        for level in (1, 2):
            makes = partial(LevelOpponent, rules, level, seed=1, table_mib=1), partial(Simple, greedy, 2)
            *_, (tally, _, _) = run_series(Series(rules, *makes, book, Limits(nodes=1)))
            print(f"{game}, level {level} against {'the greedy' if greedy else 'chance'}: {tally.text()}", flush=True)


def read(folder: Path, game: str) -> list[Match]:
    """All matches of a game in the folder, without the odd game at the end of a log."""
    found = []
    for first, second in NEIGHBOURS + CHECKS:
        log = log_of(folder, game, first, second)
        if not log.exists():
            continue
        halves: dict[int, list[int]] = {}
        for text in log.read_text(encoding="utf-8").splitlines()[1:]:
            line = json.loads(text)
            halves.setdefault(line["opening"], []).append(line["half_points"])
        pairs = tuple(sum(points) for points in halves.values() if len(points) == 2)
        if pairs:
            found.append(Match(first, second, pairs))
    return found


def fitted(matches: Sequence[Match]) -> list[float]:
    """Ratings by maximum likelihood (Bradley and Terry, a draw is half a win), level 1 at 0.

    Newton's method for one level after the other, until nothing moves.
    """
    scores = [
        (one.first - 1, one.second - 1, one.fraction * one.games + PRIOR / 2, one.games + PRIOR) for one in matches
    ]
    ratings = [300.0 * number for number in range(len(NUMBERS))]
    for _ in range(3000):
        moved = 0.0
        for level in range(1, len(NUMBERS)):
            slope = curve = 0.0
            for first, second, points, games in scores:
                if level in (first, second):
                    expected = fraction_of(ratings[first] - ratings[second])
                    slope += (points - games * expected) * (1 if level == first else -1)
                    curve += games * expected * (1 - expected)
            if curve:
                step = max(-100.0, min(100.0, LOGIT * slope / curve))
                ratings[level] += step
                moved = max(moved, abs(step))
        if moved < 0.05:
            break
    return ratings


def drawn(matches: Iterable[Match], random: Random) -> list[Match]:
    """The same matches with pairs of games drawn anew from those played."""
    return [Match(one.first, one.second, tuple(random.choices(one.pairs, k=len(one.pairs)))) for one in matches]


def interval(values: Iterable[float]) -> tuple[float, float]:
    """The middle 95 % of the values."""
    found = sorted(values)
    return found[math.floor(0.025 * (len(found) - 1))], found[math.ceil(0.975 * (len(found) - 1))]


def rate(folder: Path, game: str) -> None:
    """Print the matches and the scale."""
    matches = read(folder, game)
    if not matches:
        raise SystemExit(f"{folder} holds no games of {game}")
    ratings, random = fitted(matches), Random(1)
    others = [fitted(drawn(matches, random)) for _ in range(DRAWS)]
    print("| match | games | won-drawn-lost | points | Elo |\n|---|---|---|---|---|")
    for one in matches:
        tally = read_tally(log_of(folder, game, one.first, one.second))
        low, high = tally.interval
        print(
            f"| {one.first} against {one.second} | {tally.games} | {tally.wins}-{tally.draws}-{tally.losses} "
            f"| {100 * tally.fraction:.1f} % | {elo_of(tally.fraction):+.0f} ({low:+.0f} to {high:+.0f}) |"
        )
    print("\n| level | rating | above the one below | games |\n|---|---|---|---|")
    for level in range(len(NUMBERS)):
        low, high = interval(other[level] for other in others)
        games = sum(one.games for one in matches if level + 1 in (one.first, one.second))
        step = ""
        if level:
            least, most = interval(other[level] - other[level - 1] for other in others)
            step = f"{ratings[level] - ratings[level - 1]:+.0f} ({least:+.0f} to {most:+.0f})"
        print(f"| {level + 1} | {ratings[level]:.0f} ({low:.0f} to {high:.0f}) | {step} | {games} |")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("play", "rate", "simple"))
    parser.add_argument("folder", type=Path, nargs="?", default=Path("levels"))
    parser.add_argument("--game", default="toguz", choices=GAMES)
    parser.add_argument("--games", type=int, default=400, help="of each match of neighbours")
    parser.add_argument("--checks", type=int, default=60, help="of each match of levels two apart")
    parser.add_argument("--high", type=int, default=120, help="of the matches of levels 7 and 8")
    parser.add_argument("--top", type=int, default=TOP_NODES, help="nodes a move of level 8")
    arguments = parser.parse_args()
    if arguments.what == "rate":
        rate(arguments.folder, arguments.game)
        return 0
    if arguments.what == "simple":
        simple(arguments.game, arguments.games)
        return 0
    arguments.folder.mkdir(parents=True, exist_ok=True)
    counts = {pair: arguments.checks if pair in CHECKS else arguments.games for pair in NEIGHBOURS + CHECKS}
    counts |= {pair: min(counts[pair], arguments.high) for pair in NEIGHBOURS[-2:]}
    book = list(level_openings(GAMES[arguments.game], max(counts.values()) // 2))
    for first, second in (*NEIGHBOURS[:-1], *CHECKS, NEIGHBOURS[-1]):
        openings = book[: counts[first, second] // 2]
        if openings:
            play(arguments.folder, arguments.game, first, second, openings, arguments.top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
