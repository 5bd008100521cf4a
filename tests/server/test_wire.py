"""The whole of what is sent of a game, field by field."""

from __future__ import annotations

import json
from random import Random

import pytest

from korgool import live
from korgool.app.server.play.game_events import trace
from korgool.app.server.play.history import GameHistory
from korgool.conduct.claims import ClaimKind
from korgool.live.journal import (
    Aborted,
    ClaimGranted,
    Interrupted,
    RematchAsked,
    Rematched,
    Resigned,
    TakebackAsked,
    TakebackDeclined,
    TimeAdded,
)
from korgool.rules import GAMES, Game, Position, Side

from .inside import ADDRESS, GUEST, ROUND_START, STRANGER, VISITOR, Table, alone, people, plain

WHITE, BLACK = Side.WHITE, Side.BLACK
ENGINE = {"kind": "engine", "name": "", "rating": None, "level": 1, "present": True, "bot": False}


def person(name: str, present: bool = False) -> dict[str, object]:
    return {"kind": "person", "name": name, "rating": None, "level": None, "present": present, "bot": False}


def test_a_game_without_moves() -> None:
    table = Table(alone("bestemshe"), 7)
    fives = [5] * 5
    visitor = table.state(present=(False, True))["seats"]["white"]["name"]
    assert table.state(None, 9, present=(False, True), viewers=2) == {
        "id": ADDRESS,
        "version": 1,
        "game": "bestemshe",
        "rules": {},
        "holes": 5,
        "white": fives,
        "black": fives,
        "stores": [0, 0],
        "tuz": [None, None],
        "turn": "white",
        "you": None,
        "shared": False,
        "seats": {"white": person(visitor), "black": ENGINE},
        "level": 1,
        "conduct": "friendly",
        "rated": False,
        "control": "none",
        "begun": True,
        "aborted": False,
        "moves": [],
        "legal": [],
        "previews": {},
        "last": None,
        "clock": None,
        "due": None,
        "now": 9,
        "outcome": None,
        "offers": {},
        "claims": [],
        "claim_after": None,
        "can_undo": False,
        "start": None,
        "position": str(GAMES["bestemshe"].start()),
        "movetext": "",
        "rematch": None,
        "viewers": 2,
        "delay": 0,
        "away": {"white": None, "black": None},
    }
    mine = table.state(VISITOR)
    assert (mine["you"], mine["legal"]) == ("white", [1, 2, 3, 4, 5])
    assert list(mine["previews"]) == ["1", "2", "3", "4", "5"]
    assert Table(alone("bestemshe", BLACK)).state(VISITOR)["legal"] == []


def test_a_game_of_two_people_before_both_are_there() -> None:
    terms = people(clock="10+5", delay_s=60)
    table = Table(terms, 1_000)
    state = table.state(GUEST, 2_000, present=(True, False))
    names = [state["seats"][side]["name"] for side in ("white", "black")]
    assert len(set(names)) == 2
    assert all(name.startswith("Guest ") for name in names)
    assert state["seats"] == {"white": person(names[0], True), "black": person(names[1])}
    assert (state["you"], state["level"], state["begun"], state["legal"]) == ("black", None, False, [])
    assert (state["clock"], state["due"]) == (None, 1_000 + 600_000)
    assert (state["control"], state["delay"], state["claim_after"]) == ("10+5", 60, 30_000)
    assert not state["can_undo"]
    for side, at in ((WHITE, 2_000), (BLACK, 3_000)):
        told = table.does(live.Join(side), at)
        assert {name: told[name] for name in ("kind", "side", "at")} == {
            "kind": "join",
            "side": ("white", "black")[side],
            "at": at,
        }
    clock = {"white_ms": 600_000, "black_ms": 600_000, "running": "white", "increment_ms": 5_000}
    assert table.events[-1] == {
        "version": 3,
        "kind": "begin",
        "at": 3_000,
        "side": "black",
        "stores": [0, 0],
        "position": str(GAMES["toguz"].start()),
        "turn": "white",
        "legal": list(range(1, 10)),
        "clock": clock,
        "due": 3_000 + 30_000,
    }
    state = table.state(VISITOR, 3_500)
    assert (state["begun"], state["legal"]) == (True, list(range(1, 10)))
    assert state["clock"] == clock | {"white_ms": 599_500}


def test_a_game_with_moves_and_a_clock() -> None:
    table = Table(alone("bestemshe", clock="10+5"))
    first = table.sows(2, at=1_000)
    second = table.sows(2, at=3_000)
    state = table.state(VISITOR, 7_000)
    assert state["moves"] == [
        {"ply": 1, "side": "white", "hole": 2, "text": first["text"]},
        {"ply": 2, "side": "black", "hole": 2, "text": second["text"]},
    ]
    assert state["clock"] == {"white_ms": 600_000, "black_ms": 603_000, "running": "white", "increment_ms": 5_000}
    assert state["can_undo"] is True
    assert state["movetext"] == f"1. {first['text']} {second['text']}"
    assert state["last"] == second["trace"]
    assert state["last"]["side"] == "black"
    assert second == {
        "version": 3,
        "kind": "move",
        "at": 3_000,
        "side": "black",
        "ply": 2,
        "text": second["text"],
        "trace": state["last"],
        "stores": state["stores"],
        "position": state["position"],
        "turn": "white",
        "legal": state["legal"],
        "clock": {"white_ms": 604_000, "black_ms": 603_000, "running": "white", "increment_ms": 5_000},
        "due": 3_000 + 604_000,
    }
    assert table.state(STRANGER)["can_undo"] is False


def test_an_end_is_told_without_a_trace_and_nothing_is_legal_then() -> None:
    table = Table(alone("bestemshe"))
    table.sows(2)
    told = table.happens(Resigned(WHITE), 5, WHITE)
    state = table.state()
    ending = table.game.ending
    assert ending is not None
    outcome = {
        "result": "0-1",
        "result_text": ending.result_text,
        "termination": "resignation",
        "winner": "black",
        "stores": state["stores"],
        "clause": "WNG-TK §V, §VII",
    }
    assert told == {"version": 3, "kind": "resign", "at": 5, "side": "white", "outcome": outcome}
    assert state["outcome"] == outcome
    assert (state["legal"], state["previews"]) == ([], {})
    assert sum(state["white"]) + sum(state["black"]) + sum(state["stores"]) == 50


def test_offers_and_take_backs_are_told_with_what_stands_afterwards() -> None:
    table = Table(people())
    table.sows(7)
    told = table.does(live.OfferDraw(WHITE), 10)
    assert told == {"version": 3, "kind": "offer-draw", "at": 10, "side": "white", "offers": {"draw": "white"}}
    assert table.state()["offers"] == {"draw": "white"}
    told = table.does(live.DeclineDraw(BLACK), 11)
    assert told == {"version": 4, "kind": "decline-draw", "at": 11, "side": "black"}
    told = table.happens(TakebackAsked(WHITE), 12, WHITE)
    assert told == {"version": 5, "kind": "ask-takeback", "at": 12, "side": "white", "offers": {"takeback": "white"}}
    told = table.happens(TakebackDeclined(BLACK), 13, BLACK)
    assert told == {"version": 6, "kind": "decline-takeback", "at": 13, "side": "black"}
    table.sows(1)
    table.does(live.AskTakeback(WHITE))
    told = table.does(live.AcceptTakeback(BLACK), 14)
    start = GAMES["toguz"].start()
    assert told == {
        "version": 9,
        "kind": "takeback",
        "at": 14,
        "side": "black",
        "plies": 2,
        "white": list(start.holes[0]),
        "black": list(start.holes[1]),
        "tuz": [None, None],
        "stores": [0, 0],
        "position": str(start),
        "turn": "white",
        "legal": list(range(1, 10)),
    }


def test_added_time_outages_and_the_end_without_a_result() -> None:
    table = Table(people(clock="10+5"))
    for side in Side:
        table.does(live.Join(side))
    told = table.happens(TimeAdded(BLACK, 15_000), 2_000, WHITE)
    clock = {"white_ms": 598_000, "black_ms": 615_000, "running": "white", "increment_ms": 5_000}
    assert told == {
        "version": 4,
        "kind": "add-time",
        "at": 2_000,
        "side": "black",
        "ms": 15_000,
        "clock": clock,
        "due": 30_000,
    }
    told = table.happens(Interrupted(60_000), 62_000)
    assert told == {"version": 5, "kind": "outage", "at": 62_000, "ms": 60_000, "clock": clock, "due": 90_000}
    told = table.happens(Aborted(WHITE), 63_000, WHITE)
    assert told == {
        "version": 6,
        "kind": "abort",
        "at": 63_000,
        "side": "white",
        "clock": clock | {"white_ms": 597_000, "running": None},
    }
    state = table.state()
    assert (state["aborted"], state["outcome"], state["due"], state["legal"]) == (True, None, None, [])


def test_claims_and_rematches() -> None:
    table = Table(people(clock="10+5"))
    for side in Side:
        table.does(live.Join(side))
    table.sows(7)
    told = table.happens(ClaimGranted(WHITE, ClaimKind.GONE), 1_000, WHITE)
    assert (told["kind"], told["side"], told["what"]) == ("claim", "white", "gone")
    assert (told["outcome"]["result"], told["outcome"]["termination"]) == ("1-0", "forfeit")
    told = table.happens(RematchAsked(BLACK), 2_000, BLACK)
    assert told == {"version": 6, "kind": "ask-rematch", "at": 2_000, "side": "black", "offers": {"rematch": "black"}}
    told = table.happens(Rematched("r" * 12), 3_000, WHITE)
    assert told == {"version": 7, "kind": "rematch", "at": 3_000, "side": "white", "game": "r" * 12}
    assert table.state()["rematch"] == "r" * 12


def test_extra_turns_are_joined_and_another_start_is_told() -> None:
    table = Table(alone("mangala"))
    texts = [table.sows(hole)["text"] for hole in (4, 1, 1)]  # White again, then White, then Black
    one, two, three = texts
    assert table.state()["movetext"] == f"1. {one},{two} {three}"
    start = str(Position.parse(ROUND_START))
    assert Table(alone(start=start)).state()["start"] == start


def test_a_strength_by_rating_and_one_person_at_both_seats() -> None:
    state = Table(alone(level=1200)).state()
    assert (state["level"], state["seats"]["black"]["rating"], state["seats"]["black"]["level"]) == (1200, 1200, None)
    table = Table(people(same=True))
    state = table.state()
    assert (state["shared"], state["you"], len(state["legal"])) == (True, "white", 9)
    table.sows(7)
    state = table.state()
    assert (state["shared"], state["you"], state["can_undo"]) == (True, "black", True)
    assert state["legal"] == list(table.game.position.legal_moves())
    assert not table.state(STRANGER)["shared"]


def test_a_sweep_is_told_once_and_its_stones_are_in_the_stores() -> None:
    assert "sweep" not in plain(trace(GAMES["toguz"].start().sow(1)))
    table = Table(alone("castle", start="1S,5/5,1S 20 26 S 9"))
    table.sows(6)
    state = table.state()
    assert state["white"] == state["black"] == [0] * GAMES["castle"].holes


def test_a_capture_in_a_trace() -> None:
    sowing = Position.parse("8,1S/8,2S 79 80 S 30").sow(9)
    assert plain(trace(sowing)) == {
        "side": "white",
        "hole": 9,
        "lifted": 2,
        "drops": [9, -1],
        "captured": [[-1, 2]],
        "sweep": [1, 0],
    }


def test_a_tuz_in_a_trace() -> None:
    """WNG-TK: the last stone makes three in a hole of the opponent's, the tuz."""
    sowing = Position.parse("6,1S,1S,2S/7,1S,2S 77 78 S 30").sow(9)
    assert plain(trace(sowing)) == {
        "side": "white",
        "hole": 9,
        "lifted": 2,
        "drops": [9, -1],
        "captured": [[-1, 3]],
        "tuz": 1,
    }


def test_stones_that_fall_into_a_tuz_are_told_by_their_place() -> None:
    random, kept = Random(1), 0
    game = Game(GAMES["toguz"])
    while game.outcome() is None:
        sowing = game.sow(random.choice(game.position.legal_moves()))
        told = plain(trace(sowing))
        mine = [index for index, drop in enumerate(sowing.drops) if drop.tuz_owner is not None]
        assert told.get("kept", []) == mine
        for index in mine:
            owner = Side.BLACK if told["drops"][index] > 0 else Side.WHITE  # who does not own the hole
            assert sowing.drops[index].tuz_owner is owner
        kept += len(mine)
    assert kept > 5


@pytest.mark.parametrize("since", range(5))
def test_what_was_missed_begins_after_what_is_known(since: int) -> None:
    table = Table(alone("bestemshe", clock="10+5"))
    for number in (1, 2, 3):
        table.sows(table.game.position.legal_moves()[0], at=1_000 * number)
    for told in (table.told, GameHistory(ADDRESS, table.game, table.told.entries)):
        missed = told.missed(since, 4)
        assert missed is not None
        assert [json.loads(one) for one in missed] == table.events[since:]
