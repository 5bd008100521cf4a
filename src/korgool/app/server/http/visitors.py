"""Cookies and tokens that identify the principal of a connection: an account by the cookie of a session or by one of
its tokens, a visitor without one by a random name, in a signed cookie or in a program's signed token.

A browser gets its cookie with the first page. Every command of a browser carries a token in addition to the cookie: a
signature of the visitor's name, or of the session. An attacker who plants both in somebody's browser makes it act as
the planted visitor, never as its owner. A program sends `Authorization: Bearer TOKEN`, which no foreign page can make a
browser send, so it needs neither that second token nor an origin. A cookie is no such token and a token no cookie: each
is signed for what it is.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import zlib
from dataclasses import replace
from typing import Any

import msgspec
from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.handlers.base import BaseRouteHandler

from korgool.accounts import Refused, RefusedKind, read_secret
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.app.server.core.headers import LANGUAGE_COOKIE, SENT_IN, negotiate_language
from korgool.app.server.core.principal import NOBODY, Principal
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.site_names import SAFE, Connection, Site, bearer

TOKEN_COOKIE, TOKEN_HEADER, TOKEN_FIELD = "csrftoken", "x-csrftoken", "_csrf_token"
_NAME_LENGTH = 22
_YEAR = 365 * 24 * 3600
_GUEST = "guest."
"""The beginning of a guest's token. Other kinds of token begin otherwise."""
_HELPER = "helper_"
"""The beginning of the name of an event's cookie."""
_WISH = "wish"
_WISH_SECONDS = 3600
_LONGEST_WISH = 3000
"""Characters of a kept form: browsers keep cookies of 4,096."""
_HOST = "__Host-"
"""The prefix of a cookie's name that makes browsers accept it only over TLS and only from this host."""


class ResumedForm(msgspec.Struct, frozen=True):
    """A form that somebody sent before they had signed in.

    Attributes:
        to: the path that it is for.
        back: the page on which it stood.
        fields: their names with what was in them.
    """

    to: str
    back: str
    fields: tuple[tuple[str, str], ...]


class Visitors:
    """Signs and reads the cookies and tokens of visitors with the key of the database.

    The cookie's name contains a fingerprint of the key: browsers share cookies between all ports of a host, and two
    servers on one machine must not overwrite each other's cookies.
    """

    def __init__(self, key: str, site: Site) -> None:
        self._key = key.encode()
        self._site = site
        self.cookie_name = f"korgool_{self._sign('cookie')[:8]}"
        self.session_name = f"session_{self._sign('cookie')[:8]}"
        self.device_name = f"device_{self._sign('cookie')[:8]}"

    def make_guest(self) -> tuple[str, str]:
        """The token and the name of a new visitor who comes without cookies."""
        name = secrets.token_urlsafe(16)
        return f"{_GUEST}{name}.{self._sign(_GUEST + name)}", name

    def guest_of_token(self, token: str) -> str | None:
        """The visitor of a guest's token; None where it is no such token of this server."""
        return self._verified(token[len(_GUEST) :], _GUEST) if token.startswith(_GUEST) else None

    def guest_of_cookie(self, connection: Connection) -> str | None:
        """The visitor of a browser's signed cookie, or None."""
        cookies = connection.cookies
        if self._site.secure(connection) and (found := self._verified(cookies.get(_HOST + self.cookie_name, ""))):
            return found
        # Behind TLS also accept the unprefixed cookie, from before TLS or before the prefix was introduced.
        return self._verified(cookies.get(self.cookie_name, ""))

    def session_cookie(self, connection: Connection) -> str | None:
        """The secret of a session; behind TLS only from the cookie that other hosts cannot plant."""
        text = connection.cookies.get((_HOST if self._site.secure(connection) else "") + self.session_name)
        return text if text is not None and read_secret(text) is not None else None

    def device_cookie(self, connection: Connection) -> str:
        """The cookie by which accounts know this browser (`people.sign_in.device_cookies`); empty without one."""
        return connection.cookies.get((_HOST if self._site.secure(connection) else "") + self.device_name, "")

    def _verified(self, text: str, purpose: str = "") -> str | None:
        """The name in front of a signature that was made for this purpose."""
        name, dot, signature = text.partition(".")
        if not dot or len(name) != _NAME_LENGTH or not name.isascii() or not signature.isascii():
            return None
        return name if hmac.compare_digest(self._sign(purpose + name), signature) else None

    def greet(self, connection: Connection) -> tuple[str, list[Cookie]]:
        """The token and the cookies for a page; a stranger becomes a visitor.

        The cookies are sent with every page, so that their year starts at the last visit.
        """
        who, text = identified_principal(connection), self.session_cookie(connection)
        if text is not None and (who is None or who.session is not None):
            token = self.session_token(text)
            return token, [self.cookie(connection, TOKEN_COOKIE, token, scripts=True)]
        known = self.guest_of_cookie(connection)
        name = secrets.token_urlsafe(16) if known is None else known
        token = self.token(name)
        cookies = self.become(connection, name)
        if text is not None:
            cookies.append(self.end_session(connection))
        if self._site.secure(connection):
            # A cookie without the prefix is renewed with it, and need not be sent in clear again.
            plain = {self.cookie_name, TOKEN_COOKIE} & connection.cookies.keys()
            cookies += [Cookie(name, value="", max_age=0, samesite="lax") for name in sorted(plain)]
        return token, cookies

    def become(self, connection: Connection, name: str) -> list[Cookie]:
        """The cookies of a browser that goes on as a visitor from another one."""
        return [
            self.cookie(connection, self.cookie_name, f"{name}.{self._sign(name)}"),
            self.cookie(connection, TOKEN_COOKIE, self.token(name), scripts=True),
        ]

    def begin_session(self, connection: Connection, secret: str, device: str) -> tuple[str, list[Cookie]]:
        """The token and the cookies of a browser in which somebody signs in; `device` is its device cookie."""
        token = self.session_token(secret)
        return token, [
            self.cookie(connection, self.session_name, secret),
            self.cookie(connection, self.device_name, device),
            self.cookie(connection, TOKEN_COOKIE, token, scripts=True),
        ]

    def end_session(self, connection: Connection) -> Cookie:
        """The cookie that makes a browser forget its session."""
        secure = self._site.secure(connection)
        name = (_HOST if secure else "") + self.session_name
        return Cookie(name, value="", max_age=0, httponly=True, samesite="lax", secure=secure)

    def cookie(self, connection: Connection, name: str, value: str, *, scripts: bool = False) -> Cookie:
        """A cookie for a year; scripts can read it if `scripts` is true."""
        secure = self._site.secure(connection)
        name = _HOST + name if secure else name
        return Cookie(name, value=value, max_age=_YEAR, httponly=not scripts, samesite="lax", secure=secure)

    def kept(self, connection: Connection, name: str) -> str | None:
        """The value of a cookie made by `cookie`."""
        cookies = connection.cookies
        return cookies.get(_HOST + name, cookies.get(name)) if self._site.secure(connection) else cookies.get(name)

    def helper_cookie(
        self, connection: Connection, event: str, key: bytes, role: str, name: str, until_ms: int
    ) -> Cookie:
        """The cookie of a browser that came by a link or a code of an event, with its role and name.

        It is signed with the key of the event, so that another machine that goes on with the event knows it too.
        """
        text = f"{role}.{base64.urlsafe_b64encode(name.encode()).decode().rstrip('=')}"
        value = f"{text}.{_signed(key, event, text)}"
        made = self.cookie(connection, _HELPER + event, value)
        return replace(made, max_age=max(0, until_ms - now_ms()) // 1000)

    def has_helper_cookie(self, connection: Connection, event: str) -> bool:
        """Return whether a browser sends a cookie of an event, from here or not."""
        return bool(self.kept(connection, _HELPER + event))

    def helper(self, connection: Connection, event: str, key: bytes) -> tuple[str, str] | None:
        """The role's id and the name in the cookie of an event, by the event's key; None where there is none of ours.

        Releases before 1.0 signed it with the key of the site, which is accepted too.
        """
        text, _, signature = (self.kept(connection, _HELPER + event) or "").rpartition(".")
        ours = (_signed(key, event, text), self._sign(f"helper {event} {text}"))
        if not text or not any(hmac.compare_digest(one.encode(), signature.encode()) for one in ours):
            return None
        role, _, name = text.partition(".")
        return role, base64.urlsafe_b64decode(f"{name}{'=' * (-len(name) % 4)}").decode()

    def resumed_form_cookie(self, connection: Connection, wish: ResumedForm) -> Cookie | None:
        """The cookie that keeps a form for an hour; None if it is too long for a cookie."""
        text = base64.urlsafe_b64encode(zlib.compress(msgspec.json.encode((wish, now_ms())))).decode().rstrip("=")
        if len(text) > _LONGEST_WISH:
            return None
        made = self.cookie(connection, _WISH, f"{text}.{self._sign(f'wish {text}')}")
        return replace(made, max_age=_WISH_SECONDS)

    def wish(self, connection: Connection) -> ResumedForm | None:
        """The form that a browser keeps; None where there is none of ours."""
        text, _, signature = (self.kept(connection, _WISH) or "").rpartition(".")
        if not text or not hmac.compare_digest(self._sign(f"wish {text}").encode(), signature.encode()):
            return None
        packed = zlib.decompress(base64.urlsafe_b64decode(f"{text}{'=' * (-len(text) % 4)}"))
        wish, at = msgspec.json.decode(packed, type=tuple[ResumedForm, int])
        return wish if now_ms() - at < 1000 * _WISH_SECONDS else None

    def token(self, visitor: str) -> str:
        """The token that commands of this visitor must carry: 64 hexadecimal digits."""
        return self._sign(f"token of {visitor}")

    def session_token(self, secret: str) -> str:
        """The token that commands from the browser of a session must carry."""
        return self._sign(f"token of the session {hashlib.sha256(secret.encode()).hexdigest()}")

    def language(self, connection: Connection) -> str:
        """The visitor's language: the one chosen on a page, otherwise the browser's.

        A messenger that makes a preview of a link names no language; it is shown that of whoever sends the link.
        """
        accepted, chosen = connection.headers.get("accept-language"), self.kept(connection, LANGUAGE_COOKIE)
        return negotiate_language(accepted, chosen or (None if accepted else connection.query_params.get(SENT_IN)))

    async def check(self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        """Refuse a browser's command without the token of its visitor or session.

        Raises:
            ApiError: 403.
        """
        if bearer(connection) is not None:
            return
        if not isinstance(connection, Request) or connection.method in SAFE or handler.opt.get("open"):
            return
        token: object = connection.headers.get(TOKEN_HEADER)
        if token is None and connection.content_type[0] in {
            RequestEncodingType.URL_ENCODED,
            RequestEncodingType.MULTI_PART,
        }:
            token = (await connection.form()).get(TOKEN_FIELD)
        right = self._right_token(connection)
        if right is None and token is None and connection.scope["path"].startswith("/api/"):
            raise ApiError(403, errors.NOBODY_ASKS)
        if not _same(right, token):
            text = None if principal_of(connection).session else self.session_cookie(connection)
            if text is not None and _same(self.session_token(text), token):
                raise refused_error(Refused(RefusedKind.SIGN_IN))  # the session has ended since the page was made
            raise ApiError(403, errors.FORM_TOO_OLD)

    def knows(self, connection: Connection, token: object) -> bool:
        """Return whether this token was given to pages of this browser, perhaps in a session that has ended."""
        text = self.session_cookie(connection)
        ended = None if text is None else self.session_token(text)
        return _same(self._right_token(connection), token) or _same(ended, token)

    def _right_token(self, connection: Connection) -> str | None:
        """The token that a browser's command must carry; None where nobody asks."""
        who, text = principal_of(connection), self.session_cookie(connection)
        if who.session is not None and text is not None:
            return self.session_token(text)
        return None if who.visitor is None else self.token(who.visitor)

    def _sign(self, name: str) -> str:
        return hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()


def _signed(key: bytes, event: str, text: str) -> str:
    return hmac.new(key, f"helper {event} {text}".encode(), hashlib.sha256).hexdigest()


def _same(right: str | None, token: object) -> bool:
    return right is not None and isinstance(token, str) and hmac.compare_digest(right.encode(), token.encode())


_PLACE = "korgool_who"


def remember_principal(connection: Connection, who: Principal) -> None:
    """Keep the principal for the rest of this connection's handling; the log of the request gets its kind."""
    connection.scope["state"] |= {_PLACE: who, "who": who.person.kind.value}


def identified_principal(connection: Connection) -> Principal | None:
    """The principal; None if nobody has identified it, as with addresses that do not exist."""
    found: Principal | None = connection.scope.get("state", {}).get(_PLACE)
    return found


def principal_of(connection: Connection) -> Principal:
    """The principal of a connection."""
    return identified_principal(connection) or NOBODY
