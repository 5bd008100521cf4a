"""The steps from games to a network: `python -m korgool.engine.training STEP`; the manual has a page on them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path

from korgool.atomic_files import replacing
from korgool.clusters import ClusterError, pool
from korgool.engine.networks.layout import network_of
from korgool.engine.search import Engine
from korgool.engine.surroundings import EngineSurroundings
from korgool.engine.training.calibrate import calibrate, plot
from korgool.engine.training.generate import BATCH, generate
from korgool.engine.training.promotion import match
from korgool.engine.training.samples import SAMPLE_BYTES, GenerationPlan
from korgool.rules import GAMES

HAND = "hand"


@contextmanager
def _bar(total: int) -> Iterator[Callable[[int], None]]:
    """A progress bar on a terminal, given by a function that is told how much is done."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=total)
        yield lambda done: bar.update(task, completed=done)


def _many(text: str) -> int:
    if not 1 <= int(text) <= 256:
        raise ValueError
    return int(text)


def _generate(options: argparse.Namespace) -> None:
    plan = GenerationPlan(
        options.game, nodes=options.nodes, opening=options.opening, stray=options.stray, network=options.network
    )
    written = 0
    with (
        pool(options.threads, options.cluster, EngineSurroundings()) as place,
        replacing(options.output) as write,
        _bar(options.games) as done,
    ):
        for number, samples in enumerate(generate(plan, options.seed, options.games, place), 1):
            written += write(samples)
            done(number * BATCH)
    print(f"{options.output}: {written // SAMPLE_BYTES} positions of {options.games} games")


def _train(options: argparse.Namespace) -> None:
    from korgool.engine.training.filter import distinct, undecided
    from korgool.engine.training.quantise import quantise, restored, save
    from korgool.engine.training.train import Recipe, read_samples, train

    rules = GAMES[options.game]
    samples = read_samples(options.samples)
    kept = distinct(undecided(samples, rules))
    print(f"{len(samples)} positions, {len(kept)} of them undecided and distinct")
    chosen = {field.name: getattr(options, field.name) for field in fields(Recipe) if hasattr(options, field.name)}
    start = None
    if options.start:
        Engine(rules, table_mib=0, network=options.start, tables=None)  # refuses what does not fit
        start = restored(network_of(options.start.read_bytes(), rules))
    network = train(rules, kept, Recipe(**chosen), start=start)
    save(quantise(network, options.output.stem), options.output)
    print(f"{options.output}: {options.output.stat().st_size} bytes")


def _engine(game: str, network: str) -> Engine:
    return Engine(GAMES[game], table_mib=8, network=None if network == HAND else network, tables=None)


def _gate(options: argparse.Namespace) -> None:
    first, second = _engine(options.game, options.first), _engine(options.game, options.second)
    found = match(
        first,
        second,
        GAMES[options.game],
        pairs=options.pairs,
        nodes=options.nodes,
        equal_time=options.equal_time,
        seed=options.seed,
    )
    print(f"{options.first} against {options.second}: {found}")


def _calibrate(options: argparse.Namespace) -> None:
    rules = GAMES[options.game]
    found = calibrate(_engine(options.game, options.network), rules, options.samples.read_bytes())
    for title, parts in (("stones", found.stones), ("points", found.wins)):
        for part in parts:
            print(f"{title}: {part.count:6d} positions, expected {part.expected:8.3f}, found {part.found:8.3f}")
    print(f"missed by {found.missed:.2f} stones; chances {found.unlikely:.4f}, uninformed {found.uninformed:.4f}")
    if options.plot:
        options.plot.write_text(plot(rules.title, found), encoding="utf-8")


def parser() -> argparse.ArgumentParser:
    """All steps with their options."""
    found = argparse.ArgumentParser(prog="python -m korgool.engine.training", description=__doc__)
    steps = found.add_subparsers(required=True, metavar="STEP")

    step = steps.add_parser("generate", help="play games and write their positions")
    step.set_defaults(run=_generate)
    step.add_argument("game", choices=GAMES)
    step.add_argument("output", type=Path)
    step.add_argument("--games", type=int, default=1000)
    step.add_argument("--seed", type=int, default=1, help="number of the first game; each game has the next one")
    step.add_argument("--nodes", type=int, default=3000, help="for each move")
    step.add_argument("--opening", type=int, default=10, help="most random plies at the start")
    step.add_argument("--stray", type=float, default=0.03, help="chance of a random ply later")
    step.add_argument("--network", default="", help="file to play with; without it, the evaluation by hand plays")
    step.add_argument(
        "--threads", "--processes", "--workers", type=_many, help="of this machine, or processes of a local cluster"
    )
    step.add_argument(
        "--cluster", metavar="ADDRESS", help="work there instead: tcp://HOST:PORT of a Dask scheduler, or local"
    )

    step = steps.add_parser("train", help="fit a network to positions and write it in whole numbers")
    step.set_defaults(run=_train)
    step.add_argument("game", choices=GAMES)
    step.add_argument("output", type=Path)
    step.add_argument("samples", type=Path, nargs="+")
    step.add_argument("--start", type=Path, help="network file to begin with, of the same sizes")
    for name, kind, default in (
        ("hidden", int, 64),
        ("buckets", int, 8),
        ("epochs", int, 8),
        ("batch", int, 8192),
        ("rate", float, 0.01),
        ("search", float, 0.75),
        ("seed", int, 1),
        ("threads", int, 1),
    ):
        step.add_argument(f"--{name}", type=kind, default=default)

    step = steps.add_parser("gate", help="play two networks against each other")
    step.set_defaults(run=_gate)
    step.add_argument("game", choices=GAMES)
    step.add_argument("first", help=f"network file, or {HAND}")
    step.add_argument("second", help=f"network file, or {HAND}")
    step.add_argument("--pairs", type=int, default=150)
    step.add_argument("--nodes", type=int, default=4000)
    step.add_argument("--equal-time", action="store_true", help="nodes for the first, as much processor time for both")
    step.add_argument("--seed", type=int, default=1)

    step = steps.add_parser("calibrate", help="compare expectation and outcome")
    step.set_defaults(run=_calibrate)
    step.add_argument("game", choices=GAMES)
    step.add_argument("network")
    step.add_argument("samples", type=Path)
    step.add_argument("--plot", type=Path, help="SVG to write")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run a step; the exit status."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except (ClusterError, ValueError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
