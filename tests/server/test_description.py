"""The description at /openapi is true: whatever is sent by it, or against it, is answered as it says.

Schemathesis makes the requests from the description and compares the answers with it. The addresses in them lead to
games and challenges that exist, and half of the moves can be played, so that they reach the referee.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from schemathesis import Case, GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.core.parameters import ParameterLocation
from schemathesis.core.result import Ok
from schemathesis.schemas import APIOperation, BaseSchema
from schemathesis.specs.openapi import checks

from tests.conftest import SEED
from tests.patience import PATIENCE

from .guests import Guest
from .support import Json, Server, running

load_all_checks()
Operation = APIOperation[Any, Any, Any, Any]
AnyCase = Case[Any]
Met = Counter[tuple[str, int]]
"""How often an operation was answered with a status."""
_ADDRESS = re.compile(r"[A-Za-z0-9]{12}")
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
    options = ("--limits", "off", "--push", "mailto:a@example.org")
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
    """Two guests with their games and challenges, at every stage."""

    def __init__(self, server: Server, number: int) -> None:
        self.chance = random.Random(number)
        self.people = [Guest(server), Guest(server)]
        self.found = {
            "game_id": [self.game(*way) for way in ((), ("offer-draw",), ("resign",), ("move", "resign"))],
            "challenge_id": [self.challenge() for _ in range(4)],
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
        if self.chance.random() < 0.2:
            way: tuple[str, ...] = self.chance.choice([(), ("move",), ("move", "resign")])
            found[self.chance.randrange(len(found))] = self.game(*way) if place == "game_id" else self.challenge()
        return self.chance.choice(found)

    def place(self, case: AnyCase, *, fits: bool) -> Guest:
        """Let a request be about something that exists, and one that fits the description be possible.

        Returns:
            Who sends it.
        """
        who = self.chance.choice(self.people)
        places = case.path_parameters
        for name in places.keys() & {"game_id", "challenge_id"}:
            if _ADDRESS.fullmatch(str(places[name])) and self.chance.random() < 0.9:
                places[name] = self.address(name)
                if fits and "command" in places and self.chance.random() < 0.5:
                    self.command(case, who)
        if fits and self.chance.random() < 0.5:
            self.terms(case)
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
        most = settings(max_examples=count * (4 if operation.path.endswith("{command}") else 1))
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
        case.validate_response(answer, excluded_checks=_NOT_HELD)

    ask()


def modes(operation: Operation) -> list[GenerationMode]:
    """Whether a request can be against the description at all: one without parameters and body cannot."""
    takes = operation.body or operation.path_parameters or operation.query
    return [GenerationMode.POSITIVE, *([GenerationMode.NEGATIVE] if takes else [])]


def test_a_few_requests_are_answered_as_described(server: Server, described: BaseSchema) -> None:
    met = sent(described, World(server, SEED), _FEW, SEED)
    assert ("POST /api/games/{game_id}/{command}", 200) in met


@pytest.mark.long
def test_many_requests_are_answered_as_described(server: Server, described: BaseSchema) -> None:
    met = sent(described, World(server, SEED), _MANY, SEED)
    done = {label for label, status in met if status < 300}
    # Nobody has an endpoint of a push service here, nor a name to which a challenge could be made.
    assert {label for label, _ in met} - done == {"POST /api/push", "POST /api/challenges/{challenge_id}/decline"}
    for (label, status), count in sorted(met.items()):
        print(f"{label:45} {status} {count:6}")
