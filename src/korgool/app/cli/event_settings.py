"""`korgool event new`, `change` and `show`: the regulations of an event, and its state."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    asked_group,
    columns,
    file_argument,
    file_of_group,
    group_field,
    named,
    opened,
    reading,
    reason_option,
    say,
    state_of,
    warning,
    writing,
)  # fmt: skip
from korgool.app.cli.event_photo import emblem_of
from korgool.app.cli.forms import CONTROL, FILLED, PRESET, PRIZE, TIEBREAKS, TIMETABLE, ZONE
from korgool.app.cli.group import InputError
from korgool.app.cli.language import gettext, tell, value
from korgool.app.cli.options import Decorated, GameChoice, game_options
from korgool.app.cli.output import counted, emit, plain
from korgool.app.cli.vocabulary import option
from korgool.app.words.event_words import SYSTEM_TITLES
from korgool.app.words.games import GAME_NAMES
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.broadcast import Broadcast
    from korgool.competition.event_state import EventState
    from korgool.competition.model import Settings
    from korgool.competition.prize_fund import PrizeFund
    from korgool.competition.storage.event_file import EventFile

_EMBLEM = "The organiser's emblem, a PNG, JPEG, WebP or SVG, for the papers of all groups."
SYSTEMS = ("swiss", "round-robin", "double-round-robin", "knockout", "team-swiss", "team-round-robin")
_PERSONAL = ("born", "passport", "coaches", "doctor")


class _Admitted(click.Choice):  # type: ignore[type-arg]  # no older click knows a type there
    """Admission to an event; `f` and `m`, as players are entered, say women and men."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the choice."""
        return super().convert({"f": "women", "m": "men"}.get(str(value), value), param, ctx)


_OPTIONS = (
    option("--rounds", type=click.IntRange(1, 99), help="Number of rounds."),
    option("--system", type=click.Choice(SYSTEMS), help="How rounds are paired; by default, swiss."),
    option("--sets", type=click.IntRange(1, 21), help="Sets of a match in each pairing; 1 is a single game."),
    option("--set-points/--match-points", default=None, help="Count the points of the sets, not of the match."),
    option("--control", type=CONTROL, metavar="TEXT", help="Such as 60+0, 15+10, 10+0 byoyomi 3x30."),
    option(
        "--admits",
        "sex",
        was=("--sex",),
        type=_Admitted(("open", "women", "men")),
        help="Close it to all but women or men.",
    ),
    option("--from-year", type=click.IntRange(0, 2100), metavar="YEAR", help="Only those born in it or later; 0: all."),
    option("--to-year", type=click.IntRange(0, 2100), metavar="YEAR", help="Only those born in it or earlier; 0: all."),
    option("--boards", type=click.IntRange(1, 20), help="Boards of a team match."),
    option("--team-best", type=click.IntRange(0, 99), help="Players who count for a team's total; 0 is all."),
    option("--tiebreaks", type=TIEBREAKS, metavar="CODES", help="Tie-breaks in order; by default, PS,BH,DE,KL."),
    option(
        "--edition",
        type=click.Choice(("2023", "2026")),
        help="Edition of FIDE's tie-break rules; by default, that of the first day.",
    ),
    option(
        "--resigned-korgools",
        type=click.Choice(("store", "none")),
        help="What a game not ended on the board counts for korgools in lost games.",
    ),
    option("--penalised-progress/--plain-progress", default=None, help="Third warnings lower Progress too."),
    option("--bye-points", type=click.Choice(("0", "0.5", "1")), help="Points of a pairing-allocated bye."),
    option("--forbid", metavar="WHAT", help="Keep apart: team, federation, or both; none for nobody."),
    option("--personal", metavar="WHAT", help="Ask for: born, passport, coaches, doctor; none for nothing."),
    option("--shown", metavar="WHAT", help="Public pages also show: born, photo; none for neither."),
    option("--prizes", type=click.IntRange(0, 999), help="Number of prize places."),
    option(
        "--prize",
        type=PRIZE,
        multiple=True,
        metavar="TEXT",
        help='The prizes, such as "1=30000 KGS; 2=20000 KGS; women 1=cup"; instead of all earlier ones.',
    ),
    option(
        "--sharing",
        type=click.Choice(("none", "equal", "hort")),
        help="Money of those with equal points: by tie-breaks, evenly, or half and half.",
    ),
    option("--several-prizes/--one-prize", default=None, help="Whether somebody may win several money prizes."),
    option("--place", metavar="TEXT", help="Where the event is held."),
    option("--federation", metavar="CODE", help="Organising federation."),
    option("--begins", metavar="DATE", help="First day, such as 2026-09-14."),
    option("--ends", metavar="DATE", help="Last day."),
    option(
        "--timetable",
        type=TIMETABLE,
        metavar="TEXT",
        help='When rounds begin, such as "1 2026-09-14 10:00; 2 2026-09-14 14:30"; instead of all earlier times.',
    ),
    option("--zone", type=ZONE, metavar="NAME", help="The time zone of these times, such as Asia/Bishkek."),
    option("--organiser", metavar="TEXT", help="The organiser, who confirms the officials."),
    option("--phones/--no-phones", default=None, help="Players report results by phone at their tables."),
    option("--live-boards", type=click.IntRange(0, 200), help="First boards that readers follow live; 0: none."),
    option("--live-delay", type=click.IntRange(0, 3600), metavar="SECONDS", help="How much later readers see moves."),
)


def settings_options(function: Decorated) -> Decorated:
    """Add the options of the regulations; the command receives the given ones as `settings`."""

    @functools.wraps(function)
    def wrapped(*args: Any, **options: Any) -> Any:
        names = [name for name in options if name in _MEMBERS]
        given = {name: value for name in names if (value := options.pop(name)) is not None}
        if not given.get("prize"):
            given.pop("prize", None)  # an option that may be repeated is never None
        return function(*args, settings=_members(given), **options)

    for decorate in reversed(_OPTIONS):
        wrapped = decorate(wrapped)
    return wrapped  # type: ignore[return-value]


_MEMBERS = frozenset(
    ("rounds", "system", "sets", "set_points", "control", "sex", "boards", "team_best", "tiebreaks", "edition",
     "resigned_korgools", "penalised_progress", "bye_points", "forbid", "personal", "shown", "prizes", "prize",
     "sharing", "several_prizes", "place", "federation", "begins", "ends", "organiser",
     "timetable", "zone", "from_year", "to_year", "phones", "live_boards", "live_delay")
)  # fmt: skip


_OF_THE_EVENT = ("place", "federation", "begins", "ends", "organiser", "zone", "personal", "shown", "phones", "live")
"""The members that a new group has from the event, unless they are given."""


def _members(given: dict[str, Any]) -> dict[str, Any]:
    """The options as members of Settings."""
    for name, allowed in (("forbid", ("team", "federation")), ("personal", _PERSONAL), ("shown", ("born", "photo"))):
        if name in given:
            given[name] = _words(name, given[name], allowed)
    if "bye_points" in given:
        given["bye_points"] = round(2 * float(given["bye_points"]))
    return given


def _with_fund(settings: dict[str, Any], old: PrizeFund) -> None:
    """Replace the options of prizes by the fund; what is not given stays as it was."""
    from korgool.competition.errors import CompetitionError
    from korgool.competition.prize_fund import Sharing, read_fund

    sharing = Sharing(settings.pop("sharing", old.sharing))
    several = settings.pop("several_prizes", old.several)
    listed = settings.pop("prize", None)
    try:
        fund = old if listed is None else read_fund(";".join(listed))
    except CompetitionError as error:
        raise click.UsageError(f"--prize: {error}") from None
    fund = replace(fund, sharing=sharing, several=several)
    if fund != old:
        settings["fund"] = fund


def _with_live(settings: dict[str, Any], old: Broadcast) -> None:
    """Replace the options of live boards by their value; what is not given stays as it was."""
    boards, delay = settings.pop("live_boards", old.boards), settings.pop("live_delay", old.delay)
    if (boards, delay) != (old.boards, old.delay):
        settings["live"] = replace(old, boards=boards, delay=delay)


def _words(name: str, text: str, allowed: tuple[str, ...]) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    if words == ("none",):
        return ()
    for word in words:
        if word not in allowed:
            raise click.BadParameter(f"{word!r} is none of {', '.join(allowed)}.", param_hint=f"--{name}")
    return words


def _made(path: str, make: Callable[[], Settings]) -> Settings:
    """Check the settings completely and return them."""
    from korgool.competition.standings import check_tiebreaks

    try:
        made = make()
        check_tiebreaks(made)
    except ValueError as error:
        raise InputError(named(path, error)) from None
    return made


@click.command("new")
@file_argument
@option("--name", type=FILLED, required=True, metavar="TEXT", help="The event's name.")
@option("--preset", type=PRESET, metavar="NAME", help="Begin with named regulations, such as wng-toguz-women.")
@settings_options
@game_options
@option("--emblem", metavar="PICTURE", help=_EMBLEM)
@writing
def new_command(
    path: str,
    name: str,
    preset: str | None,
    settings: dict[str, Any],
    game: GameChoice,
    emblem: str | None,
    by: str,
    as_json: bool,
) -> None:
    """Create an event in a new FILE. Options that are given with a preset take precedence over it.

    \b
    Examples:
      korgool event new cup.korgool --name "Autumn Cup" --game toguz --rounds 7 --tiebreaks PS,BH,DE,KL
      korgool event new women.korgool --name "World Nomad Games" --preset wng-mangala-women --rounds 9
    """
    from korgool.competition.actions import SetEmblem
    from korgool.competition.storage.event_file import EventFile

    made = new_settings(path, name, preset, settings, game)
    picture = None if emblem is None else emblem_of(emblem)
    with EventFile.create(path, made, by=by) as file:
        if picture is not None:
            file.do(SetEmblem(picture), by=by)
        _say_event(file, file.state, as_json)


def new_settings(
    path: str, name: str, preset: str | None, settings: dict[str, Any], game: GameChoice, of: Settings | None = None
) -> Settings:
    """The regulations of a new event, or of a new group of the event `of`, as the command line gives them.

    Raises:
        UsageError: they cannot be.
    """
    from korgool.competition.broadcast import NO_BROADCAST
    from korgool.competition.model import Settings, System, edition_in_force
    from korgool.competition.presets import find_preset
    from korgool.competition.prize_fund import NO_PRIZES

    if of is not None:
        settings = {member: getattr(of, member) for member in _OF_THE_EVENT} | settings
    _with_fund(settings, NO_PRIZES)
    _with_live(settings, NO_BROADCAST)
    settings.setdefault("edition", edition_in_force(settings.get("begins", "")))
    if "system" in settings:
        settings["system"] = System(settings["system"])
    given: dict[str, Any] = {}
    if game.name or not preset:
        given["game"] = game.rules.name
    if game.options:
        given["rule"] = _rule(game)
    base = find_preset(preset).regulations if preset else Settings(name=name)
    try:
        return _made(path, lambda: replace(base, **{"name": name, **given, **settings}))
    except InputError as error:
        raise click.UsageError(error.message) from None  # all of it stands on the command line


def _rule(game: GameChoice) -> tuple[tuple[str, str], ...]:
    return tuple((option.partition("=")[0].strip(), option.partition("=")[2]) for option in game.options)


@click.command("change")
@file_of_group
@option("--name", type=FILLED, metavar="TEXT", help="The event's name.")
@settings_options
@game_options
@option("--emblem", metavar="PICTURE", help=_EMBLEM)
@option("--no-emblem", "bare", help="Without an emblem from now on.")
@reason_option
@writing
def change_command(
    path: str,
    name: str | None,
    settings: dict[str, Any],
    game: GameChoice,
    emblem: str | None,
    bare: bool,
    by: str,
    reason: str,
    as_json: bool,
) -> None:
    """Change the regulations; options that are not given stay as they are.

    Once a round is paired, the game, the system, --sets and --boards cannot change. The points of a bye or of sets, and
    --rule (all choices within the rules, in place of the earlier ones) then need --reason.

    \b
    Example:
      korgool event change cup.korgool --rounds 9 --reason "more players came"
      korgool event change cup.korgool --emblem federation.svg
    """

    from korgool.competition import commands
    from korgool.competition.actions import SetEmblem
    from korgool.competition.model import System

    if name is not None:
        settings["name"] = name
    if "system" in settings:
        settings["system"] = System(settings["system"])
    if game.name or game.options:
        settings |= {"rule": _rule(game)} | ({"game": game.name} if game.name else {})
    if emblem is not None and bare:
        raise click.UsageError("Give one of --emblem and --no-emblem.")
    picture = "" if bare else None if emblem is None else emblem_of(emblem)
    if not settings and picture is None:
        raise click.UsageError("Name what is to be changed, such as --rounds 9.")
    with opened(path, whole=not settings) as file, file.together():
        if settings:
            old = file.state.event
            _with_fund(settings, old.fund)
            _with_live(settings, old.live)
            made = _made(path, lambda: replace(old, **settings))
            commands.change(file, made, by=by, reason=reason)
        if picture is not None:
            file.do(SetEmblem(picture), by=by, reason=reason)
        if not settings and len(file.state.groups) > 1:
            say_groups(file, as_json)
        else:
            _say_event(file, file.state, as_json)


@click.command("show")
@file_of_group
@reading
def show_command(path: str, at: int | None, as_json: bool) -> None:
    """Print the regulations, the number of players, the paired rounds and what is missing; of an event of several
    groups without --group the list of them.

    \b
    Example:
      korgool event show cup.korgool
    """
    with opened(path, whole=True) as file:
        if len(file.state.groups) > 1 and asked_group() is None:
            say_groups(file, as_json)
            return
    with opened(path) as file, state_of(path, at) as state:
        _say_event(file, state, as_json)
        if not as_json and state.rounds and state.rounds[-1].missing:
            boards = ", ".join(map(str, state.rounds[-1].missing))
            translate = gettext() or str
            said = translate(N_("round {number} lacks the results of boards {boards}"))
            click.echo(said.format(number=len(state.rounds), boards=boards))


def _in_words(state: EventState, translate: Callable[[str], str], prizes: str, head: str) -> list[tuple[str, str]]:
    """The state of an event in another language than English."""
    event = state.event
    rules = [f"{name}={value}" for name, value in event.rule]
    rows = [
        (N_("Event"), event.name),
        (N_("Game"), ", ".join([translate(GAME_NAMES[event.game]), *rules])),
        (N_("System"), translate(SYSTEM_TITLES[event.system.value])),
        (N_("Rounds"), str(event.rounds)),
        (N_("Rounds paired"), str(len(state.rounds))),
        (N_("Players"), str(len(state.players))),
        (N_("Teams"), str(len(state.teams)) if state.teams else "none"),
        (N_("Prizes"), prizes),
        (N_("Order of places"), f"{', '.join(event.tiebreaks)} (FIDE {event.edition})"),
        (N_("Log"), f"{state.actions}, {head}"),
    ]
    return [(translate(label), text) for label, text in rows]


def _say_event(file: EventFile, state: EventState, as_json: bool) -> None:
    from korgool.competition.pairing import advise_rounds
    from korgool.competition.prize_fund import fund_text

    event = state.event
    competitors = len(state.teams if event.system.of_teams else state.players)
    head = str(file.head(state.actions))
    if as_json:
        emit(event_fields(state) | group_field(state) | {"head": head})
        return
    rows = [
        ("event", event.name),
        ("game", ", ".join([event.game, *(f"{name}={value}" for name, value in event.rule)])),
        ("system", f"{event.system.value}, {counted(event.rounds, 'round')}"),
        ("players", f"{len(state.players)}" + (f" in {counted(len(state.teams), 'team')}" if state.teams else "")),
        ("paired", counted(len(state.rounds), "round")),
        ("prizes", fund_text(event.fund)),
        ("tie-breaks", f"{', '.join(event.tiebreaks)} (FIDE's rules of {event.edition})"),
        ("log", f"{counted(state.actions, 'line')}, head {head}"),
    ]
    if (translate := gettext()) is not None:
        rows = _in_words(state, translate, fund_text(event.fund), head)
    width = max(11, *(len(name) for name, _ in rows))
    click.echo("\n".join(f"{name:<{width}} {plain(text)}" for name, text in rows if text != "none"))
    if not state.rounds and competitors > 1 and event.system.value.endswith("swiss"):
        least, most = advise_rounds(competitors)
        if not least <= event.rounds <= most:
            text = N_("for {count} competitors {least} to {most} rounds are usual, the event has {rounds}")
            warning(tell(text, count=competitors, least=least, most=most, rounds=event.rounds))


def say_groups(file: EventFile, as_json: bool) -> None:
    """Print the groups of an event, a line for each; an event without groups is one of its own name."""
    found = []
    for id_ in file.state.groups or (file.state.group,):
        found.append(group_fields(file.turn_to(id_)))
    names = ("name", "game", "system", "rounds", "paired", "players", "sex", "from_year", "to_year")
    rows = [[value("yes" if one[name] else "no") if name == "over" else one[name] or None for name in names]
            for one in found]  # fmt: skip
    say(found, lambda: columns(("group", *names[1:6], "open to", "from", "to"), rows), as_json)


def group_fields(state: EventState) -> dict[str, Any]:
    """A group of an event as data."""
    event = state.event
    return {
        "id": state.group,
        "name": state.groups.get(state.group, event.name),
        "title": event.name,
        "game": event.game,
        "system": event.system.value,
        "rounds": event.rounds,
        "sex": event.sex,
        "from_year": event.from_year or None,
        "to_year": event.to_year or None,
        "players": len(state.players),
        "teams": len(state.teams),
        "paired": len(state.rounds),
        "missing": list(state.rounds[-1].missing) if state.rounds else [],
        "over": state.over,
    }


def event_fields(state: EventState) -> dict[str, Any]:
    """An event as data: every member of its settings, and its progress."""
    found: dict[str, Any] = asdict(state.event)
    found["rule"] = dict(state.event.rule)
    found["bye_points"] = state.event.bye_points / 2
    for year in ("from_year", "to_year"):
        if not found[year]:
            del found[year]
    return {
        **found,
        "players": len(state.players),
        "teams": len(state.teams),
        "paired": len(state.rounds),
        "missing": list(state.rounds[-1].missing) if state.rounds else [],
        "over": state.over,
        "actions": state.actions,
    }
