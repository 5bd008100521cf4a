"""What each paper of a few events says, as it was recorded before it is set: texts, order, columns and their widths."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from korgool.app.printing.event_papers import _PAPERS, _data
from korgool.app.printing.paper_context import PaperContext
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Personal
from tests.printing.events import mangala, swiss, team_event
from tests.recorded import check_recorded

RECORDED = Path(__file__).with_name("recorded")
EVENTS: dict[str, Callable[[], EventState]] = {
    "not_paired": lambda: swiss(4, 3, 0),
    "under_way": lambda: swiss(9, 4, 3, pending=2),
    "over": lambda: swiss(7, 3, 3),
    "teams": lambda: team_event(4, 2),
    "matches": lambda: mangala(5, 3),
}
EMPTY = (None, "", False)
OF_ALL = ("language", "paper", "event", "place", "game", "page", "qr_name")
"""The same on every paper of an event."""


def lines(value: Any, name: str = "") -> Iterator[str]:
    """Nested data as lines: one for each row of a table, and for what holds nothing nested."""
    if isinstance(value, dict):
        flat = [f"{key}={short(held)}" for key, held in value.items() if not nested(held) and held not in EMPTY]
        yield f"{name} {', '.join(flat)}"
        for key, held in value.items():
            if nested(held):
                yield from (f"  {line}" for line in lines(held, f"{key}:"))
    elif isinstance(value, list | tuple) and any(map(nested, value)):
        yield name
        for one in value:
            yield from (f"  {line}" for line in lines(one, "-" if isinstance(one, dict) else ""))
    else:
        yield f"{name} {short(value)}".strip()


def nested(value: Any) -> bool:
    return isinstance(value, dict | list | tuple)


def short(value: Any) -> str:
    """In one line; a picture by its digest."""
    text = " | ".join(map(short, value)) if isinstance(value, list | tuple) else str(value)
    return text if not text.startswith("<svg") else f"<svg {sha256(text.encode()).hexdigest()[:8]}>"


@pytest.mark.parametrize("name", EVENTS)
def test_every_paper_says_what_was_recorded(name: str) -> None:
    state, made = EVENTS[name](), list[str]()
    personal = {1: Personal(born="2009-05-04")}
    for at, (what, paper) in enumerate(_PAPERS.items()):
        size = ("a4", "a5")[at % 2]
        context = PaperContext(
            state,
            "en",
            size,
            None,
            None,
            personal if what == "application" else None,
            None,
            "2026-09-08",
            None,
            "",
            None,
        )
        made.append(f"== {what}")
        try:
            data = _data(context, paper)
        except CompetitionError as error:
            made.append(str(error))
            continue
        if at:
            data = {key: held for key, held in data.items() if key not in OF_ALL}
        made += lines(data)
    check_recorded(RECORDED / f"{name}.txt", "\n".join(made) + "\n")
