"""A match: several sets of mangala between two players, each set a game (WNG-M §III.4 speaks of sets)."""

from __future__ import annotations

from dataclasses import dataclass, field

from korgool.rules.outcome import Outcome, Side
from korgool.rules.position import MANGALA, Rules


@dataclass(frozen=True, slots=True)
class Match:
    """Sets played so far in a match of a fixed number of them; all are played.

    The players are named by their side in the first set; the starter alternates, so in the second set the first
    player sits on Black's side.

    Attributes:
        rules: the game of every set.
        sets: number of sets, 5 as a rule.
        outcomes: the outcomes of the sets played, in order.
    """

    rules: Rules = MANGALA
    sets: int = 5
    outcomes: tuple[Outcome, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.sets < 1:
            raise ValueError(f"a match has at least one set, not {self.sets}")
        if len(self.outcomes) > self.sets:
            raise ValueError(f"{len(self.outcomes)} sets were played in a match of {self.sets}")

    def side_of(self, player: int, number: int) -> Side:
        """The side of player 0 or 1 in set `number`, from 1."""
        return Side((player + number - 1) % 2)

    def record(self, outcome: Outcome) -> Match:
        """The match after one more set.

        Raises:
            ValueError: all sets have been played.
        """
        return Match(self.rules, self.sets, (*self.outcomes, outcome))

    @property
    def half_points(self) -> tuple[int, int]:
        """Points of the two players in half points: 2 a set won, 1 a draw (WNG-M §II)."""
        points = [0, 0]
        for number, outcome in enumerate(self.outcomes, 1):
            for player in (0, 1):
                won = outcome.winner == self.side_of(player, number)
                points[player] += 1 if outcome.winner is None else 2 * won
        return points[0], points[1]

    @property
    def stones(self) -> tuple[int, int]:
        """Stones that the two players gathered over all sets."""
        pairs = [
            [outcome.stores[self.side_of(player, number)] for player in (0, 1)]
            for number, outcome in enumerate(self.outcomes, 1)
        ]
        return sum(first for first, _ in pairs), sum(second for _, second in pairs)

    @property
    def finished(self) -> bool:
        """True if every set has been played."""
        return len(self.outcomes) == self.sets

    @property
    def winner(self) -> int | None:
        """The player, 0 or 1, with more points of a finished match; None for a draw or while it goes on."""
        first, second = self.half_points
        return None if not self.finished or first == second else int(second > first)
