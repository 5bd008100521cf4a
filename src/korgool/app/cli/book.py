"""The opening book on the command line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import spoken, tell
from korgool.app.words.games import GAME_NAMES
from korgool.languages import N_
from korgool.rules import Position, Rules


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
