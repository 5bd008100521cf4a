"""Commands of clients, read from JSON and turned into those of `korgool.live`, and decisions, turned into commits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import msgspec

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play import state_messages
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit
from korgool.conduct.claims import BY_ONLINE, OnlineClaim
from korgool.engine.perfect import PERFECT
from korgool.rules import Side

Do = Literal[
    "move",
    "reply",
    "offer-draw",
    "accept-draw",
    "decline-draw",
    "ask-takeback",
    "accept-takeback",
    "decline-takeback",
    "add-time",
    "resign",
    "abort",
    "claim",
    "rematch",
]
COMMANDS: tuple[str, ...] = get_args(Do)
DEMANDS: tuple[str, ...] = tuple(BY_ONLINE)
_SIMPLE: dict[str, Callable[[Side], live.Command]] = {
    "offer-draw": live.OfferDraw,
    "accept-draw": live.AcceptDraw,
    "decline-draw": live.DeclineDraw,
    "ask-takeback": live.AskTakeback,
    "accept-takeback": live.AcceptTakeback,
    "decline-takeback": live.DeclineTakeback,
    "add-time": live.AddTime,
    "resign": live.ResignGame,
    "abort": live.AbortGame,
}
_LONGEST_ID = 40


class Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A command as clients send it.

    Attributes:
        do: what to do; over HTTP the address says it.
        id: a name that the client chooses: the same command sent again with it happens once.
        hole: of a move, the hole to sow, 1 to n.
        version: of a move, the version of the game that the client has seen.
        offer: of a move, whether a draw is offered with it.
        what: of a claim, what is claimed.
    """

    do: Do | None = None
    id: str | None = None
    hole: int | None = None
    version: int | None = None
    offer: bool = False
    what: OnlineClaim | None = None


def check(said: Said, do: str | None = None) -> Said:
    """The command with its name, if its fields are there and have values that can be.

    Raises:
        ApiError: 400, with the field and the reason.
    """
    name = said.do if do is None else do
    if name is None or (said.do is not None and said.do != name):
        raise ApiError(400, errors.NO_COMMAND, reason=f"do must be one of {', '.join(COMMANDS)}")
    check_id(said.id)
    needed = {"move": ("hole", "version"), "reply": ("hole", "version"), "claim": ("what",)}.get(name, ())
    for field in needed:
        if getattr(said, field) is None:
            raise ApiError(400, errors.NO_COMMAND, reason=f"Object missing required field `{field}`")
    return msgspec.structs.replace(said, do=name)


def check_id(name: str | None) -> None:
    """Refuse an id that is none.

    Raises:
        ApiError: 400.
    """
    if name is not None and not (0 < len(name) <= _LONGEST_ID and name.isascii() and name.isprintable()):
        raise ApiError(400, errors.NO_COMMAND, reason=f"id must be 1 to {_LONGEST_ID} printable ASCII characters")


def command(said: Said, side: Side, rematch: str) -> live.Command:
    """The command of a seat; `rematch` is the address of the game that a rematch would get."""
    if said.do in {"move", "reply"}:
        assert said.hole is not None
        assert said.version is not None
        return live.MakeMove(side, said.hole, said.version, offer=said.offer, device=said.do == "reply")
    if said.do == "claim":
        assert said.what is not None
        return live.ClaimEnd(side, BY_ONLINE[said.what])
    if said.do == "rematch":
        return live.AskRematch(side, rematch)
    return _SIMPLE[str(said.do)](side)


def seat_of_command(game: live.OnlineGame, who: str | None, said: Said) -> Side:
    """The seat for which somebody says something.

    Raises:
        ApiError: they have none, or the engine does not wait for their move.
    """
    sides = game.terms.sides(who or "")
    if not sides:
        raise ApiError(403, errors.NOT_YOURS)
    if said.do == "reply":
        engine = state_messages.engine_of(game.terms)
        if said.version is not None and not game.board_version <= said.version <= game.version:
            raise ApiError(409, errors.STALE)
        if engine is None or not game.terms.by_engine(game.to_move):
            raise ApiError(422, errors.NOT_ENGINES_TURN)
        if engine.strength == PERFECT:
            raise ApiError(422, errors.SERVER_PLAYS)
        return game.to_move
    if len(sides) == 1:
        return sides[0]
    # Who plays both sides takes back what was played last.
    return game.game.positions[-2].to_move if said.do == "ask-takeback" and game.plies else game.to_move


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
    """Return the commit with which a game begins."""
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
