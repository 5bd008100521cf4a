"""Values of classes: tasks, children, nicknames, and what is right of what a device reports."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from secrets import SystemRandom

from korgool.accounts import Refused, read_name
from korgool.accounts.lookalikes import look
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, refused_error
from korgool.engine.levels import NUMBERS
from korgool.training.drills import Drill
from korgool.training.lessons import GAME_STOP, MOST_STARS, path_of
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_set import shipped_set
from korgool.training.themes import THEMES

DAY_MS = 86_400_000
MOST_CHILDREN, MOST_TASKS, MOST_CLASSES = 500, 100, 50
"""Children and tasks of a class, and classes of a trainer that have not ended."""
LONGEST_NAME, LONGEST_NICKNAME, LONGEST_CALLED = 60, 20, 40
"""Letters of the name of a class, of a nickname that a child chooses, and of one that the trainer gives."""
PUZZLES = 10
"""Puzzles of a task."""
MOST_RIGHT = 300
"""Right answers of a drill that a minute may have."""
WON, DRAWN, LOST = 2, 1, 0
"""Half points of a game."""


class TaskKind(StrEnum):
    """Kinds of tasks."""

    STOP = "stop"
    """A stop of the path; counts stars."""
    DRILL = "drill"
    """A drill; counts right answers."""
    PUZZLES = "puzzles"
    """Some puzzles of a theme; counts those that were solved at the first try."""
    GAME = "game"
    """A game against a level; counts half points."""


@dataclass(frozen=True, slots=True)
class ClassTask:
    """A task of a class.

    Attributes:
        number: from 1 in each class.
        kind: what it is.
        what: the stop, the drill, the theme (empty for all), or the level.
        puzzles: ids of its puzzles.
        made_ms: when it was given, since 1970.
    """

    number: int
    kind: TaskKind
    what: str
    puzzles: tuple[str, ...] = ()
    made_ms: int = 0

    @property
    def most(self) -> int:
        """The most that can be reached; 0 where there is no such number."""
        return {TaskKind.STOP: MOST_STARS, TaskKind.PUZZLES: len(self.puzzles), TaskKind.GAME: WON}.get(self.kind, 0)


@dataclass(frozen=True, slots=True)
class Member:
    """A child in a class; `who` is the identity of its account or device."""

    number: int
    who: str
    name: str
    joined_ms: int


@dataclass(frozen=True, slots=True)
class SchoolClass:
    """A class; times are milliseconds since 1970.

    Attributes:
        id: its id in addresses.
        trainer: the identity of its trainer.
        name: what it is called.
        game: the rules by their short name.
        language: of what is printed.
        code: the digits by which children join; None while nobody can.
        code_until_ms: until when the code holds.
        made_ms: when it was made.
        ends_ms: when it ends.
        shown: whether its screen shows results by nickname.
        running: the task on its screen.
        drill: the questions on its screen, as JSON.
    """

    id: str
    trainer: str
    name: str
    game: str
    language: str
    code: str | None
    code_until_ms: int
    made_ms: int
    ends_ms: int
    shown: bool = False
    running: int | None = None
    drill: str | None = None

    def code_at(self, now: int) -> str:
        """The code as it holds at a time; empty without one."""
        return self.code if self.code and now < min(self.code_until_ms, self.ends_ms) else ""


@dataclass(frozen=True, slots=True)
class Done:
    """The work of a child on a task.

    Attributes:
        value: the best so far: stars, right answers, solved puzzles, or half points.
        parts: how many puzzles were answered.
        tries: how often something was reported.
    """

    value: int
    parts: int = 0
    tries: int = 1


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything of a class: its children in the order of their names, its tasks, and what was done by both numbers."""

    of: SchoolClass
    members: Sequence[Member]
    tasks: Sequence[ClassTask]
    done: Mapping[tuple[int, int], Done] = field(default_factory=dict)

    def is_done(self, member: int, task: ClassTask) -> bool:
        """Return whether a child has finished a task; of puzzles all must be answered."""
        one = self.done.get((member, task.number))
        return one is not None and (task.kind is not TaskKind.PUZZLES or one.parts >= len(task.puzzles))

    def count_done(self, task: ClassTask) -> int:
        """Count the children that have finished a task."""
        return sum(self.is_done(member.number, task) for member in self.members)


def read_nickname(text: str, most: int = LONGEST_NICKNAME) -> tuple[str, str]:
    """A nickname as it was typed, and what it looks like. Each word is checked as the name of an account is.

    Raises:
        ApiError: it cannot be; the message says why.
    """
    words = unicodedata.normalize("NFKC", text[: 4 * most]).split()
    name = " ".join(words)
    if not 2 <= len(name) <= most or len(text) > 4 * most:
        raise ApiError(422, errors.NICKNAME_LENGTH, least=2, most=most)
    for place, word in enumerate(words):
        if place and word.isascii() and word.isdecimal():
            continue
        bare = word.removesuffix(".") if len(word) > 1 else word
        read = read_name(bare if len(bare) > 1 else bare * 2)
        if isinstance(read, Refused):
            raise refused_error(read)
    return name, look("".join(words).replace(".", ""))[:120]


def read_task(game: str, kind: str, what: str) -> ClassTask:
    """A task as it is given; puzzles are drawn here, once for all.

    Raises:
        ApiError: there is no such task in this game.
    """
    match kind:
        case TaskKind.STOP:
            known = [stop.name for stop in path_of(game) if stop.name != GAME_STOP]
        case TaskKind.DRILL:
            known = [drill.value for drill in Drill]
        case TaskKind.PUZZLES:
            known = ["", *THEMES] if shipped_set(game) else []
        case TaskKind.GAME:
            known = [str(level) for level in NUMBERS]
        case _:
            known = []
    puzzles = _drawn(game, what) if kind == TaskKind.PUZZLES and what in known else ()
    if what not in known or (kind == TaskKind.PUZZLES and not puzzles):
        raise ApiError(422, errors.NO_TASK)
    return ClassTask(0, TaskKind(kind), what, puzzles)


def _drawn(game: str, theme: str) -> tuple[str, ...]:
    """Puzzles by lot, the easiest first; of the easier half, as most who learn are no masters."""
    found = shipped_set(game)
    assert found is not None
    places = found.of_theme(theme) if theme else list(range(len(found)))
    easier = places[: max(PUZZLES, len(places) // 2)]
    chosen = sorted(SystemRandom().sample(easier, min(PUZZLES, len(easier))))
    return tuple(found[at].id for at in chosen)


def task_puzzles(game: str, task: ClassTask) -> list[tuple[int, Puzzle]]:
    """The puzzles of a task with their numbers from 1, without those that a release has left out."""
    known = shipped_set(game)
    places = [] if known is None else [(part, known.find(one)) for part, one in enumerate(task.puzzles, 1)]
    return [(part, known[at]) for part, at in places if known is not None and at is not None]
