"""`korgool event publish --to`: pages from an event file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from korgool.app.cli import main
from korgool.competition import commands
from korgool.competition.model import Entry, Settings
from korgool.competition.storage.event_file import EventFile


def publish(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["event", "publish", *map(str, arguments)])


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    path = tmp_path / "cup.korgool"
    with EventFile.create(path, Settings(name="Cup", rounds=3), by="Organiser") as file:
        for family in ("Asanov", "Kim", "Yılmaz", "Сейітова"):
            commands.enter(file, Entry(family=family), by="Organiser")
    return path


def test_pages_are_written_and_the_log_is_left(cup: Path, tmp_path: Path) -> None:
    before = cup.read_bytes()
    done = publish(cup, "--to", tmp_path / "site", "--language", "ky", "--language", "en", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)
    assert told["languages"] == ["ky", "en"]
    assert told["pages"] == len(list((tmp_path / "site").rglob("*.html")))
    assert "Сейітова" in (tmp_path / "site" / "ky" / "entries.html").read_text()
    assert cup.read_bytes() == before


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--base-url", "https://example.org"], "belong to --folder"),
        (["--to", "site", "--base-url", "example.org"], "is no address such as"),
        (["--to", "site", "--base-url", 'https://example.org/"x'], "is no address such as"),
        (["--to", "."], "the event itself lies in this folder"),
        (["--to", "cup.korgool"], "this is a file"),
    ],
)
def test_what_cannot_be_published(cup: Path, monkeypatch: pytest.MonkeyPatch, more: list[str], complaint: str) -> None:
    monkeypatch.chdir(cup.parent)
    done = publish(cup.name, *more)
    assert done.exit_code in (1, 2)
    assert complaint in done.output
    assert sorted(path.name for path in cup.parent.iterdir()) == [cup.name]
