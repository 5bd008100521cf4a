"""A push service on this machine over TLS, which reads what it is sent as a browser would, without the server's code.

The decryption follows RFC 8291 and the check of the sender RFC 8292, both by `cryptography` alone.
"""

from __future__ import annotations

import base64
import datetime
import http.server
import ipaddress
import json
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from korgool.app.server.notices.subscriptions import Subscription

CURVE = ec.SECP256R1()


def plain(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def written(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)


def derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


@dataclass
class Browser:
    """The keys of a subscriber."""

    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(CURVE))
    auth: bytes = b"sixteen secrets!"

    def subscription(self, endpoint: str, language: str = "en") -> Subscription:
        return Subscription(endpoint, written(point(self.key.public_key())), written(self.auth), language)

    def read(self, body: bytes) -> bytes:
        """Decrypt one record of aes128gcm (RFC 8188) with the keys of RFC 8291."""
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender))
        info = b"WebPush: info\0" + point(self.key.public_key()) + sender
        secret = derived(shared, self.auth, info, 32)
        key = derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16)
        nonce = derived(secret, salt, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None)
        return padded.rstrip(b"\0")[:-1]


def sender_of(header: str) -> tuple[dict[str, Any], str]:
    """The claims of a VAPID header and the public key that signed them.

    Raises:
        InvalidSignature: they are not signed by it.
    """
    assert header.startswith("vapid ")
    parts = dict(part.strip().split("=", 1) for part in header.removeprefix("vapid ").split(","))
    signed, _, signature = parts["t"].rpartition(".")
    raw = plain(signature)
    r, s = int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big")
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, plain(parts["k"]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(hashes.SHA256()))
    head, claims = (json.loads(plain(part)) for part in signed.split("."))
    assert head == {"typ": "JWT", "alg": "ES256"}
    return claims, parts["k"]


@dataclass
class Received:
    path: str
    headers: dict[str, str]
    body: bytes


Reply = Callable[[Received], tuple[int, dict[str, str]]]


class PushService:
    """What came, and how it is answered."""

    def __init__(self, folder: Path, names: tuple[str, ...] = ("localhost",)) -> None:
        self.received: list[Received] = []
        self.came = threading.Event()
        self.reply: Reply = lambda _: (201, {})
        self.certificate, key = self_signed(folder, names)
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                received = Received(self.path, headers, body)
                service.received.append(received)
                service.came.set()
                status, more = service.reply(received)
                self.send_response(status)
                for name, value in {"Content-Length": "0", **more}.items():
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.port = int(self.server.server_address[1])

    def endpoint(self, name: str = "one", host: str = "localhost") -> str:
        return f"https://{host}:{self.port}/push/{name}"

    def trust(self) -> ssl.SSLContext:
        """What a client that knows this service trusts."""
        return ssl.create_default_context(cafile=str(self.certificate))


@contextmanager
def push_service(folder: Path, names: tuple[str, ...] = ("localhost",)) -> Iterator[PushService]:
    service = PushService(folder, names)
    thread = threading.Thread(target=service.server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield service
    finally:
        service.server.shutdown()
        service.server.server_close()
        thread.join()


def self_signed(folder: Path, names: tuple[str, ...], *, old: int = 1) -> tuple[Path, Path]:
    """Files of a certificate and its key, for these names and 127.0.0.1; it is so many days old and good for one."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, names[0])])
    now = datetime.datetime.now(datetime.UTC)
    alternatives = [x509.DNSName(one) for one in names]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=old))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([*alternatives, x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]),
            critical=False,
        )
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    paths = folder / "certificate.pem", folder / "key.pem"
    paths[0].write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths
