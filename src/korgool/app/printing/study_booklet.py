"""A study as a booklet on paper: a title page, and every chapter with its moves, comments, branches and diagrams."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from korgool.app.printing.form_pages import PAPERS
from korgool.app.printing.typesetting import printable, typeset
from korgool.app.words.games import GAME_NAMES
from korgool.languages import LANGUAGES, N_, translations
from korgool.notation.moves import format_move
from korgool.notation.record import Record
from korgool.notation.shapes import Shape, read_shapes
from korgool.notation.svg import svg_board
from korgool.notation.tags import unknown_tag
from korgool.notation.variation import Variation
from korgool.rules import Position, Side, Sowing
from korgool.training.study import Chapter, Study

MOST_PRINTED = 20_000
"""Plies of a booklet, those of branches included: about 400 pages of A5."""
MOST_DIAGRAMS = 400
"""Diagrams of a booklet."""
_TEMPLATE = Path(__file__).with_name("study_booklet.typ")
_LONGEST = 20_000
_DIAGRAM = 220
"""The mark `$220` of PGN: a diagram belongs here; a comment says the same by `[#]`."""
_SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞"}
_WORDS = {
    "contents": N_("Chapters"),
    "chapter": N_("Chapter %(n)s"),
    "study": N_("Study without a title"),
    "white": N_("White to move"),
    "black": N_("Black to move"),
    "find": N_("Find the moves. They stand at the end of the booklet."),
    "answers": N_("Answers"),
}


class BookletError(ValueError):
    """A study that is too long to be printed as one booklet."""


def study_pdf(study: Study, *, language: str = "en", paper: str = "a4") -> bytes:
    """A study as PDF. The same study gives the same bytes.

    A diagram stands at a start that was set up, at the end of each chapter, and wherever `$220`, `[#]` in a comment,
    arrows or rings ask for one. The moves of chapters whose reader is to find them stand at the end.

    Args:
        study: the study.
        language: one of `korgool.languages.LANGUAGES`, for the words around it.
        paper: `a4`, in two columns, or `a5`, in one.

    Raises:
        BookletError: it is too long.
        ValueError: there is no such language or paper.
        ImportError: the part `print` is not installed.
    """
    return _typeset(study, language, paper, "pdf")[0]


def study_png(study: Study, *, language: str = "en", paper: str = "a4", resolution: float = 110) -> list[bytes]:
    """The pages of the same booklet as pictures, `resolution` pixels an inch."""
    return _typeset(study, language, paper, "png", resolution)


def _typeset(
    study: Study, language: str, paper: str, kind: Literal["pdf", "png"], resolution: float = 110
) -> list[bytes]:
    if language not in LANGUAGES:
        raise ValueError(f"there is no language {language!r}; there are {', '.join(LANGUAGES)}")
    if paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}; there are {', '.join(PAPERS)}")
    gettext = translations(language).gettext
    words = {name: gettext(text) for name, text in _WORDS.items()}
    writer = _Writer(words)
    chapters = [writer.chapter(chapter, number) for number, chapter in enumerate(study.chapters, 1)]
    games = sorted({chapter.record.start.rules.name for chapter in study.chapters})
    data = {
        "language": study.language if study.language in LANGUAGES else language,
        "paper": paper,
        "title": printable(study.title) or words["study"],
        "author": printable(study.author),
        "about": " · ".join(gettext(GAME_NAMES[game]) for game in games),
        "words": words,
        "chapters": chapters,
    }
    return typeset(_TEMPLATE, data, kind, resolution)


@dataclass(slots=True)
class _Writer:
    """Makes blocks of a study, and counts what is in them."""

    words: dict[str, str]
    plies: int = 0
    diagrams: int = 0
    blocks: list[dict[str, Any]] = field(default_factory=list)

    def chapter(self, chapter: Chapter, number: int) -> dict[str, Any]:
        """A chapter: its head, what stands before the moves, and the moves."""
        record, self.blocks = chapter.record, []
        title = printable(chapter.title) or self.words["chapter"] % {"n": number}
        usual = record.start.rules.start()
        first = _said(record.comments, 0, usual.rules.holes)
        if record.start != usual or first.wanted or chapter.concealed:
            self._board(record.start, first.shapes)
        opening, self.blocks = self.blocks, []
        self._line(_Part(record.start, 1, record.moves, record.comments, record.glyphs, record.variations), 0)
        end = record.position
        if record.moves and (not self.blocks or self.blocks[-1]["kind"] != "board"):
            self._board(end, ())
        text = [first.text] if first.text else []
        if chapter.concealed:
            text.append(self.words["find"])
        return {
            "number": number,
            "title": title,
            "players": _players(record),
            "result": "" if record.result == "*" else record.result.replace("1/2", "½"),
            "concealed": chapter.concealed and bool(record.moves),
            "before": text,
            "opening": opening,
            "moves": self.blocks,
        }

    def _line(self, part: _Part, depth: int) -> None:
        """The moves of a line as blocks: text, diagrams, and the branches in their places."""
        position, due, holes = part.start, True, part.start.rules.holes
        beside: dict[int, list[Variation]] = {}
        for one in part.variations:
            beside.setdefault(one.ply, []).append(one)
        if depth:
            self._say(depth, _said(part.comments, part.first - 1, holes).text)
        for ply, hole in enumerate(part.moves, part.first):
            self.plies += 1
            if self.plies > MOST_PRINTED:
                raise BookletError(f"a booklet has at most {MOST_PRINTED:,} plies; print the study in parts")
            before, sowing = position, position.sow(hole)
            glyphs = [glyph for at, glyph in part.glyphs if at == ply]
            said = _said(part.comments, ply, holes)
            self._move(depth, before, sowing, glyphs, numbered=due)
            self._say(depth, said.text)
            position = sowing.after
            if said.wanted or _DIAGRAM in glyphs:
                self._board(position, said.shapes)
            for one in beside.get(ply, ()):
                branch = _Part(before, ply, one.moves, one.comments, one.glyphs, one.variations)
                self._break()
                self._line(branch, depth + 1)
                self._break()
                for text in one.after:
                    self._say(depth, _words(text, holes))
            due = position.to_move is Side.WHITE or bool(said.text) or ply in beside or said.wanted

    def _text(self, depth: int) -> list[list[str]]:
        """The runs of the text that is being written at a depth."""
        if not self.blocks or self.blocks[-1]["kind"] != "text" or self.blocks[-1]["depth"] != depth:
            self.blocks.append({"kind": "text", "depth": depth, "runs": []})
        runs: list[list[str]] = self.blocks[-1]["runs"]
        return runs

    def _move(self, depth: int, before: Position, sowing: Sowing, glyphs: Sequence[int], *, numbered: bool) -> None:
        number = f"{before.fullmove}{'.' if sowing.mover is Side.WHITE else '…'} " if numbered else ""
        signs = "".join(_SIGNS.get(glyph, "") for glyph in glyphs)
        self._text(depth).append(["move", f"{number}{format_move(sowing)}{signs}"])

    def _say(self, depth: int, text: str) -> None:
        if text:
            self._text(depth).append(["say", text])

    def _break(self) -> None:
        """Begin another block of text, also at the same depth."""
        self.blocks.append({"kind": "gap"})

    def _board(self, position: Position, shapes: Sequence[Shape]) -> None:
        self.diagrams += 1
        if self.diagrams > MOST_DIAGRAMS:
            raise BookletError(f"a booklet has at most {MOST_DIAGRAMS} diagrams; print the study in parts")
        arrows = [(shape.start, shape.end or shape.start) for shape in shapes]
        side = self.words["white" if position.to_move is Side.WHITE else "black"]
        over = position.outcome()
        svg = svg_board(position, arrows=arrows, theme="print")
        caption = side if over is None else over.result_text
        self.blocks.append({"kind": "board", "svg": svg, "alt": str(position), "caption": caption})


@dataclass(frozen=True, slots=True)
class _Part:
    """A line: the game of a record, or a variation. The names are those of `Record`."""

    start: Position
    first: int
    moves: Sequence[int]
    comments: Sequence[tuple[int, str]]
    glyphs: Sequence[tuple[int, int]]
    variations: Sequence[Variation]


@dataclass(frozen=True, slots=True)
class _Said:
    """Words and shapes that stand on a ply, and whether a diagram is wanted."""

    text: str
    shapes: tuple[Shape, ...]
    wanted: bool


def _said(comments: Sequence[tuple[int, str]], ply: int, holes: int) -> _Said:
    texts = [text for at, text in comments if at == ply]
    shapes = tuple(shape for text in texts for shape in read_shapes(text, holes)[1])
    words = " ".join(filter(None, (_words(text, holes) for text in texts)))
    return _Said(words, shapes, bool(shapes) or any("[#]" in text for text in texts))


def _words(text: str, holes: int) -> str:
    return printable(read_shapes(text, holes)[0].replace("[#]", " "), _LONGEST)


def _players(record: Record) -> str:
    def tags(*names: str) -> Iterator[str]:
        return (record.tags[name] for name in names if not unknown_tag(record.tags.get(name, "")))

    players = " – ".join(printable(name) for name in tags("White", "Black"))
    return ", ".join(filter(None, (players, *map(printable, tags("Event", "Date")))))
