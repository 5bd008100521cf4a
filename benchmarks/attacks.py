"""The cost of attacks for everybody else: the median time of `/healthz` and of an honest player's move, with and
without.

    python benchmarks/attacks.py [--seconds S] [--descriptors N] [--limits FILE|off] [ATTACK ...]

Each attack has its own server. The attackers are a separate process and come from 127.0.0.2; the honest player, from
127.0.0.1, plays level 1 without a device that thinks. A move is timed until its acknowledgement, and the reply from
there until the engine's move. The last column shows the answers that the attackers got.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from websockets.sync.client import connect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.attacks.attackers import every_attack  # noqa: E402

_WARM = 1.0
_BOUND = 30.0
"""Milliseconds that a median may reach even where it is more than three times the quiet one."""


@dataclass
class Times:
    """Milliseconds of one phase."""

    health: list[float] = field(default_factory=list)
    move: list[float] = field(default_factory=list)
    reply: list[float] = field(default_factory=list)
    processor: float = 0.0
    """The share of one processor that the server took."""


class Honest:
    """A player against level 1, over HTTP with a live connection, as a page plays."""

    def __init__(self, url: str) -> None:
        self.client = httpx.Client(base_url=url, timeout=60)
        self.url = url
        self.new_game()

    def new_game(self) -> None:
        """Begin."""
        page = self.client.get("/")
        page.raise_for_status()
        token = re.search(r'name="_csrf_token" value="([^"]+)"', page.text)
        self.token = token.group(1) if token else ""
        form = {"_csrf_token": self.token, "game": "toguz", "side": "white", "level": "1", "clock": "none"}
        answer = self.client.post("/games", data=form)
        assert answer.status_code == 303, answer.text
        self.game = answer.headers["location"].removeprefix("/games/")
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        address = f"{self.url.replace('http', 'ws', 1)}/api/games/{self.game}/live?since=0"
        self.live = connect(address, additional_headers={"cookie": cookies, "origin": self.url}, legacy=True)
        self.event = self.hear()

    def hear(self) -> dict[str, Any]:
        """The next event; who is there is passed over."""
        while "version" not in (event := json.loads(self.live.recv(timeout=60))):
            continue
        found: dict[str, Any] = event
        return found

    def step(self, times: Times) -> None:
        """One look at /healthz, one move and its reply."""
        began = time.perf_counter()
        self.client.get("/healthz").raise_for_status()
        times.health.append(1000 * (time.perf_counter() - began))
        if "outcome" in self.event:
            self.live.close()
            self.new_game()
            return
        body = {"hole": self.event["legal"][0], "version": self.event["version"]}
        began = time.perf_counter()
        answer = self.client.post(f"/api/games/{self.game}/move", json=body, headers={"x-csrftoken": self.token})
        answer.raise_for_status()
        acknowledged = time.perf_counter()
        times.move.append(1000 * (acknowledged - began))
        until = body["version"] + 2
        while True:
            self.event = self.hear()
            if self.event["version"] >= until or "outcome" in self.event:
                break
        times.reply.append(1000 * (time.perf_counter() - acknowledged))


def play(honest: Honest, seconds: float, process: int) -> Times:
    """Some seconds, at a pace of 20 moves a second at most."""
    times = Times()
    began, spent = time.monotonic(), processor_seconds(process)
    while time.monotonic() < began + seconds:
        honest.step(times)
        time.sleep(0.05)
    times.processor = (processor_seconds(process) - spent) / (time.monotonic() - began)
    return times


def processor_seconds(process: int) -> float:
    """What a process has taken so far, by Linux's account."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measure(name: str, seconds: float, descriptors: int, limits: str | None) -> bool:
    """Print one line; whether everything stayed within the bound."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "log")
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", folder]
        command += ["--limits", limits] if limits else []
        with log.open("w") as stderr:
            command = ["sh", "-c", f'ulimit -n {descriptors} && exec "$0" "$@"', *command]
            server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr, text=True)
        assert server.stdout is not None
        url = server.stdout.readline().strip().rstrip("/")
        try:
            honest = Honest(url)
            play(honest, _WARM, server.pid)
            quiet = play(honest, seconds, server.pid)
            attackers = [sys.executable, "-m", "tests.attacks.attackers", name, url, honest.game]
            attack = subprocess.Popen(
                [*attackers, str(seconds + 3 * _WARM)], stdout=subprocess.PIPE, text=True, cwd=ROOT
            )
            try:
                time.sleep(_WARM)
                try:
                    loud = play(honest, seconds, server.pid)
                except (httpx.HTTPError, TimeoutError, OSError) as error:
                    print(f"{name:14} the honest player got no answer: {error!r}")
                    return False
                loot = attack.communicate(timeout=60)[0].strip()
            finally:
                attack.kill()
                attack.wait()
        finally:
            server.terminate()
            try:
                server.wait(15)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
        size = log.stat().st_size
    cells, good = [], True
    for phase in ("health", "move", "reply"):
        before, after = median(getattr(quiet, phase)), median(getattr(loud, phase))
        good &= after <= max(3 * before, _BOUND)
        cells.append(f"{before:7.1f} {after:8.1f} {after / before:6.1f}")
    cells.append(f"{100 * quiet.processor:6.0f} {100 * loud.processor:8.0f}")
    print(f"{name:14} {'  '.join(cells)}  {'ok  ' if good else 'SLOW'} log {size / 1024:6.1f} KiB  {loot}", flush=True)
    return good


def main() -> None:
    """Measure, bounded in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("attacks", nargs="*", metavar="ATTACK", help=f"of {', '.join(every_attack())}; all without it")
    parser.add_argument("--seconds", type=float, default=5.0, help="of each phase")
    parser.add_argument("--descriptors", type=int, default=1024, help="file descriptors of the server")
    parser.add_argument("--limits", help="passed on to the server")
    options = parser.parse_args()
    columns = [f"{name:>7} {'attacked':>8} {'ratio':>6}" for name in ("healthz", "move", "reply")]
    print(f"{'ms':14} {'  '.join(columns)}  {'CPU %':>6} {'attacked':>8}")
    chosen = options.attacks or list(every_attack())
    slow = [name for name in chosen if not measure(name, options.seconds, options.descriptors, options.limits)]
    print(f"beyond three times the quiet median and {_BOUND:.0f} ms: {', '.join(slow) or 'none'}")


if __name__ == "__main__":
    main()
