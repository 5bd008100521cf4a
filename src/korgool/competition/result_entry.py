"""Results as an arbiter types them, read and written: short forms, whole matches, and lists of a round's results."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Settings
from korgool.competition.result import Cause, Result, names_cause, read_result
from korgool.competition.result_words import LETTERS, cause_named, typed_cause
from korgool.languages import N_
from korgool.rules import Rules

_STONES = re.compile(
    r"(?:(?P<won>1-0|0-1|=|1/2|½)\s+)?(?P<white>\d{1,4})(?:\s*[-:–—]\s*|\s+)(?P<black>\d{1,4})", re.ASCII
)
_ENDING = re.compile(r"(?P<head>.*?)\s*(?P<arrow>[<>←→])?\s*(?P<cause>(?:[^\W\d_][^\d()/+=<>←→½;-]*)?)", re.S)
"""Part after the stones: an arrow to the winner, and the cause."""
_DRAW = re.compile(r"(\d{2,4}\D{1,3}\d{1,4})\s*=\s*(.*)", re.ASCII | re.S)
_WON = {"<": "1-0", "←": "1-0", ">": "0-1", "→": "0-1"}
_WORDS = {
    "+-": "+ - -", "-+": "- - +", "--": "- - -", "=": "0.5 - 0.5", "1/2": "0.5 - 0.5", "½": "0.5 - 0.5",
    "1 0": "1 - 0", "0 1": "0 - 1",
}  # fmt: skip
_LONGEST = 200
_DRAWN = ("agreement", "repetition")
_LINE = re.compile(r"(\d{1,4})(?:[.,:;)\s]\s*(.*))?", re.ASCII)
_PLAYING = ("", "*", "...", "…")


class NoWinnerError(CompetitionError):
    """Stones that do not tell who won, and no word that does.

    Attributes:
        stones: those of White and Black.
        cause: why the game ended, if that was said.
    """

    def __init__(self, text: str, stones: tuple[int, int], cause: Cause | None, least: int) -> None:
        super().__init__(
            N_(
                "{text!r} does not tell who won: nobody has {least} stones. Write the winner before it and the cause "
                "behind it, such as 1-0 {white}-{black} resignation"
            ),
            text=text,
            least=least,
            white=stones[0],
            black=stones[1],
        )
        self.stones, self.cause = stones, cause


def read_entry(text: str, settings: Settings, *, cause: Cause | None = None, language: str = "en") -> Result:
    """The result that an arbiter types: anything that `read_result` reads, and shorter forms.

    `82-60` and `82 60` are stones, which show the winner. If they do not, the points come first and the cause last:
    `1-0 70-60 resignation`. The cause is a word or a letter of any language, see `result_words`; who has fewer stones
    has resigned, if nothing else is said. An arrow leads to the winner: `70-60 >` is won by Black, as White has
    resigned, and `70-60 > time` on time. `=` is a draw; `+-`, `-+` and `--` are forfeits. Semicolons separate the
    sets of a match.

    Args:
        text: the result.
        settings: of the event.
        cause: why the game ended, instead of a word: `70-60` is read as with that word behind it.
        language: in which a letter is read first.

    Raises:
        NoWinnerError: the stones do not show the winner.
        CompetitionError: it is not a result, or a match lacks a set.
    """
    parts = text.split(";")
    of_one = cause if len(parts) == 1 else None  # that of a match says nothing about its sets
    result = read_result(";".join(_long(part, settings.rules(), language, of_one) for part in parts), cause=cause)
    check_whole(result, settings)
    return result


def check_whole(result: Result, settings: Settings) -> None:
    """Refuse a match that lacks a set, or has one too many; a match may be forfeited as a whole."""
    if settings.sets > 1 and result.played and len(result.sets) != settings.sets:
        given = (
            Message(N_("{count} are given"), count=len(result.sets)) if result.sets else Message(N_("none is given"))
        )
        raise CompetitionError(
            N_(
                "a match of this event has {sets} sets, {given}: write all, parted by semicolons, one that was not "
                "played as + - - or - - +"
            ),
            sets=settings.sets,
            given=given,
        )


def _long(text: str, rules: Rules, language: str = "en", given: Cause | None = None) -> str:
    """Text for `read_result`, with a cause that is given beside the text; that one is not written into it."""
    plain = " ".join(text.split())
    if plain in _WORDS:
        return _WORDS[plain]
    if len(plain) > _LONGEST:
        return text
    if drawn := _DRAW.fullmatch(plain):
        plain = f"= {drawn[1]} {drawn[2] or ('' if given else 'agreement')}".strip()
    behind = _ENDING.fullmatch(plain)
    assert behind is not None
    head, arrow, word = behind["head"].strip(), behind["arrow"], behind["cause"].strip()
    cause = names_cause(word) or cause_named(word, language) if word else None
    if word and cause is None:
        return text
    cause = cause or given
    # Some words mean more than their cause: both flags.
    word = word if not word or names_cause(word) else (cause or "").replace("_", " ")
    found = _STONES.fullmatch(head)
    if found is None:
        return f"{_unstated(head, arrow) or text} {word}" if word or arrow else text
    white, black, half = int(found["white"]), int(found["black"]), rules.total // 2
    won = _WON[arrow] if arrow else found["won"]
    if arrow and found["won"]:
        return text
    if not won and max(white, black) < 2:
        return f"{head} {word}" if word else text
    if won is None and max(white, black) > half:
        won = "1-0" if white > black else "0-1"
    elif won is None and (white == black == half or cause in _DRAWN):
        won = "="
    elif won is None and cause == "resignation" and white != black:
        won = "1-0" if white > black else "0-1"
    elif won is None:
        raise NoWinnerError(plain, (white, black), cause, half + 1)
    elif arrow and cause is None and max(white, black) <= half:
        word = "resignation"
    points = {"1-0": ("1", "0"), "0-1": ("0", "1")}.get(won, ("0.5", "0.5"))
    return f"{points[0]} ({white}) - {points[1]} ({black}) {word}"


def _unstated(head: str, arrow: str | None) -> str:
    """The points of a result without stones."""
    if arrow:
        return "" if head else _WON[arrow]
    return _WORDS.get(head, head)


def entry_text(result: Result, settings: Settings, language: str = "") -> str:
    """Entry of an arbiter for a result: the shortest text that `read_entry` reads as the same, if there is one.

    The cause is a letter or a word of a language, and without one what `read_entry` reads in any.
    """
    if not result.sets:
        return _typed(result, settings.rules(), language)
    sets = (Result(one.white, one.black, one.stores, one.cause) for one in result.sets)
    return "; ".join(_typed(one, settings.rules(), language, of_match=True) for one in sets)


def _typed(result: Result, rules: Rules, language: str, *, of_match: bool = False) -> str:
    """The text of a single game, or of a set of a match, where a cause may be left out."""
    points = {(2, 0): "1-0", (1, 1): "=", (0, 2): "0-1"}.get((result.white, result.black), "0-0")
    stones = "" if result.stores is None else f"{result.stores[0]}-{result.stores[1]}"
    cause = typed_cause(result.cause, language) if language in LETTERS else result.cause.replace("_", " ")
    guessed = result.cause == "resignation" and max(result.stores or (0,)) <= rules.total // 2
    short = "" if guessed else f"{stones} {cause}"  # the winner stands there where a word alone tells them
    forms = ["+-", "-+", "--", stones, short, f"{points} {stones}", f"{points} {stones} {cause}"]
    forms += [f"{result.text} {cause}"] if stones else [points, f"{points} {cause}", f"{result.text} {cause}"]
    for text in filter(None, (" ".join(form.split()) for form in forms)):
        try:
            read = read_result(_long(text, rules, language or "en"))
        except CompetitionError:
            continue
        if read == result or (of_match and read == replace(result, cause="unknown")):
            return text
    return result.text


class ListError(CompetitionError):
    """A list of results with bad lines; nothing of it is entered.

    Attributes:
        faults: every bad line, from 1, with the reason.
    """

    def __init__(self, faults: Iterable[tuple[int, str]]) -> None:
        self.faults = tuple(faults)
        super().__init__("; ".join(f"line {line}: {reason}" for line, reason in self.faults))


@dataclass(frozen=True, slots=True)
class ResultList:
    """Effects of a list of results on a round.

    Attributes:
        actions: what is to be done.
        entered, corrected, same: boards whose result is new, replaces another, or stands so already.
    """

    actions: tuple[do.AnyAction, ...]
    entered: tuple[int, ...]
    corrected: tuple[int, ...]
    same: tuple[int, ...]


def read_list(state: EventState, number: int, text: str, *, correct: bool = False, reason: str = "") -> ResultList:
    """Read a list of results: a board a line, its number before the result.

    A board without a result behind its number is still playing: nothing happens to it. Empty lines, and what begins
    with `#`, are passed over.

    Args:
        state: the event.
        number: the round.
        text: the list.
        correct: whether a result may replace another one.
        reason: why, for that.

    Raises:
        ListError: with every bad line.
        CompetitionError: the round is not paired.
    """
    one = state.round(number)
    faults: list[tuple[int, str]] = []
    given: dict[int, Result] = {}
    done: dict[str, list[int]] = {"entered": [], "corrected": [], "same": []}
    actions: list[do.AnyAction] = []
    for at, line in enumerate(text.splitlines(), 1):
        plain = line.strip()
        if not plain or plain.startswith("#"):
            continue
        found = _LINE.fullmatch(plain)
        if found is None:
            unnumbered = N_("{text!r} does not begin with the number of a board, such as 3 82-60")
            faults.append((at, Message(unnumbered, text=plain[:40])))
            continue
        board, rest = int(found[1]), (found[2] or "").strip()
        try:
            held = one.game(board).result
            if rest in _PLAYING:
                continue
            result = read_entry(rest, state.event)
            if board in given:
                if given[board] != result:
                    raise CompetitionError(
                        N_("board {board} stands in the list with another result already"), board=board
                    )
                continue
            given[board] = result
            if held == result:
                done["same"].append(board)
                continue
            replaces = held is not None and correct
            kind = do.Correct if replaces else do.EnterResult
            state = apply(state, kind(number, board, result), reason=reason)
        except CompetitionError as error:
            faults.append((at, error.message))
            continue
        actions.append(kind(number, board, result))
        done["corrected" if replaces else "entered"].append(board)
    if faults:
        raise ListError(faults)
    return ResultList(tuple(actions), *(tuple(boards) for boards in done.values()))
