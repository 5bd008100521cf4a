"""Every platform's wheel, built twice, looked at and run; minutes, so only on request."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from threading import Barrier

import pytest

from hatch_build import TARGETS
from release.building import together

ROOT = Path(__file__).parents[2]


@pytest.mark.long
def test_every_wheel_is_built_alike_twice_and_plays_the_same(tmp_path: Path) -> None:
    pytest.importorskip("lief", reason="the release extra is not installed")
    command = [sys.executable, "-m", "release.wheels", "--to", str(tmp_path), "--twice"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    wheels = sorted(tmp_path.glob("*.whl"))
    assert {wheel.name.removeprefix("korgool-").partition("-")[2] for wheel in wheels} == {
        f"{target.tag}.whl" for target in TARGETS.values()
    }
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            names = archive.namelist()
        assert [name for name in names if "__pycache__" in name or name.endswith("/lock")] == []
        assert any(name.endswith(".dist-info/licenses/licenses/zxcvbn.txt") for name in names)


def test_builds_share_the_processors_and_keep_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    both = Barrier(2, timeout=60)

    def work(name: str) -> str:
        if name in {"a", "b"}:
            both.wait()  # passes only if two are built at a time
        if name == "d":
            raise RuntimeError("d was not built")
        return name.upper()

    assert together(work, ["a", "b", "c"]) == ["A", "B", "C"]
    with pytest.raises(RuntimeError, match="d was not built"):
        together(work, ["c", "d"])
