"""The emblem of an organiser: one small picture in the log of an event, for the papers that people hang up.

It is no personal data, and stands in the log as it is: a square JPEG of the kind that photographs are.
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from dataclasses import replace

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.photographs import is_plain_jpeg
from korgool.languages import N_

SIDE = 480
"""Pixels of its width and of its height; on paper it is some 30 mm wide."""
MOST_BYTES = 60_000
NONE = N_("this is not an emblem of the kind that events store")


def emblem_text(jpeg: bytes) -> str:
    """The emblem as an action holds it.

    Raises:
        CompetitionError: it is not one JPEG of `SIDE` by `SIDE` pixels and at most `MOST_BYTES` bytes, without data
            about it.
    """
    if not is_plain_jpeg(jpeg, SIDE, SIDE, MOST_BYTES):
        raise CompetitionError(NONE)
    return b64encode(jpeg).decode()


def emblem_bytes(text: str) -> bytes:
    """The picture that an action holds; errors as of `emblem_text`."""
    try:
        jpeg = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise CompetitionError(NONE) from None
    emblem_text(jpeg)
    return jpeg


def set_emblem(state: EventState, action: do.SetEmblem) -> EventState:
    """The event with another emblem, or without one."""
    if action.picture:
        emblem_bytes(action.picture)
    elif not state.emblem:
        raise CompetitionError(N_("this event has no emblem"))
    return replace(state, emblem=action.picture)
