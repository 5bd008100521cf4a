"""What pages cost when a site has grown: processor time of every page and GET of the API, and SQLite's steps for it.

    python benchmarks/growth.py [--games 200000] [--accounts 20000] [--statistics]

A database is filled by SQL, within a minute, and every door that is only looked through is tried in this process by
somebody who has played a tenth of all games. The second of two answers counts; the first also reads what is kept for a
second or two. `--statistics` makes the statistics that a server makes by itself after its start. The loop in plain
Python says how fast the machine is at the moment.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from korgool.app.server.http.responses import warm_up_tasks
from korgool.app.server.storage.planner_statistics import renew_statistics
from korgool.competition.model import Settings
from tests.server.desk_events import at_desk
from tests.server.doors import doors
from tests.server.grown import Size, grow
from tests.server.members import Site, on_site
from tests.server.test_growth import FILES, Asked, places_of


def loop_seconds() -> float:
    """Processor time of a million rounds of plain Python."""
    began = time.process_time()
    for _ in range(1_000_000):
        pass
    return time.process_time() - began


def main() -> None:
    """Fill, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200_000)
    parser.add_argument("--accounts", type=int, default=20_000)
    parser.add_argument("--statistics", action="store_true")
    options = parser.parse_args()

    async def measure(site: Site) -> None:
        desk = await at_desk(site, "Heroine", Settings(name="Cup"), *(f"Player{number}" for number in range(8)))
        await desk.do({"do": "publish"}, {"do": "pair", "round": 1})
        hero = (await desk.browser.told("GET", "/api/account"))["id"]
        storage = site.app.state.game_registry.storage
        grow(storage, hero, Size(options.games, options.accounts), desk.competition.id)
        if options.statistics:
            renew_statistics(storage.engine)
        for work in warm_up_tasks():  # so that nothing of it is done beside what is measured
            work()
        asked, found = Asked(storage.engine), []
        for door in doors():
            if not door.looks or door.path.startswith(("/static", "/openapi")) or door.path in FILES:
                continue
            times, steps = [], asked.all_steps
            for _ in range(2):
                began = time.process_time()
                await desk.browser.client.get(door.at(**places_of(desk)), headers={"accept": "text/html"})
                times.append(1000 * (time.process_time() - began))
            found.append((times[1], times[0], asked.all_steps - steps, door.path))
        print(f"a million rounds of plain Python: {1000 * loop_seconds():.0f} ms")
        print("ms of processor time, ms the first time, thousand steps of SQLite in both")
        for again, first, steps, path in sorted(found, reverse=True)[:25]:
            print(f"{again:7.1f} {first:7.1f} {steps / 1000:7.0f}  {path}")

    with tempfile.TemporaryDirectory() as folder:
        on_site(Path(folder), measure)


if __name__ == "__main__":
    main()
