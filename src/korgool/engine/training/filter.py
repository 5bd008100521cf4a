"""Selection of the samples that a network learns from."""

from __future__ import annotations

from typing import Any

import numpy as np

from korgool.rules import Rules


def undecided(samples: Any, rules: Rules) -> Any:
    """Samples in which neither side holds more than half of all stones yet; past that, nothing is open."""
    half = rules.total // 2
    return samples[(samples[:, 18] <= half) & (samples[:, 19] <= half)]


def distinct(samples: Any) -> Any:
    """The samples without those whose position stood there before, in their order."""
    words = np.ascontiguousarray(samples[:, :24]).view(np.uint64)
    keys = words[:, 0] * np.uint64(0x9E3779B97F4A7C15)
    keys = ((keys ^ keys >> np.uint64(31)) + words[:, 1]) * np.uint64(0xBF58476D1CE4E5B9)
    keys = ((keys ^ keys >> np.uint64(29)) + words[:, 2]) * np.uint64(0x94D049BB133111EB)
    _, first = np.unique(keys, return_index=True)
    return samples[np.sort(first)]


def settled(samples: Any, most: float) -> Any:
    """The samples whose game came out within `most` stones of what the search expected."""
    words = np.ascontiguousarray(samples[:, 24:28]).view(np.int16).astype(np.float32)
    return samples[np.abs(words[:, 0] / 32 - words[:, 1]) <= most]
