"""The event file: nothing confirmed is lost, nobody writes over another, and what is no event is told in words."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Entry, Personal, Settings
from korgool.competition.storage.book import whole_log
from korgool.competition.storage.event_file import EventFile
from tests.patience import PATIENCE


@pytest.fixture
def file(tmp_path: Path) -> EventFile:
    return EventFile.create(tmp_path / "cup.korgool", Settings(name="Cup"), by="Chief")


def test_a_log_line_says_when_who_what_and_why(tmp_path: Path) -> None:
    def now() -> datetime:
        return datetime(2026, 9, 14, 10, 5, tzinfo=UTC)

    file = EventFile.create(tmp_path / "cup", Settings(name="Cup"), by="Chief", now=now)
    file.do(do.Enter(Entry(family="A")), by="Secretary")
    file.do(do.GiveWarning(1), by="Referee", reason="conversation")
    lines = file.log()
    assert [(line.at, line.time, line.by, line.reason) for line in lines] == [
        (1, "2026-09-14T10:05:00Z", "Chief", ""),
        (2, "2026-09-14T10:05:00Z", "Secretary", ""),
        (3, "2026-09-14T10:05:00Z", "Referee", "conversation"),
    ]
    assert file.state_at(2).players[1].warnings == ()
    assert EventFile.open(tmp_path / "cup").state == file.state == file.state_at(3)


def test_a_copied_file_is_the_whole_event(file: EventFile, tmp_path: Path) -> None:
    file.do(do.Enter(Entry(family="A")), by="Chief")
    assert os.listdir(tmp_path) == ["cup.korgool"]
    shutil.copy(file.path, tmp_path / "copy")
    assert EventFile.open(tmp_path / "copy").state == file.state


def test_several_actions_are_all_or_none(file: EventFile) -> None:
    with pytest.raises(CompetitionError, match="entered already"):
        file.do(do.Enter(Entry(family="A")), do.Enter(Entry(family="B")), do.Enter(Entry(family="a")), by="Chief")
    assert file.state.players == {}
    assert EventFile.open(file.path).state.players == {}


def test_a_second_official_sees_and_respects_the_first(file: EventFile) -> None:
    other = EventFile.open(file.path)
    file.do(do.Enter(Entry(family="A")), by="Chief")
    with pytest.raises(CompetitionError, match="entered already"):
        other.do(do.Enter(Entry(family="A")), by="Secretary")
    seen = other.refresh()
    file.do(do.Enter(Entry(family="B")), by="Chief")
    with pytest.raises(CompetitionError, match="changed the event meanwhile"):
        other.do(do.Enter(Entry(family="C")), by="Secretary", after=seen)
    other.do(do.Enter(Entry(family="C")), by="Secretary")
    assert len(file.refresh().players) == 3


def _enter_many(path: str, prefix: str, count: int) -> None:
    with EventFile.open(path) as file:
        for number in range(count):
            file.do(do.Enter(Entry(family=f"{prefix}{number}")), by=prefix)


def test_two_processes_write_one_file(file: EventFile) -> None:
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_enter_many, args=(str(file.path), name, 25)) for name in ("A", "B")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(PATIENCE)
        assert worker.exitcode == 0
    assert len(file.refresh().players) == 50
    assert file.broken_links() == ()


def test_a_file_that_is_locked_too_long_is_said(file: EventFile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.competition.storage.sqlite_database.WAIT_S", 0.1)
    other = EventFile.open(file.path)
    blocker = sqlite3.connect(file.path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with pytest.raises(CompetitionError, match="being written by another official"):
        other.do(do.Enter(Entry(family="A")), by="Chief")
    blocker.execute("ROLLBACK")
    other.do(do.Enter(Entry(family="A")), by="Chief")


def test_a_changed_line_is_found(file: EventFile) -> None:
    file.do(do.Enter(Entry(family="A", rating=1500)), by="Chief")
    file.do(do.Enter(Entry(family="B")), by="Chief")
    assert file.broken_links() == ()
    with sqlite3.connect(file.path) as raw:
        raw.execute("UPDATE log SET action = replace(action, '1500', '2500') WHERE at = 2")
    assert EventFile.open(file.path).broken_links() == (2,)


def test_personal_data_is_apart_and_really_removed(file: EventFile) -> None:
    """WNG-TK §XIII asks for a passport; nobody needs it after the event."""
    file.do(do.Enter(Entry(family="A")), by="Chief")
    data = Personal(passport_series="AN", passport_number="7654321", coaches=("Coach Name",))
    file.set_personal(1, data)
    assert file.personal(1) == data
    assert b"7654321" in file.path.read_bytes()
    assert not any("7654321" in repr(line) for line in file.log())
    assert file.remove_personal(1, by="Chief") == 1
    assert file.personal(1) is None
    assert b"7654321" not in file.path.read_bytes()
    with pytest.raises(CompetitionError, match="no player with the id 9"):
        file.set_personal(9, data)


def test_the_log_tells_who_removed_what_is_personal(file: EventFile) -> None:
    """Who, when, of whom and why; nothing of what it was, and no line where nothing was held."""
    file.do(*(do.Enter(Entry(family=name)) for name in "ABC"), by="Chief")
    for id_ in (1, 3):
        file.set_personal(id_, Personal(passport_number=f"765432{id_}", born="1998-02-11"))
    before = file.state.actions
    assert file.remove_personal(2, by="Secretary") == 0
    assert file.state.actions == before
    assert file.remove_personal(3, by="Secretary", reason="asked for it") == 1
    assert file.remove_personal(by="Chief", reason="the event is over") == 1
    assert file.remove_personal(by="Chief") == 0
    first, second = file.log()[-2:]
    assert (first.by, first.reason, first.action) == ("Secretary", "asked for it", do.Forget((3,)))
    assert (second.by, second.reason, second.action) == ("Chief", "the event is over", do.Forget((1,)))
    held = file.path.read_bytes()
    assert b"765432" not in held
    assert b"1998-02-11" not in held
    again = EventFile.open(file.path)
    assert (again.state, again.broken_links()) == (file.state, ())
    with pytest.raises(CompetitionError, match="no player with the id 9"):
        file.do(do.Forget((9,)), by="Chief")


def test_what_is_done_together_is_done_whole_or_not_at_all(file: EventFile) -> None:
    before, lines = file.state, file.log()

    def enter(*ids: int) -> None:
        with file.together():
            file.do(do.Enter(Entry(family="A")), by="Chief")
            for id_ in ids:
                file.set_personal(id_, Personal(doctor="admitted"))

    with pytest.raises(CompetitionError, match="no player with the id 2"):
        enter(1, 2)
    assert (file.state, file.log(), file.personal(1)) == (before, lines, None)
    enter(1)
    assert EventFile.open(file.path).state == file.state
    assert file.broken_links() == ()


def test_an_event_begins_in_a_new_file(file: EventFile, tmp_path: Path) -> None:
    with pytest.raises(CompetitionError, match="exists already"):
        EventFile.create(file.path, Settings(name="Other"), by="Chief")
    with pytest.raises(CompetitionError, match="cannot be written"):
        EventFile.create(tmp_path / "no" / "folder", Settings(name="Other"), by="Chief")
    with pytest.raises(CompetitionError, match="there is no event file"):
        EventFile.open(tmp_path / "nothing")
    assert os.listdir(tmp_path) == ["cup.korgool"]


@pytest.mark.parametrize("content", [b"", b"family,given\nA,B\n", b"SQLite format 3\x00" + bytes(84), os.urandom(5000)])
def test_what_is_no_event_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(CompetitionError, match="is not an event file"):
        EventFile.open(path)
    assert path.read_bytes() == content


def test_a_file_of_a_newer_version_is_refused(file: EventFile) -> None:
    file.close()
    with sqlite3.connect(file.path) as raw:
        raw.execute("PRAGMA user_version = 99")
    with pytest.raises(CompetitionError, match="newer"):
        EventFile.open(file.path)


def test_a_truncated_file_is_refused(file: EventFile) -> None:
    for number in range(200):
        file.do(do.Enter(Entry(family=f"Player {number}")), by="Chief")
    file.close()
    whole = file.path.read_bytes()
    file.path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CompetitionError, match="damaged"):
        EventFile.open(file.path)


@pytest.mark.skipif(sys.platform == "win32", reason="file size limits are set by setrlimit")
def test_a_full_disk_loses_nothing(file: EventFile) -> None:
    """A limit on the size of files stands for the full disk: the write fails in the same place."""
    file.do(do.Enter(Entry(family="First")), by="Chief")
    file.close()
    limit = file.path.stat().st_size + 4096
    program = (
        "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}));"
        "from korgool.competition.storage.event_file import EventFile;"
        "from korgool.competition import actions as do;"
        "from korgool.competition.model import Entry;"
        "file = EventFile.open(sys.argv[1]); done = 1\n"
        "try:\n"
        "    while True:\n"
        "        file.do(do.Enter(Entry(family=f'Player {done}', club='x' * 300)), by='Chief'); done += 1\n"
        "except ValueError as error:\n"
        "    print(done, len(file.state.players), error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", program, str(file.path)], capture_output=True, text=True, check=True)
    done, known, message = ran.stdout.split(maxsplit=2)
    assert int(done) == int(known) > 1
    assert "disk" in message
    again = EventFile.open(file.path)
    assert len(again.state.players) == int(done)
    assert again.broken_links() == ()


def test_a_log_from_elsewhere_is_carried_out_before_the_place_is_locked(
    file: EventFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long one takes seconds, in which a server would write no move of any game."""
    file.do(do.Enter(Entry(family="A")), by="Secretary")
    log = whole_log(file.lines())
    (tmp_path / "copy").touch()
    with EventFile.begin(tmp_path / "copy") as copy:
        monkeypatch.setattr("korgool.competition.log.group_views.apply", None)
        assert copy.copy(log) == file.state
        assert copy.lines() == file.lines()
        with pytest.raises(CompetitionError, match="there is an event already"):
            copy.copy(log)
