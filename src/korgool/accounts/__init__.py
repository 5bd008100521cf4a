"""Accounts of a site as immutable values with injected time: no network, no database, no clock.

Every interface of a server asks `refusal` for permission. Functions that need chance are passed random bytes.
"""

from korgool.accounts.children import Consent, SeenName, consent, read_short_name, seen_name
from korgool.accounts.leaving import Mark, Way, kept_until
from korgool.accounts.names import AccountName, name_key, read_name
from korgool.accounts.passwords import HASHING, prepared, refused_password, too_long
from korgool.accounts.people import Person, PersonKind
from korgool.accounts.ratings import OutOfOrderError, RatedGame, Shown, Standing, counts, rate, recompute
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.rights import RULES, Action, Actor, Thing, refusal
from korgool.accounts.scopes import Scope
from korgool.accounts.secret import SecretKind, read_secret
from korgool.accounts.sessions import RecoveryCodes, Session, Token, begin_session, make_codes, make_token
from korgool.accounts.speeds import Speed, speed_of

__all__ = [
    "HASHING",
    "RULES",
    "AccountName",
    "Action",
    "Actor",
    "Consent",
    "Mark",
    "OutOfOrderError",
    "Person",
    "PersonKind",
    "RatedGame",
    "RecoveryCodes",
    "Refused",
    "RefusedKind",
    "Scope",
    "SecretKind",
    "SeenName",
    "Session",
    "Shown",
    "Speed",
    "Standing",
    "Thing",
    "Token",
    "Way",
    "begin_session",
    "consent",
    "counts",
    "kept_until",
    "make_codes",
    "make_token",
    "name_key",
    "prepared",
    "rate",
    "read_name",
    "read_secret",
    "read_short_name",
    "recompute",
    "refusal",
    "refused_password",
    "seen_name",
    "speed_of",
    "too_long",
]
