"""Rulings and refusals: what a referee answers to an event.

A ruling decides something by a clause. A refusal says that an event cannot be taken at all, and leaves the game as it
was. `sentences.sentence(kind, arguments, language)` puts a ruling into words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

Argument: TypeAlias = str | int
Change: TypeAlias = str | int | list[int] | dict[str, int | None] | None


class RulingKind(StrEnum):
    """Every ruling there is. The arguments of its sentence stand in brackets.

    `player`, `winner` and `opponent` are `white` or `black`; a `winner` may also be `draw`. Names that end in `_ms` are
    whole milliseconds; `white` and `black` beside a winner are stones in the stores; other numbers count.
    """

    # Before the first move
    LOTS_DRAWN = "lots_drawn"
    """Lots were drawn [white and black: names of the players; seed] (WNG-TK §II)."""
    LATE = "late"
    """A player came too late, or not, and has lost; no stones are recorded [player, winner, limit_ms] (§V, §XIV)."""
    BOTH_LATE = "both_late"
    """Neither player was there in time: both have lost [limit_ms] (§V, §XIV)."""
    NOT_LATE_YET = "not_late_yet"
    """Claim denied: the absent player may still come [player, limit_ms, left_ms] (§V, §XIV)."""
    NOT_ABSENT = "not_absent"
    """Claim denied: the player is there [player] (§V)."""

    # The board ends the game
    MAJORITY = "majority"
    """The winner's store holds the goal [winner, goal, white, black] (§V; 82 in toguz korgool, 26 in bestemshe)."""
    NO_MOVE = "no_move"
    """The player to move has no stone left [player, winner, white, black] (§V)."""
    EQUAL = "equal"
    """All stones are gathered, the same number in both stores [white, black] (§V)."""
    SIDE_EMPTY = "side_empty"
    """One side is empty, the set is over [player: whose side, winner, white, black] (WNG-M §III.4, §IV)."""
    EXTRA_TURN = "extra_turn"
    """The last stone fell into the own store: the same player and clock go on [player] (WNG-M §III.1)."""

    # The clock
    TIME = "time"
    """A flag is down: the game is lost on time [player, winner, white, black] (WNG-TK §V)."""
    MOVE_FIRST = "move_first"
    """A flag was called while its player had stones in hand: the player completes the move first [player] (§VII)."""
    NO_FLAG = "no_flag"
    """Call denied: that flag is not down [player; left_ms on that player's clock] (§VII)."""
    BOTH_FLAGS_DRAW = "both_flags_draw"
    """Both flags are down and no store holds more than half of the stones: draw [white, black, half] (§V)."""
    BOTH_FLAGS_COUNTED = "both_flags_counted"
    """Both flags are down and the stores were compared [winner, white, black] (§VII)."""
    PRESSED = "pressed"
    """The referee pressed the clock that the player had forgotten [player] (§XIV)."""
    PRESS_FORGOTTEN = "press_forgotten"
    """The player has not pressed, the opponent's move stands all the same, and the player's time runs on until they or
    the referee presses [player: who forgot] (§XIV)."""
    PAUSED = "paused"
    """The referee stopped both clocks [] (§VII, §XIV)."""
    RESUMED = "resumed"
    """The referee let the clock of the player run again [player] (§VII, §XIV)."""
    STOPPED_FOR_FLAG = "stopped_for_flag"
    """A player stopped both clocks because a flag is down, as a player may [player: who stopped] (§VII)."""
    STOP_FORBIDDEN = "stop_forbidden"
    """Denied: a player may stop both clocks only when a flag is down; they go on [player] (§VII)."""
    CLOCK_CORRECTED = "clock_corrected"
    """One side of a faulty clock was put right, and what that side lost was given to the opponent as well
    [player: whose time was known, white_ms, black_ms: new times, made_good_ms: given to the opponent, 0 for nothing]
    (§VII)."""
    CLOCK_SET = "clock_set"
    """A faulty clock was replaced, both times being known [white_ms, black_ms] (§VII)."""
    CLOCK_DIVIDED = "clock_divided"
    """A faulty clock was replaced, neither time being known: the total was divided equally [each_ms] (§VII)."""
    CLOCK_AFTER_FLAG = "clock_after_flag"
    """Denied: a fault of the clock has to be reported before a flag is down [player: whose flag] (§VII)."""
    CLOCK_NOT_REQUESTED = "clock_not_requested"
    """Denied: a clock is replaced only when a player asks for it [] (§VII)."""
    CLOCK_INSTALLED = "clock_installed"
    """A game begun without a clock was given one [each_ms, elapsed_ms] (§VII)."""

    # Draws and resignation
    AGREED = "agreed"
    """Draw by agreement [white, black] (§V, §VII)."""
    RESIGNED = "resigned"
    """A player gave up [player, winner, white, black] (§V, §VII)."""
    OFFER_UNTIMELY = "offer_untimely"
    """Denied: a draw is offered after making a move and before pressing the clock [player] (§X)."""
    OFFER_ABSENT = "offer_absent"
    """Denied: there is no offer of the opponent to answer, or it has lapsed [player: who answered] (§X)."""
    FOURTH_OFFER = "fourth_offer"
    """One offer more than three: the opponent may demand the game [player, opponent, number] (§X)."""
    FOURTH_OFFER_LOST = "fourth_offer_lost"
    """The opponent demanded the game because of a fourth offer [player: who offered, winner, white, black] (§X)."""
    FOURTH_OFFER_DENIED = "fourth_offer_denied"
    """Claim denied: the opponent has not offered more than three times [player: who offered, number] (§X)."""
    REPETITION = "repetition"
    """Draw: the position stood on the board before [reason: threefold or 73, times: how often it stood there in all]
    (§V, §X)."""
    REPETITION_DENIED = "repetition_denied"
    """Claim denied: the record does not show it [reason, times] (§V, §X)."""
    DRAWN_POSITION = "drawn_position"
    """Draw: neither side can win the position, and one cannot bring it to an end, by the option `drawn_position`
    [white, black] (§V, §X)."""
    DRAWN_POSITION_DENIED = "drawn_position_denied"
    """Claim denied: the position is not of that kind (§V, §X)."""
    DRAWN_POSITION_OFF = "drawn_position_off"
    """Claim denied: the rules of the game do not name such positions (§V, §X)."""
    DRAWN_POSITION_MANY = "drawn_position_many"
    """Claim denied: there are too many stones on the board (§V, §X)."""
    DRAW_NEEDS_BOTH = "draw_needs_both"
    """Denied: the record of a drawn game is accepted only with both players present [player: who is absent] (§X)."""

    # Mistakes, record, signatures
    SPILLED = "spilled"
    """The player restores the spilled stones on their own time and then presses the clock [player] (§VI)."""
    RESTORED = "restored"
    """The position was corrected from the record [player: to move, ply: after how many plies, or -1 where the record
    does not have the position] (§VI)."""
    SIGNED_STANDS = "signed_stands"
    """Denied: the result is signed and stands [result: such as `1 (82) - 0 (60)`] (§VI)."""
    DECLARED_STANDS = "declared_stands"
    """Denied: a game ended by resignation, agreement, time or lateness is not reopened [result] (§VI, §VII)."""
    SIGNED = "signed"
    """Both players have signed the result, it stands [result] (§II, §VI)."""
    ACCEPTED = "accepted"
    """The referee accepted the record of the game [result] (§X, §XIV)."""
    RECORD_EXEMPT = "record_exempt"
    """No warning: with less than five minutes a player need not write [player, left_ms] (§VIII)."""

    # Warnings
    WARNING = "warning"
    """A warning [player, reason: conversation, record, disrespect, obstruction or rules, number: 1 or 2] (§XIV)."""
    WARNING_POINT = "warning_point"
    """The third warning: it costs a point in the event [player, reason, number] (§XIV)."""
    WARNING_EXCLUSION = "warning_exclusion"
    """The fourth or a later warning: the player is excluded from the event [player, reason, number] (§XIV)."""

    # Matches of sets
    SET_STARTED = "set_started"
    """The next set of a match begins, the players have changed sides [number, sets] (WNG-M §III)."""


DENIALS = frozenset(
    {
        RulingKind.NOT_LATE_YET,
        RulingKind.NOT_ABSENT,
        RulingKind.NO_FLAG,
        RulingKind.STOP_FORBIDDEN,
        RulingKind.CLOCK_AFTER_FLAG,
        RulingKind.CLOCK_NOT_REQUESTED,
        RulingKind.OFFER_UNTIMELY,
        RulingKind.OFFER_ABSENT,
        RulingKind.FOURTH_OFFER_DENIED,
        RulingKind.REPETITION_DENIED,
        RulingKind.DRAWN_POSITION_DENIED,
        RulingKind.DRAWN_POSITION_OFF,
        RulingKind.DRAWN_POSITION_MANY,
        RulingKind.DRAW_NEEDS_BOTH,
        RulingKind.SIGNED_STANDS,
        RulingKind.DECLARED_STANDS,
        RulingKind.RECORD_EXEMPT,
    }
)
"""Rulings that deny a request; they change nothing but the time of the last event."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A decision of the referee.

    Attributes:
        kind: what was decided.
        clause: the clause it rests on, such as `WNG-TK §V`.
        arguments: what its sentence needs, as `RulingKind` says.
        changes: what it changed, by name; empty where it changed nothing. Times are whole milliseconds.
    """

    kind: RulingKind
    clause: str
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    changes: Mapping[str, Change] = field(default_factory=dict)

    @property
    def granted(self) -> bool:
        """True if the ruling grants the request."""
        return self.kind not in DENIALS


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refusal of an event; the game stays as it was.

    Attributes:
        reason: why, with advice where there is any.
        clause: the clause that forbids it, or None where the rules do not settle it.
    """

    reason: str
    clause: str | None = None
