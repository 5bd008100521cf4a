"""Reports: what the operator is told of a player, and what remains of it when somebody is deleted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from korgool.app.server.limits import OFF, Rate
from korgool.app.server.people.reports.repository import DAY_MS, KEPT_MS, MOST_DAILY, ReportReason

from .members import Site, on_site
from .test_blocks import game_of, over, refusal


def test_a_player_is_reported_with_the_record_of_the_game(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, guest = site.browser(), await site.browser().visit()
        mine = (await aida.sign_up("Aida"))["id"]
        game = await game_of(aida, guest)
        path, reports = f"/api/games/{game}/report", site.reports
        await aida.told("POST", f"/api/games/{game}/move", {"hole": 7, "version": 1})

        first = await guest.told("POST", path, {"reason": "stalling"})
        (found,) = reports.open()
        assert (found.id, found.about, found.game, found.reason) == (first["id"], mine, game, ReportReason.STALLING)
        assert '[White "Aida"]' in found.record
        assert '[Black "Guest ' in found.record
        assert f"/games/{game}" in found.record
        assert "\n\n1. 7" in found.record

        strange = " Ай\u202eда\ud800 \x00\x1b[31m lets\n\nthe  time run \t"
        again = await guest.ask("POST", path, {"reason": "other", "text": strange.replace("\ud800", "")})
        assert (again.status_code, again.json()["id"], again.json()["text"]) == (
            201,
            first["id"],
            "Ай да [31m lets the time run",
        )
        (found,) = reports.open()
        assert (found.reason, found.text) == (ReportReason.OTHER, "Ай да [31m lets the time run")
        reports.close(found.id, 7)
        assert reports.open() == []
        closed = reports.find(found.id)
        assert closed is not None
        assert closed.closed == 7
        await guest.told("POST", path, {"reason": "name"})
        assert [one.id for one in reports.open()] == [first["id"]], "something has happened again"

        other = await aida.told("POST", path, {"reason": "help", "text": "Look at move 1."})
        assert other["id"] != first["id"]
        assert {one.about for one in reports.open()} == {mine, found.reporter}

    on_site(tmp_path, test)


def test_closed_reports_are_forgotten_and_open_ones_are_not(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, bolot, time = site.browser(), site.browser(), 1_790_000_000_000
        await aida.sign_up("Aida")
        await bolot.sign_up("Bolot")
        game, reports = await game_of(aida, bolot), site.reports
        for one in (aida, bolot):
            await one.told("POST", f"/api/games/{game}/report", {"reason": "name"})
        dealt_with, waiting = reports.open()
        reports.close(dealt_with.id, time)
        for later, kept in ((KEPT_MS - 1, True), (KEPT_MS, False)):
            reports.forget(time + later)
            assert (reports.find(dealt_with.id) is not None) == kept
        reports.forget(time + 100 * KEPT_MS)
        assert reports.open() == [waiting]

    on_site(tmp_path, test)


def test_reports_that_cannot_be(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, bolot, guest = site.browser(), site.browser(), await site.browser().visit()
        await aida.sign_up("Aida")
        await bolot.sign_up("Bolot")
        game = await game_of(aida, bolot)
        alone = await aida.told("POST", "/api/challenges", {"game": "toguz", "to": "self"})
        engine = await aida.told("POST", "/api/challenges", {"game": "toguz", "to": "level:1"})
        for address, body, status, reason in (
            ("x" * 12, {"reason": "name"}, 404, "no such game"),
            (alone["game"], {"reason": "name"}, 422, "no other player"),
            (engine["game"], {"reason": "name"}, 422, "no other player"),
            (game, {"reason": "rude"}, 400, "not the JSON"),
            (game, {}, 400, "not the JSON"),
            (game, {"reason": "other", "text": " \n\u200b"}, 422, "in a few words"),
            (game, {"reason": "name", "text": "x" * 1001}, 422, "at most 1000"),
            (game, {"reason": "name", "text": "x" * 5000}, 400, "not the JSON"),
        ):
            told = await refusal(aida, "POST", f"/api/games/{address}/report", body)
            assert (told[0], reason in told[1]) == (status, True), (body, told)
        assert (await refusal(guest, "POST", f"/api/games/{game}/report", {"reason": "name"}))[0] == 403
        assert (await refusal(guest, "POST", f"/api/games/{engine['game']}/report", {"reason": "name"}))[0] == 422
        assert site.reports.open() == []

    on_site(tmp_path, test)


def test_somebody_sends_so_many_reports_in_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(site: Site) -> None:
        aida, bolot, time = site.browser(), site.browser(), 1_790_000_000_000
        await aida.sign_up("Aida")
        await bolot.sign_up("Bolot")
        monkeypatch.setattr("korgool.app.server.people.reports.service.now_ms", lambda: time)
        games = [await game_of(aida, bolot) for _ in range(MOST_DAILY + 1)]
        for game in games[:-1]:
            await aida.told("POST", f"/api/games/{game}/report", {"reason": "name"})
        time += 1000
        last = f"/api/games/{games[-1]}/report"
        refused = await aida.ask("POST", last, {"reason": "name"})
        assert (refused.status_code, int(refused.headers["retry-after"])) == (429, DAY_MS // 1000 - 1)
        await aida.told("POST", f"/api/games/{games[0]}/report", {"reason": "help"})
        await bolot.told("POST", last, {"reason": "name"})
        time += DAY_MS
        await aida.told("POST", last, {"reason": "name"})

    on_site(tmp_path, test)


def test_reports_and_blocks_count_as_changes(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, bolot = site.browser(), site.browser()
        await aida.sign_up("Aida")
        await bolot.sign_up("Bolot")
        game = await game_of(aida, bolot)
        await aida.told("POST", f"/api/games/{game}/report", {"reason": "name"})
        await aida.told("POST", "/api/account/blocks", {"game": game})
        assert (await refusal(aida, "POST", f"/api/games/{game}/report", {"reason": "name"}))[0] == 429
        assert (await refusal(aida, "POST", "/api/account/blocks", {"game": game}))[0] == 429

    on_site(tmp_path, test, limits=replace(OFF, session_changes=Rate(1, "h", 2)))


def test_what_remains_of_reports_when_somebody_is_deleted(tmp_path: Path) -> None:
    """Of those about them the reason without a word; of their own nothing."""

    async def test(site: Site) -> None:
        aida, nazgul = site.browser(), site.browser()
        await aida.sign_up("Aida")
        identity = (await nazgul.sign_up("Vanishingname"))["id"]
        game = await over(aida, nazgul)
        told = {"reason": "stalling", "text": "Vanishingname lets the time run"}
        await aida.told("POST", f"/api/games/{game}/report", told)
        await nazgul.told("POST", f"/api/games/{game}/report", {"reason": "other", "text": "Aida, so vanishingly slow"})
        await aida.told("POST", "/api/account/blocks", {"name": "Vanishingname"})
        await nazgul.told("POST", "/api/account/blocks", {"name": "Aida"})

        (row,) = (await nazgul.told("GET", "/api/account/export"))["tables"]["reports"]
        assert (row["reporter"], row["about"], row["words"]) == (
            identity,
            "somebody else",
            "other\nAida, so vanishingly slow",
        )
        assert '[White "Aida"]' in str(row["record"])
        assert (await nazgul.told("DELETE", "/api/account"))["ended"] == 1

        (left,) = site.reports.open()
        assert (left.about, left.game, left.reason, left.text, left.record) == (
            identity,
            game,
            ReportReason.STALLING,
            "",
            "",
        )
        assert await aida.told("GET", "/api/account/blocks") == []
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        assert [word for word in (b"anishing",) if word in stored] == []

    on_site(tmp_path, test)
