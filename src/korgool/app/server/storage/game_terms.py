"""The terms of a game as rows of the tables `games` and `seats`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from korgool.live import GameTerms, Manner, OnlineGame, Seat, SeatKind, read_clock, write_clock
from korgool.rules import GAMES, Rules, Side


def options_of(rules: Rules) -> dict[str, int | bool | str]:
    """The named options in which rules differ from the game of their name."""
    if rules is GAMES[rules.name]:
        return {}
    usual = GAMES[rules.name].options()
    return {name: value for name, value in rules.options().items() if value != usual[name]}


def write_options(rules: Rules) -> str | None:
    """The column `rules`: the options of `options_of` as JSON, None where there are none."""
    options = options_of(rules)
    return msgspec.json.encode(options).decode() if options else None


def read_rules(row: Any) -> Rules:
    """The rules of a row with the columns `game` and `rules`.

    Raises:
        KeyError: there is no such game.
        ValueError: the options cannot be read, or it has no such option.
    """
    options = msgspec.json.decode(row.rules, type=dict[str, int | bool | str]) if row.rules else {}
    rules = GAMES[row.game]
    for name, value in options.items():
        rules = rules.with_option(name, str(value))
    return rules


def terms_row(game: OnlineGame) -> dict[str, Any]:
    """The columns of `games` that never change."""
    terms = game.terms
    return {
        "game": terms.rules.name,
        "rules": write_options(terms.rules),
        "conduct": terms.manner.value,
        "clock": write_clock(terms.control),
        "rated": int(terms.rated),
        "delay_s": terms.delay_s,
        "started_ms": game.opened,
        "start": terms.start,
        "people": int(len({seat.who for seat in terms.seats if seat.kind is SeatKind.PERSON}) == 2),
    }


def seat_rows(address: str, game: OnlineGame) -> list[dict[str, Any]]:
    """The rows of `seats`."""
    return [
        {
            "game_id": address,
            "side": int(side),
            "kind": game.terms.seats[side].kind.value,
            "who": game.terms.seats[side].who,
            "strength": game.terms.seats[side].strength,
            "started_ms": game.opened,
            "running": int(not game.over),
        }
        for side in Side
    ]


def read_terms(row: Any, seats: Sequence[Any]) -> GameTerms:
    """The terms of a row of `games` and its two rows of `seats`.

    Raises:
        ValueError: they contradict each other, which means that the database is damaged.
    """
    white, black = (
        Seat(SeatKind(seat.kind), seat.who, seat.strength) for seat in sorted(seats, key=lambda seat: int(seat.side))
    )
    return GameTerms(
        read_rules(row),
        (white, black),
        read_clock(row.clock),
        Manner(row.conduct),
        start=row.start,
        rated=bool(row.rated),
        delay_s=row.delay_s,
    )
