"""The value of the opening book: matches with the book against without, at equal nodes a move.

    python benchmarks/openings.py toguz --pairs 200 --nodes 4000

Each pair begins after up to four moves that the book values at most `--loss` stones below its best, and each side has
the book once. Because there are few such openings and the search is deterministic, each pair has a random number of
nodes a move, up to a fifth more or fewer. The book answers without a search, so it also saves time: the plies it plays
are reported too. Results do not depend on the machine. A journal (`--journal FILE`) lets an interrupted run continue.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from random import Random

from korgool.engine.limits import Limits
from korgool.engine.openings import OpeningBook, consult, pick
from korgool.engine.search import Engine
from korgool.engine.training.promotion import verdict
from korgool.rules import GAMES, Position, Rules, Side

LONGEST = 500


def opening(rules: Rules, book: OpeningBook | None, random: Random, loss: float) -> Position:
    """A position of the book, near the start."""
    position = rules.start()
    for _ in range(random.randint(0, 4)):
        moves = consult(position, book)
        after = position.play(
            random.choice([one.move for one in moves if one.evaluation >= moves[0].evaluation - loss])
        )
        if not consult(after, book):
            break
        position = after
    return position


def game(
    engines: tuple[Engine, Engine],
    book: OpeningBook | None,
    side: Side,
    start: Position,
    nodes: int,
    random: Random,
) -> tuple[int, int, int]:
    """Half points of the side with the book, the plies that it played from it, and all its plies."""
    position, history = start, [start]
    from_book = plies = 0
    for engine in engines:
        engine.clear()
    while position.outcome() is None and len(history) < LONGEST:
        mine = position.to_move is side
        known = pick(position, random, book=book) if mine else None
        if known is not None:
            move = known.move
        else:
            move = engines[position.to_move].analyse(position, Limits(nodes=nodes), history=history).move
        plies += mine
        from_book += known is not None
        position = position.play(move)
        history.append(position)
    outcome = position.outcome()
    winner = None if outcome is None else outcome.winner
    return 1 if winner is None else 2 if winner is side else 0, from_book, plies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=GAMES)
    parser.add_argument("--pairs", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=4000)
    parser.add_argument("--loss", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--book", type=Path, help="another book than the shipped one")
    parser.add_argument("--journal", type=Path)
    options = parser.parse_args()
    rules = GAMES[options.game]
    book = None
    if options.book:
        book = OpeningBook.parse(options.book.read_text(encoding="ascii"), rules, options.book.name)
    done: list[list[int]] = []
    if options.journal and options.journal.exists():
        done = [json.loads(line) for line in options.journal.read_text(encoding="ascii").splitlines()]
    engines = Engine(rules, table_mib=8), Engine(rules, table_mib=8)
    for number in range(len(done), options.pairs):
        random = Random(1000 * options.seed + number)
        start = opening(rules, book, random, options.loss)
        nodes = round(options.nodes * random.uniform(0.8, 1.2))
        found = [*game(engines, book, Side.WHITE, start, nodes, random)]
        found += game(engines, book, Side.BLACK, start, nodes, random)
        done.append(found)
        if options.journal:
            with options.journal.open("a", encoding="ascii") as file:
                file.write(json.dumps(found) + "\n")
    done = done[: options.pairs]
    played, plies = (sum(found[at] + found[at + 3] for found in done) for at in (1, 2))
    print(f"{rules.title}, {options.nodes} nodes a move, with the book against without, {2 * len(done)} games:")
    print(verdict([(found[0], found[3]) for found in done]))
    print(f"from the book {played / len(done) / 2:.1f} plies a game, {played / plies:.0%} of its side's")


if __name__ == "__main__":
    main()
