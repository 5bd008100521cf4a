"""Recognition of a column heading by its words, with anything around them: `ФИО участника`, `Год рожд.`, `RtgI`.

Headings that are known as a whole stand in `column_headings`. Words are compared by their beginnings, without case,
marks and the letters that a Russian or an English keyboard lacks.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from korgool.languages.name_search import LETTERS

_LONGEST_WORDS, _LONGEST = 6, 60
"""Words and letters of a heading; what is longer is a sentence."""

# Words whose beginning counts; one that ends in a full stop counts whole.
_STEMS = {
    "coaches": "тренер trainer coach antren машыктыр жаттыктыр бапкер устаз устат",
    "guardian": "родител опекун parent guardian veli. velisi камкор eltern энесинин анасынын анасының",
    "doctor": "врач doctor doktor дарыгер дәрігер medical медосмотр медицинск arzt",
    "passport": "паспорт passport pasaport төлқұжат reisepass",
    "consent_how": "соглас consent макулдук келісім izin einwillig",
    "patronymic": "отчеств patronym әкесінің атасынын атасының",
    "sex": "пол. sex. gender жынысы жыныс. cinsiyet geschl",
    "born": "рожд рожден born birth byear byr bday yob. dob. doğum doğ. туулган туул. туган туг. geb. geburt geboren "
    "gebdat gebjahr jahrgang jg. год. г.р. year. жылы. yılı. yıl. dtarihi dyılı",
    "title": "разряд звание титул тит. tit. title titel grade unvan ünvan наам атак атаг даража дәреже derece "
    "classification",
    "rating": "рейт rating rtg elo. eloi eloint elonat reyting rat. rtgi rtgn srtng fiderat nationalrat natrat dwz nwz "
    "twz ukd",
    "external": "fideid fide-id fidecode fideno id. ид. ident idnumber idno lisans код. кода коду playerid",
    "federation": "федерац фед. federa fed. страна country ülke land. nation өлкө мамлекет мемлекет ел. verband",
    "club": "клуб club kulüp kulübü kulup verein школа школы school okul schule мектеп мектеб дюсш город гор. city "
    "town шаар қала ort. stadt область обл. облус облыс регион region район ауданы аймак аймаг субъект il. ili. ili "
    "ilçe. ilce. şehir ведомств организац жительств населен учебн село. айыл ауыл",
    "team": "команд team takım mannschaft kоманда",
    "groups": "групп group категор category kategori grup grubu altersklasse топ. тобу тобы дивизион",
    "board": "доск board masa brett такта",
}
_FAMILY = "фамил surname lastname familyname soyad soyis тегі тек. nachname familienname zuname family."
_GIVEN = "имя имена имени given givenname firstname forename vorname аты ысым есім есим ad. adı adi isim ismi"
_WHOLE = "фио ф.и.о фи таә тая атә тао аты-жөнү name. names. namen жөнү жөні"
_PEOPLE = (
    "участник игрок спортсмен player participant oyuncu sporcu ойынш оюнч катышуучу қатысушы teilnehmer spieler "
    "competitor"
)
_OTHERS = (
    "капитан captain kaptan судья судьи арбитр arbiter referee hakem төреші калыс представител учител teacher "
    "соперник opponent gegner rakip телефон phone telefon почта email адрес address adres дата. возраст. age. yaş. "
    "иин. пин. подпись signature imza место. place rank очк points puan. тай-брейк tb1 tb2 tb3 buchholz "
    "организатор турнир clubno. clubnr. vereinsnr. жашы. жасы."
)
"""Words of columns that are about something else, also where another word stands beside them."""
_ORDER = ("coaches", "guardian", "doctor", "passport", "consent_how", "patronymic", "born", "sex", "title", "rating",
          "external", "groups", "federation", "team", "club", "board")  # fmt: skip
_DATE_WORDS = ("дата", "date", "күн", "tarih", "datum")


def folded(text: str) -> str:
    """A heading by small letters without marks, words parted by single blanks."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = (LETTERS.get(letter, letter) for letter in plain if unicodedata.category(letter) != "Mn")
    return " ".join("".join(letter if letter.isalnum() else " " for letter in "".join(letters)).split())


def _stems(text: str) -> tuple[tuple[str, bool], ...]:
    return tuple((folded(word).replace(" ", ""), word.endswith(".")) for word in text.split())


_BY_FIELD = {field: _stems(_STEMS[field]) for field in _ORDER}
_FAMILY_STEMS, _GIVEN_STEMS, _WHOLE_STEMS = map(_stems, (_FAMILY, _GIVEN, _WHOLE))
_PEOPLE_STEMS, _OTHER_STEMS = map(_stems, (_PEOPLE, _OTHERS))


@lru_cache(maxsize=4096)
def field_by_words(heading: str) -> tuple[str, bool]:
    """The field that the words of a heading name, empty for none, and whether given names come first in it."""
    bare = re.sub(r"\([^)]*\)|\[[^]]*\]", " ", heading)
    text = folded(bare) or folded(heading)
    words = text.split()
    if not words or len(words) > _LONGEST_WORDS or len(text) > _LONGEST:
        return "", False
    words = _joined(words)
    for field in ("coaches", "guardian", "doctor", "groups"):
        if _at(words, _BY_FIELD[field]) >= 0:
            return field, False
    if _at(words, _OTHER_STEMS) >= 0 and not (
        _at(words, _BY_FIELD["born"]) >= 0 and any(word.startswith(_fold_all(_DATE_WORDS)) for word in words)
    ):
        return "", False
    if "passport" in (field := _first(words)) and len(words) > 1:
        return _of_passport(words), False
    if field == "consent_how":
        return "consent_day" if any(word.startswith(_fold_all(_DATE_WORDS)) for word in words) else field, False
    family, given, whole = (_at(words, stems) for stems in (_FAMILY_STEMS, _GIVEN_STEMS, _WHOLE_STEMS))
    if field and not (family >= 0 or whole == 0 or (whole > 0 and field == "patronymic")):
        return field, False
    if family >= 0 and (given >= 0 or whole > family):
        return "name", 0 <= given < family
    if family >= 0:
        return "family", False
    if whole >= 0:
        return "name", False
    if given >= 0:
        return "given", False
    return ("name" if _at(words, _PEOPLE_STEMS) >= 0 else ""), False


def _joined(words: list[str]) -> list[str]:
    """Words, with single letters beside each other put together: `ф и о` is `фио`, `b year` is `byear`."""
    found: list[str] = []
    for at, word in enumerate(words):
        if at and (len(words[at - 1]) == 1 and (len(word) == 1 or words[at - 1] in "bd")):
            found[-1] += word
        else:
            found.append(word)
    return [*found, "".join(words)] if len(words) in (2, 3) else found


def _fold_all(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(folded, words))


def _at(words: list[str], stems: tuple[tuple[str, bool], ...]) -> int:
    """The place of the first word that is meant, -1 for none."""
    for at, word in enumerate(words):
        if any(word == stem if whole or len(stem) < 3 else word.startswith(stem) for stem, whole in stems):
            return at
    return -1


def _first(words: list[str]) -> str:
    return next((field for field in _ORDER if _at(words, _BY_FIELD[field]) >= 0), "")


def _of_passport(words: list[str]) -> str:
    series = any(word.startswith(("сери", "seri")) for word in words)
    number = any(word.startswith(("номер", "number", "no", "номир")) for word in words)
    return "passport" if series == number else "passport_series" if series else "passport_number"
