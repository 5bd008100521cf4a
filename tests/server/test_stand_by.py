"""The stream for a second machine: every line as it is entered, in its chain, to whom the desk has let in alone."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import insert

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.events.lead_repository import LeadRepository, proof
from korgool.app.server.events.stand_by import service
from korgool.app.server.events.stand_by.adoption import adopt
from korgool.app.server.events.stand_by.parts import PARTS
from korgool.app.server.limits import OFF, Rate
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.event_tables import competition_applications, competition_entry_windows
from korgool.app.server.storage.schema import secrets
from korgool.competition.codec import compact
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.line import Line
from tests.patience import PATIENCE, until

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


def test_who_enters_something_waits_a_moment_for_a_machine_that_keeps_up_and_for_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(site: Site) -> None:
        monkeypatch.setattr(service, "CONFIRM_SECONDS", moment := 0.5)
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        program = await machine(asel, id_)
        head, _ = await lines(program, id_)
        held = {"after": head["seq"], "chain": head["chain"]}
        asking = asyncio.create_task(lines(program, id_, **held, wait=20))
        await until(lambda: bool(site.app.state.stand_bys._here))
        began = time.monotonic()
        seq = await act(asel, id_, head["seq"], won("Men"))  # the machine gets the line, and does not ask again
        assert time.monotonic() - began >= moment
        await asking
        (late,) = await site.app.state.stand_bys.state(id_)
        assert (late.missing, late.behind) == (1, True)
        monkeypatch.setattr(service, "CONFIRM_SECONDS", 2 * PATIENCE)
        async with asyncio.timeout(PATIENCE):  # it is waited for once
            await act(asel, id_, seq, won("Women", "30-18"))

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


def test_a_machine_that_is_ended_while_it_asks_gets_no_line_more(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        program = await machine(asel, id_)
        head, _ = await lines(program, id_)
        stand_bys = site.app.state.stand_bys
        asked = {"wait": 20, "after": head["seq"], "chain": head["chain"]}
        asking = asyncio.create_task(program.client.get(f"/api/events/{id_}/stand-by/lines", params=asked))
        await until(lambda: bool(stand_bys._here[id_].waiting))
        (one,) = await stand_bys.state(id_)
        await stand_bys.end(id_, one.row.id)
        await act(asel, id_, head["seq"], won("Men"))
        answer = await asking
        assert (answer.status_code, "was ended" in answer.text) == (401, True)

    on_site(tmp_path, test)


def test_an_account_lets_twelve_machines_in_and_what_was_ended_stays_so(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        root = f"/api/events/{id_}/stand-by"
        for path in ("snapshot", "personal/1"):  # to look at what it holds lets nothing in
            assert (await asel.client.get(f"{root}/{path}")).status_code == 200
        stand_bys = site.app.state.stand_bys
        assert await stand_bys.state(id_) == []
        for at in range(service.MOST_MACHINES):
            await lines(asel, id_, name=f"m{at}")
        again = await asel.client.get(f"{root}/lines", params={"wait": 0, "name": "m0"})
        more = await asel.client.get(f"{root}/lines", params={"wait": 0, "name": "another"})
        assert (again.status_code, more.status_code, "at most 12" in more.text) == (200, 422, True)
        ended = (await stand_bys.state(id_))[0].row
        assert await stand_bys.end(id_, ended.id)
        back = await asel.client.get(f"{root}/lines", params={"wait": 0, "name": ended.name})
        assert (back.status_code, "was ended" in back.text) == (401, True)
        assert len(await stand_bys.state(id_)) == service.MOST_MACHINES - 1

    on_site(tmp_path, test)


def test_lines_that_only_a_machine_of_before_has_are_taken_from_nobody_else(tmp_path: Path) -> None:
    """Whatever is sent is refused with one sentence, and an address may try a few times only."""

    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        _, log = await lines(await machine(asel, id_), id_)
        nobody = site.browser()
        path = f"/api/events/{id_}/stand-by/strays"
        rows = [line._asdict() for line in log]
        key = await site.app.state.event_registry.secret(id_)
        right = proof(key, "strays", "x", compact(rows))
        good: Json = {"machine": "x", "lines": rows, "proof": right}
        others = [good | one for one in ({"proof": "é"}, {"proof": 7}, {"lines": [0] * 9}, {"lines": rows * 900})]
        surrogate = rb'{"machine":"\ud800","lines":[],"proof":"0"}'
        bad = [b"[" * 100_000, surrogate, b"\xff", *(compact(one).encode() for one in others)]
        for body in bad:
            assert (await nobody.client.post(path, content=body)).status_code == 404, body[:80]
        assert (await nobody.client.post(path.replace(id_, "k3m8x2pa"), json=good)).status_code == 404
        assert (await nobody.client.post(path, json=good)).json() == {"lines": len(rows)}
        assert (await nobody.client.post(path, json=good)).status_code == 429

    on_site(tmp_path, test, limits=replace(OFF, address_sign_ins=Rate(1, "min", 9)))


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
