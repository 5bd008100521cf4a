"""Digests of common passwords; digests, so that the source does not show offensive passwords.

Run with the name of a list, this file makes its table: a password on each line, the most common first.
`docs/development.md` says which list it is.
"""

from __future__ import annotations

import sys
from functools import cache
from hashlib import sha256
from pathlib import Path

FILE = Path(__file__).with_suffix(".txt")
COUNT = 5_000
"""So many stand in the file."""
_LEAST = 8
"""Shorter passwords are refused without a list."""
_DIGITS = 8
"""Hexadecimal digits of a digest: of a million other passwords one is taken for a common one."""
_SOURCE = """\
# The first digits of the SHA-256 of common passwords of 8 characters and more, in small letters, sorted.
# From the list of passwords in zxcvbn, which counts them in leaked tables, most common first:
# Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc., (c) 2016 Daniel Wolf; MIT licence.
"""


def is_listed(password: str) -> bool:
    """Return whether a password, in small letters, is one of the common ones."""
    return _digest(password) in _digests()


def _digest(password: str) -> str:
    return sha256(password.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


@cache
def _digests() -> frozenset[str]:
    lines = FILE.read_text(encoding="ascii").splitlines()
    return frozenset(digest for line in lines if not line.startswith("#") for digest in line.split())


def made(words: list[str]) -> str:
    """The text of the file for a list of passwords, the most common first."""
    long = [word for word in dict.fromkeys(word.strip().casefold() for word in words) if len(word) >= _LEAST]
    digests = sorted(map(_digest, long[:COUNT]))
    rows = [" ".join(digests[start : start + 13]) for start in range(0, len(digests), 13)]
    return _SOURCE + "\n".join(rows) + "\n"


if __name__ == "__main__":
    FILE.write_text(made(Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()), encoding="ascii")
