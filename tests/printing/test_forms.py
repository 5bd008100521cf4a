"""Record forms as PDF: made, opened again, and read."""

from __future__ import annotations

import io
import json
import random
import struct
from itertools import cycle
from pathlib import Path
from typing import Any

import pypdf
import pytest
import typst

from korgool.app.printing import PAPERS, RecordForm, form_pdf, form_png
from korgool.app.printing.form_pages import form_data
from korgool.app.printing.form_words import form_words
from korgool.app.printing.typesetting import _carried
from korgool.app.words.event_texts import halves_said
from korgool.app.words.games import GAME_WORDS
from korgool.conduct.scoresheet import turns
from korgool.languages import LANGUAGES
from korgool.notation import Record, parse_records
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, VARIANTS, Game, Rules
from tests.conftest import SEED
from tests.printing.reading import pages

HEAD: dict[str, Any] = {
    "Event": "V Дүйнөлүк көчмөндөр оюндары",
    "Site": "Чолпон-Ата",
    "Date": "2026.09.08",
    "Round": "5",
    "Board": "12",
    "White": "Үсөнбаев, Нурлан",
    "Black": "Қасымханұлы, Ғабит",
    "WhiteTitle": "СЧ",
    "BlackElo": "2310",
    "BlackTeam": "Қазақстан",
    "TimeControl": "60 мин",
    "Clock": "17",
    "Arbiter": "Öztürk, İsmail Çağrı",
    "WhiteTime": "0:51:12",
}
LETTERS = "ңөүғқұһіә ҢӨҮҒҚҰҺІӘ şğıİçöü ŞĞÇÖÜ ёъэ №"
"""Every letter by which one of the five languages differs from plain Latin and Russian Cyrillic."""


def random_game(rules: Rules, seed: int, plies: int = 400) -> Game:
    chance, game = random.Random(seed), Game(rules)
    while game.outcome() is None and len(game.moves) < plies:
        game.play(chance.choice(game.position.legal_moves()))
    return game


def game_of(plies: int) -> Game:
    """A toguz game of exactly so many plies."""
    for seed in range(200):
        game = random_game(TOGUZ_KORGOOL, seed, plies)
        if len(game.moves) == plies:
            return game
    raise AssertionError(f"no game of {plies} plies found")


def reader(pdf: bytes) -> pypdf.PdfReader:
    return pypdf.PdfReader(io.BytesIO(pdf))


def texts(pdf: bytes) -> list[str]:
    """The words of each page, in one line, as a reader copies them."""
    return pages(pdf)


# --- what stands on the paper


def missing_labels(rules: Rules, paper: str, language: str) -> list[str]:
    words = form_words(rules, language)
    first = texts(form_pdf(RecordForm.of_tags(rules, {}), language=language, paper=paper))[0]
    used = set(words) - {"start", "qr", "arbiter", "result_like"} - (set() if VARIANTS[rules.name].in_sets else {"set"})
    return [name for name in sorted(used) if words[name] not in first]


def test_a_blank_form_has_every_label_in_its_language() -> None:
    """Each game on each paper, in languages that the seed deals out, and each language at least once."""
    kinds = [(rules, paper) for rules in GAMES.values() for paper in PAPERS]
    dealt = random.Random(f"blank forms {SEED}").sample(list(LANGUAGES), len(LANGUAGES))
    for (rules, paper), language in zip(kinds, cycle(dealt), strict=False):
        assert missing_labels(rules, paper, language) == [], (rules.name, paper, language)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_every_blank_form_has_every_label_in_its_language(rules: Rules, paper: str, language: str) -> None:
    assert missing_labels(rules, paper, language) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_filled_form_says_the_whole_game(language: str) -> None:
    game = random_game(TOGUZ_KORGOOL, 4)
    outcome = game.outcome()
    assert outcome is not None
    record = Record.of(game, offers=[2], **HEAD)
    (text, *_) = texts(form_pdf(RecordForm.of_record(record), language=language))
    for value in {**HEAD, "Date": "2026-09-08"}.values():
        assert value in text
    assert halves_said(outcome.result_text) in text
    for turn in turns(game)[:20]:
        assert f"{turn[0].hole}{turn[0].last.hole}" in text


def test_every_letter_of_the_five_languages_has_a_glyph_in_the_carried_fonts() -> None:
    """PDF/A forbids missing glyphs, so typst refuses to write it where a font lacks a letter."""
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)

    def compiles(text: str) -> bool:
        source = f'#set document(title: "x", date: auto)\n#set text(font: "Libertinus Serif", fallback: false)\n{text}'
        try:
            typst.compile(source.encode(), font_paths=fonts, pdf_standards="a-2b", timestamp=0)
        except typst.TypstError:
            return False
        return True

    assert compiles(LETTERS)
    assert compiles(
        " ".join(
            value
            for language in LANGUAGES
            for value in form_words(TOGUZ_KORGOOL, language).values()
            if "=" not in value and "№" not in value
        )
    )
    assert not compiles("漢")
    assert all(map(_carried, LETTERS))


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_font_of_the_system_is_used_for_the_five_languages(language: str) -> None:
    pdf = form_pdf(RecordForm.of_tags(TOGUZ_KORGOOL, {**HEAD, "Event": LETTERS}), language=language)
    assert LETTERS in texts(pdf)[0]
    names = set()
    for page in reader(pdf).pages:
        resources: Any = page["/Resources"]
        for font in resources["/Font"].values():
            names.add(str(font.get_object()["/BaseFont"]).partition("+")[2])
    assert names
    assert all(name.startswith(("LibertinusSerif", "DejaVuSansMono")) for name in names)


def test_the_same_form_gives_the_same_bytes() -> None:
    form = RecordForm.of_record(Record.of(random_game(TOGUZ_KORGOOL, 1), **HEAD))
    assert form_pdf(form, language="ky") == form_pdf(form, language="ky")


def test_the_document_is_tagged_and_names_its_language() -> None:
    """What a screen reader needs."""
    catalogue: Any = reader(form_pdf(RecordForm.of_tags(MANGALA, {}), language="tr")).trailer["/Root"]
    assert catalogue["/Lang"] == "tr"
    assert catalogue["/MarkInfo"]["/Marked"]


# --- pages


@pytest.mark.parametrize(
    ("plies", "paper", "pages"),
    [
        (0, "a4", 1),
        (0, "a5", 2),
        (1, "a4", 1),
        (1, "a5", 1),
        (100, "a5", 1),
        (101, "a5", 2),
        (144, "a4", 1),
        (145, "a4", 2),
    ],
)
def test_pages(plies: int, paper: str, pages: int) -> None:
    form = RecordForm(TOGUZ_KORGOOL) if plies == 0 else RecordForm.of_record(Record.of(game_of(plies)))
    document = reader(form_pdf(form, paper=paper))
    assert len(document.pages) == pages
    box = document.pages[0].mediabox
    assert (round(box.width), round(box.height)) == {"a4": (595, 842), "a5": (420, 595)}[paper]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("rules", GAMES.values(), ids=GAMES)
def test_a_blank_form_has_room_for_most_games(rules: Rules, paper: str) -> None:
    data = form_data(RecordForm.of_tags(rules, {}), "en", paper)
    numbers = [row["number"] for page in data["pages"] for block in page["blocks"] for row in block]
    assert numbers == list(range(1, len(numbers) + 1))
    assert 2 * len(numbers) >= GAME_WORDS[rules.name].turns >= 70


def test_a_long_game_goes_on_over_the_page() -> None:
    game = game_of(200)
    first, second = texts(form_pdf(RecordForm.of_record(Record.of(game, **HEAD)), language="ru"))
    assert form_words(TOGUZ_KORGOOL, "ru")["arbiter"] in second
    assert "Үсөнбаев, Нурлан – Қасымханұлы, Ғабит" in second
    assert "1 / 2" in first
    assert "2 / 2" in second
    assert "100" in second


def test_many_games_in_one_document(shared: Path) -> None:
    lines = (shared / "data" / "games_online.jsonl").read_text(encoding="utf-8").splitlines()[2:14]
    games = [Game(TOGUZ_KORGOOL, map(int, json.loads(line)["moves"])) for line in lines]
    forms = [RecordForm.of_record(Record.of(game, Round=str(1000 + place))) for place, game in enumerate(games)]
    pages = texts(form_pdf(forms, language="kk"))
    assert len(pages) == sum(1 if len(game.moves) <= 144 else 2 for game in games)
    for place, game in enumerate(games):
        outcome = game.outcome()
        (page,) = (text for text in pages if f" {1000 + place} " in text and "1 / " in text)
        if outcome is not None:
            assert halves_said(outcome.result_text) in page


def test_pictures_of_the_pages() -> None:
    picture, _ = form_png(RecordForm(TOGUZ_KORGOOL), paper="a5", resolution=72)
    assert picture.startswith(b"\x89PNG")
    assert struct.unpack(">II", picture[16:24]) == (420, 595)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("plies", [1, 200])
def test_a_scanner_reads_the_printed_code(plies: int, paper: str) -> None:
    """What a phone sees on the paper is the game."""
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pillow is installed")
    record = Record.of(game_of(plies), **HEAD)
    page = form_png(RecordForm.of_record(record), paper=paper, resolution=130)[0]
    (code,) = zxingcpp.read_barcodes(image.open(io.BytesIO(page)))
    (read,) = parse_records(code.text)
    assert (read.moves, read.result, read.error) == (record.moves, record.result, None)
