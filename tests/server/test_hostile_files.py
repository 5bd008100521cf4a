"""Files that wish a server ill come through its real doors: it says what is wrong with each, and stays as it was."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.hostile.databases import endless, hostile_databases
from tests.hostile.documents import (
    hostile_json,
    hostile_lists,
    hostile_records,
    hostile_workbooks,
    large_json,
    large_workbooks,
)
from tests.hostile.pictures import hostile_pictures, large_pictures

from .guests import Guest
from .support import Server, running

FILES = Path(__file__).parent.parent / "competition" / "files" / "format2"
GOOD = (FILES / "fresh.korgool").read_bytes()
FEW = {
    "endless log",
    "endless schema",
    "generated, no space",
    "view",
    "a free list that is a circle",
    "entities in the strings",
    "a distant row",
    "a giant cell in quotes",
    "infinite in the log",
    "half a letter in the action",
    "a thousand million pixels",
    "WEBP, cut to 2 eighths",
}
"""Those that every run tries; with `-m long` it is all of them, and large ones too."""
MOST_MIB = 250
"""How much more memory than before the server may have taken: some times an upload, never what a file wants."""


class Door:
    """A server, an account at the desk of an event of its own, and the doors that take files."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.member = Guest(server)
        self.member.sign_up("Sender")
        made = self.member.client.post("/events/file", content=GOOD)
        assert made.status_code == 201, made.text
        self.desk = f"{server.url}/events/{made.json()['id']}/desk"

    def send(self, kind: str, data: bytes) -> httpx.Response:
        """Bring in an event, show a list at the desk, or send the photograph of a player."""
        if kind == "event":
            return self.member.client.post("/events/file", content=data)
        if kind == "entry_list":
            return self._form("/players/list", {"file": ("list", data)})
        return self._form("/players/1", {"picture": ("me", data)})

    def record(self, text: str) -> httpx.Response:
        """Paste a record on the analysis page."""
        return self.member.client.post("/analysis/record", json={"game": "toguz", "text": text})

    def _form(self, path: str, files: dict[str, tuple[str, bytes]]) -> httpx.Response:
        headers = {"accept": "text/html", "accept-language": "en"}
        return self.member.client.post(self.desk + path, files=files, data={"after": "46"}, headers=headers)

    def memory(self) -> int:
        """The most memory that the server has ever taken, in MiB."""
        said = Path(f"/proc/{self.server.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+) kB", said)[1]) >> 10  # type: ignore[index]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    if sys.platform != "linux":
        pytest.skip("only Linux bounds all that a process takes, and tells it in /proc")
    with running(tmp_path_factory.mktemp("data"), None, "--limits", "off") as server:
        yield Door(server)
        assert "Traceback" not in server.stop()


def attack(door: Door, files: Iterable[tuple[str, Iterable[tuple[str, bytes]]]], chosen: set[str] | None) -> None:
    """Send files to the doors; whatever is refused is told in a sentence that does not say where files lie."""
    before = door.memory()
    for kind, several in files:
        for name, data in several:
            if chosen is not None and name not in chosen:
                continue
            answer = door.send(kind, data)
            assert answer.status_code in (200, 201, 303, 400, 422), (name, answer.status_code, answer.text[:500])
            if answer.status_code in (400, 422):
                said = answer.json()["detail"] if kind == "event" else answer.text
                assert len(said) > 15, (name, said)
                assert "/tmp" not in said.replace("korgool-", "/tmp"), (name, said)
    assert door.memory() - before < MOST_MIB
    health = httpx.get(f"{door.server.url}/healthz")
    assert health.status_code == 200, health.text
    assert door.send("event", GOOD).status_code == 201


def small(folder: Path) -> Iterator[tuple[str, Iterable[tuple[str, bytes]]]]:
    """Files of all kinds, by door, that are made at once."""
    yield "event", hostile_databases(GOOD, folder)
    yield "event", hostile_json()
    yield "entry_list", hostile_workbooks()
    yield "entry_list", hostile_lists()
    yield "photo", hostile_pictures()


def test_some_hostile_files(door: Door, tmp_path: Path) -> None:
    attack(door, small(tmp_path), FEW)


@pytest.mark.long
def test_all_hostile_files(door: Door, tmp_path: Path) -> None:
    attack(door, small(tmp_path), None)
    large = (("event", large_json()), ("entry_list", large_workbooks()), ("photo", large_pictures()))
    attack(door, large, None)


def test_event_files_that_do_not_end_hold_nobody(door: Door, tmp_path: Path) -> None:
    """Twelve at once, three for every thread that events have: each is refused, and others are served."""
    sent: Sequence[bytes] = [endless(GOOD, tmp_path, table) for table in ("log", "personal", "details")] * 4
    with ThreadPoolExecutor(len(sent)) as threads:
        answers = list(threads.map(lambda data: door.send("event", data), sent))
    assert {answer.status_code for answer in answers} == {422}
    for answer in answers:
        assert answer.json()["detail"].startswith("the file is not an event file, or it is damaged: ")
    assert door.send("event", GOOD).status_code == 201


def test_records_that_wish_ill_are_read_or_refused(door: Door) -> None:
    for name, text in hostile_records():
        body = text.encode("utf-8", "surrogatepass") if "\ud800" in text else None
        answer = door.record(text) if body is None else door.record(text.encode("ascii", "backslashreplace").decode())
        assert answer.status_code in (200, 201, 400, 413, 422), (name, answer.status_code, answer.text[:300])


def test_the_refusal_is_in_the_language_of_who_sent_it(door: Door) -> None:
    said = {}
    for language in ("en", "ky", "kk", "ru", "tr"):
        headers = {"accept-language": language}
        answer = door.member.client.post("/events/file", content=b"SQLite format 3\0" + GOOD[16:5000], headers=headers)
        assert answer.status_code == 422
        said[language] = answer.json()["detail"]
    assert len(set(said.values())) == 5, said
