"""The table of docs/security.md is complete and true: every item has its row, and every row names what exists."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from tests.docs.test_clauses import ROOT, missing

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
LEVEL_1 = re.findall(
    r"\S+",
    """
1.2.1 1.2.2 1.2.3 1.2.4 1.2.5 1.3.1 1.3.2 1.5.1
2.1.1 2.2.1 2.2.2 2.3.1
3.2.1 3.2.2 3.3.1 3.4.1 3.4.2 3.5.1 3.5.2 3.5.3
4.1.1 4.4.1
5.2.1 5.2.2 5.3.1 5.3.2
6.1.1 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.2.8 6.3.1 6.3.2 6.4.1 6.4.2
7.2.1 7.2.2 7.2.3 7.2.4 7.4.1 7.4.2
8.1.1 8.2.1 8.2.2 8.3.1
9.1.1 9.1.2 9.1.3 9.2.1
10.4.1 10.4.2 10.4.3 10.4.4 10.4.5
11.3.1 11.3.2 11.4.1
12.1.1 12.2.1 12.2.2
13.4.1
14.2.1 14.3.1
15.1.1 15.2.1 15.3.1
""",
)
"""All items of level 1 of ASVS 5.0.0."""
STATES = ("does not apply", "operator", "otherwise", "open")
NEEDS_NO_TEST = {"does not apply", "operator", "open"}
READ = re.compile(r"by reading: `(?P<file>[a-z_/]+\.py)`")


@dataclass(frozen=True)
class Row:
    """An item: its number, what it asks for, what is here, and the tests."""

    item: str
    asks: str
    here: str
    shown: str

    @property
    def state(self) -> str:
        """How far it is fulfilled; empty for wholly."""
        return next((state for state in STATES if self.here.startswith(f"{state}: ")), "")

    def wrong(self) -> list[str]:
        """What is wrong with the last cell."""
        if self.shown == "–":
            return [] if self.state in NEEDS_NO_TEST else [f"{self.item} is shown by nothing"]
        read = READ.fullmatch(self.shown)
        if read is not None:
            return [] if (ROOT / "src" / "korgool" / read["file"]).is_file() else [f"there is no {read['file']}"]
        return [problem for part in self.shown.split("<br>") if (problem := missing(part)) is not None]


def rows(text: str) -> list[Row]:
    """The rows of tables of items."""
    lines = [line for line in text.splitlines() if re.match(r"\| \d+\.\d+\.\d+ \|", line)]
    return [Row(*(cell.strip() for cell in line.strip("|").split(" | "))) for line in lines]


FIRST, SECOND = (rows(part) for part in PAGE.split("## Chosen items of level 2"))


def test_every_item_of_level_1_has_its_row() -> None:
    assert [row.item for row in FIRST] == LEVEL_1
    numbers = [row.item for row in SECOND]
    assert numbers == sorted(set(numbers) - set(LEVEL_1), key=lambda item: [int(part) for part in item.split(".")])


def test_every_row_is_filled_and_true() -> None:
    assert [problem for row in (*FIRST, *SECOND) for problem in row.wrong()] == []
    assert all(len(row.asks) > 3 and len(row.here) > 2 for row in (*FIRST, *SECOND))
    assert not [row.item for row in SECOND if row.state]


def test_the_page_counts_right() -> None:
    counts = Counter(row.state for row in FIRST)
    words = " ".join(PAGE.split())
    assert (
        f"Of the {len(FIRST)} items of level 1, {counts['']} are fulfilled, {counts['does not apply']} do not apply, "
        f"{counts['operator']} are the operator's, {counts['otherwise']} are done otherwise, and "
        f"{counts['open']} are open."
    ) in words


def test_a_row_that_is_wrong_is_found() -> None:
    assert Row("1.2.1", "…", "done", "–").wrong() == ["1.2.1 is shown by nothing"]
    assert Row("1.2.1", "…", "open: not yet", "–").wrong() == []
    assert Row("1.2.1", "…", "done", "by reading: `rules/nothing.py`").wrong() == ["there is no rules/nothing.py"]
    assert Row("1.2.1", "…", "done", "`tests/docs/test_security.py::test_nothing`").wrong() != []
