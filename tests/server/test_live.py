"""Running games within this process: what cannot be reached from outside, over a real database and the real engine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from sqlalchemy import text

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play import broadcast, clockwork, engine_seat, live_session, replica
from korgool.app.server.play.game_registry import GameRegistry
from korgool.rules import Side, Termination
from tests.patience import until

from .inside import GUEST, ROUND, ROUND_START, STRANGER, VISITOR, act, alone, begun, drained, people, within
from .support import check_stored

WHITE, BLACK = Side.WHITE, Side.BLACK


def test_a_claim_at_the_second_occurrence(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, alone(side=BLACK, level=8, start=ROUND_START), *ROUND[:-1])
        with pytest.raises(ApiError, match="did not recur") as refused:
            await act(running, VISITOR, "claim", what="repetition")
        assert (refused.value.status, refused.value.clause) == (422, "WNG-TK §V, §X")
        event = await act(running, VISITOR, "move", hole=ROUND[-1])
        assert event["claims"] == ["73"]
        ended = await act(running, VISITOR, "claim", what="repetition")
        assert (ended["outcome"]["result"], ended["outcome"]["termination"]) == ("1/2-1/2", "repetition")

    within(tmp_path, test)


def test_the_third_occurrence_ends_the_game(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, alone(side=BLACK, level=8, start=ROUND_START), *(ROUND * 2)[:-1])
        before = running.game.version
        follower = running.follow(None, before)
        event = await act(running, VISITOR, "move", hole=ROUND[-1])
        assert (event["kind"], event["outcome"]["termination"]) == ("move", "repetition")
        assert [message for message in drained(follower) if message and message["kind"] != "presence"] == [event]
        assert running.game.version == before + 1
        with pytest.raises(ApiError, match="over"):
            await act(running, VISITOR, "move", hole=1)

    within(tmp_path, test)


def test_what_cannot_be_stored_did_not_happen(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        address = await game_registry.start(alone())
        running = await game_registry.find(address)
        follower = running.follow(VISITOR, 1)
        drained(follower)
        with game_registry.storage._engine.begin() as connection:
            connection.execute(text("ALTER TABLE events RENAME TO hidden"))
        with pytest.raises(ApiError, match="could not store") as refused:
            await act(running, VISITOR, "move", hole=7)
        assert refused.value.status == 503
        assert drained(follower) == [None], "nothing is told but to come again"
        with game_registry.storage._engine.begin() as connection:
            connection.execute(text("ALTER TABLE hidden RENAME TO events"))
        again = await game_registry.find(address)
        assert again is not running
        assert again.game.version == 1
        event = await act(again, VISITOR, "move", hole=7)
        assert event["version"] == 2

    within(tmp_path, test)


def test_a_version_that_another_process_wrote_is_not_overwritten(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        address = await game_registry.start(alone())
        running = await game_registry.find(address)
        with game_registry.storage._engine.begin() as connection:
            connection.execute(
                text("INSERT INTO events (game_id, version, at_ms, kind, payload) VALUES (:game, 2, 0, 'move', :move)"),
                {"game": address, "move": '{"hole":3}'},
            )
        with pytest.raises(ApiError, match="moved on"):
            await act(running, VISITOR, "move", hole=7)
        assert check_stored(game_registry.repository.load(address)).game.moves == (3,)
        assert (await game_registry.find(address)).game.game.moves[:1] == (3,)

    within(tmp_path, test)


def test_a_visitor_who_goes_away_does_not_stop_the_move(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone(level=8)))
        request = asyncio.create_task(act(running, VISITOR, "move", hole=7))
        await asyncio.sleep(0)
        request.cancel()
        with pytest.raises(asyncio.CancelledError):
            await request
        await until(lambda: running.game.version == 2)
        stored = check_stored(game_registry.repository.load(running.address))
        assert stored.version == running.game.version == 2

    within(tmp_path, test)


def test_one_who_does_not_listen_is_let_go(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(people("bestemshe", same=True)))
        follower = running.follow(None, 1)
        for _ in range(120):
            await act(running, VISITOR, "move", hole=running.game.position.legal_moves()[0])
            await act(running, VISITOR, "ask-takeback")
        assert len(running.broadcast.subscribers) == 0
        told = drained(follower)
        assert told[-1] is None
        assert len(told) <= 202

    within(tmp_path, test)


def test_a_game_is_loaded_once_for_all_who_ask(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        address = await game_registry.start(alone("bestemshe"))
        game_registry._games.clear()
        found = await asyncio.gather(*(game_registry.find(address) for _ in range(20)))
        assert len({id(running) for running in found}) == 1

    within(tmp_path, test)


def test_games_leave_memory_only_when_nothing_runs_in_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.play.game_registry._MOST_IN_MEMORY", 30)

    async def test(game_registry: GameRegistry) -> None:
        flag = await game_registry.find(
            await game_registry.start(alone(clock="1+0"))
        )  # soon enough that this game waits for it
        far = await game_registry.find(
            await game_registry.start(alone(clock="30+0"))
        )  # the list of deadlines knows of it
        followed = await game_registry.find(await game_registry.start(alone()))
        followed.follow(None, 1)
        for _ in range(60):
            await game_registry.start(alone())
        assert len(game_registry._games) <= 32
        assert await game_registry.find(flag.address) is flag
        assert await game_registry.find(followed.address) is followed
        assert await game_registry.find(far.address) is not far
        assert far.dropped

    within(tmp_path, test)


def test_a_damaged_game_is_a_clear_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The operator is told which game it is."""

    async def test(game_registry: GameRegistry) -> None:
        address = await game_registry.start(alone("bestemshe"))
        game_registry._games.clear()
        with game_registry.storage._engine.begin() as connection:
            connection.execute(text("UPDATE events SET version = 5"))
        with pytest.raises(ApiError) as refused:
            await game_registry.find(address)
        assert (refused.value.status, refused.value.message) == (500, errors.BROKEN)
        assert f"game {address} could not be read" in caplog.text

    within(tmp_path, test)


def test_a_move_of_the_engine_after_its_flag_is_no_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """WNG-TK §V: the engine's clock counts as the visitor's does, whether or not anybody has seen the flag fall."""
    late = 0
    for module in (live_session, engine_seat, broadcast, clockwork, replica):
        monkeypatch.setattr(module, "now_ms", lambda: now_ms() + late)

    async def test(game_registry: GameRegistry) -> None:
        nonlocal late
        running = await game_registry.find(await game_registry.start(alone(clock="30+0")))
        await act(running, VISITOR, "move", hole=7)
        late = 31 * 60_000  # the deadlines of the hall are by the true clock
        while running.game.version == 2:
            await asyncio.sleep(0.01)
        ending = running.game.ending
        assert ending is not None
        assert (ending.winner, ending.termination) == (WHITE, Termination.TIME)
        assert running.game.game.moves == (7,)

    within(tmp_path, test)


def test_only_the_players_act_in_a_game(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone()))
        for who in (STRANGER, GUEST, "", None):
            for command in (
                act(running, who, "move", hole=7),
                act(running, who, "reply", hole=7),
                act(running, who, "ask-takeback"),
                act(running, who, "resign"),
                act(running, who, "claim", what="proof"),
            ):
                with pytest.raises(ApiError) as refused:
                    await command
                assert (refused.value.status, refused.value.message) == (403, errors.NOT_YOURS)
        assert running.game.version == 1
        await act(running, VISITOR, "resign")
        with pytest.raises(ApiError) as refused:
            await act(running, STRANGER, "rematch")
        assert refused.value.message == errors.NOT_YOURS

    within(tmp_path, test)


def test_every_refusal_of_live_play_has_the_status_of_its_kind(tmp_path: Path) -> None:
    """What cannot be done against the engine without a clock, each with the sentence of its kind."""

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone(level=8)))
        caller = Caller("1.1.1.1", VISITOR)
        running.attend(caller)
        for do, fields, status, reason in (
            ("move", {"hole": 10}, 422, "no hole 10; holes are numbered 1 to 9"),
            ("move", {"hole": 7, "version": -1}, 409, "moved on"),
            ("move", {"hole": 7, "version": 2}, 409, "moved on"),
            ("accept-draw", {}, 422, "draw"),
            ("decline-draw", {}, 422, "draw"),
            ("ask-takeback", {}, 422, "no move of yours"),
            ("accept-takeback", {}, 422, "Nobody asks to take back"),
            ("decline-takeback", {}, 422, "Nobody asks to take back"),
            ("add-time", {}, 422, "No time can be given"),
            ("rematch", {}, 422, "not over yet"),
            ("claim", {"what": "time"}, 422, "clock"),
            ("claim", {"what": "gone"}, 422, "cannot claim that the opponent has left"),
            ("claim", {"what": "no-show"}, 422, "only in a game by the rules of a competition"),
            ("claim", {"what": "fourth-offer"}, 422, "only in a game by the rules of a competition"),
            ("claim", {"what": "proof"}, 422, "not proven"),
        ):
            with pytest.raises(ApiError, match=reason) as refused:
                await act(running, VISITOR, do, **fields)  # type: ignore[arg-type]
            assert refused.value.status == status, do
        await act(running, VISITOR, "move", hole=7)
        with pytest.raises(ApiError, match="not your turn") as refused:
            await act(running, VISITOR, "move", hole=1)
        assert (refused.value.status, refused.value.clause) == (422, "WNG-TK §III")
        assert running.game.version == 2
        assert (await act(running, VISITOR, "abort"))["kind"] == "abort"
        assert running.game.aborted
        assert live.due(running.game) is None

    within(tmp_path, test)
