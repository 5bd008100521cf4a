"""The network file as `kernel/network.h` lays it out, read and written without the kernel."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace

from korgool.rules import Rules
from korgool.rules.choices import FIRST_CHOICES

MAGIC, VERSION = b"KORGOOLN", 1
COUNTED, CLIP, HEADS, BUCKETS, TUZ_ROWS = 64, 181, 3, 16, 100
"""`KG_COUNTED`, `KG_CLIP`, `KG_HEADS`, `KG_BUCKETS` and `KG_TUZ_ROWS`."""
POSITION_BYTES = 24
_RULES = struct.Struct(f"<{FIRST_CHOICES}i")
_SIZES = struct.Struct("<5I56x32s")
_SCALES = struct.Struct(f"<{2 * HEADS * BUCKETS}i")
_CHECK = struct.Struct("<24s4i")
_BODY = 24


@dataclass(frozen=True, slots=True)
class NetworkWeights:
    """A network in whole numbers.

    Attributes:
        rules: the game; goal and repetition do not matter.
        name: what it is called, at most 31 letters.
        hidden: number of hidden units, a multiple of 64.
        bucket: the output head for each number of stones on the board, 256 of them.
        scales: for each head and bucket the bias and the factor of `kg_scale`.
        numbers: rows and heads, 16 bits each, little-endian.
    """

    rules: Rules
    name: str
    hidden: int
    bucket: tuple[int, ...]
    scales: tuple[tuple[tuple[int, int], ...], ...]
    numbers: bytes

    def rows(self) -> int:
        """Number of rows, each of `hidden` numbers."""
        tuz = TUZ_ROWS if self.rules.tuz else 1
        return 2 * self.rules.holes * COUNTED + tuz + HEADS * len(self.scales[0])


def checksum(data: bytes) -> int:
    """Checksum by FNV-1a with 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def to_bytes(weights: NetworkWeights, checks: Sequence[tuple[bytes, tuple[int, int, int]]]) -> bytes:
    """The network file; checks are positions of 24 bytes with the outputs of the heads.

    Raises:
        ValueError: sizes that do not belong together.
    """
    buckets = len(weights.scales[0])
    if len(weights.numbers) != 2 * weights.hidden * weights.rows() or not 1 <= buckets <= BUCKETS:
        raise ValueError(f"{len(weights.numbers)} bytes of numbers do not make {weights.rows()} rows")
    numbers = replace(weights.rules, goal=0, threefold=0, recurrence=0, drawn_position=False).numbers()
    later = sum(number << 4 * at for at, number in enumerate(numbers[FIRST_CHOICES:]))
    tuz = TUZ_ROWS if weights.rules.tuz else 1
    flat = [number for head in weights.scales for scale in (*head, *[(0, 0)] * (BUCKETS - buckets)) for number in scale]
    body = b"".join(
        [
            _RULES.pack(*numbers[:FIRST_CHOICES]),
            _SIZES.pack(weights.hidden, buckets, tuz, len(checks), later, weights.name.encode()[:31]),
            _SCALES.pack(*flat),
            bytes(weights.bucket),
            weights.numbers,
            *(_CHECK.pack(position, *outputs, 0) for position, outputs in checks),
        ]
    )
    return struct.pack("<8sIIQ", MAGIC, VERSION, _BODY + len(body), checksum(body)) + body


def network_of(data: bytes, rules: Rules) -> NetworkWeights:
    """The network in a file; its checksum and rules are for the kernel to check.

    Raises:
        ValueError: bytes too few for what they announce.
    """
    try:
        hidden, buckets, _, checks, _, name = _SIZES.unpack_from(data, _BODY + _RULES.size)
        flat = _SCALES.unpack_from(data, _BODY + _RULES.size + _SIZES.size)
    except struct.error as error:
        raise ValueError(f"{len(data)} bytes are no network") from error
    scales = tuple(
        tuple((flat[at], flat[at + 1]) for at in range(2 * BUCKETS * head, 2 * (BUCKETS * head + buckets), 2))
        for head in range(HEADS)
    )
    start = _BODY + _RULES.size + _SIZES.size + _SCALES.size
    numbers = data[start + 256 : len(data) - checks * _CHECK.size]
    return NetworkWeights(rules, name.rstrip(b"\0").decode(), hidden, tuple(data[start : start + 256]), scales, numbers)


def stored_checks(data: bytes) -> list[tuple[bytes, tuple[int, int, int]]]:
    """The positions at the end of a network file with the outputs of the heads for them."""
    count = _SIZES.unpack_from(data, _BODY + _RULES.size)[3]
    found = _CHECK.iter_unpack(data[len(data) - count * _CHECK.size :])
    return [(packed, (value, width, band)) for packed, value, width, band, _ in found]
