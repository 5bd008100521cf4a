"""Files, the service worker and the headers that a page with an engine needs."""

from __future__ import annotations

import hashlib
import json
import re

import pytest
from msgspec import to_builtins

from korgool.app.server.http import static_files
from korgool.app.server.http.middleware import MOST, takes_gzip
from korgool.app.server.http.release import Release, _read, release
from korgool.app.server.http.static_files import File
from korgool.engine import networks
from korgool.engine.levels import USUAL_SECONDS, levels_of
from korgool.engine.ratings import STRENGTHS
from korgool.rules import GAMES, TOGUZ_KORGOOL

from .support import Visitor


def test_every_answer_lets_pages_be_isolated(visitor: Visitor) -> None:
    for path in (
        "/",
        "/offline",
        "/analysis",
        "/sw.js",
        "/static/kernel.wasm",
        "/static/js/play/game_page.js",
        "/nothing",
    ):
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
    assert told["strengths"] == {name: [list(knot) for knot in knots] for name, knots in STRENGTHS.items()}
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
    assert rest == (static_files.FOLDER / "sw.js").read_text(encoding="utf-8")
    listed = {
        path.relative_to(static_files.FOLDER).as_posix() for path in static_files.FOLDER.rglob("*") if path.is_file()
    }
    root = f"/static/{told['tag']}/"
    kept = {path.removeprefix(root) for path in told["files"]}
    assert kept >= {name for name in listed if not name.endswith(".js")}
    # Of the modules it keeps the bundles, and a debugger's maps are for those who have a network.
    assert {name for name in kept if name.endswith((".js", ".map"))} == {
        name for name in release().files if name.startswith("bundles/") and name.endswith(".js")
    }
    for path, expected in told["files"].items():
        served = visitor.client.get(path)
        assert (served.status_code, hashlib.sha256(served.content).hexdigest()) == (200, expected), path
        assert served.headers["cache-control"] == "public, max-age=31536000, immutable"
    for path in told["pages"]:
        page = visitor.client.get(path, headers={"accept-language": "kk"})
        assert page.status_code == 200
        assert page.headers["x-korgool-release"] == told["tag"]
        assert page.headers["content-language"] == "kk"


def test_pages_name_files_of_their_release_only(visitor: Visitor) -> None:
    address = visitor.new_game("bestemshe")
    for path in ("/", "/analysis", "/offline", f"/games/{address}", "/nothing"):
        page = visitor.client.get(path, headers={"accept": "text/html"})
        named = set(re.findall(r'"(/static/[^"]*)"', page.text))
        assert len(named) > 5
        for name in named:
            assert name.startswith(f"/static/{page.headers['x-korgool-release']}/"), name
            file = visitor.client.get(name)
            assert (file.status_code, file.headers["cache-control"][-9:]) == (200, "immutable"), name


def test_files_are_compressed_ahead(visitor: Visitor) -> None:
    """Every file that gzip makes smaller goes out so, the same bytes every time; nothing else changes with it."""
    now = release()
    for name, file in now.files.items():
        packed = file.packed()
        found = [visitor.client.get(now.root + name, headers={"accept-encoding": "gzip, br"}) for _ in range(2)]
        assert all(one.content == file.body for one in found)
        assert {one.headers.get("content-encoding") for one in found} == {"gzip" if packed else None}, name
        plain = visitor.client.get(now.root + name, headers={"accept-encoding": "gzip;q=0, identity"})
        assert (plain.content, plain.headers.get("content-encoding")) == (file.body, None)
        if packed:
            assert len(packed) < len(file.body)
            assert found[0].headers["content-length"] == str(len(packed))
            assert found[0].headers["vary"] == plain.headers["vary"] == "accept-encoding"
            assert found[0].headers["etag"] != plain.headers["etag"]
    assert now.files["openings/toguz.json"].packed() is now.files["openings/toguz.json"].packed()


def test_files_of_other_releases_and_without_one_are_asked_for_anew(visitor: Visitor) -> None:
    style = release().files["css/page.css"].body
    for name in ("css/page.css", f"{'0' * 16}/css/page.css"):
        answer = visitor.client.get(f"/static/{name}")
        assert (answer.content, answer.headers["cache-control"]) == (style, "no-cache")
        again = visitor.client.get(f"/static/{name}", headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
    for name in ("0" * 15, "z" * 16, release().tag, f"{release().tag}/"):
        assert visitor.client.get(f"/static/{name}").status_code == 404


@pytest.mark.parametrize(
    ("header", "packs"),
    [
        ("gzip", True),
        ("br, GZIP ; q=0.5", True),
        ("gzip;q=1.0", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("br", False),
        ("x-gzip", False),
        ("", False),
    ],
)
def test_who_takes_gzip(header: str, packs: bool) -> None:
    assert takes_gzip(header) == packs


def test_large_answers_are_compressed_too(visitor: Visitor) -> None:
    """A line of many plies, which is far above what is compressed on the event loop."""
    position = TOGUZ_KORGOOL.start()
    moves: list[int] = []
    while len(moves) < 60 and position.outcome() is None:
        moves.append(position.legal_moves()[len(moves) % len(position.legal_moves())])
        position = position.play(moves[-1])
    answer = visitor.client.post("/api/analysis/line", json={"game": "toguz", "moves": moves})
    assert answer.headers["content-encoding"] == "gzip"
    assert len(answer.content) > MOST
    assert int(answer.headers["content-length"]) < len(answer.content) / 5
    assert answer.json()[-1]["position"] == str(position)


def test_a_release_is_known_by_its_contents(monkeypatch: pytest.MonkeyPatch) -> None:
    before = release()
    assert release() is before
    _read.cache_clear()
    assert release().tag == before.tag
    monkeypatch.setattr(static_files, "collect", lambda: {"levels.json": File("application/json", b"{}")})
    _read.cache_clear()
    after = release()
    assert after.tag != before.tag
    assert list(after.files) == ["levels.json"]
    _read.cache_clear()


def test_an_opening_book_is_made_when_it_is_needed_and_a_damaged_one_is_missing() -> None:
    made: list[int] = []

    def make() -> bytes | None:
        made.append(1)
        return b"{}" if len(made) == 1 else None

    book = static_files.MadeFile("application/json", make, b"source")
    release_of_it = Release("0" * 16, {"openings/toguz.json": book})
    assert book.mark
    assert not book.ready
    assert release_of_it.smallest_first() == [book]
    assert made == [], "nothing of this needs its bytes"
    assert release_of_it.kept() == {f"/static/{'0' * 16}/openings/toguz.json": book.sum}
    assert (book.body, book.sound, book.packed(), made) == (b"{}", True, None, [1])
    assert book.ready
    damaged = static_files.MadeFile("application/json", make, b"source")
    assert damaged.mark == book.mark
    assert (damaged.sound, damaged.body) == (False, b"")
    assert Release("0" * 16, {"openings/toguz.json": damaged}).kept() == {}
