"""The bracket of a knock-out: who meets whom, who went through, and the places that are still open."""

from __future__ import annotations

from typing import Any

from korgool.app.printing.event_tables import gained
from korgool.app.printing.paper_context import Block, PaperContext
from korgool.competition.errors import CompetitionError
from korgool.competition.model import System
from korgool.competition.pairing.knockout import bracket, bracket_places
from korgool.competition.round_history import history
from korgool.languages import N_

_LEAVES = 16
"""Places of a page; a larger bracket takes several pages, and one for the rounds in which their winners meet."""


def knockout_bracket(context: PaperContext) -> list[Block]:
    """The bracket, of up to sixteen players on a page, with blank lines where nobody is known yet."""
    state = context.state
    if state.event.system is not System.KNOCKOUT:
        raise CompetitionError(N_("a bracket belongs to knock-out events, {name} is none"), name=state.event.name)
    rounds = _rounds(context)
    first = len(rounds[0])
    pages = []
    for at in range(0, first, _LEAVES):
        columns = []
        for places in rounds:
            share = len(places) * _LEAVES // first if first > _LEAVES else len(places)
            if share == 0:
                break
            begin = at * len(places) // first
            columns.append(places[begin : begin + share])
        pages.append(_page(columns, f"{at // _LEAVES + 1}" if first > _LEAVES else "", 1, context))
    if first > _LEAVES:
        late = next(number for number, places in enumerate(rounds) if len(places) <= first // _LEAVES)
        pages.append(_page(rounds[late:], "", late + 1, context))
    return [
        block
        for number, page in enumerate(pages)
        for block in ([{"kind": "break"}] * (number > 0) + [{"kind": "bracket", **page}])
    ]


def _page(columns: list[list[Any]], name: str, first: int, context: PaperContext) -> dict[str, Any]:
    heads = [context.words["round_n"] % {"round": first + at} for at in range(len(columns))]
    if len(columns[-1]) == 1:
        heads[-1] = ""
    return {"name": name, "heads": heads, "columns": columns}


def _rounds(context: PaperContext) -> list[list[dict[str, Any]]]:
    """For every round its places, two for each game, and at last that of the winner."""
    state = context.state
    size = len(bracket(max(2, len(state.players))))
    meetings = history(state)
    found: list[list[dict[str, Any]]] = []
    number, length = 1, size
    while length >= 1:
        known = number <= len(state.rounds) or (state.complete and number == len(state.rounds) + 1)
        ids = bracket_places(state, number) if state.seeded and known else [0] * length
        found.append([_place(context, id_, number, meetings) for id_ in ids])
        number, length = number + 1, length // 2
    return found


def _place(context: PaperContext, id_: int | None, number: int, meetings: Any) -> dict[str, Any]:
    """A place: 0 is one that is not known yet, and None one that stays empty."""
    if not id_:
        return {"name": "" if id_ == 0 else "–", "number": "", "points": "", "through": None}
    state, points, through = context.state, "", None
    if number <= len(state.rounds):
        meeting = meetings[id_][number - 1]
        points = gained(meeting, context)
        if points:
            through = meeting.points >= 2 or (
                meeting.opponent in meetings and _won(meetings, id_, meeting.opponent, number)
            )
    player = state.players[id_]
    entry = player.entry
    plain = not (entry.short or entry.removed or not entry.given)
    name = context.cell(f"{entry.family}, {entry.given}") if plain else context.player(id_)
    return {"name": name, "number": str(player.number), "points": points, "through": through}


def _won(meetings: Any, id_: int, opponent: int, number: int) -> bool:
    return bool(meetings[id_][number - 1].points > meetings[opponent][number - 1].points)
