"""The application as it is put together, before anybody asks it for anything."""

from __future__ import annotations

import json
import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from litestar.testing import TestClient

from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.action_requests import RequestedAction
from korgool.app.server.play.game_events import GameEvent
from korgool.app.server.storage.journal import KINDS
from korgool.competition.actions import AnyAction
from tests.patience import PATIENCE

from .doors import LIVE, doors

LINES, MACHINES = "application/x-ndjson", "/api/events/{event_id}/stand-by/"
"""What one machine tells another of an event, as its event file has it."""


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
                kind = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
                assert kind["properties"]["detail"]["type"] == "string", (path, method, status)
                assert "detail" in kind["required"]
            elif not {"text/plain", "image/jpeg", "image/png", LINES} & answer.get("content", {}).keys():
                assert status == "204" or "$ref" in schema.get("items", schema) or path.startswith(MACHINES)


def test_every_door_for_programs_is_described_with_what_it_takes(tmp_path: Path) -> None:
    described = create_app(ServerSettings(data=tmp_path)).openapi_schema.to_schema()
    found = {f"{method.upper()} {path}" for path, methods in described["paths"].items() for method in methods}
    open_ = {str(door) for door in doors() if door.path.startswith("/api/") and door.method not in {LIVE, "HEAD"}}
    open_.remove("POST /api/events/{event_id}/stand-by/strays")  # from a machine of the same program
    assert found == open_ | {"GET /healthz", "GET /games/{game_id}/record/{dialect}"}
    schemas = described["components"]["schemas"]
    for path, methods in described["paths"].items():
        for method, one in methods.items():
            assert one["summary"], (path, method)
            assert one["description"], (path, method)
            assert set(re.findall(r"{(\w+)}", path)) <= {given["name"] for given in one.get("parameters", ())}, path
            for given in one.get("parameters", ()):
                assert given["description"], (path, given)
            if path.startswith("/api/events"):
                assert method in {"get", "delete"} or one["requestBody"]["content"], (path, method)
    text = json.dumps(described)
    assert set(re.findall(r'"#/components/schemas/(\w+)"', text)) == schemas.keys()
    said, logged = schemas["AskedAction"]["discriminator"], schemas["LoggedAction"]["discriminator"]
    assert said["mapping"].keys() == {one.do for one in get_args(RequestedAction)}
    assert logged["mapping"].keys() == {one.do for one in get_args(AnyAction)}


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
