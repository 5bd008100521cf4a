"""Knock-out: a bracket by pairing numbers, in which the first two can only meet in the final.

The loser of a game is out. A drawn game is replayed or decided by lot, as the regulations say, and its result corrected
to the decisive one with that reason; the log keeps the draw. In a match of sets, a further set decides. Until then the
next round is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Bye, ByeKind, PairedGame, Round
from korgool.competition.pairing.paired_round import Paired
from korgool.competition.round_history import Meeting, history
from korgool.languages import N_

ENGINE = "korgool bracket"


def bracket(players: int) -> tuple[int | None, ...]:
    """Pairing numbers in the order of the bracket: neighbours meet, then the winners of neighbouring pairs.

    It has as many places as the next power of two; places without a number hold None, and their neighbours go through.
    """
    order = [1]
    while len(order) < players:
        size = 2 * len(order) + 1
        order = [one for number in order for one in (number, size - number)]
    return tuple(number if number <= players else None for number in order)


def pair_knockout(state: EventState, number: int) -> Paired:
    """A round of the bracket.

    A player without an opponent, because the bracket is not full or the opponent left, goes through with a full-point
    bye. White goes to the player who had it less often, then to the one who did not have it last; at first the lot
    decides, and colours alternate from board to board.

    Args:
        state: the event; all rounds before are complete.
        number: the round, from 1.

    Raises:
        CompetitionError: a game before was drawn, the final was played, or no player is left.
    """
    places = bracket_places(state, number)
    if len(places) < 2:
        raise CompetitionError(N_("the knock-out is decided, there is no round after the final"))
    if not any(places):
        raise CompetitionError(N_("nobody is left in the knock-out"))
    met = history(state, rounds=number - 1)
    games: list[PairedGame] = []
    byes: list[Bye] = _asked(state, number)
    for at in range(0, len(places), 2):
        pair = [id_ for id_ in places[at : at + 2] if id_ is not None]
        if len(pair) == 2:
            first_white = state.white_first == (len(games) % 2 == 0)
            games.append(PairedGame(len(games) + 1, *_colours(state, pair, met[pair[0]], met[pair[1]], first_white)))
        else:
            byes += [Bye(id_, ByeKind.FULL) for id_ in pair]
    return Paired(tuple(games), tuple(byes), engine=ENGINE)


def alive(state: EventState, number: int) -> tuple[int, ...]:
    """Ids of the players who are still in when a round is paired, in the order of the bracket."""
    return tuple(id_ for id_ in bracket_places(state, number) if id_ is not None)


def bracket_places(state: EventState, number: int) -> list[int | None]:
    """Bracket of a round: ids of those who may play in it, None for an empty place."""
    ids = {player.number: player.id for player in state.players.values()}
    places: list[int | None] = [None if one is None else ids[one] for one in bracket(len(ids))]
    for one in state.rounds[: number - 1]:
        places = _next(state, places, one)
    return [id_ if id_ is not None and state.players[id_].plays(number) else None for id_ in places]


def _next(state: EventState, places: Sequence[int | None], one: Round) -> list[int | None]:
    """Bracket after a round. A player moved by hand takes an empty place."""
    through = _winners(state, one)
    after: list[int | None] = []
    moved: list[int] = []
    for at in range(0, len(places), 2):
        pair = [id_ for id_ in places[at : at + 2] if id_ in through]
        after.append(pair[0] if pair else None)
        moved += [id_ for id_ in pair[1:] if id_ is not None]
    for id_ in moved:
        if None not in after:
            raise CompetitionError(
                N_("round {number} was changed by hand: more players are left than places"), number=one.number
            )
        after[after.index(None)] = id_
    return after


def _winners(state: EventState, one: Round) -> set[int]:
    given = (ByeKind.FULL, ByeKind.ALLOCATED)
    through = {bye.player for bye in one.byes if bye.kind in given and state.players[bye.player].plays(one.number)}
    for game in one.games:
        result = game.result
        if result is None:
            raise CompetitionError(
                N_("round {number}, board {board} has no result yet"), number=one.number, board=game.board
            )
        if result.white == result.black == 1:
            raise CompetitionError(
                N_(
                    "round {number}, board {board} was drawn ({white} against {black}): play it again or draw lots, "
                    "and correct its result"
                ),
                number=one.number,
                board=game.board,
                white=state.players[game.white].name,
                black=state.players[game.black].name,
            )
        if result.white != result.black:
            through.add(game.white if result.white > result.black else game.black)
    return through


def _asked(state: EventState, number: int) -> list[Bye]:
    found = []
    for player in state.players.values():
        kind = player.bye(number)
        if kind is not None and kind is not ByeKind.ZERO:
            found.append(Bye(player.id, kind))
    return found


def _colours(
    state: EventState, pair: Sequence[int], first: Iterable[Meeting], second: Iterable[Meeting], first_white: bool
) -> tuple[int, int]:
    """White and Black of a pair."""
    held = [[one.white for one in meetings if one.white is not None] for meetings in (first, second)]
    balance = [sum(1 if white else -1 for white in colours) for colours in held]
    last = [colours[-1] if colours else None for colours in held]
    ahead, behind = sorted(pair, key=lambda id_: state.players[id_].number)
    if balance[0] != balance[1]:
        white = pair[0] if balance[0] < balance[1] else pair[1]
    elif last[0] is not last[1] and None not in last:
        white = pair[0] if last[1] else pair[1]
    else:
        white = ahead if first_white else behind
    return (white, pair[1] if white == pair[0] else pair[0])
