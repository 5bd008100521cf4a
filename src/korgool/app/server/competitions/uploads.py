"""Event files that come from elsewhere, once the process that opened them has told what they hold."""

from __future__ import annotations

import json

from korgool.app.server.competitions.competition import MOST_PLAYERS, TOO_MANY_PLAYERS
from korgool.competition.codec import from_json
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal
from korgool.competition.storage.book import Book
from korgool.competition.storage.line import Line
from korgool.competition.storage.transfer import fill


def take(made: bytes, target: Book) -> None:
    """Write what `sandbox_jobs.event` made into an empty book.

    Raises:
        CompetitionError: its log cannot stand, or it has too many players.
    """
    lines, personal = json.loads(made)
    held = {int(id_): from_json(text, Personal) for id_, text in personal.items()}
    with target.together():
        fill(target, [Line(*line) for line in lines], held)
        if len(target.state.players) > MOST_PLAYERS:
            raise CompetitionError(TOO_MANY_PLAYERS, most=MOST_PLAYERS)
