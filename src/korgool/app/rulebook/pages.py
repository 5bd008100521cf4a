"""Reads the rules of the games: files `<language>/<game>.md` beside this module, with the marks of `words/markup.py`.

Each statement cites its clause, or the option of the rules that settles it. The manual includes the same files. An
example of a move stands between two fences:

    ```{example} toguz
    :before: 2,4S,3,2S,2/8,4S 76 76 S 40
    :move: 9
    :after: 2,4S,3,t,1S,1S/8,1S 79 76 N 40
    The last stone makes three in the opponent's hole 3: White takes the three and owns the hole [WNG-TK §IV:1].
    ```

It is played when it is read, so an example that does not hold is never shown.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from korgool.app.words.markup import MarkupError, html_of, read_blocks, split_title, text_in
from korgool.languages import LANGUAGES
from korgool.notation.moves import format_move
from korgool.rules import GAMES, Position, PositionError, Sowing

_EXAMPLE = re.compile(
    r"^```\{example\} (?P<game>\w+)\n(?P<options>(?::\w+: .*\n)+)(?P<caption>[^\n`:].*)\n```$", re.MULTILINE
)
_OPTION = re.compile(r"^:(\w+): (.*)$", re.MULTILINE)
_NEEDED, _POSSIBLE = {"before", "move", "after"}, {"before", "move", "after", "ends", "rule"}


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example.

    Attributes:
        before: the position at its start.
        sowings: the plies that are played, one or more.
        caption: what happens and by which clause, as HTML.
    """

    before: Position
    sowings: tuple[Sowing, ...]
    caption: str

    @property
    def after(self) -> Position:
        """The position at its end, before any sweep."""
        return self.sowings[-1].after

    @property
    def written(self) -> str:
        """The plies in field notation, and the result of the game if they end it: `93(82) · 1 (82) - 0 (60)`."""
        outcome = self.after.outcome()
        moves = ", ".join(format_move(sowing) for sowing in self.sowings)
        return f"{moves} · {outcome.result_text}" if outcome else moves


class RulesPage(NamedTuple):
    """The rules of a game: their title as text, and their parts in order, HTML with `h2` headings or an example."""

    title: str
    parts: tuple[str | Example, ...]


@cache
def rules_of(game: str, language: str) -> RulesPage:
    """The rules of a game.

    Args:
        game: its short name in the registry.
        language: a tag of `LANGUAGES`.

    Raises:
        ValueError: there is no such game or language.
        MarkupError: the file cannot be read, or an example does not hold.
    """
    if game not in GAMES or language not in LANGUAGES:
        raise ValueError(f"there are no rules of {game[:40]!r} in {language[:40]!r}")
    return read_rules(text_in(Path(__file__).parent, language, game), game)


def read_rules(text: str, game: str) -> RulesPage:
    """The rules of a game from their Markdown; raises MarkupError with the line that is wrong."""
    title, parts, end = "", list[str | Example](), 0
    for found in [*_EXAMPLE.finditer(text), None]:
        blocks = read_blocks(text[end : found.start() if found else None], 1 + text.count("\n", 0, end))
        if not end:
            title, blocks = split_title(blocks)
        if blocks:
            parts.append(html_of(blocks, heading="h2"))
        if found:
            parts.append(_played(found, game, 1 + text.count("\n", 0, found.start())))
            end = found.end()
    return RulesPage(title, tuple(parts))


def _played(found: re.Match[str], game: str, number: int) -> Example:
    options = dict(_OPTION.findall(found["options"]))
    if found["game"] != game or not _NEEDED <= set(options) <= _POSSIBLE:
        raise MarkupError(f"line {number}: an example of {game} has before, move and after, and may have ends and rule")
    rules = GAMES[game]
    try:
        if "rule" in options:
            rules = rules.with_option(*options["rule"].split("=", 1))
        before = Position.parse(options["before"], rules)
        sowings = [before.sow(int(options["move"].split(",")[0]))]
        for hole in options["move"].split(",")[1:]:
            sowings.append(sowings[-1].after.sow(int(hole)))
    except (TypeError, ValueError, PositionError) as error:
        raise MarkupError(f"line {number}: {error}") from error
    after, outcome = sowings[-1].after, sowings[-1].after.outcome()
    if (str(after), outcome.result_text if outcome else None) != (options["after"], options.get("ends")):
        raise MarkupError(f"line {number}: after {options['move']} the board is {after}, and the game ends: {outcome}")
    caption = read_blocks(found["caption"], number + found[0].count("\n") - 1)
    if caption[0].kind != "p":
        raise MarkupError(f"line {number}: the caption begins with a mark of a list or a heading")
    return Example(before, tuple(sowings), caption[0].content)
