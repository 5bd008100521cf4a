"""The doors of events: making one, acting, helpers by account, link and code, and every role at every action."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from korgool.app.server.limits import OFF, ServiceLimits
from korgool.competition.actions import AnyAction
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings, System
from korgool.competition.roles import POWERS, DeskRole
from tests.conftest import SEED

from .members import Browser, Site, on_site
from .support import Json

CUP = {"name": "Cup", "rounds": 3, "system": "round-robin"}


GONE = {"family": "", "removed": True}
NO_BOARD = "round {number} has no board {board}, it has boards 1 to {last}"


async def somebody(site: Site, name: str) -> Browser:
    browser = await site.browser().visit()
    await browser.sign_up(name)
    return browser


async def made(browser: Browser, players: str = "ABCD") -> str:
    """An event with its first round paired."""
    id_: str = (await browser.told("POST", "/api/events", CUP))["id"]
    seq = await act(browser, id_, 1, *({"do": "enter", "entry": {"family": one}} for one in players))
    await act(browser, id_, seq, {"do": "pair", "round": 1, "lot": "a"})
    return id_


async def act(browser: Browser, id_: str, after: int, *actions: Json) -> int:
    found: Json = await browser.told("POST", f"/api/events/{id_}/actions", {"after": after, "actions": actions})
    return int(found["seq"])


async def seq_of(browser: Browser, id_: str) -> int:
    return int((await browser.told("GET", f"/api/events/{id_}/log"))["seq"])


async def tried(browser: Browser, id_: str, *actions: Json, after: int | None = None) -> httpx.Response:
    known = await seq_of(browser, id_) if after is None else after
    return await browser.ask("POST", f"/api/events/{id_}/actions", {"after": known, "actions": actions})


def result(board: int, text: str = "82-60", **more: Any) -> Json:
    return {"do": "result", "round": 1, "board": board, "result": text, **more}


async def joined(site: Site, path: str, **form: str) -> tuple[Browser, httpx.Response]:
    """A browser that opens the page of a path and sends its form."""
    browser = site.browser()
    page = await browser.client.get(path)
    token = re.search(r'name="_csrf_token" value="(\w+)"', page.text)
    assert token, page.text[:300]
    sent = await browser.client.post(path.partition("?")[0], data={"_csrf_token": token[1], **form})
    return browser, sent


def test_an_event_is_made_and_its_officials_act(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, bakyt = await somebody(site, "Asel"), await somebody(site, "Bakyt")
        id_ = await made(asel)
        for browser, status in ((bakyt, 403), (site.browser(), 401), (await site.browser().visit(), 403)):
            assert (await browser.ask("GET", f"/api/events/{id_}/log")).status_code == status
            assert (await tried(browser, id_, result(1), after=1)).status_code in {401, 403}
        assert (await asel.ask("GET", "/api/events/zzzzzzzz/log")).status_code == 404
        program = await asel.token("event")
        seq = await seq_of(program, id_)
        assert await act(program, id_, seq, result(1, id="x1")) == seq + 1
        assert await act(asel, id_, seq, result(1, id="x1")) == seq + 1
        met = await tried(asel, id_, result(1, "60-82"), after=seq)
        assert met.status_code == 409
        told = met.json()
        assert (told["seq"], told["action"], len(told["since"])) == (seq + 1, 0, 1)
        assert told["since"][0]["parts"] == [["board", 1, 1]]
        assert told["since"][0]["by"] == "Asel"
        body: Json = {"after": seq, "actions": [result(1, "60-82")]}
        met = await asel.ask("POST", f"/api/events/{id_}/actions", body, **{"accept-language": "ru"})
        assert met.json()["detail"].startswith("Asel тем временем")
        body["actions"] = [result(9)]
        refused = await asel.ask("POST", f"/api/events/{id_}/actions", body, **{"accept-language": "tr"})
        assert refused.json()["detail"] == CompetitionError(NO_BOARD, number=1, board=9, last=2).said("tr")
        log = await asel.told("GET", f"/api/events/{id_}/log?after={seq}")
        entered, disputed = log["lines"]
        assert entered["text"] == "round 1, board 1: 1 (82) - 0 (60)"
        assert disputed["text"] == "round 1, board 1 disputed: 0 (60) - 1 (82)"
        assert (met.json()["disputed"], refused.json()["disputed"]) == (True, False)
        assert (await asel.told("GET", f"/api/events/{id_}/log?after={seq + 2}"))["lines"] == []
        seq += 1
        for body, status, why in (
            ({"after": 1}, 400, "actions: the member is missing"),
            ({"after": 1, "actions": [{"do": "dance"}]}, 400, r"actions[0].do: one of"),
            ({"after": seq + 1, "actions": [result(9)]}, 422, "round 1 has no board 9"),
            ({"after": 99, "actions": [result(2)]}, 422, "after is a line of the log"),
            ({"after": seq, "actions": [{"do": "enter", "entry": GONE}]}, 422, "a player needs a family name"),
            ({"after": seq, "actions": [{"do": "amend", "player": 1, "entry": GONE}]}, 422, "needs a family name"),
        ):
            answer = await asel.ask("POST", f"/api/events/{id_}/actions", body)
            assert answer.status_code == status
            assert why in answer.json()["detail"]
        assert (await asel.ask("POST", "/api/events", {"name": "x", "rounds": 0})).status_code in {400, 422}
        assert (await asel.ask("POST", "/api/events", {"name": "x", "colour": 1})).json()["detail"].startswith("colour")
        many = [{"do": "enter", "entry": {"family": f"Family{at}", "given": "G" * 200}} for at in range(300)]
        assert await act(asel, id_, seq + 1, result(2)) == seq + 2  # below the usual limit
        assert (await asel.ask("POST", "/api/events", {"name": "x" * 70_000})).status_code == 413
        big = await asel.told("POST", "/api/events", {"name": "Big"})
        assert len(str(many)) > 65_536
        assert await act(asel, big["id"], 1, *many) == 301

    on_site(tmp_path, test)


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.long)], ids=["half", "whole"])
def test_every_role_at_every_action_and_at_a_foreign_event(tmp_path: Path, whole: bool) -> None:
    """Each role is tried at each kind of action, at its own event and at another one; nothing is done there.

    By default each is tried at half of them, and at the other half with the next seed.
    """
    kinds = sorted(kind.do for kind in AnyAction.__args__ if kind.do not in {"open", "seed", "report", "take-over"})
    said: dict[str, Json] = {
        "change": {"settings": CUP},
        "enter": {"entry": {"family": "X"}},
        "amend": {"player": 99, "entry": {"family": "X"}},
        "miss": {"player": 99, "absence": {"round": 2, "kind": "Z"}},
        "attend": {"player": 99, "round": 2},
        "photo": {"player": 99},
        "present": {"round": 2, "players": [99]},
        "unwarn": {"player": 99, "warning": 1},
        "bye": {"round": 1, "player": 99, "kind": "H"},
        "penalise": {"player": 99, "half_points": 1},
        "team": {"team": {"id": 99, "number": 1, "name": "T"}},
        "appoint": {"name": "", "role": "referee"},
        "dismiss": {"official": 99},
        "pair": {"round": 9},
        "repair": {"round": 9, "games": []},
        "unpair": {"round": 9},
        "result": {"round": 1, "board": 99, "result": "="},
        "correct": {"round": 1, "board": 99, "result": "="},
        "dispute": {"round": 1, "board": 99, "result": "="},
        "settle": {"round": 1, "board": 99},
        "attach": {"round": 1, "board": 99, "records": []},
        "special": {"round": 1, "board": 99},
        "lend": {"round": 1, "board": 99, "borrower": "X"},
        "form": {"form": 99, "state": "lost"},
        "call": {"round": 1, "board": 99},
        "undo": {"line": 1},
        "publish": {},
        "group": {"name": "", "settings": {"name": "X"}},
        "name-group": {"of": 99, "name": "X"},
        "clock": {"round": 99},
        "announce": {"kind": "begin"},
        "silence": {"announcement": 99},
        "emblem": {"picture": "x"},
    }

    async def test(site: Site) -> None:
        maker = await somebody(site, "Maker1x")
        own, foreign = await made(maker), await made(maker)
        wrong = []
        for number, role in enumerate(DeskRole):
            half = slice(None) if whole else slice((SEED + number) % 2, None, 2)
            name = "Role" + "abcdefghijk"[list(DeskRole).index(role)] * 3
            browser = await somebody(site, name)
            given: Json = {"role": role, "account": name, "boards": [1, 1] if role is DeskRole.SECTOR else None}
            await maker.told("POST", f"/api/events/{own}/helpers", given)
            seq = await seq_of(browser, own)
            for do in kinds[half]:
                one = {"do": do, "reason": "r", **said.get(do, {"player": 99})}
                here, there = await tried(browser, own, one), await tried(browser, foreign, one, after=1)
                allowed = do in {kind.do for kind in POWERS[role].actions}
                if (here.status_code == 403) == allowed or there.status_code != 403:
                    wrong.append((role, do, here.status_code, here.text[:100], there.status_code))
                if do in ("enter", "change", "appoint") and allowed:
                    seq = await seq_of(browser, own)
            assert (await browser.ask("GET", f"/api/events/{foreign}/log")).status_code == 403
            listed = await browser.ask("GET", f"/api/events/{own}/helpers")
            assert (listed.status_code == 200) == POWERS[role].helpers
            shown = await browser.ask("PUT", f"/api/events/{own}", {"public": True})
            assert (shown.status_code == 200) == POWERS[role].helpers
            invited = await browser.ask("POST", f"/api/events/{own}/helpers", {"role": "organiser", "account": name})
            assert (invited.status_code == 201) == (role is DeskRole.ORGANISER)
            spare = await maker.told("POST", f"/api/events/{own}/helpers", {"role": "spectator"})
            ended = await browser.ask("DELETE", f"/api/events/{own}/helpers/{spare['id']}")
            assert (ended.status_code == 200) == POWERS[role].helpers
            if role is not DeskRole.ORGANISER:  # there are two, and neither is for others to end
                first = (await maker.told("GET", f"/api/events/{own}/helpers"))[0]
                assert (await browser.ask("DELETE", f"/api/events/{own}/helpers/{first['id']}")).status_code == 403
            assert seq
        assert wrong == []

    on_site(tmp_path, test)


def test_helpers_come_by_link_and_by_code_and_are_ended(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_, other = await made(asel), await made(asel)
        invited = await asel.told("POST", f"/api/events/{id_}/helpers", {"role": "sector", "boards": [1, 1]})
        assert invited["url"].endswith(f"/events/{id_}/join/{invited['token']}")
        assert len(invited["token"]) == 24
        assert re.fullmatch(r"\d{8}", invited["code"])
        path = f"/events/{id_}/join/{invited['token']}"
        for _ in range(3):  # a preview of the link uses nothing up
            assert (await site.browser().client.get(path)).status_code == 200
        _, nameless = await joined(site, path)
        assert nameless.status_code == 422
        helper, sent = await joined(site, path, name="  Cholpon   A. ")
        assert (sent.status_code, sent.headers["location"]) == (303, f"/events/{id_}/desk")
        answer = await tried(helper, id_, result(1))
        assert answer.status_code == 200, answer.text
        assert (await asel.told("GET", f"/api/events/{id_}/log"))["lines"][-1]["by"] == "Cholpon A."
        assert (await tried(helper, id_, result(2))).status_code == 403
        assert (await tried(helper, other, result(1), after=1)).status_code in {401, 403}
        by_code, sent = await joined(
            site,
            "/events/join",
            event=f"http://x/events/{id_}/rounds/1?board=2\u200b",
            code=f" {invited['code'][:4]} {invited['code'][4:]}",
            name="D",
        )
        assert sent.status_code == 303
        assert (await tried(by_code, id_, result(1, "=", do="correct", reason="slip"))).status_code == 200
        for event, code in ((id_, "00000000"), (other, invited["code"]), ("zzz", "1"), (id_, "x")):
            assert (await joined(site, "/events/join", event=event, code=code, name="E"))[1].status_code == 404
        for wrong in (f"/events/{other}/join/{invited['token']}", f"/events/{id_}/join/x"):
            assert (await site.browser().client.get(wrong)).status_code == 404
        forged = site.browser()
        cookie = next(name for name in helper.client.cookies if name.startswith("helper_"))
        value = helper.client.cookies[cookie]
        for text in (value[:-1] + ("1" if value.endswith("0") else "0"), "x", "..", value.replace(".", "", 1)):
            forged.client.cookies.set(cookie, text, domain="127.0.0.1")
            assert (await forged.ask("GET", f"/api/events/{id_}/log")).status_code == 401
        listed = await asel.told("GET", f"/api/events/{id_}/helpers")
        assert invited["token"] not in str(listed)
        assert invited["code"] not in str(listed)
        assert (await asel.ask("DELETE", f"/api/events/{id_}/helpers/{invited['id']}")).json() == {"ended": 1}
        for browser in (helper, by_code):
            assert (await tried(browser, id_, result(1), after=1)).status_code in {401, 403}
        assert (await site.browser().client.get(path)).status_code == 404
        organiser = listed[0]
        assert (await asel.ask("DELETE", f"/api/events/{id_}/helpers/{organiser['id']}")).status_code == 403
        for body, why in (
            ({"role": "sector"}, "has a range of boards"),
            ({"role": "sector", "boards": [5, 1]}, "no range of boards"),
            ({"role": "check-in", "boards": [1, 2]}, "not confined"),
            ({"role": "organiser"}, "the organiser has an account"),
            ({"role": "results", "until": "2020-01-01T00:00:00Z"}, "ends within 60 days"),
            ({"role": "results", "until": "soon"}, "no time such as"),
            ({"role": "results", "name": "x" * 61}, "at most 60 letters"),
        ):
            answer = await asel.ask("POST", f"/api/events/{id_}/helpers", body)
            assert answer.status_code == 422
            assert why in answer.json()["detail"]
        assert not any(
            secret in (tmp_path / "korgool.sqlite").read_bytes().decode("latin-1") for secret in [invited["token"]]
        )

    on_site(tmp_path, test)


def test_codes_are_guessed_a_few_times_only(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await made(asel)
        invited = await asel.told("POST", f"/api/events/{id_}/helpers", {"role": "results", "name": "Typist"})
        limits = ServiceLimits()
        assert limits.name_guesses
        for at in range(limits.name_guesses + 1):
            _, sent = await joined(site, f"/events/join?event={id_}", event=id_, code=f"{at:08d}")
            assert sent.status_code == (404 if at < limits.name_guesses else 429)
        _, right = await joined(site, f"/events/join?event={id_}", event=id_, code=invited["code"])
        assert right.status_code == 429
        helper, sent = await joined(site, f"/events/{id_}/join/{invited['token']}")
        assert sent.status_code == 303
        assert (await tried(helper, id_, result(1))).status_code == 200

    on_site(
        tmp_path,
        test,
        limits=ServiceLimits(**{name: getattr(OFF, name) for name in ServiceLimits.__slots__ if "guesses" not in name}),
    )


def test_a_hidden_event_is_shown_by_its_organiser(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await made(asel)
        competitions = site.app.state.event_registry
        assert not (await competitions.find(id_)).public
        assert await competitions.public() == []
        assert await asel.told("PUT", f"/api/events/{id_}", {"public": True}) == {"public": True}
        assert [one.id for one in await competitions.public()] == [id_]
        assert (await competitions.find(id_)).public
        assert (await competitions.find(id_)).state.event == Settings(name="Cup", rounds=3, system=System.ROUND_ROBIN)

    on_site(tmp_path, test)
