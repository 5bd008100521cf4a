"""`korgool event result`, `attach`, `special` and `form`: commands about one board."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    columns,
    file_of_group,
    named,
    opened,
    reason_option,
    result_text,
    said,
    say,
    writing,
)  # fmt: skip
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell, value
from korgool.app.cli.output import not_utf8, plain, too_long, unreadable
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState
    from korgool.competition.model import LentForm, PairedGame
    from korgool.rules import Rules

CAUSES = ("board", "no_move", "resignation", "time", "agreement", "repetition", "forfeit", "unknown")
MOST_BYTES = 10_000_000
"""The most bytes of a game record or a referee's log."""
round_argument = click.argument("number", type=click.IntRange(1, 99), metavar="ROUND")
board_argument = click.argument("board", type=click.IntRange(1, 9999), metavar="BOARD")


class _ResultCommand(click.Command):
    """A command with a result among its arguments, of which `--`, where both players lost, is one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read a `--` that no argument follows as a result; any other ends the options, as everywhere."""
        at = args.index("--") if "--" in args else -1
        if at >= 0 and (at + 1 == len(args) or args[at + 1].startswith("--")):
            args[at] = "- - -"
        return super().parse_args(ctx, args)


@click.command("result", cls=_ResultCommand, context_settings={"ignore_unknown_options": True})
@file_of_group
@round_argument
@board_argument
@click.argument("result", metavar="[RESULT]", required=False)
@option("--cause", type=click.Choice(CAUSES), help="Why the game ended, if the result does not show it.")
@option("--correct", is_flag=True, help="Replace the present result; needs --reason. The old one is kept in the log.")
@option(
    "--referee-log",
    "protocol",
    was=("--log",),
    metavar="GAME.jsonl",
    help="Take result and warnings from the referee's log.",
)
@reason_option
@writing
def result_command(
    path: str, number: int, board: int, result: str | None, cause: Any, correct: bool, protocol: str | None,
    reason: str, by: str, as_json: bool,
) -> None:  # fmt: skip
    """Enter the result of a game: stones in brackets, and the cause if the stones do not show it.

    "1 (82) - 0 (60)", "0.5 (81) - 0.5 (81)", "1 (70) - 0 (60) resignation", "0.5 (70) - 0.5 (70) agreement", "1-0";
    "+ - -" is a forfeit of Black, who did not come, "- - +" of White, "- - -" of both. Short forms are 82-60, =, +-, -+
    and --, and if the stones do not show who won, 1-0 70-60 resignation, or with an arrow to the winner 70-60 > time.
    The cause is a word or a letter of any language of the program. The sets of a match are separated by semicolons, and
    all must be given. With --correct, * takes a result back.

    \b
    Example:
      korgool event result cup.korgool 1 3 "1 (82) - 0 (60)"
      korgool event result cup.korgool 1 3 "0 (60) - 1 (82)" --correct --reason "colours mixed up"
    """
    from korgool.competition import commands

    if (result is None) is (protocol is None):
        raise click.UsageError("Give a RESULT, or --referee-log with a log.")
    if correct and protocol is not None:
        raise click.UsageError("--correct takes a RESULT.")
    if correct and not reason.strip():
        raise click.UsageError("--correct needs --reason.")
    with opened(path) as file:
        if protocol is not None:
            lines = read_bytes(protocol).splitlines(keepends=True)
            try:
                game = commands.record_protocol(file, number, board, lines, by=by)
            except ValueError as error:
                raise InputError(named(protocol, error)) from None
        elif correct:
            assert result is not None
            changed = None if result.strip() == "*" else result
            game = commands.correct(file, number, board, changed, cause=cause, by=by, reason=reason)
        else:
            assert result is not None
            game = commands.record(file, number, board, result, cause=cause, by=by)
        _say_board(file.state, number, game, as_json)


def _say_board(state: EventState, number: int, game: PairedGame, as_json: bool) -> None:
    from korgool.competition.event_fields import board_fields

    line = board_fields(state, number, game)
    names = f"{line['white_name'] or value('nobody')} - {line['black_name'] or value('nobody')}"
    place = tell(N_("round {number}, board {board}"), number=number, board=game.board)
    result = result_text(line) or tell(N_("no result"))
    text = plain(f"{place}: {names}  {result}")
    say([{**line, "records": len(game.records)}], lambda: text, as_json)


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`; raises InputError."""
    try:
        with sys.stdin.buffer if name == "-" else Path(name).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(name, error.strerror) from None
    if len(data) > MOST_BYTES:
        raise too_long(name, MOST_BYTES)
    return data


@click.command("attach")
@file_of_group
@round_argument
@board_argument
@click.argument("records", nargs=-1, metavar="[RECORD]...", type=PathName())
@option("--remove", is_flag=True, help="Remove the attached records.")
@writing
def attach_command(
    path: str, number: int, board: int, records: tuple[str, ...], remove: bool, by: str, as_json: bool
) -> None:
    """Attach the record of a game, or of each set of a match, in any dialect; it replaces an earlier one.

    The record must be legal to the end and must not contradict the result.

    \b
    Example:
      korgool event attach cup.korgool 1 3 game.pgn
    """
    from korgool.competition import commands

    if remove is bool(records):
        raise click.UsageError("Name the records, or give --remove.")
    with opened(path) as file:
        texts = [text for name in records for text in _games(name, file.state.event.rules())]
        try:
            game = commands.attach(file, number, board, texts, by=by)
        except ValueError as error:
            raise InputError(f"{path}: {', '.join(records)}: {said(error)}") from None
        _say_board(file.state, number, game, as_json)


def _games(name: str, rules: Rules) -> list[str]:
    """The text of a file, or the text of each game if it holds several."""
    from korgool.notation import parse_records, write_record

    data = read_bytes(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise not_utf8(name, line) from None
    found = list(parse_records(text, rules))
    if not found:
        raise InputError(f"{name}: " + tell(N_("there is no game in it")))
    for record in found:
        if record.error is not None:
            raise InputError(f"{name}: {record.error}")
    return [text] if len(found) == 1 else [write_record(record) for record in found]


@click.command("special")
@file_of_group
@round_argument
@board_argument
@option("--remove", "off", was=("--no",), is_flag=True, help="Remove it from the special board.")
@writing
def special_command(path: str, number: int, board: int, off: bool, by: str, as_json: bool) -> None:
    """Choose a game for the special board, where the best ones are shown (WNG-TK §VIII).

    \b
    Example:
      korgool event special cup.korgool 1 3
    """
    from korgool.competition import commands

    with opened(path) as file:
        game = commands.choose(file, number, board, special=not off, by=by)
        _say_board(file.state, number, game, as_json)


@click.command("form")
@file_of_group
@option(
    "--lend",
    nargs=2,
    type=click.IntRange(1, 9999),
    metavar="ROUND BOARD",
    help="Lend the record form of a game; needs --borrower.",
)
@option("--borrower", was=("--to",), metavar="NAME", help="Player, coach or representative.")
@option("--returned", type=click.IntRange(1), metavar="FORM", help="A lent form was returned.")
@option("--lost", type=click.IntRange(1), metavar="FORM", help="A lent form was lost.")
@option("--spoiled", type=click.IntRange(1), metavar="FORM", help="A lent form was returned spoiled.")
@writing
def form_command(
    path: str, lend: tuple[int, int] | None, borrower: str | None, returned: int | None, lost: int | None,
    spoiled: int | None, by: str, as_json: bool,
) -> None:  # fmt: skip
    """Lend a record form or take it back; without options list the forms (WNG-TK §VIII).

    Losing or spoiling one may be penalised up to exclusion: `korgool event warn`, `penalise` or `exclude`.

    \b
    Example:
      korgool event form cup.korgool --lend 1 3 --borrower "Coach Isaev"
      korgool event form cup.korgool --lost 1
    """
    from korgool.competition import commands

    taken = [(number, word) for number, word in
             ((returned, "returned"), (lost, "lost"), (spoiled, "spoiled")) if number is not None]  # fmt: skip
    if len(taken) + (lend is not None) > 1:
        raise click.UsageError("One thing at a time: --lend, --returned, --lost or --spoiled.")
    if (lend is None) is not (borrower is None):
        raise click.UsageError("--lend and --borrower belong together.")
    with opened(path) as file:
        if lend is not None and borrower is not None:
            forms = [commands.lend(file, *lend, borrower, by=by)]
        elif taken:
            number, word = taken[0]
            forms = [commands.take_back(file, number, lost=word == "lost", spoiled=word == "spoiled", by=by)]
        else:
            forms = list(file.state.forms.values())
    lines = [_form_fields(form) for form in forms]
    rows = [[*list(line.values())[:-1], value(line["state"])] for line in lines]
    say(lines, lambda: columns(("form", "round", "board", "borrower", "state"), rows), as_json)


def _form_fields(form: LentForm) -> dict[str, Any]:
    return {"form": form.id, "round": form.round, "board": form.board, "borrower": form.borrower, "state": form.state}
