"""The accuracy of the engine's winning chances: expected points against actual points in games with itself.

    python benchmarks/chances.py play GAME --nodes N --games G --seed S >> FILE.jsonl
    python benchmarks/chances.py fit FILE.jsonl ...
    python benchmarks/chances.py report FILE.jsonl ...

`play` begins each game with random plies that keep it balanced, then searches every position with that many nodes (a
current processor visits some 6 million a second: 30,000 are 5 ms, 120,000 are 20, 1,200,000 are 200). A game ends when
it is over or its result is proven. `fit` finds by maximum likelihood how much more certain chances become with each ply
searched, the curve of `korgool/engine/games.py`; each number of nodes counts alike. `report` needs other games, of even
seeds if those were of odd ones: the slope is that of a logistic regression of the points on the logit of those that the
installed kernel expects. 1 is right, more is too cautious, less too confident; its error treats each game as one
observation.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from zlib import crc32

from korgool.engine.games import figures_of
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.engine.training.calibrate import bins
from korgool.rules import GAMES, Game, Rules, Side

LONGEST = 400
"""Plies after which a game is given up and not counted."""
OPEN = 8 / 162
"""The share of all stones that may lie between the sides after the random plies."""
SHARPEST = 34
"""Plies beyond which chances grow no surer, as the kernel has it."""
Steep = Callable[[int], float]
"""How steep the curve is after looking so many plies ahead."""
PROBE = 1.0
"""Stones of an evaluation whose chances tell the width and the band of a position: few, so that no curve is cut off."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A position that was searched.

    Attributes:
        evaluation: expected difference in stones for the side to move.
        width: of the curve in stones where it is as steep as 1.
        band: of draws, in stones to each side.
        depth: plies looked ahead.
        points: what the side to move got: 1, 0.5 or 0.
    """

    evaluation: float
    width: float
    band: float
    depth: int
    points: float

    def expected(self, steep: Steep) -> float:
        """Points that are expected for the side to move, kept off 0 and 1."""
        width = self.width / steep(self.depth)
        win, loss = logistic((self.evaluation - self.band) / width), logistic((-self.evaluation - self.band) / width)
        return min(max(win + max(0.0, 1 - win - loss) / 2, 1e-4), 1 - 1e-4)


Games = list[list[Seen]]


def logistic(value: float) -> float:
    return 1 / (1 + math.exp(-max(-9.0, min(9.0, value))))


def logit(chance: float) -> float:
    return math.log(chance / (1 - chance))


def begun(rules: Rules, seed: int) -> Iterator[Game]:
    """Games after two to ten random plies, about even. No two begin alike, nor do two of an odd and an even seed.

    From the same position the engine plays the same game again, and after few plies there are not many positions.
    """
    engine, random, known = Engine(rules, table_mib=1, tables=None), Random(seed), set[str]()
    while True:
        game = Game(rules.start())
        for _ in range(random.randint(2, 10)):
            if game.outcome() is None:
                game.play(random.choice(game.position.legal_moves()))
        told = str(game.position)
        if game.outcome() is None and told not in known and crc32(told.encode()) % 2 == seed % 2:
            known.add(told)
            expected = engine.analyse(game.position, Limits(nodes=2000)).lines[0].evaluation
            if abs(expected) <= OPEN * rules.total:
                yield game


def play(rules: Rules, nodes: int, games: int, seed: int) -> Iterator[dict[str, object]]:
    """For each game White's points, and what was seen at each ply: the side and the numbers of `Seen`."""
    engine = Engine(rules, table_mib=64, tables=None)
    flat, done, starts = flattest(engine), 0, begun(rules, seed)
    while done < games:
        game = next(starts)
        engine.clear()
        seen: list[tuple[int, float, float, float, int]] = []
        for _ in range(LONGEST):
            position, outcome = game.position, game.outcome()
            if outcome is not None:
                white = 0.5 if outcome.winner is None else float(outcome.winner is Side.WHITE)
                break
            line = engine.analyse(position, Limits(nodes=nodes), history=game.positions[:-1]).lines[0]
            if line.exact or line.win in (0.0, 1.0):
                own = line.win + line.draw / 2
                white = own if position.to_move is Side.WHITE else 1 - own
                break
            win, _, loss = map(logit, engine.chances(position, PROBE))
            width = 2 * PROBE / (win - loss)
            band = -(win + loss) * width / 2
            seen.append((int(position.to_move), line.evaluation, width * flat, band, line.depth))
            game.play(line.move)
        else:
            continue
        done += 1
        yield {"game": rules.name, "nodes": nodes, "seed": seed, "white": white, "seen": seen}


def read(files: Iterable[Path]) -> dict[tuple[str, int], Games]:
    """The games of the files by name and nodes; a game that is in them twice counts once."""
    found: dict[tuple[str, int], Games] = defaultdict(list)
    known: set[str] = set()
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            white, without_seed = told["white"], json.dumps(told | {"seed": 0})
            if without_seed in known:
                continue
            known.add(without_seed)
            positions = [
                Seen(evaluation, width, band, depth, 1 - white if side else white)
                for side, evaluation, width, band, depth in told["seen"]
            ]
            found[told["game"], told["nodes"]].append(positions)
    return found


def likelihood(kinds: Iterable[Games], steep: Steep) -> float:
    """Mean logarithm of what was expected of the points that came (a draw counts half for each).

    The means are added up over the kinds, the games at each number of nodes, so that each kind counts alike.
    """
    total = 0.0
    for games in kinds:
        expected = [(seen.points, seen.expected(steep)) for game in games for seen in game]
        logarithms = [points * math.log(chance) + (1 - points) * math.log(1 - chance) for points, chance in expected]
        total += sum(logarithms) / max(1, len(logarithms))
    return total


def flattest(engine: Engine) -> float:
    """How steep the curve is without looking ahead."""
    _, _, _, flat, _, _ = figures_of(engine.rules).weights.chances
    return 1.0 if engine.network else flat


def shape(flat: float, sharper: float, *, by_network: bool) -> Steep:
    """Steeper by the same with each ply, or by hand by the same factor, as `kernel/evaluate.h` says."""
    if by_network:
        return lambda depth: flat + sharper * min(depth, SHARPEST)
    return lambda depth: flat * math.exp(sharper * min(depth, SHARPEST))


def fitted(kinds: list[Games], *, by_network: bool) -> tuple[float, float]:
    """The likeliest `flat`, 1 where a network tells the curve, and steepness for each ply, in steps that shrink."""
    flat, sharper, step = 1.0, 0.05, 1.0
    best = likelihood(kinds, shape(flat, sharper, by_network=by_network))
    while step > 0.01:
        ways = step * 0.1, -step * 0.1
        if by_network:
            tried = [(flat, max(0.0, sharper + way)) for way in ways]  # below 0 some depth would have no width
        else:  # also along the ridge: steeper for each ply, flatter to begin with
            tried = [(flat * math.exp(-20 * way), sharper + way) for way in ways]
            tried += [(flat * math.exp(10 * way), sharper) for way in ways]
        values = [(likelihood(kinds, shape(*one, by_network=by_network)), one) for one in tried]
        if max(values)[0] > best:
            best, (flat, sharper) = max(values)
        else:
            step /= 2
    return flat, sharper


def slope(games: Games, steep: Steep) -> tuple[float, float]:
    """The slope of the points on the logit of the expected points, and its standard error by games (Huber, White)."""
    pairs = [[(logit(seen.expected(steep)), seen.points) for seen in game] for game in games]
    found, curve = 1.0, 1.0
    for _ in range(40):
        pull = curve = 0.0
        for own in pairs:
            for x, points in own:
                chance = logistic(found * x)
                pull += (points - chance) * x
                curve += chance * (1 - chance) * x * x
        found += pull / max(curve, 1e-9)
    spread = sum(sum((points - logistic(found * x)) * x for x, points in own) ** 2 for own in pairs)
    return found, math.sqrt(spread) / max(curve, 1e-9)


def report(found: dict[tuple[str, int], Games], steep: dict[str, Steep]) -> None:
    """A line for each game and number of nodes; beside the slope that of a curve as steep as 1 at all depths."""
    print(f"{'game':10} {'nodes':>9} {'games':>6} {'positions':>9}  {'slope':>12} {'(flat)':>7}  expected > found")
    for (name, nodes), games in sorted(found.items()):
        value, error = slope(games, steep[name])
        parts = bins(((seen.expected(steep[name]), seen.points) for game in games for seen in game), 0.1)
        shown = ", ".join(f"{part.expected:.2f} > {part.found:.2f}" for part in parts)
        flat, count = slope(games, lambda _: 1.0)[0], sum(map(len, games))
        print(f"{name:10} {nodes:9,} {len(games):6} {count:9,}  {value:5.2f} ± {error:4.2f} {flat:7.2f}  {shown}")


def installed(name: str) -> Steep:
    """How steep the curves of the installed kernel are, read off its answers."""
    engine, position = Engine(GAMES[name], table_mib=1, tables=None), GAMES[name].start()

    def widest(depth: int) -> float:
        win, _, loss = map(logit, engine.chances(position, PROBE, depth))
        return win - loss

    told = [widest(depth) for depth in range(SHARPEST + 1)]
    flat = flattest(engine)
    return lambda depth: flat * told[min(depth, SHARPEST)] / told[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    played = parts.add_parser("play")
    played.add_argument("game", choices=GAMES)
    for name in ("nodes", "games", "seed"):
        played.add_argument(f"--{name}", type=int, required=True)
    for name in ("fit", "report"):
        parts.add_parser(name).add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    if options.part == "play":
        for told in play(GAMES[options.game], options.nodes, options.games, options.seed):
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()
        return
    found = read(options.files)
    names = sorted({name for name, _ in found})
    if options.part == "report":
        report(found, {name: installed(name) for name in names})
        return
    for name in names:
        kinds = [games for (other, _), games in found.items() if other == name]
        by_network = Engine(GAMES[name], table_mib=1, tables=None).network is not None
        flat, sharper = fitted(kinds, by_network=by_network)
        print(f"{name:10} flat {flat:.4f}, {sharper:.4f} for each ply; {sum(map(len, kinds))} games")


if __name__ == "__main__":
    main()
