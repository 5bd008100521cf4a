"""`korgool event standings`, `teams`, `crosstable` and `prizes`: the tables of an event."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    columns,
    file_argument,
    file_of_group,
    opened,
    reading,
    say,
    state_of,
    warning,
)
from korgool.app.cli.forms import TIEBREAKS
from korgool.app.cli.language import gettext, spoken, tell
from korgool.app.cli.output import plain
from korgool.app.cli.vocabulary import option
from korgool.app.words.prize_words import category_name, prize_reason
from korgool.app.words.tiebreaks import why_text
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Iterator

    from korgool.competition.event_state import EventState
    from korgool.competition.prizes import Award, PrizeList

rounds_option = option("--round", "rounds", type=click.IntRange(1, 99), metavar="N", help="After round N.")
group_option = option(
    "--group", metavar="NAME",
    help="A group of the event, or where it has none only a group: a name, women, U16, S50, team:NAME.",
)  # fmt: skip
ranked_option = option("--ranked-group", "ranked", metavar="NAME", help="Only a group that is ranked by itself.")


tiebreaks_option = option(
    "--tiebreaks", type=TIEBREAKS, metavar="CODES", help="An order other than the event's, such as BH-C1,SB."
)
players_option = option("--players", is_flag=True, help="Rank the players of a team event.")


@contextmanager
def _after(
    path: str, at: int | None, rounds: int | None, group: str | None = None, *, ranked: bool = False
) -> Iterator[EventState]:
    """Open the event, turned to a group, and check that it has the requested round."""
    with state_of(path, at, group=group, ranked=ranked) as state:
        if rounds is not None:
            state.round(rounds)
        yield state


@click.command("standings")
@file_argument
@rounds_option
@group_option
@ranked_option
@tiebreaks_option
@players_option
@option("--why", "pair", nargs=2, metavar="A B", help="Explain why A stands above or below B.")
@reading
def standings_command(
    path: str, rounds: int | None, group: str | None, ranked: str | None, tiebreaks: tuple[str, ...] | None,
    players: bool, pair: tuple[str, str] | None, at: int | None, as_json: bool,
) -> None:  # fmt: skip
    """Print the standings: points, then the tie-breaks of the event in order.

    With --json every line has rank, number, name, points, progress, buchholz, direct and korgools, and in tiebreaks
    those of the event by their codes. The text ends with the head of the log, which `check --head` looks up;
    `show --json` prints it for programs.

    \b
    Example:
      korgool event standings cup.korgool --why Asanova 7
      korgool event standings cup.korgool --group women --tiebreaks BH-C1,SB
    """
    from korgool.competition.event_fields import standings_fields

    with opened(path, group=group, ranked=True) as file, _after(path, at, rounds, group, ranked=True) as state:
        group = ranked or (None if state.groups else group)
        if pair is not None:
            _say_why(
                state, pair, {"rounds": rounds, "tiebreaks": tiebreaks, "group": group, "players": players}, as_json
            )
            return
        lines = standings_fields(state, rounds=rounds, tiebreaks=tiebreaks, group=group, players=players)
        head = file.head(state.actions)
    codes = list(lines[0]["tiebreaks"]) if lines else []
    rows = [[line["rank"], line["number"], line["name"], line["points"], *line["tiebreaks"].values()] for line in lines]
    table = columns(("rank", "no.", "name", "points", *codes), rows)
    translate = gettext()
    log = f"log {head}" if translate is None else translate(N_("Log %(head)s")) % {"head": head}
    say(lines, lambda: f"{table}\n{log}", as_json)


def _say_why(state: EventState, pair: tuple[str, str], asked: dict[str, Any], as_json: bool) -> None:
    from korgool.competition.event_fields import named_competitor
    from korgool.competition.standings import why

    teams = state.event.system.of_teams and not asked["players"]
    ids = [(state.team(one) if teams else state.player(one)).id for one in pair]
    found = why(state, *ids, **asked)
    above, below = (named_competitor(state, id_, asked["players"])[0] for id_ in (found.above, found.below))
    line = {"above": above, "below": below, "shared": found.shared, "text": found.text} | {
        "steps": [{"key": step.key, "text": step.text, "decides": step.decides} for step in found.steps]
    }
    language = spoken()
    texts = [step.text for step in found.steps] if language == "en" else why_text(found, language, teams=teams)
    say([line], lambda: "\n".join(map(plain, texts)), as_json)


@click.command("teams")
@file_of_group
@rounds_option
@option(
    "--team-best",
    "best",
    was=("--best",),
    type=click.IntRange(0, 99),
    help="Players who count; by default, the event's number; 0 for all.",
)
@reading
def teams_command(path: str, rounds: int | None, best: int | None, at: int | None, as_json: bool) -> None:
    """Print the standings of the teams: of a team event, or by the totals of their players in an individual one.

    \b
    Example:
      korgool event teams cup.korgool --team-best 3
    """
    from korgool.competition.event_fields import standings_fields
    from korgool.competition.standings import team_totals

    with _after(path, at, rounds) as state:
        if state.event.system.of_teams:
            lines = standings_fields(state, rounds=rounds)
            rows = [[line["rank"], line["name"], line["points"], *line["tiebreaks"].values()] for line in lines]
            header = ("rank", "team", "points", *(lines[0]["tiebreaks"] if lines else ()))
        else:
            lines = [
                {"rank": one.rank, "team": one.team, "points": one.points / 2, "places": one.places}
                | {"counted": [_named(state, id_) for id_ in one.counted]}
                | {"others": [_named(state, id_) for id_ in one.others]}
                for one in team_totals(state, rounds=rounds, best=best)
            ]
            rows = []
            for line in lines:
                counted = "; ".join(one["name"] for one in line["counted"])
                rows.append([line["rank"], line["team"], line["points"], line["places"], counted])
            header = ("rank", "team", "points", "places", "counted")
    say(lines, lambda: columns(header, rows), as_json)


def _named(state: EventState, id_: int) -> dict[str, Any]:
    return {"number": state.players[id_].number, "name": state.players[id_].name}


@click.command("crosstable")
@file_argument
@rounds_option
@group_option
@ranked_option
@players_option
@reading
def crosstable_command(
    path: str, rounds: int | None, group: str | None, ranked: str | None, players: bool, at: int | None, as_json: bool
) -> None:
    """Print the cross table: opponent, colour and result of every round, as 12w1, 3b= or 7w+.

    \b
    Example:
      korgool event crosstable cup.korgool
    """
    from korgool.app.words.event_texts import halves_said
    from korgool.competition.standings import cross_table

    with _after(path, at, rounds, group, ranked=True) as state:
        group = ranked or (None if state.groups else group)
        chart = cross_table(state, rounds=rounds, group=group, players=players)
        played = len(state.rounds) if rounds is None else rounds
    lines = [
        {"rank": row.rank, "number": row.number, "name": row.name, "points": row.points / 2}
        | {"rounds": [{"opponent": cell.opponent or None, "colour": cell.colour or None, "mark": cell.mark}
                      for cell in row.cells]}
        for row in chart
    ]  # fmt: skip
    rows = [
        [row.rank, row.number, row.name, *(halves_said(cell.text) for cell in row.cells), row.points / 2]
        for row in chart
    ]
    say(lines, lambda: columns(("rank", "no.", "name", *map(str, range(1, played + 1)), "points"), rows), as_json)


@click.command("prizes")
@file_of_group
@reading
def prizes_command(path: str, at: int | None, as_json: bool) -> None:
    """Print who gets which prize, and why: money and things, by place and category.

    `korgool event change --prize` sets the prizes and --sharing how those with equal points divide money. Somebody who
    could win several money prizes gets the largest, and the others pass to the next, unless the event has
    --several-prizes.

    \b
    Example:
      korgool event change cup.korgool --prize "1=30000 KGS; 2=20000 KGS; women 1=10000 KGS; U16 1=cup" --sharing equal
      korgool event prizes cup.korgool
    """
    from korgool.competition.event_fields import prize_fields
    from korgool.competition.prizes import prizes

    with state_of(path, at) as state:
        found = prizes(state)
        lines = prize_fields(state, found)
    if not found.fund.prizes:
        warning(tell(N_("no prizes are set; `korgool event change --prize` sets them")), path)
    elif not found.final:
        warning(tell(N_("the event is not over, this is the state of play")), path)
    for one in found.left:
        what = one.thing or found.fund.amount_text(one.amount)
        category = _category(one.category) or tell(N_("general"))
        warning(tell(N_("nobody for {category} {place}, {what}"), category=category, place=one.place, what=what), path)
    if found.remainder and not as_json:
        warning(tell(N_("{amount} remain from rounding"), amount=found.fund.amount_text(found.remainder)), path)
    rows = [
        [_category(one["category"]), one["rank"], one["number"], one["name"], one["prize"], _why(found, award)]
        for one, award in zip(lines, found.awards, strict=True)
    ]
    say(lines, lambda: columns(("category", "rank", "no.", "name", "prize", "why"), rows) if rows else "", as_json)


def _category(name: str) -> str:
    translate = gettext()
    return name if translate is None or not name else category_name(name, translate)


def _why(found: PrizeList, award: Award) -> str:
    translate = gettext()
    if translate is not None:
        return prize_reason(found.fund, award, translate)
    parts = []
    if award.thing and award.among > 1:
        parts.append(f"equal in everything with {award.among - 1} more: the lot decides")
    elif award.among > 1:
        how = "half by place, half shared" if found.fund.sharing == "hort" else "shared"
        parts.append(f"{how}: {found.fund.amount_text(award.pool)} among {award.among}")
    if award.passed:
        parts.append("passed on from above")
    return "; ".join(parts)
