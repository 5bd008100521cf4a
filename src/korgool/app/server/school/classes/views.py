"""Classes as pages show them: tasks with their titles and addresses, and choices for a new task."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from korgool.app.printing.class_certificate import Certificate
from korgool.app.server.school.classes.model import ClassTask, Sheet, TaskKind
from korgool.app.words.classes import KIND_WORDS, done_short, done_words, task_name, task_title
from korgool.app.words.games import STONE_GAMES
from korgool.competition.csv_export import EventTable
from korgool.engine.levels import NUMBERS
from korgool.languages import N_, translations
from korgool.training.drills import Drill
from korgool.training.lessons import GAME_STOP, path_of
from korgool.training.puzzle_set import shipped_set
from korgool.training.themes import THEMES


@dataclass(frozen=True, slots=True)
class TaskLine:
    """A task in a list.

    Attributes:
        number: of the task.
        kind: what it is.
        what: its stop, drill, theme or level.
        title: what it is called.
        address: the page on which it is done; empty for a game, which is begun by a form.
        told: what the child has done of it; empty for nothing yet.
        finished: whether nothing of it is left.
        count: how many children have finished it.
    """

    number: int
    kind: TaskKind
    what: str
    title: str
    address: str
    told: str
    finished: bool
    count: int


def task_lines(sheet: Sheet, language: str, member: int = 0) -> list[TaskLine]:
    """The tasks of a class, with what one child has done, or how many have."""
    of = sheet.of
    catalogue = translations(language, of.game in STONE_GAMES)
    lines = []
    for task in sheet.tasks:
        done = sheet.done.get((member, task.number))
        told = "" if done is None else done_words(catalogue, task.kind, done.value, task.most, done.parts)
        lines.append(
            TaskLine(
                task.number,
                task.kind,
                task.what,
                task_title(catalogue, of.game, task.kind, task.what),
                _address(of.id, of.game, task),
                told,
                sheet.is_done(member, task),
                sheet.count_done(task),
            )
        )
    return lines


def _address(id_: str, game: str, task: ClassTask) -> str:
    match task.kind:
        case TaskKind.STOP:
            return f"/learn/{game}/{task.what}"
        case TaskKind.DRILL:
            return f"/learn/{game}/drills#{task.what}"
        case TaskKind.PUZZLES:
            return f"/class/{id_}/puzzles/{task.number}"
    return ""


def task_choices(game: str, language: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices for a task, by kind: values of a form with their titles."""
    catalogue = translations(language, game in STONE_GAMES)
    return [
        (
            catalogue.gettext(KIND_WORDS[kind]),
            [(f"{kind}:{what}", task_name(catalogue, game, kind, what)) for what in known],
        )
        for kind, known in _known(game)
        if known
    ]


def _known(game: str) -> Iterator[tuple[TaskKind, list[str]]]:
    yield TaskKind.STOP, [stop.name for stop in path_of(game) if stop.name != GAME_STOP]
    yield TaskKind.DRILL, [drill.value for drill in Drill]
    found = shipped_set(game)
    yield TaskKind.PUZZLES, [] if found is None else ["", *(theme for theme in THEMES if found.of_theme(theme))]
    yield TaskKind.GAME, [str(level) for level in NUMBERS]


def result_table(sheet: Sheet, language: str) -> EventTable:
    """The sheet of results for a spreadsheet."""
    gettext = translations(language).gettext
    titles = (line.title for line in task_lines(sheet, language))
    rows = tuple((name, *told) for name, told in cells(sheet, language))
    return EventTable(gettext(N_("Results")), (gettext(N_("Name")), *titles), rows)


def certificates_of(sheet: Sheet, language: str, number: int = 0) -> list[Certificate]:
    """The certificates of all children who have done something, or of one of them."""
    made = []
    for member in sheet.members:
        if number in (0, member.number):
            alone = replace(sheet, members=[member])
            lines = [line for line in task_lines(alone, language, member.number) if line.told]
            if lines:
                made.append(Certificate(member.name, tuple((line.title, line.told) for line in lines)))
    return made


def cells(sheet: Sheet, language: str) -> list[tuple[str, list[str]]]:
    """The rows of the sheet of results: the name of each child, and a cell for each task; empty for nothing yet."""
    catalogue = translations(language, sheet.of.game in STONE_GAMES)
    return [
        (
            member.name,
            [
                ""
                if (done := sheet.done.get((member.number, task.number))) is None
                else done_short(catalogue, task.kind, done.value, task.most)
                for task in sheet.tasks
            ],
        )
        for member in sheet.members
    ]
