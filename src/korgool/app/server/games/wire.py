"""The states and events of a game as they are sent to pages and programs.

Holes are numbered 1 to n from their owner's left; 0 stands for a store. Pages apply no rules themselves: the messages
contain everything that a rule decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import structs

from korgool.app.server.storage.journal import JournalEntry, Kind, Play, Terms
from korgool.rules import Outcome, Position, Side, Sowing

SideName = Literal["white", "black"]
NAMES: tuple[SideName, SideName] = ("white", "black")


class TraceDrop(msgspec.Struct, frozen=True):
    """One stone put down; `hole` 0 is the store of that side. `tuz_owner` takes the stone where the hole is a tuz."""

    side: SideName
    hole: int
    tuz_owner: SideName | None


class TraceCapture(msgspec.Struct, frozen=True):
    """A hole emptied into the mover's store."""

    side: SideName
    hole: int
    stones: int


class Trace(msgspec.Struct, frozen=True):
    """A ply, stone by stone.

    Attributes:
        side: the mover.
        hole: the hole that was lifted.
        lifted: stones lifted.
        drops: every stone in order.
        captured: holes emptied by the last stone.
        tuz: number of the opponent's hole that became the mover's tuz, or None.
        extra_turn: whether the mover moves again.
        sweep: stones that White and Black gain at the end of the game, if the ending has a sweep.
    """

    side: SideName
    hole: int
    lifted: int
    drops: list[TraceDrop]
    captured: list[TraceCapture]
    tuz: int | None
    extra_turn: bool
    sweep: tuple[int, int] | None


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


class ClockState(msgspec.Struct, frozen=True):
    """Milliseconds left when the message is sent, and whose time runs."""

    white_ms: int
    black_ms: int
    running: SideName | None
    increment_ms: int


class OutcomeState(msgspec.Struct, frozen=True):
    """How the game ended; `stores` after the sweep, as in the result text `1 (82) - 0 (60)`."""

    result: str
    result_text: str
    termination: str
    winner: SideName | None
    stores: tuple[int, int]


class GameStateMessage(msgspec.Struct, frozen=True):
    """Everything that a page shows of a game, for one viewer.

    Attributes:
        id: the game's address.
        version: number of the last event.
        game: the short name of the game.
        holes: holes of each side.
        white: stones in White's holes from White's left; empty after a sweep.
        black: the same for Black.
        stores: stones of White and Black, after the sweep.
        tuz: number of the tuz that White owns among Black's holes, and that Black owns among White's.
        turn: the side to move.
        you: the viewer's side, None for a watcher.
        level: of the engine, 1 to 8; 9 is perfect play; from 100 on it is a rating.
        moves: the plies played, without those taken back.
        legal: holes that the viewer may sow now.
        previews: for each of them, by its number, what it would do.
        last: the last of these plies.
        clock: the clock, None in a game without one.
        outcome: how the game ended.
        claims: draws that the viewer may claim.
        can_undo: whether the viewer may take back.
        start: text of the position that the game began with, None for the usual start.
        position: position text.
        movetext: the moves in field notation, numbered.
        rematch: address of the game that followed.
    """

    id: str
    version: int
    game: str
    holes: int
    white: tuple[int, ...]
    black: tuple[int, ...]
    stores: tuple[int, int]
    tuz: tuple[int | None, int | None]
    turn: SideName
    you: SideName | None
    level: int
    moves: list[MoveMessage]
    legal: tuple[int, ...]
    previews: dict[str, Preview]
    last: Trace | None
    clock: ClockState | None
    outcome: OutcomeState | None
    claims: list[Literal["threefold", "73"]]
    can_undo: bool
    start: str | None
    position: str
    movetext: str
    rematch: str | None


class EventMessage(msgspec.Struct, frozen=True):
    """An event of a game and the state after it. With `kind` `state` it is no event, but only the current state."""

    version: int
    kind: Kind | Literal["state"]
    trace: Trace | None
    state: GameStateMessage


class Question(msgspec.Struct, frozen=True):
    """Asks a page whose device thinks for the engine for the move at `version`, in at most `seconds` with a clock.

    Without a clock `seconds` is None, and the level alone determines how far to search.
    """

    version: int
    kind: Literal["think"]
    seconds: float | None


def trace(sowing: Sowing) -> Trace:
    """A ply for the page."""
    swept = sowing.outcome.swept if sowing.outcome is not None else (0, 0)
    return Trace(
        side=NAMES[sowing.mover],
        hole=sowing.hole,
        lifted=sowing.lifted,
        drops=[TraceDrop(NAMES[drop.side], drop.hole, _name(drop.tuz_owner)) for drop in sowing.drops],
        captured=[TraceCapture(NAMES[side], hole, stones) for side, hole, stones in sowing.captured],
        tuz=sowing.tuz,
        extra_turn=sowing.extra_turn,
        sweep=swept if any(swept) else None,
    )


def state(play: Play, viewer: Side | None, now: int, rematch: str | None = None) -> GameStateMessage:
    """The current state for a viewer: the side that the visitor plays, or None for a watcher."""
    terms, position, outcome = play.terms, play.game.position, play.outcome
    swept = outcome is not None and any(outcome.swept)
    none = (0,) * position.rules.holes
    yours = viewer is not None and outcome is None and position.to_move == viewer
    legal = position.legal_moves() if yours else ()
    return GameStateMessage(
        id=terms.id,
        version=play.version,
        game=terms.game,
        holes=position.rules.holes,
        white=none if swept else position.holes[Side.WHITE],
        black=none if swept else position.holes[Side.BLACK],
        stores=position.stores if outcome is None else outcome.stores,
        tuz=position.tuz,
        turn=NAMES[position.to_move],
        you=_name(viewer),
        level=terms.level,
        moves=[
            MoveMessage(ply, NAMES[sowing.mover], sowing.hole, text)
            for ply, (sowing, text) in enumerate(zip(play.sowings, play.texts, strict=True), 1)
        ],
        legal=legal,
        previews={str(hole): preview(position, hole) for hole in legal},
        last=trace(play.sowings[-1]) if play.sowings else None,
        clock=clock_state(play, now),
        outcome=None if outcome is None else outcome_state(outcome),
        claims=[] if viewer is None else [claim.reason for claim in play.game.claims()],
        can_undo=viewer is not None and play.undo_plies > 0,
        start=terms.start,
        position=str(position),
        movetext=_movetext(play),
        rematch=rematch,
    )


def event(play: Play, viewer: Side | None, now: int) -> EventMessage:
    """The last event with the state after it."""
    kind = play.entries[-1].kind
    moved = trace(play.sowings[-1]) if kind == "move" else None
    return EventMessage(play.version, kind, moved, state(play, viewer, now))


def missed(
    terms: Terms, entries: Sequence[JournalEntry], since: int, viewer: Side | None, clock: ClockState | None
) -> list[bytes]:
    """The encoded events after version `since`, for a client that reconnects; `clock` is the current clock."""
    play, told = Play(terms), []
    for entry in entries:
        play.apply(entry, 0)
        if entry.version > since:
            told.append(event(play, viewer, 0))
    if told:
        told[-1] = structs.replace(told[-1], state=structs.replace(told[-1].state, clock=clock))
    return [msgspec.json.encode(one) for one in told]


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


def clock_state(play: Play, now: int) -> ClockState | None:
    """The clock at `now`."""
    clock = play.clock
    if clock is None:
        return None
    white, black = clock.remaining(Side.WHITE, now), clock.remaining(Side.BLACK, now)
    return ClockState(white, black, _name(clock.running), clock.control.increment_ms)


def _movetext(play: Play) -> str:
    """The same text as `format_movetext`, joined from the stored texts because it is sent after every move."""
    words: list[str] = []
    joins = False
    for sowing, text, position in zip(play.sowings, play.texts, play.game.positions, strict=False):
        if joins:
            words[-1] += f",{text}"
        else:
            words += [f"{position.fullmove}.", text] if sowing.mover is Side.WHITE else [text]
        joins = sowing.extra_turn
    return " ".join(words)


def outcome_state(outcome: Outcome) -> OutcomeState:
    """An end of the game for the page."""
    return OutcomeState(
        outcome.result, outcome.result_text, outcome.termination.value, _name(outcome.winner), outcome.stores
    )


def _name(side: Side | None) -> SideName | None:
    return None if side is None else NAMES[side]
