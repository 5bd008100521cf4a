"""What a client may say about a game: fields that belong together, ids, and the command for a seat."""

from __future__ import annotations

import pytest

from korgool import live
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.commands import COMMANDS, Do, Said, check, command
from korgool.conduct.claims import ClaimKind
from korgool.rules import Side

BLACK = Side.BLACK


@pytest.mark.parametrize(
    ("said", "do", "reason"),
    [
        (Said(), None, "do must be one of"),
        (Said("resign"), "abort", "do must be one of"),
        (Said("move", hole=1), None, "version"),
        (Said("move", version=1), None, "hole"),
        (Said("reply", version=1), None, "hole"),
        (Said("claim"), None, "what"),
        (Said("resign", id=""), None, "id must be"),
        (Said("resign", id="x" * 41), None, "id must be"),
        (Said("resign", id="é"), None, "id must be"),
        (Said("resign", id="a\n"), None, "id must be"),
    ],
)
def test_commands_that_are_none(said: Said, do: str | None, reason: str) -> None:
    with pytest.raises(ApiError, match=reason) as refused:
        check(said, do)
    assert (refused.value.status, refused.value.message) == (400, errors.NO_COMMAND)


def test_the_address_or_the_body_names_a_command() -> None:
    for said, do in ((Said("resign"), None), (Said(), "resign"), (Said("resign"), "resign")):
        assert check(said, do).do == "resign"
    longest = Said("resign", id="x" * 40)
    assert check(longest) == longest


@pytest.mark.parametrize("do", COMMANDS)
def test_every_command_is_said_for_its_seat(do: Do) -> None:
    said = check(Said(do, hole=3, version=5, offer=True, what="gone"))
    found = command(said, BLACK, "rematch00000")
    assert found.side is BLACK
    if do in {"move", "reply"}:
        assert found == live.MakeMove(BLACK, 3, 5, offer=True, device=do == "reply")
    elif do == "claim":
        assert found == live.ClaimEnd(BLACK, ClaimKind.GONE)
    elif do == "rematch":
        assert found == live.AskRematch(BLACK, "rematch00000")
    else:
        assert type(found).__name__.lower().removesuffix("game") == do.replace("-", "")
