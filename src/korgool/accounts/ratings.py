"""Ratings of accounts: Glicko-2 for each game and speed, after every game, in the order of a sequence.

The paper rates a period at once, with ten games and more for each player in it. Here a game counts when it is over,
with the part of a period that has passed since the player's last one: the change shows at once, ratings never
lag behind by weeks, and it does not matter where the border between two periods falls. The
price is that the order of the games matters, so a sequence states it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeAlias

from korgool.accounts.speeds import Speed
from korgool.glicko import SCALE, Glicko, rested, updated

PERIOD_MS = 4 * 86_400_000
"""A rating period: with it the surest rating becomes provisional by about a year without a game."""
TAU = 0.5
"""Constraint on the change of volatilities; the paper has 0.3 to 1.2."""
FIRST = Glicko(1500.0, 350.0, 0.06)
"""The rating before the first game, as in the paper."""
SUREST = 45.0
"""The smallest deviation. Below it a game between equals would move a rating by less than 6 points, and a player who
plays every day could no longer show that they have learned something."""
PROVISIONAL = 110.0
"""Above this deviation a rating is provisional, and no list of the best has it."""
LEAST_PLIES = 2
"""Before both players have moved, nothing is rated; until then a game can be called off."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A finished game that counts.

    Attributes:
        seq: its number in the sequence of all rated games, which alone decides the order.
        at: when it ended, milliseconds since 1970.
        game: the short name of the game.
        speed: its speed.
        players: the identities of White and Black.
        half_points: 2 for a win, 1 each for a draw.

    Raises:
        ValueError: the players are one, or the points no result.
    """

    seq: int
    at: int
    game: str
    speed: Speed
    players: tuple[str, str]
    half_points: tuple[int, int]

    def __post_init__(self) -> None:
        if self.players[0] == self.players[1]:
            raise ValueError("a rated game has two people")
        if self.half_points not in ((2, 0), (1, 1), (0, 2)):
            raise ValueError(f"{self.half_points} are no points of a game")


def counts(half_points: tuple[int, int] | None, plies: int) -> bool:
    """Return whether a game that was agreed to be rated changes ratings.

    An aborted game changes nothing (`half_points` is None), nor one that ended before both had moved, nor one that both
    lost. A flag, a resignation or leaving later on counts as the loss that it is.
    """
    return half_points in ((2, 0), (1, 1), (0, 2)) and plies >= LEAST_PLIES


@dataclass(frozen=True, slots=True)
class Shown:
    """A rating as people see it.

    Attributes:
        rating: in whole points.
        deviation: in whole points: by 95 % the true strength is at most twice as far away.
        provisional: whether it still has to be found out.
    """

    rating: int
    deviation: int
    provisional: bool

    def __str__(self) -> str:
        return f"{self.rating}{'?' if self.provisional else ''} ± {self.deviation}"


@dataclass(frozen=True, slots=True)
class Standing:
    """Stored rating of a player for one game and one speed.

    Attributes:
        rating: as it was after the last game.
        games: rated games so far.
        at: when the last one ended, milliseconds since 1970; 0 before the first.
        seq: the number of the last one; 0 before the first.
        fixed: whether no game changes it: an engine at one level, by which the others are measured.
    """

    rating: Glicko = FIRST
    games: int = 0
    at: int = 0
    seq: int = 0
    fixed: bool = False

    def periods(self, now: int) -> float:
        """Periods since the last game, at most until nothing more is known than of a newcomer.

        Where another host's clock is behind, no time has passed.
        """
        if self.fixed:
            return 0.0
        forgotten = (FIRST.deviation**2 - self.rating.deviation**2) / (SCALE * self.rating.volatility) ** 2
        return min(max(0, now - self.at) / PERIOD_MS, max(0.0, forgotten))

    def at_time(self, now: int) -> Glicko:
        """The rating at a time: the deviation grows while nothing is played."""
        return rested(self.rating, self.periods(now))

    def shown(self, now: int) -> Shown:
        """Rating as it is shown at a given time."""
        rating = self.at_time(now)
        provisional = not self.fixed and rating.deviation > PROVISIONAL
        return Shown(round(rating.rating), round(rating.deviation), provisional)


Key: TypeAlias = tuple[str, str, Speed]
"""The identity of a player, the short name of a game, a speed."""


class OutOfOrderError(ValueError):
    """A game comes after one with a higher number: it was counted already, or the others were counted too early."""


def rate(white: Standing, black: Standing, game: RatedGame) -> tuple[Standing, Standing]:
    """The standings of White and Black after their game; both are computed from what held before it.

    Raises:
        OutOfOrderError: one of them has a game with this number or a higher one.
    """
    last = max(white.seq, black.seq)
    if game.seq <= last:
        raise OutOfOrderError(f"game {game.seq} comes after game {last}")
    return _after(white, black, game, game.half_points[0]), _after(black, white, game, game.half_points[1])


def _after(own: Standing, other: Standing, game: RatedGame, half_points: int) -> Standing:
    if own.fixed:
        return own
    against = [(other.at_time(game.at), half_points / 2)]
    found = updated(own.rating, against, tau=TAU, periods=own.periods(game.at))
    # Rounded, so that the digits of another host's logarithm change nothing that is stored.
    deviation = round(min(FIRST.deviation, max(SUREST, found.deviation)), 4)
    rating = Glicko(round(found.rating, 4), deviation, round(found.volatility, 8))
    return Standing(rating, own.games + 1, max(own.at, game.at), game.seq)


def recompute(games: Iterable[RatedGame], fixed: Mapping[Key, Glicko] | None = None) -> Mapping[Key, Standing]:
    """All standings from the finished games alone, in whatever order these come.

    Args:
        games: every rated game.
        fixed: ratings that no game changes.

    Raises:
        OutOfOrderError: two games have the same number.
    """
    found = {key: Standing(rating, fixed=True) for key, rating in (fixed or {}).items()}
    last = 0
    for game in sorted(games, key=lambda one: one.seq):
        if game.seq <= last:
            raise OutOfOrderError(f"two games have the number {game.seq}")
        last = game.seq
        white, black = ((who, game.game, game.speed) for who in game.players)
        found[white], found[black] = rate(found.get(white, Standing()), found.get(black, Standing()), game)
    return MappingProxyType(found)
