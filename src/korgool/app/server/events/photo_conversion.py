"""Pictures that officials send, made into photographs as an event keeps them.

A picture comes from anybody's camera or from anywhere else. Only three formats are opened, its size is looked at before
anything is decoded, and of what it holds nothing but the picture itself is written again: no place, no time, no name of
a camera.
"""

from __future__ import annotations

import io
import threading
import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from korgool.competition.errors import CompetitionError
from korgool.competition.photographs import HEIGHT, MOST_BYTES, WIDTH
from korgool.languages import N_

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_SENT: Final = 8 * 1024 * 1024
"""Most bytes of a picture."""
MOST_PIXELS: Final = 30_000_000
"""Most pixels of one; decoded they take about 100 MB."""
PAPER_SIDE: Final = 1600
"""Most pixels of the longer side of a paper."""
MOST_PAPER: Final = 600_000
"""Most bytes of the picture of a paper."""
NO_PICTURE: Final = N_("the file is no picture as JPEG, PNG or WebP")
_FORMATS: Final = ("JPEG", "PNG", "WEBP")
_MOST_SCANS: Final = 100
"""A progressive JPEG may say the whole picture again thousands of times in a few bytes each."""
_SCAN: Final = b"\xff\xda"
_QUALITIES: Final = (82, 70, 50, 30)
_DAMAGED: Final = N_("the picture is damaged")
_ONE = threading.Lock()
"""Held while one is decoded: several large ones at once would take too much memory."""


def small_photo(data: bytes) -> bytes:
    """The picture upright, its middle cut to `WIDTH` by `HEIGHT` pixels, as a JPEG without data about it. It blocks.

    Raises:
        CompetitionError: it is no picture of these formats, is damaged, or is too large.
    """
    if len(data) > MOST_SENT:
        raise CompetitionError(
            N_("the picture has {count:,} bytes, at most {most:,} are read"), count=len(data), most=MOST_SENT
        )
    return converted(data, _cut, MOST_BYTES, NO_PICTURE)


def paper_photo(data: bytes) -> bytes:
    """The picture of a paper upright and readable, at most `PAPER_SIDE` pixels long, as a JPEG without data about it.

    It blocks.

    Raises:
        CompetitionError: as `small_photo`.
    """
    if len(data) > MOST_SENT:
        raise CompetitionError(
            N_("the picture has {count:,} bytes, at most {most:,} are read"), count=len(data), most=MOST_SENT
        )
    return converted(data, _readable, MOST_PAPER, NO_PICTURE, PAPER_SIDE)


def converted(data: bytes, cut: Callable[[Image], Image], most: int, nothing: str, side: int = 2 * HEIGHT) -> bytes:
    """A picture cut to its size on white, as a JPEG of at most `most` bytes; raises CompetitionError as `small_photo`.

    Args:
        data: the picture.
        cut: makes the picture that is kept, with transparent parts, of what is opened.
        most: bytes, for which its quality is lowered.
        nothing: said of a file that is no picture.
        side: pixels that are enough; a JPEG is not decoded in full where it has more.
    """
    with _ONE, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about metadata, which is not read
        return _written(cut(_upright(data, nothing, side).convert("RGBA")), most)


def _upright(data: bytes, nothing: str, side: int) -> Image:
    from PIL import Image, ImageOps, UnidentifiedImageError

    try:
        with Image.open(io.BytesIO(data), formats=_FORMATS) as opened:
            if opened.width * opened.height > MOST_PIXELS:
                raise Image.DecompressionBombError
            if data.count(_SCAN) > _MOST_SCANS:
                raise CompetitionError(_DAMAGED)
            opened.draft("RGB", (side, side))  # a JPEG need not be decoded in full
            opened.load()
            found = ImageOps.exif_transpose(opened)
    except CompetitionError:
        raise
    except Image.DecompressionBombError:
        raise CompetitionError(N_("the picture has more than {most:,} pixels"), most=MOST_PIXELS) from None
    except UnidentifiedImageError:
        raise CompetitionError(nothing) from None
    except Exception:  # whatever a decoder says of a damaged file: OSError, SyntaxError, ValueError and others
        raise CompetitionError(_DAMAGED) from None
    return found


def _cut(found: Image) -> Image:
    from PIL import Image, ImageOps

    return ImageOps.fit(found, (WIDTH, HEIGHT), Image.Resampling.LANCZOS, centering=(0.5, 0.4))


def _readable(found: Image) -> Image:
    from PIL import Image

    found.thumbnail((PAPER_SIDE, PAPER_SIDE), Image.Resampling.LANCZOS)
    return found


def _written(small: Image, most: int) -> bytes:
    from PIL import Image

    paper = Image.new("RGB", small.size, "white")
    paper.paste(small, mask=small.getchannel("A"))
    for quality in _QUALITIES:
        file = io.BytesIO()
        paper.save(file, "JPEG", quality=quality, optimize=True, progressive=True)
        if file.tell() <= most:
            break
    return file.getvalue()
