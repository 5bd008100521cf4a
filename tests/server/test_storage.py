"""Games on disk, in SQLite and in PostgreSQL: the same tests for both."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, inspect, text
from sqlalchemy.engine import Engine, make_url

from korgool.app.server.games.new_game import handicap
from korgool.app.server.settings import ServerSettings, SettingsError
from korgool.app.server.storage import database as storage_module
from korgool.app.server.storage import ownership
from korgool.app.server.storage.database import KNOWN, Storage, migrate
from korgool.app.server.storage.journal import JournalEntry, Payload, Play, Proposal, Terms
from korgool.app.server.storage.schema import metadata
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.rules import GAMES, Side

from .support import check_stored, postgresql_database


@dataclass
class Place:
    """An empty database."""

    settings: ServerSettings

    @property
    def engine(self) -> Engine:
        return create_engine(self.settings.url())


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        yield Place(ServerSettings(data=tmp_path))
        return
    with postgresql_database() as url:
        yield Place(ServerSettings(database=url))


def terms(
    name: str, game: str = "toguz", visitor: str = "v" * 22, clock: str = "none", start: str | None = None
) -> Terms:
    return Terms(name.ljust(12, "0"), game, visitor, Side.WHITE, 3, clock, 1_700_000_000_000, start)


def create(storage: Storage, of: Terms) -> Play:
    play = Play(of)
    proposal = play.propose_start(of.started_ms)
    storage.writer.submit(Commit(of.id, proposal, new=of)).result(10)
    play.apply(proposal.entries[0], 0)
    return play


def commit(storage: Storage, play: Play, proposal: Proposal) -> None:
    storage.writer.submit(Commit(play.terms.id, proposal)).result(10)
    for entry in proposal.entries:
        play.apply(entry, 0)


def test_an_empty_database_gets_its_tables_as_the_code_sees_them(place: Place) -> None:
    Storage.open(place.settings).close()
    with place.engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_heads() == (KNOWN[-1],)


def test_the_code_knows_its_own_revisions() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(storage_module.__file__).parent / "migrations"))
    revisions = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(reversed([revision.revision for revision in revisions])) == KNOWN


def test_a_database_of_a_newer_version_is_refused_and_left_alone(place: Place) -> None:
    Storage.open(place.settings).close()
    with place.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match=r"newer version of Korgool.*9999"):
        Storage.open(place.settings)
    with place.engine.begin() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"


def test_a_database_of_something_else_is_refused_and_left_alone(place: Place) -> None:
    with place.engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (name VARCHAR(10))"))
    with pytest.raises(StorageError, match="other tables"):
        Storage.open(place.settings)
    with place.engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["recipes"]


def test_a_migration_that_breaks_off_leaves_nothing_behind(place: Place) -> None:
    engine = storage_module._engine(place.settings.url())
    with engine.connect() as connection:
        migrate(connection, "here")
        assert "games" in inspect(connection).get_table_names()
        connection.rollback()
    with engine.begin() as connection:
        assert inspect(connection).get_table_names() == []


def test_the_secret_is_made_once_and_kept(place: Place) -> None:
    storage = Storage.open(place.settings)
    secret = storage.secret()
    storage.close()
    assert len(secret) == 64
    storage = Storage.open(place.settings)
    assert storage.secret() == secret
    storage.close()


def test_a_second_server_is_kept_out(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ownership, "_PATIENCE", 0.3)
    storage = Storage.open(place.settings)
    with pytest.raises(StorageError, match="another Korgool server"):
        Storage.open(place.settings)
    storage.close()
    Storage.open(place.settings).close()


def test_games_come_back_as_they_were(place: Place) -> None:
    storage = Storage.open(place.settings)
    random, plays = Random(1), []
    for number, game in enumerate(GAMES):
        start = str(handicap(GAMES[game], Side.BLACK, 1)) if number % 2 else None
        play = create(storage, terms(f"game{number}", game, clock="10+5" if number % 2 else "none", start=start))
        while play.outcome is None and play.version < 60:
            hole = random.choice(play.game.position.legal_moves())
            commit(storage, play, play.propose_move(hole, 1, 0))
            if random.random() < 0.1 and play.undo_plies:
                commit(storage, play, play.propose_undo(1, 0))
        if play.outcome is None:
            commit(storage, play, play.propose_end("resign", Side.BLACK, 1, 0))
        plays.append(play)
    storage.close()
    storage = Storage.open(place.settings)
    for play in plays:
        again = check_stored(storage.load(play.terms.id))
        assert (again.terms, again.entries, again.texts) == (play.terms, play.entries, play.texts)
        assert (again.game.positions, again.outcome, again.clock) == (play.game.positions, play.outcome, play.clock)
    assert [summary.result_text for summary in storage.recent("v" * 22)] != [None] * len(plays)
    assert storage.recent("w" * 22) == []
    assert storage.unfinished("v" * 22) == 0
    assert storage.load("nothing here") is None
    storage.close()


def test_games_of_before_there_were_other_starts_go_on(place: Place) -> None:
    """A database at the first revision, as Korgool 0.1 left it."""
    config = Config()
    config.set_main_option("script_location", str(Path(storage_module.__file__).parent / "migrations"))
    with place.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        row = {"id": "a" * 12, "game": "toguz", "visitor": "v" * 22, "side": 0, "level": 1, "clock": "none"}
        row |= {"started_ms": 1, "version": 1, "to_move": 0}
        names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO games ({names}) VALUES ({values})"), row)
    storage = Storage.open(place.settings)
    stored = storage.load("a" * 12)
    assert stored is not None
    assert stored.terms == Terms("a" * 12, "toguz", "v" * 22, Side.WHITE, 1, "none", 1)
    storage.close()


def test_games_whose_clocks_go_on_alone_are_found(place: Place) -> None:
    storage = Storage.open(place.settings)
    create(storage, terms("waits for visitor"[:12]))
    clocked = create(storage, terms("clocked", clock="30+0"))
    engine = create(storage, terms("engine"))
    commit(storage, engine, engine.propose_move(7, 1, 0))
    over = create(storage, terms("over", clock="30+0"))
    commit(storage, over, over.propose_end("resign", Side.WHITE, 1, 0))
    assert storage.unattended() == [clocked.terms.id]
    assert storage.unfinished("v" * 22) == 3
    storage.close()


def test_many_games_share_a_transaction(place: Place) -> None:
    storage = Storage.open(place.settings)
    plays = [create(storage, terms(f"g{number:02}")) for number in range(40)]
    before = storage.writer.transactions
    proposals = [play.propose_move(7, 1, 0) for play in plays]
    wait([storage.writer.submit(Commit(play.terms.id, one)) for play, one in zip(plays, proposals, strict=True)])
    assert storage.writer.transactions - before < 20
    for play in plays:
        assert check_stored(storage.load(play.terms.id)).version == 2
    storage.close()


def test_a_version_is_written_once_and_the_neighbours_do_not_suffer(place: Place) -> None:
    storage = Storage.open(place.settings)
    plays = [create(storage, terms(f"g{number:02}")) for number in range(30)]
    moves = [play.propose_move(7, 1, 0) for play in plays]

    def send(play: Play, proposal: Proposal) -> str:
        try:
            storage.writer.submit(Commit(play.terms.id, proposal)).result(10)
        except TakenError:
            return "taken"
        return "written"

    with ThreadPoolExecutor(60) as pool:
        found = list(pool.map(send, plays * 2, moves * 2))
    assert sorted(found) == ["taken"] * 30 + ["written"] * 30
    for play in plays:
        assert check_stored(storage.load(play.terms.id)).version == 2
    storage.close()


def test_an_entry_of_an_unknown_game_is_refused(place: Place) -> None:
    storage = Storage.open(place.settings)
    proposal = Proposal((JournalEntry(2, 1, "move", Payload(hole=7)),), Side.WHITE, None)
    with pytest.raises(StorageError):
        storage.writer.submit(Commit("nobodysgame0", proposal)).result(10)
    storage.close()


def test_a_journal_with_a_gap_is_found(place: Place) -> None:
    storage = Storage.open(place.settings)
    play = create(storage, terms("gap"))
    for _ in range(3):
        commit(storage, play, play.propose_move(play.game.position.legal_moves()[0], 1, 0))
    storage.close()
    with place.engine.begin() as connection:
        connection.execute(text("DELETE FROM events WHERE version = 3"))
    storage = Storage.open(place.settings)
    with pytest.raises(ValueError, match="one is missing"):
        check_stored(storage.load(play.terms.id))
    storage.close()


def test_sqlite_is_private_and_syncs_every_commit(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path / "made" / "on the way"))
    storage.secret()
    for file in (tmp_path / "made" / "on the way").iterdir():
        assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
    with storage._engine.begin() as connection:
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2  # FULL
    storage.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "korgool.sqlite").write_bytes(b"not a database at all" * 100)
    with pytest.raises(StorageError, match="not a database"):
        Storage.open(ServerSettings(data=tmp_path))


@pytest.mark.parametrize(
    "url", ["", "x", "mysql://a/b", "sqlite://", "sqlite:///:memory:", "://", "http://example.org"]
)
def test_urls_of_no_use_are_refused(url: str) -> None:
    with pytest.raises(SettingsError, match="--database"):
        ServerSettings(database=url).url()


def test_a_server_that_does_not_answer_is_named_without_its_password() -> None:
    with pytest.raises(StorageError, match="cannot be used") as found:
        Storage.open(ServerSettings(database="postgresql://someone:hush@127.0.0.1:9/games"))
    assert "hush" not in str(found.value)


def test_urls_of_postgresql_reach_the_right_driver() -> None:
    for name in ("postgres", "postgresql", "postgresql+psycopg"):
        assert ServerSettings(database=f"{name}://u@h/d").url() == make_url("postgresql+psycopg://u@h/d")


def test_a_disk_that_is_nearly_full_is_told_before_a_write_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    try:
        storage.check()
        left = shutil.disk_usage(tmp_path)._replace(free=100_000)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: left)
        with pytest.raises(StorageError, match="is full"):
            storage.check()
    finally:
        storage.close()
