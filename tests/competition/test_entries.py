"""Entry lists: headings in five languages, encodings, and every bad line with its place."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition import CompetitionError, Entry, EventState, Personal, Settings, apply, eligibility
from korgool.competition import actions as do
from korgool.competition.eligibility import check_entry, same_person
from korgool.competition.entry_lists.cell_values import read_born
from korgool.competition.entry_lists.column_headings import FIELDS, field_of, sex_of
from korgool.competition.entry_lists.person_names import split_name
from korgool.competition.entry_lists.reading import EntryList, lacking, read_entries
from korgool.competition.model import Player
from korgool.competition.people_index import PeopleIndex

EVENT = apply(EventState(), do.Open(Settings(name="Cup")))
WOMEN = apply(EventState(), do.Open(Settings(name="Cup", sex="women")))
ASKING = apply(EventState(), do.Open(Settings(name="Cup", personal=("born", "passport", "coaches", "doctor"))))


def read(text: str, state: EventState = EVENT, **options: object) -> EntryList:
    return read_entries(text.encode(), state, **options)  # type: ignore[arg-type]


def entries(found: EntryList) -> list[Entry]:
    return [entry for _, entry, _ in found.entries]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("family,given,sex,born,rating,federation", "Asanov,Bek,m,2001,2100,KGZ"),
        ("Surname;First name;Gender;Date of birth;ELO;Country", "Asanov;Bek;male;2001-05-31;2100;KGZ"),
        ("Фамилия\tИмя\tПол\tГод рождения\tРейтинг\tСтрана", "Asanov\tBek\tмуж\t2001\t2100\tKGZ"),
        ("Фамилиясы;Ысымы;Жынысы;Туулган күнү;Рейтинги;Өлкө", "Asanov;Bek;эркек;31.05.2001;2100;KGZ"),
        ("Тегі;Есімі;Жынысы;Туған жылы;Рейтингі;Ел", "Asanov;Bek;ер;2001;2100;KGZ"),
        ("SOYADI;ADI;CİNSİYET;DOĞUM TARİHİ;Reyting;ÜLKE", "Asanov;Bek;Erkek;31/05/2001;2100;KGZ"),
        ("Soyad|Ad|Cinsiyet|Doğum yılı|Rating|Ülke", '"Asanov"|Bek|e|2001|2100|KGZ'),
        ("name;sex;born;rating;fed.", '"Asanov, Bek";m;2001;2100;KGZ'),
        ("Ф.И.О.;пол;г.р.;рейтинг;федерация", "Asanov Bek;м;2001;2100;KGZ"),
        ("Ad Soyad;cinsiyet;doğum yılı;rating;ülke", "Bek Asanov;bay;2001;2100;KGZ"),
    ],
)
def test_headings_of_five_languages(header: str, row: str) -> None:
    found = read(f"{header}\n{row}\n")
    assert found.faults == ()
    assert entries(found) == [
        Entry(family="Asanov", given="Bek", sex="m", born=2001, rating=2100, federation="KGZ")
    ]  # fmt: skip


def test_every_field_is_known_by_its_own_name() -> None:
    assert [field_of(name) for name in FIELDS] == list(FIELDS)
    assert field_of("shoe size") is None
    assert [sex_of(word) for word in ("М", "ж", "Kadın", "әйел", "W", "x")] == ["m", "f", "f", "f", "f", None]


def test_every_bad_line_is_reported_with_line_column_and_reason() -> None:
    text = (
        "family,given,sex,born,rating\n"
        "Asanov,Bek,m,2001,2100\n"
        ",Nobody,m,2001,\n"
        "Isaeva,Aida,f,31.02.2001,\n"
        "Kim,Viktor,m,2001,high\n"
        "Kim,Viktor,x,20,99999\n"
        "Short,Row\n"
        "\n"
        '"Two\nlines",A,m,,\n'
        "асанов ,БЕК,m,,\n"
        "Asanov,Bek,m,,1900\n"
    )
    found = read(text)
    assert [entry.name for entry in entries(found)] == ["Asanov, Bek", "Two lines, A", "асанов, БЕК"]
    assert [str(fault) for fault in found.faults] == [
        "line 3, column 'family': the family name is missing",
        "line 4, column 'born': there is no day '31.02.2001'",
        "line 5, column 'rating': 'high' is no rating",
        "line 6, column 'sex': 'x' is no sex; write m or f",
        "line 6, column 'rating': 99999 is no rating, which is 9999 at most",
        "line 6, column 'born': '20' is no date; write 2001, 2001-05-31 or 31.05.2001",
        "line 7: 2 cells, the heading has 5",
        "line 12: Asanov, Bek is entered twice: in line 2 too",
    ]


@pytest.mark.parametrize(
    ("one", "other", "twice"),
    [
        ("Семёнов;Пётр;2001;KGZ;", " семенов ;ПЕТР;2001;KGZ;", True),
        ("Asanov;Bek;2001;KGZ;", "Asanov;Bek;2002;KGZ;", False),
        ("Asanov;Bek;2001;KGZ;", "Asanov;Bek;2001;KAZ;", False),
        ("Asanov;Bek;2001;KGZ;", "Asanov;Bek;;;", True),
        ("Asanov;Bek;2001;KGZ;77", "Assanow;Bek;2001;KGZ;77", True),
        ("Asanov;Bek;2001;KGZ;77", "Asanov;Bek;2001;KGZ;78", False),
    ],
)
def test_duplicates(one: str, other: str, twice: bool) -> None:
    """The same name, whatever its case, blanks and ё, unless something tells them apart; the number decides alone."""
    header = "family;given;born;federation;external\n"
    found = read(header + one + "\n" + other + "\n")
    assert len(found.faults) == twice
    state = EVENT
    for _, entry, _ in read(header + one).entries:
        state = apply(state, do.Enter(entry))
    assert len(read(header + other, state).faults) == twice
    for entry in entries(read(header + other)):
        if twice:
            with pytest.raises(CompetitionError, match="is entered already"):
                apply(state, do.Enter(entry))
        else:
            apply(state, do.Enter(entry))


def test_men_cannot_enter_a_womens_event_and_women_can_enter_any() -> None:
    text = "family,sex\nAsanov,m\nIsaeva,f\nKim,\n"
    found = read(text, WOMEN)
    assert [entry.family for entry in entries(found)] == ["Isaeva"]
    assert [(fault.line, "women's event" in fault.reason) for fault in found.faults] == [(2, True), (4, True)]
    assert len(entries(read(text))) == 3


def test_personal_data_is_kept_apart_and_only_where_it_is_asked_for() -> None:
    text = (
        "Фамилия;Имя;Дата рождения;Паспорт;Тренеры;Врач\n"
        "Асанов;Бек;31.05.2001;AN 123456;Исаев Т. О., Ким В. В.;допущен 1.9.2026\n"
        "Исаева;Айгуль;2003;;;\n"
    )
    found = read(text, ASKING)
    (_, entry, personal), (_, other, nothing) = found.entries
    assert entry == Entry(family="Асанов", given="Бек", born=2001)
    assert personal == Personal(
        born="2001-05-31", passport_series="AN", passport_number="123456", coaches=("Исаев Т. О.", "Ким В. В."),
        doctor="допущен 1.9.2026",
    )  # fmt: skip
    assert nothing is None
    assert lacking(ASKING, entry, personal) == ()
    assert lacking(ASKING, other, nothing) == ("passport", "coaches", "doctor")
    plain = read(text)
    assert [data for _, _, data in plain.entries] == [None, None]
    assert plain.ignored == ("Паспорт", "Тренеры", "Врач")


def test_a_mapping_names_what_no_heading_tells() -> None:
    text = "Nachname,Vorname,family\nAsanov,Bek,Naryn\n"
    found = read(text, mapping={"Nachname": "family", "Vorname": "given", "family": "club"})
    assert entries(found) == [Entry(family="Asanov", given="Bek", club="Naryn")]
    with pytest.raises(CompetitionError, match="there is no column 'Name'; there are Nachname, Vorname, family"):
        read(text, mapping={"Name": "family"})
    with pytest.raises(CompetitionError, match="a column cannot be 'size'; it can be family, given"):
        read(text, mapping={"Vorname": "size"})
    with pytest.raises(CompetitionError, match="'Nachname' and 'family' both hold family"):
        read(text, mapping={"Nachname": "family"})


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("family;given\nЖумабаев;Бек\n".encode(), "utf-8"),
        ("\ufefffamily;given\r\nЖумабаев;Бек\r\n".encode(), "utf-8"),
        ("family;given\nЖумабаев;Бек\n".encode("cp1251"), "cp1251"),
        ("\ufefffamily;given\nЖумабаев;Бек\n".encode("utf-16"), "utf-16"),
        ("sep=;\r\nfamily;given\r\nЖумабаев;Бек\r\n".encode(), "utf-8"),
    ],
)
def test_encodings_are_found_and_said(data: bytes, encoding: str) -> None:
    found = read_entries(data, EVENT)
    assert (found.encoding, found.delimiter) == (encoding, ";")
    assert entries(found) == [Entry(family="Жумабаев", given="Бек")]


@pytest.mark.parametrize(
    ("text", "encoding", "read_as"),
    [
        ("Soyad;Ad;Cinsiyet\nÖztürk;İsmail;e\nÇağrı;Şule;k\nÖğüt;“Işık”;e\n", "cp1254", "cp1254"),
        ("family;given\nIşık;Ali\n", "cp1254", "cp1254"),
        ("family;given;sex\nKim;Viktor;м\n", "cp1251", "cp1251"),
        ("family;given\nЦой;Юрий\n«Рюз»;Ю\n", "cp1251", "cp1251"),
        ("family;given\nРюз;Эрзо\n", "cp1251", "cp1251"),
    ],
)
def test_lists_of_turkish_spreadsheets_are_told_from_cyrillic_ones(text: str, encoding: str, read_as: str) -> None:
    found = read_entries(text.encode(encoding), EVENT)
    assert found.encoding == read_as
    assert [entry.family for _, entry, _ in found.entries] == [line.split(";")[0] for line in text.splitlines()[1:]]


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"", {}, "the list is empty"),
        (b"\n\n", {}, "the list is empty"),
        (b"a,b\n1,2\n", {}, "no column holds the family name; there are a, b"),
        (b"\x89PNG\r\n\x1a\n\x00\x98", {}, "not text in cp1251"),
        (b"family\nA\0\n", {}, "zero bytes"),
        (b"family\nA\n", {"encoding": "klingon"}, "no encoding 'klingon'"),
        (b"family\n\xff\n", {"encoding": "utf-8"}, "line 2 is not text in utf-8"),
        (b"family\nA\n", {"delimiter": "::"}, "cannot part the cells"),
        (b"family,surname\nA,B\n", {}, "'family' and 'surname' both hold family"),
    ],
)
def test_what_is_no_list(data: bytes, options: dict[str, str], message: str) -> None:
    with pytest.raises(CompetitionError, match=message):
        read_entries(data, EVENT, **options)  # type: ignore[arg-type]


def test_broken_quotation_marks_cost_their_line() -> None:
    found = read('family,given\n"Asanov"x,Bek\nKim,Viktor\n"Open,end\n')
    assert [entry.family for entry in entries(found)] == ["Kim"]
    assert [(fault.line, "quotation" in fault.reason) for fault in found.faults] == [(2, True), (4, True)]


def test_control_characters_do_not_get_in() -> None:
    found = read("family\n\x1b[2JAsanov\n" + "A" * 400 + "\n'=SUM(A1)\n")
    assert [fault.line for fault in found.faults] == [2, 3]
    assert [entry.family for entry in entries(found)] == ["=SUM(A1)"]


def test_names_and_dates_of_one_entry() -> None:
    assert split_name("Asanov, Bek Toktogulovich") == {
        "family": "Asanov", "given": "Bek", "patronymic": "Toktogulovich",
    }  # fmt: skip
    assert split_name("Ali Can Yılmaz", given_is_first=True)["family"] == "Yılmaz"
    assert read_born("2001") == (2001, "")
    assert read_born("2001-5-31") == (2001, "2001-05-31")
    with pytest.raises(CompetitionError):
        read_born("31.05.01")


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_are_answered(data: bytes, headed: bool) -> None:
    try:
        found = read_entries(b"family,sex,born,rating,groups\n" + data if headed else data, ASKING)
    except CompetitionError:
        return
    assert all(entry.family.strip() for entry in entries(found))
    assert all(fault.line >= 1 and fault.reason for fault in found.faults)


@given(st.text(alphabet='ab,;\n"0123.-é\r', max_size=200))
def test_any_table_is_answered(text: str) -> None:
    state = EVENT
    found = read("family,given,sex,born,rating\n" + text)
    for entry in entries(found):
        state = apply(state, do.Enter(entry))
    assert len(state.players) == len(found.entries)


_PEOPLE = st.builds(
    Entry,
    family=st.sampled_from(("Асанов", "АСАНОВ", "Kim", "Ёлкин", "Елкин")),
    given=st.sampled_from(("", "Бек", "бек")),
    born=st.sampled_from((0, 2001, 2002)),
    external=st.sampled_from(("", "", "7", "8")),
)


@given(st.lists(_PEOPLE, max_size=8), _PEOPLE)
def test_whoever_is_entered_already_is_found_as_by_comparing_with_everybody(held: list[Entry], entry: Entry) -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup")))
    for one in held:
        if not any(same_person(player.entry, one) for player in state.players.values()):
            state = apply(state, do.Enter(one))
    first = next((one for one in state.players.values() if same_person(one.entry, entry)), None)
    if first is None:
        assert apply(state, do.Enter(entry)).players
    else:
        with pytest.raises(CompetitionError, match=f"is entered already, with number {first.number}"):
            check_entry(state, entry)
    check_entry(apply(EventState(), do.Open(Settings(name="Cup"))), entry)  # where nobody is, nobody is found


def test_a_long_list_is_compared_by_its_names_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No entry is held against all before it, and the index is not made anew for each."""
    made: list[int] = []
    make = PeopleIndex.__init__

    def count(self: PeopleIndex, players: Mapping[int, Player]) -> None:
        made.append(len(players))
        make(self, players)

    monkeypatch.setattr(PeopleIndex, "__init__", count)
    monkeypatch.setattr(eligibility, "same_person", lambda *_: pytest.fail("nobody here has the name of another"))
    state = apply(EventState(), do.Open(Settings(name="Cup")))
    for number in range(400):
        state = apply(state, do.Enter(Entry(family=f"F{number}", external=str(number))))
    apply(state, do.Change(Settings(name="New name")))
    assert made in ([0], [])
    assert state.players[400].number == 400
