"""`korgool event group` and `medals`: the groups of an event, and results across them."""

from __future__ import annotations

from typing import Any

import click

from korgool.app.cli.event_common import columns, file_argument, opened, say, warning, writing
from korgool.app.cli.event_settings import (
    group_fields,
    new_settings,
    say_groups,
    settings_options,
)
from korgool.app.cli.forms import FILLED, PRESET
from korgool.app.cli.language import language_option, tell
from korgool.app.cli.options import GameChoice, game_options, json_option
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

_WORKS = ("add", "list", "rename", "remove")


@click.command("group")
@file_argument
@click.argument("work", type=click.Choice(_WORKS), metavar="add|list|rename|remove")
@click.argument("group", required=False, metavar="[NAME]")
@option("--rename", metavar="TEXT", help="With rename: the new name.")
@option("--name", type=FILLED, metavar="TEXT", help="The title on papers; by default, the names of event and group.")
@option("--first-group", metavar="NAME", help="With the first add: a name for the players who are entered already.")
@option("--preset", type=PRESET, metavar="NAME", help="Begin with named regulations, such as wng-toguz-women.")
@option("--reason", metavar="TEXT", default="", help="With remove: the reason, for the log.")
@settings_options
@game_options
@writing
def group_command(
    path: str, work: str, group: str | None, rename: str | None, name: str | None, first_group: str | None,
    preset: str | None, reason: str, settings: dict[str, Any], game: GameChoice, by: str, as_json: bool,
) -> None:  # fmt: skip
    """Add a group to an event, list the groups, rename one, or remove one in which nothing was done.

    Each group has its own game, system, rounds, tie-breaks, prizes and admission (--admits, --from-year, --to-year);
    place, dates, organiser and federation are those of the event. Start list, officials and log are one. The commands
    that concern one group take --group NAME.

    The first group that is added takes the place of an event in which nobody is entered yet. Where somebody is, the
    event so far stays the first group, called as --first-group says or as the event is.

    \b
    Example:
      korgool event group cup.korgool add "Girls U12" --game toguz --rounds 7 --admits women --from-year 2014
      korgool event group cup.korgool list
      korgool event group cup.korgool rename "Girls U12" --rename "Girls under 12"
    """
    from korgool.competition import group_commands

    given = bool(settings or game.name or game.options or preset or name or first_group)
    if work != "add" and given:
        raise click.UsageError("Regulations belong to add; `korgool event change` changes them.")
    if (rename is not None) is not (work == "rename"):
        raise click.UsageError("--rename TEXT belongs to rename.")
    if (group is None) is not (work == "list"):
        raise click.UsageError("Name the group." if group is None else "list names no group.")
    with opened(path, whole=True) as file:
        if work == "list":
            say_groups(file, as_json)
            return
        assert group is not None
        if work == "add":
            made = new_settings(path, name or group_commands.tidy(group), preset, settings, game, file.state.event)
            id_ = group_commands.add_group(
                file, group, made, by=by, first=first_group or "", titled=name is not None
            )  # fmt: skip
        else:
            id_ = file.state.group_named(group)
            if work == "rename":
                group_commands.rename_group(file, id_, rename or "", by=by)
            else:
                if not reason.strip():
                    raise click.UsageError("remove needs --reason.")
                group_commands.remove_group(file, id_, by=by, reason=reason)
                say([{"removed": group}], lambda: tell(N_("{name} is removed"), name=group), as_json)
                return
        state = file.turn_to(id_)
    line = group_fields(state)
    say([line], lambda: columns(("group", "game", "rounds"), [[line["name"], line["game"], line["rounds"]]]), as_json)


@click.command("medals")
@file_argument
@option("--team-best", "best", type=click.IntRange(0, 99),
        help="Players of a federation who count in each group; 0: all; by default as the regulations say.")  # fmt: skip
@option("--rank-by", "order", type=click.Choice(("medals", "points")), default="medals", show_default=True,
        help="What decides first: the medals, or the points of those who count.")  # fmt: skip
@option("--workings", help="Who counts for each federation, and with what.")
@language_option
@json_option
def medals_command(path: str, best: int | None, order: str, workings: bool, as_json: bool) -> None:
    """Print the medals and points of every federation over all groups of an event.

    Medals are the first three places of groups that are over; equal places have equal medals. Points are the sum of
    those of a federation's players, the best of each group. Of equal medals, more gold, silver and bronze, then points
    decide; with --rank-by points the points, then the medals.

    \b
    Example:
      korgool event medals championship.korgool --team-best 2
      korgool event medals championship.korgool --team-best 2 --rank-by points --workings
    """
    from korgool.competition.across_groups import CountryOrder, counted_names, medals

    with opened(path, whole=True) as file:
        states = [file.turn_to(id_) for id_ in tuple(file.state.groups) or (file.state.group,)]
    waiting = [one.groups.get(one.group, one.event.name) for one in states if not one.over]
    rows = medals(states, best=best, order=CountryOrder(order))
    found = [
        {"rank": one.rank, "federation": one.federation or None}
        | {"gold": one.gold, "silver": one.silver, "bronze": one.bronze, "medals": one.medals}
        | {"points": one.points / 2, "players": one.players}
        | {
            "counted": [
                {"group": group, "name": name, "rank": held.rank, "points": held.points / 2}
                for group, name, held in counted_names(states, one)
            ]
        }
        for one in rows
    ]
    if waiting:
        warning(tell(N_("not over, and without medals yet: {listed}"), listed=", ".join(waiting)), path)
    names = ("rank", "federation", "gold", "silver", "bronze", "medals", "points", "players")
    counted = [[one["federation"], *held.values()] for one in found for held in _counted(one)]

    def text() -> str:
        table = columns(names, [[line[name] for name in names] for line in found])
        return f"{table}\n\n{columns(('federation', *_COUNTED), counted)}" if workings else table

    say(found, text, as_json)


_COUNTED = ("group", "name", "rank", "points")


def _counted(line: dict[str, Any]) -> list[dict[str, Any]]:
    held: list[dict[str, Any]] = line["counted"]
    return held
