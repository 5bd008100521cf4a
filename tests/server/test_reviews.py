"""Reviews of finished games and claims of proof, in the hall of a server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from korgool.app.server import messages
from korgool.app.server.games.engine_room import EngineRoom
from korgool.app.server.games.running_games import Hall
from korgool.app.server.games.searches import BusyError, CancelledSearchError
from korgool.app.server.limits import Caller
from korgool.app.server.messages import TooManyError

from .inside import VISITOR, act, begun, people, refusal_of, statement, within


def test_a_claim_of_proof_that_nobody_has_time_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(hall: Hall) -> None:
        running = await begun(hall, people(), 7)
        caller = Caller("1.1.1.1", VISITOR)
        failures: list[Exception] = [BusyError(), CancelledSearchError()]

        async def prove(*_: object) -> None:
            raise failures.pop(0)

        monkeypatch.setattr(hall.proofs, "prove", prove)
        with pytest.raises(TooManyError) as refused:
            await hall.prove(running.game, caller)
        assert (refused.value.message, refused.value.wait) == (messages.BUSY, 10.0)
        assert await hall.prove(running.game, caller) is None
        await act(running, VISITOR, "resign")
        assert await hall.prove(running.game, caller) is None, "nobody is asked about a game that is over"

    within(tmp_path, test)


def test_a_review_is_made_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    true = EngineRoom.evaluate

    async def evaluate(room: EngineRoom, *args: object) -> list[float]:
        calls.append(args)
        return await true(room, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(EngineRoom, "evaluate", evaluate)

    async def test(hall: Hall) -> None:
        running = await begun(hall, people("bestemshe"), 3)
        caller = Caller("1.1.1.1", None)
        assert await refusal_of(hall.evaluations(running.address, caller)) == (409, messages.NOT_OVER)
        await act(running, VISITOR, "resign")
        first, second = await asyncio.gather(*(hall.evaluations(running.address, caller) for _ in range(2)))
        assert first == second
        assert len(first) == 2
        assert (len(calls), hall._reviews) == (1, {})
        stored = hall.storage.evaluations(running.address)
        assert stored is not None
        assert json.loads(stored) == [{"ply": ply, "evaluation": value} for ply, value in enumerate(first)]
        assert await hall.evaluations(running.address, caller) == first
        assert len(calls) == 1, "it was read"
        called_off = await hall.find(await hall.create(people(clock="10+5")))
        await act(called_off, VISITOR, "abort")
        assert await refusal_of(hall.evaluations(called_off.address, caller)) == (409, messages.NOT_OVER)

    within(tmp_path, test)


def test_a_review_that_cannot_be_kept_is_told_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(hall: Hall) -> None:
        running = await begun(hall, people("bestemshe"), 3)
        await act(running, VISITOR, "resign")
        statement(hall, "UPDATE owner SET epoch = epoch + 1")
        found = await hall.evaluations(running.address, Caller(""))
        assert len(found) == 2
        statement(hall, "UPDATE owner SET epoch = epoch - 1")
        assert hall.storage.evaluations(running.address) is None

    within(tmp_path, test)
    assert "are not kept" in caplog.text
