"""The lines of standings and rounds as the description of the API tells them; `event_fields` makes them."""

from __future__ import annotations

from typing import Any

import msgspec


class StandingsLine(msgspec.Struct, frozen=True):
    """A competitor in the standings.

    Attributes:
        rank: place from 1; equal competitors share it.
        number: of the player or the team.
        points: penalties deducted.
        progress, buchholz, direct, korgools: these tie-breaks, whatever the order of the event.
        tiebreaks: all tie-breaks of the event by their codes.
    """

    rank: int
    number: int
    name: str
    points: float
    progress: float
    buchholz: float
    direct: float
    korgools: float
    tiebreaks: dict[str, float]


class BoardLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board of a round, or a bye with the player or the team as White.

    Attributes:
        board: none for a bye.
        white, black: numbers; none where a team has nobody.
        table, home, away: in matches of teams.
        bye: U, F, H or Z; none for a board.
        result: `1-0`, `0-1`, `1/2-1/2`, `0-0`, or none.
        result_text: with the stones, such as `1 (82) - 0 (60)`.
        points, stores: by side.
        set_score, sets: of a match of several sets.
    """

    round: int
    board: int | None
    white: int | None
    white_name: str | None
    black: int | None
    black_name: str | None
    bye: str | None
    result: str | None
    result_text: str | None
    cause: str | None
    points: dict[str, float] | None
    stores: dict[str, int] | None
    table: int | None = None
    home: str | None = None
    away: str | None = None
    special: bool = False
    set_score: dict[str, float] | None = None
    sets: list[dict[str, object]] | None = None


class PublicEvent(msgspec.Struct, frozen=True):
    """All that is public of an event; the members hold what the log of an event file has of them.

    Attributes:
        format: `korgool public event 1`.
        changed: the time of the last change in UTC, such as `2026-09-14T10:05:00Z`, or empty.
        settings: the regulations.
        players, teams, officials, rounds: with the names that pages show.
        seeded: whether the order of the start is fixed.
    """

    format: str
    changed: str
    settings: dict[str, Any]
    players: list[dict[str, Any]]
    teams: list[dict[str, Any]]
    officials: list[dict[str, Any]]
    rounds: list[dict[str, Any]]
    seeded: bool
