"""Papers that people hang up: their words in every language, their letters, their colours, and texts that are long."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pypdfium2
import pytest
import typst

from korgool.app.printing import GroupPaperError, PaperContext, event_paper, print_papers
from korgool.app.printing.event_papers import _PAPERS, _TEMPLATE, _data
from korgool.app.printing.ornament import FELT, GOLD, HORN, METALS
from korgool.app.words.prize_words import honour, merit
from korgool.competition.event_state import EventState
from korgool.competition.model import Settings
from korgool.languages import LANGUAGES, translations
from tests.printing.events import swiss, team_event
from tests.printing.reading import pages, sizes, squeezed

LETTERS = "Ңң Өө Үү Ққ Ғғ Ұұ Іі Әә Һһ İı Şş Ğğ Çç Öö Üü Ёё Йй Ъъ Ээ"
"""Letters of the five languages that are neither Latin of English nor common to all."""
HUNG = ("diplomas", "certificates")
FIRSTS = {
    "en": ("is awarded to", "for first place", "for second place", "for third place", "for place 11"),
    "ky": ("сыйланат", "биринчи орунду", "экинчи орунду", "үчүнчү орунду", "11-орунду ээлегендиги үчүн"),
    "kk": ("марапатталады", "бірінші орынды", "екінші орынды", "үшінші орынды", "11-орынды иеленгені үшін"),
    "ru": ("награждается", "за первое место", "за второе место", "за третье место", "за 11-е место"),
    "tr": ("hak kazanmıştır", "birinci olarak", "ikinci olarak", "üçüncü olarak", "11. olarak"),
}


def small() -> EventState:
    return swiss(8, 3, 3)


def named(state: EventState, name: str) -> EventState:
    players = {
        id_: replace(one, entry=replace(one.entry, family=name, given=name, patronymic="", team=name, federation=name))
        for id_, one in state.players.items()
    }
    return replace(state, players=players, settings=replace(state.event, name=name, place=name, organiser=name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_diploma_says_the_place_in_words(language: str) -> None:
    found = pages(event_paper(small(), "diplomas", language=language))
    gettext = translations(language).gettext
    verb, *places, eleventh = FIRSTS[language]
    for page, place in zip(found, places, strict=False):
        assert verb in page
        assert place in page
    assert merit(11, gettext) == eleventh
    assert len({merit(place, gettext) for place in range(1, 13)}) == 12
    assert not re.search(r"\d", "".join(merit(place, gettext) for place in range(1, 11)))
    for kind in ("diploma", "team diploma", "certificate"):
        assert sum(map(bool, honour(kind, gettext))) >= 1


def test_a_diploma_of_a_team_names_its_players_and_a_certificate_has_no_medal() -> None:
    state = team_event()
    (page,) = pages(event_paper(state, "diplomas", language="ru"))[:1]
    best = next(team for team in state.teams.values() if team.name in page)
    assert "награждается команда" in page
    for team in state.teams.values():
        entries = [state.players[id_].entry for id_ in team.players]
        assert all(f"{one.given} {one.family}" in page for one in entries) == (team is best)
    assert "1" in re.sub(r"\D", " ", page).split()  # the number on the medal
    wide, high = sizes(event_paper(state, "certificates", language="ru"))[0]
    assert wide > high


@pytest.mark.parametrize("what", HUNG)
def test_every_letter_of_every_language_has_a_glyph(what: str, tmp_path: Path) -> None:
    """PDF/A forbids missing glyphs, so typst refuses to write it where no font has a letter."""
    for file in _TEMPLATE.parent.glob("*.typ"):  # PDF/A needs a date, which papers do not have
        text = file.read_text(encoding="utf-8")
        (tmp_path / file.name).write_text(text.replace("date: none", "date: auto"), encoding="utf-8")
    fonts = typst.Fonts(include_system_fonts=False, include_embedded_fonts=True)

    def archived(state: EventState, language: str) -> bytes:
        data = json.dumps({"papers": [_data(PaperContext(state, language, "a4"), _PAPERS[what])]}, ensure_ascii=False)
        return typst.compile(
            tmp_path / _TEMPLATE.name, sys_inputs={"data": data}, font_paths=fonts, pdf_standards="a-2b", timestamp=0
        )

    state = named(small(), LETTERS)
    for language in LANGUAGES:
        assert squeezed(LETTERS) in squeezed(archived(state, language))
    with pytest.raises(typst.TypstError, match="could not be displayed"):
        archived(named(small(), "漢字"), "en")


@pytest.mark.parametrize("paper", ["a4", "a5"])
def test_long_names_stay_within_the_frame(paper: str) -> None:
    """An event with a name of five lines, and people with the longest names, have one page each as all others."""
    event = "Чоңдордун жана жаштардын арасындагы Кыргыз Республикасынын тогуз коргоол боюнча биринчилиги " * 3
    for name in (event.strip(), "Абдыкадыров-Кожомкулов-" * 9, "Ы" * 200):
        for what in HUNG:
            plain, long = event_paper(small(), what, paper=paper), event_paper(named(small(), name), what, paper=paper)
            assert len(sizes(long)) == len(sizes(plain))
            with pypdfium2.PdfDocument(long) as document:
                page = document[0]
                text, wide, high = page.get_textpage(), page.get_width(), page.get_height()
                edge = (7 + 12.5 if paper == "a4" else 5 + 8.8) * 72 / 25.4
                boxes = [text.get_charbox(at) for at in range(text.count_chars())]
                inside = [box for box in boxes if box[2] > box[0]]
                assert min(box[0] for box in inside) >= edge
                assert max(box[2] for box in inside) <= wide - edge
                assert min(box[1] for box in inside) >= edge
                assert max(box[3] for box in inside) <= high - edge


def _light(colour: str) -> float:
    """Relative luminance, which is what a printer without colours keeps."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_light(one), _light(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_the_colours_differ_in_black_and_white_too() -> None:
    assert _contrast(FELT, "#ffffff") > 7  # it is the colour of the title as well
    assert _contrast(FELT, GOLD) > 4
    assert _contrast(FELT, HORN) > 7
    for metal in METALS.values():
        assert _contrast(metal, "#ffffff") > 2.6  # a large bold figure on it


def parted() -> list[EventState]:
    names = MappingProxyType({1: "Эркектер", 2: "U12"})
    found = []
    for id_, name in names.items():
        state = swiss(6 + id_, 3, 3)
        settings: Settings = replace(state.event, name=f"Кубок, {name}")
        found.append(replace(state, group=id_, groups=names, title="Кубок", settings=settings))
    return found


def test_papers_of_all_groups_are_one_document_with_pages_of_their_own() -> None:
    states = parted()
    contexts = {state.groups[state.group]: PaperContext(state, "ru", "a4") for state in states}
    found = pages(print_papers(contexts, "diplomas"))
    assert len(found) == sum(len(pages(event_paper(state, "diplomas", language="ru"))) for state in states)
    assert "Эркектер" in found[0]
    assert "Кубок" in found[0]
    assert "Кубок," not in found[0]
    assert "U12" in found[-1]
    lists = pages(print_papers(contexts, "standings"))
    assert [re.findall(r"Страница (\d+) из (\d+)", page) for page in lists] == [[("1", "1")], [("1", "1")]]
    with pytest.raises(GroupPaperError, match="Эркектер: record-forms of several groups"):
        print_papers(contexts, "record-forms")
    unplayed = {**contexts, "U12": PaperContext(replace(states[1], rounds=()), "ru", "a4")}
    with pytest.raises(GroupPaperError, match=r"^U12: nobody of"):
        print_papers(unplayed, "diplomas")
