"""Reviews of finished games and claims of proof, in the hall of a server."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError
from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.engines.searches import BusyError, CancelledSearchError
from korgool.app.server.limits import Caller
from korgool.app.server.play.game_registry import GameRegistry

from .inside import VISITOR, act, begun, people, refusal_of, statement, within


def test_a_claim_of_proof_that_nobody_has_time_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7)
        caller = Caller("1.1.1.1", VISITOR)
        failures: list[Exception] = [BusyError(), CancelledSearchError()]

        async def prove(*_: object) -> None:
            raise failures.pop(0)

        monkeypatch.setattr(game_registry.proofs, "prove", prove)
        with pytest.raises(RateLimitError) as refused:
            await game_registry.prove(running.game, caller)
        assert (refused.value.message, refused.value.wait) == (errors.BUSY, 10.0)
        assert await game_registry.prove(running.game, caller) is None
        await act(running, VISITOR, "resign")
        assert await game_registry.prove(running.game, caller) is None, "nobody is asked about a game that is over"

    within(tmp_path, test)


def test_a_review_is_made_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    true = EnginePool.evaluate

    async def evaluate(room: EnginePool, *args: object) -> list[float]:
        calls.append(args)
        return await true(room, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(EnginePool, "evaluate", evaluate)

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people("bestemshe"), 3)
        caller = Caller("1.1.1.1", None)
        assert await refusal_of(game_registry.evaluations(running.address, caller)) == (409, errors.NOT_OVER)
        await act(running, VISITOR, "resign")
        first, second = await asyncio.gather(*(game_registry.evaluations(running.address, caller) for _ in range(2)))
        assert first == second
        assert len(first) == 2
        assert (len(calls), game_registry._reviews) == (1, {})
        stored = game_registry.repository.evaluations(running.address)
        assert stored is not None
        assert json.loads(stored) == [{"ply": ply, "evaluation": value} for ply, value in enumerate(first)]
        assert await game_registry.evaluations(running.address, caller) == first
        assert len(calls) == 1, "it was read"
        called_off = await game_registry.find(await game_registry.create(people(clock="10+5")))
        await act(called_off, VISITOR, "abort")
        assert await refusal_of(game_registry.evaluations(called_off.address, caller)) == (409, errors.NOT_OVER)

    within(tmp_path, test)


def test_a_review_that_cannot_be_kept_is_told_all_the_same(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people("bestemshe"), 3)
        await act(running, VISITOR, "resign")
        statement(game_registry, "UPDATE owner SET epoch = epoch + 1")
        found = await game_registry.evaluations(running.address, Caller(""))
        assert len(found) == 2
        statement(game_registry, "UPDATE owner SET epoch = epoch - 1")
        assert game_registry.repository.evaluations(running.address) is None

    within(tmp_path, test)
    assert "are not kept" in caplog.text
