"""Subscriptions and e-mail addresses of people who want notices, in the database. All functions block."""

from __future__ import annotations

import hashlib
import secrets as randomness
from dataclasses import dataclass

from sqlalchemy import Engine, delete, select, update

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.notices.notice_texts import known_zone
from korgool.app.server.notices.seat_links import SeatLinks
from korgool.app.server.notices.subscriptions import Subscription
from korgool.app.server.storage.database import stored_secret
from korgool.app.server.storage.schema import mail_addresses, push_subscriptions

MOST_SUBSCRIPTIONS = 5
"""Browsers of one person; a new one displaces the oldest."""
MOST_FAILURES = 5
"""Messages in a row that a subscription may miss before it is forgotten."""
LINK_MS = 2 * 86_400_000
"""Milliseconds for which the link that confirms an address can be used."""


@dataclass(frozen=True, slots=True)
class MailAddress:
    """A person's address; `token` stands in the links that end the messages."""

    address: str
    language: str
    token: str
    zone: str = ""


class NoticeRepository:
    """The stored wishes of all people.

    Args:
        engine: the database.

    Attributes:
        seats: the links that bring somebody without an account to another browser.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self.seats = SeatLinks(engine)

    def push_key(self) -> str:
        """The private key of this server's messages, made on first use."""
        from korgool.app.server.notices.web_push import new_key

        return stored_secret(self._engine, "push", new_key)

    def subscribe(self, who: str, subscription: Subscription) -> None:
        """Keep a subscription. A browser belongs to whoever subscribed last with it."""
        values = {
            "who": who,
            "endpoint": subscription.endpoint,
            "p256dh": subscription.p256dh,
            "auth": subscription.auth,
            "language": subscription.language,
            "made_ms": now_ms(),
            "failures": 0,
        }
        table, name = push_subscriptions, _name(subscription.endpoint)
        with self._engine.begin() as connection:
            connection.execute(delete(table).where(table.c.id == name))
            connection.execute(table.insert().values(id=name, **values))
            of_who = select(table.c.id).where(table.c.who == who).order_by(table.c.made_ms.desc(), table.c.id)
            old = connection.scalars(of_who.offset(MOST_SUBSCRIPTIONS)).all()
            connection.execute(delete(table).where(table.c.id.in_(old)))

    def unsubscribe(self, who: str, endpoint: str) -> None:
        """Forget a subscription of this person."""
        table = push_subscriptions
        with self._engine.begin() as connection:
            connection.execute(delete(table).where((table.c.id == _name(endpoint)) & (table.c.who == who)))

    def subscriptions(self, who: str) -> list[Subscription]:
        """The browsers of a person."""
        table = push_subscriptions
        columns = table.c.endpoint, table.c.p256dh, table.c.auth, table.c.language
        with self._engine.begin() as connection:
            return [Subscription(*row) for row in connection.execute(select(*columns).where(table.c.who == who))]

    def forget(self, endpoint: str) -> None:
        """Forget a subscription that does not exist any more."""
        with self._engine.begin() as connection:
            connection.execute(delete(push_subscriptions).where(push_subscriptions.c.id == _name(endpoint)))

    def count(self, endpoint: str, *, arrived: bool) -> None:
        """Note whether a message arrived; a subscription that misses too many in a row is forgotten."""
        table = push_subscriptions
        one = table.c.id == _name(endpoint)
        with self._engine.begin() as connection:
            connection.execute(update(table).where(one).values(failures=0 if arrived else table.c.failures + 1))
            connection.execute(delete(table).where(one & (table.c.failures >= MOST_FAILURES)))

    def speak(self, who: str, language: str) -> None:
        """Tell a person in another language from now on."""
        with self._engine.begin() as connection:
            for table in (push_subscriptions, mail_addresses):
                other = (table.c.who == who) & (table.c.language != language)
                connection.execute(update(table).where(other).values(language=language))

    def ask_mail(self, who: str, address: str, language: str, zone: str = "") -> str | None:
        """Note the address of a person, which replaces an older one, and their time zone if this machine knows it.

        Returns:
            The token of the link that confirms it; None if this address is confirmed already.
        """
        table = mail_addresses
        token = randomness.token_urlsafe(32)
        with self._engine.begin() as connection:
            known = connection.execute(select(table).where(table.c.who == who)).one_or_none()
            if known is not None and known.address == address and known.confirmed_ms is not None:
                mine = {"language": language, "zone": known_zone(zone) or known.zone}
                connection.execute(update(table).where(table.c.who == who).values(mine))
                return None
            connection.execute(delete(table).where(table.c.who == who))
            asked = {"who": who, "address": address, "language": language, "token": token, "zone": known_zone(zone)}
            connection.execute(table.insert().values(**asked, asked_ms=now_ms()))
        return token

    def confirm_mail(self, token: str) -> bool:
        """Return whether the link confirms an address, now or before; an old link does not."""
        table, now = mail_addresses, now_ms()
        one = table.c.token == token
        with self._engine.begin() as connection:
            fresh = one & table.c.confirmed_ms.is_(None) & (table.c.asked_ms > now - LINK_MS)
            connection.execute(update(table).where(fresh).values(confirmed_ms=now))
            confirmed = select(table.c.who).where(one & table.c.confirmed_ms.is_not(None))
            return connection.scalar(confirmed) is not None

    def end_mail(self, token: str) -> None:
        """Forget the address that a link belongs to."""
        with self._engine.begin() as connection:
            connection.execute(delete(mail_addresses).where(mail_addresses.c.token == token))

    def mail(self, who: str) -> MailAddress | None:
        """The confirmed address of a person."""
        table = mail_addresses
        columns = table.c.address, table.c.language, table.c.token, table.c.zone
        wanted = select(*columns).where((table.c.who == who) & table.c.confirmed_ms.is_not(None))
        with self._engine.begin() as connection:
            row = connection.execute(wanted).one_or_none()
        return None if row is None else MailAddress(*row)


def _name(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()
