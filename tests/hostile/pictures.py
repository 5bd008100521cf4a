"""Pictures that are none, or that want far more than they hold."""

from __future__ import annotations

import io
import random
import struct
import zlib
from collections.abc import Iterator

from PIL import Image


def _part(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *parts: bytes, data: bytes = b"", depth: int = 8, colour: int = 2) -> bytes:
    """A PNG that says of itself that it is so large."""
    head = _part(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(parts) + _part(b"IDAT", zlib.compress(data, 9)) + _part(b"IEND", b"")


def _saved(kind: str, size: tuple[int, int], **options: object) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, "red").save(file, kind, **options)
    return file.getvalue()


def hostile_pictures() -> Iterator[tuple[str, bytes]]:
    """Each with its name."""
    yield "a thousand million pixels", png(31_000, 31_000)
    yield "four thousand million pixels", png(0xFFFFFFFF, 0xFFFFFFFF)
    yield "no pixels", png(0, 0)
    yield "a part without end", b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 0x7FFFFFFF) + b"IHDR"
    yield "a WebP of other sizes", _saved("WEBP", (64, 64))[:26] + b"\xff\x3f\xff\x3f" + _saved("WEBP", (64, 64))[30:]
    jpeg = _saved("JPEG", (300, 400))
    yield "a JPEG of other sizes", jpeg.replace(struct.pack(">HH", 400, 300), b"\xff\xff\xff\xff")
    exif = b"Exif\0\0II*\0\x08\0\0\0\xff\xff" + (b"\x12\x01\x03\0\xff\xff\xff\xff\x08\0\0\0") * 5000
    yield "a circle of EXIF", b"\xff\xd8\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + jpeg[2:]
    for kind in ("GIF", "BMP", "TIFF", "ICO", "PPM"):
        yield f"a {kind}", _saved(kind, (64, 64))
    yield "a drawing", b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    yield "PostScript", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n{ } loop\n"
    yield "zeros", bytes(1_000_000)
    good = {kind: _saved(kind, (300, 400)) for kind in ("JPEG", "PNG", "WEBP")}
    drawn = random.Random(51)
    for kind, data in good.items():
        for part in (1, 2, 4):
            yield f"{kind}, cut to {part} eighths", data[: len(data) * part // 8]
        for at in range(8):
            changed = bytearray(data)
            for _ in range(10):
                changed[drawn.randrange(8, len(changed))] = drawn.randrange(256)
            yield f"{kind}, bytes at random {at}", bytes(changed)


def large_pictures() -> Iterator[tuple[str, bytes]]:
    """The same kind, large: making them takes seconds too."""
    jpeg = _saved("JPEG", (300, 400))
    slow = _saved("JPEG", (3000, 3000), progressive=True)
    profile = _part(b"iCCP", b"a\0\0" + zlib.compress(bytes(200_000_000), 9))
    text = _part(b"zTXt", b"a\0\0" + zlib.compress(bytes(200_000_000), 9))
    yield "a line of pixels", png(30_000_000, 1, data=bytes(90_000_001))
    yield "a column of pixels", png(1, 29_000_000, data=bytes(4) * 29_000_000)
    yield "all pixels that are read", png(6000, 4990, data=bytes(4990 * 18001))
    yield "all pixels, sixteen bits", png(5400, 5500, data=bytes(5500 * (5400 * 8 + 1)), depth=16, colour=6)
    yield "more data than pixels", png(100, 100, data=bytes(200_000_000))
    yield "a text of 200 MB", png(100, 100, text, data=bytes(30_100))
    yield (
        "many texts",
        png(100, 100, *([_part(b"zTXt", b"a\0\0" + zlib.compress(bytes(900_000), 9))] * 2000), data=bytes(30_100)),
    )
    yield "a profile of 200 MB", png(100, 100, profile, data=bytes(30_100))
    yield "empty parts", png(100, 100, *([_part(b"tEXt", b"")] * 500_000), data=bytes(30_100))
    yield "an animation", _saved("WEBP", (64, 64), save_all=True, append_images=[Image.new("RGB", (64, 64))] * 300)
    yield "a WebP of all pixels", _saved("WEBP", (6000, 4990), quality=1, method=0)
    yield "a JPEG of all pixels", _saved("JPEG", (6000, 4990), quality=1)
    yield "scans", slow[:-2] + slow[slow.index(b"\xff\xda") : -2] * 50 + b"\xff\xd9"
    yield "segments", b"\xff\xd8" + (b"\xff\xe1\xff\xff" + bytes(65533)) * 100 + jpeg[2:]
    yield "segments of another", b"\xff\xd8" + b"\xff\xe1\x00\x02" * 500_000 + jpeg[2:]
