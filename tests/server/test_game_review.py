"""The page `/games/{id}/review`: the analysis board with a finished game, and no help in one that goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from korgool.rules import GAMES
from tests.patience import PATIENCE

from .guests import Guest
from .support import Server, Visitor, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("data"), None, "--limits", "off") as server:
        yield server
        assert "Traceback" not in server.stop()


def between_people(server: Server) -> tuple[Guest, Guest, str]:
    """White and Black of a game that has begun, and its address."""
    white, black = Guest(server), Guest(server)
    game = str(black.accept(str(white.challenge(side="white", clock="none")["id"])).json()["game"])
    for player in (white, black):
        player.client.post(f"/games/{game}/decline-draw", json={})  # who acts has come
    return white, black, game


def sow(player: Guest, game: str, hole: int) -> None:
    body = {"hole": hole, "version": player.state(game)["version"]}
    player.client.post(f"/games/{game}/move", json=body).raise_for_status()


def reviewed(answer: httpx.Response) -> dict[str, Any]:
    """The game that a page of a review is about."""
    assert answer.status_code == 200
    facts = json.loads(answer.text.split('<script type="application/json" id="facts">')[1].split("</script>")[0])
    found: dict[str, Any] = facts["reviewed"]
    assert facts["games"] == {name: rules.holes for name, rules in GAMES.items()}
    return found


def test_nobody_reviews_a_game_that_goes_on(server: Server) -> None:
    white, black, game = between_people(server)
    sow(white, game, 7)
    for client in (white.client, black.client, httpx.Client(timeout=PATIENCE)):
        answer = client.get(f"{server.url}/games/{game}/review", headers={"accept": "text/html"})
        assert (answer.status_code, answer.headers["location"]) == (303, f"/games/{game}")
    white.client.post(f"/games/{game}/resign", json={}).raise_for_status()
    for client, side in ((white.client, "white"), (black.client, "black"), (httpx.Client(timeout=PATIENCE), None)):
        told = reviewed(client.get(f"{server.url}/games/{game}/review", headers={"accept": "text/html"}))
        assert (told["id"], told["game"], told["you"]) == (game, "toguz", side)
        assert [move["hole"] for move in told["moves"]] == [7]
        assert told["outcome"]["termination"] == "resignation"


def test_there_is_nothing_to_review_in_a_game_without_moves(server: Server) -> None:
    white, _, game = between_people(server)
    white.client.post(f"/games/{game}/abort", json={}).raise_for_status()
    assert white.client.get(f"{server.url}/games/{game}/review").headers["location"] == f"/games/{game}"
    assert white.client.get(f"{server.url}/games/AbCdEfGhIjKl/review").status_code == 404
    assert white.client.get(f"{server.url}/games/..%2f/review").status_code == 404


def test_a_guest_reviews_a_game_against_the_engine(server: Server) -> None:
    visitor = Visitor(server)
    game = visitor.new_game()
    assert visitor.client.get(f"/games/{game}/review").headers["location"] == f"/games/{game}"
    visitor.client.post(f"/api/games/{game}/resign", json={})
    assert "location" in visitor.client.get(f"/games/{game}/review").headers, "no move was made"
