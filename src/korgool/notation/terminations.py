"""Names of games, results and terminations in records."""

from __future__ import annotations

import re

from korgool.rules import GAMES, VARIANTS, Outcome, Rules, Side, Termination

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
"""The results that a record can give; `*` is a game without one."""

VARIANT_NAMES = {alias: name for name, variant in VARIANTS.items() for alias in (name, *variant.aliases)}
"""Names of the games by what a Variant tag may call them, in small letters without blanks and signs."""
_SILENT = ("", "standard", "normal", "fromposition")


def rules_of_variant(text: str) -> Rules | None:
    """The game that a Variant tag names, in any case and spacing, or None where it names none.

    Raises:
        ValueError: no game is called so.
    """
    key = re.sub(r"[\W_]+", "", text).lower()
    if key in _SILENT:
        return None
    if key not in VARIANT_NAMES:
        titles = ", ".join(rules.title for rules in GAMES.values())
        raise ValueError(f"the variant {text[:40]!r} is not known; there are {titles}")
    return GAMES[VARIANT_NAMES[key]]


def format_options(rules: Rules) -> str:
    """The options by which rules differ from the game of their name, such as `sweep=owner, goal=25`; often empty.

    Raises:
        ValueError: they are not those of a game with options switched.
    """
    base = GAMES.get(rules.name)
    if base is None or (base.holes, base.stones, base.title) != (rules.holes, rules.stones, rules.title):
        raise ValueError(f"a record cannot name the game {rules.title!r}; it must be one of {', '.join(GAMES)}")
    usual = base.options()
    return ", ".join(f"{name}={_word(value)}" for name, value in rules.options().items() if value != usual[name])


def _word(value: int | bool | str) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def parse_options(text: str, rules: Rules) -> Rules:
    """Switch the options named in a Rules tag.

    Raises:
        ValueError: an option is not known or has not that value.
    """
    for part in text.split(","):
        name, sign, value = part.partition("=")
        if not sign:
            raise ValueError(f"the rule {part.strip()[:40]!r} needs the form NAME=VALUE")
        rules = rules.with_option(name.strip(), value)
    return rules


_POINTS = {"1": 2, "0": 0, "0.5": 1, "0,5": 1, "1/2": 1, "½": 1}
RESULT_TEXT = re.compile(
    r"(?!1[-–—]1)(1/2|½|0[.,]5|1|0)\s?(?:\(([0-9]{1,3})\)\s?)?[-–—:]\s?(1/2|½|0[.,]5|1|0)(?:\s?\(([0-9]{1,3})\))?(?=[\s{;]|$)"
)
"""`1-0`, `½-½`, `1 (82) - 0 (60)` and their like; `1-1` is a move."""


def parse_result(text: str) -> tuple[str, tuple[int, int] | None]:
    """Read a result and, where it has them, the stores, as in `1 (82) - 0 (60)` (WNG-TK §IX).

    Raises:
        ValueError: it is not a result.
    """
    text = text.strip()
    if text in ("*", "?", ""):
        return "*", None
    match = RESULT_TEXT.fullmatch(text)
    if match is None or _POINTS[match[1]] + _POINTS[match[3]] != 2:
        raise ValueError(f"{text[:40]!r} is not a result; there are {' '.join(RESULTS)}")
    result = {2: "1-0", 0: "0-1", 1: "1/2-1/2"}[_POINTS[match[1]]]
    stores = (int(match[2]), int(match[4])) if match[2] and match[4] else None
    return result, stores


_REASONS = (
    (r"repetition|threefold|chyl?[iy]mov|chalymov|recurrence", Termination.REPETITION),
    (r"\btime|timeout|\bflag|on time|clock", Termination.TIME),
    (r"forfeit|no.?show|absen|walkover|late|default|disqualif|infraction|abandon", Termination.FORFEIT),
    (r"resign|gave up|surrender", Termination.RESIGNATION),
    (r"agree|mutual", Termination.AGREEMENT),
)


def parse_termination(text: str) -> Termination:
    """The reason that a Termination tag gives: a word of ours, or words as other programs write them; else unknown."""
    words = text.strip().lower()
    for reason in Termination:
        if words == reason:
            return reason
    return next((reason for pattern, reason in _REASONS if re.search(pattern, words[:200])), Termination.UNKNOWN)


_OF_THE_BOARD = (Termination.MAJORITY, Termination.NO_MOVE, Termination.EQUAL, Termination.SIDE_EMPTY)


def declared(result: str, termination: str, stores: tuple[int, int]) -> Outcome | None:
    """The outcome that a header declares where the board has not ended the game, or None for the result `*`.

    Args:
        result: one of `RESULTS`.
        termination: the text of the Termination tag, or empty.
        stores: the stores as they stand; a declared ending sweeps nothing (WNG-TK §V).
    """
    if result == "*":
        return None
    reason = parse_termination(termination)
    winner = {"1-0": Side.WHITE, "0-1": Side.BLACK}.get(result)
    # The board did not end the game, so a tag that says it did explains nothing.
    return Outcome(winner, Termination.UNKNOWN if reason in _OF_THE_BOARD else reason, stores)
