"""The screens for the wall of a hall: clocks, announcements, pairings by name, results and standings, in turn.

A screen says the time of the server beside everything that runs, so that a wall whose own clock is wrong shows right;
its script (`static/js/wall.js`) counts from there. Letters are so large that a screen holds 12 lines.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TypeVar
from urllib.parse import urlencode

from korgool.app.publishing.live_pages import live_page
from korgool.app.publishing.overview_pages import course
from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.publishing.round_pages import names_page, round_page
from korgool.app.publishing.table_pages import standings_page
from korgool.app.words.event_log import announced
from korgool.app.words.event_texts import zone_minutes
from korgool.app.words.round_clock import RoundClock, announcements, moment_ms, round_clock
from korgool.competition.event_state import EventState
from korgool.languages import translations

Item = TypeVar("Item")
ROWS = 12
"""Lines of a column on the wall."""
LIVE = 6
"""Live boards of a screen."""
SECONDS = 15
"""Time for which a screen stays, in seconds."""
MOST_LINES = 4
"""Most lines of announcements at once: the latest ones, as many as fit in."""
_LETTERS = 42
"""Letters of an announcement in a line."""


def wall_screens(making: PageMaking) -> list[Context]:
    """The screens of the wall in turn: while a round is played, its pairings by name and its results; the standings.

    The first group of several begins with the clocks of all of them.
    """
    figures, found = making.figures, list[Context]()
    several = making.circumstances.now and len(making.circumstances.groups) > 1
    if several and not making.circumstances.one_group and _is_first(making):
        found += _screens("clocks", list(making.circumstances.groups), ROWS)
    if figures.state.rounds:
        last = figures.state.rounds[-1]
        if not figures.state.complete:
            found += _screens("names", names_page(making, last)["rows"], 2 * ROWS)
        groups = round_page(making, last)["groups"]
        if making.circumstances.sheets and figures.state.event.live.boards and not figures.state.complete:
            found += _screens("live", live_page(making)["boards"], LIVE)
        found += _screens("boards", [row for group in groups for row in group["rows"]], ROWS)
        found += _screens("places", standings_page(making)["rows"], 2 * ROWS)
    else:
        players = [making.player(one.id) for one in making.by_name(figures.by_number)]
        found += _screens("players", players, 2 * ROWS)
    return found or [{"kind": "players", "columns": [], "part": 1, "parts": 1}]


def _is_first(making: PageMaking) -> bool:
    return next(iter(making.circumstances.place.groups)).here


def _screens(kind: str, rows: Sequence[object], most: int) -> list[Context]:
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
    at, screen = int(text), screens[int(text) - 1]
    circumstances, state = making.circumstances, making.figures.state
    if screen["kind"] == "clocks":
        columns = [[_group_line(making, one) for one in column] for column in screen["columns"]]
        screen = {**screen, "columns": columns}
    calls = _calls(making)
    return {
        "screen": screen,
        "title": state.title or state.event.name,
        "course": course(making),
        "next": _following(making, at, len(screens)),
        "seconds": SECONDS,
        "group": next((one.name for one in circumstances.place.groups if one.here), ""),
        "clock": _clock(making, state),
        "calls": calls,
        "lines": sum(one["lines"] for one in calls),
        "now": circumstances.now,
        "version": circumstances.version,
        "clock_address": circumstances.place.file("wall", making.at) if circumstances.now else "",
        "zone": zone_minutes(state.event, circumstances.now),
        "phrases": json.dumps(phrases(making), ensure_ascii=False),
    }


def phrases(making: PageMaking) -> dict[str, str]:
    """Words of a clock in each of its phases, for the page and for its script; `{n}` stands for the round, and
    `{t}` for a time."""
    _ = translations(making.circumstances.language).gettext
    return {
        "before": _("Round %(round)s begins in") % {"round": "{n}"},
        "begun": _("Round %(round)s has begun") % {"round": "{n}"},
        "late": _("Round %(round)s") % {"round": "{n}"},
        "lost": _("Round %(round)s") % {"round": "{n}"},
        "running": _("Round %(round)s") % {"round": "{n}"},
        "waiting": _("Round %(round)s begins soon") % {"round": "{n}"},
        "more begun": _("Late players have %(time)s") % {"time": "{t}"},
        "more late": _("Late players have %(time)s") % {"time": "{t}"},
        "more lost": _("Whoever is not here now has lost"),
        "cut": _("No connection since %(time)s") % {"time": "{t}"},
    }


def _clock(making: PageMaking, state: EventState) -> Context | None:
    """The clock of a group's round as it stands now; None where there is none."""
    now = making.circumstances.now
    clock = round_clock(state, now)
    if clock is None:
        return None
    return {"clock": clock, **_said(clock, now, phrases(making))}


def _said(clock: RoundClock, now: int, words: dict[str, str]) -> Context:
    """A clock in words at a moment, as its script says it from then on."""
    if not now:
        return {"phase": "", "say": "", "time": "", "more": ""}
    phase = clock.phase(now)
    more = words.get(f"more {phase}", "").replace("{t}", digits(clock.begins + clock.late - now))
    time = "" if phase == "waiting" else digits(abs(now - clock.begins))
    return {"phase": phase, "say": words[phase].replace("{n}", str(clock.round)), "time": time, "more": more}


def digits(span: int) -> str:
    """A time in milliseconds, with hours where there are some: `1:02:03`, `12:05`."""
    minutes, seconds = divmod(max(0, span) // 1000, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}" if minutes >= 60 else f"{minutes}:{seconds:02}"


def _group_line(making: PageMaking, state: EventState) -> Context:
    """A group among the clocks of all of them."""
    last = state.rounds[-1] if state.rounds else None
    return {
        "name": state.groups.get(state.group, state.event.name),
        "clock": _clock(making, state),
        "over": state.over,
        "round": last.number if last else 0,
        "done": sum(game.result is not None for game in last.games) if last else 0,
        "all": len(last.games) if last else 0,
    }


def _calls(making: PageMaking) -> list[Context]:
    """Announcements that hold now, the latest first: of all groups, or of a wall with one group only its own boards."""
    circumstances, own = making.circumstances, making.figures.state
    language, found = circumstances.language, list[tuple[int, Context]]()
    gettext = translations(language).gettext
    for state in circumstances.groups or (own,):
        for id_ in announcements(state, circumstances.now):
            one = state.announcements[id_]
            if one.boards and circumstances.one_group and state.group != own.group:
                continue
            named = state.groups.get(state.group, "") if one.boards else ""
            until, text = moment_ms(one.until), announced(one, language, gettext)
            lines = min(MOST_LINES, -(-len(f"{named} · {text}" if named else text) // _LETTERS))
            found.append((until, {"text": text, "group": named, "until": until, "lines": lines}))
    shown, left = list[Context](), MOST_LINES
    for _, call in sorted(found, key=lambda pair: pair[0], reverse=True):
        if call["lines"] <= left:
            shown.append(call)
            left -= call["lines"]
    return shown


def _following(making: PageMaking, at: int, screens: int) -> str:
    """The address of the next screen: after the last one of a group, the first one of the next group."""
    place, fixed = making.circumstances.place, making.circumstances.one_group
    if at < screens or fixed or not place.groups:
        following = making.link(f"wall/{at % screens + 1}")
        return f"{following}?{urlencode({'group': fixed})}" if fixed else following
    here = next(number for number, one in enumerate(place.groups) if one.here)
    return place.group(place.groups[(here + 1) % len(place.groups)], "wall/1", making.at)
