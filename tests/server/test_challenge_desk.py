"""The desk of challenges without a network: players who have names, expiry, waiting, forgetting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import text

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits import OFF, Caller, Rate, RateLimiter, ServiceLimits
from korgool.app.server.play.challenges.request import AskedTerms
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.personal_news import WaitingPlaces
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import Commit
from korgool.live import ChallengeState, DeclineReason, Refused, Way
from tests.patience import PATIENCE, in_time, until

from .support import run_async
from .test_challenge_storage import ANN, BOB, EVE, NOW, challenge

T = TypeVar("T")


def at_desk(
    folder: Path,
    work: Callable[[ChallengeService], Coroutine[Any, Any, T]],
    players: dict[str, str] | None = None,
    limits: ServiceLimits = OFF,
) -> T:
    """What happens at the desk of a server without a network."""

    async def find(name: str) -> str | None:
        return (players or {}).get(name)

    async def run() -> T:
        config = ServerSettings(data=folder, limits=limits)
        storage = Storage.open(config)
        game_registry = GameRegistry(storage, config)
        await game_registry.open()
        desk = ChallengeService(game_registry, find)
        desk.open()
        try:
            return await work(desk)
        finally:
            desk.close()
            await game_registry.close()
            storage.close()

    return run_async(run())


async def refusal_of(work: Awaitable[object]) -> tuple[int, str]:
    with pytest.raises(ApiError) as caught:
        await work
    return caught.value.status, str(caught.value)


def test_a_challenge_to_a_player(tmp_path: Path) -> None:
    asked = AskedTerms("toguz", "Aibek", "10+5")

    async def work(desk: ChallengeService) -> None:
        one = await desk.make(asked, ANN, Caller("", ANN))
        assert (one.to, one.way) == (BOB, Way.NAME)
        stranger = await refusal_of(desk.accept(one.id, EVE, Caller("", EVE)))
        assert stranger == (403, "This invitation is meant for somebody else.")
        assert (await refusal_of(desk.decline(one.id, EVE, None)))[0] == 403
        declined = await desk.decline(one.id, BOB, DeclineReason.LATER)
        assert await desk.look(one.id) == declined
        assert (declined.state, declined.reason) == (ChallengeState.DECLINED, DeclineReason.LATER)
        assert await refusal_of(desk.accept(one.id, BOB, Caller("", BOB))) == (409, "This invitation was declined.")
        again = await desk.make(asked, ANN, Caller("", ANN))
        begun = await desk.accept(again.id, BOB, Caller("", BOB))
        assert begun.game == (await desk.look(again.id)).game
        assert (await refusal_of(desk.make(AskedTerms("toguz", "Ann"), ANN, Caller("", ANN))))[0] == 422
        assert (await refusal_of(desk.make(AskedTerms("toguz", "Nurlan"), ANN, Caller("", ANN))))[0] == 404
        assert await desk.lobby() == []

    at_desk(tmp_path, work, {"Aibek": BOB, "Ann": ANN})


@pytest.mark.parametrize("declined", [False, True])
@pytest.mark.parametrize(("watching", "told"), [(None, [ANN]), (EVE, [ANN]), (ANN, [])])
def test_the_maker_is_told_unless_they_look_at_it_themselves(
    tmp_path: Path, declined: bool, watching: str | None, told: list[str]
) -> None:
    heard: list[str] = []

    class Recorder:
        def tell(self, who: str, *_: object, **__: object) -> None:
            heard.append(who)

        def __getattr__(self, _: str) -> Callable[..., None]:
            return lambda *_, **__: None

    async def work(desk: ChallengeService) -> None:
        one = await desk.make(AskedTerms("toguz", "Aibek", "3d"), ANN, Caller("", ANN))
        looking = None
        if watching is not None:
            waits = desk.wait(one.id, Caller("", watching), PATIENCE, who=watching)
            looking = asyncio.create_task(waits)
            await until(lambda: one.id in desk._waiting)
        desk._game_registry.notices = Recorder()  # type: ignore[assignment]
        if declined:
            await desk.decline(one.id, BOB, DeclineReason.LATER)
        else:
            await desk.accept(one.id, BOB, Caller("", BOB))
        if looking is not None:
            assert (await looking).state is not ChallengeState.OPEN
        desk._game_registry.notices = None

    at_desk(tmp_path, work, {"Aibek": BOB})
    assert heard == told


def test_a_challenge_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    time = NOW

    async def work(desk: ChallengeService) -> None:
        nonlocal time
        monkeypatch.setattr("korgool.app.server.play.challenges.service.now_ms", lambda: time)
        one = await desk.make(AskedTerms("toguz", "lobby", "3+2"), ANN, Caller("", ANN))
        assert one.expires == NOW + 15 * 60_000
        time = one.expires - 1
        assert [found.id for found in await desk.lobby()] == [one.id]
        time = one.expires
        assert await desk.lobby() == []
        assert await desk.wait(one.id, Caller(""), PATIENCE) == one, "nobody waits for what has expired"
        for command in (desk.accept(one.id, BOB, Caller("", BOB)), desk.withdraw(one.id, ANN)):
            assert await refusal_of(command) == (409, "This invitation is too old.")

    at_desk(tmp_path, work)


def test_an_offer_in_the_lobby_is_hidden_while_its_maker_is_away(tmp_path: Path) -> None:
    made: list[str] = []

    async def listed(desk: ChallengeService, *ids: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while {one.id for one in await desk.lobby()} != set(ids):
                await asyncio.sleep(0.05)

    async def away(desk: ChallengeService) -> None:
        slow, waits, goes = [
            await desk.make(AskedTerms("toguz", "lobby", clock), ANN, Caller("", ANN))
            for clock in ("3d", "3+2", "none")
        ]
        made.extend((slow.id, waits.id, goes.id))
        desk.attend(waits, ANN, seconds=600)
        await listed(desk, slow.id, waits.id)
        desk.attend(goes, BOB, seconds=600)
        assert goes.id not in {one.id for one in await desk.lobby()}
        assert (await desk.look(goes.id)).state is ChallengeState.OPEN
        desk.attend(goes, ANN, seconds=600)
        await listed(desk, *made)

    async def restarted(desk: ChallengeService) -> None:
        await listed(desk, *made)

    at_desk(tmp_path, away, limits=replace(OFF, offered_seconds=0.1))
    at_desk(tmp_path, restarted, limits=replace(OFF, offered_seconds=600.0))


def test_whoever_waits_hears_of_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.play.challenges.service.LOOK_AGAIN", 0.05)

    async def work(desk: ChallengeService) -> None:
        one = await desk.make(AskedTerms("toguz", "link"), ANN, Caller("", ANN))
        waiting = asyncio.create_task(desk.wait(one.id, Caller(""), 20))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        withdrawn = one.withdraw(ANN, 0)
        assert not isinstance(withdrawn, Refused)
        await desk._game_registry.storage.write(Commit("", settles=withdrawn))  # nobody is told
        assert (await in_time(waiting)).state is ChallengeState.WITHDRAWN
        assert not desk._waiting
        assert not desk._game_registry.waiting_places._taken

    at_desk(tmp_path, work)


def test_the_desk_forgets_by_itself(tmp_path: Path) -> None:
    async def fill(desk: ChallengeService) -> None:
        for number in range(3):
            await desk._game_registry.storage.write(Commit("", challenge=challenge(f"o{number}", expires=1)))

    async def look(desk: ChallengeService) -> None:
        await until(lambda: not desk.repository.count_old(NOW))

    at_desk(tmp_path, fill)
    at_desk(tmp_path, look)


def test_the_lobby_is_read_now_and_then_and_after_every_change_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("korgool.app.server.play.challenges.service._LIST_SECONDS", 3600.0)

    async def work(desk: ChallengeService) -> None:
        async def listed() -> list[str]:
            return [one.id for one in await desk.lobby()]

        one = await desk.make(AskedTerms("toguz", "lobby"), ANN, Caller("", ANN))
        assert await listed() == [one.id]
        await desk._game_registry.storage.write(Commit("", challenge=challenge("other", way=Way.LOBBY, expires=2**60)))
        assert await listed() == [one.id], "it was read a moment ago"
        await desk.withdraw(one.id, ANN)
        assert await listed() == ["other".ljust(12, "0")]

    at_desk(tmp_path, work)


def test_what_does_not_reach_the_disk_is_refused(tmp_path: Path) -> None:
    async def work(desk: ChallengeService) -> None:
        one = await desk.make(AskedTerms("toguz", "link"), ANN, Caller("", ANN))
        storage = desk._game_registry.storage
        storage.ownership._epoch += 1
        for work in (
            desk.make(AskedTerms("toguz", "link"), ANN, Caller("", ANN)),
            desk.accept(one.id, BOB, Caller("", BOB)),
            desk.withdraw(one.id, ANN),
        ):
            assert (await refusal_of(work))[0] == 503
        storage.ownership._epoch -= 1
        assert (await desk.look(one.id)).state is ChallengeState.OPEN
        assert await desk.accept(one.id, BOB, Caller("", BOB)) == await desk.accept(one.id, BOB, Caller("", BOB))
        assert (await refusal_of(desk.withdraw(one.id, ANN)))[0] == 409

    at_desk(tmp_path, work)


@pytest.mark.parametrize("address", ["A" * 12, "A" * 11, "A" * 13, "A" * 11 + "-", ""])
def test_there_is_no_challenge_at_such_an_address(tmp_path: Path, address: str) -> None:
    async def work(desk: ChallengeService) -> None:
        for command in (
            desk.look(address),
            desk.accept(address, BOB, Caller("", BOB)),
            desk.decline(address, BOB, None),
            desk.withdraw(address, BOB),
            desk.wait(address, Caller(""), 20),
        ):
            assert (await refusal_of(command))[0] == 404
        assert not desk._waiting
        assert not desk._game_registry.waiting_places._taken

    at_desk(tmp_path, work)


def test_so_many_wait_and_so_many_challenges_are_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.play.challenges.service.LOOK_AGAIN", 3600.0)  # they are told

    async def work(desk: ChallengeService) -> None:
        desk._game_registry.limits = replace(OFF, session_news=1, address_news=2, open_challenges=2)
        desk._game_registry.waiting_places = WaitingPlaces(desk._game_registry.limits)
        one, two = [await desk.make(AskedTerms("toguz", "link"), ANN, Caller("a", ANN)) for _ in range(2)]
        assert {found.id for found in await desk.open_of(ANN)} == {one.id, two.id}
        assert (await refusal_of(desk.make(AskedTerms("toguz", "link"), ANN, Caller("a", ANN))))[0] == 429
        begun = await desk.make(AskedTerms("toguz", "level:1"), ANN, Caller("a", ANN))
        assert begun.state is ChallengeState.ACCEPTED, "what begins at once is not open"
        waiting = [asyncio.create_task(desk.wait(one.id, Caller("a", who), 3600)) for who in (ANN, BOB)]
        await asyncio.sleep(0.05)
        for caller in (Caller("a", EVE), Caller("b", ANN)):
            assert (await refusal_of(desk.wait(one.id, caller, 20)))[0] == 429
        await desk.withdraw(one.id, ANN)
        heard = await in_time(asyncio.gather(*waiting))
        assert [found.state for found in heard] == [ChallengeState.WITHDRAWN] * 2
        assert not desk._game_registry.waiting_places._taken
        await desk.make(AskedTerms("toguz", "link"), ANN, Caller("a", ANN))

    at_desk(tmp_path, work)


def test_terms_that_are_not_possible_and_one_start_too_many_read_nothing(tmp_path: Path) -> None:
    async def work(desk: ChallengeService) -> None:
        desk._game_registry.starts.rate_limiter = RateLimiter(replace(OFF, session_games=Rate(1, "h", 1)))
        with desk._game_registry.storage.engine.begin() as connection:
            for table in ("challenges", "seats"):
                connection.execute(text(f"ALTER TABLE {table} RENAME TO {table}_away"))
        caller = Caller("a", ANN)
        assert (await refusal_of(desk.make(AskedTerms("toguz", "link", delay=-1), ANN, caller)))[0] == 422
        desk._game_registry.starts.count(caller)
        assert (await refusal_of(desk.make(AskedTerms("toguz", "link"), ANN, caller)))[0] == 429

    at_desk(tmp_path, work)


def test_who_accepts_twice_at_once_is_told_of_one_game(tmp_path: Path) -> None:
    async def work(desk: ChallengeService) -> None:
        one = await desk.make(AskedTerms("toguz", "link"), ANN, Caller("a", ANN))
        asked = [desk.accept(one.id, who, Caller("a", who)) for who in (BOB, BOB, EVE, EVE)]
        bob, again, *eve = await asyncio.gather(*asked, return_exceptions=True)
        if isinstance(bob, ApiError):
            (bob, again), eve = eve, [bob, again]
        assert bob == again
        assert not isinstance(bob, BaseException)
        assert [one.status for one in eve if isinstance(one, ApiError)] == [409, 409]

    at_desk(tmp_path, work)
