"""caissify as a checker: what a third engine pairs from the same event, of players or of teams."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import combinations
from typing import Any

import networkx
from caissify_pairings.engines.dutch import DutchEngine
from caissify_pairings.engines.round_robin import RoundRobinEngine

from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.replay import replay
from korgool.competition.model import ByeKind, System
from korgool.competition.pairing.colours import preference
from korgool.competition.pairing.engine_file import groups_forbidden, numbers, pairing_points
from korgool.competition.pairing.legal_opponents import bye_barred, opponents_left
from korgool.competition.round_history import RoundKind, competitors

LARGEST = 60
"""Most competitors for it where time matters: a round takes it a second, and ten for 120 players."""
SWISS = (System.SWISS, System.TEAM_SWISS)


def forbidden_pairs(state: EventState, kinds: Collection[str]) -> set[tuple[int, int]]:
    """Whom the regulations keep apart, by number, the lower one first."""
    own = numbers(state)
    return {
        (min(pair), max(pair))
        for ids in groups_forbidden(state, kinds)
        for pair in combinations([own[id_] for id_ in ids], 2)
    }


class ApartEngine(DutchEngine):  # type: ignore[misc]
    """caissify's engine for a field in which some must not meet, for which it has no word.

    To tell it of earlier meetings instead would be wrong: it counts the opponents that somebody has had as games (C9).
    """

    def __init__(self, apart: set[tuple[int, int]], **options: Any) -> None:
        super().__init__(**options)
        self._apart = apart

    def _can_pair(self, p1: Any, p2: Any) -> bool:
        return (min(p1.id, p2.id), max(p1.id, p2.id)) not in self._apart and bool(super()._can_pair(p1, p2))


def caissify_pairs(state: EventState, number: int, forbid: Collection[str] = ()) -> set[frozenset[int]]:
    """Who meets whom by caissify's engine, in numbers of players or teams; 0 is the allocated bye.

    It ranks by rating before the starting number, and its checker takes every bye for a downfloat and an allocated bye;
    so it is told ratings in the order of numbers, and histories as C.04.3 has them. It gives colours by the number
    where art. 5.2.4 looks at points first; they are not compared. Members of one of `forbid` (`team`, `federation`) are
    kept apart.
    """
    before, points, number_of = competitors(state, rounds=number - 1), pairing_points(state, number), numbers(state)
    apart, met, players = forbidden_pairs(state, forbid), set(), []
    # It pairs a first round by number alone. Where penalties came before, or some must not meet, it is told of a round
    # that nobody played.
    seated = [id_ for id_ in before if number_of[id_] in _paired(state, number)]
    shift = int(number == 1 and (bool(apart) or len({points[id_] for id_ in seated}) > 1))
    for id_ in seated:
        own = number_of[id_]
        floats = ["none"] * shift
        for place, meeting in enumerate(before[id_]):
            if meeting.kind is not RoundKind.PLAYED or meeting.opponent is None:
                floats.append("down" if meeting.points else "none")
                continue
            met.add((min(own, number_of[meeting.opponent]), max(own, number_of[meeting.opponent])))
            mine, its = (pairing_points(state, place + 1)[who] for who in (id_, meeting.opponent))
            floats.append("down" if mine > its else "up" if mine < its else "none")
        players.append(
            {
                "id": own,
                "name": str(own),
                "score": points[id_] / 2,
                "rating": 9999 - own,
                "starting_number": own,
                "color_hist": ["white" if colour else "black" for colour in preference(before[id_]).colours],
                "float_history": floats,
                "bye_count": int(bye_barred(before[id_]) is not None),
            }
        )
    engine = ApartEngine(
        apart,
        players=players,
        previous_pairings=met,
        round_number=number + shift,
        total_rounds=state.event.rounds + shift,
        initial_color="white" if state.white_first else "black",
    )
    return {frozenset((pair["white_id"], pair["black_id"] or 0)) for pair in engine.generate_pairings()}


def pairable(state: EventState, number: int, forbid: Collection[str]) -> bool:
    """Whether a Swiss round has any legal pairing at all in which nobody of `forbid` meets (C1 to C3).

    caissify always pairs somehow. Its absolute criteria are those of pairs alone, so that a matching answers.
    """
    number_of, before = numbers(state), competitors(state, rounds=number - 1)
    here = _paired(state, number)
    away = {id_: ByeKind.ZERO for id_, own in number_of.items() if own not in here}
    left, apart = opponents_left(state, number, away), forbidden_pairs(state, forbid)
    field = networkx.Graph()
    field.add_nodes_from(here)
    for id_, others in left.items():
        field.add_edges_from((number_of[id_], number_of[other]) for other in others)
        if len(here) % 2 and bye_barred(before[id_]) is None:
            field.add_edge(number_of[id_], 0)
    field.remove_edges_from(apart)
    return 2 * len(networkx.max_weight_matching(field, maxcardinality=True)) == len(here) + len(here) % 2


def floats_down(state: EventState, number: int, pairs: set[frozenset[int]]) -> list[tuple[int, list[int]]]:
    """By score group from the top: how many leave it downwards, and with what points, the most first (C6, C7).

    What has fewer in the first group that differs is the better pairing by C.04.3, whatever comes after; so with lower
    points, where they are as many.
    """
    own, points = numbers(state), pairing_points(state, number)
    at = {own[id_]: half_points for id_, half_points in points.items()}
    lowest = min(points.values()) - 1
    ends = [tuple(sorted((at.get(one, lowest) for one in pair), reverse=True)) for pair in pairs]
    found = []
    for group in sorted({one for pair in ends for one in pair} - {lowest}, reverse=True):
        leaving = sorted((high for high, low in ends if high >= group > low), reverse=True)
        found.append((len(leaving), leaving))
    return found


def berger_pairs(state: EventState, number: int) -> set[tuple[int, int]]:
    """White and Black of a round by caissify's Berger tables, without the games of those who are absent or free.

    It leaves the last two rounds of the first half of a double round robin where they are; C.05 lets them change.
    """
    own = numbers(state)
    last = len(own) + len(own) % 2 - 1
    double = state.event.system is System.DOUBLE_ROUND_ROBIN
    place = {last - 1: last, last: last - 1}.get(number, number) if double and last > 1 else number
    engine = RoundRobinEngine(
        players=[{"id": one, "starting_number": one} for one in own.values()],
        previous_pairings=set(),
        round_number=place,
        total_rounds=last * (1 + double),
        cycles=1 + double,
    )
    here = {own[id_] for id_ in _playing(state, number)}
    pairs = {(pair["white_id"], pair["black_id"] or 0) for pair in engine.generate_pairings()}
    # A team that may not start still loses its match to one that may; a player who is not there has no game.
    enough = 1 if state.event.system.of_teams else 2
    return {pair for pair in pairs if 0 not in pair and len(here & set(pair)) >= enough}


def pairs_by_number(state: EventState, number: int) -> set[frozenset[int]]:
    """Who meets whom in a round of the log, in numbers of players or teams; 0 is the allocated bye."""
    own = numbers(state)
    found = {frozenset(pair) for pair in _tables(state, number)}
    byes = state.round(number).byes
    return found | {frozenset((own[bye.player], 0)) for bye in byes if bye.kind is ByeKind.ALLOCATED}


def assert_confirmed_round(state: EventState, number: int, engine: str) -> None:
    """Hold a Swiss or a round-robin round against caissify, as it was paired: `engine` is what the log says of that."""
    if state.event.system not in SWISS:
        assert berger_pairs(state, number) == set(_tables(state, number)), number
        return
    kinds = sorted(state.event.forbid, key=("team", "federation").index)
    allowed = [kind for kind in kinds if "allowed to meet" in engine and kind in engine.rpartition(" (of one ")[2]]
    kept = len(kinds) - len(allowed)
    assert kinds[kept:] == allowed, "members of one federation may meet before those of one team"
    for more in range(kept + 1, len(kinds) + 1):
        assert not pairable(state, number, kinds[:more]), (number, "nobody had to be allowed to meet")
    theirs, ours = caissify_pairs(state, number, kinds[:kept]), pairs_by_number(state, number)
    if theirs != ours:  # in one round of 380 it passes over a pair of those who float, where few may meet
        assert kept, number
        assert floats_down(state, number, ours) < floats_down(state, number, theirs), number


def assert_confirmed(state: EventState, largest: int = LARGEST) -> int:
    """Hold each round that was computed in an event's log against caissify; how many they are.

    Each is looked at as it was paired: before its pairings were changed by hand, before a result was corrected, and
    also if it was taken back since. What was paired by hand at once is nobody's computation. A knock-out has its own
    tests, and where there are more competitors than `largest`, caissify is not asked.
    """
    confirmed = 0
    for at, (action, _) in enumerate(state.done, 1):
        if not isinstance(action, do.Pair) or action.engine in do.NOT_COMPUTED:
            continue
        then = replay(state.done[:at])
        if then.event.system is not System.KNOCKOUT and len(numbers(then)) <= largest:
            assert_confirmed_round(then, action.round, action.engine)
            confirmed += 1
    return confirmed


def _tables(state: EventState, number: int) -> list[tuple[int, int]]:
    """White and Black, or the teams that meet, by number."""
    one, own = state.round(number), numbers(state)
    if state.event.system.of_teams:
        return [(own[match.home], own[match.away]) for match in one.matches]
    return [(own[game.white], own[game.black]) for game in one.games]


def _paired(state: EventState, number: int) -> set[int]:
    """The numbers that a round of the log pairs, the one with the allocated bye among them."""
    return {one for pair in pairs_by_number(state, number) for one in pair if one}


def _playing(state: EventState, number: int) -> Iterable[int]:
    """Ids of the competitors who are there for a round."""
    if not state.event.system.of_teams:
        return [id_ for id_, player in state.players.items() if player.plays(number)]
    there = {id_: [one in state.players and state.players[one].plays(number) for one in team.players]
             for id_, team in state.teams.items()}  # fmt: skip
    return [id_ for id_, here in there.items() if any(here) and 2 * sum(here) >= len(here)]
