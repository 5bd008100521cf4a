"""`korgool event photo`: giving, fetching and removing the photograph of a player."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from korgool.app.cli.event_common import file_of_group, named, opened, reason_option, say, writing
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.output import plain
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.storage.event_file import EventFile

_PATH = PathName(as_path=True)


@click.command("photo")
@file_of_group
@click.argument("player")
@click.argument("picture", required=False, type=_PATH)
@option("-o", "--output", metavar="OUT.jpg", type=_PATH, help="Write the photograph to a file.")
@option("--remove", is_flag=True, help="Remove it; it is overwritten.")
@reason_option
@writing
def photo_command(
    path: str,
    player: str,
    picture: Path | None,
    output: Path | None,
    remove: bool,
    reason: str,
    by: str,
    as_json: bool,
) -> None:
    """Give a player a photograph, or say whether there is one.

    PICTURE is a JPEG, PNG or WebP. Its middle is kept as a small JPEG, without what the camera recorded. The
    regulations must show photographs (`change --shown photo`). Ask the player first, and for a minor the guardian.

    \b
    Example:
      korgool event photo cup.korgool 12 asanova.jpg
      korgool event photo cup.korgool 12 -o small.jpg
      korgool event photo cup.korgool 12 --remove --reason "asked for it"
    """
    if (picture is not None) + (output is not None) + remove > 1:
        raise click.UsageError("Give one of PICTURE, -o and --remove.")
    with opened(path) as file:
        found = file.state.player(player)
        if picture is not None:
            file.set_photo(found.id, _small(picture), by=by, reason=reason)
        elif remove:
            if not found.photo:
                raise _lacking(path, found.name)
            file.set_photo(found.id, None, by=by, reason=reason)
        elif output is not None:
            _write(file, path, found.id, output)
        now = file.state.players[found.id]
        line = {"number": now.number, "name": now.name, "photo": bool(now.photo)}
    there = tell(N_("a photograph") if line["photo"] else N_("no photograph"))
    say([line], lambda: plain(f"{line['number']}  {line['name']}: {there}"), as_json)


def _lacking(path: str, name: str) -> InputError:
    said = tell(N_("{name} has no photograph"), name=name)
    return InputError(f"{path}: {said}")


def _small(picture: Path) -> bytes:
    """The picture in a file as events keep it."""
    from korgool.app.server.events.photo_conversion import MOST_SENT, small_photo
    from korgool.competition.errors import CompetitionError

    try:
        with picture.open("rb") as source:
            return small_photo(source.read(MOST_SENT + 1))
    except OSError as error:
        raise InputError(f"{picture}: {error.strerror}") from None
    except CompetitionError as error:
        raise InputError(named(str(picture), error)) from None


def emblem_of(path: str) -> str:
    """The emblem in a file as events keep it (`competition.emblem.emblem_text`); raises InputError if it is none."""
    from korgool.app.server.events.emblem_conversion import MOST_SENT, small_emblem
    from korgool.competition.emblem import emblem_text
    from korgool.competition.errors import CompetitionError

    try:
        with Path(path).open("rb") as source:
            return emblem_text(small_emblem(source.read(MOST_SENT + 1)))
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except CompetitionError as error:
        raise InputError(named(path, error)) from None


def _write(file: EventFile, path: str, player: int, output: Path) -> None:
    jpeg = file.photo(player)
    if jpeg is None:
        raise _lacking(path, file.state.players[player].name)
    try:
        with output.open("xb") as into:  # what is there already, the event among it, is not replaced
            into.write(jpeg)
    except OSError as error:
        raise InputError(f"{output}: {error.strerror}") from None
