"""A game at a table, told line by line as a log: every test goes through the same reading as the command line."""

from __future__ import annotations

import json
from typing import Any

from korgool.conduct import GameState, Refusal, Ruling, RulingKind
from korgool.conduct.log import judge
from korgool.conduct.sentences import ARGUMENTS
from korgool.conduct.summary import ruling_fields, summary
from korgool.languages import LANGUAGES


class Table:
    """A log in the making. `white`, `black` and `referee` add a line and return its answer."""

    def __init__(self, **start: Any) -> None:
        self.lines: list[bytes] = []
        self.state = GameState()
        self.answers: list[Ruling | Refusal | None] = []
        if start.pop("begin", True):
            at = start.pop("at", 0)
            assert self.referee(at, "start", **start) is None

    def add(self, line: dict[str, Any]) -> Ruling | Refusal | None:
        self.lines.append(json.dumps(line).encode())
        before = self.state
        *_, judged = judge(self.lines)
        self.state = judged.state
        self.answers.append(judged.answer)
        if isinstance(judged.answer, Refusal):
            assert self.state == before
            assert judged.answer.reason
        if isinstance(judged.answer, Ruling):
            check_ruling(judged.answer)
        return judged.answer

    def white(self, at: float, do: str, **fields: Any) -> Ruling | Refusal | None:
        return self.add({"at": at, "by": "white", "do": do, **fields})

    def black(self, at: float, do: str, **fields: Any) -> Ruling | Refusal | None:
        return self.add({"at": at, "by": "black", "do": do, **fields})

    def referee(self, at: float, do: str, **fields: Any) -> Ruling | Refusal | None:
        return self.add({"at": at, "by": "referee", "do": do, **fields})

    def turn(self, at: float, hole: int, pressed: float | None = None) -> Ruling | Refusal | None:
        """A move by whose turn it is, and its press at the same or a later time; the answer to the press."""
        by = ("white", "black")[self.state.position.to_move]
        assert self.add({"at": at, "by": by, "do": "move", "hole": hole}) is None
        return self.add({"at": at if pressed is None else pressed, "by": by, "do": "press"})

    @property
    def end(self) -> dict[str, Any]:
        return summary(self.state)

    @property
    def clocks(self) -> tuple[float, float]:
        clock = self.end["clock"]
        return clock["white"], clock["black"]


def check_ruling(ruling: Ruling) -> None:
    """Every ruling has a clause, the arguments of its sentence and a sentence in every language."""
    assert "§" in ruling.clause
    assert set(ruling.arguments) == set(ARGUMENTS[ruling.kind])
    if not ruling.granted:
        assert not ruling.changes
    for language in LANGUAGES:
        assert ruling_fields(ruling, language)["sentence"]


def ruled(answer: Ruling | Refusal | None, kind: RulingKind, clause: str) -> Ruling:
    """The answer, which must be a ruling of that kind that cites that clause."""
    assert isinstance(answer, Ruling), answer
    assert answer.kind is kind, answer
    assert clause in answer.clause.replace(",", " ").split(), answer
    return answer


def refused(answer: Ruling | Refusal | None, *words: str) -> Refusal:
    """The answer, which must be a refusal that says these words."""
    assert isinstance(answer, Refusal), answer
    for word in words:
        assert word in answer.reason, answer
    return answer
