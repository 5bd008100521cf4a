"""The API of mistakes that come back."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.http.responses import mark_of
from korgool.app.server.school.mistakes.repository import Card, Given
from korgool.app.server.school.mistakes.schedule import GRADES, Answer, Memory
from korgool.app.server.school.mistakes.service import MistakeService
from korgool.training.mistakes import LATEST_MS, Mistake

_OTHER = {409: "the page is still that of another account"}
TheMistakes = NamedDependency[MistakeService]
CardId = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{16}$")]
Moment = Annotated[int, msgspec.Meta(ge=0, lt=LATEST_MS)]


class SentCard(Mistake, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A card as a device has it.

    Attributes:
        dropped: whether it does not come back.
        switched: when that was last changed, in milliseconds since 1970; 0 for never. The latest change holds.
    """

    dropped: bool = False
    switched: Moment = 0


class SentAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to a card.

    Attributes:
        id: a name that no other answer has; the same answer, sent again, counts once.
        card: the id of the card.
        grade: 1 where the answer was shown or guessed, 2 right at the second try, 3 right at once, 4 easy.
        at: when it was given, in milliseconds since 1970.
    """

    id: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z-]{8,40}$")]
    card: CardId
    grade: Annotated[int, msgspec.Meta(ge=GRADES[0], le=GRADES[-1])]
    at: Moment


class MistakesCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a device has and the account may not, and how much of the account the device knows.

    Attributes:
        cards: new cards, and those that were dropped or kept again.
        answers: answers that were given.
        seen: the `seen` of the last answer; 0 for all cards.
        mark: that of the account of the page; where another one is signed in by now nothing is taken or told.
    """

    cards: Annotated[list[SentCard], msgspec.Meta(max_length=50)] = []
    answers: Annotated[list[SentAnswer], msgspec.Meta(max_length=200)] = []
    seen: Moment = 0
    mark: Annotated[str, msgspec.Meta(max_length=40)] = ""


class CardMessage(msgspec.Struct, frozen=True):
    """A card of the account.

    Attributes:
        card: the mistake.
        memory: what is remembered of it; None of a new card, which is due at once.
        dropped: whether it does not come back.
        switched: when that was last changed.
    """

    card: Mistake
    memory: Memory | None
    dropped: bool
    switched: int


class MistakesMessage(msgspec.Struct, frozen=True):
    """What has changed in the account since.

    Attributes:
        cards: the cards that have changed, at most 100 at a time.
        seen: how much of the account this device knows now.
        more: whether to ask again.
        refused: ids of cards that were not taken: they are none by the rules, or there are 2,000 already.
    """

    cards: list[CardMessage]
    seen: int
    more: bool
    refused: list[str]


@post("/", action=Action.EDIT, status_code=200, responses=refusals(_OTHER, command=True), summary="Your mistakes")
async def sync_mistakes(
    data: JSONBody[MistakesCommand], principal: ThePrincipal, mistakes: TheMistakes, caller: TheCaller
) -> MistakesMessage:
    """Send new cards and answers, and get the cards that have changed.

    The account has the same cards on all devices. All of a request is taken in, or nothing; what is sent again changes
    nothing.
    """
    account = principal.person.id
    if data.mark and data.mark != mark_of(account):
        raise ApiError(409, errors.OTHER_ACCOUNT)
    refused = await mistakes.take(
        account,
        [_given(card) for card in data.cards],
        [(one.card, Answer(one.id, one.at, one.grade)) for one in data.answers],
        caller,
    )
    cards, more = await mistakes.after(account, data.seen)
    seen = cards[-1].changed if cards else data.seen
    return MistakesMessage([_message(card) for card in cards], seen, more, refused)


def _given(card: SentCard) -> Given:
    values = {name: getattr(card, name) for name in Mistake.__struct_fields__}
    return Given(Mistake(**values), card.dropped, card.switched)


def _message(card: Card) -> CardMessage:
    return CardMessage(card.mistake, card.memory, card.dropped, card.switched)


router = Router("/api/mistakes", before_request=check_body, route_handlers=[sync_mistakes], tags=["school"])
