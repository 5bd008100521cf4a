"""The draw by recurrence that a player claims (WNG-TK §V)."""

from __future__ import annotations

from pathlib import Path

from korgool.app.server.play.commands import Said
from tests.page.conftest import NewTable
from tests.page.people import house, sit
from tests.page.table import expect, settled

ROUND = (4, 2, 1, 3, 5, 4, 6, 5, 9, 6, 2, 1, 7, 7, 3, 8, 8, 9)
"""Single stones that walk round the board without a capture, back to the position they left."""
ROUND_START = "7,1S,1/1S,2,1S,1S,3,1S 78 79 S 5"


def test_the_button_that_claims_a_draw(table: NewTable, tmp_path: Path) -> None:
    with house(tmp_path) as home:
        players = table(address=home.address), table(address=home.address)
        url = home.seat(*players, start=ROUND_START)
        for player in players:
            sit(player, url)
        names = [home.name_of(player) for player in players]
        running = home.run(home.game_registry.find(url.rsplit("/", 1)[1]))
        for hole in ROUND[:-1]:
            said = Said(do="move", hole=hole, version=running.game.version)
            home.run(running.act(names[running.game.to_move], said))
        white, black = players
        black.wait_for_ply(len(ROUND) - 1)
        expect(black.page.locator("#claim-repetition")).to_be_hidden()
        black.press(ROUND[-1])
        settled(white.page.get_by_role("button", name="Claim a draw")).click()
        for player in players:
            expect(player.page.locator("#outcome")).to_contain_text("½ (78) - ½ (79)")
            expect(player.page.locator("#outcome")).to_contain_text("The position was repeated", ignore_case=True)
            expect(player.page.locator("#claim-repetition")).to_be_hidden()
            player.page.goto("about:blank")  # so that it does not miss the server, which stops now
