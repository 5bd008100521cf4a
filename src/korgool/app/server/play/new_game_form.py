"""Reads and checks the form for a new game: game, side, level, clock, and starting position."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.conduct import TimeControl
from korgool.engine.levels import NUMBERS, ratings_of
from korgool.engine.perfect import PERFECT
from korgool.languages import N_
from korgool.live import GameTerms, Seat, SeatKind, read_clock
from korgool.rules import GAMES, Position, PositionError, Rules, Side

CLOCKS = ("none", "3+2", "5+3", "10+5", "30+0", "60+0")
"""The clocks that the form offers; visitors may enter any other minutes and seconds."""

HANDICAPS = {
    "none": N_("none"),
    "engine 1": N_("the engine gives you a stone of each of its holes"),
    "engine 2": N_("the engine gives you two stones of each of its holes"),
    "engine 3": N_("the engine gives you three stones of each of its holes"),
    "you 1": N_("you give the engine a stone of each of your holes"),
    "you 2": N_("you give the engine two stones of each of your holes"),
}
"""The handicaps of the form: who gives how many stones of each hole to the opponent's kazan before the game."""

_SIDES = {"white": Side.WHITE, "black": Side.BLACK}
_POSITION_LIMIT = 400


def read_form(data: Mapping[str, object], who: str) -> GameTerms:
    """The game against the engine that somebody asks for by a form.

    Raises:
        ApiError: a field is invalid; the message gives its name, its value and the reason.
    """
    game = choice(data, "game", list(GAMES))
    asked = choice(data, "side", [*_SIDES, "random"])
    strength = choice(data, "level", [*(str(number) for number in (*NUMBERS, PERFECT)), "rating"])
    level = _rating(data, GAMES[game]) if strength == "rating" else int(strength)
    side = secrets.choice(list(Side)) if asked == "random" else _SIDES[asked]
    start = _start(data, GAMES[game], side)
    return against_engine(GAMES[game], who, side, level, read_clock(_clock(data)), start)


def against_engine(
    rules: Rules, who: str, side: Side, strength: int, control: TimeControl | None = None, start: str | None = None
) -> GameTerms:
    """A friendly game of a person against the engine."""
    person, engine = Seat(SeatKind.PERSON, who), Seat(SeatKind.ENGINE, strength=strength)
    return GameTerms(rules, (person, engine) if side is Side.WHITE else (engine, person), control, start=start)


def handicap(rules: Rules, giver: Side, stones: int) -> Position:
    """The start of a game in which `giver` has put `stones` stones of each hole into the opponent's store."""
    start = rules.start()
    rows, stores = list(start.holes), list(start.stores)
    rows[giver] = tuple(count - stones for count in rows[giver])
    stores[giver.other] += stones * rules.holes
    return replace(start, holes=(rows[0], rows[1]), stores=(stores[0], stores[1]))


def choice(data: Mapping[str, object], field: str, choices: Sequence[str]) -> str:
    """One of the choices of a field.

    Raises:
        ApiError: the value is none of them.
    """
    value = str(data.get(field, ""))
    if value not in choices:
        raise ApiError(422, errors.BAD_FIELD, field=field, value=repr(value[:40]), choices=", ".join(choices))
    return value


def _rating(data: Mapping[str, object], rules: Rules) -> int:
    text, ratings = str(data.get("rating", "")).strip(), ratings_of(rules)
    if text.isascii() and text.isdigit() and len(text) < 7 and int(text) in ratings:
        return int(text)
    raise ApiError(422, errors.BAD_RATING, lowest=ratings[0], highest=ratings[-1], rating=repr(text[:40]))


def _clock(data: Mapping[str, object]) -> str:
    minutes, seconds = (str(data.get(name, "")).strip() for name in ("minutes", "seconds"))
    text = f"{minutes}+{seconds or 0}" if minutes or seconds else str(data.get("clock", ""))
    if text == "none":
        return text
    try:
        TimeControl.parse(text)
    except ValueError:
        raise ApiError(422, errors.BAD_CLOCK, field="clock", value=repr(text[:40])) from None
    return text


def _start(data: Mapping[str, object], rules: Rules, side: Side) -> str | None:
    text = " ".join(str(data.get("position", "")).split())
    given = choice(data, "handicap", list(HANDICAPS)) if "handicap" in data else "none"
    if not text and given == "none":
        return None
    if text and given != "none":
        raise ApiError(422, errors.TWO_STARTS)
    if given != "none":
        who, stones = given.split()
        return str(handicap(rules, side.other if who == "engine" else side, int(stones)))
    try:
        position = Position.parse(text[: _POSITION_LIMIT + 1], rules)
    except PositionError as error:
        raise ApiError(422, errors.BAD_POSITION, reason=error) from None
    if position.outcome() is not None:
        raise ApiError(422, errors.OVER_AT_START)
    return None if str(position) == str(rules.start()) else str(position)
