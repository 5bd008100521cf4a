"""Ratings in one game: those of its players before and after it, and how each of them ended a rated game.

A rated game was played, called off, or left (`korgool.accounts.leaving`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from korgool import live
from korgool.accounts import Shown, Way, counts, speed_of
from korgool.app.server.play.rating_repository import RatingChange, RatingRepository
from korgool.conduct.claims import ClaimKind
from korgool.live import OnlineGame, journal
from korgool.rules import Side

Ways: TypeAlias = "tuple[Way | None, Way | None]"
"""For White and Black; None where the game says nothing about a player."""


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


def read_ratings(repository: RatingRepository, address: str, game: OnlineGame, now: int) -> SeatRatings:
    """The ratings of a game's players. Blocks."""
    terms = game.terms
    speed = speed_of(terms.rules.name, terms.control)
    if speed is None or not terms.between_people:
        return NO_RATINGS
    changes = repository.changes(address) if terms.rated and game.over else None
    if changes is not None:
        return SeatRatings((changes[0].before, changes[1].before), changes)
    white, black = (seat.who for seat in terms.seats)
    shown = repository.shown((white, black), terms.rules.name, speed, now)
    return SeatRatings((shown.get(white), shown.get(black)))


def decided_ways(game: live.OnlineGame, decision: live.Decision, facts: live.Facts) -> Ways | None:
    """Return how each player has ended a rated game that a decision ends, None where it ends none."""
    if not game.terms.rated or game.over or not decision.after.over:
        return None
    steps = (game, *decision.steps)
    last = next(number for number, step in enumerate(decision.steps) if step.over)
    return ways_of(steps[last], decision.events[last], steps[last + 1], facts)


def ways_of(before: live.OnlineGame, event: journal.Happening, after: live.OnlineGame, facts: live.Facts) -> Ways:
    """Return how White and Black ended a rated game.

    Who was there when their opponent called the game off, or did not begin it, has neither played nor left a game.

    Args:
        before: the game before the event that ends it.
        event: that event.
        after: the game that is over.
        facts: the world as the server knew it then.
    """
    if isinstance(event, journal.Aborted):
        return _pair(dict.fromkeys(_aborting(before, event), Way.ABORTED))
    ending = after.ending
    assert ending is not None
    if ending.both_lost:
        return Way.LEFT, Way.LEFT
    counted = counts(ending.half_points, after.plies)
    ways: dict[Side, Way | None] = dict.fromkeys(Side, Way.PLAYED if counted else None)
    if ending.winner is not None:
        loser = ending.winner.other
        if _left(before, event, loser, after.at, facts):
            ways[loser] = Way.LEFT
        elif not counted:
            ways[loser] = Way.ABORTED
    return _pair(ways)


def _pair(ways: dict[Side, Way] | dict[Side, Way | None]) -> Ways:
    return ways.get(Side.WHITE), ways.get(Side.BLACK)


def _aborting(before: live.OnlineGame, event: journal.Aborted) -> list[Side]:
    """Return who has aborted a game: by saying so, by not coming, or by not making the first move."""
    if event.side is not None:
        return [event.side]
    if before.begun:
        return [before.to_move]
    return [side for side in Side if not before.joined[side]]


def _left(before: live.OnlineGame, event: journal.Happening, loser: Side, at: int, facts: live.Facts) -> bool:
    """Return whether the loser did not come, or had gone for good when the opponent claimed or the time ran out."""
    claim = event.what if isinstance(event, journal.ClaimGranted) else None
    if claim in (ClaimKind.GONE, ClaimKind.NO_SHOW):
        return True
    by_time = isinstance(event, journal.TimeCalled)
    if not by_time and claim not in (ClaimKind.FLAG, ClaimKind.PROOF):
        return False
    if before.terms.live:
        return facts.quiet_ms(loser, at) >= live.gone_after_ms(before.terms)
    # In a game with days for each turn nobody has to be there, but who has gone does not even look at it in their turn.
    return by_time and facts.quiet_ms(loser, at) >= at - before.game.now
