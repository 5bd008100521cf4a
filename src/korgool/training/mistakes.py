"""A mistake of one's own game as a card to be solved again: the position, what was played, and what was better.

A card comes from the review on somebody's device, so it is checked before it is believed: the position by the parser,
every move by the rules. That the accepted moves are the better ones is the engine's word there, and concerns nobody
else.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from korgool.engine.pv import playable
from korgool.engine.review import Mark, ReviewedPly
from korgool.engine.search import Analysis
from korgool.rules import GAMES, Position, PositionError

MOST_LINE = 8
"""Plies of a line, at most."""
MOST_PLY = 2000
"""The latest ply of a game that is taken for one."""
LATEST_MS = 1 << 47
"""Times are milliseconds since 1970 before this one."""
LONGEST_POSITION = 200
_ACCEPTED = 0.05
_SOURCE = re.compile(r"[0-9A-Za-z_-]{1,24}", re.ASCII)


class MistakeError(ValueError):
    """A text or values that are no card, with the reason."""


class Mistake(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A card.

    Attributes:
        id: made of the game and the position (`mistake_id`).
        game: its short name.
        position: position text; whoever is to move there made the mistake.
        played: the hole that was sown.
        right: the accepted holes, the best first.
        lines: by the number of a hole, the move and what the engine expects after it; some moves may lack.
        lost: share of a point that was given away, 0 to 1.
        stones: stones that were given away, as the review counts them.
        made: when the card was made, in milliseconds since 1970.
        source: the address of the game; empty where it has none.
        ply: the ply of the mistake, 0 where it is not known.
    """

    id: str
    game: str
    position: str
    played: int
    right: tuple[int, ...]
    lines: dict[str, tuple[int, ...]]
    lost: float
    stones: float
    made: int
    source: str = ""
    ply: int = 0

    def start(self) -> Position:
        """The position.

        Raises:
            MistakeError: it is none.
        """
        if self.game not in GAMES:
            raise MistakeError(f"there is no game {self.game[:40]!r}")
        if len(self.position) > LONGEST_POSITION:
            raise MistakeError(f"a position has {LONGEST_POSITION} characters at most")
        try:
            return Position.parse(self.position, GAMES[self.game])
        except PositionError as error:
            raise MistakeError(f"position: {error}") from None

    def line(self, hole: int) -> tuple[int, ...]:
        """A move and what is expected after it; the move alone where no more is known."""
        return self.lines.get(str(hole), (hole,))


def mistake_of(position: Position, judged: ReviewedPly, seen: Analysis, made: int) -> Mistake | None:
    """The card of a reviewed ply; None where it is no mistake, or the game has other rules than the usual ones.

    Args:
        position: the one before the ply.
        judged: the ply.
        seen: the analysis of the position; of its moves those are accepted that give away less than an inaccuracy.
        made: milliseconds since 1970.
    """
    game = position.rules.name
    if judged.mark not in (Mark.MISTAKE, Mark.BLUNDER) or GAMES.get(game) != position.rules:
        return None
    best = seen.lines[0]
    good = [line for line in seen.lines if best.win + best.draw / 2 - line.win - line.draw / 2 < _ACCEPTED]
    right = tuple(line.move for line in good if line.move != judged.played)
    lines = {str(line.move): playable(position, line.pv)[:MOST_LINE] for line in seen.lines}
    stones = min(judged.stones, float(position.rules.total))
    text = str(position)
    return Mistake(
        mistake_id(game, text), game, text, judged.played, right, lines, judged.lost, stones, made, ply=judged.ply
    )


def mistake_id(game: str, position: str) -> str:
    """The id of a position, whatever the number of its move: FNV-1a of 64 bits, as the page computes it."""
    value = 0xCBF29CE484222325
    for byte in f"{game} {' '.join(position.split()[:4])}".encode():
        value = (value ^ byte) * 0x100000001B3 % (1 << 64)
    return f"{value:016x}"


def check_mistake(mistake: Mistake) -> Position:
    """Check a card by the rules, and return its position.

    Raises:
        MistakeError: it is no card; the message says why.
    """
    start = mistake.start()
    if str(start) != mistake.position:
        raise MistakeError(f"the position is written {start}")
    if mistake.id != mistake_id(mistake.game, mistake.position):
        raise MistakeError(f"the id of this position is {mistake_id(mistake.game, mistake.position)}")
    legal = start.legal_moves()
    if mistake.played not in legal:
        raise MistakeError(f"hole {mistake.played} could not be played")
    _check_right(mistake, legal)
    for hole, line in mistake.lines.items():
        if hole not in {str(move) for move in legal} or not line or str(line[0]) != hole:
            raise MistakeError(f"the line of {hole[:10]!r} does not begin with a move of that hole")
        _check_line(start, line)
    if not (0 <= mistake.lost <= 1 and 0 <= mistake.stones <= start.rules.total):
        raise MistakeError("a mistake gives away 0 to 1 of a point, and no more stones than there are")
    if not (0 <= mistake.made < LATEST_MS and 0 <= mistake.ply <= MOST_PLY):
        raise MistakeError("the time or the ply is out of all bounds")
    if mistake.source and not _SOURCE.fullmatch(mistake.source):
        raise MistakeError("the source is the address of a game, or empty")
    return start


def _check_right(mistake: Mistake, legal: Sequence[int]) -> None:
    right = mistake.right
    if not right or len(set(right)) < len(right) or not set(right) <= set(legal):
        raise MistakeError("the accepted moves are none, name one twice, or cannot be played")
    if mistake.played in right:
        raise MistakeError("the move that was played is accepted")


def _check_line(position: Position, line: Sequence[int]) -> None:
    if len(line) > MOST_LINE:
        raise MistakeError(f"a line has {MOST_LINE} plies at most")
    for ply, hole in enumerate(line, 1):
        if hole not in position.legal_moves():
            raise MistakeError(f"ply {ply} of a line: hole {hole} cannot be played")
        position = position.play(hole)
