"""Files, the service worker and the headers that a page with an engine needs."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from msgspec import to_builtins

from korgool.app.server import static
from korgool.app.server.release import release
from korgool.engine import networks
from korgool.engine.levels import USUAL_SECONDS, levels_of
from korgool.rules import GAMES

from .support import Visitor


def test_every_answer_lets_pages_be_isolated(visitor: Visitor) -> None:
    for path in ("/", "/offline", "/analysis", "/sw.js", "/static/kernel.wasm", "/static/js/game.js", "/nothing"):
        headers = visitor.client.get(path).headers
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert headers["cross-origin-embedder-policy"] == "require-corp"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "worker-src 'self'" in headers["content-security-policy"]
        assert "'wasm-unsafe-eval'" in headers["content-security-policy"]


@pytest.mark.parametrize("game", ["toguz", "mangala", "castle"])
def test_networks(visitor: Visitor, game: str) -> None:
    answer = visitor.client.get(f"/static/networks/{game}.kgn")
    assert answer.headers["content-type"] == "application/octet-stream"
    assert answer.content == (networks.FOLDER / f"{game}.kgn").read_bytes()
    again = visitor.client.get(f"/static/networks/{game}.kgn", headers={"if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "name",
    ["networks/bestemshe.kgn", "networks/", "networks/__init__.py", "networks/../levels.py", "networks/%2e%2e"],
)
def test_nothing_beside_the_networks(visitor: Visitor, name: str) -> None:
    assert visitor.client.get(f"/static/{name}").status_code == 404


def test_levels_are_those_of_the_engine(visitor: Visitor) -> None:
    answer = visitor.client.get("/static/levels.json")
    assert answer.headers["content-type"] == "application/json"
    told = answer.json()
    assert told["levels"] == {name: list(to_builtins(levels_of(rules))) for name, rules in GAMES.items()}
    assert told["usual_seconds"] == USUAL_SECONDS


def test_the_service_worker_knows_every_file(visitor: Visitor) -> None:
    answer = visitor.client.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    first, rest = answer.text.split("\n", 1)
    found = re.fullmatch(r"const RELEASE = (\{.*\});", first)
    assert found is not None
    told = json.loads(found[1])
    assert rest == (static.FOLDER / "sw.js").read_text(encoding="utf-8")
    listed = {path.relative_to(static.FOLDER).as_posix() for path in static.FOLDER.rglob("*") if path.is_file()}
    assert {path.removeprefix("/static/") for path in told["files"]} >= listed - {"sw.js"}
    for path, expected in told["files"].items():
        served = visitor.client.get(path)
        assert (served.status_code, hashlib.sha256(served.content).hexdigest()) == (200, expected), path
    for path in told["pages"]:
        page = visitor.client.get(path, headers={"accept-language": "kk"})
        assert page.status_code == 200
        assert page.headers["x-korgool-release"] == told["tag"]
        assert page.headers["content-language"] == "kk"


def test_a_release_is_known_by_its_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    from korgool.app.server import release as module

    monkeypatch.setattr(module, "_known", [])
    monkeypatch.setattr(module, "_FRESH_SECONDS", -1.0)
    before = release()
    assert release() == before
    monkeypatch.setattr(static, "names", lambda: iter(["levels.json"]))
    after = release()
    assert after.tag != before.tag
    assert list(after.files) == ["/static/levels.json"]
