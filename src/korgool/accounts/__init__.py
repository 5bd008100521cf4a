"""People of a site, as immutable values with injected time: no network, no database, no clock."""

from korgool.accounts.leaving import Mark, Way, kept_until
from korgool.accounts.names import AccountName, name_key, read_name
from korgool.accounts.passwords import HASHING, prepared, refused_password, too_long
from korgool.accounts.ratings import OutOfOrderError, RatedGame, Shown, Standing, counts, rate, recompute
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.scopes import Scope
from korgool.accounts.secret import SecretKind, read_secret
from korgool.accounts.sessions import RecoveryCodes, Session, Token, begin_session, make_codes, make_token
from korgool.accounts.speeds import Speed, speed_of

__all__ = [
    "HASHING",
    "AccountName",
    "Mark",
    "OutOfOrderError",
    "RatedGame",
    "RecoveryCodes",
    "Refused",
    "RefusedKind",
    "Scope",
    "SecretKind",
    "Session",
    "Shown",
    "Speed",
    "Standing",
    "Token",
    "Way",
    "begin_session",
    "counts",
    "kept_until",
    "make_codes",
    "make_token",
    "name_key",
    "prepared",
    "rate",
    "read_name",
    "read_secret",
    "recompute",
    "refused_password",
    "speed_of",
    "too_long",
]
