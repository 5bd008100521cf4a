"""Perfect play: it does not lose from the start, ends when nobody needs it, and is refused where no game is solved."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.engines import perfect_play
from korgool.app.server.engines.engine_pool import NOBODY, EnginePool
from korgool.app.server.engines.perfect_play import check_level
from korgool.app.server.engines.searches import CancelledSearchError, Search
from korgool.app.server.play.game_events import stores_of
from korgool.app.server.play.game_registry import GameRegistry
from korgool.engine.levels import choose, is_rating, ratings_of
from korgool.engine.perfect import PERFECT
from korgool.engine.search import Engine
from korgool.rules import GAMES, MANGALA, Position, Side
from tests.conftest import SEED
from tests.patience import PATIENCE, in_time

from .inside import VISITOR, act, alone, drained, within
from .support import Server, Visitor, run_async
from .test_device import offer

Opponent = Callable[[Position], int]


def someone(seed: int) -> Opponent:
    """Plays anything."""
    random = Random(seed)
    return lambda position: random.choice(position.legal_moves())


def level(number: int, seed: int) -> Opponent:
    engine, random = Engine(MANGALA, table_mib=8), Random(seed)
    return lambda position: choose(engine, position, number, random=random).move


def far() -> list[Position]:
    """A game that leaves the book at once: 46 stones lie on the board, and the solver needs long for it."""
    positions = [MANGALA.start()]
    for hole in (4, 4, 1, 3, 5, 4):
        positions.append(positions[-1].play(hole))
    return positions


async def play(game_registry: GameRegistry, engine: Side, opponent: Opponent) -> int:
    """A game of perfect play as `engine`; the stones that it has at the end."""
    running = await game_registry.find(await game_registry.start(alone("mangala", engine.other, PERFECT)))
    assert running.engine is not None
    while not running.game.over:
        if running.engine.to_move:
            await running.engine.moved(120)
        else:
            await act(running, VISITOR, "move", hole=opponent(running.game.position))
    return stores_of(running.game)[engine]


@pytest.mark.parametrize(
    ("side", "opponent"),
    [
        pytest.param(Side.WHITE, level(5, 1), marks=[pytest.mark.long] * (SEED % 2), id="white"),
        pytest.param(Side.BLACK, someone(2), marks=[pytest.mark.long] * (1 - SEED % 2), id="black"),
    ],
)
def test_a_game_is_not_lost(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, side: Side, opponent: Opponent) -> None:
    """Every move is proven where there is time enough, and from the start neither side can be beaten then."""
    monkeypatch.setattr(perfect_play, "MOVE_SECONDS", 120.0)

    async def test(game_registry: GameRegistry) -> None:
        assert await play(game_registry, side, opponent) >= 24
        assert game_registry.room.perfect.proven == game_registry.room.perfect.moves > 5

    within(tmp_path, test)


@pytest.mark.long
@pytest.mark.parametrize("side", Side)
def test_nobody_beats_it(tmp_path: Path, side: Side) -> None:
    """In the time of a usual game, against the highest level and against anything; one solver for all of them."""

    async def test(game_registry: GameRegistry) -> None:
        for opponent in (level(8, 1), level(5, 2), someone(3), level(8, 4), someone(5)):
            assert await play(game_registry, side, opponent) >= 24
        desk = game_registry.room.perfect
        print(f"{desk.proven} of {desk.moves} moves proven")
        assert desk.proven > 0.9 * desk.moves

    within(tmp_path, test)


def test_a_cancelled_search_ends_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect_play, "MOVE_SECONDS", 600.0)

    async def test() -> None:
        room, search = EnginePool(1), Search()
        asked = asyncio.create_task(room.move(far(), PERFECT, None, search))
        waits = asyncio.create_task(room.move(far(), PERFECT, None, Search()))
        await asyncio.sleep(0.3)
        assert not asked.done()
        search.cancel()
        with pytest.raises(CancelledSearchError):
            await in_time(asked)
        # The room closes while another search runs.
        await asyncio.sleep(0.2)
        await in_time(asyncio.to_thread(room.close))
        with pytest.raises(CancelledSearchError):
            await waits
        assert not room.perfect.moves

    run_async(test())


def test_time_is_bounded_and_a_clock_minded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect_play, "MOVE_SECONDS", 1.0)

    async def test() -> None:
        room = EnginePool(1)
        try:
            for clock, most in ((None, 1.0), ((30_000, 0), 1.0), ((1000, 0), 0.4)):
                used = time.process_time()
                hole = await room.move(far(), PERFECT, clock, Search())
                assert hole in far()[-1].legal_moves()
                # A search ends between two looks at the clock, a million positions apart.
                assert time.process_time() - used < most + 4
            assert room.perfect.moves == 3
        finally:
            room.close()

    run_async(test())


def test_a_move_of_the_book_is_proven_in_no_time() -> None:
    async def test() -> None:
        room = EnginePool(1)
        try:
            hole = await room.move([MANGALA.start()], PERFECT, (2000, 0), Search())
            assert (hole, room.perfect.proven) == (5, 1)
        finally:
            room.close()

    run_async(test())


def test_the_table_is_made_ahead_and_dropped_at_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(perfect_play, "_TABLE_STONES", 12)
    monkeypatch.setattr(perfect_play, "_KEPT_SECONDS", 2.0)

    async def test() -> None:
        room = EnginePool(1)
        try:
            await room.move([MANGALA.start()], PERFECT, None, Search())
            desk = room.perfect
            player, _ = desk._players["mangala"]
            # Its own thread takes this up when it has done what it does while nobody waits.
            made = desk._thread.submit(player.prepare, 12, lambda: True)
            assert await asyncio.wrap_future(made)
            while desk._players:
                await asyncio.sleep(0.1)
        finally:
            room.close()

    run_async(in_time(test()))


@pytest.mark.parametrize(("game", "level"), [("toguz", 101), ("mangala", 99_999), ("bestemshe", 100)])
def test_a_rating_that_a_game_does_not_have_is_refused(game: str, level: int) -> None:
    assert is_rating(level)
    with pytest.raises(ApiError) as refused:
        check_level(game, level)
    assert (refused.value.status, refused.value.message) == (422, errors.BAD_RATING)
    for possible in (1, 8, ratings_of(GAMES[game])[0], ratings_of(GAMES[game])[-1]):
        check_level(game, possible)


def test_boards_wait_behind_games() -> None:
    async def test() -> None:
        room = EnginePool(1)
        try:
            taken = await room.perfect.gate.enter(NOBODY)
            order: list[str] = []

            async def ask(name: str, work: Awaitable[int]) -> None:
                assert await work in range(1, 7)
                order.append(name)

            board = asyncio.create_task(ask("board", room.choose([MANGALA.start()], PERFECT, Search())))
            await asyncio.sleep(0)
            games = [
                asyncio.create_task(ask("game", room.move([MANGALA.start()], PERFECT, None, Search())))
                for _ in range(3)
            ]
            await asyncio.sleep(0)
            room.perfect.gate.leave(taken)
            await asyncio.gather(board, *games)
            assert order[0] == "game"
            assert await room.choose([MANGALA.start()], 1, Search()) in range(1, 7)
        finally:
            room.close()

    run_async(test())


def test_no_device_is_asked_or_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(game_registry: GameRegistry) -> None:
        asked, move = asyncio.Event(), game_registry.room.move

        async def later(*what: Any) -> int:
            await asked.wait()
            return await move(*what)

        monkeypatch.setattr(game_registry.room, "move", later)
        running = await game_registry.find(await game_registry.start(alone("mangala", Side.BLACK, PERFECT, "10+5")))
        follower = running.follow(VISITOR, 1)
        running.broadcast.subscribers.offer(follower, True)
        with pytest.raises(ApiError, match="no other device") as refused:
            await act(running, VISITOR, "reply", hole=1)
        assert refused.value.status == 422
        asked.set()
        assert running.engine is not None
        await running.engine.moved(PATIENCE)
        assert running.game.game.moves == (5,)
        assert not any(message and message.get("kind") == "think" for message in drained(follower))

    within(tmp_path, test)


@pytest.mark.parametrize("game", ["toguz", "castle", "bestemshe"])
def test_only_a_solved_game_has_it(visitor: Visitor, game: str) -> None:
    form = visitor.form("/games", game=game, side="white", level=PERFECT, clock="none")
    asked = visitor.client.post("/api/analysis/move", json={"game": game, "level": PERFECT})
    for answer in (form, asked):
        assert (answer.status_code, "for mangala only" in answer.text) == (422, True), answer.text
    page = visitor.client.post(
        "/games",
        data={"_csrf_token": visitor.token, "game": game, "side": "white", "level": PERFECT, "clock": "none"},
        headers={"accept": "text/html", "accept-language": "ru"},
    )
    assert (page.status_code, "только в мангале" in page.text) == (422, True)


def test_the_board_is_answered(visitor: Visitor) -> None:
    answer = visitor.client.post("/api/analysis/move", json={"game": "mangala", "moves": [5], "level": PERFECT})
    assert answer.json() == {"move": 5}
    assert visitor.client.post("/api/analysis/move", json={"game": "mangala", "level": 10}).status_code == 422


def test_what_is_said_of_it(server: Server, visitor: Visitor) -> None:
    address = visitor.new_game("mangala", "black", level=PERFECT)
    with visitor.live(address, 0) as live:
        offer(live)
        live.until(2)
        state = visitor.state(address)
        assert (state["level"], [move["hole"] for move in state["moves"]]) == (9, [5])
        refused = visitor.send(address, "reply", hole=1, version=2)
        assert refused.status_code == 422
        assert visitor.send(address, "resign").status_code == 200
    assert 'White "Korgool perfect play"' in visitor.client.get(f"/games/{address}/record/pgn").text
    page = visitor.client.get(f"/games/{address}", headers={"accept-language": "tr"}).text
    assert '<span class="level">kusursuz</span>' in page
    assert "Tulpar · kusursuz</small>" in visitor.client.get("/", headers={"accept-language": "tr"}).text
    row = visitor.client.get("/games", headers={"accept-language": "tr"}).text
    assert "<strong>Tulpar · kusursuz</strong>" in row
    again = visitor.state(visitor.send(address, "rematch").json()["game"])
    assert (again["you"], again["level"]) == ("white", 9)
