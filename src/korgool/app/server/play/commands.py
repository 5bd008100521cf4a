"""What a client says about a game: read from JSON, checked, and turned into a command of `korgool.live`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, get_args

import msgspec

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.conduct.claims import BY_ONLINE, OnlineClaim
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
