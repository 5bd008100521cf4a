"""E-mail over a real SMTP server: with STARTTLS, with a password, refused, hanging, and dripping."""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import SMTP, AuthResult

from korgool.app.server.core.settings import SettingsError, SmtpSettings, read_smtp
from korgool.app.server.notices import mail
from korgool.app.server.notices.mail import Mailer, MailError, is_address
from tests.patience import PATIENCE, eventually, in_time

from .push_service import self_signed
from .support import run_async

STOP = "https://korgool.example/mail/stop/abc"


class Post:
    """An SMTP server's handler that keeps what comes."""

    def __init__(self) -> None:
        self.messages: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.tls: list[bool] = []

    async def handle_RCPT(self, _s: Any, _c: Any, envelope: Any, address: str, _o: Any) -> str:  # noqa: N802
        if address.startswith("gone"):
            return "550 no such person"
        if address.startswith("full"):
            return "452 come again"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        message = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(message, EmailMessage)
        self.messages.append(message)
        self.recipients += envelope.rcpt_tos
        self.tls.append(session.ssl is not None)
        return "250 taken"


@contextmanager
def smtp(post: Post, **options: Any) -> Iterator[SmtpSettings]:
    """The server on a free port, in a loop and a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def begin() -> asyncio.Server:
        return await loop.create_server(lambda: SMTP(post, loop=loop, **options), "127.0.0.1", 0)

    async def end() -> None:
        server.close()
        for task in asyncio.all_tasks() - {asyncio.current_task()}:
            task.cancel()

    server = asyncio.run_coroutine_threadsafe(begin(), loop).result(PATIENCE)
    try:
        yield SmtpSettings("localhost", server.sockets[0].getsockname()[1], "games@korgool.example")
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def links(text: str, kind: str) -> list[str]:
    return re.findall(rf"https?://korgool.example/mail/{kind}/([\w-]+)", text)


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    return self_signed(tmp_path, ("localhost",))


def tls(certificate: tuple[Path, Path]) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Contexts of a server and of a client that trusts it."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    return context, ssl.create_default_context(cafile=str(certificate[0]))


def send(mailer: Mailer, to: str = "aigul@example.org", subject: str = "Кезек", text: str = "Сиздин кезегиңиз") -> None:
    try:
        run_async(mailer.send(to, subject, text, STOP))
    finally:
        mailer.close()


def test_a_letter_arrives_over_tls(certificate: tuple[Path, Path]) -> None:
    post, (server, client) = Post(), tls(certificate)
    with smtp(post, tls_context=server, require_starttls=True) as settings:
        send(Mailer(settings, client))
    [letter] = post.messages
    assert post.tls == [True]
    assert post.recipients == ["aigul@example.org"]
    assert letter["Subject"] == "Кезек"
    assert letter["From"] == "games@korgool.example"
    assert letter.get_content().strip() == "Сиздин кезегиңиз"
    assert letter["List-Unsubscribe"] == f"<{STOP}>"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert letter["Message-ID"].endswith("@korgool.example>")


def test_a_server_with_a_wrong_certificate_gets_no_letter(certificate: tuple[Path, Path]) -> None:
    post, (server, _) = Post(), tls(certificate)
    with (
        smtp(post, tls_context=server, require_starttls=True) as settings,
        pytest.raises(MailError, match="certificate"),
    ):
        send(Mailer(settings))
    assert post.messages == []


def test_it_logs_in_over_tls_only(certificate: tuple[Path, Path]) -> None:
    post, (server, client), seen = Post(), tls(certificate), []

    def check(_server: Any, session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        seen.append((data.login, data.password, session.ssl is not None))
        return AuthResult(success=data.password == b"secret", handled=False)

    options = {"authenticator": check, "auth_required": True, "tls_context": server}
    with smtp(post, **options) as told:
        send(Mailer(SmtpSettings(told.host, told.port, told.sender, "korgool", "secret"), client))
        with pytest.raises(MailError) as wrong:
            send(Mailer(SmtpSettings(told.host, told.port, told.sender, "korgool", "wrong"), client))
        assert "535" in str(wrong.value), "the server says so, and is not waited for in vain"
        assert not wrong.value.forever
    assert seen[0] == (b"korgool", b"secret", True)
    assert len(post.messages) == 1
    with smtp(post) as plain, pytest.raises(MailError, match="STARTTLS"):
        send(Mailer(SmtpSettings(plain.host, plain.port, plain.sender, "korgool", "secret")))


def test_without_tls_only_the_server_of_this_machine_gets_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    post = Post()
    with smtp(post) as settings:
        send(Mailer(settings))
        assert post.tls == [False]
        monkeypatch.setattr(mail, "is_here", lambda _: False)
        with pytest.raises(MailError, match="STARTTLS"):
            send(Mailer(settings))
    assert len(post.messages) == 1


@pytest.mark.parametrize(("to", "forever"), [("gone@example.org", True), ("full@example.org", False)])
def test_a_refused_recipient(to: str, forever: bool) -> None:
    with smtp(Post()) as settings, pytest.raises(MailError) as refused:
        send(Mailer(settings), to)
    assert refused.value.forever is forever


def test_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(MailError) as error:
        send(Mailer(SmtpSettings("127.0.0.1", port, "games@korgool.example")))
    assert not error.value.forever


@contextmanager
def stubborn(drip: bytes) -> Iterator[int]:
    """A server that takes connections and says nothing, or one letter of its greeting after the other, for ever."""
    ended = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        connections = []
        while not ended.is_set():
            try:
                listener.settimeout(0.02)
                connections.append(listener.accept()[0])
            except TimeoutError:
                pass
            for connection in connections:
                with suppress(OSError):
                    connection.sendall(drip)
        for connection in connections:
            connection.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        ended.set()
        thread.join()
        listener.close()


@pytest.mark.parametrize("drip", [b"", b"2"])
def test_a_server_that_hangs_is_left_after_a_while(drip: bytes) -> None:
    """Also one that drips, so that no single step takes long."""
    before = mailing()
    with stubborn(drip) as port:
        mailer = Mailer(SmtpSettings("127.0.0.1", port, "games@korgool.example"), seconds=0.5)
        began = time.monotonic()
        with pytest.raises(MailError):
            send(mailer)
        assert time.monotonic() - began < PATIENCE / 2
    eventually(lambda: mailing() <= before, "its thread ends")


def mailing() -> set[threading.Thread]:
    """The threads of all mailers; one that another test has left open may be among them."""
    return {one for one in threading.enumerate() if one.name.startswith("korgool-mail")}


@pytest.fixture
def slow_to_connect(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a second passes until a connection is made, in which there is none that could be cut off."""
    connect = socket.create_connection

    def late(*arguments: Any) -> socket.socket:
        time.sleep(0.5)
        return connect(*arguments)

    monkeypatch.setattr(socket, "create_connection", late)


@pytest.mark.usefixtures("slow_to_connect")
def test_a_server_that_answers_after_the_time_is_over_is_left_too() -> None:
    with stubborn(b"2") as port:
        began = time.monotonic()
        with pytest.raises(MailError):
            send(Mailer(SmtpSettings("127.0.0.1", port, "games@korgool.example"), seconds=0.1))
        assert time.monotonic() - began < PATIENCE / 2


@pytest.mark.usefixtures("slow_to_connect")
def test_a_server_that_answers_when_the_site_has_stopped_is_left_too() -> None:
    async def test(port: int) -> None:
        mailer = Mailer(SmtpSettings("127.0.0.1", port, "games@korgool.example"), seconds=2 * PATIENCE)
        sending = asyncio.create_task(mailer.send("a@example.org", "s", "t", STOP))
        await asyncio.sleep(0.1)
        mailer.close()
        with pytest.raises(MailError):
            await sending

    with stubborn(b"2") as port:
        run_async(in_time(test(port)))


def test_the_loop_goes_on_while_the_server_hangs() -> None:
    async def test(port: int) -> None:
        mailer = Mailer(SmtpSettings("127.0.0.1", port, "games@korgool.example"), seconds=60)
        sending = asyncio.create_task(mailer.send("a@example.org", "s", "t", STOP))
        try:
            for _ in range(6):
                await asyncio.sleep(0.01)
            assert not sending.done()  # the loop has not waited for its end
        finally:
            mailer.close()  # the server stops: nothing waits for the letter
        with pytest.raises(MailError):
            await sending

    with stubborn(b"") as port:
        run_async(in_time(test(port)))


@pytest.mark.parametrize("address", ["a@b.org", "first.last+games@mail.example.co.uk", "o'neil@example.org"])
def test_addresses(address: str) -> None:
    assert is_address(address)


@pytest.mark.parametrize(
    "address",
    ["", "a", "a@b", "@b.org", "a@", "a b@c.org", "a@b.org\r\nBcc: x@y.org", "a@b.org,c@d.org", "<a@b.org>", "a@b..org",
     "a..b@c.org", '"a b"@c.org', "a@[127.0.0.1]", "айгүл@example.org", "a@" + "b" * 64 + ".org", "a" * 65 + "@b.org",
     "a@" + "b." * 130 + "org"],
)  # fmt: skip
def test_what_is_no_address(address: str) -> None:
    assert not is_address(address)


def test_a_subject_cannot_carry_another_header() -> None:
    post = Post()
    with smtp(post) as settings, pytest.raises(MailError):
        send(Mailer(settings), subject="a\r\nBcc: b@example.org")
    assert post.messages == []


def test_the_settings_of_smtp(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KORGOOL_SMTP_USER", "u")
    monkeypatch.setenv("KORGOOL_SMTP_PASSWORD", "p")
    assert read_smtp("smtp.example.org:587", "a@b.org") == SmtpSettings("smtp.example.org", 587, "a@b.org", "u", "p")
    assert read_smtp("[::1]:25", "a@b.org").host == "::1"
    for text, told in [("smtp", "a@b.org"), ("smtp:0", "a@b.org"), (":25", "a@b.org"), ("smtp:x", "a@b.org")]:
        with pytest.raises(SettingsError, match="--smtp"):
            read_smtp(text, told)
    for sender in (None, "", "a", "a b@c.org", "A <a@b.org>"):
        with pytest.raises(SettingsError, match="--mail-from"):
            read_smtp("smtp:25", sender)
