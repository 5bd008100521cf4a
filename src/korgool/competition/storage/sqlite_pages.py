"""The rows of a damaged SQLite file, read page by page without SQLite.

SQLite refuses a file whose first page is damaged, and stops at the first bad page of a table. This reader takes every
page that looks like a leaf of a table on its own (sqlite.org/fileformat2.html, sections 1.6 and 2.1). The rows may hold
anything, so callers must verify them, as `salvage` does by the chain of hashes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

Value: TypeAlias = "int | str | None"
_LEAF = 0x0D
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))
_USUAL_PAGE = 4096
_MOST_COLUMNS = 16
_MOST_TIMES = 20
"""Largest size of texts that go on in other pages, in sizes of the file.

Each page belongs to one text, and old copies of its row may name it too; a hostile file names it from many rows.
"""


def rows(data: bytes) -> Iterator[tuple[int, tuple[Value, ...]]]:
    """Row id and columns of every readable row of a file; columns are integers, texts or None."""
    stated = int.from_bytes(data[16:18], "big")
    size = 65536 if stated == 1 else stated
    size = size if size in _PAGE_SIZES else _USUAL_PAGE
    left = _MOST_TIMES * len(data)
    for begin in range(0, len(data), size):
        page = data[begin : begin + size].ljust(size, b"\0")
        head = 100 if begin == 0 else 0  # the first page begins with the header of the file
        if page[head] != _LEAF:
            continue
        count = int.from_bytes(page[head + 3 : head + 5], "big")
        places = range(head + 8, min(head + 8 + 2 * count, size - 1), 2)
        for place in dict.fromkeys(int.from_bytes(page[at : at + 2], "big") for at in places):
            try:
                length, _ = _varint(page, place)
                left -= length if length > size - 35 else 0
                if length <= size - 35 or left > 0:
                    yield _cell(data, page, place)
            except (IndexError, UnicodeDecodeError, ValueError):
                continue


def _cell(data: bytes, page: bytes, place: int) -> tuple[int, tuple[Value, ...]]:
    """A row, with its overflow pages; wrong numbers raise IndexError or ValueError."""
    size = len(page)
    length, place = _varint(page, place)
    row, place = _varint(page, place)
    if length > len(data):
        raise ValueError("longer than the file")
    if length <= size - 35:
        return row, _record(page[place : place + length])
    least = (size - 12) * 32 // 255 - 23
    local = least + (length - least) % (size - 4)
    local = local if local <= size - 35 else least
    content = bytearray(page[place : place + local])
    number = int.from_bytes(page[place + local : place + local + 4], "big")
    while len(content) < length and number:
        begin = (number - 1) * size
        content += data[begin + 4 : begin + size]
        if begin + size > len(data):
            break
        number = int.from_bytes(data[begin : begin + 4], "big")
    return row, _record(bytes(content[:length]))


def _record(content: bytes) -> tuple[Value, ...]:
    end, place = _varint(content, 0)
    kinds = []
    while place < end:
        kind, place = _varint(content, place)
        kinds.append(kind)
    if place != end or len(kinds) > _MOST_COLUMNS:
        raise ValueError("no record")
    values: list[Value] = []
    for kind in kinds:
        if kind >= 13 and kind % 2:
            length = (kind - 13) // 2
        elif kind <= 6 or kind in (8, 9):
            length = (0, 1, 2, 3, 4, 6, 8, 0, 0, 0)[kind]
        else:
            raise ValueError("a kind of value that an event has not")
        part = content[place : place + length]
        if len(part) < length:
            raise ValueError("a value that is cut off")
        place += length
        if kind >= 13:
            values.append(part.decode())
        elif kind in (8, 9):
            values.append(kind - 8)
        else:
            values.append(int.from_bytes(part, "big", signed=True) if kind else None)
    return tuple(values)


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the place behind it."""
    value = 0
    for at in range(9):
        byte = data[place + at]
        if at == 8:
            return (value << 8) | byte, place + 9
        value = (value << 7) | (byte & 0x7F)
        if byte < 0x80:
            return value, place + at + 1
    raise AssertionError("nine bytes end a number")
