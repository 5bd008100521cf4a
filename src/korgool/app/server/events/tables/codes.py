"""Codes of the tables of an event: one for each player of each board of a round, on the card that lies there.

All of them follow from one key of the event, so nothing is stored for each, and whoever has the key knows them all. A
code has no meaning of its own: it is looked for among those of the rounds that there are.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias

from korgool.app.server.events.event_registry import ID_LETTERS

TableSide: TypeAlias = Literal["white", "black"]
SIDES: Final[tuple[TableSide, TableSide]] = ("white", "black")
CODE_LETTERS: Final = 8
"""Letters of a code: a guess is one of 850 thousand million."""


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's place at a board of a round.

    Attributes:
        group: the id of the group.
        round, board: from 1.
        side: the colour.
    """

    group: int
    round: int
    board: int
    side: TableSide


class TableCodes:
    """The codes of an event.

    Args:
        key: of the event.
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self._seats: dict[str, Seat] = {}
        self._boards: dict[tuple[int, int], int] = {}

    def code(self, seat: Seat) -> str:
        """The code of a seat."""
        text = f"table {seat.group} {seat.round} {seat.board} {seat.side}"
        number = int.from_bytes(hmac.digest(self._key, text.encode(), sha256))
        letters = []
        for _ in range(CODE_LETTERS):
            number, at = divmod(number, len(ID_LETTERS))
            letters.append(ID_LETTERS[at])
        return "".join(letters)

    def device(self, identity: str) -> str:
        """A mark that tells the device of an identity from others, and does not tell whose it is."""
        return hmac.digest(self._key, f"device {identity}".encode(), sha256).hex()[:12]

    def learn(self, group: int, round_: int, boards: int) -> None:
        """Get to know the codes of a round; boards that came later are added."""
        known = self._boards.get((group, round_), 0)
        for board in range(known + 1, boards + 1):
            for side in SIDES:
                seat = Seat(group, round_, board, side)
                self._seats[self.code(seat)] = seat
        self._boards[group, round_] = max(known, boards)

    def seat(self, code: str) -> Seat | None:
        """The seat of a code among those that are known."""
        return self._seats.get(code)


def tidy_code(text: str) -> str:
    """The code in what somebody has typed: letters and digits, in any case and with anything between them."""
    return "".join(sign for sign in text[:60].lower() if sign in ID_LETTERS)


def shown_code(code: str) -> str:
    """A code as cards show it, in two parts."""
    return f"{code[: CODE_LETTERS // 2]} {code[CODE_LETTERS // 2 :]}"
