"""Whatever a visitor may send wrongly: a clear status and reason, never a traceback."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from korgool.app.server.core import errors
from korgool.app.server.limits import ServiceLimits
from korgool.app.server.play.commands import COMMANDS
from korgool.languages import translations
from tests.patience import PATIENCE

from .support import Server, Visitor


@pytest.fixture(scope="module")
def address(visitor: Visitor) -> str:
    return visitor.new_game("toguz")


def detail(response: httpx.Response) -> str:
    assert response.headers["content-type"] == "application/json"
    assert list(response.json()) in (["detail"], ["detail", "clause"])
    reason: str = response.json()["detail"]
    assert len(reason) > 10
    return reason


@pytest.mark.parametrize(
    ("body", "status", "reason"),
    [
        ({"hole": 0, "version": 1}, 422, "no hole 0; holes are numbered 1 to 9"),
        ({"hole": 10, "version": 1}, 422, "no hole 10"),
        ({"hole": -1, "version": 1}, 422, "no hole -1"),
        ({"hole": 10**40, "version": 1}, 422, "no hole 1000"),
        ({"hole": "7", "version": 1}, 400, "hole"),
        ({"hole": 7.5, "version": 1}, 400, "hole"),
        ({"hole": None, "version": 1}, 400, "hole"),
        ({"hole": 7}, 400, "version"),
        ({"hole": 7, "version": 1, "more": 1}, 400, "more"),
        ({"hole": 7, "version": -1}, 409, "moved on"),
        ({"hole": 7, "version": 2}, 409, "moved on"),
        ({"hole": 7, "version": 1, "id": ""}, 400, "id must be 1 to 40 printable ASCII characters"),
        ({"hole": 7, "version": 1, "id": "x" * 41}, 400, "id must be"),
        ({"hole": 7, "version": 1, "id": "ä"}, 400, "id must be"),
        ({"hole": 7, "version": 1, "id": "a\n"}, 400, "id must be"),
        ({"hole": 7, "version": 1, "do": "resign"}, 400, "do must be one of"),
        ({"hole": 7, "version": 1, "offer": "yes"}, 400, "offer"),
        ({"hole": 7, "version": 1, "what": "everything"}, 400, "what"),
        ([], 400, "object"),
        ("\x00", 400, "object"),
    ],
)
def test_moves_that_cannot_be(visitor: Visitor, address: str, body: object, status: int, reason: str) -> None:
    answer = visitor.client.post(f"/api/games/{address}/move", json=body, headers={"x-csrftoken": visitor.token})
    assert answer.status_code == status
    assert reason in detail(answer)
    assert visitor.state(address)["version"] == 1


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 60_000,
        b'{"hole":7,"version":1}x',
        b"\x00",
        b"\xff\xfe",
        b'{"hole":',
        b"[" * 5000,
        b"hole=7&version=1",
    ],
)
def test_bodies_that_are_no_json(visitor: Visitor, address: str, body: bytes) -> None:
    answer = visitor.client.post(f"/api/games/{address}/move", content=body, headers={"x-csrftoken": visitor.token})
    assert answer.status_code == 400
    detail(answer)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(body=st.binary(max_size=200))
def test_any_body_is_answered(visitor: Visitor, address: str, body: bytes) -> None:
    answer = visitor.client.post(
        f"/api/games/{address}/ask-takeback", content=body, headers={"x-csrftoken": visitor.token}
    )
    assert answer.status_code in {400, 409, 422}
    detail(answer)


def test_a_huge_body_is_refused(visitor: Visitor, address: str) -> None:
    headers = {"x-csrftoken": visitor.token}
    answer = visitor.client.post(f"/api/games/{address}/move", content=b" " * 200_000, headers=headers)
    assert answer.status_code == 413
    assert "too large" in detail(answer)
    form = visitor.client.post("/games", data={"_csrf_token": visitor.token, "game": "x" * 200_000})
    assert form.status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b" " * 4096

    chunked = visitor.client.post(f"/api/games/{address}/move", content=endless(), headers=headers)
    assert chunked.status_code == 413


@pytest.mark.parametrize(
    "name",
    ["AAAAAAAAAAAA", "a", "%00", "%00AAAAAAAAAAA", "..%2f..", "x" * 300, "%F0%9F%98%80", "'; DROP TABLE games;--"],
)
def test_games_that_are_not_there(visitor: Visitor, name: str) -> None:
    for path in (f"/api/games/{name}", f"/api/games/{name}/evaluations", f"/games/{name}", f"/games/{name}/record/pgn"):
        answer = visitor.client.get(path)
        assert answer.status_code in {400, 404, 405}, path
        detail(answer)
    for command in COMMANDS:
        body = {"hole": 1, "version": 1, "what": "repetition"}
        assert visitor.send(name, command, **body).status_code in {400, 404}


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/api/nope",
        "/static/nope.js",
        "/static/../server/run.py",
        "/static/%2e%2e/server/run.py",
        "/static//etc/hosts",
        "/static/%00.js",
        "/static/js",
        "/%00",
    ],
)
def test_pages_that_are_not_there(visitor: Visitor, path: str) -> None:
    answer = visitor.client.get(path)
    assert answer.status_code in {404, 405}
    detail(answer)


def test_an_unknown_api_method_says_so(visitor: Visitor, address: str) -> None:
    answer = visitor.client.delete(f"/api/games/{address}", headers={"x-csrftoken": visitor.token})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"
    detail(answer)
    posted = visitor.client.get("/api/analysis/line")
    assert (posted.status_code, set(posted.headers["allow"].split(", "))) == (405, {"OPTIONS", "POST"})


@pytest.mark.parametrize(
    "fields",
    [
        {"game": "chess"},
        {"side": "both"},
        {"level": 0},
        {"level": 10},
        {"level": "\x00"},
        {"level": "1e1"},
        {"clock": "1"},
        {"clock": "0+5"},
        {"minutes": "5", "seconds": "-1"},
        {"handicap": "all"},
        {"position": "9/9 1 1 S 1"},
        {"clock": ""},
        {"game": ["toguz", "mangala"]},
    ],
)
def test_new_games_that_cannot_be(visitor: Visitor, fields: dict[str, object]) -> None:
    good: dict[str, object] = {"game": "toguz", "side": "white", "level": 1, "clock": "none"}
    answer = visitor.form("/games", **(good | fields))
    assert answer.status_code in {400, 422}
    assert re.search("|".join([*fields, "clock"]), detail(answer)) or answer.status_code == 400


def test_a_form_without_fields(visitor: Visitor, address: str) -> None:
    for path in (
        "/games",
        f"/games/{address}/move",
        f"/games/{address}/ask-takeback",
        "/language",
        f"/games/{address}/x",
    ):
        assert visitor.form(path).status_code in {400, 404, 422}, path


def test_without_the_token_nothing_happens(server: Server, visitor: Visitor, address: str) -> None:
    for token in ("", "x", visitor.token[:-1] + "!", "0" * 128):
        answer = visitor.client.post(
            f"/api/games/{address}/resign", json={"version": 1}, headers={"x-csrftoken": token} if token else {}
        )
        assert answer.status_code == 403
        assert "reload" in detail(answer)
    assert visitor.state(address)["outcome"] is None
    stranger = httpx.post(f"{server.url}/games", timeout=PATIENCE, data={"game": "toguz"})
    assert stranger.status_code == 403


def test_a_token_of_another_server_is_replaced(server: Server) -> None:
    client = httpx.Client(base_url=server.url, timeout=PATIENCE, cookies={"csrftoken": "1" * 128})
    client.get("/")
    tokens = [cookie.value for cookie in client.cookies.jar if cookie.name == "csrftoken" and cookie.value != "1" * 128]
    assert len(tokens) == 1


@pytest.mark.parametrize("forge", ["x", ".", "a" * 22 + "." + "0" * 64, "ä.ö", "a" * 5000])
def test_a_forged_visitor_is_a_stranger(server: Server, visitor: Visitor, address: str, forge: str) -> None:
    name = next(name for name in visitor.client.cookies if name.startswith("korgool_"))
    client = httpx.Client(base_url=server.url, timeout=PATIENCE)
    answer = client.get(f"/api/games/{address}", headers={b"cookie": f"{name}={forge}".encode()})
    assert answer.status_code == 200
    assert answer.json()["you"] is None


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil.example", "evil", "/a\r\nset-cookie: x=y", ""]
)
def test_the_way_back_stays_on_this_site(visitor: Visitor, target: str) -> None:
    answer = visitor.form("/language", language="tr", next=target)
    assert answer.status_code == 303
    assert answer.headers["location"] == "/"
    assert "x=y" not in str(answer.headers)
    visitor.client.cookies.delete("language")


def test_errors_are_pages_in_the_visitors_language(server: Server) -> None:
    client = httpx.Client(
        base_url=server.url, timeout=PATIENCE, headers={"accept": "text/html", "accept-language": "tr"}
    )
    answer = client.get("/games/AAAAAAAAAAAA")
    assert answer.status_code == 404
    assert '<html lang="tr"' in answer.text
    assert "Korgool" in answer.text


def test_every_answer_has_strict_headers(visitor: Visitor, address: str) -> None:
    for path in (
        "/",
        f"/games/{address}",
        f"/api/games/{address}",
        "/nope",
        "/static/css/page.css",
        "/openapi",
        "/healthz",
    ):
        headers = visitor.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_pages_hold_no_inline_script(visitor: Visitor, address: str) -> None:
    for path in ("/", f"/games/{address}"):
        page = visitor.client.get(path).text
        for attributes in re.findall(r"<script([^>]*)>", page):
            assert "src=" in attributes or 'type="application/json"' in attributes
        assert not re.search(r"\son\w+=", page)
        assert not re.search(r"<style|\sstyle=", page)


def test_too_many_watchers_are_turned_away(server: Server, visitor: Visitor) -> None:
    address = visitor.new_game("bestemshe")
    stranger = Visitor(server)
    open_ones = [stranger.live(address, 1) for _ in range(ServiceLimits().address_watchers or 0)]
    with stranger.live(address, 1) as one_more, pytest.raises(Exception, match="Too many"):
        one_more.next()
    with visitor.live(address) as own:
        assert own.next()["kind"] == "state", "the player comes in all the same"
    for live in open_ones:
        live.connection.close()


def test_too_many_unfinished_games_are_refused(server: Server) -> None:
    hoarder = Visitor(server)
    for _ in range(100):
        hoarder.new_game("bestemshe")
    answer = hoarder.form("/games", game="toguz", side="white", level=1, clock="none")
    assert answer.status_code == 429
    assert "100 unfinished games" in detail(answer)


def test_a_talking_socket_is_harmless(visitor: Visitor, address: str) -> None:
    with visitor.live(address, 0) as live:
        live.next()
        for message in ("hello", b"\x00\xff", "x" * 900):
            live.connection.send(message)
        with visitor.live(address, 0) as other:
            other.next()


def test_commands_that_do_not_exist(visitor: Visitor, address: str) -> None:
    for command in ("undo", "join", "ping", "thinks", "Move", "move%00", "x" * 60):
        assert visitor.send(address, command, hole=7, version=1).status_code in {400, 404}, command
        assert visitor.form(f"/games/{address}/{command}", hole=7, version=1).status_code in {400, 404}, command
    assert visitor.form(f"/games/{address}/reply", hole=7, version=1).status_code == 404
    assert visitor.form(f"/games/{address}/claim", what="everything").status_code == 422
    assert "what" in visitor.send(address, "claim").json()["detail"]


@pytest.mark.parametrize(
    ("said", "detail"),
    [
        ('{"do": "undo"}', "undo"),
        ('{"do": "move"}', "hole"),
        ('{"do": "move", "hole": 7}', "version"),
        ('{"do": "claim"}', "what"),
        ('{"do": "resign", "id": ""}', "id must be"),
        ('{"hole": 7, "version": 1}', "do must be one of"),
        ('{"do": "ping", "sent": "now"}', ""),
        ('{"thinks": 1}', ""),
        ("{", ""),
    ],
)
def test_what_a_socket_does_not_understand_is_refused_and_it_goes_on(
    visitor: Visitor, address: str, said: str, detail: str
) -> None:
    with visitor.live(address, 1) as live:
        live.connection.send(said)
        while "refused" not in (answer := live.hear()):
            pass
        assert (answer["refused"], answer["status"], answer["version"]) == ("", 400, 1)
        assert detail in answer["detail"]
        live.connection.send('{"do": "ping", "sent": 12.5, "id": "a1"}')
        while "pong" not in (answer := live.hear()):
            pass
        assert answer["pong"] == 12.5
        assert abs(answer["now"] / 1000 - time.time()) < 60


@pytest.mark.parametrize(
    "said",
    [
        '{"do": "undo", "id": "a1"}',
        '{"id": "a1", "do": "move", "hole": 7.5, "version": 1}',
        '{"do": "move", "hole": 7, "version": 1, "id": "a1", "more": [{"id": 2}]}',
        '{"do": "claim", "what": "everything", "id": "a1"}',
        '{"do": "say", "id": "a1"}',
        '{"do": "ping", "sent": "now", "id": "a1"}',
    ],
)
def test_a_message_that_is_not_understood_is_refused_by_its_id(visitor: Visitor, address: str, said: str) -> None:
    with visitor.live(address, 1) as live:
        live.connection.send(said)
        while "refused" not in (answer := live.hear()):
            pass
        assert (answer["refused"], answer["status"], answer["version"]) == ("a1", 400, 1)


def test_openapi_describes_the_commands(visitor: Visitor) -> None:
    schema = visitor.client.get("/openapi").json()
    assert set(schema["paths"]["/api/games/{game_id}/{command}"]["post"]["responses"]) >= {"200", "400", "409", "422"}
    assert "/healthz" in schema["paths"]
    assert visitor.client.get("/healthz").json() == {"status": "ok"}


def test_reasons_are_in_the_visitors_language(server: Server, visitor: Visitor, address: str) -> None:
    headers = {"x-csrftoken": visitor.token, "accept-language": "ru-RU,ru;q=0.9"}
    answer = visitor.client.post(f"/api/games/{address}/move", json={"hole": 12, "version": 1}, headers=headers)
    assert detail(answer) == translations("ru").gettext(errors.NO_HOLE).format(hole=12, holes=9)


def test_a_form_that_is_too_old_is_told_apart_from_a_game_of_others(visitor: Visitor, address: str) -> None:
    pages = {"accept": "text/html", "accept-language": "en"}
    old = visitor.client.post(f"/games/{address}/resign", data={"version": 1}, headers=pages)
    assert (old.status_code, errors.FORM_TOO_OLD in old.text) == (403, True)
    assert "Only the players" not in old.text


def test_a_program_that_sends_no_token_is_told_how_to_get_one(server: Server) -> None:
    asked = {"game": "toguz", "to": "link"}
    with httpx.Client(base_url=server.url) as program:
        refused = program.post("/api/challenges", json=asked)
        assert (refused.status_code, detail(refused)) == (403, errors.NOBODY_ASKS)
        token = program.post("/api/guests", json={}).json()["token"]
        made = program.post("/api/challenges", json=asked, headers={"authorization": f"Bearer {token}"})
    assert made.status_code == 201, made.text
