"""Roles at an event: given to accounts, or for its days to the holder of a link or a code.

A link holds 18 random bytes, a code eight digits; of both only digests are stored. A code could be found from its
digest by trying all of them, so its digest takes as long as that of a password and holds a key of the event, and wrong
codes are counted by event and by address as wrong passwords are. Looking at a link uses nothing up.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from sqlalchemy.exc import IntegrityError

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.event_repository import GivenRole
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.limits import Caller, RateLimiter, ServiceLimits
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.checks import count_change
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
    """A new role with its token and code, which are shown only once; both are empty for an account."""

    given: GivenRole
    token: str = ""
    code: str = ""


@dataclass(frozen=True, slots=True)
class NewHelper:
    """A role to be given.

    Attributes:
        role: which.
        boards: the first and the last board that it is confined to.
        until: when it ends, in UTC such as `2026-09-14T18:00:00Z`; by default with the last day of the event.
        name: what the log calls them; by default they say it themselves.
        account: the name of an account that gets the role, instead of a link and a code.
    """

    role: DeskRole
    boards: tuple[int, int] | None = None
    until: str | None = None
    name: str = ""
    account: str | None = None


class HelperRoles:
    """The roles of all events. Its methods are called on the event loop.

    Args:
        storage: the database.
        events: the events, with the rows of their roles.
        accounts: finds accounts by name.
        rate_limiter: counts the roles that are given.
        limits: how often a code may be guessed.
    """

    def __init__(
        self,
        storage: Storage,
        events: EventRegistry,
        accounts: AccountRepository,
        rate_limiter: RateLimiter,
        limits: ServiceLimits,
    ) -> None:
        self._events = events
        self._repository = events.repository
        self._accounts = accounts
        self._rate_limiter = rate_limiter
        self._limits = limits
        self._attempts = LoginAttempts(PeopleTransactions(storage.engine))

    async def give(self, caller: Caller, event: LiveEvent, by: Officer, new: NewHelper) -> Invitation:
        """Give a role, to an account or to the holder of the link or the code of the answer.

        Raises:
            RateLimitError: the caller has given too many.
            ApiError: `by` may not give it, or there is no such account.
            CompetitionError: the role cannot be given so, or ends too late.
        """
        count_change(self._rate_limiter, caller)
        settings = event.state.event
        return await self._events.in_thread(lambda: self._give(event.event_id, settings, by, new))

    async def end(self, event: str, by: Officer, id_: str) -> bool:
        """End a role at once; returns whether it had not ended before.

        Raises:
            ApiError: `by` may not, or it is the last organiser's.
        """
        return await self._events.in_thread(lambda: self._end(event, by, id_))

    async def roles(self, event: str) -> Sequence[GivenRole]:
        """All roles of an event, also those that have ended, the oldest first."""
        return await self._events.in_thread(lambda: self._repository.roles(event))

    async def by_link(self, event: str, token: str) -> GivenRole | None:
        """The role of a link; None if there is no such role, or it has ended."""
        return await self._events.in_thread(lambda: self._repository.opened(event, link=link_digest(token)))

    async def by_code(self, event: str, code: str, address: str) -> GivenRole | None:
        """The role of a code, however it is typed.

        Raises:
            RateLimitError: codes of this event, or from this address, were guessed too often.
        """
        return await self._events.in_thread(lambda: self._by_code(event, code, address))

    def _give(self, event: str, settings: Settings, by: Officer, new: NewHelper) -> Invitation:
        boards = None if new.boards is None else Boards(*new.boards)
        if new.account is not None:
            account = self._accounts.by_name(new.account)
            if account is None:
                raise ApiError(404, errors.NO_PLAYER)
            person = account.person
            self._check(event, by, new.role, boards)
            officer = Officer(person.id, new.name or person.name, new.role, boards)
            return Invitation(self._repository.give(event, officer, account=person.id))
        now = now_ms()
        until_ms = usual_end_ms(settings, now) if new.until is None else _moment(new.until)
        self._check(event, by, new.role, boards)
        if new.role is DeskRole.ORGANISER:
            raise CompetitionError(N_("the organiser has an account"))
        if not now < until_ms <= now + LONGEST_DAYS * DAY_MS:
            raise CompetitionError(N_("a role by link ends within {days} days from now"), days=LONGEST_DAYS)
        officer = Officer("", tidy_name(new.name), new.role, boards)
        while True:
            token = secrets.token_urlsafe(_TOKEN_BYTES)
            code = new_code()
            digests = {"link": link_digest(token), "code": self._code(event, code)}
            try:
                given = self._repository.give(event, officer, **digests, until_ms=until_ms)
            except IntegrityError:  # another role has this code
                continue
            return Invitation(given, token, code)

    def _end(self, event: str, by: Officer, id_: str) -> bool:
        going = [role for role in self._repository.roles(event) if role.going]
        ended = next((role for role in going if role.id == id_), None)
        if ended is None:
            return False
        self._check(event, by, ended.officer.role, None, ending=True)
        organisers = [role for role in going if role.officer.role is DeskRole.ORGANISER]
        if organisers == [ended]:
            raise ApiError(403, errors.NO_ROLE)
        return self._repository.end(event, id_)

    def _by_code(self, event: str, code: str, address: str) -> GivenRole | None:
        subjects = {f"desk {event}": self._limits.address_guesses, f"desk from {address}": self._limits.name_guesses}
        wait = self._attempts.count(subjects, now_ms())
        if wait:
            raise RateLimitError(errors.TOO_MANY_CODES, wait / 1000)
        digits = "".join(sign for sign in code if sign.isdecimal() and sign.isascii())
        if len(digits) != _CODE_DIGITS:
            return None
        given = self._repository.opened(event, code=self._code(event, digits))
        if given is not None:
            target, *others = subjects
            self._attempts.right(target, others)
        return given

    def _check(self, event: str, by: Officer, role: DeskRole, boards: Boards | None, *, ending: bool = False) -> None:
        if not POWERS[by.role].helpers or (role is DeskRole.ORGANISER and by.role is not role):
            raise ApiError(403, errors.NO_ROLE)
        if ending:
            return
        if boards is not None and role not in (DeskRole.SECTOR, DeskRole.RESULTS):
            raise CompetitionError(N_("this role is not confined to boards"))
        if boards is None and role is DeskRole.SECTOR:
            raise CompetitionError(N_("a referee of a sector has a range of boards"))
        if sum(given.going for given in self._repository.roles(event)) >= MOST_ROLES:
            raise CompetitionError(N_("an event has at most {most} roles at a time"), most=MOST_ROLES)

    def _code(self, event: str, code: str) -> str:
        return code_digest(self._events.leads.secret(event), code)


def last_day_over_ms(settings: Settings) -> int | None:
    """The end of the last day of an event, in milliseconds since 1970; None if no day is known.

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
    """The default end of a role by link: with the event's last day, and at the latest after 60 days.

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


def new_code() -> str:
    """A code of eight digits."""
    return f"{secrets.randbelow(10**_CODE_DIGITS):0{_CODE_DIGITS}d}"


def code_digest(key: bytes, code: str) -> str:
    """The digest of a code that is stored, by the key of its event."""
    return hashlib.scrypt(code.encode(), salt=key, n=2**13, r=8, p=1, dklen=32).hex()


def link_digest(token: str) -> str:
    """The digest of the token of a link that is stored."""
    return digest_of("event link", token)


def _moment(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise CompetitionError(f"until: {text[:40]!r} is no time such as 2026-09-14T18:00:00Z") from None
    return round((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() * 1000)
