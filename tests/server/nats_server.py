"""A NATS server of a test's own."""

from __future__ import annotations

import shutil
import subprocess

from tests.ports import free_ports


class Nats:
    """It may be killed and started again; where the program is not there, `address` is None.

    Attributes:
        address: as for `korgool serve --bus`.
    """

    def __init__(self) -> None:
        self._program = shutil.which("nats-server")
        self._process: subprocess.Popen[bytes] | None = None
        (self._port,) = free_ports(1)
        self.address = None if self._program is None else f"nats://127.0.0.1:{self._port}"

    def start(self) -> None:
        if self._program is not None:
            quiet = subprocess.DEVNULL
            words = [self._program, "-a", "127.0.0.1", "-p", str(self._port)]
            self._process = subprocess.Popen(words, stdout=quiet, stderr=quiet)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
