"""Random openings for paired games: balanced according to a search, and without an early tuz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import Game, Rules

NODES = 20_000
"""Nodes that decide whether an opening is level."""
MARGIN = 0.02
"""Largest evaluation of an opening, as a share of all stones: 3 of 162."""
_TRIES = 1_000


class OpeningError(ValueError):
    """A line of an opening book is no opening. The message names the line."""


def level_openings(
    rules: Rules, count: int, *, seed: int = 1, plies: tuple[int, int] = (4, 8)
) -> Iterator[tuple[int, ...]]:
    """Openings as hole numbers, each once, the same for the same seed.

    Args:
        rules: the game.
        count: how many; fewer come when the game has no more of them.
        seed: of the chance.
        plies: fewest and most plies of an opening.
    """
    random, engine, known = Random(seed), Engine(rules, tables=None), set()
    given = tries = 0
    while given < count and tries < _TRIES + 200 * count:
        tries += 1
        game = Game(rules)
        for _ in range(random.randint(*plies)):
            game.play(random.choice(game.position.legal_moves()))
            if game.outcome() is not None:
                break
        position = game.position
        if position in known or game.outcome() is not None or any(position.tuz):
            continue
        known.add(position)
        engine.clear()
        evaluation = engine.analyse(position, Limits(nodes=NODES)).lines[0].evaluation
        if abs(evaluation) <= MARGIN * rules.total:
            given += 1
            yield tuple(game.moves)


def read_openings(lines: Iterable[str], rules: Rules) -> list[tuple[int, ...]]:
    """An opening book: a line for each opening, its moves as digits, blanks between them or not; `#` begins a remark.

    Raises:
        OpeningError: a line is not a sequence of legal moves, or there is no line.
    """
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        moves = []
        game = Game(rules)
        for ply, digit in enumerate("".join(text.split()), 1):
            if not digit.isascii() or not digit.isdigit():
                raise OpeningError(f"line {number}, ply {ply}: {digit!r} is no hole")
            try:
                game.play(int(digit))
            except ValueError as error:
                raise OpeningError(f"line {number}, ply {ply}: {error}") from None
            moves.append(int(digit))
        if game.outcome() is not None:
            raise OpeningError(f"line {number}: the game is over after it")
        found.append(tuple(moves))
    if not found:
        raise OpeningError("the book holds no opening")
    return found
