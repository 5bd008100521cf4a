"""Writes the bill of materials (CycloneDX) of a version: Korgool, the parts by others in it, and what it needs.

The list is that of a fresh environment into which the wheel is installed with every part a user can ask for, licence
texts included. It names versions of the day of the release; a later installation may bring newer ones.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from korgool import __version__
from release.building import ROOT

PARTS = "all,postgresql,queue,nats"
OTHERS = {
    "zxcvbn": "Digests of common passwords, made from its list.",
    "zig": "Functions that its compiler adds to the kernel, such as a copy of memory.",
}
"""Parts by others within the wheel, by the name of their licence text in `licenses/`."""


def write(wheel: Path, to: Path) -> Path:
    """Write `korgool-VERSION.cdx.json` for a wheel that fits this machine; its path.

    Raises:
        RuntimeError: the packages cannot be had, or the list does not validate.
    """
    path = to / f"korgool-{__version__}.cdx.json"
    with tempfile.TemporaryDirectory() as scratch:
        python = Path(scratch, "venv", "bin", "python")
        _run([sys.executable, "-m", "venv", "--without-pip", str(python.parents[1])])
        wanted = f"korgool[{PARTS}] @ {wheel.resolve().as_uri()}"
        _run([str(Path(sys.executable).with_name("uv")), "pip", "install", "-q", "--python", str(python), wanted])
        for where in python.parents[1].glob("lib/*/site-packages/korgool-*/direct_url.json"):
            where.unlink()  # the folder of the wheel is nobody's business
        program = [str(Path(sys.executable).with_name("cyclonedx-py")), "environment", "--mc-type", "application"]
        program += ["--pyproject", str(ROOT / "pyproject.toml"), "--gather-license-texts", "--output-reproducible"]
        _run([*program, "--short-PURLs", "-o", str(path), str(python)])
    path.write_text(
        json.dumps(completed(json.loads(path.read_text(encoding="utf-8"))), indent=1) + "\n", encoding="utf-8"
    )
    return path


def completed(bill: dict[str, object]) -> dict[str, object]:
    """The bill with the version, which pyproject.toml leaves to the package, and the parts by others."""
    metadata, components = bill["metadata"], bill["components"]
    assert isinstance(metadata, dict)
    assert isinstance(components, list)
    metadata["component"]["version"] = __version__
    parts = []
    for name, description in OTHERS.items():
        text = (ROOT / "licenses" / f"{name}.txt").read_text(encoding="utf-8")
        licence = {"license": {"id": "MIT", "text": {"content": text, "contentType": "text/plain"}}}
        parts.append(
            {
                "type": "library",
                "name": name,
                "bom-ref": f"within-{name}",
                "description": description,
                "licenses": [licence],
            }
        )
    metadata["component"]["components"] = parts
    return {**bill, "components": [one for one in components if one["name"] != "korgool"]}


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{Path(command[0]).name} failed: {done.stdout}{done.stderr}")
