"""Names are found on whatever keyboard they are typed, and what is typed letter by letter goes before that."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.languages.name_search import finds, matches, sought
from tests.name_pairs import NAMES, PAIRS, SPELLED, STRANGER

EVERY = [(name, name) for name in (*NAMES, STRANGER)]
LETTERS = "абвгдеёжзийклмнопрстуфхцчшщъыьэюяөүңәғқұһіabcdefghijklmnopqrstuvwxyzçğıiöşüâîû"
NAME_LIKE = st.lists(st.text(LETTERS + LETTERS.upper() + "-’'", min_size=1, max_size=8), min_size=1, max_size=3)


@pytest.mark.parametrize(("name", "typed"), PAIRS)
def test_a_name_is_found_by_what_a_phone_can_type(name: str, typed: str) -> None:
    for text in (typed, typed.upper(), typed.title(), unicodedata.normalize("NFD", typed), f"  {typed} "):
        assert finds(sought(text), name), text
        assert not finds(sought(text), STRANGER), text
        assert matches(text, EVERY) == [name], text


@pytest.mark.parametrize(("name", "typed"), SPELLED)
def test_other_spellings_are_found(name: str, typed: str) -> None:
    for text in (typed, typed.upper(), typed.replace(" ", "\u00a0"), unicodedata.normalize("NFD", typed)):
        for stored in (name, name.upper(), unicodedata.normalize("NFD", name), " ".join(reversed(name.split(", ")))):
            assert finds(sought(text), stored), (text, stored)


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("ли", "Алиев, Талип"),  # a short name is not what is inside of others
        ("li", "Алиев, Талип"),
        ("ян", "Багдасарян, Айнура"),
        ("masha", "Масалиев, Нурлан"),  # who types two letters for a sound does not mean the other sound
        ("маша", "Masaliev, Nurlan"),
        ("ayana", "Шишкин, Анатолий"),
        ("алиев", "Салыков"),
        ("сатаров", "Шатаров"),  # letters of one keyboard stay apart
        ("саров", "Шаров"),
        ("ким", "Кым"),
        ("чоро", "Жоро"),
        ("semenov x", "Семёнов, Пётр"),
        ("zzz", "Зуев"),
        ("12", "Team 2012"),
        ("12", "312 Асанов"),
    ],
)
def test_others_are_not_found(typed: str, name: str) -> None:
    assert not finds(sought(typed), name)
    assert matches(typed, [(1, name)]) == []


def test_no_words_find_everybody_and_mean_nobody() -> None:
    for text in ("", "  ", "-", "’", "ь", "\u0301", "!?"):
        assert finds(sought(text), STRANGER)
        assert matches(text, EVERY) == []


def test_what_is_typed_letter_by_letter_goes_first() -> None:
    alike = [(one, one) for one in ("Өмүрбеков, Бакыт", "Омурбеков, Бакыт", "Омурбекова, Бакыт")]
    assert matches("Омурбеков, Бакыт", alike) == ["Омурбеков, Бакыт"]
    assert matches("өмүрбеков", alike) == ["Өмүрбеков, Бакыт"]
    assert matches("омурбеков", alike) == ["Омурбеков, Бакыт", "Омурбекова, Бакыт"]
    assert matches("бакыт омурбеков", alike) == ["Өмүрбеков, Бакыт", "Омурбеков, Бакыт"], "all words before beginnings"
    assert matches("бакыт омурбек", alike) == [name for name, _ in alike]
    assert matches("omurbek", alike) == [name for name, _ in alike]
    assert matches("мурбеков", alike) == [], "a command takes beginnings of words, not what is inside"


@given(NAME_LIKE)
def test_every_name_is_found_by_itself(words: list[str]) -> None:
    name = " ".join(words)
    given_first = " ".join(reversed(words))
    decomposed = unicodedata.normalize("NFD", name)
    for text in (name, given_first, decomposed, name.lower(), name.upper()):
        assert finds(sought(text), name), text
        assert finds(sought(name), text), text
    assert matches(name, [(1, name)]) == [1]


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    for word in sought(text):
        assert word.joined == "".join(word.parts)
        assert "-" not in word.joined
        assert finds((word,), text)
