"""What waits for people: from the database alone, for pages and programs, and told while somebody waits for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import event

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import Caller
from korgool.app.server.play.commands import Do, Said
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.waiting_games import WaitingGames, tag_of
from korgool.app.server.play.waiting_repository import WaitingRepository, Wanted
from korgool.live import GameTerms, Manner, Seat, SeatKind, read_clock
from korgool.rules import TOGUZ_KORGOOL
from tests.conftest import SEED
from tests.patience import PATIENCE, until

from .inside import within
from .members import Browser, Site, on_site
from .slow_games import ANN, BOB, people
from .support import postgresql_database
from .together import together

CAROL = "c" * 22


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    if request.param == "SQLite":
        yield None
    else:
        with postgresql_database() as name:
            yield name


def wanted(session: LiveSession, who: str) -> tuple[Wanted, ...]:
    """What the game in memory wants of one of its players."""
    game, side = session.game, session.game.terms.sides(who)[0]
    if not game.begun:
        return () if game.joined[side] else (Wanted.COME,)
    late = game.terms.manner is Manner.COMPETITION and not game.joined[side]
    found = [Wanted.COME] if late else []
    found += [Wanted.MOVE] if game.to_move is side else []
    found += [Wanted.DRAW] if game.game.offered is side.other else []
    return (*found, Wanted.TAKEBACK) if game.asks is side.other else tuple(found)


@pytest.mark.parametrize(("clock", "manner"), [("3d", "friendly"), ("10+5", "friendly"), ("10+5", "competition")])
def test_the_database_says_what_each_game_wants(tmp_path: Path, database: str | None, clock: str, manner: str) -> None:
    random = Random(f"{SEED} {clock} {manner}")
    seats = Seat(SeatKind.PERSON, ANN), Seat(SeatKind.PERSON, BOB)
    terms = GameTerms(TOGUZ_KORGOOL, seats, read_clock(clock), Manner(manner))
    deeds: list[Do] = ["move"] * 6
    deeds += ["offer-draw", "decline-draw", "ask-takeback", "accept-takeback", "decline-takeback"]

    async def test(game_registry: GameRegistry) -> None:
        repository, seen = WaitingRepository(game_registry.storage.engine), set()
        for _ in range(3):
            address = await game_registry.create(terms)
            for _ in range(40):
                session = await game_registry.find(address)
                game = session.game
                if game.over:
                    break
                for who in (ANN, BOB):
                    found = {one.id: one for one in repository.read(who, now_ms()).running}[address]
                    assert found.wants == wanted(session, who), [entry.kind for entry in session.history.entries]
                    assert (found.plies, found.opponent) == (game.plies, BOB if who == ANN else ANN)
                    seen |= set(found.wants)
                who, deed = random.choice((ANN, BOB)), random.choice(deeds)
                said = Said(deed)
                if deed == "move":
                    hole = random.choice(game.position.legal_moves())
                    said = Said("move", hole=hole, version=game.version, offer=random.random() < 0.2)
                with contextlib.suppress(ApiError):
                    await session.act(who, said)
        assert seen >= {Wanted.MOVE, Wanted.DRAW} | ({Wanted.TAKEBACK} if manner == "friendly" else set())

    within(tmp_path, test, database)


def test_what_waits_comes_by_the_time_that_is_left(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        made = [await game_registry.create(people(clock=clock)) for clock in ("7d", "1d", "none", "3d")]
        engine = await game_registry.create(people(ANN, "", "none"))
        alone = await game_registry.create(people(ANN, ANN, "none"))
        theirs = await game_registry.create(people(BOB, ANN))
        await game_registry.create(people(BOB, CAROL))
        found = WaitingRepository(game_registry.storage.engine).read(ANN, now_ms())
        assert [game.id for game in found.games] == [made[1], made[3], made[0], made[2]]
        assert {game.id for game in found.running[4:]} == {engine, alone, theirs}
        assert found.count == 4
        kinds = {game.id: (game.side, game.opponent, game.strength, game.wants, game.slow) for game in found.running}
        assert kinds[engine] == ("white", "", 1, (Wanted.MOVE,), False)
        assert kinds[alone] == ("both", "", 0, (Wanted.MOVE,), False)
        assert kinds[theirs] == ("black", BOB, 0, (), True)
        assert WaitingRepository(game_registry.storage.engine).read(CAROL, now_ms()).count == 0

    within(tmp_path, test)


def test_a_page_pays_little_for_it(tmp_path: Path) -> None:
    """Two short statements, a third for who has games, all by indexes; and none for strangers."""
    statements: list[str] = []

    async def test(site: Site) -> None:
        engine = site.app.state.game_registry.storage.engine
        event.listen(engine, "before_cursor_execute", lambda *told: statements.append(told[2]))

        def asked() -> list[str]:
            return [text for text in statements if "FROM seats AS own" in text or "challenges.addressee = " in text]

        stranger = site.browser()
        await stranger.client.get("/rules/toguz")
        await stranger.client.get("/offline")
        assert not asked()
        await stranger.client.get("/rules/toguz")  # has a cookie by now
        assert len(asked()) == 2
        await site.app.state.game_registry.create(people())
        site.app.state.waiting_games.repository.read(ANN, now_ms())
        plans = []
        with engine.begin() as connection:
            for text in [*asked()[:2], next(one for one in statements if "events AS event" in one)]:
                plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", ("x",) * text.count("?"))
                plans += [row[3] for row in plan]
        assert not [line for line in plans if line.startswith("SCAN")], plans

    on_site(tmp_path, test)


async def challenged(site: Site, *names: str) -> list[Browser]:
    """People with accounts."""
    found = []
    for name in names:
        found.append(await site.browser().visit())
        await found[-1].sign_up(name)
    return found


TERMS: dict[str, Any] = {"game": "toguz", "clock": "3d", "side": "black"}


def test_programs_and_pages_hear_of_it(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await challenged(site, "Ann", "Bob")
        nothing = await bob.told("GET", "/api/waiting")
        assert (nothing["count"], nothing["games"], nothing["challenges"]) == (0, [], [])
        waits = asyncio.create_task(bob.told("GET", f"/api/waiting?wait=20&known={nothing['tag']}"))
        await asyncio.sleep(0)
        made = await ann.told("POST", "/api/challenges", TERMS | {"to": "bob"})
        async with asyncio.timeout(PATIENCE):
            told = await waits
        assert told["count"] == 1
        assert told["challenges"] == [
            {
                "id": made["id"],
                "url": f"http://127.0.0.1:8000/c/{made['id']}",
                "game": "toguz",
                "clock": "3d",
                "name": "Ann",
                "expires": made["expires"],
            }
        ]
        assert (await ann.told("GET", "/api/waiting"))["count"] == 0
        waits = asyncio.create_task(bob.told("GET", f"/api/waiting?wait=20&known={told['tag']}"))
        game = (await bob.told("POST", f"/api/challenges/{made['id']}/accept"))["game"]
        async with asyncio.timeout(PATIENCE):
            told = await waits
        while told["challenges"] or not told["games"]:  # each of the two may be told by itself
            told = await bob.told("GET", f"/api/waiting?wait=5&known={told['tag']}")
        (one,) = told["games"]
        assert (one["id"], one["opponent"], one["wants"], one["side"]) == (game, "Ann", ["move"], "white")
        assert one["due"] > now_ms()
        next_one = await bob.client.get("/games/next")
        assert (next_one.status_code, next_one.headers["location"]) == (303, f"/games/{game}")
        none = await bob.client.get(f"/games/next?after={game}")
        assert none.headers["location"] == "/games"
        state = await bob.told("GET", f"/api/games/{game}")
        await bob.told("POST", f"/api/games/{game}/move", {"hole": 1, "version": state["version"]})
        assert (await bob.told("GET", "/api/waiting"))["count"] == 0
        assert (await ann.told("GET", "/api/waiting"))["count"] == 1

    on_site(tmp_path, test)


def test_a_blocked_person_does_not_wait(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await challenged(site, "Ann", "Bob")
        await ann.told("POST", "/api/challenges", TERMS | {"to": "bob"})
        assert (await bob.told("GET", "/api/waiting"))["count"] == 1
        await bob.told("POST", "/api/account/blocks", {"name": "Ann"})
        assert (await bob.told("GET", "/api/waiting"))["count"] == 0

    on_site(tmp_path, test)


@pytest.mark.parametrize("bus", [None, "off"])
def test_who_waits_at_one_process_hears_of_another(monkeypatch: pytest.MonkeyPatch, bus: str | None) -> None:
    """By the bus at once, and without one by looking again."""
    seconds = 600.0 if bus is None else 0.2
    monkeypatch.setattr("korgool.app.server.play.waiting_games.LOOK_AGAIN", seconds)

    async def test(one: GameRegistry, two: GameRegistry) -> None:
        here = WaitingGames(two)
        session = await one.find(await one.create(people()))
        for hole, to in ((7, BOB), (1, ANN), (2, BOB)):
            known = tag_of(await here.of(to))
            waits = asyncio.create_task(here.change(to, known, Caller("", to), 600))
            await until(lambda to=to: to in two.personal_news._waiting)  # type: ignore[misc]
            await asyncio.sleep(0.1)
            said = Said("move", hole=hole, version=session.game.version)
            await session.act(ANN if to == BOB else BOB, said)
            async with asyncio.timeout(PATIENCE):
                found = await waits
            assert [game.id for game in found.games] == [session.address]
        assert (await here.of(ANN)).count == 0

    with postgresql_database() as url:
        together(url, test, bus)
