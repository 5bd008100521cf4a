"""The vocabulary of claims: every spelling that a file or a program of any version may hold, in one table."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import get_args

import pytest

from korgool.app.server.play.commands import DEMANDS, Said, command
from korgool.app.server.storage.journal import read_journal, write_event
from korgool.conduct.claims import BY_LOG, BY_ONLINE, ClaimKind, LogClaim, OnlineClaim
from korgool.conduct.events import By, Claim, Event
from korgool.conduct.writing import event_fields
from korgool.live import ClaimEnd
from korgool.live.journal import ClaimGranted
from korgool.rules import Side

SOURCE = Path(__file__).parents[2] / "src" / "korgool"


def test_the_spellings_are_those_that_files_and_programs_hold() -> None:
    assert (
        tuple(BY_LOG) == get_args(LogClaim) == ("threefold", "73", "drawn_position", "flag", "fourth_offer", "no_show")
    )
    online = ("repetition", "drawn-position", "time", "fourth-offer", "no-show", "gone", "proof")
    assert tuple(BY_ONLINE) == get_args(OnlineClaim) == DEMANDS == online
    listed = {kind.name: kind.listed for kind in ClaimKind if kind.listed is not None}
    assert listed == {
        "RECURRENCE": "73",
        "DRAWN_POSITION": "drawn-position",
        "FLAG": "time",
        "FOURTH_OFFER": "fourth-offer",
        "NO_SHOW": "no-show",
    }


def test_logs_commands_and_journals_spell_each_kind_by_the_table() -> None:
    assert {kind.name: kind.log for kind in BY_LOG.values()} == {
        "THREEFOLD": "threefold",
        "RECURRENCE": "73",
        "DRAWN_POSITION": "drawn_position",
        "FLAG": "flag",
        "FOURTH_OFFER": "fourth_offer",
        "NO_SHOW": "no_show",
    }
    for kind in BY_LOG.values():
        assert event_fields(Event(0, By.WHITE, Claim(kind)))["reason"] == kind.log
    for kind in BY_ONLINE.values():
        assert command(Said("claim", what=kind.online), Side.WHITE, "") == ClaimEnd(Side.WHITE, kind)
        row = write_event(ClaimGranted(Side.WHITE, kind))
        # A row that names no kind means this one.
        told = "" if kind is ClaimKind.RECURRENCE else f',"what":"{kind.online}"'
        assert row == ("claim", f'{{"side":0{told}}}')
        stored = SimpleNamespace(version=1, at_ms=0, kind=row[0], payload=row[1], side=0, command=None)
        assert read_journal("g", [stored])[0].event == ClaimGranted(Side.WHITE, kind)
    with pytest.raises(ValueError, match="no claim of a game over a network: THREEFOLD"):
        ClaimGranted(Side.WHITE, ClaimKind.THREEFOLD)


def test_only_the_table_spells_a_claim() -> None:
    """In Python; the rules room, which is below the table, names the two draws that it knows by itself."""
    spelled = re.compile(r"""["'](73|no_show|no-show|fourth_offer|fourth-offer)["']""")
    found = {
        str(path.relative_to(SOURCE))
        for path in SOURCE.rglob("*.py")
        if spelled.search(path.read_text(encoding="utf-8")) and path.name != "claims.py"
    }
    # A kind of ruling is not a claim, though one is called like it.
    assert found == {"rules/game.py", "conduct/ruling.py"}
