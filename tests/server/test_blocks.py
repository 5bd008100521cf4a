"""Blocks: who is on whose list, and that no game brings the two together again."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.accounts import PersonKind, Refused, read_name
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.schema import blocks

from .members import Browser, Site, on_site

REFUSED = (403, "A game with this player is not possible.")
OFFER = {"game": "toguz", "clock": "1d", "side": "white"}


async def refusal(browser: Browser, method: str, path: str, body: object = None) -> tuple[int, str]:
    """The status and the reason of what is refused."""
    answer = await browser.ask(method, path, body)
    return answer.status_code, answer.json().get("detail", "")


async def game_of(white: Browser, black: Browser, **terms: object) -> str:
    """A game that has just begun by a link."""
    made = await white.told("POST", "/api/challenges", {**OFFER, "to": "link", **terms})
    game: str = (await black.told("POST", f"/api/challenges/{made['id']}/accept"))["game"]
    return game


async def over(white: Browser, black: Browser, **terms: object) -> str:
    """A game that has just ended."""
    game = await game_of(white, black, **terms)
    await white.told("POST", f"/api/games/{game}/resign")
    return game


def test_no_game_brings_two_together_of_whom_one_has_blocked_the_other(tmp_path: Path) -> None:
    """By name, by link, in the lobby and by rematch; both are told the same, whoever has blocked."""

    async def test(site: Site) -> None:
        aida, bolot, guest = site.browser(), site.browser(), await site.browser().visit()
        people = {"Aida": (await aida.sign_up("Aida"))["id"], "Bolot": (await bolot.sign_up("Bolot"))["id"]}
        for asks, accepts, name in ((aida, bolot, "Bolot"), (bolot, aida, "Aida")):
            ended, counted = await over(aida, bolot), await over(aida, bolot, rated=True)
            await asks.told("POST", f"/api/games/{counted}/rematch")
            by_link = await asks.told("POST", "/api/challenges", {**OFFER, "to": "link"})
            in_lobby = await asks.told("POST", "/api/challenges", {**OFFER, "to": "lobby"})
            by_name = await asks.told("POST", "/api/challenges", {**OFFER, "to": name})
            assert in_lobby["id"] in [one["id"] for one in await accepts.told("GET", "/api/lobby")]

            with site.keeper.transactions.writing() as connection:
                row = {"account": people["Aida"], "blocked": people["Bolot"], "at_ms": now_ms()}
                connection.execute(blocks.insert().values(row))
            for made in (by_link, in_lobby, by_name):
                assert await refusal(accepts, "POST", f"/api/challenges/{made['id']}/accept") == REFUSED
            assert await refusal(asks, "POST", "/api/challenges", {**OFFER, "to": name}) == REFUSED
            for one in (aida, bolot):
                assert await refusal(one, "POST", f"/api/games/{ended}/rematch") == REFUSED
            assert await refusal(accepts, "POST", f"/api/games/{counted}/rematch") == REFUSED
            assert await accepts.told("GET", "/api/lobby") == []
            assert [one["id"] for one in await asks.told("GET", "/api/lobby")] == [in_lobby["id"]]
            assert len(await guest.told("GET", "/api/lobby")) == 1

            with site.keeper.transactions.writing() as connection:
                connection.execute(blocks.delete())
            assert (await accepts.told("POST", f"/api/games/{counted}/rematch"))["kind"] == "rematch"
            await accepts.told("POST", f"/api/challenges/{in_lobby['id']}/accept")

    on_site(tmp_path, test)


def test_blocks_are_made_listed_and_ended(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, bolot, guest = site.browser(), site.browser(), await site.browser().visit()
        mine = (await aida.sign_up("Aida"))["id"]
        theirs = (await bolot.sign_up("Болот"))["id"]
        with_guest, own = await game_of(aida, guest), "/api/account/blocks"
        visitor = next(who for who in site.app.state.game_registry.known(with_guest).players if who != mine)

        by_name = await aida.told("POST", own, {"name": "болот"})
        by_game = await aida.told("POST", own, {"game": with_guest})
        assert (by_name["name"], by_game["name"][:6]) == ("Болот", "Guest ")
        assert await aida.told("POST", own, {"name": "Болот"}) == by_name, "the first stays"
        answer = await aida.ask("GET", own)
        assert {one["id"]: one for one in answer.json()} == {one["id"]: one for one in (by_name, by_game)}
        exported = await aida.ask("GET", "/api/account/export")
        assert [one["blocked"] for one in exported.json()["tables"]["blocks"]] == ["somebody else"] * 2
        for text in (answer.text, exported.text):
            assert visitor not in text
            assert theirs not in text
        assert await bolot.told("GET", own) == []
        assert await guest.told("GET", own) == []

        assert await bolot.told("DELETE", f"{own}/{by_name['id']}") == {"ended": 0}, "it is somebody else's"
        assert await aida.told("DELETE", f"{own}/{by_name['id']}") == {"ended": 1}
        assert await aida.told("DELETE", f"{own}/{by_name['id']}") == {"ended": 0}
        assert [one["id"] for one in await aida.told("GET", own)] == [by_game["id"]]
        await aida.told("POST", "/api/challenges", {**OFFER, "to": "Болот"})

    on_site(tmp_path, test)


def test_blocks_that_cannot_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("korgool.app.server.people.blocks.repository.MOST_BLOCKS", 1)

    async def test(site: Site) -> None:
        aida, bolot, guest = site.browser(), site.browser(), await site.browser().visit()
        await aida.sign_up("Aida")
        await bolot.sign_up("Bolot")
        made = await aida.told("POST", "/api/challenges", {"game": "toguz", "to": "level:1"})
        theirs = await game_of(bolot, guest)
        child = read_name("Kichine")
        assert not isinstance(child, Refused)
        site.keeper.directory.new(child, now_ms(), kind=PersonKind.CHILD)
        for body, status, reason in (
            ({}, 422, "not both"),
            ({"name": "Bolot", "game": theirs}, 422, "not both"),
            ({"name": "Nobody7"}, 404, "no player of that name"),
            ({"name": "Kichine"}, 404, "no player of that name"),
            ({"name": "aida"}, 422, "to others"),
            ({"game": "x" * 12}, 404, "no such game"),
            ({"game": made["game"]}, 422, "no other player"),
            ({"game": theirs}, 403, "players of this game"),
            ({"name": 7}, 400, "not the JSON"),
        ):
            told = await refusal(aida, "POST", "/api/account/blocks", body)
            assert (told[0], reason in told[1]) == (status, True), (body, told)
        assert (await refusal(guest, "POST", "/api/account/blocks", {"game": theirs}))[0] == 403
        await bolot.told("POST", "/api/account/blocks", {"game": theirs})
        assert (await refusal(bolot, "POST", "/api/account/blocks", {"name": "Aida"})) == (
            422,
            "You can block at most 1 players.",
        )

        ended = await over(aida, bolot)
        await bolot.told("DELETE", "/api/account")
        assert (await refusal(aida, "POST", "/api/account/blocks", {"game": ended}))[0] == 422

    on_site(tmp_path, test)
