"""Reading the two UGI commands that have a grammar: `position` and `go`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from korgool.engine.limits import Limits
from korgool.engine.timing import TimeLeft
from korgool.engine.ugi_options import EngineOptions
from korgool.rules import Game, Position, Setup, Side

MOST_MOVES = 100_000
"""Most moves of one `position` command; more than any game has."""


@dataclass(frozen=True, slots=True)
class ClockTimes:
    """Clocks of both players and what the control gives them, in milliseconds; times may be spent or overspent.

    Attributes:
        times: White's and Black's.
        increments: White's and Black's.
        moves: turns until the side to move gets more time; 0 when it gets none.
        delay: of every turn, that does not count.
        period: of byo-yomi, 0 for none.
    """

    times: tuple[int, int]
    increments: tuple[int, int]
    moves: int = 0
    delay: int = 0
    period: int = 0

    def of(self, side: Side) -> TimeLeft:
        """The clock of a side."""
        return TimeLeft(
            stock=self.times[side] / 1000,
            increment=self.increments[side] / 1000,
            delay=self.delay / 1000,
            moves=max(0, self.moves),
            period=self.period / 1000,
            periods=int(self.period > 0),
        )


@dataclass(frozen=True, slots=True)
class Told:
    """The game that a `position` command has described, and its words, so that the next one can go on from there.

    Attributes:
        start: the words before `moves`.
        moves: the moves, as they were said.
        game: the game after them.
    """

    start: Sequence[str]
    moves: Sequence[str]
    game: Game


def position_words(words: list[str], options: EngineOptions, before: Told | None = None) -> Told:
    """The game that `position startpos|fen TEXT [moves M…]` describes, given the words after `position`.

    A command that continues the one before, as each does in a game, costs no more than its new moves: it goes on with
    the same `Game`.

    Args:
        words: the words.
        options: which game it is when the words do not say so.
        before: the command before, under the same options.

    Raises:
        ValueError: the form, the position text, or a move, named by its ply. The game before is then as it was.
    """
    cut = words.index("moves") if "moves" in words else len(words)
    head, moves = words[:cut], words[cut + 1 :]
    if len(moves) > MOST_MOVES:
        raise ValueError(f"{len(moves)} moves are more than the {MOST_MOVES} of any game")
    known = 0
    if before is not None and head == before.start and moves[: len(before.moves)] == before.moves:
        game, known = before.game, len(before.moves)
    else:
        game = Game(_start(head, options))
    try:
        for ply, move in enumerate(moves[known:], known + 1):
            _play(game, ply, move)
    except ValueError:
        while len(game.moves) > known:
            game.undo()
        raise
    return Told(head, moves, game)


def _start(words: list[str], options: EngineOptions) -> Position:
    what, text = words[:1], words[1:]
    if what == ["startpos"] and not text:
        return options.rules.start()
    if what == ["fen"] and text:
        fen = " ".join(text)
        rules = options.rules if options.chosen else options.adapt(Setup.parse(fen).rules)
        return Position.parse(fen, rules)
    raise ValueError("the form is position startpos|fen TEXT [moves M…]")


def _play(game: Game, ply: int, move: str) -> None:
    if not (move.isascii() and move.isdigit() and len(move) <= 2):
        raise ValueError(f"ply {ply}: a move is a hole number, not {move[:40]!a}")
    try:
        game.play(int(move))
    except ValueError as error:
        raise ValueError(f"ply {ply}: {error}") from None


def go_words(words: list[str], side: Side) -> tuple[Limits, ClockTimes | None, list[str]]:
    """Limits, clock and complaints of `go`, given the words after it and who is to move.

    What cannot be meant is left out or made the nearest that can, and complained about.
    """
    numbers: dict[str, int] = {}
    complaints: list[str] = []
    rest = iter(words)
    for said in rest:
        word = _SYNONYMS.get(said, said)
        if word == "infinite":
            continue
        if word not in _NUMBERS:
            complaints.append(f"unknown word {word[:40]!a}")
            continue
        value = next(rest, "")
        number = _whole(value)
        if number is None:
            complaints.append(f"{word} needs a whole number, not {value[:40]!a}")
            continue
        least, most = _NUMBERS[word]
        numbers[word] = min(max(number, least), most)
        if not least <= number <= most:
            how = "raised" if number < least else "lowered"
            complaints.append(f"{word} {value[:40]} is {how} to {numbers[word]}")
    clock = _clock(numbers)
    if clock is not None:
        own = ("p1time", "p2time")[side]
        if own not in numbers and not clock.period:
            complaints.append(f"{own} is missing, and that is the clock of the side to move; it counts as 0")
        elif not clock.times[side] and not clock.period:
            complaints.append(f"{own} 0: no time is left, the quickest move is played")
    seconds = numbers["movetime"] / 1000 if "movetime" in numbers else None
    return Limits(seconds=seconds, depth=numbers.get("depth"), nodes=numbers.get("nodes")), clock, complaints


def _clock(numbers: dict[str, int]) -> ClockTimes | None:
    """The clocks, where there are any."""
    if not {"p1time", "p2time"} & numbers.keys() and not numbers.get("byoyomi"):
        return None
    return ClockTimes(
        (numbers.get("p1time", 0), numbers.get("p2time", 0)),
        (numbers.get("p1inc", 0), numbers.get("p2inc", 0)),
        numbers.get("movestogo", 0),
        numbers.get("delay", 0),
        numbers.get("byoyomi", 0),
    )


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text[:_MOST_DIGITS]) if digits.isascii() and digits.isdigit() else None


_MOST_DIGITS = 40
"""Digits of a number that are read; one with more is too large in any case."""
DEEPEST = 250
"""Plies beyond which a depth makes no difference."""
LONGEST_MS = 10**10
"""Milliseconds that a clock may show, nearly four months; a longer time was never meant."""
_TIME = (0, LONGEST_MS)
_NUMBERS = {
    **dict.fromkeys(("p1time", "p2time", "p1inc", "p2inc", "delay", "byoyomi"), _TIME),
    "movestogo": (0, MOST_MOVES),
    "movetime": (1, LONGEST_MS),
    "depth": (1, DEEPEST),
    "nodes": (1, 10**15),
}
"""The words of `go` with a number: the least and the most that it may be."""
_SYNONYMS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
