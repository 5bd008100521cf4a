"""Rows of the journal: whatever happens in live play is written and read back equal, and a damaged row is named."""

from __future__ import annotations

import types
import typing
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.server.storage.journal import KINDS, JournalEntry, read_journal, write_event
from korgool.conduct.claims import BY_ONLINE, ClaimKind
from korgool.live import Happening
from korgool.live.journal import Moved
from korgool.rules import Side


@dataclass
class Row:
    """As the database gives it."""

    version: int
    at_ms: int
    kind: str
    payload: str
    side: int | None = None
    command: str | None = None


def values(kind: type[Happening]) -> st.SearchStrategy[Any]:
    """Every event of a kind, by the types of its fields."""
    hints = typing.get_type_hints(kind)
    return st.builds(kind, **{name: value(hint) for name, hint in hints.items()})


def value(hint: Any) -> st.SearchStrategy[Any]:
    if isinstance(hint, types.UnionType):
        return st.one_of(*(value(one) for one in typing.get_args(hint)))
    if hint is types.NoneType:
        return st.none()
    claims = st.sampled_from(list(BY_ONLINE.values()))
    known = {Side: st.sampled_from(Side), ClaimKind: claims, int: st.integers(-(2**40), 2**40)}
    return known[hint] if hint in known else st.from_type(hint)


EVENTS = st.one_of(*(values(kind) for kind in KINDS.values()))


def test_every_event_of_live_play_has_its_kind() -> None:
    assert set(KINDS.values()) == set(typing.get_args(Happening))
    assert len(set(KINDS)) == len(KINDS)


@given(st.lists(st.tuples(EVENTS, st.sampled_from([None, *Side]), st.none() | st.text(max_size=40)), max_size=8))
def test_events_are_read_back_as_they_were(events: list[tuple[Happening, Side | None, str | None]]) -> None:
    entries = [JournalEntry(number, 7 * number, *event) for number, event in enumerate(events, 1)]
    rows = [Row(entry.version, entry.at_ms, *write_event(entry.event), entry.side, entry.command) for entry in entries]
    assert list(read_journal("g", rows)) == entries
    assert [entry.kind for entry in entries] == [row.kind for row in rows]
    assert all(len(row.kind) <= 20 for row in rows)


def test_rows_of_older_versions_are_read() -> None:
    rows = [
        Row(1, 0, "start", '{"stocks":[600000,600000]}'),
        Row(2, 1, "move", '{"hole":7,"device":true,"stocks":[599000,600000]}'),
        Row(3, 2, "undo", '{"plies":1}'),
    ]
    begin, move, back = read_journal("g", rows)
    assert (begin.kind, begin.stocks, begin.side, begin.command) == ("begin", (600_000, 600_000), None, None)
    assert (move.event, move.stocks) == (Moved(7, device=True), (599_000, 600_000))
    assert (back.kind, back.stocks) == ("takeback", None)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (Row(3, 0, "move", '{"hole":7}'), "game g: entry 3 follows 1, one is missing"),
        (Row(1, 0, "move", '{"hole":7}'), "game g: entry 1 follows 1, one is missing"),
        (Row(2, 0, "nonsense", "{}"), "game g: entry 2 is of the unknown kind 'nonsense'"),
        (Row(2, 0, "move", '{"hole":'), "game g: entry 2 cannot be read"),
        (Row(2, 0, "move", '{"hole":"7"}'), "game g: entry 2 cannot be read"),
        (Row(2, 0, "resign", '{"side":2}'), "game g: entry 2 cannot be read"),
        (Row(2, 0, "resign", "{}"), "game g: entry 2 cannot be read: it names no side"),
        (Row(2, 0, "claim", '{"side":1,"what":"everything"}'), "game g: entry 2 cannot be read"),
        (Row(2, 0, "move", '{"hole":7}', 5), "game g: entry 2 cannot be read"),
    ],
)
def test_a_damaged_row_is_named(row: Row, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_journal("g", [Row(1, 0, "begin", "{}"), row])
