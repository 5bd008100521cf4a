"""The arbiter's guide: complete in five languages, of one structure, with clauses that exist, and safe as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from korgool.app import guide
from korgool.app.guide import SCREENS, GuideError, guide_page, render
from korgool.app.words.markup import MarkupError, text_in
from korgool.languages import LANGUAGES
from tests.docs.test_clauses import ROWS

FOLDER = Path(guide.__file__).parent
CITED = re.compile(r"\[([^\]]+)\]")
FIDE = {"FIDE C.04.3", "FIDE C.07 16"}
"""The articles that `competition/pairing` and `competition/standings` carry out."""
LEAST, MOST = 80, 200
TRANSLATED = [language for language in LANGUAGES if (FOLDER / language).exists()]
"""A language that has begun has every page; one that has not is answered in English."""


def words(text: str) -> int:
    """Words of a page without its markup and citations."""
    return len(re.findall(r"\w+", CITED.sub("", re.sub(r"^\d+\. ", "", text, flags=re.MULTILINE))))


class Elements(HTMLParser):
    """The elements of a page; a tag with attributes is given with them."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag + "".join(f" {name}={value}" for name, value in attrs))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def elements(html: str) -> list[str]:
    """The elements of a page in their order, all of which are closed."""
    parser = Elements()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser.found


def test_there_is_a_page_for_every_screen_in_every_language_and_no_other() -> None:
    assert set(TRANSLATED) >= {"en", "ky", "kk", "ru", "tr"}
    found = {str(path.relative_to(FOLDER)) for path in FOLDER.rglob("*.md")}
    assert found == {str(Path(language, f"{screen}.md")) for language in TRANSLATED for screen in SCREENS}


def test_pages_have_the_structure_and_the_clauses_of_the_english_ones() -> None:
    clauses = {row.name for row in ROWS} | FIDE
    for screen in SCREENS:
        english = guide_page(screen, "en")
        cited = CITED.findall(english.html)
        assert {one for group in cited for one in group.split(", ")} <= clauses
        shape = elements(english.html)
        assert shape[0] == "p"
        assert shape.count("h3") == 2
        assert set(shape) <= {"p", "h3", "ol", "ul", "li", "strong", "code", "span class=clause"}
        for language in TRANSLATED:
            page = guide_page(screen, language)
            assert elements(page.html) == shape, (screen, language)
            assert CITED.findall(page.html) == cited, (screen, language)
            assert language == "en" or (page.title != english.title and page.html != english.html)
            text = (FOLDER / language / f"{screen}.md").read_text(encoding="utf-8")
            assert (LEAST if language == "en" else LEAST - 10) <= words(text) <= MOST, (screen, language, words(text))


def test_the_manual_shows_every_page_in_every_language() -> None:
    docs = Path(__file__).parents[2] / "docs"
    for language in TRANSLATED:
        page = docs / ("guide.md" if language == "en" else f"guide/{language}.md")
        included = re.findall(r"^```\{include\} (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
        shown = [(page.parent / one).resolve() for one in included]
        assert shown == [FOLDER / language / f"{screen}.md" for screen in SCREENS]


def test_titles_and_headings_are_told_apart() -> None:
    for language in LANGUAGES:
        assert len({guide_page(screen, language).title for screen in SCREENS}) == len(SCREENS)
        headings = {tuple(re.findall(r"<h3>(.*?)</h3>", guide_page(screen, language).html)) for screen in SCREENS}
        assert len(headings) == 1


def test_what_is_not_translated_stands_in_english(tmp_path: Path) -> None:
    (tmp_path / "en").mkdir()
    (tmp_path / "en" / "create.md").write_text("# Here\n", encoding="utf-8")
    assert text_in(tmp_path, "ky", "create") == "# Here\n"


def test_a_page_is_rendered() -> None:
    page = render("# A & B\n\nHere is `82-60`.\n\n## Steps\n\n1. One [WNG-TK §V:1].\n2. Two.\n\n- **If** & so.\n")
    assert page.title == "A & B"
    assert page.html.split("\n") == [
        "<p>Here is <code>82-60</code>.</p>",
        "<h3>Steps</h3>",
        "<ol>",
        '<li>One <span class="clause">[WNG-TK §V:1]</span>.</li>',
        "<li>Two.</li>",
        "</ol>",
        "<ul>",
        "<li><strong>If</strong> &amp; so.</li>",
        "</ul>",
    ]


@pytest.mark.parametrize(
    "line",
    [
        "<script>alert(1)</script>", "a <b>bold</b> word", "[a link](https://example.org)", "![](x.png)", "> said",
        "### too deep", "* a list", "*slanted*", "**not closed", "`not closed", "&lt;script&gt;", "| a | b |",
        "[click](javascript:x)", "```", "\\*", "1. ", "  indented", "[WNG-TK §V:1](x)",
    ],
)  # fmt: skip
def test_what_is_no_known_markup_is_refused(line: str) -> None:
    with pytest.raises(MarkupError, match="line 3: this markup is unknown"):
        render(f"# Title\n\n{line}\n")


@pytest.mark.parametrize("text", ["", "A text\n", "# One\n\n# Two\n", "## Steps\n\n# Title\n"])
def test_a_page_has_one_title_first(text: str) -> None:
    with pytest.raises(MarkupError, match="one title"):
        render(text)


def test_steps_are_counted_from_one() -> None:
    with pytest.raises(MarkupError, match="line 4: this step has the number 3, not 2"):
        render("# Title\n\n1. One\n3. Two\n")


@pytest.mark.parametrize(("screen", "language"), [("castle", "en"), ("create", "de"), ("../en/create", "ky")])
def test_unknown_pages_are_refused(screen: str, language: str) -> None:
    with pytest.raises(GuideError, match="the guide has no page"):
        guide_page(screen, language)
