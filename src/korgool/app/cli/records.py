"""Reading game records for commands: games of several files, error messages, and a game as data."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from korgool.app.cli.options import GameChoice
from korgool.app.cli.output import is_folder, unreadable
from korgool.notation.reading import read_records
from korgool.notation.record import Record
from korgool.notation.terminations import declared
from korgool.notation.variation import count_variations
from korgool.rules import Position, Rules, Side

STANDARD_INPUT = "standard input"


def games_of(files: Sequence[str], game: GameChoice, *, lenient: bool = False) -> Iterator[tuple[str, Record]]:
    """The games of files, one after the other, each with the name of its file; `-` is the standard input.

    A record that names its game is read as that game; `--game` applies to the others, `--rule` to all.

    Raises:
        InputError: a file is missing, is a folder, or cannot be read. The games before it have been yielded.
    """
    for file in files:
        name = STANDARD_INPUT if file == "-" else file
        with _opened(file) as stream:
            for record in _records(stream, game, lenient):
                yield name, record


def _opened(file: str) -> IO[bytes]:
    if file == "-":
        # Not closed at the end of the `with`: the terminal stays open.
        return io.BytesIO() if sys.stdin is None else io.BufferedReader(_Unclosed(sys.stdin.buffer))
    try:
        if Path(file).is_dir():
            raise is_folder(file)
        return Path(file).open("rb")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise unreadable(file, reason) from None


def _records(stream: IO[bytes], game: GameChoice, lenient: bool) -> Iterator[Record]:
    yield from read_records(stream, game.named, adapt=game.vary, replay=fast_replay(), lenient=lenient)


def fast_replay() -> Callable[[Position, Sequence[int]], tuple[int, Position]] | None:
    """The kernel for replaying bare moves, or None if it is not built."""
    try:
        from korgool.engine.kernel import Kernel, library, unpack

        library()
    except ImportError:
        return None
    kernels: dict[Rules, Kernel] = {}

    def play(start: Position, moves: Sequence[int]) -> tuple[int, Position]:
        kernel = kernels.get(start.rules)
        if kernel is None:
            kernel = kernels[start.rules] = Kernel(start.rules)
        done, positions, _, extra, _ = kernel.trace(start, bytes(moves))
        if not done:
            return 0, start
        side, fullmove = start.to_move, start.fullmove
        if 1 in extra:
            for again in extra:
                if not again:
                    fullmove += side
                    side = side.other
        else:
            fullmove += (done + side) // 2
            side = Side((side + done) % 2)
        return done, unpack(positions[-24:], start.rules, side, fullmove)

    return play


def complaint(file: str, index: int, record: Record) -> str:
    """The error message for a bad record: file, the game's number from 0, line, ply and reason."""
    return f"{file}: game {index}, {record.error}"


def record_line(record: Record) -> dict[str, Any]:
    """A game as data: the fields of `korgool replay --json` except index and file."""
    position, error = record.position, record.error
    rules = position.rules
    ended = position.outcome()
    outcome = ended or declared(record.result, record.tags.get("Termination", ""), position.stores)
    swept = ended is not None and rules.sweep != "nobody" and ended.termination in ("no_move", "side_empty")
    holes = tuple((0,) * rules.holes for _ in Side) if swept else position.holes
    stores = position.stores if outcome is None else outcome.stores
    return {
        "game": rules.name,
        "plies": len(record.moves),
        "moves": record.moves,
        "result": record.result,
        # The stores at an error are not the final ones.
        "result_text": None if outcome is None or (error and not ended) else outcome.result_text,
        "termination": None if outcome is None else str(outcome.termination),
        "position": str(position),
        "holes": {"white": holes[Side.WHITE], "black": holes[Side.BLACK]},
        "stores": {"white": stores[Side.WHITE], "black": stores[Side.BLACK]},
        "tuz": dict(zip(("white", "black"), position.tuz, strict=True)),
        "variations": count_variations(record.variations),
        "error": None if error is None else {"ply": error.ply, "reason": error.reason, "line": error.line},
        "warnings": record.warnings,
    }


class _Unclosed(io.RawIOBase):
    """A stream that can be closed without closing its source."""

    def __init__(self, inner: IO[bytes]) -> None:
        self._inner = inner

    def readable(self) -> bool:
        """True if it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer with a single read, without waiting for more."""
        read = getattr(self._inner, "read1", self._inner.read)
        data = read(len(buffer))
        buffer[: len(data)] = data
        return len(data)
