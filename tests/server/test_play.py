"""A game as journal entries, and what the wire says of it, without a server."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.server.games import wire
from korgool.app.server.storage.journal import JournalEntry, Payload, Play, Proposal, Terms
from korgool.notation import format_movetext
from korgool.rules import GAMES, Game, Position, Side, Termination

from .support import check_stream, follow_trace

ROUND = (4, 2, 1, 3, 5, 4, 6, 5, 9, 6, 2, 1, 7, 7, 3, 8, 8, 9)
"""Single stones that walk round the board without a capture, back to the position they left."""
ROUND_START = "7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"


def start(game: str = "toguz", side: Side = Side.WHITE, clock: str = "none") -> Play:
    play = Play(Terms("abcdefghijkl", game, "v" * 22, side, 1, clock, 0))
    commit(play, play.propose_start(0))
    return play


def commit(play: Play, proposal: Proposal, now: int = 0) -> None:
    for entry in proposal.entries:
        play.apply(entry, now)
    assert play.game.position.to_move == proposal.to_move
    assert play.outcome == proposal.outcome


def plain(value: object) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(msgspec.json.encode(value))
    return found


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(GAMES)), st.sampled_from(list(Side)), st.lists(st.integers(0, 99), max_size=60))
def test_events_tell_the_whole_game(game: str, side: Side, choices: list[int]) -> None:
    play = start(game, side)
    events = [plain(wire.event(play, side, 0))]
    for choice in choices:
        if play.outcome is not None:
            break
        if choice < 8 and play.undo_plies:
            commit(play, play.propose_undo(0, 0))
        else:
            moves = play.game.position.legal_moves()
            commit(play, play.propose_move(moves[choice % len(moves)], 0, 0))
        if play.entries[-1].kind != "repetition":
            events.append(plain(wire.event(play, side, 0)))
    if play.entries[-1].kind != "repetition":
        check_stream(events)
        assert [json.loads(one) for one in wire.missed(play.terms, play.entries, 0, side, None)] == events
    assert events[-1]["state"]["movetext"] == format_movetext(play.game) or play.entries[-1].kind == "repetition"
    again = Play.replay(play.terms, play.entries, 0)
    assert (again.game.positions, again.outcome) == (play.game.positions, play.outcome)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(GAMES)), st.lists(st.integers(0, 99), max_size=40))
def test_previews_say_what_happens(game: str, choices: list[int]) -> None:
    play = start(game)
    for choice in choices:
        position = play.game.position
        if play.outcome is not None:
            break
        state = plain(wire.state(play, position.to_move, 0))
        assert state["legal"] == list(position.legal_moves())
        assert set(state["previews"]) == {str(hole) for hole in state["legal"]}
        hole = state["legal"][choice % len(state["legal"])]
        preview, trace = state["previews"][str(hole)], plain(wire.trace(position.sow(hole)))
        commit(play, play.propose_move(hole, 0, 0))
        after = plain(wire.state(play, position.to_move, 0))
        assert {name: after[name] for name in ("white", "black", "stores")} == follow_trace(state, trace)
        assert preview == {
            "side": trace["drops"][-1]["side"],
            "hole": trace["drops"][-1]["hole"],
            "captures": sum(capture["stones"] for capture in trace["captured"]),
            "tuz": trace["tuz"] is not None,
            "extra_turn": trace["extra_turn"],
            "ends": play.game.position.outcome() is not None,
            "stores": after["stores"],
        }


def test_undo_within_an_extra_turn_takes_back_one_sowing() -> None:
    play = start("mangala")
    commit(play, play.propose_move(4, 0, 0))  # four stones, the last into the own store
    assert play.game.position.to_move is Side.WHITE
    commit(play, play.propose_undo(0, 0))
    assert list(play.game.moves) == []


def test_undo_after_the_engines_extra_turns_goes_back_to_the_visitor() -> None:
    play = start("mangala")
    for hole in (1, 4, 1):  # White; Black with an extra turn; Black again
        commit(play, play.propose_move(hole, 0, 0))
    assert play.undo_plies == 3
    commit(play, play.propose_undo(0, 0))
    assert (list(play.game.moves), play.game.position.to_move) == ([], Side.WHITE)


def test_there_is_nothing_to_undo_before_the_visitor_has_played() -> None:
    play = start("toguz", Side.BLACK)
    commit(play, play.propose_move(7, 0, 0))
    with pytest.raises(ValueError, match="nothing"):
        play.propose_undo(0, 0)


def test_a_turn_presses_the_clock_and_an_extra_turn_does_not() -> None:
    play = start("mangala", clock="10+5")
    commit(play, play.propose_move(4, 0, 1_000), 1_000)
    assert play.clock is not None
    assert (play.clock.running, play.clock.stocks) == (Side.WHITE, (599_000, 600_000))
    commit(play, play.propose_move(1, 0, 3_000), 3_000)
    assert (play.clock.running, play.clock.stocks) == (Side.BLACK, (602_000, 600_000))


def test_undo_gives_no_time_back_and_keeps_no_increment() -> None:
    play = start("toguz", clock="10+5")
    for now, hole in ((2_000, 7), (3_000, 5), (9_000, 6), (10_000, 4)):
        commit(play, play.propose_move(hole, 0, now), now)
    assert play.clock is not None
    assert play.clock.stocks == (600_000 - 2_000 + 5_000 - 6_000 + 5_000, 600_000 - 1_000 + 5_000 - 1_000 + 5_000)
    commit(play, play.propose_undo(0, 11_000), 11_000)
    # White may have at most what he had when the turn began, and what he used since is gone.
    assert play.clock.stocks == (601_000, 604_000)
    assert play.clock.running is Side.WHITE


def test_a_restored_clock_goes_on_with_what_the_last_event_left() -> None:
    play = start("toguz", clock="10+5")
    commit(play, play.propose_move(7, 0, 2_000), 2_000)
    again = Play.replay(play.terms, play.entries, 77_000_000)
    assert again.clock is not None
    assert again.clock.running is Side.BLACK
    assert again.clock.remaining(Side.BLACK, 77_000_000) == 600_000
    assert again.clock.remaining(Side.WHITE, 99_000_000) == 603_000


def test_the_third_occurrence_ends_the_game_without_a_claim() -> None:
    """docs/rules/options.md, repetition: on an unattended server."""
    play = start("toguz", Side.BLACK)
    play.game = Game(Position.parse(ROUND_START), (ROUND * 2)[:-1])
    proposal = play.propose_move(ROUND[-1], 0, 0)
    assert [entry.kind for entry in proposal.entries] == ["move", "repetition"]
    commit(play, proposal)
    assert play.outcome is not None
    assert (play.outcome.winner, play.outcome.termination) == (None, Termination.REPETITION)


def test_the_second_occurrence_lets_the_visitor_claim() -> None:
    """WNG-TK §V, §X as docs/rules/options.md reads them."""
    play = start("toguz", Side.BLACK)
    play.game = Game(Position.parse(ROUND_START), ROUND[:-1])
    assert wire.state(play, Side.BLACK, 0).claims == []
    commit(play, play.propose_move(ROUND[-1], 0, 0))
    assert wire.state(play, Side.BLACK, 0).claims == ["73"]
    assert wire.state(play, None, 0).claims == []
    commit(play, play.propose_end("claim", Side.BLACK, 0, 0))
    assert play.outcome is not None
    assert play.outcome.result_text == "0.5 (78) - 0.5 (79)"


@pytest.mark.parametrize(
    ("side", "kind", "result"),
    [(Side.WHITE, "resign", "0-1"), (Side.BLACK, "resign", "1-0"), (Side.WHITE, "time", "0-1")],
)
def test_ends_by_declaration(side: Side, kind: Any, result: str) -> None:
    play = start("bestemshe", clock="30+0")
    commit(play, play.propose_end(kind, side, 0, 0))
    assert play.outcome is not None
    assert play.outcome.result == result
    assert play.clock is not None
    assert play.clock.running is None


@pytest.mark.parametrize(
    "entry",
    [
        JournalEntry(3, 0, "move", Payload(hole=1)),
        JournalEntry(2, 0, "move", Payload(hole=12)),
        JournalEntry(2, 0, "undo", Payload(plies=1)),
    ],
)
def test_a_damaged_journal_is_an_error(entry: JournalEntry) -> None:
    play = start()
    with pytest.raises(ValueError, match=r"one is missing|no hole 12|nothing has been played"):
        play.apply(entry, 0)


def test_a_sweep_empties_the_board_that_is_shown() -> None:
    play = start("castle")
    play.game = Game(Position.parse("1S,5/5,1S 20 26 S 9", GAMES["castle"]))
    commit(play, play.propose_move(6, 0, 0))
    state = plain(wire.state(play, Side.WHITE, 0))
    assert state["outcome"]["termination"] == "side_empty"
    assert (sum(state["white"]) + sum(state["black"]), sum(state["stores"])) == (0, 48)
    trace = plain(wire.trace(play.sowings[-1]))
    assert trace["sweep"] == [0, 2]


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(list(GAMES)), st.sampled_from(list(Side)), st.lists(st.integers(0, 99), max_size=40))
def test_only_the_last_own_move_repeats(game: str, side: Side, choices: list[int]) -> None:
    """Beside a record of who did what, kept here."""
    play = start(game, side)
    last: tuple[int, int] | None = None
    for choice in choices:
        if play.outcome is not None:
            break
        if choice < 8 and play.undo_plies:
            commit(play, play.propose_undo(0, 0))
            last = None
        elif choice == 99:
            commit(play, play.propose_end("resign", side, 0, 0))
            last = None
        else:
            position = play.game.position
            hole = position.legal_moves()[choice % len(position.legal_moves())]
            if position.to_move is side:
                last = hole, play.version
            commit(play, play.propose_move(hole, 0, 0))
        found = [
            (hole, version)
            for version in range(-1, play.version + 3)
            for hole in range(-1, 11)
            if play.repeats(hole, version)
        ]
        assert found == ([] if last is None else [last])
