"""The words of the sport in every spelling are looked up under one word, and other words under themselves."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from tests.docs.commands import DOCS

pytest.importorskip("sphinx", reason="the docs extra is not installed")
sys.path.append(str(DOCS / "_ext"))
search = import_module("korgool_search")


@pytest.mark.parametrize(
    ("spellings", "words"),
    [
        (
            "togyzqumalaq Togyzkumalak toguzkumalak тоғызқұмалақ тогызкумалак 9qumalaq тогузкоргоол",
            ["toguz", "korgool"],
        ),
        ("toguz togyz Тогуз тоғыз", ["toguz"]),
        ("korgool korgol kumalak qumalaq коргоол құмалақ кумалака", ["korgool"]),
        ("tuz tuzdyk tuzdik tuzduk тузды\u0301к тұздық туз туза", ["tuz"]),
        ("mangala mankala mancala мангала мангалу", ["mangala"]),
        ("bestemshe bestemşe бестемше", ["bestemshe"]),
        ("castle kale kaleli крепость сепил қамал", ["castle"]),
        ("referee arbiter судья калыс төреші hakem", ["referee"]),
    ],
)
def test_spellings_are_one_word(spellings: str, words: list[str]) -> None:
    for spelling in spellings.split():
        assert search.with_synonyms(spelling) == words, spelling


@pytest.mark.parametrize(
    "word", ["tuzla", "kalendar", "wholesome", "pitch", "ratio", "manga", "sow", "лунный", "тузлук"]
)
def test_other_words_stay_themselves(word: str) -> None:
    assert search.with_synonyms(word) == []
