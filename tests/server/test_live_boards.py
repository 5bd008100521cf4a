"""Live boards of an event: kept by officials, seen by readers only after the delay, and becoming the games' records."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.app.printing.event_games import record_forms
from korgool.app.printing.paper_context import PaperContext
from korgool.app.server.core import wall_clock
from korgool.app.server.events.boards import service as live_service
from korgool.competition.broadcast import Broadcast
from korgool.competition.model import Settings
from korgool.competition.roles import Boards, DeskRole, Officer
from korgool.languages import LANGUAGES
from korgool.notation import parse_records
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Game, Rules

from .desk_events import AtDesk, account_of, at_desk, competitions_of
from .members import Browser, Site, on_site
from .support import Json
from .test_desk_disputes import beside

CUP = Settings(name="Cup", rounds=3, live=Broadcast(boards=4))
DELAY = 600


class Hands:
    """Time by the hand of a test: seconds pass when it says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ms = wall_clock.now_ms()
        monkeypatch.setattr(live_service, "now_ms", lambda: self.ms)

    def pass_by(self, seconds: float) -> None:
        self.ms += round(1000 * seconds)


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return Hands(monkeypatch)


def finished(rules: Rules = TOGUZ_KORGOOL, seed: int = 1) -> Game:
    game, chance = Game(rules), Random(seed)
    while game.outcome() is None:
        game.play(chance.choice(game.position.legal_moves()))
    return game


async def event(site: Site, settings: Settings = CUP) -> AtDesk:
    desk = await at_desk(site, "Ann", settings, *"ABCDEFGH")
    await desk.do({"do": "pair", "round": 1, "lot": "a"})
    await competitions_of(site).show(desk.competition, public=True)
    return desk


def entries(moves: Sequence[int], begin: int = 1, name: str = "e") -> list[Json]:
    return [
        {"id": f"{name}{begin + at}", "do": "move", "ply": begin + at, "hole": hole} for at, hole in enumerate(moves)
    ]


KEEP: Json = {"id": "keep", "do": "keep"}


class Sheets:
    """A device that keeps a board."""

    def __init__(self, desk: AtDesk, board: int = 1, device: str = "phone", group: str = "") -> None:
        self.browser, self.device = desk.browser, device
        self.path = f"/api/events/{group or desk.competition.id}/boards/{board}/sheet"

    async def write(self, *said: Json, status: int = 200) -> Json:
        answer = await self.browser.ask("POST", self.path, {"device": self.device, "entries": said})
        assert answer.status_code == status, (answer.status_code, answer.text)
        found: Json = answer.json()
        return found

    async def read(self) -> Json:
        found: Json = await self.browser.told("GET", f"{self.path}?device={self.device}")
        return found


async def public_texts(reader: Browser, id_: str) -> dict[str, str]:
    """Everything that a reader without a role can ask of an event."""
    found = {}
    for path in (
        "",
        "/live",
        "/live/screen",
        "/live/1",
        "/live/2",
        "/rounds/1",
        "/rounds/1/large",
        "/rounds/1/names",
        "/games",
        "/rounds/1/boards/1",
        "/players/1",
        "/wall/1",
        "/standings",
        "/entries",
    ):
        found[path] = (await reader.client.get(f"/events/{id_}{path}", headers={"accept": "text/html"})).text
    for path in (
        "live",
        "public",
        "games.pgn",
        "rounds/1",
        "standings",
        "boards/1/sheet",
        "boards/1/sheet?device=phone",
    ):
        found[path] = (await reader.client.get(f"/api/events/{id_}/{path}")).text
    return {path: re.sub(r"\d{13}", "now", text) for path, text in found.items()}  # the wall shows the time


def test_an_official_keeps_a_sheet_and_readers_see_it(tmp_path: Path, hands: Hands) -> None:
    async def test(site: Site) -> None:
        ann = await event(site)
        sheets = Sheets(ann)
        assert (await sheets.read())["kept"] is None
        told = await sheets.write(KEEP, *entries([3, 4, 9]))
        assert (told["moves"], told["kept"], told["mine"], told["confirmed"]) == ([3, 4, 9], "official", True, True)
        again = await sheets.write(KEEP, *entries([3, 4, 9]))
        assert again == told, "what has an id that is known happens once"
        refused = await sheets.write(*entries([1, 99, 2], 4), status=422)
        assert (refused["done"], refused["sheet"]["moves"]) == (1, [3, 4, 9, 1]), "what came before it stands"
        other = Sheets(ann, device="tablet")
        refused = await other.write(*entries([2], 5), status=409)
        assert refused["detail"] == "another device keeps this scoresheet"
        assert refused["sheet"]["mine"] is False
        await other.write({"id": "over", "do": "keep"}, *entries([2], 5))
        assert (await sheets.write(*entries([3], 6, "late"), status=409))["sheet"]["moves"] == [3, 4, 9, 1, 2]
        hands.pass_by(1)  # readers see lines by whole seconds
        (line,) = await site.browser().told("GET", f"/api/events/{ann.competition.id}/live")
        assert (line["board"], line["moves"]) == (1, [3, 4, 9, 1, 2])
        assert line["turns"][0] == "32(10)"
        assert line["position"]
        for language in LANGUAGES:
            for path in ("live", "live/1", "live/screen"):
                page = await site.browser().client.get(
                    f"/events/{ann.competition.id}/{path}", headers={"accept-language": language}
                )
                assert "<svg" in page.text, (path, page.status_code, page.text[:300])
        assert (await site.browser().client.get(f"/events/{ann.competition.id}/live/2")).status_code == 404

    on_site(tmp_path, test)


def test_readers_see_nothing_before_its_delay_by_any_address(tmp_path: Path, hands: Hands) -> None:
    game = finished()

    async def test(site: Site) -> None:
        ann = await event(site, Settings(name="Cup", rounds=3, live=Broadcast(boards=4, delay=DELAY)))
        id_, reader = ann.competition.id, site.browser()
        await reader.visit()
        blank = await public_texts(reader, id_)
        sheets = Sheets(ann)
        await sheets.write(KEEP, *entries(game.moves[:7]))
        hands.pass_by(DELAY - 2)
        await sheets.write(*entries(game.moves[7:], 8))
        assert await public_texts(reader, id_) == blank, "not one letter anywhere has changed"
        hands.pass_by(3)
        (line,) = await reader.told("GET", f"/api/events/{id_}/live")
        assert line["moves"] == list(game.moves[:7]), "the later ones wait for their own time"
        tag = (await reader.client.get(f"/events/{id_}/live")).headers["etag"]
        page = await reader.client.get(f"/events/{id_}/live", headers={"if-none-match": tag})
        assert page.status_code == 304
        assert (await public_texts(reader, id_))["games.pgn"] == blank["games.pgn"]
        hands.pass_by(DELAY - 4)
        assert (await reader.told("GET", f"/api/events/{id_}/live"))[0]["moves"] == list(game.moves[:7])
        assert not ann.competition.state.rounds[0].games[0].records, "the record too waits"
        hands.pass_by(5)
        (line,) = await reader.told("GET", f"/api/events/{id_}/live")
        outcome = game.outcome()
        assert outcome is not None
        assert (line["moves"], line["result_text"]) == (list(game.moves), outcome.result_text)
        await attached(site, ann)
        (record,) = parse_records((await reader.client.get(f"/api/events/{id_}/games.pgn")).text)
        assert record.moves == game.moves
        assert record.tags["White"]
        assert "live board 1" in await ann.look("/log")
        await ann.do({"do": "change", "settings": {**_plain(ann), "live": {"boards": 0, "delay": 0}}})
        assert (await reader.told("GET", f"/api/events/{id_}/live")) == []
        assert (await reader.client.get(f"/events/{id_}/live")).status_code == 404

    on_site(tmp_path, test)


def _plain(desk: AtDesk) -> Json:
    from korgool.competition.codec import plain

    found: Json = plain(desk.competition.state.event)
    return found


def text_of(game: Game) -> str:
    outcome = game.outcome()
    assert outcome is not None
    return outcome.result_text


async def attached(site: Site, desk: AtDesk, number: int = 1) -> None:
    """Wait until the record of the first board of a round, whose result is entered, is in the log."""
    boards = site.app.state.live_boards
    game = desk.competition.state.rounds[number - 1].games[0]
    if game.result is None:
        sheet = await boards.sheet(desk.competition, game)
        await desk.do({"do": "result", "round": number, "board": 1, "result": sheet.result_text()})
    boards._woken.set()
    for _ in range(200):
        if desk.competition.state.rounds[number - 1].games[0].records:
            return
        await asyncio.sleep(0.02)
    raise AssertionError("no record came")


def test_a_correction_after_the_end_replaces_the_record_and_never_that_of_an_official(tmp_path: Path) -> None:
    first, second = finished(seed=1), finished(seed=2)

    async def test(site: Site) -> None:
        ann = await event(site)
        sheets = Sheets(ann)
        await sheets.write(KEEP, *entries(first.moves))
        await attached(site, ann)
        games = ann.competition.state.rounds[0].games
        before = games[0].records
        await ann.do({"do": "correct", "round": 1, "board": 1, "result": text_of(second), "reason": "misread"})
        await sheets.write({"id": "u", "do": "undo", "ply": 0}, *entries(second.moves, name="s"))
        for _ in range(200):
            if ann.competition.state.rounds[0].games[0].records != before:
                break
            await asyncio.sleep(0.02)
        (record,) = parse_records(ann.competition.state.rounds[0].games[0].records[0])
        assert record.moves == second.moves
        mine = "1. 32(10) 43(2) *"
        await ann.do({"do": "attach", "round": 1, "board": 1, "records": [mine]})
        await sheets.write({"id": "v", "do": "undo", "ply": 0}, *entries(first.moves, name="t"))
        await asyncio.sleep(0.2)
        assert ann.competition.state.rounds[0].games[0].records == (mine,)

    on_site(tmp_path, test)


def test_a_server_that_is_killed_forgets_nothing_that_it_acknowledged(tmp_path: Path) -> None:
    game = finished()
    id_: list[str] = []

    async def before(site: Site) -> None:
        ann = await event(site)
        id_.append(ann.competition.id)
        await Sheets(ann).write(KEEP, *entries(game.moves[:5]))

    async def after(site: Site) -> None:
        ben = site.browser()
        await ben.visit()
        await ben.sign_in("Ann")
        officer = Officer(account_of(site, "Ann"), "Ann", DeskRole.ORGANISER)
        desk = AtDesk(ben, await competitions_of(site).find(id_[0]), officer)
        sheets = Sheets(desk)
        told = await sheets.read()
        assert (told["moves"], told["mine"]) == (list(game.moves[:5]), True)
        await sheets.write(*entries(game.moves[3:], 4))
        await attached(site, desk)

    on_site(tmp_path, before)
    on_site(tmp_path, after)


def test_roles_ranges_and_strangers(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await event(site)
        typist = await beside(site, ann, "Ben", DeskRole.RESULTS)
        sector = await beside(site, ann, "Cem", DeskRole.SECTOR, Boards(2, 3))
        looker = await beside(site, ann, "Dan", DeskRole.SPECTATOR)
        check_in = await beside(site, ann, "Eva", DeskRole.CHECK_IN)
        await Sheets(typist).write(KEEP)
        await Sheets(sector, 2).write(KEEP)
        await Sheets(sector, 1).write(KEEP, status=403)
        await Sheets(looker).write(KEEP, status=403)
        await Sheets(check_in).write(KEEP, status=403)
        stranger = site.browser()
        await stranger.visit()
        path = f"/api/events/{ann.competition.id}/boards/1/sheet"
        assert (await stranger.ask("POST", path, {"device": "x", "entries": [KEEP]})).status_code == 403
        assert (await stranger.ask("GET", path)).status_code == 403
        await Sheets(ann, 99).write(KEEP, status=404)

    on_site(tmp_path, test)


@pytest.mark.parametrize(
    "body",
    [
        {},
        [],
        {"device": "", "entries": [KEEP]},
        {"device": "x" * 41, "entries": [KEEP]},
        {"device": "x", "entries": []},
        {"device": "x", "entries": [KEEP] * 201},
        {"device": "x", "entries": [{"do": "keep"}]},
        {"device": "x", "entries": [{"id": "", "do": "keep"}]},
        {"device": "x", "entries": [{"id": "a", "do": "win"}]},
        {"device": "\0", "entries": [KEEP]},
        {"device": "x", "entries": [KEEP | {"hole": 1.5}]},
        {"device": "x", "entries": [KEEP | {"more": 1}]},
        {"device": "x", "entries": "keep"},
        {"device": "x", "entries": [KEEP | {"side": "green"}]},
    ],
    ids=str,
)
def test_what_is_no_request_is_refused(body: object, tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await event(site)
        path = f"/api/events/{ann.competition.id}/boards/1/sheet"
        answer = await ann.browser.ask("POST", path, body)
        assert answer.status_code in (400, 422), answer.text
        assert answer.json()["detail"]
        assert (await ann.browser.told("GET", path))["lines"] == 0

    on_site(tmp_path, test)


def test_a_board_that_is_paired_anew_begins_a_new_sheet(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await event(site)
        await Sheets(ann).write(KEEP, *entries([3, 4]))
        last = ann.competition.seq
        await ann.do({"do": "undo", "line": last, "reason": "wrong"})
        await ann.do({"do": "pair", "round": 1, "lot": "b"})
        told = await Sheets(ann).read()
        if told["white"] != "A":
            assert (told["moves"], told["kept"]) == ([], None)

    on_site(tmp_path, test)


def test_a_match_of_mangala_is_kept_set_by_set(tmp_path: Path) -> None:
    first, second = finished(MANGALA, 1), finished(MANGALA, 2)

    async def test(site: Site) -> None:
        ann = await event(site, Settings(name="Cup", game="mangala", sets=2, rounds=3, live=Broadcast(boards=4)))
        sheets = Sheets(ann)
        await sheets.write(KEEP, *entries(first.moves))
        told = await sheets.write(
            {"id": "n", "do": "next"}, *({**one, "set": 2} for one in entries(second.moves, name="s"))
        )
        assert told["over"]
        assert told["settled"]
        assert ";" in told["result"]
        await attached(site, ann)
        assert len(ann.competition.state.rounds[0].games[0].records) == 2

    on_site(tmp_path, test)


async def seats(site: Site, desk: AtDesk, board: int = 1) -> tuple[str, str]:
    """The addresses of the sheets of both seats at a board."""
    white, black = (await site.app.state.table_phones.codes(desk.competition, [board]))[board]
    return tuple(f"/api/events/{desk.competition.event_id}/table/{code}/sheet" for code in (white, black))  # type: ignore[return-value]


def test_players_keep_and_confirm_by_their_codes_and_nobody_else_does(tmp_path: Path) -> None:
    game = finished()

    async def test(site: Site) -> None:
        ann = await event(site, replace(CUP, phones=True))
        white, black = await seats(site, ann)
        one, two, stranger = [await site.browser().visit() for _ in range(3)]

        async def write(browser: Browser, path: str, device: str, *said: Json) -> tuple[int, Json]:
            answer = await browser.ask("POST", path, {"device": device, "entries": said})
            return answer.status_code, answer.json()

        assert (await write(one, white, "w", KEEP, *entries(game.moves[:4])))[0] == 200
        status, told = await write(two, black, "b", {"id": "o", "do": "object", "ply": 2})
        assert (status, told["objections"], told["kept"], told["mine"]) == (200, [2], "white", False)
        status, refused = await write(two, black, "b", *entries([1], 5, "x"))
        assert (status, refused["done"], refused["sheet"]["moves"]) == (409, 0, list(game.moves[:4]))
        assert (await write(two, black, "b", {"id": "p", "do": "agree", "ply": 4}))[1]["objections"] == []
        await write(one, white, "w", *entries(game.moves[4:], 5))
        count = len(game.moves)
        other = {"id": "q", "do": "agree", "ply": count, "side": "white"}
        assert (await write(two, black, "b", other))[0] == 422, "nobody confirms for the other"
        status, told = await write(two, black, "b", {"id": "r", "do": "agree", "ply": count})
        outcome = game.outcome()
        assert outcome is not None
        assert (status, told["settled"], told["result"]) == (200, True, outcome.result_text)
        assert (await write(one, white, "w", {"id": "z", "do": "undo", "ply": 3}))[0] == 422
        assert (await Sheets(ann, device="desk").write({"id": "over", "do": "keep"}))["kept"] == "official"
        await attached(site, ann)
        wrong = white.replace(white.split("/")[-2], "a" * 8)
        assert (await write(stranger, wrong, "x", KEEP))[0] == 404
        assert (await stranger.ask("GET", wrong)).status_code == 404
        page = await stranger.client.get(white.removeprefix("/api"))
        assert (page.status_code, page.headers["cache-control"]) == (200, "no-store")
        await ann.do(*({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (2, 3, 4)))
        await ann.do({"do": "pair", "round": 2, "lot": "a"})
        assert (await write(one, white, "w", KEEP))[0] == 410, "the round is over"

    on_site(tmp_path, test)


def test_the_record_form_is_printed_from_the_sheet(tmp_path: Path) -> None:
    game = finished()

    async def test(site: Site) -> None:
        ann = await event(site)
        await Sheets(ann).write(KEEP, *entries(game.moves))
        await attached(site, ann)
        form = record_forms(PaperContext(ann.competition.state, "ru", "a4", 1))[0]
        assert form.record is not None
        assert form.record.moves == game.moves

    on_site(tmp_path, test)
