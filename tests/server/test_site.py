"""The names under which a server answers, and who may send it commands: forged requests, strange hosts, cookies."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from korgool.app.server.core import errors
from korgool.app.server.core.settings import ServerSettings, SettingsError
from korgool.app.server.http.site_names import Site, _split
from korgool.languages import LANGUAGES, translations
from tests.patience import PATIENCE

from .support import Server, Visitor, running


@pytest.fixture(scope="module")
def address(visitor: Visitor) -> str:
    return visitor.new_game("toguz")


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server behind a proxy that speaks TLS as play.example."""
    with running(tmp_path_factory.mktemp("data"), None, "--base-url", "https://play.example/") as server:
        yield server


def behind_tls(public: Server) -> httpx.Client:
    """What such a proxy passes on; cookies are sent by hand, for the wire to the server is plain."""
    return httpx.Client(base_url=public.url, headers={"host": "play.example"}, timeout=PATIENCE)


def set_cookies(answer: httpx.Response) -> dict[str, str]:
    """The cookies that an answer sets, by name, each with its attributes."""
    found = answer.headers.get_list("set-cookie")
    return {name: rest for name, _, rest in (one.partition("=") for one in found)}


def values(answer: httpx.Response) -> dict[str, str]:
    return {name: rest.partition(";")[0] for name, rest in set_cookies(answer).items()}


def get(url: str, **options: Any) -> httpx.Response:
    return httpx.get(url, timeout=PATIENCE, **options)


def post(url: str, **options: Any) -> httpx.Response:
    return httpx.post(url, timeout=PATIENCE, **options)


# The token belongs to the visitor


def test_a_planted_pair_does_nothing(server: Server, visitor: Visitor, address: str) -> None:
    """Another origin of the same host can plant cookies and submit a form: its own pair of cookie and token."""
    attacker = Visitor(server)
    session = next(name for name in visitor.client.cookies if name.startswith("korgool_"))
    cookie = f"{session}={visitor.client.cookies[session]}; csrftoken={attacker.token}"
    for headers, body in (
        ({"x-csrftoken": attacker.token}, {"json": {"version": 1}}),
        ({}, {"data": {"version": "1", "_csrf_token": attacker.token}}),
    ):
        for path in (f"/api/games/{address}/resign", f"/games/{address}/resign"):
            answer = post(server.url + path, headers={"cookie": cookie, **headers}, **body)
            assert answer.status_code == 403, path
    assert visitor.state(address)["outcome"] is None


def test_a_token_without_its_visitor_does_nothing(server: Server, visitor: Visitor) -> None:
    form = {"_csrf_token": visitor.token, "game": "toguz", "side": "white", "level": "1", "clock": "none"}
    assert post(f"{server.url}/games", data=form, cookies={"csrftoken": visitor.token}).status_code == 403


def test_the_token_stays_the_same_for_a_visitor(visitor: Visitor) -> None:
    """A page that a browser has kept for weeks can still be sent."""
    tokens = {
        found[1]
        for path in ("/", "/analysis", "/offline")
        for found in re.finditer(r'name="_csrf_token" value="(\w+)"', visitor.client.get(path).text)
    }
    assert tokens == {visitor.token}


# Commands come from the site's own pages


def sources(own: str) -> list[tuple[dict[str, str], bool]]:
    """Headers of a browser, and whether what it sends with them is obeyed."""
    return [
        ({}, True),
        ({"origin": own}, True),
        ({"origin": own, "sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "none"}, True),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": ""}, False),
        ({"origin": own + "9"}, False),
        ({"origin": own.replace("//", "//more.")}, False),
        ({"origin": own.replace("//", "//127.0.0.1@")}, False),
        ({"sec-fetch-site": "cross-site"}, False),
        ({"origin": own, "sec-fetch-site": "same-site"}, False),
    ]


def test_commands_of_other_sites_are_refused(server: Server, visitor: Visitor, address: str) -> None:
    for headers, obeyed in sources(server.url):
        own = {"x-csrftoken": visitor.token, **headers}
        answer = visitor.client.post(f"/api/games/{address}/ask-takeback", json={}, headers=own)
        assert answer.status_code == (422 if obeyed else 403), headers
        body = {"game": "toguz", "moves": [7], "nodes": 100}
        assert post(f"{server.url}/api/analysis/search", json=body, headers=headers).is_success == obeyed, headers
        form = visitor.client.post("/language", data={"language": "tr", "_csrf_token": visitor.token}, headers=headers)
        assert form.status_code == (303 if obeyed else 403), headers
    visitor.client.cookies.delete("language")
    assert visitor.client.get("/", headers={"origin": "http://evil.example", "sec-fetch-site": "cross-site"}).is_success


def test_live_connections_of_other_sites_are_refused_at_the_handshake(server: Server, address: str) -> None:
    url = f"{server.url.replace('http', 'ws', 1)}/api/games/{address}/live"
    for headers, obeyed in sources(server.url):
        if obeyed:
            with connect(url, additional_headers=headers, open_timeout=PATIENCE) as live:
                assert b"version" in live.recv(timeout=PATIENCE, decode=False)
        else:
            with pytest.raises(InvalidStatus) as found:
                connect(url, additional_headers=headers, open_timeout=PATIENCE)
            assert found.value.response.status_code == 403, headers
    # A name that an attacker has pointed here, and a page below that name: Host and Origin agree.
    with socket.create_connection((httpx.URL(server.url).host, httpx.URL(server.url).port or 80)) as wire:
        with pytest.raises(InvalidStatus) as found:
            connect(f"ws://evil.example/api/games/{address}/live", sock=wire, origin=Origin("http://evil.example"))
        assert found.value.response.status_code == 403


EVIL = Origin("http://evil.example")


def test_refused_handshakes_have_the_headers_of_all_answers(server: Server, public: Server) -> None:
    own = {"strict-transport-security", "set-cookie", "content-length", "date", "x-request-id"}
    for site, path, status in (
        (server, "/api/games/nothing00000/live", 403),
        (server, "/nothing", 403),
        (public, "/api/games/nothing00000/live", 403),
    ):
        usual = httpx.get(f"{site.url}/api/nothing").headers
        with pytest.raises(InvalidStatus) as found:
            connect(f"{site.url.replace('http', 'ws', 1)}{path}", origin=EVIL, open_timeout=PATIENCE)
        told = found.value.response.headers
        assert found.value.response.status_code == status, path
        assert {name: told.get(name) for name in usual if name not in own} == {
            name: value for name, value in usual.items() if name not in own
        }
        assert ("strict-transport-security" in told) == (site is public)


def test_refused_requests_and_handshakes_in_front_of_the_application_have_them_too(tmp_path: Path) -> None:
    limits = tmp_path / "limits.toml"
    limits.write_text('address_requests = "1/h"')
    with running(tmp_path / "data", None, "--limits", str(limits)) as crowded:
        answers = [httpx.get(f"{crowded.url}/healthz") for _ in range(2)]
        with pytest.raises(InvalidStatus) as found:
            connect(f"{crowded.url.replace('http', 'ws', 1)}/x", open_timeout=PATIENCE)
        for told in (answers[1].headers, found.value.response.headers):
            assert told["x-content-type-options"] == "nosniff"
            assert "frame-ancestors 'none'" in told["content-security-policy"]
            assert told["cache-control"] == "no-store"
        assert (answers[1].status_code, found.value.response.status_code) == (429, 429)


def test_the_origin_behind_a_proxy(public: Server) -> None:
    """The proxy may pass the name on or not; both with a browser that says where it stands and an older one."""
    for host in ("play.example", "127.0.0.1:8000"):
        client = httpx.Client(base_url=public.url, headers={"host": host}, timeout=PATIENCE)
        for headers, obeyed in sources("https://play.example"):
            body = {"game": "toguz", "moves": [7]}
            assert client.post("/api/analysis/line", json=body, headers=headers).is_success == obeyed, headers


# Names


@pytest.mark.parametrize(
    ("host", "right"),
    [
        ("127.0.0.1", True),
        ("127.0.0.1:1", True),
        ("LocalHost", True),
        ("localhost.", True),
        ("desk.localhost:80", True),
        ("[::1]:8000", True),
        ("192.168.7.1:8000", True),
        ("[fe80::1]", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("127.0.0.1@evil.example", False),
        ("localhost:80:80", False),
        ("::1", False),
        ("[::1", False),
        ("127.0.0.1:123456", False),
        ("127.1", False),
        ("*", False),
    ],
)
def test_who_is_asked(server: Server, host: str, right: bool) -> None:
    for path in ("/", "/healthz", "/static/css/page.css", "/api/games/AAAAAAAAAAAA"):
        answer = get(server.url + path, headers={"host": host, "accept-language": "en"})
        assert (answer.status_code in {200, 404}) == right, (path, answer.status_code)
        assert right or answer.status_code == 421
        assert right or "--allowed-host" in answer.json()["detail"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_strange_name_is_told_in_the_visitors_language(server: Server, language: str) -> None:
    headers = {"host": "evil.example", "accept": "text/html", "accept-language": language}
    answer = get(server.url, headers=headers)
    assert (answer.status_code, answer.headers["content-language"]) == (421, language)
    assert translations(language).gettext(errors.STRANGE_HOST).partition("{")[0] in answer.text
    assert "evil.example" in answer.text
    markup = get(server.url, headers=headers | {"host": "evil<script>.example"})
    assert markup.status_code in {400, 421}
    assert "<script>.example" not in markup.text


def test_names_that_are_allowed(tmp_path: Path) -> None:
    with running(tmp_path, None, "--allowed-host", "Play.Example", "--allowed-host", "10.0.0.7") as server:
        for host in ("play.example", "PLAY.example:80", "10.0.0.7", "localhost", "127.0.0.1"):
            assert get(server.url, headers={"host": host}).status_code == 200, host
        for host in ("other.example", "10.0.0.8", "192.168.1.1"):
            assert get(server.url, headers={"host": host}).status_code == 421, host


def test_a_server_for_the_whole_network(tmp_path: Path) -> None:
    """By its address and by the machine's name, without a word about names."""
    with running(tmp_path, None, "--host", "0.0.0.0") as server:
        port = server.url.rsplit(":", 1)[1]
        for host in ("192.168.1.20", "[fd00::1]", socket.gethostname(), f"{socket.gethostname().split('.')[0]}.local"):
            assert get(f"http://127.0.0.1:{port}/", headers={"host": f"{host}:{port}"}).status_code == 200, host
        assert get(f"http://127.0.0.1:{port}/", headers={"host": "evil.example"}).status_code == 421


@pytest.mark.parametrize(
    ("option", "value"),
    [
        *(
            ("base_url", url)
            for url in ("", "example.org", "ftp://example.org", "https://", "https://a/b", "https://a:x")
        ),
        *(("base_url", url) for url in ("https://u@a", "https://a?b", "https://a b", "http://[::1")),
        *(("allowed_hosts", (host,)) for host in ("", "https://a", "a:80", "a/b", "a b", "-a", "*", "a..b")),
    ],
)
def test_names_that_are_none(option: str, value: object) -> None:
    with pytest.raises(SettingsError, match=option.replace("_", "-").rstrip("s")):
        Site(ServerSettings(**{option: value}))  # type: ignore[arg-type]


@given(st.text(max_size=60))
def test_any_host_can_be_read(text: str) -> None:
    name, port = _split(text)
    assert name is None or (len(name) <= 253 and (port is None or 0 <= port <= 99999))


def test_records_hold_an_allowed_name(server: Server, visitor: Visitor, address: str, public: Server) -> None:
    def site(client: httpx.Client, game: str, host: str) -> str:
        answer = client.get(f"/games/{game}/record/pgn", headers={"host": host})
        return answer.text.partition('[Site "')[2].partition('"')[0] if answer.is_success else ""

    assert site(visitor.client, address, "localhost:99") == f"http://localhost:99/games/{address}"
    assert site(visitor.client, address, "evil.example") == ""
    other = Guest(public)
    game = other.new_game()
    assert site(other.client, game, "play.example") == f"https://play.example/games/{game}"
    assert site(other.client, game, "127.0.0.1") == f"https://play.example/games/{game}"


# Cookies


class Guest:
    """A browser that comes through the proxy: it keeps the cookies and sends them all back."""

    def __init__(self, public: Server, cookies: dict[str, str] | None = None) -> None:
        self.client = behind_tls(public)
        self.cookies = dict(cookies or {})
        self.first = self.go("GET", "/")

    def go(self, method: str, path: str, **options: object) -> httpx.Response:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items() if value)
        answer = self.client.request(method, path, headers={"cookie": cookie}, **options)  # type: ignore[arg-type]
        self.cookies |= {name: value.strip('"') for name, value in values(answer).items()}
        self.client.cookies.clear()
        return answer

    def new_game(self) -> str:
        form = {"_csrf_token": self.cookies["__Host-csrftoken"], "game": "toguz", "side": "white", "level": "1"}
        answer = self.go("POST", "/games", data={**form, "clock": "none"})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"].removeprefix("/games/")


def test_cookies_behind_tls_are_for_tls_and_this_host(public: Server) -> None:
    guest = Guest(public)
    language = guest.go("POST", "/language", data={"language": "ky", "_csrf_token": guest.cookies["__Host-csrftoken"]})
    cookies = set_cookies(guest.first) | set_cookies(language)
    assert len(cookies) == 3
    for name, attributes in cookies.items():
        assert name.startswith("__Host-")
        assert {"Secure", "Path=/", "SameSite=lax"} <= set(attributes.split("; "))
        assert "domain" not in attributes.lower()
        assert ("HttpOnly" in attributes) == ("csrftoken" not in name)
    assert '<html lang="ky"' in guest.go("GET", "/").text


def test_behind_tls_browsers_are_told_to_stay_there(public: Server, server: Server) -> None:
    for path in ("/", "/nothing", "/healthz", "/static/css/page.css", "/api/games/AAAAAAAAAAAA"):
        told = behind_tls(public).get(path).headers
        assert told["strict-transport-security"] == "max-age=31536000", path
        assert "strict-transport-security" not in get(server.url + path).headers, path


def test_cookies_on_plain_http_have_plain_names(server: Server) -> None:
    cookies = set_cookies(get(server.url))
    assert sorted(name.partition("_")[0] for name in cookies) == ["csrftoken", "korgool"]
    assert not any("secure" in attributes.lower() for attributes in cookies.values())


def test_a_visitor_of_before_keeps_the_games(tmp_path: Path) -> None:
    """The server goes behind TLS: the old cookie is still good, and is renewed under its new name."""
    with running(tmp_path) as server:
        visitor = Visitor(server)
        address = visitor.new_game("toguz")
        plain = dict(visitor.client.cookies)
    (session,) = (name for name in plain if name.startswith("korgool_"))
    with running(tmp_path, None, "--base-url", "https://play.example") as public:
        guest = Guest(public, plain)
        assert f"/games/{address}" in guest.first.text
        assert guest.cookies[f"__Host-{session}"] == plain[session]
        assert not guest.cookies[session]
        again = Guest(public, {f"__Host-{session}": plain[session]})
        assert again.go("GET", f"/api/games/{address}").json()["you"] == "white"
        # What another name below the domain plants beside it does not count.
        both = Guest(public, guest.cookies | {session: Guest(public).cookies[f"__Host-{session}"]})
        assert both.go("GET", f"/api/games/{address}").json()["you"] == "white"


# HEAD, and names of files


def test_head_is_get_without_its_body(server: Server, visitor: Visitor, address: str) -> None:
    for path in (
        "/",
        "/analysis",
        "/sw.js",
        "/healthz",
        "/openapi",
        "/static/js/play/game_page.js",
        f"/games/{address}",
        f"/games/{address}/record/pgn",
        f"/api/games/{address}",
        "/nothing",
        "/games",
        f"/api/games/{address}/evaluations",
    ):
        for encoding in ("gzip", "identity"):
            got = visitor.client.get(path, headers={"accept-encoding": encoding})
            told = visitor.client.head(path, headers={"accept-encoding": encoding})
            assert (told.status_code, told.content) == (got.status_code, b""), path
            same = ["content-type", "content-length", "content-encoding", "etag", "cache-control"]
            if encoding == "gzip" and address in path:
                same.remove("content-length")  # a state tells the time, which may take a byte more or less
            for name in same:
                assert told.headers.get(name) == got.headers.get(name), (path, name)


def test_a_long_name_of_a_file_is_none(visitor: Visitor) -> None:
    for name in ("x" * 300 + ".js", "js/" + "y" * 5000 + ".css", "a/" * 1000 + "b.js"):
        assert visitor.client.get(f"/static/{name}").status_code == 404


def test_no_name_forges_a_line_of_the_log(tmp_path: Path) -> None:
    """A request that fails writes its path into the log: quoted, on one line."""
    with running(tmp_path) as server:
        visitor = Visitor(server)
        address = visitor.new_game("toguz")
        (tmp_path / "korgool.sqlite").unlink()
        for name in ("korgool.sqlite-wal", "korgool.sqlite-shm"):
            (tmp_path / name).unlink(missing_ok=True)
        forged = "%0a2026-01-01 ERROR forged %1b[31m"
        for path in (f"/static/x{forged}{'x' * 300}.js", f"/games/{forged}", f"/api/games/{address}/{forged}"):
            visitor.client.get(path)
        said = server.stop()
    assert "\n2026-01-01 ERROR" not in said
    assert "\x1b" not in said
