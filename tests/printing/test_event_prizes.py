"""Cards, badges, prize lists, diplomas and rating changes on paper: made, opened again, and read."""

from __future__ import annotations

import io
import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

from korgool.app.printing import PAPERS, event_paper, event_png
from korgool.app.printing.diploma_template import ALONE, DEFAULT, MOST_LINES, NAMES, read_template
from korgool.app.words.prize_words import category_name, fund_name, place_name, prize_reason
from korgool.competition import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.prize_fund import NO_PRIZES, Sharing, read_fund
from korgool.competition.prizes import Award, prizes
from korgool.competition.ratings import rating_changes
from korgool.competition.standings import standings
from korgool.languages import LANGUAGES, translations
from tests.competition.program import begin, korgool, refused
from tests.printing.events import mangala, swiss, team_event
from tests.printing.reading import counts, pages, squeezed
from tests.slices import drawn

ADDRESS = "https://turnir.example/events/7"
MARKUP = '#panic("x") *a* $c$ [d] #sys.inputs @f \\g `h` {{b}} //k'
LONGEST = "Абдыкадыров-Кожомкулов-" * 8


def small() -> EventState:
    return swiss(12, 4, 3)


def with_names(state: EventState, name: str) -> EventState:
    players = {
        id_: replace(one, entry=replace(one.entry, family=name, given=name, patronymic="", team=name, title=name))
        for id_, one in state.players.items()
    }
    return replace(state, players=players, settings=replace(state.event, name=name, place=name, organiser=name))


# --- cards and badges


@pytest.mark.parametrize("paper", PAPERS)
def test_the_codes_open_the_pages_of_boards_and_players(paper: str) -> None:
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pillow is installed")
    state = small()
    here = [one.number for one in state.players.values() if one.until is None]
    for what, wanted in (
        ("table-cards", [f"{ADDRESS}/boards/{board}" for board in range(1, 7)]),
        ("badges", [f"{ADDRESS}/players/{number}" for number in here]),
    ):
        found = []
        for page in event_png(state, what, paper=paper, base_url=ADDRESS + "/", resolution=110):
            found += [code.text for code in zxingcpp.read_barcodes(image.open(io.BytesIO(page)))]
        assert sorted(found) == sorted(wanted)


def test_table_cards_are_those_of_the_boards() -> None:
    state = small()
    assert len(pages(event_paper(state, "table-cards"))) == 2
    text = " ".join(pages(event_paper(state, "table-cards", boards=(38, 40), language="ky")))
    assert re.findall(r"Такта (\d+)", text) == ["38", "39", "40"]
    assert "turnir.example" not in text
    for address, boards, message in (
        ("https://x.example/cup?id=7", None, "need an address without ? and #"),
        (None, (3, 2), "has no boards 3 to 2"),
        (None, (1, 2000), "1000 table cards, not 2000"),
    ):
        with pytest.raises(ValueError, match=re.escape(message)):
            event_paper(state, "table-cards", base_url=address, boards=boards)


def test_badges_are_for_all_who_take_part_and_for_officials() -> None:
    state = small()
    pdf = event_paper(state, "badges", language="ru")
    here = [one.entry for one in state.players.values() if one.until is None]
    text = squeezed(pdf)
    assert all(squeezed(one.family) in text and squeezed(one.given) in text for one in here)
    assert text.count("Участник") == len(here)
    for official in state.officials.values():
        assert (squeezed(official.name.partition(",")[0]) in text) == (not official.excluded)


# --- prizes


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prize_list_names_winners_amounts_and_reasons(language: str) -> None:
    state = small()
    found, gettext = prizes(state), translations(language).gettext
    assert found.awards
    text = squeezed(event_paper(state, "prize-list", language=language))
    for award in found.awards:
        name = state.players[award.winner].entry.family if isinstance(award.winner, int) else award.winner
        assert squeezed(name)[:12] in text
        assert squeezed(found.fund.amount_text(award.amount) if award.amount else award.thing) in text
        assert squeezed(category_name(award.category, gettext)) in text
    assert any(squeezed(prize_reason(found.fund, one, gettext)) in text for one in found.awards if one.among > 1)
    without = replace(state, settings=replace(state.event, fund=NO_PRIZES))
    with pytest.raises(CompetitionError, match="has no prizes"):
        event_paper(without, "prize-list", language=language)


def test_the_reasons_in_words() -> None:
    even, hort = read_fund("1=90 KGS", sharing=Sharing.EQUAL), read_fund("1=90 KGS", sharing=Sharing.HORT)
    shared = Award(1, "", 2, 1, 30, "", 90, 3, True)
    assert prize_reason(even, shared, str) == "90\u00a0KGS shared evenly by 3; passed on from a place above"
    assert prize_reason(hort, replace(shared, passed=False), str) == "90\u00a0KGS for 3, half by place, half evenly"
    lots = Award(1, "", 1, 1, thing="cup", among=2)
    assert prize_reason(even, lots, str) == "equal in everything, a draw of lots decides"
    assert prize_reason(even, Award(1, "", 1, 1, 90), str) == ""
    assert [category_name(one, str) for one in ("", "women", "U16", "rating<1800", "club:Ала-Тоо", "team")] == [
        "Overall", "Women", "U16", "Rating below 1800", "Ала-Тоо", "Teams",
    ]  # fmt: skip
    listed = read_fund("1=30000 KGS; 2-4=1000; women 1=cup; U16 1-3=medal")
    assert fund_name(listed, str).replace("\u00a0", " ") == (
        "1: 30 000 KGS; 2–4: 1 000 KGS; Women, 1: cup; U16, 1–3: medal"
    )
    assert [place_name(place, str) for place in (1, 3, 4)] == ["First place", "Third place", "Place 4"]


def test_rating_changes_stand_on_paper() -> None:
    state = small()
    text = squeezed(event_paper(state, "rating-changes"))
    for one in rating_changes(state):
        if one.rating and one.games:
            assert f"{one.change:+.1f}{round(one.after)}".replace("-", "−") in text


# --- diplomas


def test_diplomas_are_for_prize_places_and_certificates_for_all() -> None:
    state = small()
    found = pages(event_paper(state, "diplomas", language="ru", date="2026-09-13"))
    rows = standings(state)
    best = state.players[rows[0].competitor].entry
    assert all(
        part in found[0] for part in ("Диплом", best.family, "за первое место", "13 сентября 2026", state.event.place)
    )
    assert "Общий зачёт" not in found[0]
    assert sum("Команды" in page for page in found) == 1
    assert sum("Рейтинг ниже 2000" in page for page in found) == 1
    played = [id_ for id_, one in state.players.items() if not one.excluded]
    certificates = pages(event_paper(state, "certificates", language="tr", paper="a5"))
    assert len(certificates) == len(played)
    assert all("Katılım belgesi" in page for page in certificates)
    only = pages(event_paper(state, "certificates", group="rating<2000"))
    assert len(only) == sum(0 < one.entry.rating < 2000 and not one.excluded for one in state.players.values())


def test_whose_name_was_removed_gets_no_badge_and_no_certificate() -> None:
    state = small()
    first = standings(state)[0].competitor
    players = {**state.players, first: replace(state.players[first], entry=state.players[first].entry.public)}
    gone = replace(state, players=players)
    for what in ("badges", "certificates"):
        before, after = squeezed(event_paper(state, what)), squeezed(event_paper(gone, what))
        assert before.count("№") + before.count("Certificate") == after.count("№") + after.count("Certificate") + 1
    assert pages(event_paper(gone, "prize-list"))


def test_diplomas_of_teams_and_of_their_players() -> None:
    state = team_event()
    assert {team.name for team in state.teams.values() if team.name in pages(event_paper(state, "diplomas"))[0]}
    names = [one.entry.family for one in state.players.values()]
    text = " ".join(pages(event_paper(state, "certificates")))
    assert sum(name in text for name in names) > len(names) / 2


def test_an_organiser_changes_the_template() -> None:
    state = small()
    template = "# МАКТОО БАРАГЫ\n\n{{ {name} }}\nклубу: {team}{category}\n{category}\n{signatures}"
    page = pages(event_paper(state, "certificates", template=template))[0]
    entry = state.players[standings(state)[0].competitor].entry
    assert f"{{ {entry.given} {entry.patronymic}".strip() in page
    assert "МАКТОО БАРАГЫ" in page
    assert "Chief referee" in page
    assert "{" not in page.replace("{ ", "")


def test_nothing_in_a_template_or_a_name_is_run() -> None:
    state = small()
    text = squeezed(event_paper(state, "certificates", template=f"{MARKUP}\n{{name}}"))
    assert squeezed(MARKUP.replace("{{", "{").replace("}}", "}")) in text
    for name in ("{signatures}", "{title}", "{{", '#image("x")'):
        page = pages(event_paper(with_names(state, name), "diplomas", template="{name}\n{team}"))[0]
        assert squeezed(name) in squeezed(page).replace("“", '"').replace("”", '"')
        assert "Chief referee" not in page


@pytest.mark.parametrize(
    ("template", "message"),
    [
        ("a\n\n{nme}", "line 3 of the template: there is no place {nme}; there are {title}, {name}"),
        ("{name", "line 1 of the template has a single {"),
        ("a\nname}", "line 2 of the template has a single }"),
        ("{}", "there is no place {}"),
        ("Chief: {signatures}", "line 1 of the template: {signatures} stands on a line of its own"),
        ("a\n" * 41, "the template has 41 lines, 40 fit"),
        ("a" * 301, "line 1 of the template has 301 letters"),
        (" \n", "the template is empty"),
    ],
)
def test_a_faulty_template_is_refused_with_its_line(template: str, message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        event_paper(small(), "diplomas", template=template)


def test_every_place_of_the_template_is_known() -> None:
    elsewhere = {"organiser", "date", "venue", "federation", "team"}  # each is part of another place
    assert all((f"{{{name}}}" in DEFAULT) == (name not in elsewhere) for name in (*NAMES, *ALONE))
    assert len(read_template("\ufeff" + DEFAULT.replace("\n", "\r\n"))) == len(read_template(DEFAULT))
    manual = (Path(__file__).parents[2] / "docs" / "forms.md").read_text(encoding="utf-8")
    assert f"```text diploma.txt\n{DEFAULT}```" in manual
    with pytest.raises(ValueError, match="standings has no template; diplomas and certificates have"):
        event_paper(small(), "standings", template="x")


@pytest.mark.parametrize("paper", drawn("long texts", PAPERS))
def test_long_texts_stay_on_their_page(paper: str) -> None:
    """Each card and each certificate has its place, whatever is written on it."""
    state = small()
    strange = with_names(state, LONGEST)
    full = "\n".join(["# {event} {name} {venue}", "{signatures}", *["## {name} {team}"] * (MOST_LINES - 3), "{date}"])
    for what, template in (("badges", None), ("table-cards", None), ("certificates", DEFAULT), ("certificates", full)):
        plain = pages(event_paper(state, what, paper=paper, base_url=ADDRESS, template=template))
        assert len(pages(event_paper(strange, what, paper=paper, base_url=ADDRESS, template=template))) == len(plain)
    for page in pages(event_paper(strange, "certificates", paper=paper, template=full)):
        assert "12 September 2026" in page
    assert len(pages(event_paper(strange, "prize-list", paper=paper))) >= 1


def test_matches_of_sets_have_prizes_too() -> None:
    state = mangala(6, 3)
    assert len(pages(event_paper(state, "certificates"))) == 6


# --- how long it takes, and the command


@pytest.mark.long
def test_three_hundred_badges_and_certificates_take_seconds_of_the_processor() -> None:
    state = swiss(300, 9, 9)
    used = time.process_time()
    pdf = event_paper(state, "badges", language="kk", base_url=ADDRESS)
    event_paper(state, "certificates", language="ky")
    event_paper(state, "prize-list", language="ru")
    assert time.process_time() - used < 30  # about four on an idle machine
    here = [one.entry for one in state.players.values() if one.until is None]
    assert all(counts(pdf, (one.family for one in here)).values())


def test_the_command_takes_a_template(tmp_path: Path) -> None:
    path, out = tmp_path / "cup.korgool", tmp_path / "out.pdf"
    begin(path, 2, 1)
    template = tmp_path / "text.txt"
    template.write_text("{nme}", encoding="utf-8")
    message = refused("print", path, "certificates", "-o", out, "--template", template)
    assert f"{template}: line 1 of the template: there is no place {{nme}}" in message
    template.write_bytes(b"caf\xe9")
    assert "it is not UTF-8: byte 4" in refused("print", path, "certificates", "-o", out, "--template", template)
    assert "cannot be read" in refused("print", path, "certificates", "-o", out, "--template", tmp_path / "no.txt")
    template.write_text("{name}", encoding="utf-8")
    assert "nobody of Cup has played yet" in refused("print", path, "certificates", "-o", out, "--template", template)
    assert not out.exists()
    korgool("pair", path)
    korgool("result", path, 1, 1, "1 (82) - 0 (60)")
    korgool("print", path, "certificates", "-o", out, "--template", template)
    assert "Player 1" in " ".join(pages(out.read_bytes()))
