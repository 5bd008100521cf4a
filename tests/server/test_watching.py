"""The lists of games between people that anybody may watch."""

from __future__ import annotations

import asyncio
from pathlib import Path

import httpx

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.live import ResignGame
from korgool.rules import Side
from tests.patience import PATIENCE

from .inside import GUEST, VISITOR, Kept, act, alone, begun, people, within
from .support import running

HOUR = 3_600_000


def test_games_go_on_and_end_in_the_lists(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        playing = await begun(game_registry, people(), 7, 7)
        await begun(game_registry, people())  # nobody has moved
        await begun(game_registry, people(same=True), 7)
        await begun(game_registry, alone(), 7)
        await begun(game_registry, people(clock="10+5"), 7)
        storage = game_registry.storage
        assert [(game.id, game.plies, game.clock) for game in GameRepository(storage.engine).running(now_ms())][-1] == (
            playing.address,
            2,
            "none",
        )
        assert len(GameRepository(storage.engine).running(now_ms())) == 2
        assert GameRepository(storage.engine).finished(now_ms()) == []
        await act(playing, VISITOR, "resign")
        (ended,) = GameRepository(storage.engine).finished(now_ms())
        assert (ended.id, ended.white, ended.black) == (playing.address, VISITOR, GUEST)
        assert ended.result_text == "0 (10) - 1 (10)"
        assert [game.id == playing.address for game in GameRepository(storage.engine).running(now_ms())] == [False]
        assert GameRepository(storage.engine).finished(now_ms() + 25 * HOUR) == []
        assert GameRepository(storage.engine).running(now_ms(), most=0) == []

    within(tmp_path, test)


def test_a_delayed_game_is_in_the_lists_as_late_as_watchers_see_it(tmp_path: Path) -> None:
    async def test(game_registry: GameRegistry) -> None:
        late, lists = await begun(game_registry, people(delay_s=60), 7), game_registry.repository
        began = late.game.opened
        assert lists.running(began + 59_999) == [], "whoever plays again has ended their last game"
        (listed,) = lists.running(began + 60_000)
        assert (listed.plies, listed.result_text) == (None, None)
        await asyncio.sleep(0.01)
        await act(late, GUEST, "resign")
        ended = late.game.at
        (listed,) = lists.running(ended + 59_999)
        assert (listed.plies, listed.result_text) == (None, None)
        assert lists.finished(ended + 59_999) == []
        assert lists.running(ended + 60_000) == []
        (over,) = lists.finished(ended + 60_000)
        assert over.plies == 1
        assert over.result_text == "1 (10) - 0 (0)"

    within(tmp_path, test)


def test_the_page_and_the_api_say_the_same(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    going = Kept(storage, "going", people(), now_ms())
    going.keep(going.move(7))
    over = Kept(storage, "over", people("mangala"), now_ms())
    over.keep(over.move(5))
    over.keep(over.next(ResignGame(Side.BLACK)))
    storage.close()
    with running(tmp_path) as server:
        live, ended = (
            httpx.get(f"{server.url}/watch?show={part}", timeout=PATIENCE).text for part in ("live", "finished")
        )
        (one,), (other,) = (
            httpx.get(f"{server.url}/api/{name}", timeout=PATIENCE).json() for name in ("running", "finished")
        )
    assert (one["plies"], one["result_text"], one["control"], one["conduct"]) == (1, None, "none", "friendly")
    assert (other["plies"], other["result_text"], other["game"]) == (1, "1 (1) - 0 (0)", "mangala")
    assert VISITOR not in live + ended + str(one) + str(other)
    for game, page, elsewhere in ((one, live, ended), (other, ended, live)):
        assert f"/games/{game['id']}" in page
        assert f"/games/{game['id']}" not in elsewhere
        assert game["white"].startswith("Guest ")
    assert other["result_text"] in ended
