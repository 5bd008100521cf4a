"""Games whose engine thinks on the visitor's device: what the server asks, takes, refuses, and does by itself."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play import engine_seat
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.live import clocks
from korgool.rules import GAMES, Side
from tests.patience import PATIENCE, eventually

from .inside import VISITOR, act, alone, drained, within
from .support import Json, Live, Server, Visitor, agrees, check_stream, first_state, replayed, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A patient one: only `test_the_server_plays_when_the_device_is_slow` has no patience to wait for."""
    with running(tmp_path_factory.mktemp("data"), patient=True) as server:
        yield server
        assert "Traceback" not in server.stop()


def offer(live: Live, thinks: bool = True) -> None:
    live.connection.send(json.dumps({"thinks": thinks}))
    live.heard()


def question(live: Live) -> Json:
    """The next question, after the events that come before it."""
    while (said := live.next())["kind"] != "think":
        pass
    return said


def legal_hole(visitor: Visitor, address: str) -> int:
    """A hole that the side to move may sow."""
    return replayed(visitor.state(address)).position.legal_moves()[0]


def test_a_whole_game_by_the_device(server: Server, visitor: Visitor) -> None:
    address = visitor.new_game("mangala", "black")
    with visitor.live(address, 0) as live, visitor.live(address, 0) as log:
        assert log.next()["kind"] == "begin"
        begun = first_state(visitor.state(address)) | {"version": 1}
        # The server plays as long as nobody has offered; only then is the device asked for every move.
        eventually(lambda: visitor.state(address)["turn"] == "black", "the first move of the server")
        offer(live)
        while (state := visitor.state(address))["outcome"] is None:
            if state["turn"] == "black":
                sent = visitor.send(address, "move", hole=state["legal"][-1], version=state["version"])
            else:
                asked = question(live)
                if asked["version"] != state["version"]:
                    continue
                assert asked == {"version": state["version"], "kind": "think", "seconds": None}
                hole = replayed(state).position.legal_moves()[0]
                sent = visitor.send(address, "reply", hole=hole, version=state["version"])
            assert sent.status_code == 200, sent.text
        last = visitor.state(address)
        told = log.until(last["version"])
        assert [event["version"] for event in told] == list(range(2, last["version"] + 1))
        agrees(check_stream(begun, told), last)


def test_the_journal_says_whose_device_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    with running(folder) as server:
        visitor = Visitor(server)
        address = visitor.new_game("toguz", "white")
        with visitor.live(address, 1) as live:
            offer(live)
            visitor.send(address, "move", hole=7, version=1)
            question(live)
            assert visitor.send(address, "reply", hole=1, version=2).status_code == 200
            offer(live, False)
            visitor.send(address, "move", hole=legal_hole(visitor, address), version=3)
            live.until(5)
    storage = Storage.open(ServerSettings(data=folder))
    stored = GameRepository(storage.engine).load(address)
    storage.close()
    assert stored is not None
    assert [getattr(entry.event, "device", None) for entry in stored.entries] == [None, False, True, False, False]
    assert [entry.side for entry in stored.entries] == [None, Side.WHITE, Side.BLACK, Side.WHITE, Side.BLACK]


@pytest.mark.parametrize(
    ("hole", "version", "status", "reason"),
    [
        (0, 2, 422, "no hole 0"),
        (10, 2, 422, "no hole 10"),
        (-3, 2, 422, "no hole -3"),
        ("1", 2, 400, "hole"),
        (1.5, 2, 400, "hole"),
        (1, 1, 409, "moved on"),
        (1, 0, 409, "moved on"),
        (1, 3, 409, "moved on"),
        (1, None, 400, "version"),
    ],
)
def test_replies_that_cannot_be(visitor: Visitor, hole: object, version: object, status: int, reason: str) -> None:
    address = visitor.new_game("toguz", "white")
    with visitor.live(address, 1) as live:
        offer(live)
        visitor.send(address, "move", hole=7, version=1)
        question(live)
        answer = visitor.send(address, "reply", hole=hole, version=version)
        assert (answer.status_code, reason in answer.json()["detail"]) == (status, True), answer.text
        assert visitor.state(address)["version"] == 2
        assert visitor.send(address, "reply", hole=1, version=2).status_code == 200


def test_an_empty_hole_and_the_wrong_turn(visitor: Visitor) -> None:
    address = visitor.new_game("toguz", "white")
    with visitor.live(address, 1) as live:
        offer(live)
        refused = visitor.send(address, "reply", hole=1, version=1)
        assert (refused.status_code, refused.json()["detail"]) == (422, "It is not the engine's turn.")
        visitor.send(address, "move", hole=7, version=1)
        question(live)
        visitor.send(address, "reply", hole=7, version=2)
        refused = visitor.send(address, "reply", hole=7, version=3)
        assert refused.status_code == 422
        visitor.send(address, "move", hole=legal_hole(visitor, address), version=3)
        question(live)
        empty = visitor.state(address)["black"].index(0) + 1
        assert "is empty" in visitor.send(address, "reply", hole=empty, version=4).json()["detail"]
        visitor.send(address, "resign")
        refused = visitor.send(address, "reply", hole=1, version=5)
        assert (refused.status_code, "over" in refused.json()["detail"]) == (409, True)


def test_strangers_neither_reply_nor_are_asked(server: Server, visitor: Visitor) -> None:
    address = visitor.new_game("toguz", "white")
    stranger = Visitor(server)
    with visitor.live(address, 1) as live, stranger.live(address, 1) as watching:
        offer(watching)
        visitor.send(address, "move", hole=7, version=1)
        assert [event["kind"] for event in watching.until(3)] == ["move", "move"], "the server played at once"
        offer(live)
        visitor.send(address, "move", hole=legal_hole(visitor, address), version=3)
        question(live)
        assert stranger.send(address, "reply", hole=1, version=4).status_code == 403
        without = visitor.client.post(f"/api/games/{address}/reply", json={"hole": 1, "version": 4})
        assert without.status_code == 403
        assert visitor.send(address, "reply", hole=legal_hole(visitor, address), version=4).status_code == 200


def test_the_server_plays_when_the_device_goes_away(visitor: Visitor) -> None:
    address = visitor.new_game("toguz", "white")
    with visitor.live(address, 1) as other:
        with visitor.live(address, 1) as live:
            offer(live)
            visitor.send(address, "move", hole=7, version=1)
            question(live)
        assert other.until(3)[-1]["version"] == 3


def test_a_second_tab_takes_over(visitor: Visitor) -> None:
    address = visitor.new_game("toguz", "white")
    with visitor.live(address, 1) as first:
        offer(first)
        with visitor.live(address, 1) as second:
            offer(second)
            visitor.send(address, "move", hole=7, version=1)
            assert question(second)["version"] == 2
        assert question(first)["version"] == 2, "the first is asked when the second has gone"
        assert visitor.send(address, "reply", hole=1, version=2).status_code == 200
        assert visitor.send(address, "reply", hole=2, version=2).status_code == 409, "no second move"


def test_the_server_plays_when_the_device_is_slow(tmp_path: Path) -> None:
    with running(tmp_path) as server:
        _slow(Visitor(server))


def _slow(visitor: Visitor) -> None:
    address = visitor.new_game("toguz", "white", clock="10+5")
    with visitor.live(address, 1) as live:
        offer(live)
        begun = time.monotonic()
        visitor.send(address, "move", hole=7, version=1)
        asked = question(live)
        assert 0 < asked["seconds"] <= 3
        event = live.next()
        assert (event["kind"], event["version"]) == ("move", 3)
        assert time.monotonic() - begun >= asked["seconds"]
        late = visitor.send(address, "reply", hole=1, version=2)
        assert late.status_code == 409
        assert event["clock"]["black_ms"] < 604_000, "the time was the engine's"
        visitor.send(address, "move", hole=event["legal"][0], version=3)
        assert [live.next()["kind"] for _ in range(2)] == ["move", "move"], "who was late is not asked again"


def test_undo_and_end_while_the_device_thinks(visitor: Visitor) -> None:
    address = visitor.new_game("toguz", "white")
    with visitor.live(address, 1) as live:
        offer(live)
        visitor.send(address, "move", hole=7, version=1)
        question(live)
        visitor.send(address, "ask-takeback")
        assert visitor.send(address, "reply", hole=1, version=2).status_code == 409
        assert visitor.send(address, "reply", hole=1, version=3).status_code == 422
        visitor.send(address, "move", hole=6, version=3)
        assert question(live)["version"] == 4
        visitor.send(address, "resign")
        state = visitor.state(address)
        assert (state["version"], state["outcome"]["termination"]) == (5, "resignation")


@pytest.mark.parametrize(
    "said", ["", "thinks", "{}", '{"thinks": 1}', '{"thinks": true, "more": 1}', "[" * 900, "null", '{"thinks":"true"}']
)
def test_no_offer_but_a_plain_one(visitor: Visitor, said: str) -> None:
    address = visitor.new_game("toguz", "white")
    with visitor.live(address, 1) as live:
        live.connection.send(said)
        live.heard()
        visitor.send(address, "move", hole=7, version=1)
        assert [event["kind"] for event in live.until(3)] == ["move", "move"]


def test_nobody_loses_on_time_by_a_silent_device(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """With little on the clock the server waits for a part of it only, and still has time to move."""
    monkeypatch.setattr(engine_seat, "_CLOCK_GRACE", 60.0)

    async def test(game_registry: GameRegistry) -> None:
        running = await game_registry.find(await game_registry.start(alone(side=Side.BLACK, clock="10+5")))
        assert running.engine is not None
        await running.engine.moved(PATIENCE)
        follower = running.follow(VISITOR, running.game.version)
        running.broadcast.subscribers.offer(follower, True)
        running.history.game = clocks.clock_set(running.game, (9000, 600_000), running.game.at)
        await act(running, VISITOR, "move", hole=running.game.position.legal_moves()[0])
        await running.engine.moved(PATIENCE)
        assert not running.game.over
        assert not running.engine.to_move
        assert any(message and message.get("kind") == "think" for message in drained(follower))

    within(tmp_path, test)


@pytest.mark.parametrize("game", GAMES)
def test_a_first_move_is_never_waited_for(visitor: Visitor, game: str) -> None:
    """Nobody has offered to think when a game begins."""
    address = visitor.new_game(game, "black")
    with visitor.live(address, 0) as live:
        live.until(2)
