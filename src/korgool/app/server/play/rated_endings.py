"""How each player ended a rated game: played it, called it off, or left it (`korgool.accounts.leaving`).

And how the server says that somebody is kept from them.
"""

from __future__ import annotations

import time
from typing import TypeAlias

from korgool import live
from korgool.accounts import RefusedKind, Way, counts
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.rating_repository import RatedRefusal
from korgool.conduct.claims import ClaimKind
from korgool.live import journal
from korgool.rules import Side

Ways: TypeAlias = "tuple[Way | None, Way | None]"
"""For White and Black; None where the game says nothing about a player."""


def decided_ways(game: live.OnlineGame, decision: live.Decision, facts: live.Facts) -> Ways | None:
    """How each player has ended a rated game that a decision ends, None where it ends none."""
    if not game.terms.rated or game.over or not decision.after.over:
        return None
    steps = (game, *decision.steps)
    last = next(number for number, step in enumerate(decision.steps) if step.over)
    return ways_of(steps[last], decision.events[last], steps[last + 1], facts)


def ways_of(before: live.OnlineGame, event: journal.Happening, after: live.OnlineGame, facts: live.Facts) -> Ways:
    """How White and Black ended a rated game.

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
    """Whose doing it is that a game was aborted: who said so, who did not come, or who did not make the first move."""
    if event.side is not None:
        return [event.side]
    if before.begun:
        return [before.to_move]
    return [side for side in Side if not before.joined[side]]


def _left(before: live.OnlineGame, event: journal.Happening, loser: Side, at: int, facts: live.Facts) -> bool:
    """Whether the loser did not come, or had gone for good when the opponent claimed or the time ran out."""
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


def rated_refusal(found: RatedRefusal) -> ApiError:
    """The refusal of a rated game as the server answers it."""
    status, kind = found.refused.status, found.refused.kind
    if found.until:
        moment = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(-(-found.until // 60_000) * 60))
        return ApiError(status, errors.KEPT, moment=moment)
    return ApiError(status, errors.LOCKED if kind is RefusedKind.LOCKED else errors.GUEST_RATED)
