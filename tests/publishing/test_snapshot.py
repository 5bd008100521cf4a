"""What is public of an event as one text, and pages made from the texts of strangers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

from korgool.app.publishing import (
    Circumstances,
    EventFigures,
    SitePlace,
    SnapshotError,
    page_names,
    read_snapshot,
    render_page,
    snapshot_data,
    standings_data,
)
from korgool.competition.event_state import EventState
from korgool.competition.model import Bye, ByeKind, Penalty, Settings
from korgool.competition.prize_fund import read_fund
from tests.printing.events import mangala, swiss, team_event

PLACE = SitePlace("/events/x1", "/api/events/x1", "/static/tag/")
SEED = 19
VALUES: tuple[Any, ...] = (0, -1, 1, 7, 10**9, 10**30, 1.5, "", "x", "\0", "<b>", "1,2", None, True, [], {}, [1], [[1]])


def pages(state: EventState) -> dict[str, bytes]:
    figures = EventFigures(state)
    names = [name for name in page_names(figures) if not name.startswith("wall")]
    return {name: render_page(figures, name, Circumstances(language="en", place=PLACE)) for name in names}


def with_prizes(state: EventState) -> EventState:
    """With prizes for those whom a sex and a year make a group."""
    fund = read_fund("1=300 KGS; women 1=100 KGS; U16 1=cup")
    players = {
        id_: replace(one, entry=replace(one.entry, sex="f" if id_ % 2 else "m", born=2001 + id_ * 3))
        for id_, one in state.players.items()
    }
    settings = replace(state.event, fund=fund, begins="2026-09-14")
    return replace(state, settings=settings, players=MappingProxyType(players))


@pytest.mark.parametrize("event", [lambda: swiss(12, 4, 3, pending=2), lambda: team_event(4, 3), lambda: mangala(6, 3)])
def test_the_same_pages_are_made_from_a_snapshot(event: Callable[[], EventState]) -> None:
    state = with_prizes(event())
    copy, changed = read_snapshot(snapshot_data(state, "2026-09-14T10:05:00Z"))
    assert changed == "2026-09-14T10:05:00Z"
    assert standings_data(EventFigures(copy).state) == standings_data(EventFigures(state).state)
    ours, theirs = pages(state), pages(copy)
    assert set(ours) <= set(theirs)  # a group that is known by years or sex has a table of its own there
    assert [
        name for name in ("prizes", "rounds/1", "crosstable") if ours[name].count(b"<tr") != theirs[name].count(b"<tr")
    ] == []
    if "standings/groups/1" not in theirs:
        assert ours == theirs


def test_nothing_that_is_not_public_travels() -> None:
    state = with_prizes(swiss(12, 4, 3))
    data = json.loads(snapshot_data(state))
    entries = [one["entry"] for one in data["players"]]
    private = {"born", "sex", "external", "consent", "short"}
    assert [one for one in entries if private & set(one)] == []
    assert any("women" in one.get("groups", ()) for one in entries)  # and yet their prize is told
    told = [
        given["reason"] for one in data["players"] for name in ("warnings", "penalties") for given in one.get(name, ())
    ]
    assert set(told) == {""}
    shown = replace(state, settings=replace(state.event, shown=("born",)))
    assert any("born" in one["entry"] for one in json.loads(snapshot_data(shown))["players"])


def test_what_is_no_event_is_refused() -> None:
    good = snapshot_data(swiss(8, 3, 3))
    for bad in (
        b"",
        b"<html>",
        b"[]",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        good[:-2],
        good.replace(b"public event 1", b"public event 9"),
        good + b" " * (8 * 1024 * 1024),
        snapshot_data(EventState(settings=Settings(name="Cup"))).replace(b'"Cup"', b'"Cup\\u0000"'),
    ):
        with pytest.raises(SnapshotError):
            read_snapshot(bad)


def test_members_that_contradict_each_other_are_refused_for_that_reason() -> None:
    single, teams = swiss(8, 4, 3, pending=1), team_event(4, 3)
    first = single.rounds[0]
    game, other = first.games[:2]
    seated, held = game.white, game.result
    assert held is not None

    def rounds(**more: Any) -> EventState:
        return replace(single, rounds=(replace(first, **more), *single.rounds[1:]))

    def result(**more: Any) -> EventState:
        return rounds(games=(replace(game, result=replace(held, **more)), *first.games[1:]))

    def player(**more: Any) -> EventState:
        return replace(single, players=MappingProxyType({**single.players, 1: replace(single.players[1], **more)}))

    match = teams.rounds[0].matches[0]

    def matches(*changed: Any) -> EventState:
        begun = teams.rounds[0]
        return replace(teams, rounds=(replace(begun, matches=(*changed, *begun.matches[1:])), *teams.rounds[1:]))

    for state, why in (
        (player(since=101), "player 1 cannot be"),
        (player(since=-1), "player 1 cannot be"),
        (player(penalties=(Penalty(1, 201, ""),)), "penalties of player 1"),
        (player(penalties=(Penalty(1, -1, ""),)), "penalties of player 1"),
        (player(number=2), "numbers of its players"),
        (player(number=10**6), "numbers of its players"),
        (player(entry=replace(single.players[1].entry, club="x" * 1_001)), "a text in it is too long"),
        (replace(single, rounds=single.rounds[1:]), "not numbered from 1"),
        (replace(single, settings=replace(single.event, rounds=2)), "more rounds than it may have"),
        (rounds(games=(game, replace(other, board=game.board), *first.games[2:])), "boards of round 1"),
        (rounds(games=(replace(game, board=5_001), *first.games[1:])), "boards of round 1"),
        (rounds(games=(game, replace(other, black=seated), *first.games[2:])), "seats somebody"),
        (rounds(games=(replace(game, white=99), *first.games[1:])), "seats somebody"),
        (rounds(byes=(Bye(99, ByeKind.FULL),)), "has a bye of somebody who is not there"),
        (rounds(byes=(Bye(seated, ByeKind.FULL),)), "has a bye of somebody who plays"),
        (result(white=201), "has a result that cannot be"),
        (result(stores=(10_001, 0)), "stores that cannot be"),
        (matches(replace(match, home=99)), "has matches of teams that are not there"),
        (matches(replace(match, boards=(*match.boards, 99))), "matches on boards that are not there"),
    ):
        with pytest.raises(SnapshotError, match=why):
            read_snapshot(snapshot_data(state))
    for fine in (
        player(since=100),
        player(penalties=(Penalty(1, 200, ""), Penalty(1, 0, ""))),
        result(stores=(10_000, 0)),
    ):
        read_snapshot(snapshot_data(fine))


def test_a_damaged_snapshot_is_refused_or_shown() -> None:
    """Whatever stands in it: no page of an accepted text fails."""
    damage(Random(SEED), 150)


@pytest.mark.long
def test_many_damaged_snapshots_are_refused_or_shown() -> None:
    damage(Random(SEED + 1), 5_000)


def damage(random: Random, times: int) -> None:
    originals = [
        snapshot_data(with_prizes(one)) for one in (swiss(8, 4, 3, pending=1), team_event(4, 3), mangala(4, 3))
    ]
    taken = 0
    for _ in range(times):
        text = json.loads(random.choice(originals))
        for _ in range(random.randint(1, 2)):
            holder, key = random.choice(list(places(text)))
            holder[key] = random.choice([*VALUES, holder[random.choice(keys(holder))]])
        data = json.dumps(text).encode()
        try:
            state, _ = read_snapshot(data)
        except SnapshotError:
            continue
        taken += 1
        assert pages(state), data
    assert taken > times // 20


def keys(holder: Any) -> list[Any]:
    return list(holder) if isinstance(holder, dict) else list(range(len(holder)))


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a value, as its holder and the key there."""
    if not isinstance(value, dict | list):
        return []
    return [each for key in keys(value) for each in ((value, key), *places(value[key]))]
