"""Papers typeset beside the event loop, one at a time for the whole server."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError

_ONE_AT_A_TIME = asyncio.Semaphore(1)
"""Typesetting takes a processor; a hall that prints must leave the others to the games."""


async def printed(typeset: Callable[[], bytes]) -> bytes:
    """The paper that a function typesets.

    Raises:
        ApiError: 501, this server cannot print.
    """
    try:
        async with _ONE_AT_A_TIME:
            return await asyncio.to_thread(typeset)
    except ImportError:
        raise ApiError(501, errors.NO_PRINTING) from None
