"""Web push: keys (VAPID, RFC 8292), encryption for the subscriber alone (RFC 8291), and sending (RFC 8030)."""

from __future__ import annotations

import asyncio
import base64
import json
import ssl
import time
from collections.abc import Sequence
from email.utils import parsedate_to_datetime

import h11
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

from korgool.app.server.limits.caller import Network
from korgool.app.server.notices.push_encryption import CURVE, encrypt
from korgool.app.server.notices.push_endpoints import EndpointError, PushEndpoint, resolve_endpoint
from korgool.app.server.notices.subscriptions import PushResponse, Subscription

_SECONDS = 10.0
"""The most seconds for one message, from the connection to the answer."""
_HEAD_BYTES = 16_384
_POINT_BYTES = 65
"""Length of an uncompressed point of P-256, as RFC 8291 takes it into the keys."""
_VALID_SECONDS = 12 * 3600


def new_key() -> str:
    """A private key as 64 hexadecimal digits."""
    return f"{ec.generate_private_key(CURVE).private_numbers().private_value:064x}"


class WebPush:
    """Sends messages with the key of one server.

    Args:
        key: as `new_key` makes it.
        contact: `mailto:` or `https:` address of the operator, for the push services.
        allowed: see `resolve_endpoint`.
        context: the certificates that are trusted; the system's without it.
    """

    def __init__(
        self, key: str, contact: str, allowed: Sequence[Network] = (), context: ssl.SSLContext | None = None
    ) -> None:
        self._key = ec.derive_private_key(int(key, 16), CURVE)
        self._contact = contact
        self._allowed = tuple(allowed)
        self._context = ssl.create_default_context() if context is None else context
        point = self._key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )
        self.public_key = _base64_text(point)
        """For browsers that subscribe."""

    async def check(self, subscription: Subscription) -> None:
        """Check a new subscription.

        Raises:
            EndpointError: nothing can be sent to it.
        """
        try:
            point = _base64_bytes(subscription.p256dh)
            ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)
            secret = _base64_bytes(subscription.auth)
        except ValueError:
            raise EndpointError("the keys of the subscription are none") from None
        if len(point) != _POINT_BYTES:  # a compressed point would make a message that no browser can read
            raise EndpointError("the keys of the subscription are none")
        if len(secret) != 16:
            raise EndpointError("the secret of a subscription has 16 bytes")
        await resolve_endpoint(subscription.endpoint, self._allowed)

    async def send(self, subscription: Subscription, message: bytes, seconds: int, topic: str) -> PushResponse:
        """Send a message.

        Args:
            subscription: to whom.
            message: at most 3 kB; the push service cannot read it.
            seconds: how long the service keeps it for a browser that is not connected.
            topic: a newer message of this topic replaces it there; up to 32 characters of base64url.

        Raises:
            EndpointError: the endpoint leads to where nothing is sent.
        """
        place = await resolve_endpoint(subscription.endpoint, self._allowed)
        body = encrypt(message, _base64_bytes(subscription.p256dh), _base64_bytes(subscription.auth))
        headers = [
            ("Host", place.host if place.port == 443 else f"{place.host}:{place.port}"),
            ("Authorization", self.authorization(place)),
            ("Content-Encoding", "aes128gcm"),
            ("Content-Type", "application/octet-stream"),
            ("Content-Length", str(len(body))),
            ("TTL", str(seconds)),
            ("Topic", topic),
            ("Urgency", "normal"),
            ("Connection", "close"),
        ]
        try:
            async with asyncio.timeout(_SECONDS):
                return await self._post(place, headers, body)
        except (OSError, TimeoutError, h11.ProtocolError, EOFError):
            return PushResponse(0)

    def authorization(self, place: PushEndpoint) -> str:
        """The header that tells the push service who sends (RFC 8292)."""
        host = f"[{place.host}]" if ":" in place.host else place.host
        origin = f"https://{host}" if place.port == 443 else f"https://{host}:{place.port}"
        claims = {"aud": origin, "exp": int(time.time()) + _VALID_SECONDS, "sub": self._contact}
        signed = ".".join(_base64_text(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
        r, s = decode_dss_signature(self._key.sign(signed.encode(), ec.ECDSA(hashes.SHA256())))
        signature = _base64_text(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"

    async def _post(self, place: PushEndpoint, headers: list[tuple[str, str]], body: bytes) -> PushResponse:
        """One request to the checked address. The body of the answer is not read, and a redirect is not followed."""
        reader, writer = await asyncio.open_connection(
            place.address, place.port, ssl=self._context, server_hostname=place.host, limit=_HEAD_BYTES
        )
        try:
            client = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_BYTES)
            request = h11.Request(method="POST", target=place.target, headers=headers)
            for part in (request, h11.Data(data=body), h11.EndOfMessage()):
                writer.write(client.send(part) or b"")
            await writer.drain()
            while True:
                event = client.next_event()
                if event is h11.NEED_DATA:
                    data = await reader.read(_HEAD_BYTES)
                    if not data:
                        raise EOFError
                    client.receive_data(data)
                elif isinstance(event, h11.Response):
                    return PushResponse(event.status_code, _wait(dict(event.headers).get(b"retry-after")))
        finally:
            writer.transport.abort()


def _wait(header: bytes | None) -> float | None:
    if header is None:
        return None
    text = header.decode("latin-1").strip()
    if text.isascii() and text.isdigit() and len(text) < 10:
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, TypeError):
        return None


def _base64_text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _base64_bytes(text: str) -> bytes:
    """The bytes of base64url, with or without padding; raises ValueError for anything else."""
    plain = text.rstrip("=")
    if len(plain) > 200:
        raise ValueError("too long")
    return base64.b64decode(plain.encode("ascii") + b"=" * (-len(plain) % 4), altchars=b"-_", validate=True)
