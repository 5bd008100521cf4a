"""Event files that wish ill, opened as the command line opens them: refused at once, or read as what they are."""

from __future__ import annotations

import struct
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from korgool.competition.errors import CompetitionError
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.salvage import salvage
from tests.hostile.databases import endless, hostile_databases

FILES = Path(__file__).parent / "files"
GOOD = (FILES / "format2" / "fresh.korgool").read_bytes()


def opened(path: Path) -> str:
    """What is said of a file; empty if it is opened and read."""
    try:
        with EventFile.open(path) as file:
            for id_ in file.state.players:
                file.personal(id_)
            return ""
    except CompetitionError as error:
        return str(error)


def test_every_hostile_database_is_refused_at_once_or_read_as_what_it_is(tmp_path: Path) -> None:
    path, target = tmp_path / "cup.korgool", tmp_path / "saved.korgool"
    refused = 0
    for name, data in hostile_databases(GOOD, tmp_path):
        for one in tmp_path.glob("cup.korgool*"):
            one.unlink()
        path.write_bytes(data)
        began = time.process_time()
        said = opened(path)
        assert time.process_time() - began < 2.0, name
        refused += bool(said)
        if name in ("view", "trigger", "generated, no space", "without row ids", "utf-16", "a thousand tables"):
            assert said == f"{path} is not an event file: its tables are not those that korgool makes", name
        if "circle" in name or "endless" in name or name.endswith("0"):
            try:
                salvage(path, target)
            except CompetitionError:
                continue
            finally:
                assert time.process_time() - began < 8.0, name
                target.unlink(missing_ok=True)
    assert refused > 100


def test_a_journal_that_would_delete_another_file_is_refused(tmp_path: Path) -> None:
    path, victim = tmp_path / "cup.korgool", tmp_path / "victim"
    path.write_bytes(GOOD)
    victim.write_text("precious")
    name = str(victim).encode()
    head = bytes.fromhex("d9d505f920a163d7") + struct.pack(">IIIII", 0, 1, len(GOOD) // 4096, 512, 4096)
    tail = (
        struct.pack(">I", 0x40000000 // 4096 + 1)
        + name
        + struct.pack(">II", len(name), sum(name))
        + bytes.fromhex("d9d505f920a163d7")
    )
    path.with_name("cup.korgool-journal").write_bytes(head.ljust(512, b"\0") + tail)
    assert opened(path) == f"the file {path}-journal was not written by korgool; move it away"
    with pytest.raises(CompetitionError, match="was not written by korgool"):
        salvage(path, tmp_path / "saved.korgool")
    assert victim.read_text() == "precious"


def test_the_command_line_says_what_is_wrong(tmp_path: Path) -> None:
    path = tmp_path / "cup.korgool"
    path.write_bytes(endless(GOOD, tmp_path))
    done = CliRunner().invoke(main, ["event", "show", str(path)])
    assert done.exit_code == 1
    assert "is not an event file, or it is damaged: On tree page" in done.output


@pytest.mark.parametrize("path", sorted(FILES.rglob("*.korgool")), ids=lambda path: path.name)
def test_files_of_every_release_are_opened(path: Path, tmp_path: Path) -> None:
    copy = tmp_path / "cup.korgool"
    copy.write_bytes(path.read_bytes())
    assert opened(copy) == ""
