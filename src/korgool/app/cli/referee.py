"""`korgool referee`: replays the log of a game and rules on every line."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import IO, TYPE_CHECKING, Any

import click

from korgool.app.cli.language import chosen, language_option, spoken, tell
from korgool.app.cli.options import GameChoice, Seconds, game_options, json_option
from korgool.app.cli.output import binary_out
from korgool.app.cli.output import plain as printable
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.conduct.events import Options
    from korgool.conduct.log import RuledLine

EPILOG = """\b
Examples:
  korgool referee game.jsonl
  korgool referee game.jsonl --json --language ky
  echo '{"at": 0, "by": "referee", "do": "start"}' | korgool referee -"""
_MOST_MESSAGES = 10


@click.command("referee", epilog=EPILOG)
@click.argument("file", metavar="FILE.jsonl", type=PathName())
@language_option
@option("--online", is_flag=True, help="Flags and third repetitions end the game without a call.")
@option("--both-flags", type=click.Choice(["draw", "compare"]), help="What two fallen flags mean.")
@option("--late", type=Seconds(), metavar="SECONDS", help="How late a player may come.")
@option("--state", "with_state", is_flag=True, help="Also print the state of the game after every line.")
@game_options
@json_option
def command(
    file: str,
    online: bool,
    both_flags: str | None,
    late: float | None,
    with_state: bool,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Replay the log of a game and rule on every event by the competition rules.

    FILE.jsonl has one JSON object on each line: at (seconds), by (white, black or referee), do, and the fields of that
    action; - is the standard input. Every event is answered by one line of JSON: {"ruling": null}, or the ruling with
    its clause, or the error with line and reason, which leaves the game unchanged. The last line is the result. On a
    terminal, sentences are printed instead unless --json is given. The exit status is 1 if a line was refused.
    """
    import msgspec

    from korgool.conduct.log import judge
    from korgool.conduct.ruling import Refusal
    from korgool.conduct.state import GameState
    from korgool.conduct.summary import ruling_fields, state_fields, summary

    def regulate(options: Options) -> Options:
        if online:
            options = replace(options, automatic_flags=True)
        if both_flags is not None:
            options = replace(options, both_flags="compare" if both_flags == "compare" else "draw")
        return options if late is None else replace(options, late_ms=round(late * 1000))

    plain = not as_json and sys.stdout is not None and sys.stdout.isatty()
    encode = msgspec.json.Encoder().encode
    out = binary_out()
    state, refused = GameState(), 0
    try:
        for judged in judge(log_lines(file), game.rules, regulate):
            answer, state = judged.answer, judged.state
            if isinstance(answer, Refusal):
                refused += 1
                if refused <= _MOST_MESSAGES and not plain:
                    line = tell(N_("line {line}"), line=judged.line)
                    click.echo(f"korgool: {file}: {line}: {printable(answer.reason)}", err=True)
            if plain:
                out.write(_sentence(judged, spoken()).encode("utf-8", "replace"))
                continue
            found: dict[str, Any] = {"ruling": None}
            if isinstance(answer, Refusal):
                found["error"] = {"line": judged.line, "reason": printable(answer.reason), "clause": answer.clause}
            elif answer is not None:
                found["ruling"] = ruling_fields(answer, chosen() or "en")
            if with_state:
                found["state"] = state_fields(state)
            out.write(encode(found) + b"\n")
        if plain:
            out.write(_result(summary(state), state).encode("utf-8", "replace"))
        else:
            out.write(encode(summary(state)) + b"\n")
    finally:
        out.flush()
    if refused > _MOST_MESSAGES and not plain:
        more = tell(N_("{count} more lines were refused"), count=refused - _MOST_MESSAGES)
        click.echo(f"korgool: {file}: {more}", err=True)
    if refused:
        sys.exit(1)


def log_lines(file: str) -> Iterator[bytes]:
    """The lines of the file, each cut one byte beyond the longest possible event."""
    if file == "-":
        yield from _cut(sys.stdin.buffer)
        return
    with open(file, "rb") as stream:
        yield from _cut(stream)


def _cut(stream: IO[bytes]) -> Iterator[bytes]:
    from korgool.conduct.fields import LONGEST_LINE

    while line := stream.readline(LONGEST_LINE + 1):
        rest = line
        while not rest.endswith(b"\n") and (rest := stream.readline(1 << 20)):
            pass
        yield line


def _sentence(judged: RuledLine, language: str) -> str:
    from korgool.conduct.ruling import Refusal
    from korgool.conduct.sentences import sentence

    event, answer = judged.event, judged.answer
    what = f"line {judged.line}"
    if event is not None:
        what = f"{event.at / 1000:>10.3f}  {event.by:<7}  {type(event.action).__name__.lower():<10}"
    if answer is None:
        return f"{what.rstrip()}\n"
    if isinstance(answer, Refusal):
        return f"{what}  refused: {printable(answer.reason)}\n"
    return f"{what}  {sentence(answer.kind, answer.arguments, language)} ({answer.clause})\n"


def _result(found: dict[str, Any], state: Any) -> str:
    from korgool.notation.board import text_board

    board = f"\n{text_board(state.position)}\n" if state.positions else ""
    times = [("–" if seconds is None else f"{seconds:.3f} s") for seconds in found["clock"].values()]
    warnings = found["warnings"]
    why = f", {found['termination']} ({found['clause']})" if found["termination"] else ""
    return (
        f"{board}\n{found['result_text'] or found['result']}{why}\n"
        f"clocks: White {times[0]}, Black {times[1]}; warnings: {warnings['white']}, {warnings['black']}\n"
    )
