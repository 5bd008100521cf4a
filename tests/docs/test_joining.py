"""What somebody meets who wants to join, report or cite: forms that GitHub reads, one contact, links that lead on."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import yaml

import korgool

ROOT = Path(__file__).parents[2]
FORMS = sorted(path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config")
PAGES = [*ROOT.glob("README*.md"), ROOT / "CONTRIBUTING.md", ROOT / "SECURITY.md", ROOT / "CODE_OF_CONDUCT.md"]
KINDS = {"markdown": {"value"}, "input": {"label"}, "textarea": {"label"}, "dropdown": {"label", "options"}}
"""The parts of a form, and what GitHub asks of each."""


def test_forms_of_issues_are_such_as_github_reads() -> None:
    assert len(FORMS) == 3
    for path in FORMS:
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        assert {"name", "description", "body"} <= set(form) <= {"name", "description", "body", "labels", "title"}
        asked = [part for part in form["body"] if part["type"] != "markdown"]
        assert len({part["id"] for part in asked}) == len({part["attributes"]["label"] for part in asked}) == len(asked)
        assert any(part.get("validations") == {"required": True} for part in asked)
        for part in form["body"]:
            assert set(part) <= {"type", "id", "attributes", "validations"}
            assert KINDS[part["type"]] <= set(part["attributes"])
    config = yaml.safe_load((ROOT / ".github" / "ISSUE_TEMPLATE" / "config.yml").read_text(encoding="utf-8"))
    assert config == {"blank_issues_enabled": True}


def test_the_security_contact_has_one_place() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert isinstance(project["tool"]["korgool"]["release"]["security-contact"], str)
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "`security-contact`" in text
    assert "`[tool.korgool.release]`" in text
    assert not re.search(r"\S@\S", text)


def test_the_citation_is_of_this_version_and_names_nobody() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors"} <= set(cited)
    assert cited["version"] == korgool.__version__
    assert cited["authors"] == [{"name": "The Korgool contributors"}]
    assert cited["license"] == "MIT"


def test_the_map_names_every_room_and_files_that_exist() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rooms, tasks = text.partition("## The map of the house")[2].split("## First tasks")
    source = ROOT / "src" / "korgool"
    named, begin = set[str](), list[Path]()
    for row in re.findall(r"^\| (`.*)\|$", rooms, re.MULTILINE):
        cells = [re.findall(r"`([\w/.]+)`", cell) for cell in row.split("|")]
        named.update(cells[0])
        begin += [source / one for one in cells[2]]
    packages = {
        f"{path.parent.relative_to(source)}/"
        for path in (*source.glob("*/__init__.py"), *source.glob("app/*/__init__.py"))
    }
    assert named == packages - {"app/"}
    assert [path for path in begin if not path.exists()] == []
    files = re.findall(r"^\| `([\w/.]+)` \| [\dn]", tasks, re.MULTILINE)
    assert len(files) > 12
    folders = (source, ROOT)
    named_so = [one for one in files if not {"TAG", "NAME"} & set(re.split(r"[/.]", one))]
    assert [one for one in named_so if not any((folder / one).exists() for folder in folders)] == []


def test_links_between_these_pages_lead_to_files() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
            assert link.startswith("https://") or (page.parent / link).exists(), f"{page.name}: {link}"
