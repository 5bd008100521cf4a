"""Rulings in words: a short sentence for the players in each of the five languages.

The sentences do not name their clause; whoever shows one puts it at the end, as in `… (WNG-TK §V)`. There is no
fallback from one language to another: every kind of ruling has its sentence in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from korgool.conduct.ruling import Argument, RulingKind
from korgool.conduct.sentences.words import Count, Duration, Language, language_of

LANGUAGES = ("en", "ky", "kk", "ru", "tr")
"""Language tags: English, Kyrgyz, Kazakh, Russian, Turkish."""

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
"""What the sentence of each kind needs, see `RulingKind`."""

_SIDED = ("player", "winner", "opponent")


def sentence(kind: RulingKind | str, arguments: Mapping[str, Argument], language: str = "en") -> str:
    """A ruling in words.

    Args:
        kind: the kind of ruling.
        arguments: exactly those of `ARGUMENTS[kind]`: sides as `white` or `black` (a winner also `draw`, where the
            board can be drawn so), times in whole milliseconds, and numbers.
        language: one of `LANGUAGES`.

    Raises:
        ValueError: there is no such kind or language, or an argument is missing, unknown, or of no use here.
    """
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    kind = RulingKind(kind)
    if set(arguments) != set(ARGUMENTS[kind]):
        raise ValueError(f"the ruling {kind} takes {_list(ARGUMENTS[kind])}, not {_list(arguments)}")
    words = language_of(language)
    key = _variant(kind, arguments)
    if key not in words.sentences:
        raise ValueError(f"the ruling {kind} cannot say {_list(f'{name}={arguments[name]}' for name in arguments)}")
    values = {name: _value(kind, name, value, words) for name, value in arguments.items()}
    text = words.sentences[key].format(**values)
    return words.capital(text[0]) + text[1:]


def _variant(kind: RulingKind, arguments: Mapping[str, Argument]) -> str:
    """The key of the sentence: the kind, and after a point what changes its wording."""
    if arguments.get("winner") == "draw":
        return f"{kind}.draw"
    if kind in (RulingKind.REPETITION, RulingKind.REPETITION_DENIED):
        return f"{kind}.{arguments['reason']}"
    if kind == RulingKind.CLOCK_CORRECTED and arguments["made_good_ms"] == 0:
        return f"{kind}.plain"
    if kind == RulingKind.RESTORED and arguments["ply"] == -1:
        return f"{kind}.unknown"
    return str(kind)


def _value(kind: RulingKind, name: str, value: Argument, words: Language) -> object:
    if name in _SIDED:
        if name == "winner" and value == "draw":
            return value
        if value not in words.sides:
            raise ValueError(f"{name} is white or black, not {value!r}")
        return words.sides[str(value)]
    if name == "reason" and kind not in (RulingKind.REPETITION, RulingKind.REPETITION_DENIED):
        if value not in words.reasons:
            raise ValueError(f"the reason of a warning is one of {', '.join(words.reasons)}, not {value!r}")
        return words.reasons[str(value)]
    if isinstance(value, str):
        return value
    if name.endswith("_ms"):
        return Duration(value, words)
    return Count(value, words)


def _list(names: Iterable[str]) -> str:
    return ", ".join(names) or "no arguments"
