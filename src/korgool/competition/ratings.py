"""Elo and Glicko-2 ratings. Each function takes a rating list and an event and returns a new list; nothing is stored.

Only games that were played count, no byes or forfeits. A match of sets is one game. A game that both players lost gives
neither any points. `identity` recognises players from event to event.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from math import exp, log
from types import MappingProxyType
from typing import TypeVar

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Entry
from korgool.competition.round_history import RoundKind, history
from korgool.competition.standings.opponent_ratings import difference
from korgool.glicko import Glicko, updated

K = TypeVar("K", int, str)
T = TypeVar("T")
_NAMELESS = "\0"
MOST_ABOVE = 400
"""Points that a first rating may lie above or below the mean of the opponents."""


@dataclass(frozen=True, slots=True)
class Elo:
    """An Elo rating.

    Attributes:
        rating: 0 when unrated.
        games: rated games so far.
    """

    rating: float
    games: int = 0


@dataclass(frozen=True, slots=True)
class RatingChange:
    """Change of a player's Elo rating by an event.

    Attributes:
        player: the id.
        rating: before the event, 0 when unrated.
        games: those that count: played, with rated opponents.
        score: half points from them.
        after: the rating after the event, 0 if still unrated.
    """

    player: int
    rating: float
    games: int
    score: int
    after: float

    @property
    def change(self) -> float:
        """Points won or lost; 0 for a first rating."""
        return self.after - self.rating if self.rating > 0 else 0.0


EloList = Mapping[str, Elo]
GlickoList = Mapping[str, Glicko]
Factor = Callable[[Elo], float]
"""The factor K of a player, given their rating before the event."""


def identity(entry: Entry) -> str:
    """The key of a player in a rating list: the federation's number, else the name and year of birth."""
    if entry.external:
        return entry.external.strip()
    return f"{entry.name.casefold()} {entry.born or ''}".strip()


def expected_points(own: float, other: float) -> float:
    """Points expected from a game, between 0 and 1: the logistic curve of Elo on 400 points."""
    return 1.0 / (1.0 + exp((other - own) * log(10.0) / 400.0))


def steady_factor(k: float) -> Factor:
    """The same K for every player."""
    return lambda _: k


def fide_factor(player: Elo) -> float:
    """K as FIDE B.02 8.3 has it for adults: 40 for the first 30 games, then 20, and 10 from a rating of 2400."""
    if player.games < 30:
        return 40.0
    return 20.0 if player.rating < 2400 else 10.0


def elo(before: EloList, state: EventState, *, factor: Factor = fide_factor) -> EloList:
    """The rating list after an event.

    All games of the event count with the ratings before it, whatever their order. A player who is not on the list has
    the rating of their entry. An unrated player (rating 0) gets a first rating from their games with rated opponents:
    the mean of these, plus the difference that their share of points stands for (FIDE B.02 8.1.1), at most 400. Without
    a point they stay unrated. Their games do not count for their opponents.

    Args:
        before: ratings by `identity`.
        state: the event; games without a result do not count.
        factor: K for each player.

    Returns:
        A list of all players who were on the list or took part.
    """
    keys = _keys(state)
    entered = {key: Elo(float(state.players[id_].entry.rating)) for id_, key in keys.items()}
    start = {**entered, **before}
    games = {keys[id_]: [(keys[other], points) for other, points in met] for id_, met in _games(state).items()}
    return _named(start | _rated(start, games, factor))


def rating_changes(
    state: EventState, before: EloList | None = None, *, factor: Factor = fide_factor
) -> tuple[RatingChange, ...]:
    """Changes by `elo` for every player of an event, by pairing number; the arguments are those of `elo`.

    Raises:
        CompetitionError: two players are the same on the list.
    """
    held: EloList = before or {}
    start = {id_: Elo(float(one.entry.rating)) for id_, one in state.players.items()}
    if held:
        start |= {id_: held[key] for id_, key in _keys(state).items() if key in held}
    games = _games(state)
    after = start | _rated(start, games, factor)
    found = []
    for player in sorted(state.players.values(), key=lambda one: (one.number, one.id)):
        own, new = start[player.id].rating, after[player.id].rating
        rated = [points for other, points in games.get(player.id, ()) if start[other].rating > 0]
        found.append(RatingChange(player.id, own, len(rated), round(2 * sum(rated)), new))
    return tuple(found)


def _rated(start: Mapping[K, Elo], games: Mapping[K, list[tuple[K, float]]], factor: Factor) -> dict[K, Elo]:
    """The new ratings of those who have rated games; opponents and points by player."""
    after: dict[K, Elo] = {}
    for key, met in games.items():
        rated = [(start[other], points) for other, points in met if start[other].rating > 0]
        if not rated:
            continue
        own = start[key]
        count = own.games + len(rated)
        if own.rating > 0:
            surplus = sum(points - expected_points(own.rating, other.rating) for other, points in rated)
            after[key] = Elo(own.rating + factor(own) * surplus, count)
            continue
        percent = int(100 * sum(points for _, points in rated) / len(rated) + 0.5)
        if percent:
            above = max(-MOST_ABOVE, min(MOST_ABOVE, difference(percent)))
            after[key] = Elo(sum(other.rating for other, _ in rated) / len(rated) + above, count)
    return after


def glicko(before: GlickoList, state: EventState, *, tau: float = 0.5) -> GlickoList:
    """The list after an event, which is one rating period (M. Glickman, "Example of the Glicko-2 system", 2013).

    A player who is not on the list starts with the rating of their entry, or 1500 without one, and a deviation of 350.
    The deviation of players who are on the list and did not play grows by their volatility (step 6).

    Args:
        before: ratings by `identity`.
        state: the event.
        tau: how much volatilities may change, 0.3 to 1.2 as a rule.

    Raises:
        CompetitionError: `tau` is not above 0.
    """
    if not tau > 0:
        raise CompetitionError(f"tau is above 0, not {tau}")
    keys = _keys(state)
    fresh = {key: Glicko(float(state.players[id_].entry.rating or 1500)) for id_, key in keys.items()}
    start = {**fresh, **before}
    games = {keys[id_]: [(keys[other], points) for other, points in met] for id_, met in _games(state).items()}
    return _named(
        {
            key: updated(own, [(start[other], points) for other, points in games.get(key, ())], tau=tau)
            for key, own in start.items()
        }
    )


def elo_over(states: Iterable[EventState], before: EloList | None = None, *, factor: Factor = fide_factor) -> EloList:
    """The list after several events, one after the other in the order given."""
    held: EloList = before or {}
    for state in states:
        held = elo(held, state, factor=factor)
    return held


def glicko_over(states: Iterable[EventState], before: GlickoList | None = None, *, tau: float = 0.5) -> GlickoList:
    """The list after several events, each a rating period, in the order given."""
    held: GlickoList = before or {}
    for state in states:
        held = glicko(held, state, tau=tau)
    return held


def _keys(state: EventState) -> dict[int, str]:
    """Everybody's key in a rating list; those whose names were removed have one for this event only."""
    keys = {
        id_: f"{_NAMELESS}{id_}" if player.entry.removed else identity(player.entry)
        for id_, player in state.players.items()
    }
    seen: set[str] = set()
    for key in keys.values():
        if key in seen:
            raise CompetitionError(f"two players are known as {key!r}; give their federation numbers or years of birth")
        seen.add(key)
    return keys


def _named(found: dict[str, T]) -> Mapping[str, T]:
    """The list without those whose names were removed."""
    return MappingProxyType({key: one for key, one in found.items() if not key.startswith(_NAMELESS)})


def _games(state: EventState) -> dict[int, list[tuple[int, float]]]:
    """Opponents and points of everybody's played games."""
    found: dict[int, list[tuple[int, float]]] = {}
    for id_, meetings in history(state).items():
        for one in meetings:
            if one.kind is RoundKind.PLAYED and one.opponent and one.result is not None:
                points = one.result.white if one.white else one.result.black
                found.setdefault(id_, []).append((one.opponent, points / 2))
    return found
