"""Players' doors: profiles, all games as one stream, one's own games by pages, and the best; each for each reader."""

from __future__ import annotations

import html
import io
import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from korgool.accounts import Speed, Standing
from korgool.app.server.core import errors
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import OFF
from korgool.app.server.people.account.deletion import delete_account
from korgool.app.server.people.person_repository import PersonRepository
from korgool.app.server.people.profiles import game_export
from korgool.app.server.people.profiles import pages as player_pages
from korgool.app.server.people.profiles.pages import HEIGHT, WIDTH, RatingGraph
from korgool.app.server.people.profiles.player_games import RESULTS, GameFilter, PlayerGamesRepository
from korgool.app.server.people.profiles.profile_repository import ProfileRepository, RatingPoint
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.play.challenges.request import read_friend_form
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.rated_games import standing_row
from korgool.app.server.storage.schema import standings, trusted
from korgool.app.words.online_games import RESULT_NAMES, SPEED_NAMES
from korgool.app.words.people import guest_name
from korgool.glicko import Glicko
from korgool.languages import LANGUAGES, translations
from korgool.live import GameTerms, Seat, SeatKind, journal, read_clock
from korgool.notation.reading import read_records
from korgool.rules import GAMES, Side
from tests.patience import PATIENCE

from .asked_inside import Reader, asked_inside
from .rated import ANN, AT, BOB, EVE, open_account, random_games, rated, told
from .support import postgresql_database

KID, BOT, GUEST = "kid".ljust(22, "d"), "bot".ljust(22, "t"), "g" * 22
DAY_MS = 86_400_000
WHITE_RESIGNS = (journal.Moved(7), journal.Moved(7), journal.Resigned(Side.WHITE))
BLACK_RESIGNS = (journal.Moved(7), journal.Moved(7), journal.Moved(5), journal.Resigned(Side.BLACK))


def prepare(settings: ServerSettings) -> None:
    """Ann has played rated games with Bob, Eve and a bot, a child, a guest and the engine; one is shown late."""
    storage = Storage.open(settings)
    open_account(storage.engine, ANN, BOB, EVE)
    open_account(storage.engine, BOT, kind="bot", owner=ANN)
    open_account(storage.engine, KID, kind="child", short="Sunny", guardian=ANN)
    with storage.engine.begin() as connection:
        connection.execute(trusted.insert().values(child=KID, who=BOB, at_ms=AT))
        sure = standing_row((EVE, "toguz", "rapid"), Standing(Glicko(1800, 60, 0.06), 40, AT, 0))
        fixed = standing_row((BOT, "toguz", "rapid"), Standing(Glicko(2000, 60, 0.06), fixed=True))
        connection.execute(standings.insert(), [sure, fixed])
    friendly = GameTerms(GAMES["bestemshe"], (Seat(SeatKind.PERSON, GUEST), Seat(SeatKind.PERSON, ANN)))
    engine = GameTerms(GAMES["toguz"], (Seat(SeatKind.PERSON, ANN), Seat(SeatKind.ENGINE, strength=4)))
    late = rated(ANN, BOB)
    late = GameTerms(late.rules, late.seats, late.control, rated=True, delay_s=3600)
    with_kid = GameTerms(GAMES["toguz"], (Seat(SeatKind.PERSON, KID), Seat(SeatKind.PERSON, ANN)), read_clock("3d"))
    for done in [
        storage.writer.submit(one)
        for one in (
            told("a" * 12, rated(ANN, BOB), WHITE_RESIGNS, AT),
            told("b" * 12, rated(EVE, ANN), WHITE_RESIGNS, AT + DAY_MS),
            told("c" * 12, rated(ANN, BOT), BLACK_RESIGNS, AT + 2 * DAY_MS),
            told("d" * 12, friendly, (journal.Moved(3),), AT + 3 * DAY_MS),
            told("e" * 12, engine, BLACK_RESIGNS, AT + 4 * DAY_MS),
            told("f" * 12, with_kid, WHITE_RESIGNS, AT + 5 * DAY_MS),
            told("g" * 12, rated(BOB, ANN), (journal.Aborted(Side.WHITE),), AT + 6 * DAY_MS),
            told("h" * 12, late, BLACK_RESIGNS, now_ms() - 600_000),
        )
    ]:
        done.result(PATIENCE)
    storage.close()


Readers = dict[str | None, Reader]


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Readers]:
    folder = tmp_path_factory.mktemp("players")
    prepare(ServerSettings(data=folder))
    with asked_inside(ServerSettings(data=folder, limits=OFF)) as inside:
        yield {who: inside.reader(who) for who in (None, GUEST, ANN, BOB, EVE, KID)}


def test_a_profile_has_ratings_their_course_and_the_record(readers: Readers) -> None:
    told = readers[None].json("/api/players/ANNa")
    assert (told["name"], told["bot"], told["since"]) == ("anna", False, AT)
    rapid = told["ratings"]["toguz"]["rapid"]
    assert (rapid["games"], rapid["provisional"]) == (3, True), "the game that is shown later is not told"
    assert [point[0] for point in rapid["points"]] == [AT + 5_000, AT + DAY_MS + 5_000, AT + 2 * DAY_MS + 6_000]
    assert rapid["points"][-1][1] == rapid["rating"]
    assert told["score"] == {"won": 3, "drawn": 0, "lost": 1}
    assert {one["name"]: (one["won"], one["lost"]) for one in told["opponents"]} == {
        "bob": (0, 1),
        "eve": (1, 0),
        "bot": (1, 0),
        "Sunny.": (1, 0),
    }
    assert readers[None].json("/api/players/bot")["bot"] is True


def test_who_may_look_at_whom(readers: Readers) -> None:
    """A child is nobody to strangers and known to the guardian and the trusted; a child sees no names of strangers."""
    for who, status in ((None, 404), (GUEST, 404), (EVE, 404), (ANN, 200), (BOB, 200), (KID, 200)):
        answer = readers[who].get("/api/players/kid")
        assert answer.status_code == status, who
        assert status == 200 or answer.json()["detail"] == errors.NO_PLAYER
        assert readers[who].get("/api/players/kid/games").status_code == status
    assert readers[KID].get("/api/players/eve").status_code == 404
    opponents = readers[KID].json("/api/players/anna")["opponents"]
    assert {one["name"] for one in opponents} == {"bob", "kid", "A player"}
    for name in ("nobody", guest_name(GUEST), "x" * 200, "%00", "%ff", "%ed%a0%80"):
        assert readers[None].get(f"/api/players/{name}").status_code == 404


def test_all_games_as_one_stream(readers: Readers) -> None:
    """In every form, and as the reader may see them: the owner all, others games with people, and late ones later."""
    text = readers[None].get("/api/players/anna/games").text
    records = list(read_records(io.StringIO(text)))
    assert [(one.result, len(one.moves), one.error) for one in records] == [
        ("0-1", 2, None),
        ("0-1", 2, None),
        ("1-0", 3, None),
        ("*", 1, None),
        ("0-1", 2, None),
        ("*", 0, None),
    ][: len(records)]
    assert len(records) == 5
    assert records[0].tags["White"] == "anna"
    assert (records[1].tags["WhiteElo"], records[0].tags["Event"]) == ("1800", "Rated game")
    assert records[4].tags["White"] == "Sunny."
    own = list(read_records(io.StringIO(readers[ANN].get("/api/players/anna/games").text)))
    assert [one.tags["Site"][-12:] for one in own] == [letter * 12 for letter in "abcdefgh"]
    assert own[4].tags["Black"].startswith("Korgool")
    assert own[4].tags.get("WhiteElo") is None
    lines = [json.loads(line) for line in readers[None].get("/api/players/anna/games", format="json").text.splitlines()]
    assert [line["id"][0] for line in lines] == list("abcdf")
    assert lines[1]["white"] == {"name": "eve", "rating": 1800}
    assert (lines[0]["moves"], lines[0]["result"], lines[0]["termination"]) == ([7, 7], "0-1", "resignation")
    assert (lines[3]["result"], lines[3]["ended"], lines[3]["moves"]) == ("*", None, [3])
    bare = readers[None].get("/api/players/anna/games", format="bare")
    assert bare.text.split() == ["77", "77", "775", "3", "77"]
    assert bare.headers["content-disposition"] == 'attachment; filename="korgool-games-bare.txt"'
    assert len(readers[None].get("/api/players/anna/games", format="tgk").text.split("[White ")) == 6
    assert len(readers[None].get("/api/players/anna/games", format="coordinates").text.splitlines()) == 5
    assert readers[None].get("/api/players/anna/games", format="csv").status_code == 422


def test_the_stream_comes_a_few_games_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many games there are, and in the order in which they were begun."""
    monkeypatch.setattr(game_export, "_KEYS_AT_ONCE", 7)
    storage = Storage.open(ServerSettings(data=tmp_path))
    games = random_games(3, 40, players=2)
    for done in [storage.writer.submit(one) for one in games]:
        done.result(PATIENCE)
    who = "player00".ljust(22, "x")
    export = game_export.GameExport(storage, who, PersonRepository(storage.engine).person(who), "json", "", now_ms())
    pieces = list(iter(export.next, None))
    assert len(pieces) == 6
    lines = [json.loads(line) for line in b"".join(pieces).splitlines()]
    assert [line["id"] for line in lines] == [one.game for one in games]
    storage.close()


def test_ones_own_games_are_searched_and_come_in_pages(readers: Readers) -> None:
    def found(**query: Any) -> str:
        return "".join(one["id"][0] for one in readers[ANN].json("/api/account/games", **query)["games"])

    assert found() == "hgfedcba"
    pages, after = [], ""
    while after is not None:
        answer = readers[ANN].json("/api/account/games", most=3, **({"after": after} if after else {}))
        pages.append("".join(one["id"][0] for one in answer["games"]))
        after = answer["next"]
    assert pages == ["hgf", "edc", "ba"]
    assert found(opponent="Bob") == "hga"
    assert found(opponent="engine") == "e"
    assert found(opponent="nobody") == ""
    assert found(game="bestemshe") == "d"
    assert [found(result=one) for one in ("won", "lost", "drawn", "running", "aborted")] == ["hfecb", "a", "", "d", "g"]
    assert (found(rated="true"), found(rated="false")) == ("hgcba", "fed")
    day = datetime.fromtimestamp(AT / 1000, UTC).date()
    assert found(since=str(day + timedelta(days=1)), until=str(day + timedelta(days=2))) == "cb"
    first = readers[ANN].json("/api/account/games", opponent="eve")["games"][0]
    assert (first["side"], first["opponent"], first["result"], first["rating"][0]) == ("black", "eve", "won", 1338)
    assert readers[KID].json("/api/account/games", opponent="eve")["games"] == []
    assert readers[GUEST].json("/api/account/games")["games"][0]["opponent"] == "anna"
    for wrong in ({"after": "x"}, {"game": "chess"}, {"result": "good"}, {"since": "today"}, {"until": "2026-02-30"}):
        assert readers[ANN].get("/api/account/games", **wrong).status_code == 422
    assert readers[ANN].get("/api/account/games", most=101).status_code == 400
    assert readers[None].get("/api/account/games").status_code == 401


def test_the_best_players(readers: Readers) -> None:
    told = readers[None].json("/api/ratings/toguz/rapid")
    assert [(one["rank"], one["name"], one["bot"]) for one in told] == [(1, "bot", True), (2, "eve", False)]
    assert told[0]["rating"] == 2000
    assert readers[KID].json("/api/ratings/toguz/rapid")[1]["name"] == "A player"
    assert readers[None].json("/api/ratings/bestemshe/days") == []
    for path in ("chess/rapid", "toguz/quick"):
        assert readers[None].get(f"/api/ratings/{path}").status_code == 404


def test_who_is_deleted_or_locked_is_not_among_the_best(tmp_path: Path) -> None:
    """Nor does somebody deleted take a place in a short list."""
    settings = ServerSettings(data=tmp_path)
    storage = Storage.open(settings)
    open_account(storage.engine, ANN)
    open_account(storage.engine, BOB, locked_ms=AT)
    open_account(storage.engine, EVE)
    with storage.engine.begin() as connection:
        for number, who in enumerate((ANN, BOB, EVE)):
            sure = Standing(Glicko(1700 + 100 * number, 60, 0.06), 40, AT, 0)
            connection.execute(standings.insert().values(standing_row((who, "toguz", "rapid"), sure)))
    delete_account(PeopleTransactions(storage.engine), EVE, AT)
    storage.close()
    with asked_inside(settings) as inside:
        reader = inside.reader(None)
        assert [one["name"] for one in reader.json("/api/ratings/toguz/rapid", most=1)] == ["anna"]
        page = reader.get("/players", game="toguz", speed="rapid").text
        assert [one for one in ("/player/anna", "/player/bob", "/player/eve", "Deleted player") if one in page] == [
            "/player/anna"
        ]


# Pages


def test_pages_of_players_are_made_for_each_reader(readers: Readers) -> None:
    shown = readers[None].get("/player/anna").text
    for part in ("<h1>anna</h1>", "polyline", "3 rated games", ">bob</a>", "Sunny.", "format=json", "10+5"):
        assert part in shown
    assert "/player/kid" not in shown
    assert "/player/kid" in readers[BOB].get("/player/anna").text
    assert "A player" in readers[KID].get("/player/anna").text
    assert 'class="bot"' in readers[None].get("/player/bot").text
    assert "No rated game so far." in readers[ANN].get("/player/kid").text
    assert readers[None].get("/player/kid").status_code == readers[None].get("/player/x").status_code == 404


def test_ones_own_games_are_a_page_with_a_form(readers: Readers) -> None:
    page = readers[ANN].get("/games").text
    assert [letter for letter in "abcdefgh" if f"/games/{letter * 12}" in page] == list("abcdefgh")
    found = readers[ANN].get("/games", opponent="bob", result="lost").text
    assert "/games/aaaaaaaaaaaa" in found
    assert "/games/hhhhhhhhhhhh" not in found
    assert 'value="bob"' in found
    assert "No game fits." in readers[ANN].get("/games", game="mangala").text
    assert "You have not played yet." in readers[None].get("/games").text
    assert readers[ANN].get("/games", game="chess").status_code == 422


def test_older_games_are_a_link_away(readers: Readers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_pages, "_AT_ONCE", 3)
    page = readers[ANN].get("/games", rated="yes").text
    (following,) = re.findall(r'href="(/games\?[^"]+)" rel="next"', page)
    page = readers[ANN].get(html.unescape(following)).text
    assert "/games/bbbbbbbbbbbb" in page
    assert "/games/cccccccccccc" not in page
    assert "Newest games" in page


def test_the_best_are_a_page(readers: Readers) -> None:
    page = readers[None].get("/players", game="toguz", speed="rapid").text
    assert page.index("/player/bot") < page.index("/player/eve")
    assert "A player" in readers[KID].get("/players").text
    assert "settled rating" in readers[None].get("/players", speed="days").text
    assert readers[None].get("/players", game="chess").status_code == 404


def test_the_form_offers_rated_games_to_accounts_alone(readers: Readers) -> None:
    assert 'name="rated"' in readers[ANN].get("/friend").text
    for who in (None, GUEST):
        page = readers[who].get("/friend").text
        assert 'action="/challenges"' in page
        assert 'name="rated"' not in page
    assert read_friend_form({"game": "toguz", "to": "link", "clock": "5+3", "rated": "yes"}).rated


@pytest.mark.parametrize("language", [one for one in LANGUAGES if one != "en"])
def test_pages_speak_the_language_of_the_reader(readers: Readers, language: str) -> None:
    gettext = translations(language).gettext
    told = readers[None].get("/player/anna", accept_language=language)
    for message in ("Ratings", "Record against each opponent", "Latest games", "All games as one file"):
        assert gettext(message) in told.text
    for speed in Speed:
        page = readers[None].get("/players", accept_language=language, speed=speed.value).text
        assert gettext(SPEED_NAMES[speed]) in page
    for result in RESULT_NAMES.values():
        assert gettext(result) in readers[ANN].get("/games", accept_language=language).text


def test_postgresql_answers_the_same_questions() -> None:
    """Times are longer than 32 bits, and every condition of a search is one that it knows."""
    with postgresql_database() as url:
        settings = ServerSettings(database=url)
        prepare(settings)
        storage = Storage.open(settings)
        try:
            now, played = now_ms(), PlayerGamesRepository(storage.engine)
            persons, profiles = PersonRepository(storage.engine), ProfileRepository(storage.engine)
            games = GameRepository(storage.engine)
            profile = profiles.profile(persons.person(ANN), now)
            assert (profile.total.won, profile.total.lost, len(profile.opponents)) == (3, 1, 4)
            assert next(shown.rating for shown, _ in profile.ratings.values()) != 1500
            assert [one.who for one in profiles.best("toguz", Speed.RAPID, now, 10)] == [
                BOT,
                EVE,
            ]
            found = {result: played.page(ANN, GameFilter(result=result), None, 50)[0] for result in RESULTS}
            assert ["".join(one.id[0] for one in part) for part in found.values()] == ["hfecb", "a", "", "d", "g"]
            wanted = GameFilter((BOB,), game="toguz", rated=True, since=AT, until=now)
            assert [one.id[0] for one in played.page(ANN, wanted, (now, "x"), 50)[0]] == ["h", "g", "a"]
            assert [one.id[0] for one in played.public(ANN, now, 50)] == list("fdcba")
            export = game_export.GameExport(storage, ANN, persons.person(None), "bare", "", now)
            assert b"".join(iter(export.next, None)).split() == [b"77", b"77", b"775", b"3", b"77"]
            assert [one.id[0] for one in games.running(now)] == ["d"]
            assert games.finished(now) == []
            assert [one.id[0] for one in games.finished(now + 3_600_000)] == ["h"]
        finally:
            storage.close()


def test_the_picture_of_a_rating_holds_all_of_it_with_its_middle_in_the_middle() -> None:
    def picture(*ratings: int, deviation: int) -> list[list[tuple[float, float]]]:
        found = RatingGraph.of([RatingPoint(at, rating, deviation) for at, rating in enumerate(ratings)])
        assert found is not None
        assert (found.low, found.high, found.games) == (min(ratings), max(ratings), len(ratings))
        places = [
            [(float(x), float(y)) for x, y in re.findall(r"(\S+),(\S+)", text)] for text in (found.line, found.band)
        ]
        assert found.last == places[0][-1]
        return places

    line, band = picture(1500, 1500, 1500, deviation=50)
    assert line == [(6, HEIGHT / 2), (WIDTH / 2, HEIGHT / 2), (WIDTH - 6, HEIGHT / 2)]
    assert [y for _, y in band] == [6] * 3 + [HEIGHT - 6] * 3, "the better the rating, the higher"
    assert picture(1500, 1500, deviation=5)[1][0][1] > 60, "a small change looks small"
    line, band = picture(1400, 1900, 1300, deviation=100)
    assert (min(y for _, y in band), max(y for _, y in band)) == (6, HEIGHT - 6)
    assert line[1][1] < line[0][1] < line[2][1]
    assert RatingGraph.of([RatingPoint(0, 1500, 50)]) is None
