"""`korgool event results`: many results at once, from a list or typed board by board."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import file_of_group, opened, reason_option, said, say, writing
from korgool.app.cli.event_game import read_bytes, round_argument
from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, tell, value
from korgool.app.cli.output import not_utf8, plain
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState
    from korgool.competition.storage.event_file import EventFile

_SHOWN = 12
_HELP = N_("""\
Enter          still playing, next board
82-60          stones; the winner follows from them
1-0 70-60 resignation   where the stones do not tell the winner
70-60 r        who has fewer stones has resigned; t time, a agreement
70-60 > t      an arrow to the winner
1-0  0-1  =    without stones
+-  -+  --     forfeits
12             go to board 12
u              take back the result entered last
q              end""")


@click.command("results")
@file_of_group
@round_argument
@click.argument("source", metavar="[LIST]", type=PathName(), required=False)
@option("--correct", is_flag=True, help="Replace different results; needs --reason.")
@reason_option
@writing
def results_command(
    path: str, number: int, source: str | None, correct: bool, reason: str, by: str, as_json: bool
) -> None:
    """Enter the results of a round: a line for each board with its number and result, all lines or none.

    LIST is a file, or - for standard input. Without it, the command asks board by board on a terminal and enters each
    result at once. Results are written as for `korgool event result`, or shorter: 82-60, =, 1-0, +-, -+, --, 1-0 70-60
    time; the sets of a match as 30-18; 20-28; 25-23. A board without a result is still playing. A result that is
    already entered is left alone, and a line that contradicts one is bad unless --correct is given.

    \b
    Example:
      korgool event results cup.korgool 3 round3.txt
      korgool event results cup.korgool 3
    """
    from korgool.competition import commands
    from korgool.competition.result_entry import ListError

    if correct and not reason.strip():
        raise click.UsageError("--correct needs --reason.")
    with opened(path) as file:
        if source is None and sys.stdin.isatty():
            if correct or as_json:
                raise click.UsageError("--correct and --json need a LIST.")
            _ask(file, number, by)
            return
        source = source or "-"
        text = _text(source)
        try:
            found = commands.record_list(file, number, text, by=by, correct=correct, reason=reason)
        except ListError as error:
            for line, why in error.faults:
                fault = tell(N_("line {line}: {fault}"), line=line, fault=why)
                click.echo(f"korgool: {source}: {plain(fault)}", err=True)
            bad = counts((len(error.faults), "bad line", N_("Bad lines")))
            nothing = tell(N_("nothing was entered"))
            raise InputError(f"{source}: {bad}, {nothing}") from None
        playing = _playing(file.state, number)
    done: dict[str, Any] = {"round": number, "entered": list(found.entered), "corrected": list(found.corrected)}
    done |= {"same": list(found.same), "missing": playing}
    told = [tell(N_("{count} entered"), count=len(found.entered))]
    if found.corrected:
        told.append(tell(N_("{count} corrected"), count=len(found.corrected)))
    if found.same:
        told.append(tell(N_("{count} as before"), count=len(found.same)))
    summary = tell(N_("round {round}: {told}"), round=number, told=", ".join(told))
    say([done], lambda: f"{summary}\n{_still(number, playing)}", as_json)


def _text(source: str) -> str:
    data = read_bytes(source)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise not_utf8(source, line) from None


def _playing(state: EventState, number: int) -> list[dict[str, Any]]:
    from korgool.competition.event_fields import board_fields

    wanted = ("board", "white", "white_name", "black", "black_name")
    one = state.round(number)
    return [
        {name: fields[name] for name in wanted}
        for board in one.missing
        if (fields := board_fields(state, number, one.game(board)))
    ]


def _still(number: int, playing: list[dict[str, Any]]) -> str:
    if not playing:
        return tell(N_("round {round} is complete"), round=number)
    named = "; ".join(f"{one['board']} {one['white_name']} - {one['black_name']}" for one in playing[:_SHOWN])
    more = tell(N_("; and {count} more"), count=len(playing) - _SHOWN) if len(playing) > _SHOWN else ""
    return plain(tell(N_("still playing: {boards}"), boards=named + more))


def _ask(file: EventFile, number: int, by: str) -> None:
    """Ask for one board after another until the last, `q` or the end of input."""
    from korgool.competition.event_fields import board_fields

    entered: list[int] = []
    open_boards = list(file.state.round(number).missing)
    click.echo(tell(N_("Enter leaves a board open, ? helps, q ends.")))
    at: int | None = open_boards[0] if open_boards else None
    while at is not None:
        fields = board_fields(file.state, number, file.state.round(number).game(at))
        names = plain(f"{at:>3}  {fields['white_name'] or value('nobody')} - {fields['black_name'] or value('nobody')}")
        try:
            typed = click.prompt(names, default="", show_default=False).strip()
        except click.Abort:
            click.echo()
            break
        if typed == "q":
            break
        at = _answer(file, number, at, typed, entered, by)
    count = len(entered)
    told = tell(N_("round {round}: {told}"), round=number, told=tell(N_("{count} entered"), count=count))
    click.echo(f"{told}\n{_still(number, _playing(file.refresh(), number))}")


def _answer(file: EventFile, number: int, board: int, typed: str, entered: list[int], by: str) -> int | None:
    """Process the answer for a board; return the board to ask for next."""
    from korgool.competition import commands
    from korgool.competition.errors import CompetitionError
    from korgool.competition.result_entry import ListError

    one = file.refresh().round(number)
    following = next((open_ for open_ in one.missing if open_ > board), None)
    try:
        if typed == "?":
            click.echo(tell(_HELP))
        elif typed == "u":
            if not entered:
                raise CompetitionError(N_("nothing was entered here yet"))
            board = entered[-1]
            commands.undo(file, _line_of(file, number, board), by=by, reason="mistyped")
            entered.pop()
        elif typed.isdecimal() and typed.isascii():
            board = one.game(int(typed[:6])).board
        elif not typed:
            return following
        else:
            commands.record_list(file, number, f"{board} {typed}", by=by)
            entered.append(board)
            return following
    except ListError as error:
        for _, why in error.faults:
            click.echo(plain(said(why)))
    except CompetitionError as error:
        click.echo(plain(said(error)))
    return board


def _line_of(file: EventFile, number: int, board: int) -> int:
    """The line of the log that last entered the result of a board."""
    from korgool.competition.actions import EnterResult

    lines = [at for at, (action, _) in enumerate(file.state.done, 1)
             if isinstance(action, EnterResult) and (action.round, action.board) == (number, board)]  # fmt: skip
    return lines[-1]
