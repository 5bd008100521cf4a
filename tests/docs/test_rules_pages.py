"""The rules pages: every sentence cites its clause or its option, the citations hold, and the examples play.

The texts are those of `app/rulebook`, which the program and the manual show; four languages follow the English text.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from korgool import GAMES, Position, Rules
from korgool.app import rulebook
from korgool.engine.kernel import Kernel
from korgool.languages import LANGUAGES

BOOK = Path(rulebook.__file__).parent
TRANSLATED = [language for language in LANGUAGES if (BOOK / language).exists()]
"""A language that has begun has every page; one that has not is answered in English."""
DOCS = Path(__file__).parents[2] / "docs"
OPTIONS = (DOCS / "rules" / "options.md").read_text(encoding="utf-8")
PAGES = {"toguz-korgool": "toguz", "mangala": "mangala", "mangala-castle": "castle", "bestemshe": "bestemshe"}
CLAUSES = set(re.findall(r"^\| (\S+ §\S+:\d+) \|", (DOCS / "clauses.md").read_text(encoding="utf-8"), re.MULTILINE))
CITATION = re.compile(r"\[((?:(?:WNG-TK|RU|WIKI|ARCHIVE|WNG-M) §|Rules\.)[^\]]+)\]")
EXAMPLE = re.compile(r"```\{example\} (?P<game>\w+)\n(?P<options>(?::\w+: .*\n)+)(?P<caption>[^`]*?)```\n")


def page(game: str, language: str = "en") -> str:
    return (BOOK / language / f"{game}.md").read_text(encoding="utf-8")


def skeleton(text: str) -> list[str]:
    """A page without its words: its marks, its citations in order, and its examples without their captions."""
    found = []
    for line in text.splitlines():
        mark = re.match(r"#+ |- |```.*|:\w+: .*|", line)
        assert mark
        found.append(f"{mark[0]}|{' '.join(CITATION.findall(line))}|{bool(line)}")
    return found


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


@pytest.mark.parametrize("game", GAMES)
def test_every_statement_cites_its_clause_or_option(game: str) -> None:
    found = statements(page(game))
    assert len(found) > 15
    assert [wrong for sentence in found for wrong in unsupported(sentence, GAMES[game])] == []


def test_there_is_a_page_for_every_game_in_every_language_and_the_manual_shows_it() -> None:
    assert set(TRANSLATED) >= {"en", "ky", "kk", "ru", "tr"}
    assert {path.relative_to(BOOK) for path in BOOK.rglob("*.md")} == {
        Path(language, f"{game}.md") for language in TRANSLATED for game in GAMES
    }
    assert set(PAGES.values()) == set(GAMES)
    for language in TRANSLATED:
        folder = DOCS / "rules" / ("" if language == "en" else language)
        assert {path.stem for path in folder.glob("*.md")} == {*PAGES, "options"}
        for name, game in PAGES.items():
            path = folder / f"{name}.md"
            included = re.findall(r"^```\{include\} (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert [(path.parent / one).resolve() for one in included] == [BOOK / language / f"{game}.md"] * 2


def test_the_languages_say_the_same_with_the_same_clauses_and_examples() -> None:
    for game in GAMES:
        english = page(game)
        for language in TRANSLATED:
            text = page(game, language)
            assert skeleton(text) == skeleton(english), (game, language)
            numbers, own = (sorted(re.findall(r"\d{2,}", one)) for one in (english, text))
            assert own == numbers, (game, language)
            same = set(english.splitlines()) & set(text.splitlines())
            words = [line for line in same if line and not re.match(r"`|:\w+:|#+ (?:Mangala|Tuz)$", line)]
            assert language == "en" or words == [], (game, language)


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


@pytest.mark.parametrize("game", GAMES)
def test_examples_play_in_every_language(game: str) -> None:
    """Before, moves, after, and the result where it names one: as they stand in the text, and as the program has read
    them."""
    for language in TRANSLATED:
        read = [part for part in rulebook.rules_of(game, language).parts if not isinstance(part, str)]
        found = list(EXAMPLE.finditer(page(game, language)))
        assert len(found) == len(read)
        for text, example in zip(found, read, strict=True):
            position = played(text)
            assert text["game"] == game
            assert example.after == position
            assert str(example.before.rules.options()) == str(position.rules.options())


def played(found: re.Match[str]) -> Position:
    """The position at the end of an example, which is as the example has it."""
    options = dict(re.findall(r"^:(\w+): (.*)$", found["options"], re.MULTILINE))
    assert set(options) <= {"before", "move", "after", "ends", "rule"}
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
    return position


def test_there_are_examples_for_every_part() -> None:
    """Each page shows a plain sowing, a capture and its ending."""
    for game in GAMES:
        found = [example["options"] for example in EXAMPLE.finditer(page(game))]
        assert len(found) >= 3
        assert any(":ends:" in options for options in found)


def test_the_table_of_options_is_the_record() -> None:
    table = re.findall(r"^\| `(\w+)` \| (.*) \|$", OPTIONS, re.MULTILINE)
    columns = [rules.options() for rules in GAMES.values()]
    assert {name: cells.split(" | ") for name, cells in table} == {
        name: [plain(options[name]) for options in columns] for name in columns[0]
    }
    assert [name for name, _ in table] == list(columns[0])


def test_every_option_is_explained_and_its_clauses_exist() -> None:
    text = OPTIONS
    assert re.findall(r"^`(\w+)`$", text, re.MULTILINE) == list(GAMES["toguz"].options())
    cited = {word.strip() for group in CITATION.findall(text) for word in group.split(",")}
    assert {citation for citation in cited if not citation.startswith("Rules.")} <= CLAUSES


def test_the_options_are_explained_alike_in_every_language() -> None:
    def shape(text: str) -> list[tuple[str, list[str], list[str]]]:
        text = text.partition("```{toctree}")[0].replace("../../", "../")
        blocks = [" ".join(part.split()) for part in re.split(r"\n\s*\n|\n(?=- )", text) if "options.md" not in part]
        return [
            (block[:2] if block[0] in "#-|`" else "", CITATION.findall(block), sorted(re.findall("`[^`]+`", block)))
            for block in filter(None, blocks)
        ]

    for language in TRANSLATED:
        if language != "en":
            text = (DOCS / "rules" / language / "options.md").read_text(encoding="utf-8")
            assert shape(text) == shape(OPTIONS), language
            for table in (r"^\| `.*\|$", r"^\| \w+ \| .*,.*\|$"):
                assert re.findall(table, text, re.MULTILINE) == re.findall(table, OPTIONS, re.MULTILINE)


def test_the_table_of_counts_is_what_the_kernel_counts() -> None:
    """`tests/rules` holds the reference to the same numbers."""
    table = re.findall(r"^\| (\w+) \| ((?:[\d,]+ \| ){7}[\d,]+) \|$", OPTIONS, re.MULTILINE)
    counts = {name: [int(cell.replace(",", "")) for cell in cells.split(" | ")] for name, cells in table}
    assert {name: row for name, row in counts.items() if name in GAMES} == {
        name: [Kernel(rules).perft(rules.start(), plies) for plies in range(1, 9)] for name, rules in GAMES.items()
    }
