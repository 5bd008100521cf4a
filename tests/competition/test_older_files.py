"""Event files that earlier versions wrote: every answer is the one that they gave.

Beside each file lie its answers in JSON. A line may have more members today than then, and no other values.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from korgool.competition import CompetitionError, EventFile, commands
from korgool.competition.audit import check, head_fault
from korgool.competition.json_export import read_json, restore, write_json
from korgool.competition.model import Role
from korgool.competition.storage.salvage import salvage
from korgool.competition.trf import write_trf
from tests.competition.program import call

FOLDER = Path(__file__).parent / "files"
FILES = sorted(FOLDER.glob("*.korgool"))
FORMAT_2 = sorted((FOLDER / "format2").glob("*.korgool"))
"""Two of those above, migrated by the first program that could, one without a name, and one begun in that format."""


@pytest.fixture(params=FILES, ids=lambda path: path.stem)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of a file, beside its answers."""
    path: Path = request.param
    for suffix in (".korgool", ".json"):
        shutil.copy(path.with_suffix(suffix), tmp_path)
    return tmp_path / path.name


def test_there_are_older_files() -> None:
    assert FILES


def test_answers_are_those_of_then(older: Path) -> None:
    before = older.read_bytes()
    compare_answers(older)
    assert older.read_bytes() == before


@pytest.mark.parametrize("path", FORMAT_2, ids=lambda path: path.stem)
def test_files_of_format_2_answer_as_then_and_go_on(path: Path, tmp_path: Path) -> None:
    for suffix in (".korgool", ".json"):
        shutil.copy(path.with_suffix(suffix), tmp_path)
    older = tmp_path / path.name
    compare_answers(older)
    assert older.read_bytes() == path.read_bytes()
    with EventFile.open(older) as file:
        heads = [file.heads(one.at) for one in file.log()]
        commands.appoint(file, "One", Role.REFEREE, by="Chief")
        assert [file.heads(one.at) for one in file.log()][:-1] == heads
        assert (file.broken_links(), file.lost_details(), check(file)) == ((), (), ())
        salvage(older, tmp_path / "saved")
        with EventFile.open(tmp_path / "saved") as saved:
            assert (saved.state, saved.log()) == (file.state, file.log())


def test_a_migrated_file_keeps_its_answers_and_heads(older: Path, tmp_path: Path) -> None:
    """Whoever writes first migrates it; a head that was printed before lies on the chain, and nothing fits between."""
    with EventFile.open(older) as file:
        log, state = file.log(), file.state
        heads = [file.head(one.at) for one in log]
        exported, records = write_json(file), write_trf(state)
        with file.together():
            pass
        assert (file.log(), file.state, write_trf(file.state)) == (log, state, records)
    compare_answers(older)
    with EventFile.open(older) as file:
        assert (file.log(), file.state, file.broken_links(), file.lost_details()) == (log, state, (), ())
        assert [file.heads(one.at)[1] for one in log] == heads
        assert not {str(file.head(one.at)) for one in log} & set(map(str, heads))
        assert [head_fault(file, head) for head in heads] == [""] * len(heads)
        assert not [line for line in file.lines() if '"family"' in line.action or line.reason]
        with restore(tmp_path / "again", read_json(write_json(file))) as again:
            assert again.lines() == file.lines()
        with restore(tmp_path / "then", read_json(exported)) as again:
            assert (again.state, again.log(), again.broken_links()) == (state, log, ())
            assert [again.heads(one.at)[1] for one in log] == heads
        commands.appoint(file, "One", Role.REFEREE, by="Chief")
        file.forget(by="Chief")
        assert [file.heads(one.at)[1] for one in log] == heads
        assert check(file) == ()
    data = older.read_bytes()
    assert not [one for one in state.players.values() if one.name.encode() in data]


@pytest.mark.parametrize(
    "change",
    [
        'UPDATE log SET action = replace(action, \'"rating":\', \'"board":1,"rating":\') WHERE at = 9',
        "UPDATE log SET by = 'Nobody' WHERE at = 9",
        "UPDATE log SET chain = replace(chain, '1', '2') WHERE at = 9",
    ],
)
def test_what_was_changed_before_the_migration_is_still_told(older: Path, change: str) -> None:
    with sqlite3.connect(older) as raw:
        raw.execute(change)
    raw.close()
    with EventFile.open(older) as file:
        before = file.broken_links()
        assert 9 in before
        with file.together():
            pass
        assert file.broken_links() == before


@pytest.mark.parametrize("header", [b"", b"\xff" * 100])
def test_a_damaged_one_is_salvaged_with_its_heads(older: Path, tmp_path: Path, header: bytes) -> None:
    with EventFile.open(older) as file:
        state, log = file.state, file.log()
        heads = [file.head(one.at) for one in log]
    data = older.read_bytes()
    older.write_bytes(header + data[len(header) :])
    salvage(older, tmp_path / "saved")
    with EventFile.open(tmp_path / "saved") as file:
        assert (file.state, file.log(), file.broken_links(), file.lost_details()) == (state, log, (), ())
        assert [file.heads(one.at)[1] for one in log] == heads


def test_a_write_that_is_refused_migrates_nothing(older: Path) -> None:
    before = older.read_bytes()
    with EventFile.open(older) as file, pytest.raises(CompetitionError):
        commands.undo(file, 999, by="Chief", reason="none")
    assert older.read_bytes() == before


def test_others_who_have_the_file_open_go_on(older: Path) -> None:
    with EventFile.open(older) as one, EventFile.open(older) as other:
        commands.appoint(one, "One", Role.REFEREE, by="Chief")
        commands.appoint(other, "Other", Role.REFEREE, by="Secretary")
        assert one.refresh() == other.state
        assert [done[1] for done in one.state.done] == [line.reason for line in other.log()]
        assert one.broken_links() == ()


def compare_answers(older: Path) -> None:
    for words, held in json.loads(older.with_suffix(".json").read_text(encoding="utf-8")).items():
        command, *rest = words.split()
        done = call(command, older, *rest, "--json")
        if isinstance(held, str):
            assert held == done.stderr.replace(str(older), older.name)
            continue
        assert done.exit_code == 0, (words, done.stderr)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert len(found) == len(held), words
        for one, then in zip(found, held, strict=True):
            assert held_in(then, one), (words, then, one)


def held_in(then: Any, now: Any) -> bool:
    """Whether an answer of then stands in that of now."""
    if isinstance(then, dict):
        return isinstance(now, dict) and all(name in now and held_in(one, now[name]) for name, one in then.items())
    if isinstance(then, list):
        return isinstance(now, list) and len(now) == len(then) and all(map(held_in, then, now))
    return bool(then == now)
