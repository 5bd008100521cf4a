"""Every extra is to be had as wheels alone on every system of Korgool's own; this asks an index, so on request."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hatch_build import TARGETS

ROOT = Path(__file__).parents[2]
SYSTEMS = {
    "linux-x86_64": "x86_64-unknown-linux-gnu",
    "linux-aarch64": "aarch64-unknown-linux-gnu",
    "musl-x86_64": "x86_64-unknown-linux-musl",
    "musl-aarch64": "aarch64-unknown-linux-musl",
    "macos-x86_64": "x86_64-apple-darwin",
    "macos-arm64": "aarch64-apple-darwin",
    "windows-x86_64": "x86_64-pc-windows-msvc",
    "windows-arm64": "aarch64-pc-windows-msvc",
}
"""What uv calls the targets."""
OTHERS = {"test", "docs", "train", "release"}
"""Extras of those who work on Korgool."""


def extras(system: str) -> list[str]:
    """What is promised on a system: for Windows on ARM neither Typst nor psycopg's library is there as a wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lacking = {"all", "serve", "print", "postgresql", "queue"} if system == "windows-arm64" else set()
    return sorted(set(project["optional-dependencies"]) - OTHERS - lacking)


def test_every_target_has_a_name_for_the_trial() -> None:
    assert set(SYSTEMS) == set(TARGETS)
    assert {"serve", "event", "print", "push", "metrics", "all", "postgresql"} <= set(extras("macos-x86_64"))
    assert {"event", "push"} <= set(extras("windows-arm64"))


@pytest.mark.long
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_extras_need_no_source_archive(system: str, version: str) -> None:
    """uv knows what a requirement's marker says on a system that is not this one; pip does not."""
    uv = next(
        (path for path in (Path(sys.executable).with_name("uv"), shutil.which("uv")) if path and Path(path).exists()),
        None,
    )
    if uv is None:
        pytest.skip("no uv here; the release extra brings it")
    command = [str(uv), "pip", "compile", "--quiet", "--only-binary", ":all:", "--python-version", version]
    command += ["--python-platform", SYSTEMS[system], str(ROOT / "pyproject.toml")]
    done = subprocess.run(
        [*command, *(word for extra in extras(system) for word in ("--extra", extra))],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
