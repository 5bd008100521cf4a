"""Every page of the site and of the desk, read as people read it, in five languages: no text is markup or an entity.

A sentence that is escaped twice shows them. The pages are found by following the links from the first one; a page that
is not reached is named here.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import httpx

from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.tables.service import TablePhones
from korgool.app.words.people import WORDING
from korgool.competition.model import Settings, System
from korgool.competition.prize_fund import read_fund
from korgool.languages import LANGUAGES
from tests.recorded import check_recorded, page_lines

from .classrooms import form, make_room
from .desk_events import AtDesk, at_desk
from .doors import doors
from .members import PASSWORD, Browser, Site, on_site
from .support import Json
from .test_event_doors import act, seq_of
from .test_event_groups import championship

READING = {"accept": "text/html"}
RECORDED = Path(__file__).with_name("recorded") / "pages.txt"
_MARKUP = re.compile(r"</?[a-z][^>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z]{2,8});", re.IGNORECASE)
_SPOKEN = {"alt", "title", "aria-label", "placeholder", "content", "value"}
NO_PAGES = re.compile(
    r"^/(?:api|openapi|static|healthz|metrics|sw\.js|living-board|analysis/boards|puzzles?(?:/|$)|class/[^/]+/puzzles/|classes/[^/]+/(?:file|certificates)$|favicon|robots|manifest|\.well-known)"
    r"|\.(?:png|gif|ics|json|svg|css|js|txt|pgn|pdf|zip|korgool|ico|webmanifest)$|/record/|/picture|/(?:photo|paper)$|/(?:files|papers)/"
)
"""Addresses that lead to something else than a page."""
PASSING = [
    (re.compile(r"<input type=hidden name=_csrf_token value=[0-9a-f]+>"), ""),
    (re.compile(r"(?<=name=once value=)\S+?(?=[ >])"), "…"),
    (re.compile(r"(<time datetime=)20[^>]*>[^<|]*?(UTC|, 20\d\d)"), r"\1…>"),
    (re.compile(r"\b[A-Z][a-z]{2} \d\d?, 20\d\d"), "…"),
    (re.compile(r"gacrux [0-9.]+"), "gacrux …"),
    (re.compile(r"(?<=/events/)[0-9a-z]{8}\b"), "…"),
    (re.compile(r"(?<=name=ends value=)20\S+ min=20\S+ max=20[\d-]+"), "…"),
    (re.compile(r"(?<=/class/)[0-9a-z]{8}\b|(?<=/classes/)[0-9a-z]{8}\b"), "…"),
    (re.compile(r"\b\d{4} \d{4}\b|\b[0-9a-f]{8}\b"), "…"),
    (re.compile(r"(?<=/games/next\?after=)\w{12}\b"), "…"),
    (
        re.compile(r"(/(?:games|c|children|blocks|tokens|helpers|h|bots|join|studies)/)(?=[\w-]*[0-9A-Z])[\w-]{8,}"),
        r"\1…",
    ),
]
"""What is new in every run, or with another release of the pairing engine."""
GUIDE = re.compile(r'<details class="guide">.*?</details>', re.DOTALL)
PROSE = {"/about", "/help", "/rules/{game}", "/learn", "/learn/{game}", "/learn/{game}/{stop}", "/learn/{game}/first"}
"""Pages that hold a text which has tests of its own, as the guide of the desk has."""
NOT_REACHED = {
    "/wish",  # holds what a form has sent: `test_wishes.py` reads it
    "/mail/confirm/{token}", "/mail/stop/{token}", "/seat/{token}",  # by a link in a mail
    "/events/{event_id}/boards/{board}", "/events/{event_id}/desk/round", "/events/{event_id}/wall",
    "/games/next",  # lead elsewhere
    "/events/{event_id}/enter/{token}",  # by the link of an applicant: `test_applications.py` reads it
}  # fmt: skip


class Text(HTMLParser):
    """What a page says: its text, and the attributes that are read out or shown."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.links: list[str] = []
        self._silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._silent = tag if tag in ("script", "style") else self._silent
        for name, value in attrs:
            if value and (name in _SPOKEN or name.startswith("data-")):
                self.parts.append(value)
            if value and name == "href":
                self.links.append(value)

    def handle_endtag(self, tag: str) -> None:
        self._silent = "" if tag == self._silent else self._silent

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.parts.append(data)


def read(page: str) -> Text:
    text = Text()
    text.feed(page)
    return text


def wrong_in(page: str) -> list[str]:
    return [part for part in read(page).parts if _MARKUP.search(part)]


def test_what_is_escaped_twice_is_found() -> None:
    assert wrong_in(
        '<p title="a &amp;amp; b">until &lt;time datetime="x"&gt;now&lt;/time&gt;</p><script>"<b>"</script>'
    )
    assert not wrong_in('<p title="a &amp; b">5 &lt; 6, R&amp;D <time datetime="x">now</time></p>')


async def event(ann: AtDesk) -> None:
    """Two rounds with everything that a page may tell."""
    await ann.do(
        {"do": "pair", "round": 1, "lot": "1"},
        *({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)),
        {"do": "publish"},
        *({"do": "warn", "player": 2, "reason": "talks"} for _ in range(4)),
        {"do": "penalise", "player": 3, "half_points": 1, "reason": "form"},
        {"do": "appoint", "name": "Toktogulova", "role": "chief-referee"},
        {"do": "lend", "round": 1, "board": 1, "borrower": "Coach"},
        {"do": "miss", "player": 4, "absence": {"round": 3, "kind": "H"}},
        {"do": "withdraw", "player": 5},
    )
    entry = {"family": "Asanov", "rating": 2000, "team": "North", "groups": ["U16"], "born": 2012, "sex": "m"}
    await ann.do({"do": "pair", "round": 2}, {"do": "amend", "player": 1, "entry": entry})
    await ann.do({"do": "attach", "round": 2, "board": 1, "records": ['[Result "*"]\n\n1. 65 65']})
    await ann.do({"do": "penalise", "player": 4, "half_points": 2, "reason": "form"})
    await ann.do({"do": "undo", "line": ann.competition.seq, "reason": "slip"})


async def furnished(site: Site) -> tuple[list[Browser], list[str]]:
    """People and events; and the addresses to begin with."""
    fund = read_fund("1=30000 KGS; U16 1=cup")
    settings = Settings(name="Cup", rounds=3, begins="2026-09-14", ends="2026-09-16", shown=("born",), fund=fund)
    ann = await at_desk(site, "Ann", settings, "Asanov", "Isaev", "Kim", "Li", "Omurov")
    await event(ann)
    teams = await at_desk(site, "Bob", Settings(name="Teams", rounds=2, system=System.TEAM_SWISS, boards=2))
    entries = [{"family": name, "team": "NSW"[at // 2], "rating": 2000 - at} for at, name in enumerate("ABCDEF")]
    await teams.do(*({"do": "enter", "entry": entry} for entry in entries), {"do": "pair", "round": 1, "lot": "1"})
    groups = await at_desk(site, "Cal", Settings(name="Groups"))
    kept = [{"do": "group", "name": name, "settings": {"name": name, "rounds": 1}} for name in ("Men", "Women")]
    await groups.do(*kept)
    start = ["/", "/offline", "/lobby/list", "/watch/list", "/games/waiting"]
    start += ["/events/join", "/events/new", "/events/upload", "/events/follow"]
    await groups.browser.told("PUT", f"/api/events/{groups.competition.id}", {"public": True})
    for desk in (ann, teams):
        await desk.browser.told("PUT", f"/api/events/{desk.competition.id}", {"public": True})
        given: Json = await desk.browser.told(
            "POST", f"/api/events/{desk.competition.id}/helpers", {"role": "results", "name": "Helper"}
        )
        start += [given["url"].partition("8000")[2], f"{desk.path}/warnings/1", f"{desk.path}/players/list", desk.path]
    public = f"/events/{teams.competition.id}"
    start += [
        f"{ann.path}/round/2/rows?boards=1",
        f"{public}/teams/1",
        f"{public}/standings/players",
        f"{teams.path}/standings/teams",
    ]
    ended = await ann.browser.told("POST", f"/api/events/{ann.competition.id}/helpers", {"role": "results"})
    await ann.browser.told("DELETE", f"/api/events/{ann.competition.id}/helpers/{ended['id']}")
    token = {"_csrf_token": ann.browser.csrf["x-csrftoken"]}
    child = {"name": "Timur", "password": PASSWORD, "wording": WORDING}
    await ann.browser.client.post("/account/children", data=token | child, headers=READING)
    await ann.browser.token("play")
    await teams.browser.told("POST", "/api/account/bots", {"name": "Robo"})
    await ann.browser.told("POST", "/api/account/blocks", {"name": "Bob"})
    made = await ann.browser.told(
        "POST", "/api/challenges", {"game": "toguz", "to": "link", "side": "white", "clock": "3d"}
    )
    eve = await site.browser().visit()
    await eve.sign_up("Eve")
    game = (await eve.told("POST", f"/api/challenges/{made['id']}/accept"))["game"]
    await ann.browser.told("POST", "/api/vacation", {"days": 3})
    other = await ann.browser.told(
        "POST", "/api/challenges", {"game": "toguz", "to": "link", "side": "white", "clock": "none"}
    )
    room = await make_room(site, "Trainer")
    await room.act("add-task", task="stop:sow")
    await form(room.trainer, "/class", digits=await room.code(), name="Kid")
    start += [
        "/class",
        "/classes",
        f"/classes/{room.id}",
        f"/class/{room.id}",
        f"/class/{room.id}/part",
        f"/class/{room.id}/screen/part",
    ]
    study = await room.trainer.told("POST", "/api/studies", {"text": '[StudyName "Openings"]\n\n1. 76(10) *'})
    start += [f"/events/{groups.competition.id}/medals", f"{groups.path}/check-in/groups", f"{groups.path}/players/all"]
    start += ["/studies/device", study["url"]]
    start += [f"/games/{game}", f"/games/{game}/report", f"/c/{other['id']}"]
    return [ann.browser, teams.browser, eve, await site.browser().visit(), room.trainer, groups.browser], start


async def finished(browser: Browser) -> str:
    """A game at one device that has been given up after a move; its address."""
    game = str((await browser.told("POST", "/api/challenges", {"game": "toguz", "to": "self"}))["game"])
    state = await browser.told("GET", f"/api/games/{game}")
    await browser.told("POST", f"/api/games/{game}/move", {"hole": 7, "version": state["version"]})
    await browser.told("POST", f"/api/games/{game}/resign", {})
    return game


def _openness(path: str) -> tuple[int, str]:
    return path.count("{"), path


def patterns() -> dict[str, re.Pattern[str]]:
    """The addresses of all pages, each with what fits it."""
    paths = sorted({door.path for door in doors() if door.looks and not NO_PAGES.search(door.path)}, key=_openness)
    return {path: re.compile(re.sub(r"{\w+}", "[^/]+", path) + r"/?") for path in paths}


async def crawl(browser: Browser, start: list[str]) -> dict[str, tuple[str, str]]:
    """The pages that a browser comes to by links, one for each address of the application: its path and the page."""
    fitting = patterns()
    waiting, seen, found = list(start), set(start), dict[str, tuple[str, str]]()
    while waiting:
        path = waiting.pop()
        name = next((one for one, fits in fitting.items() if fits.fullmatch(path.partition("?")[0])), "")
        if not name or name in found:
            continue
        answer = await browser.client.get(path, headers=READING)
        if answer.is_redirect or "text/html" not in answer.headers.get("content-type", ""):
            continue
        assert answer.status_code < 500, path
        found[name] = path, answer.text
        for link in read(answer.text).links:
            to = str(httpx.URL(f"http://127.0.0.1:8000{path}").join(link)).partition("#")[0]
            at = to.removeprefix("http://127.0.0.1:8000")
            if at.startswith("/") and at not in seen:
                seen.add(at)
                waiting.append(at)
    return found


async def hall(site: Site, browser: Browser, event: str) -> list[str]:
    """Addresses of an event whose results come from phones, and whose first board is followed live."""
    regulations = {"name": "Men", "rounds": 1, "phones": True, "live": {"boards": 1, "delay": 0}}
    await act(browser, event, await seq_of(browser, event), {"do": "change", "group": "Men", "settings": regulations})
    registry: EventRegistry = site.app.state.event_registry
    tables: TablePhones = site.app.state.table_phones
    ((white, _),) = (await tables.codes(await registry.find(event), [1])).values()
    of_table = [f"/table{path}" for path in ("", f"/{white}", f"/{white}/part", f"/{white}/sheet")]
    return [f"/events/{event}{path}" for path in ("/live", "/live/screen", "/live/1", "/stand-by", *of_table)]


def test_no_page_says_markup_or_entities(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browsers, start = await furnished(site)
        start.append(f"/games/{await finished(browsers[2])}/review")
        grouped = await championship(browsers[0])
        start += [
            f"/events/{grouped}/medals",
            f"/events/{grouped}/desk/check-in/groups",
            f"/events/{grouped}/desk/players/all",
        ]
        start += await hall(site, browsers[0], grouped)
        came: set[str] = set()
        for browser in browsers:
            found = await crawl(browser, start)
            for path, page in (found[name] for name in found.keys() - came):
                assert wrong_in(page) == [], path
                for language in (language for language in LANGUAGES if language != "en"):
                    answer = await browser.client.get(path, headers=READING | {"accept-language": language})
                    assert wrong_in(answer.text) == [], (path, language)
            came |= found.keys()
        missing = patterns().keys() - came - NOT_REACHED
        assert not missing, "\n".join(sorted(missing))

    on_site(tmp_path, test)


def test_every_page_says_what_was_recorded(tmp_path: Path) -> None:
    """As its first reader sees it; of what the others see, the lines that the first does not."""
    recorded: dict[str, str] = {}

    async def test(site: Site) -> None:
        browsers, start = await furnished(site)
        first = dict[str, list[str]]()
        for reader, browser in zip(("Ann", "Bob", "Eve", "a guest", "a trainer", "Cal"), browsers, strict=True):
            for name, (_, page) in (await crawl(browser, start)).items():
                if name in PROSE:
                    continue
                said = lasting(page_lines(GUIDE.sub("", page))).splitlines()
                others = said if name not in first else sorted(set(said) - set(first[name]), key=said.index)
                first.setdefault(name, said)
                if others:
                    recorded[f"{name} for {reader}"] = "\n".join(others)

    on_site(tmp_path, test)
    check_recorded(RECORDED, "".join(f"== {name}\n{said}\n\n" for name, said in sorted(recorded.items())))


def lasting(said: str) -> str:
    """What a page says without what is new in every run: names by chance, moments and secrets."""
    for pattern, instead in PASSING:
        said = pattern.sub(instead, said)
    return said
