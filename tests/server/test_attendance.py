"""Who is at a game: connections, signs of life, and what a decision is told of them."""

from __future__ import annotations

from korgool.app.server.core.live_connection import ClientListener
from korgool.app.server.limits import OFF
from korgool.app.server.play.presence import PresenceTracker
from korgool.app.server.play.subscribers import Subscriber
from korgool.live import Facts

from .inside import GUEST, STRANGER, VISITOR, alone, drained, people

NOW = 1_700_000_000_000


class Line:
    """A connection whose lag and silence are known."""

    def __init__(self, lag: int, silent: int) -> None:
        self._lag, self._silent = lag, silent

    def listen(self, listener: ClientListener) -> None:
        """Nobody says anything."""

    def push(self, message: bytes) -> bool:
        return True

    def shut(self, code: int, reason: str) -> None:
        """Nobody is at the other end."""

    def lag_ms(self) -> int:
        return self._lag

    def silent_ms(self) -> int:
        return self._silent


def test_nobody_has_lag_who_is_not_connected() -> None:
    attendance = PresenceTracker(people(), (None, NOW - 9_000))
    assert attendance.facts(NOW, 5, None) == Facts((0, 0), (None, NOW - 9_000), 5, None)


def test_a_connection_tells_the_lag_and_the_last_sign() -> None:
    attendance = PresenceTracker(people(), (None, NOW - 100))
    lines = ((VISITOR, 30, 700), (VISITOR, 40, 900), (GUEST, 50, 800), (STRANGER, 60, 0))
    for who, lag, silent in lines:
        attendance.subscribers.join(Subscriber(who, plays=who != STRANGER, outlet=Line(lag, silent)), OFF)
    facts = attendance.facts(NOW, 0, None)
    assert facts.lags == (40, 50), "the newest page has it"
    assert facts.signs == (NOW - 700, NOW - 100), "the latest sign counts, on whichever"
    assert attendance.audience().present == (True, True)
    assert attendance.audience().viewers == 1


def test_the_engine_is_always_there_and_a_stranger_gives_no_sign() -> None:
    attendance = PresenceTracker(alone(), (7, None))
    assert attendance.audience().present == (False, True)
    assert attendance.heard(STRANGER) == ()
    assert attendance.signs == (7, None)


def test_since_when_an_absence_counts_is_told_when_it_changes() -> None:
    """Whoever looks at the game without a connection gives a sign too. Those who only watch do not hear of it."""
    signs = [0, 0]
    attendance = PresenceTracker(people(), (None, None), lambda side: signs[side])
    guest, watcher = Subscriber(GUEST, plays=True), Subscriber(STRANGER)
    for one in (guest, watcher):
        attendance.subscribers.join(one, OFF)
    attendance.tell()

    def told() -> list[tuple[int | None, int | None]]:
        return [(one.get("white_gone"), one.get("black_gone")) for one in drained(guest) if one]

    assert told() == [(0, None)]
    signs[:] = [5, 7]
    attendance.heard(VISITOR)
    assert told() == [(5, None)]
    attendance.heard(VISITOR)
    assert told() == [], "nothing new"
    signs[0] = 9
    attendance.heard(VISITOR)
    assert told() == [(9, None)]
    player = Subscriber(VISITOR, plays=True)
    attendance.subscribers.join(player, OFF)
    attendance.tell()
    assert told() == [(None, None)]
    signs[0] = 11
    attendance.leave(player)
    assert told() == [(11, None)]
    attendance.note_signs((3, 8))
    assert told() == [], "no later than what was known"
    heard = [one for one in drained(watcher) if one]
    assert [one["white"] for one in heard] == [False, True, False]
    assert not any("gone" in key for one in heard for key in one)
