"""Photographs of players: one small JPEG that holds a picture and nothing else, and its salted digest.

The competition room decodes no pictures. It reads the marks of a JPEG (ITU-T T.81, annex B), so that neither an event
file from elsewhere nor a program can bring in another kind of file, a huge picture, or data about where and by whom it
was taken.
"""

from __future__ import annotations

import binascii
import re
import secrets
from base64 import b64decode, b64encode
from dataclasses import replace
from hashlib import sha256

from korgool.competition.codec import compact
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal, Photograph
from korgool.languages import N_

WIDTH, HEIGHT = 240, 320
"""Pixels of every photograph; pages show it half as large."""
MOST_BYTES = 40_000
"""Most bytes of a photograph."""
_SALT_BYTES = 16
_NAME_DIGITS = 16
_BEGIN, _END, _SCAN = 0xD8, 0xD9, 0xDA
_FRAMES = (0xC0, 0xC2)
"""Marks of baseline and progressive pictures."""
_TABLES = (0xC4, 0xDB, 0xDD)
"""Tables and the interval of restarts; comments and all other data are refused."""
_JFIF = re.compile(rb"\xff\xe0\x00\x10JFIF\x00.{7}\x00\x00", re.DOTALL)
"""The segment that says that it is a JPEG, without a thumbnail."""
_MARK = re.compile(rb"\xff[^\x00\xd0-\xd7]")
"""End of the data of a scan: 0 and the restarts belong to it."""


def photograph(jpeg: bytes) -> Photograph:
    """A picture with a new salt; raises CompetitionError as `check_picture`."""
    check_picture(jpeg)
    return Photograph(salt=secrets.token_hex(_SALT_BYTES), jpeg=b64encode(jpeg).decode())


def digest(photo: Photograph) -> str:
    """Digest of a photograph in the log: SHA-256 of salt and picture."""
    return sha256(compact([photo.salt, photo.jpeg]).encode()).hexdigest()


def picture(photo: Photograph) -> bytes:
    """Bytes of the picture.

    Raises:
        CompetitionError: `check_picture` refuses it.
    """
    return read_picture(photo.jpeg)


def read_picture(text: str) -> bytes:
    """A picture in base64; errors as of `picture`."""
    try:
        jpeg = b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise CompetitionError(_NONE) from None
    check_picture(jpeg)
    return jpeg


def with_photo_of(data: Personal, found: str) -> Personal:
    """Personal data, without the photograph unless it has this digest."""
    return data if data.photo is None or digest(data.photo) == found else replace(data, photo=None)


def file_name(player: int, found: str) -> str:
    """The name of a photograph as a file, by the id of the player and the digest: another one has another name."""
    return f"{player}-{found[:_NAME_DIGITS]}.jpg"


_NONE = N_("this is not a photo of the kind that events store")


def check_picture(jpeg: bytes) -> None:
    """Refuse what is not one JPEG of `WIDTH` by `HEIGHT` pixels and at most `MOST_BYTES` bytes, without data about it.

    Raises:
        CompetitionError: it is something else.
    """
    if not is_plain_jpeg(jpeg, WIDTH, HEIGHT, MOST_BYTES):
        raise CompetitionError(_NONE)


def is_plain_jpeg(jpeg: bytes, wide: int, high: int, most: int) -> bool:
    """Return whether it is one JPEG of this many pixels and at most `most` bytes, without data about it."""
    if not (len(jpeg) <= most and jpeg[:2] == bytes((0xFF, _BEGIN))):
        return False
    place, sized, scanned = 2, False, False
    while place + 4 <= len(jpeg) and jpeg[place] == 0xFF:
        mark, length = jpeg[place + 1], int.from_bytes(jpeg[place + 2 : place + 4], "big")
        if mark in _FRAMES and not sized:
            height, width = (int.from_bytes(jpeg[place + at : place + at + 2], "big") for at in (5, 7))
            sized = (width, height) == (wide, high)
        elif mark == _SCAN and sized:
            scanned = True
        elif mark not in _TABLES and not _JFIF.match(jpeg, place):
            break
        place += 2 + length
        if mark == _SCAN:
            found = _MARK.search(jpeg, place)
            place = len(jpeg) if found is None else found.start()
    return scanned and jpeg[place:] == bytes((0xFF, _END))
