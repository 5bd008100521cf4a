"""A session or a token that has ended is dead at the sockets too, wherever it was ended."""

from __future__ import annotations

from pathlib import Path

import httpx
from sqlalchemy import create_engine
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from korgool.app.server.core.live_connection import SIGNED_OUT
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.sign_in.session_repository import SessionRepository
from korgool.app.server.people.transactions import PeopleTransactions
from tests.patience import PATIENCE

from .members import PASSWORD
from .support import Json, Live, running


def member(url: str, name: str) -> httpx.Client:
    """Somebody who has just opened an account."""
    client = httpx.Client(base_url=url, timeout=PATIENCE)
    answer = client.post("/api/account", json={"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.text
    client.headers["x-csrftoken"] = answer.json()["csrf"]
    return client


def follow(client: httpx.Client, game: str, **headers: str) -> Live:
    """A live connection; everything is read up to the state, so that the seat is taken."""
    told = headers or {"cookie": "; ".join(f"{name}={value}" for name, value in client.cookies.items())}
    url = f"{client.base_url}".replace("http", "ws", 1).rstrip("/") + f"/api/games/{game}/live"
    live = Live(connect(url, additional_headers=told, open_timeout=PATIENCE, ping_interval=None, legacy=True))
    live.next()
    return live


def closed(live: Live) -> int:
    """The code with which the connection is closed."""
    try:
        while True:
            live.hear()
    except ConnectionClosed as end:
        assert end.rcvd is not None
        return end.rcvd.code


def test_what_has_ended_is_cut_off(tmp_path: Path) -> None:
    settings = ServerSettings(data=tmp_path)
    with running(tmp_path) as server:
        desk = member(server.url, "Madina")
        body: Json = {"game": "toguz", "to": "level:1", "side": "white"}
        game = desk.post("/api/challenges", json=body).raise_for_status().json()["game"]
        token = desk.post("/api/account/tokens", json={"label": "t", "scopes": ["read"]}).raise_for_status().json()
        reads = follow(desk, game, authorization=f"Bearer {token['token']}")
        assert reads.act("resign")["status"] == 403  # it may look, and has no seat
        plays = follow(desk, game)
        assert plays.act("move", hole=7, version=0)["ack"]
        desk.delete(f"/api/account/tokens/{token['id']}").raise_for_status()
        assert closed(reads) == SIGNED_OUT

        engine = create_engine(settings.url(), connect_args={"timeout": 10})
        beside = PeopleTransactions(engine)  # another process of the same database, as the command line is
        account = AccountRepository(beside).by_name("madina")
        assert account is not None
        assert SessionRepository(beside).end(account.id, now_ms()) == 1
        assert closed(plays) == SIGNED_OUT
        assert desk.get("/api/account").status_code == 401
        again = desk.post("/api/account/session", json={"name": "Madina", "password": PASSWORD}).raise_for_status()
        desk.headers["x-csrftoken"] = again.json()["csrf"]
        plays = follow(desk, game)
        AccountRepository(beside).lock(account.id, now_ms())
        assert closed(plays) == SIGNED_OUT
        engine.dispose()
        assert "Traceback" not in server.stop()
