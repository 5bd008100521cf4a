"""A rematch: the only thing that may still be said when a game is over."""

from __future__ import annotations

import pytest

from korgool.live import AbortGame, AskRematch, Join, MakeMove, OfferDraw, Refused, RefusedKind, ResignGame, Seat
from korgool.live.journal import RematchAsked, Rematched, happen
from korgool.rules import Side

from .play import ANN, BLACK, BOB, ENGINE, WHITE, Board, terms


def ended(seats: tuple[Seat, Seat] = (ANN, BOB)) -> Board:
    """White has given up."""
    board = Board(terms(seats=seats))
    for side in Side:
        assert board.say(Join(side)) is None
    assert board.say(ResignGame(WHITE), 1000) is None
    return board


def refused(answer: Refused | None) -> RefusedKind:
    assert answer is not None
    return answer.kind


def test_a_rematch_needs_both_and_gets_the_address_of_the_second() -> None:
    board = ended()
    before = board.game
    assert board.say(AskRematch(BLACK, "first"), 5_000) is None
    assert (board.game.rematch_asked, board.game.rematch) == (BLACK, "")
    assert board.say(AskRematch(BLACK, "again")) is None, "asking twice is asking once"
    assert board.game.version == before.version + 1
    assert board.say(AskRematch(WHITE, "second"), 5_000) is None
    assert (board.game.rematch_asked, board.game.rematch) == (None, "second")
    assert [event for _, event in board.journal[-2:]] == [RematchAsked(BLACK), Rematched("second")]
    after = board.game
    assert after.over
    assert (after.ending, after.board_version, after.game) == (before.ending, before.board_version, before.game)
    for side in Side:
        assert refused(board.say(AskRematch(side, "third"))) is RefusedKind.MOVED_ON
    board.check()


@pytest.mark.parametrize("seats", [(ANN, ENGINE), (ANN, ANN)])
def test_nobody_else_has_to_want_a_rematch(seats: tuple[Seat, Seat]) -> None:
    board = ended(seats)
    assert board.say(AskRematch(WHITE, "next")) is None
    assert board.game.rematch == "next"
    board.check()


def test_there_is_no_rematch_of_a_game_that_goes_on() -> None:
    board = Board(terms())
    assert refused(board.say(AskRematch(WHITE, "next"))) is RefusedKind.NOT_OVER
    for side in Side:
        assert board.say(Join(side)) is None
    assert refused(board.say(AskRematch(WHITE, "next"))) is RefusedKind.NOT_OVER
    for event in (RematchAsked(WHITE), Rematched("next")):
        with pytest.raises(ValueError, match="the game is not over yet"):
            happen(board.game, event, board.now)


def test_an_aborted_game_can_be_played_after_all() -> None:
    board = Board(terms())
    assert board.say(AbortGame(BLACK)) is None
    assert not board.game.begun
    for side in Side:
        assert board.say(AskRematch(side, "next")) is None
    assert board.game.aborted
    assert board.game.rematch == "next"
    board.check()


def test_nothing_else_is_said_when_a_game_is_over() -> None:
    board = ended()
    assert board.say(AskRematch(WHITE, "next")) is None
    for command in (Join(WHITE), MakeMove(WHITE, 1, board.game.version), OfferDraw(BLACK), ResignGame(BLACK)):
        assert refused(board.say(command)) is RefusedKind.OVER
    assert board.say(AskRematch(BLACK, "next")) is None
    with pytest.raises(ValueError, match="the rematch has been made"):
        happen(board.game, Rematched("other"), board.now)


def test_the_seats_of_a_rematch_are_exchanged() -> None:
    agreed = terms(seats=(ANN, BOB), rated=True, delay_s=60)
    assert agreed.swapped() == terms(seats=(BOB, ANN), rated=True, delay_s=60)
    assert agreed.swapped().swapped() == agreed
