"""Workbooks as pairing programs, schools and federations make them, by the command's reader and the desk's."""

from __future__ import annotations

import io
from datetime import datetime
from typing import Any

import pytest

from korgool.competition import EventState, Settings, apply
from korgool.competition import actions as do
from korgool.competition.entry_lists.cell_values import READERS, CellError, read_born
from korgool.competition.entry_lists.column_headings import field_of, given_first
from korgool.competition.entry_lists.csv_tables import sniff_delimiter
from korgool.competition.entry_lists.list_layout import is_nothing
from korgool.competition.entry_lists.list_table import pack, read_table, unpack
from korgool.competition.entry_lists.person_names import doubtful_particle, split_name, without_number
from korgool.competition.entry_lists.preview import Choices, Grade, preview
from korgool.competition.entry_lists.reading import read_entries
from korgool.competition.model import Entry
from korgool.competition.standings.groups import group_members
from tests.competition.program import call, korgool, lines

openpyxl = pytest.importorskip("openpyxl")
NO: Any = None
OPEN = apply(EventState(), do.Open(Settings(name="Cup")))
ASKING = apply(EventState(), do.Open(Settings(name="Cup", personal=("born", "passport", "coaches", "doctor"))))
Rows = list[list[Any]]


def book(*sheets: tuple[str, Rows], merged: tuple[str, ...] = ()) -> bytes:
    made = openpyxl.Workbook()
    made.remove(made.active)
    for name, rows in sheets:
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
        for area in merged:
            sheet.merge_cells(area)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def both(data: bytes, state: EventState = OPEN) -> list[Entry]:
    """The entries that both readers find, the same ones and without a fault or a doubt."""
    found = read_entries(data, state)
    assert found.faults == found.particles == ()
    table = read_table(data)
    shown = preview(table, state, Choices())
    assert [row.grade for row in shown.rows] == [Grade.GOOD] * len(shown.rows)
    assert [row.line for row in shown.rows] == [line for line, _, _ in found.entries]
    assert [row.entry for row in shown.rows] == [entry for _, entry, _ in found.entries]
    assert len(shown.unread) == len(found.passed)
    assert unpack(pack(table)) == table
    return [entry for _, entry, _ in found.entries]


RUSSIAN = book(("Tabelle1", [
    ["Кубок Бишкека 2026"], ["Последнее обновление 12.05.2026 10:11:12, Создатель: Kyrgyz Chess"], [],
    ["Стартовый список"],
    ["Ном.", NO, "Имя", "код FIDE", "ФЕД.", "Рейт.", "Клуб/Город"],
    [1, "GM", "Асанов, Бек", 13800011, "KGZ", 2450, "Бишкек"],
    [2, NO, "Исаева, Айгуль", 13800022, "KAZ", 0, "Алматы"],
    [3, "", "Ким Виктор Олегович", "", "KGZ", "1 450", ""],
    [], ["Программа Swiss-Manager (c)HERZOG Heinz, Joanelligasse 12, A-1060 Wien"],
    ["Chess-Tournament-Results-Server: Chess-Results"],
]))  # fmt: skip
ENGLISH = book(("Sheet1", [
    ["From the Tournament-Database of Chess-Results http://chess-results.com"], ["Kyrgyz Open 2026"],
    ["Starting rank"],
    ["No.", NO, NO, "Name", "FideID", "FED", "RtgI", "RtgN", "B-Year", "sex", "Club/City"],
    [1, NO, "GM", "Asanov, Bek", 13800011, "KGZ", 2450, 2400, 2001, NO, "Bishkek"],
    [2, NO, "WIM", "Isaeva, Aigul", 13800022, "KAZ", 1900, 1800, 1999, "w", "Almaty"],
    [], ["You find all tournament details under https://chess-results.com/tnr1.aspx?lan=1"],
]))  # fmt: skip
TURKISH = book(("Sayfa1", [
    ["OKULLAR ARASI MANGALA TURNUVASI"],
    ["S.No", "Adı", "Soyadı", "Doğum Tarihi", "Cinsiyeti", "Okulu", "Lisans No", "UKD"],
    [1, "Ali Can", "Yılmaz", datetime(2010, 5, 31), "E", "Atatürk Ortaokulu", "12 345", "1.250"],
    [2, "Ayşe", "Kaya", "31.05.2011", "K", "Cumhuriyet", NO, "yok"],
    ["Toplam: 2 sporcu"],
]))  # fmt: skip
GERMAN = book(("Tabelle1", [
    ["Vereinsmeisterschaft"], ["Startrangliste"],
    ["Nr.", "Titel", "Name", "FideID", "Land", "Elo", "Verein/Ort", "Geb.-Jahr"],
    [1, "FM", "Müller, Hans", 4600011, "GER", 2200, "SK Bonn", 1980],
    [2, "", "von der Leyen, Eva", 4600022, "Deutschland", "ohne", "", 1999],
    ["Alle Details zu diesem Turnier unter http://chess-results.com"],
]))  # fmt: skip
KAZAKH = book(("Лист1", [
    ["Қазақстан чемпионаты"], ["Қатысушылар тізімі"],
    ["р/с", "Қатысушының тегі, аты", "Туған жылы", "Облысы", "Спорттық атағы", "Рейтингі", "Елі"],
    [1, "Сейітова Әсем", datetime(2005, 3, 1), "Алматы облысы", "СШ", "-", "Қазақстан"],
    [2, "Нұрлан ұлы Дәурен", 2008, "Түркістан", "КМС", "1 520", "Қазақстан"],
    ["Бас төреші:", NO, NO, "Әлиев Ә."],
]))  # fmt: skip
KYRGYZ = book(("Барак1", [
    ["Кыргызстандын кубогу"],
    ["№", "Аты-жөнү", "Туулган жылы", "Шаары", "Спорттук разряд", "Фед."],
    ["1", "Осмонов Асан", "2009-ж.", "Ош", "КМС", "Кыргызстан"],
    ["2", "Асан уулу Бакыт", 2009, "Нарын", "жок", "Кыргызстан"],
    ["3", "Бакыт кызы Айгерим", 2010, "Нарын", "б/р", "Кыргызстан"],
    ["Башкы калыс: Исаев Т."],
]))  # fmt: skip
SCHOOL = book(
    ("Инструкция", [["Заполните лист «Заявка»"], ["Фамилия, имя", "Пишите полностью"], ["Год рождения", "Цифры"]]),
    ("Заявка", [
        ["ЗАЯВКА"], ["от школы № 5 г. Бишкек"], [],
        ["№ п/п", "ФИО участника", "Год рожд.", "Пол", "Разряд", "Рейтинг", "Школа"],
        [1, "1. Асанов Бек Токтогулович", 2010, "м", "б/р", "нет", "№ 5"],
        [2, "2) Исаева Айгуль", "2011 г.р.", "ж", "3 юн.", "б/р", "№ 5"],
        [3], [4, NO, NO, NO, NO, NO, "№ 5"], [], ["Директор школы ______________ / Сидоров С.С. /"], ["М.П."],
        [NO, "Дата 12.05.2026"],
    ]),
)  # fmt: skip
SWISS_MANAGER = book(("Tabelle1", [
    ["SNo", "Title", "Name", "Id no", "Rtg nat", "Rtg int", "Birthday", "Fed", "Sex", "Gr", "Clubno", "Club",
     "FIDE-No"],
    [1, "", "Asanov Bek", 0, 1450, 0, "2001/00/00", "KGZ", "", "A", 12, "Naryn", 13800011],
    [2, "WFM", "Isaeva Aigul", 0, 1400, 0, "00.00.1999", "KGZ", "w", "", 12, "Naryn", 13800022],
]))  # fmt: skip


@pytest.mark.parametrize(
    ("data", "entries"),
    [
        (RUSSIAN, [
            Entry(family="Асанов", given="Бек", rating=2450, external="13800011", federation="KGZ", club="Бишкек"),
            Entry(family="Исаева", given="Айгуль", external="13800022", federation="KAZ", club="Алматы"),
            Entry(family="Ким", given="Виктор", patronymic="Олегович", rating=1450, federation="KGZ"),
        ]),
        (ENGLISH, [
            Entry(family="Asanov", given="Bek", rating=2450, external="13800011", federation="KGZ", club="Bishkek",
                  title="GM", born=2001),
            Entry(family="Isaeva", given="Aigul", rating=1900, external="13800022", federation="KAZ", club="Almaty",
                  title="WIM", born=1999, sex="f"),
        ]),
        (TURKISH, [
            Entry(family="Yılmaz", given="Ali Can", born=2010, sex="m", club="Atatürk Ortaokulu", external="12345",
                  rating=1250),
            Entry(family="Kaya", given="Ayşe", born=2011, sex="f", club="Cumhuriyet"),
        ]),
        (GERMAN, [
            Entry(family="Müller", given="Hans", title="FM", external="4600011", federation="GER", rating=2200,
                  club="SK Bonn", born=1980),
            Entry(family="von der Leyen", given="Eva", external="4600022", federation="GER", born=1999),
        ]),
        (KAZAKH, [
            Entry(family="Сейітова", given="Әсем", born=2005, club="Алматы облысы", title="СШ", federation="KAZ"),
            Entry(family="Нұрлан ұлы", given="Дәурен", born=2008, club="Түркістан", title="КМС", rating=1520,
                  federation="KAZ"),
        ]),
        (KYRGYZ, [
            Entry(family="Осмонов", given="Асан", born=2009, club="Ош", title="КМС", federation="KGZ"),
            Entry(family="Асан уулу", given="Бакыт", born=2009, club="Нарын", federation="KGZ"),
            Entry(family="Бакыт кызы", given="Айгерим", born=2010, club="Нарын", federation="KGZ"),
        ]),
        (SCHOOL, [
            Entry(family="Асанов", given="Бек", patronymic="Токтогулович", born=2010, sex="m", club="№ 5"),
            Entry(family="Исаева", given="Айгуль", born=2011, sex="f", title="3 юн.", club="№ 5"),
        ]),
        (SWISS_MANAGER, [
            Entry(family="Asanov", given="Bek", rating=1450, born=2001, federation="KGZ", groups=("A",), club="Naryn",
                  external="13800011"),
            Entry(family="Isaeva", given="Aigul", rating=1400, born=1999, federation="KGZ", sex="f", club="Naryn",
                  external="13800022", title="WFM"),
        ]),
    ],
    ids=["russian", "english", "turkish", "german", "kazakh", "kyrgyz", "school", "swiss-manager"],
)  # fmt: skip
def test_a_list_as_it_comes(data: bytes, entries: list[Entry]) -> None:
    if entries[0].title == "GM":  # titles stand in a column without a heading; the desk shows it as one to be chosen
        assert [entry for _, entry, _ in read_entries(data, OPEN).entries] == entries
        return
    found = both(data)
    if data is not RUSSIAN:
        assert found == entries
    assert [(one.name, one.rating, one.external, one.federation, one.club) for one in found] == [
        (one.name, one.rating, one.external, one.federation, one.club) for one in entries
    ]


def test_the_first_sheet_with_a_list_is_taken_and_forms_that_stayed_empty_are_passed_over() -> None:
    table = read_table(SCHOOL)
    assert (table.sheet, table.sheets) == ("Заявка", ("Инструкция", "Заявка"))
    shown = preview(table, OPEN, Choices())
    assert [row.line for row in shown.rows] == [5, 6]
    assert shown.unread == (1, 2, 7, 8, 10, 11, 12)
    example = book(("Пример", [["ФИО", "Год"], ["Иванов Иван", 2000]]), ("Список", [["ФИО", "Год"], ["Ким Ян", 2001]]))
    assert [one.name for one in both(example)] == ["Ким, Ян"]


def test_headings_in_two_rows() -> None:
    data = book(
        ("S", [
            ["Заявка"], ["№", "Участник", NO, NO, "Дата рождения", "Рейтинг", NO],
            [NO, "Фамилия", "Имя", "Отчество", NO, "FIDE", "Нац."],
            [1, "Асанов", "Бек", "Токтогулович", "01.02.2010", 1500, 1400], [2, "Исаева", "Айгуль", NO, 2011, 1450, NO],
        ]),
        merged=("A2:A3", "B2:D2", "E2:E3", "F2:G2"),
    )  # fmt: skip
    assert both(data) == [
        Entry(family="Асанов", given="Бек", patronymic="Токтогулович", born=2010, rating=1500),
        Entry(family="Исаева", given="Айгуль", born=2011, rating=1450),
    ]
    merged = book(("S", [["Фамилия Имя", NO, "Город"], ["Асанов", "Бек", "Ош"], ["Ли", "Ян", "Ош"]]), merged=("A1:B1",))
    assert [one.name for one in both(merged)] == ["Асанов, Бек", "Ли, Ян"]


def test_sections_and_repeated_headings() -> None:
    head = ["№", "ФИО", "Год", "Команда"]
    data = book(("S", [
        head, ["Юноши"], [1, "Асанов Бек", 2010, "Ош"], [2, "Ким Ян", 2011, "Ош"], ["Девушки 2010 г.р."], head,
        [1, "Исаева Айгуль", 2010, "Ош"], ["Итого:", 3], [NO, "Главный судья", NO, "Петров"],
    ]))  # fmt: skip
    assert [one.name for one in both(data)] == ["Асанов, Бек", "Ким, Ян", "Исаева, Айгуль"]


def test_forms_with_numbers_of_columns_and_with_signatures() -> None:
    data = book(("Форма", [
        ["№\nп/п", "Фамилия, имя, отчество (полностью)", "Дата\nрождения", "Пол", "Спорт. разряд", "Субъект РФ"],
        [1, 2, 3, 4, 5, 6], [1, "Асанов Бек Т.", "01.02.2010", "м", "1", "Чуй"], [2, "Ким Ян", 2011, "м", "б/р", "Чуй"],
        [3, "Директоров Пётр", NO, "м"], [NO, "Список верен"], [NO, "Врач", NO, NO, NO, "Иванова"],
        [NO, "Судья", "Калысов"],
    ]))  # fmt: skip
    assert [one.name for one in both(data)] == ["Асанов, Бек Т.", "Ким, Ян", "Директоров, Пётр"]


@pytest.mark.parametrize(
    "name", ["Дата Туташхиа", "Калыс Ишимканов", "Page Jimmy", "Директоров А.", "Судьин Б.", "Тренерова В."]
)
def test_no_player_is_taken_for_a_footer(name: str) -> None:
    people = [[name, NO, NO, NO], ["Асанов Бек", 2001, "Ош", 1500], ["Ким Ян", 2002, "Ош", 1500]]
    data = book(("S", [["ФИО", "Год", "Город", "Рейтинг"], *people]))
    assert both(data)[0].name == name.replace(" ", ", ", 1)


def test_a_form_that_people_filled_in_on_the_web() -> None:
    data = book(("Form Responses 1", [
        ["Timestamp", "First Name", "Last Name", "Date of Birth", "Gender", "Country", "FIDE ID", "Email address"],
        [datetime(2026, 5, 1, 10, 11), "Jan", "van der Berg", datetime(2001, 5, 31), "Male", "Netherlands", 1, "a@b.c"],
        [datetime(2026, 5, 1, 10, 12), "Aigul", "Isaeva", "1999-01-02", "Female", "Kyrgyzstan", NO, "x@y.z"],
    ]))  # fmt: skip
    assert both(data) == [
        Entry(family="van der Berg", given="Jan", born=2001, sex="m", federation="NED", external="1"),
        Entry(family="Isaeva", given="Aigul", born=1999, sex="f", federation="KGZ"),
    ]


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        (["Name", "Vorname"], "van den Berg, Jan"),
        (["Surname", "Name"], "van den Berg, Jan"),
        (["Фамилиясы", "Аты"], "van den Berg, Jan"),
    ],
)
def test_which_part_a_column_holds_follows_from_the_other(columns: list[str], name: str) -> None:
    data = book(("S", [columns, ["van den Berg", "Jan"], ["Müller", "Hans"], ["Kim", "Yan"]]))
    assert both(data)[0].name == name


HEADINGS = {
    "name": "ФИО участника|Ф.И.О.|Ф.И.О. (полностью)|Тегі, аты|Т.А.Ә.|Soyadı Adı|Adı Soyadı|Фамилия Имя|Аты-жөнү|"
    "Қатысушының аты-жөні|Nachname, Vorname|Player's name|Спортсмен|Last name, First name|Фамилиясы, аты",
    "family": "Фамилия спортсмена|Тегі|Nachname|Soyadı (Sporcu)",
    "given": "Имя|Vorname|Есімі|Имя (полностью)",
    "patronymic": "Отчество (при наличии)|Әкесінің аты",
    "born": "Год рожд.|B-Year|Г.р.|Дата рожд. (дд.мм.гггг)|Geb.-Jahr|Jahrgang|Doğ.Yılı|D. Tarihi|"
    "Туулган жылы|Туғ. жылы|DOB",
    "rating": "RtgI|Rtg nat|Рейт.|Рейтинг ФИДЕ|Elo int.|UKD|DWZ|Нац. рейтинг",
    "external": "FideID|Fide-ID|ID ФИДЕ|Код FIDE|Lisans No|Ident-Number",
    "federation": "Фед.|ФЕД|Ülkesi|Land|Страна/Country|Мемлекеті",
    "club": "Область|Город|Школа|İl|Клуб/Город|Kulüp/İl|Verein/Ort|Облысы|Шаары|Мектебі|Region|Школа, класс",
    "title": "Спорттук разряд|Разряд|Спортивное звание|Titel|Дәрежесі|Тит.",
    "sex": "Пол (м/ж)|М/Ж|Geschlecht|Cinsiyeti",
    "groups": "Возрастная группа|Yaş Grubu|Категория|Altersklasse",
    "coaches": "ФИО тренера|Тренер-преподаватель|Бапкері|Antrenörü|Trainer",
    "guardian": "ФИО родителя|Velisi",
    "passport": "Серия и номер паспорта",
}
UNKNOWN = "№|№ п/п|No.|SNo|Rk.|Место|Телефон|Возраст|ФИО судьи|Капитан|Очки|TB1|Подпись|" \
    "ИИН|Адрес|Дата|Points|Sıra No|р/с|" \
    "Заполните, пожалуйста, фамилию, имя и год рождения каждого участника"  # fmt: skip


def test_headings_are_known_by_their_words() -> None:
    told = {text: field_of(text) for texts in HEADINGS.values() for text in texts.split("|")}
    assert told == {text: field for field, texts in HEADINGS.items() for text in texts.split("|")}
    assert {text: field_of(text) for text in UNKNOWN.split("|")} == dict.fromkeys(UNKNOWN.split("|"))
    assert [given_first(text) for text in ("Sporcunun Adı Soyadı", "Имя, фамилия", "Soyadı Adı", "Тегі, аты")] == [
        True, True, False, False,
    ]  # fmt: skip


def test_what_says_that_there_is_nothing() -> None:
    assert all(
        map(is_nothing, ("", "-", "–", "—", "нет", "Нет", "б/р", "Б/Р", "жок", "жоқ", "yok", "unr.", "n/a", "---"))
    )
    assert not any(map(is_nothing, ("0", "1", "Ким", "Ян", "3 юн.", "б")))
    ratings = ("1 450", "1\u00a0450", "1'450", "1.450", "1,450", "1450.0", "1450")
    assert {READERS["rating"](text) for text in ratings} == {1450}
    with pytest.raises(CellError):
        READERS["rating"]("высокий")
    found = read_entries("family;given;rating;title;sex\nНет;-;-;нет;-\n".encode(), OPEN)
    assert [entry for _, entry, _ in found.entries] == [Entry(family="Нет")]


@pytest.mark.parametrize(
    ("text", "born"),
    [
        ("2010 г.р.", (2010, "")), ("2010г.", (2010, "")), ("2010-жыл", (2010, "")), ("2010.0", (2010, "")),
        ("2010/00/00", (2010, "")), ("00.00.2010", (2010, "")), ("31.05.2010 г.", (2010, "2010-05-31")),
        ("2010-05-31 00:00:00", (2010, "2010-05-31")), ("40329", (2010, "2010-05-31")),
        ("1905-07-02", (2010, "")), ("02.07.1905", (1905, "1905-07-02")),
    ],
)  # fmt: skip
def test_years_and_days_of_birth(text: str, born: tuple[int, str]) -> None:
    assert read_born(text) == born


@pytest.mark.parametrize(
    ("text", "parts", "doubt"),
    [
        ("van Gogh Vincent", ("van Gogh", "Vincent", ""), ""),
        ("Van den Berg Jan", ("Van den Berg", "Jan", ""), ""),
        ("de la Cruz Maria", ("de la Cruz", "Maria", ""), ""),
        ("Асан уулу Бакыт", ("Асан уулу", "Бакыт", ""), ""),
        ("Асан улуу Бакыт", ("Асан улуу", "Бакыт", ""), ""),
        ("Asan uulu Bakyt", ("Asan uulu", "Bakyt", ""), ""),
        ("Бакыт кызы Айгерим Т.", ("Бакыт кызы", "Айгерим", "Т."), ""),
        ("Мамедов Анар Эльшан оглы", ("Мамедов", "Анар", "Эльшан оглы"), ""),
        ("Мамедов Эльшан оглы", ("Мамедов", "Эльшан оглы", ""), "оглы"),
        ("Berg Jan van den", ("Berg", "Jan", "van den"), "van"),
        ("Berg, Jan van", ("Berg", "Jan", "van"), "van"),
        ("Ван Хао", ("Ван", "Хао", ""), "Ван"),
        ("Le Quang Liem", ("Le", "Quang", "Liem"), ""),
        ("Асан уулу, Бакыт", ("Асан уулу", "Бакыт", ""), ""),
        ("Ким Виктор", ("Ким", "Виктор", ""), ""),
        ("Ким", ("Ким", "", ""), ""),
    ],
)
def test_particles_stay_with_the_family_name_or_are_a_doubt(text: str, parts: tuple[str, str, str], doubt: str) -> None:
    assert tuple(split_name(text).values()) == parts
    assert doubtful_particle(text) == doubt
    shown = preview(read_table(f"ФИО;Пол\n{text};м\nЛи Ян;м\n".encode()), OPEN, Choices())
    assert shown.rows[0].grade is (Grade.DOUBT if doubt else Grade.GOOD)


def test_particles_where_the_given_name_comes_first() -> None:
    told = [split_name(text, given_is_first=True) for text in ("Vincent van Gogh", "Bakyt Asan uulu", "Ali Can Yılmaz")]
    assert [(one["family"], one["given"]) for one in told] == [
        ("van Gogh", "Vincent"), ("Asan uulu", "Bakyt"), ("Yılmaz", "Ali Can"),
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["1. Асанов Бек", "1) Асанов Бек", "12.Асанов Бек", "№ 3 Асанов Бек", "7 Асанов Бек"])
def test_numbers_before_names(text: str) -> None:
    assert without_number(text) == "Асанов Бек"
    assert [one.name for one in both(f"ФИО;Пол\n{text};м\nЛи Ян;м\n".encode())] == ["Асанов, Бек", "Ли, Ян"]
    assert [without_number(plain) for plain in ("№ 12", "12", "Асанов 2", "2010")] == ["№ 12", "12", "Асанов 2", "2010"]


def test_a_text_with_titles_above_the_table() -> None:
    text = "Кубок, Бишкек, 2026\nСписок участников\n№;Фамилия, имя;Год рожд.;Город\n"
    text += "1;Асанов, Бек;2001;Ош\n2;Ли Ян;2002;Ош\n"
    assert sniff_delimiter(text) == ";"
    assert [one.name for one in both(text.encode())] == ["Асанов, Бек", "Ли, Ян"]
    mapped = read_entries(b"Sport\nx;Wer;y\n1;Kim Yan;2\n", OPEN, mapping={"Wer": "name"}, delimiter=";")
    assert [entry.name for _, entry, _ in mapped.entries] == ["Kim, Yan"]


def test_a_wish_that_all_lines_lack_is_said_once(tmp_path: Any) -> None:
    data = book(("S", [["ФИО", "Год рождения", "Врач"], ["Асанов Бек", 2001, "допущен"], ["Ли Ян", NO, NO]]))
    shown = preview(read_table(data), ASKING, Choices())
    assert shown.lacking == ("passport", "coaches")
    assert [[remark.text for remark in row.remarks] for row in shown.rows] == [[], ["born, doctor"]]
    one = preview(read_table("ФИО;Пол\nЛи Ян;м\n".encode()), ASKING, Choices())
    assert (one.lacking, one.rows[0].remarks[0].text) == ((), "born, passport, coaches, doctor")
    event, source = tmp_path / "cup.korgool", tmp_path / "list.xlsx"
    korgool("new", event, "--name", "Cup", "--personal", "born,passport,coaches,doctor")
    source.write_bytes(data)
    done = call("import", event, source)
    assert "warning: " + f"{source}: no line has passport, coaches, which the organiser asks for\n" in done.stderr
    assert "line 3: Ли, Ян: the organiser asks for born, doctor too" in done.stderr
    assert done.stderr.count("asks for") == 2


def test_the_command_names_what_it_passed_over(tmp_path: Any) -> None:
    event, source = tmp_path / "cup.korgool", tmp_path / "list.xlsx"
    korgool("new", event, "--name", "Cup")
    source.write_bytes(RUSSIAN)
    (report,) = lines("import", event, source, "--dry-run")
    assert (report["good"], report["passed_over"]) == (3, [1, 2, 4, 10, 11])
    done = call("import", event, source)
    assert "no players in lines 1, 2, 4, 10, 11" in done.stdout
    source.write_bytes(book(("S", [["ФИО"], ["Ван Хао"], ["Berg Jan van den"]])))
    done = call("import", event, source)
    assert (done.exit_code, done.stderr.count("may belong to another part of the name")) == (0, 2)


def test_place_school_and_club_are_kept_together() -> None:
    rows: Rows = [
        ["№", "ФИО", "Область", "Город", "Школа"],
        [1, "Асанов Бакыт", "Чуйская", "Токмок", "№ 5"],
        [2, "Ли Ян", "Бишкек", "Бишкек", "-"],
        [3, "Исаева Айгуль", NO, "нет", NO],
    ]
    assert [one.club for one in both(book(("1", rows)))] == ["Чуйская, Токмок, № 5", "Бишкек", ""]
    tables: list[bytes] = [
        "Adı Soyadı;İl;İlçe;Okulu\nAli Kaya;Ankara;Çankaya;Atatürk\n".encode(),
        "ФИО;Субъект РФ;Населённый пункт;Учебное заведение\nКая Али;Татарстан;Казань;Лицей\n".encode("cp1251"),
        "Т.А.Ә.;Облысы;Ауданы;Мектебі\nКая Али;Алматы;Қарасай;№ 2\n".encode(),
    ]
    assert [one.club for data in tables for one in both(data)] == [
        "Ankara, Çankaya, Atatürk", "Татарстан, Казань, Лицей", "Алматы, Қарасай, № 2",
    ]  # fmt: skip
    found = read_entries(tables[1], OPEN, mapping={"Учебное заведение": "club"}).entries
    assert [entry.club for _, entry, _ in found] == ["Лицей"], "a column that somebody has chosen stands alone"
    assert read_entries(tables[1], OPEN).ignored == ()
    chosen = preview(read_table(tables[1]), OPEN, Choices(meanings=("name", "club", "", "club"))).rows[0].entry
    assert chosen is not None
    assert chosen.club == "Татарстан, Лицей"
    state = apply(OPEN, do.Enter(chosen))
    for group, count in (("club:Лицей", 1), ("club:татарстан, лицей", 1), ("club:Казань", 0), ("club:", 0)):
        assert len(group_members(state, group)) == count


def test_the_lists_of_pairing_programs_in_russian_and_of_the_federation() -> None:
    rows: Rows = [
        ["Стартовый лист"],
        ["Ном.", NO, "Имя", "ID", "Фед.", "Рейт.", "Тип", "Гр"],
        [1, "МС", "Асанов Бакыт", 13800011, "KGZ", 1450, "U20", "Б"],
        [2, NO, "Исаева Айгуль", 13800022, "KAZ", "-", NO, "Б"],
    ]
    assert both(book(("Лист1", rows))) == [
        Entry(family="Асанов", given="Бакыт", title="МС", rating=1450, external="13800011", federation="KGZ",
              groups=("U20", "Б")),
        Entry(family="Исаева", given="Айгуль", external="13800022", federation="KAZ", groups=("Б",)),
    ]  # fmt: skip
    assert both("ФИО;Гр\nАсанов Бек;2001\n".encode()) == [Entry(family="Асанов", given="Бек", born=2001)]
    fide = b'ID Number,Name,Fed,Sex,Tit,WTit,SRtng,B-day\n13800011,"Asanov, Bek",KGZ,M,FM,,2345,1990\n'
    assert both(fide) == [
        Entry(family="Asanov", given="Bek", sex="m", title="FM", rating=2345, born=1990, external="13800011",
              federation="KGZ")
    ]  # fmt: skip


def test_german_letters_of_windows_are_no_cyrillic_ones() -> None:
    text = "Nr.;Teilnehmer;Titel;M/W;Geburt\n1;Müller, Jürgen;FM;M;1990\n2;Groß, Bärbel;;W;1985\n3;Çığ, Ali;;M;1985\n"
    assert [one.name for one in both(text.encode("cp1254"))] == ["Müller, Jürgen", "Groß, Bärbel", "Çığ, Ali"]
    russian = "No;Name;Sex;Elo\n1;Асанов Бек;м;1450\n2;Ли Ян;ж;1400\n".encode("cp1251")
    assert [one.name for one in both(russian)] == ["Асанов, Бек", "Ли, Ян"]
