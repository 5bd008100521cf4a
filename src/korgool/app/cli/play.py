"""`korgool play`: a game against the engine in the terminal."""

from __future__ import annotations

import sys
from random import Random
from typing import TYPE_CHECKING

import click

from korgool.app.cli.group import InputError
from korgool.app.cli.language import language_option, spoken, tell
from korgool.app.cli.options import GameChoice, Seconds, game_options, json_option, lenient_option, position_option
from korgool.app.cli.output import ask
from korgool.app.cli.vocabulary import option
from korgool.languages import N_
from korgool.rules import Game, Rules, Side

if TYPE_CHECKING:
    from korgool.app.cli.saved_game import SavedGame, SaveFile
    from korgool.app.cli.terminal_words import Words

PERFECT = "perfect"
USUAL = "3"


@click.command(
    "play",
    epilog="\b\nExamples:\n  korgool play --level 4 --side black\n  korgool play --rating 1200\n"
    "  korgool play --game mangala -o game.pgn",
)
@option(
    "--level",
    type=click.Choice([*map(str, range(1, 9)), PERFECT]),
    help="Strength of the engine, by default 3; perfect plays proven best moves wherever it can, which is nearly "
    "everywhere in mangala.",
)
@option(
    "--rating",
    type=int,
    metavar="NUMBER",
    help="Strength of the engine by rating instead, such as 1200, within the range of the game.",
)
@option(
    "--side",
    type=click.Choice(["white", "black", "random"]),
    default="white",
    show_default=True,
    help="Your side; White starts.",
)
@option("--seconds", type=Seconds(), help="The most time the engine takes for a move.")
@option("--book", is_flag=True, help="Let the engine play from its opening book, at any level.")
@option("--seed", type=int, help="Make the engine's random choices repeatable.")
@option("--resume", is_flag=True, help="Continue the unfinished game without asking.")
@option("--new", is_flag=True, help="Begin a new game without asking; an unfinished one is abandoned.")
@language_option
@option("-o", "--output", metavar="FILE", help="Write the record of the game to this file at the end.")
@position_option
@lenient_option
@game_options
@json_option
def command(
    level: str | None,
    rating: int | None,
    side: str,
    seconds: float | None,
    book: bool,
    seed: int | None,
    resume: bool,
    new: bool,
    output: str | None,
    position: str | None,
    lenient: bool,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Play a game against the engine.

    A move is a hole number. `help` lists the other commands: undo, hint, moves, resign and more.

    Every move is on disk before it is shown. A game that is left or killed is kept, and the next call at a terminal
    offers to continue it with its level and side. Input from a pipe is not asked: it begins a new game, which is not
    kept if there is an unfinished one already.

    With --json the conversation is on standard error, and the game is printed at the end: its record and its data, as
    by `korgool replay --json`.
    """
    from korgool.app.cli.engine_data import check_book
    from korgool.app.cli.saved_game import SaveFile
    from korgool.app.cli.terminal_game import TerminalGame
    from korgool.app.cli.terminal_words import Words

    if resume and new:
        raise click.UsageError("--resume continues a game and --new abandons it; give one of them")
    if level is not None and rating is not None:
        raise click.UsageError("--level and --rating both set the strength; give one of them")
    language, save_file = spoken(), SaveFile.usual()
    kept, keeps = _kept(save_file, Words(language), resume=resume, new=new, err=as_json)
    start = game.position(position, lenient=lenient)
    if book:
        check_book(start.rules)
    strength = _strength(level, rating, start.rules)
    random = Random(seed)
    if kept is not None:
        TerminalGame(
            kept.played(), kept.human, kept.level, kept.seconds, random, output, language, save_file, book=kept.book,
            as_json=as_json,
        ).run()  # fmt: skip
        return
    human = random.choice(list(Side)) if side == "random" else Side[side.upper()]
    TerminalGame(
        Game(start),
        human,
        strength,
        seconds,
        random,
        output,
        language,
        save_file if keeps else None,
        book=book,
        as_json=as_json,
    ).run()


def _strength(level: str | None, rating: int | None, rules: Rules) -> int | None:
    """The requested strength as a number, None for perfect play."""
    if rating is None:
        return None if level == PERFECT else int(level or USUAL)
    from korgool.engine import ratings_of

    ratings = ratings_of(rules)
    if rating not in ratings:
        raise click.UsageError(f"--rating {rating}: ratings in {rules.title.lower()} are {ratings[0]} to {ratings[-1]}")
    return rating


def _kept(save_file: SaveFile, words: Words, *, resume: bool, new: bool, err: bool) -> tuple[SavedGame | None, bool]:
    """The unfinished game to continue, or None for a new one, and whether a new one may be kept in its place."""
    try:
        kept = save_file.load()
    except (OSError, ValueError) as error:
        if resume:
            raise InputError(tell(N_("the unfinished game cannot be read, {reason}"), reason=error)) from None
        said = tell(N_("the unfinished game cannot be read, {reason}; --new gives it up"), reason=error)
        click.echo(f"korgool: {said}", err=True)
        return None, new
    if kept is None:
        if resume:
            raise InputError(tell(N_("there is no unfinished game in {file}"), file=save_file.path))
        return None, True
    if resume or new:
        return (kept, True) if resume else (None, True)
    if sys.stdin is None or not sys.stdin.isatty():
        said = tell(N_("another unfinished game is kept; --resume goes on with it, --new gives it up"))
        click.echo(f"korgool: {said}", err=True)
        return None, False
    from rich.console import Console

    console = Console(highlight=False, stderr=err)
    left = words._("You left a game unfinished: %(game)s, %(opponent)s, moves of both sides: %(moves)s.")
    values = {"game": words.game(kept.game), "opponent": words.opponent(kept.level), "moves": len(kept.moves)}
    console.print(left % values, markup=False)
    console.print(words._("Enter continues it, new abandons it"))
    try:
        answer = ask(console, "> ")
    except EOFError:
        raise click.Abort from None
    return (None, True) if answer.strip().lower() == "new" else (kept, True)
