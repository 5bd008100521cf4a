"""Tables that several tests look at."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from korgool.engine.tables import Tables
from korgool.rules import GAMES
from tests.tables.support import built

STONES = dict.fromkeys(GAMES, 6) | {"mangala": 10, "bestemshe": 10}


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tables")


@pytest.fixture(scope="session")
def tables_of(folder: Path) -> Callable[[str], Tables]:
    """The tables of a game by its name, with as many stones as `STONES` says."""

    @cache
    def tables(name: str) -> Tables:
        return built(GAMES[name], STONES[name], folder)

    return tables
