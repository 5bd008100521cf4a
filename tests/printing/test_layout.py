"""The data of a form: rows that hold the game, texts that are safe to print, and the QR code."""

from __future__ import annotations

import io
import random
from urllib.parse import parse_qs, urlsplit

import pypdf
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from korgool.app.printing import PAPERS, TAGS, FormPlayer, RecordForm, form_pdf
from korgool.app.printing.form_pages import form_data
from korgool.app.printing.form_words import form_words
from korgool.app.printing.qr import MOST_VERSION, qr_svg, qr_text
from korgool.app.printing.typesetting import LONGEST, printable
from korgool.conduct.scoresheet import format_turn, turns
from korgool.languages import LANGUAGES
from korgool.notation import Record, parse_records
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Game, Rules, Side, Termination

RULES = st.sampled_from(list(GAMES.values()))


def random_game(rules: Rules, seed: int, plies: int = 400) -> Game:
    chance, game = random.Random(seed), Game(rules)
    while game.outcome() is None and len(game.moves) < plies:
        game.play(chance.choice(game.position.legal_moves()))
    return game


def cells(form: RecordForm, paper: str = "a4") -> list[dict[str, str]]:
    pages = form_data(form, "en", paper)["pages"]
    return [row for page in pages for block in page["blocks"] for row in block]


# --- the rows


@settings(max_examples=50)
@given(RULES, st.integers(0, 10**6), st.sampled_from(PAPERS), st.integers(1, 300))
def test_the_rows_are_the_game(rules: Rules, seed: int, paper: str, plies: int) -> None:
    """Reading the cells in order gives back every turn, and every store once it has changed."""
    game = random_game(rules, seed, plies)
    rows = cells(RecordForm.of_record(Record.of(game)), paper)
    written = [row[side] for row in rows for side in ("white", "black") if row[side]]
    expected = [",".join(text.split("(")[0] for text in format_turn(turn).split(",")) for turn in turns(game)]
    assert written == expected
    shown = [0, 0]
    for row in rows:
        for side in Side:
            total = row[f"{side.name.lower()}_kazan"]
            if total:
                assert int(total) > shown[side]
                shown[side] = int(total)
    # A last store of White may find no row on a full sheet.
    assert tuple(shown) == game.position.stores or (shown[1] == game.position.stores[1] and rows[-1]["black"])


def test_stones_that_the_opponent_sowed_into_a_tuz_show_with_the_next_move() -> None:
    game = Game(TOGUZ_KORGOOL)
    for move in (7, 5, 3, 7):
        game.play(move)
    rows = cells(RecordForm.of_record(Record.of(game)))
    assert [(row["white"], row["white_kazan"], row["black"], row["black_kazan"]) for row in rows[:3]] == [
        ("76", "10", "55", "10"),
        ("33", "", "77X", "13"),
        ("", "", "", ""),
    ]


def test_offers_are_marked_and_counted() -> None:
    game = random_game(TOGUZ_KORGOOL, 5, 30)
    form = RecordForm.of_record(Record.of(game, offers=[2, 3, 4, 6, 8]))
    rows = cells(form)
    assert rows[0]["black"].endswith("=")
    assert rows[1]["white"].endswith("=")
    assert form_data(form, "en", "a4")["pages"][0]["offers"] == [1, 3]  # four by Black; there are three boxes


def test_a_set_up_game_names_its_start_and_begins_with_black() -> None:
    game = random_game(TOGUZ_KORGOOL, 2, 30)
    later = Game(game.positions[5], game.moves[5:])
    data = form_data(RecordForm.of_record(Record.of(later)), "en", "a4")
    assert data["pages"][0]["start"] == str(game.positions[5])
    assert data["pages"][0]["qr"] is None
    assert data["pages"][0]["blocks"][0][0]["white"] == "…"


@pytest.mark.parametrize(("winner", "points"), [(Side.WHITE, ["1", "0"]), (Side.BLACK, ["0", "1"]), (None, ["½", "½"])])
def test_a_declared_ending(winner: Side | None, points: list[str]) -> None:
    game = random_game(TOGUZ_KORGOOL, 2, 30)
    game.conclude(winner, Termination.AGREEMENT if winner is None else Termination.RESIGNATION)
    page = form_data(RecordForm.of_record(Record.of(game)), "ru", "a4")["pages"][0]
    assert page["points"] == points
    assert page["stones"] == [str(stones) for stones in game.position.stores]
    assert " · " in page["result_label"]  # the reason


def test_a_record_without_moves_is_a_form_with_a_head() -> None:
    form = RecordForm.of_record(Record(TOGUZ_KORGOOL.start(), tags={"White": "A"}))
    rows = cells(form)
    assert len(rows) == 72
    assert not any(row["white"] or row["black"] for row in rows)


def test_an_unfinished_game_has_no_result() -> None:
    page = form_data(RecordForm.of_record(Record.of(random_game(TOGUZ_KORGOOL, 2, 9))), "en", "a4")["pages"][0]
    assert (page["result"], page["points"], page["stones"]) == ("", ["", ""], ["", ""])
    assert page["result_label"] == "Result, such as 1 (82) - 0 (60)"


# --- the head


def test_every_tag_has_its_place() -> None:
    values = {name: f"<{name}>" for name in TAGS if name not in ("WhiteFederation", "BlackFederation")}
    pages = form_data(RecordForm.of_tags(MANGALA, values), "en", "a4")["pages"]
    said = repr(pages[0])
    assert [name for name, value in values.items() if value not in said] == []
    assert RecordForm.of_tags(MANGALA, {"WhiteFederation": "KGZ"}).white.team == "KGZ"


def test_tags_of_the_record_come_before_those_given_for_all() -> None:
    record = Record.of(random_game(TOGUZ_KORGOOL, 1, 5), Round="7", Site="?")
    form = RecordForm.of_record(record, {"Round": "1", "Site": "Bishkek"})
    assert (form.round, form.site) == ("7", "Bishkek")


@pytest.mark.parametrize(
    ("date", "printed"),
    [("2026.09.08", "2026-09-08"), ("2011", "2011"), ("2011.??.??", "2011"), ("????.??.??", ""), ("8 IX", "8 IX")],
)
def test_dates(date: str, printed: str) -> None:
    assert RecordForm.of_tags(TOGUZ_KORGOOL, {"Date": date}).date == printed


def test_mangala_asks_for_the_number_of_the_set() -> None:
    assert RecordForm.of_tags(MANGALA, {}).set == ""
    assert RecordForm.of_tags(TOGUZ_KORGOOL, {}).set is None
    assert RecordForm.of_tags(TOGUZ_KORGOOL, {"Set": "2"}).set == "2"


# --- texts of users


@given(st.text() | st.text(min_size=150, max_size=400))
@example("\u202eevil\u2066")
@example("a\nb\tc\x00d\ud800")
def test_printable_texts_are_one_line_without_hidden_letters(text: str) -> None:
    shown = printable(text)
    assert shown.replace("\u200b", "").isprintable() or "\u200c" in shown or "\u200d" in shown
    assert len(shown.replace("\u200b", "")) <= LONGEST
    assert "\n" not in shown
    assert not {"\u202e", "\u2066", "\x00"} & set(shown)
    shown.encode()


def test_ordinary_texts_stay_as_they_are() -> None:
    for text in ("Үсөнбаев, Нурлан", "O'Neill-Ñandú", "שלום", "山田 太郎", '#"$[]\\*_<>@`~'):
        assert printable(text) == text
    assert printable(" a \n  b ") == "a b"


NASTY = ['#panic("x")', '#"$[]\\', "$x$ *b* _i_ `c` // /* */ = @a <b>", '"; #import "x" ', "\\u{41} %s {} [TextPage]"]


@pytest.mark.parametrize("text", NASTY)
def test_no_text_is_read_as_markup(text: str) -> None:
    form = RecordForm(TOGUZ_KORGOOL, FormPlayer(text), event=text, arbiter=text)
    page = pypdf.PdfReader(io.BytesIO(form_pdf(form))).pages[0].extract_text()
    plain = "".join(text.split())
    assert "".join(page.split()).count(plain) == 4  # event, name, name at the signature, arbiter


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.text(max_size=250), min_size=6, max_size=6), st.sampled_from(list(LANGUAGES)), st.sampled_from(PAPERS)
)
@example(["W" * 200, "ا" * 200, "👩‍👩‍👧" * 60, "\u202e" * 9, "ﷺ" * 40, "é̂̃" * 90], "kk", "a5")
def test_any_texts_can_be_printed_and_change_no_page(texts: list[str], language: str, paper: str) -> None:
    first, second, third, fourth, fifth, sixth = texts
    form = RecordForm(
        MANGALA,
        FormPlayer(first, second, third, fourth),
        FormPlayer(fifth, sixth),
        event=first,
        set=second,
        round=third,
        started=fourth,
        arbiter=fifth,
        control=sixth,
        time_used=(first, second),
        record=Record.of(random_game(MANGALA, 3)),
    )
    assert len(pypdf.PdfReader(io.BytesIO(form_pdf(form, language=language, paper=paper))).pages) == 1


# --- the QR code


@given(RULES, st.integers(0, 10**6), st.integers(1, 200), st.booleans())
def test_the_qr_text_is_a_record(rules: Rules, seed: int, plies: int, resigned: bool) -> None:
    game = random_game(rules, seed, plies)
    if resigned and game.outcome() is None:
        game.conclude(Side.BLACK, Termination.RESIGNATION)
    record = Record.of(game)
    text = qr_text(record)
    assert text is not None
    (read,) = parse_records(text, rules)
    assert (read.moves, read.result, read.error) == (record.moves, record.result, None)


def test_the_qr_address() -> None:
    record = Record.of(random_game(MANGALA, 1))
    for base in ("https://example.org/replay", "https://example.org/x?lang=ky"):
        text = qr_text(record, base)
        assert text is not None
        assert text.startswith(base)
        values = parse_qs(urlsplit(text).query)
        assert values["moves"] == ["".join(map(str, record.moves))]
        assert (values["game"], values["result"]) == (["mangala"], [record.result])


@pytest.mark.parametrize(
    "base", ["", "example.org", "javascript:alert(1)", "https://", "https://a b", "https://\udcff", "https://é"]
)
def test_what_is_no_address(base: str) -> None:
    with pytest.raises(ValueError, match="is not an address such as"):
        qr_text(Record.of(random_game(MANGALA, 1)), base)


def test_a_code_that_would_be_too_fine_is_left_out() -> None:
    import segno

    fits = max(size for size in range(700, 900, 20) if qr_svg("7" * size + " 1-0") is not None)
    assert 700 < fits < 880  # more than twice the longest real game
    code = segno.make("7" * fits + " 1-0", error="m", micro=False, boost_error=False)
    assert code.version == MOST_VERSION
    assert qr_svg("x" * 5000) is None


def test_a_blank_form_has_no_code() -> None:
    assert form_data(RecordForm(TOGUZ_KORGOOL), "en", "a4")["pages"][0]["qr"] is None
    assert qr_text(Record(TOGUZ_KORGOOL.start())) is None


# --- the words


@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_words_differ_by_language_and_none_is_empty(rules: Rules) -> None:
    tables = {language: form_words(rules, language) for language in LANGUAGES}
    assert all(all(table.values()) for table in tables.values())
    for language in set(LANGUAGES) - {"en"}:
        same = {name for name, word in tables[language].items() if word == tables["en"][name]}
        assert same <= {"set"} if language == "tr" else not same, (language, same)


# --- bad input


def test_what_cannot_be_printed() -> None:
    form = RecordForm(TOGUZ_KORGOOL)
    with pytest.raises(ValueError, match="no language 'de'"):
        form_pdf(form, language="de")
    with pytest.raises(ValueError, match="no paper 'letter'"):
        form_pdf(form, paper="letter")
    with pytest.raises(ValueError, match="no form"):
        form_pdf([])
    with pytest.raises(ValueError, match="different games"):
        form_pdf([form, RecordForm(MANGALA)])
    (bad,) = parse_records("1. 76(11) *\n")
    with pytest.raises(ValueError, match="a record with an error"):
        RecordForm.of_record(bad)
