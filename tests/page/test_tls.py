"""Behind a proxy that ends TLS, as a site on the internet runs: cookies, live connections, and the kept pages."""

from __future__ import annotations

import datetime
import ipaddress
import re
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import CHROMIUM, QUIET
from tests.page.conftest import PHONE, start_server
from tests.page.consoles import watch
from tests.page.table import Table, expect
from tests.page.test_offline import keep
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

x509 = pytest.importorskip("cryptography.x509", reason="the certificate of the test needs cryptography")


class Proxy:
    """Ends TLS with a certificate of its own and passes the bytes on, whatever they are."""

    def __init__(self, folder: Path) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(_certificate(folder))
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"https://127.0.0.1:{self._listening.getsockname()[1]}"
        self._behind: tuple[str, int] = ("127.0.0.1", 0)
        threading.Thread(target=self._accept, daemon=True).start()

    def stand_before(self, address: str) -> None:
        """Pass everything on to a server from now on."""
        self._behind = ("127.0.0.1", int(address.rsplit(":", 1)[1]))

    def close(self) -> None:
        """Take no more connections."""
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(plain,), daemon=True).start()

    def _serve(self, plain: socket.socket) -> None:
        """Both directions of one connection. An SSL socket is not read and written at once, so TLS runs in memory."""
        try:
            inside = socket.create_connection(self._behind)
        except OSError:
            plain.close()
            return
        arrived, leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = self._context.wrap_bio(arrived, leaving, server_side=True)
        lock = threading.Lock()

        def flush() -> None:
            if data := leaving.read():
                plain.sendall(data)

        def answer() -> None:
            with suppress(OSError, ssl.SSLError):
                while data := inside.recv(65536):
                    with lock:
                        tls.write(data)
                        flush()
            with suppress(OSError):
                plain.shutdown(socket.SHUT_RDWR)

        greeted = False
        with plain, inside, suppress(OSError, ssl.SSLError):
            while data := plain.recv(65536):
                with lock:
                    arrived.write(data)
                    said = b""
                    with suppress(ssl.SSLWantReadError):
                        if not greeted:
                            tls.do_handshake()
                            greeted = True
                            threading.Thread(target=answer, daemon=True).start()
                        while part := tls.read(65536):
                            said += part
                    flush()
                if said:
                    inside.sendall(said)


def _certificate(folder: Path) -> Path:
    """A certificate for this machine's own address, with its key, in one file."""
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    now = datetime.datetime.now(datetime.UTC)
    own = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(own, critical=False)
        .sign(key, hashes.SHA256())
    )
    encoding = serialization.Encoding.PEM
    private = key.private_bytes(encoding, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = folder / "certificate.pem"
    path.write_bytes(private + certificate.public_bytes(encoding))
    return path


@pytest.fixture(scope="module")
def trusting(browser: Browser) -> Iterator[Browser]:
    """A browser that takes any certificate, also for a service worker, which a context cannot allow."""
    chosen = browser.browser_type.launch(
        executable_path=CHROMIUM, args=[*QUIET, "--ignore-certificate-errors"], timeout=PATIENCE * 1000
    )
    yield chosen
    chosen.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    proxy = Proxy(tmp_path)
    process, address = start_server(tmp_path / "data", 0, "--base-url", f"{proxy.address}/")
    proxy.stand_before(address)
    yield proxy.address
    process.kill()
    process.wait(PATIENCE)
    proxy.close()


def test_a_game_over_tls(trusting: Browser, site: str) -> None:
    """Cookies only for TLS and this host, a game over `wss`, a link that says `https`, and pages without a network."""
    complaints: list[str] = []
    context = trusting.new_context(**PHONE, locale="en", ignore_https_errors=True)
    context.set_default_timeout(PATIENCE * 1000)
    page = context.new_page()
    watch(page, complaints.append)
    sockets: list[str] = []
    page.on("websocket", lambda made: sockets.append(made.url))
    table = Table(page, site)
    table.start_by_form("bestemshe")
    cookies = context.cookies()
    assert len(cookies) >= 2
    for cookie in cookies:
        assert cookie["name"].startswith("__Host-"), cookie
        assert cookie["secure"]
        assert cookie["path"] == "/"
    table.press(1)
    table.wait_for_ply(2)
    assert [address.startswith("wss://") for address in sockets] == [True]
    kept = keep(page)
    assert {"/", "/analysis", "/offline"} <= set(kept)

    token = next(cookie["value"] for cookie in cookies if "csrftoken" in cookie["name"])
    terms = {"game": "bestemshe", "clock": "none", "side": "white", "to": "link"}
    made = page.request.post(f"{site}/api/challenges", data=terms, headers={"x-csrftoken": token, "origin": site})
    assert made.status == 201, made.text()
    assert made.json()["url"].startswith(f"{site}/")
    other = trusting.new_context(**PHONE, locale="en", ignore_https_errors=True)
    guest = other.new_page()
    guest.goto(made.json()["url"])
    guest.get_by_role("button", name=re.compile("Play|Accept")).first.click()
    expect(guest.locator("korgool-board[data-ready]")).to_be_visible()
    assert guest.url.startswith(f"{site}/games/")
    other.close()
    assert not complaints

    context.set_offline(True)
    page.goto(f"{site}/analysis")
    expect(page.locator("korgool-board[data-ready]")).to_be_visible()
    assert page.evaluate("isSecureContext && crossOriginIsolated")
    context.close()
