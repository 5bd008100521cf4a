"""The stones of mangala in the languages in which those of toguz korgool have a name of their own."""

from __future__ import annotations

import re

import pytest

from korgool.languages import LANGUAGES, catalogue_path, translations
from korgool.languages.catalogues import read_catalogue
from korgool.languages.stones import STONES, in_stones

NAMES = {"ky": "коргоол", "kk": "құмала[қғ]", "ru": "коргоол"}
STONE = {"ky": "таш", "kk": "тас", "ru": "кам[не]"}


@pytest.mark.parametrize("language", STONES)
def test_every_form_that_a_message_has_is_known(language: str) -> None:
    """So a new form is named here and not shown to a player of mangala."""
    path = catalogue_path(language)
    messages = read_catalogue(path.read_text(encoding="utf-8"), path.name)
    named = re.compile(rf"(?<!тогуз )\b{NAMES[language]}\w*", re.IGNORECASE)
    unknown = {
        word: message
        for message, said in messages.items()
        for word in named.findall(said)
        if word.lower() not in STONES[language]
    }
    assert not unknown, "add these forms to src/korgool/languages/stones.py"


@pytest.mark.parametrize("language", STONES)
def test_each_form_is_one_of_its_word(language: str) -> None:
    for name, stone in STONES[language].items():
        assert re.match(NAMES[language], name)
        assert re.match(STONE[language], stone)


def test_only_words_for_stones_change() -> None:
    assert in_stones("ky", "%(n)s коргоол") == "%(n)s таш"
    assert in_stones("ky", "Коргоолдордун үнү: тогуз коргоол") == "Таштардын үнү: тогуз коргоол"
    assert in_stones("kk", "Тоғызқұмалақ: құмалақтарды") == "Тоғызқұмалақ: тастарды"
    assert in_stones("ru", "Коргоолы, коргоолов, в тогуз коргооле") == "Камни, камней, в тогуз коргооле"
    assert in_stones("tr", "taş") == "taş"


def test_a_catalogue_speaks_of_either() -> None:
    said = {
        language: [
            translations(language, stones).ngettext("%(n)s stone", "%(n)s stones", 5) % {"n": 5}
            for stones in (False, True)
        ]
        for language in LANGUAGES
    }
    assert said["ky"] == ["5 коргоол", "5 таш"]
    assert said["kk"] == ["5 құмалақ", "5 тас"]
    assert said["ru"] == ["5 коргоолов", "5 камней"]
    assert said["en"] == ["5 stones", "5 stones"]
    assert said["tr"] == ["5 taş", "5 taş"]
