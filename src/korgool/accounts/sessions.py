"""Sessions, tokens and recovery codes as they are stored: with hashes, ends and scopes, and without any secret."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace

from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.scopes import Scope
from korgool.accounts.secret import (
    CODE_BYTES,
    SecretKind,
    code_text,
    read_code,
    read_secret,
    secret_text,
)

_MINUTE_MS, _DAY_MS = 60_000, 86_400_000
IDLE_MS = 60 * _DAY_MS
"""Idle time after which a session expires: a club meets again after the summer."""
LONGEST_MS = 365 * _DAY_MS
"""A session is over after this time, however much it is used."""
SEEN_EVERY_MS = 10 * _MINUTE_MS
"""Shortest time between two updates of the last use in storage."""
PROOF_MS = 10 * _MINUTE_MS
"""Time after signing in within which changes to the account's protection need no new proof."""
MOST_TOKEN_DAYS = 365
MOST_LABEL = 60
CODES = 8
"""Recovery codes of an account."""


@dataclass(frozen=True, slots=True)
class Session:
    """Session of one browser that is signed in.

    Attributes:
        id: how lists and ends name it; it opens nothing.
        person: the identity of the account or the visitor.
        digest: the hash of its secret.
        begun: when it began, milliseconds since 1970.
        seen: when it was last used.
        proved: when a password or a passkey was last given in it; 0 for never, as with visitors.
        device: what the owner recognizes it by in the list, such as the name of the browser.
        ended: when it was ended by hand, None for never.
    """

    id: str
    person: str
    digest: bytes
    begun: int
    seen: int
    proved: int = 0
    device: str = ""
    ended: int | None = None

    @property
    def expires(self) -> int:
        """Time at which it expires if it is not used again."""
        return min(self.seen + IDLE_MS, self.begun + LONGEST_MS)

    def live(self, now: int) -> bool:
        """Return whether the session is valid. One that was ended stays ended, whatever another host's clock says."""
        return self.ended is None and now < self.expires

    def fresh(self, now: int) -> bool:
        """Return whether a password or a passkey was given a moment ago."""
        return self.live(now) and self.proved > 0 and now < self.proved + PROOF_MS

    def used(self, now: int) -> Session:
        """After a use: the same session where the last one was stored a moment ago, so that nothing is written."""
        return replace(self, seen=now) if now >= self.seen + SEEN_EVERY_MS else self

    def proven(self, now: int) -> Session:
        """After the password or a passkey was given once more."""
        return replace(self, proved=now, seen=max(self.seen, now))

    def end(self, now: int) -> Session:
        """Ended by its owner, by the operator, or because the password was changed. The first end counts."""
        return self if self.ended is not None else replace(self, ended=now)


def begin_session(
    id_: str, person: str, random: bytes, now: int, *, proved: bool, device: str = ""
) -> tuple[Session, str]:
    """Begin a session; return it with the secret that the browser keeps. Signing in ends the browser's former session.

    Args:
        id_: its identity, random too.
        person: who is signed in.
        random: `korgool.accounts.secret.SECRET_BYTES` bytes from the system's source of secrets.
        now: milliseconds since 1970.
        proved: whether a password or a passkey was given.
        device: what the owner recognizes it by; 100 characters are kept.
    """
    text = secret_text(SecretKind.SESSION, random)
    return Session(id_, person, _digest(text), now, now, now if proved else 0, device[:100]), text


@dataclass(frozen=True, slots=True)
class Token:
    """Token with which a program acts in the name of its owner.

    Attributes:
        id: how lists and ends name it; it opens nothing.
        person: the identity of its owner.
        digest: the hash of its secret.
        scopes: what it may do.
        label: what the owner calls it.
        made: when, milliseconds since 1970.
        expires: when it is over.
        ended: when it was ended by hand, None for never.
    """

    id: str
    person: str
    digest: bytes
    scopes: frozenset[Scope]
    label: str
    made: int
    expires: int
    ended: int | None = None

    def live(self, now: int) -> bool:
        """Return whether the token is valid at a time."""
        return self.ended is None and now < self.expires

    def end(self, now: int) -> Token:
        """Ended by its owner or by the operator. The first end counts."""
        return self if self.ended is not None else replace(self, ended=now)


def make_token(
    id_: str, person: str, random: bytes, now: int, *, scopes: Collection[Scope], label: str, days: int
) -> tuple[Token, str] | Refused:
    """A new token, and its secret, which is shown once.

    Args:
        id_: its identity.
        person: its owner.
        random: `korgool.accounts.secret.SECRET_BYTES` bytes from the system's source of secrets.
        now: milliseconds since 1970.
        scopes: what it may do, at least one.
        label: what the owner calls it.
        days: how long it lasts.
    """
    if not scopes:
        return Refused(RefusedKind.TOKEN_SCOPES)
    if not label.strip() or len(label) > MOST_LABEL or not label.isprintable():
        return Refused(RefusedKind.TOKEN_LABEL, {"most": MOST_LABEL})
    if not 1 <= days <= MOST_TOKEN_DAYS:
        return Refused(RefusedKind.TOKEN_DAYS, {"most": MOST_TOKEN_DAYS})
    text = secret_text(SecretKind.TOKEN, random)
    made = Token(id_, person, _digest(text), frozenset(scopes), label.strip(), now, now + days * _DAY_MS)
    return made, text


def _digest(text: str) -> bytes:
    found = read_secret(text)
    assert found is not None
    return found[1]


@dataclass(frozen=True, slots=True)
class RecoveryCodes:
    """The unused recovery codes of an account, which take the place of an e-mail address: each opens it once.

    Attributes:
        digests: the hashes of those that are left.
        made: when they were made, milliseconds since 1970. New codes replace all old ones.
    """

    digests: frozenset[bytes]
    made: int

    def use(self, text: str) -> RecoveryCodes | Refused:
        """The codes without the one that was typed."""
        digest = read_code(text)
        if digest is None or digest not in self.digests:
            return Refused(RefusedKind.CODE_WRONG)
        return replace(self, digests=self.digests - {digest})


def make_codes(random: bytes, now: int) -> tuple[RecoveryCodes, tuple[str, ...]]:
    """New recovery codes, and their texts, which are shown once.

    Args:
        random: `CODES * CODE_BYTES` bytes from the system's source of secrets.
        now: milliseconds since 1970.

    Raises:
        ValueError: there are more or fewer bytes.
    """
    if len(random) != CODES * CODE_BYTES:
        raise ValueError(f"{CODES} recovery codes have {CODES * CODE_BYTES} random bytes, not {len(random)}")
    texts = tuple(code_text(random[start : start + CODE_BYTES]) for start in range(0, len(random), CODE_BYTES))
    return RecoveryCodes(frozenset(digest for text in texts if (digest := read_code(text)) is not None), now), texts
