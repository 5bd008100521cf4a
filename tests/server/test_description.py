"""The description at /openapi is true: whatever is sent by it, or against it, is answered as it says.

Schemathesis makes the requests from the description and compares the answers with it. The addresses in them lead to
games, challenges and events that exist, and half of the moves and of the officials' actions can be done.
"""

from __future__ import annotations

import random
import re
from base64 import b64encode
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from typing import Any
from uuid import uuid4

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from PIL import Image
from schemathesis import Case, GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi import checks

from korgool.competition.photographs import file_name
from tests.conftest import SEED
from tests.patience import PATIENCE

from .guests import Guest
from .support import Json, Server, running

load_all_checks()
Operation = APIOperation[Any, Any, Any, Any]
AnyCase = Case[Any]
Met = Counter[tuple[str, int]]
"""How often an operation was answered with a status."""
_ADDRESS = {"game_id": r"[A-Za-z0-9]{12}", "challenge_id": r"[A-Za-z0-9]{12}", "event_id": r"[a-z0-9]{8}"}
_EVENTS = "/api/events"
_FEW, _MANY = 1, 100
"""Requests of each operation that keep to its description, and as many that do not: by default, and in the long run."""
_NOT_HELD = [
    checks.positive_data_acceptance,  # rules of games and terms that do not fit together are in no schema
    checks.ignored_auth,  # who may do what is held by test_doors.py
    checks.missing_required_header,  # whoever sends no token may be a browser, and is told so with 403
    checks.allow_header_conformance,  # Litestar answers OPTIONS for one of several handlers of an address
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = ("--limits", "off", "--push", "mailto:a@example.org", "--follow-network", "127.0.0.0/8")
    with running(tmp_path_factory.mktemp("data"), None, *options) as server:
        yield server
        assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def described(server: Server) -> BaseSchema:
    told = httpx.get(f"{server.url}/openapi/openapi.json", timeout=PATIENCE).json()
    schema = schemathesis.openapi.from_dict(told)
    schema.config.update(base_url=server.url, request_timeout=PATIENCE)
    return schema


class World:
    """Two guests with their games and challenges, at every stage, and an official with events."""

    def __init__(self, server: Server, number: int) -> None:
        self.chance = random.Random(number)
        self.people = [Guest(server), Guest(server)]
        self.official = Guest(server)
        self.official.sign_up(f"Asel{number}")
        token = self.official.client.post("/account/tokens", json={"label": "t", "scopes": ["event"]}).json()["token"]
        self.official.told["token"] = token
        self.official.client = httpx.Client(
            base_url=f"{server.url}/api", headers={"authorization": f"Bearer {token}"}, timeout=PATIENCE
        )
        self.found = {
            "game_id": [self.game(*way) for way in ((), ("offer-draw",), ("resign",), ("move", "resign"))],
            "challenge_id": [self.challenge() for _ in range(4)],
            "event_id": [self.event() for _ in range(2)],
        }

    def challenge(self) -> str:
        return str(self.people[0].challenge(to=self.chance.choice(["link", "lobby"]))["id"])

    def game(self, *commands: str) -> str:
        """A new game after some commands of White."""
        one, other = self.people
        terms = {"clock": self.chance.choice(["none", "3d"]), "game": self.chance.choice(["toguz", "mangala"])}
        game = str(other.accept(one.challenge(side="white", **terms)["id"]).json()["game"])
        for command in commands:
            body = {"hole": 6, "version": one.state(game)["version"]} if command == "move" else {}
            assert one.client.post(f"/games/{game}/{command}", json=body).status_code == 200
        return game

    def address(self, place: str) -> str:
        """A game or a challenge for one request; now and then a new one."""
        found = self.found[place]
        if place != "event_id" and self.chance.random() < 0.2:
            way: tuple[str, ...] = self.chance.choice([(), ("move",), ("move", "resign")])
            found[self.chance.randrange(len(found))] = self.game(*way) if place == "game_id" else self.challenge()
        return self.chance.choice(found)

    def event(self) -> str:
        """A new event that anybody may read, its first round paired."""
        client = self.official.client
        cup = {"name": "Cup", "rounds": 3, "system": "round-robin", "shown": ["photo"]}
        id_ = str(client.post("/events", json=cup).raise_for_status().json()["id"])
        entered = [{"do": "enter", "entry": {"family": one, "born": 2001}} for one in "ABCD"]
        seen = {"do": "photo", "player": 1, "picture": self.picture}
        for after, actions in ((1, entered), (5, [seen, {"do": "pair", "round": 1, "lot": "a"}])):
            client.post(f"/events/{id_}/actions", json={"after": after, "actions": actions}).raise_for_status()
        client.put(f"/events/{id_}", json={"public": True}).raise_for_status()
        return id_

    @cached_property
    def picture(self) -> str:
        file = BytesIO()
        Image.new("RGB", (240, 320), "red").save(file, "JPEG")
        return b64encode(file.getvalue()).decode()

    def part(self, case: AnyCase) -> None:
        """Let an address name the round and the photograph that an event has."""
        places, client = case.path_parameters, self.official.client
        if "number" in places:
            places["number"] = "1"
        elif case.operation.path.endswith("/photos/{name}"):
            log = client.get(f"/events/{places['event_id']}/log")
            for line in log.json()["lines"] if log.is_success else ():
                if line["action"]["do"] == "photo":
                    places["name"] = file_name(line["action"]["player"], line["action"]["digest"])

    def place(self, case: AnyCase, *, fits: bool) -> Guest:
        """Let a request be about something that exists, and one that fits the description be possible.

        Returns:
            Who sends it.
        """
        of_officials = any("account" in one for one in case.operation.definition.raw.get("security", []))
        who = self.official if of_officials and self.chance.random() < 0.9 else self.chance.choice(self.people)
        places = case.path_parameters
        for name in places.keys() & self.found.keys():
            if re.fullmatch(_ADDRESS[name], str(places[name])) and self.chance.random() < 0.9:
                places[name] = self.address(name)
                if fits and "command" in places and self.chance.random() < 0.5:
                    self.command(case, who)
        if fits and self.chance.random() < 0.5:
            if of_officials and case.operation.body:
                self.officiate(case)
            else:
                self.terms(case)
                self.part(case)
        case.query.pop("wait", None)  # waiting has tests of its own
        return who

    def command(self, case: AnyCase, who: Guest) -> None:
        """Let a request be a command that can be carried out, if its sender has any."""
        state = who.state(case.path_parameters["game_id"])
        case.body = {"id": uuid4().hex}
        if state["outcome"]:
            case.path_parameters["command"] = "rematch"
        elif state["legal"]:
            case.path_parameters["command"] = "move"
            case.body |= {"hole": self.chance.choice(state["legal"]), "version": state["version"], "offer": True}
        else:
            case.path_parameters["command"] = "resign"

    def officiate(self, case: AnyCase) -> None:
        """Let what is sent to an event be something that its organiser can do."""
        client, id_ = self.official.client, self.chance.choice(self.found["event_id"])
        asked = case.operation.label.removeprefix(f"POST {_EVENTS}")
        if asked == "":
            case.body = {"name": "Cup", "rounds": self.chance.randint(1, 9), "place": "Bishkek"}
        elif asked == "/{event_id}/actions":
            id_ = case.path_parameters["event_id"]
            log = client.get(f"/events/{id_}/log")
            if not log.is_success:
                return
            judge: Json = {"do": "appoint", "name": uuid4().hex, "role": "referee", "id": uuid4().hex}
            result: Json = {"do": "result", "round": 1, "board": self.chance.randint(1, 3), "result": "82-60"}
            action = self.chance.choice([judge, judge, result])
            case.body = {"after": self.chance.choice([log.json()["seq"], 1]), "actions": [action]}
        elif asked == "/file":
            file = client.get(f"/events/{id_}/file", params={"form": "json"}).raise_for_status()
            case.body = file.json() if case.media_type == "application/json" else file.content
        elif asked == "/{event_id}/helpers":
            case.body = {"role": self.chance.choice(["chief", "results", "spectator"])}
        elif asked == "/follow":
            case.body = {"address": f"{str(client.base_url).removesuffix('/api/')}/events/{id_}"}

    def terms(self, case: AnyCase) -> None:
        """Let texts that only some words fit be such words."""
        body: Json = case.body if isinstance(case.body, dict) else {}
        for name, words in (
            ("to", ["link", "lobby", "self", "level:2"]),
            ("clock", ["none", "10+5", "1d"]),
            ("text", ["1. 65 65", "9/9"]),
        ):
            if isinstance(body.get(name), str):
                body[name] = self.chance.choice(words)
        if "days" in body:
            body["days"] = self.chance.randint(1, 3)
        for name in ("position", "moves"):
            if name in body and self.chance.random() < 0.8:
                del body[name]


def sent(described: BaseSchema, world: World, count: int, number: int) -> Met:
    """Send so many requests of each kind to each operation."""
    met: Met = Counter()
    for found in described.get_all_operations():
        assert isinstance(found, Ok)
        operation = found.ok()
        most = settings(max_examples=count * (4 if operation.path.endswith(("{command}", "/actions")) else 1))
        for mode in modes(operation):
            exchange(operation, mode, world, met, most, number)
    return met


def exchange(operation: Operation, mode: GenerationMode, world: World, met: Met, most: settings, number: int) -> None:
    """Send requests that keep to the description of an operation, or do not, and compare the answers with it."""

    @settings(most, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @seed(number)
    @given(case=operation.as_strategy(generation_mode=mode))
    def ask(case: AnyCase) -> None:
        who = world.place(case, fits=mode is GenerationMode.POSITIVE)
        header = case.meta and case.meta.components.get(ParameterLocation.HEADER)
        if header and header.mode is GenerationMode.NEGATIVE:
            answer = case.call()  # it is to come without a token, or with one that cannot be
        else:
            answer = case.call(headers={"authorization": f"Bearer {who.told['token']}"})
        met[operation.label, answer.status_code] += 1
        # Where a place was replaced, Schemathesis judges the others again, by the letters that stand in the address.
        lawful = [checks.negative_data_rejection] if mode is GenerationMode.POSITIVE else []
        case.validate_response(answer, excluded_checks=[*_NOT_HELD, *lawful])

    ask()


def modes(operation: Operation) -> list[GenerationMode]:
    """Whether a request can be against the description at all: one without parameters and body cannot."""
    takes = operation.body or operation.path_parameters or operation.query
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes else [])]


def test_a_few_requests_are_answered_as_described(server: Server, described: BaseSchema) -> None:
    met = sent(described, World(server, SEED), _FEW, SEED)
    assert ("POST /api/games/{game_id}/{command}", 200) in met
    assert (f"POST {_EVENTS}/{{event_id}}/actions", 200) in met


@pytest.mark.long
def test_many_requests_are_answered_as_described(server: Server, described: BaseSchema) -> None:
    met = sent(described, World(server, SEED), _MANY, SEED)
    done = {label for label, status in met if status < 300}
    # Nobody has an endpoint of a push service here, a name to which a challenge could be made, or a session.
    left = {label for label, _ in met if "/api/account" not in label} - done
    assert left == {"POST /api/push", "POST /api/challenges/{challenge_id}/decline"}
    for (label, status), count in sorted(met.items()):
        print(f"{label:45} {status} {count:6}")
