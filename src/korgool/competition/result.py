"""The result of a game or match and its text: `1 (82) - 0 (60)` (WNG-TK §IX)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from korgool.competition.errors import CompetitionError
from korgool.languages import N_
from korgool.rules import Rules

Cause: TypeAlias = Literal["board", "no_move", "resignation", "time", "agreement", "repetition", "forfeit", "unknown"]
"""Cause of the end of a game. `board` is every ending by the rules of movement; `no_move` is the one of them in which
stones may still lie on the board, because they have not been swept."""

_SIDE = r"(?P<{0}>0[.,]5|1/2|½|[01]|=)\s*(?:\(\s*(?P<{0}_store>\d+)\s*\))?"
_RESULT = re.compile(
    rf"\s*{_SIDE.format('white')}\s*[-:–—]\s*{_SIDE.format('black')}\s*(?P<cause>(?:[a-z][a-z _-]*)?)\s*", re.I
)
_FORFEIT = re.compile(r"\s*([+-])\s*[-:/–—]\s*([+-])\s*(?:forfeit)?\s*", re.I)
_POINTS = {"0": 0, "1": 2}
_CAUSES: dict[str, Cause] = {
    "": "board", "board": "board", "majority": "board", "equal": "board", "side empty": "board", "no move": "no_move",
    "no moves": "no_move", "resigned": "resignation", "resignation": "resignation", "time": "time", "flag": "time",
    "flags": "time", "both flags": "time", "agreement": "agreement", "agreed": "agreement", "repetition": "repetition",
    "forfeit": "forfeit", "no show": "forfeit", "unknown": "unknown",
}  # fmt: skip
_BOTH_FLAGS = ("flags", "both flags")


@dataclass(frozen=True, slots=True)
class SetResult:
    """Set of a mangala match: half points and stores of the pairing's White and Black, whichever of them began the set.

    `cause` gives the reason of its end where the stores do not show it.
    """

    white: int
    black: int
    stores: tuple[int, int] | None = None
    cause: Cause = "board"


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a game, or of a match of several sets.

    Attributes:
        white, black: half points: 2 and 0, 1 and 1, 0 and 2, or 0 and 0 where both lost.
        stores: stones in the stores, including the sweep; None if they are unknown, as in a forfeit.
        cause: why the game ended.
        sets: the sets of a match, whose stores are summed in `stores`; empty for a single game.
    """

    white: int
    black: int
    stores: tuple[int, int] | None = None
    cause: Cause = "board"
    sets: tuple[SetResult, ...] = ()

    @property
    def played(self) -> bool:
        """True if the game was played and not forfeited."""
        return self.cause != "forfeit"

    @property
    def text(self) -> str:
        """As protocols write it: `1 (82) - 0 (60)`, or `+ - -` for a forfeit."""
        if not self.played:
            return f"{'+' if self.white else '-'} - {'+' if self.black else '-'}"
        stores = ("", "") if self.stores is None else tuple(f" ({stones})" for stones in self.stores)
        return f"{points_text(self.white)}{stores[0]} - {points_text(self.black)}{stores[1]}"

    @property
    def mirrored(self) -> Result:
        """The same with White and Black exchanged."""
        stores = None if self.stores is None else self.stores[::-1]
        sets = tuple(
            SetResult(one.black, one.white, None if one.stores is None else one.stores[::-1], one.cause)
            for one in self.sets
        )
        return Result(self.black, self.white, stores, self.cause, sets)

    @property
    def set_score(self) -> tuple[int, int] | None:
        """Half points that the sets of a match gave to White and Black; None for a single game."""
        if not self.sets:
            return None
        return sum(one.white for one in self.sets), sum(one.black for one in self.sets)

    @property
    def full_text(self) -> str:
        """The text, for a match followed by the points of its sets: `1 (75) - 0 (69) [2:1]`."""
        score = self.set_score
        return self.text if score is None else f"{self.text} [{points_text(score[0])}:{points_text(score[1])}]"

    def check(self, rules: Rules, *, sets: int = 1) -> None:
        """Raise CompetitionError when the result contradicts its own ending (WNG-TK §V, §IX).

        `sets` is the number of sets a match of the event has.
        """
        if self.sets:
            _check_sets(self, rules, sets)
            return
        if (self.white, self.black) not in ((2, 0), (1, 1), (0, 2), (0, 0)):
            raise CompetitionError(
                N_("{text}: a game gives 1 - 0, 0.5 - 0.5, 0 - 1 or, where both lost, 0 - 0"), text=self.text
            )
        if not self.played:
            if self.stores is not None:
                raise CompetitionError(N_("{text}: a forfeited game has no stones in the kazans"), text=self.text)
            if (self.white, self.black) == (1, 1):
                raise CompetitionError(N_("a forfeit is no draw"))
            return
        if (self.white, self.black) == (0, 0) and self.cause != "time":
            raise CompetitionError(
                N_("{text}: both players lose only by a forfeit or by time; add the cause"), text=self.text
            )
        if self.stores is not None:
            _check_stores(self.stores, rules.total * sets, self.text)
            if sets == 1:
                if self.cause == "no_move":
                    _check_no_move(self, rules)
                else:
                    _check_ending(self, rules)


def _check_stores(stores: tuple[int, int], total: int, text: str) -> None:
    if min(stores) < 0 or sum(stores) > total:
        raise CompetitionError(
            N_("{text}: the kazans hold {stones} stones together, the game has {total}"),
            text=text,
            stones=sum(stores),
            total=total,
        )


def _check_ending(result: Result, rules: Rules) -> None:
    assert result.stores is not None
    half, majority = rules.total // 2, rules.total // 2 + 1
    most = max(result.stores)
    if (result.white, result.black) == (1, 1):
        if most > half:
            raise CompetitionError(
                N_("{text}: who has {most} stones of {total} has won, it is no draw"),
                text=result.text,
                most=most,
                total=rules.total,
            )
        if result.cause == "board" and result.stores != (half, half):
            raise CompetitionError(
                N_("{text}: a draw on the board is {half} each; else name the cause: agreement, repetition, time"),
                text=result.text,
                half=half,
            )
        if result.cause == "resignation":
            raise CompetitionError(N_("{text}: who resigns has lost, it is no draw"), text=result.text)
        return
    if result.cause in ("agreement", "repetition"):
        raise CompetitionError(N_("{text}: {cause} is a draw, it has no winner"), text=result.text, cause=result.cause)
    if (result.white, result.black) == (0, 0):
        return
    own, other = result.stores if result.white == 2 else result.stores[::-1]
    if other >= majority:
        raise CompetitionError(
            N_("{text}: the loser has {other} stones of {total}, which wins"),
            text=result.text,
            other=other,
            total=rules.total,
        )
    if result.cause == "board" and own < majority:
        raise CompetitionError(
            N_(
                "{text}: a winner has at least {majority} stones, not {own}, unless the opponent resigned, lost on "
                "time or forfeited; add the cause"
            ),
            text=result.text,
            majority=majority,
            own=own,
        )


def _check_no_move(result: Result, rules: Rules) -> None:
    """A side had no move: the stones left go to one of the two, whether they are in that store already or not."""
    assert result.stores is not None
    half, left = rules.total // 2, rules.total - sum(result.stores)
    if result.white == result.black:
        if max(result.stores) != half:
            raise CompetitionError(
                N_("{text}: without a move left it is a draw at {half} each, after the sweep"),
                text=result.text,
                half=half,
            )
        return
    own, other = result.stores if result.white == 2 else result.stores[::-1]
    if other > half:
        raise CompetitionError(
            N_("{text}: the loser has {other} stones of {total}, which wins"),
            text=result.text,
            other=other,
            total=rules.total,
        )
    if own + left <= half:
        raise CompetitionError(
            N_("{text}: with the {left} stones left the winner has {stones}, not {least}"),
            text=result.text,
            left=left,
            stones=own + left,
            least=half + 1,
        )


def _check_sets(result: Result, rules: Rules, sets: int) -> None:
    if len(result.sets) > sets:
        raise CompetitionError(
            N_("{count} sets are given, a match of this event has {sets}"), count=len(result.sets), sets=sets
        )
    for number, one in enumerate(result.sets, 1):
        try:
            Result(one.white, one.black, one.stores, one.cause).check(rules)
        except CompetitionError as error:
            raise CompetitionError(N_("set {number}: {error}"), number=number, error=error) from None


def names_cause(text: str) -> Cause | None:
    """The cause that a word names which `read_result` knows; None for another word, or none."""
    word = _word(text)
    return _CAUSES.get(word) if word else None


def _word(text: str) -> str:
    return " ".join(re.split(r"[\s_-]+", text.lower().strip()))


def read_result(text: str, *, cause: Cause | None = None) -> Result:
    """The result that a text states. `Result.check` compares it with the rules.

    Accepts `1 (82) - 0 (60)`, `0.5 (81) - 0.5 (81)`, `1-0`, a cause after it (`1 (70) - 0 (60) resignation`), a forfeit
    `+ - -`, `- - +`, `- - -`, and the sets of a match separated by semicolons: `1 (30) - 0 (18); 0 (20) - 1 (28)`.

    Raises:
        CompetitionError: the text is not a result.
    """
    if ";" in text:
        return _read_match(text, cause)
    if found := _FORFEIT.fullmatch(text):
        white, black = (2 if sign == "+" else 0 for sign in found.groups())
        if white and black:
            raise CompetitionError(N_("{text!r}: both players cannot win"), text=text.strip())
        if cause not in (None, "forfeit"):
            raise CompetitionError(N_("{text!r} is a forfeit, not {cause}"), text=text.strip(), cause=cause)
        return Result(white, black, None, "forfeit")
    found = _RESULT.fullmatch(text)
    word = _word(found["cause"]) if found else ""
    if not found or word not in _CAUSES:
        raise CompetitionError(
            N_(
                "{text!r} is no result; write it as '1 (82) - 0 (60)', '0.5 (81) - 0.5 (81)', '1-0 resignation' or "
                "'+ - -' for a forfeit"
            ),
            text=text.strip(),
        )
    stated = _CAUSES[word]
    if cause and stated not in ("board", cause):
        raise CompetitionError(N_("{text!r} names another cause than {cause}"), text=text.strip(), cause=cause)
    stores = _stores(found, text)
    reason = cause or stated
    if reason == "board" and stores is None:
        reason = "unknown"
    white, black = (_POINTS.get(found[side], 1) for side in ("white", "black"))
    if (white, black) == (0, 0) and reason == "unknown":
        reason = "forfeit"
    if word in _BOTH_FLAGS:
        _check_both_flags(white, black, stores, text)
    return Result(white, black, stores, reason)


def _check_both_flags(white: int, black: int, stores: tuple[int, int] | None, text: str) -> None:
    """Two fallen flags are a draw, or the stores are compared (WNG-TK §V, §VII)."""
    if (white, black) == (0, 0):
        raise CompetitionError(
            N_("{text!r}: two fallen flags are a draw, or the fuller kazan wins; nobody loses"), text=text.strip()
        )
    if white != black and stores is not None and (stores[0] - stores[1]) * (white - black) <= 0:
        raise CompetitionError(
            N_("{text!r}: when both flags have fallen, only the fuller kazan can win"), text=text.strip()
        )


def _stores(found: re.Match[str], text: str) -> tuple[int, int] | None:
    stores = (found["white_store"], found["black_store"])
    if stores == (None, None):
        return None
    if None in stores:
        raise CompetitionError(N_("{text!r} gives the stones of one player only"), text=text.strip())
    if max(map(len, stores)) > 4:
        raise CompetitionError(N_("{text!r} has too many stones"), text=text.strip())
    return int(stores[0]), int(stores[1])


def _read_match(text: str, cause: Cause | None) -> Result:
    sets = []
    for part in text.split(";"):
        if part.strip():
            one = read_result(part)
            sets.append(SetResult(one.white, one.black, one.stores, "board" if one.cause == "unknown" else one.cause))
    if not sets:
        raise CompetitionError(N_("{text!r} holds no set"), text=text.strip())
    unplayed = all(one.cause == "forfeit" for one in sets)
    return match_result(tuple(sets), cause=cause or ("forfeit" if unplayed else "board"))


def match_result(sets: tuple[SetResult, ...], *, cause: Cause = "board") -> Result:
    """The result of a match by its sets: more half points win it; the stores are summed."""
    white, black = sum(one.white for one in sets), sum(one.black for one in sets)
    known = [one.stores for one in sets if one.stores is not None]
    stores = (sum(one[0] for one in known), sum(one[1] for one in known)) if len(known) == len(sets) else None
    points = (1, 1) if white == black else (2, 0) if white > black else (0, 2)
    return Result(*points, stores, cause, sets)


def points_text(half_points: int) -> str:
    """Half points as decimals with a point: `1.5`, `1`, `0.5`, `-0.5`."""
    whole, half = divmod(abs(half_points), 2)
    return ("-" if half_points < 0 else "") + str(whole) + (".5" if half else "")


def said_points(half_points: int) -> str:
    """Half points as people read them: `7½`, `½`, `−½`, `2`."""
    whole, rest = divmod(abs(half_points), 2)
    text = (str(whole) if whole or not rest else "") + ("½" if rest else "")
    return f"−{text}" if half_points < 0 else text


def said_number(value: float) -> str:
    """A tie-break as people read it: `4½`, `4.25`, `12`; with at most two decimals. Averages of ratings keep theirs."""
    if (2 * value).is_integer() and abs(value) < 1000:
        return said_points(round(2 * value))
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-", "−")
