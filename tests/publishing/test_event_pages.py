"""The public pages of events: whole, small, linked with each other, and without what is not public."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from urllib.parse import unquote, urldefrag, urlsplit

import pytest

from korgool.app.publishing import (
    PUBLIC_PAGES,
    Circumstances,
    EventFigures,
    FolderError,
    FolderPlace,
    NoPageError,
    SitePlace,
    games_text,
    page_names,
    public_event,
    render_page,
    snapshot_data,
    write_folder,
)
from korgool.app.words.tiebreaks import _WHY
from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Entry, Settings
from korgool.competition.privacy import shown_name
from korgool.competition.prize_fund import PrizeFund, read_fund
from korgool.competition.result import said_number
from korgool.competition.standings import SENTENCES, standings
from korgool.competition.timetable import read_timetable
from korgool.languages import LANGUAGES
from tests.printing.events import mangala, swiss, team_event

LARGEST = 60 * 1024
"""Bytes of a page of an event of 120 players; the longest is a game with its board."""
VOID = {"meta", "link", "input", "br", "img"}
SITE = SitePlace("/events/x1", "/api/events/x1", "/static/tag/", "https://example.org", "/rules/toguz/picture.png")


class Seen(HTMLParser):
    """What tests look for in a page."""

    def __init__(self, page: bytes) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self.inline: list[str] = []
        self.feed(page.decode())
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [found["id"] or ""] if "id" in found else []
        self.links += [found[name] or "" for name in ("href", "src") if name in found and tag != "use"]
        self.inline += [name for name in found if name == "style" or name.startswith("on")]
        self.inline += ["script"] if tag == "script" and "src" not in found else []

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def seen(state: EventState, name: str = "", **more: object) -> Seen:
    given = {"language": "en", "place": SITE, **more}
    return Seen(render_page(EventFigures(state), name, Circumstances(**given)))  # type: ignore[arg-type]


def small() -> EventState:
    return swiss(12, 4, 3, pending=2)


def planned(state: EventState) -> EventState:
    times = read_timetable("1 2026-09-11 10:00; 4 2026-09-12 14:00")
    return replace(state, settings=replace(state.event, timetable=times, zone="Asia/Bishkek"))


def test_pages_of_120_players_are_below_60_kib() -> None:
    figures = EventFigures(swiss(120, 9, 9))
    circumstances = Circumstances(language="ky", place=FolderPlace("ky"), changed="2026-09-14T10:05:00Z")
    names = [name for name in page_names(figures) if not name.startswith("players/") or name.endswith("50")]
    sizes = {name: len(render_page(figures, name, circumstances)) for name in names}
    assert {name: size for name, size in sizes.items() if size >= LARGEST} == {}
    assert sizes["crosstable"] > 30_000  # what is measured is the real thing


@pytest.mark.parametrize("event", [small, lambda: team_event(4, 3), lambda: mangala(6, 3), lambda: swiss(8, 3, 0)])
def test_every_link_of_a_folder_leads_to_a_file_and_a_place_in_it(event: object, tmp_path: Path) -> None:
    assert callable(event)
    address, moment = "https://example.org/cup/", "2026-09-14T10:05:00Z"
    written = write_folder(event(), tmp_path / "cup", base_url=address, changed=moment, languages=("ky", "tr"))
    pages = {path: Seen(path.read_bytes()) for path in sorted((tmp_path / "cup").rglob("*.html"))}
    assert written.pages == len(pages)
    strange = []
    for path, page in pages.items():
        assert page.inline == []
        assert len(page.ids) == len(set(page.ids)), path
        for link in page.links:
            file, place = urldefrag(link)
            if urlsplit(file).scheme:
                assert file.startswith(address)
                continue
            target = (path.parent / unquote(file)).resolve() if file else path
            if not target.is_file() or (place and unquote(place) not in pages[target].ids):
                strange.append(f"{path.relative_to(tmp_path)}: {link}")
    assert strange == []


def test_data_files_have_the_shapes_of_the_command_line(tmp_path: Path) -> None:
    state = small()
    write_folder(state, tmp_path / "cup", languages=("ky",))
    rows = json.loads((tmp_path / "cup" / "standings.json").read_text())
    assert [row["rank"] for row in rows] == [row.rank for row in standings(state)]
    assert {"rank", "number", "name", "points", "progress", "buchholz", "direct", "korgools"} <= set(rows[0])
    boards = json.loads((tmp_path / "cup" / "rounds" / "3.json").read_text())
    assert [board["result"] is None for board in boards if board["board"]][:3] == [True, True, False]
    assert (tmp_path / "cup" / "games.pgn").read_text().count("[Event ") == 2
    assert (tmp_path / "cup" / "picture.png").read_bytes()[1:4] == b"PNG"
    assert not (tmp_path / "cup" / "ru").exists()


def test_a_folder_is_replaced_as_a_whole_and_a_strange_one_is_refused(tmp_path: Path) -> None:
    state, target = small(), tmp_path / "cup"
    write_folder(state, target, languages=("ky", "ru"))
    (target / "ru" / "left.html").write_text("from an older version")
    write_folder(state, target, languages=("ky",))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup"]
    assert not (target / "ru").exists()
    strange = tmp_path / "home"
    strange.mkdir()
    (strange / "letter.txt").write_text("mine")
    with pytest.raises(FolderError, match="holds something else"):
        write_folder(state, strange)
    with pytest.raises(FolderError, match="this is a file"):
        write_folder(state, strange / "letter.txt")
    assert [path.name for path in strange.iterdir()] == ["letter.txt"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cup", "home"]


def test_the_first_page_tells_the_course_of_the_event() -> None:
    before = seen(swiss(8, 3, 0)).text
    assert "The first round is not paired yet." in before
    during = seen(planned(small()), changed="2026-09-14T10:05:00Z").text
    assert re.search(r"\d of \d results are known\.", during)
    assert "Last change: 14 September 2026, 10:05 UTC" in during
    assert "Next round: 12 September 2026, 14:00 (UTC+6)" in during
    assert "Round 1 11 September 2026, 10:00 (UTC+6) Round 4 12 September 2026, 14:00 (UTC+6)" in during
    assert "Next round: 12 September 2026, 14:00 (UTC+6)" in seen(planned(small()), "wall/1").text
    for page in ("rounds/1", "rounds/1/names", "rounds/1/large"):
        assert "11 September 2026, 10:00" in seen(planned(small()), page).text
    assert "10:00" not in seen(planned(small()), "rounds/2").text
    assert "Each player has 60 minutes for the game." in during
    assert "Chief referee Жакыпов, Таалайбек" in during
    assert "The event is over." in seen(swiss(12, 4, 4)).text


def test_somebody_finds_their_board_within_two_taps() -> None:
    state = small()
    player = state.players[1]
    first = seen(state)
    letter = player.entry.name[0].upper()
    assert any(unquote(link) == f"/events/x1/rounds/3/names#{letter}" for link in first.links)
    assert letter in seen(state, "rounds/3/names").ids
    for query in (player.entry.family[:4].upper(), str(player.number)):
        found = seen(state, "rounds/3/names", query=query)
        assert player.entry.name in found.text
        assert len([link for link in found.links if "#b" in link]) < 6
    assert "Nobody here has this name or number." in seen(state, "rounds/3", query="zzz").text


def test_a_card_shows_how_each_tiebreak_came_about() -> None:
    state = swiss(12, 4, 4)
    row = standings(state)[4]
    player = state.players[row.competitor]
    card = seen(state, f"players/{player.number}").text
    for value in row.values:
        assert f" {said_number(value)}" in card
    assert "Progress PS" in card
    assert re.search(r"\d½? \+ \d", card)
    assert "stands above" in card or "share a place" in card
    assert player.entry.name in card


def test_pages_that_an_event_does_not_have() -> None:
    figures = EventFigures(small())
    circumstances = Circumstances(language="en", place=SITE)
    for name in (
        "nothing", "rounds", "rounds/4", "rounds/0", "rounds/01", "rounds/²", "rounds/-1", "rounds/1/nothing",
        "entries/colour", "players/99", "players/x", "teams/1", "wall/0", "wall/99", "standings/players",
        "rounds/3/boards/1", "rounds/1/boards/99", "../entries", "entries/",
    ):  # fmt: skip
        with pytest.raises(NoPageError):
            render_page(figures, name, circumstances)


def test_personal_things_stay_out_of_every_page() -> None:
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=3)))
    for number in range(4):
        entry = Entry(family=f"Family{number}", born=1987, external=f"8800234{number}", club="Club", sex="f")
        state = apply(state, do.Enter(entry))
    state = apply(state, do.GiveWarning(1), reason="spoke with the coach")
    state = apply(state, do.Penalise(2, 1), reason="came too late")
    figures = EventFigures(state)
    for name in page_names(figures):
        page = render_page(figures, name, Circumstances(language="en", place=SITE)).decode()
        for secret in ("1987", "8800234", "spoke with", "came too late"):
            assert secret not in page, name
    shown = replace(state, settings=replace(state.event, shown=("born",)))
    assert "1987" in seen(shown, "players/1").text
    assert "1987" in seen(shown, "entries").text


def test_minors_have_a_short_name_and_removed_players_a_number() -> None:
    state = small()
    players = dict(state.players)
    players[1] = replace(players[1], entry=replace(players[1].entry, short="Айдай А."))
    players[2] = replace(players[2], entry=players[2].entry.public)
    state = replace(state, players=players)
    text = seen(state, "entries").text
    assert "Айдай А." in text
    assert f"№ {players[2].number}" in text
    assert players[1].entry.name not in text


def test_every_name_goes_through_one_function(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whoever is shown under another name is nowhere shown under their own, in records and data neither."""
    state = small()
    hidden = {id_ for id_, one in state.players.items() if one.entry.family == state.players[1].entry.family}
    monkeypatch.setattr(
        "korgool.app.publishing.privacy.shown_name",
        lambda player: f"№ {player.number}" if player.id in hidden else shown_name(player),
    )
    write_folder(state, tmp_path / "cup", languages=("en",))
    names = {state.players[id_].entry.name for id_ in hidden}
    for path in (tmp_path / "cup").rglob("*"):
        if path.suffix in (".html", ".json", ".pgn"):
            text = path.read_text()
            assert not [name for name in names if name in text], path
    assert "№ " in (tmp_path / "cup" / "standings.json").read_text()


def test_markup_in_names_is_text() -> None:
    state = small()
    wicked = replace(state.event, name="<script>alert(1)</script>", place='"><u>')
    page = render_page(
        EventFigures(replace(state, settings=wicked)), "", Circumstances(language="en", place=SITE)
    ).decode()
    assert "<script>alert" not in page
    assert '"><u>' not in page


def test_links_have_a_preview_with_a_picture() -> None:
    page = render_page(EventFigures(small()), "standings", Circumstances(language="ru", place=SITE)).decode()
    assert '<meta property="og:image" content="https://example.org/rules/toguz/picture.png">' in page
    assert '<meta property="og:url" content="https://example.org/events/x1/standings">' in page
    assert 'property="og:title" content="Таблица' in page


def test_the_wall_turns_through_all_its_screens() -> None:
    figures = EventFigures(small())
    screens = [name for name in page_names(figures) if name.startswith("wall/")]
    circumstances = Circumstances(language="ky", place=SITE)
    following = [
        re.search(r'data-next="([^"]*)"', render_page(figures, name, circumstances).decode()) for name in screens
    ]
    assert [found and found[1] for found in following] == [
        *(f"/events/x1/{name}" for name in screens[1:]), "/events/x1/wall/1",
    ]  # fmt: skip
    assert b'http-equiv="refresh"' in render_page(figures, "wall/1", circumstances)


def test_what_is_public_of_an_event_gives_the_same_tables() -> None:
    state = swiss(12, 4, 4)
    assert standings(public_event(state)) == standings(state)


def test_every_step_of_a_comparison_has_its_words() -> None:
    assert _WHY == SENTENCES


def test_groups_have_standings_of_their_own_and_prizes_a_page() -> None:
    state = small()
    players = {
        id_: replace(one, entry=replace(one.entry, sex="f" if id_ % 2 else "m")) for id_, one in state.players.items()
    }
    fund = read_fund("1=30000 KGS; women 1=cup")
    state = replace(state, players=players, settings=replace(state.event, fund=fund))
    whole, women = seen(state, "standings").text, seen(state, "standings/groups/1").text
    best = min(one.number for one in players.values() if one.entry.sex == "m")
    names = {one.entry.sex: one.entry.name for one in players.values() if one.number == best or one.entry.sex == "f"}
    assert names["f"] in women
    assert names["f"] in whole
    assert names["m"] in whole
    assert names["m"] not in women
    for language in LANGUAGES:
        page = render_page(EventFigures(state), "prizes", Circumstances(language=language, place=SITE)).decode()
        assert "30" in page
        assert "KGS" in page
    assert "30 000 KGS" in seen(state, "prizes").text.replace("\u00a0", " ")
    for name in ("standings/groups/9", "standings/groups/x", "standings/groups"):
        with pytest.raises(NoPageError):
            seen(state, name)
    with pytest.raises(NoPageError):
        seen(replace(state, settings=replace(state.event, fund=PrizeFund())), "prizes")


def test_records_tell_no_whole_name_of_a_minor_and_damage_is_left_out() -> None:
    state = small()
    number, game = next((one.number, game) for one in state.rounds for game in one.games if game.records)
    text = f'[White "Whole Name"]\n[Annotator "Whole Name"]\n{game.records[0].split("]", 5)[-1].lstrip()}'
    text = text.replace("1. ", "{Whole Name thinks} 1. ", 1)

    def with_records(*records: str) -> EventState:
        rounds = tuple(
            replace(one, games=tuple(replace(g, records=records) if g == game else g for g in one.games))
            if one.number == number
            else one
            for one in state.rounds
        )
        return replace(state, rounds=rounds)

    named = with_records(text)
    assert "Whole Name thinks" in games_text(EventFigures(named).state)
    short = dict(named.players)
    short[1] = replace(short[1], entry=replace(short[1].entry, short="Short N."))
    shown = EventFigures(replace(named, players=short))
    assert "Whole" not in games_text(shown.state)
    assert b"Whole" not in snapshot_data(replace(named, players=short))
    page = f"rounds/{number}/boards/{game.board}"
    assert b"Whole" not in render_page(shown, page, Circumstances(language="en", place=SITE))

    chance = Random(19)
    for _ in range(40):
        broken = list(game.records[0])
        for _ in range(chance.randint(1, 4)):
            at = chance.randrange(len(broken))
            broken[at : at + chance.randint(0, 9)] = chance.choice(
                ("\0", "[", '"', "{", ")", "\u2028", '[FEN "x"]', "9")
            )
        figures = EventFigures(with_records("".join(broken)))
        assert "Result" in games_text(figures.state)  # the games of the other boards
        assert render_page(figures, page, Circumstances(language="en", place=SITE))


def test_every_page_is_of_one_kind_and_no_other_name_is_a_page() -> None:
    for state in (small(), swiss(), team_event(), mangala()):
        figures, found = EventFigures(state), set[str]()
        for name in page_names(figures):
            kinds = [kind for kind in PUBLIC_PAGES if kind.parts(name) is not None]
            assert {name} <= {one for kind in kinds for one in kind.names(figures)}
            found |= {kind.name for kind in kinds if name in kind.names(figures)}
        assert len(page_names(figures)) == len(set(page_names(figures)))
        missing = {kind.name for kind in PUBLIC_PAGES} - found
        absent = {name for name in missing if "{" not in name}
        wrong = ["entries/", "entries/age", "rounds", "rounds/0", "rounds/99", "rounds/1/all", "rounds/1/boards/99"]
        wrong += ["players/0", "teams/0", "standings/groups/9", "wall/0", "wall/999", "wall", "none", "a/b/c/d/e"]
        for name in (*absent, *wrong):
            with pytest.raises(NoPageError):
                render_page(figures, name, Circumstances(language="en", place=SITE))
