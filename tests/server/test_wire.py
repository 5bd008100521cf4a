"""The whole of what is sent of a game, field by field."""

from __future__ import annotations

import json

import pytest

from korgool.app.server.games import wire
from korgool.app.server.storage.journal import Play, Terms
from korgool.rules import GAMES, Game, Position, Side

from .test_play import ROUND_START, commit, plain, start

NONE = {"claims": [], "can_undo": False, "start": None, "rematch": None}


def test_a_game_without_moves() -> None:
    play = start("bestemshe")
    fives = [5] * 5
    assert plain(wire.state(play, None, 0)) == {
        **NONE,
        "id": "abcdefghijkl",
        "version": 1,
        "game": "bestemshe",
        "holes": 5,
        "white": fives,
        "black": fives,
        "stores": [0, 0],
        "tuz": [None, None],
        "turn": "white",
        "you": None,
        "level": 1,
        "moves": [],
        "legal": [],
        "previews": {},
        "last": None,
        "clock": None,
        "outcome": None,
        "position": str(GAMES["bestemshe"].start()),
        "movetext": "",
    }
    mine = plain(wire.state(play, Side.WHITE, 0, "r" * 12))
    assert (mine["you"], mine["legal"], mine["rematch"]) == ("white", [1, 2, 3, 4, 5], "r" * 12)
    assert list(mine["previews"]) == ["1", "2", "3", "4", "5"]
    assert plain(wire.state(play, Side.BLACK, 0))["legal"] == []


def test_a_game_with_moves_and_a_clock() -> None:
    play = start("bestemshe", Side.WHITE, "10+5")
    commit(play, play.propose_move(2, 0, 1_000), 1_000)
    commit(play, play.propose_move(2, 0, 3_000), 3_000)
    state = plain(wire.state(play, Side.WHITE, 7_000))
    texts = play.texts
    assert state["moves"] == [
        {"ply": 1, "side": "white", "hole": 2, "text": texts[0]},
        {"ply": 2, "side": "black", "hole": 2, "text": texts[1]},
    ]
    assert state["clock"] == {"white_ms": 600_000, "black_ms": 603_000, "running": "white", "increment_ms": 5_000}
    assert state["can_undo"] is True
    assert state["movetext"] == f"1. {texts[0]} {texts[1]}"
    assert state["last"] == plain(wire.trace(play.sowings[-1]))
    assert state["last"]["side"] == "black"
    event = plain(wire.event(play, Side.WHITE, 7_000))
    assert event == {"version": 3, "kind": "move", "trace": state["last"], "state": state}
    assert plain(wire.state(play, None, 7_000))["can_undo"] is False


def test_an_end_is_told_without_a_trace_and_nothing_is_legal_then() -> None:
    play = start("bestemshe")
    commit(play, play.propose_move(2, 0, 0))
    commit(play, play.propose_end("resign", Side.WHITE, 0, 0))
    told = plain(wire.event(play, Side.BLACK, 0))
    assert (told["kind"], told["trace"], told["version"]) == ("resign", None, 3)
    state = told["state"]
    outcome = play.outcome
    assert outcome is not None
    assert state["outcome"] == {
        "result": "0-1",
        "result_text": outcome.result_text,
        "termination": "resignation",
        "winner": "black",
        "stores": list(outcome.stores),
    }
    assert (state["legal"], state["previews"]) == ([], {})
    assert sum(state["white"]) + sum(state["black"]) + sum(state["stores"]) == 50


def test_extra_turns_are_joined_and_another_start_is_told() -> None:
    play = start("mangala")
    for hole in (4, 1, 1):  # White again, then White, then Black
        commit(play, play.propose_move(hole, 0, 0))
    one, two, three = play.texts
    assert wire.state(play, None, 0).movetext == f"1. {one},{two} {three}"
    position = Position.parse(ROUND_START)
    terms = Terms("a" * 12, "toguz", "v" * 22, Side.WHITE, 2, "none", 0, str(position))
    assert wire.state(Play(terms), None, 0).start == str(position)


def test_a_sweep_is_told_once_and_its_stones_are_in_the_stores() -> None:
    play = start("castle")
    play.game = Game(Position.parse("1S,5/5,1S 20 26 S 9", GAMES["castle"]))
    usual = plain(wire.trace(GAMES["toguz"].start().sow(1)))
    assert usual["sweep"] is None
    commit(play, play.propose_move(6, 0, 0))
    state = plain(wire.state(play, Side.WHITE, 0))
    assert state["white"] == state["black"] == [0] * GAMES["castle"].holes


def test_a_capture_and_a_tuz_in_a_trace() -> None:
    """WNG-TK: the last stone makes three in a hole of the opponent's, the tuz."""
    position = Position.parse("2S,5S,5S,5S,5S,5S,5S,5S,5S/8,2S 58 60 S 30")
    sowing = position.sow(9)
    told = plain(wire.trace(sowing))
    assert told["tuz"] == sowing.tuz
    assert told["captured"] == [
        {"side": wire.NAMES[side], "hole": hole, "stones": stones} for side, hole, stones in sowing.captured
    ]
    assert told["lifted"] == sowing.lifted == len(told["drops"])


@pytest.mark.parametrize("since", range(5))
def test_what_was_missed_begins_after_what_is_known(since: int) -> None:
    play = start("bestemshe", clock="10+5")
    for number in (1, 2, 3):
        commit(play, play.propose_move(play.game.position.legal_moves()[0], 0, 1_000 * number), 1_000 * number)
    clock = wire.ClockState(1, 2, "white", 3)
    told = [json.loads(one) for one in wire.missed(play.terms, play.entries, since, None, clock)]
    assert [event["version"] for event in told] == list(range(since + 1, 5))
    assert [event["state"]["clock"] == plain(clock) for event in told] == [False] * (3 - since) + [True] * (since < 4)
