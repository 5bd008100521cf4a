"""The draw that a visitor claims: the position is set up within the server, the rest happens in the browser."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import uvicorn
from litestar import Litestar

from korgool.app.server.application import create_app
from korgool.app.server.games.running_games import Hall
from korgool.app.server.settings import ServerSettings
from korgool.rules import Game, Position
from tests.page.conftest import NewTable
from tests.page.table import expect
from tests.patience import PATIENCE
from tests.server.test_play import ROUND, ROUND_START


@contextmanager
def within(data: Path) -> Iterator[tuple[Litestar, str]]:
    """A server in a thread of this process, and its address."""
    app = create_app(ServerSettings(data=data))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error"))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        for _ in range(200):
            if server.started:
                break
            time.sleep(0.05)
        yield app, f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(PATIENCE)


def test_the_button_that_claims_a_draw(table: NewTable, tmp_path: Path) -> None:
    with within(tmp_path) as (app, address):
        board = table(address=address)
        board.start("toguz", side="white", level=8)
        assert board.wait_for_turn()
        expect(board.page.locator("#claim")).to_be_hidden()
        hall: Hall = app.state.hall
        hall._games[board.id].play.game = Game(Position.parse(ROUND_START), ROUND)
        board.page.reload()
        board.ready()
        board.page.get_by_role("button", name="Claim a draw").click()
        expect(board.page.locator("#outcome")).to_contain_text("0.5 (78) - 0.5 (79)")
        expect(board.page.locator("#outcome")).to_contain_text("The position was repeated", ignore_case=True)
        expect(board.page.locator("#claim")).to_be_hidden()
        board.page.goto("about:blank")  # so that it does not miss the server, which stops now
