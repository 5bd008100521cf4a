"""Make an opening book: `python -m korgool.engine.openings build GAME OUTPUT`; the manual has a page on it."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from korgool.atomic_files import replacing
from korgool.engine.openings.build import BookPlan, build
from korgool.engine.openings.tree import Node
from korgool.rules import GAMES


def _build(options: argparse.Namespace) -> None:
    began = time.monotonic()

    def say(number: int, node: Node) -> None:
        if number % 100 == 0 or number == options.positions:
            text = f"{number} positions, {time.monotonic() - began:.0f} s, the newest of ply {node.ply}"
            print(text, file=sys.stderr, flush=True)

    plan = BookPlan(options.game, options.nodes, options.seed, options.every, options.weight)
    journal = options.journal or options.output.with_name(options.output.name + ".journal")
    book = build(plan, options.positions, journal, say)
    with replacing(options.output) as write:
        write(book.text().encode("ascii"))
    print(f"{options.output}: {len(book)} positions, {options.output.stat().st_size} bytes; {journal} may be removed")


def parser() -> argparse.ArgumentParser:
    """The command with its options."""
    found = argparse.ArgumentParser(prog="python -m korgool.engine.openings", description=__doc__)
    steps = found.add_subparsers(required=True, metavar="STEP")
    step = steps.add_parser("build", help="analyse positions from the start on and write the book")
    step.set_defaults(run=_build)
    step.add_argument("game", choices=GAMES)
    step.add_argument("output", type=Path)
    step.add_argument("--positions", type=int, default=1000)
    step.add_argument("--nodes", type=int, default=1_000_000, help="for each position, all its moves together")
    step.add_argument("--seed", type=int, default=1, help="of the games that the book plays with itself")
    step.add_argument("--every", type=int, default=4, help="each so many-th position comes from such a game; 0: none")
    step.add_argument("--weight", type=float, default=3.0, help="plies that a stone lost on the way counts for")
    step.add_argument("--journal", type=Path, help="what is done so far; OUTPUT.journal without this option")
    return found


def main(arguments: list[str] | None = None) -> int:
    """Run a step; the exit status."""
    options = parser().parse_args(arguments)
    try:
        options.run(options)
    except (ValueError, OSError, ImportError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
