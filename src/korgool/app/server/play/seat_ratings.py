"""The ratings of the players of one game, as its state shows them: before it, and what it has made of them."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.accounts import Shown, speed_of
from korgool.app.server.play.rating_repository import RatingChange, RatingRepository
from korgool.live import OnlineGame
from korgool.rules import Side


@dataclass(frozen=True, slots=True)
class SeatRatings:
    """Ratings at a game's speed.

    Attributes:
        before: those of White and Black, None for guests and in games without a clock.
        changes: what the game has made of them, None where it was not counted, or not yet.
    """

    before: tuple[Shown | None, Shown | None] = (None, None)
    changes: tuple[RatingChange, RatingChange] | None = None

    def of(self, side: Side, *, over: bool) -> tuple[Shown | None, int | None]:
        """The rating of a side and by how much the game has changed it; `over` for who knows that it is over."""
        if self.changes is None or not over:
            return self.before[side], None
        change = self.changes[side]
        return change.after, change.points


NO_RATINGS = SeatRatings()


def read_ratings(shelf: RatingRepository, address: str, game: OnlineGame, now: int) -> SeatRatings:
    """The ratings of a game's players. Blocks."""
    terms = game.terms
    speed = speed_of(terms.rules.name, terms.control)
    if speed is None or not terms.between_people:
        return NO_RATINGS
    changes = shelf.changes(address) if terms.rated and game.over else None
    if changes is not None:
        return SeatRatings((changes[0].before, changes[1].before), changes)
    white, black = (seat.who for seat in terms.seats)
    found = shelf.shown((white, black), terms.rules.name, speed, now)
    return SeatRatings((found.get(white), found.get(black)))
