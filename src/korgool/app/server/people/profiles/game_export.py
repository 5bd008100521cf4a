"""All games of a player as one text, made a few at a time: its length takes no memory.

Nothing is ruled again: the plies come from the journals, and results from what stands in the list of games.
"""

from __future__ import annotations

from collections import deque

import msgspec

from korgool.accounts import Person
from korgool.app.server.people.person_repository import PersonRepository
from korgool.app.server.people.profiles.display_names import DisplayNames
from korgool.app.server.people.profiles.player_games import ExportedJournal, Key, PlayerGamesRepository
from korgool.app.server.play.game_records import record_tags
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.game_terms import options_of
from korgool.live import write_clock
from korgool.live.journal import Moved, TakenBack
from korgool.notation.record import Record
from korgool.notation.terminations import parse_result
from korgool.notation.writing import DIALECTS_BY_NAME, write_record
from korgool.rules import Game, Side, Termination

FORMATS = (*DIALECTS_BY_NAME, "json")
"""The dialects of records, and JSON, a game a line."""
_KEYS_AT_ONCE = 1_000
_GAMES_AT_ONCE = 10


class ExportedPlayer(msgspec.Struct, frozen=True, omit_defaults=True):
    """A player of a game; `rating` is that before a rated game, and `level` that of the engine."""

    name: str = ""
    rating: int | None = None
    level: int | None = None


class ExportedGame(msgspec.Struct, frozen=True):
    """A game as one line of JSON.

    Attributes:
        id: its address.
        url: its page.
        game: the rules by their short name.
        rules: the named options that differ from them.
        white: who has White.
        black: who has Black.
        control: the time control as text, `none`, or days for a turn such as `3d`.
        conduct: `friendly` or `competition`.
        rated: whether it counts for ratings.
        start: text of the position that it began with, None for the usual one.
        moves: the plies as hole numbers.
        result: `1-0`, `0-1`, `1/2-1/2`, or `*` without one.
        result_text: such as `1 (82) - 0 (60)`.
        termination: why it ended; None while it goes on.
        started: when it was made, milliseconds since 1970.
        ended: when it ended, None while it goes on.
    """

    id: str
    url: str
    game: str
    rules: dict[str, int | bool | str]
    white: ExportedPlayer
    black: ExportedPlayer
    control: str
    conduct: str
    rated: bool
    start: str | None
    moves: list[int]
    result: str
    result_text: str | None
    termination: str | None
    started: int
    ended: int | None


class GameExport:
    """The games of a player, the oldest first. Methods block; one thread at a time may use it.

    Args:
        storage: the database.
        who: the player.
        reader: who reads it; the player alone sees games against the engine and what watchers do not see yet.
        form: one of `FORMATS`. Games that it cannot express are left out.
        site: the origin of the site.
        now: the end of the export, milliseconds since 1970.
    """

    def __init__(self, storage: Storage, who: str, reader: Person, form: str, site: str, now: int) -> None:
        self._storage = storage
        self._who = who
        self._reader = reader
        self._form = form
        self._site = site
        self._now = now
        self._public = reader.id != who
        self._keys: deque[Key] = deque()
        self._after: Key | None = None

    def next(self) -> bytes | None:
        """Some more of the text, which may be empty; None at the end."""
        shelf = PlayerGamesRepository(self._storage.engine)
        if not self._keys:
            self._keys += shelf.keys(self._who, self._after, _KEYS_AT_ONCE, self._now, public=self._public)
        if not self._keys:
            return None
        batch = [self._keys.popleft() for _ in range(min(_GAMES_AT_ONCE, len(self._keys)))]
        self._after = batch[-1]
        journals = shelf.journals(batch, self._now, public=self._public)
        people = {seat.who for journal in journals for seat in journal.terms.seats}
        names = DisplayNames(PersonRepository(self._storage.engine), self._reader, people)
        return b"".join(self._written(journal, names) for journal in journals)

    def _written(self, journal: ExportedJournal, names: DisplayNames) -> bytes:
        moves = _moves(journal)
        if self._form == "json":
            return msgspec.json.encode(self._described(journal, moves, names)) + b"\n"
        form = DIALECTS_BY_NAME[self._form]
        if (not form.tags and not moves) or (not form.set_up and journal.terms.start is not None):
            return b""
        game = Game(journal.terms.position(), moves)
        result = _result(journal)
        if result != "*" and game.outcome() is None and journal.termination is not None:
            winner = {"1-0": Side.WHITE, "0-1": Side.BLACK}.get(result)
            game.conclude(winner, Termination(journal.termination))
        tags = record_tags(
            journal.id, journal.terms, journal.opened, site=self._site, names=names.of, ratings=journal.ratings
        )
        return write_record(Record.of(game, **tags), self._form).encode()

    def _described(self, journal: ExportedJournal, moves: list[int], names: DisplayNames) -> ExportedGame:
        terms = journal.terms
        players = [
            ExportedPlayer(names.of(seat.who), journal.ratings[side] if journal.ratings else None)
            if seat.who
            else ExportedPlayer(level=seat.strength)
            for side, seat in enumerate(terms.seats)
        ]
        return ExportedGame(
            journal.id,
            f"{self._site}/games/{journal.id}",
            terms.rules.name,
            options_of(terms.rules),
            players[0],
            players[1],
            write_clock(terms.control),
            terms.manner.value,
            terms.rated,
            terms.start,
            moves,
            _result(journal),
            journal.result_text,
            journal.termination,
            journal.opened,
            journal.ended,
        )


def _result(journal: ExportedJournal) -> str:
    """The result as a record has it; a game that both players lost has none there."""
    try:
        return parse_result(journal.result_text or "*")[0]
    except ValueError:
        return "*"


def _moves(journal: ExportedJournal) -> list[int]:
    """The plies that stand."""
    moves: list[int] = []
    for entry in journal.entries:
        if isinstance(entry.event, Moved):
            moves.append(entry.event.hole)
        elif isinstance(entry.event, TakenBack):
            del moves[len(moves) - entry.event.plies :]
    return moves
