"""The records of the platform's games, for download."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.people_lookup import PeopleLookup, stranger
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.state_messages import engine_of
from korgool.app.words.opponents import strength
from korgool.app.words.people import guest_name, name_before
from korgool.engine.perfect import PERFECT
from korgool.languages import N_
from korgool.live import GameTerms, OnlineGame, Seat, SeatKind, write_clock
from korgool.notation.record import Record
from korgool.notation.writing import DIALECTS, DIALECTS_BY_NAME, write_record
from korgool.rules import Game, Side

DIALECT_WORDS = {
    "pgn": N_("PGN, with tags"),
    "tgk": N_("TGK, one pair a line"),
    "coordinates": N_("coordinates"),
    "bare": N_("digits only"),
}
"""Names of the dialects of records on the page."""


def record_of(
    running: LiveSession, who: str | None, dialect: str, register: PeopleLookup, *, site: str
) -> tuple[str, str]:
    """The file name and the text of the record of a running or finished game, with the names that everybody may see.

    Args:
        running: the game, whose players' names have been read (`GameRegistry.met`).
        who: who asks; None for nobody known.
        dialect: of the record.
        register: who the players are.
        site: the origin of the site.

    Raises:
        ApiError: as for `record_text`.
    """
    seen, changes = running.broadcast.seen(who), running.broadcast.ratings.changes
    ratings = (changes[0].before.rating, changes[1].before.rating) if changes and seen.over else None
    reader, everybody = register.person(who or ""), stranger("")

    def names(player: str) -> str:
        person = register.person(player)
        # A file is passed on, so a child's name is in none; and a child as its reader sees no more than elsewhere.
        return name_before(person, everybody if person.knows(reader) else reader)

    return record_text(running.address, seen, dialect, site=site, names=names, ratings=ratings)


def record_text(
    address: str,
    game: OnlineGame,
    dialect: str,
    *,
    site: str,
    names: Callable[[str], str] = guest_name,
    ratings: tuple[int, int] | None = None,
) -> tuple[str, str]:
    """The file name and the text of a game's record.

    Args:
        address: of the game.
        game: as its reader may see it.
        dialect: of the record.
        site: the origin of the site.
        names: what a person is called, by their identity.
        ratings: those of White and Black before a rated game, None where it was not counted.

    Raises:
        ApiError: there is no such dialect, or it cannot express a game without moves or from such a start.
    """
    form = DIALECTS_BY_NAME.get(dialect)
    if form is None:
        raise ApiError(404, errors.NO_DIALECT, dialects=", ".join(DIALECTS))
    if not (form.tags or game.plies):
        raise ApiError(409, errors.NO_MOVES)
    terms = game.terms
    if not form.set_up and terms.start is not None:
        raise ApiError(409, errors.NO_START)
    tags = record_tags(address, terms, game.opened, site=site, names=names, ratings=ratings)
    played = game.game.game() if game.begun else Game(terms.position())
    return f"korgool-{address}{form.suffix}", write_record(Record.of(played, **tags), dialect)


def record_tags(
    address: str,
    terms: GameTerms,
    opened: int,
    *,
    site: str,
    names: Callable[[str], str],
    ratings: tuple[int, int] | None,
) -> dict[str, Any]:
    """The tags of a record; see `record_text`. `opened` is when the game was made, milliseconds since 1970."""
    started = time.gmtime(opened / 1000)
    tags: dict[str, Any] = {
        "Event": "Game against the engine" if engine_of(terms) is not None else _event(terms),
        "Site": f"{site}/games/{address}",
        "Date": time.strftime("%Y.%m.%d", started),
        "Time": time.strftime("%H:%M:%S", started),
        "Round": "-",
        "White": _name(terms.seats[Side.WHITE], names),
        "Black": _name(terms.seats[Side.BLACK], names),
    }
    if terms.control is not None:
        tags["TimeControl"] = write_clock(terms.control)
    if ratings is not None:
        tags |= {"WhiteElo": str(ratings[0]), "BlackElo": str(ratings[1])}
    return tags


def _event(terms: GameTerms) -> str:
    return "Rated game" if terms.rated else "Game between people"


def _name(seat: Seat, names: Callable[[str], str]) -> str:
    if seat.kind is SeatKind.PERSON:
        return names(seat.who)
    return f"Korgool {strength(str, seat.strength) if seat.strength != PERFECT else 'perfect play'}"
