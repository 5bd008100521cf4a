"""The accuracy of the engine's winning chances: expected points against actual points in games with itself.

    python benchmarks/chances.py play GAME --nodes N --games G --seed S >> FILE.jsonl
    python benchmarks/chances.py fit FILE.jsonl ...
    python benchmarks/chances.py report FILE.jsonl ...

`play` begins each game with random plies that keep it balanced, then searches every position with that many nodes (a
current processor visits some 6 million a second: 30,000 are 5 ms, 120,000 are 20, 1,200,000 are 200). A game ends when
it is over or its result is proven. `fit` finds by maximum likelihood how steep the curve of `korgool/engine/games.py`
should be at each depth that it names, from the positions that were searched about so far; each number of nodes counts
alike. `report` needs other games, of even seeds if those were of odd ones: the slope is that of a logistic regression
of the points on the logit of those that the installed kernel expects. 1 is right, more is too cautious, less too
confident; its error treats each game as one observation.

    python benchmarks/chances.py stones GAME --nodes N --games G --seed S

plays games to their last stone, whatever the goal, and prints how many stones of the final difference came for each of
those that the engine told (1 is right).
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from zlib import crc32

from korgool.engine.games import STEP, STEPS, figures_of
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.engine.training.calibrate import bins
from korgool.rules import GAMES, Game, Position, Rules, Side

LONGEST = 400
"""Plies after which a game is given up and not counted."""
OPEN = 8 / 162
"""The share of all stones that may lie between the sides after the random plies."""
FEW = 200
"""Positions of a number of nodes that tell something about a depth."""
Steep = Callable[[int], float]
"""How steep the curve is after looking so many plies ahead."""
PROBE = 1.0
"""Stones of an evaluation whose chances tell the width and the band of a position: few, so that no curve is cut off."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A position that was searched.

    Attributes:
        evaluation: expected difference in stones for the side to move, as the search found it.
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


def shape(engine: Engine, position: Position, depth: int) -> tuple[float, float]:
    """Width and band of the curve of chances in a position after looking so many plies ahead, in stones as told."""
    win, _, loss = map(logit, engine.chances(position, PROBE, depth))
    width = 2 * PROBE / (win - loss)
    return width, -(win + loss) * width / 2


def play(rules: Rules, nodes: int, games: int, seed: int) -> Iterator[dict[str, object]]:
    """For each game White's points, and what was seen at each ply: the side and the numbers of `Seen`."""
    engine = Engine(rules, table_mib=64, tables=None)
    steep, done, starts = at_depth(steepness(engine)), 0, begun(rules, seed)
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
            width, band = shape(engine, position, 0)
            width *= steep(0)
            # what is told of an evaluation may be more than was found, and the curve at that depth tells how much
            stretch = shape(engine, position, line.depth)[0] * steep(line.depth) / width
            seen.append((int(position.to_move), line.evaluation / stretch, width, band, line.depth))
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


def steepness(engine: Engine) -> tuple[float, ...]:
    """How steep the curve of the engine's evaluation is, for each `STEP` plies looked ahead."""
    curve = figures_of(engine.rules).weights.chances
    return curve.network if engine.network else curve.hand


def at_depth(steps: Sequence[float]) -> Steep:
    """How steep a curve with these factors is at any depth, as `kernel/network.c` has it."""

    def steep(depth: int) -> float:
        ahead = min(max(0, depth), STEP * (STEPS - 1))
        step = min(ahead // STEP, STEPS - 2)
        return steps[step] + (steps[step + 1] - steps[step]) * (ahead - STEP * step) / STEP

    return steep


def likeliest(kinds: Sequence[Games]) -> float:
    """How steep the curve of these positions is, between a twentieth and twenty, by golden sections."""
    low, high, part = math.log(0.05), math.log(20), (math.sqrt(5) - 1) / 2
    while high - low > 0.01:
        left, right = high - part * (high - low), low + part * (high - low)
        flatter, steeper = (likelihood(kinds, at_depth([math.exp(at)] * STEPS)) for at in (left, right))
        low, high = (low, right) if flatter > steeper else (left, high)
    return math.exp((low + high) / 2)


def fitted(kinds: Sequence[Games]) -> Iterator[tuple[int, int, float]]:
    """For each depth of the curve with positions enough: it, how many positions, and how steep the curve is there."""
    for depth in range(0, STEP * STEPS, STEP):
        near = [[[seen for seen in game if abs(seen.depth - depth) <= STEP // 2] for game in games] for games in kinds]
        told = [games for games in near if sum(map(len, games)) >= FEW]
        if told:
            yield depth, sum(len(game) for games in told for game in games), likeliest(told)


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


def stones(rules: Rules, nodes: int, games: int, seed: int) -> None:
    """Print the slope of final differences on evaluations; its error treats each game as one observation."""
    rules = replace(rules, goal=0)
    engine, starts = Engine(rules, table_mib=64, tables=None), begun(rules, seed)
    played = list[list[tuple[float, float]]]()
    while len(played) < games:
        game, seen = next(starts), list[tuple[Side, float]]()
        engine.clear()
        while (outcome := game.outcome()) is None and len(game.moves) < LONGEST:
            line = engine.analyse(game.position, Limits(nodes=nodes), history=game.positions[:-1]).lines[0]
            if not line.exact and max(game.position.stores) <= rules.total // 2:
                seen.append((game.position.to_move, line.evaluation))
            game.play(line.move)
        if outcome is not None:
            white = outcome.stores[0] - outcome.stores[1]
            played.append([(told, float(white if side is Side.WHITE else -white)) for side, told in seen])
    squares = sum(told * told for pairs in played for told, _ in pairs)
    value = sum(told * came for pairs in played for told, came in pairs) / squares
    error = math.sqrt(sum(sum((came - value * told) * told for told, came in pairs) ** 2 for pairs in played)) / squares
    print(f"{rules.name:10} {nodes:9,} {games:6} {sum(map(len, played)):9,}  {value:5.2f} ± {error:4.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(dest="part", required=True)
    for part in ("play", "stones"):
        played = parts.add_parser(part)
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
    if options.part == "stones":
        stones(GAMES[options.game], options.nodes, options.games, options.seed)
        return
    found = read(options.files)
    names = sorted({name for name, _ in found})
    if options.part == "report":
        report(found, {name: at_depth(steepness(Engine(GAMES[name], table_mib=1, tables=None))) for name in names})
        return
    for name in names:
        kinds = [games for (other, _), games in found.items() if other == name]
        for depth, count, steep in fitted(kinds):
            print(f"{name:10} {depth:3} plies: {steep:6.3f}, {count:7,} positions")


if __name__ == "__main__":
    main()
