"""A championship as a play by script: groups, officials, phones, a laptop that dies, and what stands at the end."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from korgool.competition import EventFile
from tests.championship.cast import SMALL, WHOLE, Group, outcome, typed
from tests.championship.hall import Chief, Laptops, Official, Phone, careless
from tests.championship.twins import assert_twins, play_single
from tests.competition.third_engine import assert_confirmed
from tests.page.conftest import DESK
from tests.page.table import expect
from tests.patience import PATIENCE, eventually

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@dataclass(frozen=True)
class PhoneTable:
    """A board at which both players hold a phone.

    Attributes:
        fault: what one of them does, `wrong` or `silent`, or nothing.
        seat: which one.
    """

    group: Group
    board: int
    phones: tuple[Phone, Phone]
    fault: str
    seat: int

    def report(self, number: int) -> None:
        """Both report, as they are."""
        for at, phone in enumerate(self.phones):
            fault = self.fault if at == self.seat else ""
            if fault != "silent":
                phone.reports(self.group, number, wrong=fault == "wrong")


@dataclass
class Play:
    """The whole play.

    Attributes:
        groups: who plays.
        phones: at how many boards of each of the first groups there are two phones, in turn.
        cut: the round in which an official and half of the phones have no network, and for how many seconds.
        dies: the round in whose middle the first laptop dies.
        told: what was measured, for people.
        quick: boards with phones whose result stood without a typist, and all boards with phones.
    """

    folder: Path
    browser: Browser
    groups: Sequence[Group]
    phones: int
    cut: tuple[int, float]
    dies: int
    told: list[str] = field(default_factory=list)
    quick: list[int] = field(default_factory=lambda: [0, 0])

    def run(self) -> None:
        """All rounds of all groups, then the comparison with single events."""
        laptops = Laptops(self.folder)
        try:
            chief = Chief(laptops.origin)
            chief.begin(self.groups, phones=True)
            laptops.stand_by(chief)
            officials = [Official(self.browser, chief.link("results"), name) for name in ("Ben", "Cleo")]
            hands = [Phone(self.browser) for _ in range(2 * self.phones)]
            wall, public = self.reader(), self.reader()
            wall.goto(f"{laptops.origin}/events/{chief.event}/wall")
            for number in range(1, max(one.rounds for one in self.groups) + 1):
                self.round(number, laptops, chief, officials, hands, public)
            expect(wall.locator("body")).to_contain_text(re.compile("|".join(one.name for one in self.groups)))
            chief.download(self.folder / "championship.korgool")
        finally:
            laptops.end()
        singles = [play_single(self.folder, group, at) for at, group in enumerate(self.groups)]
        assert_twins(self.folder / "championship.korgool", singles, self.groups)
        for path, group in zip(singles, self.groups, strict=True):
            with EventFile.open(path) as file:  # a second engine pairs each round of all groups again
                assert assert_confirmed(file.state, largest=group.players) == group.rounds
        self.told.append("{} of {} boards with phones without a typist".format(*self.quick))
        print("\n".join(self.told))

    def reader(self) -> Page:
        """Somebody who only looks."""
        context = self.browser.new_context(locale="en", service_workers="block", **DESK)
        context.set_default_timeout(PATIENCE * 1000)
        return context.new_page()

    def round(
        self,
        number: int,
        laptops: Laptops,
        chief: Chief,
        officials: Sequence[Official],
        hands: Sequence[Phone],
        public: Page,
    ) -> None:
        """One round: paired, played, reported and typed."""
        playing = [one for one in self.groups if one.rounds >= number]
        chief.pair(playing, number)
        address = {group: f"{laptops.origin}/events/{chief.address_of(group)}" for group in playing}
        public.goto(f"{address[playing[0]]}/rounds/{number}")
        tables = self.seated(chief, playing, number, hands)
        ben, cleo = officials
        cut, began = self.cut[0] == number, time.monotonic()
        if cut:
            cleo.opens(address[playing[-1]], number)
            for context in (cleo.context, *(one.context for one in hands[::2])):
                context.set_offline(True)
        for table in tables:
            table.report(number)
        quick = {(one.group, one.board) for one in tables if not one.fault}
        late: dict[int, str] = {}
        for at, group in enumerate(playing):
            if self.dies == number and at == len(playing) // 2:
                seconds = laptops.dies(chief)
                self.told.append(f"round {number}: the second machine leads after {seconds:.1f} s")
                assert seconds < 60
            missing = {
                one["board"]: typed(group, number, one["white_name"], one["black_name"])
                for one in chief.boards(group, number)
                if not one["result"] and (group, one["board"]) not in quick
            }
            if cut and group is playing[-1]:
                late = missing
                cleo.types(late)
                continue
            for turn, official in enumerate((ben,) if cut else officials):
                mine = missing if cut else {board: text for board, text in missing.items() if board % 2 == turn}
                official.opens(address[group], number)
                official.types(mine)
                official.sees(mine)
        if cut:
            time.sleep(max(0.0, self.cut[1] - (time.monotonic() - began)))
            for context in (cleo.context, *(one.context for one in hands[::2])):
                context.set_offline(False)
            cleo.sees(late)
            seconds = time.monotonic() - began
            self.told.append(
                f"round {number}: an official and half of the phones without a network for {seconds:.0f} s"
            )
        for group in playing:
            eventually(partial(stand, chief, group, number), f"all results of {group.name}")
        self.quick[0] += len(quick)
        self.quick[1] += len(tables)
        last = chief.boards(playing[0], number)[-1]
        stones = outcome(playing[0], number, last["white_name"], last["black_name"])
        expect(public.locator("main")).to_contain_text(f"{stones[0]}–{stones[1]}")

    def seated(self, chief: Chief, playing: Sequence[Group], number: int, hands: Sequence[Phone]) -> list[PhoneTable]:
        """Phones at the first boards of groups, opened by the codes on the printed cards."""
        tables: list[PhoneTable] = []
        for group in playing:
            boards = min(self.phones - len(tables), group.players // 2, 4)
            codes = chief.cards(group, boards) if boards > 0 else []
            assert len(codes) == 2 * max(boards, 0)
            phones = hands[2 * len(tables) : 2 * len(tables) + len(codes)]
            seats = {phone.sits(code): phone for phone, code in zip(phones, codes, strict=True)}
            for board in range(1, boards + 1):
                fault, seat = careless(group, number, board)
                tables.append(PhoneTable(group, board, (seats[board, "white"], seats[board, "black"]), fault, seat))
        return tables


def stand(chief: Chief, group: Group, number: int) -> bool:
    """Whether every board of a round has a result."""
    return all(one["result"] for one in chief.boards(group, number))


def test_a_championship(tmp_path: Path, browser: Browser) -> None:
    Play(tmp_path, browser, SMALL, phones=3, cut=(1, 3.0), dies=2).run()


@pytest.mark.long
def test_a_whole_championship(tmp_path: Path, browser: Browser) -> None:
    """Twelve groups, 260 players, 40 phones, five minutes without a network, a laptop that dies with its disk."""
    Play(tmp_path, browser, WHOLE, phones=20, cut=(3, 300.0), dies=5).run()
