"""Programs without a browser: guests, their tokens and their names."""

from __future__ import annotations

import base64

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from korgool.app.server.core import errors
from korgool.app.words.people import guest_name
from korgool.languages import LANGUAGES, translations
from tests.patience import PATIENCE

from .support import Json, Server, Visitor, running


def new_guest(server: Server, **headers: str) -> Json:
    answer = httpx.post(f"{server.url}/api/guests", json={}, headers=headers, timeout=PATIENCE)
    assert answer.status_code == 201, answer.text
    guest: Json = answer.json()
    return guest


@pytest.fixture(scope="module")
def guest(server: Server) -> Json:
    return new_guest(server)


@pytest.fixture(scope="module")
def address(visitor: Visitor) -> str:
    return visitor.new_game()


def get(server: Server, path: str, token: str, **headers: str) -> httpx.Response:
    return httpx.get(
        server.url + path, headers={"authorization": f"Bearer {token}".strip(), **headers}, timeout=PATIENCE
    )


def wrong_tokens(visitor: Visitor, guest: Json) -> list[str]:
    """Everything that looks like a token and is none, and what is signed for something else."""
    (cookie,) = (value for name, value in visitor.client.cookies.items() if name.startswith("korgool_"))
    kind, name, signature = guest["token"].split(".")
    other = "A" if signature[-1] != "A" else "B"
    return [
        "",
        "x",
        cookie,
        f"guest.{cookie}",
        visitor.token,
        f"guest.{name}.{visitor.token}",
        f"{name}.{signature}",
        f"{kind}.{name}",
        f"{kind}.{name}.",
        f"{kind}.{name}.{signature[:-1]}",
        f"{kind}.{name}.{signature[:-1]}{other}",
        f"{kind}.{name[:-1]}.{signature}",
        f"player.{name}.{signature}",
        guest["token"] + " " + guest["token"],
        guest["token"] + ".",
    ]


def test_a_guest_has_a_name_and_an_identity(server: Server, guest: Json) -> None:
    assert set(guest) == {"token", "id", "name"}
    assert guest["name"] == guest_name(guest["id"])
    again = new_guest(server)
    assert again["id"] != guest["id"]
    assert len(guest["id"]) == 22
    for language in LANGUAGES:
        told = new_guest(server, **{"accept-language": language})
        assert told["name"] == guest_name(told["id"], translations(language).gettext)
        assert told["name"][-4:].isdigit()


@given(st.text(max_size=30))
def test_a_name_follows_from_the_identity_and_hides_it(identity: str) -> None:
    try:
        name = guest_name(identity)
    except UnicodeEncodeError:  # lone surrogates, which no identity holds
        return
    assert name == guest_name(identity)
    assert 1000 <= int(name.removeprefix("Guest ")) <= 9999


def test_names_are_spread() -> None:
    assert len({guest_name(f"{number:022}") for number in range(2000)}) > 1700


def test_a_program_needs_neither_origin_nor_second_token(server: Server, guest: Json, address: str) -> None:
    """It is not the visitor whose game this is, so 403 comes from the game and not from the doors."""
    for headers in ({}, {"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        told = {"authorization": f"bearer {guest['token']}", **headers}
        answer = httpx.post(
            f"{server.url}/api/games/{address}/resign", json={"version": 1}, headers=told, timeout=PATIENCE
        )
        assert answer.status_code == 403
        assert answer.json()["detail"] == errors.NOT_YOURS
        url = f"{server.url.replace('http', 'ws', 1)}/api/games/{address}/live"
        with connect(url, additional_headers=told) as live:
            assert b"version" in live.recv(timeout=PATIENCE, decode=False)


def test_a_wrong_token_is_nobody(server: Server, visitor: Visitor, guest: Json, address: str) -> None:
    """Also with a good cookie beside it, and where everybody may look."""
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
    url = f"{server.url.replace('http', 'ws', 1)}/api/games/{address}/live"
    for token in wrong_tokens(visitor, guest):
        for path in (f"/api/games/{address}", "/", f"/games/{address}", "/healthz"):
            answer = get(server, path, token, cookie=cookies)
            assert answer.status_code == 401, (token, path)
            assert answer.headers["www-authenticate"] == "Bearer"
            assert answer.json()["detail"] == errors.BAD_TOKEN
        sent = {"authorization": f"Bearer {token}".strip(), "cookie": cookies, "x-csrftoken": visitor.token}
        answer = httpx.post(
            f"{server.url}/api/games/{address}/resign", json={"version": 1}, headers=sent, timeout=PATIENCE
        )
        assert answer.status_code == 401, token
        with pytest.raises(InvalidStatus) as refused:
            connect(url, additional_headers={**sent, "accept-language": "tr"})
        assert refused.value.response.status_code == 401, token
        told = translations("tr").gettext(errors.BAD_TOKEN)
        assert told in refused.value.response.body.decode(), token
    assert visitor.state(address)["outcome"] is None


def test_two_tokens_are_none(server: Server, guest: Json) -> None:
    headers = [("authorization", f"Bearer {guest['token']}"), ("authorization", f"Bearer {guest['token']}")]
    assert httpx.get(f"{server.url}/", headers=headers, timeout=PATIENCE).status_code == 401


def test_a_token_is_no_cookie(server: Server, visitor: Visitor, guest: Json, address: str) -> None:
    (name,) = (name for name in visitor.client.cookies if name.startswith("korgool_"))
    for value in (guest["token"], guest["token"].removeprefix("guest.")):
        answer = httpx.get(f"{server.url}/", headers={"cookie": f"{name}={value}"}, timeout=PATIENCE)
        # A stranger became a visitor, because the cookie was not read.
        assert name in answer.headers["set-cookie"]
        assert guest["id"] not in answer.headers["set-cookie"]


def test_another_scheme_is_the_business_of_a_proxy(server: Server, visitor: Visitor, address: str) -> None:
    """A proxy in front may ask for a password of its own, which browsers then send with every request."""
    basic = "Basic " + base64.b64encode(b"club:secret").decode()
    assert visitor.client.get(f"/api/games/{address}", headers={"authorization": basic}).json()["you"] == "white"


def test_a_page_for_a_program_sets_no_cookie_for_its_guest(server: Server, guest: Json) -> None:
    answer = get(server, "/", guest["token"])
    assert answer.status_code == 200
    assert guest["id"] not in str(answer.headers)


def test_a_token_is_good_as_long_as_the_database(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("kept")
    with running(folder) as server:
        token = new_guest(server)["token"]
    with running(folder) as server:
        assert get(server, "/healthz", token).status_code == 200
    with running(tmp_path_factory.mktemp("other")) as server:
        assert get(server, "/healthz", token).status_code == 401


def test_new_guests_are_counted_as_new_visitors(tmp_path_factory: pytest.TempPathFactory) -> None:
    limits = tmp_path_factory.mktemp("limits") / "limits.toml"
    limits.write_text('address_visitors = "1/h, burst 3"\n')
    with running(limits.parent, None, "--limits", str(limits)) as server:
        for _ in range(3):
            new_guest(server)
        answer = httpx.post(f"{server.url}/api/guests", json={}, timeout=PATIENCE)
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 3000
        assert answer.json()["detail"] == errors.TOO_MANY_VISITORS


def test_a_page_of_another_site_makes_no_guests(server: Server) -> None:
    answer = httpx.post(
        f"{server.url}/api/guests", json={}, headers={"origin": "http://evil.example"}, timeout=PATIENCE
    )
    assert answer.status_code == 403


@pytest.mark.parametrize("body", [b"", b"[]", b'{"name": "x"}', b"{", b"null"])
def test_a_body_that_is_not_empty_is_refused(server: Server, body: bytes) -> None:
    answer = httpx.post(f"{server.url}/api/guests", content=body, timeout=PATIENCE)
    assert answer.status_code == 400
