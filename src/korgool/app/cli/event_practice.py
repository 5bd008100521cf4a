"""`korgool event practice`: an event of numbered players to learn with."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from korgool.app.cli.event_common import file_argument, opened, writing
from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, spoken, tell
from korgool.app.cli.output import counted, emit, plain
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.storage.event_file import EventFile


@click.command("practice")
@file_argument
@option(
    "--play", "play", type=click.IntRange(0, 5), default=0, metavar="N", help="Play N rounds with results by chance."
)
@option("--seed", default="practice", metavar="TEXT", help="The same seed plays the same event.")
@writing
def practice_command(path: str, play: int, seed: str, by: str, as_json: bool) -> None:
    """Create a practice event of 24 numbered players and five rounds in a new FILE. With --play, an existing practice
    event plays further rounds; the results of a paired round that are missing are filled in first.

    \b
    Examples:
      korgool event practice practice.korgool --language ky
      korgool event practice practice.korgool --play 1
    """
    from pathlib import Path

    from korgool.app.words.regulations import practice_words
    from korgool.competition import commands
    from korgool.competition.practice import is_practice, practice_entries, practice_settings
    from korgool.competition.storage.event_file import EventFile

    if not Path(path).exists():
        words = practice_words(spoken())
        with EventFile.create(path, practice_settings(words), by=by) as file:
            commands.enter_all(file, [(entry, None) for entry in practice_entries(words)], by=by)
    elif not play:
        said = tell(N_("there is such a file already; --play plays a practice event further"))
        raise InputError(f"{path}: {said}")
    with opened(path) as file:
        if not is_practice(file.state):
            said = tell(N_("this is no practice event, nothing is played by chance in it"))
            raise InputError(f"{path}: {said}")
        for _ in range(play):
            _play(file, seed, by)
        state = file.state
    if as_json:
        emit({"name": state.event.name, "players": len(state.players), "paired": len(state.rounds), "over": state.over})
        return
    if spoken() == "en":
        numbers = f"{len(state.players)} players, {counted(len(state.rounds), 'round')} played"
    else:
        numbers = counts(
            (len(state.players), "player", N_("Players")), (len(state.rounds), "round", N_("Rounds played"))
        )
    click.echo(f"{plain(state.event.name)}: {numbers}")


def _play(file: EventFile, seed: str, by: str) -> None:
    """Pair the next round unless the last one waits for results, and play it."""
    from korgool.competition import actions as do
    from korgool.competition import commands
    from korgool.competition.practice import practice_results

    if file.state.complete:
        commands.pair(file, by=by, lot=seed)
    number = len(file.state.rounds)
    played = practice_results(file.state, number, seed)
    file.do(*(do.EnterResult(number, board, result) for board, result in played.items()), by=by)
