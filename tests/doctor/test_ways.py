"""`korgool doctor` on the ways to a site: TLS and the proxy, mail, and web push, each tried for real."""

from __future__ import annotations

import socket
import ssl
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult
from click.testing import CliRunner
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from korgool.app.cli import main
from korgool.app.doctor import network_checks
from korgool.app.doctor.diagnosis import Condition, Diagnosis
from korgool.app.doctor.examination import Installation, examine
from korgool.app.server.core.settings import SmtpSettings
from korgool.installing import advice
from tests.ports import free_ports
from tests.server.push_service import self_signed
from tests.server.support import Server, running
from tests.server.test_mail import Post, smtp, tls

from .fronts import front
from .test_doctor import answering, told

NAMES = ("localhost",)


def noted(found: list[Diagnosis]) -> dict[str, str]:
    """What is neither good nor wrong, with the advice."""
    return {one.about: f"{one.said}; {one.advice}" for one in found if one.condition is Condition.NOTE}


@pytest.fixture
def trusted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A certificate that this machine trusts, as one of an authority of its own."""
    certificate = self_signed(tmp_path, NAMES)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
    return certificate


@pytest.fixture
def users(monkeypatch: pytest.MonkeyPatch) -> dict[ssl.SSLSocket, set[int]]:
    """The threads that have read or written each connection with TLS of this process."""
    found: dict[ssl.SSLSocket, set[int]] = {}

    def watch(name: str, usual: Callable[..., Any]) -> None:
        def noted(self: ssl.SSLSocket, *values: Any) -> Any:
            found.setdefault(self, set()).add(threading.get_ident())
            return usual(self, *values)

        monkeypatch.setattr(ssl.SSLSocket, name, noted)

    for name in ("recv", "recv_into", "sendall"):
        watch(name, getattr(ssl.SSLSocket, name))
    return found


@contextmanager
def alive(live: Callable[[ServerConnection], None], first: Callable[[], None] = lambda: None) -> Iterator[int]:
    """A site without TLS whose live connections are like that; its port. `first` hears of its first page."""

    def pages(connection: ServerConnection, request: Request) -> Response | None:
        if request.path.endswith("/live"):
            return None
        if request.path == "/":
            first()
        return connection.respond(200, '{"status": "ok"}')

    with serve(live, "127.0.0.1", 0, process_request=pages) as one:
        thread = threading.Thread(target=one.serve_forever)
        thread.start()
        try:
            yield one.socket.getsockname()[1]
        finally:
            one.shutdown()
            thread.join()


def port_of(server: Server) -> int:
    return int(server.url.rpartition(":")[2])


def test_a_site_behind_a_good_proxy_has_nothing_wrong(
    trusted: tuple[Path, Path], tmp_path: Path, users: dict[ssl.SSLSocket, set[int]]
) -> None:
    with front(trusted) as proxy:
        base = f"https://localhost:{proxy.port}/"
        with running(tmp_path / "data", None, "--base-url", base, "--trusted-proxy", "127.0.0.1") as server:
            proxy.behind = port_of(server)
            found = list(network_checks.site(base))
            strange = told(network_checks.site(f"http://127.1:{proxy.behind}/"))
    assert {one.condition for one in found} == {Condition.GOOD}, found
    said = [one.said for one in found]
    assert "the server knows that people use TLS" in said
    assert "the server trusts what the proxy says of addresses" in said
    assert f"come through to wss://localhost:{proxy.port}" in said
    assert next(one.said for one in found if one.about == "TLS").endswith("the certificate is good for 1.0 days")
    assert "does not know this name" in strange["address"][0], "another way to write 127.0.0.1"
    assert "korgool serve --base-url with this address" in strange["address"][0]
    assert "answers 421" in strange["first page"][0]
    assert "answers status 403" in strange["live connections"][0]
    assert [len(threads) for threads in users.values()] == [1, 1, 1], "OpenSSL allows no writing beside reading"


def test_a_server_that_was_not_told_of_its_proxy_is_found(trusted: tuple[Path, Path], tmp_path: Path) -> None:
    with front(trusted) as proxy, running(tmp_path / "data") as server:
        proxy.behind = port_of(server)
        found = list(network_checks.site(f"https://localhost:{proxy.port}/"))
    wrong = told(iter(found))
    assert "cookies travel without protection" in wrong["proxy"][0]
    assert f"korgool serve --base-url https://localhost:{proxy.port}/" in wrong["proxy"][0]
    assert "--trusted-proxy" in noted(found)["proxy"]


def test_a_certificate_that_is_not_trusted_or_not_renewed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certificate = self_signed(tmp_path, NAMES, old=9)
    with front(certificate) as proxy, answering(404, b"nobody") as other:
        proxy.behind = other
        base = f"https://localhost:{proxy.port}/"
        strange = list(network_checks.site(base))
        assert "SSL_CERT_FILE names its authority" in told(iter(strange))["TLS"][0]
        assert strange[-1].about == "TLS", "nothing more can be said of such a site"
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate[0]))
        found = list(network_checks.site(base))
    assert noted(found)["TLS"].endswith("good for 1.0 days; look why the proxy does not renew it")
    assert "answers 404: 'nobody', which is not Korgool" in told(iter(found))["address"][0]


def test_a_proxy_that_passes_only_some_pages_on_is_found() -> None:
    """The site answers about its health alone: its first page is on the way to somewhere else."""

    def asked(status: int, body: bytes, **headers: str) -> dict[str, list[str]]:
        with answering(status, body, **headers) as port:
            return told(network_checks.site(f"http://127.0.0.1:{port}/"))

    found = asked(301, b'{"detail": "moved"}', Location="http://127.0.0.1:1/")
    assert found["first page"][0].startswith("http://127.0.0.1:"), "a redirect is told of, and not followed"
    assert "/ answers 301; korgool serve --base-url" in found["first page"][0]
    assert "answers 301: moved; its log tells more" in found["address"][0]
    assert "answers 200: '[]', which is not Korgool" in asked(200, b"[]")["address"][0]
    said = told(network_checks.site("http://127.0.0.1:1/"))["address"][0]
    assert "answers nothing: " in said
    assert "Connection refused" in said


def test_a_live_connection_that_ends_in_another_way_is_found() -> None:
    def said(live: Callable[[ServerConnection], None]) -> str:
        with alive(live) as port:
            return told(network_checks.site(f"http://127.0.0.1:{port}/"))["live connections"][0].partition("/live ")[2]

    advice = "; the proxy has to pass on the headers Upgrade and Connection; Caddy does, nginx by proxy_set_header"
    assert said(lambda _: None) == "answers the end 1000" + advice
    assert said(lambda one: one.socket.shutdown(socket.SHUT_RDWR)) == "answers the end 1006" + advice


def test_a_live_connection_that_does_not_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    over = threading.Event()

    def talk(connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            while not over.wait(0.01):
                connection.send("a word")

    with alive(talk, first=lambda: monkeypatch.setattr(network_checks, "_SECONDS", 0.3)) as port:
        try:
            found = told(network_checks.site(f"http://127.0.0.1:{port}/"))
        finally:
            over.set()
    assert "/live answers nothing; the proxy has to pass on" in found["live connections"][0]


def test_live_connections_are_not_tried_without_their_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "websockets.client", None)
    with answering(200, b'{"status": "ok"}') as port:
        found = list(network_checks.site(f"http://127.0.0.1:{port}/"))
    assert noted(found)["live connections"] == f"were not tried; {advice('serve')}"
    assert told(iter(found)) == {}


def test_a_port_that_is_free_is_not_wrong() -> None:
    (port,) = free_ports(1)
    for host in ("127.0.0.1", "0.0.0.0"):
        found = list(network_checks.port(host, port))
        assert noted(found) == {
            f"port {port}": f"nobody listens on {host}, port {port}; korgool serve would listen there"
        }
    assert "cannot be used" in told(network_checks.port("192.0.2.1", port))[f"port {port}"][0], "of another machine"


def test_the_letterbox_is_tried_and_gets_no_letter(trusted: tuple[Path, Path]) -> None:
    post, (context, _), seen = Post(), tls(trusted), []

    def check(_server: Any, session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
        seen.append((data.login, session.ssl is not None))
        return AuthResult(success=data.password == b"secret", handled=False)

    with smtp(post, authenticator=check, auth_required=True, tls_context=context) as given:

        def found(password: str) -> list[Diagnosis]:
            return list(network_checks.mail(SmtpSettings(given.host, given.port, given.sender, "korgool", password)))

        assert found("secret") == [
            Diagnosis("mail", Condition.GOOD, f"localhost:{given.port} answers and lets the site in; nothing was sent")
        ]
        refused = told(iter(found("wrong")))["mail"][0]
    assert refused == (
        f"localhost:{given.port} refuses name or password: 535; set KORGOOL_SMTP_USER and KORGOOL_SMTP_PASSWORD"
    )
    assert set(seen) == {(b"korgool", True)}, "the name goes over TLS only"
    assert post.messages == []


def test_mail_goes_without_encryption_only_to_this_machine_and_without_a_password() -> None:
    post = Post()
    with smtp(post) as given:
        (good,) = network_checks.mail(given)
        assert (good.condition, good.said) == (
            Condition.GOOD,
            f"localhost:{given.port} answers; nothing was sent",
        )
        named = SmtpSettings(given.host, given.port, given.sender, "korgool", "secret")
        assert "offers no STARTTLS; use the port of submission" in told(network_checks.mail(named))["mail"][0]
    assert post.messages == []


def test_a_letterbox_whose_certificate_is_not_trusted_gets_no_password(tmp_path: Path) -> None:
    post, (context, _) = Post(), tls(self_signed(tmp_path, NAMES))
    with smtp(post, tls_context=context, auth_required=True) as given:
        named = SmtpSettings(given.host, given.port, given.sender, "korgool", "secret")
        assert "certificate verify failed" in told(network_checks.mail(named))["mail"][0]


def test_the_command_tries_the_address_and_the_mail_that_it_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("KORGOOL_SMTP_USER", raising=False)
    with running(tmp_path / "data") as server, smtp(Post()) as given:
        words = ["doctor", "--data", str(tmp_path / "data"), "--port", str(port_of(server))]
        words += ["--base-url", f"{server.url}/"]
        mail = ["--smtp", f"{given.host}:{given.port}", "--mail-from", given.sender]
        done = CliRunner().invoke(main, [*words, *mail])
    assert done.exit_code == 0, done.output
    assert f"localhost:{given.port} answers; nothing was sent" in done.stdout
    assert "people use this address without encryption" in done.stdout
    assert "come through to ws://127.0.0.1:" in done.stdout


def test_web_push_without_its_packages_is_wrong_only_where_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography", None)
    found = told(network_checks.push("mailto:operator@example.org"))
    assert found == {"web push": [f"needs cryptography; {advice('push')}"]}
    assert "web push" not in told(examine(Installation({}, data=Path("none"), port=1)))
