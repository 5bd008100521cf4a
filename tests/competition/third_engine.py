"""caissify as a checker: what a third Swiss engine pairs from the same event."""

from __future__ import annotations

from caissify_pairings.engines.dutch import DutchEngine  # type: ignore[import-untyped]

from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.replay import replay
from korgool.competition.model import ByeKind, System
from korgool.competition.pairing.colours import preference
from korgool.competition.pairing.engine_file import pairing_points
from korgool.competition.pairing.legal_opponents import bye_barred
from korgool.competition.round_history import RoundKind, history

LARGEST = 60
"""Most players for it where time matters: a round takes it a second, and ten for 120 players."""


def caissify_pairs(state: EventState, number: int) -> set[frozenset[int]]:
    """Who meets whom by caissify's engine, in pairing numbers; 0 is the allocated bye.

    It ranks by rating before the starting number, and its checker takes every bye for a downfloat and an allocated bye;
    so it is told ratings in the order of numbers, and histories as C.04.3 has them. It gives colours by the number
    where art. 5.2.4 looks at points first; they are not compared.
    """
    before, points = history(state, rounds=number - 1), pairing_points(state, number)
    one, met, players = state.round(number), set(), []
    seated = [id_ for game in one.games for id_ in (game.white, game.black)]
    seated += [bye.player for bye in one.byes if bye.kind is ByeKind.ALLOCATED]
    for id_ in seated:
        own = state.players[id_].number
        floats = []
        for place, meeting in enumerate(before[id_]):
            if meeting.kind is not RoundKind.PLAYED or meeting.opponent is None:
                floats.append("down" if meeting.points else "none")
                continue
            met.add(tuple(sorted((own, state.players[meeting.opponent].number))))
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
    # It pairs a first round by number alone. Where penalties came before, it is told of a round that nobody played.
    shift = int(number == 1 and len({one["score"] for one in players}) > 1)
    engine = DutchEngine(
        players=players,
        previous_pairings=met,
        round_number=number + shift,
        total_rounds=state.event.rounds + shift,
        initial_color="white" if state.white_first else "black",
    )
    return {frozenset((pair["white_id"], pair["black_id"] or 0)) for pair in engine.generate_pairings()}


def pairs_by_number(state: EventState, number: int) -> set[frozenset[int]]:
    one, numbers = state.round(number), {id_: player.number for id_, player in state.players.items()}
    found = {frozenset((numbers[game.white], numbers[game.black])) for game in one.games}
    return found | {frozenset((numbers[bye.player], 0)) for bye in one.byes if bye.kind is ByeKind.ALLOCATED}


def assert_confirmed(state: EventState, largest: int = LARGEST) -> int:
    """Hold each Swiss round that the engine has paired in an event's log against caissify; how many they are.

    Each is looked at as it was paired: before its pairings were changed by hand, before a result was corrected, and
    also if it was taken back since. What was paired by hand at once is nobody's computation. Where some must not meet,
    or there are more players than `largest`, caissify is not asked.
    """
    confirmed = 0
    for at, (action, _) in enumerate(state.done, 1):
        if not isinstance(action, do.Pair) or action.engine in do.NOT_COMPUTED:
            continue
        then = replay(state.done[:at])
        if then.event.system is System.SWISS and not then.event.forbid and len(then.players) <= largest:
            assert caissify_pairs(then, action.round) == pairs_by_number(then, action.round), (at, action.round)
            confirmed += 1
    return confirmed
