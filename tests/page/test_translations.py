"""Every message in every language, the choice of a language, and what scripts receive."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.server.core.headers import negotiate_language
from korgool.app.server.http import static_files
from korgool.app.server.http.template_texts import safe_json, words
from korgool.app.words.games import REASONS
from korgool.languages import LANGUAGES, catalogue_path, translations
from korgool.languages.catalogues import script_messages
from tests.messages import messages

FIELDS = re.compile(r"%\(\w+\)s|\{\w+\}")


def texts(value: object) -> list[str]:
    return (
        [value] if isinstance(value, str) else [str(one) for one in value] if isinstance(value, (list, tuple)) else []
    )


def sources_have_messages() -> None:
    found = {text for message in messages() for text in texts(message.id)}
    for text in (
        "hole %(hole)s, %(stones)s",
        "%(n)s stones",
        "Start the game",
        "captures %(n)s",
        "It is not your turn.",
    ):
        assert text in found


def catalogue_is_complete(language: str) -> None:
    with catalogue_path(language).open("rb") as file:
        catalogue = read_po(file, locale=language, abort_invalid=True)
    sources = {message.id: message for message in messages() if message.id}
    assert set(sources) == {message.id for message in catalogue if message.id}, "run python -m korgool.languages"
    for message in catalogue:
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        strings = texts(message.string)
        assert strings, message.id
        assert all(strings), message.id
        if isinstance(message.id, tuple):
            assert len(strings) == catalogue.num_plurals
        wanted = sorted(FIELDS.findall(texts(message.id)[-1]))
        for string in strings:
            assert sorted(FIELDS.findall(string)) == wanted, string
            assert string.strip() == string
            if texts(message.id)[0][-1:] in ".…?":
                assert string[-1] == texts(message.id)[0][-1], string
        if language in ("ky", "kk", "ru") and re.search(r"[a-z]{3}", FIELDS.sub("", texts(message.id)[0])):
            assert re.search("[а-яёөүңқғұіһә]", strings[0], re.IGNORECASE), f"not translated: {strings[0]}"
        if language == "en":
            assert strings == texts(message.id)


def test_catalogues() -> None:
    """One test, so that the sources are read by one of the processes that share the tests."""
    sources_have_messages()
    for language in LANGUAGES:
        catalogue_is_complete(language)


_FORMATS = ("UTC", "TRF 2026", "TRF16", "CSV:", "CSV", "XLSX")


def test_untranslated_text_has_no_place_in_templates() -> None:
    """Words between tags stand in `_()`; the brand, UTC, clauses, keys and what Jinja prints are no words."""
    for path in (static_files.FOLDER.parent / "templates").rglob("*.html"):
        named = r"\{% call [^%]*%\}\w+\{% endcall %\}|\{% block area %\}\w*\{% endblock %\}"
        printed = named + r"|\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|<!doctype html>"
        typed = r"\[WNG-TK §[IVX]+:\d+\]|<(?:kbd|code)>[^<]*</(?:kbd|code)>"
        text = re.sub(f"{printed}|{typed}", " ", path.read_text(encoding="utf-8"), flags=re.S)
        found = re.findall(r">([^<>]*[^\W\d_]{2,}[^<>]*)<", text)
        assert [word.strip() for word in found if word.strip("()· \n") not in ("Korgool", *_FORMATS)] == [], path


def test_words_of_the_field(shared: Path) -> None:
    terms = json.loads((shared / "data" / "terms.json").read_text(encoding="utf-8"))["terms"]
    keys = {"hole %(hole)s, %(stones)s": "hole", "%(n)s stone": "stone", "Draw": "draw", "Moves": "move", "tuz": "tuz"}
    keys["White's kazan: %(white)s. Black's kazan: %(black)s."] = "store"
    # The list has the Turkish word of the castle alone; in toguz korgool a hole that is won is a tuz in every language.
    for language in ("ky", "kk", "ru", "tr"):
        catalogue = translations(language)
        for english_text, term in keys.items():
            message = "castle" if (term, language) == ("tuz", "tr") else english_text
            said = catalogue.ngettext(message, "%(n)s stones", 5) if term == "stone" else catalogue.gettext(message)
            stems = [word.strip()[:3].lower() for word in re.split(r"[,(/)]", terms[term][language]) if word.strip()]
            assert any(stem in said.lower() for stem in stems), (language, term, said)


def test_plurals_of_scripts() -> None:
    told = json.loads(words("ru")["words_json"])
    forms = told["messages"]["%(n)s stone"]
    said = {n: forms[int(told["plural"][n])].replace("%(n)s", str(n)) for n in (0, 1, 2, 5, 11, 21, 22, 111, 162)}
    assert said[1] == "1 коргоол"
    assert said[2] == "2 коргоола"
    assert said[5] == "5 коргоолов"
    assert said[11] == "11 коргоолов"
    assert said[21] == "21 коргоол"
    assert said[111] == "111 коргоолов"
    assert said[162] == "162 коргоола"
    assert json.loads(words("en")["words_json"])["messages"]["%(n)s stone"] == ["%(n)s stone", "%(n)s stones"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_scripts_count_as_the_catalogue_does(language: str) -> None:
    told, catalogue = json.loads(words(language)["words_json"]), translations(language)
    counted = [message for message in script_messages() if not isinstance(message, str)]
    assert counted
    for one, many in counted:
        forms = told["messages"][one]
        said = [forms[int(form)] for form in told["plural"]]
        assert said == [catalogue.ngettext(one, many, number) for number in range(200)]


def test_every_name_is_translated() -> None:
    russian = words("ru")
    assert russian["game_names"]["toguz"] == "Тогуз коргоол"
    assert [russian["opponent_title"](number) for number in (1, 8, 9, 800)] == [
        "Кулун · уровень 1",
        "Чалкуйрук · уровень 8",
        "Тулпар · безошибочно",
        "рейтинг 800",
    ]
    assert set(russian["reasons"]) == set(REASONS)


@pytest.mark.parametrize(
    ("header", "cookie", "language"),
    [
        (None, None, "en"),
        ("kk-KZ,kk;q=0.9,ru;q=0.8", None, "kk"),
        ("de-DE,de;q=0.9,tr;q=0.4,en;q=0.3", None, "tr"),
        ("fr", None, "en"),
        ("ru;q=0.2, ky;q=0.7", None, "ky"),
        ("ru", "tr", "tr"),
        ("ru", "xx", "ru"),
        ("RU_ru", None, "ru"),
        ("ru;q=0", None, "en"),
        ("ru;q=broken,ky", None, "ky"),
    ],
)
def test_choice_of_language(header: str | None, cookie: str | None, language: str) -> None:
    assert negotiate_language(header, cookie) == language


@given(st.text() | st.from_regex(r"[a-z]{2}(-[A-Z]{2})?(;q=[01]\.\d)?(, ?[a-z]{2};q=\S+)*"), st.none() | st.text())
def test_any_header_gives_a_language(header: str, cookie: str | None) -> None:
    assert negotiate_language(header, cookie) in LANGUAGES


@given(
    st.recursive(
        st.text() | st.integers() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
    )
)
def test_embedded_json_cannot_close_its_element(value: object) -> None:
    text = safe_json(value)
    assert "<" not in text
    assert "&" not in text
    assert json.loads(text) == value
