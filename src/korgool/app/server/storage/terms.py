"""The terms of a game as rows of the tables `games` and `seats`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from korgool.live import GameTerms, Manner, OnlineGame, Seat, SeatKind, read_clock, write_clock
from korgool.rules import GAMES, Rules, Side


def options_of(rules: Rules) -> dict[str, int | bool | str]:
    """The named options in which rules differ from the game of their name."""
    usual = GAMES[rules.name].options()
    return {name: value for name, value in rules.options().items() if value != usual[name]}


def rules_with(game: str, options: Mapping[str, int | bool | str]) -> Rules:
    """The rules of a game with these named options.

    Raises:
        KeyError: there is no such game.
        ValueError: there is no such option, or it cannot have this value.
    """
    rules = GAMES[game]
    for name, value in options.items():
        rules = rules.with_option(name, str(value))
    return rules


def terms_row(game: OnlineGame) -> dict[str, Any]:
    """The columns of `games` that never change."""
    terms = game.terms
    options = options_of(terms.rules)
    return {
        "game": terms.rules.name,
        "rules": msgspec.json.encode(options).decode() if options else None,
        "conduct": terms.manner.value,
        "clock": write_clock(terms.control),
        "rated": int(terms.rated),
        "delay_s": terms.delay_s,
        "started_ms": game.opened,
        "start": terms.start,
    }


def seat_rows(game: str, terms: GameTerms) -> list[dict[str, Any]]:
    """The rows of `seats`."""
    return [
        {
            "game_id": game,
            "side": int(side),
            "kind": terms.seats[side].kind.value,
            "who": terms.seats[side].who,
            "strength": terms.seats[side].strength,
        }
        for side in Side
    ]


def read_terms(row: Any, seats: Sequence[Any]) -> GameTerms:
    """The terms of a row of `games` and its two rows of `seats`.

    Raises:
        ValueError: they contradict each other, which means that the database is damaged.
    """
    options = msgspec.json.decode(row.rules, type=dict[str, int | bool | str]) if row.rules else {}
    white, black = (
        Seat(SeatKind(seat.kind), seat.who, seat.strength) for seat in sorted(seats, key=lambda seat: int(seat.side))
    )
    return GameTerms(
        rules_with(row.game, options),
        (white, black),
        read_clock(row.clock),
        Manner(row.conduct),
        start=row.start,
        rated=bool(row.rated),
        delay_s=row.delay_s,
    )
