"""The manual as a site builds without a warning, and whatever it leads to exists."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.commands import DOCS, ROOT
from tests.docs.test_reference import PAGES_OF_ROOMS, modules_of

pytest.importorskip("sphinx", reason="the docs extra is not installed")


def build(folder: Path, *options: str) -> Path:
    """The site, built as `python3 run.py docs` does."""
    html = folder / "html"
    command = [sys.executable, "-m", "sphinx", "-W", "-q", "-b", "html", "-d", str(folder / "trees"), *options]
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


@pytest.mark.long
def test_the_manual_builds_without_a_warning_and_shows_every_public_name(tmp_path: Path) -> None:
    """Every page, and every module of every room; every citation leads to a section that exists."""
    html = build(tmp_path)
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
