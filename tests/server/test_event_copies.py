"""After each round a copy of an event lies in a folder, checked; what fails is said at the desk."""

from __future__ import annotations

import asyncio
import errno
import os
import shutil
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from korgool.app.server.events.copies import service
from korgool.app.server.events.copies.copy_file import MadeCopy, reason_of, write_copy
from korgool.app.server.events.copies.service import EventCopies
from korgool.app.server.events.stored_book import StoredBook
from korgool.competition import EventFile
from korgool.competition.model import Settings, System
from korgool.competition.roles import DeskRole
from korgool.languages import LANGUAGES
from tests.patience import PATIENCE, until

from .desk_events import AtDesk, at_desk
from .members import Site, on_site

CUP = Settings(name="Cup", rounds=3, system=System.ROUND_ROBIN)


def copies_of(site: Site) -> EventCopies:
    found: EventCopies = site.app.state.event_copies
    return found


async def written(site: Site, desk: AtDesk, lines: int) -> None:
    """Wait until the copy has so many lines."""
    async with asyncio.timeout(PATIENCE):
        while (made := copies_of(site).state(desk.competition.id).made) is None or made.lines < lines:
            await asyncio.sleep(0.02)


async def failed(site: Site, desk: AtDesk) -> str:
    async with asyncio.timeout(PATIENCE):
        while not (problem := copies_of(site).state(desk.competition.id).problem):
            await asyncio.sleep(0.02)
    return problem


async def round_over(desk: AtDesk, number: int) -> None:
    """Pair a round and enter its results; the last one closes it."""
    await desk.do({"do": "pair", "round": number, "lot": "a"})
    for board in (1, 2):
        await desk.do({"do": "result", "round": number, "board": board, "result": "82-60"})


def test_a_copy_follows_each_round_and_a_broken_stick_disturbs_nothing(tmp_path: Path) -> None:
    stick = tmp_path / "stick"
    stick.mkdir()

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C", "D")
        await ann.do({"do": "amend", "player": 1, "entry": {"family": "A"}, "personal": {"passport_number": "42"}})
        id_ = ann.competition.id
        assert "No copy was written since the server was started." in await ann.look("/copies")
        assert not list(stick.iterdir())
        (stick / f"{id_}.korgool").touch(0o644)  # an earlier one, which everybody may read
        await round_over(ann, 1)
        await written(site, ann, ann.competition.seq)
        with EventFile.open(stick / f"{id_}.korgool") as file:
            assert (file.state.actions, file.broken_links()) == (ann.competition.seq, ())
            assert file.carried()["id"] == id_
            assert file.carried()["snapshot"]
            personal = file.personal(1)
            assert personal is not None
            assert personal.passport_number == "42"
        assert os.name != "posix" or (stick / f"{id_}.korgool").stat().st_mode & 0o777 == 0o600
        page = await ann.look("/copies")
        assert f"Last good copy: line {ann.competition.seq}" in page
        (tmp_path / "saved").write_bytes((await ann.browser.client.get(f"/api/events/{id_}/file")).content)
        with EventFile.open(tmp_path / "saved") as file:
            assert file.carried() == {"id": id_}
        assert "This file holds no links and codes of helpers" in page
        assert "lies on the same disk as the event itself" in page
        # The stick is pulled out: the round goes on, the desk says so in words, and the last good copy is known.
        kept = (stick / f"{id_}.korgool").read_bytes()
        stick.rename(tmp_path / "away")
        await round_over(ann, 2)
        assert "is not there (is the stick plugged in?)" in await failed(site, ann)
        page = await ann.look("/copies")
        assert "is the stick plugged in?" in page
        assert "Last good copy: line" in page
        assert not stick.exists()  # it is never made: a stick may be mounted there
        for language in LANGUAGES:
            assert 'class="refused" role="alert"' in await ann.look("/copies", language=language)
        # Another one is plugged in, where something lies in the way of the file: it is not half-written.
        stick.mkdir()
        (stick / f"{id_}.korgool").mkdir()
        await ann.send("/copies", {})
        async with asyncio.timeout(PATIENCE):
            while "cannot be written" not in copies_of(site).state(id_).problem:
                await asyncio.sleep(0.02)
        assert [one.name for one in stick.iterdir()] == [f"{id_}.korgool"]
        shutil.rmtree(stick)
        (tmp_path / "away").rename(stick)
        assert (stick / f"{id_}.korgool").read_bytes() == kept
        await ann.send("/copies", {})
        await written(site, ann, ann.competition.seq)
        assert copies_of(site).state(id_).problem == ""
        assert [one.name for one in stick.iterdir()] == [f"{id_}.korgool"]

    on_site(tmp_path, test, copies=stick)


def test_a_round_that_closes_while_a_copy_is_written_is_copied_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slowly(book: StoredBook, folder: Path, home: Path | None, snapshot: Mapping[str, Any]) -> MadeCopy:
        made = write_copy(book, folder, home, snapshot)
        begun.set()
        go_on.wait(PATIENCE)
        return made

    monkeypatch.setattr(service, "write_copy", slowly)
    stick = tmp_path / "stick"
    stick.mkdir()

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C", "D")
        await round_over(ann, 1)
        await until(begun.is_set)
        await round_over(ann, 2)
        await until(lambda: copies_of(site).state(ann.competition.id).closed == 2)
        go_on.set()
        await written(site, ann, ann.competition.seq)
        assert copies_of(site).state(ann.competition.id).since_ms == 0

    on_site(tmp_path, test, copies=stick)


def test_who_may_not_have_the_whole_event_sees_no_copies(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C", "D")
        assert "korgool serve --copies FOLDER" in await ann.look("/copies")
        assert (await ann.send("/copies", {})).status_code == 303  # without a folder nothing happens
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        for role in (DeskRole.RESULTS, DeskRole.SPECTATOR, DeskRole.CHECK_IN):
            await ann.browser.told(
                "POST", f"/api/events/{ann.competition.id}/helpers", {"role": role.value, "account": "Ben"}
            )
        other = AtDesk(ben, ann.competition, ann.officer)
        await other.look("/copies", 404)
        assert (await other.send("/copies", {})).status_code == 404
        assert "/desk/copies" not in await other.look()
        assert "/desk/copies" in await ann.look()

    on_site(tmp_path, test)


def test_every_error_of_a_medium_has_words() -> None:
    said = {code: reason_of(OSError(code, os.strerror(code)), Path("stick")) for code in errno.errorcode}
    assert all(said[code] for code in said)
    assert said[errno.ENOSPC] == "there is no room left in stick"
    assert said[errno.EROFS] == "stick can be read only"
    assert said[errno.EIO] == "the medium of stick does not answer, or fails"
    assert "Is a directory" in said[errno.EISDIR]
