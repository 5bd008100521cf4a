"""What has to be written of a decision, and how a refusal is answered."""

from __future__ import annotations

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit
from korgool.rules import Side


def entries_of(
    game: live.OnlineGame, decision: live.Decision, side: Side | None, name: str | None
) -> tuple[JournalEntry, ...]:
    """The journal entries of a decision; its first event bears the name of the command."""
    first = game.version + 1
    return tuple(
        JournalEntry(first + index, after.at, event, side, name if index == 0 else None)
        for index, (event, after) in enumerate(zip(decision.events, decision.steps, strict=True))
    )


def new_game(address: str, terms: live.GameTerms, at: int) -> Commit:
    """What has to be written so that a game begins."""
    decision = live.begin(terms, at)
    return Commit(address, entries_of(live.OnlineGame.open(terms, at), decision, None, None), decision.after, new=True)


def refusal(refused: live.Refused) -> ApiError:
    """The refusal of a command as the server answers it."""
    return ApiError(
        refused.status,
        errors.REFUSALS[refused.kind],
        clause=refused.clause,
        ruling=refused.ruling,
        **refused.arguments,
    )
