"""The log of a whole game, replayed line by line: how an arbiter re-examines a game, and how a game can be stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from korgool.conduct.events import Event, Options, Start
from korgool.conduct.fields import EventError
from korgool.conduct.reading import read_event
from korgool.conduct.referee import apply
from korgool.conduct.ruling import Refusal, Ruling
from korgool.conduct.state import GameState
from korgool.rules import Rules

_BLANK = b" \t\r\n"


@dataclass(frozen=True, slots=True)
class RuledLine:
    """A line of a log with its answer.

    Attributes:
        line: its number, from 1.
        event: what it says, or None where it says nothing that could be understood.
        answer: the ruling, None where the event needed none, or the refusal.
        state: the game after it; after a refusal as before.
    """

    line: int
    event: Event | None
    answer: Ruling | Refusal | None
    state: GameState


def judge(
    lines: Iterable[bytes], usual: Rules | None = None, regulate: Callable[[Options], Options] | None = None
) -> Iterator[RuledLine]:
    """Replay a log. Empty lines are passed over; a line that is refused has its answer, and the next one follows.

    Args:
        lines: the lines, each a JSON object in UTF-8; the first may begin with a byte order mark.
        usual: rules for a start that names no game, or this game.
        regulate: what the regulations say beside what the start says.
    """
    state = GameState()
    for number, text in enumerate(lines, 1):
        line = text.removeprefix(b"\xef\xbb\xbf") if number == 1 else text
        if not line.strip(_BLANK):
            continue
        event: Event | None = None
        answer: Ruling | Refusal | None
        try:
            event = read_event(line, usual)
        except EventError as error:
            answer = Refusal(str(error))
        else:
            if regulate is not None and isinstance(event.action, Start):
                event = replace(event, action=replace(event.action, options=regulate(event.action.options)))
            found = apply(state, event)
            if isinstance(found, Refusal):
                answer = found
            else:
                state, answer = found
        yield RuledLine(number, event, answer, state)
