"""The log: one record a line whatever is in it, with the request it belongs to and nothing that is secret."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from korgool.app.server.core.logs import JsonFormatter, TextFormatter
from korgool.app.server.limits import parse_network
from korgool.app.server.transport.request_tracing import UNMATCHED, RequestTracing
from tests.patience import PATIENCE

from .support import Json, Visitor, run_async, running

EVIL = "\n2026-01-01T00:00:00.000Z ERROR forged\r\x0b\x1b[2J\x85\u2028\u2029"


def record(message: str, error: Exception | None = None) -> logging.LogRecord:
    made = logging.LogRecord("korgool.test", logging.WARNING, __file__, 1, "%s", (message,), None)
    if error is not None:
        try:
            raise error
        except Exception as raised:
            made.exc_info = type(raised), raised, raised.__traceback__
    return made


def test_nothing_that_is_logged_begins_a_line() -> None:
    for error in (None, ValueError(EVIL)):
        text = TextFormatter().format(record(EVIL, error)).splitlines()
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z WARNING - korgool\.test: \\n2026-", text[0])
        assert all(line.startswith("  | ") and line.isprintable() for line in text[1:])
        assert (len(text) > 1) == (error is not None)
        (line,) = JsonFormatter().format(record(EVIL, error)).splitlines()
        told = json.loads(line)
        assert (told["level"], told["message"]) == ("warning", EVIL)
        assert ("exception" in told) == (error is not None)


def traced(caplog: pytest.LogCaptureFixture, **scope: Any) -> tuple[Json, dict[bytes, bytes], RequestTracing]:
    """What is told of a request to an application that answers 418, the headers of the answer, and the layer."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["path_template"] = "/pots/{number}"
        scope["state"]["who"] = "visitor"
        await send({"type": "http.response.start", "status": 418, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    trace = RequestTracing(app, [parse_network("10.0.0.0/8")])
    whole = {"type": "http", "method": "GET", "path": "/pots/7", "headers": [], "state": {}, **scope}
    with caplog.at_level(logging.INFO, "korgool"):
        run_async(trace(whole, None, send))
    told: Json = json.loads(JsonFormatter().format(caplog.records[-1]))
    return told, dict(sent[0]["headers"]), trace


def test_a_request_is_told_with_its_template_and_its_id(caplog: pytest.LogCaptureFixture) -> None:
    told, headers, trace = traced(caplog, client=("192.0.2.1", 9))
    assert {name: told[name] for name in ("method", "path", "status", "who")} == {
        "method": "GET",
        "path": "/pots/{number}",
        "status": 418,
        "who": "visitor",
    }
    assert told["ms"] >= 0
    assert re.fullmatch(rb"[0-9a-f]{16}", headers[b"x-request-id"])
    assert trace.requests == {("GET", "/pots/{number}", 418): 1}
    assert sum(trace.seconds["/pots/{number}"].counts) == 1


def test_only_a_trusted_proxy_names_a_request(caplog: pytest.LogCaptureFixture) -> None:
    def named(client: str, given: bytes) -> bytes:
        return traced(caplog, client=(client, 9), headers=[(b"x-request-id", given)])[1][b"x-request-id"]

    assert named("10.1.2.3", b"balancer-17.a_b") == b"balancer-17.a_b"
    for client, given in (("192.0.2.1", b"mine"), ("10.1.2.3", b"a" * 65), ("10.1.2.3", b"a\nb"), ("10.1.2.3", b"")):
        assert re.fullmatch(rb"[0-9a-f]{16}", named(client, given))


def test_what_does_not_answer_is_told_too(caplog: pytest.LogCaptureFixture) -> None:
    async def breaks(scope: Any, receive: Any, send: Any) -> None:
        raise OSError

    async def hangs(scope: Any, receive: Any, send: Any) -> None:
        raise asyncio.CancelledError

    for app, status in ((breaks, 500), (hangs, 499)):
        trace = RequestTracing(app)
        with suppress(OSError, asyncio.CancelledError):
            run_async(trace({"type": "http", "method": "BREW", "headers": []}, None, None))
        assert trace.requests == {("OTHER", UNMATCHED, status): 1}


def test_a_server_tells_every_request_and_no_secret(tmp_path: Path) -> None:
    with running(tmp_path, None, "--log", "json", "--log-level", "info") as server:
        visitor = Visitor(server)
        game = visitor.new_game()
        visitor.send(game, "move", hole=7, version=1).raise_for_status()
        assert visitor.client.head(f"/api/games/{game}").status_code == 200
        assert visitor.client.get("/no%0asuch%0apage").status_code == 404
        with visitor.live(game) as live:
            live.hear()
        guest = httpx.post(f"{server.url}/api/guests", json={}, timeout=PATIENCE).json()
        bearer = {"authorization": f"Bearer {guest['token']}"}
        assert httpx.get(f"{server.url}/api/games/{game}", headers=bearer, timeout=PATIENCE).status_code == 200
        secrets = [game, visitor.identity, *visitor.client.cookies.values(), guest["token"], "such"]
        log = server.stop()
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    told = [(line["method"], line["path"], line["status"], line["who"]) for line in lines]
    assert told == [
        ("GET", "/", 200, "nobody"),
        ("POST", "/games", 303, "visitor"),
        ("POST", "/api/games/{game_id}/{command}", 200, "visitor"),
        ("HEAD", "/api/games/{game_id}", 200, "visitor"),
        ("GET", UNMATCHED, 404, "-"),
        ("GET", "/api/games/{game_id}/live", 101, "visitor"),
        ("POST", "/api/guests", 201, "nobody"),
        ("GET", "/api/games/{game_id}", 200, "visitor"),
    ]
    assert len({line["request"] for line in lines}) == len(lines)
    assert not [secret for secret in secrets if secret in log]
