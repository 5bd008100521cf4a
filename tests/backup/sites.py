"""Sites for tests of backups: databases that earlier releases have left, as files."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from korgool.app.cli import main

DATABASES = Path(__file__).parents[1] / "server" / "databases"
REVISIONS = sorted(path.stem for path in DATABASES.glob("*.sql"))


def need_programs() -> None:
    """Skip a test that copies a PostgreSQL database where its programs are not installed."""
    if shutil.which("pg_dump") is None:
        pytest.skip("pg_dump is not installed")


def site(folder: Path, revision: str = REVISIONS[-1]) -> Path:
    """A data folder with the database of a release."""
    folder.mkdir(exist_ok=True)
    with sqlite3.connect(folder / "korgool.sqlite") as database:
        database.executescript((DATABASES / f"{revision}.sql").read_text(encoding="utf-8"))
    database.close()
    return folder


def dump(folder: Path) -> list[str]:
    """All that a database holds."""
    database = sqlite3.connect(folder / "korgool.sqlite")
    try:
        return list(database.iterdump())
    finally:
        database.close()


def call(*words: object) -> Result:
    """`korgool WORDS…` in this process; no outcome may hide a fault of the program."""
    done = CliRunner().invoke(main, list(map(str, words)))
    assert "fault of the program" not in done.stderr, done.stderr
    assert isinstance(done.exception, SystemExit | None), done.exception
    return done


def does(*words: object) -> str:
    """The same, which must succeed; what it printed."""
    done = call(*words)
    assert done.exit_code == 0, (words, done.output)
    return done.stdout


def refused(*words: object) -> str:
    """The message of a call that must be refused as wrong input, with nothing on standard output."""
    done = call(*words)
    assert (done.exit_code, done.stdout) == (1, ""), (words, done.output)
    assert done.stderr.startswith("korgool: "), done.stderr
    return done.stderr


def names(folder: Path) -> list[str]:
    """The names in a folder."""
    return sorted(one.name for one in folder.iterdir())
