"""Who is told that it is their turn, by which way, how often; and that nobody waits for it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits import Caller
from korgool.app.server.notices import notice_repository as kept_module
from korgool.app.server.notices import notices as notices_module
from korgool.app.server.notices.mail import Mailer
from korgool.app.server.notices.notice_repository import MOST_SUBSCRIPTIONS, NoticeRepository
from korgool.app.server.notices.notices import Notices
from korgool.app.server.notices.subscriptions import PushResponse, Subscription
from korgool.app.server.notices.web_push import WebPush
from korgool.app.server.storage.database import Storage
from tests.patience import PATIENCE, in_time, until

from .push_service import Browser, PushService, push_service
from .support import run_async
from .test_mail import Post, links, smtp, stubborn

HERE = (ip_network("127.0.0.0/8"),)
AIGUL, BAKYT = "a" * 22, "b" * 22
CALLER = Caller("192.0.2.1", "somebody")
SITE = "https://korgool.example"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[PushService]:
    with push_service(tmp_path) as found:
        yield found


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[NoticeRepository]:
    storage = Storage.open(ServerSettings(data=tmp_path / "data"))
    try:
        yield NoticeRepository(storage.engine)
    finally:
        storage.close()


def due(seconds: float = 86_400) -> int:
    return round((time.time() + seconds) * 1000)


@asynccontextmanager
async def opened(notices: Notices) -> AsyncIterator[Notices]:
    notices.open()
    try:
        yield notices
    finally:
        await notices.close()


def pushing(kept: NoticeRepository, service: PushService) -> Notices:
    return Notices(kept, WebPush(kept.push_key(), "mailto:a@b.org", HERE, service.trust()), None, SITE)


def run(test: Callable[[], Awaitable[None]]) -> None:
    run_async(in_time(test(), 2 * PATIENCE))


def test_every_browser_of_a_person_is_told_and_nobody_elses(kept: NoticeRepository, service: PushService) -> None:
    browsers = {name: Browser() for name in ("phone", "laptop", "other")}

    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            for name, browser in browsers.items():
                who = BAKYT if name == "other" else AIGUL
                await notices.subscribe(who, browser.subscription(service.endpoint(name), "ru"), CALLER)
            notices.your_turn(AIGUL, "/games/abc", "Бакыт", due())
            await until(lambda: len(service.received) == 2)

    run(test)
    told = {one.path.rpartition("/")[2]: one for one in service.received}
    assert set(told) == {"phone", "laptop"}
    message = json.loads(browsers["phone"].read(told["phone"].body))
    assert message["title"] == "Ваш ход"
    assert message["body"].startswith("Бакыт")
    assert message["url"] == "/games/abc"
    assert told["phone"].headers["topic"] == told["laptop"].headers["topic"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,32}", told["phone"].headers["topic"])
    assert 86_000 < int(told["phone"].headers["ttl"]) <= 86_400


@pytest.mark.parametrize("status", [404, 410])
def test_a_browser_that_is_gone_is_forgotten(kept: NoticeRepository, service: PushService, status: int) -> None:
    service.reply = lambda _: (status, {})

    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            await notices.subscribe(AIGUL, Browser().subscription(service.endpoint()), CALLER)
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: service.received and not kept.subscriptions(AIGUL))

    run(test)
    assert len(service.received) == 1


def test_a_push_service_with_trouble_is_asked_again_but_not_for_ever(
    kept: NoticeRepository, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_module, "PAUSES", (0.05, 0.05, 0.05))
    service.reply = lambda _: (503, {})

    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            await notices.subscribe(AIGUL, Browser().subscription(service.endpoint()), CALLER)
            for number in range(kept_module.MOST_FAILURES):
                assert kept.subscriptions(AIGUL)
                notices.your_turn(AIGUL, f"/games/{number}", "", due())
                tried = 4 * (number + 1)
                await until(lambda: len(service.received) >= tried)  # noqa: B023 - called before the next one
                await asyncio.sleep(0.2)
                assert len(service.received) == tried
            await until(lambda: not kept.subscriptions(AIGUL))

    run(test)


def test_it_waits_as_long_as_it_is_told_and_begins_anew_after_a_success(
    kept: NoticeRepository, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notices_module, "PAUSES", (0.01,))
    service.reply = lambda _: (429, {"Retry-After": "1"}) if len(service.received) == 1 else (201, {})

    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            subscription = Browser().subscription(service.endpoint())
            await notices.subscribe(AIGUL, subscription, CALLER)
            for _ in range(kept_module.MOST_FAILURES - 1):
                kept.count(subscription.endpoint, arrived=False)
            began = time.monotonic()
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: len(service.received) == 2)
            assert time.monotonic() - began >= 0.9
            await asyncio.sleep(0.1)
            kept.count(subscription.endpoint, arrived=False)
            assert kept.subscriptions(AIGUL)

    run(test)


def test_a_turn_that_is_over_is_not_told(kept: NoticeRepository, service: PushService) -> None:
    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            await notices.subscribe(AIGUL, Browser().subscription(service.endpoint()), CALLER)
            notices.your_turn(AIGUL, "/games/old", "", due(-1))
            notices.your_turn(AIGUL, "/games/new", "", due())
            await until(lambda: service.received)
            await asyncio.sleep(0.1)

    run(test)
    assert len(service.received) == 1


def test_telling_takes_no_time_and_what_finds_no_room_is_dropped(
    kept: NoticeRepository, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also while the push service does not answer: 10,000 notices are told to the queue in no time, 1,000 wait."""
    monkeypatch.setattr(notices_module, "MOST_WAITING", 1_000)

    async def test() -> None:
        notices = pushing(kept, service)  # not opened: nobody takes anything out
        began = time.thread_time()
        for number in range(10_000):
            notices.your_turn(AIGUL, f"/games/{number}", "", due())
        assert time.thread_time() - began < 2
        assert notices.dropped == 9_000
        notices.your_turn(AIGUL, "/games/5", "newer", due())
        assert notices.dropped == 9_000

    run(test)


def test_a_newer_notice_of_a_game_replaces_the_older_one(kept: NoticeRepository, service: PushService) -> None:
    browser = Browser()

    async def test() -> None:
        notices = pushing(kept, service)
        await notices.subscribe(AIGUL, browser.subscription(service.endpoint()), CALLER)
        notices.your_turn(AIGUL, "/games/abc", "older", due())
        notices.your_turn(AIGUL, "/games/abc", "newer", due())
        async with opened(notices):
            await until(lambda: service.received)
            await asyncio.sleep(0.1)

    run(test)
    [received] = service.received
    assert b"newer" in browser.read(received.body)


def test_one_person_is_not_told_without_end(kept: NoticeRepository, service: PushService) -> None:
    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            await notices.subscribe(AIGUL, Browser().subscription(service.endpoint()), CALLER)
            for number in range(60):
                notices.your_turn(AIGUL, f"/games/{number}", "", due())
            await until(lambda: len(service.received) == notices_module.RATES["notice"].burst)
            await asyncio.sleep(0.2)

    run(test)
    assert len(service.received) == notices_module.RATES["notice"].burst


def test_without_any_way_nothing_waits(kept: NoticeRepository) -> None:
    async def test() -> None:
        async with opened(Notices(kept)) as notices:
            notices.your_turn(AIGUL, "/games/abc", "", due())
            assert not notices._waiting
            with pytest.raises(ApiError) as refused:
                await notices.subscribe(AIGUL, Browser().subscription("https://push.example/x"), CALLER)
            assert refused.value.status == 404

    run(test)


def test_endpoints_inside_the_network_are_refused(kept: NoticeRepository, service: PushService) -> None:
    async def test() -> None:
        push = WebPush(kept.push_key(), "mailto:a@b.org", (), service.trust())
        notices = Notices(kept, push)
        for host in ("127.0.0.1", "localhost", "[::1]", "169.254.169.254", "10.0.0.1"):
            with pytest.raises(ApiError) as refused:
                await notices.subscribe(AIGUL, Browser().subscription(service.endpoint(host=host)), CALLER)
            assert refused.value.status == 422
        assert kept.subscriptions(AIGUL) == []
        # One that was stored when it was still allowed gets nothing either.
        kept.subscribe(AIGUL, Browser().subscription(service.endpoint()))
        async with opened(notices):
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await asyncio.sleep(0.2)

    run(test)
    assert service.received == []


def test_a_person_keeps_few_browsers_and_a_browser_has_one_person(kept: NoticeRepository) -> None:
    for number in range(MOST_SUBSCRIPTIONS + 2):
        kept.subscribe(AIGUL, Subscription(f"https://push.example/{number}", "k", "a"))
        time.sleep(0.002)
    ends = sorted(one.endpoint[-1] for one in kept.subscriptions(AIGUL))
    assert ends == [str(number) for number in range(2, MOST_SUBSCRIPTIONS + 2)]
    kept.subscribe(BAKYT, Subscription("https://push.example/3", "k", "a"))
    assert len(kept.subscriptions(AIGUL)) == MOST_SUBSCRIPTIONS - 1
    kept.unsubscribe(AIGUL, "https://push.example/3")
    assert len(kept.subscriptions(BAKYT)) == 1
    kept.unsubscribe(BAKYT, "https://push.example/3")
    assert kept.subscriptions(BAKYT) == []


def test_too_many_subscriptions_are_refused(kept: NoticeRepository, service: PushService) -> None:
    async def test() -> None:
        notices = pushing(kept, service)
        subscription = Browser().subscription(service.endpoint())
        for _ in range(notices_module.RATES["subscribe"].burst):
            await notices.subscribe(AIGUL, subscription, CALLER)
        with pytest.raises(RateLimitError):
            await notices.subscribe(AIGUL, subscription, CALLER)

    run(test)


def test_the_key_of_the_server_stays(kept: NoticeRepository) -> None:
    assert re.fullmatch(r"[0-9a-f]{64}", kept.push_key())
    assert kept.push_key() == kept.push_key()


def test_an_address_is_told_only_after_its_owner_has_agreed(kept: NoticeRepository) -> None:
    post = Post()

    async def test(notices: Notices) -> None:
        async with opened(notices):
            await notices.ask_mail(AIGUL, "aigul@example.org", "kk", CALLER)
            await until(lambda: post.messages)
            notices.your_turn(AIGUL, "/games/abc", "Bakyt", due())
            await asyncio.sleep(0.2)
            assert len(post.messages) == 1
            [token] = links(post.messages[0].get_content(), "confirm")
            assert not await notices.confirm_mail("x" * 43)
            assert await notices.confirm_mail(token)
            notices.your_turn(AIGUL, "/games/abc", "Bakyt", due())
            await until(lambda: len(post.messages) == 2)
            letter = post.messages[1]
            assert letter["Subject"] == "Сіздің кезегіңіз"
            text = letter.get_content()
            assert f"{SITE}/games/abc" in text
            assert "UTC" in text
            assert letter["List-Unsubscribe"] == f"<{SITE}/mail/stop/{token}>"
            [stop] = links(text, "stop")
            await notices.end_mail(stop)
            notices.your_turn(AIGUL, "/games/abc", "Bakyt", due())
            await asyncio.sleep(0.2)
            assert len(post.messages) == 2

    with smtp(post) as settings:
        run(lambda: test(Notices(kept, None, Mailer(settings), SITE)))


def test_an_old_link_and_one_of_another_address_confirm_nothing(
    kept: NoticeRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = kept.ask_mail(AIGUL, "a@example.org", "en")
    second = kept.ask_mail(AIGUL, "b@example.org", "en")
    assert first is not None
    assert second is not None
    assert not kept.confirm_mail(first)
    monkeypatch.setattr(kept_module, "LINK_MS", -1)
    assert not kept.confirm_mail(second)
    monkeypatch.setattr(kept_module, "LINK_MS", 1000)
    assert kept.mail(AIGUL) is None
    assert kept.confirm_mail(second)
    assert kept.confirm_mail(second)
    found = kept.mail(AIGUL)
    assert found is not None
    assert found.address == "b@example.org"
    assert kept.ask_mail(AIGUL, "b@example.org", "en") is None


def test_nobody_is_flooded_with_links(kept: NoticeRepository) -> None:
    """Neither by one person, nor by many who name the same address."""
    post = Post()

    async def test(notices: Notices) -> None:
        async with opened(notices):
            for number in range(3):
                await notices.ask_mail(f"{number:022}", "Victim@example.org", "en", CALLER)
                await notices.ask_mail(AIGUL, f"victim{number}@example.org", "en", CALLER)
            with pytest.raises(RateLimitError):
                await notices.ask_mail(BAKYT, "victim@example.org", "en", CALLER)
            with pytest.raises(RateLimitError):
                await notices.ask_mail(AIGUL, "victim4@example.org", "en", CALLER)
            await until(lambda: len(post.messages) == 6)
            await asyncio.sleep(0.3)

    with smtp(post) as settings:
        run(lambda: test(Notices(kept, None, Mailer(settings), SITE)))
    assert len(post.messages) == 6


def test_an_address_that_is_refused_for_good_is_forgotten(kept: NoticeRepository) -> None:
    post = Post()
    token = kept.ask_mail(AIGUL, "gone@example.org", "en")
    assert token is not None
    kept.confirm_mail(token)

    async def test(notices: Notices) -> None:
        async with opened(notices):
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: kept.mail(AIGUL) is None)

    with smtp(post) as settings:
        run(lambda: test(Notices(kept, None, Mailer(settings), SITE)))


def test_a_mail_server_that_hangs_keeps_no_browser_waiting(
    kept: NoticeRepository, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    for who in (AIGUL, BAKYT):
        token = kept.ask_mail(who, f"{who[0]}@example.org", "en")
        assert token is not None
        kept.confirm_mail(token)

    async def test(notices: Notices) -> None:
        async with opened(notices):
            await notices.subscribe(AIGUL, Browser().subscription(service.endpoint()), CALLER)
            for number in range(5):
                notices.your_turn(BAKYT, f"/games/{number}", "", due())
            began = time.monotonic()
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: service.received)
            assert time.monotonic() - began < PATIENCE / 2
        assert time.monotonic() - began < PATIENCE / 2  # and the end of the server does not wait for it

    push = WebPush(kept.push_key(), "mailto:a@b.org", HERE, service.trust())
    with stubborn(b"") as port:
        from korgool.app.server.core.settings import SmtpSettings

        mailer = Mailer(SmtpSettings("127.0.0.1", port, "games@korgool.example"), seconds=PATIENCE)
        run(lambda: test(Notices(kept, push, mailer, SITE)))


def test_letters_are_sent_again_after_trouble(kept: NoticeRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices_module, "MAIL_PAUSES", (0.05, 0.05))
    post, tried = Post(), []
    token = kept.ask_mail(AIGUL, "full@example.org", "en")
    assert token is not None
    kept.confirm_mail(token)

    async def refuse(*arguments: Any) -> str:
        tried.append(arguments)
        return "452 come again"

    monkeypatch.setattr(post, "handle_RCPT", refuse)

    async def test(notices: Notices) -> None:
        async with opened(notices):
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: len(tried) == 3)
            await asyncio.sleep(0.3)
            assert len(tried) == 3
            assert kept.mail(AIGUL) is not None

    with smtp(post) as settings:
        run(lambda: test(Notices(kept, None, Mailer(settings), SITE)))


def test_what_makes_another_attempt_worth_it() -> None:
    assert [status for status in range(100, 600) if PushResponse(status).later] == [408, 429, *range(500, 600)]
    assert PushResponse(0).later
