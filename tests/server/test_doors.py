"""Authorization, generated: every command of every door by every kind of stranger, and nothing changes."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from korgool.app.server.play.commands import COMMANDS, DEMANDS
from tests.conftest import SEED
from tests.patience import PATIENCE

from .doors import FOR, LIVE, Door, For, doors, kept
from .guests import Guest
from .support import Json, Server, Visitor, running
from .test_challenge_pages import change

Request = tuple[Door, str, Json]
"""A door, its address, and the fields of the command."""
REFUSED = {401, 403, 421}
FORGED = (
    "cookie without token",
    "another's token",
    "foreign origin",
    "origin that is none",
    "page of the same site",
    "page of another site",
    "token with one letter changed",
    "cookie as token",
    "two tokens",
    "token as cookie",
    "cookie with one letter changed",
    "foreign host name",
)
"""Those who speak as if they were a player."""
OTHERS = ("nobody", "visitor", "guest")
"""Those who are somebody else."""
NOT_OF_THE_SITE = (*FORGED[2:9], FORGED[-1])
"""Those who are refused wherever somebody acts, for whomever."""
NOT_AT_A_SOCKET = FORGED[:2]
"""A handshake needs no token: a page of another site is known by its origin, which no page can leave out."""


@dataclass
class World:
    """A visitor who plays with a guest, and has a challenge that is for somebody else; and two others."""

    folder: Path
    server: Server
    player: Visitor = field(init=False)
    eve: Visitor = field(init=False)
    partner: Guest = field(init=False)
    guest: Guest = field(init=False)
    game: str = ""
    challenge: str = ""

    def __post_init__(self) -> None:
        self.player, self.eve = Visitor(self.server), Visitor(self.server)
        self.partner, self.guest = Guest(self.server), Guest(self.server)
        path = self.player.form("/challenges", game="toguz", to="link", side="white", clock="3d").headers["location"]
        self.game = self.partner.accept(path[-12:]).json()["game"]
        self.player.client.get(f"/games/{self.game}")
        path = self.player.form("/challenges", game="toguz", to="link").headers["location"]
        change(self.folder, path, way="name", addressee="x" * 22)
        self.challenge = path[-12:]
        self.player.send(self.game, "offer-draw").raise_for_status()

    @cached_property
    def client(self) -> httpx.Client:
        """Whoever it is that asks."""
        return httpx.Client(base_url=self.server.url, timeout=PATIENCE)

    @cached_property
    def cookie(self) -> tuple[str, str]:
        """The name and the value of the player's cookie."""
        (found,) = (one for one in self.player.client.cookies.items() if one[0].startswith("korgool_"))
        return found

    def headers(self, kind: str) -> list[tuple[str, str]]:
        """What a stranger sends with everything; the token that forms carry stands in `x-csrftoken`."""
        name, value = self.cookie
        own = [("cookie", f"{name}={value}"), ("x-csrftoken", self.player.token)]
        token, guest = self.partner.told["token"], ("authorization", f"Bearer {self.guest.told['token']}")
        eves = "; ".join(f"{one}={two}" for one, two in self.eve.client.cookies.items())
        return {
            "player": own,
            "nobody": [],
            "visitor": [("cookie", eves), ("x-csrftoken", self.eve.token)],
            "guest": [guest],
            "cookie without token": own[:1],
            "another's token": [own[0], ("x-csrftoken", self.eve.token)],
            "foreign origin": [*own, ("origin", "http://evil.example")],
            "origin that is none": [*own, ("origin", "null")],
            "page of the same site": [*own, ("sec-fetch-site", "same-site"), ("origin", self.server.url)],
            "page of another site": [*own, ("sec-fetch-site", "cross-site")],
            "token with one letter changed": [("authorization", f"Bearer {token[:-1]}x")],
            "cookie as token": [("authorization", f"Bearer {value}")],
            "two tokens": [guest, ("authorization", f"Bearer {token}")],
            "token as cookie": [("cookie", f"{name}={token}"), own[1]],
            "cookie with one letter changed": [("cookie", f"{name}={value[:-1]}x"), own[1]],
            "foreign host name": [*own, ("host", "evil.example")],
        }[kind]

    def requests(self, *kinds: For) -> Iterator[Request]:
        """Every command of every door for these, but for those of live connections."""
        version = self.player.state(self.game)["version"]
        body: Json = {"hole": 7, "version": version}
        for door in doors():
            if door.looks or door.method == LIVE or FOR[str(door)] not in kinds:
                continue
            places = {"game_id": self.game, "challenge_id": self.challenge, "token": "t" * 43}
            places |= {
                "key_id": "k" * 12,
                "bot_id": "b" * 22,
                "event_id": "e" * 8,
                "class_id": "c" * 8,
                "study_id": "s" * 16,
                "helper_id": "h" * 12,
                "code": "c" * 8,
                "machine_id": "h" * 12,
                "application_id": "h" * 12,
                "number": "1",
                "board": "1",
                "player_id": "1",
            }
            if "{command}" not in door.path:
                yield door, door.at(**places), BODIES.get(str(door), {})
            elif "{challenge_id}" in door.path:
                for command in ("accept", "decline", "withdraw"):
                    yield door, door.at(**places, command=command), {}
            else:
                for command in COMMANDS:
                    for more in [{"what": what} for what in DEMANDS] if command == "claim" else [body]:
                        yield door, door.at(**places, command=command), more

    def send(self, kind: str, request: Request) -> int:
        """The status with which a stranger is answered."""
        door, path, body = request
        headers = self.headers(kind)
        if path.startswith("/api/"):
            asked = self.client.build_request(door.method, path, headers=headers, json=body)
        else:
            body = {"_csrf_token": dict(headers).get("x-csrftoken", ""), **body}
            headers = [one for one in headers if one[0] != "x-csrftoken"]
            asked = self.client.build_request(door.method, path, headers=headers, data=body)
        self.client.cookies.clear()
        return self.client.send(asked).status_code

    def speak(self, kind: str, path: str) -> list[int]:
        """The statuses with which the commands of a stranger on a live connection are refused, or the handshake."""
        told = self.headers(kind)
        host = dict(told).get("host")
        parts = urlsplit(self.server.url)
        address = f"ws://{host or parts.netloc}{path}"
        headers = [one for one in told if one[0] not in {"host", "x-csrftoken"}]
        try:
            line = socket.create_connection((str(parts.hostname), int(parts.port or 0)))
            live = connect(address, sock=line, additional_headers=headers, legacy=True)
        except InvalidStatus as refused:
            return [refused.response.status_code]
        statuses = []
        with live:
            for said in self.said():
                live.send(json.dumps({**said, "id": "z1"}))
                while "id" not in (heard := answered(json.loads(live.recv(timeout=PATIENCE)))):
                    pass
                statuses.append(heard["status"])
        return statuses

    def said(self) -> list[Json]:
        """Every command of a live connection."""
        version = self.player.state(self.game)["version"]
        body = {"hole": 7, "version": version}
        simple = [{"do": do, **(body if do in {"move", "reply"} else {})} for do in COMMANDS if do != "claim"]
        return [*simple, *({"do": "claim", "what": what} for what in DEMANDS), {"do": "say", "phrase": "hello"}]


def answered(message: Mapping[str, Any]) -> Json:
    """What a message says of a command: its id and a status; nothing where it is about something else."""
    if "refused" in message:
        return {"id": message["refused"], "status": message["status"]}
    return {"id": message["ack"], "status": 200} if "ack" in message else {}


BODIES: dict[str, Json] = {
    "POST /api/challenges": {"game": "toguz", "to": "lobby"},
    "POST /challenges": {"game": "toguz", "to": "lobby"},
    "POST /games": {"game": "toguz", "side": "white", "level": "1", "clock": "none"},
    "POST /api/vacation": {"days": 1},
    "POST /vacation": {"days": "1"},
    "POST /api/push": {"endpoint": "https://192.0.2.1/x", "keys": {"p256dh": "x", "auth": "x"}},
    "DELETE /api/push": {"endpoint": "https://192.0.2.1/x"},
    "POST /mail": {"address": "a@example.org"},
    "POST /language": {"language": "ky", "next": "/"},
    "POST /api/games/{game_id}/report": {"reason": "stalling"},
    "POST /games/{game_id}/report": {"reason": "stalling"},
    "POST /mistakes/worst.pdf": {"cards": "[]"},
    "POST /studies/booklet.pdf": {"text": ""},
    "POST /api/mistakes": {"answers": [{"id": "12345678", "card": "0" * 16, "grade": 3, "at": 1}]},
    "POST /classes": {"name": "4b", "game": "toguz", "language": "en"},
    "POST /class": {"digits": "12345678", "name": "Aibek"},
    "POST /api/class/{class_id}/results": {"member": 1, "reports": []},
    "POST /api/puzzles/answers": {"answers": [{"puzzle": "toguz-30a6be475122", "tries": [[1]]}]},
    "POST /api/puzzles/runs": {"game": "toguz", "answers": []},
    "POST /api/analysis/line": {"game": "toguz"},
    "POST /api/analysis/record": {"text": "1. 65 65"},
    "POST /api/analysis/search": {"game": "toguz", "nodes": 10},
    "POST /api/analysis/move": {"game": "toguz"},
    "POST /api/analysis/values": {"game": "toguz"},
    "POST /api/analysis/picture": {"game": "toguz"},
    "POST /api/analysis/played": {"game": "toguz"},
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    folder = tmp_path_factory.mktemp("data")
    with running(folder, None, "--limits", "off") as server:
        yield World(folder, server)
        assert "Traceback" not in server.stop()


def test_every_door_is_known() -> None:
    """Whoever adds a door says whom it is for, and these tests then knock at it."""
    assert {str(door) for door in doors() if not door.looks} == set(FOR)


KINDS = (*FORGED, *OTHERS)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["half", "whole"])
@pytest.mark.parametrize("kind", KINDS)
def test_strangers_at_every_door(world: World, kind: str, whole: bool) -> None:
    """Every stranger at every door, or each at half of the doors by default: at the other half with the next seed."""
    before = kept(world.folder)
    of_others = [For.PLAYERS, For.INVITED, For.MEMBERS]
    if kind not in {"visitor", "guest"}:  # who may act for themselves
        of_others.append(For.SENDER)
    if kind in NOT_OF_THE_SITE:
        of_others += [For.HOLDER, For.ANYBODY]
    half = slice(None) if whole else slice((SEED + KINDS.index(kind)) % 2, None, 2)
    for request in list(world.requests(*of_others))[half]:
        expected = {404} if request[1].endswith(f"/{world.game}/reply") and "/api/" not in request[1] else set()
        assert world.send(kind, request) in REFUSED | expected, request
    if kind not in NOT_AT_A_SOCKET:
        for door in doors():
            if door.method == LIVE:
                assert set(world.speak(kind, door.at(game_id=world.game))) <= REFUSED
    assert kept(world.folder) == before


def test_a_token_that_was_never_sent_opens_nothing(world: World) -> None:
    before = kept(world.folder)
    for request in world.requests(For.HOLDER):
        assert world.send("nobody", request) in {200, 403, 410}
    assert kept(world.folder) == before


def test_the_player_is_let_in_by_all_of_these_doors(tmp_path: Path) -> None:
    """Otherwise nothing above would say anything about strangers."""
    with running(tmp_path, None, "--limits", "off") as server:
        world = World(tmp_path, server)
        for request in world.requests(*For):
            if FOR[str(request[0])] in {
                For.INVITED,
                For.MEMBERS,
            }:  # that challenge is for somebody else, but for its end
                continue
            assert world.send("player", request) not in REFUSED, request
        assert set(world.speak("player", f"/api/games/{world.game}/live")).isdisjoint(REFUSED)
        for request in world.requests(For.INVITED):
            status = world.send("player", request)
            assert status not in REFUSED or request[1].endswith(("/accept", "/decline")), request
        assert world.player.client.get(f"/api/challenges/{world.challenge}").json()["state"] == "withdrawn"
