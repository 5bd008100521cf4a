"""Studies as files: what is written is read again, and what is no study is refused with its place."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.notation import Variation, parse_records
from korgool.notation.record import Record
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Game, Position
from korgool.training.study import (
    LONGEST_CHAPTER,
    LONGEST_STUDY,
    MOST_CHAPTERS,
    Chapter,
    Study,
    StudyError,
    read_chapter,
    read_study,
    write_study,
)

ENDING = "1S,8/2S,8 80 79 S 40"
GAME = '[Event "{event}"]\n\n{{First}} 1. 76(10) $1 {{[%cal Gf1e2] good}} (1. 65) 1... 55(10) 2. 33 *\n\n'


def played(*moves: int, **tags: Any) -> Record:
    game = Game(TOGUZ_KORGOOL.start())
    for move in moves:
        game.play(move)
    said = Variation(1, (6,), comments=((1, "or so"),))
    return Record.of(
        game, comments=[(0, "Before"), (1, "[%csl Ga1] a ring")], glyphs=[(1, 5)], variations=[said], **tags
    )


def whole() -> Study:
    position = Record.of(Game(Position.parse(ENDING, TOGUZ_KORGOOL)), comments=[(0, "Count to 82")])
    mangala = Record.of(Game(MANGALA.start()))
    return Study(
        "Дебют: биринчи жүрүш",
        "Айбек",
        "ky",
        (
            Chapter(played(7, 5, 3, White="A", Event="World 2024"), "Тутуу"),
            Chapter(position, 'The "end"\\', concealed=True),
            Chapter(mangala),
        ),
    )


def test_a_study_is_written_and_read_again() -> None:
    assert read_study(write_study(whole())) == whole()


def test_the_file_of_a_study_is_a_file_of_games() -> None:
    text = write_study(whole())
    records = parse_records(text)
    assert [record.error for record in records] == [None, None, None]
    assert [dict(record.tags).get("StudyName") for record in records] == [whole().title] * 3
    assert records[0].tags["Event"] == "World 2024", "a real event keeps its name"
    assert records[1].tags["Event"] == 'Дебют: биринчи жүрүш: The "end"\\'
    assert records[1].tags["ChapterMode"] == "conceal"
    assert "Annotator" in records[2].tags


def test_a_chapter_is_read_as_it_was_written() -> None:
    for chapter in whole().chapters:
        assert read_chapter(chapter.text, chapter.title, concealed=chapter.concealed) == chapter


def test_titles_come_from_what_a_file_has() -> None:
    cup = read_study(GAME.format(event="Cup: One") + GAME.format(event="Cup: Two"))
    assert (cup.title, [one.record.tags["Event"] for one in cup.chapters]) == ("", ["Cup: One", "Cup: Two"])
    site = '[Site "https://chess.example/study/abc"]\n'
    older = read_study(site + GAME.format(event="Ends: One") + site + GAME.format(event="Ends: Two"))
    assert (older.title, [one.title for one in older.chapters]) == ("Ends", ["One", "Two"])
    assert all("Event" not in one.record.tags for one in older.chapters)
    games = read_study('[White "Aibek"]\n[Black "Elena"]\n\n1. 76(10) *\n\n1. 65 *\n')
    assert (games.title, [one.title for one in games.chapters]) == ("", ["Aibek – Elena", ""])


@given(st.lists(st.text(st.characters(codec="utf-8", min_codepoint=32), max_size=60), min_size=4, max_size=4))
def test_any_titles_survive(names: list[str]) -> None:
    title, author, first, second = (" ".join(name.split()) for name in names)
    chapters = (Chapter(played(7), first), Chapter(played(6), second))
    again = read_study(write_study(Study(title, author, "", chapters)))
    assert [one.record for one in again.chapters] == [one.record for one in chapters]
    if title.strip(" ?.") and ": " not in title:
        assert again.title == title
        assert [one.title for one in again.chapters if one.title.strip(" ?.")] == [
            one.title for one in chapters if one.title.strip(" ?.")
        ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("", (0, 0)),
        ("a letter to a friend", (1, 1)),
        ("x" * (LONGEST_STUDY + 1), (0, 0)),
        (GAME.format(event="many") * 10_000, (MOST_CHAPTERS + 1, 4 * MOST_CHAPTERS + 1)),
        ("1. 76(10) *\n" * (MOST_CHAPTERS + 1), (MOST_CHAPTERS + 1, MOST_CHAPTERS + 1)),
        (GAME.format(event="good") + '[Event "bad"]\n\n1. 76(11) *\n', (2, 7)),
        (GAME.format(event="good") + "\n1. 76(10) {\0} *\n", (0, 6)),
        (f'[Event "long"]\n\n1. 76(10) {{{"x" * LONGEST_CHAPTER}}} *\n', (1, 1)),
        ('[Rules "sweep=nobody"]\n\n1. 76(10) *\n', (1, 1)),
        ('[FEN "9S/9S 0 0 S 1"]\n\n*\n', (1, 1)),
    ],
    ids=["empty", "no game", "too long", "10,000 chapters", "65 chapters", "broken", "nul", "chapter", "rules", "fen"],
)
def test_what_is_no_study_is_refused_with_its_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(StudyError) as refused:
        read_study(text)
    assert (refused.value.chapter, refused.value.line) == place
    assert refused.value.reason


@pytest.mark.parametrize("text", ["", "1. 76(10) *\n\n1. 65 *\n", "1. 76(11) *", "x" * (LONGEST_CHAPTER + 1)])
def test_a_chapter_is_one_game(text: str) -> None:
    with pytest.raises(StudyError):
        read_chapter(text)


@pytest.mark.parametrize("title", ["a\nb", "\ud800", "x" * 101])
def test_titles_are_lines(title: str) -> None:
    with pytest.raises(StudyError):
        Study(title)
    with pytest.raises(StudyError):
        Chapter(played(7), title)


def test_scripts_in_comments_are_words() -> None:
    study = read_study("1. 76(10) {<script>alert(1)</script>} *\n")
    assert study.chapters[0].record.comments == ((1, "<script>alert(1)</script>"),)
