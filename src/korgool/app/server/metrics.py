"""Figures of a running server for Prometheus, at an address of their own (`korgool serve --metrics`).

Only this module needs `prometheus-client`, and it is loaded only where metrics are asked for. The counts themselves are
always kept (`counts.py`), and are read here when somebody asks, in a thread beside the event loop: a server that is
stuck still tells its figures.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from korgool.app.server.core.counters import Histogram
from korgool.app.server.limits.deadline_pool import pools
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.transport.connection_limiter import ConnectionLimiter
from korgool.app.server.transport.request_tracing import RequestTracing

_EVERY = 0.25
"""Seconds between two measurements of the event loop's lag."""


class ServerCollector(Collector):
    """The figures that a scrape reads.

    Args:
        trace: the requests.
        limiter: the connections.

    Attributes:
        hall: the games, once the server has them.
        lag: how many seconds late the event loop came back.
    """

    def __init__(self, trace: RequestTracing, limiter: ConnectionLimiter) -> None:
        self._trace = trace
        self._limiter = limiter
        self.game_registry: GameRegistry | None = None
        self.lag = Histogram()

    def begin(self, game_registry: GameRegistry) -> None:
        """The server has its games; called on its event loop, whose lag is measured from now on."""
        self.game_registry = game_registry
        loop = asyncio.get_running_loop()

        def beat(due: float) -> None:
            now = loop.time()
            self.lag.add(max(0.0, now - due))
            loop.call_at(now + _EVERY, beat, now + _EVERY)

        beat(loop.time())

    def collect(self) -> Iterator[Metric]:
        """The figures of this moment."""
        requests = CounterMetricFamily(
            "korgool_requests", "requests answered, and live connections begun", labels=["method", "path", "status"]
        )
        for (method, path, status), number in dict(self._trace.requests).items():
            requests.add_metric([method, path, str(status)], number)
        yield requests
        yield _histogram("korgool_request_seconds", "time to the end of an answer", self._trace.seconds)
        yield _gauge("korgool_connections", "open connections", len(self._limiter))
        yield _gauge("korgool_live_connections", "of these, live connections to games", self._limiter.live)
        yield _histogram("korgool_loop_lag_seconds", "how late the event loop comes back", self.lag)
        jobs = GaugeMetricFamily("korgool_pool_jobs", "jobs of the pools of threads", labels=["pool", "state"])
        threads = GaugeMetricFamily("korgool_pool_threads", "threads that a pool may have", labels=["pool"])
        for pool in pools():
            threads.add_metric([pool.name], pool.threads)
            for state, number in (("waiting", pool.waiting), ("working", pool.busy), ("overdue", pool.overdue)):
                jobs.add_metric([pool.name, state], number)
        yield threads
        yield jobs
        if self.game_registry is not None:
            yield from self._games(self.game_registry)

    def _games(self, game_registry: GameRegistry) -> Iterator[Metric]:
        games, writer = game_registry.in_memory, game_registry.storage.writer
        yield _gauge("korgool_games_in_memory", "games in memory", len(games))
        yield _gauge("korgool_games_running", "of these, games that go on", sum(not one.game.over for one in games))
        stored = CounterMetricFamily("korgool_events_stored", "events of games on disk, by kind", labels=["kind"])
        for kind, number in dict(writer.stored).items():
            stored.add_metric([kind], number)
        yield stored
        yield _histogram("korgool_commit_size", "games and other things in a transaction", writer.batches)
        yield _histogram("korgool_commit_seconds", "time of a transaction until it is on disk", writer.seconds)
        waiting = GaugeMetricFamily("korgool_searches_waiting", "searches that wait for a thread", labels=["queue"])
        for queue, number in {**game_registry.room.waiting(), "proof": game_registry.proofs.waiting}.items():
            waiting.add_metric([queue], number)
        yield waiting
        refused = CounterMetricFamily("korgool_refused", "what limits have refused, by limit", labels=["limit"])
        for limit, number in sorted(
            Counter(self._limiter.rate_limiter.refused + game_registry.rate_limiter.refused).items()
        ):
            refused.add_metric([limit], number)
        yield refused
        if game_registry.work.workers is not None:
            yield _gauge("korgool_workers", "worker processes that are alive", game_registry.work.workers)
            left = CounterMetricFamily("korgool_left_to_workers", "searches left to workers", labels=["outcome"])
            for outcome, number in dict(game_registry.work.outcomes).items():
                left.add_metric([outcome], number)
            yield left


def _gauge(name: str, about: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, about, value)


def _histogram(name: str, about: str, spreads: Histogram | dict[str, Histogram]) -> HistogramMetricFamily:
    """A histogram, or one for each path."""
    if isinstance(spreads, Histogram):
        return HistogramMetricFamily(name, about, buckets=_buckets(spreads), sum_value=spreads.total)
    family = HistogramMetricFamily(name, about, labels=["path"])
    for path, spread in dict(spreads).items():
        family.add_metric([path], _buckets(spread), spread.total)
    return family


def _buckets(spread: Histogram) -> list[tuple[str, float]]:
    bounds: Iterable[str] = (*map(str, map(float, spread.bounds)), "+Inf")
    return [(bound, float(number)) for bound, number in zip(bounds, accumulate(spread.counts), strict=True)]


def serve_metrics(host: str, port: int, figures: ServerCollector) -> tuple[str, int]:
    """Answer scrapes in a thread of their own, as long as the process lives.

    Returns:
        Address and port.

    Raises:
        OSError: the address cannot be used.
    """
    registry = CollectorRegistry()
    registry.register(figures)
    ProcessCollector(registry=registry)
    server, _ = start_http_server(port, host, registry)
    return host, server.server_port
