"""Games that several processes serve at once, over one PostgreSQL database: the database decides, news only help."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from sqlalchemy import text

from korgool import live
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.people.guests.migration import move
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.play.challenges.request import AskedTerms
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.state_messages import Audience
from korgool.app.server.storage.postgres_writer import write_each
from korgool.app.server.storage.writer import Commit, TakenError
from korgool.rules import Side, Termination
from tests.patience import PATIENCE, until

from .inside import GUEST, VISITOR, Kept, act, alone, begun, drained, people, refusal_of, statement, versions
from .nats_server import Nats
from .support import check_stored, postgresql_database, run_async
from .together import alive, hall_over, together


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgresql_database() as url:
        yield url


def stored(game_registry: GameRegistry, game: str) -> list[str]:
    """The kinds of the events in the journal, which must be without gaps and legal."""
    found = game_registry.repository.load(game)
    check_stored(found)
    assert found is not None
    return [entry.kind for entry in found.entries]


def told_of(game_registry: GameRegistry, game: str) -> list[str]:
    """The same without outages: on a busy machine, a process that begins may hear no beat, and notes one."""
    return [kind for kind in stored(game_registry, game) if kind != "outage"]


@pytest.mark.parametrize("bus", [None, "off"])
def test_a_move_at_one_process_is_heard_and_answered_at_another(url: str, bus: str | None) -> None:
    """Whether there is a bus or not."""

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        white = await begun(one, people(), 7)
        black = await two.find(white.address)
        follower = black.follow(GUEST, black.game.version)
        await act(black, GUEST, "move", "b1", hole=7)
        await act(await one.find(white.address), VISITOR, "move", "w1", hole=1)
        version = black.game.version
        await until(lambda: black.game.version == white.game.version)
        assert black.game == white.game
        assert versions(follower)[-1] == version + 1
        # What one process has answered, the other answers too.
        again = await act(black, VISITOR, "move", "w1", hole=1, version=version)
        assert (again["kind"], again["version"]) == ("move", version + 1)
        assert stored(one, white.address).count("move") == 3

    together(url, test, bus)


def test_a_bus_that_is_cut_off_costs_time_and_nothing_else(url: str) -> None:
    """By NATS, which goes away and comes back."""
    nats = Nats()
    if nats.address is None:
        pytest.skip("there is no nats-server to run")
    nats.start()

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        running = await begun(one, people(), 7)
        other = await two.find(running.address)
        other.follow(GUEST, other.game.version)
        await act(running, GUEST, "move", hole=7)
        await until(lambda: other.game == running.game)
        nats.kill()
        await until(lambda: not (one.news.connected or two.news.connected))
        await act(running, VISITOR, "move", hole=1)
        await until(lambda: other.game == running.game)
        nats.start()
        await until(lambda: one.news.connected and two.news.connected)
        await act(running, GUEST, "move", hole=1)
        await until(lambda: other.game == running.game)

    try:
        together(url, test, nats.address)
    finally:
        nats.kill()


def test_who_is_slower_reads_what_is_new_and_decides_again(url: str) -> None:
    """All at once, without any news: the same command, a command that fits no more, and one that still does."""

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        first = await begun(one, people(), 7)
        second = await two.find(first.address)
        version = first.game.version
        moves = [act(running, GUEST, "move", "same", hole=7, version=version) for running in (first, second)]
        told = await asyncio.gather(*moves)
        assert told[0] == told[1]
        draws = [act(first, VISITOR, "offer-draw"), act(second, GUEST, "offer-draw")]
        offers = await asyncio.gather(*draws)
        assert {offer["kind"] for offer in offers} == {"offer-draw", "accept-draw"}
        assert stored(one, first.address)[-3:] == ["move", "offer-draw", "accept-draw"]

    together(url, test, "off")


def test_rows_are_judged_singly(url: str) -> None:
    async def test(one: GameRegistry, two: GameRegistry) -> None:
        games = [Kept(one.storage, f"single{number}", people()) for number in range(3)]
        for game in games:
            for side in Side:
                game.keep(game.next(live.Join(side)))
        lost, wins, double = (game.move() for game in games)
        await two.storage.write(games[0].move(3))
        rematch = Commit("", others=(replace(wins, game="nowhere00000"),))
        early = replace(double, by_time=True)
        with one.storage.engine.begin() as connection:
            verdicts = write_each(connection, [lost, wins, wins, rematch, early, double])
        assert [type(verdict) for verdict in verdicts[:4]] == [TakenError, type(None), TakenError, TakenError]
        assert [type(verdict) for verdict in verdicts[4:]] == [TakenError, TakenError], (
            "without a deadline none has come"
        )
        assert [stored(two, game.id).count("move") for game in games] == [1, 1, 0]

    together(url, test)


def test_a_fallen_flag_is_found_by_anybody_and_written_once() -> None:
    """In a database of their own: outages that other tests note would give these players more time."""

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        now = now_ms()
        flags = [Kept(one.storage, f"flag{number}", alone(clock="1+0"), now - 59_000) for number in range(4)]
        later = Kept(one.storage, "later", people(clock="1d"), now)
        await until(lambda: all("time" in stored(one, game.id) for game in flags))
        for game in flags:
            assert told_of(two, game.id) == ["begin", "time"]
            ending = check_stored(one.repository.load(game.id)).ending
            assert ending is not None
            assert ending.termination is Termination.TIME
        assert told_of(one, later.id) == ["begin"]

    with postgresql_database() as url:
        together(url, test)


def test_what_others_have_decided_at_the_same_time_is_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    """Others have noted an outage, and a flag does not fall yet: this process, which has not heard of it, lets go."""

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        game = Kept(one.storage, "flagged", alone(clock="1+0"), now_ms() - 58_000)
        running = [await game_registry.find(game.id) for game_registry in (one, two)]
        with one.storage.engine.begin() as connection:
            later = "UPDATE games SET due_ms = due_ms + 100000 WHERE id = :id"
            assert connection.execute(text(later), {"id": game.id}).rowcount == 1
        await until(lambda: all(found.dropped for found in running))
        assert "time" not in stored(one, game.id)

    with postgresql_database() as url, caplog.at_level("DEBUG", "korgool"):
        together(url, test)
    assert "The game has moved on" in caplog.text, "otherwise this test has tried nothing"
    games = [record for record in caplog.records if record.name.startswith("korgool.app.server.play")]
    assert [record.getMessage() for record in games if record.levelname != "DEBUG"] == []


def test_the_engine_moves_once_wherever_it_is_looked_at(url: str) -> None:
    async def test(one: GameRegistry, two: GameRegistry) -> None:
        address = await one.start(alone(side=Side.BLACK, clock="30+0"))
        running = [await game_registry.find(address) for game_registry in (one, two)]
        await until(lambda: all(game.game.plies == 1 for game in running))
        hole = running[0].game.position.legal_moves()[0]
        await asyncio.gather(*(act(game, VISITOR, "move", "mine", hole=hole, version=2) for game in running))
        await until(lambda: all(game.game.plies == 3 for game in running))
        assert stored(one, address).count("move") == 3

    together(url, test)


def test_who_is_at_one_process_is_seen_at_another_until_that_process_dies(url: str) -> None:
    async def test(one: GameRegistry, two: GameRegistry) -> None:
        async with hall_over(url) as three:
            here = await begun(one, people(clock="10+5"))
            there = await three.find(here.address)
            watcher, follower = here.follow(VISITOR, None), there.follow(GUEST, None)
            there.follow("s" * 22, None)
            await until(lambda: here.broadcast.presence.audience() == Audience((True, True), 1))
            assert follower.plays
            assert {"kind": "presence", "white": True, "black": True, "viewers": 1} in drained(watcher)
            processes = three.storage.processes
            assert processes is not None
            await asyncio.to_thread(processes.release)
            with one.storage.engine.begin() as connection:
                gone = {"id": processes.id, "at": now_ms() - 60_000}
                connection.execute(text("UPDATE processes SET beat_ms = :at WHERE id = :id"), gone)
            await until(lambda: not here.broadcast.presence.audience().present[1])
            assert one.others is not None
            signs = await one.others.signs(here.address)
            assert signs[1] == pytest.approx(gone["at"], abs=5_000)
            await until(lambda: processes.id not in alive(one))

    together(url, test)


def test_a_time_in_which_nothing_could_be_written_is_charged_to_nobody(url: str) -> None:
    async def test(one: GameRegistry, two: GameRegistry) -> None:
        running = await begun(one, people(clock="10+5"), 7)
        other = await two.find(running.address)
        keepers = [game_registry.storage.processes for game_registry in (one, two)]
        before = now_ms()
        for keeper in keepers:
            assert keeper is not None
            keeper._ended.set()
            keeper._thread.join()  # type: ignore[union-attr]
        statement(one, f"UPDATE processes SET beat_ms = {before - 60_000}")
        statement(one, f"UPDATE events SET at_ms = at_ms - 60000 WHERE game_id = '{running.address}'")
        for game_registry in (one, two):
            game_registry._games.clear()
        for keeper in keepers:
            keeper.beat()  # type: ignore[union-attr]
        found = await asyncio.gather(*(game_registry.find(running.address) for game_registry in (one, two)))
        await until(lambda: all(game.history.entries[-1].kind == "outage" for game in found))
        assert stored(one, running.address).count("outage") == 1
        clock = found[0].game.game.clock
        assert clock is not None
        assert clock.remaining(Side.BLACK, now_ms()) > 590_000
        assert other.game.version < found[1].game.version

    together(url, test)


def test_two_hosts_with_other_clocks_have_the_time_of_the_database(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from korgool.app.server.core import wall_clock as clock

    async def test() -> None:
        true = clock.now_ms()
        monkeypatch.setattr(clock, "_START", clock._START + 10_000_000_000)
        assert clock.now_ms() >= true + 10_000
        async with hall_over(url):
            assert clock.ahead_ms() == pytest.approx(-10_000, abs=2_000)
            assert clock.now_ms() < true + 8_000

    run_async(test())


@pytest.mark.parametrize("bus", [None, "off"])
def test_games_that_move_to_an_account_are_its_own_at_every_process(url: str, bus: str | None) -> None:
    """With news at once; without, who comes to the game finds it so, and a follower's process reads it by itself."""
    account = "a" * 22

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        followed, visited = [await begun(one, people(), 7) for _ in range(2)]
        there = await two.find(followed.address)
        there.follow(VISITOR, None)
        await two.find(visited.address)
        heard: list[str] = []
        two.news.listen("seats", lambda who, _: heard.append(who))
        await asyncio.to_thread(move, PeopleTransactions(one.storage.engine), VISITOR, account)
        one.reseat(VISITOR)
        await until(lambda: bus == "off" or heard == [VISITOR])
        for game_registry in (one, two):
            mine = await game_registry.find(visited.address)
            assert mine.players == {account, GUEST}
            assert (await refusal_of(act(mine, VISITOR, "resign")))[0] == 403
        await act(mine, account, "resign")
        await until(lambda: there.dropped)
        assert (await two.find(followed.address)).players == {account, GUEST}

    together(url, test, bus)


def test_news_of_any_kind_reach_the_others_and_not_oneself(url: str) -> None:
    async def test(one: GameRegistry, two: GameRegistry) -> None:
        heard: list[tuple[str, str, str]] = []
        one.news.listen("session", lambda topic, said: heard.append(("one", topic, said)))
        two.news.listen("session", lambda topic, said: heard.append(("two", topic, said)))
        one.news.tell("session", "x", "ended")
        one.news.tell("session", "y", "ü" * 9_000)
        await until(lambda: len(heard) == 2)
        assert heard == [("two", "x", "ended"), ("two", "y", "")], "too long: look yourself"

    together(url, test)


def test_an_offer_in_the_lobby_is_shown_everywhere_while_its_maker_waits_anywhere(url: str) -> None:
    async def test(one: GameRegistry, two: GameRegistry) -> None:
        here, there = ChallengeService(one), ChallengeService(two)
        there._game_registry.news.listen("challenge", lambda address, _: there._wake(address))
        there._opened = time.monotonic() - 60  # it runs for longer than anybody may look away
        asked = AskedTerms("toguz", to="lobby", side="white", clock="10+5")
        made = await here.make(asked, VISITOR, Caller("192.0.2.1", VISITOR))
        here.attend(made, VISITOR, 5.0)
        await until_shown(there, made.id)
        waiting = asyncio.create_task(there.wait(made.id, Caller("192.0.2.2", GUEST), PATIENCE))
        begun = await here.accept(made.id, GUEST, Caller("192.0.2.2", GUEST))
        assert (await waiting).game == begun.game
        running = [await game_registry.find(begun.game) for game_registry in (one, two)]
        assert running[0].game.terms == running[1].game.terms

    together(url, test)


async def until_shown(desk: ChallengeService, challenge: str) -> None:
    late = time.monotonic() + PATIENCE
    while challenge not in [one.id for one in await desk.lobby()]:
        assert time.monotonic() < late
        await asyncio.sleep(0.05)
