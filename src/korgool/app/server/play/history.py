"""The history of a game in memory: its journal, the messages made of it, and the results of its commands.

By these a command that is sent again gets the same answer and happens once. Spectators may see a part of the history.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import msgspec

from korgool import live
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.game_events import tell
from korgool.app.server.storage.journal import JournalEntry
from korgool.live.journal import Moved, TakenBack, happen
from korgool.notation.moves import format_move
from korgool.rules import Side

_BACKLOG = 500
"""The most events replayed to a follower who reconnects; one who missed more gets the state instead."""
_REMEMBERED = 64
"""Number of answers without an event that are remembered."""
_PASSING = {429, 503}
"""Refusals that say nothing of the command: it may be sent again later."""


class GameHistory:
    """The history of one game. Messages of events from before this process are made when somebody asks for them."""

    def __init__(self, address: str, game: live.OnlineGame, entries: Sequence[JournalEntry]) -> None:
        self.address = address
        self.game = game
        self.entries = list(entries)
        self.results = CommandResults(self)
        self._messages: dict[int, bytes] = {}
        self._texts: list[str] = []
        self._past: deque[live.OnlineGame] = deque()
        if game.terms.delay_s:
            self._past.extend(self._steps()[1:])

    def add(self, entry: JournalEntry, after: live.OnlineGame, message: bytes) -> None:
        """An event has happened and is on disk."""
        self.entries.append(entry)
        self._messages[entry.version] = message
        self._messages.pop(entry.version - _BACKLOG, None)
        if isinstance(entry.event, TakenBack):
            del self._texts[after.plies :]
        self.game = after
        if after.terms.delay_s:
            self._past.append(after)

    def seen(self, now: int) -> live.OnlineGame:
        """The game as watchers may see it, `GameTerms.delay_s` seconds late."""
        delay = self.game.terms.delay_s * 1000
        if not delay:
            return self.game
        while len(self._past) > 1 and self._past[1].at <= now - delay:
            self._past.popleft()
        if self._past and self._past[0].at <= now - delay:
            return self._past[0]
        return live.OnlineGame.open(self.game.terms, self.game.opened)

    def entries_after(self, version: int) -> list[JournalEntry]:
        """The entries after a version, oldest first."""
        index = len(self.entries)
        while index and self.entries[index - 1].version > version:
            index -= 1
        return self.entries[index:]

    @staticmethod
    def changes_board(entry: JournalEntry) -> bool:
        """Return whether stones move."""
        return isinstance(entry.event, Moved | TakenBack)

    def repeated(self, side: Side, since: int | None, hole: int | None) -> int | None:
        """The version of a player's own last move, if it is just this one and was made after the version `since`."""
        later = [] if since is None else self.entries_after(since)
        own = [entry for entry in later if entry.side is side]
        first = next((entry for entry in later if self.changes_board(entry)), None)
        if first is None or own != [first] or not isinstance(first.event, Moved):
            return None
        return first.version if first.event.hole == hole else None

    def texts(self, game: live.OnlineGame) -> list[str]:
        """The moves of the game, or of an earlier state of it, in field notation."""
        positions, moves = self.game.game.positions, self.game.game.moves
        for ply in range(len(self._texts), len(moves)):
            self._texts.append(format_move(positions[ply].sow(moves[ply])))
        if game is self.game or game.game.moves == moves[: game.plies]:
            return self._texts[: game.plies]
        return [
            format_move(position.sow(hole))
            for position, hole in zip(game.game.positions, game.game.moves, strict=False)
        ]

    def message(self, version: int) -> bytes:
        """The event with this version as JSON."""
        if version not in self._messages:
            self._remember(version)
        return self._messages[version]

    def missed(self, since: int, until: int) -> list[bytes] | None:
        """The messages of the versions after `since` up to `until`, or None if the state must be sent instead."""
        if not 0 <= since <= until or until - since > _BACKLOG:
            return None
        if any(version not in self._messages for version in self._versions(since, until)):
            self._remember(since + 1)
        return [self._messages[version] for version in self._versions(since, until)]

    def _versions(self, since: int, until: int) -> list[int]:
        return [entry.version for entry in self.entries_after(since) if entry.version <= until]

    def _remember(self, first: int) -> None:
        """Make the messages of all versions from `first` on, as they were."""
        steps = self._steps()
        for entry, before, after in zip(self.entries, steps, steps[1:], strict=False):
            if entry.version >= first:
                self._messages[entry.version] = msgspec.json.encode(tell(before, entry, after))

    def _steps(self) -> list[live.OnlineGame]:
        """The game before the first event and after each."""
        steps = [live.OnlineGame.open(self.game.terms, self._opened())]
        for entry in self.entries:
            steps.append(happen(steps[-1], entry.event, entry.at_ms, entry.stocks)[0])
        return steps

    def _opened(self) -> int:
        outages = sum(getattr(entry.event, "ms", 0) for entry in self.entries if entry.kind == "outage")
        return self.game.opened - outages


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The result of a command.

    Attributes:
        version: the version of its first event; the present one where nothing had to happen.
        event: that event as JSON; of the kind `none` where nothing had to happen.
    """

    version: int
    event: bytes


class CommandResults:
    """The answers of one game: those with an event follow from its journal, the others are kept in memory."""

    def __init__(self, history: GameHistory) -> None:
        self._history = history
        self._versions = {
            (entry.side, entry.command): entry.version
            for entry in history.entries
            if entry.side is not None and entry.command is not None
        }
        self._eventless: OrderedDict[tuple[Side, str], CommandResult | ApiError] = OrderedDict()

    def at(self, version: int) -> CommandResult:
        """The event with this version as an answer."""
        return CommandResult(version, self._history.message(version))

    def find(self, seats: Iterable[Side], name: str) -> CommandResult | None:
        """The answer to a command of any of these seats, None where there was none.

        Raises:
            ApiError: it was refused.
        """
        for seat in seats:
            version = self._versions.get((seat, name))
            if version is not None:
                return self.at(version)
            known = self._eventless.get((seat, name))
            if isinstance(known, ApiError):
                raise known.with_traceback(None)  # otherwise it grows each time
            if known is not None:
                return known
        return None

    def note(self, entry: JournalEntry) -> None:
        """Keep the result of the command that has made an event which is on disk."""
        if entry.side is not None and entry.command is not None:
            self._versions[entry.side, entry.command] = entry.version

    def remember(self, side: Side, name: str, answer: CommandResult | ApiError) -> None:
        """Keep the answer to a command if the journal does not."""
        passing = isinstance(answer, ApiError) and answer.status in _PASSING
        if passing or (side, name) in self._versions:
            return
        self._eventless[side, name] = answer
        if len(self._eventless) > _REMEMBERED:
            self._eventless.popitem(last=False)
