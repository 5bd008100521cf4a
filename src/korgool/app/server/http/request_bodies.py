"""Bodies of requests, read as strictly as the description of the API promises."""

from __future__ import annotations

import msgspec

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.responses import AnyRequest


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An empty object."""


async def check_body(request: AnyRequest) -> None:
    """Read the body of a command strictly: the framework would accept "7" as 7, and its errors are less precise."""
    field = request.route_handler.parsed_fn_signature.parameters.get("data")
    if field is None:
        return
    try:
        msgspec.json.decode(await request.body(), type=field.annotation)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ApiError(400, errors.NO_COMMAND, reason=error) from None
