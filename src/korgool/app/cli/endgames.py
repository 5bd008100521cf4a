"""Endgame tables for the commands that can do without."""

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
    """`usual_tables`, opened once for all threads: testing every checksum of large ones takes its time."""
    with _OPENING:
        return _shared(rules)


@cache
def _shared(rules: Rules) -> Tables | None:
    return usual_tables(rules)


def usual_tables(rules: Rules, most: int | None = None) -> Tables | None:
    """The user's endgame tables, or else the package's. Damaged ones are told of and left aside: an answer needs none.

    Args:
        rules: the game.
        most: leave out layers with more stones.
    """
    from korgool.engine import TableError, Tables

    try:
        return Tables.usual(rules, most)
    except TableError as error:
        click.echo(f"korgool: warning: no tables are used, {error}", err=True)
        return None
