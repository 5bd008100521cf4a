"""Emblems of organisers as they are sent, made into the small picture that an event keeps.

A photograph or a drawing is opened as pictures of players are (`photo_conversion`). An SVG is a program: its text is
read first, and what could fetch anything, run, or unfold without end is refused; what is left is painted at once, and
only the picture is kept.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final
from xml.parsers import expat

from korgool.app.server.events.photo_conversion import converted
from korgool.competition.emblem import MOST_BYTES, SIDE
from korgool.competition.errors import CompetitionError
from korgool.languages import N_

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_SENT: Final = 4 * 1024 * 1024
_MOST_SVG: Final = 1_000_000
_MOST_TAGS: Final = 20_000
_DEEPEST: Final = 60
_REFUSED: Final = frozenset(("script", "foreignobject", "image", "feimage", "iframe", "audio", "video"))
"""Elements that load or run something."""
_OUTSIDE: Final = re.compile(r"@import|url\(\s*['\"]?(?!\s*['\"]?#)", re.IGNORECASE)
"""An address in a style that is not of the drawing itself."""
_NO_PICTURE: Final = N_("the file is no picture as PNG, JPEG, WebP or SVG")
_PAGE: Final = b"""\
#set page(width: %(side)dpt, height: %(side)dpt, margin: 0pt, fill: white)
#image(bytes(sys.inputs.svg), format: "svg", width: 100%%, height: 100%%, fit: "contain")
"""


def small_emblem(data: bytes) -> bytes:
    """The picture in the middle of a white square of `SIDE` pixels, as a JPEG without data about it. It blocks.

    Raises:
        CompetitionError: it is no picture of these formats, is damaged or too large, or an SVG with more than shapes.
    """
    if len(data) > MOST_SENT:
        raise CompetitionError(
            N_("the picture has {count:,} bytes, at most {most:,} are read"), count=len(data), most=MOST_SENT
        )
    found = _painted(data) if _is_markup(data) else data
    return converted(found, _squared, MOST_BYTES, _NO_PICTURE)


def _squared(found: Image) -> Image:
    from PIL import Image, ImageOps

    small = ImageOps.contain(found, (SIDE, SIDE), Image.Resampling.LANCZOS)
    square = Image.new("RGBA", (SIDE, SIDE), (255, 255, 255, 0))
    square.paste(small, ((SIDE - small.width) // 2, (SIDE - small.height) // 2))
    return square


def _is_markup(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<"


def _painted(data: bytes) -> bytes:
    """An SVG as a PNG."""
    _check(data)
    try:
        import typst
    except ImportError:
        raise CompetitionError(N_("this installation paints no SVG; send a PNG")) from None
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)
    try:
        made = typst.compile(
            _PAGE % {b"side": SIDE}, format="png", ppi=72, sys_inputs={"svg": data.decode()}, font_paths=fonts
        )
    except (typst.TypstError, UnicodeDecodeError):
        raise CompetitionError(N_("the SVG cannot be painted")) from None
    return made[0] if isinstance(made, list) else made


def _check(data: bytes) -> None:
    """Refuse an SVG that holds more than shapes and words."""
    if len(data) > _MOST_SVG:
        raise CompetitionError(
            N_("the picture has {count:,} bytes, at most {most:,} are read"), count=len(data), most=_MOST_SVG
        )
    tags, depth = 0, 0

    def begin(name: str, attributes: dict[str, str]) -> None:
        nonlocal tags, depth
        tags, depth = tags + 1, depth + 1
        local = name.rpartition(":")[2]
        if tags == 1 and local != "svg":
            raise CompetitionError(_NO_PICTURE)
        if tags > _MOST_TAGS or depth > _DEEPEST:
            raise CompetitionError(N_("the SVG is too intricate; send a PNG"))
        if local.casefold() in _REFUSED:
            raise CompetitionError(N_("the SVG holds <{name}>, which is not painted; send a PNG"), name=local[:40])
        for key, value in attributes.items():
            outside = key.rpartition(":")[2].casefold() == "href" and not value.strip().startswith("#")
            if outside or key.casefold().startswith("on") or _OUTSIDE.search(value):
                raise CompetitionError(N_("the SVG leads to something outside of it; send a PNG"))

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    def declared(*_: object) -> None:
        raise CompetitionError(N_("the SVG declares entities of its own; send a PNG"))

    def text(found: str) -> None:
        if _OUTSIDE.search(found):
            raise CompetitionError(N_("the SVG leads to something outside of it; send a PNG"))

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler, parser.CharacterDataHandler = begin, end, text
    parser.EntityDeclHandler = declared
    try:
        parser.Parse(data, True)
    except expat.ExpatError:
        raise CompetitionError(_NO_PICTURE) from None
