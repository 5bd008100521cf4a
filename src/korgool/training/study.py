"""Studies: chapters of annotated games and positions, and the file of one.

The file is game records in PGN style, one for each chapter, with the tags that programs of chess give theirs:
`StudyName`, `ChapterName`, `Annotator`, and `ChapterMode` where the moves are to be found. So every program that reads
records reads a study.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from korgool.notation.reading import read_records
from korgool.notation.record import Record
from korgool.notation.tags import format_tag, unknown_tag
from korgool.notation.writing import write_record
from korgool.rules import GAMES, Rules

MOST_CHAPTERS = 64
"""Chapters of a study."""
LONGEST_CHAPTER = 100_000
"""Bytes of the record of a chapter, in UTF-8."""
LONGEST_STUDY = 1_000_000
"""Bytes of the file of a study, in UTF-8."""
MOST_PLIES = 1000
"""Plies of the main line of a chapter, as on the analysis board."""
LONGEST_TITLE = 100
"""Letters of the title of a study or of a chapter, and of an author's name."""
CONCEALED = "conceal"
"""The mode of a chapter whose moves are to be found."""

_STUDY, _CHAPTER, _AUTHOR, _LANGUAGE, _MODE = "StudyName", "ChapterName", "Annotator", "StudyLanguage", "ChapterMode"
_CODE = re.compile("[a-z]{2,3}")
_NO_EVENT = format_tag("Event", "?")
_OWN_TAGS = (_STUDY, _CHAPTER, _AUTHOR, _LANGUAGE, _MODE)


class StudyError(ValueError):
    """A study cannot be read or written as it is.

    Attributes:
        chapter: the chapter, from 1; 0 where it is the study as a whole.
        line: the line of the file, from 1; 0 where there is none.
        reason: what is wrong.
    """

    def __init__(self, reason: str, chapter: int = 0, line: int = 0) -> None:
        super().__init__(reason, chapter, line)
        self.reason, self.chapter, self.line = reason, chapter, line

    def __str__(self) -> str:
        places = [f"chapter {self.chapter}" if self.chapter else "", f"line {self.line}" if self.line else ""]
        place = ", ".join(filter(None, places))
        return f"{place}: {self.reason}" if place else self.reason


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of a study.

    Attributes:
        record: the game or the position, with comments, marks, arrows and branches; no tag of it says of which study.
        title: what it is called; may be empty.
        concealed: whether the reader is to find the moves.
    """

    record: Record
    title: str = ""
    concealed: bool = False

    def __post_init__(self) -> None:
        _check_title(self.title)
        if self.record.error is not None:
            raise StudyError(f"ply {self.record.error.ply}: {self.record.error.reason}", line=self.record.error.line)
        rules = self.record.start.rules
        if rules != GAMES.get(rules.name):
            raise StudyError(f"it is played by other rules of {rules.title} than the usual ones", line=self.record.line)
        if len(self.record.moves) > MOST_PLIES:
            raise StudyError(f"its line is longer than {MOST_PLIES:,} plies", line=self.record.line)

    @property
    def text(self) -> str:
        """The record in PGN style, as the analysis board writes it."""
        return write_record(self.record)


@dataclass(frozen=True, slots=True)
class Study:
    """Annotated games and positions in an order.

    Attributes:
        title: what it is called; may be empty.
        author: who made it; may be empty.
        language: that of its comments, by its code such as `ky`; empty where nobody said.
        chapters: the chapters.
    """

    title: str = ""
    author: str = ""
    language: str = ""
    chapters: tuple[Chapter, ...] = ()

    def __post_init__(self) -> None:
        _check_title(self.title)
        _check_title(self.author)
        if self.language and _CODE.fullmatch(self.language) is None:
            raise StudyError(f"{self.language[:20]!r} is no code of a language, such as ky")
        if len(self.chapters) > MOST_CHAPTERS:
            raise StudyError(f"a study has at most {MOST_CHAPTERS} chapters")


def write_study(study: Study) -> str:
    """The file of a study: a record for each chapter, in order.

    Raises:
        StudyError: it is longer than a study may be.
    """
    chapters = [(one.title, one.concealed, one.text) for one in study.chapters]
    return study_file(study.title, study.author, study.language, chapters)


def study_file(title: str, author: str, language: str, chapters: Iterable[tuple[str, bool, str]]) -> str:
    """The same of chapters whose records are texts already.

    Args:
        title: as in `Study`, like the two after it.
        author: who made it.
        language: that of its comments.
        chapters: title, whether the moves are to be found, and the record as `Chapter.text` gives it.

    Raises:
        StudyError: it is longer than a study may be.
    """
    parts = []
    for name, concealed, record in chapters:
        head, blank, rest = record.partition("\n\n")
        if title and head.startswith(_NO_EVENT):
            head = format_tag("Event", ": ".join(filter(None, (title, name)))) + head.removeprefix(_NO_EVENT)
        own = zip(_OWN_TAGS, (title, name, author, language, CONCEALED if concealed else ""), strict=True)
        parts.append("\n".join([head, *(format_tag(tag, said) for tag, said in own if said)]) + blank + rest)
    text = "".join(parts)
    if len(text.encode()) > LONGEST_STUDY:
        raise StudyError(f"the file of a study has at most {LONGEST_STUDY:,} bytes")
    return text


def read_study(text: str, rules: Rules | None = None) -> Study:
    """The study in the text of a file; any file of games is one, each game a chapter.

    Args:
        text: records in any dialect.
        rules: the game where a record does not name one, by default toguz korgool.

    Raises:
        StudyError: it is too large, holds no game, or has a chapter that cannot be read, with its place.
    """
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_STUDY:
        raise StudyError(f"the file of a study has at most {LONGEST_STUDY:,} bytes")
    chapters: list[Chapter] = []
    heads: list[Mapping[str, str]] = []
    for record in _records(text, rules):
        number = len(chapters) + 1
        if number > MOST_CHAPTERS:
            raise StudyError(f"a study has at most {MOST_CHAPTERS} chapters", number, record.line)
        try:
            chapters.append(_chapter(record))
        except StudyError as error:
            raise StudyError(error.reason, number, error.line or record.line) from None
        heads.append(record.tags)
    if not chapters:
        raise StudyError("there is no game and no position in it")
    title, author, language = (_first(heads, name) for name in (_STUDY, _AUTHOR, _LANGUAGE))
    title = title or _common_title(heads)
    named = tuple(_titled(chapter, head, title) for chapter, head in zip(chapters, heads, strict=True))
    return Study(title[:LONGEST_TITLE], author[:LONGEST_TITLE], language if _CODE.fullmatch(language) else "", named)


def read_chapter(text: str, title: str = "", rules: Rules | None = None, *, concealed: bool = False) -> Chapter:
    """The one chapter in the text of a record.

    Raises:
        StudyError: it cannot be read, is too large, or is not one game.
    """
    if len(text.encode("utf-8", "surrogatepass")) > LONGEST_CHAPTER:
        raise StudyError(f"a chapter has at most {LONGEST_CHAPTER:,} bytes")
    records = _records(text, rules)
    record, more = next(records, None), next(records, None)
    if record is None or more is not None:
        raise StudyError("a chapter is one game or one position", line=0 if more is None else more.line)
    return Chapter(_bare(record), title, concealed)


def _records(text: str, rules: Rules | None) -> Iterator[Record]:
    if "\0" in text:
        raise StudyError("it holds a NUL, which no text has", line=text[: text.index("\0")].count("\n") + 1)
    return read_records(io.StringIO(text.removeprefix("\ufeff"), newline=""), rules)


def _chapter(record: Record) -> Chapter:
    chapter = Chapter(_bare(record), concealed=record.tags.get(_MODE, "").lower() == CONCEALED)
    if len(chapter.text.encode()) > LONGEST_CHAPTER:
        raise StudyError(f"a chapter has at most {LONGEST_CHAPTER:,} bytes")
    return chapter


def _bare(record: Record) -> Record:
    """The record without the tags of the study that it stood in."""
    return replace(record, tags={name: said for name, said in record.tags.items() if name not in _OWN_TAGS})


def _common_title(heads: list[Mapping[str, str]]) -> str:
    """The title of a study whose records say both in one tag, `Study: Chapter`, and have the address of a study."""
    parts = [head.get("Event", "").partition(": ") for head in heads]
    known = len(parts) > 1 and parts[0][1] and all("/study/" in head.get("Site", "") for head in heads)
    return parts[0][0] if known and len({part[0] for part in parts}) == 1 else ""


def _titled(chapter: Chapter, head: Mapping[str, str], study: str) -> Chapter:
    """A chapter with its title: as a tag says, else what follows the study's in `Event`, else the players."""
    title, event, record = head.get(_CHAPTER, ""), head.get("Event", ""), chapter.record
    if study and (event == study or event.startswith(f"{study}: ")):
        # The tag says nothing of an event.
        title = title or event.removeprefix(study).removeprefix(": ")
        record = replace(record, tags={name: said for name, said in record.tags.items() if name != "Event"})
    names = [head.get(name, "") for name in ("White", "Black")]
    title = title or " – ".join(name for name in names if not unknown_tag(name))
    return Chapter(record, title[:LONGEST_TITLE].strip(), chapter.concealed)


def _first(heads: list[Mapping[str, str]], name: str) -> str:
    return next((said for head in heads if (said := head.get(name, "").strip()) and not unknown_tag(said)), "")


def _check_title(text: str) -> None:
    if len(text) > LONGEST_TITLE:
        raise StudyError(f"a title and a name have at most {LONGEST_TITLE} letters")
    if any(ord(letter) < 32 or 0xD800 <= ord(letter) < 0xE000 for letter in text):
        raise StudyError("a title holds a line break or a control character")
