"""Decisions on commands: the events that a command makes, or why it is refused.

Nothing here waits or writes. The caller stores the events under the next versions of the game, and they count only when
they are stored. If another event is quicker, the caller asks again with the game as it then stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from korgool.conduct.claims import ClaimKind
from korgool.conduct.control import LONGEST_MS
from korgool.conduct.ruling import Ruling
from korgool.live import commands, journal
from korgool.live.facts import Facts
from korgool.live.game import OnlineGame
from korgool.live.refusals import Refused
from korgool.live.refusals import RefusedKind as Kind
from korgool.live.terms import DAY_MS, GameTerms, Manner
from korgool.live.vacations import MOST_VACATION_DAYS, MOST_VACATION_MS
from korgool.rules import Side

_Answer: TypeAlias = "tuple[journal.Happening, ...] | Refused"
FIRST_MOVE_MS = 30_000
"""A friendly game with a clock is aborted when its first move does not come within this time, and within the lag that
would be given back for it."""
JOIN_MS = 600_000
"""A friendly game with a clock is aborted when the players do not both come within this time."""
MORE_TIME_MS = 15_000
"""Time that one `add-time` gives, in milliseconds."""
GONE_MS = (30_000, 180_000)
"""A player may be without a sign for a twentieth of the time that each has at the start, within these bounds."""
IDLE_MS = (10_000, 60_000)
"""A proven result can be claimed when the opponent gave no sign for the first, or was on the move for the second. In a
correspondence game, the opponent must have been on the move for a day."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Result of a command or of time.

    Attributes:
        events: what happens, in order; empty where everything is as the command wants it already.
        steps: the game after each of them.
        after: the game after all of them.
        rulings: what the referee ruled, for each event, None where there was nothing to rule.
    """

    events: tuple[journal.Happening, ...]
    steps: tuple[OnlineGame, ...]
    after: OnlineGame
    rulings: tuple[Ruling | None, ...]


def begin(terms: GameTerms, at: int) -> Decision:
    """A new game: it begins at once, or when both players are there if it is friendly and has a clock."""
    game = OnlineGame.open(terms, at)
    waits = terms.live and terms.friendly and not all(game.joined)
    return _made(game, () if waits else (journal.Begun(),), at)


def decide(game: OnlineGame, command: commands.Command, at: int, facts: Facts | None = None) -> Decision | Refused:
    """Decide on a command that arrives at `at`, milliseconds since 1970.

    A command that comes after the time has decided is refused; the caller stores what `tick` gives.
    """
    facts = Facts() if facts is None else facts
    again = game.over and isinstance(command, commands.AskRematch)
    if not again and (game.over or tick(game, at, facts).events):
        return Refused(Kind.OVER)
    found = _events(game, command, at, facts)
    if isinstance(found, Refused):
        return found
    try:
        return _made(game, found, at)
    except journal.RuledError as error:
        answer = error.answer
        ruling = answer if isinstance(answer, Ruling) else None
        return Refused(Kind.RULED, {"reason": str(error)}, answer.clause, ruling)


def tick(game: OnlineGame, at: int, facts: Facts | None = None) -> Decision:
    """Decide what follows from time alone by `at`: a fallen flag, a game without a first move."""
    if game.over:
        return Decision((), (), game, ())
    limit = due(game, facts)
    if limit is None or at < limit:
        return Decision((), (), game, ())
    flag = _flag_due(game, facts)
    return _made(game, (journal.TimeCalled(),) if flag is not None and at >= flag else (journal.Aborted(),), at)


def due(game: OnlineGame, facts: Facts | None = None) -> int | None:
    """Time at which `tick` has something to decide if nothing happens before; None for never."""
    if game.over:
        return None
    if not game.begun:
        return game.opened + JOIN_MS
    flag = _flag_due(game, facts)
    if game.terms.live and game.terms.friendly and game.terms.between_people and not game.plies:
        first = game.game.started + FIRST_MOVE_MS
        first += _given(game, game.to_move, first, facts)
        return first if flag is None else min(first, flag)
    return flag


def _flag_due(game: OnlineGame, facts: Facts | None) -> int | None:
    """Time at which the flag counts as fallen: later by as much as the message of a move in time may still need."""
    clock = game.game.clock
    if clock is None or clock.running is None:
        return None
    falls = clock.falls_at()
    assert falls is not None
    return falls + _given(game, clock.running, falls, facts)


def _given(game: OnlineGame, side: Side, at: int, facts: Facts | None) -> int:
    """The lag that is given back to a player whose turn ends at `at`."""
    if facts is None or game.terms.by_engine(side):
        return 0
    return game.lag_rule.give(game.quotas[side], facts.lags[side], at - game.game.now)


def _made(game: OnlineGame, events: tuple[journal.Happening, ...], at: int) -> Decision:
    steps, rulings = [game], []
    for event in events:
        after, ruling = journal.happen(steps[-1], event, at)
        steps.append(after)
        rulings.append(ruling)
    return Decision(events, tuple(steps[1:]), steps[-1], tuple(rulings))


def _events(game: OnlineGame, command: commands.Command, at: int, facts: Facts) -> _Answer:
    if isinstance(command, commands.Join):
        return _join(game, command.side)
    if isinstance(command, commands.AbortGame):
        return Refused(Kind.TOO_LATE_TO_ABORT) if game.plies >= 2 else (journal.Aborted(command.side),)
    if isinstance(command, commands.AskRematch):
        return _ask_rematch(game, command)
    if not game.begun:
        return Refused(Kind.NOT_BEGUN)
    match command:
        case commands.MakeMove():
            return _move(game, command, at, facts)
        case commands.OfferDraw(side):
            return _offer(game, side)
        case commands.AcceptDraw(side):
            return (journal.DrawAgreed(side),)
        case commands.DeclineDraw(side):
            return (journal.DrawDeclined(side),)
        case commands.AskTakeback(side):
            return _ask_takeback(game, side)
        case commands.AcceptTakeback(side):
            return _taken_back(game, side.other) if game.asks is side.other else Refused(Kind.NO_TAKEBACK)
        case commands.DeclineTakeback(side):
            return (journal.TakebackDeclined(side),) if game.asks is side.other else Refused(Kind.NO_TAKEBACK)
        case commands.AddTime(side):
            return _add_time(game, side)
        case commands.TakeVacation():
            return _take_vacation(game, command, at)
        case commands.ResignGame(side):
            return (journal.Resigned(side),)
        case commands.ClaimEnd():
            return _claim(game, command, at, facts)


def _join(game: OnlineGame, side: Side) -> tuple[journal.Happening, ...]:
    """The player comes, at one device both; with the second a game that waited begins."""
    seats = game.terms.seats
    coming = [one for one in Side if seats[one].who == seats[side].who and not game.joined[one]]
    events: list[journal.Happening] = [journal.Joined(one) for one in coming]
    if coming and not game.begun and all(game.joined[one] or one in coming for one in Side):
        events.append(journal.Begun())
    return tuple(events)


def _move(game: OnlineGame, command: commands.MakeMove, at: int, facts: Facts) -> _Answer:
    position, side = game.position, command.side
    if not game.board_version <= command.version <= game.version:
        return Refused(Kind.MOVED_ON)
    if position.to_move is not side:
        return Refused(Kind.NOT_YOUR_TURN, clause="WNG-TK §III")
    hole, holes = command.hole, position.rules.holes
    if not 1 <= hole <= holes:
        return Refused(Kind.NO_HOLE, {"hole": hole, "holes": holes})
    if hole not in position.legal_moves():
        return Refused(_why_not(game, hole), {"hole": hole}, "WNG-TK §III")
    return (journal.Moved(hole, _given(game, side, at, facts), command.offer, command.device),)


def _why_not(game: OnlineGame, hole: int) -> Kind:
    position = game.position
    tuz = position.tuz[position.to_move.other]
    return Kind.TUZ_HOLE if tuz == hole else Kind.EMPTY_HOLE


def _offer(game: OnlineGame, side: Side) -> _Answer:
    if game.terms.manner is Manner.COMPETITION:
        return Refused(Kind.OFFER_ALONE, clause="WNG-TK §X")
    if game.game.offered is side:
        return Refused(Kind.OFFER_STANDS)
    if game.game.offered is side.other:
        return (journal.DrawAgreed(side),)  # both want it
    if game.offered[side] == game.own_plies(side):
        return Refused(Kind.OFFER_TOO_SOON)
    offered = journal.DrawOffered(side)
    return (offered, journal.DrawDeclined(side.other)) if game.terms.by_engine(side.other) else (offered,)


def _ask_takeback(game: OnlineGame, side: Side) -> _Answer:
    if not game.terms.friendly or game.terms.rated:
        return Refused(Kind.NO_TAKEBACKS)
    if game.turn_began(side) is None:
        return Refused(Kind.NOTHING_TO_TAKE_BACK)
    if game.asks is side:
        return Refused(Kind.TAKEBACK_STANDS)
    if _alone(game, side):
        return _taken_back(game, side)
    if game.declined[side] == game.board_version:
        return Refused(Kind.TAKEBACK_DECLINED)
    return (journal.TakebackAsked(side),)


def _taken_back(game: OnlineGame, side: Side) -> _Answer:
    began = game.turn_began(side)
    assert began is not None  # the caller has checked that the side has moved
    return (journal.TakenBack(game.plies - began),)


def _ask_rematch(game: OnlineGame, command: commands.AskRematch) -> _Answer:
    """Ask for a rematch; the second side to ask makes it. Asking twice is asking once."""
    side = command.side
    if not game.over:
        return Refused(Kind.NOT_OVER)
    if game.rematch:
        return Refused(Kind.MOVED_ON)
    if game.rematch_asked is side.other or _alone(game, side):
        return (journal.Rematched(command.game),)
    return () if game.rematch_asked is side else (journal.RematchAsked(side),)


def _alone(game: OnlineGame, side: Side) -> bool:
    """Return whether no other person has to agree: the engine plays the other side, or the same person does."""
    seats = game.terms.seats
    return game.terms.by_engine(side.other) or seats[0].who == seats[1].who


def _add_time(game: OnlineGame, side: Side) -> _Answer:
    clock = game.game.clock
    if clock is None or not (game.terms.live and game.terms.friendly) or game.terms.by_engine(side.other):
        return Refused(Kind.NO_MORE_TIME)
    if clock.stocks[side.other] + MORE_TIME_MS > LONGEST_MS:
        return Refused(Kind.TIME_IS_FULL)
    return (journal.TimeAdded(side.other, MORE_TIME_MS),)


def _take_vacation(game: OnlineGame, command: commands.TakeVacation, at: int) -> _Answer:
    """Saying what holds already, or ending a vacation that is over, changes nothing."""
    if not (game.terms.slow and game.terms.between_people):
        return Refused(Kind.NO_VACATION)
    until = max(command.until, at)
    if until - at > MOST_VACATION_MS:
        return Refused(Kind.VACATION_TOO_LONG, {"days": MOST_VACATION_DAYS})
    if until == max(game.away[command.side], at):
        return ()
    return (journal.VacationTaken(command.side, until),)


def gone_after_ms(terms: GameTerms) -> int:
    """Absence of the opponent after which a friendly game with a clock can be claimed, in milliseconds."""
    control = terms.control
    each = 0 if control is None else control.initial_ms + control.overtime_ms
    return min(GONE_MS[1], max(GONE_MS[0], each // 20))


def _claim(game: OnlineGame, command: commands.ClaimEnd, at: int, facts: Facts) -> _Answer:
    side, what = command.side, command.what
    competition = game.terms.manner is Manner.COMPETITION
    if what in (ClaimKind.GONE, ClaimKind.PROOF) and competition:
        return Refused(Kind.NOT_IN_COMPETITION)
    if what in (ClaimKind.FOURTH_OFFER, ClaimKind.NO_SHOW) and not competition:
        return Refused(Kind.ONLY_IN_COMPETITION)
    if what is ClaimKind.FLAG and game.game.clock is None:
        return Refused(Kind.NO_CLOCK, clause="WNG-TK §VII")
    if what is ClaimKind.GONE:
        return _gone(game, side, at, facts)
    if what is ClaimKind.PROOF:
        return _proof(game, side, at, facts)
    return (journal.ClaimGranted(side, what),)


def _gone(game: OnlineGame, side: Side, at: int, facts: Facts) -> _Answer:
    if not game.terms.live or game.terms.by_engine(side.other):
        return Refused(Kind.NEVER_GONE)
    if game.to_move is side:
        return Refused(Kind.NOT_THEIR_TURN)
    quiet, limit = _quiet_ms(game, side.other, at, facts), gone_after_ms(game.terms)
    if quiet < limit:
        return Refused(Kind.NOT_GONE, {"seconds": quiet // 1000, "limit": limit // 1000})
    return (journal.ClaimGranted(side, ClaimKind.GONE),)


def gone_since(game: OnlineGame, side: Side, facts: Facts) -> int | None:
    """Since when the absence of a silent player counts, in milliseconds since 1970; None where it does not."""
    counts = game.terms.between_people and game.begun and not game.over
    return _quiet_since(game, side, facts) if counts else None


def _quiet_since(game: OnlineGame, side: Side, facts: Facts) -> int:
    """Since when a player has given no sign in this game: what was before its first turn does not count."""
    return max(facts.heard_at(side), game.game.started)


def _quiet_ms(game: OnlineGame, side: Side, at: int, facts: Facts) -> int:
    return max(0, at - _quiet_since(game, side, facts))


def _proof(game: OnlineGame, side: Side, at: int, facts: Facts) -> _Answer:
    proof = facts.proof
    if proof is None or proof.version != game.board_version:
        return Refused(Kind.NOT_PROVEN)
    if proof.winner is side.other:
        return Refused(Kind.PROVEN_LOST)
    if game.to_move is side:
        return Refused(Kind.NOT_THEIR_TURN)
    quiet, turn = _quiet_ms(game, side.other, at, facts), at - game.game.now
    if (quiet < IDLE_MS[0] and turn < IDLE_MS[1]) if game.terms.live else turn < DAY_MS:
        return Refused(Kind.PLAYS_ON)
    return (journal.ClaimGranted(side, ClaimKind.PROOF, proof.winner, proof.source),)
