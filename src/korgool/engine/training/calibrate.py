"""Calibration of a network: what it expects of positions compared with the results of their games.

The games must not be those it learned from; use other seeds.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterable
from dataclasses import dataclass

from korgool.engine.search import UNIT, Engine
from korgool.engine.training.samples import SAMPLE_BYTES, SampleStruct
from korgool.rules import Rules

_SCALE = 10
_MARGIN, _SIDE = 46, 250


@dataclass(frozen=True, slots=True)
class Bin:
    """Positions of nearly the same expectation.

    Attributes:
        count: how many.
        expected: mean of what the network said.
        found: mean of what came.
    """

    count: int
    expected: float
    found: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """Expectation against outcome.

    Attributes:
        positions: how many were looked at.
        stones: final difference for the side to move, in stones, in bins of ten.
        wins: share of the points (a draw is half), in tenths.
        missed: mean distance of the final difference from the expected one, in stones.
        unlikely: mean negative logarithm of the chance given to what happened.
        uninformed: the same for one who knows only how often each result comes.
    """

    positions: int
    stones: tuple[Bin, ...]
    wins: tuple[Bin, ...]
    missed: float
    unlikely: float
    uninformed: float


def bins(pairs: Iterable[tuple[float, float]], width: float) -> tuple[Bin, ...]:
    """Pairs of expected and found, put together by the expected one; the last tenth includes its end."""
    groups: dict[int, list[tuple[float, float]]] = {}
    for expected, found in pairs:
        groups.setdefault(math.floor(expected / width + (0.5 if width > 1 else 0)), []).append((expected, found))
    return tuple(
        Bin(len(group), sum(pair[0] for pair in group) / len(group), sum(pair[1] for pair in group) / len(group))
        for _, group in sorted(groups.items())
    )


def calibrate(engine: Engine, rules: Rules, samples: bytes) -> Calibration:
    """Compare the engine's evaluation without a search with how the games of the samples ended.

    Raises:
        ValueError: no samples, or an engine without a network.
    """
    count = len(samples) // SAMPLE_BYTES
    if count == 0 or engine.network is None:
        raise ValueError("calibration needs samples and a network")
    half, chances = rules.total // 2, (ctypes.c_double * 3)()
    stones, wins, unlikely, results = [], [], 0.0, [0, 0, 0]
    for sample in (SampleStruct * count).from_buffer_copy(samples):
        position = bytes(sample)[:24]
        if max(position[18], position[19]) > half:
            continue
        value = engine.library.kg_engine_evaluate(engine.address, position)
        engine.library.kg_engine_chances(engine.address, position, value, 0, chances)
        stones.append((value / UNIT, float(sample.difference)))
        wins.append((min(chances[0] + chances[1] / 2, 0.99999), (1 + sample.result) / 2))
        unlikely -= math.log(max(chances[1 - sample.result], 1e-4))
        results[1 - sample.result] += 1
    total = len(stones)
    shares = [number / total for number in results if number]
    return Calibration(
        total,
        bins(stones, _SCALE),
        bins(wins, 0.1),
        sum(abs(expected - found) for expected, found in stones) / total,
        unlikely / total,
        -sum(share * math.log(share) for share in shares),
    )


def plot(name: str, calibration: Calibration) -> str:
    """Both curves as SVG; the size of a dot grows with its number of positions."""
    most = max(50, *(math.ceil(abs(part.expected) / 50) * 50 for part in calibration.stones if part.count >= 20))
    left = _panel(
        calibration.stones,
        -most,
        most,
        0,
        ("expected stones", "final difference"),
        [-most, -most // 2, 0, most // 2, most],
    )
    right = _panel(calibration.wins, 0, 1, _SIDE + 2 * _MARGIN, ("expected points", "points"), [0, 0.25, 0.5, 0.75, 1])
    width, height = 2 * (_SIDE + 2 * _MARGIN), _SIDE + 2 * _MARGIN
    title = f"{name}: {calibration.positions:,} positions of games not trained on"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11"><rect width="{width}" height="{height}" fill="#fff"/>'
        f'<text x="{width / 2:.0f}" y="20" text-anchor="middle" font-size="13">{title}</text>\n'
        f"{left}\n{right}\n</svg>\n"
    )


def _panel(
    parts: tuple[Bin, ...], low: float, high: float, left: int, names: tuple[str, str], marks: list[float]
) -> str:
    def x(value: float) -> float:
        return left + _MARGIN + _SIDE * (value - low) / (high - low)

    def y(value: float) -> float:
        return _MARGIN + _SIDE * (high - value) / (high - low)

    lines = [f'<rect x="{x(low):.1f}" y="{y(high):.1f}" width="{_SIDE}" height="{_SIDE}" fill="none" stroke="#888"/>']
    lines.append(
        f'<line x1="{x(low):.1f}" y1="{y(low):.1f}" x2="{x(high):.1f}" y2="{y(high):.1f}" stroke="#bbb" '
        f'stroke-dasharray="4 3"/>'
    )
    for mark in marks:
        lines.append(f'<text x="{x(mark):.1f}" y="{y(low) + 15:.1f}" text-anchor="middle">{mark:g}</text>')
        lines.append(f'<text x="{x(low) - 5:.1f}" y="{y(mark) + 4:.1f}" text-anchor="end">{mark:g}</text>')
    middle = left + _MARGIN + _SIDE / 2
    lines.append(f'<text x="{middle:.1f}" y="{y(low) + 32:.1f}" text-anchor="middle">{names[0]}</text>')
    lines.append(f'<text x="{x(low) + 6:.1f}" y="{y(high) + 16:.1f}">{names[1]}</text>')
    for part in parts:
        if part.count >= 20 and low <= part.expected <= high:
            size = 2 + math.log10(part.count) / 1.5
            found = min(high, max(low, part.found))
            lines.append(f'<circle cx="{x(part.expected):.1f}" cy="{y(found):.1f}" r="{size:.1f}" fill="#1560a8"/>')
    return "\n".join(lines)
