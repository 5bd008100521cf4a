"""Blocks: who is on whose list, and that no game brings the two together again."""

from __future__ import annotations

from pathlib import Path

from korgool.app.server.now import now_ms
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

            with site.keeper.ledger.writing() as connection:
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

            with site.keeper.ledger.writing() as connection:
                connection.execute(blocks.delete())
            assert (await accepts.told("POST", f"/api/games/{counted}/rematch"))["kind"] == "rematch"
            await accepts.told("POST", f"/api/challenges/{in_lobby['id']}/accept")

    on_site(tmp_path, test)
