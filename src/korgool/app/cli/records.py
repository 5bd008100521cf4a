"""Game records on the command line: reading them for commands, `korgool replay` and `korgool convert`."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

import click

from korgool.app.cli.language import moves_of_both, tell, value
from korgool.app.cli.options import GameChoice, game_options, json_option, lenient_option
from korgool.app.cli.output import binary_out, is_folder, json_line, lines_are_seen, progress, unreadable, whole_file
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_
from korgool.notation.reading import read_records
from korgool.notation.record import Record
from korgool.notation.terminations import declared
from korgool.notation.variation import count_variations
from korgool.notation.writing import DIALECTS, write_record
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
        with open_input(file) as stream:
            for record in _records(stream, game, lenient):
                yield name, record


def open_input(file: str) -> IO[bytes]:
    """Open a file for reading; `-` is the standard input.

    Raises:
        InputError: it is missing, is a folder, or cannot be read.
    """
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


EPILOG = """\b
Examples:
  korgool replay games.pgn --json > games.jsonl
  echo 796817 | korgool replay - --json"""


@click.command("replay", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@lenient_option
@game_options
@json_option
def replay_command(files: tuple[str, ...], lenient: bool, game: GameChoice, as_json: bool) -> None:
    """Replay game records of any dialect and print a line for each game.

    A FILE of - is the standard input; games are numbered from 0 over all files. For a game that does not fit the rules,
    the line gives the move, its side and the reason, which are also reported on standard error; the other games follow,
    and the exit status is 1. Other data in a record that contradicts the board causes a warning there.
    """
    out = binary_out()
    bad = False
    try:
        with progress(tell(N_("replaying")), None, hidden=lines_are_seen()) as done:
            for index, (file, record) in enumerate(games_of(files, game, lenient=lenient)):
                line = {"index": index, "file": file, **record_line(record)}
                if record.error is not None:
                    bad = True
                    click.echo(f"korgool: {complaint(file, index, record)}", err=True)
                for warning in record.warnings:
                    said = N_("game {game}, line {line}, warning: {warning}")
                    text = tell(said, game=index, line=record.line, warning=warning)
                    click.echo(f"korgool: {file}: {text}", err=True)
                out.write(json_line(line) if as_json else (_plain(line) + "\n").encode())
                if index % 512 == 511:
                    done(index + 1)
    finally:
        out.flush()
    if bad:
        sys.exit(1)


def _plain(line: dict[str, Any]) -> str:
    from korgool.app.words.event_texts import halves_said

    ending = halves_said(line["result_text"] or line["result"])
    why = f", {value(line['termination'])}" if line["termination"] else ""
    error = ""
    if line["error"]:
        *_, side, number = line["position"].split()
        said = (
            N_("error at move {number}, White: {reason}")
            if side == "S"
            else N_("error at move {number}, Black: {reason}")
        )
        error = "  " + tell(said, number=number, reason=line["error"]["reason"])
    return f"{line['index']}  {line['game']}  {moves_of_both(line['plies'])}  {ending}{why}  {line['position']}{error}"


_PLACE = N_("game {game}, line {line}")


@click.command("convert", epilog="\b\nExample:\n  korgool convert games.pgn --to bare -o games.txt")
@click.argument("files", nargs=-1, required=True, metavar="FILE...", type=PathName())
@option("--to", "dialect", type=click.Choice(DIALECTS), required=True, help="The dialect to write.")
@option("-o", "--output", default="-", metavar="FILE", help="Where to write; by default, the standard output.")
@lenient_option
@game_options
@json_option
def convert_command(
    files: tuple[str, ...], dialect: str, output: str, lenient: bool, game: GameChoice, as_json: bool
) -> None:
    """Read game records of any dialect and write them in another one.

    A FILE of - is the standard input. A game that does not fit the rules, or that the other dialect cannot express, is
    reported on standard error and left out. The others are written, and the exit status is 1. With --json every game is
    a line: its index, file and record, or the error.
    """
    bad = False
    hidden = output == "-" and lines_are_seen()
    with whole_file(output) as write, progress(tell(N_("converting")), None, hidden=hidden) as done:
        for index, (file, record) in enumerate(games_of(files, game, lenient=lenient)):
            problem = complaint(file, index, record) if record.error is not None else None
            if problem is None:
                try:
                    text = write_record(record, dialect)
                except ValueError as error:
                    problem = f"{file}: {tell(_PLACE, game=index, line=record.line)}: {error}"
            if as_json:
                line = {"index": index, "file": file, "record": text if problem is None else None, "error": problem}
                write(json_line(line))
            elif problem is None:
                write((text if text.endswith("\n") else text + "\n").encode())
            if problem is not None:
                bad = True
                click.echo(f"korgool: {problem}", err=True)
            if index % 512 == 511:
                done(index + 1)
    if bad:
        sys.exit(1)
