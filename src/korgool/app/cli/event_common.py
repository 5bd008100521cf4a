"""Shared by the subcommands of `korgool event`: the file, the official, and boards and players as text and JSON."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, gettext, headings, language_option, spoken, tell, value
from korgool.app.cli.options import json_option
from korgool.app.cli.output import emit, plain
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.errors import CompetitionError
    from korgool.competition.event_state import EventState
    from korgool.competition.model import Player, Round
    from korgool.competition.storage.event_file import EventFile

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
MOST_AT = 10**9


def _user_name() -> str:
    return os.environ.get("USER", "").strip() or "arbiter"


file_argument = click.argument("path", metavar="FILE", type=PathName())
_ASKED = "korgool.group"
"""The place where a command keeps the name of the group that it was asked for."""


def _note(ctx: click.Context, _: click.Parameter, name: str | None) -> None:
    ctx.meta[_ASKED] = name


_group_option = option(
    "--group", metavar="NAME", expose_value=False, callback=_note, help="The group, in an event of several groups."
)


def file_of_group(function: Decorated) -> Decorated:
    """Add FILE, and `--group`, which `opened` and `state_of` follow."""
    return file_argument(_group_option(function))


by_option = option(
    "--by", metavar="OFFICIAL", default=_user_name, help="The official who does it; by default, your user name."
)
reason_option = option("--reason", metavar="TEXT", default="", help="The reason, for the log.")
lost_letters_option = option(
    "--accept-lost-letters", "accept_lost", is_flag=True, help="Accept names whose letters seem to be lost."
)
at_option = option(
    "--at", type=click.IntRange(1, MOST_AT), metavar="N", help="The state of the event after line N of its log."
)


def reading(function: Decorated) -> Decorated:
    """Add `--at`, `--language` and `--json`."""
    for decorate in (json_option, language_option, at_option):
        function = decorate(function)
    return function


def writing(function: Decorated) -> Decorated:
    """Add `--by`, `--language` and `--json`."""
    for decorate in (json_option, language_option, by_option):
        function = decorate(function)
    return function


@contextmanager
def opened(path: str, *, whole: bool = False, group: str | None = None, ranked: bool = False) -> Iterator[EventFile]:
    """The event file, turned to the group that the command is about.

    Args:
        path: the file.
        whole: the command is about the whole event, and needs no group.
        group: the name of the group, by default that of `--group`.
        ranked: where the event has no groups, `group` is one that is ranked by itself, and none of the caller's here.

    Raises:
        InputError: it cannot be opened, there is no such group, it has several and none is named, or the action is
            refused; the message begins with the file's name.
    """
    from korgool.competition.errors import CompetitionError
    from korgool.competition.storage.event_file import EventFile

    try:
        with EventFile.open(path) as file:
            if ranked and not file.state.groups:
                group = None
            elif group is None:
                group = asked_group()
            turn(file, group, whole=whole)
            yield file
    except CompetitionError as error:
        raise InputError(named(path, error)) from error


def asked_group() -> str | None:
    """The name that `--group` of this command gives, or None."""
    ctx = click.get_current_context(silent=True)
    return None if ctx is None else ctx.meta.get(_ASKED)


def turn(file: EventFile, group: str | None, *, whole: bool = False) -> None:
    """Turn a file to a group by its name; without one to the only group, or with `whole` to the first.

    Raises:
        CompetitionError: there is no such group, or there are several and none is named.
    """
    groups = file.state.groups
    if group is not None:
        file.turn_to(file.state.group_named(group))
    elif len(groups) > 1 and not whole:
        raise unnamed(file.state)


def unnamed(state: EventState) -> CompetitionError:
    """The error of a command that is about one of several groups, which was not named."""
    from korgool.competition.errors import CompetitionError

    several = N_("the event has several groups; name one with --group: {listed}")
    return CompetitionError(several, listed=", ".join(state.groups.values()))


def group_field(state: EventState) -> dict[str, str]:
    """The group of a state as a member of its data; none in an event without groups."""
    return {"group": state.groups[state.group]} if state.groups else {}


def said(text: str | Exception) -> str:
    """A text or an error of an event in the language of the command, if it can be translated."""
    from korgool.competition.errors import CompetitionError
    from korgool.competition.errors import said as in_language

    return (
        text.said(spoken())
        if isinstance(text, CompetitionError)
        else in_language(text if isinstance(text, str) else str(text), spoken())
    )


def named(path: str, error: Exception) -> str:
    """The message of an error in the language of the command, preceded by its file."""
    text = said(error)
    return text if path in text else f"{path}: {text}"


@contextmanager
def state_of(
    path: str, at: int | None, *, whole: bool = False, group: str | None = None, ranked: bool = False
) -> Iterator[EventState]:
    """The current state of the event, or its state after a line of the log; arguments and errors as of `opened`."""
    with opened(path, whole=whole, group=group, ranked=ranked) as file:
        if at is None:
            yield file.state
            return
        if at > file.state.actions:
            raise InputError(f"{path}: its log has {file.state.actions} lines, there is no line {at}")
        yield file.state_at(at)


def warning(text: str, where: str = "") -> None:
    """Print a warning on standard error, in the language of the command if it can be translated, after its place."""
    place = f"{where}: " if where else ""
    word = tell(N_("warning"))
    click.echo(f"korgool: {word}: {plain(place + said(text))}", err=True)


def columns(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table as text with aligned columns; columns of numbers are right-aligned."""
    held = [list(row) for row in rows]
    lines = [headings(header), *([_cell(cell) for cell in row] for row in held)]
    padded = []
    for at, texts in enumerate(zip(*lines, strict=True)):
        width = max(map(len, texts))
        numbers = all(row[at] in (None, "") or isinstance(row[at], int | float) for row in held)
        padded.append([text.rjust(width) if numbers else text.ljust(width) for text in texts])
    return "\n".join("  ".join(parts).rstrip() for parts in zip(*padded, strict=True))


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        from korgool.competition.result import said_number

        return said_number(value)
    return plain(str(value))


def say(lines: Iterable[Mapping[str, Any]], text: Callable[[], str], as_json: bool) -> None:
    """Print JSON Lines, or the text."""
    if as_json:
        for line in lines:
            emit(line)
    elif shown := text():
        click.echo(shown)


def result_text(line: Mapping[str, Any]) -> str:
    """The result in a board's data as one line: text, score of the sets, cause; empty if there is none."""
    from korgool.app.words.event_texts import halves_said

    parts = [halves_said(line["result_text"] or "")]
    if score := line.get("set_score"):
        parts.append(f"[{_cell(float(score['white']))}:{_cell(float(score['black']))}]")
    if line["cause"] not in (None, "board", "forfeit"):
        parts.append(value(line["cause"]))
    return " ".join(parts)


def round_text(state: EventState, one: Round) -> str:
    """A round as a table."""
    from korgool.competition.event_fields import round_fields

    translate = gettext()
    bye = "bye" if translate is None else translate(N_("Bye"))
    rows = []
    for line in round_fields(state, one):
        black = f"{bye} ({_cell(line['points']['white'])})" if line["bye"] else line["black_name"] or value("nobody")
        rows.append(
            [
                line["board"],
                line["white"],
                line["white_name"] or value("nobody"),
                line["black"],
                black,
                result_text(line),
            ]
        )
    if translate is None:
        title = f"Round {one.number}" + (", paired by hand" if one.manual else "")
    else:
        title = translate(N_("Round %(round)s")) % {"round": one.number}
        title += ", " + translate(N_("changed by hand")) if one.manual else ""
    return f"{title}\n" + columns(("board", "no.", "White", "no.", "Black", "result"), rows)


def player_text(player: Player) -> str:
    """A player in one line: number, name, and remarks."""
    parts = [f"{player.number}  {player.name}"]
    if player.excluded or player.until is not None:
        out = value("excluded") if player.excluded else tell(N_("withdrawn after round {round}"), round=player.until)
        parts.append(out)
    if player.warnings:
        parts.append(counts((len(player.warnings), "warning", N_("Warnings"))))
    if player.penalty:
        parts.append(tell(N_("penalty {points}"), points=_cell(player.penalty / 2)))
    return plain(", ".join(parts))


def say_player(player: Player, as_json: bool, group: str | None = None) -> None:
    """Print one player, with the group in an event of several."""
    from korgool.competition.event_fields import player_fields

    line = player_fields(player) | ({} if group is None else {"group": group})
    place = "" if group is None else f" ({plain(group)})"
    say([line], lambda: player_text(player) + place, as_json)
