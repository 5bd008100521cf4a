"""The overview of an event, and its games."""

from __future__ import annotations

from korgool.app.publishing.page_making import Context, PageMaking, dates
from korgool.app.publishing.round_pages import names_page
from korgool.app.publishing.table_pages import standings_page
from korgool.app.words.event_texts import planned_time, timetable
from korgool.app.words.regulations import regulations
from korgool.competition.model import Role

_ABOVE = ("place", "begins", "personal")
"""Regulations that stand in the head already, or are for officials."""
_FIRST = 10
"""The places that the overview shows."""


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
