"""A damaged event file: what stands before the damage comes out whole, with its hashes, and the file is not touched."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.competition import CompetitionError, Entry, EventFile, Personal, Settings
from korgool.competition import actions as do
from korgool.competition.storage.salvage import Salvaged, salvage
from korgool.competition.storage.sqlite_pages import rows
from tests.competition.program import begin, call, korgool, lines, play_round, refused

PAGE = 4096


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An event of 40 pages and more: long lines that need overflow pages, personal data, three rounds."""
    path = tmp_path_factory.mktemp("salvage") / "cup.korgool"
    chance = random.Random(11)
    with EventFile.create(path, Settings(name="Cup", rounds=7), by="Chief") as file:
        for number in range(1, 31):
            file.do(do.Enter(Entry(family=f"Ойынчы {number}", club="x" * chance.randint(0, 300))), by="Секретарь")
            file.set_personal(number, Personal(passport_number=f"{number:07}"))
        for number in range(60):
            reason = "long " * chance.choice((1, 1, 1, 900, 2500))
            file.do(do.Penalise(number % 30 + 1, 1), by="Referee", reason=reason)
    data = path.read_bytes()
    assert len(data) > 40 * PAGE
    return data


def broken(folder: Path, data: bytes) -> tuple[Path, Path]:
    """A file with these bytes, and where to salvage it to."""
    path, target = folder / "cup.korgool", folder / "saved.korgool"
    for one in (path, target):
        one.unlink(missing_ok=True)
    path.write_bytes(data)
    return path, target


def saved(path: Path, target: Path, whole: bytes) -> Salvaged:
    """Salvage, and hold what comes out against the whole event."""
    data = path.read_bytes()
    found = salvage(path, target)
    assert path.read_bytes() == data, "the damaged file was changed"
    assert {one.name for one in path.parent.iterdir()} == {path.name, target.name}
    original = path.with_name("whole")
    original.write_bytes(whole)
    with EventFile.open(target) as file, EventFile.open(original) as other:
        count = file.state.actions
        assert count == found.state.actions > 0
        pairs = list(zip(file.log(), other.log(), strict=False))
        assert [one for one, _ in pairs if one.at not in found.bare] == [
            one for _, one in pairs if one.at not in found.bare
        ]
        assert file.broken_links() == ()
        assert file.lost_details() == found.bare
        assert file.head() == other.head(count)
        assert file.state == found.state
        held = [file.personal(id_) for id_ in file.state.players]
        assert all(one in (None, other.personal(id_)) for id_, one in enumerate(held, 1))
        if count < other.state.actions:
            assert [one.at for one in found.lost] == sorted({one.at for one in found.lost})
            assert not {one.at for one in found.lost} & set(found.missing)
    original.unlink()
    return found


def test_a_sound_file_comes_out_whole(whole: bytes, tmp_path: Path) -> None:
    found = saved(*broken(tmp_path, whole), whole)
    assert (found.state.actions, found.damage, found.lost, found.missing) == (91, "", (), ())
    assert (found.personal, found.personal_lost, found.bare) == (30, 0, ())


def test_a_file_that_sqlite_does_not_open_comes_out(whole: bytes, tmp_path: Path) -> None:
    """Its first page, with the header and the names of the tables, is gone."""
    path, target = broken(tmp_path, b"\xff" * PAGE + whole[PAGE:])
    with pytest.raises(CompetitionError, match=r"event salvage"):
        EventFile.open(path)
    assert saved(path, target, whole).state.actions == 91


def test_a_file_that_was_cut_off_comes_out_up_to_there(whole: bytes, tmp_path: Path) -> None:
    counts = []
    for part in (9, 7, 5, 3):
        path, target = broken(tmp_path, whole[: len(whole) * part // 10])
        counts.append(saved(path, target, whole).state.actions)
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > counts[-1] > 0


@pytest.mark.parametrize("seed", range(12))
def test_overwritten_bytes_cost_what_comes_after_them(whole: bytes, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    data = bytearray(whole)
    for _ in range(chance.randint(1, 4)):
        begin_at, length = chance.randrange(len(data)), chance.choice((1, 40, PAGE))
        data[begin_at : begin_at + length] = chance.randbytes(min(length, len(data) - begin_at))
    path, target = broken(tmp_path, bytes(data))
    try:
        saved(path, target, whole)
    except CompetitionError as error:
        assert "line 1 of the log" in str(error)
        assert not target.exists()


def test_a_line_that_was_changed_ends_what_is_saved(tmp_path: Path) -> None:
    """What came after it is listed for the arbiter, who enters it anew."""
    event, target = tmp_path / "cup.korgool", tmp_path / "saved.korgool"
    begin(event, 8, 3)
    play_round(event, random.Random(2))
    with sqlite3.connect(event) as raw:
        raw.execute("UPDATE log SET by = 'Nobody' WHERE at = 12")
        raw.execute("UPDATE log SET action = '{' WHERE at = 13")
        raw.execute("DELETE FROM log WHERE at = 14")
    raw.close()
    before = event.read_bytes()
    done = call("salvage", event, "-o", target)
    assert done.exit_code == 0, done.output
    assert event.read_bytes() == before
    assert f"{target}: 11 lines of log, head 11-" in done.stdout
    assert "nothing is left of the lines 14" in done.stdout
    assert "line 12 of the log is damaged, or was changed after it was written" in done.stderr
    with EventFile.open(target) as file:
        assert len(file.log()) == 11
    assert "exists already" in refused("salvage", event, "-o", target)
    target.unlink()
    (found,) = lines("salvage", event, "-o", target)
    assert (found["saved"], found["missing"]) == (11, [14])
    assert [one["at"] for one in found["lost"]] == [12, 13, 15]
    assert [one["text"] for one in found["lost"]][1] == "cannot be read"
    assert "round 1, board" in found["lost"][0]["text"]
    assert lines("check", target)[0]["ok"]
    korgool("result", target, 1, 1, "1 (82) - 0 (60)")


def test_what_was_lost_with_its_players_is_still_told(tmp_path: Path) -> None:
    event, target = tmp_path / "cup.korgool", tmp_path / "saved.korgool"
    begin(event, 4, 3)
    korgool("warn", event, 2, "--reason", "late")
    with sqlite3.connect(event) as raw:
        raw.execute("UPDATE log SET by = 'Nobody' WHERE at = 2")
    raw.close()
    (found,) = lines("salvage", event, "-o", target)
    assert found["saved"] == 1
    assert found["lost"][-1]["text"] == '{"do":"warn","player":2}'
    assert "Player 1" in found["lost"][0]["text"]


def test_a_write_that_was_broken_off_is_taken_back(tmp_path: Path) -> None:
    """The journal beside the file tells how it was; neither is touched."""
    event, target = tmp_path / "cup.korgool", tmp_path / "saved.korgool"
    begin(event, 4, 3)
    raw = sqlite3.connect(event, isolation_level=None)
    raw.executescript("PRAGMA cache_size=1; PRAGMA synchronous=OFF; BEGIN;")
    raw.execute("UPDATE log SET by = 'Half'")
    raw.execute("INSERT INTO log SELECT at + 100, time, hex(randomblob(90000)), reason, action, chain FROM log")
    copy, journal = tmp_path / "torn.korgool", tmp_path / "cup.korgool-journal"
    copy.write_bytes(event.read_bytes())
    torn = copy.with_name("torn.korgool-journal")
    torn.write_bytes(journal.read_bytes())
    raw.execute("ROLLBACK")
    raw.close()
    before = copy.read_bytes(), torn.read_bytes()
    assert before[0] != event.read_bytes(), "the write had begun"
    found = salvage(copy, target)
    assert (found.damage, found.lost) == ("", ())
    assert (copy.read_bytes(), torn.read_bytes()) == before
    with EventFile.open(target) as file, EventFile.open(event) as other:
        assert file.log() == other.log()


@pytest.mark.parametrize("content", [b"", b"family,given\nA,B\n", b"SQLite format 3\x00" + bytes(5000), bytes(9000)])
def test_what_holds_no_log_is_refused(tmp_path: Path, content: bytes) -> None:
    path, target = broken(tmp_path, content)
    assert "no line of a log can be read" in refused("salvage", path, "-o", target)
    assert not target.exists()
    assert "No such file" in refused("salvage", tmp_path / "nothing", "-o", target)


def test_a_file_of_a_newer_version_is_left_to_it(whole: bytes, tmp_path: Path) -> None:
    path, target = broken(tmp_path, whole[:60] + (7).to_bytes(4, "big") + whole[64:])
    assert "newer version" in refused("salvage", path, "-o", target)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_bytes_are_read_without_a_fault(whole: bytes, data: st.DataObject) -> None:
    size = data.draw(st.integers(0, 20 * PAGE))
    begin_at = data.draw(st.integers(0, len(whole)))
    content = bytearray(whole[begin_at : begin_at + size])
    for _ in range(data.draw(st.integers(0, 20))):
        if content:
            content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    assert all(isinstance(row, int) for row, _ in rows(bytes(content)))


@settings(deadline=None)
@given(st.binary(max_size=3000))
def test_no_bytes_at_all_are_a_fault(content: bytes) -> None:
    list(rows(b"\x0d" + content))


def test_rows_of_every_length_are_read_with_what_overflows_their_page(tmp_path: Path) -> None:
    """Around each bound of the file format: what fits a page, and what stays on it of a longer row."""
    file, size = tmp_path / "rows.sqlite", 512
    texts = {length: f"{length}".ljust(length, "ö")[:length] for length in range(size // 2, 2 * size)}
    with closing(sqlite3.connect(file)) as database:
        database.execute(f"PRAGMA page_size = {size}")
        database.execute("CREATE TABLE texts (number INTEGER PRIMARY KEY, text TEXT)")
        database.executemany("INSERT INTO texts VALUES (?, ?)", texts.items())
        database.commit()
    found = {row: values[1] for row, values in rows(file.read_bytes()) if row in texts and len(values) == 2}
    assert found == texts
