"""The books in use: what is known of a position, analysed or solved, and a move to play from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from korgool.engine.openings.book import BookMove, OpeningBook, book_file, shipped
from korgool.engine.solving import shipped_book
from korgool.engine.solving.book import solved_file
from korgool.rules import GAMES, Position, Rules

MARGIN = 0.003
"""Largest loss of a move that is played from the book, as a share of all stones: half a stone in
toguz korgool, and nothing but the best in the other games to a tenth of a stone."""
LEAST = 8
"""Fewest positions of the book behind a move that is played from it: below that a search sees more."""


def consult(position: Position, book: OpeningBook | None = None) -> tuple[BookMove, ...]:
    """Look a position up in the books of this package: every legal move, the best first; empty out of book.

    The solved opening of mangala is exact, the books of the other games are analysed.

    Args:
        position: of any game.
        book: ask this one and no other.

    Raises:
        BookError: the installed file is damaged.
    """
    if book is None and (exact := _solved(position)):
        return exact
    book = shipped(position.rules) if book is None else book
    return () if book is None else book.moves(position)


def has_book(rules: Rules) -> bool:
    """Return whether there is an analysed or solved opening for these rules.

    Raises:
        BookError: the installed file is damaged.
    """
    return shipped_book(rules) is not None or shipped(rules) is not None


def pick(
    position: Position,
    random: Random,
    *,
    book: OpeningBook | None = None,
    margin: float = MARGIN,
    least: int = LEAST,
) -> BookMove | None:
    """A move to play from the book, or None out of book.

    One of those that are worth as much as the best, to the margin, and have enough analysis behind them, each as likely
    as the other. A proven move needs nothing behind it, and must be one of the best.

    Args:
        position: where the game goes on.
        random: the source of chance.
        book: play from this one and no other.
        margin: as a share of all stones.
        least: positions of the book behind the move.

    Raises:
        BookError: the installed file is damaged.
    """
    moves = consult(position, book)
    if not moves:
        return None
    allowed = 0.0 if moves[0].exact else margin * position.rules.total
    floor = moves[0].evaluation - allowed - 1e-9
    near = [move for move in moves if move.evaluation >= floor and (move.exact or move.positions >= least)]
    return random.choice(near) if near else None


def _solved(position: Position) -> tuple[BookMove, ...]:
    """Exact values of all moves, where the solved book of mangala holds what follows each of them."""
    book = shipped_book(position.rules)
    if book is None:
        return ()
    side = position.to_move
    found = []
    for move in position.legal_moves():
        after = position.play(move)
        outcome = after.outcome()
        if outcome is not None:
            stores, still = outcome.stores, 0
        else:
            value = book.value(after)
            if value is None:
                return ()
            stores, still = after.stores, value if after.to_move is side else -value
        found.append(BookMove(move, float(stores[side] - stores[side.other] + still), 0, exact=True))
    return tuple(sorted(found, key=lambda one: (-one.evaluation, one.move)))


@cache
def page(game: str) -> tuple[bytes, str] | None:
    """The book of a game as the pages read it, and the SHA-256 of that in hexadecimal digits; None where there is none.

    A JSON object: `game`; `nodes`, the search effort of a position; `positions`, by position text without its move
    number, each a list of `[move, evaluation, nodes, exact]`, best first.

    Raises:
        BookError: the installed file is damaged.
    """
    rules = GAMES.get(game)
    if rules is None:
        return None
    book = shipped(rules)
    boards = dict(_solved_boards(rules) if book is None else book.boards())
    if not boards:
        return None
    positions = {
        str(board).rpartition(" ")[0]: [[move.move, move.evaluation, move.nodes, int(move.exact)] for move in moves]
        for board, moves in boards.items()
    }
    said = {"game": game, "nodes": book.nodes if book else 0, "positions": positions}
    text = json.dumps(said, separators=(",", ":")).encode()
    return text, hashlib.sha256(text).hexdigest()


def source_of(game: str) -> bytes | None:
    """Sources of the answer of `page`, book and program, by which a change is noticed; None without a book."""
    file = book_file(GAMES[game]) or solved_file(GAMES[game])
    return None if file is None else file.read_bytes() + Path(__file__).read_bytes()


def _solved_boards(rules: Rules) -> Iterator[tuple[Position, tuple[BookMove, ...]]]:
    """The positions from the start on that the solved book answers."""
    waiting, seen = [rules.start()], {rules.start()}
    while waiting:
        board = waiting.pop(0)
        moves = _solved(board)
        if not moves:
            continue
        yield board, moves
        for move in moves:
            after = board.play(move.move)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
