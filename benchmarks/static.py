"""The cost of file downloads for everybody else: `/healthz` while connections request an opening book repeatedly.

    python benchmarks/static.py [--connections N] [--seconds S]

Prints the median of `/healthz` without and under that load, and their ratio.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time

import httpx

BOOK = "/static/openings/toguz.json"


async def health(url: str, seconds: float) -> list[float]:
    """Milliseconds of one request after the other."""
    times = []
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        until = time.perf_counter() + seconds
        while time.perf_counter() < until:
            began = time.perf_counter()
            (await client.get("/healthz")).raise_for_status()
            times.append(1000 * (time.perf_counter() - began))
    return times


async def read(url: str, until: float) -> int:
    """How many times one connection gets the book; it takes the packed bytes and does not unpack them."""
    count = 0
    async with httpx.AsyncClient(base_url=url, timeout=60) as client:
        while time.perf_counter() < until:
            async with client.stream("GET", BOOK, headers={"accept-encoding": "gzip"}) as answer:
                async for _ in answer.aiter_raw():
                    pass
            count += 1
    return count


def readers(url: str, connections: int, seconds: float) -> None:
    """Read in a process of its own, so that it does not slow down the one that measures."""

    async def all_of_them() -> int:
        until = time.perf_counter() + seconds
        return sum(await asyncio.gather(*(read(url, until) for _ in range(connections))))

    print(f"{asyncio.run(all_of_them()) / seconds:.0f} books a second")


async def measure(url: str, connections: int, seconds: float) -> tuple[list[float], list[float]]:
    """The times in quiet and under load."""
    quiet = await health(url, seconds)
    command = [sys.executable, __file__, "--read", url, "--connections", str(connections), "--seconds", str(seconds)]
    reader = await asyncio.create_subprocess_exec(*command)
    await asyncio.sleep(1)
    loaded = await health(url, max(1.0, seconds - 1))
    await reader.wait()
    return quiet, loaded


def main() -> None:
    """Measure, bounded in time."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--read", metavar="URL", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.read:
        readers(options.read, options.connections, options.seconds)
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "korgool", "serve", "--port", "0", "--data", folder]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert server.stdout is not None
        try:
            url = server.stdout.readline().strip()
            quiet, loaded = asyncio.run(measure(url, options.connections, options.seconds))
        finally:
            server.terminate()
            server.wait()
    one, other = statistics.median(quiet), statistics.median(loaded)
    print(f"/healthz: median {one:.1f} ms in quiet, {other:.1f} ms beside {options.connections} readers")
    print(f"ratio {other / one:.1f}")


if __name__ == "__main__":
    main()
