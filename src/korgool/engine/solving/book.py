"""The solved opening of mangala: exact values of positions near the start, in a small file of text.

The first line is a JSON object with `format`, `options`, `positions` and `sha256`; then comes, in base 85 and lines of
120 letters, a compressed list of numbers, each the difference to the one before, seven bits a byte. A number is that of
a position among all of at most 48 stones on the board (`kg_solve_key`) times 256, plus its value and 128.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from korgool.engine.solving.mangala_table import MangalaTable, refusal
from korgool.rules import MANGALA, Position, Rules

FORMAT = "korgool-book-1"
MOST_BYTES = 1 << 20
"""A book larger than this is not read."""
_LINE = 120
_NOT_MOVES = ("goal", "threefold", "recurrence", "drawn_position")


class BookError(ValueError):
    """A book that cannot be used: cut short, altered, or of another game."""


class Book:
    """Exact values of positions, without regard to what lies in the stores.

    Attributes:
        keys: the numbers of its positions, ascending; see `MangalaTable.key`.

    Args:
        rules: mangala with its options.
        values: by the number of the position, the difference of stones still to be gained for the side to move.
    """

    def __init__(self, rules: Rules, values: Mapping[int, int]) -> None:
        self.rules = rules
        self.keys = sorted(values)
        self._values = [values[key] for key in self.keys]
        # A table without stones: it numbers positions.
        self._numbers = MangalaTable(rules, 0)

    def __len__(self) -> int:
        return len(self.keys)

    def value(self, position: Position) -> int | None:
        """The value of a position, or None where the book does not hold it."""
        key = self._numbers.key(position)
        at = bisect_left(self.keys, key)
        return self._values[at] if at < len(self.keys) and self.keys[at] == key else None

    def text(self) -> str:
        """Content of the file."""
        packed, last = bytearray(), 0
        for key, value in zip(self.keys, self._values, strict=True):
            number = key * 256 + value + 128
            step, last = number - last, number
            while step > 127:
                packed.append(step & 127 | 128)
                step >>= 7
            packed.append(step)
        letters = base64.b85encode(zlib.compress(bytes(packed), 9)).decode("ascii")
        head = {
            "format": FORMAT,
            "options": _options(self.rules),
            "positions": len(self),
            "sha256": _digest(self.rules, len(self), letters),
        }
        lines = [json.dumps(head), *(letters[at : at + _LINE] for at in range(0, len(letters), _LINE))]
        return "\n".join(lines) + "\n"

    @classmethod
    def parse(cls, text: str, rules: Rules, name: str = "the book") -> Book:
        """Read a book.

        Raises:
            BookError: with the name and the reason; what is altered in a single letter is not read.
        """
        if len(text) > MOST_BYTES:
            raise BookError(f"{name} has {len(text):,} letters, a book has at most {MOST_BYTES:,}")
        first, _, rest = text.partition("\n")
        try:
            head = json.loads(first)
        except ValueError:
            head = None
        if not isinstance(head, dict) or head.get("format") != FORMAT:
            raise BookError(f"{name} does not begin as a book of this version does ({FORMAT})")
        if head.get("options") != _options(rules):
            raise BookError(f"{name} is of another game or other options than {rules.title} as asked")
        letters = rest.replace("\n", "")
        count = head.get("positions")
        if head.get("sha256") != _digest(rules, count, letters):
            raise BookError(f"{name} is cut short or altered: its checksum is another one; install korgool again")
        try:
            numbers = list(_numbers(_unpacked(letters)))
        except (ValueError, zlib.error, binascii.Error) as error:
            raise BookError(f"{name} cannot be unpacked: {error}") from error
        values = {number >> 8: (number & 255) - 128 for number in numbers}
        if len(values) != count or any(abs(value) > 48 for value in values.values()):
            raise BookError(f"{name} holds other positions than its first line says")
        return cls(rules, values)


def _unpacked(letters: str) -> bytes:
    unpacker = zlib.decompressobj()
    data = unpacker.decompress(base64.b85decode(letters), 8 * MOST_BYTES)
    if not unpacker.eof:
        raise ValueError("the packed part does not end")
    return data


def _numbers(data: bytes) -> Iterable[int]:
    number, step, shift = 0, 0, 0
    for byte in data:
        step |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            number += step
            yield number
            step, shift = 0, 0


def _options(rules: Rules) -> dict[str, int | bool | str]:
    """Properties of a game that decide about the values: the board's shape and every choice that moves or ends."""
    options = {name: value for name, value in rules.file_options().items() if name not in _NOT_MOVES}
    return {"holes": rules.holes, **options}


def _digest(rules: Rules, count: object, letters: str) -> str:
    said = json.dumps([FORMAT, _options(rules), count, letters])
    return hashlib.sha256(said.encode()).hexdigest()


@cache
def shipped_book(rules: Rules) -> Book | None:
    """The book of this package for some rules, or None where it has none.

    Raises:
        BookError: the installed file is damaged.
    """
    file = solved_file(rules)
    if file is None:
        return None
    return Book.parse(file.read_bytes().decode("ascii", errors="replace"), rules, file.name)


def solved_file(rules: Rules) -> Traversable | None:
    """The installed file of that book, or None."""
    if refusal(rules) is not None:
        return None
    for sweep in ("emptied", "owner"):
        known = MANGALA.with_option("sweep", sweep)
        if _options(known) == _options(rules):
            file = resources.files("korgool.engine.solving").joinpath(f"mangala-{sweep}.book")
            return file if file.is_file() else None
    return None
