"""The manual as a site builds without a warning, and whatever it leads to exists."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

import pytest

from korgool.languages import LANGUAGES
from tests.docs.commands import DOCS, ROOT
from tests.docs.test_reference import PAGES_OF_ROOMS, modules_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("sphinx", reason="the docs extra is not installed")
SYNONYMS = ("togyzqumalaq", "toguz korgool", "toguz kumalak", "тогуз коргоол", "тоғызқұмалақ", "тогызкумалак")
TUZ = ("tuz", "tuzdyk", "tuzdik", "тузды\u0301к", "тұздық")


class Quiet(SimpleHTTPRequestHandler):
    """A server of files that says nothing."""

    def log_message(self, *_: object) -> None:
        pass


def build(folder: Path, *options: str) -> Path:
    """The site, built as `python3 run.py docs` does."""
    html = folder / "html"
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "-d", str(folder / "trees"), *options]
    command += ["-D", "korgool_take_pictures=0"]
    done = subprocess.run([*command, str(DOCS), str(html)], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return html


def dead_links(html: Path) -> list[str]:
    """The links between pages that lead to no page, or to no place on it."""
    texts = {page.resolve(): page.read_text(encoding="utf-8") for page in html.rglob("*.html")}
    places = {page: set(re.findall(r'\bid="([^"]+)"', text)) for page, text in texts.items()}
    dead = []
    for page, text in texts.items():
        for target in sorted(set(re.findall(r'<a\b[^>]*\bhref="([^"]*)"', text))):
            if re.match(r"[a-z]+:", target):
                continue
            name, _, place = target.partition("#")
            if name.startswith("/"):  # on the page that a host shows for any address
                name = name[1:] or "index.html"
                there = (html / name).resolve()
            else:
                there = (page.parent / name).resolve() if name else page
            if there.suffix == ".html" and place and there in places:
                if place not in places[there]:
                    dead.append(f"{page.name}: {target}")
            elif not there.is_file():
                dead.append(f"{page.name}: {target}")
    return dead


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site, built once."""
    return build(tmp_path_factory.mktemp("manual"))


@pytest.fixture(scope="module")
def site(html: Path) -> Iterator[str]:
    """The address of the site without its last slash."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(html))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """An empty page on a desk."""
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        yield context.new_page()


def found(page: Page, site: str, words: str) -> list[str]:
    """The pages that the search finds, in its order, each once."""
    page.goto(f"{site}/search.html?q={words}")
    page.wait_for_function(
        "() => /^Search finished|did not match/.test(document.querySelector('.search-summary')?.innerText)"
    )
    links = page.eval_on_selector_all("ul.search li > a", "all => all.map((one) => one.getAttribute('href'))")
    return list(dict.fromkeys(re.split(r"[#?]", link)[0] for link in links))


@pytest.mark.long
def test_every_spelling_finds_the_same_pages_those_for_people_first(page: Page, site: str) -> None:
    by_spelling = {words: found(page, site, words) for words in SYNONYMS}
    assert len({frozenset(pages) for pages in by_spelling.values()}) == 1
    for words, pages in by_spelling.items():
        assert pages[0].endswith("/toguz-korgool.html"), words
        assert pages[0] == "rules/toguz-korgool.html" or not words.isascii(), words
    of_tuz = {words: found(page, site, words) for words in TUZ}
    assert len({frozenset(pages) for pages in of_tuz.values()}) == 1
    for pages in (*by_spelling.values(), *of_tuz.values(), found(page, site, "sow"), found(page, site, "referee")):
        modules = [number for number, one in enumerate(pages) if one.startswith("api")]
        assert modules
        assert modules == list(range(modules[0], len(pages))), pages
    assert found(page, site, "Position.sow")[0] == "api/rules.html"


@pytest.mark.long
def test_a_page_in_five_languages_has_a_menu_of_them(page: Page, site: str) -> None:
    for address in ("guide", "guide/ky", "rules/kk/mangala", "rules/toguz-korgool", "federations/tr"):
        page.goto(f"{site}/{address}.html")
        menu = page.locator("nav.languages li")
        assert menu.all_inner_texts() == list(LANGUAGES.values()), address
        assert menu.locator("a").count() == len(LANGUAGES) - 1
        for name in ("Türkçe", "Қазақша"):
            assert page.locator("article").get_by_role("link", name=name, exact=True).count() == 0, address
        here = next((tag for tag in LANGUAGES if f"/{tag}" in address), "en")
        to = "ru"
        assert here != to
        menu.locator(f"a[hreflang={to}]").click()
        assert page.locator("html").get_attribute("lang") == to
        assert page.locator("nav.languages [aria-current]").inner_text() == LANGUAGES[to]
    page.goto(f"{site}/tutorial.html")
    assert page.locator("nav.languages").count() == 0


@pytest.mark.long
def test_the_page_for_federations_is_printed_on_two_sides(page: Page, site: str) -> None:
    pypdf = pytest.importorskip("pypdf")
    for tag in ("", *(f"/{tag}" for tag in LANGUAGES if tag != "en")):
        page.goto(f"{site}/federations{tag}.html")
        paper = pypdf.PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
        assert len(paper.pages) == 2, tag
        assert "Skip to content" not in "".join(side.extract_text() for side in paper.pages)


@pytest.mark.long
def test_the_manual_builds_without_a_warning_and_shows_every_public_name(html: Path) -> None:
    """Every page, and every module of every room; every citation leads to a section that exists."""
    assert dead_links(html) == []
    cited = set[str]()
    for page in html.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        cited |= set(re.findall(r'href="(?:\.\./)?clauses\.html#([^"]+)"', text))
        assert not re.search(r'(?:src|href)="https?://[^"]+\.(?:js|css)', text), f"{page.name} loads from elsewhere"
        beside = re.findall(r"<aside\b[^>]*>", text)
        assert len(set(re.findall(r'aria-label="([^"]+)"', "".join(beside)))) == len(beside), f"{page.name}: {beside}"
    assert len(cited) > 15
    toguz = (html / "rules" / "toguz-korgool.html").read_text(encoding="utf-8")
    assert toguz.count("data:image/svg+xml") >= 20
    assert json.loads((html / "openapi.json").read_text(encoding="utf-8"))["openapi"].startswith("3.")
    for name, rooms in PAGES_OF_ROOMS.items():
        text = (html / "api" / f"{name}.html").read_text(encoding="utf-8")
        places = set(re.findall(r'\bid="([^"]+)"', text))
        for room in rooms:
            for module in modules_of(room):
                if name == "application":
                    assert f">{module.name.rpartition('.')[2]}<" in text or f">{module.name}<" in text, module.name
                    continue
                above = [place.rpartition(".")[2] for place in places]
                missing = [one for one in module.names if f"{module.name}.{one}" not in places and one not in above]
                assert missing == [], module.name


def test_a_build_without_a_browser_ends_with_a_sentence_about_its_pictures(tmp_path: Path) -> None:
    """A small manual with the same extension, on a machine that has no browser."""
    source = tmp_path / "source"
    extensions = source / "_ext"
    extensions.mkdir(parents=True)
    for name in ("korgool_pictures.py", "program_pages.py"):
        (extensions / name).write_text((DOCS / "_ext" / name).read_text(encoding="utf-8"), encoding="utf-8")
    (source / "pictures.py").write_text((DOCS / "pictures.py").read_text(encoding="utf-8"), encoding="utf-8")
    settings = "import sys\nsys.path.insert(0, %r)\nextensions = ['korgool_pictures']\nkorgool_take_pictures = %s\n"
    (source / "index.rst").write_text("Manual\n======\n\n.. picture:: home\n", encoding="utf-8")
    nowhere = {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")}
    said = {}
    for wanted in (True, False):
        (source / "conf.py").write_text(settings % (str(extensions), wanted), encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", "-W", "-E", "-b", "html", str(source), str(tmp_path / "html")],
            env={**os.environ, **nowhere},
            capture_output=True,
            text=True,
            check=True,
        )
        said[wanted] = done.stdout
    assert "there is no browser that could take pictures" in said[True]
    assert re.search(r"The manual lacks (\d+) of its \1 pictures, because no browser could take them\.", said[True])
    assert "playwright install chromium" in said[True]
    assert "pictures" not in said[False].replace(str(tmp_path), "")
