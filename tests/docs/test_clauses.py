"""The list of clauses is complete and true: every sentence has its row, and every row names what exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path

from tests.docs.sentences import DOCUMENTS, sentences, split

ROOT = Path(__file__).parents[2]
CLAUSES = (ROOT / "docs" / "clauses.md").read_text(encoding="utf-8")
LONGEST_RUN = 5
"""Words in a row that a paraphrase may share with its source: terms and numbers cannot be said otherwise."""
LONGEST_RUN_OF_A_PAGE = 7
"""The same for whole pages of the manual: `falls into a hole of the opponent`."""

REASONS = re.compile(r"no rule: (title|lead-in|history|literature|page|authority)|no software: \w[^;]{5,}")
CODE = re.compile(r"`(?P<file>[a-z_/]+\.py): (?P<name>\w+(\.\w+)?)`")
TEST = re.compile(r"`(?P<file>tests/[a-z0-9_/]+\.py)::(?P<name>test_\w+)`")


@dataclass(frozen=True)
class Row:
    """One line of a table: the sentence's name, our words, what implements it or why not, the tests."""

    name: str
    words: str
    implemented: tuple[str, ...]
    shown: tuple[str, ...]


def read_rows() -> Iterator[Row]:
    for line in CLAUSES.splitlines():
        if re.match(r"\| \S+ §\S+:\d+ ", line):
            name, words, implemented, shown = (cell.strip() for cell in line.strip("|").split(" | "))
            yield Row(name, words, tuple(implemented.split("; ")), () if shown == "–" else tuple(shown.split("<br>")))


ROWS = list(read_rows())
COUNTS = {
    section: (heading == "yes", int(count))
    for section, heading, count in re.findall(r"^\| (\S+ §\S+) \| (yes|no) \| (\d+) \|$", CLAUSES, re.MULTILINE)
}


@cache
def names_in(path: Path) -> frozenset[str]:
    """Functions, classes, constants, and members of classes as `Class.member`, of a Python file."""
    found = set[str]()

    def add(body: list[ast.stmt], prefix: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.add(prefix + node.name)
            if isinstance(node, ast.ClassDef):
                add(node.body, f"{node.name}.")
            targets = node.targets if isinstance(node, ast.Assign) else []
            targets = [node.target] if isinstance(node, ast.AnnAssign) else targets
            found.update(prefix + target.id for target in targets if isinstance(target, ast.Name))

    add(ast.parse(path.read_text(encoding="utf-8")).body, "")
    return frozenset(found)


def missing(pointer: str) -> str | None:
    """What is wrong with a pointer into the code or the tests, or None."""
    code, test = CODE.fullmatch(pointer), TEST.fullmatch(pointer)
    found = code or test
    if found is None:
        return f"{pointer} is no pointer"
    path = ROOT / "src" / "korgool" / found["file"] if code else ROOT / found["file"]
    if not path.is_file():
        return f"there is no file {path}"
    return None if found["name"] in names_in(path) else f"{found['file']} has no {found['name']}"


def longest_run(words: str, source: str) -> list[str]:
    """The longest run of words that stands in both texts."""
    ours, theirs = (re.findall(r"\w+", text.lower()) for text in (words, source))
    match = SequenceMatcher(None, theirs, ours, autojunk=False).find_longest_match()
    return ours[match.b : match.b + match.size]


def test_every_sentence_has_its_row(shared: Path) -> None:
    """The names in the tables are those the splitter finds, in the same order."""
    found = [name for document in DOCUMENTS for name in sentences(document, shared / "seeds")]
    assert [row.name for row in ROWS] == found


def test_rows_have_no_gap() -> None:
    """The same without the sources: each section runs from its heading to the number that the document states."""
    expected = [f"{section}:{n}" for section, (heading, last) in COUNTS.items() for n in range(not heading, last + 1)]
    assert [row.name for row in ROWS] == expected
    assert {section.partition(" ")[0] for section in COUNTS} == set(DOCUMENTS)
    assert len(ROWS) > 390


def test_rows_are_filled_and_true() -> None:
    assert {row.name: wrong for row in ROWS if (wrong := list(faults(row)))} == {}


def faults(row: Row) -> Iterator[str]:
    """What is wrong with a row."""
    if not row.words.endswith((".", ")")):
        yield f"{row.words!r} is no sentence"
    reasons = [part for part in row.implemented if not part.startswith("`")]
    pointers = [part for part in row.implemented if part.startswith("`")]
    if not (reasons or pointers):
        yield "it says neither where nor why not"
    yield from (f"{part!r} is no reason" for part in reasons if not REASONS.fullmatch(part))
    yield from (f"{part} is not in the code" for part in pointers if not CODE.fullmatch(part))
    yield from (f"{part} is no test" for part in row.shown if not TEST.fullmatch(part))
    yield from (wrong for part in (*pointers, *row.shown) if (wrong := missing(part)))
    if bool(pointers) is not bool(row.shown):
        yield "what is implemented is shown by a test, and nothing else is"


def test_no_row_copies_its_source(shared: Path) -> None:
    for document in DOCUMENTS:
        source = " ".join(sentences(document, shared / "seeds").values())
        for row in ROWS:
            run = longest_run(row.words, source)
            assert len(run) <= LONGEST_RUN, f"{row.name}: {' '.join(run)}"


def test_no_page_copies_a_source(shared: Path) -> None:
    app = ROOT / "src" / "korgool" / "app"
    shown = [*(app / "guide" / "en").glob("*.md"), *(app / "rulebook").rglob("*.md")]
    for path in sorted([*(ROOT / "docs").rglob("*.md"), *shown]):
        text = path.read_text(encoding="utf-8")
        for document in DOCUMENTS:
            run = longest_run(text, " ".join(sentences(document, shared / "seeds").values()))
            assert len(run) <= LONGEST_RUN_OF_A_PAGE, f"{path.name}: {' '.join(run)}"


def test_the_checks_see_what_is_wrong() -> None:
    assert missing("`rules/sowing.py: sow`") is None
    assert missing("`rules/position.py: Position.outcome`") is None
    assert missing("`rules/sowing.py: reap`") == "rules/sowing.py has no reap"
    assert missing("`rules/reaping.py: reap`") is not None
    assert missing("`tests/rules/test_toguz.py::test_start_has_nine_in_each_of_eighteen_holes`") is None
    assert missing("`tests/rules/test_toguz.py::test_nothing_of_the_kind`") is not None
    assert missing("sow") == "sow is no pointer"
    assert longest_run("The last stone makes it even.", "if the LAST stone makes three") == [
        "the",
        "last",
        "stone",
        "makes",
    ]
    row = Row("X §1:1", "", ("later",), ("tests/no.py",))
    assert len(list(faults(row))) == 5
    assert len(list(faults(replace(row, words="It is.", implemented=("`rules/sowing.py: sow`",), shown=())))) == 1
    assert not REASONS.fullmatch("later: Whenever")
    assert not REASONS.fullmatch("no software: ")


WRAPPED = """OUR GAME
<|MARK-1|>Our game again
I. Beginnings.
One sentence runs over
two lines. “Another” one, i.e. a second, ends with a "quote."
Then nobody says 5.15). By A. Somebody, of 9 stones:
- first, to the
end of the line;
- second;
A new one <|MARK-2|>
goes on
II. End
"""


def test_wrapped_lines_are_split() -> None:
    assert split("WNG-TK", WRAPPED) == {
        "WNG-TK §0:1": "OUR GAME",
        "WNG-TK §0:2": "Our game again",
        "WNG-TK §I:0": "Beginnings.",
        "WNG-TK §I:1": "One sentence runs over two lines.",
        "WNG-TK §I:2": '“Another” one, i.e. a second, ends with a "quote."',
        "WNG-TK §I:3": "Then nobody says 5.15).",
        "WNG-TK §I:4": "By A. Somebody, of 9 stones:",
        "WNG-TK §I:5": "first, to the end of the line;",
        "WNG-TK §I:6": "second;",
        "WNG-TK §I:7": "A new one goes on",
        "WNG-TK §II:0": "End",
    }


def test_main_rules_are_sections_of_their_own() -> None:
    text = (
        "III. Rules.\n\nTwo:\n\n- Main rule 1: A. It is.\n\n**WORLD NOMAD\nGAMES**\n\nSo it goes.\n\n- Main rule 2: B."
    )
    assert list(split("WNG-M", text)) == [
        f"WNG-M §{name}" for name in ("III:0", "III:1", "III.1:1", "III.1:2", "III.2:1")
    ]


def test_pages_without_numbers_are_counted() -> None:
    text = "Title\n\n\nOne. Two.\n\nStart[edit]\n\n  1. First.\n"
    assert list(split("WIKI", text)) == ["WIKI §1:1", "WIKI §2:1", "WIKI §2:2", "WIKI §3:0", "WIKI §3:1"]
    text = 'Title\n"Said once.\nAnd twice.\nAnd twice.\nFoot'
    assert list(split("ARCHIVE", text)) == [f"ARCHIVE §{name}" for name in ("1:1", "2:1", "2:2", "3:1", "4:1")]
