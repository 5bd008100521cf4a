"""The column headings of entry lists, in the five languages of the field."""

from __future__ import annotations

import unicodedata

from korgool.competition.entry_lists.heading_words import field_by_words

FIELDS = (
    "family", "given", "patronymic", "name", "sex", "born", "title", "rating", "external", "federation", "club",
    "team", "board", "groups", "short", "guardian", "consent_day", "consent_how",
    "passport", "passport_series", "passport_number", "coaches", "doctor",
)  # fmt: skip
"""Fields of a column. `name` is a whole name; `passport` series and number together; the last five are personal."""

PERSONAL = {"passport": "passport", "passport_series": "passport", "passport_number": "passport",
            "coaches": "coaches", "doctor": "doctor"}  # fmt: skip
"""Columns with personal data, and the word in `Settings.personal` that asks for each."""
PERSONAL_WISHES = ("born", "passport", "coaches", "doctor")
"""The words of `Settings.personal`, in their order."""

_WORDS = {
    "family": "family, family name, surname, last name, lastname, фамилия, фамилиясы, фамилия аты, тегі, тек, soyad, "
    "soyadı, soyisim, soyismi",
    "given": "given, given name, first name, firstname, forename, имя, аты, ысымы, есімі, есім, ad, adı, isim, ismi",
    "patronymic": "patronymic, middle name, отчество, атасынын аты, әкесінің аты, baba adı",
    "name": "name, full name, player, player name, participant, фио, ф и о, фамилия имя, фамилия и имя, "
    "фамилия имя отчество, участник, игрок, спортсмен, аты жөнү, аты жөні, аты тегі, толук аты, толық аты, оюнчу, "
    "ойыншы, катышуучу, қатысушы, oyuncu, sporcu, ad soyad, adı soyadı, isim soyisim, soyad ad",
    "sex": "sex, gender, m f, w m, m w, м ж, пол, жынысы, жыныс, cinsiyet, cinsiyeti",
    "born": "born, birth, birthday, birth date, birthdate, date of birth, day of birth, year of birth, birth year, "
    "year born, дата рождения, год рождения, день рождения, г р, д р, туулган күнү, туулган жылы, туған күні, "
    "туған жылы, doğum tarihi, doğum yılı",
    "title": "title, grade, sports grade, sports title, разряд, звание, спортивное звание, спортивный разряд, наамы, "
    "спорттук наамы, разряды, спорттук разряды, атағы, спорттық атағы, спорттық разряды, derece, unvan, ünvan, "
    "unvanı",
    "rating": "rating, elo, rtg, рейтинг, рейтинги, рейтингі, reyting, puanı",
    "external": "external, id, id number, fide id, fide number, fide no, федерация номери, номер id, код, lisans no, "
    "federation number, номер федерации",
    "federation": "federation, fed, country, nation, федерация, страна, өлкө, өлкөсү, мамлекет, ел, елі, мемлекет, "
    "федерациясы, federasyon, ülke, ülkesi",
    "club": "club, клуб, клубу, клубы, kulüp, kulübü",
    "team": "team, команда, командасы, takım, takımı",
    "board": "board, board number, board no, доска, номер доски, тақта, такта, masa, masa no, bo",
    "groups": "group, groups, category, age group, группа, группы, категория, возрастная группа, топ, тобу, тобы, "
    "grup, grubu, kategori, gr, grp, typ, тип, tip",
    "short": "short, short name, shown as, краткое имя, показывать как, кыска аты, қысқа аты, kısa ad, kısa adı",
    "guardian": "guardian, parent, родитель, опекун, законный представитель, ата энеси, камкорчусу, ата анасы, "
    "қамқоршысы, veli, velisi",
    "consent_day": "consent date, дата согласия, макулдук күнү, келісім күні, izin tarihi",
    "consent_how": "consent, согласие, макулдук, макулдугу, келісім, келісімі, veli izni, izin",
    "passport": "passport, паспорт, паспорту, паспорты, төлқұжат, pasaport",
    "passport_series": "passport series, серия паспорта, серия, паспорттун сериясы, паспорт сериясы, pasaport serisi",
    "passport_number": "passport number, passport no, номер паспорта, паспорттун номери, паспорт нөмірі, pasaport no",
    "coaches": "coach, coaches, trainer, trainers, тренер, тренеры, тренер фио, машыктыруучу, машыктыруучусу, "
    "жаттықтырушы, жаттықтырушысы, бапкер, antrenör, antrenörü",
    "doctor": "doctor, medical, medical admission, врач, допуск врача, подпись врача, медицинский допуск, дарыгер, "
    "дарыгердин колу, дәрігер, дәрігердің қолы, doktor, doktor onayı",
}
_GIVEN_FIRST = ("ad soyad", "adı soyadı", "isim soyisim", "аты тегі")
_SEXES = {
    "m": "m, male, man, men, boy, м, муж, мужской, мужчина, юноша, юноши, мальчик, э, эркек, эркек бала, уул, "
    "уул бала, е, ер, еркек, ұл, ұл бала, e, erkek, bay, männlich, mann, herr",
    "f": "f, female, woman, women, girl, w, ж, жен, женский, женщина, девушка, девушки, девочка, а, аял, кыз, "
    "кыз бала, ә, әйел, қыз, қыз бала, k, kadın, kız, bayan, weiblich, frau",
}


def heading_key(text: str) -> str:
    """A heading without case, punctuation, accents over `i` and the dots of ё."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е").replace("ı", "i").replace("i̇", "i")
    return " ".join("".join(letter if letter.isalnum() else " " for letter in plain).split())


_FIELD_OF = {heading_key(word): field for field, words in _WORDS.items() for word in words.split(", ")}
_FIELD_OF |= {heading_key(field): field for field in FIELDS}
_GIVEN_FIRST_KEYS = frozenset(map(heading_key, _GIVEN_FIRST))
_SEX_OF = {heading_key(word): sex for sex, words in _SEXES.items() for word in words.split(", ")}


def exact_field(heading: str) -> str | None:
    """Field of a column whose heading is known as a whole, or None."""
    return _FIELD_OF.get(heading_key(heading))


def field_of(heading: str) -> str | None:
    """Field of a column with this heading, known as a whole or by its words; None for an unknown heading."""
    return exact_field(heading) or field_by_words(heading)[0] or None


def given_first(heading: str) -> bool:
    """Return whether whole names below this heading begin with the given name, as in Turkish `Ad Soyad`."""
    return heading_key(heading) in _GIVEN_FIRST_KEYS or (exact_field(heading) is None and field_by_words(heading)[1])


def sex_of(text: str) -> str | None:
    """`m` or `f` for a word in one of the languages, None for any other."""
    return _SEX_OF.get(heading_key(text))
