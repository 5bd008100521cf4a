"""Options that several commands share, and what they mean."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.vocabulary import option
from korgool.rules import GAMES, TOGUZ_KORGOOL, Position, PositionError, Rules, Setup

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class GameChoice:
    """The game that `--game` and `--rule` choose.

    Args:
        name: the game's short name, or None when `--game` was not given.
        options: the values of `--rule`, each `NAME=VALUE`.
    """

    def __init__(self, name: str | None, options: Sequence[str] = ()) -> None:
        self.name = name
        self.options = tuple(options)
        self.adapt(self.named or TOGUZ_KORGOOL)  # wrong options are reported before any work begins

    @property
    def named(self) -> Rules | None:
        """The game of `--game`, without its options, or None."""
        return None if self.name is None else GAMES[self.name]

    @property
    def rules(self) -> Rules:
        """The game with its options; toguz korgool without `--game`."""
        return self.adapt(self.named or TOGUZ_KORGOOL)

    def adapt(self, rules: Rules) -> Rules:
        """Another game with the options of the command line.

        Raises:
            click.UsageError: there is no such option, or it cannot have that value.
        """
        try:
            return self.vary(rules)
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    def vary(self, rules: Rules) -> Rules:
        """The same for a game named in a file, so that an error belongs to that record.

        Raises:
            ValueError: this game has no such option, or it cannot have that value here.
        """
        for chosen in self.options:
            name, equals, value = chosen.partition("=")
            if not equals:
                raise ValueError(f"--rule takes NAME=VALUE, such as sweep=owner, not {chosen!r}")
            try:
                rules = rules.with_option(name.strip(), value)
            except ValueError as error:
                raise ValueError(f"--rule {chosen}: {error}") from None
        return rules

    def position(self, text: str | None, *, lenient: bool = False) -> Position:
        """The position of `--position`, or the start without it.

        Without `--game`, the number of holes determines the game, as in `Position.parse`.

        Raises:
            InputError: the text is not a position of that game.
        """
        if text is None:
            return self.rules.start()
        try:
            rules = self.rules if self.name is not None else self.adapt(Setup.parse(text).rules)
            return Position.parse(text, rules, lenient=lenient)
        except PositionError as error:
            raise InputError(f"--position: {error}") from None


def game_options(function: Decorated) -> Decorated:
    """Add `--game` and `--rule`; the command receives them as `game: GameChoice`."""

    @functools.wraps(function)
    def wrapped(*args: Any, game: str | None, rule: tuple[str, ...], **others: Any) -> Any:
        return function(*args, game=GameChoice(game, rule), **others)

    for decorate in (
        option(
            "--rule",
            multiple=True,
            metavar="NAME=VALUE",
            help="A choice within the rules, such as sweep=owner; repeatable.",
        ),
        option("--game", type=click.Choice(list(GAMES)), help="The game; by default, toguz."),
    ):
        wrapped = decorate(wrapped)
    return wrapped  # type: ignore[return-value]


class Seconds(click.FloatRange):
    """A time in seconds, above 0 and at most a day."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0, 86400, min_open=True)


json_option = option("--json", "as_json", is_flag=True, help="Print JSON: one object, or several, one on each line.")
lenient_option = option("--lenient", is_flag=True, help="Accept positions whose stones do not add up.")
position_option = option("--position", metavar="TEXT", help="A position; by default, the start of the game.")
