"""Caddy and nginx as balancers of a test's own, where they are installed: plain, without stickiness."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.ports import free_ports

_CADDY = """{{
    admin off
    auto_https off
}}
http://127.0.0.1:{port} {{
    reverse_proxy {servers} {{
        lb_policy random
        lb_try_duration 5s
        lb_try_interval 50ms
        fail_duration 1s
    }}
}}
"""
_NGINX = """daemon off;
pid {folder}/pid;
error_log {folder}/errors;
events {{ worker_connections 2048; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    upstream korgool {{
        random;
        {servers}
    }}
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://korgool;
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection $http_connection;
            proxy_read_timeout 1h;
        }}
    }}
}}
"""


class FrontBalancer:
    """A program of the distribution in front of servers that come back at their ports.

    Args:
        name: `caddy` or `nginx`; a test that needs it is skipped without it.
        folder: for its files.

    Attributes:
        servers: the ports of the servers; they do not change after `open`.
        port: its own.
    """

    def __init__(self, name: str, folder: Path) -> None:
        found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
        if found is None:
            pytest.skip(f"{name} is not installed")
        self._name, self._program, self._folder = name, found, folder
        self.servers: Sequence[int] = ()
        (self.port,) = free_ports(1)
        self._process: subprocess.Popen[bytes] | None = None

    async def open(self) -> None:
        self._folder.mkdir()
        if self._name == "caddy":
            servers = " ".join(f"127.0.0.1:{port}" for port in self.servers)
            text, words = _CADDY, ["run", "--adapter", "caddyfile", "--config"]
        else:
            servers = " ".join(f"server 127.0.0.1:{port} max_fails=1 fail_timeout=1s;" for port in self.servers)
            text, words = _NGINX, ["-p", str(self._folder), "-e", "errors", "-c"]
        file = self._folder / "config"
        file.write_text(text.format(port=self.port, servers=servers, folder=self._folder), encoding="utf-8")
        quiet = subprocess.DEVNULL
        around = {**os.environ, "HOME": str(self._folder), "XDG_DATA_HOME": str(self._folder)}
        self._process = subprocess.Popen([self._program, *words, str(file)], stdout=quiet, stderr=quiet, env=around)
        for _ in range(round(PATIENCE / 0.05)):
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", self.port)
            except OSError:
                assert self._process.poll() is None, f"{self._name} has ended"
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return
        raise AssertionError(f"{self._name} does not listen")

    async def close(self) -> None:
        if self._process is not None:
            self._process.terminate()
            await asyncio.to_thread(self._process.wait)
