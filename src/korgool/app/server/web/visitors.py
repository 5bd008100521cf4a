"""Identifies visitors without accounts: a random name in a signed cookie that is set with the first page.

Every command of a browser carries a token in addition to the cookie: a signature of the visitor's name. An attacker who
plants both in somebody's browser makes it act as the planted visitor, never as its owner.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from litestar.connection import ASGIConnection, Request
from litestar.datastructures import Cookie
from litestar.enums import RequestEncodingType
from litestar.handlers.base import BaseRouteHandler

from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.web.site import SAFE, Connection, Site

TOKEN_COOKIE, TOKEN_HEADER, TOKEN_FIELD = "csrftoken", "x-csrftoken", "_csrf_token"
_NAME_LENGTH = 22
_YEAR = 365 * 24 * 3600
_HOST = "__Host-"
"""The prefix of a cookie's name that makes browsers accept it only over TLS and only from this host."""


class Visitors:
    """Signs and reads the cookies of visitors with the key of the database.

    The cookie's name contains a fingerprint of the key: browsers share cookies between all ports of a host, and two
    servers on one machine must not overwrite each other's cookies.
    """

    def __init__(self, key: str, site: Site) -> None:
        self._key = key.encode()
        self._site = site
        self.cookie_name = f"korgool_{self._sign('cookie')[:8]}"

    def read(self, connection: Connection) -> str | None:
        """The visitor's name, or None if there is no cookie that this server signed."""
        cookies = connection.cookies
        if self._site.secure(connection) and (found := self._verified(cookies.get(_HOST + self.cookie_name, ""))):
            return found
        # Behind TLS also accept the unprefixed cookie, from before TLS or before the prefix was introduced.
        return self._verified(cookies.get(self.cookie_name, ""))

    def _verified(self, cookie: str) -> str | None:
        name, dot, signature = cookie.partition(".")
        if not dot or len(name) != _NAME_LENGTH or not name.isascii() or not signature.isascii():
            return None
        return name if hmac.compare_digest(self._sign(name), signature) else None

    def greet(self, connection: Connection) -> tuple[str, list[Cookie]]:
        """The token and the cookies for a page; a stranger becomes a visitor.

        The cookies are sent with every page, so that their year starts at the last visit.
        """
        known = self.read(connection)
        name = secrets.token_urlsafe(16) if known is None else known
        token = self.token(name)
        cookies = [
            self.cookie(connection, self.cookie_name, f"{name}.{self._sign(name)}"),
            self.cookie(connection, TOKEN_COOKIE, token, scripts=True),
        ]
        if self._site.secure(connection):
            # A cookie without the prefix is renewed with it, and need not be sent in clear again.
            plain = {self.cookie_name, TOKEN_COOKIE} & connection.cookies.keys()
            cookies += [Cookie(name, value="", max_age=0, samesite="lax") for name in sorted(plain)]
        return token, cookies

    def cookie(self, connection: Connection, name: str, value: str, *, scripts: bool = False) -> Cookie:
        """A cookie for a year; scripts can read it if `scripts` is true."""
        secure = self._site.secure(connection)
        name = _HOST + name if secure else name
        return Cookie(name, value=value, max_age=_YEAR, httponly=not scripts, samesite="lax", secure=secure)

    def kept(self, connection: Connection, name: str) -> str | None:
        """The value of a cookie made by `cookie`."""
        cookies = connection.cookies
        return cookies.get(_HOST + name, cookies.get(name)) if self._site.secure(connection) else cookies.get(name)

    def token(self, visitor: str) -> str:
        """The token that commands of this visitor must carry: 64 hexadecimal digits."""
        return self._sign(f"token of {visitor}")

    async def check(self, connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
        """Refuse a command without the visitor's token.

        Raises:
            RefusedError: 403.
        """
        if not isinstance(connection, Request) or connection.method in SAFE or handler.opt.get("open"):
            return
        token = connection.headers.get(TOKEN_HEADER)
        if token is None and connection.content_type[0] in {
            RequestEncodingType.URL_ENCODED,
            RequestEncodingType.MULTI_PART,
        }:
            token = (await connection.form()).get(TOKEN_FIELD)
        visitor = self.read(connection)
        if (
            visitor is None
            or not isinstance(token, str)
            or not hmac.compare_digest(self.token(visitor).encode(), token.encode())
        ):
            raise RefusedError(403, messages.FORM_TOO_OLD)

    def _sign(self, name: str) -> str:
        return hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()
