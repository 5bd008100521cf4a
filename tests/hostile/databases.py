"""Event files that are none: damaged, endless, or with code in them. Each is made from a real one."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

_PAGE = 4096
_LEAF, _INNER = 0x0D, 0x05


def _altered(good: bytes, change: Callable[[sqlite3.Connection], object], folder: Path) -> bytes:
    """A file after SQL was carried out in it."""
    path = folder / "altered"
    path.write_bytes(good)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        change(connection)
    return path.read_bytes()


def _sql(good: bytes, folder: Path, *statements: str) -> bytes:
    def change(connection: sqlite3.Connection) -> None:
        for one in statements:
            connection.execute(one)

    return _altered(good, change, folder)


def _schema(good: bytes, folder: Path, table: str, text: str) -> bytes:
    """A file in which the text of a table was replaced."""
    return _sql(
        good,
        folder,
        "PRAGMA writable_schema=ON",
        f"UPDATE sqlite_schema SET sql = '{text.replace(chr(39), chr(39) * 2)}' WHERE name = '{table}'",
    )


def _inner(children: list[int]) -> bytes:
    """An inner page of a table, whose rows lie under these pages."""
    cells = [struct.pack(">I", child) + bytes([min(at + 1, 127)]) for at, child in enumerate(children[:-1])]
    page, at, pointers = bytearray(_PAGE), _PAGE, b""
    for cell in cells:
        at -= len(cell)
        page[at : at + len(cell)] = cell
        pointers += struct.pack(">H", at)
    page[:12] = struct.pack(">BHHHBI", _INNER, 0, len(cells), at, 0, children[-1])
    page[12 : 12 + len(pointers)] = pointers
    return bytes(page)


def _root_of(good: bytes, folder: Path, table: str) -> int:
    path = folder / "asked"
    path.write_bytes(good)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
    return int(root)


def _with_pages(good: bytes, first: int, pages: list[bytes]) -> bytes:
    """The file with more pages at its end, told in its head."""
    data = bytearray(good)
    count = len(good) // _PAGE + len(pages)
    data[28:32] = struct.pack(">I", count)
    assert first == len(good) // _PAGE + 1
    return bytes(data) + b"".join(pages)


def endless(good: bytes, folder: Path, table: str = "log", levels: int = 8, wide: int = 400) -> bytes:
    """A table whose inner pages all name one child: 400 to the eighth power rows in a few pages."""
    root, first = _root_of(good, folder, table), len(good) // _PAGE + 1
    leaf = good[(root - 1) * _PAGE : root * _PAGE]
    pages = [leaf, *(_inner([first + level] * wide) for level in range(levels - 1))]
    data = bytearray(_with_pages(good, first, pages))
    data[(root - 1) * _PAGE : root * _PAGE] = _inner([first + levels - 1] * wide)
    return bytes(data)


def endless_schema(good: bytes, levels: int = 8) -> bytes:
    """The same for the table of tables, which SQLite reads before anything else."""
    first = len(good) // _PAGE + 1
    page = bytearray(good[:_PAGE])
    leaf = bytearray(_PAGE)
    leaf[:8], pointers = page[100:108], page[108 : 108 + 2 * int.from_bytes(page[103:105], "big")]
    leaf[8 : 8 + len(pointers)] = pointers
    leaf[512:] = page[512:]
    pages = [bytes(leaf), *(_inner([first + level] * 400) for level in range(levels - 1))]
    data = bytearray(_with_pages(good, first, pages))
    inner = _inner([first + levels - 1] * 200)
    count = int.from_bytes(inner[3:5], "big")
    data[100:112] = inner[:12]
    data[112 : 112 + 2 * count] = inner[12 : 12 + 2 * count]
    begin = int.from_bytes(inner[5:7], "big")
    data[begin:_PAGE] = inner[begin:]
    return bytes(data)


def hostile_databases(good: bytes, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Each with its name; `good` is an event file with a few lines."""
    root = _root_of(good, folder, "log")
    with_cell = "CREATE TABLE log (at INTEGER PRIMARY KEY, time TEXT NOT NULL, by TEXT NOT NULL, reason TEXT NOT NULL, "
    with_cell += "action TEXT NOT NULL, chain TEXT NOT NULL{}) STRICT"
    yield "endless log", endless(good, folder)
    yield "endless personal", endless(good, folder, "personal")
    yield "endless schema", endless_schema(good)
    yield (
        "root is its own child",
        _with_pages(good, len(good) // _PAGE + 1, [])[: (root - 1) * _PAGE]
        + _inner([root] * 100)
        + good[root * _PAGE :],
    )
    for name, more in {
        "generated, no space": ", x TEXT GENERATED ALWAYS AS(hex(zeroblob(200000000)))",
        "generated, comment": ", x TEXT AS/**/(hex(zeroblob(200000000)))",
        "check": ", CHECK(length(hex(zeroblob(200000000)))>0)",
        "collation": " COLLATE NOCASE",
        "default": " DEFAULT 'x'",
    }.items():
        yield name, _schema(good, folder, "log", with_cell.format(more))
    yield (
        "virtual table in the place of one",
        _schema(good, folder, "personal", "CREATE VIRTUAL TABLE personal USING fts5(a)"),
    )
    yield (
        "view",
        _sql(
            good,
            folder,
            "ALTER TABLE log RENAME TO old",
            "CREATE VIEW log AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) "
            "SELECT i AS at, '' AS time, '' AS by, '' AS reason, '' AS action, '' AS chain FROM n",
        ),
    )
    yield (
        "trigger",
        _sql(good, folder, "CREATE TRIGGER t AFTER INSERT ON log BEGIN SELECT hex(zeroblob(200000000)); END"),
    )
    yield "index on an expression", _sql(good, folder, "CREATE INDEX i ON log(length(action))")
    yield "partial index", _sql(good, folder, "CREATE INDEX i ON log(at) WHERE length(action) > 3")
    yield "one more table", _sql(good, folder, "CREATE TABLE more (a INT) STRICT")
    yield "statistics", _sql(good, folder, "ANALYZE")
    yield (
        "without row ids",
        _sql(
            good,
            folder,
            "DROP TABLE personal",
            "CREATE TABLE personal (player INTEGER PRIMARY KEY, data TEXT) WITHOUT ROWID",
        ),
    )
    yield (
        "a thousand columns",
        _sql(
            good, folder, "DROP TABLE personal", f"CREATE TABLE personal ({', '.join(f'c{at}' for at in range(1000))})"
        ),
    )
    yield "a thousand tables", _sql(good, folder, *(f"CREATE TABLE t{at} (a, b, c)" for at in range(1000)))
    yield (
        "two roots in one",
        _sql(
            good,
            folder,
            "PRAGMA writable_schema=ON",
            f"UPDATE sqlite_schema SET rootpage = {root} WHERE name = 'personal'",
        ),
    )
    yield (
        "root outside",
        _sql(
            good, folder, "PRAGMA writable_schema=ON", "UPDATE sqlite_schema SET rootpage = 999999 WHERE name = 'log'"
        ),
    )
    yield "a blob of 30 MB", _sql(good, folder, "INSERT INTO personal VALUES (1, hex(zeroblob(15000000)))")
    yield "utf-16", _utf16(folder)
    yield "a write-ahead log", _sql(good, folder, "PRAGMA journal_mode=WAL")[:96] + good[96:]
    head = bytearray(good)
    for name, place, value in (
        ("four thousand million pages", 28, b"\xff\xff\xff\xfe"),
        ("no pages", 28, b"\0\0\0\0"),
        ("a page size of one", 16, b"\0\x01"),
        ("a page size of 512", 16, b"\x02\0"),
        ("reserved bytes", 20, b"\xff"),
        ("free list at the root", 32, struct.pack(">II", root, 900_000)),
        ("schema of another kind", 44, b"\0\0\0\x09"),
        ("another encoding", 56, b"\0\0\0\x09"),
        ("a vacuum", 52, struct.pack(">I", 3)),
        ("a newer format", 60, struct.pack(">I", 99)),
        ("format nought", 60, struct.pack(">I", 0)),
        ("a negative format", 60, b"\xff\xff\xff\xff"),
        ("another application", 68, b"SOME"),
    ):
        changed = bytearray(head)
        changed[place : place + len(value)] = value
        if place == 28:
            changed[92:96] = changed[24:28]  # the number of pages counts
        yield name, bytes(changed)
    yield "a free list that is a circle", _free_circle(good, folder)
    yield "an overflow chain that is a circle", _overflow_circle(good, folder)
    yield "cut in the middle", good[: len(good) // 2]
    yield "cut after the head", good[:100]
    yield "the head alone", good[:16]
    yield "zeros after the head", good[:100] + bytes(len(good) - 100)
    drawn = random.Random(51)
    for at in range(60):
        changed = bytearray(good)
        for _ in range(drawn.choice((1, 3, 30))):
            place = drawn.randrange(16, len(good))
            changed[place] = drawn.randrange(256)
        yield f"bytes at random {at}", bytes(changed)
    for at in range(20):
        pages = [good[begin : begin + _PAGE] for begin in range(0, len(good), _PAGE)]
        first, *rest = pages
        drawn.shuffle(rest)
        yield f"pages at random {at}", first + b"".join(rest)


def _utf16(folder: Path) -> bytes:
    path = folder / "wide"
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(
            "PRAGMA encoding='UTF-16'; PRAGMA application_id=0x4B4F5247; PRAGMA user_version=2; CREATE TABLE log (a);"
        )
    return path.read_bytes()


def _free_circle(good: bytes, folder: Path) -> bytes:
    """A file whose list of free pages leads back to its begin."""
    data = bytearray(_sql(good, folder, "CREATE TABLE x (a)", "INSERT INTO x VALUES (zeroblob(40000))", "DROP TABLE x"))
    trunk = int.from_bytes(data[32:36], "big")
    begin = (trunk - 1) * _PAGE
    data[begin : begin + 8] = struct.pack(">II", trunk, 0)
    data[36:40] = struct.pack(">I", 1_000_000)
    return bytes(data)


def _overflow_circle(good: bytes, folder: Path) -> bytes:
    """A file with a long text whose pages lead back to the first of them."""
    data = bytearray(_sql(good, folder, "INSERT INTO personal VALUES (99, hex(zeroblob(40000)))"))
    for begin in range(_PAGE, len(data), _PAGE):
        page = data[begin : begin + _PAGE]
        if page[4:40] == b"0" * 36 and page[:4] != b"\0" * 4:
            data[begin : begin + 4] = struct.pack(">I", begin // _PAGE + 1)
    return bytes(data)
