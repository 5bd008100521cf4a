"""The TRF file for the pairing engine: competitors by number, their results, and the byes of the round.

Teams are written as if they were players. Names are left out: the engine needs none, and it counts bytes, not letters.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind
from korgool.competition.pairing.team_matches import may_start
from korgool.competition.round_history import Meeting, RoundKind, competitors, result_points
from korgool.competition.trf_columns import abnormal_record, cell_text, list_record, points_field, scoring_record
from korgool.languages import N_

FILE = 3
"""Version of the file. In the first, penalties lowered the points for pairing but had no effect on floats; before the
third, a team match drawn by forfeits alone was a game that was played."""
_MOST = 19
"""The most negative half points that a field of records 250 and 299 can hold: -9.5."""


def numbers(state: EventState) -> Mapping[int, int]:
    """The pairing numbers of the competitors by id: of teams in a team event, else of players."""
    if state.event.system.of_teams:
        return {team.id: team.number for team in state.teams.values()}
    return {player.id: player.number for player in state.players.values()}


def fixed_byes(state: EventState, number: int) -> dict[int, ByeKind]:
    """Competitors who are not paired in a round, by id, with the bye they get.

    A team is not paired when fewer than half of its players are there (WNG-TK §XIII).
    """
    if not state.event.system.of_teams:
        return {id_: kind for id_, player in state.players.items() if (kind := player.bye(number)) is not None}
    return {id_: ByeKind.ZERO for id_, team in state.teams.items() if not may_start(state, team, number)}


def penalties(state: EventState, number: int) -> dict[int, int]:
    """Half points taken before a round is paired, by id of the players who lost some; teams have no penalties."""
    if state.event.system.of_teams:
        return {}
    lost = {
        id_: sum(penalty.half_points for penalty in player.penalties if penalty.round < number)
        for id_, player in state.players.items()
    }
    return {id_: half_points for id_, half_points in lost.items() if half_points}


def pairing_points(state: EventState, number: int) -> dict[int, int]:
    """Half points that a round is paired by: those of the rounds before it, less penalties."""
    lost = penalties(state, number)
    found = competitors(state, rounds=number - 1)
    return {id_: sum(one.points for one in meetings) - lost.get(id_, 0) for id_, meetings in found.items()}


def groups_forbidden(state: EventState, kinds: Collection[str]) -> tuple[tuple[int, ...], ...]:
    """Groups of competitors (ids) of whom no two shall meet: of one team or one federation."""
    found: list[tuple[int, ...]] = []
    for kind in kinds:
        groups: dict[str, list[int]] = defaultdict(list)
        if state.event.system.of_teams:
            for team in state.teams.values():
                groups[team.federation if kind == "federation" else ""].append(team.id)
        else:
            for player in state.players.values():
                groups[player.entry.team if kind == "team" else player.entry.federation].append(player.id)
        found += [tuple(ids) for name, ids in groups.items() if name.strip() and len(ids) > 1]
    return tuple(found)


def standard_points(one: Meeting) -> int:
    """Half points by the TRF letter of a round: a match that counts its sets is won, drawn or lost here."""
    if one.result is not None and one.white is not None:
        return result_points(one.result, one.white)
    return one.points


def engine_file(
    state: EventState,
    number: int,
    *,
    forbid: Collection[str] | None = None,
    absent: Mapping[int, ByeKind] | None = None,
    version: int = FILE,
) -> str:
    """The TRF26 file that a round is paired by.

    Args:
        state: the event, with at least the rounds before `number`, all with their results.
        number: the round to pair, from 1.
        forbid: which of `team` and `federation` may not meet; None takes the settings.
        absent: competitors without a game, by id; None takes the byes that players asked for.
        version: an earlier version of the file (`FILE`) pairs as the program did then.

    Returns:
        Lines of ASCII, each ended by a newline.

    Raises:
        CompetitionError: a result of an earlier round is missing, or pairing numbers are.
    """
    event = state.event
    if not state.seeded:
        raise CompetitionError(N_("give pairing numbers before the first round"))
    number_of = numbers(state)
    found = competitors(state, rounds=number - 1)
    away = fixed_byes(state, number) if absent is None else absent
    lines = [
        f"012 Round {number}",
        f"062 {len(number_of)}",
        "092 Individual: Swiss-System",
        f"142 {event.rounds}",
        f"152 {'W' if state.white_first else 'B'}",
        scoring_record(event.bye_points),
        "192 FIDE_DUTCH_2026",
    ]
    for id_ in sorted(number_of, key=number_of.__getitem__):
        lines.append(_line(number_of, id_, found[id_], version))
    byes: dict[str, list[int]] = defaultdict(list)
    for id_, kind in away.items():
        byes[kind.value].append(number_of[id_])
    lines += [list_record(f"240 {kind} {number:>3}", sorted(ids)) for kind, ids in sorted(byes.items())]
    lines += _adjustments(state, number, number_of, found, floats=version > 1)
    for ids in groups_forbidden(state, event.forbid if forbid is None else forbid):
        lines.append(list_record(f"260 {number:>3} {number:>3}", sorted(number_of[id_] for id_ in ids)))
    return "".join(line + "\n" for line in lines)


def _line(number_of: Mapping[int, int], id_: int, meetings: Iterable[Meeting], version: int) -> str:
    cells, total = [], 0
    for one in meetings:
        if one.kind is RoundKind.PENDING:
            raise CompetitionError(
                N_("round {number}, board {board} has no result yet"), number=one.round, board=one.board
            )
        half_points = standard_points(one)
        total += half_points
        if version > 2 and one.kind is RoundKind.FORFEIT and half_points == 1:
            # No letter stands for half a point against an opponent who was not met.
            cells.append(cell_text(0, None, ByeKind.HALF.value))
            continue
        opponent = 0 if one.opponent is None else number_of[one.opponent]
        cells.append(cell_text(opponent, one.white, code(one, half_points)))
    number = number_of[id_]
    head = f"001 {number:>4} {'':4} {f'Number {number}':33} {'':4} {'':3} {'':11} {'':10} "
    return f"{head}{points_field(total)} {number:>4}{''.join(cells)}"


def code(one: Meeting, half_points: int) -> str:
    """The letter that TRF has for a round."""
    if one.kind is RoundKind.BYE:
        assert one.bye is not None
        return one.bye.value
    if one.kind is RoundKind.FORFEIT and half_points != 1:
        return "+" if half_points else "-"
    return "0=1"[half_points]


def _adjustments(
    state: EventState,
    number: int,
    number_of: Mapping[int, int],
    found: Mapping[int, tuple[Meeting, ...]],
    *,
    floats: bool,
) -> list[str]:
    """Points that no letter gives, such as penalties and matches counted by their sets, as they stood at each round.

    Record 250 says what they were when a round was paired, so that floats follow from the points of that time; gacrux
    knows record 299 only as a part of the last total. That one takes what a field of 250 cannot hold, and raises
    all players where one would stand at -1, a place that gacrux keeps for the bye.
    """
    lines = []
    given: dict[tuple[int, int], list[int]] = defaultdict(list)
    for id_, meetings in found.items():
        lost = state.players[id_].penalties if not state.event.system.of_teams else ()
        more: list[int] = []
        for at in range(1, number + 1):
            sets = sum(one.points - standard_points(one) for one in meetings if one.round < at)
            more.append(sets - sum(penalty.half_points for penalty in lost if penalty.round < at) * floats)
        lines += _virtual(number_of[id_], [max(half_points, -_MOST) for half_points in more])
        rest = min(more[-1] + _MOST, 0) if floats else -penalties(state, number).get(id_, 0)
        while rest:
            step = max(rest, -_MOST) if rest < 0 else min(rest, 199)
            given[step, number - 1].append(number_of[id_])
            rest -= step
    lowest = min(pairing_points(state, number).values(), default=0)
    if lowest <= -2:
        given[-lowest, 0] += sorted(number_of.values())
    return lines + [abnormal_record(step, at, sorted(ids)) for (step, at), ids in sorted(given.items())]


def _virtual(own: int, more: list[int]) -> list[str]:
    """Records 250 of a competitor: half points for round 1, 2 and so on; one record for a run of equal ones."""
    lines, first = [], 1
    for half_points, run in groupby(more):
        last = first + len(list(run)) - 1
        if half_points:
            lines.append(f"250 {'':4} {points_field(half_points)} {first:>3} {last:>3} {own:>4} {own:>4}")
        first = last + 1
    return lines
