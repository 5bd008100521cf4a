"""Papers of events as PDF: made, opened again, and read."""

from __future__ import annotations

import io
import re
import time
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pypdf
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.printing import EVENT_PAPERS, PAPERS, event_paper, event_png
from korgool.app.words import event_words as catalogue
from korgool.app.words.event_texts import collation, halves_said
from korgool.app.words.event_words import event_words
from korgool.app.words.tiebreaks import tiebreak_name
from korgool.competition import CompetitionError
from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, Personal, Settings
from korgool.competition.standings import TIEBREAKS, standings
from korgool.languages import LANGUAGES, translations
from korgool.notation import Record, write_record
from korgool.rules import MANGALA, Game
from tests.conftest import SEED
from tests.printing.events import knockout, mangala, swiss, team_event
from tests.printing.reading import counts, pages, sizes, squeezed
from tests.slices import drawn

OF_TEAMS = ("match-protocols",)
MARKUP = '#panic("x") *a* _b_ $c$ [d] <e> @f \\g `h` "i" \'j\' //k /*l*/ --- ~m #let n = 1'


def small() -> EventState:
    return swiss(12, 4, 3)


def event_for(what: str) -> EventState:
    return team_event() if what in OF_TEAMS else knockout(6, 1) if what == "bracket" else small()


# --- every paper in every language


def strange_words(what: str, language: str) -> list[str]:
    """The English labels on a paper in another language."""
    paper = PAPERS[(len(what) + len(language) + list(LANGUAGES).index(language)) % 2]
    pdf = event_paper(event_for(what), what, language=language, paper=paper)
    text = " ".join(pages(pdf))
    assert text
    english, words = event_words("en"), event_words(language)
    strange = {label for name, label in english.items() if len(label) > 6 and label != words[name]}
    return [label for label in strange if re.search(rf"\b{re.escape(label)}\b", text)]


def test_a_paper_has_no_word_of_another_language() -> None:
    """Each paper in one language that the seed chooses: a label that nobody translates is English in all of them."""
    chance = Random(f"papers {SEED}")
    others = [language for language in LANGUAGES if language != "en"]
    for at, what in enumerate(chance.sample(list(EVENT_PAPERS), len(EVENT_PAPERS))):
        language = others[at % len(others)]
        assert strange_words(what, language) == [], (what, language)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_no_paper_has_a_word_of_another_language(language: str) -> None:
    assert {what: found for what in EVENT_PAPERS if (found := strange_words(what, language))} == {}


TITLES = ("start-list", "start_list"), ("wall-chart", "wall_chart"), ("protocol", "protocol")


@pytest.mark.parametrize("turn", [0, *(pytest.param(turn, marks=pytest.mark.long) for turn in (1, 2))])
@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_stand_on_the_papers(language: str, turn: int) -> None:
    words = event_words(language)
    what, title = TITLES[(SEED + turn + list(LANGUAGES).index(language)) % len(TITLES)]
    assert words[f"title {title}"] in pages(event_paper(small(), what, language=language))[0]
    assert words["doctor_signature"] in " ".join(pages(event_paper(small(), "application", language=language)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_tiebreak_has_a_name(language: str) -> None:
    gettext = translations(language).gettext
    for code, one in TIEBREAKS.items():
        name = tiebreak_name(code, language, teams=one.whom == "teams")
        base = TIEBREAKS[code.partition("-")[0]].name
        assert name.startswith(gettext(base))
        assert base in catalogue_messages(), "the name of a tie-break is missing in words/tiebreaks"


def catalogue_messages() -> set[str]:
    from korgool.app.words import tiebreaks

    return {name for name, _ in tiebreaks._NAMES.values()}


def test_every_letter_and_sign_has_a_glyph_in_the_carried_fonts() -> None:
    """PDF/A forbids missing glyphs, so typst refuses to write it where no font has a letter."""
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)
    tables = (catalogue._LABELS, catalogue._TITLES, catalogue.SYSTEM_TITLES, catalogue.OFFICES, catalogue.CAUSES)
    assert sum(map(len, tables)) > 80
    words = " ".join(" ".join(event_words(language).values()) for language in LANGUAGES)
    for text, fine in ((words + "○●½−–×№·+()", True), ("漢", False)):
        source = (
            '#set document(title: "x", date: auto)\n#set text(font: ("Libertinus Serif", "DejaVu Sans Mono"), '
            "fallback: false)\n#sys.inputs.words"
        )
        try:
            typst.compile(
                source.encode(), font_paths=fonts, pdf_standards="a-2b", timestamp=0, sys_inputs={"words": text}
            )
        except typst.TypstError:
            assert not fine
        else:
            assert fine


def test_the_same_event_gives_the_same_bytes() -> None:
    assert event_paper(small(), "standings", language="ky") == event_paper(small(), "standings", language="ky")


# --- lists


@pytest.mark.parametrize("paper", ["a5"])
def test_the_start_list_has_everybody_once_and_in_order(paper: str) -> None:
    state = swiss(300, 9, 9)
    pdf = event_paper(state, "start-list", language="kk", paper=paper)
    names = {one.number: one.entry.name for one in state.players.values()}
    assert set(counts(pdf, names.values()).values()) == {1}
    text, place = squeezed(pdf), 0
    for number in sorted(names):
        place = text.index(f"{number}{squeezed(names[number])}", place) + 1


@pytest.mark.parametrize("paper", PAPERS)
def test_long_lists_repeat_their_heading_and_count_their_pages(paper: str) -> None:
    state = swiss(300, 9, 9)
    for what in ("standings", "pairings") if paper == "a4" else ("start-list",):
        found = pages(event_paper(state, what, paper=paper, round=9))
        assert len(found) > 2
        for number, page in enumerate(found, 1):
            assert f"Page {number} of {len(found)}" in page
            assert ("White" if what == "pairings" else "Fed.") in page
            assert state.event.name in page


def test_pairings_have_every_board_with_both_players() -> None:
    state = swiss(64, 7, 5, pending=12)
    text = squeezed(event_paper(state, "pairings"))
    place = 0
    for game in state.round(5).games:
        white, black = (squeezed(state.players[id_].entry.name) for id_ in (game.white, game.black))
        place = text.index(white, place)
        assert text.index(black, place) > place
        assert game.result is None or squeezed(halves_said(game.result.text).replace("-", "–")) in text.replace(
            "−", "–"
        )
    assert "Pairings, Round 5" in pages(event_paper(state, "pairings"))[0]
    assert "Results, Round 4" in pages(event_paper(state, "pairings", round=4))[0]


def test_pairings_by_name_are_in_the_order_of_the_alphabet() -> None:
    state = swiss(64, 7, 5, pending=12)
    pdf = event_paper(state, "pairings-by-name", language="kk")
    text, place, before = squeezed(pdf), 0, tuple[int, ...]()
    here = [one for one in state.players.values() if one.until is None or one.until >= 5]
    for player in sorted(here, key=lambda one: collation(one.entry.name, "kk")):
        key = collation(player.entry.name, "kk")
        assert key >= before
        place, before = text.index(squeezed(player.entry.name) + str(player.number), place), key
    left = [one for one in state.players.values() if one.until is not None and one.until < 5]
    assert left
    assert not any(squeezed(one.entry.name) + str(one.number) in text for one in left)


def test_the_alphabets() -> None:
    for language, letters in (
        ("kk", "аәбвгғдеёжзийкқлмнңоөпрстуұүфхһцчшщъыіьэюя"),
        ("ky", "абвгдеёжзийклмнңоөпрстуүфхцчшщъыьэюя"),
        ("tr", "abcçdefgğhıijklmnoöprsştuüvyz"),
        ("en", "abcdefghijklmnopqrstuvwxyz"),
    ):
        assert sorted(letters, key=lambda one: collation(one, language)) == list(letters)
        upper = letters.replace("ı", "I").replace("i", "İ").upper() if language == "tr" else letters.upper()
        assert sorted(upper, key=lambda one: collation(one, language)) == list(upper)
    assert collation("Éa", "en")[0] == collation("E", "en")[0]


# --- slips, cards, forms


SLIPS = list(product(PAPERS, (None, "https://turnir.example/cup?id=7")))


@pytest.mark.parametrize("slip", drawn("scanned slips", SLIPS, 2))
def test_scanners_read_round_and_board_from_every_slip(slip: tuple[str, str | None]) -> None:
    paper, base_url = slip
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pillow is installed")
    state = swiss(24, 3, 2)
    found = []
    for page in event_png(state, "result-slips", paper=paper, base_url=base_url, resolution=150):
        found += [code.text for code in zxingcpp.read_barcodes(image.open(io.BytesIO(page)))]
    start = f"{base_url}&" if base_url else ""
    assert sorted(found) == sorted(f"{start}round=2&board={game.board}" for game in state.round(2).games)


LISTS = "pairings", "standings", "cross-table", "wall-chart", "pairings-by-name"


@pytest.mark.parametrize("what", LISTS)
@pytest.mark.parametrize("paper", drawn("scanned lists", PAPERS))
def test_scanners_read_the_round_from_lists(what: str, paper: str) -> None:
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pillow is installed")
    page = event_png(small(), what, paper=paper, base_url="https://turnir.example/cup", round=2, resolution=110)[0]
    (code,) = zxingcpp.read_barcodes(image.open(io.BytesIO(page)))
    assert code.text == "https://turnir.example/cup?round=2"


@pytest.mark.parametrize(("paper", "pages_"), [("a4", 4), ("a5", 11)])
def test_slips_are_several_a_sheet(paper: str, pages_: int) -> None:
    state = swiss(64, 7, 5, pending=12)
    pdf = event_paper(state, "result-slips", paper=paper, round=5)
    assert len(pages(pdf)) == pages_
    players = [state.players[id_].entry.name for game in state.round(5).games for id_ in (game.white, game.black)]
    assert set(counts(pdf, players).values()) == {1}


@pytest.mark.parametrize("sets", [5, 15])
def test_slips_of_a_match_have_a_column_for_every_set(sets: int) -> None:
    state = mangala(6, sets)
    text = pages(event_paper(state, "result-slips", round=1))[0]
    assert f"Set {' '.join(map(str, range(1, sets + 1)))} Total" in text
    result = state.round(1).games[0].result
    assert result is not None
    assert result.stores is not None
    assert str(result.stores[0]) in text


def test_place_cards_are_read_from_both_sides() -> None:
    state = small()
    pdf = event_paper(state, "place-cards", paper="a5")
    here = [one for one in state.players.values() if one.until is None]
    assert len(pages(pdf)) == -(-len(here) // 2)
    # PDFium puts the words in the order of a reader who does not turn the card.
    text = squeezed(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages))
    for one in here:
        assert text.count(f"№{one.number}{squeezed(one.entry.family)}") == 2


def test_record_forms_are_headed_by_round_and_board() -> None:
    state = small()
    found = pages(event_paper(state, "record-forms", round=2, date="2026-09-09", language="ru"))
    games = state.round(2).games
    assert len(found) == len(games)
    for page, game in zip(found, games, strict=True):
        for id_ in (game.white, game.black):
            assert state.players[id_].entry.name in page
        assert "9 сентября 2026" in page
        assert state.event.name in page


def test_forms_and_slips_are_printed_by_boards() -> None:
    state = swiss(24, 3, 2)
    found = pages(event_paper(state, "record-forms", boards=(4, 6)))
    assert len(found) == 3
    names = [state.players[state.round(2).game(board).white].entry.name for board in (4, 5, 6)]
    assert all(name in page for name, page in zip(names, found, strict=True))
    slips = " ".join(pages(event_paper(state, "result-slips", boards=(4, 6))))
    assert re.findall(r"Board (\d+)", slips) == ["4", "5", "6"]


def test_a_document_holds_two_hundred_record_forms() -> None:
    state = swiss(300, 9, 9)
    sets = replace(state, settings=replace(state.event, sets=2))
    with pytest.raises(CompetitionError, match=r"needs 298 record forms, a document holds 200.* boards 1 to 100"):
        event_paper(sets, "record-forms")
    assert len(pages(event_paper(sets, "record-forms", boards=(148, 149)))) == 4


def test_record_forms_of_a_match_change_sides_with_every_set() -> None:
    state = mangala(6, 3)
    found = pages(event_paper(state, "record-forms", round=1))
    games = state.round(1).games
    assert len(found) == 3 * len(games)
    white, black = (state.players[id_].entry.name for id_ in (games[0].white, games[0].black))
    for number, page in enumerate(found[:3], 1):
        first, second = (white, black) if number % 2 else (black, white)
        assert page.index(first) < page.index(second)


def test_a_form_with_a_record_is_filled_in() -> None:
    state = small()
    first, _, second, _, third, *_ = pages(event_paper(state, "record-forms", round=1))  # long games have two sheets
    for page, board in ((first, 1), (second, 2)):
        result = state.round(1).game(board).result
        assert result is not None
        assert halves_said(result.text) in page
    assert state.round(1).game(3).result
    assert "Result, such as" in third


# --- special board


def test_special_games_have_diagrams_and_moves() -> None:
    state = small()
    found = pages(event_paper(state, "special-games", language="ru"))
    text = " ".join(found)
    for board in (1, 2):
        game = state.round(1).game(board)
        assert game.result is not None
        assert halves_said(game.result.text).replace(" - ", " – ") in text
        assert f"1-й тур · Доска {board}" in text
    assert 6 <= len(re.findall(r"после \d+-го хода", text)) <= 12
    assert re.search(r"1\. \d\d", text)
    with pytest.raises(CompetitionError, match="no game of round 2 is chosen"):
        event_paper(state, "special-games", round=2)


def test_a_special_game_without_a_record_shows_the_start() -> None:
    state = small()
    state = apply(state, do.Choose(2, 3))
    assert pages(event_paper(state, "special-games", round=2))[0].count("Round 2 · Board 3") == 1


def test_each_set_of_a_special_match_is_named() -> None:
    state = mangala()
    game = next(one for one in state.round(1).games if one.white and one.black)
    texts = tuple(write_record(Record.of(Game(MANGALA, moves))) for moves in ((4, 1), (3, 4), (4, 2)))
    state = apply(apply(state, do.Attach(1, game.board, texts)), do.Choose(1, game.board))
    found = pages(event_paper(state, "special-games", round=1))
    assert [f"Round 1 · Board {game.board} · Set {at}" in page for at, page in enumerate(found, 1)] == [True] * 3


def test_a_record_that_cannot_be_read_is_named() -> None:
    state = small()
    one = state.round(1)
    games = (replace(one.games[0], records=("1. 99 99",)), *one.games[1:])
    broken = replace(state, rounds=(replace(one, games=games), *state.rounds[1:]))
    for what in ("special-games", "record-forms"):
        with pytest.raises(CompetitionError, match="round 1, board 1"):
            event_paper(broken, what, round=1)


# --- personal data


def with_personal() -> tuple[EventState, dict[int, Personal]]:
    state = small()
    players = dict(state.players)
    for id_, one in players.items():
        players[id_] = replace(one, entry=replace(one.entry, born=1937, sex="m"))
    personal = {
        id_: Personal(
            born=f"1937-01-{id_:02}",
            passport_series="AN",
            passport_number=f"77{id_:05}",
            coaches=(f"Coach{id_} Äli", "Other, Coach"),
            doctor=f"Dr. Nº{id_}",
        )
        for id_ in players
    }
    return replace(state, players=players), personal


def test_no_paper_prints_personal_data_by_itself() -> None:
    state, personal = with_personal()
    for what in EVENT_PAPERS:
        text = squeezed(event_paper(event_for(what) if what in (*OF_TEAMS, "bracket") else state, what))
        assert "1937" not in text, what
    with pytest.raises(ValueError, match="personal data is for the application alone"):
        event_paper(state, "start-list", personal=personal)


def test_the_application_has_what_the_rules_ask_for() -> None:
    state, personal = with_personal()
    pdf = event_paper(state, "application", personal=personal, language="ru")
    text = squeezed(pdf)
    for id_, data in personal.items():
        for value in (data.born, data.passport_number, *data.coaches, data.doctor):
            assert squeezed(value) in text
        assert squeezed(state.players[id_].entry.family) in text
    assert len(pages(pdf)) == len({one.entry.team for one in state.players.values()})
    assert "Врач, подпись и печать" in pages(pdf)[0]
    assert "не вывешивать" in pages(pdf)[0]


def test_the_application_asks_for_no_more_than_the_organiser() -> None:
    state, personal = with_personal()
    asked = replace(state, settings=replace(state.event, personal=("doctor",)))
    text = squeezed(event_paper(asked, "application", personal=personal))
    assert "1937" not in text
    assert "AN77" not in text
    assert squeezed("Dr. Nº3") in text
    some = {3: personal[3]}
    only = squeezed(event_paper(state, "application", personal=some))
    assert only.count("1937") == 1
    with pytest.raises(CompetitionError, match="not entered"):
        event_paper(state, "application", personal={99: personal[3]})


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_blank_application_is_one_page_with_lines_to_sign(paper: str, language: str) -> None:
    empty = apply(EventState(), do.Open(Settings(name="Кубок")))
    pdf = event_paper(empty, "application", paper=paper, language=language)
    (text,) = pages(pdf)
    words = event_words(language)
    for label in ("family", "given", "grade", "passport", "coaches", "doctor", "doctor_signature", "head_signature"):
        assert squeezed(words[label]) in squeezed(text).replace("-", "-"), label
    width, height = sizes(pdf)[0]
    assert width > height


# --- bad input, strange texts


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"what": "poster"}, "there is no paper 'poster'"),
        ({"what": "standings", "language": "de"}, "there is no language 'de'"),
        ({"what": "standings", "paper": "a2"}, "there is no size 'a2'"),
        ({"what": "standings", "round": 9}, "round 9 is not paired"),
        ({"what": "pairings", "round": 0}, "round 0 is not paired"),
        ({"what": "pairings", "base_url": "turnir.kg"}, "is not an address"),
        ({"what": "start-list", "base_url": "javascript:alert(1)"}, "is not an address"),
        ({"what": "match-protocols"}, "belong to team events"),
        ({"what": "pairings", "group": "U16"}, "has no groups"),
        ({"what": "standings", "boards": (1, 2)}, "are not printed by boards"),
        ({"what": "record-forms", "boards": (7, 9)}, "round 3 has no boards 7 to 9"),
        ({"what": "standings", "group": "U77x"}, "nobody belongs to the group"),
    ],
)
def test_what_cannot_be_printed_is_refused(words: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        event_paper(small(), **words)


@pytest.mark.parametrize("what", EVENT_PAPERS)
def test_an_event_at_its_beginning(what: str) -> None:
    """Nothing is entered, then nothing is paired: a paper or a plain refusal, never anything else."""
    empty = apply(EventState(), do.Open(Settings(name="Cup")))
    entered = apply(apply(empty, do.Enter(Entry(family="A"))), do.Enter(Entry(family="B")))
    for state in (EventState(), empty, entered):
        try:
            assert pages(event_paper(state, what))
        except CompetitionError as error:
            assert str(error)


@pytest.mark.parametrize("what", sorted(set(EVENT_PAPERS) - {"record-forms", *OF_TEAMS}))
def test_texts_are_printed_as_they_are(what: str) -> None:
    """Nothing that a user writes is read as typst code."""
    state = event_for(what)
    players = {
        id_: replace(one, entry=replace(one.entry, family=MARKUP, given="", patronymic="", team="T" + MARKUP))
        for id_, one in state.players.items()
    }
    strange = replace(state, players=players, settings=replace(state.event, name="E" + MARKUP))
    personal = {1: Personal(coaches=(MARKUP,))} if what == "application" else None
    assert squeezed(MARKUP) in squeezed(event_paper(strange, what, personal=personal)).replace("“", '"')


@settings(max_examples=12, deadline=None)
@given(st.text(st.characters(max_codepoint=0x52F, exclude_categories=["Cs"]), min_size=1, max_size=260))
def test_any_name_can_be_printed(name: str) -> None:
    try:
        entry = Entry(family=name, given=name, team=name, title=name, club=name)
    except CompetitionError:
        return
    state = small()
    players = {**state.players, 1: replace(state.players[1], entry=entry)}
    for what in ("start-list", "place-cards"):
        assert event_paper(replace(state, players=players), what, paper="a5")


# --- how long it takes


def test_standings_of_three_hundred_take_a_few_seconds_of_the_processor() -> None:
    state = swiss(300, 9, 9)
    used = time.process_time()
    pdf = event_paper(state, "standings", language="ky")
    assert time.process_time() - used < 15  # about one on an idle machine
    assert set(counts(pdf, (one.entry.name for one in state.players.values())).values()) == {1}
    assert len(standings(state)) == 300
