"""The first page: what one tap begins, the game that is remembered, and the board that lives."""

from __future__ import annotations

import re

import pytest

from korgool.app.server.play.game_repository import GameSummary
from korgool.app.server.site.home import QuickGame, quick_game
from korgool.app.server.site.living_board import moves_since, stored_motion, stored_start
from korgool.app.server.site.stored_games import STORED_GAMES
from korgool.engine.perfect import PERFECT
from korgool.rules import GAMES, Game

from .support import Visitor


def summary(game: str, strength: int, side: str = "white", clock: str = "none") -> GameSummary:
    return GameSummary("x", game, side, "", strength, None, None, False, "2026-11-01T00:00:00Z", None, clock)


@pytest.mark.parametrize(
    ("games", "game", "quick"),
    [
        ([], "toguz", QuickGame("toguz")),
        ([summary("toguz", 0)], "castle", QuickGame("castle")),
        ([summary("toguz", 5, "black", "5+3")], "toguz", QuickGame("toguz", "black", 5, "5+3")),
        ([summary("toguz", 0), summary("castle", 3)], "bestemshe", QuickGame("bestemshe", strength=3)),
        ([summary("mangala", PERFECT)], "mangala", QuickGame("mangala", strength=PERFECT)),
        ([summary("mangala", PERFECT)], "toguz", QuickGame("toguz", strength=8)),
        ([summary("toguz", 2400)], "mangala", QuickGame("mangala", strength=1084)),
    ],
)
def test_one_tap_begins_the_last_game_once_more(games: list[GameSummary], game: str, quick: QuickGame) -> None:
    assert quick_game(games, game) == quick


def test_the_form_of_one_tap_begins_a_game(visitor: Visitor) -> None:
    for game in GAMES:
        page = visitor.client.get(f"/?game={game}").text
        form = re.search(r'<form method="post" action="/games">(.*?)</form>', page, re.S)
        assert form is not None
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[1]))
        assert fields["game"] == game
        answer = visitor.client.post("/games", data=fields, follow_redirects=False)
        assert answer.status_code == 303
        assert visitor.state(answer.headers["location"].rsplit("/", 1)[1])["game"] == game
    assert visitor.client.get("/?game=chess").status_code == 200
    assert f'href="/?game={game}" aria-current="page"' in visitor.client.get("/").text


@pytest.mark.parametrize("game", GAMES)
def test_the_stored_games_are_whole_games_by_the_rules(game: str, visitor: Visitor) -> None:
    stored = STORED_GAMES[game]
    played = Game(GAMES[game], [int(hole) for hole in stored.moves])
    assert played.outcome() is not None
    board, ply = stored_start(game)
    assert 0 < ply < len(stored.moves)
    assert sum(sum(counts) for _, _, counts, _, _ in board.sides) == GAMES[game].total
    answer = visitor.client.get(f"/living-board/{game}")
    assert answer.content == stored_motion(game) == moves_since(played, 0)
    assert "max-age" in answer.headers["cache-control"]
    assert len(answer.json()["plies"]) == len(stored.moves)


def test_the_living_board_tells_only_of_games_between_people(visitor: Visitor) -> None:
    game = visitor.new_game()
    for address in ("/living-board?game=toguz", f"/living-board?game=toguz&id={game}"):
        assert visitor.client.get(address).json()["id"] == ""
    refused = {
        "/living-board/chess": 404,
        "/living-board?game=chess": 404,
        "/living-board?game=toguz&id=nothing": 404,
        "/living-board?game=toguz&ply=-1": 400,
        "/living-board?game=toguz&ply=x": 400,
        "/living-board": 400,
    }
    assert {path: visitor.client.get(path).status_code for path in refused} == refused
