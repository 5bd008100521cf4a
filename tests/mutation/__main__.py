"""The command: draw mutants, try them, print who lives."""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
import tomllib
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.mutation.operators import Mutant, compiles, mutants
from tests.mutation.reach import Reach, load
from tests.mutation.rooms import PACKAGE, ROOMS, STATE, sources
from tests.mutation.trial import failing, prepare, stages

EQUIVALENT = Path(__file__).with_name("equivalent.toml")
BUDGET = 60.0
"""Seconds of tests that a mutant must outlive to be called a survivor, as the tests take without it."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A mutant and the room it was drawn from."""

    room: str
    mutant: Mutant

    @property
    def name(self) -> str:
        """The file below the package and the lines before and after, which stay when lines move."""
        before, after = self.mutant.change(self.mutant.file.read_text(encoding="utf-8"))
        return f"{self.mutant.file.relative_to(PACKAGE).as_posix()}\n- {before}\n+ {after}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a mutant.

    Attributes:
        drawn: the mutant.
        killer: the test that failed, or `a hang`; empty for a survivor.
        tried: tests that ran, or could have.
        seconds: that the trial took.
    """

    drawn: Drawn
    killer: str
    tried: int
    seconds: float


def draw(seed: int, count: int, rooms: list[str]) -> list[Drawn]:
    """So many different mutants of these rooms, all equally likely; listed equivalents are not drawn."""
    given = equivalents()
    possible = [Drawn(room, mutant) for room in rooms for file in sources(room) for mutant in mutants(file)]
    random.Random(seed).shuffle(possible)
    found: list[Drawn] = []
    for drawn in possible:
        if len(found) == count:
            break
        if compiles(drawn.mutant) and drawn.name not in given:
            found.append(drawn)
    return sorted(found, key=lambda drawn: (list(ROOMS).index(drawn.room), drawn.mutant.file, drawn.mutant.start))


def equivalents() -> dict[str, str]:
    """The mutants that nobody could tell from the true code, by name, with the reason."""
    listed = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutant", [])
    return {f"{entry['file']}\n- {entry['was']}\n+ {entry['now']}": entry["why"] for entry in listed}


def attempt(drawn: Drawn, reach: Reach, budget: float = BUDGET) -> Outcome:
    """Try one mutant, by the tests of its own room first."""
    begun = time.monotonic()
    tests = reach.tests(drawn.mutant.file, drawn.mutant.line)
    tried, killer = 0, ""
    usual = dict(tests)
    own = [test for test in tests if test[0].startswith(ROOMS[drawn.room].tests)]
    others = [test for test in tests if test not in own]
    for stage in (*stages(own, budget=budget), *stages(others, budget=budget)):
        if stage and not killer:
            tried += len(stage)
            seconds = 20 + 3 * sum(usual[name] for name in stage)
            killer = next(iter(failing(drawn.mutant, stage, seconds=seconds)), "")
    return Outcome(drawn, killer, tried, time.monotonic() - begun)


def main() -> int:
    """Read the options and do it."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument(
        "--seed", type=int, default=1, help="draws the mutants; the same seed draws the same of the same code"
    )
    parser.add_argument(
        "--count", type=int, default=500, help="how many; 0 only measures which tests reach which lines"
    )
    parser.add_argument("--room", action="append", choices=list(ROOMS), help="of this room alone; may be given again")
    parser.add_argument("--survivors", action="store_true", help="only those that lived in the run before")
    parser.add_argument("--workers", type=int, default=1, help="processes that measure which tests reach which lines")
    parser.add_argument(
        "--budget",
        type=float,
        default=BUDGET,
        help="seconds of tests, of its room and of others, that a mutant outlives",
    )
    options = parser.parse_args()
    rooms = options.room or list(ROOMS)
    reach = load(rooms, workers=options.workers)
    if not options.count:
        return 0
    drawn = draw(options.seed, options.count, rooms)
    lived = STATE / "survivors.json"
    if options.survivors:
        names = set(json.loads(lived.read_text()))
        drawn = [it for it in drawn if it.name in names]
    print(f"seed {options.seed}: {len(drawn)} mutants of {', '.join(rooms)}", flush=True)
    prepare()
    outcomes = []
    for number, it in enumerate(drawn, 1):
        outcome = attempt(it, reach, options.budget)
        outcomes.append(outcome)
        what = f"killed by {outcome.killer}" if outcome.killer else f"LIVES through {outcome.tried} tests"
        print(
            f"[{number}/{len(drawn)}, {outcome.seconds:.1f} s] {it.room}: {it.mutant.line}: {it.name}\n  {what}",
            flush=True,
        )
    outcomes = without_false_kills(outcomes)
    survivors = [outcome for outcome in outcomes if not outcome.killer]
    lived.write_text(json.dumps([outcome.drawn.name for outcome in survivors]))
    report(outcomes)
    return 0 if len(survivors) <= sum(1 - ROOMS[it.drawn.room].dead for it in outcomes) else 1


def without_false_kills(outcomes: list[Outcome]) -> list[Outcome]:
    """A test that fails without a mutant too kills none."""
    killers = sorted({outcome.killer for outcome in outcomes if "::" in outcome.killer})
    false = set(failing(None, killers, seconds=3600, first=False)) if killers else set()
    for name in sorted(false):
        print(f"fails without a mutant: {name}", file=sys.stderr)
    if false & {"a hang", "an end", "a start"}:
        raise SystemExit("the tests that killed mutants do not run without one")
    return [Outcome(it.drawn, "" if it.killer in false else it.killer, it.tried, it.seconds) for it in outcomes]


def report(outcomes: list[Outcome]) -> None:
    """The survivors, and a table by room."""
    for outcome in outcomes:
        if not outcome.killer:
            print(f"\nlives ({outcome.tried} tests): {outcome.drawn.mutant.line}: {outcome.drawn.name}")
    all_of, killed = Counter(it.drawn.room for it in outcomes), Counter(it.drawn.room for it in outcomes if it.killer)
    print(f"\n{'room':12} mutants killed")
    for room in all_of:
        print(f"{room:12} {all_of[room]:7} {killed[room]:6} {100 * killed[room] / all_of[room]:5.1f} %")
    total, dead = len(outcomes), killed.total()
    print(
        f"{'all':12} {total:7} {dead:6} {100 * dead / max(1, total):5.1f} %, {sum(it.seconds for it in outcomes):.0f} s"
    )


if __name__ == "__main__":
    sys.exit(main())
