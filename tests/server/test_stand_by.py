"""The stream for a second machine: every line as it is entered, in its chain, to whom the desk has let in alone."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest
from sqlalchemy import insert

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.lead_repository import LeadRepository
from korgool.app.server.events.stand_by.adoption import adopt
from korgool.app.server.events.stand_by.parts import PARTS
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.event_tables import competition_applications, competition_entry_windows
from korgool.app.server.storage.schema import secrets
from korgool.competition.codec import compact
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.line import Line

from .members import Browser, Site, on_site
from .support import Json
from .test_event_doors import act, seq_of, somebody
from .test_event_groups import championship, won


async def machine(asel: Browser, id_: str, name: str = "Second") -> Browser:
    """A program with the token of a second machine."""
    made = await asel.told("POST", f"/api/events/{id_}/stand-by", {"name": name})
    return asel.site.browser(authorization=f"Bearer {made['token']}")


async def lines(program: Browser, id_: str, **asked: str | int) -> tuple[Json, list[Line]]:
    answer = await program.client.get(f"/api/events/{id_}/stand-by/lines", params={"wait": 0, **asked})
    assert answer.status_code == 200, answer.text
    head, *rest = (json.loads(text) for text in answer.text.splitlines())
    assert head["kind"] == "head"
    assert all(one.pop("kind") == "line" for one in rest)
    return head, [Line(**one) for one in rest]


def test_every_line_comes_in_its_chain_and_makes_the_same_file(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        program = await machine(asel, id_)
        head, got = await lines(program, id_)
        assert [one.at for one in got] == list(range(1, head["seq"] + 1))
        assert (head["event"], head["format"], head["leader"], head["more"]) == (id_, 1, 0, False)
        with EventFile.begin(_empty(tmp_path / "copy.korgool")) as file:
            file.take(got)
        await act(asel, id_, await seq_of(asel, id_), won("Men"))
        await act(asel, id_, await seq_of(asel, id_), won("Women", "30-18"))
        head, more = await lines(program, id_, after=got[-1].at, chain=got[-1].chain)
        with EventFile.open(tmp_path / "copy.korgool") as file:
            file.take(more)
            assert not file.broken_links()
            assert file.head().mark == head["chain"][:16]
            assert file.state.groups
            assert len(file.turn_to(3).rounds[0].missing) == 0

    on_site(tmp_path, test)


def test_a_question_waits_for_the_next_line_and_says_what_is_safe(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        program = await machine(asel, id_, "Laptop of the deputy")
        head, _ = await lines(program, id_)
        waiting = asyncio.create_task(lines(program, id_, after=head["seq"], chain=head["chain"], wait=20))
        await asyncio.sleep(0.1)
        assert not waiting.done()
        began = time.monotonic()
        entering = asyncio.create_task(act(asel, id_, head["seq"], won("Men")))
        _, more = await waiting
        assert time.monotonic() - began < 5
        assert json.loads(more[0].action)["do"] == "result"
        stand_bys = site.app.state.stand_bys
        asking = asyncio.create_task(lines(program, id_, after=more[-1].at, chain=more[-1].chain, wait=20))
        await entering
        (one,) = await stand_bys.state(id_)
        assert (one.row.name, one.row.line, one.missing, one.seconds, one.behind) == (
            "Laptop of the deputy", more[-1].at, 0, 0, False,
        )  # fmt: skip
        stand_bys.close()
        await asking

    on_site(tmp_path, test)


def test_who_enters_something_waits_a_moment_for_a_machine_that_keeps_up_and_for_no_other(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        program = await machine(asel, id_)
        head, _ = await lines(program, id_)
        held = {"after": head["seq"], "chain": head["chain"]}
        await lines(program, id_, **held)
        began = time.monotonic()
        seq = await act(asel, id_, head["seq"], won("Men"))  # the machine was there just now, and does not ask again
        assert time.monotonic() - began >= 0.3
        (late,) = await site.app.state.stand_bys.state(id_)
        assert late.missing == 1
        began = time.monotonic()
        await act(asel, id_, seq, won("Women", "30-18"))
        assert time.monotonic() - began < 0.3  # it is waited for once

    on_site(tmp_path, test)


def test_refusals_are_sentences(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, stranger = await somebody(site, "Asel"), await somebody(site, "Stranger")
        id_, other = await championship(asel), await championship(asel)
        program = await machine(asel, id_)
        path = f"/api/events/{id_}/stand-by/lines"
        head, _ = await lines(program, id_)

        async def refusal(browser: Browser, path: str, status: int, **asked: str | int) -> str:
            answer = await browser.client.get(path, params=asked)
            assert answer.status_code == status, answer.text
            return str(answer.json()["detail"])

        wrong = site.browser(authorization="Bearer kgs_nothing")
        assert "code of a second machine is wrong" in await refusal(wrong, path, 401)
        assert "code of a second machine is wrong" in await refusal(program, path.replace(id_, other), 401)
        assert "no role" in await refusal(stranger, path, 403)
        assert "not the beginning" in await refusal(program, path, 409, after=3, chain="0" * 64)
        assert "not the beginning" in await refusal(program, path, 409, after=head["seq"] + 1, chain=head["chain"])
        assert await refusal(program, path, 400, after=-1)
        assert (await program.client.get(f"/api/events/{id_}/log")).status_code == 401  # the token opens nothing else
        assert (await program.client.post(f"/api/events/{id_}/actions", json={})).status_code == 401
        (row,) = await site.app.state.stand_bys.state(id_)
        answer = await asel.client.delete(f"/api/events/{id_}/stand-by/{row.row.id}", headers=asel.csrf)
        assert answer.json()["ended"] == 1
        assert "was ended" in await refusal(program, path, 401)

    on_site(tmp_path, test)


def test_the_snapshot_holds_roles_and_no_token_in_clear(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = str((await asel.told("POST", "/api/events", {"name": "Cup", "rounds": 3, "personal": ["born"]}))["id"])
        given = await asel.told("POST", f"/api/events/{id_}/helpers", {"role": "results"})
        await act(asel, id_, 1, {"do": "enter", "entry": {"family": "Asan"}, "personal": {"born": "2001-05-31"}})
        program = await machine(asel, id_)
        answer = await program.client.get(f"/api/events/{id_}/stand-by/snapshot")
        found = answer.json()
        assert [one["role"] for one in found["parts"]["roles"]] == ["organiser", "results"]
        assert given["token"] not in answer.text
        assert given["code"] not in answer.text
        assert found["public"] is False
        assert list(found["personal"]) == ["1"]
        held = await program.client.get(f"/api/events/{id_}/stand-by/personal/1")
        assert held.json()["data"] == {"born": "2001-05-31"}
        head, _ = await lines(program, id_, snapshot="")
        assert head["snapshot"] == found["version"]

    on_site(tmp_path, test)


def test_lines_that_do_not_follow_are_not_taken(tmp_path: Path) -> None:
    """Cut, changed, forged and foreign lines: each is refused with its number, and nothing of the batch stays."""
    with EventFile.create(tmp_path / "one.korgool", Settings(name="Cup", rounds=3), by="Judge") as file:
        from korgool.competition import commands
        from korgool.competition.model import Entry

        for at in range(4):
            commands.enter(file, Entry(family=f"P{at}"), by="Judge")
        log = list(file.lines())
    forged = log[2]._replace(by="Somebody else")
    renamed = log[2]._replace(details=compact({"entry": ["00", {"family": "Other"}]}))
    for bad in ([*log[:2], log[3]], [*log[:2], forged, log[3]], [*log[:2], renamed], log[1:]):
        with EventFile.begin(_empty(tmp_path / "copy.korgool")) as copy:
            with pytest.raises(CompetitionError, match=r"line \d+ of the log does not follow"):
                copy.take(bad)
            assert copy.state.actions == 0
            assert len(copy.lines()) == 0


def test_removed_names_go_at_the_copy_too(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        program = await machine(asel, id_)
        head, got = await lines(program, id_)
        with EventFile.begin(_empty(tmp_path / "copy.korgool")) as file:
            file.take(got)
            await act(asel, id_, head["seq"], {"do": "forget", "player": 1, "names": True, "group": "Men"})
            _, more = await lines(program, id_, after=head["seq"], chain=head["chain"])
            file.take(more)
            _, now = await lines(program, id_)
            assert list(file.lines()) == now
            assert "Asan" not in "".join(line.details for line in file.lines())
            assert not file.broken_links()

    on_site(tmp_path, test)


def test_everything_beside_the_log_stands_at_the_machine_that_takes_over(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        await asel.told("POST", f"/api/events/{id_}/helpers", {"role": "sector", "boards": [1, 2]})
        program = await machine(asel, id_)
        storage = site.app.state.game_registry.storage
        window = {"competition": id_, "group_id": 1, "opens_ms": 1, "closes_ms": 2, "most": 3}
        asked = {"id": "a", "competition": id_, "link": "x" * 64, "place": 0, "made_ms": 1, "state": "waiting"}
        with storage.engine.begin() as connection:
            connection.execute(insert(competition_entry_windows), [window])
            more = {"data": "{}", "question": "", "answer": ""}
            connection.execute(insert(competition_applications), [asked | more])
            connection.execute(insert(secrets).values(name=f"tables {id_}", value="k"))
        sent = (await program.client.get(f"/api/events/{id_}/stand-by/snapshot")).json()
        assert all(sent["parts"][part.name] for part in PARTS)
        _, log = await lines(program, id_)
        other = Storage.open(ServerSettings(data=tmp_path / "other"))
        try:
            token = program.client.headers["authorization"].split()[1]
            made = adopt(other, id_, log, {}, sent, by="Deputy", machine="Laptop", own_token=token)
            assert (made.line, made.head) == (log[-1].at + 1, log[-1].at)
            with other.engine.begin() as connection:
                here = {part.name: part.take(connection, id_) for part in PARTS}
            roles = here.pop("roles")
            assert here == {name: held for name, held in sent["parts"].items() if name != "roles"} | {"machines": []}
            assert [one for one in roles if one["name"] != "Deputy"] == sent["parts"]["roles"]
            assert LeadRepository(other.engine, other.lease.fence, "another").secret(id_).hex() == sent["secret"]
            with pytest.raises(CompetitionError, match="already"):
                adopt(other, id_, log, {}, sent, by="Deputy", machine="Laptop")
        finally:
            other.close()

    on_site(tmp_path, test)


def _empty(path: Path) -> Path:
    path.unlink(missing_ok=True)
    path.touch()
    return path
