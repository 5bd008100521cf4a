"""Round robins by the Berger tables (FIDE C.05, Annex 1), single and double."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Bye, ByeKind, PairedGame, System
from korgool.competition.pairing.paired_round import Paired
from korgool.languages import N_

ENGINE = "korgool Berger tables"


def berger_round(players: int, number: int) -> tuple[tuple[int, int], ...]:
    """One round of the Berger table: White and Black of every board by pairing number, from 1.

    With an odd number of players the last number of the table is empty: its opponent is free.

    Args:
        players: at least 2; odd numbers use the table of one more.
        number: 1 to one less than the table has players.

    Raises:
        CompetitionError: the table has no such round.
    """
    size = players + players % 2
    if players < 2 or not 1 <= number < size:
        raise CompetitionError(
            N_("a round robin of {players} players has no round {number}"), players=players, number=number
        )
    turning = size - 1
    first = (number - 1) * (size // 2) % turning
    pairs = [(first + 1, size) if number % 2 else (size, first + 1)]
    for step in range(1, size // 2):
        pairs.append(((first + step) % turning + 1, (first - step) % turning + 1))
    return tuple(pairs)


@lru_cache(maxsize=64)
def schedule(players: int, *, double: bool = False) -> tuple[tuple[tuple[int, int], ...], ...]:
    """All rounds of a round robin. A double one repeats the table with the colours exchanged.

    The last two rounds of its first half swap places, as the annex recommends, so that no player has one colour three
    times in a row where the halves meet.
    """
    size = players + players % 2
    single = [berger_round(players, number) for number in range(1, size)]
    if not double:
        return tuple(single)
    back = [tuple((black, white) for white, black in one) for one in single]
    single[-2:] = single[:-3:-1]
    return (*single, *back)


def round_table(players: int, number: int, *, double: bool) -> tuple[tuple[int, int], ...]:
    """A round of `schedule`; raises CompetitionError if there is no such round."""
    rounds = schedule(players, double=double)
    if not 1 <= number <= len(rounds):
        raise CompetitionError(
            N_("a round robin of {players} has {count} rounds, there is no round {number}"),
            players=players,
            count=len(rounds),
            number=number,
        )
    return rounds[number - 1]


def pair_berger(state: EventState, number: int) -> Paired:
    """Pair a round of players by the Berger table of their pairing numbers.

    The opponent of a player who has left or misses the round gets a full point, as after a forfeit. In an odd field one
    player is free and gets none.

    Raises:
        CompetitionError: the field has no such round.
    """
    ids = {player.number: player.id for player in state.players.values()}
    games: list[PairedGame] = []
    byes = [
        Bye(player.id, kind)
        for player in state.players.values()
        if (kind := player.bye(number)) is not None and kind is not ByeKind.ZERO
    ]
    for white, black in round_table(len(ids), number, double=state.event.system is System.DOUBLE_ROUND_ROBIN):
        pair = [ids[one] for one in (white, black) if one in ids]
        playing = [id_ for id_ in pair if state.players[id_].plays(number)]
        if len(playing) == 2:
            games.append(PairedGame(len(games) + 1, playing[0], playing[1]))
        else:
            kind = ByeKind.ZERO if len(pair) == 1 else ByeKind.FULL
            byes += [Bye(id_, kind) for id_ in playing]
    return Paired(tuple(games), tuple(byes), engine=ENGINE)


def scheduled(state: EventState, number: int, id_: int) -> int | None:
    """Id of the opponent that the table gives a player in a round; None if the player is free."""
    ids: Sequence[int] = [player.id for player in sorted(state.players.values(), key=lambda player: player.number)]
    own = state.players[id_].number
    double = state.event.system is System.DOUBLE_ROUND_ROBIN
    for pair in round_table(len(ids), number, double=double):
        if own in pair:
            other = pair[0] if pair[1] == own else pair[1]
            return ids[other - 1] if other <= len(ids) else None
    return None
