"""The records of the platform's games, for download."""

from __future__ import annotations

import time
from typing import Any

from korgool.app.server import messages
from korgool.app.server.messages import RefusedError
from korgool.app.server.storage.journal import Play
from korgool.app.words.names import strength
from korgool.engine.perfect import PERFECT
from korgool.languages import N_
from korgool.notation.record import Record
from korgool.notation.writing import DIALECTS, DIALECTS_BY_NAME, write_record
from korgool.rules import Side

DIALECT_WORDS = {
    "pgn": N_("PGN, with tags"),
    "tgk": N_("TGK, one pair a line"),
    "coordinates": N_("coordinates"),
    "bare": N_("digits only"),
}
"""What the page calls each dialect of records."""


def record_text(play: Play, dialect: str, *, site: str) -> tuple[str, str]:
    """The file name and the text of a game's record.

    Raises:
        RefusedError: there is no such dialect, or it cannot express a game without moves or from such a start.
    """
    form = DIALECTS_BY_NAME.get(dialect)
    if form is None:
        raise RefusedError(404, messages.NO_DIALECT, dialects=", ".join(DIALECTS))
    if not (form.tags or play.game.moves):
        raise RefusedError(409, messages.NO_MOVES)
    if not form.set_up and play.terms.start is not None:
        raise RefusedError(409, messages.NO_START)
    terms = play.terms
    started = time.gmtime(terms.started_ms / 1000)
    engine = strength(str, terms.level) if terms.level != PERFECT else "perfect play"
    names = ["Visitor", f"Korgool {engine}"]
    if terms.side is Side.BLACK:
        names.reverse()
    tags: dict[str, Any] = {
        "Event": "Game against the engine",
        "Site": f"{site}/games/{terms.id}",
        "Date": time.strftime("%Y.%m.%d", started),
        "Time": time.strftime("%H:%M:%S", started),
        "Round": "-",
        "White": names[0],
        "Black": names[1],
    }
    if terms.clock != "none":
        tags["TimeControl"] = terms.clock
    return f"korgool-{terms.id}{form.suffix}", write_record(Record.of(play.game, **tags), dialect)
