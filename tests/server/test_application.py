"""The application as it is put together, before anybody asks it for anything."""

from __future__ import annotations

import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

from korgool.app.server.application import create_app
from korgool.app.server.games.events import GameEvent
from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage.journal import KINDS
from tests.patience import PATIENCE


def test_nothing_in_it_is_about_to_be_given_up(tmp_path: Path) -> None:
    """Litestar warns of every handler that is written in a way which its next version does not read."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        app = create_app(ServerSettings(data=tmp_path))
        assert "/api/games/{game_id}" in app.openapi_schema.to_schema()["paths"]


def test_every_route_of_the_api_says_how_it_refuses(tmp_path: Path) -> None:
    described = create_app(ServerSettings(data=tmp_path)).openapi_schema.to_schema()
    routes = [(path, method) for path, methods in described["paths"].items() for method in methods]
    assert ("/api/games/{game_id}/{command}", "post") in routes
    for path, method in routes:
        answers = described["paths"][path][method]["responses"]
        assert {"400", "401", "421", "429", "503"} <= answers.keys(), (path, method)
        assert method == "get" or {"403", "413"} <= answers.keys(), (path, method)
        for status, answer in answers.items():
            schema = answer.get("content", {}).get("application/json", {}).get("schema")
            if status >= "400":
                assert schema == {"$ref": "#/components/schemas/Detail"}, (path, method, status)
            elif not {"text/plain", "image/jpeg"} & answer.get("content", {}).keys():
                assert status == "204" or "$ref" in schema.get("items", schema)


def test_the_description_of_an_event_names_every_kind_and_every_field(tmp_path: Path) -> None:
    event = create_app(ServerSettings(data=tmp_path)).openapi_schema.to_schema()["components"]["schemas"]["GameEvent"]
    assert event["properties"]["kind"]["enum"] == [*KINDS, "none"]
    assert event["properties"].keys() == {field.name for field in msgspec.structs.fields(GameEvent)}
    for name, field in event["properties"].items():
        assert field["description"], name
    assert event["required"] == ["version", "kind", "at"]
    assert event["properties"]["stores"]["oneOf"][0] == {
        "type": "array",
        "items": {"type": "integer"},
        "minItems": 2,
        "maxItems": 2,
    }


def test_programs_do_not_wait_for_the_pages_to_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = threading.Event()
    monkeypatch.setattr("korgool.app.server.application.prepare", lambda: read.wait(PATIENCE))
    app = create_app(ServerSettings(data=tmp_path))
    with TestClient(app, base_url="http://127.0.0.1") as client, ThreadPoolExecutor(1) as thread:
        page = thread.submit(client.get, "/about")
        assert client.get("/healthz").json() == {"status": "ok"}
        assert client.get("/api/games/AAAAAAAAAAAA").json() == {"detail": "There is no such game."}
        assert not page.done()
        read.set()
        assert page.result(PATIENCE).status_code == 200
