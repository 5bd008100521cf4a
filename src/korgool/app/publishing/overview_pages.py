"""The overview of an event, its games, and the screens for the wall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlencode

from korgool.app.publishing.page_making import Context, NoPageError, PageMaking, dates
from korgool.app.publishing.round_pages import names_page, round_page
from korgool.app.publishing.table_pages import standings_page
from korgool.app.words.event_texts import planned_time, timetable
from korgool.app.words.regulations import regulations
from korgool.competition.model import Role

Item = TypeVar("Item")
_ABOVE = ("place", "begins", "personal")
"""Regulations that stand in the head already, or are for officials."""
_FIRST = 10
"""The places that the overview shows."""
ROWS = 20
"""Lines of a column on the wall."""
SECONDS = 15
"""Time for which a screen stays, in seconds."""


def overview_page(making: PageMaking) -> Context:
    """Overview: event, place, dates, the course so far, the first places, the regulations and the officials."""
    figures, circumstances = making.figures, making.circumstances
    event, language = figures.state.event, circumstances.language
    order = list(Role)
    officials = sorted(
        (one for one in figures.state.officials.values() if not one.excluded),
        key=lambda one: (order.index(one.role), one.id),
    )
    standings = standings_page(making)
    letters = names_page(making, figures.state.rounds[-1])["letters"] if figures.state.rounds else []
    return {
        "course": course(making),
        "first": standings["rows"][:_FIRST] if figures.state.rounds else [],
        "more": max(0, len(standings["rows"]) - _FIRST),
        "regulations": [one.text for one in regulations(event, language) if one.about not in _ABOVE],
        "timetable": timetable(event, language),
        "officials": [(making.words[f"role {one.role}"], one) for one in officials],
        "letters": letters,
    }


def course(making: PageMaking) -> Context:
    """Course of the event: the current round, its results, and its end."""
    state = making.figures.state
    last = state.rounds[-1] if state.rounds else None
    coming = len(state.rounds) + 1
    done = sum(game.result is not None for game in last.games) if last else 0
    return {
        "round": last.number if last else 0,
        "rounds": state.event.rounds,
        "done": done,
        "all": len(last.games) if last else 0,
        "over": state.over,
        "players": len(state.players),
        "teams": len(state.teams) if making.figures.teams else 0,
        "next_round": "" if state.over else planned_time(state.event, coming, making.circumstances.language),
    }


def about(making: PageMaking) -> Context:
    """The event in short, for the head of every page and for previews of links."""
    event = making.figures.state.event
    when = dates(event.begins, event.ends, making.circumstances.language)
    words = making.words
    game, system = words[f"game {event.game}"], words[f"system {event.system.value}"]
    return {"event": event, "dates": when, "game": game, "system": system}


def games_page(making: PageMaking) -> Context:
    """The games with a record."""
    rows = []
    for number, game in making.figures.recorded:
        sides = {"white": making.player(game.white), "black": making.player(game.black)}
        rows.append(
            {"round": number, "board": game.board, "href": making.record(number, game), **sides}
            | making.result(game.result)
        )
    return {"rows": rows, "file": making.circumstances.place.file("games.pgn", making.at)}


def wall_screens(making: PageMaking) -> list[Context]:
    """The screens of the wall in turn: while a round is played, its pairings by name and its results; the standings."""
    figures, found = making.figures, list[Context]()
    if figures.state.rounds:
        last = figures.state.rounds[-1]
        if not figures.state.complete:
            found += _screens("names", names_page(making, last)["rows"], 2 * ROWS)
        groups = round_page(making, last)["groups"]
        found += _screens("boards", [row for group in groups for row in group["rows"]], ROWS)
        found += _screens("places", standings_page(making)["rows"], 2 * ROWS)
    else:
        players = [making.player(one.id) for one in making.by_name(figures.by_number)]
        found += _screens("players", players, 2 * ROWS)
    return found or [{"kind": "players", "columns": [], "part": 1, "parts": 1}]


def _screens(kind: str, rows: Sequence[Context], most: int) -> list[Context]:
    parts = _cut(rows, most)
    return [
        {"kind": kind, "columns": _cut(part, ROWS), "part": at, "parts": len(parts)} for at, part in enumerate(parts, 1)
    ]


def _cut(rows: Sequence[Item], most: int) -> list[Sequence[Item]]:
    return [rows[at : at + most] for at in range(0, len(rows), most)]


def wall_page(making: PageMaking, text: str) -> Context:
    """A screen of the wall, and the address of the next one; raises NoPageError if there is no such screen."""
    screens = wall_screens(making)
    if not (text.isascii() and text.isdigit() and text == str(int(text)) and 0 < int(text) <= len(screens)):
        raise NoPageError(making.at)
    at = int(text)
    return {
        "screen": screens[at - 1],
        "course": course(making),
        "next": _following(making, at, len(screens)),
        "seconds": SECONDS,
        "group": next((one.name for one in making.circumstances.place.groups if one.here), ""),
    }


def _following(making: PageMaking, at: int, screens: int) -> str:
    """The address of the next screen: after the last one of a group, the first one of the next group."""
    place, fixed = making.circumstances.place, making.circumstances.one_group
    if at < screens or fixed or not place.groups:
        following = making.link(f"wall/{at % screens + 1}")
        return f"{following}?{urlencode({'group': fixed})}" if fixed else following
    here = next(number for number, one in enumerate(place.groups) if one.here)
    return place.group(place.groups[(here + 1) % len(place.groups)], "wall/1", making.at)
