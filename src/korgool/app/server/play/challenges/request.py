"""Requests for challenges, by programs and forms, and the challenges that they make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, cast

import msgspec

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.engines.perfect_play import check_level
from korgool.app.server.play.game_events import one_of
from korgool.app.server.play.new_game_form import choice, handicap
from korgool.app.server.storage.game_terms import options_of
from korgool.conduct import TimeControl
from korgool.engine.levels import NUMBERS, ratings_of
from korgool.engine.perfect import PERFECT
from korgool.languages import N_
from korgool.live import Challenge, Manner, Seat, SeatKind, Way, read_clock, write_clock
from korgool.live.challenges import Choice, open_ms
from korgool.live.terms import MOST_DELAY_S, is_slow
from korgool.rules import GAMES, Position, PositionError, Rules, Side

CLOCKS = ("none", "3+2", "5+3", "10+5", "30+0", "1d", "3d", "7d", "14d")
"""The clocks that the form offers; visitors may enter any other minutes and seconds."""
HANDICAPS_BETWEEN = {
    "none": N_("none"),
    "white 1": N_("White gives a stone of each hole"),
    "white 2": N_("White gives two stones of each hole"),
    "white 3": N_("White gives three stones of each hole"),
    "black 1": N_("Black gives a stone of each hole"),
    "black 2": N_("Black gives two stones of each hole"),
    "black 3": N_("Black gives three stones of each hole"),
}
"""The handicaps of the form: who gives how many stones of each hole to the opponent's kazan before the game."""
SIDES = ("white", "black", "random")
MANNERS = tuple(manner.value for manner in Manner)
_POSITION_LIMIT = 400
_CLOCK_LIMIT = 40
_NAME_LIMIT = 40
BY_NAME = "name"
"""The field `to` of a form for a challenge to the player whose name stands in the field `player`."""
_WAYS = (Way.LINK.value, Way.LOBBY.value, "self")


class AskedTerms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that somebody wants to play.

    Attributes:
        game: its short name.
        to: `link`, `lobby`, `level:4` (from 100 on a rating), `self` for two people at one device, or a player's name.
        clock: `none`, a time control such as `10+5`, or `1d` to `14d` for each turn.
        side: whoever asks takes `white`, `black`, or the lot's (`random`).
        rated: whether the result counts for ratings.
        conduct: `friendly` or `competition`.
        position: text of the position to begin with.
        rules: named options that differ from the game's.
        delay: how many seconds later spectators see the game.
    """

    game: Annotated[str, one_of(*GAMES)]
    to: str
    clock: str = "none"
    side: Annotated[str, one_of(*SIDES)] = "random"
    rated: bool = False
    conduct: Annotated[str, one_of(*MANNERS)] = "friendly"
    position: str | None = None
    rules: Mapping[str, str | int | bool] | None = None
    delay: Annotated[int, msgspec.Meta(extra_json_schema={"minimum": 0, "maximum": MOST_DELAY_S})] = 0


@dataclass(frozen=True, slots=True)
class ChallengeRequest:
    """A request that is known to be possible.

    Attributes:
        challenge: the challenge; who may take it stands in it already, but for a player's name.
        opponent: who takes the other seat at once, or None.
        name: the player whom it is made to, or empty.
    """

    challenge: Challenge
    opponent: Seat | None = None
    name: str = ""


def read_terms(asked: AskedTerms, address: str, who: str, now: int) -> ChallengeRequest:
    """The challenge at `address` that somebody makes at a time in milliseconds.

    Raises:
        ApiError: 422 with the reason.
    """
    rules = _rules(asked)
    control = _control(asked.clock)
    manner = Manner(_one_of("conduct", asked.conduct, list(MANNERS)))
    side = cast(Choice, _one_of("side", asked.side, list(SIDES)))
    way, opponent, name = _to(asked.to, rules, who)
    if not 0 <= asked.delay <= MOST_DELAY_S:
        raise ApiError(422, errors.BAD_DELAY, most=MOST_DELAY_S, delay=asked.delay)
    start = _start(asked.position, rules)
    if opponent is not None:
        if asked.rated or manner is Manner.COMPETITION:
            raise ApiError(422, errors.TWO_PEOPLE)
        if opponent.kind is SeatKind.ENGINE:
            check_level(rules.name, opponent.strength, start)
            if opponent.strength == PERFECT and rules != GAMES[rules.name]:
                raise ApiError(422, errors.NOT_SOLVED)
    slow = is_slow(control)
    if manner is Manner.COMPETITION and (control is None or slow):
        raise ApiError(422, errors.CLOCK_NEEDED)
    if asked.rated and (start is not None or rules != GAMES[rules.name]):
        raise ApiError(422, errors.RATED_START)
    if asked.rated and control is None:
        raise ApiError(422, errors.RATED_CLOCK)
    challenge = Challenge(
        address,
        who,
        rules,
        control,
        side,
        now + open_ms(way, slow=slow),
        manner,
        start,
        asked.rated,
        delay_s=asked.delay,
        way=way,
    )
    try:
        challenge.begin(opponent or Seat(SeatKind.PERSON, "somebody else"), "")
    except ValueError as error:
        raise ApiError(422, errors.BAD_TERMS, reason=error) from None
    return ChallengeRequest(challenge, opponent, name)


def read_request(challenge: Challenge) -> AskedTerms:
    """The terms of a challenge, as one asks for them; `to` says only how it reaches somebody."""
    return AskedTerms(
        challenge.rules.name,
        challenge.way.value,
        write_clock(challenge.control),
        challenge.side,
        challenge.rated,
        challenge.manner.value,
        challenge.start,
        options_of(challenge.rules),
        challenge.delay_s,
    )


def read_friend_form(data: Mapping[str, str]) -> AskedTerms:
    """Return the request of the form for a game with a friend.

    Raises:
        ApiError: 422, a field is invalid.
    """
    game = choice(data, "game", list(GAMES))
    minutes, seconds = (data.get(name, "").strip() for name in ("minutes", "seconds"))
    clock = f"{minutes}+{seconds or 0}" if minutes or seconds else data.get("clock", "none")
    position = " ".join(data.get("position", "").split()) or None
    given = choice(data, "handicap", list(HANDICAPS_BETWEEN)) if "handicap" in data else "none"
    if given != "none":
        if position is not None:
            raise ApiError(422, errors.TWO_STARTS)
        giver, stones = given.split()
        position = str(handicap(GAMES[game], Side.WHITE if giver == "white" else Side.BLACK, int(stones)))
    delay = data.get("delay", "0").strip() or "0"
    if not (delay.isascii() and delay.isdigit() and len(delay) < 6):
        raise ApiError(422, errors.BAD_DELAY, most=MOST_DELAY_S, delay=repr(delay[:20]))
    return AskedTerms(
        game,
        _player(data.get("player", "")) if data.get("to") == BY_NAME else data.get("to", ""),
        clock,
        data.get("side", "random"),
        rated="rated" in data,
        conduct=data.get("conduct", "friendly"),
        position=position,
        rules=_options(data.get("rules", "")),
        delay=int(delay),
    )


def _player(name: str) -> str:
    """The name that was typed for a challenge by name.

    Raises:
        ApiError: 404, no name of a player is such a word: in its place it would ask for something else.
    """
    name = " ".join(name.split())
    if not name or ":" in name or name in _WAYS:
        raise ApiError(404, errors.NO_PLAYER)
    return name


def _options(text: str) -> dict[str, str | int | bool]:
    """Options such as `sweep=owner, goal=90`."""
    found: dict[str, str | int | bool] = {}
    for part in text.replace(",", " ").split():
        name, equals, value = part.partition("=")
        if not equals:
            raise ApiError(422, errors.BAD_RULE, reason=f"NAME=VALUE, not {part[:40]!r}")
        found[name] = value
    return found


def _one_of(field: str, value: str, choices: list[str]) -> str:
    return choice({field: value}, field, choices)


def _rules(asked: AskedTerms) -> Rules:
    rules = GAMES[_one_of("game", asked.game, list(GAMES))]
    for name, value in (asked.rules or {}).items():
        try:
            rules = rules.with_option(name[:_NAME_LIMIT], str(value)[:_NAME_LIMIT])
        except ValueError as error:
            raise ApiError(422, errors.BAD_RULE, reason=error) from None
    return rules


def _control(text: str) -> TimeControl | None:
    try:
        control = read_clock(text)
    except ValueError:
        control = None
        if text != "none":
            raise ApiError(422, errors.BAD_CONTROL, clock=repr(text[:_CLOCK_LIMIT])) from None
    if len(write_clock(control)) > _CLOCK_LIMIT:
        raise ApiError(422, errors.BAD_CONTROL, clock=repr(text[:_CLOCK_LIMIT]))
    return control


def _to(to: str, rules: Rules, who: str) -> tuple[Way, Seat | None, str]:
    if to in (Way.LINK.value, Way.LOBBY.value):
        return Way(to), None, ""
    if to == "self":
        return Way.NONE, Seat(SeatKind.PERSON, who), ""
    kind, colon, strength = to.partition(":")
    if not colon:
        return Way.NAME, None, to
    levels = (*NUMBERS, PERFECT, *ratings_of(rules))
    number = int(strength) if strength.isascii() and strength.isdigit() and len(strength) < 6 else 0
    if kind != "level" or number not in levels:
        choices = f"link, lobby, self, level:{NUMBERS[0]} – level:{PERFECT}, level:{ratings_of(rules)[0]} – "
        choices += f"level:{ratings_of(rules)[-1]}"
        raise ApiError(422, errors.BAD_FIELD, field="to", value=repr(to[:_NAME_LIMIT]), choices=choices)
    return Way.NONE, Seat(SeatKind.ENGINE, strength=number), ""


def _start(text: str | None, rules: Rules) -> str | None:
    if text is None:
        return None
    try:
        position = Position.parse(" ".join(text.split())[: _POSITION_LIMIT + 1], rules)
    except PositionError as error:
        raise ApiError(422, errors.BAD_POSITION, reason=error) from None
    if position.outcome() is not None:
        raise ApiError(422, errors.OVER_AT_START)
    return None if str(position) == str(rules.start()) else str(position)
