"""Questions that a whole class answers together: one board on the screen, a few answers on each phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from secrets import randbelow
from typing import Self

import msgspec

from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.play.game_events import trace
from korgool.app.server.play.moving_boards import view_after, view_of
from korgool.app.server.school.learn.lesson_boards import answer_text, board_picture
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.lessons import DRILL_WORDS, remark
from korgool.languages import N_, translations
from korgool.rules import Side
from korgool.training.drills import Drill, questions
from korgool.training.questions import Question, Way, place_name

MOST_QUESTIONS = 20
"""Questions in a row."""
OFFERED = 4
"""Places to choose from."""


_LANDING = N_("Hole %(hole)s: where does its last stone fall?")
"""The sentence of the drill for a board that nobody taps."""


class State(msgspec.Struct, frozen=True):
    """The stored state: which drill, where its questions come from, the place of the present one, and whether its
    answer is shown."""

    drill: str
    seed: int
    at: int = 0
    shown: bool = False


@dataclass(frozen=True, slots=True)
class ScreenQuestions:
    """The questions on the screen of a class.

    Attributes:
        game: the rules by their short name.
        state: where they stand.
    """

    game: str
    state: State

    @classmethod
    def begin(cls, game: str, drill: Drill) -> Self:
        """New questions by lot."""
        return cls(game, State(drill.value, randbelow(1 << 31)))

    @classmethod
    def read(cls, game: str, text: str | None) -> Self | None:
        """The questions as they are stored; None where there are none."""
        return None if not text else cls(game, msgspec.json.decode(text, type=State))

    @property
    def stored(self) -> str:
        """The text to store."""
        return msgspec.json.encode(self.state).decode()

    @property
    def number(self) -> int:
        """The number of the present question, from 1."""
        return self.state.at + 1

    @property
    def question(self) -> Question:
        """The present question."""
        return _questions(self.game, self.state.drill, self.state.seed)[self.state.at]

    @property
    def offered(self) -> tuple[str, ...]:
        """The answers on the phones: all where there are few, else places in a row of which one is right."""
        question = self.question
        if question.way is Way.CHOICE:
            return question.answers
        holes = range(1, question.position.rules.holes + 1)
        ring = [place_name(side, hole) for side in Side for hole in holes]
        digest = blake2b(f"{question.position} {question.move}".encode()).digest()
        first = ring.index(question.right[0]) - digest[0] % OFFERED
        return tuple(ring[at % len(ring)] for at in range(first, first + OFFERED))

    def show(self) -> Self:
        """The same with the answer shown."""
        return replace(self, state=msgspec.structs.replace(self.state, shown=True))

    def go_on(self) -> Self | None:
        """The next question; None after the last."""
        if self.number >= MOST_QUESTIONS:
            return None
        return replace(self, state=msgspec.structs.replace(self.state, at=self.state.at + 1, shown=False))

    # As pages show them

    def title(self, language: str) -> str:
        """The name of the drill."""
        return self._gettext(language)(DRILL_WORDS[Drill(self.state.drill)][0])

    def task(self, language: str) -> str:
        """The sentence that is asked."""
        drill = Drill(self.state.drill)
        text = self._gettext(language)(_LANDING if drill is Drill.LANDING else DRILL_WORDS[drill][1])
        values = {"hole": self.question.move, "goal": self.question.position.rules.goal}
        return text % values if "%(" in text else text

    def choices(self, language: str) -> list[tuple[str, str]]:
        """The answers with their words."""
        return [(answer, answer_text(self.question, answer, language)) for answer in self.offered]

    def remark(self, language: str) -> str:
        """A sentence about what the sowing does; may be empty, and is so where no single sowing is asked about."""
        if self.state.drill == Drill.HOME:
            return ""
        return remark(translations(language, self.game in STONE_GAMES), self.question, self.question.right[0])

    def picture(self) -> LowBoard:
        """The board for a page without scripts: before the sowing, or after it where the answer is shown."""
        question = self.question
        if self.state.shown and self.state.drill != Drill.HOME:
            return board_picture(question.shown("").after)
        return board_picture(question.position, 0 if self.state.drill == Drill.HOME else question.move)

    def board_json(self) -> str:
        """The board and the sowing for the script of the screen."""
        question, home = self.question, self.state.drill == Drill.HOME
        sowing = question.shown("")
        told = {
            "key": f"{self.state.seed} {self.state.at}",
            "game": self.game,
            "before": view_of(question.position),
            "mark": 0 if home else question.move,
            "trace": None if home else trace(sowing),
            "after": view_after(sowing),
            "shown": self.state.shown,
        }
        return safe_json(told)

    def _gettext(self, language: str) -> Callable[[str], str]:
        return translations(language, self.game in STONE_GAMES).gettext


@lru_cache(maxsize=256)
def _questions(game: str, drill: str, seed: int) -> list[Question]:
    return questions(game, Drill(drill), seed, MOST_QUESTIONS)
