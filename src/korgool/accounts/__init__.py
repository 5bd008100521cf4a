"""People of a site, as immutable values with injected time: no network, no database, no clock."""

from korgool.accounts.leaving import Mark, Way, kept_until
from korgool.accounts.ratings import OutOfOrderError, RatedGame, Shown, Standing, counts, rate, recompute
from korgool.accounts.speeds import Speed, speed_of

__all__ = [
    "Mark",
    "OutOfOrderError",
    "RatedGame",
    "Shown",
    "Speed",
    "Standing",
    "Way",
    "counts",
    "kept_until",
    "rate",
    "recompute",
    "speed_of",
]
