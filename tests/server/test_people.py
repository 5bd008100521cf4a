"""Games of two people in the hall of a server: joining, offers, ids of commands, watchers who see later."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play import broadcast, clockwork, live_session, presence, replica
from korgool.app.server.play.game_records import record_text
from korgool.app.server.play.game_registry import GameRegistry
from korgool.rules import Side
from tests.patience import in_time, until

from .inside import GUEST, STRANGER, VISITOR, act, begun, drained, people, plain, versions, within
from .support import Json, agrees, check_stream, first_state

WHITE, BLACK = Side.WHITE, Side.BLACK


def told(follower: Any) -> list[Json]:
    return [one for one in drained(follower) if one is not None and one["kind"] != "presence"]


def test_a_game_begins_when_both_are_there(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.create(people(clock="10+5")))
        running.follow(STRANGER, None)
        await asyncio.sleep(0)
        assert running.game.version == 0
        white = running.follow(VISITOR, 0)
        await until(lambda: running.game.version == 1)
        await until(lambda: white.queue.qsize() > 1)
        assert [event["kind"] for event in told(white)] == ["join"]
        assert plain(running.broadcast.state(VISITOR))["clock"] is None
        with pytest.raises(ApiError, match="begins when both players are there"):
            await act(running, VISITOR, "move", hole=7)
        with pytest.raises(ApiError, match="not your turn"):
            await act(running, GUEST, "move", hole=7)  # who acts has come
        events = told(white)
        assert [(event["kind"], event.get("side")) for event in events] == [("join", "black"), ("begin", "black")]
        assert events[-1]["clock"]["running"] == "white"
        assert events[-1]["due"] == events[-1]["at"] + 30_000
        assert (await act(running, VISITOR, "move", hole=7))["ply"] == 1
        assert plain(running.broadcast.state(VISITOR))["seats"]["white"]["present"]
        assert not plain(running.broadcast.state(VISITOR))["seats"]["black"]["present"]

    within(tmp_path, test)


def test_offers_take_backs_and_a_rematch_need_the_other(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(), 7, 7)
        follower = running.follow(STRANGER, 0)
        offered = await act(running, VISITOR, "offer-draw")
        assert offered["offers"] == {"draw": "white"}
        with pytest.raises(ApiError, match="offered a draw already"):
            await act(running, VISITOR, "offer-draw")
        assert "offers" not in await act(running, GUEST, "decline-draw")
        asked = await act(running, VISITOR, "ask-takeback")
        assert asked["offers"] == {"takeback": "white"}
        await act(running, GUEST, "decline-takeback")
        with pytest.raises(ApiError, match="does not let you"):
            await act(running, VISITOR, "ask-takeback")
        await act(running, GUEST, "ask-takeback")
        back = await act(running, VISITOR, "accept-takeback")
        assert (back["kind"], back["plies"], back["turn"]) == ("takeback", 1, "black")
        hole = running.game.position.legal_moves()[0]
        moved = await act(running, GUEST, "move", hole=hole, offer=True)
        assert moved["offers"] == {"draw": "black"}
        drawn = await act(running, VISITOR, "accept-draw")
        assert (drawn["kind"], drawn["outcome"]["termination"]) == ("accept-draw", "agreement")
        asked = await act(running, GUEST, "rematch")
        assert (asked["kind"], asked["offers"]) == ("ask-rematch", {"rematch": "black"})
        assert (await act(running, GUEST, "rematch"))["kind"] == "none"
        made = await act(running, VISITOR, "rematch")
        again = await game_registry.find(made["game"])
        assert again.game.terms == running.game.terms.swapped()
        for who in (VISITOR, GUEST):
            assert await act(running, who, "rematch") == made
        state = plain(running.broadcast.state(STRANGER))
        agrees(check_stream(first_state(state), told(follower)), state)

    within(tmp_path, test)


def test_more_time_and_a_player_who_has_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    late, began = 0, now_ms()  # no time but this passes
    for module in (live_session, presence, broadcast, clockwork, replica):
        monkeypatch.setattr(module, "now_ms", lambda: began + late)

    async def test(game_registry: GameRegistry) -> None:
        nonlocal late
        running = await game_registry.find(await game_registry.create(people(clock="10+5")))
        white, black = running.follow(VISITOR, 0), running.follow(GUEST, 0)
        await until(lambda: running.game.begun)
        added = await act(running, VISITOR, "add-time")
        assert (added["side"], added["ms"], added["clock"]["black_ms"]) == ("black", 15_000, 615_000)
        await act(running, VISITOR, "move", hole=7)
        late = 5 * 60_000
        with pytest.raises(ApiError, match="0 s ago; you can claim the game after 30 s"):
            await act(running, VISITOR, "claim", what="gone")
        running.broadcast.leave(black)
        late += 29_000
        with pytest.raises(ApiError, match="29 s ago"):
            await act(running, VISITOR, "claim", what="gone")
        late += 1_500
        ended = await act(running, VISITOR, "claim", what="gone")
        assert (ended["outcome"]["result"], ended["outcome"]["termination"]) == ("1-0", "forfeit")
        presence = [one for one in drained(white) if one and one["kind"] == "presence"]
        assert [(one["white"], one["black"]) for one in presence] == [(True, False), (True, True), (True, False)]

    within(tmp_path, test)


def test_one_person_at_both_seats(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.create(people(clock="10+5", same=True)))
        assert running.game.begun
        first = await act(running, VISITOR, "move", "m1", hole=7)
        assert await act(running, VISITOR, "move", "m1", hole=7) == first, "in the turn of the other"
        back = await act(running, VISITOR, "ask-takeback")
        assert (back["plies"], back["turn"]) == (1, "white")
        await act(running, VISITOR, "move", hole=7)
        await act(running, VISITOR, "move", hole=7)
        assert (await act(running, VISITOR, "ask-takeback"))["turn"] == "black"
        assert (await act(running, VISITOR, "resign"))["outcome"]["winner"] == "white", "whose turn it is resigns"

    within(tmp_path, test)


def test_a_command_with_an_id_happens_once(tmp_path: Path) -> None:
    """From two tabs, again and again, and after a restart; and a refusal stays one."""

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people())
        version = running.game.version
        answers = await asyncio.gather(
            *(act(running, VISITOR, "move", "a1", hole=7, version=version) for _ in range(5))
        )
        assert len({answer["version"] for answer in answers}) == 1
        await act(running, GUEST, "move", "a1", hole=7)  # another seat, another id
        with pytest.raises(ApiError, match="moved on") as refused:
            await act(running, VISITOR, "move", "a2", hole=6, version=version - 1)
        with pytest.raises(ApiError) as again:
            await act(running, VISITOR, "move", "a2", hole=running.game.position.legal_moves()[0])
        assert (again.value.message, again.value.status) == (refused.value.message, refused.value.status)
        await act(running, VISITOR, "ask-takeback", "t1")
        await act(running, GUEST, "accept-takeback", "t2")
        before = running.game.version
        assert (await act(running, GUEST, "accept-takeback", "t2"))["version"] == before
        assert await act(running, VISITOR, "move", "a1", hole=7, version=version) == answers[0]
        assert running.game.version == before
        game_registry._games.clear()
        later = await game_registry.find(running.address)
        assert later is not running
        assert await act(later, VISITOR, "move", "a1", hole=7, version=version) == answers[0]
        assert (await act(later, GUEST, "accept-takeback", "t2"))["version"] == before
        assert later.game.version == before

    within(tmp_path, test)


def test_watchers_see_a_game_later_at_every_door(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(delay_s=2), 7)
        before = running.game.version
        watcher, player = running.follow(STRANGER, 0), running.follow(GUEST, 0)
        await act(running, GUEST, "move", hole=7)
        await act(running, GUEST, "resign")
        assert versions(player) == list(range(1, before + 3))
        assert versions(watcher) == []
        assert running.broadcast.seen(VISITOR).over
        for who in (STRANGER, None):
            state = plain(running.broadcast.state(who))
            assert (state["version"], state["moves"], state["outcome"], state["delay"]) == (0, [], None, 2)
            assert record_text(running.address, running.broadcast.seen(who), "pgn", site="")[1].endswith("\n\n*\n\n")
        with pytest.raises(ApiError, match="not over yet"):
            await game_registry.evaluations(running.address, Caller("", STRANGER))
        assert len(await game_registry.evaluations(running.address, Caller("", GUEST))) == 3
        game_registry._games.clear()  # as after a restart: what is late still comes
        again = await game_registry.find(running.address)
        come = again.follow(STRANGER, 0)
        await asyncio.sleep(max(0, again.game.opened / 1000 + 1.5 - now_ms() / 1000))
        seen = versions(come)
        assert not seen or now_ms() >= again.game.opened + 2_000, "never early"

        def all_has_come() -> bool:
            seen.extend(versions(come))
            return len(seen) == before + 2

        await until(all_has_come)
        assert seen == list(range(1, before + 3))
        assert again.broadcast.seen(None) == again.game
        assert plain(again.broadcast.state(None))["outcome"]["termination"] == "resignation"
        assert len(await game_registry.evaluations(running.address, Caller("", STRANGER))) == 3
        assert told(again.follow(STRANGER, None))[0]["state"]["version"] == before + 2

    within(tmp_path, test)


def test_a_watcher_gets_every_version_once(tmp_path: Path) -> None:
    """However the joining falls between what is told late."""

    async def test(game_registry: GameRegistry) -> None:
        running = await begun(game_registry, people(delay_s=1))
        followers = []
        for _ in range(6):
            who = VISITOR if running.game.to_move is WHITE else GUEST
            await act(running, who, "move", hole=running.game.position.legal_moves()[-1])
            await asyncio.sleep(0.35)
            followers.append(running.follow(STRANGER, 0))
        for follower in followers:
            seen = list[int]()
            while not seen or seen[-1] < running.game.version:
                message = await in_time(follower.queue.get())
                assert message is not None
                said = json.loads(message)
                seen += [said["version"]] if "version" in said else []
            assert seen == list(range(1, running.game.version + 1))
            assert versions(follower) == []

    within(tmp_path, test)
