"""Units worked out by the workers of a cluster, which share the folder of the tables with the machine that builds.

A worker reads the lower layers where they lie, and leaves its section there as a file of its own; nothing of it goes
through the scheduler. The machine that builds puts the sections together in their order.
"""

from __future__ import annotations

import secrets
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

from korgool.clusters import Pool
from korgool.engine.tables.files import file_name
from korgool.engine.tables.native import TableError
from korgool.engine.tables.probing import Tables
from korgool.engine.tables.sections import fill_all, write_section
from korgool.rules import Rules

_OPEN: dict[tuple[Rules, Path], Tables] = {}
"""The tables of this process by game and folder, as far as they are needed."""
_OPENING = Lock()


@dataclass(frozen=True, slots=True)
class _Order:
    """The work on one file.

    Attributes:
        rules: the game.
        place: the folder of its tables.
        mark: a file there, by which the folder is known.
        layer: stones on the board.
        tuz: of the file.
        files: those that are needed, as (layer, number of tuz).
    """

    rules: Rules
    place: Path
    mark: str
    layer: int
    tuz: int
    files: tuple[tuple[int, int], ...]


@contextmanager
def marked(place: Path) -> Iterator[str]:
    """Put a file into a folder by which workers know it as long as the block runs. Yields its name."""
    _clear(place)
    mark = f"cluster-{secrets.token_hex(8)}"
    (place / mark).touch()
    try:
        yield mark
    finally:
        _clear(place)


def _clear(place: Path) -> None:
    for pattern in ("cluster-*", "*.section", ".*.section-*.tmp"):  # the last of workers that were killed
        for path in place.glob(pattern):
            path.unlink(missing_ok=True)


def sections_away(
    tables: Tables, place: Path, mark: str, layer: int, tuz: int, units: Sequence[int], pool: Pool
) -> Iterator[Path]:
    """Files with the sections of exact units, in their order; whoever has read one deletes it.

    Raises:
        TableError: a worker does not see the folder, or finds a file damaged.
        ClusterError: the cluster is lost.
    """
    files = tuple((layer, tuz) for layer, tuz, _ in tables.files)
    order = _Order(tables.rules, place.resolve(), mark, layer, tuz, files)
    for name in pool.in_turn(partial(_section, order), units):
        yield place / name


def _section(order: _Order, unit: int) -> str:
    """Work a unit out, and leave its section in the folder. Answers the name of the file."""
    from korgool.atomic_files import replacing

    if not (order.place / order.mark).exists():
        raise TableError(f"the worker on {socket.gethostname()} does not see the folder {order.place} of this build")
    tables = _tables(order)
    name = f"{order.layer:02}-{order.tuz}-{unit}.section"
    with replacing(order.place / name) as write:
        write_section(tables, order.layer, unit, (fill_all(tables, order.layer, unit), None), write)
    return name


def _tables(order: _Order) -> Tables:
    with _OPENING:
        tables = _OPEN.setdefault((order.rules, order.place), Tables(order.rules))
        for layer, tuz in order.files:
            if (layer, tuz) not in tables:
                tables.attach(order.place / file_name(layer, tuz), layer, tuz)
        return tables
