"""Notices while the database is away: a PostgreSQL of the test's own is stopped, killed and started again."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.notices import notices as notices_module
from korgool.app.server.notices.notice_repository import NoticeRepository
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.people_cache import PeopleCache
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.play.game_notices import notify_turn
from korgool.app.server.storage.database import Storage
from korgool.live import GameTerms, OnlineGame, Seat, SeatKind, read_clock
from korgool.live.journal import Begun, happen
from korgool.rules import GAMES
from tests.patience import until

from .clusters import running_cluster
from .push_service import Browser, Received, push_service
from .rated import open_account
from .test_notices import AIGUL, BAKYT, CALLER, due, opened, pushing, run


def test_a_notice_is_sent_once_after_the_database_has_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """One that waits while there is no database, also for the name in it; one that is being sent when it dies."""
    monkeypatch.setattr(notices_module, "DATABASE_PAUSE", 0.02)
    seats = Seat(SeatKind.PERSON, AIGUL), Seat(SeatKind.PERSON, BAKYT)
    game = OnlineGame.open(GameTerms(GAMES["toguz"], seats, read_clock("3d")), now_ms())
    game, _ = happen(game, Begun(), now_ms())
    with running_cluster() as cluster, push_service(tmp_path) as service:
        storage = Storage.open(ServerSettings(database=cluster.url))
        open_account(storage.engine, AIGUL, BAKYT)
        ledger, kept = PeopleTransactions(storage.engine), NoticeRepository(storage.engine)
        people, browser = PeopleCache(ledger, AccountRepository(ledger)), Browser()

        def dies(_: Received) -> tuple[int, dict[str, str]]:
            cluster.kill()
            return 201, {}

        async def test() -> None:
            async with opened(pushing(kept, service)) as notices:
                await notices.subscribe(AIGUL, browser.subscription(service.endpoint()), CALLER)
                await asyncio.to_thread(cluster.stop)
                notify_turn(people, notices, "waiting00000", game, None, (False, False))
                await until(lambda: "notices wait for the database" in caplog.text)
                await asyncio.sleep(1)  # more attempts than one person gets notices in an hour
                assert service.received == []
                await asyncio.to_thread(cluster.start)
                await until(lambda: service.received)
                assert b"b has moved" in browser.read(service.received[0].body)
                service.reply = dies
                notices.your_turn(AIGUL, "/games/dying", "", due())
                await until(lambda: "what became of a message is not noted" in caplog.text)
                assert len(service.received) == 2
                service.reply = lambda _: (201, {})
                notices.your_turn(AIGUL, "/games/over", "", due(-1))
                notices.your_turn(AIGUL, "/games/last", "", due())
                await asyncio.to_thread(cluster.start)
                await until(lambda: len(service.received) == 3)
                assert b"/games/last" in browser.read(service.received[2].body)

        run(test)
        storage.close()
