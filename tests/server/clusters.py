"""A PostgreSQL server of a test's own, which may be stopped and started."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


class Cluster:
    """A PostgreSQL server of the test's own, reached by a socket in its folder alone."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self._run("initdb", "--auth=trust", "--username=postgres", "-D", str(folder / "data"))
        self.start()

    def _run(self, program: str, *words: str) -> None:
        # PostgreSQL refuses to run as root.
        person = "postgres" if os.geteuid() == 0 else None
        command, quiet = [str(self.programs / program), *words], subprocess.DEVNULL
        subprocess.run(command, check=True, stdout=quiet, stderr=quiet, cwd="/", timeout=120, user=person, group=person)

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "100", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "100", "-m", "fast", "stop")

    def kill(self) -> None:
        """As if its machine lost its power: nothing is written any more."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "100", "-m", "immediate", "stop")


def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`; a test that needs them is skipped without them."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not places or not (places[-1] / "pg_ctl").exists():
        pytest.skip("there is no PostgreSQL to run")
    if os.geteuid() == 0 and subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return places[-1]


@contextmanager
def running_cluster() -> Iterator[Cluster]:
    """A cluster for the time of a test."""
    found = programs()
    folder = Path(tempfile.mkdtemp(prefix="korgool-", dir="/tmp"))  # a short path, for sockets
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        cluster = Cluster(folder, found)
        try:
            yield cluster
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                cluster.stop()
    finally:
        shutil.rmtree(folder)
