"""The entries of an event at the desk: the list, the form for one player, everything of a player, and the teams."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from litestar import MediaType, Response, get
from litestar.params import FromPath

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.photo_conversion import MOST_SENT
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.desk_texts import FIELD_NAMES
from korgool.app.words.event_texts import half, halves_said
from korgool.app.words.event_words import event_words
from korgool.competition.entry_lists.reading import lacking
from korgool.competition.event_state import EventState
from korgool.competition.log.people_actions import AUTOMATIC_REASONS
from korgool.competition.model import Entry, Player, Team
from korgool.competition.people_index import name_key
from korgool.competition.practice import is_practice
from korgool.competition.round_history import Meeting, history
from korgool.languages import translations
from korgool.languages.name_search import finds, sought

_ACTIONS: Final = (
    do.Amend, do.SetPhoto, do.Withdraw, do.Readmit, do.Miss, do.Attend, do.GiveWarning, do.CancelWarning, do.Exclude,
    do.Reinstate, do.CorrectBye, do.Penalise, do.Forget,
)  # fmt: skip
"""Actions of a player's page, by their names in its template."""
_MOST_EVENTS: Final = 20
_MOST_KNOWN: Final = 20


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """Everything of a player.

    Attributes:
        player: who.
        meetings: their rounds so far.
        missed: those of them in which they had a bye, or were not there; none in a team event, where teams have byes.
        coming: the rounds for which they may still ask to be away.
        warning: what the next warning does: `point` or `exclusion`, or empty.
    """

    player: Player
    meetings: Sequence[Meeting]
    missed: Sequence[Meeting]
    coming: Sequence[int]
    warning: str


def found_players(state: EventState, asked: str) -> list[Player]:
    """The players with this number, or with all these words in name, team, club or federation; all for no words."""
    players = sorted(state.players.values(), key=lambda one: one.number)
    if asked.strip().isdecimal():
        return [one for one in players if one.number == int(asked)]
    words = sought(asked)
    return [one for one in players if finds(words, searched_text(one))]


def searched_text(player: Player) -> str:
    """The text by which lists find a player, beside the number."""
    entry = player.entry
    return f"{entry.name} {entry.team} {entry.club} {entry.federation}"


def player_card(state: EventState, player: Player) -> PlayerCard:
    """Everything of a player that the log holds."""
    last, warnings, meetings = len(state.rounds), len(player.warnings), history(state)[player.id]
    return PlayerCard(
        player=player,
        meetings=meetings,
        missed=() if state.event.system.of_teams else [one for one in meetings if one.bye],
        coming=range(last + 1, state.event.rounds + 1),
        warning={2: "point", 3: "exclusion"}.get(warnings, ""),
    )


def named_actions(allowed: frozenset[type[do.Action]]) -> Mapping[str, bool]:
    """The actions of a player's page by name, each true if it is allowed."""
    return {one.do: one in allowed for one in _ACTIONS}


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """A player of an earlier event: its id and name, and who they were there."""

    event: str
    title: str
    player: Player


async def known_players(event_registry: EventRegistry, place: DeskPlace, asked: str) -> list[KnownPlayer]:
    """The players with these words in other events of the same official, those of the latest events first.

    Somebody who is entered here already is left out, and of several entries of one name and year the latest counts.
    Nobody from an event for practice is offered.
    """
    seen = {_identity(one) for one in place.state.players.values()}
    found: list[KnownPlayer] = []
    for listed in (await event_registry.of(place.officer.who))[:_MOST_EVENTS] if asked.strip() else ():
        if listed.id == place.event.event_id:
            continue
        state = (await event_registry.find(listed.id)).state
        for player in () if is_practice(state) else found_players(state, asked):
            if not player.entry.removed and _identity(player) not in seen:
                seen.add(_identity(player))
                found.append(KnownPlayer(listed.id, listed.name, player))
    return found[:_MOST_KNOWN]


def _identity(player: Player) -> tuple[str, int]:
    return name_key(player.entry.name), player.entry.born


async def known_entry(event_registry: EventRegistry, place: DeskPlace, text: str) -> Entry | None:
    """The entry of a player in another event of the same official, `EVENT-PLAYER`, as a new entry begins with it."""
    event, _, number = text.partition("-")
    if event not in {one.id for one in await event_registry.of(place.officer.who)}:
        return None
    state = (await event_registry.find(event)).state
    players = {} if is_practice(state) else state.players
    found = next((one.entry for id_, one in players.items() if str(id_) == number and not one.entry.removed), None)
    return None if found is None else as_new(found)


def as_new(entry: Entry) -> Entry:
    """An entry of another event as a new one begins with it."""
    return replace(entry, team="", board=0, groups=(), consent=None)


@get("/players", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def entries(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Response[str]:
    """The entries, and the form for another, which may begin with what is known from an earlier event."""
    asked, wanted = (request.query_params.get(name, "")[:100] for name in ("q", "known"))
    may_enter = do.Enter in place.allowed
    begun = await known_entry(event_registry, place, request.query_params.get("from", "")[:40]) if may_enter else None
    return desk_page(
        request,
        place,
        "players",
        "players.html",
        asked=asked,
        found=found_players(place.state, asked),
        may_enter=may_enter,
        wanted=wanted,
        known=await known_players(event_registry, place, wanted) if may_enter else (),
        begun=begun,
        elsewhere=sorted(
            (one for one in place.state.elsewhere.values() if not one.entry.removed),
            key=lambda one: one.entry.name.casefold(),
        ),
    )


@get("/players/{player_id:str}", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def player_page(request: AnyRequest, place: ThePlace, player_id: FromPath[str]) -> Response[str]:
    """Everything of a player, by id, with all that may be done.

    Raises:
        ApiError: 404.
    """
    return await shown_player(request, place, found_player(place.state, player_id))


def found_player(state: EventState, text: str) -> Player:
    """A player by the id in an address; raises ApiError if there is none."""
    player = next((one for id_, one in state.players.items() if str(id_) == text), None)
    if player is None:
        raise ApiError(404, errors.NO_PLAYER)
    return player


async def shown_player(
    request: AnyRequest, place: DeskPlace, player: Player, status: int = 200, *, problem: str = ""
) -> Response[str]:
    """The page of a player; `problem` says why the photograph that was sent is refused."""
    state, card = place.state, player_card(place.state, player)
    trusted = do.Amend in place.allowed
    gettext = translations(language_of(request)).gettext
    personal = await place.event.with_book(lambda book: book.personal(player.id)) if trusted else None
    return desk_page(
        request,
        place,
        "players",
        "player.html",
        status,
        card=card,
        w=event_words(language_of(request)),
        half=half,
        halves_said=halves_said,
        automatic=AUTOMATIC_REASONS,
        problem=problem,
        most_sent=MOST_SENT // 2**20,
        personal=personal,
        lacks=[gettext(FIELD_NAMES[name]) for name in lacking(state, card.player.entry, personal) if trusted],
        may=named_actions(place.allowed),
    )


def free_players(state: EventState, team: Team | None) -> list[Player]:
    """The players of a team and those of none, by number."""
    others = {id_ for one in state.teams.values() if team is None or one.id != team.id for id_ in one.players}
    return sorted((one for one in state.players.values() if one.id not in others), key=lambda one: one.number)


@get("/teams", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def teams_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The teams, and the form for another."""
    state = place.state
    return desk_page(
        request,
        place,
        "players",
        "teams.html",
        teams=sorted(state.teams.values(), key=lambda one: one.number),
        free=lambda team: free_players(state, team or None),
        may_enter=do.SetTeam in place.allowed,
    )


handlers = [entries, player_page, teams_page]
