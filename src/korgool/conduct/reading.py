"""One line of a log, read into an event. Everything that is not exactly a known field of the right shape is refused.

A line is a JSON object `{"at": seconds, "by": "white|black|referee", "do": …, …}`; times are decimal seconds, rounded
to the millisecond. See `docs/conduct.md` for the fields of each action.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, get_args

from korgool.conduct.claims import BY_LOG, ClaimKind
from korgool.conduct.control import MOST_COUNT, ControlKind, TimeControl
from korgool.conduct.events import (
    Accept,
    Action,
    Arrive,
    By,
    Claim,
    ClockFault,
    Decline,
    Event,
    Flag,
    Leave,
    Lots,
    Move,
    NextSet,
    Offer,
    Options,
    Pause,
    Press,
    Reason,
    Resign,
    Restore,
    Resume,
    SetClock,
    Sign,
    Spill,
    Start,
    Warn,
)
from korgool.conduct.fields import COMMON, EventError, Fields, kind_of, load
from korgool.notation.moves import quoted
from korgool.rules import GAMES, TOGUZ_KORGOOL, Rules

MOST_SETS = 99
"""Sets that a match may have."""


def read_event(line: str | bytes, usual: Rules | None = None) -> Event:
    """Read a line of a log.

    Args:
        line: the JSON text, bytes in UTF-8.
        usual: the rules for a start that names no game; toguz korgool by default. A start that names this game gets
            these rules with their options.

    Raises:
        EventError: it is not a valid event.
    """
    fields = Fields("the event", load(line))
    missing = [name for name in ("at", "by", "do") if name not in fields.values]
    if missing:
        raise EventError(f"the event lacks {', '.join(map(repr, missing))}")
    at = fields.seconds("at")
    by = By(fields.choice("by", tuple(By)))
    do = fields.choice("do", tuple(ACTIONS))
    allowed, make = ACTIONS[do]
    fields.name = f"the event {do!r}"
    fields.only(COMMON | set(allowed))
    return Event(at or 0, by, _start(fields, usual) if do == "start" else make(fields))


def _start(fields: Fields, usual: Rules | None) -> Start:
    rules = usual or TOGUZ_KORGOOL
    if fields.values.get("game") is not None:
        named = fields.choice("game", tuple(GAMES))
        rules = rules if rules.name == named else GAMES[named]
    choices = fields.inner("rules")
    for name, value in choices.values.items() if choices else ():
        word = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
        if not isinstance(word, str | int):
            raise EventError(f"'rules': {quoted(name)} must be a word or a number, not {kind_of(value)}")
        try:
            rules = rules.with_option(name[:40], str(word)[:40])
        except ValueError as error:
            raise EventError(f"'rules': {error}") from None
    control = fields.inner("control")
    # A control that is expressly none means that there is no clock.
    clocks = (
        fields.flag("clocks") if "clocks" in fields.values else "control" not in fields.values or control is not None
    )
    return Start(
        rules,
        None if control is None else _control(control),
        True if clocks is None else clocks,
        fields.text("position"),
        _options(fields),
    )


def _options(fields: Fields) -> Options:
    warnings = fields.inner("warnings")
    if warnings is not None:
        warnings.only(("white", "black"))
    counts = [0 if warnings is None else warnings.whole(side, 0, 99) or 0 for side in ("white", "black")]
    compare = fields.values.get("both_flags") is not None and fields.choice("both_flags", ("draw", "compare"))
    return Options(
        automatic_flags=bool(fields.flag("online")),
        both_flags="compare" if compare == "compare" else "draw",
        late_ms=fields.seconds("late"),
        sets=fields.whole("sets", 1, MOST_SETS) or 1,
        set_clock=bool(fields.flag("set_clock")),
        warnings=(counts[0], counts[1]),
    )


def _control(fields: Fields) -> TimeControl:
    fields.only(("kind", "base", "increment", "delay", "periods", "moves"))
    increment, delay = fields.seconds("increment") or 0, fields.seconds("delay") or 0
    if fields.values.get("kind") is None:
        kind = ControlKind.FISCHER if increment else ControlKind.DELAY if delay else ControlKind.SUDDEN
    else:
        kind = ControlKind(fields.choice("kind", tuple(ControlKind)))
    if kind in (ControlKind.BRONSTEIN, ControlKind.DELAY, ControlKind.BYOYOMI) and increment:
        # Some name the time of a turn an increment whatever the control makes of it.
        if delay and delay != increment:
            raise EventError(f"'control': {kind} takes 'delay'; 'increment' says something else")
        increment, delay = 0, increment
    fields.required("base")
    base = fields.seconds("base")
    if base is None:
        raise EventError("'control': 'base' must be seconds, not null")
    periods, moves = fields.whole("periods", 0, MOST_COUNT), fields.whole("moves", 0, MOST_COUNT) or 0
    if periods is None:
        periods = 1 if kind is ControlKind.BYOYOMI else 0
    try:
        return TimeControl(base, increment, kind, delay, periods, moves)
    except ValueError as error:
        raise EventError(f"'control': {error}") from None


def _lots(fields: Fields) -> Lots:
    players = fields.values.get("players", ["1", "2"])
    names = Fields("'players'", dict(enumerate_names(players)))
    first, second = names.text("first", 100), names.text("second", 100)
    if first is None or second is None or len(names.values) != 2:
        raise EventError("'players' must be two names")
    if isinstance(fields.values.get("seed"), int):
        fields.values["seed"] = str(fields.values["seed"])
    fields.required("seed")
    seed = fields.text("seed")
    if seed is None:
        raise EventError("'seed' must be a text or a whole number, not null")
    return Lots((first, second), seed)


def enumerate_names(players: Any) -> Iterable[tuple[str, Any]]:
    """The entries of a list of two, by the names `first` and `second`; nothing of anything else."""
    return zip(("first", "second"), players, strict=True) if isinstance(players, list) and len(players) == 2 else ()


def _move(fields: Fields) -> Move:
    fields.required("hole")
    hole = fields.whole("hole", 0, 99)
    if hole is None:
        raise EventError("the event 'move': 'hole' must be a number, not null")
    return Move(hole)


def _claim(fields: Fields) -> Claim:
    if fields.values.get("reason") == 73:
        fields.values["reason"] = ClaimKind.RECURRENCE.log
    return Claim(BY_LOG[fields.choice("reason", tuple(BY_LOG))], fields.side("player"))


def _warn(fields: Fields) -> Warn:
    fields.required("player")
    player = fields.side("player")
    if player is None:
        raise EventError("the event 'warn': 'player' must be white or black, not null")
    reason: Any = fields.choice("reason", get_args(Reason))
    return Warn(player, reason, fields.text("clause", 60))


def _restore(fields: Fields) -> Restore:
    fields.required("position")
    position = fields.text("position")
    if position is None:
        raise EventError("the event 'restore': 'position' must be a text, not null")
    return Restore(position, fields.seconds("white"), fields.seconds("black"))


def _sign(fields: Fields) -> Sign:
    result, text = fields.text("result", 60), fields.text("result_text", 60)
    if result is not None and text is not None:
        raise EventError("the event 'sign': 'result' and 'result_text' are the same field, one is enough")
    return Sign(text if result is None else result)


_START = (
    "game",
    "control",
    "clocks",
    "position",
    "rules",
    "online",
    "both_flags",
    "late",
    "sets",
    "set_clock",
    "warnings",
)
_PLAYER = ("player",)
ACTIONS: dict[str, tuple[tuple[str, ...], Callable[[Fields], Action]]] = {
    "lots": (("players", "seed"), _lots),
    "start": (_START, lambda fields: _start(fields, None)),
    "arrive": (_PLAYER, lambda fields: Arrive(fields.side("player"))),
    "leave": (_PLAYER, lambda fields: Leave(fields.side("player"))),
    "move": (("hole",), _move),
    "press": (_PLAYER, lambda fields: Press(fields.side("player"))),
    "offer": ((), lambda _: Offer()),
    "accept": ((), lambda _: Accept()),
    "decline": ((), lambda _: Decline()),
    "resign": ((), lambda _: Resign()),
    "claim": (("reason", "player"), _claim),
    "flag": (_PLAYER, lambda fields: Flag(fields.side("player"))),
    "warn": (("player", "reason", "clause"), _warn),
    "pause": ((), lambda _: Pause()),
    "resume": ((), lambda _: Resume()),
    "clock_fault": (
        ("white", "black", "request"),
        lambda fields: ClockFault(fields.seconds("white"), fields.seconds("black"), fields.side("request")),
    ),
    "set_clock": ((), lambda _: SetClock()),
    "spill": (_PLAYER, lambda fields: Spill(fields.side("player"))),
    "restore": (("position", "white", "black"), _restore),
    "sign": (("result", "result_text"), _sign),
    "next_set": ((), lambda _: NextSet()),
}
"""The fields that every action takes beside those of all events, and what makes it of them."""
