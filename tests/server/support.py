"""A real server process, and visitors who play on it over HTTP and WebSocket."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url
from websockets.sync.client import ClientConnection, connect

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.journal import StoredGame
from korgool.live import OnlineGame
from korgool.rules import GAMES, Game, Position, Side
from tests.patience import PATIENCE

from .processes import Program

T = TypeVar("T")

SIDES = {"white": Side.WHITE, "black": Side.BLACK}
Json = dict[str, Any]


class Server:
    """`korgool serve` on a free port, in a process of its own."""

    def __init__(
        self,
        data: Path,
        database: str | None = None,
        *options: str,
        patient: bool = False,
        hasty: bool = False,
        descriptors: int | None = None,
    ) -> None:
        words = ["serve", "--port", "0", "--data", str(data), *options]
        if database is not None:
            words += ["--database", database]
        self.process = Program(words, patient=patient, hasty=hasty, descriptors=descriptors)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server did not start: {self.process.communicate()[1]}")
        self.url = line.strip().rstrip("/")

    def kill(self) -> None:
        """As a crash would."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        """As its user would; returns what it said on stderr."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.communicate(timeout=PATIENCE)[1]


@contextmanager
def running(
    data: Path, database: str | None = None, *options: str, patient: bool = False, hasty: bool = False
) -> Iterator[Server]:
    """A server for the time of a test."""
    server = Server(data, database, *options, patient=patient, hasty=hasty)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()


def run_async(test: Coroutine[Any, Any, T], loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None) -> T:
    """Run the coroutine of a test in a thread of its own: an open browser has an event loop in the main one."""

    def here() -> T:
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            return runner.run(test)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(here).result()


class Visitor:
    """A browser: it keeps cookies and sends the token that forms need."""

    def __init__(self, server: Server) -> None:
        self.client = httpx.Client(base_url=server.url, timeout=PATIENCE)
        self.client.get("/").raise_for_status()

    @property
    def token(self) -> str:
        return self.client.cookies["csrftoken"]

    @property
    def identity(self) -> str:
        """Whom this visitor's seats belong to."""
        (cookie,) = (value for name, value in self.client.cookies.items() if name.startswith("korgool_"))
        return str(cookie).partition(".")[0]

    def move_to(self, server: Server) -> None:
        """Go on at a server that took the place of the first."""
        self.client.base_url = httpx.URL(server.url)

    def form(self, path: str, **fields: object) -> httpx.Response:
        return self.client.post(path, data={"_csrf_token": self.token, **fields})

    def new_game(self, game: str = "toguz", side: str = "white", level: int = 1, clock: str = "none") -> str:
        response = self.form("/games", game=game, side=side, level=level, clock=clock)
        assert response.status_code == 303, response.text
        return response.headers["location"].removeprefix("/games/")

    def state(self, game: str) -> Json:
        response = self.client.get(f"/api/games/{game}")
        response.raise_for_status()
        state: Json = response.json()
        return state

    def send(self, game: str, command: str, **body: object) -> httpx.Response:
        return self.client.post(f"/api/games/{game}/{command}", json=body, headers={"x-csrftoken": self.token})

    def live(self, game: str, since: object = None) -> Live:
        url = f"{self.client.base_url}".replace("http", "ws", 1).rstrip("/") + f"/api/games/{game}/live"
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        asked = "" if since is None else f"?since={since}"
        headers = {"cookie": cookies}
        # No pings of its own: a server that stands still for a while is not given up.
        return Live(
            connect(url + asked, additional_headers=headers, open_timeout=PATIENCE, ping_interval=None, legacy=True)
        )


class Live:
    """A live connection."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection = connection

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def hear(self, seconds: float = PATIENCE) -> Json:
        """The next message of any kind."""
        message: Json = json.loads(self.connection.recv(timeout=seconds))
        return message

    def next(self, seconds: float = PATIENCE) -> Json:
        """The next event, state or question; who is there, and what became of commands, is passed over."""
        while "kind" not in (message := self.hear(seconds)) or message["kind"] == "presence":
            continue
        return message

    def say(self, do: str, **values: object) -> None:
        """Send a command."""
        self.connection.send(json.dumps({"do": do, **values}))

    def act(self, do: str, name: str = "", **values: object) -> Json:
        """Send a command and return what became of it; events that come before are passed over."""
        name = name or uuid4().hex
        self.say(do, id=name, **values)
        while name not in ((message := self.hear()).get("ack"), message.get("refused")):
            continue
        return message

    def heard(self) -> None:
        """Return when the server has read what was sent: it answers a ping that follows."""
        assert self.connection.ping().wait(PATIENCE), "no answer to a ping"

    def until(self, version: int) -> list[Json]:
        """The events up to a version."""
        found = [self.next()]
        while found[-1]["version"] < version:
            found.append(self.next())
        return found


def follow_trace(state: Json, trace: Json) -> Json:
    """What a page makes of a trace: the stones moved as it says, without a rule of the game."""
    rows = {"white": list(state["white"]), "black": list(state["black"])}
    stores = dict(zip(rows, state["stores"], strict=True))
    mover = trace["side"]
    rows[mover][trace["hole"] - 1] -= trace["lifted"]
    kept = trace.get("kept", [])
    for index, hole in enumerate(trace["drops"]):
        side, other = ("white", "black") if hole > 0 else ("black", "white")
        if hole == 0:
            stores[mover] += 1
        elif index in kept:
            stores[other] += 1  # a tuz belongs to the player of the other side
        else:
            rows[side][abs(hole) - 1] += 1
    for hole, stones in trace.get("captured", []):
        side = "white" if hole > 0 else "black"
        assert rows[side][abs(hole) - 1] == stones
        rows[side][abs(hole) - 1] = 0
        stores[mover] += stones
    if "sweep" in trace:
        rows = {side: [0] * len(row) for side, row in rows.items()}
        stores = {side: stores[side] + more for side, more in zip(stores, trace["sweep"], strict=True)}
    return {"white": rows["white"], "black": rows["black"], "stores": list(stores.values())}


def followed(state: Json, event: Json) -> Json:
    """The state after an event, as a page computes it: it knows no rule."""
    kind = event["kind"]
    if kind == "state":
        return dict(event["state"])
    assert event["version"] == state["version"] + 1, (state["version"], event)
    offers = event.get("offers", {})
    claims = event.get("claims", []) if state["you"] else []
    after = {**state, "version": event["version"], "claims": claims, "offers": offers}
    for name in ("turn", "position", "clock", "due", "outcome"):
        if name in event:
            after[name] = event[name]
    if kind == "move":
        trace = event["trace"]
        after |= follow_trace(state, trace)
        assert after["stores"] == event["stores"]
        if "tuz" in trace:
            tuz = list(state["tuz"])
            tuz[("white", "black").index(trace["side"])] = trace["tuz"]
            after["tuz"] = tuz
        move = {"ply": event["ply"], "side": trace["side"], "hole": trace["hole"], "text": event["text"]}
        after["moves"] = [*state["moves"], move]
    elif kind == "takeback":
        after |= {name: event[name] for name in ("white", "black", "stores", "tuz")}
        after["moves"] = state["moves"][: len(state["moves"]) - event["plies"]]
    elif kind == "begin":
        after["begun"] = True
    elif kind == "abort":
        after["aborted"] = True
    elif kind == "rematch":
        after["rematch"] = event["game"]
    return after


_COMPUTED = ("version", "white", "black", "stores", "tuz", "turn", "moves", "position", "outcome", "claims", "rematch")


def check_stream(state: Json, events: list[Json]) -> Json:
    """Follow events without a gap from a state; every move must be legal by the rules. Returns the state after them."""
    for event in events:
        state = followed(state, event)
        if event["kind"] == "move":
            replayed(state)
    return state


def agrees(followed: Json, state: Json) -> None:
    """What a client has followed must be what the server says."""
    assert {name: followed[name] for name in _COMPUTED} == {name: state[name] for name in _COMPUTED}


def first_state(state: Json) -> Json:
    """The state of a game before its first event, as far as events tell of it, from any later one."""
    rules = GAMES[state["game"]]
    start = rules.start() if state["start"] is None else Position.parse(state["start"], rules)
    nothing = {"version": 0, "moves": [], "claims": [], "offers": {}, "outcome": None, "rematch": None, "begun": False}
    board = {"white": list(start.holes[0]), "black": list(start.holes[1]), "stores": list(start.stores)}
    turn = ("white", "black")[start.to_move]
    return {**state, **nothing, **board, "tuz": list(start.tuz), "turn": turn, "position": str(start)}


def replayed(state: Json) -> Game:
    """The game that a state tells, by the rules; it must agree with the state."""
    start = GAMES[state["game"]] if state["start"] is None else Position.parse(state["start"], GAMES[state["game"]])
    game = Game(start, [move["hole"] for move in state["moves"]])
    assert str(game.position) == state["position"]
    return game


def check_stored(stored: StoredGame | None) -> OnlineGame:
    """A game on disk must be without gaps and legal; `replay` raises where it is not."""
    assert stored is not None
    return stored.replay()


@contextmanager
def postgresql_database() -> Iterator[str]:
    """The URL of a new, empty database on the PostgreSQL server of KORGOOL_TEST_POSTGRESQL, dropped afterwards."""
    given = os.environ.get("KORGOOL_TEST_POSTGRESQL")
    if given is None:
        pytest.skip("KORGOOL_TEST_POSTGRESQL names no server")
    server = create_engine(ServerSettings(database=given).url(), isolation_level="AUTOCOMMIT")
    name = f"korgool_test_{uuid4().hex}"
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    try:
        yield make_url(given).set(database=name).render_as_string(hide_password=False)
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
        server.dispose()
