"""The pairing of the next round: shown with its reasons before it is published, and published as it was shown."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from litestar import MediaType, Response, get, post

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.desk.forms import (
    ActionRefusal,
    Answer,
    known_line,
    lines_since,
    read_fields,
    refusal_of,
)
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.desk.overview import stand
from korgool.app.server.events.desk.result_rows import BoardRow, board_rows
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.words.event_words import pairing_sentences
from korgool.competition.codec import to_json
from korgool.competition.commands import next_pairing
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Round, System
from korgool.competition.pairing import PairingEngine
from korgool.competition.pairing.absentees import possible_absentees
from korgool.competition.pairing.explanation import Explanation, explain
from korgool.competition.pairing_doubts import pairing_notes


@dataclass(frozen=True, slots=True)
class PairingPreview:
    """A round that is not published.

    Attributes:
        round: the round.
        rows: its boards.
        state: the event as it would be.
        why: the explanations of pairings by board, or of matches by table; empty in other than Swiss events.
        byes: those of byes.
        notes: doubts about it.
        lot: the seed of the lot.
        digest: of everything that would be written.
    """

    round: Round
    rows: list[BoardRow]
    state: EventState
    why: Mapping[int, Explanation]
    byes: tuple[Explanation, ...]
    notes: tuple[str, ...]
    lot: str
    digest: str


def preview(state: EventState, lot: str, engine: PairingEngine) -> PairingPreview:
    """The next round as it would be; it takes as long as the pairing engine.

    Raises:
        CompetitionError: it cannot be paired.
    """
    actions = next_pairing(state, lot=lot, engine=engine)
    for action in actions:
        state = apply(state, action)
    number = len(state.rounds)
    found = explain(state, number) if state.event.system in (System.SWISS, System.TEAM_SWISS) else ()
    return PairingPreview(
        round=state.rounds[-1],
        rows=board_rows(state, number),
        state=state,
        why={one.board: one for one in found if one.black is not None},
        byes=tuple(one for one in found if one.black is None),
        notes=pairing_notes(state, number),
        lot=lot,
        digest=sha256("".join(map(to_json, actions)).encode()).hexdigest(),
    )


@get("/pairing", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def pairing_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The needs of the next round: missing results, and players who do not play."""
    return _page(request, place)


@post("/pairing", action=Action.OFFICIATE, status_code=200)
async def preview_round(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Response[str]:
    """The next round as it would be, with its reasons; nothing is written."""
    place.permit(do.Pair)
    given = await read_fields(request)
    lot = given.get("lot", [""])[-1].strip()[:64] or secrets.token_hex(8)
    try:
        shown = await _computed(place, event_registry, lot)
    except CompetitionError as problem:
        return _page(request, place, 422, why=ActionRefusal(422, problem.message))
    return _page(request, place, shown=shown)


@post("/pairing/publish", action=Action.OFFICIATE)
async def publish_round(request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry) -> Answer:
    """Publish the round that was shown. It is computed again, and where it has become another it is shown instead.

    It is shown again, too, while nobody has said of every possible absentee that they play: each by a button of their
    own, or all who stand on the page by `all_the_same`.
    """
    place.permit(do.Pair)
    given = await read_fields(request)
    lot, number = given.get("lot", [""])[-1][:64], len(place.state.rounds) + 1
    asked = set(given.get("asked", ())) if given.get("all_the_same") else set()
    try:
        shown = await _computed(place, event_registry, lot)
        if shown.digest != given.get("digest", [""])[-1]:
            return _page(request, place, 409, shown=shown, other=True)
        if not asked.issuperset(str(one.player.id) for one in possible_absentees(place.state)):
            return _page(request, place, 422, shown=shown, unsaid=True)
        after = max(known_line(given), 0)
        await place.event.act(place.officer, after, [{"do": "pair", "round": number, "lot": lot}])
    except CompetitionError as problem:
        why = refusal_of(problem)
        return _page(request, DeskPlace(place.event, place.officer), why.status, why=why)
    return see(f"/events/{place.event.id}/desk/round/{number}?done")


async def _computed(place: DeskPlace, event_registry: TheEventRegistry, lot: str) -> PairingPreview:
    state, engine = place.state, place.event.engine
    return await event_registry.in_thread(lambda: preview(state, lot, engine))


def _page(
    request: AnyRequest,
    place: DeskPlace,
    status: int = 200,
    *,
    shown: PairingPreview | None = None,
    why: ActionRefusal | None = None,
    other: bool = False,
    unsaid: bool = False,
) -> Response[str]:
    return desk_page(
        request,
        place,
        "pairing",
        "pairing.html",
        status,
        shown=shown,
        why=why,
        since=[] if why is None else lines_since(why, place, language_of(request)),
        other=other,
        unsaid=unsaid,
        absentees=possible_absentees(place.state) if do.Pair in place.allowed else (),
        stand=stand(place.state),
        sentences=pairing_sentences(language_of(request)),
        may_pair=do.Pair in place.allowed,
    )


handlers = [pairing_page, preview_round, publish_round]
