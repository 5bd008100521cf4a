"""Sets and checks strength by rating: `python benchmarks/ratings.py ladder FOLDER --game toguz`, and three more words.

`ladder` lets players of fixed sight and of fixed nodes play each other, each rung against the next one and the next but
one; the lowest is a random mover. `knots` fits one scale to these games and to those of any further folders, where a
setting between two rungs is as strong as the table of settings has it, and prints this table for
`korgool/engine/games.py`. `points` plays ten ratings of that table against their neighbours, the levels, a random mover
and a greedy player; `rate` fits one scale to those games alone and prints the claimed and the measured ratings. Both
scales have the random mover at 0.

Every limit is a number of nodes or a depth, so the load of the machine changes nothing; level 8, which plays by time,
gets `--top` nodes. A run continues its logs if it gets the same numbers again. The figures of `docs/levels.md` were
measured like this.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
from bisect import bisect
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from random import Random

from levels import TOP_NODES, Simple, interval

from korgool.engine.arena import LevelOpponent, MatchScore, Series, elo_of, level_openings, run_series
from korgool.engine.arena.elo import LOGIT
from korgool.engine.arena.opponents import Opponent
from korgool.engine.arena.series import read_tally
from korgool.engine.games import SIGHT_NODES
from korgool.engine.levels import NUMBERS, Level, of_number, ratings_of
from korgool.engine.limits import Limits
from korgool.engine.networks import default
from korgool.rules import GAMES, Rules

CHANCE, GREEDY = "chance", "greedy"
SIGHTS = (0.14, 0.2, 0.32, 0.45, 0.58, 0.7, 0.8, 0.88, 0.94, 0.97)
NODES = (500, 2_000, 8_000, 32_000, 128_000)
RUNGS: dict[str, tuple[Sequence[float], Callable[[float], float]]] = {
    "sight": (SIGHTS, float),
    "nodes": (NODES, math.log),
}
"""The rungs of each kind, and the measure in which a setting lies between two of them."""
Parts = Callable[[str], dict[str, float]]
"""The shares of rungs, or of players, that make up a player's rating."""
USUAL_LOWEST, LOWEST = 200, {"mangala": 100}
"""Ratings of the weakest. A mover by lot makes 24 % against 200; in mangala one who always takes is no stronger."""
EASY = 0.7
"""Sight up to which a match of the ladder has as many games as asked for."""
TRIAL = 5
"""Openings of the games that find the rating next to a level."""
WIDE = 16_000
"""Nodes of a move from which on a player has the usual table; others have a small one, which is soon cleared."""
DRAWS = 300
PRIOR = 0.5
"""Drawn games added to each match, so that one won by everybody has a finite answer."""


@dataclass(frozen=True)
class Match:
    """Two players by name and the points of the first in each pair of games, in half points 0 to 4."""

    first: str
    second: str
    pairs: tuple[int, ...]


def player(name: str, rules: Rules, top: int, seed: int) -> Callable[[], Opponent]:
    """Makes a player: `chance`, `greedy`, `level:3`, `rating:1200`, `sight:0.5` or `nodes:2000`."""
    kind, _, value = name.partition(":")
    if kind in (CHANCE, GREEDY):
        return partial(Simple, kind == GREEDY, seed)
    if kind in ("level", "rating"):
        level = of_number(int(value), rules)
    else:
        level = Level(0, nodes=SIGHT_NODES, sight=float(value)) if kind == "sight" else Level(0, nodes=int(value))
    small = level.depth is not None or (level.nodes is not None and level.nodes < WIDE)
    return partial(LevelOpponent, rules, level, seed=seed, table_mib=1 if small else 16)


def log_of(folder: Path, game: str, first: str, second: str) -> Path:
    """Where the games of a match stand."""
    return folder / f"{game} {first} {second}.jsonl".replace(":", "=")


def play(folder: Path, game: str, first: str, second: str, openings: Sequence[tuple[int, ...]], top: int) -> None:
    """Play a match, two games to an opening, behind those that are there."""
    rules, log = GAMES[game], log_of(folder, game, first, second)
    done = read_tally(log).games if log.exists() and log.stat().st_size else 0
    seeds = Random(f"{game} {first} {second} {done}")  # who goes on does not throw the same dice again
    one, other = (player(name, rules, top, seeds.randrange(1 << 30)) for name in (first, second))
    settings = [settings_of(name, rules) for name in (first, second)]
    title = {"game": game, "first": first, "second": second, "settings": settings, "network": network_of(rules)}
    series = Series(rules, one, other, openings, Limits(nodes=top), log=log, title=title)
    tallies = [tally for tally, _, _ in run_series(series)]
    if tallies:
        print(f"{game} {first} {second}: {tallies[-1].text()}", flush=True)


def settings_of(name: str, rules: Rules) -> str:
    """The rung that a rating stands on today; every other player as it is."""
    kind, _, value = name.partition(":")
    if kind != "rating":
        return name
    level = of_number(int(value), rules)
    return f"sight:{level.sight:.4f}" if level.sight < 1 else f"nodes:{level.nodes}"


def network_of(rules: Rules) -> str:
    """The file of the learned evaluation and the beginning of its sum, or that there is none."""
    found = default(rules)
    if found is None:
        return "by hand"
    path = Path(found.name)
    return f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"


def ladder(games: int) -> Iterator[tuple[str, str, int]]:
    """The matches by which the settings are found: each rung with the next, and with the next but one.

    The dearer a rung is, the fewer games it has.
    """
    rungs = [CHANCE, *(f"sight:{sight}" for sight in SIGHTS)]
    deep = [f"nodes:{nodes}" for nodes in NODES]
    for at, (low, high) in enumerate(pairwise(rungs)):
        yield high, low, games if SIGHTS[at] <= EASY else games // 2
    for low, high in zip(rungs, rungs[2:], strict=False):
        yield high, low, games // 4
    for high in rungs[3:6]:
        yield high, CHANCE, games
    for sight in SIGHTS[-4:-1]:
        yield deep[0], f"sight:{sight}", games // 4
    for at, (low, high) in enumerate(pairwise(deep), 1):
        yield high, low, games // at


def points(rules: Rules, games: int, book: Sequence[tuple[int, ...]]) -> Iterator[tuple[str, str, int]]:
    """Ten ratings from the lowest to the highest against their neighbours, and each level against the nearest of them.

    Beginners play the lowest, level 8 plays level 7 and the highest.
    """
    known = ratings_of(rules)
    ten = [known[0] + round((len(known) - 1) * at / 9) for at in range(10)]
    names = [f"rating:{rating}" for rating in ten]
    for simple in (CHANCE, GREEDY):
        yield names[0], simple, games
    yield GREEDY, CHANCE, games
    for low, high in pairwise(names):
        yield high, low, games
    for level in NUMBERS[:-1]:
        yield f"level:{level}", names[_near(f"level:{level}", names, rules, book)], games
    for other in (f"level:{NUMBERS[-2]}", names[-1]):
        yield f"level:{NUMBERS[-1]}", other, games


def _near(name: str, names: Sequence[str], rules: Rules, book: Sequence[tuple[int, ...]]) -> int:
    """Which of the players, the weakest first, is about as strong as another: found by halves, in a few games each."""
    low, high = 0, len(names) - 1
    while low < high:
        middle = (low + high) // 2
        makes = player(name, rules, 1, 1), player(names[middle], rules, 1, 2)
        *_, (tally, _, _) = run_series(Series(rules, *makes, book[:TRIAL], Limits(nodes=1)))
        if tally.fraction > 0.65:
            low = middle + 1
        else:
            high = middle
    return low


def read(folders: Iterable[Path], game: str, *, settings: bool = False) -> list[Match]:
    """All matches of a game in the folders, without the odd game at the end of a log.

    With `settings` ratings are named by the rungs on which they stood then.
    """
    found = []
    for log in sorted(path for folder in folders for path in folder.glob(f"{game} *.jsonl")):
        lines = [json.loads(text) for text in log.read_text(encoding="utf-8").splitlines()]
        halves: dict[int, list[int]] = {}
        for line in lines[1:]:
            halves.setdefault(line["opening"], []).append(line["half_points"])
        pairs = tuple(sum(half) for half in halves.values() if len(half) == 2)
        if pairs:
            names = lines[0]["settings"] if settings else [lines[0]["first"], lines[0]["second"]]
            found.append(Match(names[0], names[1], pairs))
    if not found:
        raise SystemExit(f"there are no games of {game}")
    return found


def itself(name: str) -> dict[str, float]:
    """A player whose strength is its own."""
    return {name: 1.0}


def mixed(name: str) -> dict[str, float]:
    """A sight or a number of nodes as a mixture of the two rungs around it, as the settings mix them."""
    kind, _, value = name.partition(":")
    if kind not in RUNGS:
        return itself(name)
    rungs, along = RUNGS[kind]
    at = max(1, min(len(rungs) - 1, bisect(rungs, float(value))))
    low, high = rungs[at - 1], rungs[at]
    share = (along(float(value)) - along(low)) / (along(high) - along(low))
    return {f"{kind}:{rung}": part for rung, part in ((low, 1 - share), (high, share)) if part}


def fitted(matches: Sequence[Match], parts: Parts) -> dict[str, float]:
    """Ratings by maximum likelihood (Bradley and Terry, a draw is half a win), the random mover's 0; by Newton.

    Args:
        matches: one of them with the random mover.
        parts: what a player's rating is made of.
    """
    names = {part for one in matches for name in (one.first, one.second) for part in parts(name)}
    place = {name: at for at, name in enumerate(sorted(names, key=lambda name: (name != CHANCE, name)))}
    rows = []
    for one in matches:
        lead: dict[int, float] = defaultdict(float)
        for name, sign in ((one.first, 1), (one.second, -1)):
            for part, share in parts(name).items():
                lead[place[part]] += sign * share
        rows.append((lead, sum(one.pairs) / 2 + PRIOR / 2, 2 * len(one.pairs) + PRIOR))
    strength = [0.0] * len(names)
    for _ in range(200):
        slope = [0.0] * len(names)
        curve = [[1e-9 * (row == column) for column in range(len(names))] for row in range(len(names))]
        for lead, scored, played in rows:
            expected = 1 / (1 + math.exp(-sum(share * strength[at] for at, share in lead.items())))
            for at, share in lead.items():
                slope[at] += share * (scored - played * expected)
                for other, its in lead.items():
                    curve[at][other] += played * expected * (1 - expected) * share * its
        steps = [0.0, *solved([row[1:] for row in curve[1:]], slope[1:])]
        strength = [value + max(-1.0, min(1.0, step)) for value, step in zip(strength, steps, strict=True)]
        if max(map(abs, steps)) < 1e-6:
            break
    return {name: LOGIT * strength[at] for name, at in place.items()}


def solved(rows: list[list[float]], right: list[float]) -> list[float]:
    """The solution of linear equations whose matrix is positive, by elimination."""
    rows = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for at, pivot in enumerate(rows):
        for below in rows[at + 1 :]:
            share = below[at] / pivot[at]
            below[at:] = [value - share * above for value, above in zip(below[at:], pivot[at:], strict=True)]
    found = [0.0] * len(rows)
    for at in range(len(rows) - 1, -1, -1):
        known = sum(rows[at][other] * found[other] for other in range(at + 1, len(rows)))
        found[at] = (rows[at][-1] - known) / rows[at][at]
    return found


def scale(matches: Sequence[Match], parts: Parts) -> tuple[dict[str, float], list[dict[str, float]]]:
    """The scale, and such scales with pairs of games drawn anew from those played."""
    random = Random(1)
    drawn = (
        [Match(one.first, one.second, tuple(random.choices(one.pairs, k=len(one.pairs)))) for one in matches]
        for _ in range(DRAWS)
    )
    return fitted(matches, parts), [fitted(some, parts) for some in drawn]


def told(matches: Iterable[Match]) -> None:
    """Print the matches."""
    print("| match | pairs of games | points | Elo of this match alone |\n|---|---|---|---|")
    for one in matches:
        tally = MatchScore()
        for half_points in one.pairs:
            tally = tally.with_pair(half_points)
        low, high = tally.interval
        share = sum(one.pairs) / (4 * len(one.pairs))
        print(
            f"| {one.first} against {one.second} | {len(one.pairs)} | {100 * share:.1f} % "
            f"| {elo_of(share):+.0f} ({low:+.0f} to {high:+.0f}) |"
        )


def rate(folders: Sequence[Path], game: str) -> None:
    """Print the matches and the scale, with what each rating claims."""
    matches = read(folders, game)
    found, others = scale(matches, itself)
    told(matches)
    print(f"\n{game}, {network_of(GAMES[game])}\n\n| player | found | claimed | games |\n|---|---|---|---|")
    for name in sorted(found, key=lambda name: found[name]):
        low, high = interval(other[name] for other in others)
        games = sum(2 * len(one.pairs) for one in matches if name in (one.first, one.second))
        claimed = name.partition(":")[2] if name.startswith("rating:") else ""
        print(f"| {name} | {found[name]:.0f} ({low:.0f} to {high:.0f}) | {claimed} | {games} |")


def knots(folders: Sequence[Path], game: str) -> None:
    """Print the rungs and the table of the settings by rating: rating, sight, nodes."""
    matches = read(folders, game, settings=True)
    found, others = scale(matches, mixed)
    told(matches)
    print(f"\n{game}, {network_of(GAMES[game])}\n\n| rung | found |\n|---|---|")
    for name in sorted(found, key=lambda name: found[name]):
        low, high = interval(other[name] for other in others)
        print(f"| {name} | {found[name]:.0f} ({low:.0f} to {high:.0f}) |")
    blind, deep = ([(found[f"{kind}:{rung}"], rung) for rung in rungs] for kind, (rungs, _) in RUNGS.items())
    lowest, change = LOWEST.get(game, USUAL_LOWEST), round(deep[0][0])
    between = [(round(rating), sight) for rating, sight in blind if lowest < rating < change - 1]
    for claimed, sight in [(lowest, _at(lowest, blind)), *between, (change - 1, _at(change - 1, blind))]:
        print(f"        ({claimed}, {sight:.4g}, SIGHT_NODES),")
    for rating, nodes in deep:
        print(f"        ({round(rating)}, 1.0, {round(nodes):_}),")


def _at(rating: float, rungs: Sequence[tuple[float, float]]) -> float:
    """The sight of a rating, on the straight line between two rungs, or beyond the first or the last two."""
    at = max(1, min(len(rungs) - 1, sum(one[0] < rating for one in rungs)))
    (low, less), (high, more) = rungs[at - 1], rungs[at]
    return less + (more - less) * (rating - low) / (high - low)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("what", choices=("ladder", "knots", "points", "rate"))
    parser.add_argument("folders", type=Path, nargs="+", metavar="FOLDER", help="the games are written into the first")
    parser.add_argument("--game", default="toguz", choices=GAMES)
    parser.add_argument("--games", type=int, default=200, help="of each match, or of the longest")
    parser.add_argument("--top", type=int, default=TOP_NODES, help="nodes a move of level 8")
    parser.add_argument("--seed", type=int, default=1, help="of the openings")
    parser.add_argument("--only", metavar="WORD", default="", help="matches of players whose name begins so")
    arguments = parser.parse_args()
    if arguments.what in ("knots", "rate"):
        (knots if arguments.what == "knots" else rate)(arguments.folders, arguments.game)
        return 0
    rules = GAMES[arguments.game]
    folder = arguments.folders[0]
    folder.mkdir(parents=True, exist_ok=True)
    book = list(level_openings(rules, arguments.games // 2, seed=arguments.seed))
    plan = ladder(arguments.games) if arguments.what == "ladder" else points(rules, arguments.games, book)
    for first, second, games in plan:
        if first.startswith(arguments.only):
            play(folder, arguments.game, first, second, book[: games // 2], arguments.top)
    return 0


if __name__ == "__main__":
    sys.exit(main())
