"""What a notice says in its reader's language and zone, when it ends, and how a guest comes to a seat by an e-mail."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.notices import notices as notices_module
from korgool.app.server.notices.mail import Mailer
from korgool.app.server.notices.notice_repository import NoticeRepository
from korgool.app.server.notices.notice_texts import NoticeKind, NoticeText, mail_text, push_text
from korgool.app.server.notices.notices import Notices
from korgool.app.server.notices.seat_links import SeatLink
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.storage.database import Storage
from korgool.languages import LANGUAGES
from tests.patience import until

from .inside import GUEST, VISITOR, act, begun, people, within
from .push_service import Browser, PushService, push_service
from .test_mail import Post, smtp
from .test_notices import AIGUL, CALLER, SITE, due, opened, pushing, run


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


def test_names_and_times_are_those_of_the_reader(kept: NoticeRepository, service: PushService) -> None:
    """A guest has a name in the reader's language, who may choose another language later."""
    browser = Browser()

    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            await notices.subscribe(AIGUL, browser.subscription(service.endpoint(), "ru"), CALLER)
            notices.your_turn(AIGUL, "/games/abc", "Guest 4540", due())
            await until(lambda: len(service.received) == 1)
            await notices.speak(AIGUL, "tr")
            notices.your_turn(AIGUL, "/games/abc", "Guest 4540", due())
            await until(lambda: len(service.received) == 2)

    run(test)
    first, second = (json.loads(browser.read(one.body)) for one in service.received)
    assert first["body"].startswith("Гость 4540")
    assert second["language"] == "tr"
    assert second["body"].startswith("Konuk 4540")


@pytest.mark.parametrize(
    ("language", "opponent", "zone", "words"),
    [
        ("ky", "Guest 4540", "Asia/Bishkek", ("Конок 4540", "2030", "23:46:40 UTC+06:00")),
        ("ru", "Deleted player", "Europe/Moscow", ("Удалённый игрок", "2030", "20:46:40 UTC+03:00")),
        ("en", "A player", "America/St_Johns", ("A player", "2030", "3:16:40 PM UTC-02:30")),
        ("tr", "", "Nowhere/Such", ("Rakibiniz", "2030", "17:46:40 UTC.")),
        ("kk", "Guest 4540", "../../etc/passwd", ("Қонақ 4540", "17:46:40 UTC.")),
        ("en", "Aigul", "", ("Aigul", "5:46:40 PM UTC.")),
    ],
)
def test_an_e_mail_tells_time_in_the_zone_of_its_reader(
    kept: NoticeRepository, language: str, opponent: str, zone: str, words: tuple[str, ...]
) -> None:
    token = kept.ask_mail(AIGUL, "a@example.org", language, zone)
    assert token is not None
    kept.confirm_mail(token)
    found = kept.mail(AIGUL)
    assert found is not None
    text = mail_text(language, opponent, "link", 1_900_000_000_000, "stop", zone=found.zone)[1]
    for word in words:
        assert word in text.replace("\u202f", " "), text


def test_a_notice_ends_when_the_move_was_made_elsewhere(kept: NoticeRepository, service: PushService) -> None:
    """What is shown is closed, what waits is not sent, and what is tried again comes no more."""
    browser = Browser()
    status = [201]
    service.reply = lambda _: (status[0], {})

    async def test() -> None:
        async with opened(pushing(kept, service)) as notices:
            await notices.subscribe(AIGUL, browser.subscription(service.endpoint(), "ru"), CALLER)
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: len(service.received) == 1)
            notices.turn_over(AIGUL, "/games/abc")
            await until(lambda: len(service.received) == 2)
            notices.your_turn(AIGUL, "/games/abc", "", due())
            notices.turn_over(AIGUL, "/games/abc")
            await until(lambda: len(service.received) == 3)
            status[0] = 503
            notices.your_turn(AIGUL, "/games/abc", "", due())
            await until(lambda: len(service.received) == 4)
            status[0] = 201
            notices.turn_over(AIGUL, "/games/abc")
            await until(lambda: len(service.received) == 5)
            notices.invitation_over(AIGUL, "/c/abc")
            await until(lambda: len(service.received) == 6)
            await until(lambda: not notices._retrying)
            await asyncio.sleep(0.1)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(notices_module, "PAUSES", (0.2,))
        run(test)
    told = [json.loads(browser.read(one.body)) for one in service.received]
    assert ["over" in one for one in told] == [False, True, True, False, True, True]
    assert told[1] == {"title": "Сейчас уже не ваш ход.", "url": "/games/abc", "language": "ru", "over": True}
    assert told[-1] == {"title": "Это приглашение отозвано", "url": "/c/abc", "language": "ru", "over": True}
    assert len({one.headers["topic"] for one in service.received[:-1]}) == 1, "it replaces what has not arrived yet"


def test_players_who_are_away_are_told_of_turns_offers_and_ends(tmp_path: Path) -> None:
    """Turns in slow games alone, the end of each too; offers and the end of the game to whoever is not there."""
    told: list[tuple[str, str]] = []
    said: list[str] = []

    class Recorder:
        def your_turn(self, who: str, path: str, opponent: str, deadline: int, *, guest: Callable[[], bool]) -> None:
            assert guest()
            told.append(("turn", who))

        def turn_over(self, who: str, path: str) -> None:
            told.append(("over", who))

        def tell(
            self, who: str, path: str, text: NoticeText, opponent: object, until: int, *, guest: Callable[[], bool]
        ) -> None:
            assert guest()
            told.append((text.kind.value, who))
            said.append(text.headline)

    async def test(game_registry: GameRegistry) -> None:
        game_registry.notices = Recorder()  # type: ignore[assignment]
        slow = await begun(game_registry, people(clock="3d"))
        told.clear()
        await act(slow, VISITOR, "move", hole=7)
        await until(lambda: len(told) == 2)
        assert told == [("over", VISITOR), ("turn", GUEST)]
        told.clear()
        await act(slow, GUEST, "resign")
        await until(lambda: told)
        await asyncio.sleep(0.05)
        assert told == [("over", GUEST), ("ended", VISITOR)]
        assert said == ["You win"]
        told.clear()
        await act(slow, GUEST, "rematch")
        assert told == [("rematch", VISITOR)]
        told.clear()
        quick = await begun(game_registry, people(clock="10+5"))
        await act(quick, VISITOR, "move", hole=7)
        await asyncio.sleep(0.05)
        assert not told
        await act(quick, VISITOR, "offer-draw")
        await act(quick, VISITOR, "ask-takeback")
        assert told == [("draw", GUEST), ("takeback", GUEST)]
        told.clear()
        watching = quick.follow(VISITOR, quick.game.version)
        await act(quick, GUEST, "accept-draw")
        assert not told, "whoever is there sees it, and whoever has ended it knows"
        quick.broadcast.leave(watching)
        offered = await begun(game_registry, people(clock="3d"))
        told.clear()
        await act(offered, VISITOR, "move", hole=7, offer=True)
        assert told[-1] == ("draw", GUEST), "a newer notice takes the place of the older one of a page"

    within(tmp_path, test)


def test_the_e_mail_of_a_guest_brings_a_link_to_their_seat(kept: NoticeRepository) -> None:
    """Each e-mail another one, which works once; somebody with an account signs in."""
    post = Post()
    token = kept.ask_mail(AIGUL, "aigul@example.org", "ru")
    assert token is not None
    kept.confirm_mail(token)

    async def test(notices: Notices) -> None:
        async with opened(notices):
            notices.your_turn(AIGUL, "/games/abcdefghijkl", "Bakyt", due(), guest=lambda: True)
            await until(lambda: len(post.messages) == 1)
            notices.your_turn(AIGUL, "/games/other", "Bakyt", due())
            await until(lambda: len(post.messages) == 2)

    with smtp(post) as settings:
        run(lambda: test(Notices(kept, None, Mailer(settings), SITE)))
    guest, member = (message.get_content() for message in post.messages)
    assert f"{SITE}/games/abcdefghijkl" in guest
    (secret,) = re.findall(rf"{SITE}/seat/([\w-]{{43}})", guest)
    assert kept.seats.use(secret) == SeatLink(AIGUL, "abcdefghijkl")
    assert kept.seats.use(secret) is None
    assert "/seat/" not in member


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_notice_says_something_of_its_own(language: str) -> None:
    """By push and by mail alike, with the name that the reader sees, and without braces."""
    texts = [NoticeText(kind) for kind in NoticeKind if kind is not NoticeKind.ENDED]
    texts += [
        NoticeText(NoticeKind.ENDED, "You win", "Black resigned"),
        NoticeText(NoticeKind.ENDED, "Draw", "draw agreed"),
    ]
    bodies = set()
    for text in texts:
        told = json.loads(push_text(language, "Aida {due}", "/games/abc", 1, text))
        subject, body = mail_text(language, "Aida {due}", "link", 1_900_000_000_000, "stop", said=text)
        assert told["title"] == subject != ""
        assert "Aida due" in told["body"]
        assert re.findall(r"\{\w*\}", told["body"]) == ["{due}"] * (
            text.kind in (NoticeKind.TURN, NoticeKind.CHALLENGE)
        )
        assert not re.search(r"[{}]", body + subject)
        bodies.add(told["body"])
    assert len(bodies) == len(texts)
