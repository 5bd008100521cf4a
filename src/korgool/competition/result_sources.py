"""The result of a game by its referee's log, and game records checked against the result."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence

from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.competition.result import Cause, Result
from korgool.conduct.ending import Ending
from korgool.conduct.log import judge
from korgool.conduct.ruling import Refusal
from korgool.conduct.state import GameState as Conduct
from korgool.languages import N_
from korgool.notation import Record, read_records
from korgool.rules import Termination

_CAUSES: dict[Termination, Cause] = {
    Termination.RESIGNATION: "resignation",
    Termination.TIME: "time",
    Termination.AGREEMENT: "agreement",
    Termination.REPETITION: "repetition",
    Termination.FORFEIT: "forfeit",
    Termination.UNKNOWN: "unknown",
}


def result_of(ending: Ending) -> Result:
    """The result of a game that the referee ended; if both players were late it is `- - -`."""
    cause = _CAUSES.get(ending.termination, "board")
    if ending.both_lost and cause != "time":
        cause = "forfeit"
    return Result(*ending.half_points, None if cause == "forfeit" else ending.stores, cause)


def read_protocol(state: EventState, lines: Iterable[bytes]) -> tuple[Result, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The result in a referee's log, and the reasons of the warnings given to White and to Black.

    Raises:
        CompetitionError: a line says nothing that can be understood, or the game is not over at the end.
    """
    last = Conduct()
    for judged in judge(lines, state.event.rules()):
        if judged.event is None and isinstance(judged.answer, Refusal):
            raise CompetitionError(
                N_("line {line} of the referee's log: {reason}"), line=judged.line, reason=judged.answer.reason
            )
        last = judged.state
    if last.ending is None:
        raise CompetitionError(N_("the game of this log is not over"))
    white, black = (tuple(warning.reason for warning in given) for given in last.warnings)
    return result_of(last.ending), (white, black)


def check_records(state: EventState, game: PairedGame, texts: Sequence[str]) -> tuple[Record, ...]:
    """Read game records for a pairing.

    Raises:
        CompetitionError: a text is not one game, cannot be replayed, or ends otherwise than the result says.
    """
    rules = state.event.rules()
    found = []
    for number, text in enumerate(texts, 1):
        place = Message(N_("record {number}"), number=number) if len(texts) > 1 else Message(N_("the record"))
        records = list(read_records(io.StringIO(text), rules))
        if len(records) != 1:
            raise CompetitionError(N_("{place} holds {count} games, not one"), place=place, count=len(records))
        record = records[0]
        if record.error is not None:
            raise CompetitionError(N_("{place}: {error}"), place=place, error=record.error)
        found.append(record)
    if len(found) == 1 and game.result is not None:
        _check_one(found[0], game.result)
    return tuple(found)


def _check_one(record: Record, result: Result) -> None:
    outcome = record.outcome()
    if outcome is None or outcome.termination in _CAUSES:
        return
    points = (1, 1) if outcome.winner is None else ((2, 0), (0, 2))[outcome.winner]
    if (result.white, result.black) != points or (
        result.stores not in (None, outcome.stores) and result.cause == "board"
    ):
        raise CompetitionError(
            N_("the record ends {result_text}, the result is {text}"), result_text=outcome.result_text, text=result.text
        )
