"""The chain of hashes through a log: every line carries a hash of itself and of all lines before it.

Someone who can write the file can also cut off its last lines or compute the whole chain again. Printed papers guard
against that: each carries the head of the chain at that time, and a log without that head at that line is another log.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from korgool.competition.errors import CompetitionError

_DIGITS = 16
_HEAD = re.compile(rf"(\d{{1,9}})[\s:.-]+((?:[0-9a-f][\s-]*){{{_DIGITS}}}(?:[0-9a-f][\s-]*){{0,48}})", re.ASCII)


def link(chain: str, time: str, by: str, reason: str, text: str) -> str:
    """The hash of a line: SHA-256 of the hash before it, and of its time, official, reason and action as JSON."""
    return hashlib.sha256("\x1f".join((chain, time, by, reason, text)).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Head:
    """The head of the chain after a line, short enough for a paper: `39-3f9a-2c71-88ab-01de`.

    Attributes:
        at: the line.
        mark: the first 16 hexadecimal digits of its hash; a match by chance takes 2^64 attempts.
    """

    at: int
    mark: str

    @classmethod
    def of(cls, at: int, chain: str) -> Head:
        """The head of a line with this hash."""
        return cls(at, chain[:_DIGITS])

    @classmethod
    def read(cls, text: str) -> Head:
        """A head as printed, with any blanks or hyphens; the line with its whole hash is accepted too.

        Raises:
            CompetitionError: the text is not a head.
        """
        found = _HEAD.fullmatch(text.strip().lower())
        if found is None:
            raise CompetitionError(f"{text[:80]!r} is no head of a log, such as 39-3f9a-2c71-88ab-01de")
        return cls(int(found[1]), re.sub(r"[\s-]", "", found[2])[:_DIGITS])

    def __str__(self) -> str:
        parts = (self.mark[place : place + 4] for place in range(0, len(self.mark), 4))
        return "-".join((str(self.at), *parts))
