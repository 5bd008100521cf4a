"""Positions and network files that these tests share."""

from __future__ import annotations

import struct
from random import Random

from korgool.engine.kernel import pack
from korgool.engine.networks.layout import CLIP, HEADS, NetworkWeights, to_bytes
from korgool.rules import Rules


def played_positions(rules: Rules, count: int, seed: int) -> list[bytes]:
    """Positions of random games, packed."""
    random, position, found = Random(seed), rules.start(), list[bytes]()
    while len(found) < count:
        found.append(pack(position))
        legal = [hole for hole, stones in enumerate(position.holes[position.to_move], 1) if stones]
        sowing = position.sow(random.choice(legal))
        position = rules.start() if sowing.outcome else sowing.after
    return found


def extreme_positions(rules: Rules, count: int, seed: int) -> list[bytes]:
    """Bytes of any size in the holes, with every stone in one hole now and then; not all could arise in play."""
    random, found = Random(seed), list[bytes]()
    for number in range(count):
        data = bytearray(24)
        places = [
            *range(min(8, rules.holes)),
            *range(8, 8 + min(8, rules.holes)),
            *((16, 17) if rules.holes > 8 else ()),
        ]
        if number % 4 == 0:
            data[random.choice(places)] = random.choice([63, 64, 65, 127, 128, 129, 254, 255])
        else:
            for place in places:
                data[place] = random.choice([0, 1, 2, 62, 63, 64, 65, 128, 191, 255, random.randrange(256)])
        data[18], data[19] = random.randrange(256), random.randrange(256)
        if rules.tuz:
            data[20], data[21] = random.randrange(rules.holes + 1), random.randrange(rules.holes + 1)
        found.append(bytes(data))
    return found


def random_weights(rules: Rules, hidden: int, buckets: int, largest: int, seed: int) -> NetworkWeights:
    """A network of random numbers; large ones make the 16-bit sums wrap around, which every path must do alike."""
    random = Random(seed)
    bucket = tuple(random.randrange(buckets) for _ in range(256))
    scales = tuple(
        tuple((random.randint(-2000, 2000), random.randint(-(2**31), 2**31 - 1)) for _ in range(buckets))
        for _ in range(HEADS)
    )
    shape = NetworkWeights(rules, f"random {seed}", hidden, bucket, scales, b"")
    drawn = random.choices(range(-largest, largest + 1), k=shape.rows() * hidden)
    numbers = struct.pack(f"<{len(drawn)}h", *drawn)
    return NetworkWeights(rules, shape.name, hidden, bucket, scales, numbers)


def by_hand(weights: NetworkWeights, position: bytes) -> tuple[int, int, int]:
    """The outputs of all heads with Python's numbers, wrapped to 16 and 32 bits as the kernel does."""
    holes, hidden = weights.rules.holes, weights.hidden
    numbers = memoryview(weights.numbers).cast("h")
    counts = [*position[:8], position[16]][:holes] + [*position[8:16], position[17]][:holes]
    rows = [place * 64 + min(count, 63) for place, count in enumerate(counts)]
    tuz = position[20] * 10 + position[21]
    rows.append(2 * holes * 64 + (tuz if weights.rules.tuz and tuz < 100 else 0))
    units = [wrapped(sum(numbers[row * hidden + unit] for row in rows), 16) for unit in range(hidden)]
    squares = [max(0, min(CLIP, unit)) ** 2 for unit in units]
    buckets = len(weights.scales[0])
    board = board_of(position)
    first, bucket = weights.rows() - HEADS * buckets, weights.bucket[board & 255]
    found = []
    for head in range(HEADS):
        start = (first + head * buckets + bucket) * hidden
        total = wrapped(sum(square * numbers[start + unit] for unit, square in enumerate(squares)), 32)
        bias, factor = weights.scales[head][bucket]
        found.append(wrapped(bias + (total * factor >> 32), 32))
    return found[0], found[1], found[2]


def board_of(position: bytes) -> int:
    """The stones on the board."""
    return sum(position[:18])


def wrapped(number: int, bits: int) -> int:
    """The number as a signed one of so many bits."""
    half = 1 << (bits - 1)
    return (number + half) % (1 << bits) - half


def file_of(weights: NetworkWeights, positions: list[bytes]) -> bytes:
    """The network file with these positions as checks."""
    return to_bytes(weights, [(position, by_hand(weights, position)) for position in positions])
