"""Events as lines of a log: what `korgool.conduct.reading` reads back equal. A game is stored by its log."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from korgool.conduct.claims import ClaimKind
from korgool.conduct.control import TimeControl
from korgool.conduct.events import Action, ClockFault, Event, Options, Restore, Start, Warn
from korgool.conduct.fields import action_name
from korgool.rules import GAMES, Rules, Side


def write_event(event: Event) -> str:
    """The line of an event, without the end of line. Fields that have their usual value are left out.

    Raises:
        ValueError: a start with rules that are no variety of the four games.
    """
    return json.dumps(event_fields(event), ensure_ascii=False)


def event_fields(event: Event) -> dict[str, Any]:
    """The fields of an event as JSON has them."""
    found = {"at": _seconds(event.at), "by": str(event.by), "do": action_name(type(event.action))}
    return {**found, **_action_fields(event.action)}


def _seconds(time: int) -> int | float:
    return time // 1000 if time % 1000 == 0 else time / 1000


def _action_fields(action: Action) -> dict[str, Any]:
    match action:
        case Start():
            return _start_fields(action)
        case Warn(player, reason, clause):
            warned = {"player": player.name.lower(), "reason": reason}
            return warned if clause is None else {**warned, "clause": clause}
        case ClockFault(white, black, request):
            known = {
                name: None if time is None else _seconds(time) for name, time in (("white", white), ("black", black))
            }
            return known if request is None else {**known, "request": request.name.lower()}
        case Restore(position, white, black):
            times = {name: _seconds(time) for name, time in (("white", white), ("black", black)) if time is not None}
            return {"position": position, **times}
    plain: dict[str, Any] = {}
    for field in fields(action):
        value = getattr(action, field.name)
        if isinstance(value, Side):
            plain[field.name] = value.name.lower()
        elif isinstance(value, ClaimKind):
            plain[field.name] = value.log
        elif value is not None:
            plain[field.name] = list(value) if isinstance(value, tuple) else value
    return plain


def _start_fields(start: Start) -> dict[str, Any]:
    found: dict[str, Any] = {"game": start.rules.name}
    if start.control is not None:
        found["control"] = _control_fields(start.control)
    if not start.clocks:
        found["clocks"] = False
    if start.position is not None:
        found["position"] = start.position
    choices = _choices(start.rules)
    if choices:
        found["rules"] = choices
    return {**found, **_option_fields(start.options)}


def _choices(rules: Rules) -> dict[str, Any]:
    usual = GAMES.get(rules.name)
    if usual is None or (usual.title, usual.holes, usual.stones) != (rules.title, rules.holes, rules.stones):
        raise ValueError(f"a log cannot name the game {rules.title!r}; it must be one of {', '.join(GAMES)}")
    known = usual.options()
    return {name: value for name, value in rules.options().items() if value != known[name]}


def _control_fields(control: TimeControl) -> dict[str, Any]:
    numbers = {
        "increment": _seconds(control.increment_ms),
        "delay": _seconds(control.delay_ms),
        "periods": control.periods,
        "moves": control.moves,
    }
    given = {name: value for name, value in numbers.items() if value}
    return {"kind": str(control.kind), "base": _seconds(control.initial_ms), **given}


def _option_fields(options: Options) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if options.automatic_flags:
        found["online"] = True
    if options.both_flags != "draw":
        found["both_flags"] = options.both_flags
    if options.late_ms is not None:
        found["late"] = _seconds(options.late_ms)
    if options.sets != 1:
        found["sets"] = options.sets
    if options.set_clock:
        found["set_clock"] = True
    if options.warnings != (0, 0):
        found["warnings"] = {"white": options.warnings[0], "black": options.warnings[1]}
    return found
