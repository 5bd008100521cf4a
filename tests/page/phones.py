"""Two people with a phone each, every one in a language of their own: games they begin, and what both pages say."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from korgool.languages import LANGUAGES, translations
from korgool.rules import Position, Side
from tests.page.conftest import PHONE, NewTable
from tests.page.table import PLAYABLE, Table, expect, settled
from tests.patience import RETRIES

QUICK = "if (origin !== 'null') localStorage.setItem('korgool.speed', 'off');"


class Phone:
    """One page on the phone of one person. Everything is said, and found, in the language of the phone."""

    def __init__(self, table: Table, language: str) -> None:
        self.table, self.page, self.language = table, table.page, language
        self.catalogue = translations(language)
        self.text = self.catalogue.gettext

    def tab(self) -> Phone:
        """Another page on the same phone."""
        return Phone(Table(self.page.context.new_page(), self.table.address), self.language)

    def tap(self, name: str) -> None:
        """Tap the one button that bears this text."""
        settled(self.page.get_by_role("button", name=self.text(name), exact=True)).tap()

    def answer(self, question: str, name: str) -> None:
        """Tap a button of a group, as those of an offer."""
        group = self.page.get_by_role("group", name=self.text(question), exact=True)
        settled(group.get_by_role("button", name=self.text(name), exact=True)).tap()

    def hears(self, text: str) -> None:
        """Wait until this was announced."""
        expect(self.page.locator("#spoken")).to_contain_text(self.text(text))

    def forget(self) -> None:
        """Empty the log of what was announced and the notice, so that only news count."""
        self.page.evaluate(
            """for (const id of ["spoken", "connection"]) document.getElementById(id).replaceChildren()"""
        )

    def reads(self, text: str) -> None:
        """Wait until a notice says this."""
        expect(self.page.locator("#connection")).to_have_text(re.compile(text))

    def sow(self, hole: int, plies: int) -> None:
        """Tap a hole as soon as choices count; so many plies stand then."""
        self.page.locator(f'{PLAYABLE}[data-hole="{hole}"]').tap()
        self.table.wait_for_ply(plies)

    def sees(self, position: Position, side: Side) -> None:
        """Wait until all holes are named as somebody who plays this side has them read to them."""
        wanted = {}
        for owner in Side:
            own = "hole %(hole)s, %(stones)s" if owner is side else "opponent's hole %(hole)s, %(stones)s"
            for hole, count in enumerate(position.holes[owner], 1):
                stones = self.catalogue.ngettext("%(n)s stone", "%(n)s stones", count) % {"n": count}
                if position.tuz[owner.other] == hole:
                    word = "castle" if position.rules.name == "castle" else "tuz"
                    stones = self.text(f"{word} of {('White', 'Black')[owner.other]}")
                wanted[f"{owner.name.lower()} {hole}"] = self.text(own) % {"hole": hole, "stones": stones}
        self.page.wait_for_function(
            """wanted => Object.entries(wanted).every(([place, name]) => {
              const [side, hole] = place.split(" ");
              const button = document.querySelector(`.hole-button[data-side="${side}"][data-hole="${hole}"]`);
              return button?.getAttribute("aria-label").startsWith(name);
            })""",
            arg=wanted,
        )

    def post(self, path: str, **body: object) -> dict[str, Any]:
        """What a page of this phone asks of the server."""
        page, address = self.page, self.table.address
        known = {one["name"]: one["value"] for one in page.context.cookies(address)}
        if "csrftoken" not in known:
            page.request.get(f"{address}/", max_retries=RETRIES)
            return self.post(path, **body)
        answer = page.request.post(f"{address}{path}", data=body, headers={"x-csrftoken": known["csrftoken"]})
        assert answer.ok, answer.text()
        told: dict[str, Any] = answer.json()
        return told

    def sit(self, url: str) -> None:
        """Open a game."""
        self.page.goto(url)
        self.table.ready()


Pair: TypeAlias = "tuple[Phone, Phone]"
"""White and Black."""


def phones(table: NewTable, address: str, white: str, black: str) -> Pair:
    """Two phones in two languages."""
    made = []
    for language in (white, black):
        one = table(PHONE, address=address, locale=language)
        one.page.context.add_init_script(QUICK)
        made.append(Phone(one, language))
    return made[0], made[1]


def tabs(pair: Pair) -> Pair:
    """Other pages on the same phones, for another game."""
    return pair[0].tab(), pair[1].tab()


def seated(pair: Pair, maker: Side = Side.WHITE, **terms: object) -> str:
    """A game of the two, of which nobody has a page yet; its address."""
    made = pair[maker].post("/api/challenges", **{"game": "toguz", "to": "link", "side": maker.name.lower(), **terms})
    game = pair[maker.other].post(f"/api/challenges/{made['id']}/accept")["game"]
    return f"{pair[maker].table.address}/games/{game}"


def begin(pair: Pair, maker: Side = Side.WHITE, **terms: object) -> str:
    """One invites, the other opens the link and taps Play; both have the board before them. The address."""
    made = pair[maker].post("/api/challenges", **{"game": "toguz", "to": "link", "side": maker.name.lower(), **terms})
    for phone in (pair[maker], pair[maker.other]):
        phone.page.goto(made["url"])
    pair[maker.other].tap("Play")
    for phone in pair:
        expect(phone.page).to_have_url(re.compile(r"/games/\w{12}$"))
        phone.table.ready()
        expect(phone.page.locator("#waiting")).to_be_hidden()
    return pair[maker].page.url


def move(pair: Pair, hole: int) -> None:
    """Whoever has the turn sows; both pages show it."""
    state = pair[0].table.state()
    plies = len(state["moves"]) + 1
    pair[Side.WHITE if state["turn"] == "white" else Side.BLACK].sow(hole, plies)
    for phone in pair:
        phone.table.wait_for_ply(plies)


@dataclass(frozen=True)
class End:
    """How a game has ended, in English.

    Attributes:
        winner: who won; `both` have lost, None for a draw, and `nobody` where the game was called off.
        reason: why.
        clause: the clause.
        absent: who has opened the page after it, so that nothing was announced there.
    """

    winner: Side | Literal["both", "nobody"] | None
    reason: str = ""
    clause: str = ""
    absent: tuple[Side, ...] = ()


def shown(pair: Pair, end: End) -> None:
    """Both pages tell this ending, each in its own language and from its own side; a page without scripts does too."""
    for side, phone in zip(Side, pair, strict=True):
        panel = phone.page.get_by_role("region", name=phone.text("Result"), exact=True)
        named = {"both": "Both players lose", "nobody": "The game was called off", None: "Draw", side: "You win"}
        if end.winner in named:
            title = phone.text(named[end.winner])
        else:
            assert isinstance(end.winner, Side)
            name = phone.page.locator(f'.strip[data-side="{end.winner.name.lower()}"] .name').inner_text()
            title = phone.text("%(name)s wins") % {"name": name}
        expect(panel.get_by_role("heading", level=2)).to_have_text(title)
        parts = {".reason": phone.text(end.reason) if end.reason else ""}
        parts[".clause"] = end.clause if end.clause.startswith("WNG") else phone.text(end.clause) if end.clause else ""
        for place, text in parts.items():
            expect(panel.locator(place)).to_have_text([text] if text else [])
        if side not in end.absent:
            phone.hears(title)
        expect(phone.page.locator(PLAYABLE)).to_have_count(0)
        asked = {"accept": "text/html", "accept-language": phone.language}
        plain = html.unescape(phone.page.request.get(phone.page.url, headers=asked, max_retries=RETRIES).text())
        assert all(f">{text}</" in plain for text in (title, *filter(None, parts.values())))
        if end.reason and phone.language != "en":
            assert phone.text(end.reason) != end.reason


def pairs_of_languages(shift: int) -> list[tuple[str, str]]:
    """Every language once for each side; the other side has that many languages further on."""
    names = list(LANGUAGES)
    return [(name, names[(index + shift) % len(names)]) for index, name in enumerate(names)]
