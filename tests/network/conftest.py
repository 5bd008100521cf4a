"""Fixtures of these tests."""

from __future__ import annotations

import pytest

from korgool.rules import GAMES, Rules


@pytest.fixture(params=list(GAMES))
def rules(request: pytest.FixtureRequest) -> Rules:
    """Every game."""
    return GAMES[request.param]
