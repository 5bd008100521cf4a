"""Attacks on the doors through which people play with each other: lobby, challenges, live games, pictures."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Awaitable, Callable

from tests.attacks.attackers import Attack, Loot, Stranger, frame, until_closed


class Person(Stranger):
    """A guest with a token, from the attackers' address."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.bearer: dict[str, str] = {}

    async def become(self, loot: Loot) -> bool:
        """Become a guest; whether the server lets this address have another."""
        answer = await self.post("/api/guests", {})
        loot.met(answer[0])
        if answer[0] == 201:
            self.bearer = {"Authorization": f"Bearer {answer[1]['token']}"}
        return answer[0] == 201

    async def post(self, path: str, body: object, method: str = "POST") -> tuple[int, dict[str, str]]:
        """A command; its status and its answer."""
        answer = await self.ask(method, path, json.dumps(body).encode(), Content_Type="application/json", **self.bearer)
        return answer.status, json.loads(answer.body or b"{}")

    async def challenge(self, loot: Loot, to: str = "lobby") -> dict[str, str]:
        """Make a challenge; empty where it is refused."""
        status, made = await self.post("/api/challenges", {"game": "toguz", "to": to})
        loot.met(status)
        return made if status == 201 else {}

    async def join(self, game: str) -> int:
        """Upgrade to a live connection; the status of the answer."""
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = {"Upgrade": "websocket", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": key}
        answer = await self.ask("GET", f"/api/games/{game}/live", b"", Connection="Upgrade", **upgrade, **self.bearer)
        return answer.status


async def _many(url: str, loot: Loot, work: Callable[[Person], Awaitable[None]], count: int) -> None:
    """Let so many guests work for ever; whoever is turned away comes again."""

    async def one() -> None:
        while True:
            person = Person(url)
            try:
                if await person.become(loot):
                    while True:
                        await work(person)
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                loot.dropped += 1
            finally:
                person.close()
            await asyncio.sleep(0.1)

    await asyncio.gather(*(one() for _ in range(count)))


async def guests(url: str, game: str, loot: Loot) -> None:
    """Programs that become guests, over and over."""

    async def again(person: Person) -> None:
        await person.become(loot)

    await _many(url, loot, again, 16)


async def challenges(url: str, game: str, loot: Loot) -> None:
    """Challenges in the lobby, made and withdrawn."""

    async def make(person: Person) -> None:
        made = await person.challenge(loot)
        if made:
            loot.met((await person.post(f"/api/challenges/{made['id']}", {}, "DELETE"))[0])

    await _many(url, loot, make, 16)


async def lobby(url: str, game: str, loot: Loot) -> None:
    """A lobby as full as one address can make it, looked at over and over."""

    async def look(person: Person) -> None:
        if not person.cookies:
            person.cookies["full"] = "1"
            for _ in range(20):
                await person.challenge(loot)
        loot.met((await person.ask("GET", "/api/lobby", **person.bearer)).status)

    await _many(url, loot, look, 16)


async def waiting(url: str, game: str, loot: Loot) -> None:
    """Requests that wait for news of a challenge, more than one address may have."""
    maker = Person(url)
    await maker.become(loot)
    made = await maker.challenge(loot, "link")

    async def wait(person: Person) -> None:
        line = Person(url)
        try:
            while True:
                answer = await line.ask("GET", f"/api/challenges/{made['id']}?wait=20", b"", **person.bearer)
                loot.met(answer.status)
                await asyncio.sleep(0.5)
        finally:
            line.close()

    async def wait_often(person: Person) -> None:
        await asyncio.gather(*(wait(person) for _ in range(10)))

    await _many(url, loot, wait_often, 40)


async def talk(url: str, game: str, loot: Loot) -> None:
    """Games at one device and between guests, on which everything is said that can be, as fast as it can be."""
    said: list[dict[str, object]] = [{"do": "say", "phrase": "hello"}, {"do": "offer-draw"}]
    said.append({"do": "claim", "what": "proof"})
    said += [{"do": "move", "hole": hole, "version": 1} for hole in range(1, 10)]
    burst = b"".join(frame(json.dumps(one).encode()) for one in said) * 10

    async def flood(person: Person) -> None:
        own = (await person.challenge(loot, "self")).get("game", game)
        line = Person(url)
        line.bearer = person.bearer
        try:
            loot.met(status := await line.join(own))
            if status != 101:
                await asyncio.sleep(0.1)
                return
            code = await until_closed(line, burst)
            loot.closed[code] = loot.closed.get(code, 0) + 1
        finally:
            line.close()

    await _many(url, loot, flood, 16)


async def pictures(url: str, game: str, loot: Loot) -> None:
    """Pictures of ever other positions, which no cache has."""

    async def draw(person: Person) -> None:
        own = (await person.challenge(loot, "self")).get("game")
        if own is None:
            await asyncio.sleep(0.1)
            return
        for hole in (1, 2, 3, 4):
            version = json.loads((await person.ask("GET", f"/api/games/{own}", **person.bearer)).body)["version"]
            await person.post(f"/api/games/{own}/move", {"hole": hole, "version": version})
            loot.met((await person.ask("GET", f"/games/{own}/picture.png", **person.bearer)).status)

    await _many(url, loot, draw, 16)


async def watched(url: str, game: str, loot: Loot) -> None:
    """The lists of games and the page that shows them, and records of the honest player's game."""
    paths = ("/watch", "/api/running", "/api/finished", f"/games/{game}/record/pgn")

    async def look(person: Person) -> None:
        for path in paths:
            loot.met((await person.ask("GET", path, **person.bearer)).status)

    await _many(url, loot, look, 16)


ATTACKS: dict[str, Attack] = {
    "guests": guests,
    "challenges": challenges,
    "lobby": lobby,
    "waiting": waiting,
    "talk": talk,
    "pictures": pictures,
    "watched lists": watched,
}
