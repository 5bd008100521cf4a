"""Reading the two UGI commands that have a grammar: `position` and `go`."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.engine.limits import Limits
from korgool.engine.timing import TimeLeft
from korgool.engine.ugi_options import Options
from korgool.rules import Game, Position, Side
from korgool.rules.text import parse_setup

MOST_MOVES = 100_000
"""Moves of one `position` command; whoever sends more has gone astray."""


@dataclass(frozen=True, slots=True)
class Clock:
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


def position_words(words: list[str], options: Options) -> Game:
    """The game that `position startpos|fen TEXT [moves M…]` describes, given the words after `position`.

    Raises:
        ValueError: the form, the position text, or a move, named by its ply.
    """
    cut = words.index("moves") if "moves" in words else len(words)
    what, text, moves = words[:1], words[1:cut], words[cut + 1 :]
    if what == ["startpos"] and not text:
        start = options.rules.start()
    elif what == ["fen"] and text:
        fen = " ".join(text)
        rules = options.rules if options.chosen else options.adapt(parse_setup(fen).rules)
        start = Position.parse(fen, rules)
    else:
        raise ValueError("the form is position startpos|fen TEXT [moves M…]")
    if len(moves) > MOST_MOVES:
        raise ValueError(f"{len(moves)} moves are more than the {MOST_MOVES} of any game")
    game = Game(start)
    for ply, move in enumerate(moves, 1):
        if not (move.isascii() and move.isdigit() and len(move) <= 2):
            raise ValueError(f"ply {ply}: a move is a hole number, not {move[:40]!a}")
        try:
            game.play(int(move))
        except ValueError as error:
            raise ValueError(f"ply {ply}: {error}") from None
    return game


def go_words(words: list[str]) -> tuple[Limits, Clock | None, list[str]]:
    """Limits, clock and complaints of `go`, given the words after it. What is complained about is left out."""
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
        elif number <= 0 and word in ("depth", "nodes"):
            complaints.append(f"{word} {number} is raised to 1")
            numbers[word] = 1
        else:
            numbers[word] = number
    seconds = max(numbers["movetime"], 1) / 1000 if "movetime" in numbers else None
    if seconds is not None:
        seconds -= min(_WAY, seconds / 10)
    depth = min(numbers["depth"], DEEPEST) if "depth" in numbers else None
    times = [numbers.get(name) for name in ("p1time", "p2time")]
    clock = None
    if times != [None, None] or numbers.get("byoyomi", 0) > 0:
        both = tuple(0 if time is None else time for time in times)
        clock = Clock(
            (both[0], both[1]),
            (numbers.get("p1inc", 0), numbers.get("p2inc", 0)),
            numbers.get("movestogo", 0),
            numbers.get("delay", 0),
            numbers.get("byoyomi", 0),
        )
    return Limits(seconds=seconds, depth=depth, nodes=numbers.get("nodes")), clock, complaints


def _whole(text: str) -> int | None:
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 15 else None


_WAY = 0.005
"""Seconds of `movetime` that are left for the answer to reach whoever waits for it, at most a tenth of the time."""
DEEPEST = 250
"""Plies beyond which a depth makes no difference."""
_NUMBERS = ("p1time", "p2time", "p1inc", "p2inc", "movestogo", "delay", "byoyomi", "movetime", "depth", "nodes")
_SYNONYMS = {"wtime": "p1time", "btime": "p2time", "winc": "p1inc", "binc": "p2inc"}
