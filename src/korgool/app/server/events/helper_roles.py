"""Roles at an event: given to accounts, or for its days to whoever has a link or a code.

A link holds 18 random bytes, a code eight digits; of both only digests are stored. A code could be found from its
digest by trying all of them, so its digest takes as long as that of a password and holds a key of the site, and wrong
codes are counted by event and by address as wrong passwords are. Looking at a link uses nothing up.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from sqlalchemy.exc import IntegrityError

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.event_repository import EventRepository, GivenRole
from korgool.app.server.limits import ServiceLimits
from korgool.app.server.people.sign_in.login_attempts import LoginAttempts
from korgool.app.server.people.transactions import PeopleTransactions, digest_of
from korgool.app.server.storage.database import Storage
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.roles import POWERS, Boards, DeskRole, Officer
from korgool.languages import N_

LONGEST_DAYS = 60
USUAL_DAYS = 3
MOST_ROLES = 200
"""Most roles of one event that have not ended."""
_TOKEN_BYTES, _CODE_DIGITS = 18, 8
_LONGEST_NAME = 60
DAY_MS = 86_400_000
_FARTHEST_WEST = timezone(timedelta(hours=-12))


@dataclass(frozen=True, slots=True)
class Invitation:
    """A role as it was given; the token and the code are told this once, and empty where it went to an account."""

    given: GivenRole
    token: str = ""
    code: str = ""


class HelperRoles:
    """The roles of all events. Methods block.

    Args:
        storage: the database.
        shelf: the rows of roles.
        limits: how often one may guess.
    """

    def __init__(self, storage: Storage, shelf: EventRepository, limits: ServiceLimits) -> None:
        self._shelf = shelf
        self._limits = limits
        self._guesses = LoginAttempts(PeopleTransactions(storage.engine))
        self._key = storage.secret()

    def invite(
        self, competition: str, by: Officer, role: DeskRole, *, boards: Boards | None, name: str, until_ms: int
    ) -> Invitation:
        """Give a role to whoever has the link or the code that come of it.

        Args:
            competition: the event.
            by: who gives it.
            role: the role.
            boards: the boards that it is confined to.
            name: what the log calls them; empty where they say it themselves.
            until_ms: when it ends, since 1970, UTC.

        Raises:
            ApiError: `by` may not give it.
            CompetitionError: it is a role for an account, or ends too late.
        """
        self._check(competition, by, role, boards)
        if role is DeskRole.ORGANISER:
            raise CompetitionError(N_("the organiser has an account"))
        now = now_ms()
        if not now < until_ms <= now + LONGEST_DAYS * DAY_MS:
            raise CompetitionError(N_("a role by link ends within {days} days from now"), days=LONGEST_DAYS)
        officer = Officer("", tidy_name(name), role, boards)
        while True:
            token = secrets.token_urlsafe(_TOKEN_BYTES)
            code = f"{secrets.randbelow(10**_CODE_DIGITS):0{_CODE_DIGITS}d}"
            try:
                given = self._shelf.give(
                    competition, officer, link=_link(token), code=self._code(competition, code), until_ms=until_ms
                )
            except IntegrityError:  # another role has this code
                continue
            return Invitation(given, token, code)

    def give(
        self, competition: str, by: Officer, role: DeskRole, account: str, name: str, boards: Boards | None
    ) -> GivenRole:
        """Give a role to an account, by its identity and name; errors as for `invite`."""
        self._check(competition, by, role, boards)
        return self._shelf.give(competition, Officer(account, name, role, boards), account=account)

    def end(self, competition: str, by: Officer, id_: str) -> bool:
        """End a role at once; whether it went on until now.

        Raises:
            ApiError: `by` may not, or it is the last organiser's.
        """
        going = [one for one in self._shelf.roles(competition) if one.going]
        found = next((one for one in going if one.id == id_), None)
        if found is None:
            return False
        self._check(competition, by, found.officer.role, None, ending=True)
        organisers = [one for one in going if one.officer.role is DeskRole.ORGANISER]
        if organisers == [found]:
            raise ApiError(403, errors.NO_ROLE)
        return self._shelf.end(competition, id_)

    def by_link(self, competition: str, token: str) -> GivenRole | None:
        """The role of a link; None where there is none, or it has ended."""
        return self._shelf.opened(competition, link=_link(token))

    def by_code(self, competition: str, code: str, address: str) -> GivenRole | None:
        """The role of a code, however it is typed.

        Raises:
            RateLimitError: somebody has guessed too often, at this event or from this address.
        """
        subjects = {
            f"desk {competition}": self._limits.address_guesses,
            f"desk from {address}": self._limits.name_guesses,
        }
        wait = self._guesses.count(subjects, now_ms())
        if wait:
            raise RateLimitError(errors.TOO_MANY_CODES, wait / 1000)
        digits = "".join(sign for sign in code if sign.isdecimal() and sign.isascii())
        if len(digits) != _CODE_DIGITS:
            return None
        found = self._shelf.opened(competition, code=self._code(competition, digits))
        if found is not None:
            target, *others = subjects
            self._guesses.right(target, others)
        return found

    def _check(
        self, competition: str, by: Officer, role: DeskRole, boards: Boards | None, *, ending: bool = False
    ) -> None:
        if not POWERS[by.role].helpers or (role is DeskRole.ORGANISER and by.role is not role):
            raise ApiError(403, errors.NO_ROLE)
        if ending:
            return
        if boards is not None and role not in (DeskRole.SECTOR, DeskRole.RESULTS):
            raise CompetitionError(N_("this role is not confined to boards"))
        if boards is None and role is DeskRole.SECTOR:
            raise CompetitionError(N_("an arbiter of a sector has a range of boards"))
        if sum(one.going for one in self._shelf.roles(competition)) >= MOST_ROLES:
            raise CompetitionError(N_("an event has at most {most} roles at a time"), most=MOST_ROLES)

    def _code(self, competition: str, code: str) -> str:
        salt = hashlib.sha256(f"{self._key} {competition}".encode()).digest()
        return hashlib.scrypt(code.encode(), salt=salt, n=2**13, r=8, p=1, dklen=32).hex()


def last_day_over_ms(settings: Settings) -> int | None:
    """When the last day of an event is over, since 1970; None where no day is known.

    The day is that of the regulations, otherwise that of the last round of the timetable, otherwise the first day. It
    is over by the clocks of the event's zone, or where that is not known by the clocks of the farthest west.
    """
    planned = max((one.begins[:10] for one in settings.timetable), default="")
    for text in (settings.ends, planned, settings.begins):
        try:
            day = date.fromisoformat(text)
        except ValueError:
            continue
        try:
            zone: tzinfo = ZoneInfo(settings.zone)
        except (LookupError, ValueError, OSError):
            zone = _FARTHEST_WEST
        over = datetime.combine(min(day, date.max - timedelta(days=2)) + timedelta(days=1), time(), zone)
        return round(over.timestamp() * 1000)
    return None


def usual_end_ms(settings: Settings, now: int) -> int:
    """When a role by link ends if nothing else is said: with the event's last day, and at the latest after 60 days.

    Where that day is over or not known, after three days.
    """
    over = last_day_over_ms(settings)
    if over is None or over <= now:
        return now + USUAL_DAYS * DAY_MS
    return min(over, now + LONGEST_DAYS * DAY_MS)


def tidy_name(name: str) -> str:
    """The name of an official with single blanks.

    Raises:
        CompetitionError: it is too long, or holds signs that cannot be seen.
    """
    tidy = " ".join(name.split())
    if len(tidy) > _LONGEST_NAME or not tidy.isprintable():
        raise CompetitionError(N_("a name has at most {most} letters that can be seen"), most=_LONGEST_NAME)
    return tidy


def _link(token: str) -> str:
    return digest_of("event link", token)
