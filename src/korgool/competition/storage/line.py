"""`Line`: a line of a log as it is kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from korgool.competition.actions import Logged
from korgool.competition.codec import JsonError, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import Done
from korgool.competition.storage.hash_chain import link
from korgool.competition.storage.sealing import fits, is_sealed, lacking, seal, unseal, was


class Line(NamedTuple):
    """A line of a log as it is kept; see `actions.Logged`.

    Attributes:
        reason: empty unless the line is of format 1, in which nothing was sealed.
        action: the public text of the action (`sealing`).
        chain: the hash of this line without its details and of all lines before it.
        details: the private parts with their salts; empty if there are none, or all were removed.
    """

    at: int
    time: str
    by: str
    reason: str
    action: str
    chain: str
    details: str = ""

    @classmethod
    def after(cls, at: int, chain: str, time: str, by: str, text: str, details: str) -> Line:
        """The sealed line after `at` lines, the last of which has the hash `chain`."""
        return cls(at + 1, time, by, "", text, link(chain, time, by, "", text), details)

    def done(self) -> Done:
        """The action and its reason; raises CompetitionError if the line holds none."""
        try:
            return unseal(self.action, self.details, self.reason)
        except JsonError as error:
            raise CompetitionError(f"line {self.at} of the log cannot be read: {error}") from error

    def logged(self) -> Logged:
        """The line for readers; raises what `done` raises."""
        action, reason = self.done()
        return Logged(self.at, self.time, self.by, reason, action)

    @property
    def open(self) -> bool:
        """True if it is a line of format 1 with something that format 2 keeps apart."""
        return not is_sealed(self.action) and bool(seal(*self.done()).details)

    def follows(self, chain: str) -> bool:
        """Return whether the line is as it was written after a line with this hash, and its details are its own."""
        return link(chain, self.time, self.by, self.reason, self.action) == self.chain and fits(
            self.action, self.details
        )

    def old_chain(self) -> str:
        """The hash of the line in format 1, empty if it was never there."""
        try:
            return was(self.action)
        except JsonError:
            return ""

    def follows_old(self, chain: str) -> bool:
        """Return whether the line is as format 1 held it after a line with this hash; True if parts are removed."""
        if lacking(self.action, self.details):
            return True
        action, reason = self.done()
        return link(chain, self.time, self.by, reason, to_json(action)) == self.old_chain()


def migrated(lines: Iterable[Line]) -> list[Line]:
    """Lines of format 1 as format 2 holds them: sealed, with new hashes that cover the old ones.

    Raises:
        CompetitionError: a line cannot be read.
    """
    found: list[Line] = []
    chain = ""
    for line in lines:
        action, reason = line.done()
        text, details = seal(action, reason, was=line.chain)
        found.append(Line.after(line.at - 1, chain, line.time, line.by, text, details))
        chain = found[-1].chain
    return found


def broken_links(lines: Iterable[Line]) -> tuple[int, ...]:
    """Numbers of lines that were changed after they were written: a hash does not fit, or a digest its part."""
    chain, old, broken = "", "", []
    for place, line in enumerate(lines, 1):
        sound = line.at == place and line.follows(chain)
        if sound and (before := line.old_chain()):
            sound = line.follows_old(old)
            old = before
        if not sound:
            broken.append(line.at)
        chain = line.chain
    return tuple(broken)
