"""People of a site, as immutable values with injected time: no network, no database, no clock."""

from korgool.accounts.leaving import Mark, Way, kept_until
from korgool.accounts.names import AccountName, name_key, read_name
from korgool.accounts.ratings import OutOfOrderError, RatedGame, Shown, Standing, counts, rate, recompute
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.speeds import Speed, speed_of

__all__ = [
    "AccountName",
    "Mark",
    "OutOfOrderError",
    "RatedGame",
    "Refused",
    "RefusedKind",
    "Shown",
    "Speed",
    "Standing",
    "Way",
    "counts",
    "kept_until",
    "name_key",
    "rate",
    "read_name",
    "recompute",
    "speed_of",
]
