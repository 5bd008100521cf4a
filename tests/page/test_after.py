"""The page's own state after each event is the server's: random games between people, with offers and take-backs."""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from korgool.live import GameTerms, Seat, SeatKind, read_clock
from korgool.rules import GAMES
from tests.page.analysis import late_in
from tests.page.conftest import NewTable
from tests.page.people import house
from tests.server.support import Live, Server, Visitor

FOLLOW = """async ([state, events]) => {
  const { applyEvent } = await import("/static/js/play/apply_event.js");
  return events.map((event) => { state = applyEvent(state, event); return state; });
}"""
REPLAY = """async ([state, events]) => {
  const { initialState } = await import("/static/js/play/position_cache.js");
  const { applyEvent } = await import("/static/js/play/apply_event.js");
  return events.reduce((now, event) => applyEvent(now, event), initialState(state));
}"""
# The clock runs, previews are the kernel's, and who is there has messages of its own.
APART = ("clock", "previews", "now", "seats", "viewers", "last", "movetext")


def same(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    assert ours is not None
    assert {name: ours[name] for name in theirs if name not in APART} == {
        name: value for name, value in theirs.items() if name not in APART
    }
    assert (ours["clock"] is None) is (theirs["clock"] is None)
    if ours["clock"]:
        assert ours["clock"]["running"] == theirs["clock"]["running"]


@pytest.mark.parametrize(
    ("name", "clock", "shared", "plies", "late"),
    [
        pytest.param("toguz", "5+3", False, 250, False, marks=pytest.mark.long),
        ("mangala", "5+3", False, 40, False),
        pytest.param("mangala", "5+3", False, 250, False, marks=pytest.mark.long),
        pytest.param("castle", "2d", False, 250, False, marks=pytest.mark.long),
        ("bestemshe", "none", True, 250, True),
        pytest.param("bestemshe", "none", True, 250, False, marks=pytest.mark.long),
    ],
)
def test_the_state_after_each_event(
    table: NewTable, tmp_path: Path, name: str, clock: str, shared: bool, plies: int, late: bool
) -> None:
    """From the start so many plies, or from a late position to the end."""
    with house(tmp_path) as home:
        page = table(address=home.address).page
        page.goto(f"{home.address}/")
        people = [Visitor(cast(Server, SimpleNamespace(url=home.address))) for _ in range(1 if shared else 2)]
        whos = [next(value for key, value in one.client.cookies.items() if "korgool_" in key) for one in people]
        seats = [Seat(SeatKind.PERSON, who.partition(".")[0]) for who in whos]
        start = str(late_in(name, 30)) if late else None
        terms = GameTerms(GAMES[name], (seats[0], seats[-1]), read_clock(clock), start=start)
        game = home.run(home.game_registry.create(terms))
        for player in people:
            player.client.get(f"/games/{game}").raise_for_status()  # they come to the board
        before = people[0].state(game)
        kinds, random = set(), Random(f"after {name}")
        with people[0].live(game, before["version"]) as live:
            while not before["outcome"] and len(before["moves"]) < plies:
                act(people, game, random)
                now = people[0].state(game)
                events = heard(live, before["version"], now["version"])
                if not events:
                    continue
                kinds |= {event["kind"] for event in events}
                ours = page.evaluate(FOLLOW, [before, events])[-1]
                same(ours, now)
                if events[-1]["kind"] == "move":
                    assert ours["last"] == now["last"]
                before = ours
        assert {"move", "takeback"} <= kinds
        assert before["outcome"] or not late
        with people[0].live(game, 0) as live:
            history = heard(live, 0, min(150, now["version"]))  # a longer one is not told at once
        shown = page.evaluate(REPLAY, [now, history])
        assert shown["version"] == history[-1]["version"]
        if shown["version"] == now["version"]:
            same(shown, now)
        page.close()


def act(people: list[Visitor], game: str, random: Random) -> None:
    """Somebody moves, or offers or asks something, which is answered."""
    states = [player.state(game) for player in people]
    mover = 0 if states[0]["legal"] else -1
    here, other = people[mover], people[-1 - mover]
    wish = random.random()
    if wish < 0.15 and len(states[0]["moves"]) > 2:
        here.send(game, "ask-takeback")
        other.send(game, random.choice(["accept", "accept", "decline"]) + "-takeback")
    elif wish < 0.25 and here is not other:
        here.send(game, "offer-draw")
        other.send(game, "decline-draw")
    elif wish < 0.3:
        here.send(game, "add-time")
    else:
        state = states[mover]
        here.send(game, "move", hole=random.choice(state["legal"]), version=state["version"]).raise_for_status()


def heard(live: Live, since: int, until: int) -> list[dict[str, Any]]:
    """The events after a version, up to another."""
    events: list[dict[str, Any]] = []
    while since + len(events) < until:
        events.append(live.next())
    return events


def test_an_event_that_does_not_fit_is_told_apart(table: NewTable, server: str) -> None:
    page = table().page
    page.goto(f"{server}/")
    seats = {
        side: {"kind": "person", "name": "", "rating": None, "level": None, "present": True}
        for side in ("white", "black")
    }
    state: dict[str, Any] = {
        "version": 4,
        "white": [9] * 9,
        "black": [9] * 9,
        "stores": [0, 0],
        "tuz": [None, None],
        "turn": "white",
        "you": "white",
        "moves": [],
        "shared": False,
        "seats": seats,
        "conduct": "friendly",
        "rated": False,
    }
    trace = {"side": "white", "hole": 1, "lifted": 9, "drops": [1, 2, 3, 4, 5, 6, 7, 8, 9]}
    event: dict[str, Any] = {
        "version": 5,
        "kind": "move",
        "at": 1,
        "ply": 1,
        "text": "19",
        "trace": trace,
        "stores": [0, 0],
    }
    for wrong in ({"stores": [1, 0]}, {"ply": 2}, {"kind": "unheard of"}, {"kind": "takeback", "plies": 1}):
        assert page.evaluate(FOLLOW, [state, [event | wrong]]) == [None], wrong
    assert page.evaluate(FOLLOW, [state, [event]])[0]["white"] == [1, *[10] * 8]
    comes = [{"version": 5, "kind": "join", "at": 1, "claims": ["no-show"]}, {"version": 6, "kind": "join", "at": 2}]
    assert [one["claims"] for one in page.evaluate(FOLLOW, [state, comes])] == [["no-show"], []]
    assert page.evaluate(FOLLOW, [state | {"you": None}, comes[:1]])[0]["claims"] == []
