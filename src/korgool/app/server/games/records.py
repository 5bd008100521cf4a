"""The records of the platform's games, for download."""

from __future__ import annotations

import time
from typing import Any

from korgool.app.server import messages
from korgool.app.server.games.wire import engine_of
from korgool.app.server.messages import RefusedError
from korgool.app.words.names import strength
from korgool.app.words.people import guest_name
from korgool.engine.perfect import PERFECT
from korgool.languages import N_
from korgool.live import OnlineGame, Seat, SeatKind, write_clock
from korgool.notation.record import Record
from korgool.notation.writing import DIALECTS, DIALECTS_BY_NAME, write_record
from korgool.rules import Game, Side

DIALECT_WORDS = {
    "pgn": N_("PGN, with tags"),
    "tgk": N_("TGK, one pair a line"),
    "coordinates": N_("coordinates"),
    "bare": N_("digits only"),
}
"""What the page calls each dialect of records."""


def record_text(address: str, game: OnlineGame, dialect: str, *, site: str) -> tuple[str, str]:
    """The file name and the text of a game's record.

    Raises:
        RefusedError: there is no such dialect, or it cannot express a game without moves or from such a start.
    """
    form = DIALECTS_BY_NAME.get(dialect)
    if form is None:
        raise RefusedError(404, messages.NO_DIALECT, dialects=", ".join(DIALECTS))
    if not (form.tags or game.plies):
        raise RefusedError(409, messages.NO_MOVES)
    terms = game.terms
    if not form.set_up and terms.start is not None:
        raise RefusedError(409, messages.NO_START)
    started = time.gmtime(game.opened / 1000)
    tags: dict[str, Any] = {
        "Event": "Game against the engine" if engine_of(terms) is not None else "Game between people",
        "Site": f"{site}/games/{address}",
        "Date": time.strftime("%Y.%m.%d", started),
        "Time": time.strftime("%H:%M:%S", started),
        "Round": "-",
        "White": _name(terms.seats[Side.WHITE]),
        "Black": _name(terms.seats[Side.BLACK]),
    }
    if terms.control is not None:
        tags["TimeControl"] = write_clock(terms.control)
    played = game.game.game() if game.begun else Game(terms.position())
    return f"korgool-{address}{form.suffix}", write_record(Record.of(played, **tags), dialect)


def _name(seat: Seat) -> str:
    if seat.kind is SeatKind.PERSON:
        return guest_name(seat.who)
    return f"Korgool {strength(str, seat.strength) if seat.strength != PERFECT else 'perfect play'}"
