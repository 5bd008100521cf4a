"""Turns a trained network into the whole numbers of a network file.

Hidden units are multiplied by CLIP, so that one is where they are cut off. Each head's weights get the largest factor
for which no sum can pass 31 bits: squares reach CLIP * CLIP, so the sizes of its weights may add up to 65,000.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import torch

from korgool.engine.kernel import pack
from korgool.engine.networks.layout import CLIP, COUNTED, HEADS, NetworkWeights, to_bytes
from korgool.engine.search import UNIT
from korgool.engine.training.train import STONES, Network
from korgool.rules import Rules

_LARGEST_SUM = 65_000
_CHECKS = 24
_FINE = 256
"""Steps of the logarithms of width and band."""
_UNITS = (STONES * UNIT, float(_FINE), float(_FINE))
"""Units of the kernel for one of each head's outputs."""


def whole_rows(network: Network) -> torch.Tensor:
    """Rows of holes and tuz as 16-bit numbers.

    Raises:
        ValueError: rows that could add up to more than 16 bits.
    """
    with torch.no_grad():
        holes = torch.round(network.folded() * CLIP)
        tuz = torch.round(network.tuz * CLIP)
    largest = holes.abs().reshape(2 * network.rules.holes, -1, network.hidden).amax(1).sum(0) + tuz.abs().amax(0)
    if float(largest.max()) > 32767:
        raise ValueError(f"hidden units reach {int(largest.max())}, past 16 bits; train with a smaller rate")
    return torch.cat([holes, tuz]).to(torch.int16)


def whole_heads(network: Network) -> tuple[torch.Tensor, tuple[tuple[tuple[int, int], ...], ...]]:
    """Heads as 16-bit numbers, (HEADS * buckets, hidden), and their scales."""
    rows, scales = [], []
    for head in range(HEADS):
        found = []
        for bucket in range(network.buckets):
            weights = network.weights.detach()[head * network.buckets + bucket]
            grow = min(_LARGEST_SUM / float(weights.abs().sum()), 32_767 / float(weights.abs().max()))
            rows.append(torch.round(weights * grow))
            bias = float(network.biases.detach()[head * network.buckets + bucket])
            # Half a unit more, because the kernel rounds down.
            whole = round(bias * _UNITS[head] + 0.5) if head == 0 else round(bias * _UNITS[head])
            found.append((whole, round(_UNITS[head] / (grow * CLIP * CLIP) * 2**32)))
        scales.append(tuple(found))
    return torch.stack(rows).to(torch.int16), tuple(scales)


def quantise(network: Network, name: str) -> NetworkWeights:
    """The network in whole numbers."""
    heads, scales = whole_heads(network)
    numbers = torch.cat([whole_rows(network), heads]).contiguous().numpy().astype("<i2").tobytes()
    bucket = tuple(int(number) for number in network.bucket)
    return NetworkWeights(network.rules, name, network.hidden, bucket, scales, numbers)


def restored(weights: NetworkWeights) -> Network:
    """The network of a file in floating point again, to train it further."""
    buckets = len(weights.scales[0])
    network = Network(weights.rules, weights.hidden, buckets)
    numbers = torch.frombuffer(bytearray(weights.numbers), dtype=torch.int16).reshape(-1, weights.hidden)
    places = 2 * weights.rules.holes * COUNTED
    heads = len(numbers) - HEADS * buckets
    with torch.no_grad():
        network.rows.copy_(numbers[:places] / CLIP)
        network.slopes.zero_()
        network.tuz.copy_(numbers[places:heads] / CLIP)
        for head, unit in enumerate(_UNITS):
            for bucket, (bias, factor) in enumerate(weights.scales[head]):
                row = head * buckets + bucket
                network.weights[row] = numbers[heads + row] * (factor * CLIP * CLIP / 2**32 / unit)
                network.biases[row] = (bias - (0.5 if head == 0 else 0)) / unit
    return network


def outputs(weights: NetworkWeights, position: bytes) -> tuple[int, int, int]:
    """Expected outputs of the kernel for a position, computed here with Python's integers."""
    holes, hidden = weights.rules.holes, weights.hidden
    numbers = memoryview(weights.numbers).cast("h")
    counts = [*position[:8], position[16]][:holes] + [*position[8:16], position[17]][:holes]
    rows = [place * 64 + min(count, 63) for place, count in enumerate(counts)]
    rows.append(2 * holes * 64 + (position[20] * 10 + position[21] if weights.rules.tuz else 0))
    units = [sum(numbers[row * hidden + unit] for row in rows) for unit in range(hidden)]
    squares = [max(0, min(CLIP, unit)) ** 2 for unit in units]
    bucket = weights.bucket[sum(counts)]
    buckets = len(weights.scales[0])
    first = weights.rows() - HEADS * buckets
    found = []
    for head in range(HEADS):
        start = (first + head * buckets + bucket) * hidden
        total = sum(square * numbers[start + unit] for unit, square in enumerate(squares))
        bias, factor = weights.scales[head][bucket]
        found.append(bias + (total * factor >> 32))
    return found[0], found[1], found[2]


def check_positions(rules: Rules, count: int = _CHECKS, seed: int = 7) -> list[bytes]:
    """Positions of random games, from the start of the game on."""
    random, found = Random(seed), list[bytes]()
    position = rules.start()
    while len(found) < count:
        if random.random() < 0.3 or not found:
            found.append(pack(position))
        legal = [hole for hole, stones in enumerate(position.holes[position.to_move], 1) if stones]
        sowing = position.sow(random.choice(legal))
        position = sowing.after if sowing.outcome is None else rules.start()
    return found


def save(weights: NetworkWeights, path: Path) -> None:
    """Write the network file with its checks."""
    checks: list[Any] = [(position, outputs(weights, position)) for position in check_positions(weights.rules)]
    path.write_bytes(to_bytes(weights, checks))
