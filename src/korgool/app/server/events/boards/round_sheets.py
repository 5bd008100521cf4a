"""The scoresheets of one round in memory, as they are now and as they were some time ago."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from korgool.app.server.events.boards.repository import StoredLine
from korgool.competition.board_sheet import BoardSheet
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame

_Memory = dict[int, tuple[tuple[int, int], int, BoardSheet]]


class RoundSheets:
    """The lines of a round, and the sheets that follow from them; a sheet is built on from where it was.

    Args:
        lines: of all boards, in the order in which the server took them.
    """

    def __init__(self, lines: Sequence[StoredLine] = ()) -> None:
        self._lines: dict[int, list[StoredLine]] = {}
        self._times: list[int] = []
        self._now: _Memory = {}
        self._delayed: _Memory = {}
        self.add(lines)

    @property
    def count(self) -> int:
        """Number of lines of all boards."""
        return len(self._times)

    @property
    def last_ms(self) -> int:
        """The moment of the last line; 0 before the first."""
        return self._times[-1] if self._times else 0

    @property
    def boards(self) -> Iterable[int]:
        """The boards with lines."""
        return sorted(self._lines)

    def add(self, lines: Sequence[StoredLine]) -> None:
        """Take in lines that follow those that are there."""
        for one in lines:
            self._lines.setdefault(one.board, []).append(one)
            self._times.append(one.line.at_ms)
        self._times.sort()

    def number(self, board: int) -> int:
        """Number of lines of a board, those of other pairings too."""
        return len(self._lines.get(board, ()))

    def board_ms(self, board: int) -> int:
        """The moment of the last line of a board; 0 before the first."""
        lines = self._lines.get(board)
        return lines[-1].line.at_ms if lines else 0

    def visible(self, until_ms: int) -> int:
        """Number of lines of all boards that were taken until a moment."""
        return bisect_right(self._times, until_ms)

    def sheet(self, state: EventState, game: PairedGame) -> BoardSheet:
        """The sheet of a game as it is now."""
        return self._built(self._now, state, game, self.number(game.board))

    def delayed(self, state: EventState, game: PairedGame, until_ms: int) -> BoardSheet:
        """The sheet of a game as it was at a moment."""
        lines = self._lines.get(game.board, [])
        return self._built(self._delayed, state, game, bisect_right(lines, until_ms, key=lambda one: one.line.at_ms))

    def stages(self, state: EventState, game: PairedGame) -> Iterable[BoardSheet]:
        """The sheet of a game after each of its lines."""
        made = _blank(state)
        for one in self._lines.get(game.board, ()):
            if one.pair == (game.white, game.black):
                made = made.follow([one.line])
                yield made

    def _built(self, memory: _Memory, state: EventState, game: PairedGame, count: int) -> BoardSheet:
        pair = (game.white, game.black)
        before = memory.get(game.board)
        made, begin = _blank(state), 0
        if before is not None and before[0] == pair and before[1] <= count and before[2].rules == made.rules:
            made, begin = before[2], before[1]
        new = self._lines.get(game.board, [])[begin:count]
        made = made.follow(one.line for one in new if one.pair == pair)
        memory[game.board] = (pair, count, made)
        return made


def _blank(state: EventState) -> BoardSheet:
    return BoardSheet.of(state.event.rules(), state.event.sets)
