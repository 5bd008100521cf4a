"""Pictures as officials send them."""

from __future__ import annotations

import io
from typing import Any

from PIL import Image

SECRET = b"GPS 42.87 N 74.59 E"
"""A text among the data about a picture, which nobody else may see."""


def sent(
    kind: str = "JPEG", size: tuple[int, int] = (90, 60), *, mode: str = "RGB", turned: int = 0, noise: int = 0
) -> bytes:
    """A picture whose left half is red and whose right half is blue, with data about it.

    Args:
        kind, size, mode: as Pillow names them.
        turned: how it is to be turned, as cameras note it (EXIF orientation); 0 for no note.
        noise: how far the picture is covered by noise, 0 to 255, so that no other one has the same bytes.
    """
    made = Image.new("RGB", size, "red")
    made.paste("blue", (size[0] // 2, 0, size[0], size[1]))
    if noise:
        made = Image.blend(made, Image.effect_noise(size, noise).convert("RGB"), 0.5)
    about = Image.Exif()
    about[0x010E] = SECRET.decode()
    if turned:
        about[0x0112] = turned
    more: dict[str, Any] = {"comment": SECRET} if kind == "JPEG" else {}
    file = io.BytesIO()
    made.convert(mode).save(file, kind, exif=about, **more)
    return file.getvalue()
