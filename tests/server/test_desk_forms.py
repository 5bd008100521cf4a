"""Forms of the console: their fields as members of actions, and the line that says what comes next."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import korgool.competition.actions as do
from korgool.app.server.events.action_requests import AskSwap
from korgool.app.server.events.desk.forms import members_of
from korgool.app.server.events.desk.frame import SCREENS, next_step, screens_for
from korgool.competition.codec import JsonError, from_json, plain, to_json
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Bye, ByeKind, Entry, PairedGame, Settings, System, Team
from korgool.competition.result import Result


def test_fields_become_members_by_their_types() -> None:
    cases: list[tuple[type[do.Action], dict[str, Sequence[str]], dict[str, object]]] = [
        (do.Withdraw, {"player": [" 7 "], "reason": ["ill"], "do": ["withdraw"]}, {"player": 7}),
        (do.Penalise, {"player": ["7"], "half_points": ["-2"]}, {"player": 7, "half_points": -2}),
        (do.Choose, {"round": ["1"], "board": ["2"], "special": [""]}, {"round": 1, "board": 2, "special": False}),
        (do.Choose, {"round": ["1"], "board": ["2"]}, {"round": 1, "board": 2}),
        (
            do.Miss,
            {"player": ["7"], "absence.round": ["3"], "absence.kind": ["H"]},
            {"player": 7, "absence": {"round": 3, "kind": "H"}},
        ),
        (
            do.Enter,
            {"entry.family": ["Асанов"], "entry.rating": [""], "entry.groups": ["U16\r\n\r\nU18"], "namesake": ["on"]},
            {"entry": {"family": "Асанов", "groups": ["U16", "U18"]}, "namesake": True},
        ),
        (do.Attach, {"round": ["1"], "board": ["2"], "records.0": ["1. 65\n 65"], "records.1": [""]},
         {"round": 1, "board": 2, "records": ["1. 65\n 65"]}),
        (do.SetTeam, {"team.id": ["0"], "team.number": ["1"], "team.name": ["A"], "team.players": ["3", "", "1"]},
         {"team": {"id": 0, "number": 1, "name": "A", "players": [3, 1]}}),
        (do.Repair, {"games.0.board": ["1"], "games.0.white": ["4"], "games.0.black": ["5"], "byes.0.player": ["6"],
                     "byes.0.kind": ["U"], "round": ["2"]},
         {"games": [{"board": 1, "white": 4, "black": 5}], "byes": [{"player": 6, "kind": "U"}], "round": 2}),
    ]  # fmt: skip
    for kind, given, wanted in cases:
        found = members_of(kind, given)
        assert found == wanted
        action = from_json(to_json({"do": kind.do, **found}), do.ANY_ACTION)
        assert isinstance(action, kind)
        assert plain(action)["do"] == kind.do
    pair = {"round": 1, "players": [4, 7]}
    assert members_of(AskSwap, {"round": ["1"], "players": ["4 7"]}) == pair
    assert members_of(AskSwap, {"round": ["1"], "players.0": ["4"], "players.1": ["7"]}) == pair


@pytest.mark.parametrize(
    ("kind", "given", "place"),
    [
        (do.Withdraw, {}, "player"),
        (do.Withdraw, {"player": [""]}, "player"),
        (do.Withdraw, {"player": ["seven"]}, "player"),
        (do.Withdraw, {"player": ["٣"]}, "player"),
        (do.Withdraw, {"player": ["9" * 40]}, "player"),
        (do.Choose, {"round": ["1"], "board": ["2"], "special": ["perhaps"]}, "special"),
        (do.Miss, {"player": ["7"], "absence.round": ["x"]}, "absence.round"),
    ],
)
def test_fields_that_hold_something_else_are_named(kind: type, given: dict[str, list[str]], place: str) -> None:
    with pytest.raises(JsonError) as refused:
        members_of(kind, given)
    assert refused.value.place == place


def test_the_next_step_follows_from_what_is_missing() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=1)))
    assert next_step(state).path == "/players"
    for name in ("A", "B", "C"):
        state = apply(state, do.Enter(Entry(family=name)))
    assert (next_step(state).path, next_step(state).values) == ("/pairing", {"round": 1})
    state = apply(state, do.Seed((1, 2, 3), True))
    state = apply(state, do.Pair(1, (PairedGame(1, 1, 2),), (Bye(3, ByeKind.ALLOCATED),)))
    assert (next_step(state).path, next_step(state).values) == ("/round/1", {"round": 1, "n": 1})
    state = apply(state, do.EnterResult(1, 1, Result(2, 0, (82, 60))))
    assert next_step(state).path == "/standings"
    state = apply(state, do.Publish(1, (), ()))
    assert next_step(state).path == ""

    teams = apply(EventState(), do.Open(Settings(name="Cup", system=System.TEAM_SWISS, boards=1)))
    assert next_step(teams).path == "/teams"
    assert next_step(apply(teams, do.SetTeam(Team(0, 0, "T")))).path == "/players"


def test_a_screen_is_shown_to_who_may_do_what_it_is_for() -> None:
    assert SCREENS[0] in screens_for(frozenset())
    assert screens_for(frozenset(do.AnyAction.__args__)) == SCREENS
    assert SCREENS[0].address("abcdefgh") == "/events/abcdefgh/desk"
