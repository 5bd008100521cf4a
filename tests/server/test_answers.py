"""The same command gets the same answer, and an answer that nobody waits for any more does no harm."""

from __future__ import annotations

import asyncio
import gc
import traceback
from pathlib import Path

import pytest

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play import history, live_session
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.storage.writer import StorageError
from tests.patience import in_time

from .inside import GUEST, VISITOR, act, begun, people, within


async def refused(running: LiveSession, name: str) -> ApiError:
    with pytest.raises(ApiError) as caught:
        await act(running, GUEST, "accept-draw", name)
    return caught.value


def test_asking_again_for_a_rematch_has_one_answer(tmp_path: Path) -> None:
    """Also when the opponent has agreed in between."""

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7)
        await act(running, GUEST, "resign")
        asked = await act(running, VISITOR, "rematch", "a")
        nothing = await act(running, VISITOR, "rematch", "b")
        assert (asked["kind"], nothing["kind"]) == ("ask-rematch", "none")
        assert (await act(running, GUEST, "rematch"))["kind"] == "rematch"
        assert await act(running, VISITOR, "rematch", "a") == asked
        assert await act(running, VISITOR, "rematch", "b") == nothing
        assert (await act(running, VISITOR, "rematch", "c"))["kind"] == "rematch"

    within(tmp_path, test)


def test_a_refusal_holds_and_does_not_grow(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7)
        for number in range(history._REMEMBERED):
            await refused(running, f"b{number}")
        await refused(running, "a")
        assert len(running._results._eventless) == history._REMEMBERED
        await act(running, VISITOR, "offer-draw")
        again = [await refused(running, "a") for _ in range(5)]
        assert {error.status for error in again} == {422}
        assert len(traceback.extract_tb(again[-1].__traceback__)) < 12

    within(tmp_path, test)


def test_what_passes_is_not_remembered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7)
        with monkeypatch.context() as patch:

            async def full(_: object) -> None:
                raise StorageError("the disk is full")

            patch.setattr(game_registry.storage, "write", full)
            with pytest.raises(ApiError, match="could not store"):
                await act(running, GUEST, "move", "a", hole=3)
        running = await game_registry.find(running.address)
        assert (await act(running, GUEST, "move", "a", hole=3))["kind"] == "move"

    within(tmp_path, test)


def test_a_game_that_was_let_go_meanwhile_is_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that happened is acknowledged, and one that waits happens, though another has failed on a full disk.

    It happens as of the time when it came: nobody is charged for the reading.
    """
    told: list[int] = []

    def passing() -> int:
        told.append(1_000 * len(told) + now_ms())
        return told[-1]

    async def test(game_registry: GameRegistry) -> None:
        before = await begun(game_registry, people(), 7)
        moved = await act(before, GUEST, "move", "a", hole=3)
        before.discard()
        assert await act(before, GUEST, "move", "a", hole=3) == moved
        with monkeypatch.context() as patch:
            patch.setattr(live_session, "now_ms", passing)
            answer = await act(before, VISITOR, "move", "b", hole=5)
        assert (answer["kind"], answer["at"]) == ("move", told[0])
        now = await game_registry.find(before.address)
        assert now is not before
        assert now.game.game.moves == (7, 3, 5)
        await game_registry.close()
        with pytest.raises(ApiError) as caught:  # and not for ever
            await act(now, GUEST, "move", "c", hole=5)
        assert caught.value.status == 503

    within(tmp_path, test)


def test_a_refusal_that_nobody_hears_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A request is cut off while its command waits for another one."""

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7)
        async with running.replica.lock:
            request = asyncio.create_task(act(running, GUEST, "accept-draw"))
            broken = asyncio.create_task(game_registry.finish(_broken(running.replica.lock)))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            request.cancel()
            broken.cancel()
        await asyncio.wait([request, broken])
        del request, broken
        await in_time(asyncio.shield(_idle(game_registry)))
        gc.collect()

    within(tmp_path, test)
    assert [record.message for record in caplog.records] == [
        "what somebody asked for has failed, maybe after they had gone"
    ]


async def _broken(lock: asyncio.Lock) -> None:
    async with lock:
        raise ValueError("a fault of the program")


async def _idle(game_registry: GameRegistry) -> None:
    while game_registry._tasks:
        await asyncio.sleep(0.01)
