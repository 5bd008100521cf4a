"""What became of commands that bear an id: the same command, sent again, gets the same answer and happens once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.history import GameHistory
from korgool.rules import Side

_REMEMBERED = 64
"""How many answers without an event are remembered."""
_PASSING = {429, 503}
"""Refusals that say nothing of the command: it may be sent again later."""


@dataclass(frozen=True, slots=True)
class CommandResult:
    """What became of a command.

    Attributes:
        version: the version of its first event; the present one where nothing had to happen.
        event: that event as JSON; of the kind `none` where nothing had to happen.
    """

    version: int
    event: bytes


class CommandResults:
    """The answers of one game: those with an event follow from its journal, the others are kept in memory."""

    def __init__(self, told: GameHistory) -> None:
        self._told = told
        self._versions = {
            (entry.side, entry.command): entry.version
            for entry in told.entries
            if entry.side is not None and entry.command is not None
        }
        self._eventless: OrderedDict[tuple[Side, str], CommandResult | ApiError] = OrderedDict()

    def at(self, version: int) -> CommandResult:
        """The event with this version as an answer."""
        return CommandResult(version, self._told.message(version))

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

    def note(self, side: Side, name: str, version: int) -> None:
        """A command has made an event, which is on disk with this version."""
        self._versions[side, name] = version

    def remember(self, side: Side, name: str, answer: CommandResult | ApiError) -> None:
        """Keep the answer to a command if the journal does not."""
        passing = isinstance(answer, ApiError) and answer.status in _PASSING
        if passing or (side, name) in self._versions:
            return
        self._eventless[side, name] = answer
        if len(self._eventless) > _REMEMBERED:
            self._eventless.popitem(last=False)
