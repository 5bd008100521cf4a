"""Fits a network to samples, with PyTorch (extra `train`).

The target of the value is a blend of what the search saw and of what the game came to; that of the chances, who won.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from korgool.engine.networks.layout import COUNTED, HEADS, TUZ_ROWS
from korgool.engine.training.samples import SAMPLE_BYTES
from korgool.rules import Rules

STONES = 32.0
"""The value head's unit while training, in stones."""
_OWN, _OTHER = (*range(8), 16), (*range(8, 16), 17)
_EDGE = 1e-4


@dataclass(frozen=True, slots=True)
class Recipe:
    """Parameters of the fit of a network.

    Attributes:
        hidden: hidden units, a multiple of 64.
        buckets: output heads by the stones on the board, 1 to 16.
        epochs: passes over the samples.
        batch: samples a step.
        rate: the largest step size of Adam; it falls to a hundredth along a cosine.
        search: share of the search's value in the target, 0 to 1; the rest is the final difference.
        sharp: weight of the error in win chances against the error in stones.
        seed: decides everything.
        threads: of PyTorch; another number may change the last bits of the result.
    """

    hidden: int = 64
    buckets: int = 8
    epochs: int = 20
    batch: int = 8192
    rate: float = 0.01
    search: float = 0.7
    sharp: float = 1.0
    seed: int = 1
    threads: int = 1


@dataclass(frozen=True, slots=True)
class SampleTensors:
    """Samples as tensors.

    Attributes:
        counts: (n, 2 * holes) stones of own holes and of the opponent's, at most COUNTED - 1.
        tuz: (n,) row of both tuz.
        board: (n,) stones on the board.
        lead: (n,) own store less the opponent's.
        value: (n,) the search's expected final difference, in stones.
        difference: (n,) final difference, in stones.
        result: (n,) 0 won, 1 drawn, 2 lost.
    """

    counts: torch.Tensor
    tuz: torch.Tensor
    board: torch.Tensor
    lead: torch.Tensor
    value: torch.Tensor
    difference: torch.Tensor
    result: torch.Tensor


def read_samples(paths: Sequence[Path]) -> Any:
    """The samples of files as an array of bytes, (n, 32).

    Raises:
        ValueError: a file that does not hold whole samples.
    """
    parts = []
    for path in paths:
        data = np.fromfile(path, dtype=np.uint8)
        if len(data) % SAMPLE_BYTES:
            raise ValueError(f"{path}: {len(data)} bytes are no whole samples of {SAMPLE_BYTES}")
        parts.append(data.reshape(-1, SAMPLE_BYTES))
    return np.concatenate(parts)


def table(samples: Any, rules: Rules) -> SampleTensors:
    """The tensors of samples, (n, 32) bytes."""
    holes = rules.holes
    counts = samples[:, [*_OWN[:holes], *_OTHER[:holes]]]
    words = np.ascontiguousarray(samples[:, 24:28]).view(np.int16).astype(np.float32)
    result = 1 - np.ascontiguousarray(samples[:, 30]).view(np.int8).astype(np.int64)
    tuz = samples[:, 20].astype(np.int32) * 10 + samples[:, 21] if rules.tuz else np.zeros(len(samples), np.int32)
    lead = samples[:, 18].astype(np.float32) - samples[:, 19]
    return SampleTensors(
        counts=torch.from_numpy(np.minimum(counts, COUNTED - 1)),
        tuz=torch.from_numpy(tuz),
        board=torch.from_numpy(counts.sum(axis=1, dtype=np.int64)),
        lead=torch.from_numpy(lead),
        value=torch.from_numpy(words[:, 0] / 32),
        difference=torch.from_numpy(words[:, 1]),
        result=torch.from_numpy(result),
    )


def bucket_table(total: int, buckets: int) -> list[int]:
    """The output head for each number of stones on the board, 0 to 255; finer where there are few."""
    edges = [total * (at / buckets) ** 1.5 for at in range(1, buckets)]
    return [sum(board > edge for edge in edges) for board in range(256)]


class Network(nn.Module):  # type: ignore[misc]
    """The network in floating point; `forward` gives stones still to gain, and the logarithms of width and band."""

    def __init__(self, rules: Rules, hidden: int, buckets: int) -> None:
        super().__init__()
        self.rules, self.hidden, self.buckets = rules, hidden, buckets
        places = 2 * rules.holes
        rows = TUZ_ROWS if rules.tuz else 1
        self.rows = nn.Parameter(torch.randn(places * COUNTED, hidden) * 0.05)
        # What a count adds in proportion: counts too rare to learn their own row still have a sensible one.
        self.slopes = nn.Parameter(torch.randn(places, hidden) * 0.05)
        self.tuz = nn.Parameter(torch.rand(rows, hidden) * 0.3)
        self.weights = nn.Parameter(torch.randn(HEADS * buckets, hidden) * 0.1)
        biases = torch.zeros(HEADS, buckets)
        biases[1], biases[2] = 2.0, -0.5
        self.biases = nn.Parameter(biases.reshape(-1))
        self.register_buffer("offsets", torch.arange(places, dtype=torch.int32) * COUNTED)
        self.register_buffer("bucket", torch.tensor(bucket_table(rules.total, buckets)))

    def folded(self) -> torch.Tensor:
        """The rows with the slopes added, (2 * holes * COUNTED, hidden)."""
        steps = torch.arange(COUNTED, dtype=torch.float32) / 8
        return self.rows + (self.slopes[:, None, :] * steps[:, None]).reshape(-1, self.hidden)

    def forward(self, counts: torch.Tensor, tuz: torch.Tensor, board: torch.Tensor) -> torch.Tensor:
        """Compute outputs of the shape (n, HEADS)."""
        indices = counts.to(torch.int32) + self.offsets
        units = nn.functional.embedding_bag(indices, self.rows, mode="sum")
        units = units + (counts.to(torch.float32) / 8) @ self.slopes
        units = units + nn.functional.embedding(tuz, self.tuz)
        units = units.clamp(0, 1).square()
        outputs = (units @ self.weights.T + self.biases).reshape(-1, HEADS, self.buckets)
        chosen = self.bucket[board][:, None, None].expand(-1, HEADS, 1)
        return outputs.gather(2, chosen).squeeze(2)


def loss_of(
    outputs: torch.Tensor, data: SampleTensors, at: torch.Tensor, recipe: Recipe
) -> tuple[torch.Tensor, torch.Tensor]:
    """The errors of value and of chances."""
    lead = data.lead[at]
    expected = outputs[:, 0] * STONES + lead
    target = recipe.search * data.value[at] + (1 - recipe.search) * data.difference[at]
    scale = 3.0 + 0.09 * data.board[at]
    error = nn.functional.huber_loss(expected, target, delta=8.0, reduction="none") / 32
    sharp = (torch.sigmoid(expected / scale) - torch.sigmoid(target / scale)).square() * 16
    width, band = outputs[:, 1].clamp(-4, 6).exp(), outputs[:, 2].clamp(-6, 4).exp()
    fixed = expected.detach()
    win, loss = torch.sigmoid((fixed - band) / width), torch.sigmoid((-fixed - band) / width)
    chances = torch.stack([win, 1 - win - loss, loss], 1).clamp(_EDGE, 1)
    unlikely = -chances.gather(1, data.result[at][:, None]).log().squeeze(1)
    return (error + recipe.sharp * sharp).mean(), unlikely.mean()


def train(
    rules: Rules, samples: Any, recipe: Recipe, report: Callable[[str], None] = print, start: Network | None = None
) -> Network:
    """Fit a network; one sample in fifty is kept aside, and its errors reported after each epoch."""
    torch.manual_seed(recipe.seed)
    torch.set_num_threads(recipe.threads)
    data = table(samples, rules)
    network = start or Network(rules, recipe.hidden, recipe.buckets)
    # Whole games lie together: the part kept aside is cut from the end.
    kept = max(1, len(data.tuz) // 50)
    used = len(data.tuz) - kept
    aside = torch.arange(used, len(data.tuz))
    optimizer = torch.optim.Adam(network.parameters(), lr=recipe.rate, betas=(0.9, 0.99))
    steps = max(1, used // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, recipe.rate, total_steps=steps * recipe.epochs + 1, pct_start=0.05, final_div_factor=100
    )
    for epoch in range(recipe.epochs):
        order = torch.randperm(used)
        total = 0.0
        for step in range(steps):
            at = order[step * recipe.batch : (step + 1) * recipe.batch]
            error, unlikely = loss_of(network(data.counts[at], data.tuz[at], data.board[at]), data, at, recipe)
            optimizer.zero_grad(set_to_none=True)
            (error + 0.2 * unlikely).backward()
            optimizer.step()
            schedule.step()
            total += float(error.detach())
        with torch.no_grad():
            outputs = network(data.counts[aside], data.tuz[aside], data.board[aside])
            error, unlikely = loss_of(outputs, data, aside, recipe)
            missed = (outputs[:, 0] * STONES + data.lead[aside] - data.difference[aside]).abs().mean()
        report(
            f"epoch {epoch + 1}: error {total / steps:.5f}, aside {float(error):.5f}, chances {float(unlikely):.4f}, "
            f"final difference missed by {float(missed):.2f} stones"
        )
    return network
