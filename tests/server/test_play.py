"""A game's journal and what is told of it, without a server."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool import live
from korgool.app.server.play import state_messages
from korgool.app.server.play.game_events import trace
from korgool.app.server.play.history import GameHistory
from korgool.conduct.claims import ClaimKind
from korgool.live.journal import Moved, Resigned, TakenBack, TimeCalled
from korgool.notation import format_movetext
from korgool.rules import GAMES, Side, Termination

from .inside import ADDRESS, ROUND, ROUND_START, VISITOR, Table, alone, people, plain
from .support import Json, agrees, check_stream, follow_trace, replayed

WHITE, BLACK = Side.WHITE, Side.BLACK


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(GAMES)), st.sampled_from(list(Side)), st.lists(st.integers(0, 99), max_size=60))
def test_events_tell_the_whole_game(game: str, side: Side, choices: list[int]) -> None:
    """Who follows them without a rule has the state after each; they are the same for one who asks later."""
    table = Table(alone(game, side))
    state = check_stream(before(table), table.events)
    for choice in choices:
        if table.game.over:
            break
        if choice < 8 and table.game.turn_began(side) is not None:
            table.does(live.AskTakeback(side))
        else:
            moves = table.game.position.legal_moves()
            table.sows(moves[choice % len(moves)])
        state = check_stream(state, [table.events[-1]])
        agrees(state, table.state())
    assert [event["version"] for event in table.events] == list(range(1, table.game.version + 1))
    later = GameHistory(ADDRESS, table.game, table.told.entries)
    missed = later.missed(0, table.game.version)
    assert missed is not None
    assert [json.loads(one) for one in missed] == table.events
    assert table.state()["movetext"] == format_movetext(replayed(table.state()))


def before(table: Table) -> Json:
    """The state of a game before its first event."""
    return plain(
        state_messages.state(ADDRESS, live.OnlineGame.open(table.terms, 0), [], VISITOR, 0, state_messages.Audience())
    )


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(GAMES)), st.lists(st.integers(0, 99), max_size=40))
def test_previews_say_what_happens(game: str, choices: list[int]) -> None:
    table = Table(people(game, same=True))
    for choice in choices:
        position = table.game.position
        if table.game.over:
            break
        state = table.state()
        assert state["legal"] == list(position.legal_moves())
        assert set(state["previews"]) == {str(hole) for hole in state["legal"]}
        hole = state["legal"][choice % len(state["legal"])]
        sowing = position.sow(hole)
        preview, told = state["previews"][str(hole)], plain(trace(sowing))
        table.sows(hole)
        after = table.state()
        assert {name: after[name] for name in ("white", "black", "stores")} == follow_trace(state, told)
        last = told["drops"][-1]
        assert preview == {
            "side": told["side"] if last == 0 else "white" if last > 0 else "black",
            "hole": abs(last),
            "captures": sum(stones for _, stones in told.get("captured", [])),
            "tuz": "tuz" in told,
            "extra_turn": told.get("extra_turn", False),
            "ends": table.game.position.outcome() is not None,
            "stores": after["stores"],
        }


def test_a_take_back_within_an_extra_turn_takes_back_the_turn() -> None:
    table = Table(alone("mangala"))
    table.sows(4)  # four stones, the last into the own store
    assert table.game.to_move is WHITE
    assert table.does(live.AskTakeback(WHITE))["plies"] == 1
    assert list(table.game.game.moves) == []


def test_a_take_back_after_the_engines_extra_turns_goes_back_to_the_visitor() -> None:
    table = Table(alone("mangala"))
    table.sows(1, 4, 1)  # White; Black with an extra turn; Black again
    assert table.does(live.AskTakeback(WHITE))["plies"] == 3
    assert (list(table.game.game.moves), table.game.to_move) == ([], WHITE)


def test_there_is_nothing_to_take_back_before_the_visitor_has_played() -> None:
    table = Table(alone("toguz", BLACK))
    table.sows(7)
    refused = live.decide(table.game, live.AskTakeback(BLACK), 0)
    assert isinstance(refused, live.Refused)
    assert refused.kind is live.RefusedKind.NOTHING_TO_TAKE_BACK
    assert not table.state()["can_undo"]


def test_a_turn_presses_the_clock_and_an_extra_turn_does_not() -> None:
    table = Table(alone("mangala", clock="10+5"))
    told = table.sows(4, at=1_000)
    assert told["clock"] == {"white_ms": 599_000, "black_ms": 600_000, "running": "white", "increment_ms": 5_000}
    told = table.sows(1, at=3_000)
    assert told["clock"] == {"white_ms": 602_000, "black_ms": 600_000, "running": "black", "increment_ms": 5_000}


def test_a_take_back_gives_no_time_back_and_keeps_no_increment() -> None:
    table = Table(alone(clock="10+5"))
    for now, hole in ((2_000, 7), (3_000, 5), (9_000, 6), (10_000, 4)):
        told = table.sows(hole, at=now)
    stocks = 600_000 - 2_000 + 5_000 - 6_000 + 5_000, 600_000 - 1_000 + 5_000 - 1_000 + 5_000
    assert (told["clock"]["white_ms"], told["clock"]["black_ms"]) == stocks
    told = table.does(live.AskTakeback(WHITE), 11_000)
    # White may have at most what he had before the move that is taken back, so its increment is gone.
    assert told["clock"] == {"white_ms": 597_000, "black_ms": 604_000, "running": "white", "increment_ms": 5_000}
    assert told["due"] == 11_000 + 597_000


def test_the_third_occurrence_ends_the_game_without_a_claim() -> None:
    """docs/rules/options.md, repetition: on an unattended server."""
    table = Table(alone("toguz", BLACK, start=ROUND_START))
    told = table.sows(*ROUND, *ROUND)
    ending = table.game.ending
    assert ending is not None
    assert (ending.winner, ending.termination) == (None, Termination.REPETITION)
    assert told["kind"] == "move", "one event, which says how the game ended"
    assert told["outcome"] == table.state()["outcome"]
    assert told["outcome"]["termination"] == "repetition"
    assert told["outcome"]["clause"] == "WNG-TK §V, §X"
    assert not {"legal", "claims", "due"} & set(told)


def test_the_second_occurrence_lets_the_visitor_claim() -> None:
    """WNG-TK §V, §X as docs/rules/options.md reads them."""
    table = Table(alone("toguz", BLACK, start=ROUND_START))
    table.sows(*ROUND[:-1])
    assert table.state()["claims"] == []
    assert table.sows(ROUND[-1])["claims"] == ["73"]
    assert table.state()["claims"] == ["73"]
    assert table.state(None)["claims"] == []
    ended = table.does(live.ClaimEnd(BLACK, ClaimKind.RECURRENCE))
    assert (ended["kind"], ended["side"], ended["what"]) == ("claim", "black", "repetition")
    assert ended["outcome"]["result_text"] == "0.5 (78) - 0.5 (79)"


def test_what_may_be_claimed_stands_in_every_event() -> None:
    table = Table(people(clock="10+5", manner=live.Manner.COMPETITION))
    assert table.events[-1]["claims"] == ["no-show"]
    assert table.does(live.Join(WHITE))["claims"] == ["no-show"]
    assert "claims" not in table.does(live.Join(BLACK)), "everybody is there"
    table = Table(people(start=ROUND_START))
    table.sows(*ROUND)
    for command in (live.OfferDraw(BLACK), live.DeclineDraw(WHITE)):
        assert table.does(command)["claims"] == table.state()["claims"] == ["73"]


def test_resignation_stops_the_clock() -> None:
    for side, result in ((WHITE, "0-1"), (BLACK, "1-0")):
        table = Table(alone("bestemshe", side, clock="30+0"))
        told = table.happens(Resigned(side), 1_000, side)
        assert (told["kind"], told["outcome"]["result"]) == ("resign", result)
        assert told["clock"]["running"] is None
        assert "due" not in told


def test_a_fallen_flag_loses() -> None:
    table = Table(alone("bestemshe", clock="30+0"))
    told = table.happens(TimeCalled(), 1_800_000)
    assert (told["kind"], told["outcome"]["result"], told["outcome"]["termination"]) == ("time", "0-1", "time")
    assert told["clock"] == {"white_ms": 0, "black_ms": 1_800_000, "running": None, "increment_ms": 0}


def test_a_damaged_journal_is_an_error() -> None:
    for event, reason in (
        (Moved(12), "no hole 12"),
        (TakenBack(1), "1 plies cannot be taken back of 0"),
        (TimeCalled(), "the game has no clock"),
    ):
        with pytest.raises(ValueError, match=reason):
            Table(alone()).happens(event)


def test_a_sweep_empties_the_board_that_is_shown() -> None:
    table = Table(alone("castle", start="1S,5/5,1S 20 26 S 9"))
    told = table.sows(6)
    state = table.state()
    assert state["outcome"]["termination"] == "side_empty"
    assert (sum(state["white"]) + sum(state["black"]), sum(state["stores"])) == (0, 48)
    assert told["trace"]["sweep"] == [0, 2]
    assert told["stores"] == state["stores"]


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(list(GAMES)), st.sampled_from(list(Side)), st.lists(st.integers(0, 99), max_size=40))
def test_only_the_last_own_move_repeats(game: str, side: Side, choices: list[int]) -> None:
    """Beside a record of who did what, kept here."""
    table = Table(people(game, "10+5"))
    for one in Side:
        table.does(live.Join(one))
    last: tuple[int, int] | None = None
    for choice in choices:
        if table.game.over:
            break
        if choice < 8 and table.game.turn_began(side) is not None:
            table.does(live.AskTakeback(side))
            table.does(live.AcceptTakeback(side.other))
            last = None
        elif choice == 99:
            table.does(live.ResignGame(side))
            last = None
        else:
            moves = table.game.position.legal_moves()
            hole = moves[choice % len(moves)]
            if table.game.to_move is side:
                last = hole, table.game.version
            table.sows(hole)
        told = GameHistory(ADDRESS, table.game, table.told.entries)
        found = {
            (hole, version)
            for version in range(-1, table.game.version + 3)
            for hole in range(-1, 11)
            if told.repeated(side, version, hole) is not None
        }
        if last is None:
            assert not found
        else:
            # A page that has not seen what happened without stones, such as a join, has seen an earlier version.
            assert last in found
            assert {hole for hole, _ in found} == {last[0]}
            assert max(version for _, version in found) == last[1]


@pytest.mark.parametrize(
    ("terms", "may"),
    [
        (people(clock="10+5", same=True), True),
        (people(clock="10+5", manner=live.Manner.COMPETITION, same=True), False),
        (people(clock="10+5", rated=True), False),
        (people(clock="10+5", manner=live.Manner.COMPETITION, rated=True), False),
    ],
    ids=["friendly", "competition", "rated", "rated competition"],
)
def test_a_page_offers_to_take_back_only_where_it_can_be_done(terms: live.GameTerms, may: bool) -> None:
    table = Table(terms)
    for side in Side:
        if not table.game.joined[side]:
            table.does(live.Join(side))
    assert table.state()["can_undo"] is False, "nothing is played"
    table.sows(1)
    assert table.state()["can_undo"] is may
    assert table.state(None)["can_undo"] is False
    table.does(live.ResignGame(WHITE))
    assert table.state()["can_undo"] is False
