"""Sessions, tokens and recovery codes as rows of their tables."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Any

from sqlalchemy import delete, func, select

from korgool.accounts import Refused, Scope, Session, Token, begin_session, make_codes, make_token
from korgool.accounts.secret import CODE_BYTES, SECRET_BYTES, read_code
from korgool.accounts.sessions import CODES, IDLE_MS, LONGEST_MS
from korgool.app.server.core.principal import EndedCredentials
from korgool.app.server.people.sign_in.browsers import end_device_cookies
from korgool.app.server.people.sign_in.sign_in_log import SignInWay, note_sign_in
from korgool.app.server.people.transactions import PeopleTransactions, new_id
from korgool.app.server.storage.schema import accounts, recovery_codes, sessions, tokens

MOST_TOKENS = 20
"""Tokens of one account that are not over; one more displaces the oldest."""
MOST_SESSIONS = 50
"""The same for sessions."""


class SessionRepository:
    """Reads and writes sessions, tokens and recovery codes; all methods block."""

    def __init__(self, transactions: PeopleTransactions) -> None:
        self._transactions = transactions

    # Sessions

    def begin(
        self, account: str, device: str, now: int, *, way: SignInWay, old: bytes | None = None
    ) -> tuple[Session, str]:
        """A new session of somebody who has just given their password or passkey, and its secret.

        Args:
            account: whose.
            device: the browser as its owner recognizes it.
            now: milliseconds since 1970.
            way: what was given, for the log of sign-ins.
            old: the digest of the session that it takes the place of.
        """
        session, text = begin_session(
            new_id(), account, secrets.token_bytes(SECRET_BYTES), now, proved=True, device=device
        )
        with self._transactions.writing() as connection:
            if old is not None:
                ends = (sessions.c.digest == old.hex()) & sessions.c.ended_ms.is_(None)
                connection.execute(sessions.update().where(ends).values(ended_ms=now))
            connection.execute(sessions.insert().values(_session_row(session)))
            note_sign_in(connection, account, way, session.device, now)
            going = (sessions.c.account == account) & sessions.c.ended_ms.is_(None)
            newest = select(sessions.c.id).where(going).order_by(sessions.c.seen_ms.desc(), sessions.c.id)
            displaced = connection.scalars(newest.offset(MOST_SESSIONS)).all()
            connection.execute(sessions.update().where(sessions.c.id.in_(displaced)).values(ended_ms=now))
        return session, text

    def session(self, digest: bytes, now: int) -> Session | None:
        """The live session of a secret; its use is noted now and then."""
        with self._transactions.reading() as connection:
            row = connection.execute(select(sessions).where(sessions.c.digest == digest.hex())).one_or_none()
        if row is None or not (session := _read_session(row)).live(now):
            return None
        used = session.used(now)
        if used is not session:
            own = (sessions.c.id == used.id) & sessions.c.ended_ms.is_(None)
            with self._transactions.writing() as connection:
                connection.execute(sessions.update().where(own).values(seen_ms=used.seen))
        return used

    def prove(self, session: Session, now: int) -> Session:
        """The password or a passkey was given once more."""
        proven = session.proven(now)
        with self._transactions.writing() as connection:
            values = {"proved_ms": proven.proved, "seen_ms": proven.seen}
            connection.execute(sessions.update().where(sessions.c.id == session.id).values(values))
        return proven

    def sessions(self, account: str, now: int) -> list[Session]:
        """The live sessions of an account, the one used last first."""
        going = (sessions.c.account == account) & sessions.c.ended_ms.is_(None)
        with self._transactions.reading() as connection:
            rows = connection.execute(select(sessions).where(going).order_by(sessions.c.seen_ms.desc())).all()
        return [session for session in map(_read_session, rows) if session.live(now)]

    def end(self, account: str, now: int, *, only: str | None = None, but: str | None = None) -> int:
        """End sessions of an account: all, one, or all but one, by their ids; but for one alone, no browser is known to
        the account any more. Returns how many."""
        ends = (sessions.c.account == account) & sessions.c.ended_ms.is_(None)
        if only is not None:
            ends &= sessions.c.id == only
        if but is not None:
            ends &= sessions.c.id != but
        with self._transactions.writing() as connection:
            if only is None:
                end_device_cookies(connection, account)
            return connection.execute(sessions.update().where(ends).values(ended_ms=now)).rowcount

    # Tokens

    def make_token(
        self, account: str, now: int, *, scopes: Collection[Scope], label: str, days: int
    ) -> tuple[Token, str] | Refused:
        """A new token and its secret; it is noted among the sign-ins of the account, or of the owner of a bot."""
        made = make_token(
            new_id(), account, secrets.token_bytes(SECRET_BYTES), now, scopes=scopes, label=label, days=days
        )
        if isinstance(made, Refused):
            return made
        with self._transactions.writing() as connection:
            connection.execute(tokens.insert().values(_token_row(made[0])))
            owner = connection.scalar(select(accounts.c.owner).where(accounts.c.id == account))
            note_sign_in(connection, owner or account, SignInWay.TOKEN, "", now)
            going = (tokens.c.account == account) & tokens.c.ended_ms.is_(None) & (tokens.c.expires_ms > now)
            newest = select(tokens.c.id).where(going).order_by(tokens.c.made_ms.desc(), tokens.c.id)
            displaced = connection.scalars(newest.offset(MOST_TOKENS)).all()
            connection.execute(tokens.update().where(tokens.c.id.in_(displaced)).values(ended_ms=now))
        return made

    def token(self, digest: bytes, now: int) -> Token | None:
        """The live token of a secret."""
        with self._transactions.reading() as connection:
            row = connection.execute(select(tokens).where(tokens.c.digest == digest.hex())).one_or_none()
        return token if row is not None and (token := _read_token(row)).live(now) else None

    def tokens(self, account: str, now: int) -> list[Token]:
        """The live tokens of an account, the newest first."""
        going = (tokens.c.account == account) & tokens.c.ended_ms.is_(None)
        with self._transactions.reading() as connection:
            rows = connection.execute(select(tokens).where(going).order_by(tokens.c.made_ms.desc())).all()
        return [token for token in map(_read_token, rows) if token.live(now)]

    def end_tokens(self, account: str, now: int, only: str | None = None) -> int:
        """End the tokens of an account, or one of them by its id. Returns how many."""
        ends = (tokens.c.account == account) & tokens.c.ended_ms.is_(None)
        if only is not None:
            ends &= tokens.c.id == only
        with self._transactions.writing() as connection:
            return connection.execute(tokens.update().where(ends).values(ended_ms=now)).rowcount

    # Recovery codes

    def new_codes(self, account: str, now: int, number: int = CODES) -> tuple[str, ...]:
        """New recovery codes, which replace all old ones; `number` of them, where not all are wanted."""
        texts = make_codes(secrets.token_bytes(CODES * CODE_BYTES), now)[1][:number]
        digests = sorted(digest for text in texts if (digest := read_code(text)) is not None)
        with self._transactions.writing() as connection:
            connection.execute(delete(recovery_codes).where(recovery_codes.c.account == account))
            rows = [{"digest": digest.hex(), "account": account, "made_ms": now} for digest in digests]
            connection.execute(recovery_codes.insert(), rows)
        return texts

    def use_code(self, account: str, text: str) -> bool:
        """Use a recovery code of the account. Returns False if it is not valid."""
        digest = read_code(text)
        if digest is None:
            return False
        own = (recovery_codes.c.account == account) & (recovery_codes.c.digest == digest.hex())
        with self._transactions.writing() as connection:
            return connection.execute(delete(recovery_codes).where(own)).rowcount == 1

    def codes_left(self, account: str) -> int:
        """Number of unused recovery codes of an account."""
        with self._transactions.reading() as connection:
            return connection.scalar(select(func.count()).where(recovery_codes.c.account == account)) or 0

    # For all

    def ended(self, since: int) -> EndedCredentials:
        """The credentials that any process has ended since a time, in milliseconds since 1970."""
        with self._transactions.reading() as connection:
            of_sessions = connection.scalars(select(sessions.c.id).where(sessions.c.ended_ms >= since)).all()
            of_tokens = connection.scalars(select(tokens.c.id).where(tokens.c.ended_ms >= since)).all()
            locked = connection.scalars(select(accounts.c.id).where(accounts.c.locked_ms >= since)).all()
        return EndedCredentials(frozenset((*of_sessions, *of_tokens)), frozenset(locked))

    def forget(self, now: int) -> None:
        """Forget sessions and tokens that are over for a day."""
        day_ago = now - 86_400_000
        gone = (sessions.c.ended_ms < day_ago) | (sessions.c.seen_ms < day_ago - IDLE_MS)
        with self._transactions.writing() as connection:
            connection.execute(delete(sessions).where(gone | (sessions.c.begun_ms < day_ago - LONGEST_MS)))
            connection.execute(delete(tokens).where((tokens.c.ended_ms < day_ago) | (tokens.c.expires_ms < day_ago)))


def _session_row(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "account": session.person,
        "digest": session.digest.hex(),
        "begun_ms": session.begun,
        "seen_ms": session.seen,
        "proved_ms": session.proved,
        "device": session.device,
        "ended_ms": session.ended,
    }


def _read_session(row: Any) -> Session:
    return Session(
        row.id,
        row.account,
        bytes.fromhex(row.digest),
        row.begun_ms,
        row.seen_ms,
        row.proved_ms,
        row.device,
        row.ended_ms,
    )


def _token_row(token: Token) -> dict[str, Any]:
    return {
        "id": token.id,
        "account": token.person,
        "digest": token.digest.hex(),
        "scopes": " ".join(sorted(token.scopes)),
        "label": token.label,
        "made_ms": token.made,
        "expires_ms": token.expires,
        "ended_ms": token.ended,
    }


def _read_token(row: Any) -> Token:
    return Token(
        row.id,
        row.account,
        bytes.fromhex(row.digest),
        frozenset(map(Scope, row.scopes.split())),
        row.label,
        row.made_ms,
        row.expires_ms,
        row.ended_ms,
    )
