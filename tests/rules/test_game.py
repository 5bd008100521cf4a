"""Whole games: history, undo, claims, declared endings, matches."""

from __future__ import annotations

import pytest
from hypothesis import given

from korgool import BESTEMSHE, MANGALA, TOGUZ_KORGOOL, Game, Match, Outcome, Position, Side, Termination
from tests.rules.positions import games

ROUND = (4, 2, 1, 3, 5, 4, 6, 5, 9, 6, 2, 1, 7, 7, 3, 8, 8, 9)
"""Single stones that walk round the board without a capture, back to the position they left (found by search)."""
ROUND_START = "7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"


def test_a_game_remembers_and_takes_back() -> None:
    game = Game(TOGUZ_KORGOOL, [7, 5, 3])
    assert game.moves == (7, 5, 3)
    assert len(game.positions) == 4
    assert game.undo() == 3
    assert game.position == TOGUZ_KORGOOL.start().play(7).play(5)
    game.undo()
    game.undo()
    with pytest.raises(ValueError, match="taken back"):
        game.undo()


@given(games())
def test_undo_leads_back_to_every_position(game: Game) -> None:
    before = list(game.positions)
    while game.moves:
        assert game.position == before.pop()
        game.undo()
    assert game.position == game.rules.start()


@given(games())
def test_a_game_replays_to_the_same_end(game: Game) -> None:
    again = Game(game.rules, game.moves)
    assert again.positions == game.positions
    assert again.outcome() == game.outcome()


def test_an_illegal_ply_is_named() -> None:
    with pytest.raises(ValueError, match="ply 2: hole 6 of Black cannot be sown"):
        Game(TOGUZ_KORGOOL, [7, 6])


def test_declared_endings_leave_the_stores_as_they_are() -> None:
    """WNG-TK §V: resignation, flag, agreement."""
    game = Game(TOGUZ_KORGOOL, [7])
    outcome = game.conclude(Side.WHITE, Termination.RESIGNATION)
    assert outcome.result_text == "1 (10) - 0 (0)"
    assert game.outcome() == outcome
    with pytest.raises(ValueError, match="resignation"):
        game.play(1)
    with pytest.raises(ValueError, match="over"):
        game.conclude(None, Termination.AGREEMENT)
    assert game.undo() == 0
    assert game.outcome() is None


def test_nothing_can_be_claimed_at_the_start() -> None:
    assert Game(TOGUZ_KORGOOL, [7, 5]).claims() == ()


def test_a_position_for_the_third_time_may_be_claimed() -> None:
    """docs/rules/options.md, repetition: the same holes, stores, tuz and side to move for the third time."""
    game = Game(Position.parse(ROUND_START), ROUND * 2)
    assert game.occurrences() == (0, 18, 36)
    threefold = game.claims()[0]
    assert (threefold.reason, threefold.plies) == ("threefold", (0, 18))


def test_a_recurrence_within_73_moves_may_be_claimed() -> None:
    """WNG-TK §V, §X as docs/rules/options.md reads them: once before, at most 146 plies back."""
    game = Game(Position.parse(ROUND_START), ROUND)
    assert [claim.reason for claim in game.claims()] == ["73"]
    assert game.claims()[0].clause == "WNG-TK §V, §X"
    game.undo()
    assert game.claims() == ()


def test_146_plies_back_count_and_147_do_not() -> None:
    """docs/rules/options.md, repetition: the reach of the claim follows its option."""
    for recurrence, claimed in ((9, True), (8, False)):
        rules = TOGUZ_KORGOOL.with_option("recurrence", str(recurrence))
        game = Game(Position.parse(ROUND_START, rules), ROUND)
        assert bool(game.claims()) is claimed
    assert TOGUZ_KORGOOL.recurrence == 73


def test_repetition_can_be_switched_off() -> None:
    rules = TOGUZ_KORGOOL.with_option("threefold", "0").with_option("recurrence", "0")
    assert Game(Position.parse(ROUND_START, rules), ROUND * 4).claims() == ()


def test_claims_end_nothing_by_themselves() -> None:
    """Replaying a record never ends a game by repetition (docs/rules/options.md)."""
    game = Game(Position.parse(ROUND_START), ROUND * 5)
    assert game.outcome() is None
    assert game.position.legal_moves()


def test_a_granted_claim_ends_the_game_and_leaves_nothing_to_claim() -> None:
    game = Game(Position.parse(ROUND_START), ROUND * 2)
    outcome = game.conclude(None, Termination.REPETITION)
    assert outcome.result_text == "0.5 (78) - 0.5 (79)"
    assert game.claims() == ()


def test_a_match_of_sets_counts_by_player() -> None:
    """WNG-M §II: 1, 0.5, 0 a set; the starter alternates (docs/rules/options.md)."""
    won = Outcome(Side.WHITE, Termination.SIDE_EMPTY, (30, 18))
    drawn = Outcome(None, Termination.SIDE_EMPTY, (24, 24))
    match = Match(MANGALA, 3).record(won).record(won)
    assert [match.side_of(0, number) for number in (1, 2, 3)] == [Side.WHITE, Side.BLACK, Side.WHITE]
    assert match.half_points == (2, 2)
    assert match.stones == (48, 48)
    assert match.winner is None
    match = match.record(drawn)
    assert match.finished
    assert (match.half_points, match.winner) == ((3, 3), None)
    with pytest.raises(ValueError, match="4 sets"):
        match.record(drawn)
    single = Match(MANGALA, 1).record(won)
    assert (single.winner, single.stones) == (0, (30, 18))
    with pytest.raises(ValueError, match="at least one"):
        Match(MANGALA, 0)


def test_match_of_bestemshe_is_possible_too() -> None:
    assert Match(BESTEMSHE, 2).rules is BESTEMSHE


@given(games())
def test_where_a_position_stood(game: Game) -> None:
    """As a look at every position of the game finds it."""
    over = game.outcome() is not None
    coming = () if over else tuple(game.position.sow(hole).after for hole in game.position.legal_moves())
    for position in {*game.positions, *coming}:
        assert game.stood(position) == tuple(ply for ply, known in enumerate(game.positions) if known == position)


def test_where_a_position_that_comes_back_stood() -> None:
    game = Game(Position.parse(ROUND_START))
    for _ in range(3):
        for hole in ROUND:
            game.play(hole)
    assert game.stood(game.position) == game.occurrences() == (0, 18, 36, 54)
