"""Runs the platform as its own server: `korgool serve`."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from ipaddress import IPv6Network
from types import FrameType
from typing import TYPE_CHECKING

import uvicorn
from litestar import Litestar
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from korgool.app.server.application import create_app
from korgool.app.server.core.logs import Form, configure_logging, handle_loop_problem
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits.caller import Network
from korgool.app.server.limits.deadline_pool import END_SECONDS, end_within, leave_hung
from korgool.app.server.transport.address_limiter import AddressLimiter
from korgool.app.server.transport.connection_limiter import ConnectionLimiter, ServerConfig, raise_descriptors
from korgool.app.server.transport.http_protocol import LimitedHttp
from korgool.app.server.transport.request_tracing import RequestTracing
from korgool.app.server.transport.websocket_protocol import LimitedWebSocket

if TYPE_CHECKING:
    from korgool.app.server.metrics import ServerCollector

_GRACE_SECONDS = 4
"""The most seconds that the end waits for answers on their way: for what is being written to disk, mostly."""
_LAST_SECONDS = 1.0
"""Seconds after a second signal in which the process ends, whatever it waits for."""
_BACKLOG = 1024
_ACCEPTED = 16
"""Connections accepted in one round of the event loop: existing ones are served in between."""
_LAST_ROUNDS = 8
"""Rounds of the event loop in which the request of a connection just accepted is read, twice as many as it takes."""
_SWITCH_SECONDS = 0.0005
"""Seconds after which a computing thread yields to the event loop; Python's default of 5 ms would delay a request ten
times."""
_COLLECT = 20_000, 20, 50
"""Thresholds of the garbage collector. Games are values without circles, so it need not look for circles often."""
_UNLIMITED = 10 * 365 * 24 * 3600


class ServeError(ValueError):
    """The server cannot start, with the reason and advice."""


async def _pass(rounds: int) -> None:
    """Let the event loop do what it finds to do in so many rounds."""
    for _ in range(rounds):
        await asyncio.sleep(0)


class _Server(uvicorn.Server):
    """A server that reports its address as soon as it answers, and its end."""

    def __init__(
        self, app: Litestar, address: str, limiter: ConnectionLimiter, drain: float,
        ready: Callable[[str], None], ended: Callable[[], None],
    ) -> None:  # fmt: skip
        self._ready, self._ended = ready, ended
        self.figures: ServerCollector | None = None
        self._address = address
        self._drain = drain
        self._until: float | None = None
        self._site = app
        limits = limiter.limits
        proxies = [form for network in limiter.proxies for form in _forms(network)]
        self.trace = RequestTracing(
            ProxyHeadersMiddleware(AddressLimiter(app, limiter, app.state.site.over_tls), proxies),
            limiter.proxies,
        )
        super().__init__(
            ServerConfig(
                self.trace,
                limiter,
                http=LimitedHttp,
                lifespan="on",
                ws=LimitedWebSocket,
                ws_max_size=1024,
                ws_per_message_deflate=False,
                ws_ping_interval=limits.ping_seconds or 20.0,
                ws_ping_timeout=limits.ping_seconds,
                timeout_keep_alive=_UNLIMITED if limits.idle_seconds is None else limits.idle_seconds,
                backlog=_ACCEPTED,
                proxy_headers=False,
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=_GRACE_SECONDS,
            )
        )

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        asyncio.get_running_loop().set_exception_handler(handle_loop_problem)
        await super().startup(sockets)
        for listener in sockets or ():
            listener.listen(_BACKLOG)  # uvicorn has set the length of the queue to the number accepted at once
        if self.started:
            if self.figures is not None:
                self.figures.begin(self._site.state.game_registry)
            self._ready(self._address)

    async def on_tick(self, counter: int) -> bool:
        """Return whether the server ends now. For the seconds of `drain` after the first signal it goes on, but its
        health says that it is about to stop."""
        if not await super().on_tick(counter):
            return False
        now = asyncio.get_running_loop().time()
        if self._until is None:
            self._until = now + self._drain
            self._site.state.game_registry.leaving = True
        return self.force_exit or now >= self._until

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer whoever waits for news first: otherwise their requests hold up the end, and are broken off. Then read
        all that came before the signal: data left unread would reset its connection instead of answering it."""
        self._site.state.challenge_service.close()
        self._site.state.game_registry.personal_news.close()
        self._site.state.stand_bys.close()
        await _pass(_BACKLOG // _ACCEPTED)  # whoever waits to be accepted is
        for listener in self.servers:
            listener.close()
        await _pass(_LAST_ROUNDS)
        await super().shutdown(sockets)
        self._ended()  # here, because uvicorn sends itself the signal again afterwards

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End in order at the first signal; a second one waits for nobody, which loses nothing that was
        acknowledged."""
        if not self.should_exit:
            end_within(self._drain + END_SECONDS)
        if self.should_exit and not self.force_exit:
            self.force_exit = True
            end = threading.Timer(_LAST_SECONDS, os._exit, (128 + sig,))
            end.daemon = True
            end.start()
        self.should_exit = True


def serve(
    host: str,
    port: int,
    settings: ServerSettings,
    ready: Callable[[str], None],
    ended: Callable[[], None] = lambda: None,
    shown: str | None = None,
    drain: float = 0.0,
    log: Form = "text",
    log_level: str = "warning",
    metrics: tuple[str, int] | None = None,
) -> None:
    """Serve the platform until SIGINT or SIGTERM.

    At the end, what people have sent is put on disk and acknowledged before their connections are closed.

    Args:
        host: the address to listen on.
        port: the port, 0 for a free one.
        settings: all other settings; `host` replaces theirs.
        ready: called with the address, such as `http://HOST:PORT/`, when the server answers.
        ended: called when everybody has their answer and the connections are closed.
        shown: the host that the printed address names, if it is not `host`.
        drain: seconds between the signal and the end in which a balancer learns from `/healthz` to send nobody here.
        log: the form of the log on stderr.
        log_level: the least level that is written: `debug`, `info`, which tells every request, `warning` or `error`.
        metrics: the address and port at which Prometheus reads the figures of `metrics.py`; None for nowhere.

    Raises:
        ValueError: a port is in use, or the database cannot be used; the message says which and what to do.
    """
    listener = _listen(host, port)
    with listener:
        limiter = ConnectionLimiter(settings.limits, settings.proxies, raise_descriptors())
        configure_logging(log, log_level)
        sys.setswitchinterval(_SWITCH_SECONDS)
        app = create_app(replace(settings, host=host))
        gc.freeze()  # what stays as long as the process is never looked through again
        gc.set_threshold(*_COLLECT)
        gc.enable()
        shown = shown or host
        shown = f"[{shown}]" if ":" in shown else shown
        server = _Server(app, f"http://{shown}:{listener.getsockname()[1]}/", limiter, drain, ready, ended)
        if metrics is not None:
            server.figures = _serve_metrics(metrics, server.trace, limiter)
        with suppress(KeyboardInterrupt):
            asyncio.run(server.serve(sockets=[listener]))
        leave_hung()


def _serve_metrics(place: tuple[str, int], trace: RequestTracing, limiter: ConnectionLimiter) -> ServerCollector:
    from korgool.app.server.metrics import ServerCollector, serve_metrics

    figures = ServerCollector(trace, limiter)
    try:
        host, port = serve_metrics(*place, figures)
    except OSError as error:
        raise ServeError(
            f"cannot listen on {place[0]}, port {place[1]}: {_reason(error)}; choose another address by --metrics"
        ) from None
    shown = f"[{host}]" if ":" in host else host
    print(f"Metrics are at http://{shown}:{port}/metrics", file=sys.stderr, flush=True)
    return figures


def _reason(error: OSError) -> str:
    return os.strerror(error.errno) if error.errno and error.errno > 0 else str(error.strerror)


def _forms(network: Network) -> list[str]:
    """A network as uvicorn compares it: a socket for IPv6 reports IPv4 addresses as `::ffff:192.0.2.1`."""
    if isinstance(network, IPv6Network):
        return [str(network)]
    return [str(network), f"::ffff:{network.network_address}/{96 + network.prefixlen}"]


def check_port(host: str, port: int) -> None:
    """Raise ValueError where nobody can listen there now."""
    _listen(host, port).close()


def _listen(host: str, port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise ServeError(f"there is no port {port}; ports are 1 to 65535, or 0 for a free one")
    listener = None
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        # asyncio turns delays off (TCP_NODELAY) only where the socket says that it is TCP: 40 ms an answer.
        listener = socket.socket(family, kind, socket.IPPROTO_TCP)
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
        return listener
    except OSError as error:
        if listener is not None:
            listener.close()
        raise ServeError(
            f"cannot listen on {host}, port {port}: {_reason(error)}; "
            "choose another port by --port (0 for any free one)"
        ) from None
