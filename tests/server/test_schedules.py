"""Random schedules of the whole room of play with simulated time, over a real database.

Two people with three pages, a watcher, a network that delays and cuts, a server that is killed or stopped in the
middle, a disk that is full now and then: whatever happens, in the end clients, server and journal say the same, every
move has happened once, every offer is answered at most once, and the clocks have charged the time in which a player was
on the move and a server was there, less the lag that the quota allows.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage import database
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.journal import JournalEntry, StoredGame
from korgool.live import OnlineGame
from korgool.live.journal import Moved, TimeAdded, happen
from korgool.rules import Side, Termination
from tests.conftest import SEED

from .inside import plain
from .schedules import World, play
from .support import agrees

_BEATS_MS = 1_500
"""A killed server was last heard of so long ago, at most, if the disk was not full. That time is charged to nobody."""
_RARE_BEATS_MS = 10_500
"""The same where nobody had opened the game on that server, or only just."""


@pytest.fixture(scope="module", autouse=True)
def one_engine() -> Iterator[None]:
    """Every start connects anew, but SQLAlchemy compiles its statements once and not for every start."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "_engine", cache(database._engine))
        yield


@pytest.fixture(scope="module")
def place() -> Iterator[tuple[Path, bytes]]:
    """A folder for databases, in memory where there is such a thing, and the bytes of an empty one."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        settings = ServerSettings(data=Path(folder))
        Storage.open(settings).close()
        yield Path(folder), Path(settings.url().database or "").read_bytes()


def check_commands(world: World, entries: tuple[JournalEntry, ...]) -> None:
    """Every command that was acknowledged happened once, every move too, and what was refused did not happen."""
    named = {(entry.side, entry.command): entry for entry in entries if entry.command}
    assert len(named) == sum(entry.command is not None for entry in entries), "a command happened twice"
    moves = set()
    for tab in world.players:
        assert tab.state is not None
        side = (Side.WHITE, Side.BLACK)[tab.state["you"] == "black"]
        for name, answer in tab.answers.items():
            said, own = tab.said[name], named.get((side, name))
            if "refused" in answer:
                assert own is None, f"{said} was refused and happened"
                continue
            entry = entries[answer["version"] - 1]
            if said["do"] == "move":
                assert (entry.kind, entry.side) == ("move", side)
                assert isinstance(entry.event, Moved)
                assert entry.event.hole == said["hole"]
                moves.add(entry.version)
            elif said["do"] != "rematch":
                assert own is entry, f"{said} was acknowledged and did not happen"
    assert moves == {entry.version for entry in entries if entry.kind == "move"}


def check_offers(entries: tuple[JournalEntry, ...]) -> None:
    """An offer of a draw and a question are answered at most once, and there is no answer without them."""
    draws, asked = {Side.WHITE: False, Side.BLACK: False}, None
    for entry in entries:
        side, kind = entry.side, entry.kind
        if kind == "move":
            assert side is not None
            assert isinstance(entry.event, Moved)
            draws[side.other], asked = False, None
            draws[side] |= entry.event.offer
        elif kind == "takeback":
            assert asked is not None
            assert side is asked.other
            draws, asked = {Side.WHITE: False, Side.BLACK: False}, None
        elif kind == "offer-draw":
            assert side is not None
            assert not draws[side]
            draws[side] = True
        elif kind in {"accept-draw", "decline-draw"}:
            assert side is not None
            assert draws[side.other], f"{kind} without an offer"
            draws[side.other] = False
        elif kind == "ask-takeback":
            assert asked is not side
            asked = side
        elif kind == "decline-takeback":
            assert asked is not None
            assert side is asked.other
            asked = None


class Clocks:
    """What the clocks should show, counted without them: from the times of the journal and of the servers.

    Attributes:
        spent: milliseconds in which each side was on the move and a server was there.
        added: milliseconds given to each side.
        lags: milliseconds of lag given back to each side.
        turns: how many turns each side has completed.
    """

    def __init__(self, world: World, stored: StoredGame) -> None:
        self._served = world.served
        self.spent, self.added, self.lags, self.turns = [0, 0], [0, 0], [0, 0], [0, 0]
        game = OnlineGame.open(stored.terms, stored.opened_ms)
        self._turn_began = game.at
        for entry in stored.entries:
            if game.begun and not game.over:
                self.spent[game.to_move] += self._there(game.at, entry.at_ms)
            after, _ = happen(game, entry.event, entry.at_ms)
            self._count(game, entry, after)
            game = after
        self.game = game

    def _there(self, since: int, until: int) -> int:
        return sum(max(0, min(until, end) - max(since, begin)) for begin, end in self._served)

    def _count(self, game: OnlineGame, entry: JournalEntry, after: OnlineGame) -> None:
        side, event = game.to_move, entry.event
        if isinstance(event, Moved):
            assert event.lag_ms <= entry.at_ms - self._turn_began, "more lag than the turn took"
            self.lags[side] += event.lag_ms
            self.turns[side] += after.to_move is not side or after.over
            rule, turns = game.lag_rule, self.turns[side]
            assert self.lags[side] <= rule.most_ms + rule.gain_ms * turns, "more lag than the quota"
        elif isinstance(event, TimeAdded):
            self.added[event.side] += event.ms
        if after.to_move is not side or not game.begun or entry.kind == "takeback":
            self._turn_began = entry.at_ms
        if entry.kind == "time":
            self._check_flag(game, entry)

    def _check_flag(self, game: OnlineGame, entry: JournalEntry) -> None:
        """A flag falls in time: when the quota of lag is used up at the latest."""
        clock = game.game.clock
        assert clock is not None
        falls = clock.falls_at()
        assert falls is not None
        assert 0 <= entry.at_ms - falls <= game.quotas[side := game.to_move] + 100, (side, entry)

    def check(self, restarts: int, unopened: int, *, faults: bool) -> None:
        clock = self.game.game.clock
        if clock is None:
            return
        slack = ((restarts - unopened) * _BEATS_MS + unopened * _RARE_BEATS_MS) * (5 if faults else 1)
        for side in Side:
            left, fallen = clock.remaining(side, self.game.at), clock.remaining(side, self.game.at) == 0
            charged = clock.control.initial_ms + self.added[side] - left
            assert charged <= self.spent[side] - self.lags[side] * (not fallen), (side, charged, self.spent, self.lags)
            if not fallen:
                assert charged >= self.spent[side] - self.lags[side] - slack, (side, charged, self.spent, self.lags)


def check(folder: Path, seed: int) -> Counter[str]:
    """Play a schedule and check its end; what happened in it."""
    world, game, stored = play(folder, seed)
    assert game == stored.replay()
    assert game.version == len(stored.entries)
    for tab in world.tabs:
        assert tab.state is not None
        agrees(tab.state, plain(world.states[tab.who]))
    check_commands(world, stored.entries)
    check_offers(stored.entries)
    clocks = Clocks(world, stored)
    clocks.check(len(world.served) - 1, world.unopened, faults=bool(world.faults))
    seen = Counter(entry.kind for entry in stored.entries)
    seen["kill"] += world.kills
    seen["stop"] += len(world.served) - 1 - world.kills
    seen["lag"] += any(clocks.lags)
    ending = game.ending
    seen["flag"] += ending is not None and ending.termination is Termination.TIME
    return seen


def run_schedules(place: tuple[Path, bytes], seeds: range) -> Counter[str]:
    folder, empty = place
    found: Counter[str] = Counter()
    for seed in seeds:
        for file in folder.iterdir():
            file.unlink()
        (folder / "korgool.sqlite").write_bytes(empty)
        try:
            found += check(folder, seed)
        except BaseException as error:
            error.add_note(f"schedule {seed}")
            database._engine.cache_clear()  # type: ignore[attr-defined] # the next has a file of its own
            raise
    return found


USUAL = {"join", "begin", "move", "takeback", "add-time", "ask-rematch", "rematch", "outage", "kill", "stop", "lag"}
RARE = {"offer-draw", "decline-draw", "accept-draw", "resign", "ask-takeback", "decline-takeback", "abort", "time"}


def test_a_slice_of_the_schedules(place: tuple[Path, bytes]) -> None:
    found = run_schedules(place, range(SEED * 100_000, SEED * 100_000 + 20))
    assert set(found) >= USUAL, found


@pytest.mark.long
@pytest.mark.parametrize("part", range(20))
def test_ten_thousand_schedules(place: tuple[Path, bytes], part: int) -> None:
    first = SEED * 100_000 + part * 500
    found = run_schedules(place, range(first, first + 500))
    assert set(found) >= USUAL | RARE | {"claim", "flag"}, found
