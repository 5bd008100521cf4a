"""The events of a game as they go to its followers: small, in order and without gaps, the same for everybody.

Nobody has to know a rule to follow them: a trace says what every stone did, and the event says what stands afterwards.
docs/protocol.md describes every kind.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from korgool.app.server.storage.journal import KINDS, JournalEntry
from korgool.live import OnlineGame, due
from korgool.live.journal import Begun, ClaimGranted, Interrupted, Moved, Rematched, TakenBack, TimeAdded, VacationTaken
from korgool.notation.moves import format_move
from korgool.rules import Side, Sowing

SideName = Literal["white", "black"]


def one_of(*words: str) -> msgspec.Meta:
    """Describes a text that is one of these words; what comes in is compared with them elsewhere."""
    return msgspec.Meta(extra_json_schema={"enum": list(words)})


NAMES: tuple[SideName, SideName] = ("white", "black")


class Trace(msgspec.Struct, frozen=True, omit_defaults=True):
    """A ply, stone by stone. White's hole k is k, Black's is -k, and 0 is the mover's store.

    Attributes:
        side: the mover.
        hole: number of the hole that was lifted.
        lifted: stones lifted.
        drops: where each stone falls, in order.
        kept: which of them, counted from 0, fall into a tuz and so go into its owner's store.
        captured: holes emptied into the mover's store, each with its stones.
        tuz: number of the opponent's hole that became the mover's tuz.
        extra_turn: whether the mover moves again.
        sweep: stones that White and Black gain at the end of the game.
    """

    side: SideName
    hole: int
    lifted: int
    drops: list[int]
    kept: list[int] = []
    captured: list[tuple[int, int]] = []
    tuz: int | None = None
    extra_turn: bool = False
    sweep: tuple[int, int] | None = None


class ClockState(msgspec.Struct, frozen=True):
    """Milliseconds left when the message is made, and whose time runs."""

    white_ms: int
    black_ms: int
    running: SideName | None
    increment_ms: int


class Offers(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is on offer, and by whom."""

    draw: SideName | None = None
    takeback: SideName | None = None
    rematch: SideName | None = None


_NOTHING = Offers()


class OutcomeState(msgspec.Struct, frozen=True):
    """How the game ended; `stores` after the sweep, as in the result text `1 (82) - 0 (60)`.

    `clause` is what a referee rests on, and empty for a board without one.
    """

    result: str
    result_text: str
    termination: str
    winner: SideName | None
    stores: tuple[int, int]
    clause: str = ""


class GameEvent(msgspec.Struct, frozen=True, omit_defaults=True):
    """One event. Fields that say nothing are left out; `offers` and `claims` replace what stood before.

    Attributes:
        version: its number.
        kind: what happened; `none` where a command found that nothing had to.
        at: when, in milliseconds since 1970.
        side: who did it, or who is given time.
        ply: of a move, how many plies stand with it.
        text: of a move, field notation such as `76(10)`.
        trace: of a move, what every stone did.
        lag: of a move, milliseconds given back for its way.
        plies: of a take-back, how many were taken back.
        white: after a take-back, the stones in White's holes.
        black: after a take-back, those in Black's.
        tuz: after a take-back, the numbers of the tuz that White and Black own.
        stores: stones of White and Black.
        position: position text.
        turn: whose turn it is.
        legal: the holes that may be sown then.
        clock: the clock.
        due: when time alone decides something, in milliseconds since 1970.
        offers: what is on offer.
        claims: what may be claimed (`OnlineGame.claims`).
        outcome: how the game ended, if it has.
        ms: milliseconds added, or of an outage.
        until: of a vacation, until when, in milliseconds since 1970; a time that is over ends it.
        what: of a claim, what was claimed.
        game: of a rematch, its address.
    """

    version: int
    kind: Annotated[str, one_of(*KINDS, "none")]
    at: int
    side: SideName | None = None
    ply: int = 0
    text: str = ""
    trace: Trace | None = None
    lag: int = 0
    plies: int = 0
    white: tuple[int, ...] = ()
    black: tuple[int, ...] = ()
    tuz: tuple[int | None, int | None] | None = None
    stores: tuple[int, int] | None = None
    position: str = ""
    turn: SideName | None = None
    legal: tuple[int, ...] = ()
    clock: ClockState | None = None
    due: int | None = None
    offers: Offers | None = None
    claims: tuple[str, ...] = ()
    outcome: OutcomeState | None = None
    ms: int = 0
    until: int = 0
    what: str = ""
    game: str = ""


def name(side: Side | None) -> SideName | None:
    """A side as messages name it."""
    return None if side is None else NAMES[side]


def trace(sowing: Sowing) -> Trace:
    """A ply for the page."""
    drops = sowing.drops
    swept = sowing.outcome.swept if sowing.outcome is not None else (0, 0)
    return Trace(
        side=NAMES[sowing.mover],
        hole=sowing.hole,
        lifted=sowing.lifted,
        drops=[drop.hole if drop.side is Side.WHITE else -drop.hole for drop in drops],
        kept=[index for index, drop in enumerate(drops) if drop.tuz_owner is not None],
        captured=[(hole if side is Side.WHITE else -hole, stones) for side, hole, stones in sowing.captured],
        tuz=sowing.tuz,
        extra_turn=sowing.extra_turn,
        sweep=swept if any(swept) else None,
    )


def clock_state(game: OnlineGame, now: int) -> ClockState | None:
    """Return the clocks at `now`."""
    clock = game.game.clock
    if clock is None:
        return None
    white, black = clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now)
    return ClockState(white, black, name(clock.running), clock.control.increment_ms)


def listed(game: OnlineGame) -> tuple[str, ...]:
    """Return the claims that may be made, as states and events spell them."""
    return tuple(kind.listed for kind in game.claims if kind.listed is not None)


def offers(game: OnlineGame) -> Offers:
    """Return the offers that stand."""
    return Offers(name(game.game.offered), name(game.asks), name(game.rematch_asked))


def outcome_state(game: OnlineGame) -> OutcomeState | None:
    """Return the outcome; None while the game goes on, and where it was aborted."""
    ending = game.ending
    if ending is None:
        return None
    return OutcomeState(
        ending.result,
        ending.result_text,
        ending.termination.value,
        name(ending.winner),
        stores_of(game),
        ending.clause,
    )


def tell(before: OnlineGame, entry: JournalEntry, after: OnlineGame) -> GameEvent:
    """The event of an entry that leads from one game to the next."""
    event = entry.event
    told: dict[str, Any] = {"side": name(getattr(event, "side", entry.side)), "claims": listed(after)}
    if (on_offer := offers(after)) != _NOTHING:
        told["offers"] = on_offer
    if isinstance(event, Moved):
        sowing = after.sown or before.position.sow(event.hole)
        told |= {
            "side": NAMES[sowing.mover],
            "ply": after.plies,
            "text": format_move(sowing),
            "trace": trace(sowing),
            "lag": event.lag_ms,
        }
    elif isinstance(event, TakenBack):
        white, black = after.position.holes
        told |= {"plies": event.plies, "white": white, "black": black, "tuz": after.position.tuz}
    elif isinstance(event, TimeAdded | Interrupted):
        told["ms"] = event.ms
    elif isinstance(event, VacationTaken):
        told["until"] = event.until
    elif isinstance(event, ClaimGranted):
        told["what"] = event.what.online
    elif isinstance(event, Rematched):
        told["game"] = event.game
    if isinstance(event, Moved | TakenBack | Begun):
        told |= {
            "stores": stores_of(after),
            "position": str(after.position),
            "turn": NAMES[after.to_move],
            "legal": () if after.over else after.position.legal_moves(),
        }
    if not after.over or not before.over:
        told |= {"clock": clock_state(after, after.at), "due": due(after)}
    if after.over and not before.over:
        told["outcome"] = outcome_state(after)
    return GameEvent(entry.version, entry.kind, after.at, **told)


def stores_of(game: OnlineGame) -> tuple[int, int]:
    """Stones in the stores of White and Black, after the sweep of an ending that has one."""
    ending = game.ending
    return game.position.stores if ending is None or ending.stores is None else ending.stores
