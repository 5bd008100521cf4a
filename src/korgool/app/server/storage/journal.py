"""A game's journal as it is stored: a row for every event of `korgool.live`, with its data as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import msgspec

from korgool import live
from korgool.conduct.claims import BY_ONLINE, OnlineClaim
from korgool.live import journal as happenings
from korgool.live.journal import Happening
from korgool.rules import Side

KINDS: dict[str, type[Happening]] = {
    "join": happenings.Joined,
    "begin": happenings.Begun,
    "move": happenings.Moved,
    "offer-draw": happenings.DrawOffered,
    "decline-draw": happenings.DrawDeclined,
    "accept-draw": happenings.DrawAgreed,
    "resign": happenings.Resigned,
    "ask-takeback": happenings.TakebackAsked,
    "decline-takeback": happenings.TakebackDeclined,
    "takeback": happenings.TakenBack,
    "add-time": happenings.TimeAdded,
    "vacation": happenings.VacationTaken,
    "abort": happenings.Aborted,
    "time": happenings.TimeCalled,
    "claim": happenings.ClaimGranted,
    "outage": happenings.Interrupted,
    "ask-rematch": happenings.RematchAsked,
    "rematch": happenings.Rematched,
}
"""Kinds of rows and their events; pages and programs see the same names."""
KIND_OF = {event: kind for kind, event in KINDS.items()}
_OLD_KINDS = {"start": "begin", "undo": "takeback"}
_FIELDS = {event: tuple(field.name for field in fields(event)) for event in KIND_OF}
_SIDES = {"side", "winner"}
_NAME_A_SIDE = {event for event, names in _FIELDS.items() if "side" in names} - {happenings.Aborted}


class Payload(msgspec.Struct, frozen=True, omit_defaults=True):
    """The data of every kind of event; which fields count depends on the kind.

    Attributes:
        stocks: milliseconds on the clocks of White and Black after the event, in journals of versions before 0003.
    """

    side: int | None = None
    hole: int = 0
    lag_ms: int = 0
    offer: bool = False
    device: bool = False
    plies: int = 0
    ms: int = 0
    until: int = 0
    what: OnlineClaim = "repetition"
    winner: int | None = None
    source: str = ""
    game: str = ""
    stocks: tuple[int, int] | None = None


_PAYLOAD = msgspec.json.Decoder(Payload)


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One row of a game's journal.

    Attributes:
        version: counts from 1 without gaps.
        at_ms: when it happened, in milliseconds since 1970.
        event: what happened.
        side: the seat that caused it, None for the server.
        command: the id that the command had there, None without one.
        stocks: see `Payload`.
    """

    version: int
    at_ms: int
    event: Happening
    side: Side | None = None
    command: str | None = None
    stocks: tuple[int, int] | None = None

    @property
    def kind(self) -> str:
        """The word for it."""
        return KIND_OF[type(self.event)]


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as the database has it.

    Attributes:
        id: its address.
        terms: what was agreed.
        opened_ms: when it was made, in milliseconds since 1970.
        version: the version of the last row of its journal.
        entries: the journal.
        signs: when White and Black last gave a sign of life, in milliseconds since 1970.
    """

    id: str
    terms: live.GameTerms
    opened_ms: int
    version: int
    entries: tuple[JournalEntry, ...]
    signs: tuple[int | None, int | None] = (None, None)

    def replay(self) -> live.OnlineGame:
        """The game that the journal tells.

        Raises:
            ValueError: the journal is damaged.
        """
        events = [(entry.at_ms, entry.event, entry.stocks) for entry in self.entries]
        return live.replay(self.terms, self.opened_ms, events)


class NewsRow(msgspec.Struct, frozen=True, array_like=True):
    """A row of a journal as one process tells it to another."""

    version: int
    at_ms: int
    kind: str
    payload: str
    side: int | None
    command: str | None


def news_rows(entries: Sequence[JournalEntry]) -> list[NewsRow]:
    """Entries as other processes read them."""
    return [
        NewsRow(
            entry.version,
            entry.at_ms,
            *write_event(entry.event),
            None if entry.side is None else int(entry.side),
            entry.command,
        )
        for entry in entries
    ]


def write_event(event: Happening) -> tuple[str, str]:
    """The kind and the JSON of an event."""
    values = {name: getattr(event, name) for name in _FIELDS[type(event)]}
    if isinstance(event, happenings.ClaimGranted):
        values["what"] = event.what.online
    return KIND_OF[type(event)], msgspec.json.encode(Payload(**values)).decode()


def read_journal(game: str, rows: Sequence[Any]) -> tuple[JournalEntry, ...]:
    """The entries of rows in the order of their versions, from the first on.

    Raises:
        ValueError: a row is missing or unknown, which means that the journal is damaged.
    """
    return read_entries(game, 0, rows)


def read_entries(game: str, after: int, rows: Sequence[Any]) -> tuple[JournalEntry, ...]:
    """The entries of the rows that follow a version, in the order of theirs.

    Raises:
        ValueError: as for `read_journal`.
    """
    entries = []
    for version, row in enumerate(rows, after + 1):
        if row.version != version:
            raise ValueError(f"game {game}: entry {row.version} follows {version - 1}, one is missing")
        kind = KINDS.get(_OLD_KINDS.get(row.kind, row.kind))
        if kind is None:
            raise ValueError(f"game {game}: entry {version} is of the unknown kind {row.kind!r}")
        try:
            event, stocks = _event(kind, row.payload)
            side = None if row.side is None else Side(row.side)
        except ValueError as error:  # msgspec's errors are such too
            raise ValueError(f"game {game}: entry {version} cannot be read: {error}") from None
        entries.append(JournalEntry(version, row.at_ms, event, side, row.command, stocks))
    return tuple(entries)


def _event(kind: type[Happening], text: str) -> tuple[Happening, tuple[int, int] | None]:
    payload = _PAYLOAD.decode(text)
    values: dict[str, Any] = {}
    for name in _FIELDS[kind]:
        value = getattr(payload, name)
        values[name] = Side(value) if name in _SIDES and value is not None else value
    if kind is happenings.ClaimGranted:
        values["what"] = BY_ONLINE[payload.what]
    if kind in _NAME_A_SIDE and values["side"] is None:
        raise ValueError("it names no side")
    return kind(**values), payload.stocks
