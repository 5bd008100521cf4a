"""Every page and every GET of the API costs the same however large the site has grown: no plan reads a table through.

All statements that the application really executes while its doors are tried are explained by the database, without
statistics and with them: a plan that rests on statistics alone is slow until they are made.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event, select

from korgool import live
from korgool.app.server import application
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.people.profiles import player_games
from korgool.app.server.people.profiles.player_games import GameFilter, PlayerGamesRepository
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage import schema
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.planner_statistics import LEAST_ROWS, renew_statistics
from korgool.app.server.storage.schema import games, seats
from korgool.competition.model import Settings
from korgool.rules import Side
from tests.patience import PATIENCE

from .desk_events import AtDesk, at_desk
from .doors import doors
from .grown import CLASS, Size, grow
from .inside import VISITOR, Kept, alone, people
from .members import Site, on_site
from .rated import random_games
from .support import postgresql_database

SIZE = Size(games=12_000, accounts=2_000)
"""More games of the hero than one answer looks through; `benchmarks/growth.py` asks a site ten times as large."""
MOST_STEPS = 100_000
"""Steps of SQLite's machine for one statement, some milliseconds; to read `seats` through takes ten times as many."""
FILES = {"/api/account/export", "/api/players/{name}/games"}
"""Files of everything that somebody has; they cost as much as they hold."""
BOUNDED = {
    "own": "seats of one person, limited",
    "listed": "a list of games, limited",
    "going": "its part of running games, limited",
    "counted": "players of a game at a speed, limited",
    "not_shown": "its part of games that are shown later, limited",
    "CONSTANT": "no table",
    "(subquery-1)": "an empty list of values",
}
"""What a plan may scan: the results of parts of a query that have a limit of their own."""
SMALL = {"owner": "one row", "processes": "a row for each process that serves the site"}
"""Tables that may be read through, and their bounds."""


class Asked:
    """The statements that an engine has executed, with parameters, the door that asked, and SQLite's steps."""

    def __init__(self, engine: Engine) -> None:
        self.door, self._last, self._engine, self._steps, self.all_steps = "", "", engine, 0, 0
        self.statements: dict[str, tuple[Any, str, int]] = {}
        self._counted: dict[int, Any] = {}
        event.listen(engine, "before_cursor_execute", self._before)
        event.listen(engine, "after_cursor_execute", self._after)

    def end(self) -> None:
        """What is executed from now on is not noted."""
        self._note_steps()
        event.remove(self._engine, "before_cursor_execute", self._before)
        event.remove(self._engine, "after_cursor_execute", self._after)

    def _before(self, connection: Any, *_: object) -> None:
        raw = connection.connection.driver_connection
        if isinstance(raw, sqlite3.Connection) and id(raw) not in self._counted:
            raw.set_progress_handler(self._tick, 100)
            self._counted[id(raw)] = raw  # kept, so that no other has its number
        self._note_steps()

    def _note_steps(self) -> None:
        """The steps since the last statement began are its own: it also works while its rows are read."""
        known = self.statements.get(self._last)
        if known is not None and known[2] < self._steps:
            self.statements[self._last] = (*known[:2], self._steps)
        self._steps, self._last = 0, ""

    def _tick(self) -> int:
        self._steps += 100
        self.all_steps += 100
        return 0

    def _after(self, _c: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, many: bool) -> None:
        if statement.split(maxsplit=1)[0].upper() in {"SELECT", "WITH", "UPDATE", "DELETE"} and not many:
            self.statements.setdefault(statement, (parameters, self.door, 0))
            self._last = statement


def places_of(desk: AtDesk) -> Mapping[str, str]:
    """What stands in the addresses of doors on a grown site."""
    return {
        "game_id": "100000000000",
        "challenge_id": "200000000000",
        "dialect": "pgn",
        "game": "toguz",
        "stop": "sow",
        "speed": "rapid",
        "key_id": "acc1000000000000000007",
        "name": "Heroine",
        "token": "t" * 43,
        "event_id": desk.competition.id,
        "class_id": CLASS,
        "study_id": "s" * 12,
        "helper_id": "h" * 12,
        "code": "c" * 8,
        "machine_id": "h" * 12,
        "application_id": "h" * 12,
        "order": "name",
        "path": "openapi.json",
        **dict.fromkeys(("player_id", "number", "board", "screen"), "1"),
    }


async def ask_everything(site: Site, desk: AtDesk) -> Asked:
    """Try every door that is only looked through, as the hero and as a guest."""
    places = places_of(desk)
    asked = Asked(site.app.state.game_registry.storage.engine)
    for browser in (desk.browser, await site.browser().visit()):
        for door in doors():
            if door.looks and not door.path.startswith(("/static", "/openapi")):
                asked.door = door.path
                answer = await browser.client.get(door.at(**places), headers={"accept": "text/html"})
                assert answer.status_code < 500, (door, answer.text)
        for asked.door in (  # a search, and a part further down
            "/games?result=drawn",
            "/games?opponent=Grown5",
            "/games?opponent=grow",
            "/api/account/games?after=1-100000000000",
        ):
            assert (await browser.client.get(asked.door)).status_code == 200
    asked.end()
    return asked


async def grown_site(site: Site) -> AtDesk:
    """A site with years of play, one of whose members has an event and a tenth of all games."""
    desk = await at_desk(site, "Heroine", Settings(name="Cup"), *(f"Player{number}" for number in range(8)))
    await desk.do({"do": "publish"}, {"do": "pair", "round": 1})
    hero = (await desk.browser.told("GET", "/api/account"))["id"]
    grow(site.app.state.game_registry.storage, hero, SIZE, desk.competition.id)
    return desk


def test_no_page_reads_a_table_through_with_sqlite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(application, "renew_statistics", lambda _: [])  # only when everything has been asked

    async def test(site: Site) -> None:
        asked = await ask_everything(site, await grown_site(site))
        assert len(asked.statements) > 60
        check_plans(tmp_path, asked)
        for statement, (_, door, steps) in asked.statements.items():
            assert door in FILES or steps <= MOST_STEPS, (steps, door, statement)
        assert {"games", "seats", "events"} <= set(renew_statistics(site.app.state.game_registry.storage.engine))
        check_plans(tmp_path, asked)

    on_site(tmp_path, test)


def check_plans(folder: Path, asked: Asked) -> None:
    """No plan scans anything that is not bounded."""
    with closing(sqlite3.connect(folder / "korgool.sqlite")) as database:
        for statement, (parameters, door, _) in asked.statements.items():
            plan = [row[3] for row in database.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
            scanned = [line.split()[1] for line in plan if line.startswith("SCAN")]
            assert set(scanned) <= BOUNDED.keys(), (door, statement, plan)


def test_no_page_reads_a_table_through_with_postgresql(tmp_path: Path) -> None:
    """The planner reads no table through where any index will do, as it decides by itself when tables are large."""

    async def test(site: Site) -> None:
        asked = await ask_everything(site, await grown_site(site))
        engine: Engine = site.app.state.game_registry.storage.engine
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("ANALYZE")
            connection.exec_driver_sql("SET enable_seqscan = off")
            for statement, (parameters, door, _) in asked.statements.items():
                (plan,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", parameters).scalar_one()
                for node in nodes(plan["Plan"]):
                    through = node["Node Type"] == "Seq Scan" and node["Relation Name"] not in SMALL
                    assert not through, (door, statement, node)

    with postgresql_database() as url:
        on_site(tmp_path, test, url)


def nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """A node of a plan and all below it."""
    yield plan
    for one in plan.get("Plans", ()):
        yield from nodes(one)


def test_what_repeats_other_columns_agrees_with_them(tmp_path: Path) -> None:
    check_repeated(ServerSettings(data=tmp_path))


def test_what_repeats_other_columns_agrees_with_them_in_postgresql() -> None:
    with postgresql_database() as url:
        check_repeated(ServerSettings(database=url))


def check_repeated(settings: ServerSettings) -> None:
    """Of games that go on, that end by a move of several or by themselves, and that are over when they are written."""
    storage = Storage.open(settings)
    for kind, terms in (("e", alone()), ("p", people()), ("o", people(same=True))):
        going, left = Kept(storage, f"{kind}going", terms), Kept(storage, f"{kind}left", terms)
        going.keep(going.move())
        left.keep(left.next(live.Join(Side.BLACK)) if kind == "p" else left.move())
        left.keep(left.next(live.ResignGame(Side.WHITE) if kind != "p" else live.AbortGame(Side.WHITE)))
    for commit in random_games(1, 5):
        storage.writer.submit(commit).result(PATIENCE)
    with storage.engine.connect() as connection:
        rows = connection.execute(select(games, seats).join(seats, seats.c.game_id == games.c.id)).mappings().all()
    people_of: dict[str, set[str]] = {}
    for row in rows:
        assert row[seats.c.started_ms] == row[games.c.started_ms]
        assert bool(row[seats.c.running]) is (row[games.c.termination] is None), row
        people_of.setdefault(row[games.c.id], set()).update({row[seats.c.who]} - {""})
    for row in rows:
        assert bool(row[games.c.people]) is (len(people_of[row[games.c.id]]) == 2), row
    assert len({(row[seats.c.running], row[games.c.people]) for row in rows}) == 4
    assert GameRepository(storage.engine).unfinished(VISITOR) == 3
    storage.close()


def test_a_search_goes_on_where_one_answer_has_looked_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts and files hold every game that fits exactly once, also where most of those looked through do not."""
    monkeypatch.setattr(player_games, "_LOOKED", (2, 3))
    storage = Storage.open(ServerSettings(data=tmp_path))
    for commit in random_games(3, 60, players=3):
        storage.writer.submit(commit).result(PATIENCE)
    who, shelf = "player01".ljust(22, "x"), PlayerGamesRepository(storage.engine)
    with storage.engine.connect() as connection:
        query = select(games).join(seats, seats.c.game_id == games.c.id)
        stored = connection.execute(query.where(seats.c.who == who).order_by(games.c.started_ms.desc())).all()
    for wanted, most in ((GameFilter(), 4), (GameFilter(result="drawn"), 1), (GameFilter(result="drawn"), 4)):
        found, after, empty = list[str](), None, 0
        while True:
            part, after = shelf.page(who, wanted, after, most)
            assert len(part) <= most
            found += [one.id for one in part]
            empty += not part
            if after is None:
                break
        drawn = [row.id for row in stored if str(row.result_text).startswith("0.5")]
        assert found == (drawn if wanted.result else [row.id for row in stored])
        assert 3 < len(drawn) < len(stored)
        assert bool(empty) is (wanted.result is not None), "some parts have none of those wanted"
    keys, last = list[str](), None
    while batch := shelf.keys(who, last, 2, now_ms(), public=True):
        keys += [address for _, address in batch]
        last = batch[-1]
    assert keys == [row.id for row in reversed(stored) if row.plies and row.termination != "aborted"]
    storage.close()


def test_statistics_are_made_of_tables_that_have_grown(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))

    def outages(first: int, last: int) -> None:
        rows = [{"began_ms": number, "ended_ms": number + 1} for number in range(first, last)]
        with storage.engine.begin() as connection:
            connection.execute(schema.outages.insert(), rows)

    assert renew_statistics(storage.engine) == []
    outages(0, LEAST_ROWS)
    assert renew_statistics(storage.engine) == ["outages"]
    assert renew_statistics(storage.engine) == []
    outages(LEAST_ROWS, 3 * LEAST_ROWS)
    assert renew_statistics(storage.engine) == ["outages"]
    with storage.engine.connect() as connection:
        stat = connection.exec_driver_sql("SELECT stat FROM sqlite_stat1 WHERE tbl = 'outages'").scalars().first()
    assert int(str(stat).split()[0]) >= 2 * LEAST_ROWS
    storage.close()
