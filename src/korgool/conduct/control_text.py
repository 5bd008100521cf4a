"""The text of a time control, such as `60+0` or `15+10 byoyomi 3x30`."""

from __future__ import annotations

import re

from korgool.conduct.control import ControlKind, TimeControl

_NUMBER = r"(\d{1,4}(?:\.\d{1,3})?)"
_CONTROL = re.compile(
    rf"{_NUMBER}\+{_NUMBER}"
    rf"(?:\s+(?P<kind>delay|bronstein)\s+(?P<delay>{_NUMBER})"
    rf"|\s+byoyomi\s+(?P<periods>\d{{1,3}})x(?P<length>{_NUMBER})(?:/(?P<each>\d{{1,3}}))?)?"
    r"(?:\s+(?P<moves>\d{1,3})\s+moves(?:\s+x(?P<stocks>\d{1,3}))?)?",
    re.ASCII,
)


def read_control(text: str) -> TimeControl:
    """The control that a text states, as `str(TimeControl)` writes it.

    `60+0` is an hour each, `15+10` a quarter of an hour and ten seconds for every turn. Behind it may stand `delay 5`
    or `bronstein 5` (seconds of each turn), `byoyomi 3x30` (three periods of thirty seconds; `3x30/5` each for five
    turns), and `40 moves`: after every forty the stock is given again, with `x2` only until it was given twice.

    Raises:
        ValueError: the text has another form, or gives no such control.
    """
    found = _CONTROL.fullmatch(" ".join(text.lower().split()))
    if found is None:
        raise ValueError(
            "a time control is minutes+seconds such as 60+0 or 15+10, maybe with delay 5, bronstein 5, byoyomi 3x30 "
            f"or 40 moves behind it, not {text[:40]!r}"
        )
    stock, more = _thousandths(found[1], 60), _thousandths(found[2], 1)
    try:
        if found["length"]:
            each = int(found["each"] or 0)
            if found["moves"]:
                raise ValueError("the turns of a byoyomi period stand behind it, as in byoyomi 3x30/5")
            _no_increment(more)
            length, periods = _thousandths(found["length"], 1), int(found["periods"])
            return TimeControl(stock, 0, ControlKind.BYOYOMI, length, periods, each)
        moves, stocks = int(found["moves"] or 0), int(found["stocks"] or 0)
        if found["kind"]:
            _no_increment(more)
            delay = _thousandths(found["delay"], 1)
            kind = ControlKind(found["kind"]) if delay else ControlKind.FISCHER  # as `str` writes it: no delay at all
            return TimeControl(stock, 0, kind, delay, stocks, moves)
        return TimeControl(stock, more, periods=stocks, moves=moves)
    except ValueError as error:
        raise ValueError(f"time control {text[:40]!r}: {error}") from None


def _no_increment(milliseconds: int) -> None:
    if milliseconds:
        raise ValueError("a delay or a byoyomi has no increment: write 15+0 before it")


def _thousandths(text: str, factor: int) -> int:
    whole, _, rest = text.partition(".")
    return (int(whole) * 1000 + int(rest.ljust(3, "0") if rest else 0)) * factor
