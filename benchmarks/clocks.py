"""Clocks: the length of games, and whether the engine stays within its time.

`python benchmarks/clocks.py play FOLDER --games 1000` plays games of each kind (the engine at few nodes, and weak
levels) and keeps their moves as JSON lines. `lengths FOLDER` counts in them the plies that a side had before it, by the
stones on the board: the table of `korgool/engine/timing.py`. `simulate FOLDER` plays a thousand games on clocks for
each game and each control, without a real clock, and fails when one is lost on time; without FOLDER it takes a few
games of weak levels. `--real FILE` adds games of people, a JSON object a line with `moves`, one digit a ply.

In a simulated game every move costs its lag (half of it to half as much again), what the machine takes to read and
answer (0.3 to 0.8 ms, and 5 ms more for one in fifty), and the search: its aim to 1.8 times that, one in seven half as
long again, never more than its most. A game whose lag, and 1 ms a move for the machine, exceed the clock by
themselves is lost to any engine and counted apart. On a loaded machine busy stretches come, of ten plies in the mean
and as many between them; in these, every third ply or so stands still for 20 ms to 1.5 s, rarely for long.

`korgool arena --clock` plays real games; `benchmarks/strength.md` has the figures of both.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import NamedTuple

from korgool.engine.levels import choose
from korgool.engine.limits import Limits
from korgool.engine.pace import Pace
from korgool.engine.search import Engine
from korgool.engine.timing import TimeLeft
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Rules, Side

KINDS = ("nodes", "levels")


class Control(NamedTuple):
    """A clock and a machine.

    Attributes:
        clock: seconds at the start.
        lag: seconds that every move costs on its way, about.
        increment: seconds gained by a move.
        loaded: the machine is loaded, and stands still now and then.
    """

    clock: float
    lag: float
    increment: float = 0.0
    loaded: bool = False

    def __str__(self) -> str:
        increment = f" and {self.increment:g} s a move" if self.increment else ""
        return f"{self.clock:g} s{increment}, lag {self.lag * 1000:g} ms{', a loaded machine' * self.loaded}"


CONTROLS = Control(1, 0), Control(3, 0.02), Control(10, 0.1), Control(10, 0.003, 0.1)
LOADED = Control(3, 0.003, 0.1, loaded=True), Control(10, 0.003, 0.1, loaded=True)
"""Where a few games are lost whatever one does: the first long stall is not foreseen."""
MARGIN = 2
"""Plies by which the table is longer than the longest game."""
LONGEST = 2_000


def one_game(engines: Sequence[Engine], kind: str, random: Random) -> list[int]:
    """The moves of a game from a random opening; a threefold repetition ends it."""
    game = Game(engines[0].rules)
    for _ in range(random.randint(0, 6)):
        if game.outcome() is None:
            game.play(random.choice(game.position.legal_moves()))
    nodes, levels = random.choice([300, 1000, 2000]), (random.randint(1, 6), random.randint(1, 6))
    while game.outcome() is None and len(game.moves) < LONGEST:
        if any(claim.reason == "threefold" for claim in game.claims()):
            break
        side, before = game.position.to_move, game.positions[:-1]
        if kind == "nodes":
            move = engines[0].analyse(game.position, Limits(nodes=nodes), history=before).move
        else:
            move = choose(engines[side], game.position, levels[side], history=before, random=random).move
        game.play(move)
    return list(game.moves)


def played(rules: Rules, kind: str, count: int, seed: int) -> Iterator[list[int]]:
    """So many games of one kind."""
    engines, random = [Engine(rules, table_mib=1) for _ in Side], Random(f"{rules.name} {kind} {seed}")
    for _ in range(count):
        yield one_game(engines, kind, random)


def read(path: Path) -> list[list[int]]:
    """The moves of a file of JSON lines; hole numbers in a list or as digits."""
    if not path.is_file():
        return []
    return [[int(move) for move in json.loads(line)["moves"]] for line in path.read_text("utf-8").splitlines()]


def games_of(rules: Rules, folder: Path | None, real: Path | None, count: int, seed: int) -> dict[str, list[list[int]]]:
    """The games at hand, by kind; those of people are of toguz korgool."""
    if folder is None:
        found = {"levels": list(played(rules, "levels", count, seed))}
    else:
        found = {kind: read(folder / f"{rules.name}.{kind}.jsonl") for kind in KINDS}
    if real is not None and rules.name == TOGUZ_KORGOOL.name:
        found["people"] = read(real)
    if not any(found.values()):
        raise SystemExit(f"{folder}: no games of {rules.title}; `clocks.py play` makes some")
    return found


def ahead(rules: Rules, moves: Sequence[int]) -> Iterator[tuple[float, int]]:
    """Of every ply of a game: the part of the stones on the board, and the plies of its side from it to the end."""
    game, seen = Game(rules), list[tuple[Side, float]]()
    for move in moves:
        position = game.position
        seen.append((position.to_move, sum(map(sum, position.holes)) / rules.total))
        game.play(move)
    left = [0, 0]
    for side, part in reversed(seen):
        left[side] += 1
        yield part, left[side]


def lengths(rules: Rules, games: dict[str, list[list[int]]]) -> None:
    """Print the table of `timing`: the mean of strong games by twentieths of the stones, and the most of any game."""
    usual: dict[int, list[int]] = defaultdict(list)
    longest: dict[int, int] = defaultdict(int)
    for kind, all_moves in games.items():
        for moves in all_moves:
            for part, plies in ahead(rules, moves):
                twentieth = math.ceil(part * 20)
                longest[twentieth] = max(longest[twentieth], plies)
                if kind == "nodes":
                    usual[twentieth].append(plies)
    count = sum(map(len, games.values()))
    print(f"{rules.name}: {count} games, the longest {max(len(one) for some in games.values() for one in some)} plies")
    print("  usual", " ".join(str(round(mean(usual[twentieth] or [1]))) for twentieth in range(21)))
    most = accumulate((longest[twentieth] for twentieth in range(21)), max)
    print("  most ", " ".join(str(plies + MARGIN) for plies in most))


@dataclass
class Told:
    """What became of the simulated games of one control: lost on time, lost to lag alone, and how the time was used."""

    lost: list[str] = field(default_factory=list)
    apart: int = 0
    used: list[float] = field(default_factory=list)
    thought: list[float] = field(default_factory=list)


def standstill(random: Random) -> float:
    """Seconds that a loaded machine stands still at a ply of a busy stretch, mostly none (a Pareto law, cut off)."""
    if random.random() > 0.3:
        return 0.0
    shortest, longest = 0.02**-0.8, 1.5**-0.8
    return float((shortest - random.random() * (shortest - longest)) ** (-1 / 0.8))


def simulate(rules: Rules, moves: Sequence[int], control: Control, random: Random, told: Told) -> None:
    """One game on clocks, both sides paced by the engine's own timing."""
    game, paces, busy = Game(rules), (Pace(), Pace()), False
    clock, increment = control.clock, control.increment
    left, alone, thought, whole = [clock, clock], [0.0, 0.0], [0.0, 0.0], [clock, clock]
    for move in moves:
        side = game.position.to_move
        time = paces[side].plan(game, TimeLeft(int(left[side] * 1000) / 1000, increment))
        search = min(time.most, time.aim * random.uniform(1, 1.8) * random.choices((1, 1.5), (6, 1))[0])
        way = control.lag * random.uniform(0.5, 1.5)
        if control.loaded:
            busy = random.random() < (0.9 if busy else 0.1)
            way += standstill(random) if busy else 0.0
        machine = random.uniform(0.0003, 0.0008) + random.choices((0, 0.005), (49, 1))[0]
        paces[side].answered(move, search)
        alone[side] += way + max(machine, 0.001)
        thought[side] += search
        left[side] -= way + machine + search
        if left[side] <= 0:
            if alone[side] >= whole[side]:
                told.apart += 1
            else:
                told.lost.append(f"ply {len(game.moves) + 1} of {len(moves)}, lag {alone[side]:.3f} s")
            return
        game.play(move)
        if game.position.to_move is not side:
            left[side] += increment
            whole[side] += increment
    told.used += [1 - left[side] / whole[side] for side in Side]
    told.thought += [thought[side] / (whole[side] - alone[side]) for side in Side]


def simulated(rules: Rules, games: Sequence[Sequence[int]], controls: Sequence[Control], count: int, seed: int) -> int:
    """Play these controls; the number of games lost on time."""
    lost = 0
    for control in controls:
        random, told = Random(f"{rules.name} {control.clock} {control.lag} {seed}"), Told()
        for _ in range(count):
            simulate(rules, random.choice(games), control, random, told)
        lost += len(told.lost)
        print(
            f"{rules.name}, {control}: {count} games, {len(told.lost)} lost on time,"
            f" {told.apart} by lag alone; the median player uses {median(told.used):.0%} of the clock,"
            f" and thinks for {median(told.thought):.0%} of what lag leaves"
        )
        for one in told.lost[:5]:
            print(f"  lost at {one}")
    return lost


def main() -> None:
    """Do what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("play", "lengths", "simulate"))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--game", choices=GAMES, action="append", help="Only this one; may be repeated.")
    parser.add_argument("--games", type=int, default=1000, help="How many of each.")
    parser.add_argument("--real", type=Path, help="Games of people.")
    parser.add_argument("--loaded", action="store_true", help="Simulate a loaded machine, where some games are lost.")
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    if told.folder is None and told.what != "simulate":
        parser.error(f"{told.what} needs a folder")
    lost = 0
    for rules in (GAMES[name] for name in told.game or GAMES):
        if told.what == "play":
            told.folder.mkdir(parents=True, exist_ok=True)
            for kind in KINDS:
                lines = (json.dumps({"moves": moves}) for moves in played(rules, kind, told.games, told.seed))
                (told.folder / f"{rules.name}.{kind}.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
            continue
        games = games_of(rules, told.folder, told.real, min(told.games, 100), told.seed)
        if told.what == "lengths":
            lengths(rules, games)
        else:
            every = [moves for some in games.values() for moves in some]
            lost += simulated(rules, every, LOADED if told.loaded else CONTROLS, told.games, told.seed)
    sys.exit(1 if lost else 0)


if __name__ == "__main__":
    main()
