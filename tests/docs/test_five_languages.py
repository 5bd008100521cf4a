"""Pages that a visitor may read first, in five languages: the same commands, links and pictures in each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from korgool.competition.standings import TIEBREAKS
from korgool.languages import LANGUAGES
from tests.docs.commands import DOCS, FENCE, ROOT

OTHERS = sorted(set(LANGUAGES) - {"en"})
README = {"en": ROOT / "README.md", **{tag: ROOT / f"README.{tag}.md" for tag in OTHERS}}
FEDERATIONS = {"en": DOCS / "federations.md", **{tag: DOCS / "federations" / f"{tag}.md" for tag in OTHERS}}
LETTERS = {"ky": r"[өүң]", "kk": r"[әғқұі]", "ru": r"[ыэъ]", "tr": r"[ığşçö]"}
"""Letters that no page in this language can do without."""
PAGES = [
    pytest.param(pages, tag, id=f"{name}-{tag}")
    for name, pages in (("readme", README), ("federations", FEDERATIONS))
    for tag in OTHERS
]


def links(path: Path, tag: str) -> list[str]:
    """The links of a page after the line with the languages; pages in five languages by their English name."""
    text = FENCE.sub("", path.read_text(encoding="utf-8")).split("\n", 4)[4]
    found = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith("https://"):
            found.append(target)
            continue
        file, _, place = target.partition("#")
        there = (path.parent / file).resolve()
        assert there.is_file(), f"{path.name}: {target}"
        name = str(there.relative_to(ROOT))
        if tag != "en":
            english = re.sub(rf"/{tag}/(?=[\w-]+\.md$)|/{tag}(?=\.md$)", lambda part: "/" * part[0].endswith("/"), name)
            five = (ROOT / english).is_file() and re.match(r"docs/(?:rules/|guide|federations)", english)
            assert (english != name) == bool(five), f"{path.name}: {target} is there in this language too"
            name = english
        found.append(f"{name}#{place}")
    return sorted(found)


def frame(text: str) -> list[str]:
    """The kinds of lines in a page, without their words: headings, items of lists, rows of tables, pictures, code."""
    return re.findall(r"^(?:#+ |\d+\. |\| |!\[|```\S*)", text, re.MULTILINE)


@pytest.mark.parametrize(("pages", "tag"), PAGES)
def test_the_same_stands_in_every_language(pages: dict[str, Path], tag: str) -> None:
    english, page = (pages[one].read_text(encoding="utf-8") for one in ("en", tag))
    english = english.partition("\n```{toctree}")[0] + "\n"
    assert [found[0] for found in FENCE.finditer(page)] == [found[0] for found in FENCE.finditer(english)]
    assert frame(page) == frame(english)
    assert links(pages[tag], tag) == links(pages["en"], "en")
    spans = r"(?<!`)`([^`]+)`(?!`)"
    assert sorted(" ".join(span.split()) for span in re.findall(spans, FENCE.sub("", page))) == sorted(
        " ".join(span.split()) for span in re.findall(spans, FENCE.sub("", english))
    )
    assert re.search(LETTERS[tag], page)


@pytest.mark.parametrize("pages", [README, FEDERATIONS], ids=["readme", "federations"])
def test_every_language_leads_to_the_others(pages: dict[str, Path]) -> None:
    for tag, path in pages.items():
        line = path.read_text(encoding="utf-8").split("\n")[2]
        leads = {(path.parent / target).resolve() for target in re.findall(r"\]\(([^)]+)\)", line)}
        assert leads == {other for one, other in pages.items() if one != tag}, path.name


def test_what_federations_are_told_is_counted() -> None:
    for path in FEDERATIONS.values():
        assert re.search(rf"\b{len(TIEBREAKS)} ", path.read_text(encoding="utf-8")), path.name
