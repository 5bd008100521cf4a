"""The engine room by itself: reviews, analysis boards and their places, games before boards, and the end of it all."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from threading import Event
from typing import Any

import pytest

from korgool.app.server.engines.engine_pool import EnginePool, Lane
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search
from korgool.app.server.limits import OFF, Caller
from korgool.engine.levels import ratings_of
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Position
from tests.patience import in_time

from .support import run_async

START = [TOGUZ_KORGOOL.start()]
ANN, BOB = Caller("1.1.1.1", "ann"), Caller("1.1.1.1", "bob")
LONG = 10**9
"""Nodes of a search that lasts until somebody stops it."""


def within(test: Any, searches: int = 1, **limits: Any) -> None:
    """Run a test in a room."""

    async def run() -> None:
        room = EnginePool(searches, replace(OFF, **limits))
        try:
            await in_time(test(room))
        finally:
            room.cancel()
            await asyncio.to_thread(room.close)

    run_async(run())


async def begun(room: EnginePool) -> None:
    """Return when a long search runs."""
    while not room._running:
        await asyncio.sleep(0.005)


def test_an_evaluation_is_whites_whoever_is_to_move() -> None:
    row = "4S,4S,4S,4S,3S,3S,3S,3S,3S"
    ahead = f"{row}/{row} 78 22 {{}} 20"
    over = "9/9 100 62 S 40"

    async def test(room: EnginePool) -> None:
        positions = [Position.parse(ahead.format(side), TOGUZ_KORGOOL) for side in "SN"]
        found = await room.evaluate([*positions, Position.parse(over, TOGUZ_KORGOOL)])
        assert min(found[:2]) > 10, "White is 56 ahead"
        assert found[2] == 100 - 62

    within(test)


def test_a_stored_strength_that_is_no_more_gets_the_nearest() -> None:
    async def test(room: EnginePool) -> None:
        for strength in (ratings_of(MANGALA)[0], 101, 1):
            hole = await room.move([MANGALA.start()], strength, None, Search())
            assert hole in MANGALA.start().legal_moves()

    within(test)


def test_so_many_boards_of_a_visitor_and_of_an_address_wait() -> None:
    async def test(room: EnginePool) -> None:
        boards = [asyncio.create_task(room.analyse(START, 1, LONG, caller)) for caller in (ANN, ANN, BOB)]
        await begun(room)
        with pytest.raises(BusyError):
            await room.analyse(START, 1, 100, ANN)  # two of this session
        with pytest.raises(BusyError):
            await room.choose(START, 1, Search(), Caller("1.1.1.1", "eve"))  # three of this address
        other = asyncio.create_task(room.choose(START, 1, Search(), Caller("1.1.1.2", "eve")))
        assert await other in START[0].legal_moves()
        for board in boards:
            board.cancel()
        await asyncio.gather(*boards, return_exceptions=True)
        assert not room._boards, "their places are free"
        assert (await room.analyse(START, 1, 100, ANN)).nodes > 0, "nobody waited for the searches any more"

    within(test, session_waiting=2, address_waiting=3)


def test_boards_without_a_session_share_the_places_of_their_address() -> None:
    async def test(room: EnginePool) -> None:
        board = asyncio.create_task(room.analyse(START, 1, LONG, Caller("1.1.1.1")))
        await begun(room)
        with pytest.raises(BusyError):
            await room.analyse(START, 1, 100, Caller("1.1.1.1"))
        board.cancel()

    within(test, session_waiting=0, address_waiting=1)


def test_a_board_makes_way_for_a_game() -> None:
    """After its shortest time, with what it has found by then."""

    async def test(room: EnginePool) -> None:
        board = asyncio.create_task(room.analyse(START, 1, LONG, ANN))
        await begun(room)
        hole = await room.move(START, 8, (60_000, 0), Search(), BOB)
        assert hole in START[0].legal_moves()
        found = await board
        assert found.lines[0].pv[0] in START[0].legal_moves()
        assert found.nodes < LONG

    within(test, shortest_search=0.05)


def test_a_board_makes_way_before_its_engine_has_begun() -> None:
    """An engine takes its time to load; on a busy machine longer than the shortest search."""

    async def test(room: EnginePool) -> None:
        loaded = Event()
        room._long.submit(loaded.wait)
        board = asyncio.create_task(room.analyse(START, 1, LONG, ANN))
        await begun(room)
        for search in room._running:
            search.hurry()
        loaded.set()
        found = await board
        assert found.lines[0].pv[0] in START[0].legal_moves()
        assert found.nodes < LONG

    within(test)


def test_where_nobody_is_hurried_a_game_waits_for_a_board() -> None:
    async def test(room: EnginePool) -> None:
        board = asyncio.create_task(room.analyse(START, 1, LONG, ANN))
        await begun(room)
        game = asyncio.create_task(room.move(START, 8, (60_000, 0), Search(), BOB))
        await asyncio.sleep(0.2)
        assert not board.done()
        assert not game.done()
        short = await room.move(START, 1, None, Search(), BOB)
        assert short in START[0].legal_moves(), "short searches have a thread of their own"
        room.cancel()
        with pytest.raises(asyncio.CancelledError):
            await game
        await asyncio.to_thread(room.close)
        assert (await board).nodes < LONG, "what it has found by then"

    within(test, shortest_search=None)


def test_a_cancelled_search_does_not_begin() -> None:
    async def test(room: EnginePool) -> None:
        search = Search()
        search.cancel()
        for level in (1, 8):
            with pytest.raises(CancelledSearchError):
                await room.move(START, level, None, search)
        assert not room._searches
        assert not room._running
        room.cancel()
        with pytest.raises(CancelledSearchError):
            await room.move(START, 1, None, Search())

    within(test)


def test_lanes_go_by_their_urgency() -> None:
    assert sorted(Lane) == [Lane.CLOCK, Lane.GAME, Lane.BOARD, Lane.REVIEW]
