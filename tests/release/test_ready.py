"""What must be there before a version is published."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import korgool
from korgool import __version__
from release import ready

WRONG = ("' '", "'somebody'", "'a@b'", "'http://example.org/a'", "'two words@example.org'", "['a@example.org']")
CONTACT = "security-contact in [tool.korgool.release] of pyproject.toml"


def sources(root: Path, contact: str, changes: str = f"## {__version__} (2026-12-01)\n") -> Path:
    """The three files that are asked, with this contact."""
    (root / "src" / "korgool").mkdir(parents=True, exist_ok=True)
    shutil.copy(korgool.__file__, root / "src" / "korgool")
    (root / "pyproject.toml").write_text(f"[tool.korgool.release]\n{contact}\n", encoding="utf-8")
    (root / "CHANGELOG.md").write_text(changes, encoding="utf-8")
    return root


def test_a_version_without_a_contact_is_not_published(tmp_path: Path) -> None:
    for nothing in ("", 'security-contact = ""'):
        assert ready.missing(f"v{__version__}", sources(tmp_path, nothing)) == [
            f"{CONTACT} is empty: enter the address where security problems are reported"
        ]
    for wrong in WRONG:
        (said,) = ready.missing(f"v{__version__}", sources(tmp_path, f"security-contact = {wrong}"))
        assert said.startswith(f"{CONTACT} is ")
        assert said.endswith("which is neither an e-mail address nor the https address of a page")
    for right in ("security@example.org", "https://example.org/security"):
        assert ready.missing(f"v{__version__}", sources(tmp_path, f"security-contact = '{right}'")) == []


def test_addresses_of_the_project_are_filled_in_or_removed(tmp_path: Path) -> None:
    contact = "security-contact = 'security@example.org'\n[tool.korgool.release.urls]\n"
    for address in ("https://example.org/korgool", "https://docs.example.org/"):
        assert ready.missing(f"v{__version__}", sources(tmp_path, f"{contact}Source = '{address}'")) == []
    assert ready.missing(f"v{__version__}", sources(tmp_path, f"{contact}Source = ''")) == [
        "Source in [tool.korgool.release.urls] of pyproject.toml is empty: enter the address, or remove the line"
    ]
    for wrong in ("'http://example.org'", "'example.org'", "7"):
        (said,) = ready.missing(f"v{__version__}", sources(tmp_path, f"{contact}Source = {wrong}"))
        assert said.endswith("which is not the https address of a page")


def test_tag_version_and_changelog_are_of_one_mind(tmp_path: Path) -> None:
    contact = "security-contact = 'security@example.org'"
    assert ready.missing("v9.9.9", sources(tmp_path, contact)) == [
        f"the tag is 'v9.9.9', and __version__ in src/korgool/__init__.py is '{__version__}'"
    ]
    assert ready.missing(f"v{__version__}", sources(tmp_path, contact, f"## {__version__} (unreleased)\n")) == [
        f"CHANGELOG.md has no section '## {__version__} (YEAR-MONTH-DAY)'"
    ]


def test_the_command_says_why_and_has_a_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ready, "ROOT", sources(tmp_path, 'security-contact = ""'))
    assert ready.main([f"v{__version__}"]) == 1
    assert f"not to be published: {CONTACT} is empty" in capsys.readouterr().err
    sources(tmp_path, 'security-contact = "security@example.org"')
    assert ready.main([f"v{__version__}"]) == 0
    assert ready.main([]) == 2


def test_the_workflow_asks_before_it_builds() -> None:
    build = (ready.ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8").split("\n  run:")[0]
    assert 0 < build.index('run: python3 -m release.ready "$GITHUB_REF_NAME"') < build.index("run.py wheels")
