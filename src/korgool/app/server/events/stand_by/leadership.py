"""Agreement on the machine that leads an event: those that may believe so ask each other, and one of them writes.

The log says how often the event was taken over, and from which line. A machine that has not heard of the last take-over
yields to one that has. Where two machines have taken over from the same line, the one to which the printed address
leads goes on. What a machine says of it is proven by the key of the event, which only machines have that received it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from hashlib import sha256
from ipaddress import ip_network
from typing import Any
from urllib.parse import urlencode

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.following.remote_fetch import FetchError, fetch
from korgool.app.server.events.lead_repository import Lead, Leader, proof, proves, with_peers
from korgool.app.server.events.stand_by.repository import StandByRepository
from korgool.app.server.storage.database import Storage
from korgool.competition.codec import compact
from korgool.competition.log.takeovers import takeovers
from korgool.competition.storage.line import Line

EVERY_SECONDS = 5.0
FIRST_SECONDS = 3.0
"""The longest that a start waits for other machines."""
_RECENT_MS = 14 * 86_400_000
"""Events that were not changed for so long are over: nobody asks who leads them."""
_MOST_BYTES = 16_000_000
MOST_STRAYS = 2_000
_NONCE_BYTES = 16
_ALL = (ip_network("0.0.0.0/0"), ip_network("::/0"))
_LOG = logging.getLogger(__name__)


class Leadership:
    """The leadership of the events of this site. Its methods are called on the event loop.

    Attributes:
        machine: tells this machine from others.

    Args:
        storage: the database.
        events: the events.
        settings: those of the server; one without a base URL is in a hall, and asks in its own network.
    """

    def __init__(self, storage: Storage, events: EventRegistry, settings: ServerSettings) -> None:
        self.machine = sha256(f"machine {storage.secret()}".encode()).hexdigest()[:16]
        self._events = events
        self._rows = StandByRepository(storage.engine, storage.lease.fence)
        self._allowed = _ALL if settings.base_url is None else settings.follow_networks
        self._task: asyncio.Task[None] | None = None
        self._given: set[str] = set()

    async def open(self) -> None:
        """Ask the other machines before anybody writes, and then again and again."""
        try:
            async with asyncio.timeout(FIRST_SECONDS):
                await self._ask_all()
        except TimeoutError:
            pass
        self._task = asyncio.create_task(self._go_on())

    async def close(self) -> None:
        """Ask no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def say(self, event: str, nonce: str = "", at: int | None = None) -> dict[str, Any]:
        """All that this machine knows of who leads an event, with a proof where a nonce asks for one.

        Args:
            event: its id.
            nonce: what the proof is to hold.
            at: a line of the log, of which the beginning of its hash is told, with the lines of all take-overs.

        Raises:
            ApiError: 404.
        """
        found = await self._events.find(event)
        moved = takeovers(found.state)
        seq, chain = await self._events.in_thread(lambda: self._rows.head(event))
        lead = await self._events.in_thread(lambda: self._events.leads.find(event))
        said: dict[str, Any] = {
            "event": event,
            "machine": self.machine,
            "leads": lead.leader is None,
            "leader": len(moved),
            "seq": seq,
            "chain16": chain[:16],
            "address": lead.home if lead.leader is None else lead.leader.address,
        }
        if at is not None:
            line = await self._events.in_thread(lambda: self._rows.chain(event, at))
            said |= {"at16": (line or "")[:16], "moved": [number for number, _ in moved]}
        if nonce:
            said["takeovers"] = [[at, action.machine, action.chain] for at, action in moved]
            said["proof"] = proof(await self._events.secret(event), nonce, compact(said))
        return said

    async def receive(self, event: str, machine: str, lines: Sequence[Line], given: str) -> bool:
        """Keep the lines that only a machine has which led before; returns whether its proof is one.

        Raises:
            ApiError: 404.
        """
        await self._events.find(event)
        key = await self._events.secret(event)

        def proven() -> bool:
            return proves(given, key, "strays", machine, compact([line._asdict() for line in lines]))

        if not await self._events.in_thread(proven):
            return False

        def add(lead: Lead) -> Lead:
            known = {one["chain"] for one in lead.strays}
            more = [{**one._asdict(), "machine": machine, "state": "open"} for one in lines if one.chain not in known]
            return replace(lead, strays=(*lead.strays, *more))

        await self._events.lead(event, add)
        return True

    async def _go_on(self) -> None:
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            await self._ask_all()

    async def _ask_all(self) -> None:
        try:
            since = now_ms() - _RECENT_MS
            events = await self._events.in_thread(lambda: self._events.leads.moved(since))
            await asyncio.gather(*(self._ask_about(event) for event in events))
        except Exception:  # the next time comes soon
            _LOG.exception("other machines were not asked")

    async def _ask_about(self, event: str) -> None:
        """Ask the other machines of an event, unless this one knows that it does not lead."""
        lead = await self._events.in_thread(lambda: self._events.leads.find(event))
        if lead.leader is not None:
            await self._give_strays(event, lead.leader)
        rows = await self._events.in_thread(lambda: self._rows.of(event))
        addresses = dict.fromkeys((lead.home, *lead.peers, *(row.address for row in rows)))
        answers = await asyncio.gather(*(self._ask(event, one) for one in addresses if one))
        others = [(address, said) for address, said in zip(filter(None, addresses), answers, strict=True) if said]
        for address, said in others:
            await self._hear(event, address, said)

    async def _ask(self, event: str, address: str) -> dict[str, Any] | None:
        """The proven answer of another machine; None where it is this one, or there is none."""
        nonce = secrets.token_hex(_NONCE_BYTES)
        said = await self._get(f"{address}/api/events/{event}/stand-by/leader?{urlencode({'nonce': nonce})}")
        if not isinstance(said, dict) or said.get("machine") == self.machine or said.get("event") != event:
            return None
        given = said.pop("proof", "")
        return said if proves(given, await self._events.secret(event), nonce, compact(said)) else None

    async def _get(self, address: str) -> Any:
        try:
            found = await fetch(address, allowed=self._allowed, most=_MOST_BYTES)
            return json.loads(found.body or b"null")
        except (FetchError, ValueError):
            return None

    async def _hear(self, event: str, address: str, said: dict[str, Any]) -> None:
        """Draw the conclusion from what another machine says."""
        found = await self._events.find(event)
        own, theirs = takeovers(found.state), said["takeovers"]
        if said["leads"] and found.leader is None:
            later = len(theirs) > len(own)
            same = len(theirs) == len(own) > 0  # two computers may also have the same name
            if later or (same and await self._goes_on(event, said)):
                await self._yield(event, address, theirs)

    async def _goes_on(self, event: str, said: dict[str, Any]) -> bool:
        """Return whether another machine that has taken over from the same line goes on: the printed address leads to
        it, or to neither of the two and it was to have that address. Both come to the same answer."""
        lead = await self._events.in_thread(lambda: self._events.leads.find(event))
        printed = lead.peers[0] if lead.peers else lead.home  # that of the machine before
        found = await self._get(f"{printed}/api/events/{event}/stand-by/leader")
        there = found.get("machine") if isinstance(found, dict) else None
        if there in (said["machine"], self.machine):
            return bool(there == said["machine"])
        ours, theirs = lead.home == printed, said["address"] == printed
        return bool(theirs if ours != theirs else said["machine"] < self.machine)

    async def _yield(self, event: str, address: str, theirs: Sequence[Sequence[Any]]) -> None:
        """Lead no more: note who does, and the last line that is the same there."""
        after = 0
        for at, _, chain in theirs:
            here = await self._events.in_thread(partial(self._rows.chain, event, at - 1))
            if here == chain:
                after = at - 1
            else:
                seq, _ = await self._events.in_thread(lambda: self._rows.head(event))
                after = min(seq, at - 1) if here is None else after
                break
        since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(now_ms() / 1000))
        leader = Leader(str(theirs[-1][1]), address, len(theirs), after, since)
        await self._events.lead(event, lambda lead: replace(lead, leader=leader))
        self._given.discard(event)
        await self._give_strays(event, leader)
        _LOG.warning("the event %s is led by %s at %s from now on", event, leader.machine, address)

    async def _give_strays(self, event: str, leader: Leader) -> None:
        """Give the machine that leads the lines that only this one has, until it has them."""
        if event in self._given:
            return
        lines = await self._events.in_thread(lambda: self._rows.lines(event, leader.after, MOST_STRAYS))
        rows = [line._asdict() for line in lines]
        shown = proof(await self._events.secret(event), "strays", self.machine, compact(rows))
        body = compact({"machine": self.machine, "lines": rows, "proof": shown}).encode()
        source = f"{leader.address}/api/events/{event}/stand-by/strays"
        try:
            if rows:
                await fetch(source, allowed=self._allowed, most=_MOST_BYTES, body=body)
            self._given.add(event)
        except FetchError as error:
            _LOG.info("the lines that only this machine has were not taken: %s", error)

    async def met(self, event: str, home: str) -> None:
        """Note the address under which this machine gives its event to others."""
        lead = await self._events.in_thread(lambda: self._events.leads.find(event))
        if not lead.home:
            await self._events.lead(event, lambda lead: replace(with_peers(lead), home=lead.home or home))
