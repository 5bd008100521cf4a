"""Recognition of the columns of a list: by their headings, or by their contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from korgool.competition.entry_lists.cell_values import CellError, read_born
from korgool.competition.entry_lists.column_headings import FIELDS, exact_field, sex_of
from korgool.competition.entry_lists.list_layout import JOINED, headings_at, meanings_of
from korgool.competition.entry_lists.list_table import ListTable
from korgool.competition.text_cleaning import clean

_ENOUGH = 0.6
"""The part of a column's cells that must fit a guess."""
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a list.

    Attributes:
        heading: as it stands in the list; empty without one.
        meaning: a field of `FIELDS`; empty if the column is not used.
        how: whether the heading says it, the contents suggest it, an official has chosen it, or nothing is known.
        sample: the first text in the column.
    """

    heading: str
    meaning: str
    how: Literal["known", "guessed", "chosen", "unknown"]
    sample: str


def has_headings(table: ListTable) -> bool:
    """Return whether the first line holds headings: one of them is known as a whole, or several by their words."""
    first = table.rows[0][1]
    return any(exact_field(clean(cell)) for cell in first) or headings_at([first]) is not None


def columns_of(table: ListTable, headed: bool, chosen: Sequence[str] | None) -> tuple[Column, ...]:
    """Fields of the columns; no field occurs twice but those of `JOINED`.

    Args:
        table: the list.
        headed: whether the first line holds headings.
        chosen: the meanings that an official has chosen, in order; anything that is not a field leaves a column out.
    """
    headings = [clean(cell) for cell in table.rows[0][1]] if headed else []
    headings += [""] * (table.width - len(headings))
    body = [cells for _, cells in table.rows[headed:][:_LOOKED_AT]]
    texts = [[clean(cells[at]) for cells in body if at < len(cells)] for at in range(table.width)]
    found = _found(headings, [[text for text in column if text] for column in texts])
    if chosen is None:
        return found
    made: list[Column] = []
    for at, own in enumerate(found):
        asked = chosen[at] if at < len(chosen) else ""
        meaning = asked if asked in FIELDS and asked not in {one.meaning for one in made} - JOINED else ""
        made.append(own if meaning == own.meaning else replace(own, meaning=meaning, how="chosen"))
    return tuple(made)


def _found(headings: Sequence[str], texts: Sequence[Sequence[str]]) -> tuple[Column, ...]:
    """Fields by headings and contents. Contents are used only where no heading is of names."""
    made: list[Column] = []
    taken: set[str] = set()
    told = meanings_of(headings, texts)
    named = {"name", "family"} & set(told)
    for heading, column, known in zip(headings, texts, told, strict=True):
        guess = "" if known or named else _guessed(column, taken)
        meaning = "" if (known or guess) in taken else known or guess
        taken |= {meaning} - JOINED
        how: Literal["known", "guessed", "unknown"] = (
            "unknown" if not meaning else "known" if meaning == known else "guessed"
        )
        made.append(Column(heading, meaning, how, column[0] if column else ""))
    return tuple(made)


def _guessed(texts: Sequence[str], taken: set[str]) -> str:
    for field, fits in _SIGNS:
        whole = fits is _word and "name" in taken  # a single word beside whole names may be a team, a club or a town
        if field not in taken and not whole and texts and sum(map(fits, texts)) >= _ENOUGH * len(texts):
            return field
    return ""


def _born(text: str) -> bool:
    try:
        return 1900 < read_born(text)[0] <= 2100
    except CellError:
        return False


def _word(text: str) -> bool:
    return bool(re.fullmatch(r"[^\W\d_]+(?:[-'’ʼ ][^\W\d_]+)*\.?", text))


_SIGNS: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("born", _born),
    ("rating", lambda text: bool(re.fullmatch(r"[5-9]\d\d|[1-3]\d{3}", text, re.ASCII))),
    ("sex", lambda text: sex_of(text) is not None),
    ("federation", lambda text: bool(re.fullmatch(r"[A-Z]{3}", text))),
    ("name", lambda text: bool(re.search(r"[^\W\d_][,.]? [^\W\d_]", text))),
    ("family", _word),
    ("given", _word),
)
