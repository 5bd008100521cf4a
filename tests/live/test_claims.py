"""Claims: gone, proven, fallen flags, repetition."""

from __future__ import annotations

import pytest

from korgool.conduct import TimeControl
from korgool.conduct.claims import ClaimKind
from korgool.live import ClaimEnd, Decision, Facts, Join, MakeMove, Proof, Refused, RefusedKind, decide
from korgool.live.decisions import gone_after_ms, gone_since
from korgool.live.terms import slow_control
from korgool.rules import TOGUZ_KORGOOL

from .play import ANN, BLACK, COMPETITION, ENGINE, WHITE, Board, begun, kind, played, terms


def test_a_player_who_has_gone() -> None:
    board = played(begun(), 1)
    limit = gone_after_ms(board.terms)
    assert limit == 30_000
    sign = board.now
    early = board.say(ClaimEnd(WHITE, ClaimKind.GONE), limit - 1, signs=(None, sign))
    assert kind(early) is RefusedKind.NOT_GONE
    assert kind(board.say(ClaimEnd(BLACK, ClaimKind.GONE), signs=(sign, None))) is RefusedKind.NOT_THEIR_TURN
    outage = board.say(ClaimEnd(WHITE, ClaimKind.GONE), 1, signs=(None, sign), serving_since=sign + 2)
    assert kind(outage) is RefusedKind.NOT_GONE, "nobody could have given a sign"
    assert board.say(ClaimEnd(WHITE, ClaimKind.GONE), signs=(None, sign)) is None
    assert board.game.ending is not None
    assert board.game.ending.winner is WHITE
    board.check()


def test_gone_is_scaled_by_the_clock_and_exists_in_friendly_games_only() -> None:
    assert gone_after_ms(terms(control=TimeControl(60_000))) == 30_000
    assert gone_after_ms(terms(control=TimeControl(1_800_000))) == 90_000
    assert gone_after_ms(terms(control=TimeControl(7_200_000))) == 180_000
    board = played(begun(manner=COMPETITION), 1)
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.GONE), 100_000)) is RefusedKind.NOT_IN_COMPETITION
    assert kind(played(begun(), 1).say(ClaimEnd(WHITE, ClaimKind.NO_SHOW))) is RefusedKind.ONLY_IN_COMPETITION
    for control in (None, slow_control(3)):
        board = played(begun(control=control), 1)
        assert kind(board.say(ClaimEnd(WHITE, ClaimKind.GONE), 10**7)) is RefusedKind.NEVER_GONE
    board = played(begun(seats=(ANN, ENGINE)), 1)
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.GONE), 100_000)) is RefusedKind.NEVER_GONE


def test_no_flag_is_called_where_there_is_no_clock() -> None:
    answer = begun(control=None).say(ClaimEnd(BLACK, ClaimKind.FLAG))
    assert kind(answer) is RefusedKind.NO_CLOCK
    assert answer is not None
    assert (answer.status, answer.clause) == (422, "WNG-TK §VII")


def test_nobody_has_gone_before_the_game_began() -> None:
    """A player who has given no sign yet may have had no game to give one in."""
    board = played(begun(), 1)
    limit = gone_after_ms(board.terms)
    early = board.say(ClaimEnd(WHITE, ClaimKind.GONE), limit - 1_001)
    assert kind(early) is RefusedKind.NOT_GONE
    assert early is not None
    assert early.arguments == {"seconds": limit // 1000 - 1, "limit": limit // 1000}
    assert board.say(ClaimEnd(WHITE, ClaimKind.GONE), 1) is None
    board.check()
    board = played(begun(), 1)
    proof = Proof(board.game.board_version, WHITE, "tables")
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 8_999, proof=proof)) is RefusedKind.PLAYS_ON
    assert board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 1, proof=proof) is None
    board.check()


def test_proof_instead_of_opinion() -> None:
    board = played(begun(), 1)
    version, sign = board.game.board_version, board.now
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.PROOF))) is RefusedKind.NOT_PROVEN
    won, lost = Proof(version, WHITE, "tables"), Proof(version, BLACK, "tables")
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 20_000, proof=lost)) is RefusedKind.PROVEN_LOST
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.PROOF), proof=won, signs=(None, board.now))) is RefusedKind.PLAYS_ON
    old = Proof(version - 1, WHITE, "tables")
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.PROOF), proof=old)) is RefusedKind.NOT_PROVEN
    assert (
        board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 0, proof=Proof(version, None, "solver"), signs=(None, sign)) is None
    )
    assert board.game.ending is not None
    assert board.game.ending.drawn
    board.check()


def test_who_lets_the_time_run_can_be_met_with_a_proof_as_well() -> None:
    board = played(begun(), 1)
    proof = Proof(board.game.board_version, WHITE, "tables")
    assert board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 60_000, proof=proof, signs=(None, board.now + 60_000)) is None


def test_a_flag_can_be_claimed_but_has_fallen_by_itself() -> None:
    board = played(begun(), 1)
    refused = board.say(ClaimEnd(WHITE, ClaimKind.FLAG))
    assert kind(refused) is RefusedKind.RULED
    assert refused is not None
    assert refused.clause == "WNG-TK §VII"


def test_repetition_needs_a_repetition() -> None:
    refused = played(begun(), 1, 9).say(ClaimEnd(WHITE, ClaimKind.RECURRENCE))
    assert refused is not None
    assert (refused.kind, refused.clause) == (RefusedKind.RULED, "WNG-TK §V, §X")


ROUND = (4, 2, 1, 3, 5, 4, 6, 5, 9, 6, 2, 1, 7, 7, 3, 8, 8, 9)
"""Single stones that walk round the board without a capture, back to the position they left."""


def claims(board: Board) -> tuple[ClaimKind, ...]:
    return board.game.claims


def test_a_position_that_comes_back_may_be_claimed() -> None:
    """WNG-TK §V: within 73 moves."""
    board = Board(terms(control=None, start="7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"))
    played(board, *ROUND[:-1])
    assert claims(board) == ()
    played(board, ROUND[-1])
    assert claims(board) == (ClaimKind.RECURRENCE,)
    assert board.say(ClaimEnd(WHITE, ClaimKind.RECURRENCE)) is None
    assert board.game.ending is not None
    assert board.game.ending.drawn
    assert claims(board) == ()
    board.check()
    board = Board(terms(control=None, start="7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"))
    played(board, *ROUND, *ROUND)
    assert board.game.over, "a third time ends it without a claim"


@pytest.mark.parametrize(("moves", "may"), [(8, ()), (9, (ClaimKind.RECURRENCE,)), (0, ())])
def test_a_position_has_to_come_back_within_so_many_moves_of_each_player(
    moves: int, may: tuple[ClaimKind, ...]
) -> None:
    rules = TOGUZ_KORGOOL.with_option("recurrence", str(moves))
    board = Board(terms(rules, control=None, start="7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"))
    played(board, *ROUND)
    assert claims(board) == may


def test_a_sign_counts_from_when_a_server_could_hear_it() -> None:
    facts = Facts(signs=(5_000, None), serving_since=3_000)
    assert [facts.quiet_ms(side, 9_000) for side in (WHITE, BLACK)] == [4_000, 6_000]
    assert [facts.quiet_ms(side, 2_000) for side in (WHITE, BLACK)] == [0, 0], "a clock on the wall may be set back"
    assert Facts(signs=(1_000, None), serving_since=3_000).quiet_ms(WHITE, 9_000) == 6_000
    assert Facts() == Facts((0, 0), (None, None), 0, None)


def test_since_when_an_absence_counts_is_what_a_claim_goes_by() -> None:
    board = Board(terms())
    assert gone_since(board.game, BLACK, Facts(serving_since=9)) is None, "nobody has to be there yet"
    board = played(begun(), 1)
    started = board.game.game.started
    for facts in (Facts(), Facts(signs=(None, started + 500)), Facts(signs=(None, 5), serving_since=started + 700)):
        since = gone_since(board.game, BLACK, facts)
        assert since is not None
        assert since >= started
        claim, limit = ClaimEnd(WHITE, ClaimKind.GONE), gone_after_ms(board.terms)
        assert isinstance(decide(board.game, claim, since + limit - 1, facts), Refused)
        assert isinstance(decide(board.game, claim, since + limit, facts), Decision)
    assert gone_since(played(begun(seats=(ANN, ENGINE)), 1).game, BLACK, Facts()) is None


def test_what_a_competition_lets_claim() -> None:
    """WNG-TK §V and §X: an opponent who has not come, and a fourth offer."""
    board = Board(terms(manner=COMPETITION))
    assert claims(board) == (ClaimKind.NO_SHOW,)
    assert board.say(Join(WHITE)) is None
    assert claims(board) == (ClaimKind.NO_SHOW,)
    assert board.say(Join(BLACK)) is None
    assert claims(board) == ()
    for hole, reply in ((1, 9), (2, 8), (3, 7), (4, 6)):
        assert claims(board) == ()
        assert board.say(MakeMove(WHITE, hole, board.game.version, offer=True)) is None
        assert claims(board) == ((ClaimKind.FOURTH_OFFER,) if hole == 4 else ())
        played(board, reply)
    assert claims(board) == (), "it is for the one to whom the offers were made"
    played(board, 5)
    assert claims(board) == (ClaimKind.FOURTH_OFFER,)
    assert claims(Board(terms())) == ()


@pytest.mark.parametrize("control", [None, slow_control(3)])
def test_where_nobody_has_to_be_there_a_proof_ends_no_game_before_a_day_is_over(control: TimeControl | None) -> None:
    board = played(Board(terms(control=control)), 5)
    proof = Proof(board.game.board_version, None, "tables")
    assert board.game.to_move is BLACK
    assert kind(board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 86_399_999, proof=proof)) is RefusedKind.PLAYS_ON
    assert board.say(ClaimEnd(WHITE, ClaimKind.PROOF), 1, proof=proof) is None
    assert board.game.over
    board.check()


def test_a_drawn_position_is_listed_and_claimed_where_the_rules_name_it() -> None:
    circle = "1S,8/8,1S 81 79 S 1"
    board = begun(rules=TOGUZ_KORGOOL.with_option("drawn_position", "yes"), start=circle)
    assert board.game.claims == (ClaimKind.DRAWN_POSITION,)
    assert board.say(ClaimEnd(WHITE, ClaimKind.DRAWN_POSITION)) is None
    assert board.game.ending is not None
    assert (board.game.ending.winner, board.game.ending.stores) == (None, (81, 79))
    board.check()
    plain = begun(start=circle)
    assert plain.game.claims == ()
    answer = plain.say(ClaimEnd(WHITE, ClaimKind.DRAWN_POSITION))
    assert kind(answer) is RefusedKind.RULED
    assert answer is not None
    assert "by the rules of this game" in str(answer.arguments["reason"])
