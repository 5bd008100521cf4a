"""Checks of the network: the port, the address through the proxy with TLS and live connections, mail, web push."""

from __future__ import annotations

import json
import secrets
import smtplib
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener

from korgool import installing
from korgool.app.doctor.diagnosis import Condition, Diagnosis, good, note, wrong

if TYPE_CHECKING:
    from email.message import Message

    from websockets.client import ClientProtocol

    from korgool.app.server.core.settings import SmtpSettings

_SECONDS = 10.0
_DAY = 86400.0
_RENEWAL_SHARE = 0.2
"""The remaining share of a certificate's life at which a proxy should have renewed it."""
_UNKNOWN_GAME = "doctor000000"
_UNKNOWN_GAME_CODE = 4404
_MOST = 1 << 16


def port(host: str, number: int) -> Iterator[Diagnosis]:
    """Check that a port is free or a Korgool server listens on it."""
    about = f"port {number}"
    try:
        family, kind, _, _, address = socket.getaddrinfo(
            host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind) as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
        yield note(about, f"nobody listens on {host}, port {number}", "korgool serve would listen there")
        return
    except OSError as error:
        said = f"{host}, port {number} cannot be used: {error.strerror or error}"
    status, _, text = _request(f"http://{'127.0.0.1' if host in {'0.0.0.0', '::'} else host}:{number}/healthz")
    if _is_ours(text):
        yield _health(about, status, text)
    else:
        yield wrong(about, f"{said}, and what listens there is no Korgool", "end it, or korgool serve --port ANOTHER")


def site(base: str) -> Iterator[Diagnosis]:
    """Check that the site answers at the address that people use, and knows that they use TLS."""
    parts = urlsplit(base)
    root = f"{parts.scheme}://{parts.netloc}"
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        yield wrong("address", f"{base!r} is no address of a site", "write https://example.org/")
        return
    try:
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(parts.hostname, None, type=socket.SOCK_STREAM)}
        yield good("name", f"{parts.hostname} is {', '.join(sorted(addresses))}")
    except OSError as error:
        yield wrong("name", f"{parts.hostname} has no address: {error.strerror}", "make an entry for it in the DNS")
        return
    if parts.scheme == "https":
        certificate = _certificate(parts.hostname, parts.port or 443)
        yield certificate
        if certificate.condition is Condition.WRONG:
            return
    status, _, text = _request(f"{root}/healthz")
    if not _is_ours(text):
        yield wrong(
            "address",
            f"{root}/healthz answers {status or 'nothing'}: {text[:80]!r}, which is not Korgool",
            "look whether korgool serve runs, and where the proxy sends requests: reverse_proxy 127.0.0.1:8000",
        )
        return
    yield _health("address", status, text)
    yield from _headers(root, parts.scheme == "https")
    yield _live_connection(root)


def mail(settings: SmtpSettings) -> Iterator[Diagnosis]:
    """Check that the SMTP server answers, encrypts, and accepts the site's login; nothing is sent."""
    from korgool.app.server.notices.mail import is_here

    place = f"{settings.host}:{settings.port}"
    try:
        with smtplib.SMTP(settings.host, settings.port, timeout=_SECONDS) as client:
            client.ehlo()
            if client.has_extn("starttls"):
                client.starttls(context=ssl.create_default_context())
                client.ehlo()
            elif settings.user or not is_here(settings.host):
                yield wrong("mail", f"{place} offers no STARTTLS", "use the port of submission, usually 587")
                return
            if settings.user:
                client.login(settings.user, settings.password)
        yield good("mail", f"{place} answers{' and lets the site in' if settings.user else ''}; nothing was sent")
    except smtplib.SMTPAuthenticationError as error:
        said = f"{place} refuses name or password: {error.smtp_code}"
        yield wrong("mail", said, "set KORGOOL_SMTP_USER and KORGOOL_SMTP_PASSWORD")
    except (OSError, smtplib.SMTPException) as error:
        yield wrong("mail", f"{place}: {error}", "look at --smtp HOST:PORT, and whether a firewall is between")


def push(contact: str) -> Iterator[Diagnosis]:
    """Check that web push could be sent."""
    from korgool.app.server.core.settings import ServerSettings, SettingsError, check_notices

    try:
        check_notices(ServerSettings(push=contact))
    except SettingsError as error:
        yield wrong("web push", str(error), "korgool serve --push mailto:NAME@EXAMPLE.ORG")
        return
    if find_spec("cryptography") is None:
        yield wrong("web push", "needs cryptography", installing.advice("push"))
    else:
        yield good("web push", f"can be sent for {contact}; the keys are in the database")


# Internals


class _NoRedirect(HTTPRedirectHandler):
    """Returns a redirect as the response instead of following it."""

    def redirect_request(self, *_: object) -> None:
        """Return no request to follow."""


def _request(url: str, **headers: str) -> tuple[int, Message[str, str] | None, str]:
    """Return status, headers and the beginning of the response; without a response, status 0 and the reason."""
    opener = build_opener(_NoRedirect, ProxyHandler({}), HTTPSHandler(context=ssl.create_default_context()))
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    try:
        with opener.open(Request(url, headers=named), timeout=_SECONDS) as answer:
            return answer.status, answer.headers, answer.read(_MOST).decode(errors="replace")
    except HTTPError as error:
        with error:
            return error.code, error.headers, error.read(_MOST).decode(errors="replace")
    except (URLError, OSError, ValueError) as error:
        return 0, None, str(getattr(error, "reason", error))


def _is_ours(text: str) -> bool:
    """Return whether a response to a health check comes from Korgool: with a status, or with the reason for 503."""
    try:
        health = json.loads(text)
    except ValueError:
        return False
    return isinstance(health, dict) and ("status" in health or "detail" in health)


def _health(about: str, status: int, text: str) -> Diagnosis:
    if status == 200:
        return good(about, "a Korgool server answers, and a test write has reached the disk")
    detail = json.loads(text).get("detail", "")
    if status == 421:
        return wrong(
            about, f"the server does not know this name: {detail}", "korgool serve --base-url with this address"
        )
    return wrong(about, f"a Korgool server answers {status}: {detail}", "its log tells more: journalctl -u korgool")


def _certificate(host: str, number: int) -> Diagnosis:
    """Check the certificate as a browser does."""
    try:
        with (
            socket.create_connection((host, number), timeout=_SECONDS) as plain,
            ssl.create_default_context().wrap_socket(plain, server_hostname=host) as secure,
        ):
            shown = secure.getpeercert() or {}
            begins, ends = (ssl.cert_time_to_seconds(str(shown[name])) for name in ("notBefore", "notAfter"))
            left = ends - time.time()
            said = f"{secure.version()}, the certificate is good for {left / _DAY:.1f} days"
    except ssl.SSLCertVerificationError as error:
        return wrong(
            "TLS",
            f"browsers do not trust the certificate: {error.verify_message}",
            "let the proxy get one for this name; for one of your own, SSL_CERT_FILE names its authority",
        )
    except OSError as error:
        return wrong("TLS", f"{host}, port {number}: {error.strerror or error}", "look whether the proxy runs")
    if left < _RENEWAL_SHARE * (ends - begins):
        return note("TLS", said, "look why the proxy does not renew it")
    return good("TLS", said)


def _headers(root: str, secure: bool) -> Iterator[Diagnosis]:
    """Check by the headers of responses that the proxies are set up correctly."""
    mark = secrets.token_hex(8)
    status, headers, _ = _request(f"{root}/", X_Request_ID=mark, Accept="text/html")
    if status != 200 or headers is None:
        advice = "korgool serve --base-url with this address, and the proxy has to pass on the name of the site"
        yield wrong("first page", f"{root}/ answers {status or 'nothing'}", advice)
        return
    if not secure:
        yield note("TLS", "people use this address without encryption", "put a proxy with TLS in front of the server")
        return
    if headers.get("Strict-Transport-Security") is None:
        yield wrong(
            "proxy",
            "the server does not know that people use TLS: cookies travel without protection",
            f"korgool serve --base-url {root}/",
        )
    else:
        yield good("proxy", "the server knows that people use TLS")
    if headers.get("X-Request-ID") == mark:
        yield good("proxy", "the server trusts what the proxy says of addresses")
    else:
        yield note(
            "proxy",
            "the server does not trust the proxy, or the proxy numbers requests by itself; without trust all visitors "
            "have one address, and share its limits",
            "korgool serve --trusted-proxy with the address of the proxy, such as 127.0.0.1",
        )


def _live_connection(root: str) -> Diagnosis:
    """Check that live connections work: one to an unknown game has to be closed with the server's own code."""
    try:
        from websockets.client import ClientProtocol
        from websockets.exceptions import InvalidStatus, WebSocketException
        from websockets.typing import Origin
        from websockets.uri import parse_uri
    except ImportError:
        return note("live connections", "were not tried", installing.advice("serve"))
    address = f"{root.replace('http', 'ws', 1)}/api/games/{_UNKNOWN_GAME}/live"
    advice = "the proxy has to pass on the headers Upgrade and Connection; Caddy does, nginx by proxy_set_header"
    code = 0
    try:
        code = _close_code(ClientProtocol(parse_uri(address), origin=Origin(root), max_size=_MOST))
        said = f"the end {code}"
    except InvalidStatus as error:
        said = f"status {error.response.status_code}"
    except TimeoutError:
        said = "nothing"
    except (OSError, ValueError, WebSocketException) as error:
        said = str(error)
    if code == _UNKNOWN_GAME_CODE:
        return good("live connections", f"come through to {address.partition('/api')[0]}")
    return wrong("live connections", f"do not come through: {address} answers {said}", advice)


def _close_code(protocol: ClientProtocol) -> int:
    """Open a live connection, wait until it is closed, and return the close code, 1006 if there was none.

    One thread does it all. The library's own blocking client reads in a second one, but OpenSSL forbids reading from
    a connection while another thread writes to it: one request in hundreds is lost, and its answer never comes.

    Raises:
        WebSocketException: the response opens no live connection.
        OSError: the connection fails; as TimeoutError, it is not closed in time.
    """
    from websockets.frames import CloseCode
    from websockets.protocol import State

    uri, deadline = protocol.uri, time.monotonic() + _SECONDS
    with (
        socket.create_connection((uri.host, uri.port), timeout=_SECONDS) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=uri.host) if uri.secure else plain as stream,
    ):
        protocol.send_request(protocol.connect())
        stream.sendall(b"".join(protocol.data_to_send()))
        while protocol.state in {State.CONNECTING, State.OPEN}:
            if (left := deadline - time.monotonic()) <= 0:
                raise TimeoutError
            stream.settimeout(left)
            if data := stream.recv(_MOST):
                protocol.receive_data(data)
            else:
                protocol.receive_eof()
            protocol.events_received()
            if protocol.handshake_exc is not None:
                raise protocol.handshake_exc
            with suppress(OSError):  # the peer may be gone before its close is answered
                stream.sendall(b"".join(protocol.data_to_send()))
    return CloseCode.ABNORMAL_CLOSURE if protocol.close_rcvd is None else protocol.close_rcvd.code
