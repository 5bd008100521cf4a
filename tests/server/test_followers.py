"""The followers of a game by themselves: who is admitted, who is let go, and whose device is asked for a move."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError
from korgool.app.server.core.live_connection import COME_AGAIN, REPLACED, TOO_SLOW
from korgool.app.server.limits import OFF, Caller, ServiceLimits
from korgool.app.server.play.subscribers import Subscriber, Subscribers
from tests.patience import PATIENCE, in_time

from .support import run_async

MANY = 200
"""Messages that may lie in a queue."""


def player(session: str = "s", address: str = "1.1.1.1") -> Subscriber:
    return Subscriber(session, Caller(address, session), plays=True)


def watcher(address: str = "1.1.1.1") -> Subscriber:
    return Subscriber(None, Caller(address))


def told(follower: Subscriber) -> list[bytes | None]:
    return [follower.queue.get_nowait() for _ in range(follower.queue.qsize())]


def joined(*followers: Subscriber, limits: ServiceLimits = OFF) -> Subscribers:
    found = Subscribers()
    for follower in followers:
        found.join(follower, limits)
    return found


def test_one_who_comes_is_nobody_in_particular() -> None:
    follower = Subscriber(None)
    assert (follower.thinks, follower.caller, follower.end[0]) == (False, Caller(""), COME_AGAIN)
    assert (follower.who, follower.plays, follower.lag_ms, follower.silent_ms) == (None, False, 0, 0)
    assert told(follower) == []


def test_a_queue_holds_two_hundred_messages_and_then_ends() -> None:
    follower = watcher()
    followers = joined(follower)
    for number in range(MANY):
        assert follower.tell(b"%d" % number) is True
    followers.tell(follower, b"one more")
    assert len(followers) == 0
    assert follower.end[0] == TOO_SLOW
    assert told(follower) == [b"%d" % number for number in range(MANY)] + [None]


def test_one_who_keeps_up_stays() -> None:
    follower = watcher()
    followers = joined(follower)
    followers.tell(follower, b"a")
    assert list(followers) == [follower]
    assert told(follower) == [b"a"]


def test_the_oldest_page_of_a_player_gives_way_and_nobody_else() -> None:
    limits = replace(OFF, player_sockets=2)
    other, guest, first, second = player("another"), watcher(), player(), player()
    followers = joined(other, guest, first, second, limits=limits)
    assert len(followers) == 4
    third = player()
    followers.join(third, limits)
    assert list(followers) == [other, guest, second, third]
    assert (first.end[0], told(first)) == (REPLACED, [None])
    assert all(it.end[0] == COME_AGAIN and not told(it) for it in followers)


def test_a_watcher_of_the_same_session_is_no_page_of_the_player() -> None:
    limits = replace(OFF, player_sockets=1)
    guest = Subscriber("s", Caller("1.1.1.1", "s"))
    followers = joined(guest, player(), limits=limits)
    assert len(followers) == 2


def test_without_limits_all_are_admitted() -> None:
    assert len(joined(*(player() for _ in range(9)), *(watcher() for _ in range(9)))) == 18


def test_so_many_watch_and_no_more() -> None:
    limits = replace(OFF, watchers=2)
    followers = joined(player(), player(), watcher("1.1.1.1"), watcher("1.1.1.2"), limits=limits)
    with pytest.raises(RateLimitError) as refused:
        followers.join(watcher("1.1.1.3"), limits)
    assert (refused.value.message, refused.value.wait) == (errors.TOO_MANY_SOCKETS, 30.0)
    assert len(followers) == 4
    followers.join(player("another"), limits)  # players are always admitted


def test_so_many_watch_from_one_address() -> None:
    limits = replace(OFF, address_watchers=2)
    followers = joined(player(), watcher(), watcher("1.1.1.2"), watcher(), limits=limits)
    with pytest.raises(RateLimitError):
        followers.join(watcher(), limits)
    followers.join(watcher("1.1.1.2"), limits)
    assert len(followers) == 5


def test_all_are_dismissed() -> None:
    some = [player(), watcher()]
    followers = joined(*some)
    followers.dismiss()
    assert len(followers) == 0
    assert [told(follower) for follower in some] == [[None], [None]]


@pytest.mark.parametrize("what", ["stir", "leave", "dismiss", "offer", "too slow"])
def test_whatever_happens_wakes_who_waits(what: str) -> None:
    async def run() -> None:
        follower = player()
        followers = joined(follower)
        waiting = [asyncio.create_task(followers.stirred(3600)) for _ in range(2)]
        await asyncio.sleep(0)
        if what == "leave":
            followers.leave(follower)
        elif what == "dismiss":
            followers.dismiss()
        elif what == "offer":
            followers.offer(follower, True)
        elif what == "too slow":
            for _ in range(MANY + 1):
                followers.tell(follower, b"a")
        else:
            followers.stir()
        await in_time(asyncio.gather(*waiting))
        again = asyncio.create_task(followers.stirred(3600))  # a new wait is for what comes next
        await asyncio.sleep(0.01)
        assert not again.done()
        again.cancel()

    run_async(run())


@pytest.mark.parametrize("steps", range(5))
def test_who_is_cancelled_while_something_happens_waits_no_more(steps: int) -> None:
    """A task that waits again and again ends, however close the two come to each other."""

    async def run() -> None:
        followers = joined(player())

        async def wait() -> None:
            while True:
                await followers.stirred(3600)

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0.01)
        followers.stir()
        for _ in range(steps):
            await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting], timeout=PATIENCE)
        assert waiting.cancelled()

    run_async(run())


def test_who_waits_for_nothing_goes_on_after_a_while() -> None:
    run_async(in_time(Subscribers().stirred(0.01)))


def test_one_who_left_already_may_leave_again() -> None:
    follower = player()
    followers = joined(follower)
    followers.leave(follower)
    followers.leave(follower)
    assert len(followers) == 0


def test_only_a_player_can_offer_to_think() -> None:
    mine, guest = player(), watcher()
    followers = joined(mine, guest)
    for follower in (mine, guest):
        followers.offer(follower, True)
    assert (mine.thinks, guest.thinks) == (True, False)
    followers.offer(mine, False)
    assert not mine.thinks


def test_the_newest_that_offers_is_asked_once() -> None:
    async def run() -> None:
        first, second, silent, guest = player(), player(), player(), watcher()
        followers = joined(first, second, silent, guest)
        for follower in (first, second):
            followers.offer(follower, True)
        done = False
        asking = asyncio.create_task(followers.ask(b"?", 3600, lambda: done))
        for _ in range(3):
            await asyncio.sleep(0.001)
            followers.stir()
        assert [told(it) for it in (first, second, silent, guest)] == [[], [b"?"], [], []]
        followers.leave(second)
        await asyncio.sleep(0.001)
        assert [told(it) for it in (first, second)] == [[b"?"], []]
        assert not asking.done()
        done = True
        followers.stir()
        await in_time(asking)
        assert first.thinks

    run_async(run())


def test_nobody_is_asked_who_has_not_offered_and_nothing_that_is_answered() -> None:
    async def run() -> None:
        follower = player()
        followers = joined(follower)
        await in_time(followers.ask(b"?", 3600, lambda: False))
        followers.offer(follower, True)
        await in_time(followers.ask(b"?", 3600, lambda: True))
        assert told(follower) == []

    run_async(run())


def test_one_that_does_not_answer_in_time_is_not_asked_again() -> None:
    async def run() -> None:
        first, second = player(), player()
        followers = joined(first, second)
        for follower in (first, second):
            followers.offer(follower, True)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        await in_time(followers.ask(b"?", 0.05, lambda: False))
        assert loop.time() - begun >= 0.04
        assert (first.thinks, second.thinks) == (True, False)
        assert [told(it) for it in (first, second)] == [[], [b"?"]]
        followers.offer(second, True)
        await in_time(followers.ask(b"??", 0.0, lambda: False))
        assert (told(second), second.thinks) == ([b"??"], False)

    run_async(run())


def test_one_that_is_too_far_behind_is_not_waited_for() -> None:
    async def run() -> None:
        follower = player()
        followers = joined(follower)
        followers.offer(follower, True)
        for _ in range(MANY):
            follower.tell(b"a")
        await in_time(followers.ask(b"?", 3600, lambda: False))
        assert len(followers) == 0

    run_async(run())
