"""Notices of a game to players who are away: one for each thing that happens to them, from its beginning to its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from korgool import live
from korgool.accounts import PersonKind
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.notices.notice_texts import NoticeKind, NoticeText
from korgool.app.server.notices.notices import Notices
from korgool.app.words.games import REASONS
from korgool.app.words.people import name_before
from korgool.languages import N_
from korgool.live.journal import DrawOffered, Happening, Moved, RematchAsked, TakebackAsked
from korgool.rules import Side

_DAY_MS = 86_400_000
_OFFERS: dict[type[Happening], NoticeKind] = {
    DrawOffered: NoticeKind.DRAW,
    TakebackAsked: NoticeKind.TAKEBACK,
    RematchAsked: NoticeKind.REMATCH,
}
_CALLED_OFF, _NO_REASON = N_("The game was called off"), N_("nobody has won")


def notify_turn(
    people: PeopleLookup,
    notices: Notices,
    address: str,
    game: live.OnlineGame,
    before: Side | None,
    present: Sequence[bool],
) -> None:
    """Withdraw the notices of the turn that has ended, and notify the player to move, unless they are connected.

    Args:
        people: the register of people. An absent player may not have been read for long, and a child is shown no
            stranger's name.
        notices: the notices by push and mail.
        address: of the game.
        game: the game.
        before: the side whose turn has ended; None before the first.
        present: whether White and Black are connected.
    """
    path, deadline = f"/games/{address}", live.due(game)
    if before is not None:
        notices.turn_over(game.terms.seats[before].who, path)
    if deadline is None or game.over or present[game.to_move]:
        return
    who, opponent = game.terms.seats[game.to_move].who, game.terms.seats[game.to_move.other].who
    notices.your_turn(who, path, name_of(people, opponent, who), deadline, guest=guest_of(people, who))


def notify_events(
    people: PeopleLookup,
    notices: Notices,
    address: str,
    before: live.OnlineGame,
    decision: live.Decision,
    side: Side | None,
    present: Sequence[bool],
) -> None:
    """Notify players who are not connected of an offer to them, and of the end of the game, unless they ended it.

    Args:
        people: the register of people.
        notices: the notices by push and mail.
        address: of the game.
        before: the game before.
        decision: what has happened, on disk.
        side: who has done it; None for the server.
        present: whether White and Black are connected.
    """
    game, path = decision.after, f"/games/{address}"

    def tell(to: Side, text: NoticeText) -> None:
        who, opponent = game.terms.seats[to].who, game.terms.seats[to.other].who
        until = live.due(game) or now_ms() + _DAY_MS
        notices.tell(who, path, text, name_of(people, opponent, who), until, guest=guest_of(people, who))

    if game.over and not before.over:
        for to in Side:
            if to is not side and not present[to]:
                tell(to, ended_text(game, to))
        return
    offer = next((kind for event in decision.events if (kind := offer_in(event)) is not None), None)
    if offer is not None and side is not None and not present[side.other] and not game.rematch:
        tell(side.other, NoticeText(offer))


def offer_in(event: Happening) -> NoticeKind | None:
    """The kind of a notice of the offer in an event; None where there is none."""
    if isinstance(event, Moved):
        return NoticeKind.DRAW if event.offer else None
    return _OFFERS.get(type(event))


def ended_text(game: live.OnlineGame, to: Side) -> NoticeText:
    """The text for one player of a game that is over."""
    if game.ending is None:
        return NoticeText(NoticeKind.ENDED, _CALLED_OFF, _NO_REASON)
    ending, winner = game.ending, game.ending.winner
    ended = f"{ending.termination.value} {'draw' if winner is None else winner.name.lower()}"
    reason = REASONS.get(f"{ended}, {ending.clause}") or REASONS.get(ended) or _NO_REASON
    if winner is None:
        return NoticeText(NoticeKind.ENDED, N_("Draw") if any(ending.half_points) else N_("Both players lose"), reason)
    return NoticeText(NoticeKind.ENDED, N_("You win") if winner is to else N_("The opponent wins"), reason)


def name_of(people: PeopleLookup, other: str, reader: str) -> Callable[[], Awaitable[str]]:
    """Return what finds out the name of somebody before a reader: either may not have been read for long."""

    async def name() -> str:
        await people.learn((reader, other))
        return name_before(people.person(other), people.person(reader))

    return name


def guest_of(people: PeopleLookup, who: str) -> Callable[[], bool]:
    """Return what finds out whether somebody has no account."""
    return lambda: people.person(who).kind is PersonKind.VISITOR
