"""Rulings in words: a short sentence for the players, in every language that has a catalogue.

The sentences do not name their clause; the caller puts it at the end, as in `… (WNG-TK §V)`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from korgool.conduct.ruling import Argument, RulingKind
from korgool.conduct.sentences.durations import in_words, on_a_clock
from korgool.conduct.sentences.messages import REASONS, SENTENCES
from korgool.languages import translations

_STORES = ("white", "black")
ARGUMENTS: Mapping[RulingKind, tuple[str, ...]] = {
    RulingKind.LOTS_DRAWN: ("white", "black", "seed"),
    RulingKind.LATE: ("player", "winner", "limit_ms"),
    RulingKind.BOTH_LATE: ("limit_ms",),
    RulingKind.NOT_LATE_YET: ("player", "limit_ms", "left_ms"),
    RulingKind.NOT_ABSENT: ("player",),
    RulingKind.MAJORITY: ("winner", "goal", *_STORES),
    RulingKind.NO_MOVE: ("player", "winner", *_STORES),
    RulingKind.EQUAL: _STORES,
    RulingKind.SIDE_EMPTY: ("player", "winner", *_STORES),
    RulingKind.EXTRA_TURN: ("player",),
    RulingKind.TIME: ("player", "winner", *_STORES),
    RulingKind.MOVE_FIRST: ("player",),
    RulingKind.NO_FLAG: ("player", "left_ms"),
    RulingKind.BOTH_FLAGS_DRAW: (*_STORES, "half"),
    RulingKind.BOTH_FLAGS_COUNTED: ("winner", *_STORES),
    RulingKind.PRESSED: ("player",),
    RulingKind.PRESS_FORGOTTEN: ("player",),
    RulingKind.PAUSED: (),
    RulingKind.RESUMED: ("player",),
    RulingKind.STOPPED_FOR_FLAG: ("player",),
    RulingKind.STOP_FORBIDDEN: ("player",),
    RulingKind.CLOCK_CORRECTED: ("player", "white_ms", "black_ms", "made_good_ms"),
    RulingKind.CLOCK_SET: ("white_ms", "black_ms"),
    RulingKind.CLOCK_DIVIDED: ("each_ms",),
    RulingKind.CLOCK_AFTER_FLAG: ("player",),
    RulingKind.CLOCK_NOT_REQUESTED: (),
    RulingKind.CLOCK_INSTALLED: ("each_ms", "elapsed_ms"),
    RulingKind.AGREED: _STORES,
    RulingKind.RESIGNED: ("player", "winner", *_STORES),
    RulingKind.OFFER_UNTIMELY: ("player",),
    RulingKind.OFFER_ABSENT: ("player",),
    RulingKind.FOURTH_OFFER: ("player", "opponent", "number"),
    RulingKind.FOURTH_OFFER_LOST: ("player", "winner", *_STORES),
    RulingKind.FOURTH_OFFER_DENIED: ("player", "number"),
    RulingKind.REPETITION: ("reason", "times"),
    RulingKind.REPETITION_DENIED: ("reason", "times"),
    RulingKind.DRAWN_POSITION: _STORES,
    RulingKind.DRAWN_POSITION_DENIED: (),
    RulingKind.DRAWN_POSITION_OFF: (),
    RulingKind.DRAWN_POSITION_MANY: (),
    RulingKind.DRAW_NEEDS_BOTH: ("player",),
    RulingKind.SPILLED: ("player",),
    RulingKind.RESTORED: ("player", "ply"),
    RulingKind.SIGNED_STANDS: ("result",),
    RulingKind.DECLARED_STANDS: ("result",),
    RulingKind.SIGNED: ("result",),
    RulingKind.ACCEPTED: ("result",),
    RulingKind.RECORD_EXEMPT: ("player", "left_ms"),
    RulingKind.WARNING: ("player", "reason", "number"),
    RulingKind.WARNING_POINT: ("player", "reason", "number"),
    RulingKind.WARNING_EXCLUSION: ("player", "reason", "number"),
    RulingKind.SET_STARTED: ("number", "sets"),
}
"""Arguments of the sentence of each kind, see `RulingKind`."""

_SIDED = ("player", "winner", "opponent")
_COUNTED = ("goal", "number", "times")
_REPETITIONS = (RulingKind.REPETITION, RulingKind.REPETITION_DENIED)


def sentence(kind: RulingKind | str, arguments: Mapping[str, Argument], language: str = "en") -> str:
    """A ruling in words.

    Args:
        kind: the kind of ruling.
        arguments: exactly those of `ARGUMENTS[kind]`: sides as `white` or `black` (a winner also `draw`, where the
            board can be drawn so), times in whole milliseconds, and numbers.
        language: one of `korgool.languages.LANGUAGES`.

    Raises:
        ValueError: there is no such kind or language, or an argument is missing, unknown, or of no use here.
    """
    catalogue = translations(language)
    kind = RulingKind(kind)
    if set(arguments) != set(ARGUMENTS[kind]):
        raise ValueError(f"the ruling {kind} takes {_list(ARGUMENTS[kind])}, not {_list(arguments)}")
    key = " ".join([_wording(kind, arguments), *_sides(kind, arguments)])
    if key not in SENTENCES:
        raise ValueError(f"the ruling {kind} cannot say {_list(f'{name}={arguments[name]}' for name in arguments)}")
    values: dict[str, Argument] = {}
    for name, value in arguments.items():
        if name.endswith("_ms"):
            if not isinstance(value, int):
                raise ValueError(f"{name} is whole milliseconds, not {value!r}")
            # People wait by whole seconds.
            told = -(-value // 1000) * 1000 if name == "left_ms" and value > 1000 else value
            values[name.removesuffix("_ms")] = in_words(told, catalogue)
            values[name.removesuffix("_ms") + "_clock"] = on_a_clock(told, catalogue)
        elif name == "reason" and kind not in _REPETITIONS:
            if value not in REASONS:
                raise ValueError(f"the reason of a warning is one of {', '.join(REASONS)}, not {value!r}")
            values[name] = catalogue.gettext(REASONS[str(value)])
        else:
            values[name] = value
    message = SENTENCES[key]
    if isinstance(message, str):
        return catalogue.gettext(message) % values
    number = next(int(arguments[name]) for name in _COUNTED if name in arguments)
    return catalogue.ngettext(*message, number) % values


def _wording(kind: RulingKind, arguments: Mapping[str, Argument]) -> str:
    """The kind, and after a point what changes its wording."""
    if arguments.get("winner") == "draw":
        return f"{kind}.draw"
    if kind in _REPETITIONS:
        return f"{kind}.{arguments['reason']}"
    if kind == RulingKind.CLOCK_CORRECTED and arguments["made_good_ms"] == 0:
        return f"{kind}.plain"
    if kind == RulingKind.RESTORED and arguments["ply"] == -1:
        return f"{kind}.unknown"
    return str(kind)


def _sides(kind: RulingKind, arguments: Mapping[str, Argument]) -> list[str]:
    """The sides that a sentence names, in the order of its arguments."""
    found = {name: arguments[name] for name in ARGUMENTS[kind] if name in _SIDED}
    if found.get("winner") == "draw":
        del found["winner"]
    for name, value in found.items():
        if value not in ("white", "black"):
            raise ValueError(f"{name} is white or black, not {value!r}")
    return [str(side) for side in found.values()]


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "no arguments"
