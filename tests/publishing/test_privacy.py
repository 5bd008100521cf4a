"""What officials know of a player and the public does not: it is in no page, no table and no text that is given out."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType

import pytest

from korgool.app.publishing import public_event, snapshot_data, write_folder
from korgool.competition.event_state import EventState
from korgool.competition.model import Consent, Entry, EventWarning, Penalty
from tests.printing.events import swiss

SECRETS = ("External-Secret", "Guardian-Secret", "Noted-Secret", "Warning-Secret", "Penalty-Secret", "1987", "1988")
CONSENT = Consent(guardian="Guardian-Secret", day="2026-09-01", how="Noted-Secret")
KINDS = {".html", ".json", ".pgn"}
SHOWN = {"title", "rating", "federation", "club", "team", "board", "groups"}
"""Members of an entry that the public may know of everybody."""


def event(short: str = "") -> EventState:
    """An event in which officials have noted all that an entry can hold of every player."""
    state = swiss(8, 3, 3)
    players = {
        id_: replace(
            one,
            entry=replace(
                one.entry,
                external="External-Secret",
                born=1987 + id_ % 2,
                sex="f",
                club="Club",
                groups=("Juniors",),
                short=short,
                consent=CONSENT,
            ),
            warnings=(EventWarning(1, "Warning-Secret"),),
            penalties=(Penalty(1, 1, "Penalty-Secret"),),
        )
        for id_, one in state.players.items()
    }
    return replace(state, players=MappingProxyType(players))


@pytest.mark.parametrize("short", ["", "Aida A."])
def test_of_an_entry_the_public_knows_the_name_and_what_tables_show(short: str) -> None:
    state = event(short)
    named = {"family"} if short else {"family", "given", "patronymic"}
    for id_, one in public_event(state).players.items():
        known, shown = state.players[id_].entry, one.entry
        assert shown.name == (short or known.name)
        # A year and a sex make groups; what is made from them for the public leaves them out.
        for member in {field.name for field in fields(Entry)} - named - {"born", "sex"}:
            assert getattr(shown, member) == getattr(known if member in SHOWN else Entry(family="x"), member), member
        assert {given.reason for given in one.warnings} == {given.reason for given in one.penalties} == {""}


@pytest.mark.parametrize("short", ["", "Aida A."])
def test_nothing_that_is_published_holds_a_secret(tmp_path: Path, short: str) -> None:
    write_folder(event(short), tmp_path / "cup", languages=("en",))
    texts = {path.name: path.read_text() for path in (tmp_path / "cup").rglob("*") if path.suffix in KINDS}
    assert {"event.json", "games.pgn", "standings.json", "entries.html"} <= set(texts)
    texts["snapshot"] = snapshot_data(event(short)).decode()
    assert {name: secret for name, text in texts.items() for secret in SECRETS if secret in text} == {}
