"""The container file and the site in containers: what they call exists; a long test builds an image and runs it.

    KORGOOL_TEST_BASE=localhost/base python3 run.py test -m long tests/server/test_container.py

`KORGOOL_TEST_BASE` names an image with Python and its venv module. `KORGOOL_TEST_BUILD` and `KORGOOL_TEST_RUN` hold
more options for `podman build` and `podman run`, for machines on which these may not do everything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path
from uuid import uuid4

import httpx
import pytest

from korgool.app.cli.serve import command as serve
from tests.patience import PATIENCE, eventually
from tests.ports import free_ports

from .support import Server

ROOT = Path(__file__).parents[2]
FILE = (ROOT / "Containerfile").read_text(encoding="utf-8")


def said(name: str) -> list[str]:
    """What stands behind an instruction, of each that there is."""
    return re.findall(rf"^{name} (.+)$", FILE.replace("\\\n", " "), re.MULTILINE)


def checks() -> list[str]:
    """The command of the health check."""
    words: list[str] = json.loads(said("HEALTHCHECK")[0].partition("CMD ")[2])
    return words


def test_the_container_file_calls_what_there_is() -> None:
    assert said("FROM") == ["${BASE} AS build", "${BASE}"]
    assert said("USER") == ["1000:1000"]
    assert said("VOLUME") == ["/data"]
    assert json.loads(said("ENTRYPOINT")[0]) == ["korgool"]
    name, *words = json.loads(said("CMD")[0])
    given = serve.make_context(name, words).params
    assert (given["host"], str(given["data"]), str(given["port"])) == ("0.0.0.0", "/data", said("EXPOSE")[0])
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    for needed in (
        "src/korgool/__init__.py",
        "kernel/rules.c",
        "hatch_build.py",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    ):
        assert not any(fnmatch(part, pattern) for part in (needed, needed.split("/")[0]) for pattern in ignored), needed


def test_the_health_check_is_that_of_the_server(server: Server) -> None:
    """It is content with a server, and not without one."""
    program, option, code = checks()
    assert program == "python"
    port = server.url.rpartition(":")[2]
    (nothing,) = free_ports(1)
    for there, status in ((port, 0), (str(nothing), 1)):
        words = [sys.executable, option, code.replace("127.0.0.1:8000", f"127.0.0.1:{there}")]
        assert subprocess.run(words, capture_output=True, check=False).returncode == status


def test_the_site_in_containers_calls_what_there_is() -> None:
    yaml = pytest.importorskip("yaml", reason="no reader of YAML is installed")
    text = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    services = yaml.safe_load(text.replace("${KORGOOL_NAME}", "example.org"))["services"]
    name, *words = shlex.split(services["korgool"]["command"])
    given = serve.make_context(name, words).params
    assert given["base_url"] == "https://example.org/"
    assert given["database"].split("@")[1].split("/")[0] in services
    assert services["caddy"]["command"].endswith(" --to korgool:8000")
    assert services["korgool"]["build"]["dockerfile"] == "Containerfile"
    assert "ports" not in services["korgool"]
    for service in services.values():
        assert set(service["networks"]) == {"site"}
        assert set(service.get("depends_on", [])) <= set(services)


def podman(*words: str) -> str:
    done = subprocess.run(["podman", *words], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.strip()


@pytest.mark.long
def test_an_image_is_built_and_runs_without_any_right() -> None:
    base = os.environ.get("KORGOOL_TEST_BASE")
    if base is None or shutil.which("podman") is None:
        pytest.skip("podman is not installed, or KORGOOL_TEST_BASE names no image")
    build, run = (shlex.split(os.environ.get(f"KORGOOL_TEST_{name}", "")) for name in ("BUILD", "RUN"))
    name = f"korgool-test-{uuid4().hex[:8]}"
    (port,) = free_ports(1)
    podman("build", "--format", "docker", "--build-arg", f"BASE={base}", "--tag", name, *build, ".")
    few = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "all", "--user", "1000", "--network", "host"]
    words = ["serve", "--data", "/data", "--host", "127.0.0.1", "--port", str(port)]
    try:
        podman("run", "--detach", "--name", name, "--volume", f"{name}:/data", *few, *run, name, *words)
        eventually(lambda: healthy(port), "the server in the container")
        page = httpx.get(f"http://127.0.0.1:{port}/", timeout=PATIENCE)
        assert page.status_code == 200
        look = (
            "import os; print(os.getuid(), [one.split()[1] for one in open('/proc/self/status') if one[:3] == 'Cap'])"
        )
        uid, _, rights = podman("exec", name, "python", "-c", look).partition(" ")
        assert uid == "1000"
        assert not rights.strip("[], '0")
        for place in ("/", "/opt/korgool"):
            tried = ["podman", "exec", name, "python", "-c", f"open('{place}/x', 'w')"]
            assert subprocess.run(tried, capture_output=True, check=False).returncode == 1, place
        podman("stop", "--time", "60", name)
        assert podman("inspect", "--format", "{{.State.ExitCode}}", name) == "0", "SIGTERM ends it in order"
        print(podman("image", "inspect", "--format", "{{.Size}}", name), "bytes")
    finally:
        for gone in (["rm", "--force", name], ["rmi", name], ["volume", "rm", name]):
            subprocess.run(["podman", *gone], capture_output=True, check=False)


def healthy(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code == 200
    except httpx.TransportError:
        return False
