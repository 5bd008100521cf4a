"""Games on disk, in SQLite and in PostgreSQL: the same tests for both."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import cached_property
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
from sqlalchemy.exc import InvalidRequestError, OperationalError

from korgool import live
from korgool.app.server.core.settings import ServerSettings, SettingsError
from korgool.app.server.play.commands import new_game
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.play.new_game_form import handicap
from korgool.app.server.storage import database as storage_module
from korgool.app.server.storage import file_ownership
from korgool.app.server.storage.database import KNOWN, Storage, migrate
from korgool.app.server.storage.schema import metadata
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.live import GameTerms, Manner, read_clock
from korgool.rules import GAMES, MANGALA, Side
from tests.patience import PATIENCE

from .inside import GUEST, STRANGER, VISITOR, Kept, alone, people
from .support import check_stored, postgresql_database


@dataclass
class Place:
    """An empty database."""

    settings: ServerSettings

    @cached_property
    def engine(self) -> Engine:
        return create_engine(self.settings.url())


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """A database without any table."""
    if request.param == "sqlite":
        yield Place(ServerSettings(data=tmp_path))
        return
    with postgresql_database() as url:
        yield Place(ServerSettings(database=url))


@pytest.fixture(scope="module")
def used() -> Iterator[Place]:
    """A database in PostgreSQL, for all tests."""
    with postgresql_database() as url:
        place = Place(ServerSettings(database=url))
        Storage.open(place.settings).close()
        yield place


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """A database whose tables are empty, if there are any; what the migrations themselves have written stays."""
    if request.param == "sqlite":
        return Place(ServerSettings(data=tmp_path))
    used: Place = request.getfixturevalue("used")
    with used.engine.begin() as connection:
        for table in reversed(metadata.sorted_tables):
            if table.name != "owner":
                connection.execute(table.delete())
    return used


def test_an_empty_database_gets_its_tables_as_the_code_sees_them(empty: Place) -> None:
    Storage.open(empty.settings).close()
    with empty.engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
        assert context.get_current_heads() == (KNOWN[-1],)


def test_the_code_knows_its_own_revisions() -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(storage_module.__file__).parent / "migrations"))
    revisions = ScriptDirectory.from_config(config).walk_revisions()
    assert tuple(reversed([revision.revision for revision in revisions])) == KNOWN


def test_a_database_of_a_newer_version_is_refused_and_left_alone(empty: Place) -> None:
    Storage.open(empty.settings).close()
    with empty.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StorageError, match=r"newer version of Korgool.*9999"):
        Storage.open(empty.settings)
    with empty.engine.begin() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"


def test_a_database_of_something_else_is_refused_and_left_alone(empty: Place) -> None:
    with empty.engine.begin() as connection:
        connection.execute(text("CREATE TABLE recipes (name VARCHAR(10))"))
    with pytest.raises(StorageError, match="other tables"):
        Storage.open(empty.settings)
    with empty.engine.begin() as connection:
        assert inspect(connection).get_table_names() == ["recipes"]


def test_a_migration_that_breaks_off_leaves_nothing_behind(empty: Place) -> None:
    engine = storage_module._engine(empty.settings.url())
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


def test_a_second_server_is_kept_out_of_a_file_and_not_of_postgresql(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_ownership, "_PATIENCE", 0.3)
    storage = Storage.open(place.settings)
    if storage.processes is None:
        with pytest.raises(StorageError, match="another Korgool server"):
            Storage.open(place.settings)
    else:
        second = Storage.open(place.settings)
        assert second.secret() == storage.secret()
        second.close()
    storage.close()
    Storage.open(place.settings).close()


def test_games_come_back_as_they_were(place: Place) -> None:
    storage = Storage.open(place.settings)
    random, games = Random(1), []
    for number, game in enumerate(GAMES):
        start = str(handicap(GAMES[game], Side.BLACK, 1)) if number % 2 else None
        kept = Kept(storage, f"game{number}", alone(game, clock="10+5" if number % 2 else "none", start=start))
        while not kept.game.over and kept.game.version < 60:
            kept.keep(kept.move(random.choice(kept.game.position.legal_moves())))
            if random.random() < 0.1 and not kept.game.over and kept.game.turn_began(Side.WHITE) is not None:
                kept.keep(kept.next(live.AskTakeback(Side.WHITE), kept.at + 10, f"n {kept.game.version}"))
        if not kept.game.over:
            kept.keep(kept.next(live.ResignGame(Side.BLACK)))
        games.append(kept)
    storage.close()
    storage = Storage.open(place.settings)
    repository = GameRepository(storage.engine)
    for kept in games:
        stored = repository.load(kept.id)
        assert check_stored(stored) == kept.game
        assert stored is not None
        assert (stored.terms, stored.entries) == (kept.game.terms, tuple(kept.entries))
        assert (stored.version, stored.opened_ms) == (kept.game.version, kept.at)
    found = repository.recent(VISITOR)
    assert {one.id: (one.game, one.result_text) for one in found} == {
        kept.id: (kept.game.terms.rules.name, kept.game.ending and kept.game.ending.result_text) for kept in games
    }
    assert repository.recent(GUEST) == []
    assert repository.unfinished(VISITOR) == 0
    assert repository.load("nothing here") is None
    storage.close()


@pytest.mark.parametrize("manner", Manner)
def test_everything_that_was_agreed_comes_back(place: Place, manner: Manner) -> None:
    storage = Storage.open(place.settings)
    games = GameRepository(storage.engine)
    rules = MANGALA.with_option("threefold", "4")
    terms = GameTerms(
        rules, people().seats, read_clock("90+0"), manner, start=str(handicap(rules, Side.WHITE, 1)), delay_s=900
    )
    kept = Kept(storage, "agreed", terms)
    rated = Kept(storage, "rated", people(clock="10+5", rated=True))
    slow = Kept(storage, "slow", people(clock="3d"))
    for game in (kept, rated, slow):
        stored = games.load(game.id)
        assert stored is not None
        assert stored.terms == game.game.terms
        assert stored.signs == (None, None)
    kept.write(Commit(kept.id, signs=(None, 77)))
    stored = games.load(kept.id)
    assert stored is not None
    assert stored.signs == (None, 77)
    for after, signs in ((5_000, (5_000, None)), (9_000, (5_000, 9_000))):
        slow.keep(slow.next(live.MakeMove(slow.game.to_move, 1, slow.game.version), slow.at + after))
        stored = games.load(slow.id)
        assert stored is not None
        found = tuple(None if sign is None else sign - slow.at for sign in stored.signs)
        assert found == signs, "what a player has done is a sign of life too"
    storage.close()


def test_a_list_says_against_whom_and_whose_turn_it_is(place: Place) -> None:
    storage = Storage.open(place.settings)
    games = GameRepository(storage.engine)
    told = {}
    for number, (name, terms) in enumerate(
        {"engine": alone(level=4), "guest": people(), "device": people(same=True), "slow": people(clock="1d")}.items()
    ):
        kept = Kept(storage, name, terms, 1_700_000_000_000 + 1000 * number)
        told[kept.id] = kept
        if name == "guest":
            kept.keep(kept.move())
    found = games.recent(VISITOR)
    assert [one.id for one in found] == ["slow00000000", "device000000", "guest0000000", "engine000000"], "newest first"
    said = {one.id[:6].rstrip("0"): (one.side, one.opponent, one.strength, one.turn) for one in found}
    assert said == {
        "engine": ("white", "", 4, True),
        "guest": ("white", GUEST, 0, False),
        "device": ("both", "", 0, True),
        "slow": ("white", GUEST, 0, True),
    }
    assert {one.id[:4]: (one.side, one.turn) for one in games.recent(GUEST)} == {
        "gues": ("black", True),
        "slow": ("black", False),
    }
    assert found[0].due_ms == live.due(told["slow00000000"].game)
    assert games.unfinished(VISITOR) == 4
    assert games.unfinished(GUEST) == 2
    assert (games.has_played(GUEST), games.has_played(STRANGER)) == (
        True,
        False,
    )
    storage.close()


def test_games_of_before_there_were_other_starts_go_on(empty: Place) -> None:
    """A database at the first revision, as Korgool 0.1 left it."""
    config = Config()
    config.set_main_option("script_location", str(Path(storage_module.__file__).parent / "migrations"))
    with empty.engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        row = {"id": "a" * 12, "game": "toguz", "visitor": VISITOR, "side": 0, "level": 1, "clock": "none"}
        row |= {"started_ms": 1, "version": 1, "to_move": 0}
        names, values = ", ".join(row), ", ".join(f":{name}" for name in row)
        connection.execute(text(f"INSERT INTO games ({names}) VALUES ({values})"), row)
    storage = Storage.open(empty.settings)
    stored = GameRepository(storage.engine).load("a" * 12)
    assert stored is not None
    assert (stored.terms, stored.opened_ms) == (alone(), 1)
    storage.close()


def test_games_whose_clocks_go_on_alone_are_found(place: Place) -> None:
    storage = Storage.open(place.settings)
    games = GameRepository(storage.engine)
    Kept(storage, "waits", alone())
    clocked = Kept(storage, "clocked", alone(clock="30+0"))
    engine = Kept(storage, "engine", alone())
    engine.keep(engine.move(7))
    over = Kept(storage, "over", alone(clock="30+0"))
    over.keep(over.next(live.ResignGame(Side.WHITE)))
    thinks = Kept(storage, "thinks", alone(clock="5+0", side=Side.BLACK))
    assert games.unattended() == [thinks.id], "where the engine is to move and its clock runs"
    assert games.due(2**60) == [(game.id, game.at + ms) for game, ms in ((thinks, 300_000), (clocked, 1_800_000))]
    assert games.due(clocked.at + 300_000) == []
    assert games.due(clocked.at + 300_001) == [(thinks.id, thinks.at + 300_000)]
    assert games.due(2**60, 1) == [(thinks.id, thinks.at + 300_000)]
    assert games.unfinished(VISITOR) == 4
    storage.close()


def test_time_without_a_server_shifts_what_time_decides(place: Place) -> None:
    storage = Storage.open(place.settings)
    clocked, slow = Kept(storage, "clocked", alone(clock="30+0")), Kept(storage, "slow", people(clock="2d"))
    Kept(storage, "without", alone())
    at, day = clocked.at, 86_400_000
    storage.note_outage(at + 1_000, at + 61_000)
    storage.note_outage(at + 100_000, at + 100_000)
    storage.note_outage(at + 100_000, at + 90_000)
    storage.note_outage(at + 200_000, at + 205_000)
    assert GameRepository(storage.engine).due(2**60) == [
        (clocked.id, at + 1_800_000 + 65_000),
        (slow.id, at + 2 * day + 65_000),
    ]
    for since, until, missed in (
        (at, at + 300_000, 65_000),
        (at, at + 31_000, 30_000),
        (at + 11_000, at + 300_000, 55_000),
        (at + 61_000, at + 200_000, 0),
        (at + 202_000, at + 203_000, 1_000),
        (at + 300_000, at + 400_000, 0),
        (at + 300_000, at, 0),
    ):
        assert storage.missed_ms(since, until) == missed, (since - at, until - at)
    storage.close()


def test_what_happens_together_is_written_together_or_not_at_all(place: Place) -> None:
    storage = Storage.open(place.settings)
    games = GameRepository(storage.engine)
    kept = Kept(storage, "first", alone())
    kept.keep(kept.next(live.ResignGame(Side.WHITE)))
    ask = live.AskRematch(Side.WHITE, "second000000")
    rematch = new_game("second000000", kept.game.terms.swapped(), kept.at)
    both = replace(kept.next(ask), others=(rematch,))
    kept.keep(both)
    assert check_stored(games.load("second000000")).terms == alone(side=Side.BLACK)
    assert check_stored(games.load(kept.id)).rematch == "second000000"
    other = Kept(storage, "third", alone())
    other.keep(other.next(live.ResignGame(Side.WHITE)))
    with pytest.raises(TakenError):
        other.write(replace(other.next(ask), others=(rematch,)))
    assert check_stored(games.load(other.id)).rematch == ""
    storage.close()


def test_an_id_of_a_command_is_written_once(place: Place) -> None:
    storage = Storage.open(place.settings)
    kept = Kept(storage, "named", people())
    kept.keep(kept.next(live.MakeMove(Side.WHITE, 7, kept.game.version), name="a1"))
    kept.keep(kept.next(live.MakeMove(Side.BLACK, 7, kept.game.version), name="a1"))
    again = kept.next(live.MakeMove(Side.WHITE, kept.game.position.legal_moves()[0], kept.game.version), name="a1")
    with pytest.raises(TakenError):
        kept.write(again)
    stored = GameRepository(storage.engine).load(kept.id)
    assert stored is not None
    assert [(entry.side, entry.command) for entry in stored.entries] == [
        (None, None),
        (Side.WHITE, "a1"),
        (Side.BLACK, "a1"),
    ]
    storage.close()


def test_many_games_share_a_transaction(place: Place) -> None:
    storage = Storage.open(place.settings)
    games = [Kept(storage, f"g{number:02}", alone()) for number in range(40)]
    before = storage.writer.transactions
    wait([storage.writer.submit(kept.move(7)) for kept in games])
    assert storage.writer.transactions - before < 20
    for kept in games:
        assert check_stored(GameRepository(storage.engine).load(kept.id)).version == 2
    storage.close()


def test_a_version_is_written_once_and_the_neighbours_do_not_suffer(place: Place) -> None:
    storage = Storage.open(place.settings)
    games = [Kept(storage, f"g{number:02}", alone()) for number in range(30)]

    def send(commit: Commit) -> str:
        try:
            storage.writer.submit(commit).result(PATIENCE)
        except TakenError:
            return "taken"
        return "written"

    with ThreadPoolExecutor(60) as pool:
        found = list(pool.map(send, [kept.move(7) for kept in games] * 2))
    assert sorted(found) == ["taken"] * 30 + ["written"] * 30
    for kept in games:
        assert check_stored(GameRepository(storage.engine).load(kept.id)).version == 2
    storage.close()


def test_an_entry_of_an_unknown_game_is_refused(place: Place) -> None:
    storage = Storage.open(place.settings)
    kept = Kept(storage, "known", alone())
    with pytest.raises(StorageError):
        kept.write(replace(kept.move(7), game="nobodysgame0"))
    storage.close()


def test_a_journal_with_a_gap_is_found(place: Place) -> None:
    storage = Storage.open(place.settings)
    kept = Kept(storage, "gap", alone())
    for _ in range(3):
        kept.keep(kept.move())
    storage.close()
    with place.engine.begin() as connection:
        connection.execute(text("DELETE FROM events WHERE version = 3"))
    storage = Storage.open(place.settings)
    with pytest.raises(ValueError, match="one is missing"):
        check_stored(GameRepository(storage.engine).load(kept.id))
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


def test_an_error_does_not_tell_what_was_to_be_written(tmp_path: Path) -> None:
    """It goes to the log."""
    storage = Storage.open(ServerSettings(data=tmp_path))
    with pytest.raises(OperationalError) as caught, storage.engine.begin() as connection:
        connection.execute(text("INSERT INTO nothing VALUES (:digest)"), {"digest": "a secret"})
    assert "a secret" not in str(caught.value)
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


def test_reasons_of_the_database_are_one_line() -> None:
    assert storage_module._reason(InvalidRequestError("no\n  transaction")) == "no transaction"
    assert storage_module._reason(OperationalError("SELECT 1", {}, ValueError("disk\nfull"))) == "disk full"
