"""`korgool event rate`: ratings over events, carried from list to list."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import columns, opened, said, say
from korgool.app.cli.group import InputError
from korgool.app.cli.language import language_option, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import too_long, unreadable
from korgool.app.cli.vocabulary import PathName, option
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState
    from korgool.competition.ratings import Elo, EloList, Factor
    from korgool.glicko import Glicko

MOST_BYTES = 64_000_000
LINE = N_("line {line}")


@click.command("rate")
@option("--group", metavar="NAME", help="The group, in events of several groups.")
@click.argument("paths", metavar="FILE...", type=PathName(), nargs=-1, required=True)
@option(
    "--method", "system", was=("--system",), type=click.Choice(("elo", "glicko2")), default="elo", show_default=True
)
@option("--before", metavar="LIST.jsonl", help="The previous list, as printed by --json.")
@option("--k", type=click.FloatRange(0, 200, min_open=True), help="Elo: K for everybody; by default, FIDE's.")
@option("--tau", type=click.FloatRange(0.01, 3), default=0.5, show_default=True, help="Glicko-2.")
@option("--changes", is_flag=True, help="Elo: what the last FILE changes, for each of its players.")
@language_option
@json_option
def rate_command(
    group: str | None,
    paths: tuple[str, ...],
    system: str,
    before: str | None,
    k: float | None,
    tau: float,
    changes: bool,
    as_json: bool,
) -> None:
    """Compute Elo or Glicko-2 ratings over event files, in the order given.

    A player who is on no list starts with the rating of the entry. Only played games count. The output of --json can be
    passed to --before the next time. --changes prints rating, games, score and change of every player of the event.

    \b
    Example:
      korgool event rate spring.korgool autumn.korgool --method glicko2 --json > list.jsonl
    """
    from korgool.competition import ratings
    from korgool.competition.errors import CompetitionError
    from korgool.glicko import Glicko

    if changes and system != "elo":
        raise click.UsageError("--changes belongs to --method elo.")
    states: list[EventState] = []
    names: dict[str, tuple[str, str]] = {}
    for path in paths:
        with opened(path, group=group) as file:
            states.append(file.state)
            for player in file.state.players.values():
                if player.entry.removed:
                    continue
                names[ratings.identity(player.entry)] = (player.name, player.entry.federation)
    held, named = _read_list(before, system) if before is not None else ({}, {})
    names = named | names
    lines: list[dict[str, Any]]
    try:
        if system == "elo":
            factor = ratings.fide_factor if k is None else ratings.steady_factor(k)
            old = {key: one for key, one in held.items() if isinstance(one, ratings.Elo)}
            if changes:
                _say_changes(states[-1], ratings.elo_over(states[:-1], old, factor=factor), factor, as_json)
                return
            found = ratings.elo_over(states, old, factor=factor)
            lines = [
                {**_who(key, names), "rating": round(one.rating, 2), "games": one.games}
                for key, one in sorted(found.items(), key=lambda item: (-item[1].rating, item[0]))
            ]
        else:
            earlier = {key: one for key, one in held.items() if isinstance(one, Glicko)}
            made = ratings.glicko_over(states, earlier, tau=tau)
            lines = [
                {**_who(key, names), "rating": round(one.rating, 2), "deviation": round(one.deviation, 2)}
                | {"volatility": round(one.volatility, 6)}
                for key, one in sorted(made.items(), key=lambda item: (-item[1].rating, item[0]))
            ]
    except CompetitionError as error:
        raise InputError(f"{', '.join(paths)}: {said(error)}") from None
    header = tuple(lines[0])[1:] if lines else ("name",)
    rows = [[value if value != 0 else "" for value in list(line.values())[1:]] for line in lines]
    say(lines, lambda: columns(header, rows), as_json)


def _say_changes(state: EventState, before: EloList, factor: Factor, as_json: bool) -> None:
    from korgool.competition.event_fields import rating_fields
    from korgool.competition.ratings import rating_changes

    lines = rating_fields(state, rating_changes(state, before, factor=factor))
    header = ("no.", "name", "rating", "games", "score", "change", "after")
    say(lines, lambda: columns(header, [list(line.values()) for line in lines]), as_json)


def _who(key: str, names: dict[str, tuple[str, str]]) -> dict[str, Any]:
    name, federation = names.get(key, (key, ""))
    return {"key": key, "name": name, "federation": federation or None}


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a rating list, as far as it is read."""

    key: str
    rating: float
    name: str = ""
    federation: str | None = None
    games: int = 0
    deviation: float = 350.0
    volatility: float = 0.06


def _read_list(path: str, system: str) -> tuple[dict[str, Elo | Glicko], dict[str, tuple[str, str]]]:
    """A rating list as `--json` prints it."""
    from korgool.competition.codec import JsonError, from_json
    from korgool.competition.ratings import Elo
    from korgool.glicko import Glicko

    try:
        with Path(path).open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise unreadable(path, error.strerror) from None
    if len(data) > MOST_BYTES:
        raise too_long(path, MOST_BYTES)
    held: dict[str, Elo | Glicko] = {}
    names: dict[str, tuple[str, str]] = {}
    for number, text in enumerate(data.splitlines(), 1):
        if not text.strip():
            continue
        try:
            line = from_json(text, _Line, lenient=True)
        except JsonError as error:
            raise InputError(f"{path}: {tell(LINE, line=number)}: {error}") from None
        if not (0 <= line.rating < 10_000 and line.deviation > 0 and line.volatility > 0 and line.games >= 0):
            wrong = tell(N_("these are no figures of a rating"))
            raise InputError(f"{path}: {tell(LINE, line=number)}: {wrong}")
        elo = Elo(line.rating, line.games)
        held[line.key] = elo if system == "elo" else Glicko(line.rating, line.deviation, line.volatility)
        names[line.key] = (line.name or line.key, line.federation or "")
    return held, names
