"""The queue of notices: whoever is away is told by every way that they have chosen, once, and without haste.

A notice is worth little and must cost little: the queue and the messages that wait for another attempt are bounded,
what does not fit is dropped, and a server that ends sends nothing more. While the database is away, notices wait in the
queue: all that one needs from it is read before anything is sent, and nothing is sent again because it could not be
noted that it was.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakValueDictionary

from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.limits.token_bucket import Rate
from korgool.app.server.notices import notice_texts
from korgool.app.server.notices.mail import Mailer, MailError, is_address
from korgool.app.server.notices.notice_repository import MailAddress, NoticeRepository
from korgool.app.server.notices.notice_texts import NoticeKind, NoticeText
from korgool.app.server.notices.push_endpoints import EndpointError
from korgool.app.server.notices.seat_links import SeatLink
from korgool.app.server.notices.subscriptions import Subscription

if TYPE_CHECKING:
    from korgool.app.server.notices.web_push import WebPush

_LOG = logging.getLogger(__name__)
MOST_WAITING = 1_000
"""Notices that wait to be sent, and messages that wait for another attempt."""
_WORKERS = 16
PAUSES = (5.0, 60.0, 600.0)
"""Seconds before another attempt; after these it is given up."""
_LONGEST_PAUSE = 3_600.0
_LONGEST_KEPT_S, _SHORTEST_KEPT_S = 14 * 86_400, 3_600
MAIL_PAUSES = (60.0, 600.0)
RATES = {
    "notice": Rate(30, "h", 30),
    "end": Rate(30, "h", 30),
    "seat": Rate(10, "h", 20),
    "seat here": Rate(60, "h", 120),
    "subscribe": Rate(20, "h", 20),
    "subscribe here": Rate(200, "h", 400),
    "mail": Rate(1, "h", 20),
    "confirm": Rate(1, "h", 3),
    "confirm here": Rate(10, "h", 50),
    "confirm all": Rate(200, "h", 200),
}
"""Notices, their ends, links to a seat and e-mails to one person; links to a seat opened from one address;
subscriptions and confirming e-mails of one person, address and network."""
_SWEEP = 10_000
DATABASE_PAUSE = 2.0
"""Seconds before the database is asked again, where it did not answer."""
Name: TypeAlias = str | Callable[[], Awaitable[str]]
"""A name, or what finds it out when it is needed."""


@dataclass(slots=True, weakref_slot=True, eq=False)
class _Notice:
    """It is somebody's turn, or something else waits for them, until `due`; without `due`, it does no longer."""

    who: str
    url: str
    opponent: Name = ""
    due: int = 0
    guest: Callable[[], bool] = bool
    text: NoticeText = notice_texts.TURN


@dataclass(frozen=True, slots=True)
class _QueuedMail:
    to: str
    subject: str
    text: str
    stop: str
    attempt: int = 0


class Notices:
    """Tells people that it is their turn, or what else has become of their games and challenges.

    Args:
        kept: who wants to be told.
        push: sends to browsers; None where that is off.
        mailer: sends e-mails; None where that is off.
        site: the address that people use, such as `https://example.org`, for the links in e-mails.
    """

    def __init__(
        self, kept: NoticeRepository, push: WebPush | None = None, mailer: Mailer | None = None, site: str = ""
    ) -> None:
        self._kept, self.push, self.mailer, self._site = kept, push, mailer, site
        self._waiting: dict[tuple[str, str], _Notice] = {}
        self._newest: WeakValueDictionary[tuple[str, str], _Notice] = WeakValueDictionary()
        self._awake = asyncio.Event()
        self._letters: asyncio.Queue[_QueuedMail] = asyncio.Queue(MOST_WAITING)
        self._tasks: set[asyncio.Task[None]] = set()
        self._retrying = 0
        self._full_at: dict[tuple[str, str], float] = {}
        self._away = False  # the database
        self.dropped = 0
        """Notices and messages that found no room."""

    def open(self) -> None:
        """Begin to send; call it on the event loop."""
        if self.push is not None or self.mailer is not None:
            for _ in range(_WORKERS):
                self._spawn(self._work())
        if self.mailer is not None:
            self._spawn(self._post())

    async def close(self) -> None:
        """Send nothing more."""
        for task in self._tasks:
            task.cancel()
        if self.mailer is not None:
            self.mailer.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def your_turn(
        self, who: str, game_url: str, opponent: Name, deadline_ms: int, *, guest: Callable[[], bool] = bool
    ) -> None:
        """Tell a person that it is their turn. It returns at once; a notice that finds no room is dropped.

        Args:
            who: the identity of the person.
            game_url: path of the game's page, such as `/games/abc`; a newer notice replaces an older one of it.
            opponent: the name of who has moved, or what finds it out; empty for somebody without a name.
            deadline_ms: when the turn ends, in milliseconds since 1970.
            guest: whether the person has no account, and so no way to their seat from another browser; it is asked
                after the name was found out.
        """
        self.tell(who, game_url, notice_texts.TURN, opponent, deadline_ms, guest=guest)

    def tell(
        self,
        who: str,
        url: str,
        text: NoticeText,
        opponent: Name,
        until_ms: int,
        *,
        guest: Callable[[], bool] = bool,
    ) -> None:
        """Tell a person something else of a game, or of a challenge. It returns at once, as `your_turn` does.

        Args:
            who: the identity of the person.
            url: path of the page that it is about; a newer notice replaces an older one of it.
            text: what it says.
            opponent: the name of the other person, as in `your_turn`.
            until_ms: until when it is worth telling, in milliseconds since 1970.
            guest: as in `your_turn`.
        """
        if self.push is not None or self.mailer is not None:
            self._queue(_Notice(who, url, opponent, until_ms, guest, text))

    def turn_over(self, who: str, game_url: str) -> None:
        """Take back the notice that it is a person's turn, from every browser that shows it. It returns at once."""
        if self.push is not None:
            self._queue(_Notice(who, game_url))

    def invitation_over(self, who: str, url: str) -> None:
        """Take back the notice of an invitation, as `turn_over` does that of a turn."""
        if self.push is not None:
            self._queue(_Notice(who, url, text=NoticeText(NoticeKind.CHALLENGE)))

    def _queue(self, notice: _Notice) -> None:
        key = notice.who, notice.url
        if key not in self._waiting and len(self._waiting) >= MOST_WAITING:
            self.dropped += 1
            return
        self._waiting[key] = self._newest[key] = notice
        self._awake.set()

    async def speak(self, who: str, language: str) -> None:
        """Tell a person in another language from now on."""
        if self.push is not None or self.mailer is not None:
            await asyncio.to_thread(self._kept.speak, who, language)

    async def seat_link(self, who: str, game: str, until_ms: int) -> str:
        """The path of a new link of one use by which a visitor goes on in another browser.

        Raises:
            RateLimitError: they have made too many.
        """
        self._spend("seat", who)
        return f"/seat/{await asyncio.to_thread(self._kept.seats.make, who, game, until_ms)}"

    async def look_at_seat(self, secret: str, caller: Caller) -> SeatLink | None:
        """The target of a link; None if it has been used or has expired.

        Raises:
            RateLimitError: too many links were opened from there.
        """
        self._spend("seat here", caller.address)
        return await asyncio.to_thread(self._kept.seats.look, secret)

    async def use_seat(self, secret: str, caller: Caller) -> SeatLink | None:
        """The same, and it opens nothing any more."""
        self._spend("seat here", caller.address)
        return await asyncio.to_thread(self._kept.seats.use, secret)

    async def subscribe(self, who: str, subscription: Subscription, caller: Caller) -> None:
        """Keep a browser of a person.

        Raises:
            ApiError: browsers are not told here, or nothing can be sent to this one.
        """
        if self.push is None:
            raise ApiError(404, errors.NO_PAGE)
        self._spend("subscribe", who)
        self._spend("subscribe here", caller.address)
        try:
            await self.push.check(subscription)
        except EndpointError as error:
            raise ApiError(422, errors.BAD_ENDPOINT) from error
        await asyncio.to_thread(self._kept.subscribe, who, subscription)

    async def unsubscribe(self, who: str, endpoint: str) -> None:
        """Forget a browser of a person."""
        await asyncio.to_thread(self._kept.unsubscribe, who, endpoint)

    async def ask_mail(self, who: str, address: str, language: str, caller: Caller, zone: str = "") -> None:
        """Send the link that confirms an address. Whether it was known before is not told.

        Raises:
            ApiError: e-mail is off, or this is no address, or there were too many.
        """
        if self.mailer is None:
            raise ApiError(404, errors.NO_PAGE)
        if not is_address(address):
            raise ApiError(422, errors.BAD_ADDRESS)
        for rate, key in (("confirm", who), ("confirm", address.lower()), ("confirm here", caller.address)):
            self._spend(rate, key)
        self._spend("confirm all", "")
        token = await asyncio.to_thread(self._kept.ask_mail, who, address, language, zone)
        if token is not None:
            subject, text = notice_texts.confirm_text(language, self._site, f"{self._site}/mail/confirm/{token}")
            self._queue_mail(_QueuedMail(address, subject, text, self._stop(token)))

    async def confirm_mail(self, token: str) -> bool:
        """Return whether the link confirms an address."""
        return await asyncio.to_thread(self._kept.confirm_mail, token)

    async def end_mail(self, token: str) -> None:
        """Send nothing more to the address of a link."""
        await asyncio.to_thread(self._kept.end_mail, token)

    def _spend(self, rate: str, key: str) -> None:
        wait = self._wait(rate, key)
        if wait:
            raise RateLimitError(errors.TOO_MANY_REQUESTS, wait, seconds=round(wait) + 1)

    def _wait(self, rate: str, key: str) -> float:
        now = time.monotonic()
        if len(self._full_at) > _SWEEP:
            self._full_at = {one: full_at for one, full_at in self._full_at.items() if full_at > now}
        self._full_at[rate, key], wait = RATES[rate].spend(self._full_at.get((rate, key), now), now)
        return wait

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _stop(self, token: str) -> str:
        return f"{self._site}/mail/stop/{token}"

    async def _work(self) -> None:
        while True:
            while not self._waiting:
                self._awake.clear()
                await self._awake.wait()
            notice = self._waiting.pop(next(iter(self._waiting)))
            try:
                await self._deliver(notice)
            except SQLAlchemyError as error:
                if not self._away:
                    _LOG.warning("notices wait for the database: %s", " ".join(str(error).split())[:200])
                self._away = True
                self._waiting.setdefault((notice.who, notice.url), notice)
                await asyncio.sleep(DATABASE_PAUSE)
            except Exception:
                _LOG.exception("a notice could not be sent")

    async def _deliver(self, notice: _Notice) -> None:
        """Read all that is needed, and only then send.

        Raises:
            SQLAlchemyError: the database does not answer; nothing is sent.
        """
        if notice.due and notice.due <= now_ms():
            return
        browsers, address = await asyncio.to_thread(self._channels, notice.who)
        self._away = False
        if not notice.due:
            address = None
        if not browsers and address is None:
            return
        if not isinstance(notice.opponent, str):
            notice.opponent = await notice.opponent()
        if self._wait("notice" if notice.due else "end", notice.who):
            return
        letter = None if address is None or self._wait("mail", notice.who) else await self._queued_mail(address, notice)
        for subscription in browsers:
            assert self.push is not None
            await self._send(self.push, subscription, notice, 0)
        if letter is not None:
            self._queue_mail(letter)

    def _channels(self, who: str) -> tuple[list[Subscription], MailAddress | None]:
        """The browsers and the address of a person. It blocks."""
        browsers = [] if self.push is None else self._kept.subscriptions(who)
        return browsers, None if self.mailer is None else self._kept.mail(who)

    async def _note(self, note: Callable[[], object]) -> None:
        """Note in the database what has become of a message that was sent, if it answers."""
        try:
            await asyncio.to_thread(note)
        except SQLAlchemyError as error:
            _LOG.warning("what became of a message is not noted: %s", " ".join(str(error).split())[:200])

    async def _send(self, push: WebPush, subscription: Subscription, notice: _Notice, attempt: int) -> None:
        left = (notice.due - now_ms()) / 1000 if notice.due else _LONGEST_KEPT_S
        if left <= 0 or self._newest.get((notice.who, notice.url)) is not notice:
            return
        if notice.due:
            text = notice_texts.push_text(subscription.language, _name(notice), notice.url, notice.due, notice.text)
        else:
            text = notice_texts.over_text(subscription.language, notice.url, notice.text)
        kept = round(min(_LONGEST_KEPT_S, max(_SHORTEST_KEPT_S, left)))
        topic = base64.urlsafe_b64encode(hashlib.sha256(notice.url.encode()).digest()[:24]).decode()
        try:
            answer = await push.send(subscription, text, kept, topic)
        except EndpointError:
            await self._note(partial(self._kept.count, subscription.endpoint, arrived=False))
            return
        if answer.gone:
            await self._note(partial(self._kept.forget, subscription.endpoint))
        elif answer.done or not answer.later or attempt == len(PAUSES):
            await self._note(partial(self._kept.count, subscription.endpoint, arrived=answer.done))
        elif self._retrying >= MOST_WAITING:
            self.dropped += 1
        else:
            pause = max(PAUSES[attempt], min(_LONGEST_PAUSE, answer.wait or 0.0))
            self._retrying += 1
            self._spawn(self._retry(push, subscription, notice, attempt + 1, pause))

    async def _retry(
        self, push: WebPush, subscription: Subscription, notice: _Notice, attempt: int, pause: float
    ) -> None:
        try:
            await asyncio.sleep(pause)
        finally:
            self._retrying -= 1
        await self._send(push, subscription, notice, attempt)

    async def _queued_mail(self, address: MailAddress, notice: _Notice) -> _QueuedMail:
        stop = self._stop(address.token)
        link, seat = self._site + notice.url, ""
        if notice.guest() and notice.url.startswith("/games/"):
            game, until = notice.url.rpartition("/")[2], min(notice.due, now_ms() + 1000 * _LONGEST_KEPT_S)
            seat = f"{self._site}/seat/{await asyncio.to_thread(self._kept.seats.make, notice.who, game, until)}"
        name, due = _name(notice), notice.due
        subject, text = notice_texts.mail_text(
            address.language, name, link, due, stop, zone=address.zone, seat=seat, said=notice.text
        )
        return _QueuedMail(address.address, subject, text, stop)

    def _queue_mail(self, letter: _QueuedMail) -> None:
        try:
            self._letters.put_nowait(letter)
        except asyncio.QueueFull:
            self.dropped += 1

    async def _post(self) -> None:
        """Send the letters, one after the other."""
        assert self.mailer is not None
        while True:
            letter = await self._letters.get()
            try:
                await self.mailer.send(letter.to, letter.subject, letter.text, letter.stop)
            except MailError as error:
                _LOG.warning("an e-mail was not sent: %s", error)
                if error.forever:
                    await self._note(partial(self._kept.end_mail, letter.stop.rpartition("/")[2]))
                elif letter.attempt < len(MAIL_PAUSES) and self._retrying < MOST_WAITING:
                    self._retrying += 1
                    self._spawn(self._retry_mail(replace(letter, attempt=letter.attempt + 1)))
            except Exception:
                _LOG.exception("an e-mail could not be sent")

    async def _retry_mail(self, letter: _QueuedMail) -> None:
        try:
            await asyncio.sleep(MAIL_PAUSES[letter.attempt - 1])
        finally:
            self._retrying -= 1
        self._queue_mail(letter)


def _name(notice: _Notice) -> str:
    assert isinstance(notice.opponent, str), "it was found out before anything was sent"
    return notice.opponent
