"""The entries of an event at the desk: the list, the form for one player, and everything of a player."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from litestar import MediaType, Response, get
from litestar.params import FromPath

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.web.answers import AnyRequest, language_of
from korgool.app.server.web.desk.frame import ThePlace, desk_page
from korgool.app.words.entry_lists import FIELD_NAMES
from korgool.competition.eligibility import name_key
from korgool.competition.entry_lists.reading import lacking
from korgool.competition.event_state import EventState
from korgool.competition.model import Player
from korgool.competition.round_history import Meeting, history
from korgool.languages import translations

_ACTIONS: Final = (
    do.Amend, do.Withdraw, do.Readmit, do.Miss, do.Attend, do.GiveWarning, do.Exclude, do.Penalise, do.Forget,
)  # fmt: skip
"""What may be done on a player's page, by the names of the actions in its template."""


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """Everything of a player.

    Attributes:
        player: who.
        meetings: their rounds so far.
        coming: the rounds for which they may still ask to be away.
        warning: what the next warning does: `point` or `exclusion`, or empty.
    """

    player: Player
    meetings: Sequence[Meeting]
    coming: Sequence[int]
    warning: str


def found_players(state: EventState, asked: str) -> list[Player]:
    """The players with this number, or with all these words in name, team, club or federation; all for no words."""
    players = sorted(state.players.values(), key=lambda one: one.number)
    if asked.strip().isdecimal():
        return [one for one in players if one.number == int(asked)]
    words = name_key(asked).split()
    return [one for one in players if all(word in _searched(one) for word in words)]


def _searched(player: Player) -> str:
    entry = player.entry
    return name_key(f"{entry.name} {entry.team} {entry.club} {entry.federation}")


def player_card(state: EventState, player: Player) -> PlayerCard:
    """Everything of a player that the log holds."""
    last, warnings = len(state.rounds), len(player.warnings)
    return PlayerCard(
        player=player,
        meetings=history(state)[player.id],
        coming=range(last + 1, state.event.rounds + 1),
        warning={2: "point", 3: "exclusion"}.get(warnings, ""),
    )


def named_actions(allowed: frozenset[type[do.Action]]) -> Mapping[str, bool]:
    """Whether somebody may do each of the actions of a player's page, by its name."""
    return {one.do: one in allowed for one in _ACTIONS}


@get("/players", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def entries(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The entries, and the form for another."""
    asked = request.query_params.get("q", "")[:100]
    return desk_page(
        request,
        place,
        "players",
        "players.html",
        asked=asked,
        found=found_players(place.state, asked),
        may_enter=do.Enter in place.allowed,
    )


@get("/players/{player_id:str}", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def player_page(request: AnyRequest, place: ThePlace, player_id: FromPath[str]) -> Response[str]:
    """Everything of a player, by id, with all that may be done.

    Raises:
        RefusedError: 404.
    """
    state = place.state
    player = next((one for id_, one in state.players.items() if str(id_) == player_id), None)
    if player is None:
        raise RefusedError(404, messages.NO_PLAYER)
    card = player_card(state, player)
    trusted = do.Amend in place.allowed
    gettext = translations(language_of(request)).gettext
    personal = await place.competition.with_book(lambda book: book.personal(player.id)) if trusted else None
    return desk_page(
        request,
        place,
        "players",
        "player.html",
        card=card,
        personal=personal,
        lacks=[gettext(FIELD_NAMES[name]) for name in lacking(state, card.player.entry, personal) if trusted],
        may=named_actions(place.allowed),
    )


handlers = [entries, player_page]
