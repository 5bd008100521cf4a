"""`korgool event publish --to`: pages from an event file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from click.testing import CliRunner, Result

from korgool.app.cli import main
from korgool.competition import commands
from korgool.competition.actions import EnterResult
from korgool.competition.group_commands import add_group
from korgool.competition.model import Entry, Settings
from korgool.competition.result import read_result
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


def test_every_group_is_written_and_leads_to_the_others(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    with EventFile.create(path, Settings(name="Cup"), by="Organiser") as file:
        for name in ("Men", "U12"):
            id_ = add_group(file, name, Settings(name=name, rounds=1), by="Organiser")
            file.turn_to(id_)
            for family in ("Asanov", "Kim"):
                commands.enter(file, Entry(family=f"{family} {name}", federation="KGZ"), by="Organiser")
        commands.pair(file, by="Organiser")  # of the second
        file.do(EnterResult(1, 1, read_result("1 (82) - 0 (60)")), by="Organiser")
    done = publish(path, "--folder", tmp_path / "site", "--only-language", "en")
    assert done.exit_code == 0, done.output
    root = tmp_path / "site"
    other = root / "groups" / "3"
    assert "Kim U12" in (other / "en" / "entries.html").read_text()
    assert "Kim U12" not in (root / "en" / "entries.html").read_text()
    assert 'href="../groups/3/en/entries.html">U12<' in (root / "en" / "entries.html").read_text()
    assert 'href="../../../../en/medals.html"' in (other / "en" / "players" / "1.html").read_text()
    assert 'data-next="../../../../en/wall/1.html"' in (other / "en" / "wall" / "2.html").read_text()
    assert "Kim U12" in (root / "en" / "medals.html").read_text()
    assert not (other / "en" / "medals.html").exists()
    for page in root.rglob("*.html"):  # every link leads to a file, also from group to group
        for link in re.findall(r'(?:href|src|data-next)="([^"#?:]+)[#"]', page.read_text()):
            assert (page.parent / unquote(link)).is_file(), (page, link)
    done = publish(path, "--folder", root, "--only-language", "en", "--group", "u12")
    assert done.exit_code == 0, done.output
    assert "Kim U12" in (root / "en" / "entries.html").read_text()
    assert not (root / "groups").exists()
    assert not (root / "en" / "medals.html").exists()
