"""Names: what may be one, which are too alike, and that nothing that can be typed does harm."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.accounts.lookalikes import look
from korgool.accounts.names import LEAST, MOST, RESERVED, SCRIPTS, AccountName, name_key, read_name
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.languages import LANGUAGES, translations

Kind = RefusedKind


def name(text: str) -> AccountName:
    found = read_name(text)
    assert isinstance(found, AccountName), f"{text}: {found}"
    return found


def refusal(text: str) -> RefusedKind:
    found = read_name(text)
    assert isinstance(found, Refused), found
    return found.kind


GOOD = (
    *("Айбек", "Күмүшай", "Әлішер", "Қуаныш", "Ұлжан", "Ғалым", "Ёлкин", "Олександр", "Öztürk", "İbrahim", "Işık"),
    *("Şahin", "Əliyev", "Jane-Smith", "ann_lee", "R2D2", "Ann1998", "Αλέξης", "Արամ", "გიორგი", "محمد", "ئايگۈل"),
    *("דוד", "ᠪᠠᠲᠤ", "नमस्ते", "山田", "山田タロウ", "さくら", "김민수", "Nguyễn", "Lô"),
)


@pytest.mark.parametrize("text", GOOD)
def test_people_are_called_so(text: str) -> None:
    assert name(text).shown == unicodedata.normalize("NFKC", text)
    assert name(unicodedata.normalize("NFD", text)) == name(text)
    assert name(f"  {text}\n") == name(text)


def test_every_letter_of_the_five_languages() -> None:
    alphabets = (
        "абвгдеёжзийклмнңоөпрстуүфхцчшщъыьэюя",  # Kyrgyz and Russian
        "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя",  # Kazakh
        "abcçdefgğhıijklmnoöprsştuüvyzqwx",  # Turkish and English
        "aäbdefgğhıijklmnñoöpqrsştuūüvyz",  # Kazakh in Latin letters
        "abcçdeəfgğhxıijkqlmnoöprsştuüvyz",  # Azerbaijani
    )
    for alphabet in alphabets:
        for letter in alphabet + alphabet.upper():
            assert name(f"{alphabet[0]}{letter}{alphabet[0]}").shown[1] == letter


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", Kind.NAME_LENGTH),
        ("a", Kind.NAME_LENGTH),
        (" a ", Kind.NAME_LENGTH),
        ("a" * (MOST + 1), Kind.NAME_LENGTH),
        ("\ufdfa\ufdfa", Kind.NAME_LENGTH),  # composes to 18 letters each
        ("a" * 10_000_000, Kind.NAME_LENGTH),
        ("Jane Smith", Kind.NAME_CHARACTER),
        ("ann.lee", Kind.NAME_CHARACTER),
        ("ann/lee", Kind.NAME_CHARACTER),
        ("ann\nlee", Kind.NAME_CHARACTER),
        ("ann\x00", Kind.NAME_CHARACTER),
        ("ann\u202elee", Kind.NAME_CHARACTER),
        ("ann\u200blee", Kind.NAME_CHARACTER),
        ("ann\u3164", Kind.NAME_CHARACTER),  # a letter that is not seen, composed to a filler
        ("a\u0338\u0338nn", Kind.NAME_CHARACTER),
        ("ann\ud800", Kind.NAME_CHARACTER),
        ("ann😀", Kind.NAME_CHARACTER),
        ("<b>ann", Kind.NAME_CHARACTER),
        ("ann٣", Kind.NAME_CHARACTER),  # digits of other scripts hide a number
        ("مـحمد", Kind.NAME_CHARACTER),  # a letter stretched
        ("ǃann", Kind.NAME_CHARACTER),
        ("1ann", Kind.NAME_BEGINNING),
        ("_ann", Kind.NAME_BEGINNING),
        ("\u094dन", Kind.NAME_BEGINNING),
        ("ann--lee", Kind.NAME_SEPARATORS),
        ("ann_-lee", Kind.NAME_SEPARATORS),
        ("ann_", Kind.NAME_SEPARATORS),
        ("Аibek", Kind.NAME_SCRIPTS),  # a Cyrillic capital
        ("Αnn", Kind.NAME_SCRIPTS),
        ("annさ", Kind.NAME_SCRIPTS),
        ("さ김", Kind.NAME_SCRIPTS),
        ("admin", Kind.NAME_RESERVED),
        ("ADMIN", Kind.NAME_RESERVED),
        ("Adm-in_7", Kind.NAME_RESERVED),
        ("AdmIn42", Kind.NAME_RESERVED),
        ("Guest4821", Kind.NAME_RESERVED),
        ("ДВИЖОК", Kind.NAME_RESERVED),
        ("Тоғызқұмалақ", Kind.NAME_RESERVED),
        ("тогузкоргоол", Kind.NAME_RESERVED),
        ("КОНОК", Kind.NAME_RESERVED),
    ],
)
def test_what_is_no_name(text: str, kind: RefusedKind) -> None:
    assert refusal(text) is kind


def test_a_refusal_names_what_is_wrong_and_nothing_that_harms_a_page() -> None:
    told = {str(read_name(text)) for text in ("ann lee", "ann\nb", "ann\u202e", "ann\ud800", "ann\u0338b", "ann!")}
    assert told == {
        "a name cannot have U+0020",
        "a name cannot have U+000A",
        "a name cannot have U+202E",
        "a name cannot have U+D800",
        "a name cannot have U+0338",
        "a name cannot have !",
    }
    assert str(read_name("a")) == "a name has 2 to 20 letters and digits"


@pytest.mark.parametrize(
    "alike",
    [
        ("Alex", "AIex", "A1ex", "ALEX", "Αlex".replace("Α", "A")),
        ("Too", "Тоо", "тоо", "ТОО", "Τοο", "T00"),
        ("Coxep", "Сохер", "coxep"),
        ("PACE", "РАСЕ", "раcе".replace("c", "с")),
        ("Bacca", "Васса"),
        ("Smith", "Srnith"),
        ("Wanda", "VVanda"),
        ("Күмүш", "Кумуш"),
        ("Өмүр", "Омур"),
        ("Қаныш", "Каныш", "Ќаныш"),
        ("Ғани", "Гани"),
        ("Еркін", "Ёркін", "Еркiн".replace("i", "і")),
        ("Ömer", "Omer", "Ømer", "0mer".replace("0", "Ö")),
        ("Łukasz", "Lukasz"),
        ("ann-lee", "annlee", "Ann_Lee"),
        ("علی", "علي", "على"),
        ("ヘイ", "へイ"),
        ("Alie", "AIie"),
    ],
)
def test_names_that_a_reader_takes_for_each_other(alike: tuple[str, ...]) -> None:
    """Facts on shapes are those of Unicode's confusables; the marks go further, see the module."""
    assert len({name(text).look for text in alike}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("Ali", "Ala"), ("Айгүл", "Айжан"), ("Anna", "Ann"), ("Ali", "All"), ("さくら", "サクラ")]
)
def test_names_that_differ(one: str, other: str) -> None:
    assert name(one).look != name(other).look
    assert name(one).key != name(other).key


def test_one_signs_in_whatever_the_case() -> None:
    for same in (("İbrahim", "ibrahim", "IBRAHIM", "ıbrahım"), ("Straße", "STRASSE"), ("Айбек", "АЙБЕК", "айбек")):
        assert len({name_key(text) for text in same}) == 1
        assert all(name(text).key == name_key(text) for text in same)
    assert name_key("Тоо") != name_key("Too")
    assert len(name_key("a" * 10_000_000)) < 100


def test_the_guests_of_every_language_are_kept() -> None:
    for language in LANGUAGES:
        word = translations(language).gettext("Guest %(number)s") % {"number": 4821}
        assert refusal(word.replace(" ", "")) is Kind.NAME_RESERVED
    operator = read_name("Admin", reserved=True)
    assert isinstance(operator, AccountName)
    assert operator.shown == "Admin"
    assert "" not in RESERVED


LETTERS = st.sampled_from(
    [
        chr(code)
        for script, ranges in SCRIPTS.items()
        if script not in ("han", "korean")
        for first, last in ranges
        for code in range(first, last + 1)
    ]
)


@given(st.one_of(st.text(max_size=30), st.text(LETTERS, max_size=22), st.text("abIlı1İо0О-_ ", max_size=22)))
def test_any_text_is_a_name_or_refused(text: str) -> None:
    """A name is composed, may be typed again, and neither its key nor its look depends on how it is composed."""
    found = read_name(text)
    if isinstance(found, Refused):
        assert str(found)
        return
    assert LEAST <= len(found.shown) <= MOST
    assert read_name(found.shown) == found
    assert found.shown.isprintable()
    assert not set(found.shown) & set(" \t/\\.<>&\"'%?#@:")
    assert found.look
    assert name_key(unicodedata.normalize("NFD", found.shown)) == name_key(found.key) == found.key
    assert look(unicodedata.normalize("NFD", found.shown)) == found.look
