"""What has been played on the site: the games between people that everybody may know of, and one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.app.server.analysis import played_games
from korgool.app.server.analysis.played_games import PlayedGames, Whose
from korgool.app.server.limits import Caller
from korgool.app.server.play.game_registry import GameRegistry
from korgool.rules import GAMES, Side
from korgool.training.explorer import Played

from .inside import GUEST, STRANGER, VISITOR, act, alone, begun, people, within

CALLER = Caller("", STRANGER)
START = GAMES["toguz"].start()


def test_games_are_found_once_they_are_over_and_everybody_may_know(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        first = await begun(game_registry, people(), 7, 4)
        going = await begun(game_registry, people(), 7, 4, 9)
        late = await begun(game_registry, people(delay_s=60), 7)
        own = await begun(game_registry, alone(side=Side.WHITE), 2)
        alike = await begun(game_registry, people(same=True), 2)
        castle = await begun(game_registry, people("castle"), 3)
        for running, who in ((first, GUEST), (late, GUEST), (own, VISITOR), (alike, VISITOR), (castle, VISITOR)):
            await act(running, who, "resign")
        asked = PlayedGames(game_registry.storage.engine)
        site = await asked.ask(Whose.SITE, STRANGER, START, CALLER)
        assert [(one.move, one.games, one.white, one.draws, one.black) for one in site.moves] == [(7, 1, 1, 0, 0)]
        assert [(game.event, game.result, game.moves) for game in site.games] == [(first.address, "1-0", (7, 4))]
        assert site.games[0].date == site.moves[0].last
        mine = await asked.ask(Whose.OWN, VISITOR, START, CALLER)
        assert {(one.move, one.games, one.white) for one in mine.moves} == {(7, 2, 2), (2, 2, 1)}
        assert {game.event for game in mine.games} == {one.address for one in (first, late, own, alike)}
        guests = await asked.ask(Whose.OWN, GUEST, START, CALLER)
        assert {game.event for game in guests.games} == {first.address, late.address}
        assert await asked.ask(Whose.OWN, STRANGER, START, CALLER) == Played()
        assert await asked.ask(Whose.OWN, None, START, CALLER) == Played()
        assert [one.move for one in (await asked.ask(Whose.SITE, None, START.play(7), CALLER)).moves] == [4]
        assert [one.move for one in (await asked.ask(Whose.SITE, None, GAMES["castle"].start(), CALLER)).moves] == [3]
        assert (await asked.ask(Whose.SITE, None, GAMES["mangala"].start(), CALLER)).moves == ()
        assert going.game.plies == 3, "it goes on, and nobody is told of it"

    within(tmp_path, test)


def test_moves_that_were_taken_back_were_not_played_and_games_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(same=True), 7, 4)
        await act(running, VISITOR, "ask-takeback")
        await act(running, VISITOR, "move", hole=5)
        asked = PlayedGames(game_registry.storage.engine)
        assert (await asked.ask(Whose.OWN, VISITOR, START, CALLER)).moves == ()
        await act(running, VISITOR, "resign")
        assert (await asked.ask(Whose.OWN, VISITOR, START, CALLER)).moves == (), "it is read once a minute at most"
        monkeypatch.setattr(played_games, "OWN_SECONDS", 0.0)
        asked = PlayedGames(game_registry.storage.engine)
        assert [game.moves for game in (await asked.ask(Whose.OWN, VISITOR, START, CALLER)).games] == [(7, 5)]
        other = await begun(game_registry, people(), 9)
        await act(other, GUEST, "resign")
        assert {one.move for one in (await asked.ask(Whose.OWN, VISITOR, START, CALLER)).moves} == {7, 9}

    within(tmp_path, test)
