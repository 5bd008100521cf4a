"""What commands make of a game, one by one, with the clause where there is one."""

from __future__ import annotations

import pytest

from korgool.conduct import RulingKind, TimeControl
from korgool.conduct.claims import ClaimKind
from korgool.conduct.control import ControlKind
from korgool.conduct.sentences import sentence
from korgool.live import (
    AbortGame,
    AcceptDraw,
    AcceptTakeback,
    AddTime,
    AskTakeback,
    ClaimEnd,
    DeclineDraw,
    DeclineTakeback,
    Join,
    MakeMove,
    OfferDraw,
    RefusedKind,
    ResignGame,
    Seat,
    TakeVacation,
    read_clock,
)
from korgool.live.decisions import FIRST_MOVE_MS, JOIN_MS
from korgool.live.journal import Moved, TakenBack, TimeAdded, happen
from korgool.live.terms import DAY_MS, slow_control
from korgool.rules import MANGALA, Termination

from .play import ANN, BLACK, BOB, COMPETITION, ENGINE, TEN, WHITE, Board, begun, kind, played, remaining, terms

# Beginning


def test_whites_clock_starts_when_both_have_come() -> None:
    board = Board(terms())
    assert not board.game.begun
    assert kind(board.say(MakeMove(WHITE, 1, 0))) is RefusedKind.NOT_BEGUN
    assert board.say(Join(WHITE), 5000) is None
    assert not board.game.begun
    assert board.say(Join(WHITE)) is None, "coming twice is coming once"
    assert board.game.version == 1
    assert board.say(Join(BLACK), 60_000) is None
    board.wait(1500)
    assert (remaining(board, WHITE), remaining(board, BLACK)) == (598_500, 600_000)
    board.check()


def test_a_game_to_which_nobody_comes_is_aborted() -> None:
    board = Board(terms())
    board.say(Join(WHITE))
    board.wait(JOIN_MS)
    assert board.game.aborted
    assert board.game.ending is None
    assert kind(board.say(Join(BLACK))) is RefusedKind.OVER
    board.check()


def test_a_friendly_game_without_a_first_move_is_aborted() -> None:
    board = begun()
    board.wait(FIRST_MOVE_MS - 1)
    assert not board.game.over
    board.wait(1)
    assert board.game.aborted
    board = played(begun(), 1)
    board.wait(2 * FIRST_MOVE_MS)
    assert not board.game.over


def test_in_a_competition_whites_clock_starts_whether_anybody_is_there() -> None:
    """WNG-TK §VII."""
    board = Board(terms(manner=COMPETITION))
    board.wait(10_000)
    assert remaining(board, WHITE) == 590_000
    assert not board.game.aborted


def test_who_does_not_come_to_a_game_of_a_competition_loses_it() -> None:
    """WNG-TK §V: strictly more than half of the time and 30 seconds."""
    board = Board(terms(control=TimeControl(3_600_000), manner=COMPETITION))
    board.say(Join(WHITE))
    board.wait(60_000)
    played(board, 1)
    early = board.say(ClaimEnd(WHITE, ClaimKind.NO_SHOW), 30 * 60_000 - 61_000 + 30_000)
    assert kind(early) is RefusedKind.RULED
    assert early is not None
    assert early.clause == "WNG-TK §V, §XIV"
    assert board.say(ClaimEnd(WHITE, ClaimKind.NO_SHOW), 1) is None
    ending = board.game.ending
    assert ending is not None
    assert (ending.winner, ending.termination, ending.clause) == (WHITE, Termination.FORFEIT, "WNG-TK §V, §XIV")
    board.check()


def test_who_comes_too_late_to_a_game_of_a_competition_has_lost() -> None:
    board = Board(terms(control=TimeControl(3_600_000), manner=COMPETITION))
    board.say(Join(WHITE))
    played(board, 1)
    board.say(Join(BLACK), 31 * 60_000)
    assert board.game.ending is not None
    assert board.game.ending.winner is WHITE


def test_the_engine_is_never_absent() -> None:
    board = Board(terms(control=TimeControl(3_600_000), manner=COMPETITION, seats=(ENGINE, ANN)))
    board.say(Join(BLACK))
    denied = board.say(ClaimEnd(BLACK, ClaimKind.NO_SHOW), 31 * 60_000)
    assert kind(denied) is RefusedKind.RULED
    assert denied is not None
    assert denied.ruling is not None
    assert denied.ruling.kind is RulingKind.NOT_ABSENT
    board.check()


@pytest.mark.parametrize("control", [None, slow_control(1)])
def test_nobody_comes_too_late_to_a_friendly_game(control: TimeControl | None) -> None:
    board = played(Board(terms(control=control)), 1)
    assert board.say(Join(BLACK), 12 * 3_600_000) is None
    assert not board.game.over
    assert board.game.joined == (False, True)
    played(board, 9)
    assert board.say(Join(WHITE), 12 * 3_600_000) is None
    assert not board.game.over
    board.check()


@pytest.mark.parametrize("seats", [(ENGINE, ANN), (ANN, ENGINE), (ANN, ANN)])
def test_a_game_in_which_nobody_waits_for_anybody_begins_at_once(seats: tuple[Seat, Seat]) -> None:
    board = Board(terms(seats=seats))
    assert board.game.begun
    board.wait(FIRST_MOVE_MS)
    assert not board.game.aborted, "the engine may think, and so may who plays it"
    board.check()


def test_two_at_one_device_come_together() -> None:
    board = Board(terms(seats=(ANN, ANN)))
    assert board.say(Join(WHITE)) is None
    assert board.game.begun
    assert board.terms.sides("ann") == (WHITE, BLACK)
    assert board.terms.sides("bob") == board.terms.sides("") == ()


def test_a_game_without_a_clock_begins_at_once() -> None:
    board = played(Board(terms(control=None)), 1, 9, each=10**9)
    assert board.game.plies == 2
    board.check()


# Moves


def test_moves_are_judged_by_the_version_that_the_player_has_seen() -> None:
    board = begun()
    seen = board.game.version
    assert board.say(MakeMove(WHITE, 1, seen)) is None
    assert kind(board.say(MakeMove(WHITE, 2, seen))) is RefusedKind.MOVED_ON
    assert kind(board.say(MakeMove(WHITE, 2, board.game.version))) is RefusedKind.NOT_YOUR_TURN
    at = board.game.version
    assert board.say(OfferDraw(WHITE)) is None
    assert board.say(MakeMove(BLACK, 9, at)) is None, "an offer in between does not matter"
    board.check()
    assert begun().say(MakeMove(WHITE, 1, 0)) is None, "nor does that somebody has come"


@pytest.mark.parametrize(("hole", "why"), [(0, RefusedKind.NO_HOLE), (10, RefusedKind.NO_HOLE)])
def test_holes_that_do_not_exist(hole: int, why: RefusedKind) -> None:
    board = begun()
    refused = board.say(MakeMove(WHITE, hole, board.game.version))
    assert kind(refused) is why
    assert refused is not None
    assert refused.status == 422


def test_empty_holes_and_the_tuz() -> None:
    board = Board(terms(control=None, start="1,9S,9S,t,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 18 0 N 5"))
    assert kind(board.say(MakeMove(BLACK, 6, board.game.version))) is RefusedKind.TUZ_HOLE
    assert kind(board.say(MakeMove(BLACK, 9, board.game.version))) is RefusedKind.EMPTY_HOLE


def test_a_move_says_whether_a_device_has_found_it() -> None:
    board = begun(seats=(ANN, ENGINE))
    played(board, 1)
    assert board.say(MakeMove(BLACK, 9, board.game.version, device=True)) is None
    assert [event.device for _, event in board.journal if isinstance(event, Moved)] == [False, True]
    board.check()


def test_a_turn_of_mangala_gets_one_increment_however_many_plies_it_has() -> None:
    """WNG-M §III.1: who goes on has not completed the turn."""
    board = begun(rules=MANGALA)
    played(board, 4)
    assert board.game.to_move is WHITE, "the fourth stone fell into the store"
    assert remaining(board, WHITE) == 599_000
    played(board, 1)
    assert remaining(board, WHITE) == 598_000 + 5_000
    board.check()


# Time


def test_flags_fall_by_themselves() -> None:
    board = played(begun(control=TimeControl(60_000)), 1, 9)
    board.wait(58_999)
    assert not board.game.over
    board.wait(1)
    ending = board.game.ending
    assert ending is not None
    assert (ending.winner, ending.termination, ending.clause) == (BLACK, Termination.TIME, "WNG-TK §V, §VII")
    assert kind(board.say(MakeMove(WHITE, 2, board.game.version))) is RefusedKind.OVER
    board.check()


def test_lag_is_given_back_and_a_flag_waits_for_the_message() -> None:
    board = played(begun(control=TimeControl(60_000)), 1, 9)
    left = remaining(board, WHITE)
    board.wait(left + 150, lags=(200, 0))
    assert not board.game.over, "a move may be under way"
    assert board.say(MakeMove(WHITE, 2, board.game.version), lags=(200, 0)) is None
    assert remaining(board, WHITE) == 50
    board.check()
    board = played(begun(control=TimeControl(60_000)), 1, 9)
    board.wait(remaining(board, WHITE) + 200, lags=(200, 0))
    assert board.game.over


def test_more_time() -> None:
    board = played(begun(), 1)
    before = remaining(board, BLACK)
    assert board.say(AddTime(WHITE), 500) is None
    assert remaining(board, BLACK) == before - 500 + 15_000
    assert board.say(MakeMove(BLACK, 9, board.game.version - 1)) is None, "the board has not changed"
    for other in (begun(manner=COMPETITION), begun(control=None), begun(control=slow_control(2))):
        assert kind(other.say(AddTime(WHITE))) is RefusedKind.NO_MORE_TIME
    board.check()
    with pytest.raises(ValueError, match="no clock"):
        happen(begun(control=None).game, TimeAdded(WHITE, 15_000), board.now)


def test_a_turn_of_a_slow_game_has_its_days_afresh() -> None:
    day = 86_400_000
    board = Board(terms(control=slow_control(1)))
    played(board, 1, 9, each=day - 1)
    assert remaining(board, WHITE) == day
    board.wait(day - 1)
    assert not board.game.over
    board.wait(1)
    assert board.game.ending is not None
    assert board.game.ending.winner is BLACK
    board.check()


# Draws and resignation


def test_offers_in_friendly_games() -> None:
    board = played(begun(), 1)
    assert kind(board.say(AcceptDraw(BLACK))) is RefusedKind.RULED
    assert board.say(OfferDraw(WHITE)) is None
    assert kind(board.say(OfferDraw(WHITE))) is RefusedKind.OFFER_STANDS
    assert board.say(DeclineDraw(BLACK)) is None
    assert kind(board.say(OfferDraw(WHITE))) is RefusedKind.OFFER_TOO_SOON
    played(board, 9, 2)
    assert board.say(OfferDraw(WHITE)) is None
    played(board, 8)
    assert board.game.game.offered is None, "a move declines"
    assert board.say(MakeMove(WHITE, 3, board.game.version, offer=True)) is None
    assert board.say(OfferDraw(BLACK)) is None, "both want it"
    ending = board.game.ending
    assert ending is not None
    assert (ending.drawn, ending.termination) == (True, Termination.AGREEMENT)
    board.check()


def test_offers_in_competitions_travel_with_a_move() -> None:
    """WNG-TK §X: between the move and the clock, three for each player; after a fourth the opponent has the game."""
    board = begun(manner=COMPETITION)
    alone = board.say(OfferDraw(WHITE))
    assert kind(alone) is RefusedKind.OFFER_ALONE
    assert alone is not None
    assert alone.clause == "WNG-TK §X"
    assert alone.ruling is None, "the referee was not asked"
    denied = board.say(ClaimEnd(BLACK, ClaimKind.FOURTH_OFFER))
    assert kind(denied) is RefusedKind.RULED
    assert denied is not None
    assert denied.ruling is not None
    assert denied.ruling.kind is RulingKind.FOURTH_OFFER_DENIED
    assert str(denied) == sentence(RulingKind.FOURTH_OFFER_DENIED, {"player": "white", "number": 0})
    assert (denied.clause, denied.arguments) == ("WNG-TK §X", {"reason": str(denied)})
    for hole, reply in ((1, 9), (2, 8), (3, 7), (4, 6)):
        assert board.say(MakeMove(WHITE, hole, board.game.version, offer=True), 1000) is None
        assert board.game.game.offered is WHITE
        if hole < 4:
            played(board, reply)
    assert board.game.game.offers == (4, 0)
    assert board.game.claims == (ClaimKind.FOURTH_OFFER,)
    assert board.say(ClaimEnd(BLACK, ClaimKind.FOURTH_OFFER)) is None
    assert board.game.ending is not None
    assert (board.game.ending.winner, board.game.ending.clause) == (BLACK, "WNG-TK §X")
    board.check()


def test_in_a_competition_no_draw_is_offered_within_a_turn() -> None:
    """WNG-TK §X: after the move, which in mangala goes on while the last stone falls into the own store."""
    board = begun(rules=MANGALA, manner=COMPETITION)
    before = board.game
    refused = board.say(MakeMove(WHITE, 4, before.version, offer=True), 1000)
    assert kind(refused) is RefusedKind.RULED
    assert refused is not None
    assert refused.ruling is not None
    assert (refused.ruling.kind, refused.clause) == (RulingKind.OFFER_UNTIMELY, "WNG-TK §X")
    assert board.game == before, "the ply is not played either"
    played(board, 4)
    assert board.say(MakeMove(WHITE, 1, board.game.version, offer=True)) is None
    assert board.game.game.offered is WHITE
    board.check()


def test_the_engine_declines() -> None:
    board = begun(seats=(ANN, ENGINE))
    played(board, 1)
    assert board.say(OfferDraw(WHITE)) is None
    assert board.game.game.offered is None
    board.check()


def test_resignation() -> None:
    board = played(begun(), 1)
    assert board.say(ResignGame(BLACK)) is None
    assert board.game.ending is not None
    assert board.game.ending.winner is WHITE
    refused = board.say(ResignGame(BLACK))
    assert kind(refused) is RefusedKind.OVER
    assert refused is not None
    assert refused.status == 409
    board.check()


def test_only_a_game_that_has_hardly_begun_is_aborted() -> None:
    board = played(begun(), 1)
    assert board.say(AbortGame(BLACK)) is None
    assert board.game.aborted
    board.check()
    board = played(begun(), 1, 9)
    assert kind(board.say(AbortGame(BLACK))) is RefusedKind.TOO_LATE_TO_ABORT


def test_periods_without_a_stock_are_a_clock_and_no_days() -> None:
    """Half a minute for each turn: players wait for each other, as under every clock, and a competition may have it."""
    for text in ("0+0 byoyomi 1x30", "0+0 byoyomi 3x30/5"):
        board = Board(terms(control=read_clock(text)))
        assert (board.game.terms.live, board.game.terms.slow) == (True, False)
        assert not board.game.begun
        assert board.say(Join(WHITE)) is None
        assert board.say(Join(BLACK), 5000) is None
        played(board, 1)
        assert kind(board.say(TakeVacation(BLACK, board.now + DAY_MS))) is RefusedKind.NO_VACATION
        board.check()
        assert terms(control=read_clock(text), manner=COMPETITION).live


# Take-backs


def test_a_takeback_by_consent_keeps_the_time_spent() -> None:
    board = played(begun(), 1, 9, 2, each=2000)
    before = board.game.game.positions[2]
    assert board.say(AskTakeback(WHITE), 3000) is None
    assert kind(board.say(AskTakeback(WHITE))) is RefusedKind.TAKEBACK_STANDS
    assert board.say(AcceptTakeback(BLACK)) is None
    assert board.game.position == before
    # White has used 2 s twice and earned 5 s once, before the turn that is taken back; Black has used 2 s and 3 s.
    assert remaining(board, WHITE) == 600_000 - 2000 + 5000 - 2000
    assert remaining(board, BLACK) == 600_000 - 2000 + 5000 - 3000
    board.wait(1000)
    assert remaining(board, WHITE) == 600_000 + 1000 - 1000
    played(board, 3)
    board.check()


def test_a_takeback_takes_no_completed_turns_away() -> None:
    """Under a control of so many turns, those before the one that is taken back still count, and that one does not."""
    three = TimeControl(60_000, moves=3)
    board = played(begun(control=three), 1, 9, 2, 8, 3)
    assert remaining(board, WHITE) == 120_000 - 3_000
    assert board.say(AskTakeback(WHITE)) is None
    assert board.say(AcceptTakeback(BLACK)) is None
    assert remaining(board, WHITE) == 60_000 - 3_000
    played(board, 3)
    assert remaining(board, WHITE) == 120_000 - 4_000
    played(board, 7)
    assert remaining(board, BLACK) == 120_000 - 3_000
    board.check()


def test_a_takeback_keeps_the_turns_of_a_byoyomi_period_while_it_lasts() -> None:
    three = TimeControl(0, 0, ControlKind.BYOYOMI, 30_000, 2, 3)
    board = played(begun(control=three), 1, 9, 2, 8)
    assert board.game.game.clock is not None
    assert board.game.game.clock.turns == (2, 2)
    played(board, 3)
    assert board.game.game.clock.turns == (0, 2)
    for wait, turns in ((0, (2, 2)), (29_500, (2, 0))):
        assert board.say(AskTakeback(WHITE), wait) is None
        assert board.say(AcceptTakeback(BLACK)) is None
        assert board.game.game.clock.turns == turns
        played(board, 3)
    board.check()


def test_a_takeback_reaches_back_over_the_reply_and_the_whole_turn() -> None:
    board = begun(rules=MANGALA)
    played(board, 4, 1)  # one turn of two plies
    played(board, 2)
    assert board.game.to_move is WHITE
    assert board.say(AskTakeback(WHITE)) is None
    assert board.say(AcceptTakeback(BLACK)) is None
    assert board.game.plies == 0
    board.check()


def test_takebacks_are_declined_lapse_and_are_not_asked_for_again() -> None:
    board = played(begun(), 1, 9)
    assert kind(board.say(AcceptTakeback(BLACK))) is RefusedKind.NO_TAKEBACK
    assert board.say(AskTakeback(WHITE)) is None
    assert board.say(DeclineTakeback(BLACK)) is None
    assert kind(board.say(AskTakeback(WHITE))) is RefusedKind.TAKEBACK_DECLINED
    played(board, 2)
    assert board.say(AskTakeback(WHITE)) is None
    played(board, 8)
    assert kind(board.say(AcceptTakeback(BLACK))) is RefusedKind.NO_TAKEBACK
    board.check()


def test_what_was_offered_before_a_takeback_may_be_offered_again() -> None:
    for side in (WHITE, BLACK):
        board = played(begun(), 1, 9, 2)
        for one in (OfferDraw(side), DeclineDraw(side.other), AskTakeback(WHITE), AcceptTakeback(BLACK)):
            assert board.say(one) is None
        assert board.game.own_plies(side) == 1
        for one in (OfferDraw(side), DeclineDraw(side.other)):
            assert board.say(one) is None
        assert kind(board.say(OfferDraw(side))) is RefusedKind.OFFER_TOO_SOON
        board.check()


def test_no_more_is_taken_back_than_was_played() -> None:
    board = played(begun(), 1, 9)
    for plies in (0, -1, 3):
        with pytest.raises(ValueError, match=f"{plies} plies cannot be taken back of 2"):
            happen(board.game, TakenBack(plies), board.now)


def test_where_nothing_is_taken_back() -> None:
    assert kind(begun().say(AskTakeback(WHITE))) is RefusedKind.NOTHING_TO_TAKE_BACK
    assert kind(played(begun(rated=True), 1).say(AskTakeback(WHITE))) is RefusedKind.NO_TAKEBACKS
    assert kind(played(begun(manner=COMPETITION), 1).say(AskTakeback(WHITE))) is RefusedKind.NO_TAKEBACKS


@pytest.mark.parametrize("seats", [(ANN, ENGINE), (ANN, ANN)])
def test_nobody_is_asked_where_nobody_else_plays(seats: tuple[object, object]) -> None:
    board = played(begun(seats=seats), 1, 9)
    assert board.say(AskTakeback(WHITE)) is None
    assert board.game.plies == 0
    board.check()


# Terms


def test_terms_that_contradict_each_other() -> None:
    for bad in (
        {"manner": COMPETITION, "control": None},
        {"manner": COMPETITION, "control": slow_control(1)},
        {"rated": True, "seats": (ANN, ANN)},
        {"rated": True, "start": "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"},
        {"start": "nonsense"},
        {"delay_s": 3601},
        {"delay_s": -1},
    ):
        with pytest.raises(ValueError, match=r"\w"):
            terms(**bad)
    assert terms(seats=(ANN, BOB)).control == TEN
    assert terms(delay_s=3600).delay_s == 3600
