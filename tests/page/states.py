"""States of the site in which a person looks at a page, each brought about as a person would, or by programs' commands.

`test_walk.py` looks at all of them in every language and size.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from korgool.languages import translations
from korgool.rules import Side
from tests.page.conftest import NewTable
from tests.page.games import Played
from tests.page.phones import QUICK, Phone, seated
from tests.page.table import PLAYABLE, Table, expect
from tests.server.guests import Address, Guest

if TYPE_CHECKING:
    from playwright.sync_api import Page

SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


class Visit:
    """Somebody with a phone and a language, and whoever else a state needs.

    Args:
        table: makes pages.
        address: of the server.
        language: of the phone.
    """

    def __init__(self, table: NewTable, address: str, language: str) -> None:
        self.table, self.address, self.language = table, address, language
        self.text = translations(language).gettext

    def phone(self, **options: Any) -> Phone:
        """A phone that has never been here."""
        made = self.table(SMALL, address=self.address, locale=self.language, expected="404|ERR_", **options)
        made.page.context.add_init_script(QUICK)
        made.page.emulate_media(reduced_motion="reduce")
        return Phone(made, self.language)

    def guest(self) -> Guest:
        """Somebody without a browser."""
        return Guest(Address(self.address))

    def open(self, path: str) -> Page:
        """A page on a new phone."""
        page = self.phone().page
        page.goto(self.address + path)
        return page

    def played(self, game: str = "toguz", plies: int = 0, **terms: Any) -> tuple[Page, Played]:
        """A game against the engine with so many plies, on a new phone."""
        played = Played(self.address, game, "white", plies, **terms)
        page = self.phone().page
        played.sit(page.context)
        page.goto(played.url)
        Table(page, self.address).ready()
        return page, played

    def pair(self, **terms: object) -> tuple[Phone, Phone]:
        """Two phones with a game before them; the first one is White."""
        two = self.phone(), self.phone()
        url = seated(two, Side.WHITE, **terms)
        for phone in two:
            phone.sit(url)
        return two


@dataclass(frozen=True)
class State:
    """A state and its message.

    Attributes:
        name: for pictures, and as the test is called.
        message: the selector of what tells a person of this state; it must lie inside the first screen.
        make: brings it about.
        passing: the message goes by itself, so that there is one look at it.
    """

    name: str
    message: str
    make: Callable[[Visit], Page]
    passing: bool = False


def _plain() -> Iterator[State]:
    """Pages that need nothing but their address."""
    for name, path, message in [
        ("home", "/", ".starts .way >> nth=2"),
        ("home-mangala", "/?game=mangala", ".starts .way >> nth=2"),
        ("new-game", "/play", "h1, h2"),
        ("friend", "/friend", "h1"),
        ("challenge-player", "/challenge", "input[name=player]"),
        ("learn", "/learn", "h1"),
        ("learn-bestemshe", "/learn/bestemshe", "h1"),
        ("lesson", "/learn/toguz/even", "korgool-board[data-ready]"),
        ("lesson-choice", "/learn/toguz/odd", "korgool-board[data-ready]"),
        ("drills", "/learn/toguz/drills", "#drills button"),
        ("lesson-first", "/learn/toguz/first?to=/c/AbCdEfGhIjKl", "korgool-board[data-ready]"),
        ("lesson-game", "/learn/mangala/game", "#lesson-game"),
        ("puzzles", "/puzzles", "h1"),
        ("puzzle", "/puzzle", "#task"),
        ("mistakes-none", "/mistakes", "#nothing-title"),
        ("rules", "/rules/toguz", "h1"),
        ("help", "/help", "h1"),
        ("opponents", "/levels", "h1"),
        ("watch", "/watch", "h1"),
        ("players", "/players", "h1"),
        ("events", "/events", "h1"),
        ("analysis", "/analysis", "korgool-board"),
        ("analysis-game", "/analysis#game=toguz&moves=7,7,2,2&ply=4", "korgool-board"),
        ("settings", "/settings", "h1"),
        ("about", "/about", "h1"),
        ("sign-in", "/sign-in", "form .button"),
        ("sign-up", "/sign-up", "h1"),
        ("your-games-none", "/games", "h1"),
        ("nothing-here", "/nothing-here", ".notice .button"),
        ("no-network", "/offline", "h1"),
    ]:
        yield State(name, message, partial(Visit.open, path=path))


def _lobby(visit: Visit) -> Page:
    for clock in ("3+2", "10+5", "5+3", "1d", "3d", "15+10"):
        visit.guest().challenge(to="lobby", clock=clock)
    page = visit.open("/lobby")
    expect(page.locator(".open-games li").nth(5)).to_be_visible()
    return page


def _game(visit: Visit) -> Page:
    page, _ = visit.played()
    page.locator(PLAYABLE).first.wait_for(state="attached")
    return page


def _after_moves(visit: Visit) -> Page:
    return visit.played(plies=6)[0]


def _looking_back(visit: Visit) -> Page:
    page, _ = visit.played(plies=6)
    page.locator("#previous").click()
    page.locator("#back").wait_for()
    return page


def _wrong_tap(visit: Visit) -> Page:
    page, _ = visit.played(plies=2)
    page.locator(PLAYABLE).first.wait_for(state="attached")
    page.locator('.hole-button[data-side="black"]:not([data-hole="1"])').first.tap(force=True)
    page.locator("korgool-board .why:visible").wait_for()
    return page


def _hint(visit: Visit) -> Page:
    page, _ = visit.played(plies=2)
    page.locator(PLAYABLE).first.wait_for(state="attached")
    page.locator("#hint").click()
    page.locator("#hinted:visible").wait_for()
    return page


def _help(visit: Visit) -> Page:
    page, _ = visit.played()
    page.locator("#keys").click()
    page.locator("dialog[open]").wait_for()
    return page


def _lost(visit: Visit) -> Page:
    page, played = visit.played(plies=4)
    version = played.visitor.state(played.id)["version"]
    played.visitor.send(played.id, "resign", version=version).raise_for_status()
    page.locator("#outcome:visible").wait_for()
    return page


def _resigning(visit: Visit) -> Page:
    white, black = visit.pair()
    white.sow(7, 1)
    black.sow(7, 2)
    more = white.page.locator("#more:visible")
    if more.count():
        more.click()
    white.page.locator("#resign:visible").click()
    white.page.locator("#confirm[open]").wait_for()
    return white.page


def _send(phone: Phone, command: str) -> None:
    """Give a command of the game on a phone, as a program would."""
    phone.post(f"/api/games/{phone.table.id}/{command}", version=phone.table.state()["version"])


def _offered(kind: str, *commands: str) -> Callable[[Visit], Page]:
    def make(visit: Visit) -> Page:
        two = visit.pair()
        two[0].sow(7, 1)
        two[1].sow(7, 2)
        for command in commands:
            _send(two[1], command)
        two[0].page.locator(f"#{kind}-asked:visible").wait_for()
        return two[0].page

    return make


def _phrase(visit: Visit) -> Page:
    two = visit.pair()
    two[1].tap("Say something")
    two[1].page.get_by_role("menuitem", name=two[1].text("Well played!"), exact=True).tap()
    two[0].page.locator("#connection:visible").wait_for()
    return two[0].page


def _next_game(visit: Visit) -> Page:
    two = visit.phone(), visit.phone()
    urls = [seated(two, clock="3d") for _ in range(2)]
    two[0].sit(urls[0])
    two[0].sow(7, 1)
    two[0].page.locator("#next-waiting:visible").wait_for()
    return two[0].page


def _ended_between_people(visit: Visit) -> Page:
    two = visit.pair()
    two[0].sow(7, 1)
    two[1].sow(7, 2)
    _send(two[1], "resign")
    two[0].page.locator("#outcome:visible").wait_for()
    return two[0].page


def _called_off(visit: Visit) -> Page:
    two = visit.pair()
    _send(two[1], "abort")
    two[0].page.locator("#outcome:visible").wait_for()
    return two[0].page


def _line_lost(visit: Visit) -> Page:
    two = visit.pair()
    two[0].page.context.set_offline(True)
    two[0].page.locator("#connection:visible").wait_for()
    return two[0].page


def _invitation(visit: Visit) -> Page:
    made = visit.guest().challenge(clock="10+5")
    page = visit.phone().page
    page.goto(made["url"])
    return page


def _invited(visit: Visit) -> Page:
    phone = visit.phone()
    made = phone.post("/api/challenges", game="toguz", to="link", clock="10+5")
    phone.page.goto(made["url"])
    return phone.page


def _my_turn(visit: Visit) -> Page:
    two = visit.phone(), visit.phone()
    for _ in range(2):
        seated(two, clock="3d")
    two[0].page.goto(f"{visit.address}/")
    return two[0].page


def _my_games(visit: Visit) -> Page:
    page = _my_turn(visit)
    page.goto(f"{visit.address}/games")
    return page


def _watched(visit: Visit) -> Page:
    two = visit.phone(), visit.phone()
    seated(two, clock="10+5")
    return visit.open("/watch")


def _spectator(visit: Visit) -> Page:
    two = visit.phone(), visit.phone()
    url = seated(two, clock="10+5")
    page = visit.phone().page
    page.goto(url)
    Table(page, visit.address).ready()
    return page


def _review(visit: Visit) -> Page:
    _, played = visit.played(plies=8)
    version = played.visitor.state(played.id)["version"]
    played.visitor.send(played.id, "resign", version=version).raise_for_status()
    page = visit.phone().page
    played.sit(page.context)
    page.goto(f"{played.url}/review")
    page.locator("#pane-review:visible").wait_for()
    return page


def _account(visit: Visit) -> Page:
    page = visit.open("/sign-up")
    name = "".join(letter for letter in visit.guest().told["token"] if letter.isalpha())[6:18]
    page.locator("input[name=name]").fill(f"Aigul{name}")
    page.locator("input[name=password]").fill("nine horses in the steppe")
    page.locator("form.form button.primary, form.form .button.big").first.click()
    page.wait_for_url(re.compile(r"/(account|$|\?)"))
    page.goto(f"{visit.address}/account")
    return page


STATES = [
    *_plain(),
    State("lobby", ".open-games li >> nth=5", _lobby),
    State("game", "korgool-board", _game),
    State("game-after-moves", "#previous", _after_moves),
    State("game-looking-back", "#back", _looking_back),
    State("game-wrong-tap", "korgool-board .why:visible", _wrong_tap, passing=True),
    State("game-hint", "#hinted", _hint),
    State("game-help", "dialog[open] h2", _help),
    State("game-end", "#outcome h2", _lost),
    State("game-resigning", "#confirm-yes", _resigning),
    State("game-draw-offered", "#accept-draw", _offered("draw", "offer-draw")),
    State("game-takeback-asked", "#accept-takeback", _offered("takeback", "ask-takeback")),
    State("game-two-offers", "#accept-takeback", _offered("takeback", "offer-draw", "ask-takeback")),
    State("game-phrase", "#connection", _phrase),
    State("game-next", "#next-waiting a", _next_game),
    State("game-won", "#outcome h2", _ended_between_people),
    State("game-called-off", "#outcome h2", _called_off),
    State("game-line-lost", "#connection", _line_lost),
    State("game-spectator", "korgool-board", _spectator),
    State("invitation", "h1", _invitation),
    State("invitation-made", "h1", _invited),
    State("home-my-turn", ".waiting-list, .waiting", _my_turn),
    State("your-games", "h1", _my_games),
    State("watch-live", "h1", _watched),
    State("review", "#pane-review", _review),
    State("account", "h1", _account),
]
