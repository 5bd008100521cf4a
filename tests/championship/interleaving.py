"""Two officials, twenty phones and the link of a second machine, in an order that chance chooses, several at once.

What the end is compared with is read from the log by other means: the rule of two reports is written anew here.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Coroutine
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

from korgool.competition import EventFile
from korgool.competition.audit import check
from korgool.competition.codec import compact
from korgool.competition.pairing.gacrux_here import GacruxHere
from tests.championship.cast import Group, outcome
from tests.server.members import Browser, Site
from tests.server.support import Json
from tests.server.test_event_doors import act, seq_of, tried

GROUPS = (Group("Men", 10, 3), Group("Girls", 10, 3))
CARELESS = 0.1
_CUT = 0.3


@dataclass
class Link:
    """The link of a second machine: it holds lines whose hashes it has checked, and is cut now and then."""

    browser: Browser
    event: str
    lines: list[Json] = field(default_factory=list)

    async def step(self) -> None:
        """Ask for what follows, unless the link is cut."""
        chain = self.lines[-1]["chain"] if self.lines else ""
        path = f"/api/events/{self.event}/stand-by/lines?after={len(self.lines)}&chain={chain}&wait=0&name=Second"
        answer = await self.browser.client.get(path)
        assert answer.status_code == 200, answer.text
        told = [json.loads(one) for one in answer.text.splitlines()]
        for line in (one for one in told if one["kind"] == "line"):
            before = self.lines[-1]["chain"] if self.lines else ""
            parts = (before, line["time"], line["by"], line["reason"], line["action"])
            assert line["at"] == len(self.lines) + 1
            assert line["chain"] == sha256("\x1f".join(parts).encode()).hexdigest()
            self.lines.append(line)


@dataclass
class Seat:
    """A phone at a board."""

    browser: Browser
    path: str
    group: Group
    board: int
    names: tuple[str, str]
    careless: bool
    sent: int = 0

    async def step(self, chance: random.Random) -> None:
        """Report how the game ended; the careless say something else first, take it back, or call a referee."""
        white, black = outcome(self.group, 1, *self.names)
        if self.careless and self.sent == 0:
            white, black = black, white
        won = "white" if white > black else "black" if black > white else "draw"
        fields = {
            "won1": won,
            "stones1": str(max(white, black)),
            "other1": str(min(white, black)),
            "id": f"{self.path[-8:]}{self.sent}",
        }
        door = "report"
        if self.careless and chance.random() < 0.3:
            door, fields = "call", {"about": chance.choice(("rules", "clock", ""))}
        elif self.careless and chance.random() < 0.2:
            fields = {"back": "1"}
        self.sent += 1
        token = self.browser.csrf["x-csrftoken"]
        answer = await self.browser.client.post(f"{self.path}/{door}", data={"_csrf_token": token, **fields})
        assert answer.status_code in (303, 409, 410, 422), answer.text


@dataclass
class Typist:
    """An official who types what lies on the slips, knowing the log up to some line."""

    browser: Browser
    name: str
    event: str
    known: int
    done: list[tuple[int, str, int, tuple[int, int]]] = field(default_factory=list)

    async def step(self, chance: random.Random, boards: dict[tuple[str, int], tuple[Group, tuple[str, str]]]) -> None:
        """Enter a result of some board; what others did meanwhile is refused, and the page is looked at anew."""
        (name, board), (group, names) = chance.choice(list(boards.items()))
        stones = outcome(group, 1, *names)
        text = "{}-{}".format(*stones)
        id_ = f"t{len(self.done)}{chance.randrange(10**9)}"
        one = {"do": "result", "id": id_, "group": name, "round": 1, "board": board, "result": text}
        answer = await tried(self.browser, self.event, one, after=self.known)
        if answer.status_code == 200:
            self.known = int(answer.json()["seq"])
            self.done.append((self.known, name, board, stones))
        else:
            assert answer.status_code in (409, 422), answer.text
            self.known = await seq_of(self.browser, self.event)


async def hall(site: Site, maker: Browser, phones: list[Browser]) -> tuple[str, list[Seat], dict[Any, Any]]:
    """An event of two groups, each with five boards in its first round and a phone at each seat."""
    event = str((await maker.told("POST", "/api/events", {"name": "Cup"}))["id"])
    seats: list[Seat] = []
    boards: dict[Any, Any] = {}
    registry, tables = site.app.state.event_registry, site.app.state.table_phones
    for at, group in enumerate(GROUPS):
        await act(maker, event, await seq_of(maker, event), {
            "do": "group", "name": group.name, "settings": {**group.settings, "phones": True},
        })  # fmt: skip
        entries = [{"do": "enter", "group": group.name, "entry": {"family": f"P{at}{n}"}} for n in range(10)]
        await act(maker, event, await seq_of(maker, event), *entries)
        pair = {"do": "pair", "round": 1, "lot": "x", "group": group.name}
        await act(maker, event, await seq_of(maker, event), pair)
    for group, live in zip(GROUPS, await registry.groups(await registry.find(event)), strict=True):
        games = {one.board: one for one in live.state.rounds[0].games}
        codes = await tables.codes(live, list(games))
        for board, game in games.items():
            names = (live.state.players[game.white].name, live.state.players[game.black].name)
            boards[group.name, board] = (group, names)
            for side in (0, 1):
                phone = phones[len(seats)]
                seats.append(Seat(phone, f"/events/{event}/table/{codes[board][side]}", group, board, names, False))
    return event, seats, boards


async def interleave(site: Site, maker: Browser, typists: list[Browser], phones: list[Browser], seed: int) -> None:
    """One event, until every phone has reported and the typists have tried enough."""
    chance = random.Random(seed)
    event, seats, boards = await hall(site, maker, phones)
    for seat in seats:
        seat.careless = chance.random() < CARELESS
    hands = []
    for at, browser in enumerate(typists):
        given = {"role": "results", "account": f"Typist{'ab'[at]}"}
        await maker.told("POST", f"/api/events/{event}/helpers", given)
        hands.append(Typist(browser, given["account"], event, 1))
    link = Link(maker, event)
    work = [seat for seat in seats for _ in range(3 if seat.careless else 1 + (chance.random() < CARELESS))]
    missing = [seat for seat in seats if chance.random() < CARELESS / 2]
    steps: list[Any] = [one for one in work if one not in missing] + [*hands] * 3 + [link] * 12
    chance.shuffle(steps)
    while steps:
        together = [steps.pop() for _ in range(min(len(steps), chance.randint(1, 5)))]
        tasks: list[tuple[Any, Coroutine[Any, Any, None]]] = []
        for one in together:
            if isinstance(one, Link):
                if one in [other for other, _ in tasks] or chance.random() < _CUT:
                    continue
                tasks.append((one, one.step()))
            elif isinstance(one, Typist):
                tasks.append((one, one.step(chance, boards)))
            else:
                tasks.append((one, one.step(chance)))
        await asyncio.gather(*(task for _, task in tasks))
    await link.step()
    await judge(site.folder, maker, event, link, hands, boards)


async def judge(
    folder: Path, maker: Browser, event: str, link: Link, hands: list[Typist], boards: dict[Any, Any]
) -> None:
    """The second machine has the log, no acknowledged line is lost, and each result is what the log's rule says."""
    file = await maker.ask("GET", f"/api/events/{event}/file")
    path = folder / f"{event}.korgool"
    path.write_bytes(file.content)
    with EventFile.open(path) as book:
        assert [one["chain"] for one in link.lines] == [one.chain for one in book.lines()]
        assert check(book, engine=GacruxHere()) == ()
    groups = await maker.told("GET", f"/api/events/{event}/groups")
    numbers = {one["name"]: int(one["id"].partition("~")[2] or 2) for one in groups}
    for typist in hands:
        for seq, name, board, stones in typist.done:
            line = link.lines[seq - 1]
            action = json.loads(line["action"])
            assert (action["do"], line["by"]) == ("result", typist.name)
            assert (action["group"], action["board"]) == (numbers[name], board)
            assert tuple(action["result"]["stores"]) == stones
    typists = {one.name for one in hands}
    said: dict[Any, dict[str, tuple[str, str]]] = {}
    stands: dict[Any, Any] = {}
    owed: Any = None
    for line in link.lines:
        action = json.loads(line["action"])
        place = (action.get("group", 1), action.get("board"))
        if owed is not None:  # both have said it: the next line is that result
            found = (action["do"], place, compact(action.get("result")))
            assert (found, line["by"] in typists) == (("result", *owed), False)
        if action["do"] == "report":
            assert place not in stands, "what is said of a game ends with its result"
            said.setdefault(place, {})[action["side"]] = (compact(action["result"]), action["device"])
            agreed = len({result for result, _ in said[place].values()}) == 1 and action["result"] is not None
            if agreed and len({device for _, device in said[place].values()}) == 2:
                owed = (place, compact(action["result"]))
        elif action["do"] == "result":
            assert place not in stands
            assert line["by"] in typists or owed is not None
            stands[place] = action["result"]
            owed = None
    assert owed is None
    for group in groups:
        for one in await maker.told("GET", f"/api/events/{group['id']}/rounds/1"):
            held = stands.get((numbers[group["name"]], one["board"]))
            shown = one["stores"] and [one["stores"]["white"], one["stores"]["black"]]
            assert shown == (held and held["stores"])
    assert {number for number, _ in stands} <= {numbers[name] for name, _ in boards}
