"""People of a site, as immutable values with injected time: no network, no database, no clock."""

from korgool.accounts.leaving import Mark, Way, kept_until
from korgool.accounts.names import AccountName, name_key, read_name
from korgool.accounts.passwords import HASHING, prepared, refused_password, too_long
from korgool.accounts.ratings import OutOfOrderError, RatedGame, Shown, Standing, counts, rate, recompute
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.speeds import Speed, speed_of

__all__ = [
    "HASHING",
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
    "prepared",
    "rate",
    "read_name",
    "recompute",
    "refused_password",
    "speed_of",
    "too_long",
]
