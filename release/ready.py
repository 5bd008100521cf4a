"""Whether a version may be published: `python3 -m release.ready v0.1.0`, with the tag. Needs Python alone.

The workflow asks before it builds anything. Each thing that is missing is a line on standard error, and the status 1.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_PAGE = re.compile(r"https://[^\s/]+\.\S+")
_CONTACT = re.compile(rf"(?:mailto:)?[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+|{_PAGE.pattern}")
"""An e-mail address or a page."""


def missing(tag: str, root: Path) -> list[str]:
    """What a version lacks before it may be published; empty if nothing.

    Args:
        tag: that is pushed, such as `v0.1.0`.
        root: of the sources.
    """
    module = (root / "src" / "korgool" / "__init__.py").read_text(encoding="utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    changes = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', module, re.M)
    version = found[1] if found else ""
    lacking = []
    if not version or tag != f"v{version}":
        lacking.append(f"the tag is {tag!r}, and __version__ in src/korgool/__init__.py is {version!r}")
    if not re.search(rf"^## {re.escape(version)} \(\d{{4}}-\d\d-\d\d\)$", changes, re.M):
        lacking.append(f"CHANGELOG.md has no section '## {version} (YEAR-MONTH-DAY)'")
    settings = project.get("tool", {}).get("korgool", {}).get("release", {})
    contact = settings.get("security-contact", "")
    where = "security-contact in [tool.korgool.release] of pyproject.toml"
    if not contact:
        lacking.append(f"{where} is empty: enter the address where security problems are reported")
    elif not isinstance(contact, str) or not _CONTACT.fullmatch(contact):
        lacking.append(f"{where} is {contact!r}, which is neither an e-mail address nor the https address of a page")
    for name, address in settings.get("urls", {}).items():
        place = f"{name} in [tool.korgool.release.urls] of pyproject.toml"
        if not address:
            lacking.append(f"{place} is empty: enter the address, or remove the line")
        elif not isinstance(address, str) or not _PAGE.fullmatch(address):
            lacking.append(f"{place} is {address!r}, which is not the https address of a page")
    return lacking


def main(arguments: list[str]) -> int:
    """Tell what is missing; the status is 0 if nothing is."""
    if len(arguments) != 1:
        print("usage: python3 -m release.ready TAG", file=sys.stderr)
        return 2
    lacking = missing(arguments[0], ROOT)
    for one in lacking:
        print(f"not to be published: {one}", file=sys.stderr)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
