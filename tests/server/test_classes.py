"""Classes: children join by a code, do tasks, and nobody but their trainer sees it."""

from __future__ import annotations

import csv
import io
import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import OFF, ServiceLimits
from korgool.app.server.limits.token_bucket import Rate
from korgool.app.server.school.classes.model import DAY_MS, task_puzzles
from korgool.app.server.school.classes.questions import ScreenQuestions
from korgool.app.server.school.classes.repository import KEPT_DAYS, ClassRepository
from korgool.app.server.school.classes.service import ClassAction
from korgool.app.server.storage.class_tables import class_members, class_results, class_tasks, classes
from korgool.app.server.storage.schema import games, metadata, seats
from korgool.competition.entry_lists.xlsx_workbook import workbook_rows
from tests.printing.reading import pages

from .classrooms import form, make_room
from .members import Browser, Site, on_site
from .support import postgresql_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """An SQLite file of its own, or a database of PostgreSQL."""
    if request.param == "sqlite":
        yield None
    else:
        with postgresql_database() as url:
            yield url


def repository_of(site: Site) -> ClassRepository:
    return ClassRepository(site.keeper.transactions)


def rows(site: Site, table: Any) -> list[Any]:
    with site.keeper.transactions.reading() as connection:
        return list(connection.execute(select(table)).all())


def test_children_join_and_do_their_tasks(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        assert len((await room.code()).replace(" ", "")) == 8
        for task in ("stop:sow", "drill:landing", "puzzles:", "game:1"):
            assert (await room.act("add-task", task=task)).status_code == 303
        child = await room.child("Айбек")
        assert await room.told(child) == ["", "", "", ""]
        stars = {"id": "a", "task": 1, "value": 2}
        for _ in range(2):  # sent twice, it counts once
            assert (await room.report(child, 1, stars, {"id": "b", "task": 2, "value": 17})).status_code == 200
        assert len(rows(site, class_results)) == 2
        await room.report(child, 1, {"id": "c", "task": 1, "value": 1}, {"id": "d", "task": 2, "value": 21})
        assert (await room.told(child))[:2] == ["2 of 3 stars", "21 right"]
        # What cannot be is left out: stars that there are not, a task of no class, a value for a game.
        strange = [{"task": 1, "value": 4}, {"task": 9, "value": 1}, {"task": 4, "value": 2}, {"task": 3, "value": 9}]
        await room.report(child, 1, *({"id": f"x{n}", **one} for n, one in enumerate(strange)))
        assert len(rows(site, class_results)) == 4
        page = (await room.trainer.client.get(f"/classes/{room.id}")).text
        assert "Айбек" in page
        assert page.count("1 of 1 done") == 2

    on_site(tmp_path, test, database)


def test_puzzles_are_judged_by_their_moves_and_the_first_answer_counts(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        await room.act("add-task", task="puzzles:capture")
        one, two = await room.child("Ann"), await room.child("Bek")
        repository = repository_of(site)
        of = repository.find(room.id)
        assert of is not None
        (task,) = repository.sheet(of).tasks
        assert len(task.puzzles) == 10
        pages = [(await child.client.get(f"/class/{room.id}/puzzles/1")).text for child in (one, two)]
        for part, puzzle in task_puzzles("toguz", task):
            assert all(f'"{puzzle.id}"' in page for page in pages)  # the same for both
            boards = [puzzle.start, *(sowing.after for sowing in puzzle.sowings())]
            right = [
                [moves[0]] for board, moves in zip(boards, puzzle.moves, strict=False) if board.to_move is puzzle.solver
            ]
            wrong = next(hole for hole in puzzle.start.legal_moves() if hole not in puzzle.moves[0])
            first = [[wrong, *right[0]], *right[1:]] if part == 1 else right
            await room.report(one, 1, {"id": f"p{part}", "task": 1, "part": part, "tries": first})
            await room.report(one, 1, {"id": f"q{part}", "task": 1, "part": part, "tries": right})
        await room.report(two, 2, {"id": "p1", "task": 1, "part": 1, "tries": []})
        assert await room.told(one) == ["9 of 10 right"]
        assert await room.told(two) == ["0 right, 9 left"]
        assert (await one.client.get(f"/class/{room.id}/puzzles/1")).status_code == 303
        assert (await two.client.get(f"/class/{room.id}/puzzles/2")).status_code == 404

    on_site(tmp_path, test)


def test_a_game_counts_by_its_own_journal(tmp_path: Path, database: str | None) -> None:
    """Against the level that is asked for, begun after the task, from the usual start; the page reports nothing."""

    async def test(site: Site) -> None:
        room = await make_room(site)
        child = await room.child("Ann")

        async def play(**more: object) -> str:
            asked = {"game": "toguz", "side": "white", "level": "1", "clock": "none", **more}
            path = (await form(child, "/games", **asked)).headers["location"]
            await child.ask("POST", f"{path}/resign", {})
            return str(path.rpartition("/")[2])

        await play()
        await room.act("add-task", task="game:1")
        assert await room.told(child) == [""]
        for more in ({"level": "2"}, {"game": "mangala"}, {"handicap": "engine 3"}):
            await play(**more)
        assert await room.told(child) == [""]
        won = await play()
        assert await room.told(child) == ["a loss"]
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(games).where(games.c.id == won).values(result_text="1 (82) - 0 (60)"))
        assert await room.told(child) == ["a win"]
        with site.keeper.transactions.writing() as connection:
            side = update(seats).where(seats.c.game_id == won)
            connection.execute(side.values(side=seats.c.side + 2))
            connection.execute(side.values(side=3 - seats.c.side))
        assert await room.told(child) == ["a loss"]

    on_site(tmp_path, test, database)


def test_nicknames_are_checked_and_taken_once(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        await room.child("Айбек")
        code = await room.code()

        async def tried(name: str, digits: str = code) -> tuple[int, str]:
            answer = await form(await site.browser().visit(), "/class", digits=digits, name=name)
            return answer.status_code, answer.text

        for same in ("Айбек", "айбек", "Ай бек", "Aйбек"):
            status, text = await tried(same)
            assert status in (409, 422), same
        assert "Add a letter or a digit." in (await tried("АЙБЕК"))[1]
        for bad in ("", "x", "<script>alert(1)</script>", "a\0b", "admin", "1st", "x" * 21, "y" * 5000, "A\u202eb"):
            status, text = await tried(bad)
            assert status == 422, bad
            assert "<script>alert" not in text
        for good in ("Айбек К.", "Aybek 2", "Ұлбосын Ә.", "Çağrı-Işıl", "Müñkür"):
            assert (await tried(good))[0] == 303, good
        for number in ("1", "7"):
            answer = await room.act("rename", number=number, name="Айбек Касымов")
            assert answer.status_code == (303 if number == "1" else 409) or number == "7"
        assert "Айбек Касымов" in (await room.trainer.client.get(f"/classes/{room.id}")).text

    on_site(tmp_path, test)


def test_wrong_codes_are_counted_by_address(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        good = await room.code()
        browser = await site.browser().visit()
        for number in range(site.app.state.game_registry.rate_limiter.limits.address_guesses or 0):
            answer = await form(browser, "/class", digits=f"{number:08d}", name="Ann")
            assert answer.status_code == 404
            assert "This code is wrong" in answer.text
        other = await site.browser().visit()
        answer = await form(other, "/class", digits=good, name="Ann")
        assert answer.status_code == 429
        assert int(answer.headers["retry-after"]) > 60

    on_site(tmp_path, test, limits=type(OFF)(session_changes=None, address_changes=None, address_guesses=5))


def test_a_code_ends(tmp_path: Path) -> None:
    """By the trainer, by a new one, by itself after a day, and with the class."""

    async def test(site: Site) -> None:
        room = await make_room(site)
        old = await room.code()

        async def opens(code: str) -> bool:
            answer = await form(await site.browser().visit(), "/class", digits=code, name=f"Kid{next(numbers)}")
            return answer.status_code == 303

        numbers = itertools.count(1)
        assert await opens(old)
        await room.act("open-joining")
        new = await room.code()
        assert [await opens(old), await opens(new)] == [False, True]
        await room.act("close-joining")
        assert [await room.code(), await opens(new), await opens("")] == ["", False, False]
        await room.act("open-joining")
        last = await room.code()
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(classes).values(code_until_ms=now_ms()))
        assert not await opens(last)
        child = (await room.act("open-joining"), await room.child("Ann"))[1]
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(classes).values(ends_ms=now_ms() - 1))
        assert not await opens(last)
        assert (await room.report(child, 3, {"id": "a", "task": 1})).status_code == 409

    on_site(tmp_path, test)


def test_only_the_trainer_acts_and_only_children_of_the_class_see_their_own_part(tmp_path: Path) -> None:
    """Every action by every role; whoever may not changes nothing, whatever they send."""

    async def test(site: Site) -> None:
        room, other = await make_room(site), await make_room(site, "Otherone")
        await room.act("add-task", task="stop:sow")
        child, foreign = await room.child("Ann"), await other.child("Bek")
        operator = site.browser()
        await operator.sign_up("Karoolchu")
        with site.keeper.transactions.writing() as connection:
            connection.exec_driver_sql("UPDATE accounts SET kind = 'operator' WHERE name = 'Karoolchu'")
        site.keeper.ended()
        strangers: dict[str, Browser] = {
            "nobody": site.browser(),
            "guest": await site.browser().visit(),
            "child of another class": foreign,
            "child of this class": child,
            "trainer of another": other.trainer,
            "operator": operator,
        }

        def everything() -> list[Any]:
            return [rows(site, table) for table in metadata.sorted_tables if table.name.startswith("class")]

        before = everything()
        data: dict[str, Any] = {"name": "Hacked", "ends": "", "task": "stop:single", "number": 1, "drill": "home"}
        for do, (kind, browser) in itertools.product([*ClassAction, "nonsense"], strangers.items()):
            answer = await room.act(do, browser, **data)
            assert answer.status_code in (303, 307, 403, 404), (do, kind)
            assert answer.headers.get("location", "").startswith(("/sign-in", "/wish")) or answer.is_error, (do, kind)
        assert everything() == before
        for kind, browser in strangers.items():
            own = [f"/classes/{room.id}{end}" for end in ("", "/results", "/file?what=csv", "/certificates")]
            for path in (*own, f"/class/{room.id}/screen", f"/class/{room.id}", f"/class/{room.id}/puzzles/1"):
                answer = await browser.client.get(path, headers={"accept": "text/html"})
                allowed = kind == "child of this class" and path == f"/class/{room.id}"
                assert answer.is_success == allowed, (kind, path, answer.status_code)
                assert allowed or "Ann" not in answer.text
            reported = await room.report(browser, 1, {"id": kind.replace(" ", "-"), "task": 1, "value": 3})
            assert reported.is_success == (kind == "child of this class"), kind
        assert (await room.report(child, 2, {"id": "y", "task": 1, "value": 3})).status_code == 409
        for do in ClassAction:
            assert (await room.act(do, **data)).status_code in (303, 409), do
        assert (await room.trainer.client.get(f"/classes/{room.id}")).status_code == 404

    on_site(tmp_path, test)


def test_a_class_answers_together(tmp_path: Path, database: str | None) -> None:
    """The screen counts the answers, and shows them when the trainer says so; each phone answers once."""

    async def test(site: Site) -> None:
        room = await make_room(site)
        ann, bek = await room.child("Ann"), await room.child("Bek")
        screen = f"/class/{room.id}/screen"

        async def offered(child: Browser) -> list[str]:
            page = (await child.client.get(f"/class/{room.id}")).text
            return re.findall(r'name="answer" value="([^"]+)"', page)

        async def answer(child: Browser, text: str, number: int = 1) -> None:
            assert (await form(child, f"/class/{room.id}/answer", question=number, answer=text)).status_code == 303

        async def shown(path: str = f"{screen}/part") -> str:
            return (await room.trainer.client.get(path)).text

        for drill in ("landing", "parity", "reach", "home"):
            await room.act("ask", drill=drill)
            asked = ScreenQuestions.read("toguz", rows(site, classes)[0].drill)
            assert asked is not None
            assert 2 <= len(asked.offered) <= 4
            assert len({*asked.offered} & {*asked.question.right}) == 1
            assert tuple(await offered(ann)) == asked.offered
            wrong = next(one for one in asked.offered if one not in asked.question.right)
            await answer(ann, asked.question.right[0])
            await answer(ann, wrong)  # the second one is none
            await answer(bek, wrong)
            await answer(bek, "white 77")
            await answer(bek, wrong, 2)
            page = await shown()
            assert "Answered: 2 of 2" in page
            assert "<strong>" not in page
            assert "Ann" not in page
            await room.act("show-answer", number=1)
            assert (await shown()).count("<strong>1</strong>") == 2
            assert "Right!" in (await ann.client.get(f"/class/{room.id}")).text
            assert "No: " in (await bek.client.get(f"/class/{room.id}")).text
            await answer(bek, asked.question.right[0])  # too late
            await room.act("show-results")
            assert "<span>Ann</span> <strong>1</strong>" in await shown()
            await room.act("hide-results")
            for _ in range(2):  # a second tap skips no question
                await room.act("next-question", number=1)
            assert "Answered: 0 of 2" in await shown()
        for number in range(2, 22):
            await room.act("next-question", number=number)
        assert rows(site, classes)[0].drill is None
        known = re.findall(r'data-tag="(\w+)"', await shown())[0]
        assert (await room.trainer.client.get(f"{screen}/part?known={known}")).status_code == 204
        assert (await room.act("ask", drill="chess")).status_code == 422
        for child in (ann, site.browser()):
            assert (await child.client.get(screen, headers={"accept": "text/html"})).status_code in (303, 403)

    on_site(tmp_path, test, database)


def test_results_on_one_sheet_and_certificates(tmp_path: Path) -> None:
    """As a page, as files for spreadsheets, and on paper, for all and for one."""

    async def test(site: Site) -> None:
        room = await make_room(site, name="Class 4b", language="ky")
        look = room.trainer.client.get
        assert "nothing to print" in (await look(f"/classes/{room.id}/results")).text
        assert (await look(f"/classes/{room.id}/certificates")).status_code == 422
        for task in ("stop:sow", "drill:parity"):
            await room.act("add-task", task=task)
        children = [await room.child(name) for name in ("Айбек", "Бегимай", "Чынара")]
        await room.act("rename", number=1, name="Айбек Үсөнов")
        await room.report(children[0], 1, {"id": "a", "task": 1, "value": 3}, {"id": "b", "task": 2, "value": 17})
        await room.report(children[1], 2, {"id": "a", "task": 1, "value": 1})
        page = (await look(f"/classes/{room.id}/results")).text
        assert re.findall(r"<td>(.*?)</td>", page) == ["3/3", "17", "1/3", "–", "–", "–"]
        told = (await look(f"/classes/{room.id}/file?what=csv")).text
        rows = list(csv.reader(io.StringIO(told)))
        assert rows[0] == ["Name", "Lesson: Sow", "Drill: Even or odd?"]
        assert rows[1:] == [["Айбек Үсөнов", "3/3", "17"], ["Бегимай", "1/3", ""], ["Чынара", "", ""]]
        book = (await look(f"/classes/{room.id}/file?what=xlsx")).content
        assert [row for _, row in workbook_rows(book)[0]] == rows
        assert (await look(f"/classes/{room.id}/file?what=exe")).status_code == 404
        made = pages((await look(f"/classes/{room.id}/certificates")).content)
        assert ["Айбек Үсөнов" in made[0], "Бегимай" in made[1], len(made)] == [True, True, 2]
        assert all("Class 4b" in page and "Сертификат" in page and "Туура: 17" in page for page in made[:1])
        (one,) = pages((await look(f"/classes/{room.id}/certificates?number=2")).content)
        assert "Бегимай" in one
        assert (await look(f"/classes/{room.id}/certificates?number=3")).status_code == 422

    on_site(tmp_path, test)


def test_what_goes_with_an_account_and_with_time(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        await room.act("add-task", task="stop:sow")
        guest, kid = await room.child("Guestone"), site.browser()
        await kid.sign_up("Kidone")
        await form(kid, "/class", digits=await room.code(), name="Kid")
        for number, child in ((1, guest), (2, kid)):
            await room.report(child, number, {"id": "a", "task": 1, "value": number})
        told = (await kid.told("GET", "/api/account/export"))["tables"]
        assert [one["name"] for one in told["class_members"]] == ["Kid"]
        assert [one["value"] for one in told["class_results"]] == [2]
        told = (await room.trainer.told("GET", "/api/account/export"))["tables"]
        assert ([one["name"] for one in told["classes"]], len(told["class_tasks"])) == (["4b"], 1)
        assert "code" not in told["classes"][0]
        await guest.sign_up("Guestone")  # the place goes with the visitor to the account
        assert await room.told(guest) == ["1 of 3 stars"]
        await kid.told("DELETE", "/api/account")
        assert [one.name for one in rows(site, class_members)] == ["Guestone"]
        assert [one.value for one in rows(site, class_results)] == [1]
        await room.trainer.told("DELETE", "/api/account")
        assert all(rows(site, table) == [] for table in (classes, class_members, class_tasks, class_results))
        old = await make_room(site, "Trainertwo")
        ends = now_ms() - KEPT_DAYS * DAY_MS
        repository = repository_of(site)
        for end, left in ((ends + DAY_MS, 1), (ends - 1, 0)):
            repository.change(old.id, {"ends_ms": end})
            repository.forget(now_ms())
            assert len(rows(site, classes)) == left

    on_site(tmp_path, test, database)


def test_five_hundred_children_and_no_more(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        await room.act("add-task", task="stop:sow")
        children = [{"class_id": room.id, "number": n, "who": f"w{n}", "name": f"Kid{n}"} for n in range(1, 500)]
        done = [{"class_id": room.id, "member": n, "id": "a", "task": 1, "part": 0} for n in range(1, 400)]
        with site.keeper.transactions.writing() as connection:
            connection.execute(
                class_members.insert(), [{**one, "look": one["name"], "joined_ms": 0} for one in children]
            )
            connection.execute(class_results.insert(), [{**one, "value": 3, "at_ms": 0} for one in done])
        await room.child("Last")
        answer = await form(await site.browser().visit(), "/class", digits=await room.code(), name="Toomany")
        assert answer.status_code == 409
        assert "500 children" in answer.text
        assert "399 of 500 done" in (await room.trainer.client.get(f"/classes/{room.id}")).text

    on_site(tmp_path, test)


def test_huge_and_strange_bodies(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        room = await make_room(site)
        child = await room.child("Ann")
        many = [{"id": str(number), "task": 1, "value": 1} for number in range(101)]
        path = f"/api/class/{room.id}/results"
        bodies: tuple[Any, ...] = (
            [],
            {},
            {"member": 1},
            {"member": 1, "reports": many},
            {"member": "1", "reports": []},
        )
        for body in bodies:
            assert (await child.ask("POST", path, body)).status_code == 400, str(body)[:80]
        wrong: tuple[dict[str, Any], ...] = (
            {"id": "x" * 41, "task": 1},
            {"id": "", "task": 1},
            {"id": "a\0b", "task": 1},  # which PostgreSQL does not take
            {"id": "a", "task": -1},
            {"id": "a", "task": 1, "x": 1},
        )
        for one in wrong:
            assert (await room.report(child, 1, one)).status_code == 400, one
        large = await child.ask("POST", path, {"member": 1, "reports": [], "x": "y" * 70_000})
        assert large.status_code == 413
        assert (await room.act("change", name="<script>alert(1)</script>", ends="")).status_code == 303
        for browser, page in ((room.trainer, f"/classes/{room.id}"), (child, f"/class/{room.id}")):
            assert "<script>alert" not in (await browser.client.get(page)).text
        for name, ends in (("", ""), (" \n ", ""), ("x" * 61, ""), ("a\0b", ""), ("ok", "2020-01-01"), ("ok", "soon")):
            assert (await room.act("change", name=name, ends=ends)).status_code == 422, (name, ends)
        for task in ("", "stop", "stop:game", "stop:nowhere", "game:9", "puzzles:nothing", "drill:", "else:1"):
            assert (await room.act("add-task", task=task)).status_code == 422, task

    on_site(tmp_path, test)


def test_reports_and_certificates_have_limits(tmp_path: Path) -> None:
    limits = ServiceLimits(session_puzzles=Rate(1, "min", 5), session_boards=Rate(1, "min", 2))

    async def test(site: Site) -> None:
        room = await make_room(site)
        await room.act("add-task", task="drill:landing")
        child = await room.child("Ann")
        some = [{"id": str(number), "task": 1, "value": number} for number in range(5)]
        assert (await room.report(child, 1, *some)).status_code == 200
        refused = await room.report(child, 1, {"id": "late", "task": 1, "value": 9})
        assert refused.status_code == 429  # the device keeps it and sends it again
        assert len(rows(site, class_results)) == 5
        printed = [await room.trainer.client.get(f"/classes/{room.id}/certificates") for _ in range(2)]
        assert [one.status_code for one in printed] == [200, 429]

    on_site(tmp_path, test, limits=limits)
