"""Seconds from the second report at a table to the public page, in a round of so many boards reported by phone.

A server process of its own, an event with one round, and two phones at every board, each with its page open: it asks
every three seconds what is new, as its script does. The boards end by a lot over so many seconds; each time the second
phone reports, a reader asks for the public page of the round until it shows the result.

    python benchmarks/hall_phones.py [--boards 60] [--seconds 30] [--seed 1]
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx

from korgool.app.server.events.tables.codes import Seat, TableCodes

_PASSWORD = "eleven green apples"
_EVERY = 3.0


class Phone:
    """A phone at a table, with its page open.

    Args:
        server: its address.
        path: of the page of the seat.
    """

    def __init__(self, server: str, path: str) -> None:
        self.client = httpx.AsyncClient(base_url=server, timeout=60, headers={"accept": "text/html"}, verify=False)
        self.path = path

    async def open(self) -> None:
        (await self.client.get(self.path)).raise_for_status()

    async def follow(self) -> None:
        """Ask what is new, for ever."""
        await asyncio.sleep(random.random() * _EVERY)
        tag = ""
        while True:
            answer = await self.client.get(f"{self.path}/part", headers={"if-none-match": tag} if tag else {})
            tag = answer.headers.get("etag", tag)
            await asyncio.sleep(_EVERY)

    async def report(self, stones: int) -> None:
        token = self.client.cookies["csrftoken"]
        told = {
            "_csrf_token": token,
            "part": "1",
            "won1": "white",
            "stones1": str(stones),
            "other1": str(150 - stones),
            "id": f"b{time.time_ns()}",
        }
        (await self.client.post(f"{self.path}/report", data=told)).raise_for_status()


async def board_ends(
    reader: httpx.AsyncClient, event: str, board: int, phones: tuple[Phone, Phone], stones: int
) -> float:
    """Both report; seconds from the beginning of the second report until a reader sees the result."""
    await phones[0].report(stones)
    await asyncio.sleep(random.random())
    begun = time.perf_counter()
    sent = asyncio.create_task(phones[1].report(stones))
    row = re.compile(rf'id="b{board}">.*?(?=<tr|</table)', re.S)
    tag = ""
    while True:
        answer = await reader.get(f"/events/{event}/rounds/1", headers={"if-none-match": tag} if tag else {})
        tag = answer.headers.get("etag", tag)
        found = row.search(answer.text)
        if found and "<b>" in found[0]:
            break
        await asyncio.sleep(0.05)
    taken = time.perf_counter() - begun
    await sent
    return taken


async def organise(server: str, boards: int) -> str:
    """A public event whose first round is paired, and whose cards were printed."""
    async with httpx.AsyncClient(base_url=server, timeout=300) as client:
        await client.get("/about")

        async def api(method: str, path: str, body: object) -> Any:
            headers = {"x-csrftoken": client.cookies["csrftoken"]}
            answer = await client.request(method, path, json=body, headers=headers)
            return answer.raise_for_status().json()

        await api("POST", "/api/account", {"name": "Olga", "password": _PASSWORD})
        event: str = (await api("POST", "/api/events", {"name": "Cup", "rounds": 9, "phones": True}))["id"]
        entries = [
            {"do": "enter", "entry": {"family": f"Player{at:03}", "rating": 2400 - at}} for at in range(2 * boards)
        ]
        actions = f"/api/events/{event}/actions"
        seq = (await api("POST", actions, {"after": 1, "actions": entries}))["seq"]
        await api("POST", actions, {"after": seq, "actions": [{"do": "pair", "round": 1, "lot": "a"}]})
        await api("PUT", f"/api/events/{event}", {"public": True})
        (await client.get(f"/events/{event}/desk/papers/print?what=table-cards")).raise_for_status()
        return event


async def measure(server: str, folder: Path, boards: int, seconds: float) -> list[float]:
    event = await organise(server, boards)
    with closing(sqlite3.connect(folder / "korgool.sqlite")) as database:
        (key,) = database.execute("SELECT value FROM secrets WHERE name = ?", (f"tables {event}",)).fetchone()
    codes = TableCodes(key)
    phones = {
        board: tuple(
            Phone(server, f"/events/{event}/table/{codes.code(Seat(1, 1, board, side))}") for side in ("white", "black")
        )
        for board in range(1, boards + 1)
    }
    everybody = [one for pair in phones.values() for one in pair]
    for one in everybody:
        await one.open()
    following = [asyncio.create_task(one.follow()) for one in everybody]

    reader = httpx.AsyncClient(base_url=server, timeout=60, verify=False)

    async def later(board: int) -> float:
        await asyncio.sleep(random.random() * seconds)
        white, black = phones[board]
        return await board_ends(reader, event, board, (white, black), 82 + board % 60)

    taken = await asyncio.gather(*(later(board) for board in phones))
    for task in following:
        task.cancel()
    await reader.aclose()
    return sorted(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--boards", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=30, help="over which the games end")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    random.seed(asked.seed)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", folder, "--limits", "off"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            assert server.stdout is not None
            found = None
            while found is None:
                found = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
            try:
                taken = asyncio.run(measure(found[0], Path(folder), asked.boards, asked.seconds))
            finally:
                server.terminate()
                server.wait()
                spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = time.process_time()
    print(f"processor seconds: server {spent.ru_utime + spent.ru_stime:.1f}, phones and readers {own:.1f}")
    at = min(len(taken) - 1, int(0.99 * len(taken)))
    print(f"{len(taken)} boards, {2 * len(taken)} phones: median {taken[len(taken) // 2]:.3f} s, p99 {taken[at]:.3f} s")


if __name__ == "__main__":
    main()
