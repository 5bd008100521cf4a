"""The application as it is put together, before anybody asks it for anything."""

from __future__ import annotations

import warnings
from pathlib import Path

from korgool.app.server.application import create_app
from korgool.app.server.settings import ServerSettings


def test_nothing_in_it_is_about_to_be_given_up(tmp_path: Path) -> None:
    """Litestar warns of every handler that is written in a way which its next version does not read."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        app = create_app(ServerSettings(data=tmp_path))
        assert "/api/games/{game_id}" in app.openapi_schema.to_schema()["paths"]
