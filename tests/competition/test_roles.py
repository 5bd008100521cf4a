"""Roles at the desk: what each may do, on which boards and in which rounds, without a server."""

from __future__ import annotations

import pytest

from korgool.competition import EventState
from korgool.competition import actions as do
from korgool.competition.model import Absence, ByeKind, Entry
from korgool.competition.result import Result, read_result
from korgool.competition.roles import POWERS, Boards, DeskRole, may
from tests.competition.test_standings import small

WON = read_result("1 (82) - 0 (60)")
ABSENT, HALF = do.Miss(1, Absence(3, ByeKind.ZERO)), do.Miss(1, Absence(3, ByeKind.HALF))


@pytest.fixture
def state() -> EventState:
    """Four players; the second round is under way."""
    return small("1-2 1-0 | 3-4 1-0", "1-3 | 2-4")


def test_who_checks_in_gives_no_points(state: EventState) -> None:
    assert may(DeskRole.CHECK_IN, None, ABSENT, state) is None
    refused = may(DeskRole.CHECK_IN, None, HALF, state)
    assert refused is not None
    assert "gives no byes with points" in str(refused)
    assert may(DeskRole.DEPUTY, None, HALF, state) is None


@pytest.mark.parametrize("role", DeskRole)
def test_a_role_has_what_its_powers_name(state: EventState, role: DeskRole) -> None:
    for action in (do.Enter(Entry(family="New")), do.EnterResult(2, 1, WON), do.Withdraw(1), ABSENT):
        refused = may(role, None, action, state)
        assert (refused is None) == (type(action) in POWERS[role].actions)
        assert refused is None or "your role does not have this" in str(refused)


def test_earlier_rounds_are_closed_to_those_who_enter_results(state: EventState) -> None:
    for role, refusals in ((DeskRole.RESULTS, [True, False]), (DeskRole.DEPUTY, [False, False])):
        told = [may(role, None, do.Correct(number, 1, WON), state) for number in (1, 2)]
        assert [refusal is not None for refusal in told] == refusals
    assert "round 1 is closed" in str(may(DeskRole.RESULTS, None, do.Correct(1, 1, WON), state))


def test_a_sector_ends_where_its_boards_end(state: EventState) -> None:
    second = Boards(2, 2)
    results: dict[int, Result] = {1: WON, 2: WON}
    told = {board: may(DeskRole.SECTOR, second, do.EnterResult(2, board, one), state) for board, one in results.items()}
    assert told[2] is None
    assert told[1] is not None
