"""Puzzles solved with an account: judged by the rules, counted once, and attacked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from korgool.app.server.limits import ServiceLimits
from korgool.app.server.limits.token_bucket import Rate
from korgool.app.server.school.puzzles.repository import JudgedAnswer, PuzzleRepository
from korgool.app.server.school.puzzles.service import RUN_LENGTH, account_mark
from korgool.app.server.school.puzzles.tasks import of_the_day, today
from korgool.glicko import Glicko, updated
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_answer import FIRST_DEVIATION, FIRST_RATING, steps_of
from korgool.training.puzzle_set import PuzzleSet, shipped_set

from .members import Browser, Site, on_site
from .support import Json, postgresql_database

ANSWERS, RUNS = "/api/puzzles/answers", "/api/puzzles/runs"


def puzzles(game: str = "toguz") -> PuzzleSet:
    found = shipped_set(game)
    assert found is not None
    return found


def right(puzzle: Puzzle) -> list[list[int]]:
    return [[accepted[0]] for accepted in steps_of(puzzle)]


def wrong(puzzle: Puzzle) -> list[list[int]]:
    return [[next(hole for hole in puzzle.start.legal_moves() if hole not in steps_of(puzzle)[0])]]


def answer(puzzle: Puzzle, tries: list[list[int]], **more: object) -> Json:
    return {"puzzle": puzzle.id, "tries": tries, **more}


async def send(browser: Browser, *answers: Json) -> list[Any]:
    told: list[Any] = (await browser.told("POST", ANSWERS, {"answers": answers}))["answers"]
    return told


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        yield None
        return
    with postgresql_database() as url:
        yield url


def test_answers_count_once_and_both_ratings_move(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        ann, bob = site.browser(), site.browser()
        await ann.sign_up("Annasolver")
        await bob.sign_up("Bobsolver")
        first, second, third = puzzles()[900], puzzles()[901], puzzles()[902]
        before = await ann.told("GET", "/api/puzzles/toguz")
        assert (before["rating"], before["answers"], before["course"]) == (FIRST_RATING, 0, [])
        told = await send(ann, answer(first, right(first), rated=True), answer(second, wrong(second), rated=True))
        own = Glicko(FIRST_RATING)
        expected = [own := updated(own, [(Glicko(float(one.rating), FIRST_DEVIATION), points)])
                    for one, points in ((first, 1.0), (second, 0.0))]  # fmt: skip
        assert [one["after"] for one in told] == [round(one.rating) for one in expected]
        assert told[0]["before"] == FIRST_RATING
        assert told[1]["before"] == told[0]["after"]
        assert [one["new"] for one in told] == [True, True]
        # Again, and better: the first answer stays.
        told = await send(ann, answer(first, right(first), rated=True), answer(second, right(second), rated=True))
        assert [(one["new"], one["marks"][0]) for one in told] == [(False, "f"), (False, "s")]
        # Not rated, and so not to be gained afterwards.
        (told,) = await send(ann, answer(third, right(third)))
        assert (told["new"], told["after"]) == (True, None)
        (told,) = await send(ann, answer(third, right(third), rated=True))
        assert (told["new"], told["after"]) == (False, None)
        now = await ann.told("GET", "/api/puzzles/toguz")
        assert (now["answers"], now["course"]) == (2, [round(one.rating) for one in expected])
        assert (await ann.told("GET", "/api/puzzles/mangala"))["answers"] == 0
        # The puzzle has moved for the next one.
        (told,) = await send(bob, answer(first, right(first), rated=True))
        repository = PuzzleRepository(site.keeper.transactions)
        assert repository.puzzle_ratings("toguz")[first.id].rating < first.rating
        assert repository.puzzle_ratings("toguz").keys() == {first.id, second.id}
        assert told["after"] < expected[0].rating

    on_site(tmp_path, test, database)


def test_two_tabs_at_once_count_one_answer(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        ann = site.browser()
        account = (await ann.sign_up("Annasolver"))["id"]
        some = puzzles("mangala")[300:310]
        both = [answer(one, right(one), rated=True) for one in some]
        tabs = await asyncio.gather(*(send(ann, *order) for order in (both, both[::-1]) for _ in range(3)))
        assert sum(one["new"] for tab in tabs for one in tab) == len(some)
        found = await ann.told("GET", "/api/puzzles/mangala")
        assert found["answers"] == len(found["course"]) == len(some)
        # Two processes at once: the second waits for the first, and finds its rows.
        repository = PuzzleRepository(site.keeper.transactions)
        extra = [JudgedAnswer(one.id, one.game, "f", one.rating, True) for one in puzzles("mangala")[310:320]]
        kept = await asyncio.gather(*(asyncio.to_thread(repository.keep, account, extra, 1) for _ in range(4)))
        assert sum(one.new for part in kept for one in part) == len(extra)
        assert repository.rating(account, "mangala").answers == len(some) + len(extra)

    on_site(tmp_path, test, database)


def test_days_runs_export_and_deletion(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        ann = site.browser()
        account = (await ann.sign_up("Annasolver"))["id"]
        now = today()
        days = [now - timedelta(days=back) for back in (-1, 0, 6, 7, 8)]
        of_days = [of_the_day("castle", day) for day in days]
        assert all(of_days)
        told = await send(ann, *(answer(one, right(one), day=day.isoformat())
                                 for one, day in zip(of_days, days, strict=True) if one))  # fmt: skip
        assert [one is not None for one in told] == [False, True, True, True, False]
        other = next(one for one in puzzles("castle") if one not in of_days)
        assert await send(ann, answer(other, right(other), day=now.isoformat())) == [None]
        repository = PuzzleRepository(site.keeper.transactions)
        assert set(repository.days(account)) == {f"{day} castle" for day in days[1:4]}
        # A run ends with the third mistake, and a puzzle counts once in it.
        some = puzzles()[100:110]
        run = [answer(one, right(one)) for one in some[:4]] * 2
        run += [answer(one, wrong(one)) for one in some[4:7]] + [answer(one, right(one)) for one in some[7:]]
        assert await ann.told("POST", RUNS, {"game": "toguz", "answers": run}) == {"solved": 4, "best": 4}
        worse = {"game": "toguz", "answers": run[:1]}
        assert await ann.told("POST", RUNS, worse) == {"solved": 1, "best": 4}
        assert await ann.told("POST", RUNS, {"game": "mangala", "answers": run}) == {"solved": 0, "best": 0}
        # No run has more puzzles than a page gives, whatever is sent.
        forged = {"game": "bestemshe", "answers": [answer(one, right(one)) for one in puzzles("bestemshe")[:200]]}
        assert await ann.told("POST", RUNS, forged) == {"solved": RUN_LENGTH, "best": RUN_LENGTH}
        assert (await ann.told("GET", "/api/puzzles/toguz"))["best_run"] == 4
        stored = (await ann.told("GET", "/api/account/export"))["tables"]
        assert len(stored["puzzle_days"]) == 3
        assert len(stored["puzzle_answers"]) == 3
        assert {row["best_run"] for row in stored["puzzle_standings"]} == {4, RUN_LENGTH}
        await ann.told("DELETE", "/api/account")
        assert repository.days(account) == {}
        assert repository.answered(account, "castle") == frozenset()
        assert repository.rating(account, "toguz").best_run == 0

    on_site(tmp_path, test, database)


def test_strange_answers_are_refused_and_strangers_too(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, visitor = site.browser(), await site.browser().visit()
        await ann.sign_up("Annasolver")
        puzzle = puzzles()[0]
        good = answer(puzzle, right(puzzle))
        nothing = ("", "toguz", "toguz-000000000000", "chess-30a6be475122", "../../x-1", "\0", "toguz-" + "f" * 30)
        assert await send(ann, *({**good, "puzzle": one} for one in nothing)) == [None] * len(nothing)
        assert await send(ann, {**good, "tries": [*right(puzzle), [1]]} if len(right(puzzle)) < 5 else good)
        for body in (
            *({"answers": [{**good, **more}]} for more in (
                {"puzzle": "x" * 41}, {"puzzle": 7}, {"tries": [[0]]}, {"tries": [[10]]}, {"tries": [["1"]]},
                {"tries": [[1] * 31]}, {"tries": [[1]] * 6}, {"tries": 1}, {"rated": "yes"}, {"day": "yesterday"},
                {"day": "2026-13-01"}, {"marks": "f"},
            )),
            {"answers": []}, {"answers": [good] * 51}, {}, [], {"answers": None},
        ):  # fmt: skip
            assert (await ann.ask("POST", ANSWERS, body)).status_code == 400, body
        assert (await ann.ask("POST", RUNS, {"game": "chess", "answers": []})).status_code == 404
        assert (await ann.ask("POST", RUNS, {"game": "toguz", "answers": [good] * 201})).status_code == 400
        huge = {"answers": [{**good, "puzzle": "x" * 100_000}]}
        assert (await ann.ask("POST", ANSWERS, huge)).status_code == 413
        assert (await ann.ask("GET", "/api/puzzles/chess")).status_code == 404
        for path, body in ((ANSWERS, {"answers": [good]}), (RUNS, {"game": "toguz", "answers": []})):
            assert (await visitor.ask("POST", path, body)).status_code == 403
            assert (await site.browser().ask("POST", path, body)).status_code in {401, 403}
            foreign = await ann.ask("POST", path, body, origin="http://evil.example")
            assert foreign.status_code == 403
        assert (await visitor.told("GET", "/api/puzzles/toguz"))["answers"] == 0

    on_site(tmp_path, test)


def test_too_many_answers_wait(tmp_path: Path) -> None:
    limits = ServiceLimits(session_puzzles=Rate(1, "min", 60))

    async def test(site: Site) -> None:
        ann = site.browser()
        await ann.sign_up("Annasolver")
        some = [answer(one, right(one), rated=True) for one in puzzles()[:50]]
        await send(ann, *some)
        refused = await ann.ask("POST", ANSWERS, {"answers": some})
        assert refused.status_code == 429
        assert int(refused.headers["retry-after"]) > 1
        assert (await ann.told("GET", "/api/puzzles/toguz"))["answers"] == 50

    on_site(tmp_path, test, limits=limits)


def test_a_page_of_another_account_has_nothing_counted(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = site.browser(), site.browser()
        first = (await ann.sign_up("Annasolver"))["id"]
        own = (await bob.sign_up("Bobsolver"))["id"]
        body: Json = {"answers": [answer(puzzles()[0], right(puzzles()[0]), rated=True)]}
        late = await bob.ask("POST", ANSWERS, body | {"mark": account_mark(first)})
        assert late.status_code == 409
        assert (await bob.told("GET", "/api/puzzles/toguz"))["answers"] == 0
        await bob.told("POST", ANSWERS, body | {"mark": account_mark(own)})
        assert (await bob.told("GET", "/api/puzzles/toguz"))["answers"] == 1

    on_site(tmp_path, test)


def test_a_stranger_asks_for_few_runs_in_a_row(tmp_path: Path) -> None:
    limits = ServiceLimits(address_boards=Rate(1, "min", 20))

    async def test(site: Site) -> None:
        stranger = site.browser(accept="text/html")
        found = [(await stranger.client.get("/puzzles/bestemshe/run")).status_code for _ in range(3)]
        assert found == [200, 200, 429]
        assert (await stranger.client.get("/puzzles/bestemshe")).status_code == 200

    on_site(tmp_path, test, limits=limits)


def test_the_pages_know_who_solves(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, visitor = site.browser(accept="text/html"), site.browser(accept="text/html")
        api = site.browser()
        await api.sign_up("Annasolver")
        ann.client.cookies = api.client.cookies
        nearest = [one for one in puzzles("bestemshe") if abs(one.rating - FIRST_RATING) < 150][:40]
        await send(api, *(answer(one, right(one), rated=True) for one in nearest))
        own = await api.told("GET", "/api/puzzles/bestemshe")
        listed = (await ann.client.get("/puzzles?game=bestemshe")).text
        assert f"Your rating {own['rating']}" in listed
        assert '"account":""' not in listed
        assert '"account":""' in (await visitor.client.get("/puzzles?game=bestemshe")).text
        rated = (await ann.client.get("/puzzles/bestemshe/rated?near=100")).text
        assert not any(one.id in rated for one in nearest)
        for path in ("/puzzle", "/puzzles", "/puzzles/toguz", "/puzzles/castle/rated?near=-5", "/puzzles/toguz/run"):
            for one in (ann, visitor):
                assert (await one.client.get(path)).status_code == 200, path
        for path in ("/puzzles/chess", "/puzzles/chess/rated", "/puzzles/chess/run", "/puzzle?game=..%2f"):
            assert (await visitor.client.get(path)).status_code == 404, path

    on_site(tmp_path, test)
