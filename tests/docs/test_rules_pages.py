"""The rules pages: every sentence cites its clause or its option, the citations hold, and the examples play."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from korgool import GAMES, Position, Rules
from korgool.engine.kernel import Kernel

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {"toguz-korgool": "toguz", "mangala": "mangala", "mangala-castle": "castle", "bestemshe": "bestemshe"}
CLAUSES = set(re.findall(r"^\| (\S+ §\S+:\d+) \|", (DOCS / "clauses.md").read_text(encoding="utf-8"), re.MULTILINE))
CITATION = re.compile(r"\[((?:(?:WNG-TK|RU|WIKI|ARCHIVE|WNG-M) §|Rules\.)[^\]]+)\]")
EXAMPLE = re.compile(r"```\{example\} (?P<game>\w+)\n(?P<options>(?::\w+: .*\n)+)(?P<caption>[^`]*?)```\n")


def page(name: str) -> str:
    return (DOCS / "rules" / f"{name}.md").read_text(encoding="utf-8")


def statements(text: str) -> list[str]:
    """The sentences of a page: of paragraphs, of items of lists, and of the captions of examples."""
    prose = EXAMPLE.sub(lambda found: f"\n\n{found['caption']}\n\n", text)
    assert "```" not in prose
    assert "|" not in prose, "tables have no place on these pages: they could hide a statement"
    found = []
    for block in re.split(r"\n\s*\n|\n(?=- )", prose):
        words = " ".join(block.removeprefix("- ").split())
        if words and not words.startswith("#"):
            found += re.split(r"(?<=[.!?]) (?=[A-Z])", words)
    return found


def unsupported(text: str, rules: Rules) -> list[str]:
    """What the citations of a sentence lack: there is none, or it names no clause, or another value of the option."""
    cited = [word.strip() for group in CITATION.findall(text) for word in group.split(",")]
    wrong = [] if cited else [f"no citation: {text}"]
    for citation in cited:
        option = re.fullmatch(r"Rules\.(\w+) = (\w+)", citation)
        if option is None:
            wrong += [] if citation in CLAUSES else [f"no such clause: {citation}"]
        elif option[1] not in Rules.__dataclass_fields__ or plain(getattr(rules, option[1])) != option[2]:
            wrong.append(f"the rules say otherwise: {citation}")
    return wrong


def plain(value: object) -> str:
    """A value as `--rule` takes it."""
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("name", PAGES)
def test_every_statement_cites_its_clause_or_option(name: str) -> None:
    found = statements(page(name))
    assert len(found) > 15
    assert [wrong for sentence in found for wrong in unsupported(sentence, GAMES[PAGES[name]])] == []


def test_every_rules_page_is_tested() -> None:
    assert {path.stem for path in (DOCS / "rules").glob("*.md")} - {"options", "index"} == set(PAGES)
    assert set(PAGES.values()) == set(GAMES)


def test_the_check_sees_what_is_wrong() -> None:
    toguz = GAMES["toguz"]
    assert statements("# A\n\nOne [a]. Two [b].\n\n- Three [c].\n- Four\n  goes on [d].\n") == [
        "One [a].",
        "Two [b].",
        "Three [c].",
        "Four goes on [d].",
    ]
    assert unsupported("It is so [WNG-TK §IV:4, Rules.goal = 82].", toguz) == []
    assert unsupported("It is so.", toguz) == ["no citation: It is so."]
    assert unsupported("It is so [WNG-TK §IV:99].", toguz) == ["no such clause: WNG-TK §IV:99"]
    assert unsupported("It is so [Rules.goal = 81].", toguz) == ["the rules say otherwise: Rules.goal = 81"]
    assert unsupported("It is so [Rules.gaol = 82].", toguz) == ["the rules say otherwise: Rules.gaol = 82"]


EXAMPLES = [
    pytest.param(name, found, id=f"{name}-{number}")
    for name in PAGES
    for number, found in enumerate(EXAMPLE.finditer(page(name)), 1)
]


@pytest.mark.parametrize(("name", "found"), EXAMPLES)
def test_example_plays(name: str, found: re.Match[str]) -> None:
    """Before, moves, after, and the result where it names one."""
    options = dict(re.findall(r"^:(\w+): (.*)$", found["options"], re.MULTILINE))
    assert set(options) <= {"before", "move", "after", "ends", "rule"}
    assert found["game"] == PAGES[name]
    rules = GAMES[found["game"]]
    if "rule" in options:
        option, _, value = options["rule"].partition("=")
        rules = rules.with_option(option, value)
    position = Position.parse(options["before"], rules)
    assert str(position) == options["before"]
    for number in options["move"].split(","):
        position = position.play(int(number))
    assert str(position) == options["after"]
    outcome = position.outcome()
    assert (outcome.result_text if outcome else None) == options.get("ends")


def test_there_are_examples_for_every_part() -> None:
    """Each page shows a plain sowing, a capture and its ending."""
    for name in PAGES:
        found = [example["options"] for example in EXAMPLE.finditer(page(name))]
        assert len(found) >= 3
        assert any(":ends:" in options for options in found)


def test_the_table_of_options_is_the_record() -> None:
    table = re.findall(r"^\| `(\w+)` \| (.*) \|$", page("options"), re.MULTILINE)
    columns = [rules.options() for rules in GAMES.values()]
    assert {name: cells.split(" | ") for name, cells in table} == {
        name: [plain(options[name]) for options in columns] for name in columns[0]
    }
    assert [name for name, _ in table] == list(columns[0])


def test_every_option_is_explained_and_its_clauses_exist() -> None:
    text = page("options")
    assert re.findall(r"^`(\w+)`$", text, re.MULTILINE) == list(GAMES["toguz"].options())
    cited = {word.strip() for group in CITATION.findall(text) for word in group.split(",")}
    assert {citation for citation in cited if not citation.startswith("Rules.")} <= CLAUSES


def test_the_table_of_counts_is_what_the_kernel_counts() -> None:
    """`tests/rules` holds the reference to the same numbers."""
    table = re.findall(r"^\| (\w+) \| ((?:[\d,]+ \| ){7}[\d,]+) \|$", page("options"), re.MULTILINE)
    counts = {name: [int(cell.replace(",", "")) for cell in cells.split(" | ")] for name, cells in table}
    assert {name: row for name, row in counts.items() if name in GAMES} == {
        name: [Kernel(rules).perft(rules.start(), plies) for plies in range(1, 9)] for name, rules in GAMES.items()
    }
