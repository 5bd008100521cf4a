"""What is said of a Swiss round, word for word: floats, colours by C.04.3 art. 5.2, byes, and why none is legal."""

from __future__ import annotations

import pytest

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, System
from korgool.competition.pairing import explain, most_rounds
from korgool.competition.pairing.legal_opponents import bye_barred, in_words, opponents_left, topscorers
from korgool.competition.pairing.round_count import advise_rounds
from korgool.competition.result import read_result
from korgool.competition.round_history import Meeting, RoundKind
from tests.competition.test_standings import small

FIVE = tuple(Entry(family=name) for name in "ABCDE")
GIVEN, HALF, ZERO = ByeKind.ALLOCATED, ByeKind.HALF, ByeKind.ZERO


def a_round(state: EventState, *games: tuple[int, int, str], **byes: ByeKind) -> EventState:
    """The event after another round by hand: games with their results, and byes as `p5=GIVEN`."""
    number = len(state.rounds) + 1
    given = tuple(Bye(int(name[1:]), kind) for name, kind in byes.items())
    for bye in given:
        if bye.kind is not GIVEN:
            state = apply(state, do.Miss(bye.player, Absence(number, bye.kind)))
    pairs = tuple(PairedGame(board, white, black) for board, (white, black, _) in enumerate(games, 1))
    state = apply(state, do.Pair(number, pairs, given, engine="test"))
    for board, (_, _, result) in enumerate(games, 1):
        state = apply(state, do.EnterResult(number, board, read_result(result)))
    return state


def test_floats_of_the_last_two_rounds_are_named() -> None:
    state = small(
        "1-2 1-0 | 3-4 1-0", "4-1 0-1 | 2-3 0-1", "1-3 1-0 | 4-2 0.5-0.5", "2-1 0-1 | 4-3 0-1", "1-4 1-0 | 3-2 1-0"
    )
    again = [
        [reason.text for reason in one.reasons if reason.key == "pairing.again"]
        for number in (2, 3, 4, 5)
        for one in explain(state, number)
    ]
    assert again == [
        [], [],
        [], [],
        ["1 A floated the same way in round 2.", "2 B floated the same way in round 2."],
        ["3 C floated the same way in round 2.", "4 D floated the same way in round 2."],
        ["1 A floated the same way in round 4.", "4 D floated the same way in round 4."],
        ["3 C floated the same way in round 4.", "2 B floated the same way in round 4."],
    ]  # fmt: skip
    upper = explain(state, 4)[0]
    assert (upper.board, upper.white, upper.black, upper.points, upper.float) == (1, 2, 1, (1, 6), -5)
    assert upper.text.startswith("1 A has 3 and floats down to 2 B, who has ½. ")


def test_a_float_in_the_other_way_is_none_again() -> None:
    state = small("1-2 1-0 | 3-4 1-0", "4-1 1-0 | 2-3 0-1", "1-2 1-0 | 3-4 0-1", "4-1 1-0 | 3-2 1-0")
    for one in explain(state, 4):
        assert not any(reason.key == "pairing.again" for reason in one.reasons) or one.white == 3


def test_colours_are_explained_by_their_article() -> None:
    state = small("1-2 1-0 | 3-4 1-0", "4-1 0-1 | 2-3 0-1", "1-2 1-0 | 4-3 0-1", "1-2 1-0 | 3-4 1-0")
    assert [[one.article for one in explain(state, number)] for number in (1, 2, 3, 4)] == [
        ["5.2.5", "5.2.5"], ["5.2.1", "5.2.1"], ["5.2.1", "5.2.1"], ["5.2.1", "5.2.1"],
    ]  # fmt: skip
    first, second = explain(state, 1)
    assert first.text == (
        "Both have 0. 1 A is due no colour yet. 2 B is due no colour yet. The lot for the first round decides (5.2.5)."
    )
    assert (second.board, second.float) == (2, 0)
    assert explain(state, 4)[1].text.endswith(
        "3 C is due White (absolutely: WBB). 4 D is due Black (absolutely: BWW). Each gets the colour they are due "
        "(5.2.1)."
    )
    assert explain(state, 3)[1].text.endswith(
        "4 D is due Black (mildly: BW). 3 C is due White (mildly: WB). The colours were set by hand: by the rules 3 C "
        "has White."
    )


def test_the_lot_counts_those_who_were_ever_paired() -> None:
    """Art. 5.2.5 takes the pairing number; who was never to be paired before is passed over."""
    late = a_round(small(entries=FIVE), (2, 3, "1-0"), (5, 4, "1-0"), p1=ZERO)
    assert [one.reasons[-1].key for one in explain(late, 1)] == ["colour.5.2.5", "colour.hand", "bye.asked"]
    bye = a_round(small(entries=FIVE), (4, 5, "1-0"), p1=GIVEN, p2=HALF, p3=HALF)
    bye = a_round(bye, (3, 2, "1-0"), (5, 4, "1-0"), p1=ZERO)
    assert explain(bye, 2)[0].reasons[-1].key == "colour.5.2.5", "1 was paired, 2 is second and has Black"


def test_who_gets_the_bye_and_who_cannot() -> None:
    state = a_round(small(entries=FIVE, bye_points=0), (1, 2, "1-0"), (3, 4, "+ - -"), p5=GIVEN)
    assert explain(state, 1)[2].text == (
        "5 E has 0 and gets the pairing-allocated bye. Nobody with fewer points may get it."
    )
    state = apply(state, do.Penalise(3, 2), reason="conduct")
    state = a_round(state, (2, 3, "1-0"), (4, 5, "1-0"), p1=GIVEN)
    found = explain(state, 2)[2]
    assert (found.board, found.white, found.black, found.points, found.float, found.article) == (
        0,
        1,
        None,
        (2,),
        0,
        "",
    )
    assert found.text == (
        "1 A has 1 and gets the pairing-allocated bye. 5 E cannot get it: a bye in round 1. "
        "3 C cannot get it: a win without a game in round 1."
    )
    asked = a_round(small(entries=FIVE), (1, 3, "1-0"), (2, 4, "1-0"), p5=HALF)
    assert explain(asked, 1)[2].text == "5 E does not play this round (half-point bye)."
    with pytest.raises(CompetitionError, match="only a Swiss round is explained"):
        explain(small("1-2 1-0 | 3-4 1-0", system=System.ROUND_ROBIN), 1)


def test_why_no_pairing_is_legal() -> None:
    state = a_round(small(entries=FIVE), (1, 3, "1-0"), (4, 2, "0-1"), p5=GIVEN)
    state = a_round(state, (2, 1, "0-1"), (5, 3, "- - +"), p4=GIVEN)
    state = a_round(state, (1, 5, "1-0"), (3, 4, "1-0"), p2=HALF)
    assert opponents_left(state, 3, {}) == {1: (4, 5), 2: (3, 5), 3: (2, 4, 5), 4: (1, 3, 5), 5: (1, 2, 3, 4)}
    assert opponents_left(state, 3, {1: ZERO, 5: ZERO}) == {2: (3,), 3: (2, 4), 4: (3,)}
    assert in_words(state, 4, {}) == (
        "round 4 has no legal pairing (C.04.3 art. 1.9.3, the chief referee decides): 1 A may meet 4 D; 2 B may meet "
        "3 C, 5 E; 3 C may meet 2 B, 5 E; 4 D may meet 1 A, 5 E; 5 E may meet 2 B, 3 C, 4 D; only 1 A, 2 B may get the "
        "bye. End the event here, or pair the round by hand"
    )
    assert "may get the bye" not in in_words(state, 4, {5: ZERO}), "an even field has none"
    told = in_words(state, 4, {1: ZERO, 2: ZERO})
    assert "everybody has had a bye or a win without a game" in told
    assert "4 D may meet 5 E;" in told
    assert "4 D may meet nobody any more" in in_words(state, 4, {1: ZERO, 5: ZERO})


def test_a_field_in_which_all_may_meet_is_told_by_numbers() -> None:
    state = small(entries=tuple(Entry(family=name) for name in "ABCDEFGHI"))
    told = in_words(state, 1, {})
    assert told.count("may meet 8 others") == 6
    assert "bye" not in told, "more than six may get it"
    assert "6 F may meet 6 others" not in in_words(state, 1, {8: ZERO, 9: ZERO})
    assert "1 A may meet 2 B, 3 C, 4 D, 5 E, 6 F, 7 G;" in in_words(state, 1, {8: ZERO, 9: ZERO})
    assert "only" not in in_words(state, 1, {8: ZERO, 9: ZERO}), "seven may get it"
    assert "only 1 A, 2 B, 3 C may get the bye" in in_words(state, 1, dict.fromkeys(range(4, 10), ZERO))


def test_topscorers_have_more_than_half_before_the_last_round() -> None:
    """C.04.3 art. 1.8."""
    state = small("1-2 1-0 | 3-4 1-0", "1-3 0.5-0.5 | 4-2 0.5-0.5")
    assert topscorers(state, 2) == set()
    assert topscorers(state, 3) == {1, 3}
    even = small("1-2 0.5-0.5 | 3-4 1-0", "1-3 0.5-0.5 | 4-2 1-0")
    assert topscorers(even, 3) == {3}, "half of the points is not more than half"


@pytest.mark.parametrize(
    ("meeting", "barred"),
    [
        (Meeting(1, RoundKind.BYE, bye=GIVEN), True),
        (Meeting(1, RoundKind.BYE, bye=ByeKind.FULL, points=2), True),
        (Meeting(1, RoundKind.BYE, bye=HALF, points=1), False),
        (Meeting(1, RoundKind.FORFEIT, 2, True, points=2), True),
        (Meeting(1, RoundKind.FORFEIT, 2, True), False),
        (Meeting(1, RoundKind.PLAYED, 2, True, points=2), False),
    ],
)
def test_what_bars_from_the_bye(meeting: Meeting, barred: bool) -> None:
    """C2: an earlier one, or a win without a game."""
    played = Meeting(2, RoundKind.PLAYED, 3, True, points=2)
    assert bye_barred((played, meeting)) is (meeting if barred else None)
    assert bye_barred(()) is None


def test_rounds_of_every_system() -> None:
    fewest = {2: 1, 3: 2, 4: 2, 5: 3, 8: 3, 9: 4, 16: 4, 17: 5, 1025: 11}
    for players, rounds in fewest.items():
        assert advise_rounds(players, System.KNOCKOUT) == (rounds, rounds)
        assert most_rounds(players, System.KNOCKOUT) == rounds
        least, most = advise_rounds(players, System.TEAM_SWISS)
        assert (least, most) == (rounds, max(rounds, min(rounds + 2, (players + 1) // 2)))
        whole = players - 1 if players % 2 == 0 else players
        for system in (System.ROUND_ROBIN, System.TEAM_ROUND_ROBIN):
            assert advise_rounds(players, system) == (whole, whole)
        assert advise_rounds(players, System.DOUBLE_ROUND_ROBIN) == (2 * whole, 2 * whole)
        assert most_rounds(players, System.TEAM_SWISS) == whole
    assert most_rounds(0) == 0
    with pytest.raises(CompetitionError, match="1 competitors are too few, an event needs 2"):
        advise_rounds(1)
