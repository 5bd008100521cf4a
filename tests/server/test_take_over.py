"""A second machine takes over from a first one that is gone: real processes, real folders, kill -9."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.patience import PATIENCE
from tests.ports import free_ports

from .guests import Guest
from .processes import Program
from .support import Json, Server


class Hall:
    """A first machine with an event, and a second one that keeps it."""

    def __init__(self, folder: Path) -> None:
        self.folder, (self.port,) = folder, free_ports(1)
        self.first = Server(folder / "first", None, "--limits", "off", "--host", "127.0.0.1", "--port", str(self.port))
        self.chief = Guest(self.first)
        self.chief.sign_up("Chief")
        self.id = str(self.api("POST", "", {"name": "Cup", "rounds": 3})["id"])
        self.api("PUT", f"/{self.id}", {"public": True})
        self.act(*({"do": "enter", "entry": {"family": f"Player{at}"}} for at in range(6)))
        self.act({"do": "pair", "round": 1, "lot": "x"})
        self.helper = self.api("POST", f"/{self.id}/helpers", {"role": "results"})
        self.made = self.api("POST", f"/{self.id}/stand-by", {"name": "Second"})
        self.second: Program | None = None

    def api(self, method: str, path: str, body: Json | None = None) -> Json:
        answer = self.chief.client.request(method, f"/events{path}", json=body)
        assert answer.is_success, answer.text
        found: Json = answer.json()
        return found

    @property
    def seq(self) -> int:
        return int(self.api("GET", f"/{self.id}/log?after=100000")["seq"])

    def act(self, *actions: Json) -> int:
        return int(self.api("POST", f"/{self.id}/actions", {"after": self.seq, "actions": list(actions)})["seq"])

    def stand_by(self, *more: str) -> Program:
        words = ["event", "stand-by", f"{self.first.url}/events/{self.id}", "--token", self.made["token"], "--json"]
        self.second = Program([*words, "--data", str(self.folder / "copy"), *more])
        return self.second

    def holds(self, program: Program, line: int) -> None:
        """Wait until the second machine says that it holds a line."""
        for text in program.stdout:
            if json.loads(text)["line"] >= line:
                return
        raise AssertionError(program.communicate()[1])

    def take_over(self, *more: str) -> tuple[Program, Json]:
        program = Program(["event", "take-over", str(self.folder / "copy"), "--json", "--by", "Deputy", *more])
        line = program.stdout.readline()
        assert line, program.communicate()[1]
        return program, json.loads(line)

    def end(self) -> None:
        for program in (self.first.process, self.second):
            if program is not None and program.poll() is None:
                program.kill()


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    made = Hall(tmp_path)
    yield made
    made.end()


def joined(origin: str, id_: str, code: str) -> httpx.Client:
    """The browser of a helper who comes by a code."""
    client = httpx.Client(base_url=origin, timeout=PATIENCE)
    client.get("/").raise_for_status()
    form = {"_csrf_token": client.cookies["csrftoken"], "event": id_, "code": code, "name": "Helper"}
    answer = client.post("/events/join", data=form)
    assert answer.status_code == 303, answer.text
    return client


def newest(client: httpx.Client) -> str:
    """The token of a browser that the last answer has given it."""
    return str([one.value for one in client.cookies.jar if one.name == "csrftoken"][-1])


def result(client: httpx.Client, id_: str, board: int, after: int, text: str = "82-60") -> httpx.Response:
    client.get(f"/events/{id_}/desk").raise_for_status()
    body = {"after": after, "actions": [{"do": "result", "round": 1, "board": board, "result": text}]}
    headers = {"x-csrftoken": client.cookies["csrftoken"]}
    return client.post(f"/api/events/{id_}/actions", json=body, headers=headers)


def test_the_second_goes_on_when_the_first_is_gone_with_its_disk(hall: Hall) -> None:
    id_, origin = hall.id, hall.first.url
    helper = joined(origin, id_, hall.helper["code"])
    second = hall.stand_by()
    hall.holds(second, hall.seq)
    assert result(helper, id_, 1, hall.seq).json()["seq"]
    assert result(helper, id_, 2, hall.seq).json()["seq"]
    last = hall.seq
    shown = httpx.get(f"{origin}/api/events/{id_}/standings").json()
    hall.holds(second, last)
    hall.first.kill()
    shutil.rmtree(hall.folder / "first")
    second.kill()  # and the second machine is started again too

    began = time.monotonic()
    leader, told = hall.take_over()
    assert time.monotonic() - began < 60
    try:
        assert told["address"] == f"{origin}/events/{id_}"
        assert (told["line"], told["code"] is not None) == (last + 1, True)
        assert httpx.get(f"{origin}/api/events/{id_}/standings").json() == shown
        assert httpx.get(f"{origin}/events/{id_}").status_code == 200
        old = {"x-csrftoken": helper.cookies["csrftoken"]}
        body = {"after": last + 1, "actions": [{"do": "result", "round": 1, "board": 3, "result": "82-60"}]}
        refused = helper.post(f"/api/events/{id_}/actions", json=body, headers=old)
        assert refused.status_code == 403  # an open page of before learns of its new token, and sends again
        done = helper.post(f"/api/events/{id_}/actions", json=body, headers={"x-csrftoken": newest(helper)})
        assert done.status_code == 200, done.text
        another = joined(origin, id_, hall.helper["code"])  # and the printed code opens the desk
        assert another.get(f"/events/{id_}/desk").status_code == 200
        link = httpx.get(f"{origin}/events/{id_}/join/{hall.helper['token']}")
        assert link.status_code == 200
        log = another.get(f"/api/events/{id_}/log").json()["lines"]
        assert [line["action"]["do"] for line in log[-2:]] == ["take-over", "result"]
        assert (log[-2]["by"], log[-1]["by"]) == ("Deputy", "Helper")
        chief = joined(origin, id_, told["code"])
        assert chief.get(f"/events/{id_}/desk/helpers").status_code == 200
    finally:
        leader.kill()

    again, told = hall.take_over()  # after another fall it goes on with the same event
    try:
        assert told["code"] is None
        assert httpx.get(f"{origin}/api/events/{id_}/rounds/1").json()[2]["result"] == "1-0"
    finally:
        again.kill()


def test_the_first_comes_back_writes_nothing_and_shows_what_only_it_has(hall: Hall, tmp_path: Path) -> None:
    """It had acknowledged a line that the second never got, and comes back under another port."""
    id_, origin = hall.id, hall.first.url
    second = hall.stand_by("--port", str(hall.port))
    hall.holds(second, hall.seq)
    second.kill()
    shared = hall.seq
    assert hall.act({"do": "result", "round": 1, "board": 1, "result": "82-60"}) == shared + 1
    hall.first.kill()
    leader, told = hall.take_over()
    assert told["line"] == shared + 1
    back = Server(hall.folder / "first", None, "--limits", "off")
    try:
        body = {"after": shared + 1, "actions": [{"do": "result", "round": 1, "board": 2, "result": "82-60"}]}
        hall.chief.client.base_url = httpx.URL(f"{back.url}/api")
        refused = hall.chief.client.post(f"/events/{id_}/actions", json=body)
        assert refused.status_code == 423, refused.text
        assert f"Go to {origin}" in refused.json()["detail"]
        assert hall.chief.client.put(f"/events/{id_}", json={"public": False}).status_code == 423
        assert httpx.get(f"{back.url}/api/events/{id_}/stand-by/leader").json()["leads"] is False
        assert httpx.get(f"{origin}/api/events/{id_}/stand-by/leader").json()["leads"] is True
        page = hall.chief.client.get(f"{back.url}/events/{id_}/desk/second-machine", headers={"accept-language": "en"})
        assert "round 1, board 1: 1 (82) - 0 (60)" in page.text

        chief = joined(origin, id_, told["code"])
        desk = f"/events/{id_}/desk/second-machine"
        english = {"accept-language": "en"}
        shown = chief.get(desk, headers=english).text
        assert "round 1, board 1: 1 (82) - 0 (60)" in shown  # it was given them
        mark = re.search(r'name="line" value="(\w+)"', shown)
        assert mark is not None
        assert "Lines that only the first machine had: 1" in chief.get(f"/events/{id_}/desk", headers=english).text
        form = {"_csrf_token": newest(chief), "line": mark[1], "after": told["line"], "do": "enter"}
        assert chief.post(f"{desk}/lines", data=form).status_code == 303
        assert httpx.get(f"{origin}/api/events/{id_}/rounds/1").json()[0]["result"] == "1-0"
        assert "entered anew" in chief.get(desk, headers=english).text
        forged = {"machine": "x", "lines": [], "proof": "0" * 64}
        assert httpx.post(f"{origin}/api/events/{id_}/stand-by/strays", json=forged).status_code == 404
    finally:
        leader.kill()
        back.kill()


def test_two_that_both_lead_meet_and_the_one_of_before_yields(hall: Hall) -> None:
    """The first still answers: the second refuses, takes over all the same when told so, and the first learns of it."""
    (port,) = free_ports(1)
    second = hall.stand_by("--port", str(port))
    hall.holds(second, hall.seq)
    second.kill()
    words = ["event", "take-over", str(hall.folder / "copy"), "--port", str(port)]
    refused = Program(words)
    assert "still answers and leads the event" in refused.communicate(timeout=PATIENCE)[1]
    assert refused.returncode == 1
    leader, told = hall.take_over("--port", str(port), "--even-so")
    try:
        assert told["address"].startswith(f"http://127.0.0.1:{port}/")
        until = time.monotonic() + PATIENCE
        while httpx.get(f"{hall.first.url}/api/events/{hall.id}/stand-by/leader").json()["leads"]:
            assert time.monotonic() < until
            time.sleep(0.1)
        body = {"after": 9, "actions": [{"do": "result", "round": 1, "board": 1, "result": "82-60"}]}
        assert hall.chief.client.post(f"/events/{hall.id}/actions", json=body).status_code == 423
        third = hall.stand_by("--once")  # and who keeps its log is sent away with a sentence
        assert f"Go to http://127.0.0.1:{port}" in third.communicate(timeout=PATIENCE)[1]
    finally:
        leader.kill()


def test_of_two_that_took_over_from_the_same_line_the_one_without_the_printed_address_is_told(hall: Hall) -> None:
    """It stores nothing from then on, and gives what it had stored alone to the one that goes on."""
    id_, origin, shared = hall.id, hall.first.url, hall.seq
    (port,) = free_ports(1)
    third = hall.api("POST", f"/{id_}/stand-by", {"name": "Third"})["token"]
    address = f"{origin}/events/{id_}"
    words = ["event", "stand-by", address, "--data", str(hall.folder / "third"), "--json", "--token", third]
    for kept in (hall.stand_by(), Program([*words, "--port", str(port)])):
        hall.holds(kept, shared)
        kept.kill()
    hall.first.kill()
    taken = ["event", "take-over", str(hall.folder / "third"), "--json", "--by", "Third", "--port", str(port)]
    other = Program(taken)
    leader = None
    try:
        elsewhere = json.loads(other.stdout.readline())
        assert elsewhere["line"] == shared + 1
        theirs = f"http://127.0.0.1:{port}"
        helper = joined(theirs, id_, elsewhere["code"])
        assert result(helper, id_, 1, shared + 1).is_success
        leader, told = hall.take_over()  # has the printed address
        assert (told["line"], told["address"]) == (shared + 1, address)
        until = time.monotonic() + PATIENCE
        while httpx.get(f"{theirs}/api/events/{id_}/stand-by/leader").json()["leads"]:
            assert time.monotonic() < until
            time.sleep(0.1)
        refused = result(helper, id_, 2, shared + 2)
        assert (refused.status_code, f"Go to {origin}" in refused.json()["detail"]) == (423, True), refused.text
        here, there = (httpx.get(f"{one}/api/events/{id_}/stand-by/leader").json() for one in (origin, theirs))
        assert (here["leads"], here["seq"], there["seq"]) == (True, shared + 1, shared + 2)
        chief = joined(origin, id_, told["code"])
        page = chief.get(f"/events/{id_}/desk/second-machine", headers={"accept-language": "en"}).text
        assert "round 1, board 1: 1 (82) - 0 (60)" in page  # shown, merged by nobody
        assert httpx.get(f"{origin}/api/events/{id_}/rounds/1").json()[0]["result"] is None
        assert result(chief, id_, 3, shared + 1).is_success
    finally:
        other.kill()
        if leader is not None:
            leader.kill()


def test_a_second_machine_that_cannot_be_says_why(hall: Hall, tmp_path: Path) -> None:
    good = f"{hall.first.url}/events/{hall.id}"
    other = hall.api("POST", "", {"name": "Other", "rounds": 3})["id"]
    token, folder = hall.made["token"], str(hall.folder / "copy")
    assert Program(["event", "stand-by", good, "--token", token, "--data", folder, "--once"]).wait(PATIENCE) == 0
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    (foreign / "letter.txt").write_text("x")
    for words, status, why in (
        (["stand-by", good, "--token", "kgs_x", "--data", folder, "--once"], 1, "code of a second machine is wrong"),
        (["stand-by", good, "--data", folder], 2, "--token is missing"),
        (["stand-by", "http://127.0.0.1/elsewhere", "--token", token, "--data", folder], 2, "no address of an event"),
        (["stand-by", good.replace(hall.id, other), "--token", token, "--data", folder], 1, "keeps another event"),
        (["stand-by", good, "--token", token, "--data", str(foreign)], 1, "holds something else"),
        (["stand-by", good.replace(hall.id, other), "--token", token, "--data", str(tmp_path / "n")], 1, "wrong"),
        (["take-over", str(foreign)], 1, "no copy of an event"),
        (["take-over", str(tmp_path / "n")], 1, "still answers|nothing has come"),
    ):  # fmt: skip
        done = Program(["event", *words])
        said = done.communicate(timeout=PATIENCE)[1]
        assert (done.returncode, bool(re.search(why, said))) == (status, True), (words, said)
    hall.api("DELETE", f"/{hall.id}/stand-by/{hall.made['id']}")
    ended = Program(["event", "stand-by", good, "--token", token, "--data", folder, "--once"])
    assert "was ended" in ended.communicate(timeout=PATIENCE)[1]
