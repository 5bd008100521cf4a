"""Endgame tables for commands that also work without them."""

from __future__ import annotations

import threading
from functools import cache
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from korgool.engine import Tables
    from korgool.rules import Rules


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
