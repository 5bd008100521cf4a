"""Rated games on disk: counted in the transaction that ends them, once, in one order, whatever happens to others."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import wait
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import select

from korgool.accounts import RatedGame, Speed, Standing, Way, rate, recompute
from korgool.app.cli import main
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.rating_repository import RatingRepository
from korgool.app.server.storage.database import Storage, snapshot
from korgool.app.server.storage.rated_games import counted_game, read_standing, standing_row
from korgool.app.server.storage.rating_admin import check
from korgool.app.server.storage.schema import games, marks, rated_games, standings
from korgool.app.server.storage.writer import Commit
from korgool.glicko import Glicko
from korgool.live import journal
from korgool.rules import Side
from tests.patience import PATIENCE

from .rated import ANN, AT, BOB, EVE, open_account, random_games, rated, told
from .support import postgresql_database

MOVES = (journal.Moved(7), journal.Moved(7))
WHITE_RESIGNS = (*MOVES, journal.Resigned(Side.WHITE))


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    found = Storage.open(ServerSettings(data=tmp_path))
    yield found
    found.close()


def write(storage: Storage, *commits: Commit) -> None:
    """All at once, so that they share transactions."""
    for done in [storage.writer.submit(commit) for commit in commits]:
        done.result(PATIENCE)


def rows(storage: Storage, table: object) -> list[dict[str, object]]:
    with storage.engine.begin() as connection:
        return [dict(row) for row in connection.execute(select(table)).mappings()]  # type: ignore[call-overload]


def test_a_game_counts_when_it_ends(storage: Storage) -> None:
    end = told("g" * 12, rated(), WHITE_RESIGNS)
    assert end.after is not None
    write(storage, end)
    (row,) = rows(storage, rated_games)
    at = end.after.ended
    assert at is not None
    white, black = rate(Standing(), Standing(), RatedGame(1, at, "toguz", Speed.RAPID, (ANN, BOB), (0, 2)))
    assert [row[name] for name in ("seq", "game_id", "game", "speed", "at_ms", "plies", "white", "black")] == [
        *(1, "g" * 12, "toguz", "rapid", at, 2, ANN, BOB),
    ]
    assert (row["white_half_points"], row["black_half_points"]) == (0, 2)
    assert (row["white_before"], row["black_deviation_before"]) == (1500, 350)
    assert (row["white_after"], row["black_after"]) == (white.rating.rating, black.rating.rating)
    found = {str(one["account"]): one for one in rows(storage, standings)}
    assert found[ANN] == standing_row((ANN, "toguz", "rapid"), white)
    assert found[BOB] == standing_row((BOB, "toguz", "rapid"), black)
    assert [(one["account"], one["way"], one["at_ms"]) for one in rows(storage, marks)] == [
        (ANN, "played", at),
        (BOB, "played", at),
    ]


@pytest.mark.parametrize(
    ("events", "way"),
    [
        ((journal.Aborted(Side.WHITE),), {ANN: Way.ABORTED}),
        ((journal.Moved(7), journal.Resigned(Side.BLACK)), {BOB: Way.ABORTED}),
        ((journal.DrawOffered(Side.WHITE), journal.DrawAgreed(Side.BLACK)), {}),
    ],
    ids=["aborted", "resigned before both have moved", "agreed before both have moved"],
)
def test_what_does_not_count_is_remembered_all_the_same(
    storage: Storage, events: tuple[journal.Happening, ...], way: dict[str, Way]
) -> None:
    write(storage, told("g" * 12, rated(), events))
    assert rows(storage, rated_games) == rows(storage, standings) == []
    assert {one["account"]: one["way"] for one in rows(storage, marks)} == way


def test_random_games_count_in_one_order_without_gaps(storage: Storage) -> None:
    """Many in one transaction: the numbers are those of arrival, and what all games give at once is what stands."""
    commits = random_games(1, 60)
    write(storage, *commits)
    counted = [commit for commit in commits if commit.after is not None and counted_game(1, commit.after) is not None]
    found = rows(storage, rated_games)
    assert [(row["seq"], row["game_id"]) for row in found] == [
        (number, commit.game) for number, commit in enumerate(counted, 1)
    ]
    wanted = [
        counted_game(number, commit.after) for number, commit in enumerate(counted, 1) if commit.after is not None
    ]
    with storage.engine.begin() as connection:
        stored = {
            (row.account, row.game, Speed(row.speed)): read_standing(row)
            for row in connection.execute(select(standings))
        }
    assert stored == recompute(one for one in wanted if one is not None)


def test_the_trouble_of_one_game_is_nobody_elses(storage: Storage, caplog: pytest.LogCaptureFixture) -> None:
    """A standing that says it has counted a later game: this one ends uncounted, the others of the batch count."""
    odd = standing_row((ANN, "toguz", "rapid"), Standing(Glicko(1700, 80, 0.06), 9, AT, 99))
    with storage.engine.begin() as connection:
        connection.execute(standings.insert().values(odd))
    write(
        storage,
        told("a" * 12, rated(ANN, BOB), WHITE_RESIGNS),
        told("b" * 12, rated(BOB, EVE), WHITE_RESIGNS),
        told("c" * 12, rated(EVE, ANN), WHITE_RESIGNS),
        told("d" * 12, rated(EVE, BOB), WHITE_RESIGNS),
    )
    assert len([row for row in rows(storage, games) if row["termination"]]) == 4
    assert [(row["seq"], row["game_id"]) for row in rows(storage, rated_games)] == [(1, "b" * 12), (2, "d" * 12)]
    assert {row["game_id"] for row in rows(storage, marks)} == {"b" * 12, "d" * 12}
    assert "game aaaaaaaaaaaa could not be counted" in caplog.text


def test_a_fixed_rating_moves_others_and_not_itself(storage: Storage) -> None:
    fixed = standing_row((BOB, "toguz", "rapid"), Standing(Glicko(2000, 60, 0.06), fixed=True))
    with storage.engine.begin() as connection:
        connection.execute(standings.insert().values(fixed))
    write(storage, told("g" * 12, rated(), (*MOVES, journal.Resigned(Side.BLACK))))
    found = {one["account"]: one for one in rows(storage, standings)}
    assert found[BOB] == fixed
    assert float(str(found[ANN]["rating"])) > 1750


def test_who_may_play_rated_games(storage: Storage) -> None:
    ratings = RatingRepository(storage.engine)
    open_account(storage.engine, ANN)
    open_account(storage.engine, BOB, locked_ms=AT)
    open_account(storage.engine, EVE, deleted_ms=AT)
    assert ratings.refusal(ANN, AT) is None
    refused = {who: ratings.refusal(who, AT) for who in (BOB, EVE, "v" * 22)}
    assert {who: one and (one.refused.status, one.until) for who, one in refused.items()} == {
        BOB: (403, 0),
        EVE: (401, 0),
        "v" * 22: (403, 0),
    }
    aborted = [told(f"{one:012}", rated(), (journal.Aborted(Side.WHITE),), AT + one * 60_000) for one in range(5)]
    write(storage, *aborted)
    kept = ratings.refusal(ANN, AT + 300_000)
    assert kept is not None
    assert kept.refused.status == 403
    last = aborted[-1].after
    assert last is not None
    assert kept.until == (last.ended or 0) + 30 * 60_000
    assert ratings.refusal(ANN, kept.until) is None


def test_the_ratings_that_are_shown(storage: Storage) -> None:
    open_account(storage.engine, ANN, BOB)
    ratings = RatingRepository(storage.engine)
    before = ratings.shown([ANN, BOB, "v" * 22, ""], "toguz", Speed.RAPID, AT)
    assert {who: str(one) for who, one in before.items()} == {ANN: "1500? ± 350", BOB: "1500? ± 350"}
    assert ratings.changes("g" * 12) is None
    write(storage, told("g" * 12, rated(), WHITE_RESIGNS))
    after = ratings.shown([ANN, BOB], "toguz", Speed.RAPID, AT)
    changes = ratings.changes("g" * 12)
    assert changes is not None
    assert [(str(one.before), one.after) for one in changes] == [("1500? ± 350", after[who]) for who in (ANN, BOB)]
    assert changes[0].points == after[ANN].rating - 1500
    assert after[ANN].rating == 1338
    assert str(ratings.shown([ANN], "toguz", Speed.BLITZ, AT)[ANN]) == "1500? ± 350"


def test_processes_count_together_without_gaps() -> None:
    """Three servers of one PostgreSQL end games of the same people at the same time; the journals give the same."""
    with postgresql_database() as url:
        settings = ServerSettings(database=url)
        storages = [Storage.open(settings) for _ in range(3)]
        try:
            commits = random_games(5, 60, players=4)
            done = [storages[number % 3].writer.submit(commit) for number, commit in enumerate(commits)]
            wait(done)
            assert [one.exception() for one in done] == [None] * len(commits)
            found = rows(storages[0], rated_games)
            assert sorted(int(str(row["seq"])) for row in found) == list(range(1, len(found) + 1))
            assert len(found) > 20
            with snapshot(settings) as connection:
                assert check(connection).differences == []
        finally:
            for storage in storages:
                storage.close()
        for word in ("recompute", "check"):
            ran = CliRunner().invoke(main, ["ratings", word, "--database", url])
            assert (ran.exit_code, ran.output.split(", ")[-1]) == (0, "0 differences\n"), ran.output
