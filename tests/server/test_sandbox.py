"""Files from outside are opened in processes that are ended when they take too much, whatever they do."""

from __future__ import annotations

import asyncio
import json
import resource
import sys
import time
from pathlib import Path

import pytest

from korgool.app.server.events import sandbox
from korgool.app.server.events.sandbox import ENTRY_LIST, EVENT, PHOTO, SNAPSHOT, Sandbox, SandboxJob, open_apart
from korgool.app.server.events.uploads.service import read_upload
from korgool.app.server.limits import Caller
from korgool.competition.actions import Enter
from korgool.competition.entry_lists.list_table import unpack
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Entry, Personal, Settings
from korgool.competition.storage.event_file import EventFile
from tests.photos import sent

from .support import run_async

if sys.platform != "linux":
    pytest.skip("only Linux bounds all that a process takes", allow_module_level=True)
QUICK = SandboxJob("photo", 1, 256)
FILES = Path(__file__).parent.parent / "competition" / "files"


def doing(monkeypatch: pytest.MonkeyPatch, does: str) -> None:
    """Let the process do this with a picture, within its limits."""
    program = (
        "import sys, time, os, ctypes\n"
        "from korgool.app.server.events import sandbox_child\n"
        f"def photo(data):\n    {does}\n"
        "sandbox_child.JOBS['photo'] = photo\n"
        "sys.exit(sandbox_child.main())"
    )
    monkeypatch.setattr(sandbox, "_COMMAND", (sys.executable, "-P", "-c", program))


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("while True: pass", "takes more than 1 seconds"),
        ("return bytes(300_000_000)", "needs more than 256 MiB"),
        ("return b''.join(bytes(1_000_000) for _ in iter(int, 1))", "needs more than 256 MiB"),
        ("ctypes.string_at(0)", "has crashed"),
        ("os._exit(7)", "has crashed"),
        ("raise ValueError('what no job raises')", "has crashed"),
        ("sys.setrecursionlimit(10**9); f = lambda: f(); f()", "^the file "),
        ("os.write(os.open(f'/tmp/korgool-{os.getpid()}', os.O_CREAT | os.O_RDWR), b'x')", "has crashed"),
    ],
)
def test_what_takes_too_much_or_crashes_is_ended_and_told(does: str, why: str, monkeypatch: pytest.MonkeyPatch) -> None:
    doing(monkeypatch, does)
    with pytest.raises(CompetitionError, match=why):
        open_apart(QUICK, b"picture")


def test_what_only_waits_is_ended_at_the_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """With all that it has started, and while the next file is opened."""
    doing(monkeypatch, "os.system('sleep 600')")
    monkeypatch.setattr(sandbox, "_WAITS", 1)
    began = time.monotonic()
    with pytest.raises(CompetitionError, match="takes more than 1 seconds"):
        open_apart(QUICK, b"picture")
    assert time.monotonic() - began < 60


def test_a_message_can_be_said_in_another_language() -> None:
    with pytest.raises(CompetitionError) as found:
        open_apart(PHOTO, b"no picture")
    assert found.value.said("en") == "the file is no picture as JPEG, PNG or WebP"
    assert found.value.said("ru") != found.value.said("en")


def test_what_is_read_is_what_stands_in_the_file() -> None:
    table = unpack(open_apart(ENTRY_LIST, "Name;Rating\nАсанов;1500".encode(), None).decode())
    assert table.rows == ((1, ("Name", "Rating")), (2, ("Асанов", "1500")))
    assert open_apart(PHOTO, sent(size=(300, 400))).startswith(b"\xff\xd8")
    for path in FILES.rglob("swiss*.korgool"):
        assert read_upload(open_apart(EVENT, b"", str(path))).log.state.settings is not None
    with pytest.raises(CompetitionError, match="the member is missing"):
        open_apart(SNAPSHOT, b"{}")


def test_personal_data_passes_the_sandbox_as_one_json_text(tmp_path: Path) -> None:
    """And not as JSON within a text of JSON, which would be written and read twice."""
    path, photo = tmp_path / "a.korgool", open_apart(PHOTO, sent(size=(300, 400)))
    with EventFile.create(path, Settings(name="Cup", shown=("photo",)), by="A") as file:
        file.do(Enter(Entry(family="Асанов")), by="A")
        file.set_personal(1, Personal(coaches=("Иванов",)))
        file.set_photo(1, photo, by="A")
        kept = file.personal(1)
    made = open_apart(EVENT, b"", str(path))
    assert json.loads(made)[1]["1"]["coaches"] == ["Иванов"]
    assert read_upload(made).personal == {1: kept}


def test_a_few_are_opened_at_once_and_those_who_wait_can_go(monkeypatch: pytest.MonkeyPatch) -> None:
    doing(monkeypatch, "time.sleep(0.2); return data")

    async def test() -> None:
        files = Sandbox()
        asked = [
            asyncio.create_task(files.open(Caller(f"127.0.0.{at}"), QUICK, bytes([at])))
            for at in range(2 * sandbox.AT_ONCE + 1)
        ]
        await asyncio.sleep(0)
        asked[-1].cancel()
        assert await asyncio.gather(*asked[:-1]) == [bytes([at]) for at in range(2 * sandbox.AT_ONCE)]
        files.close()

    run_async(test())


def test_a_process_for_a_file_costs_little() -> None:
    """A quarter of a second of a processor for a list, most of it to start; nothing before the first file."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for _ in range(3):
        open_apart(ENTRY_LIST, b"Name\nAsanov\n", None)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / 3 < 1.0
