"""Who is who without accounts: a random name in a signed cookie, made when a visitor starts the first game."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Any

from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie

_NAME_LENGTH = 22
_YEAR = 365 * 24 * 3600


class Visitors:
    """Signs and reads the cookie of visitors with the key of the database.

    The cookie's name holds a sign of the key: browsers keep one set of cookies for all ports of a host, and two servers
    on one machine should not rob each other's visitors of their games.
    """

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self.cookie_name = f"korgool_{self._sign('cookie')[:8]}"

    def read(self, connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
        """The visitor's name, or None if there is no cookie that this server signed."""
        name, dot, signature = connection.cookies.get(self.cookie_name, "").partition(".")
        if not dot or len(name) != _NAME_LENGTH or not name.isascii() or not signature.isascii():
            return None
        return name if hmac.compare_digest(self._sign(name), signature) else None

    @staticmethod
    def new() -> str:
        """The name of a new visitor."""
        return secrets.token_urlsafe(16)

    def cookie(self, name: str, *, secure: bool) -> Cookie:
        """The cookie that says who a visitor is, for a year."""
        return Cookie(
            self.cookie_name,
            value=f"{name}.{self._sign(name)}",
            max_age=_YEAR,
            httponly=True,
            samesite="lax",
            secure=secure,
        )

    def _sign(self, name: str) -> str:
        return hmac.new(self._key, name.encode(), hashlib.sha256).hexdigest()
