"""Countries over all groups: by medals or by points, of all or of the best in each group, with who counts for them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest

from korgool.competition.across_groups import CountryOrder, counted_names, medals
from korgool.competition.event_state import EventState
from korgool.competition.standings import standings
from tests.competition.program import begin, call, korgool, lines
from tests.printing.events import swiss, team_event

NAMES = MappingProxyType({1: "Men", 2: "U12", 3: "Teams"})


def parted() -> list[EventState]:
    found = [swiss(14, 3, 3), swiss(9, 3, 3), team_event()]
    return [replace(state, group=id_, groups=NAMES) for id_, state in zip(NAMES, found, strict=True)]


@pytest.mark.parametrize("best", [0, 1, 2, 3])
def test_points_are_those_of_the_best_in_each_group_and_add_up(best: int) -> None:
    groups = parted()
    naive: dict[str, int] = defaultdict(int)
    for state in groups[:2]:
        seen: dict[str, int] = defaultdict(int)
        for line in standings(state):
            player = state.players[line.competitor]
            if not player.excluded and (not best or seen[player.entry.federation] < best):
                seen[player.entry.federation] += 1
                naive[player.entry.federation] += line.points
    rows = medals(groups[:2], best=best)
    assert {row.federation: row.points for row in rows} == {name: naive[name] for name in {r.federation for r in rows}}
    for row in rows:
        assert row.points == sum(one.points for one in row.counted)
        assert best == 0 or all(sum(one.group == id_ for one in row.counted) <= best for id_ in NAMES)
        for group, name, one in counted_names(groups, row):
            assert name == groups[one.group - 1].players[one.competitor].name
            assert group == NAMES[one.group]


def test_the_rule_decides_the_order() -> None:
    groups = parted()
    by_medals, by_points = (medals(groups, best=1, order=order) for order in CountryOrder)
    assert {row.federation for row in by_medals} == {row.federation for row in by_points}
    won = [(row.gold, row.silver, row.bronze, row.points) for row in by_medals]
    assert won == sorted(won, reverse=True)
    scored = [(row.points, row.gold, row.silver, row.bronze) for row in by_points]
    assert scored == sorted(scored, reverse=True)
    for rows, figures in ((by_medals, won), (by_points, scored)):
        for at, row in enumerate(rows):
            assert row.rank == 1 + figures.index(figures[at])


def test_the_regulations_say_how_many_count_and_an_excluded_player_never_does() -> None:
    state = replace(swiss(14, 3, 3), group=1)
    strict = replace(state, settings=replace(state.event, team_best=1))
    assert medals([strict]) == medals([state], best=1)
    assert medals([strict], best=0) == medals([state], best=0)
    best = medals([state])[0].counted[0].competitor
    players = {**state.players, best: replace(state.players[best], excluded=True)}
    without = medals([replace(state, players=players)])
    assert best not in {one.competitor for row in without for one in row.counted}
    first = standings(state)[0].competitor
    players = {id_: replace(one, excluded=id_ != first) for id_, one in state.players.items()}
    assert state.over
    for held, won in ((state.players, 3), (players, 1)):
        assert sum(row.medals for row in medals([replace(state, players=held)])) == won


def test_the_command_tells_the_workings(tmp_path: Path) -> None:
    cup = tmp_path / "cup.korgool"
    begin(cup, 4, 1)
    for number, federation in enumerate(("KGZ", "KAZ", "KGZ", "KAZ"), 1):
        korgool("amend", cup, number, "--federation", federation)
    korgool("pair", cup)
    for board in (1, 2):
        korgool("result", cup, 1, board, "1 (82) - 0 (60)")
    found = lines("medals", cup, "--rank-by", "points", "--team-best", "1")
    assert sum(one["points"] for one in found) == sum(held["points"] for one in found for held in one["counted"])
    assert all(len(one["counted"]) == 1 for one in found)
    text = call("medals", cup, "--workings").stdout
    assert all(f"Player {number}" in text for number in range(1, 5))
    assert "Player 1" not in call("medals", cup).stdout
