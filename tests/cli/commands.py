"""All commands of the program, and command lines for each of them that only lack what a test is about."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import click

from korgool.app.cli import main

ARGUMENTS = {
    "address": "https://example.org/events/1", "archive": "missing.zip", "board": "1", "depth": "1", "event": "e1",
    "file": "missing.jsonl", "files": "missing.pgn", "first": "level:1", "folder": "missing",
    "game": "toguz", "group": "Women",
    "line": "1", "name": "Aida", "number": "1", "pairings": "1-2", "path": "missing.korgool",
    "paths": "missing.korgool", "picture": "missing.jpg", "player": "1", "rating": "1500", "record": "missing.pgn",
    "records": "missing.pgn", "report": "r1", "result": "1-0", "second": "level:1", "shell": "bash",
    "source": "missing.csv", "speed": "blitz", "target": "copy.zip", "what": "standings", "work": "list",
}  # fmt: skip
"""A value of every argument."""
FILES = {"archive", "file", "files", "folder", "path", "paths", "picture", "record", "records", "source", "target"}
"""The arguments that name a file; the others name none."""
OPTIONS = {
    "--stones": "2", "--name": "Asan, A", "--output": "out.svg", "--to": "pgn", "--reason": "a reason",
    "--server": "http://127.0.0.1:9", "--token": "t", "--data": "missing", "--database": "postgresql://127.0.0.1:9/none",
}  # fmt: skip
"""Values of the options without which a command does not begin."""


@cache
def commands() -> dict[str, click.Command]:
    """Every command by the words that call it, such as `event standings`."""
    return dict(_within(main, ()))


def _within(command: click.Command, words: tuple[str, ...]) -> Iterator[tuple[str, click.Command]]:
    if not isinstance(command, click.Group):
        yield " ".join(words), command
        return
    ctx = click.Context(command)
    for name in command.list_commands(ctx):
        found = command.get_command(ctx, name)
        assert found is not None
        yield from _within(found, (*words, name))


def options(command: click.Command) -> Iterator[tuple[str, click.Option]]:
    """The options of a command, each with its word."""
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            yield next(name for name in parameter.opts if name.startswith("--")), parameter


def needed(command: click.Command, *, without: str = "") -> list[str]:
    """What a command needs at least: its arguments and options, but for one option."""
    words = []
    for parameter in command.params:
        if isinstance(parameter, click.Argument):
            words += [ARGUMENTS[str(parameter.name)]] if parameter.required else []
    for word, parameter in options(command):
        if parameter.required and word != without:
            words += [word, OPTIONS[word]]
    return words
