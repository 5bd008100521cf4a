"""Challenges: one acceptance wins, and everybody else is told what happened."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from korgool.conduct import TimeControl
from korgool.live import (
    Challenge,
    ChallengeState,
    DeclineReason,
    Lot,
    Manner,
    Refused,
    RefusedKind,
    Seat,
    SeatKind,
    Way,
)
from korgool.live.challenges import open_ms
from korgool.rules import TOGUZ_KORGOOL, Side

NOW = 1_000


def challenge(**changes: Any) -> Challenge:
    usual: dict[str, Any] = {"id": "abc", "maker": "ann", "rules": TOGUZ_KORGOOL, "control": None, "side": "white"}
    return Challenge(**{**usual, "expires": NOW + 60_000, **changes})


@pytest.mark.parametrize(("side", "ann"), [("white", Side.WHITE), ("black", Side.BLACK)])
def test_the_maker_chooses_a_side(side: str, ann: Side) -> None:
    answer = challenge(side=side).accept("bob", "game", NOW)
    assert not isinstance(answer, Refused)
    taken, terms = answer
    assert (taken.state, taken.by, taken.game) == (ChallengeState.ACCEPTED, "bob", "game")
    assert terms.seats[ann].who == "ann"
    assert terms.seats[ann.other].who == "bob"
    assert (terms.control, terms.manner, terms.start, terms.rated, terms.delay_s) == (
        None,
        Manner.FRIENDLY,
        None,
        False,
        0,
    )
    assert (taken.side_of("ann"), taken.side_of("bob")) == (ann, ann.other)


def test_the_lot_can_be_drawn_again_and_is_fair() -> None:
    whites: Counter[str] = Counter()
    for number in range(400):
        made = challenge(side="random")
        assert made.lot is None, "nobody knows it before somebody accepts"
        assert made.side_of("ann") is None
        answer = made.accept("bob", f"g{number}", NOW)
        assert not isinstance(answer, Refused)
        white = answer[1].seats[Side.WHITE].who
        assert answer[0].lot == Lot(("ann", "bob"), f"g{number}")
        assert white == Lot(("ann", "bob"), f"g{number}").white()
        assert (answer[0].side_of("ann") is Side.WHITE) == (white == "ann")
        assert answer[0].side_of("bob") is not answer[0].side_of("ann")
        assert answer[0].side_of("eve") is None
        whites[white] += 1
    assert min(whites.values()) > 150


def test_only_one_acceptance_wins() -> None:
    answer = challenge().accept("bob", "game", NOW)
    assert not isinstance(answer, Refused)
    late = answer[0].accept("eve", "other", NOW)
    assert isinstance(late, Refused)
    assert (late.kind, late.status) == (RefusedKind.TAKEN, 409)


@pytest.mark.parametrize("state", [state for state in ChallengeState if state is not ChallengeState.OPEN])
def test_what_has_ended_cannot_be_taken(state: ChallengeState) -> None:
    ended = challenge(state=state)
    for answer in (ended.accept("bob", "g", NOW), ended.decline("bob", None, NOW), ended.withdraw("ann", NOW)):
        assert isinstance(answer, Refused)
        assert answer.status == 409


def test_a_challenge_expires_by_itself() -> None:
    one = challenge()
    assert one.at(NOW + 59_999) is ChallengeState.OPEN
    assert one.at(NOW + 60_000) is ChallengeState.EXPIRED
    late = one.accept("bob", "game", NOW + 60_000)
    assert isinstance(late, Refused)
    assert late.kind is RefusedKind.EXPIRED


def test_strangers_and_the_maker() -> None:
    named = challenge(to="bob")
    for own in (challenge().accept("ann", "game", NOW), named.accept("ann", "game", NOW)):
        assert isinstance(own, Refused)
        assert (own.kind, own.status) == (RefusedKind.OWN_CHALLENGE, 422)
    for kind, answer in (
        (RefusedKind.NOT_FOR_YOU, named.accept("eve", "game", NOW)),
        (RefusedKind.NOT_FOR_YOU, named.decline("eve", None, NOW)),
        (RefusedKind.NOT_YOURS, named.withdraw("bob", NOW)),
        (RefusedKind.NOT_DECLINED, challenge().decline("bob", None, NOW)),
    ):
        assert isinstance(answer, Refused)
        assert (answer.kind, answer.status) == (kind, 403)


def test_declining_and_withdrawing() -> None:
    declined = challenge(to="bob").decline("bob", DeclineReason.LATER, NOW)
    assert not isinstance(declined, Refused)
    assert (declined.state, declined.reason) == (ChallengeState.DECLINED, DeclineReason.LATER)
    withdrawn = challenge().withdraw("ann", NOW)
    assert not isinstance(withdrawn, Refused)
    assert withdrawn.state is ChallengeState.WITHDRAWN
    link = challenge().decline("bob", None, NOW)
    assert isinstance(link, Refused), "a link is declined by not taking it"


def test_all_terms_go_into_the_game() -> None:
    start = "1S,8/1S,8 80 80 S 60"
    made = challenge(control=TimeControl(600_000), manner=Manner.COMPETITION, start=start, delay_s=60)
    answer = made.accept("bob", "game", NOW)
    assert not isinstance(answer, Refused)
    terms = answer[1]
    assert (terms.rules, terms.control, terms.manner) == (TOGUZ_KORGOOL, TimeControl(600_000), Manner.COMPETITION)
    assert (terms.start, terms.rated, terms.delay_s) == (start, False, 60)
    rated = challenge(rated=True).accept("bob", "game", NOW)
    assert not isinstance(rated, Refused)
    assert rated[1].rated


def test_the_engine_takes_the_seat_and_takes_part_in_the_lot() -> None:
    engine, sides = Seat(SeatKind.ENGINE, strength=4), set()
    for number in range(20):
        taken, terms = challenge(side="random").begin(engine, f"g{number}")
        side = Side.WHITE if terms.seats[Side.WHITE].who == "ann" else Side.BLACK
        assert terms.seats[side.other] == engine
        lot = taken.lot
        assert lot is not None
        assert (lot.white() == "ann") == (side is Side.WHITE)
        assert (taken.side_of("ann"), taken.side_of("bob")) == (side, None)
        assert taken.state is ChallengeState.ACCEPTED
        sides.add(side)
    assert sides == set(Side)


def test_one_person_at_both_seats_draws_no_lot() -> None:
    made = challenge(side="random", way=Way.NONE)
    own = Seat(SeatKind.PERSON, "ann")
    taken, terms = made.begin(own, "game")
    assert taken.lot is None
    assert terms.sides("ann") == tuple(Side)
    assert taken.side_of("ann") is None


@pytest.mark.parametrize(
    ("way", "slow", "minutes"),
    [
        (Way.LINK, False, 7 * 1440),
        (Way.LINK, True, 7 * 1440),
        (Way.LOBBY, False, 15),
        (Way.LOBBY, True, 14 * 1440),
        (Way.NAME, False, 1440),
        (Way.NONE, False, 0),
    ],
)
def test_how_long_it_stays_open(way: Way, slow: bool, minutes: int) -> None:
    assert open_ms(way, slow=slow) == minutes * 60_000
