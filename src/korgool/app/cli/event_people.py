"""`korgool event withdraw`, `readmit`, `miss`, `warn`, `penalise`, `exclude`, `reinstate`, `team`, `official`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    columns,
    file_argument,
    file_of_group,
    opened,
    player_text,
    reason_option,
    round_text,
    say,
    say_player,
    warning,
    writing,
)  # fmt: skip
from korgool.app.cli.forms import FILLED
from korgool.app.cli.language import tell, value
from korgool.app.cli.output import plain
from korgool.app.cli.vocabulary import option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState
    from korgool.competition.model import Official, Team

ROLES = ("chief-referee", "deputy-chief-referee", "chief-secretary", "referee", "secretary")
_BYES = {"half": "H", "full": "F", "zero": "Z"}
required_reason = option("--reason", type=FILLED, required=True, metavar="TEXT", help="The reason, for the log.")


@click.command("withdraw")
@file_of_group
@click.argument("player")
@reason_option
@writing
def withdraw_command(path: str, player: str, reason: str, by: str, as_json: bool) -> None:
    """Take a player out of the rounds that are not paired yet.

    A player who is paired and does not come loses by forfeit: `korgool event result FILE ROUND BOARD "+ - -"` if White
    is there. That player is paired again in the next round unless withdrawn too.

    \b
    Example:
      korgool event withdraw cup.korgool 12 --reason illness
    """
    from korgool.competition import commands

    with opened(path) as file:
        say_player(commands.withdraw(file, player, by=by, reason=reason), as_json)


@click.command("readmit")
@file_of_group
@click.argument("player")
@reason_option
@writing
def readmit_command(path: str, player: str, reason: str, by: str, as_json: bool) -> None:
    """Let a withdrawn player play again from the next round on.

    \b
    Example:
      korgool event readmit cup.korgool 12
    """
    from korgool.competition import commands

    with opened(path) as file:
        say_player(commands.readmit(file, player, by=by, reason=reason), as_json)


@click.command("miss")
@file_of_group
@click.argument("player")
@click.argument("number", type=click.IntRange(1, 99), metavar="ROUND")
@option(
    "--worth",
    "bye",
    was=("--bye",),
    type=click.Choice(tuple(_BYES)),
    default="half",
    show_default=True,
    help="What the bye is worth.",
)
@option("--comes", is_flag=True, help="Take the bye back: the player comes after all.")
@option("--correct", is_flag=True, help="Correct the bye of a round that is paired; needs --reason.")
@reason_option
@writing
def miss_command(
    path: str, player: str, number: int, bye: str, comes: bool, correct: bool, reason: str, by: str, as_json: bool
) -> None:
    """Give a player a bye in a coming round, of half a point by default.

    This is for rounds that are not paired yet. A paired player who does not come loses by forfeit:
    `korgool event result`. With --correct, it replaces the bye of a player, or in a team event of a team, who had no
    game in a round that is paired; the rounds paired since stay.

    \b
    Example:
      korgool event miss cup.korgool Asanova 3 --worth half
      korgool event miss cup.korgool Asanova 2 --worth half --correct --reason "the bye had been asked for"
    """
    from korgool.competition import commands
    from korgool.competition.event_fields import round_fields
    from korgool.competition.model import ByeKind

    if comes and correct:
        raise click.UsageError("--comes is for rounds that are not paired yet, --correct for those that are.")
    with opened(path) as file:
        if correct:
            one = commands.correct_bye(file, player, number, ByeKind(_BYES[bye]), by=by, reason=reason)
            say(round_fields(file.state, one), lambda: round_text(file.state, one), as_json)
            return
        if comes:
            found = commands.attend(file, player, number, by=by)
        else:
            found = commands.miss(file, player, number, kind=ByeKind(_BYES[bye]), by=by, reason=reason)
    if as_json:
        say_player(found, as_json)
    else:
        kind = N_("round {round}: {told}")
        byes = ", ".join(tell(kind, round=one.round, told=one.kind.value) for one in found.absences)
        told = tell(N_("byes: {byes}"), byes=byes or value("none"))
        click.echo(f"{player_text(found)}; {told}")


@click.command("warn")
@file_of_group
@click.argument("player")
@option("--cancel", type=click.IntRange(1, 99), metavar="N", help="Cancel warning N of the player, a mistake.")
@required_reason
@writing
def warn_command(path: str, player: str, cancel: int | None, reason: str, by: str, as_json: bool) -> None:
    """Warn a player: the third warning deducts a point at once, the fourth excludes the player (WNG-TK §XIV).

    --cancel N cancels a warning that was a mistake, also when rounds were paired since: below three warnings the point
    is given back, below four the exclusion ends, from the next round on.

    \b
    Example:
      korgool event warn cup.korgool 12 --reason "talked to a neighbour"
      korgool event warn cup.korgool 12 --cancel 1 --reason "it was the player at the next board"
    """
    from korgool.competition import commands

    with opened(path) as file:
        if cancel is not None:
            say_player(commands.cancel_warning(file, player, cancel, by=by, reason=reason), as_json)
            return
        found = commands.warn(file, player, by=by, reason=reason)
    say_player(found, as_json)
    if len(found.warnings) == 3:
        warning(tell(N_("{name}: this is the third warning, a point is taken"), name=found.name))
    if found.excluded:
        warning(tell(N_("{name} is excluded"), name=found.name))


@click.command("penalise")
@file_of_group
@click.argument("player")
@option(
    "--points", "taken", type=float, default=1.0, show_default=True, help="Points; a negative number gives points back."
)
@required_reason
@writing
def penalise_command(path: str, player: str, taken: float, reason: str, by: str, as_json: bool) -> None:
    """Deduct points from a player.

    \b
    Example:
      korgool event penalise cup.korgool 12 --points 0.5 --reason "lost a record form"
    """
    from korgool.competition import commands

    if not (abs(taken) <= 50 and 2 * taken == round(2 * taken)):
        raise click.BadParameter(f"{taken:g} is no number of points and half points.", param_hint="--points")
    with opened(path) as file:
        say_player(commands.penalise(file, player, round(2 * taken), by=by, reason=reason), as_json)


@click.command("exclude")
@file_of_group
@click.argument("player")
@required_reason
@writing
def exclude_command(path: str, player: str, reason: str, by: str, as_json: bool) -> None:
    """Exclude a player from the event.

    \b
    Example:
      korgool event exclude cup.korgool 12 --reason "used a telephone"
    """
    from korgool.competition import commands

    with opened(path) as file:
        say_player(commands.exclude(file, player, by=by, reason=reason), as_json)


@click.command("reinstate")
@file_of_group
@click.argument("player")
@required_reason
@writing
def reinstate_command(path: str, player: str, reason: str, by: str, as_json: bool) -> None:
    """End an exclusion that was a mistake.

    The player is paired from the next round on; what was missed stays missed. If the exclusion followed from a fourth
    warning, that warning is cancelled.

    \b
    Example:
      korgool event reinstate cup.korgool 12 --reason "it was the player at the next board"
    """
    from korgool.competition import commands

    with opened(path) as file:
        say_player(commands.reinstate(file, player, by=by, reason=reason), as_json)


@click.command("team")
@file_of_group
@click.argument("name", required=False)
@option("--federation", metavar="CODE", help="Three letters, as a rule.")
@option("--captain", metavar="NAME", help="Captain or representative.")
@option("--rename", metavar="TEXT", help="A new name for the team.")
@option("--player", "players", multiple=True, metavar="PLAYER", help="The players by board; repeatable.")
@writing
def team_command(
    path: str, name: str | None, federation: str | None, captain: str | None, rename: str | None,
    players: tuple[str, ...], by: str, as_json: bool,
) -> None:  # fmt: skip
    """Enter a team or change it; without options show it, and without a name list all teams.

    A team may start a round if at least half of its players are there (WNG-TK §XIII); enter absent players with
    `korgool event miss`. This command shows whether a team can start the next round, and pairing respects it.

    \b
    Example:
      korgool event team cup.korgool Naryn --captain "Osmonov, T." --player 3 --player 8 --player 1
      korgool event team cup.korgool
    """
    from korgool.competition import commands
    from korgool.competition.model import Team
    from korgool.competition.people_index import name_key

    wanted: dict[str, Any] = {"federation": federation, "captain": captain, "name": rename}
    wanted = {member: value for member, value in wanted.items() if value is not None}
    if name is None and (wanted or players):
        raise click.UsageError("Name the team.")
    with opened(path) as file:
        if name is None:
            _say_teams(file.state, sorted(file.state.teams.values(), key=lambda one: one.number), as_json)
            return
        if players:
            wanted["players"] = tuple(file.state.player(one).id for one in players)
        exact = [one for one in file.state.teams.values() if name_key(one.name) == name_key(name)]
        if not wanted and not exact:
            exact = [file.state.team(name)]
        team = exact[0] if exact else Team(0, 0, name.strip())
        if wanted:
            team = commands.set_team(file, replace(team, **wanted), by=by)
        _say_teams(file.state, [team], as_json)


def _say_teams(state: EventState, teams: list[Team], as_json: bool) -> None:
    from korgool.competition.pairing import may_start

    coming = min(len(state.rounds) + 1, state.event.rounds)
    lines: list[dict[str, Any]] = []
    for team in teams:
        members = [state.players[id_] for id_ in team.players]
        lines.append(
            {"number": team.number, "name": team.name, "federation": team.federation or None}
            | {"captain": team.captain or None, "may_start": may_start(state, team, coming)}
            | {"players": [{"number": one.number, "name": one.name} for one in members]}
        )
    rows = []
    for line in lines:
        seated = "; ".join(f"{one['number']} {one['name']}" for one in line["players"])
        may = value("yes" if line["may_start"] else "no")
        rows.append([line["number"], line["name"], line["federation"], line["captain"], may, seated])
    say(lines, lambda: columns(("no.", "team", "fed.", "captain", "may start", "players by board"), rows), as_json)


@click.command("official")
@file_argument
@click.argument("name", required=False)
@option("--role", type=click.Choice(ROLES), help="Appoint to this office.")
@option("--category", default="", metavar="TEXT", help="Judge's category.")
@option("--federation", default="", metavar="CODE", help="Three letters, as a rule.")
@option("--dismiss", is_flag=True, help="Exclude from the body of referees; needs --reason.")
@reason_option
@writing
def official_command(
    path: str, name: str | None, role: str | None, category: str, federation: str, dismiss: bool, reason: str, by: str,
    as_json: bool,
) -> None:  # fmt: skip
    """Appoint or dismiss an official; without a name, list the officials and the missing offices (WNG-TK §XIV).

    \b
    Example:
      korgool event official cup.korgool "Toktogulova, G." --role chief-referee
      korgool event official cup.korgool "Toktogulova, G." --dismiss --reason "ruled for her club"
    """
    from korgool.competition import commands
    from korgool.competition.eligibility import missing_officials
    from korgool.competition.model import Role

    if name is not None and (role is None) is not dismiss:
        raise click.UsageError("Give --role to appoint an official, or --dismiss to dismiss one.")
    if name is None and (role or dismiss):
        raise click.UsageError("Name the official.")
    with opened(path, whole=True) as file:
        if name is None:
            found = list(file.state.officials.values())
            lacks = missing_officials(file.state)
        elif dismiss:
            found, lacks = [commands.dismiss(file, name, by=by, reason=reason)], ()
        else:
            assert role is not None
            found = [commands.appoint(file, name, Role(role), by=by, category=category, federation=federation)]
            lacks = ()
    say(map(_official_fields, found), lambda: "\n".join(map(_official_text, found)), as_json)
    for text in lacks:
        warning(text)


def _official_fields(one: Official) -> dict[str, Any]:
    return {"id": one.id, "name": one.name, "role": one.role.value, "category": one.category or None} | {
        "federation": one.federation or None, "excluded": one.excluded or None
    }  # fmt: skip


def _official_text(one: Official) -> str:
    parts = [one.name, one.role.value.replace("-", " "), one.category, one.federation]
    return plain(", ".join(filter(None, [*parts, one.excluded and f"excluded: {one.excluded}"])))
