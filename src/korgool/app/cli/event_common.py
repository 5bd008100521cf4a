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
from korgool.app.cli.output import emit
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState
    from korgool.competition.model import Player, Round
    from korgool.competition.storage.event_file import EventFile

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
MOST_AT = 10**9


def _user_name() -> str:
    return os.environ.get("USER", "").strip() or "arbiter"


file_argument = click.argument("path", metavar="FILE", type=PathName())
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
def opened(path: str) -> Iterator[EventFile]:
    """The event file.

    Raises:
        InputError: it cannot be opened, or the action is refused; the message begins with the file's name.
    """
    from korgool.competition.errors import CompetitionError
    from korgool.competition.storage.event_file import EventFile

    try:
        with EventFile.open(path) as file:
            yield file
    except CompetitionError as error:
        raise InputError(named(path, error)) from error


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
def state_of(path: str, at: int | None) -> Iterator[EventState]:
    """The current state of the event, or its state after a line of the log; raises the errors of `opened`."""
    with opened(path) as file:
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


def plain(text: str) -> str:
    """The text without control characters, which could control a terminal."""
    return "".join(letter if letter.isprintable() else "�" for letter in text)


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


def say_player(player: Player, as_json: bool) -> None:
    """Print one player."""
    from korgool.competition.event_fields import player_fields

    say([player_fields(player)], lambda: player_text(player), as_json)
