"""A whole event at the desk, by its forms: the same event by the commands of the terminal has the same answers."""

from __future__ import annotations

import html
import random
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from korgool.competition import EventFile, commands
from korgool.competition.actions import Present
from korgool.competition.audit import check
from korgool.competition.event_fields import standings_fields
from korgool.competition.event_state import EventState
from korgool.competition.json_export import facts
from korgool.competition.model import Entry, Settings
from korgool.competition.pairing.gacrux_here import GacruxHere
from korgool.competition.roles import DeskRole
from korgool.competition.trf import write_trf
from tests.competition.third_engine import assert_confirmed

from .desk_events import RESULTS, AtDesk, at_desk, entries
from .members import Site, on_site
from .test_desk_pairing import hidden, publish, shown
from .test_desk_tables import looking

REASON = "seen by the referee"


class Twice:
    """The same event at the desk and in a file; each step is done in both."""

    def __init__(self, ann: AtDesk, file: EventFile, seed: int) -> None:
        self.ann, self.file = ann, file
        self.random = random.Random(seed)

    @property
    def state(self) -> EventState:
        return self.file.refresh()

    async def step(self, desk: AtDesk, do: str, in_file: Callable[[], object], **fields: str) -> None:
        answer = await desk.act(do, **fields)
        assert answer.status_code == 303, (do, fields, html.unescape(answer.text))
        in_file()

    async def pair(self, lot: str) -> None:
        page = await shown(self.ann, lot=lot)
        assert hidden(page[: page.rindex("</form>")], "lot")["lot"] == lot
        status, said = await publish(self.ann, page)
        assert status == 303, said
        commands.pair(self.file, by="Ann", lot=lot, engine=GacruxHere())

    async def results(self, typists: list[AtDesk]) -> None:
        """Every board by one of the typists, each for a part of the boards."""
        one = self.state.rounds[-1]
        chosen = {game.board: self.random.choice(RESULTS) for game in one.games}
        for at, typist in enumerate(typists):
            rows = {f"r{board}": text for board, text in chosen.items() if board % len(typists) == at}
            answer = await typist.send(f"/round/{one.number}/results", rows)
            assert answer.status_code == 303, html.unescape(answer.text)
        commands.record_list(
            self.file, one.number, "\n".join(f"{board} {text}" for board, text in chosen.items()), by="Ann"
        )


async def play(twice: Twice, helper: AtDesk, deputy: AtDesk, rounds: int, late: int) -> None:
    """All rounds, with what happens at an event."""
    file, ann = twice.file, twice.ann
    for number in range(1, rounds + 1):
        here = tuple(twice.state.players)
        players = " ".join(map(str, here))
        await twice.step(
            helper, "present", partial(file.do, Present(number, here), by="Cleo"), round=str(number), players=players
        )
        await twice.pair(f"lot {number}")
        await twice.results([ann, deputy])
        if number == 1:  # the colours of a board were wrong: its players exchange, and keep the result
            game = twice.state.round(1).game(1)
            ids = [twice.state.players[id_].number for id_ in (game.white, game.black)]
            await ann.do({"do": "swap", "round": 1, "players": ids, "reason": REASON})
            commands.swap(file, *ids, by="Ann", reason=REASON, number=1)
        if number == 2:
            for at in range(late):
                entry = Entry(family=f"Late {at}", rating=1500 + at, federation="UZB")
                asked = {"family": entry.family, "rating": entry.rating, "federation": entry.federation}
                await ann.do({"do": "enter", "entry": asked})
                commands.enter(file, entry, by="Ann")
            await twice.step(
                deputy, "withdraw", lambda: commands.withdraw(file, 7, by="Dan", reason="ill"), player="7", reason="ill"
            )
        if number in (1, 2, 3):  # four warnings to one player: a point, then exclusion
            for _ in range(2 if number == 3 else 1):
                await twice.step(
                    deputy, "warn", lambda: commands.warn(file, 5, by="Dan", reason=REASON), player="5", reason=REASON
                )
        if number == 4:  # a result of two rounds ago was wrong
            wrong = twice.state.round(2).game(3)
            text = "60-102" if wrong.result is None or wrong.result.white else "102-60"
            row = {"r3": text, "w3": "x", "y3": "wrong slip"}
            answer = await ann.send("/round/2/results", row)
            assert answer.status_code == 303, html.unescape(answer.text)
            commands.record_list(file, 2, f"3 {text}", by="Ann", correct=True, reason="wrong slip")
        await twice.step(ann, "publish", lambda: commands.publish(file, by="Ann"))


def whole_event(tmp_path: Path, players: int, rounds: int, late: int) -> None:
    settings = Settings(name="Games", rounds=rounds, team_best=3, begins="2026-09-14")

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", settings)
        people = entries(players)
        members = ("family", "sex", "rating", "federation", "team")
        asked = ({name: getattr(one, name) for name in members} for one in people)
        await ann.do(*({"do": "enter", "entry": entry} for entry in asked))
        with EventFile.create(tmp_path / "games.korgool", settings, by="Ann") as file:
            commands.enter_all(file, [(one, None) for one in people], by="Ann")
            twice = Twice(ann, file, seed=players)
            helper = await looking(site, ann, "Cleo", DeskRole.CHECK_IN)
            deputy = await looking(site, ann, "Dan", DeskRole.DEPUTY)
            await play(twice, helper, deputy, rounds, late)
            desk, terminal = ann.competition.state, file.refresh()
            assert facts(desk) == facts(terminal)
            assert desk.present == terminal.present
            assert standings_fields(desk) == standings_fields(terminal)
            assert write_trf(desk) == write_trf(terminal)
            assert check(file, engine=GacruxHere()) == ()
            assert assert_confirmed(desk, largest=players + late) == rounds
            downloaded = await ann.browser.client.get(f"/api/events/{ann.competition.id}/file")
            assert downloaded.status_code == 200
            (tmp_path / "down.korgool").write_bytes(downloaded.content)
        with EventFile.open(tmp_path / "down.korgool") as file:
            assert check(file, engine=GacruxHere()) == ()
            assert facts(file.state) == facts(desk)

    on_site(tmp_path, test)


def test_an_event_at_the_desk_is_the_same_as_by_commands(tmp_path: Path) -> None:
    whole_event(tmp_path, players=8, rounds=4, late=1)


@pytest.mark.long
def test_the_games_at_the_desk_are_the_same_as_by_commands(tmp_path: Path) -> None:
    """120 players in teams, 9 rounds, an organiser, a deputy and a helper at the check-in."""
    whole_event(tmp_path, players=120, rounds=9, late=3)
