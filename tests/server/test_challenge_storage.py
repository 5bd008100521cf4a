"""Challenges on disk, in SQLite and in PostgreSQL: one acceptance wins, and old ones are forgotten in batches."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, func, inspect, select

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.challenges.repository import ChallengeRepository
from korgool.app.server.play.commands import new_game
from korgool.app.server.storage import database
from korgool.app.server.storage.challenge_rows import challenge_row, read_challenge
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.postgres_writer import PostgresWriter
from korgool.app.server.storage.schema import challenges, events, games, seats
from korgool.app.server.storage.sqlite_writer import SqliteWriter
from korgool.app.server.storage.writer import FORGOTTEN_AT_ONCE, Commit, TakenError, Writer
from korgool.live import Challenge, ChallengeState, DeclineReason, Manner, Refused, Way, read_clock
from korgool.rules import BESTEMSHE, MANGALA, TOGUZ_KORGOOL
from tests.patience import PATIENCE

from .support import postgresql_database

T = TypeVar("T")
NOW = 1_800_000_000_000
ANN, BOB, EVE = ("a" * 22, "b" * 22, "e" * 22)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with postgresql_database() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Storage]:
    """A database without games and challenges; in PostgreSQL one for all tests."""
    if request.param == "sqlite":
        opened = Storage.open(ServerSettings(data=tmp_path))
    else:
        opened = Storage.open(ServerSettings(database=request.getfixturevalue("url")))
        with opened.engine.begin() as connection:
            for table in (challenges, events, seats, games):
                connection.execute(table.delete())
    yield opened
    opened.close()


def challenge(name: str, **changes: Any) -> Challenge:
    usual: dict[str, Any] = {"maker": ANN, "rules": TOGUZ_KORGOOL, "control": None, "side": "white"}
    return Challenge(**{**usual, "id": name.ljust(12, "0"), "expires": NOW + 60_000, **changes})


CHALLENGES = [
    challenge("plain"),
    challenge("clock", control=read_clock("10+0 byoyomi 3x30"), side="random", manner=Manner.COMPETITION),
    challenge("days", control=read_clock("14d"), rules=MANGALA.with_option("sweep", "owner"), way=Way.LOBBY),
    challenge("start", rules=BESTEMSHE, start="1S,4/1S,4 24 24 S 9", delay_s=3600, side="black"),
    challenge("named", to=BOB, way=Way.NAME, state=ChallengeState.DECLINED, by=BOB, reason=DeclineReason.OTHER_CLOCK),
    challenge("taken", state=ChallengeState.ACCEPTED, by=BOB, game="g" * 12, rated=True),
]


def test_a_challenge_is_read_as_it_was_written(storage: Storage) -> None:
    for one in CHALLENGES:
        storage.writer.submit(Commit("", challenge=one)).result(PATIENCE)
        assert ChallengeRepository(storage.engine).find(one.id) == one
        assert ChallengeRepository(storage.engine).find("x" * 12) is None
        assert ChallengeRepository(storage.engine).of_game("g" * 12) == (one if one.game else None), one.id
    assert [ChallengeRepository(storage.engine).find(one.id) for one in CHALLENGES] == CHALLENGES


def test_a_damaged_row_is_named() -> None:
    class Row:
        def __init__(self, **columns: Any) -> None:
            self.__dict__ |= columns

    row = challenge_row(CHALLENGES[2])
    assert read_challenge(Row(**row)) == CHALLENGES[2]
    for damage in ({"state": "lost"}, {"clock": "9"}, {"way": "pigeon"}, {"rules": '{"wings": true}'}):
        with pytest.raises(ValueError, match=r"lost|9|pigeon|wings"):
            read_challenge(Row(**row | damage))


def accepting(one: Challenge, who: str, number: int) -> Commit:
    answer = one.accept(who, f"{who[0]}{number:011}", NOW)
    assert not isinstance(answer, Refused)
    taken, terms = answer
    return replace(new_game(taken.game, terms, NOW), settles=taken)


def outcome(done: Future[None]) -> bool:
    """Whether a commit is on disk; it may only have failed because somebody was quicker."""
    error = done.exception(30)
    assert error is None or isinstance(error, TakenError), error
    return error is None


def another(storage: Storage, fence: Callable[[object], None], most: int = 500) -> Writer:
    """One more writer of a database, as another process would have it."""
    judge = (
        PostgresWriter(storage.engine, fence, fence)
        if storage.processes
        else SqliteWriter(storage.engine, fence, fence)
    )
    return Writer(judge, most=most)


def held(storage: Storage) -> tuple[Writer, threading.Event]:
    """A writer that begins when it is told to, so that all commits given to it meanwhile are one transaction."""
    gate, begun = threading.Event(), threading.Event()

    def fence(_: object) -> None:
        begun.set()
        gate.wait(PATIENCE)

    writer = another(storage, fence)
    writer.submit(Commit(""))
    assert begun.wait(PATIENCE)
    return writer, gate


def test_one_of_many_in_one_transaction_wins_and_the_others_fail_alone(storage: Storage) -> None:
    one, other = challenge("one"), challenge("other")
    for made in (one, other):
        storage.writer.submit(Commit("", challenge=made)).result(PATIENCE)
    writer, gate = held(storage)
    tries = [writer.submit(accepting(one, BOB, number)) for number in range(20)]
    unrelated = writer.submit(accepting(other, EVE, 0))
    gate.set()
    won = [number for number, done in enumerate(tries) if outcome(done)]
    assert len(won) == 1
    assert outcome(unrelated)
    writer.close()
    with storage._engine.begin() as connection:
        stored = set(connection.scalars(select(games.c.id)))
    assert stored == {f"b{won[0]:011}", f"e{0:011}"}
    found = ChallengeRepository(storage.engine).find(one.id)
    assert found is not None
    assert (found.state, found.by, found.game) == (ChallengeState.ACCEPTED, BOB, f"b{won[0]:011}")


def test_one_of_two_writers_wins(storage: Storage) -> None:
    """As between two processes: each has its own connection, and the database decides."""
    writers = [another(storage, lambda _: None, most=1) for _ in range(2)]
    for turn in range(10):
        one = challenge(f"c{turn}")
        storage.writer.submit(Commit("", challenge=one)).result(PATIENCE)
        withdrawn = one.withdraw(ANN, NOW)
        assert not isinstance(withdrawn, Refused)
        commits = [accepting(one, who, turn) for who in (BOB, EVE)] + [Commit("", settles=withdrawn)]
        Random(turn).shuffle(commits)
        tries = [writers[number % 2].submit(commit) for number, commit in enumerate(commits)]
        assert sum(map(outcome, tries)) == 1
        with storage._engine.begin() as connection:
            count = connection.scalar(select(func.count()).select_from(games).where(games.c.id.like(f"%{turn:011}")))
        found = ChallengeRepository(storage.engine).find(one.id)
        assert found is not None
        assert count == (found.state is ChallengeState.ACCEPTED)
    for writer in writers:
        writer.close()


def test_a_database_without_challenges_gets_their_table(tmp_path: Path) -> None:
    settings = ServerSettings(data=tmp_path)
    engine = create_engine(settings.url())
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0002")
        assert "challenges" not in inspect(connection).get_table_names()
    engine.dispose()
    opened = Storage.open(settings)
    opened.writer.submit(Commit("", challenge=challenge("first"))).result(PATIENCE)
    assert ChallengeRepository(opened.engine).find(challenge("first").id) == challenge("first")
    opened.close()


def test_old_challenges_are_forgotten_in_batches_but_not_those_of_games(storage: Storage) -> None:
    with storage._engine.begin() as connection:
        old = [challenge(f"o{number:03}", expires=NOW - 1) for number in range(FORGOTTEN_AT_ONCE + 3)]
        played = challenge("played", expires=NOW - 1, state=ChallengeState.ACCEPTED, by=BOB, game="g" * 12)
        connection.execute(challenges.insert(), [challenge_row(one) for one in (*old, played, challenge("new"))])
    left = []
    for _ in range(3):
        storage.writer.submit(Commit("", forgets=NOW)).result(PATIENCE)
        left.append(ChallengeRepository(storage.engine).count_old(NOW))
    assert left == [3, 0, 0]
    assert ChallengeRepository(storage.engine).find(played.id) is not None
    assert ChallengeRepository(storage.engine).find(challenge("new").id) is not None


def test_lists_judge_the_expiry(storage: Storage) -> None:
    for one in (
        challenge("open", way=Way.LOBBY),
        challenge("late", way=Way.LOBBY, expires=NOW),
        challenge("gone", way=Way.LOBBY, state=ChallengeState.WITHDRAWN),
        challenge("link"),
        challenge("bobs", way=Way.LOBBY, maker=BOB, expires=NOW + 1),
    ):
        storage.writer.submit(Commit("", challenge=one)).result(PATIENCE)
    shelf = ChallengeRepository(storage.engine)
    assert [one.id.rstrip("0") for one in shelf.listed(NOW, 10)] == ["open", "bobs"]
    assert [one.id.rstrip("0") for one in shelf.listed(NOW, 1)] == ["open"]
    assert {one.id.rstrip("0") for one in shelf.open_of(ANN, NOW, 10)} == {"open", "link"}
    assert shelf.count_open(ANN, NOW) == 2
