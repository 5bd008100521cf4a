"""The whole state of a game as it is sent to pages and programs that join it.

Pages apply no rules themselves: the message contains everything that a rule decides.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec

from korgool.accounts import Person, PersonKind
from korgool.app.server.core.people_lookup import stranger
from korgool.app.server.play.game_events import (
    NAMES,
    ClockState,
    Offers,
    OutcomeState,
    SideName,
    Trace,
    clock_state,
    listed,
    name,
    offers,
    outcome_state,
    stores_of,
    trace,
)
from korgool.app.server.play.ratings import NO_RATINGS, SeatRatings
from korgool.app.server.storage.game_terms import options_of
from korgool.app.words.people import name_before
from korgool.engine.levels import is_rating
from korgool.live import GameTerms, Manner, OnlineGame, Seat, SeatKind, due, gone_after_ms, write_clock
from korgool.rules import Position, Side


class Preview(msgspec.Struct, frozen=True):
    """The effect of sowing a legal hole: where the last stone lands, stones taken, tuz, extra turn, end of the game.

    `stores` are those of White and Black afterwards, including the sweep if it ends the game.
    """

    side: SideName
    hole: int
    captures: int
    tuz: bool
    extra_turn: bool
    ends: bool
    stores: tuple[int, int]


class MoveMessage(msgspec.Struct, frozen=True):
    """A ply of the move list; `text` is field notation such as `76(10)`."""

    ply: int
    side: SideName
    hole: int
    text: str


class SeatState(msgspec.Struct, frozen=True):
    """Who sits at a seat.

    Attributes:
        kind: a person or the engine.
        name: what a person is called; empty for the engine.
        rating: of the engine where its strength is a rating; of a person with an account at the speed of this game,
            and after a rated game what it has made of it.
        level: of the engine, 1 to 8; 9 is perfect play.
        present: whether a page of the person is connected; true for the engine.
        gone: since when the absence of a person counts who is not connected, in milliseconds since 1970; left out while
            nobody has to be there.
        deviation: of a person's rating; in 95 of 100 cases the strength lies at most twice as far away.
        provisional: whether that rating still has to be found out.
        change: by how much this game has changed it, once it was counted.
        bot: whether the person is a program with an account.
    """

    kind: Literal["person", "engine", "open"]
    name: str
    rating: int | None
    level: int | None
    present: bool
    deviation: int | msgspec.UnsetType = msgspec.UNSET
    provisional: bool | msgspec.UnsetType = msgspec.UNSET
    change: int | msgspec.UnsetType = msgspec.UNSET
    bot: bool = False
    gone: int | msgspec.UnsetType = msgspec.UNSET


class Seats(msgspec.Struct, frozen=True):
    """Both seats."""

    white: SeatState
    black: SeatState


class Away(msgspec.Struct, frozen=True):
    """Until when White and Black are on vacation, in milliseconds since 1970; None for not."""

    white: int | None
    black: int | None


NOT_TOLD: tuple[None, None] = (None, None)
"""The absences of the players, for those who only watch."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Viewers of a game, and what a state says of them.

    Attributes:
        present: whether White and Black are connected.
        gone: since when the absence of White and of Black counts, in milliseconds since 1970; None where it does not.
        viewers: how many watch.
        ratings: those of the players.
        person: who somebody is.
        reader: for whom names are written; empty for the viewer.
    """

    present: tuple[bool, bool] = (False, False)
    viewers: int = 0
    gone: tuple[int | None, int | None] = NOT_TOLD
    ratings: SeatRatings = NO_RATINGS
    person: Callable[[str], Person] = stranger
    reader: str = ""


class GameStateMessage(msgspec.Struct, frozen=True):
    """Everything that a page shows of a game, for one viewer.

    Attributes:
        id: the game's address.
        version: number of the last event.
        game: the short name of the game.
        rules: the named options that differ from it.
        holes: holes of each side.
        white: stones in White's holes from White's left; empty after a sweep.
        black: the same for Black.
        stores: stones of White and Black, after the sweep.
        tuz: number of the tuz that White owns among Black's holes, and that Black owns among White's.
        turn: the side to move.
        you: the viewer's side, None for a watcher; where one person plays both sides, the side to move.
        shared: whether one person plays both sides.
        seats: who plays.
        level: of the engine, 1 to 8; 9 is perfect play; from 100 on it is a rating. None between people.
        conduct: `friendly` or `competition`.
        rated: whether the result counts for ratings.
        control: the time control as text, `none`, or days for a turn such as `3d`.
        begun: whether the first move may be made.
        aborted: whether the game ended without a result.
        moves: the plies played, without those taken back.
        legal: holes that the viewer may sow now.
        previews: for each of them, by its number, what it would do.
        last: the last of these plies.
        clock: the clock, None in a game without one, and before it begins.
        due: when time alone decides something, in milliseconds since 1970.
        now: the time of this message.
        outcome: how the game ended.
        offers: what is on offer.
        claims: what may be claimed (`OnlineGame.claims`), if the viewer plays.
        claim_after: milliseconds without a sign of life after which a player counts as gone; None where that claim
            does not exist.
        can_undo: whether the viewer may take back at once, or ask for it.
        start: text of the position that the game began with, None for the usual start.
        position: position text.
        movetext: the moves in field notation, numbered.
        rematch: address of the game that followed.
        viewers: how many watch.
        delay: how many seconds later watchers see the game.
        away: who is on vacation in a slow game.
    """

    id: str
    version: int
    game: str
    rules: Mapping[str, int | bool | str]
    holes: int
    white: tuple[int, ...]
    black: tuple[int, ...]
    stores: tuple[int, int]
    tuz: tuple[int | None, int | None]
    turn: SideName
    you: SideName | None
    shared: bool
    seats: Seats
    level: int | None
    conduct: str
    rated: bool
    control: str
    begun: bool
    aborted: bool
    moves: list[MoveMessage]
    legal: tuple[int, ...]
    previews: dict[str, Preview]
    last: Trace | None
    clock: ClockState | None
    due: int | None
    now: int
    outcome: OutcomeState | None
    offers: Offers
    claims: tuple[str, ...]
    claim_after: int | None
    can_undo: bool
    start: str | None
    position: str
    movetext: str
    rematch: str | None
    viewers: int
    delay: int
    away: Away


class StateMessage(msgspec.Struct, frozen=True):
    """The state as a message on a live connection."""

    version: int
    kind: Literal["state"]
    state: GameStateMessage


class Question(msgspec.Struct, frozen=True):
    """Asks a page whose device thinks for the engine for the move at `version`, in at most `seconds` with a clock.

    Without a clock `seconds` is None, and the level alone determines how far to search.
    """

    version: int
    kind: Literal["think"]
    seconds: float | None


class Presence(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who is connected, and since when the absence of others counts; no event, so it has no version."""

    kind: Literal["presence"]
    white: bool
    black: bool
    viewers: int
    white_gone: int | None = None
    black_gone: int | None = None


def state(
    address: str, game: OnlineGame, texts: Sequence[str], who: str | None, now: int, audience: Audience
) -> GameStateMessage:
    """The state for a viewer: the person with the identity `who`, or a watcher; `texts` are the moves as words."""
    terms, position = game.terms, game.position
    sides = terms.sides(who or "")
    viewer = None if not sides else game.to_move if len(sides) == 2 else sides[0]
    ending = game.ending
    swept = ending is not None and ending.stores is not None and ending.stores != position.stores
    none = (0,) * position.rules.holes
    yours = viewer is game.to_move and game.begun and not game.over
    legal = position.legal_moves() if yours else ()
    engine = engine_of(terms)
    reader = audience.person(audience.reader or who or "")
    seen = audience if sides else replace(audience, gone=NOT_TOLD)
    return GameStateMessage(
        id=address,
        version=game.version,
        game=terms.rules.name,
        rules=options_of(terms.rules),
        holes=position.rules.holes,
        white=none if swept else position.holes[Side.WHITE],
        black=none if swept else position.holes[Side.BLACK],
        stores=stores_of(game),
        tuz=position.tuz,
        turn=NAMES[position.to_move],
        you=name(viewer),
        shared=len(sides) == 2,
        seats=Seats(*(_seat(game, side, seen, reader) for side in Side)),
        level=None if engine is None else engine.strength,
        conduct=terms.manner.value,
        rated=terms.rated,
        control=write_clock(terms.control),
        begun=game.begun,
        aborted=game.aborted,
        moves=[
            MoveMessage(ply, NAMES[game.game.positions[ply - 1].to_move], hole, text)
            for ply, (hole, text) in enumerate(zip(game.game.moves, texts, strict=True), 1)
        ],
        legal=legal,
        previews={str(hole): preview(position, hole) for hole in legal},
        last=trace(game.game.positions[-2].sow(game.game.moves[-1])) if game.plies else None,
        clock=clock_state(game, now),
        due=due(game),
        now=now,
        outcome=outcome_state(game),
        offers=offers(game),
        claims=listed(game) if sides else (),
        claim_after=gone_after_ms(terms) if _can_be_left(terms) else None,
        can_undo=bool(sides) and _may_take_back(game, sides),
        start=terms.start,
        position=str(position),
        movetext=movetext(game, texts),
        rematch=game.rematch or None,
        viewers=audience.viewers,
        delay=terms.delay_s,
        away=Away(*(until if until > now and not game.over else None for until in game.away)),
    )


def engine_of(terms: GameTerms) -> Seat | None:
    """The engine's seat, None in a game between people."""
    return next((seat for seat in terms.seats if seat.kind is SeatKind.ENGINE), None)


def _seat(game: OnlineGame, side: Side, audience: Audience, reader: Person) -> SeatState:
    seat = game.terms.seats[side]
    if seat.kind is SeatKind.ENGINE:
        rated = is_rating(seat.strength)
        return SeatState("engine", "", seat.strength if rated else None, None if rated else seat.strength, True)
    gone = audience.gone[side]
    seated, (shown, change) = audience.person(seat.who), audience.ratings.of(side, over=game.over)
    return SeatState(
        "person",
        name_before(seated, reader),
        None if shown is None else shown.rating,
        None,
        audience.present[side],
        deviation=msgspec.UNSET if shown is None else shown.deviation,
        provisional=msgspec.UNSET if shown is None else shown.provisional,
        change=msgspec.UNSET if change is None else change,
        bot=seated.kind is PersonKind.BOT,
        gone=msgspec.UNSET if gone is None else gone,
    )


def _can_be_left(terms: GameTerms) -> bool:
    people = {seat.who for seat in terms.seats if seat.who}
    return terms.live and terms.manner is Manner.FRIENDLY and len(people) == 2


def _may_take_back(game: OnlineGame, sides: Sequence[Side]) -> bool:
    terms = game.terms
    if game.over or not terms.friendly or terms.rated:
        return False
    return any(game.turn_began(side) is not None for side in sides)


def preview(position: Position, hole: int) -> Preview:
    """The effect of sowing a legal hole."""
    sowing = position.sow(hole)
    return Preview(
        side=NAMES[sowing.last.side],
        hole=sowing.last.hole,
        captures=sowing.taken,
        tuz=sowing.tuz is not None,
        extra_turn=sowing.extra_turn,
        ends=sowing.outcome is not None,
        stores=sowing.after.stores if sowing.outcome is None else sowing.outcome.stores,
    )


def movetext(game: OnlineGame, texts: Sequence[str]) -> str:
    """The moves in field notation: numbered, the plies of one turn joined by commas."""
    words: list[str] = []
    before: Side | None = None
    for position, text in zip(game.game.positions, texts, strict=False):
        mover = position.to_move
        if mover is before:
            words[-1] += f",{text}"
        else:
            words += [f"{position.fullmove}.", text] if mover is Side.WHITE else [text]
        before = mover
    return " ".join(words)
