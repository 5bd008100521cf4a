"""The pages of a schedule: what people do, and what their pages make of what they hear."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from korgool.app.server.core import wall_clock
from korgool.app.server.play.commands import Said, check

from .simulated import Link
from .support import Json, followed

if TYPE_CHECKING:
    from .schedules import World

CLAIMS = ("repetition", "time", "fourth-offer", "no-show", "gone")
OTHERS = ("offer-draw", "ask-takeback", "add-time", "accept-takeback", "decline-takeback", "decline-draw")
AGAIN = {429, 503}
"""After these a command may be sent again."""


class Tab:
    """A page, of a player or a watcher: it connects again and again, and repeats what has no answer."""

    def __init__(self, world: World, who: str | None, name: str) -> None:
        self.world, self.who, self.name = world, who, name
        self._opened = False
        self.state: Json | None = None
        self.unanswered: dict[str, Json] = {}
        self.said: dict[str, Json] = {}
        self.answers: dict[str, Json] = {}
        self.link: Link | None = None
        self.away_until = 0.0

    async def run(self) -> None:
        """Follow the game until the end of the schedule."""
        loop = self.world.loop
        while True:
            await asyncio.sleep(loop.soon(0.2 if self._opened else 3.0))
            await asyncio.sleep(max(0.0, self.away_until - loop.seconds))
            self._opened = False
            self.link = Link(loop, self.hear, None if self.state is None else self.state["version"])
            self.link.open(lambda link: self.world.serve(link, self.who))
            patience = loop.call_later(60, self.link.left.set)  # a connection that never opens has an end too
            await self.link.left.wait()
            patience.cancel()
            self.link.leave()

    def hear(self, message: Json) -> None:
        """Follow an event, and keep the answers: a command has one."""
        kind = message.get("kind")
        if kind == "open":
            self._opened = True
            for command in self.unanswered.values():
                self.send(command)
        elif "ack" in message or "refused" in message:
            self.answered(message.get("ack") or message["refused"], message)
        elif kind == "state":
            assert self.state is None or message["version"] >= self.state["version"], "the state of yesterday"
            self.state = dict(message["state"])
        elif "version" in message:
            assert self.state is not None
            late = 1000 * self.state["delay"] if self.who is None else 0
            assert wall_clock.now_ms() >= message["at"] + late, "it is told too early"
            self.state = followed(self.state, message)
            self.world.compare(self)

    def answered(self, name: str, answer: Json) -> None:
        """A command has its answer, unless it may be sent again."""
        if answer.get("status") in AGAIN or name not in self.said:
            return
        known = self.answers.setdefault(name, answer)
        told = [(one.get("status"), one["version"] if "ack" in one else 0) for one in (known, answer)]
        assert told[0] == told[1], f"{self.said[name]} got two answers: {known}, {answer}"
        self.unanswered.pop(name, None)

    def send(self, command: Json) -> None:
        if self.link is not None:
            self.link.send(command)

    def act(self, do: str, **values: object) -> None:
        """Say something: once or twice, here and in another tab, or without a live connection."""
        random, name = self.world.random, f"{self.name}{len(self.said)}"
        command = self.said[name] = self.unanswered[name] = {"do": do, "id": name, **values}
        if random.random() < 0.15:
            self.world.task(self.post(command))
            return
        for _ in range(random.choice((1, 1, 2))):
            self.send(command)
        if random.random() < 0.1:
            random.choice(self.world.tabs_of(self.who)).send(command)

    async def post(self, command: Json) -> None:
        """Say it by requests, some of which are cut off, until one is answered."""
        loop, said = self.world.loop, check(Said(**command))
        while command["id"] in self.unanswered:
            await asyncio.sleep(loop.soon(0.1))
            request = self.world.request(self.who, said)
            done, _ = await asyncio.wait({request}, timeout=self.world.random.choice((0.001, 0.02, 5)))
            if not done:
                request.cancel()
            await asyncio.sleep(loop.soon(0.1))
            if done and self.world.random.random() < 0.8:
                answer = await request
                if answer is not None:
                    self.answered(said.id or "", answer)
            await asyncio.sleep(loop.soon(1))

    def do_something(self) -> None:
        """Move if it is this player's turn, or offer, ask, answer and claim; after the game ask for another."""
        state, random = self.state, self.world.random
        assert state is not None
        mine, chance = state["turn"] == state["you"], random.random()
        over = state["outcome"] or state["aborted"]
        asked = [what for what, side in state["offers"].items() if side not in {None, state["you"]}]
        if over and chance < 0.7:
            self.act("rematch")
        elif asked and not over and chance < 0.3:
            self.act(f"{random.choice(('accept', 'decline', 'decline'))}-{asked[0]}")
        elif mine and state["begun"] and chance < 0.85:
            row, version = state[state["you"]], state["version"] - random.choice((0, 0, 0, 0, 0, 1, 3))
            holes = [hole for hole, stones in enumerate(row, 1) if stones] or [1]
            hole = random.choice(holes) if random.random() < 0.95 else random.randint(-1, 10)
            offers = random.random() < (0.1 if state["conduct"] == "friendly" else 0.5)
            self.act("move", hole=hole, version=max(0, version), **({"offer": True} if offers else {}))
        elif chance < 0.9:
            self.act(random.choice(OTHERS))
        elif chance < 0.96:
            self.act("claim", what=random.choice(CLAIMS))
        elif chance < 0.98 and self.answers:
            self.again()
        else:
            self.act(random.choice(("accept-draw", "resign", "abort", "rematch")))

    def again(self) -> None:
        """Send a command again that has made an event."""
        made = [answer["version"] for tab in self.world.players for answer in tab.answers.values() if "ack" in answer]
        own = [name for name, answer in self.answers.items() if "ack" in answer and made.count(answer["version"]) == 1]
        if own:
            self.send(self.said[self.world.random.choice(own)])
