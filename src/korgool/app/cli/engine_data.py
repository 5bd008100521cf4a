"""The opening book and the endgame tables of the engine on the command line."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import spoken, tell
from korgool.app.words.games import GAME_NAMES
from korgool.languages import N_
from korgool.rules import Position, Rules

if TYPE_CHECKING:
    from korgool.engine import Tables
    from korgool.rules import Rules


def check_book(rules: Rules) -> None:
    """Raise if there is no usable book for `--book`.

    Raises:
        InputError: there is no book for these rules, or it is damaged.
    """
    from korgool.engine.openings import BookError, has_book

    try:
        if not has_book(rules):
            title = rules.title if spoken() == "en" else tell(GAME_NAMES[rules.name])
            raise InputError("--book: " + tell(N_("there is no opening book of {game} under these rules"), game=title))
    except BookError as error:
        raise InputError(f"--book: {error}") from None


def book_lines(position: Position) -> list[dict[str, Any]] | None:
    """The book's moves for a position as data, best move first; None out of book.

    A damaged book is reported once and then ignored.
    """
    from korgool.engine.openings import BookError, consult

    try:
        moves = consult(position)
    except BookError as error:
        _complain(str(error))
        return None
    return [
        {"move": move.move, "evaluation": move.evaluation, "nodes": move.nodes, "exact": move.exact} for move in moves
    ] or None


def book_text(lines: Sequence[dict[str, Any]]) -> str:
    """The same as text: `4 +3.1, 5 +2.0, …`; `exact` if it is proven."""
    exact = " (" + tell(N_("exact")) + ")" if all(line["exact"] for line in lines) else ""
    return ", ".join(f"{line['move']} {line['evaluation']:+.1f}" for line in lines) + exact


@cache
def _complain(reason: str) -> None:
    click.echo("korgool: " + tell(N_("{reason}; going on without the book"), reason=reason), err=True)


_OPENING = threading.Lock()


def shared_tables(rules: Rules) -> Tables | None:
    """`usual_tables`, opened once for all threads, because testing every checksum of large tables takes time."""
    with _OPENING:
        return _shared(rules)


@cache
def _shared(rules: Rules) -> Tables | None:
    return usual_tables(rules)


def usual_tables(rules: Rules, most: int | None = None) -> Tables | None:
    """The user's endgame tables, or else the package's. Damaged tables are reported and skipped; the command works
    without.

    Args:
        rules: the game.
        most: leave out layers with more stones.
    """
    from korgool.engine import TableError, Tables

    try:
        return Tables.usual(rules, most)
    except TableError as error:
        from korgool.app.cli.language import tell
        from korgool.languages import N_

        said = tell(N_("warning: no tables are used, {reason}"), reason=error)
        click.echo(f"korgool: {said}", err=True)
        return None
