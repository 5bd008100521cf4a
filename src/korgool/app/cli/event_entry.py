"""`korgool event enter`, `amend` and `personal`: entering and changing one player, and their personal data."""

from __future__ import annotations

import functools
from dataclasses import asdict, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    file_argument,
    file_of_group,
    lost_letters_option,
    named,
    opened,
    reason_option,
    say,
    say_player,
    turn,
    warning,
    writing,
)  # fmt: skip
from korgool.app.cli.forms import BORN, DAY, FILLED
from korgool.app.cli.group import InputError
from korgool.app.cli.language import tell
from korgool.app.cli.options import Decorated
from korgool.app.cli.output import plain
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.model import Entry, Personal
    from korgool.competition.storage.event_file import EventFile

_OPTIONS = (
    option("--sex", type=click.Choice(("m", "f")), help="m or f."),
    option("--born", type=BORN, metavar="DATE", help="Year or day of birth: 2001, 2001-05-31 or 31.05.2001."),
    option("--title", metavar="TEXT", help="Sports grade or title."),
    option("--rating", type=click.IntRange(0, 9999), help="0 if unrated."),
    option("--external", metavar="NUMBER", help="The player's number in a federation."),
    option("--federation", metavar="CODE", help="Three letters, as a rule."),
    option("--club", metavar="TEXT", help="Club."),
    option("--team", metavar="TEXT", help="Team; its first player creates it."),
    option("--team-board", "board", was=("--board",), type=click.IntRange(0, 99), help="Board order in the team."),
    option(
        "--group",
        "groups",
        multiple=True,
        metavar="NAME",
        help="A group of the event to play in, or where it has none to be ranked in; repeatable.",
    ),
    option("--ranked-group", "ranked", multiple=True, metavar="NAME", help="A group to be ranked in; repeatable."),
    option("--passport", metavar="TEXT", help="Series and number."),
    option("--coach", "coaches", multiple=True, metavar="NAME", help="Full name of a coach; repeatable."),
    option("--doctor", metavar="TEXT", help="Who admitted the player, and when."),
    option("--short", metavar="TEXT", help='The name on public pages, such as "Aida A."; empty for the whole one.'),
    option("--guardian", metavar="NAME", help="Who consents for a minor; empty for nobody."),
    option("--consent-day", type=DAY, metavar="DATE", help="When, such as 2026-09-14."),
    option("--consent-how", metavar="TEXT", help='How, such as "signed form".'),
    lost_letters_option,
)
_OPTION_OF = {
    "board": "team-board",
    "groups": "group",
    "ranked": "ranked-group",
    "coaches": "coach",
    "consent_day": "consent-day",
    "consent_how": "consent-how",
}
_NOTHING = "Name what is to be changed, such as --rating 2150."
_NAMES = ("name", "coaches", "short", "guardian")
_PERSONAL = ("passport", "coaches", "doctor")
_MEMBERS = ("sex", "born", "title", "rating", "external", "federation", "club", "team", "board", "groups", "ranked",
            "short", "guardian", "consent_day", "consent_how", *_PERSONAL)  # fmt: skip


def entry_options(function: Decorated) -> Decorated:
    """Add the options of an entry; the command receives the given ones as `given`, with their texts cleaned.

    A text whose letters seem to be lost is refused, unless `--accept-lost-letters` is given.
    """

    @functools.wraps(function)
    def wrapped(*args: Any, **options: Any) -> Any:
        values = {name: options.pop(name) for name in _MEMBERS}
        given = {name: value for name, value in values.items() if value not in (None, ())}
        if options.get("name") is not None:
            given["name"] = options["name"]
        given = _whole(given, options.pop("accept_lost"))
        options["name"] = given.pop("name", None)
        return function(*args, given=given, **options)

    for decorate in reversed(_OPTIONS):
        wrapped = decorate(wrapped)
    return wrapped  # type: ignore[return-value]


def _whole(given: dict[str, Any], accept_lost: bool) -> dict[str, Any]:
    """The options with their texts cleaned; raises UsageError for one that cannot be meant."""
    from korgool.competition.text_cleaning import clean, lost_letters

    made = dict(given)
    for member, value in given.items():
        texts = value if isinstance(value, tuple) else (value,)
        if not all(isinstance(text, str) for text in texts):
            continue
        for text in texts:
            option = f"--{_OPTION_OF.get(member, member)}"
            if not accept_lost and (reason := lost_letters(text, name=member in _NAMES)):
                raise click.UsageError(f"{option}: {plain(reason)}; --accept-lost-letters takes it as it is")
            if not clean(text).isprintable():
                raise click.UsageError(f"{option}: {plain(text)!r} holds a control character")
        cleaned = tuple(map(clean, texts))
        made[member] = cleaned if isinstance(value, tuple) else cleaned[0]
    return made


def _placed(file: EventFile, given: dict[str, Any], *, one: bool = False) -> list[int]:
    """The groups that `--group` names in an event of several, to the first of which the file is turned; else none.

    In `given` stay the groups to be ranked in.

    Raises:
        CompetitionError: there is no such group, or there are several and none is named, or more than `one`.
    """
    from korgool.competition.errors import CompetitionError

    ranked, names = given.pop("ranked", ()), given.pop("groups", ())
    groups = file.state.groups
    if not groups:
        if names or ranked:
            given["groups"] = (*names, *ranked)
        return []
    if ranked:
        given["groups"] = ranked
    if one and len(names) > 1:
        raise CompetitionError(N_("name one group of the event"))
    turn(file, names[0] if names else None)
    return [file.state.group_named(name) for name in names] or list(groups)


def _changed(
    file: EventFile, path: str, entry: Entry | None, personal: Personal | None, name: str | None, given: dict[str, Any]
) -> tuple[Entry, Personal]:
    """The entry and the personal data, changed by the given options."""

    from korgool.competition.entry_lists.cell_values import read_born, read_consent
    from korgool.competition.entry_lists.person_names import split_name
    from korgool.competition.errors import CompetitionError
    from korgool.competition.model import Entry, Personal

    asked = file.state.event.personal
    for member in _PERSONAL:
        if member in given and member not in asked:
            said = N_("the organiser does not ask for {member}; `korgool event change --personal` would change that")
            raise InputError(f"{path}: " + tell(said, member=member))
    try:
        held = {name: given.pop(name) for name in _PERSONAL if name in given}
        if "passport" in held:
            series, _, number = held.pop("passport").strip().rpartition(" ")
            held |= {"passport_series": series, "passport_number": number}
        if "born" in given:
            given["born"], day = read_born(given["born"])
            if day and "born" in asked:
                held["born"] = day
        if name is not None:
            given |= split_name(name)
        if entry is not None and entry.removed and "family" in given:
            given["removed"] = False
        given |= read_consent(given, entry.consent if entry is not None else None)
        made = Entry(**given) if entry is None else replace(entry, **given)
        return made, replace(personal or Personal(), **held)
    except CompetitionError as error:
        raise InputError(named(path, error)) from None


@click.command("enter")
@file_argument
@option("--name", type=FILLED, required=True, metavar="TEXT", help='"Family, Given Patronymic".')
@entry_options
@option("--namesake", is_flag=True, help="Another person than the one already entered under this name.")
@writing
def enter_command(path: str, name: str, given: dict[str, Any], namesake: bool, by: str, as_json: bool) -> None:
    """Enter a player and print the player's number.

    Numbers change once, when the first round is paired. A player who enters later plays from the next round on.
    Personal data (--passport, --coach, --doctor, the day of birth) is accepted if the organiser asks for it, and stored
    separately.

    In an event of several groups --group names the groups that the player takes part in. Who is entered in another
    group already is the same player, unless --namesake is given.

    \b
    Example:
      korgool event enter cup.korgool --name "Asanova, Aida" --sex f --rating 2100 --federation KGZ --born 2001
    """
    from korgool.competition import commands
    from korgool.competition.entry_lists.reading import lacking
    from korgool.competition.group_commands import enter_groups

    with opened(path, whole=True) as file:
        groups = _placed(file, given)
        entry, personal = _changed(file, path, None, None, name, given)
        if groups:
            players = enter_groups(file, entry, personal, groups, by=by, namesake=namesake)
        else:
            players = (commands.enter(file, entry, personal, by=by, namesake=namesake),)
        named = [file.state.groups[id_] for id_ in dict.fromkeys(groups)]
        if missing := lacking(file.state, entry, personal):
            asked = N_("{name}: the organiser asks for {what} too")
            warning(tell(asked, name=entry.name, what=", ".join(missing)))
    for player, group in zip_longest(players, named):
        say_player(player, as_json, group)


@click.command("amend")
@file_argument
@click.argument("player")
@option("--name", type=FILLED, metavar="TEXT", help='"Family, Given Patronymic".')
@entry_options
@reason_option
@writing
def amend_command(
    path: str, player: str, name: str | None, given: dict[str, Any], by: str, reason: str, as_json: bool
) -> None:
    """Change the entry of a player; options that are not given stay as they are.

    \b
    Example:
      korgool event amend cup.korgool Asanova --rating 2150 --reason "new list"
    """
    from korgool.competition.actions import Amend

    if name is None and not given:
        raise click.UsageError(_NOTHING)
    with opened(path, whole=True) as file:
        _placed(file, given, one=True)
        if name is None and not given:
            raise click.UsageError(_NOTHING)
        found = file.state.player(player)
        before = file.personal(found.id)
        entry, personal = _changed(file, path, found.entry, before, name, given)
        changed = found
        with file.together():
            if entry != found.entry:
                # By the id and in the event as read, because numbers change if another official pairs the first round.
                after = file.do(Amend(found.id, entry), by=by, reason=reason, after=file.state)
                changed = after.players[found.id]
            if personal != (before or type(personal)()):
                file.set_personal(found.id, personal)
    say_player(changed, as_json)


@click.command("personal")
@file_of_group
@click.argument("player", required=False)
@option("--remove", is_flag=True, help="Remove the data; it is overwritten.")
@option("--all", "everybody", is_flag=True, help="Of all players.")
@option("--names", is_flag=True, help="With --remove: also the name and all else that is not public, for good.")
@reason_option
@writing
def personal_command(
    path: str, player: str | None, remove: bool, everybody: bool, names: bool, reason: str, by: str, as_json: bool
) -> None:
    """Show the personal data of a player, or remove that of one player or of all.

    Personal data is stored separately from the log, and appears only in papers and exports that ask for it. The log
    records who removed it, when, for which players and why, but not the data.

    With --names the players become numbers: their names, years of birth, federation numbers and consents, and reasons
    and other texts of the log that are about them or mention them, are overwritten too. Their ratings and results stay,
    as does the log's chain of hashes. Nothing brings them back.

    \b
    Example:
      korgool event personal cup.korgool 12
      korgool event personal cup.korgool --all --remove --reason "the event is over"
      korgool event personal cup.korgool 12 --remove --names --reason "asked for it"
    """
    from korgool.competition.entry_lists.reading import lacking

    if (player is None) is not everybody:
        raise click.UsageError("Name a player, or give --all.")
    if names and not remove:
        raise click.UsageError("--names belongs to --remove.")
    with opened(path) as file:
        chosen = list(file.state.players.values()) if player is None else [file.state.player(player)]
        if names:
            removed = file.forget(None if player is None else chosen[0].id, by=by, reason=reason)
            say([{"removed": removed}], lambda: tell(N_("{count} forgotten"), count=removed), as_json)
            return
        if remove:
            removed = file.remove_personal(None if player is None else chosen[0].id, by=by, reason=reason)
            told = tell(N_("personal data of {count} removed"), count=removed)
            say([{"removed": removed}], lambda: told, as_json)
            return
        found = [(one, file.personal(one.id)) for one in chosen]
        lines = [
            {"number": one.number, "name": one.name}
            | {"personal": None if data is None else _told(data)}
            | {"lacking": list(lacking(file.state, one.entry, data))}
            for one, data in found
        ]
    say(lines, lambda: "\n".join(map(_personal_text, lines)), as_json)


def _told(data: Personal) -> dict[str, Any]:
    """Personal data as it is printed: of a photograph only that there is one."""
    told = asdict(data)
    del told["photo"]
    return told if data.photo is None else told | {"photo": True}


def _personal_text(line: dict[str, Any]) -> str:
    held = line["personal"] or {}
    parts = [
        f"{name.replace('_', ' ')} {', '.join(v) if isinstance(v, list | tuple) else v}" if v is not True else name
        for name, v in held.items()
        if v
    ]
    if line["lacking"]:
        parts.append(f"asked for and not given: {', '.join(line['lacking'])}")
    return plain(f"{line['number']}  {line['name']}: {'; '.join(parts) or 'nothing'}")
