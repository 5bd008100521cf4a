"""People without a browser, who begin games with each other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import httpx

from tests.patience import PATIENCE

from .members import PASSWORD
from .support import Json


class Addressed(Protocol):
    """A server, as far as somebody knows it who is elsewhere."""

    @property
    def url(self) -> str:
        """Its address, without a slash at the end."""
        ...


@dataclass(frozen=True)
class Address:
    """A server that is known by its address alone."""

    url: str


class Guest:
    """A guest with a token."""

    def __init__(self, server: Addressed) -> None:
        answer = httpx.post(f"{server.url}/api/guests", json={}, timeout=PATIENCE)
        assert answer.status_code == 201, answer.text
        self.told: Json = answer.json()
        self.client = httpx.Client(
            base_url=f"{server.url}/api",
            headers={"authorization": f"Bearer {self.told['token']}"},
            timeout=PATIENCE,
        )

    def sign_up(self, name: str) -> None:
        """Open an account, and be signed in from now on, without the token."""
        told = self.client.post("/account", json={"name": name, "password": PASSWORD}).raise_for_status().json()
        del self.client.headers["authorization"]
        self.client.headers["x-csrftoken"] = told["csrf"]

    def ask(self, **terms: object) -> httpx.Response:
        """Make a challenge, a link to toguz korgool where nothing else is said."""
        return self.client.post("/challenges", json={"game": "toguz", "to": "link", **terms})

    def challenge(self, **terms: object) -> Json:
        """A challenge that can be made."""
        answer = self.ask(**terms)
        assert answer.status_code == 201, answer.text
        made: Json = answer.json()
        return made

    def look(self, challenge: str, **query: Any) -> Json:
        answer = self.client.get(f"/challenges/{challenge}", params=query)
        assert answer.status_code == 200, answer.text
        found: Json = answer.json()
        return found

    def accept(self, challenge: str) -> httpx.Response:
        return self.client.post(f"/challenges/{challenge}/accept", json={})

    def decline(self, challenge: str, **body: object) -> httpx.Response:
        return self.client.post(f"/challenges/{challenge}/decline", json=body)

    def withdraw(self, challenge: str) -> httpx.Response:
        return self.client.delete(f"/challenges/{challenge}")

    def state(self, game: str) -> Json:
        answer = self.client.get(f"/games/{game}")
        assert answer.status_code == 200, answer.text
        state: Json = answer.json()
        return state

    def lobby(self) -> dict[str, Json]:
        answer = self.client.get("/lobby")
        assert answer.status_code == 200, answer.text
        return {one["id"]: one for one in answer.json()}
