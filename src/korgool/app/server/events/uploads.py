"""Event files that come from elsewhere, once the process that opened them has told what they hold."""

from __future__ import annotations

import json
from typing import NamedTuple

from korgool.app.server.events.live_event import MOST_PLAYERS, TOO_MANY_PLAYERS
from korgool.competition.codec import from_plain
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal
from korgool.competition.storage.book import Book, WholeLog, whole_log
from korgool.competition.storage.line import Line
from korgool.competition.storage.transfer import fill


class Upload(NamedTuple):
    """An event from elsewhere: its log and the personal data by the id of the player."""

    log: WholeLog
    personal: dict[int, Personal]

    def write(self, book: Book) -> None:
        """Write it into an empty book; raises what `fill` raises."""
        fill(book, self.log, self.personal)


def read_upload(made: bytes) -> Upload:
    """What `sandbox_jobs.event` made. It takes seconds for a long log, and no place, so that nobody else waits.

    Raises:
        CompetitionError: its log cannot stand, or it has too many players.
    """
    lines, personal = json.loads(made)
    log = whole_log(Line(*line) for line in lines)
    if len(log.state.players) > MOST_PLAYERS:
        raise CompetitionError(TOO_MANY_PLAYERS, most=MOST_PLAYERS)
    return Upload(log, {int(id_): from_plain(held, Personal) for id_, held in personal.items()})
