"""Messages of the API of studies, and the commands that it takes."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar.params import PathParameter

from korgool.app.server.school.studies.repository import StoredChapter, StoredStudy, StudySummary

StudyId = Annotated[str, PathParameter(description="the secret of its address", max_length=40)]
Number = Annotated[int, PathParameter(ge=0, le=1_000_000, description="names the chapter, wherever it stands")]
Title = Annotated[str, msgspec.Meta(max_length=400)]
FileText = Annotated[str, msgspec.Meta(max_length=1_100_000)]


class NewStudy(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A study to make.

    Attributes:
        title: the title; empty for that of the file.
        language: that of its comments; empty for that of the file.
        text: a file of games in any dialect, each a chapter; empty for none.
    """

    title: Title = ""
    language: Title = ""
    text: FileText = ""


class StudyMade(msgspec.Struct, frozen=True):
    """A study was made: its id and its address."""

    id: str
    url: str


class StudyItem(msgspec.Struct, frozen=True):
    """A study of the list.

    Attributes:
        id: the secret of its address.
        title: the title; may be empty.
        chapters: how many it has.
        changed: the last change, in milliseconds since 1970.
    """

    id: str
    title: str
    chapters: int
    changed: int

    @classmethod
    def of(cls, study: StudySummary) -> StudyItem:
        """The message about a study."""
        return cls(study.id, study.title, study.chapters, study.changed)


class ChapterMessage(msgspec.Struct, frozen=True):
    """A chapter.

    Attributes:
        number: names it within its study, also when it moves.
        version: rises with every change.
        title: the title; may be empty.
        concealed: whether the moves are to be found.
        record: the record in PGN style.
    """

    number: int
    version: int
    title: str
    concealed: bool
    record: str

    @classmethod
    def of(cls, chapter: StoredChapter) -> ChapterMessage:
        """The message about a chapter."""
        return cls(chapter.number, chapter.version, chapter.title, chapter.concealed, chapter.record)


class StudyMessage(msgspec.Struct, frozen=True):
    """A study with its chapters.

    Attributes:
        id: the secret of its address.
        title: the title; may be empty.
        author: who made it, in their words.
        language: that of its comments; empty where nobody said.
        version: rises with every change but those within chapters.
        own: whether who asks may change it.
        chapters: in their order.
    """

    id: str
    title: str
    author: str
    language: str
    version: int
    own: bool
    chapters: tuple[ChapterMessage, ...]

    @classmethod
    def of(cls, study: StoredStudy, reader: str) -> StudyMessage:
        """The message about a study for a reader."""
        chapters = tuple(map(ChapterMessage.of, study.chapters))
        own = study.maker == reader
        return cls(study.id, study.title, study.author, study.language, study.version, own, chapters)


class StudyCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Title, author, language and order of a study, as they are to be.

    Attributes:
        version: the version that was changed.
        title: the title.
        author: who made it.
        language: that of its comments; empty for none.
        chapters: the numbers of all chapters, in order.
    """

    version: int
    title: Title
    author: Title
    language: Title
    chapters: Annotated[list[int], msgspec.Meta(max_length=1000)]


class NewChapters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Chapters to add: a file of games in any dialect, and the title where it is one."""

    text: FileText
    title: Title = ""


class ChapterCommand(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Title, mode and record of a chapter, as they are to be.

    Attributes:
        version: the version that was changed.
        title: the title.
        concealed: whether the moves are to be found.
        record: one game or position in PGN style.
    """

    version: int
    title: Title
    concealed: bool
    record: FileText


class Version(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The version that was changed, or is there now."""

    version: int


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of the chapters that were added."""

    chapters: tuple[int, ...]
