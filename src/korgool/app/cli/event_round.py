"""`korgool event pair`, `unpair`, `repair`, `round` and `explain`: the pairing of a round."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    file_of_group,
    named,
    opened,
    reading,
    round_text,
    say,
    state_of,
    warning,
    writing,
)
from korgool.app.cli.event_people import required_reason
from korgool.app.cli.group import InputError
from korgool.app.cli.language import gettext, spoken, tell
from korgool.app.cli.output import plain
from korgool.app.cli.vocabulary import option
from korgool.app.words.event_words import pairing_sentences
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState
    from korgool.competition.model import Round

_PAIR = re.compile(r"(\d+)\s*[-:]\s*(\d+)")


def say_round(state: EventState, one: Round, as_json: bool) -> None:
    """Print a round: a line for each board, then the byes."""
    from korgool.competition.event_fields import round_fields

    say(round_fields(state, one), lambda: round_text(state, one), as_json)


@click.command("pair")
@file_of_group
@option(
    "--seed",
    "lot",
    was=("--lot",),
    metavar="SEED",
    help="Seed of the lot for the first colours, to make it repeatable.",
)
@option("--seconds", "timeout", was=("--timeout",), type=click.FloatRange(0.1, 86400), metavar="SECONDS",
              help="Time for the pairing engine; 60, and more for over 220 players, such as 300 for 500.")  # fmt: skip
@option("--memory", type=click.IntRange(0, 10**6), default=2048, show_default=True, metavar="MIB",
              help="Memory for it; 0 sets no bound.")  # fmt: skip
@writing
def pair_command(path: str, lot: str | None, timeout: float | None, memory: int, by: str, as_json: bool) -> None:
    """Pair and publish the next round.

    Before the first round the players get their pairing numbers, and lots are drawn for the first colours. The next
    round cannot be paired while a result is missing.

    \b
    Example:
      korgool event pair cup.korgool --json
    """
    from korgool.competition import commands
    from korgool.competition.eligibility import missing_officials
    from korgool.competition.pairing import GacruxProcess, NoPairingError
    from korgool.competition.pairing.absentees import absentee_notes

    with opened(path) as file:
        before = file.state
        try:
            one = commands.pair(file, by=by, lot=lot, engine=GacruxProcess(timeout, memory))
        except NoPairingError as error:
            advice = tell(N_("`korgool event repair --next` pairs by hand"))
            raise InputError(f"{named(path, error)}; {advice}") from None
        say_round(file.state, one, as_json)
        paired = {id_ for game in one.games for id_ in (game.white, game.black)}
        for text in (*(missing_officials(file.state) if one.number == 1 else ()), *absentee_notes(before, paired)):
            warning(text)


@click.command("unpair")
@file_of_group
@click.argument("number", type=click.IntRange(1, 99), metavar="ROUND")
@required_reason
@writing
def unpair_command(path: str, number: int, reason: str, by: str, as_json: bool) -> None:
    """Take back the last round while it has no results.

    \b
    Example:
      korgool event unpair cup.korgool 3 --reason "a late entry was forgotten"
    """
    from korgool.competition import commands

    with opened(path) as file:
        state = commands.unpair(file, number, by=by, reason=reason)
    paired = len(state.rounds)
    told = tell(N_("round {round} is taken back, {paired} are paired"), round=number, paired=paired)
    say([{"unpaired": number, "paired": paired}], lambda: told, as_json)


def _pairing(_: click.Context, __: click.Parameter, texts: tuple[str, ...]) -> tuple[tuple[int, int], ...]:
    found = [_PAIR.fullmatch(text.strip()) for text in texts]
    for text, match in zip(texts, found, strict=True):
        if match is None:
            raise click.BadParameter(f"{text[:40]!r} is no pairing such as 5-12, White's number first.")
    return tuple((int(match[1]), int(match[2])) for match in found if match is not None)


def _one_pairing(ctx: click.Context, parameter: click.Parameter, text: str | None) -> tuple[int, int] | None:
    return None if text is None else _pairing(ctx, parameter, (text,))[0]


@click.command("repair")
@file_of_group
@click.argument("pairings", nargs=-1, metavar="[WHITE-BLACK]...", callback=_pairing)
@option("--bye", "byes", multiple=True, metavar="PLAYER", help="A player without an opponent, who gets a bye's points.")
@option("--next", "coming", is_flag=True, help="Pair the next round like this, if the program finds no pairing.")
@option("--swap", nargs=2, metavar="A B", help="Only exchange two players; two opponents exchange colours.")
@option("--colours", type=click.IntRange(1, 9999), metavar="BOARD", help="Only exchange the colours of a board.")
@option("--seat", callback=_one_pairing, metavar="WHITE-BLACK",
              help="Only add a board for two players who have a bye or came late.")  # fmt: skip
@option("--fill", nargs=2, type=(click.IntRange(1, 9999), str), metavar="BOARD PLAYER",
              help="Only put a player on a board for which their team had nobody.")  # fmt: skip
@option("--round", "number", type=click.IntRange(1, 99), metavar="N", help="A round other than the last.")
@required_reason
@writing
def repair_command(
    path: str, pairings: tuple[tuple[int, int], ...], byes: tuple[str, ...], coming: bool, swap: tuple[str, str] | None,
    colours: int | None, seat: tuple[int, int] | None, fill: tuple[int, str] | None, number: int | None, reason: str,
    by: str, as_json: bool,
) -> None:  # fmt: skip
    """Change a round by hand, the last one or --round: give all boards in order, or change one thing with an option.

    Results are kept: two players who meet before and after the change keep their result, also when they exchange
    colours; if a player is swapped, the result stays at its board. With --next the coming round is paired by hand, if
    the rules leave no pairing and the chief referee decides. The round is marked, and objections (rematches, colours,
    second byes) are printed as warnings.

    \b
    Example:
      korgool event repair cup.korgool --swap 5 12 --reason "5 plays on the ground floor"
      korgool event repair cup.korgool --colours 3 --round 2 --reason "they sat the other way round"
      korgool event repair cup.korgool 1-4 6-2 3-5 --bye 7 --reason "paired from the wall"
    """
    from korgool.competition import commands
    from korgool.competition.model import ByeKind

    single = {"swap": swap, "colours": colours, "seat": seat, "fill": fill}
    given_single = [name for name, one in single.items() if one is not None]
    if len(given_single) + bool(pairings) != 1:
        raise click.UsageError("Give the pairings of all boards, or --swap, --colours, --seat or --fill.")
    if coming and given_single:
        raise click.UsageError(f"--{given_single[0]} changes a round that is paired.")
    if number is not None and (coming or seat):
        raise click.UsageError("--round names a round that is paired; --seat is for the last one.")
    with opened(path) as file:
        if colours is not None:
            game = file.state.round(number or len(file.state.rounds)).game(colours)
            if not (game.white and game.black):
                one_only = tell(N_("board {board} has one player only"), board=colours)
                raise InputError(f"{path}: {one_only}")
            white, black = (str(file.state.players[id_].number) for id_ in (game.white, game.black))
            swap = (white, black)
        if swap is not None:
            one, notes = commands.swap(file, *swap, number=number, by=by, reason=reason)
        elif seat is not None:
            one, notes = commands.seat(file, *seat, by=by, reason=reason)
        elif fill is not None:
            one, notes = commands.fill(file, *fill, number=number, by=by, reason=reason)
        else:
            asked = _asked(file.state, number or len(file.state.rounds) + coming)
            given = [(player, asked.pop(player, ByeKind.ALLOCATED)) for player in
                     (file.state.player(bye).number for bye in byes)]  # fmt: skip
            given += asked.items()
            if coming:
                one, notes = commands.pair_by_hand(file, pairings, byes=given, by=by, reason=reason)
            else:
                one, notes = commands.repair(file, pairings, byes=given, number=number, by=by, reason=reason)
        say_round(file.state, one, as_json)
    warning(tell(N_("round {round} is now paired by hand"), round=one.number))
    for text in notes:
        warning(text)


def _asked(state: EventState, number: int) -> dict[int, Any]:
    """The requested byes of a round, by pairing number; they stay."""
    from korgool.competition.model import ByeKind

    return {
        player.number: kind
        for player in state.players.values()
        if (kind := player.bye(number)) is not None and kind is not ByeKind.ZERO
    }


@click.command("round")
@file_of_group
@click.argument("number", type=click.IntRange(1, 99), metavar="[ROUND]", required=False)
@reading
def round_command(path: str, number: int | None, at: int | None, as_json: bool) -> None:
    """Print a round with its results; without a number, the last one.

    \b
    Example:
      korgool event round cup.korgool 2
    """
    with state_of(path, at) as state:
        say_round(state, state.round(number or len(state.rounds)), as_json)


@click.command("explain")
@file_of_group
@click.argument("number", type=click.IntRange(1, 99), metavar="[ROUND]", required=False)
@reading
def explain_command(path: str, number: int | None, at: int | None, as_json: bool) -> None:
    """Explain the pairing of a Swiss round: score groups, floats, colours, byes; without a number, of the last round.

    \b
    Example:
      korgool event explain cup.korgool 3
    """
    from korgool.competition.csv_export import competitor
    from korgool.competition.pairing import explain

    with state_of(path, at) as state:
        number = number or len(state.rounds)
        lines = []
        found = explain(state, number)
        for one in found:
            white, white_name = competitor(state, one.white)
            black, black_name = competitor(state, one.black) if one.black else (None, None)
            lines.append(
                {"round": number, "board": one.board or None, "white": white, "white_name": white_name}
                | {"black": black, "black_name": black_name, "points": [half / 2 for half in one.points]}
                | {"float": one.float / 2, "article": one.article or None}
                | {"reasons": [{"key": why.key, "text": why.text} for why in one.reasons], "text": one.text}
            )
    language = spoken()
    if language == "en":
        texts = [str(line["text"]) for line in lines]
    else:
        words = pairing_sentences(language)
        texts = [" ".join(why.in_words(words) for why in one.reasons) for one in found]
    say(lines, lambda: "\n\n".join(map(_explained, lines, texts)), as_json)


def _explained(line: dict[str, Any], text: str) -> str:
    who, translate = f"{line['white']} {line['white_name']}", gettext()
    if line["board"]:
        board = f"board {line['board']}" if translate is None else translate(N_("Board %(board)s")) % line
        head = f"{board}: {who} - {line['black']} {line['black_name']}"
    else:
        bye = "bye" if translate is None else translate(N_("Bye"))
        head = f"{bye}: {who}"
    return plain(head) + "\n  " + plain(text)
