"""Encryption of a push message for one subscriber: RFC 8291, as one record of the content coding of RFC 8188."""

from __future__ import annotations

import os

from cryptography.hazmat.primitives import hashes, hmac, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

CURVE = ec.SECP256R1()
LONGEST = 3993
"""Bytes of a message: RFC 8030 lets a service refuse a body of more than 4096, which holds a head and a tag too."""
_RECORD_BYTES = 4096
_LAST_RECORD = b"\x02"


def encrypt(
    message: bytes,
    public_key: bytes,
    secret: bytes,
    *,
    own_key: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes | None = None,
) -> bytes:
    """Return the body of a request to the push service.

    Args:
        message: what the subscriber shall read.
        public_key: of the subscriber, an uncompressed point of P-256.
        secret: the 16 bytes of the subscription that only its browser and this server know.
        own_key: for this message alone; a new one unless given.
        salt: 16 random bytes unless given.

    Raises:
        ValueError: the message is too long, or the key is not a point of the curve.
    """
    if len(message) > LONGEST:
        raise ValueError(f"a push message has at most {LONGEST} bytes")
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, public_key)
    own_key = own_key or ec.generate_private_key(CURVE)
    salt = os.urandom(16) if salt is None else salt
    ours = own_key.public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    agreed = _hmac(secret, own_key.exchange(ec.ECDH(), theirs))
    material = _hmac(agreed, b"WebPush: info\0" + public_key + ours + b"\1")
    root = _hmac(salt, material)
    key = _hmac(root, b"Content-Encoding: aes128gcm\0\1")[:16]
    nonce = _hmac(root, b"Content-Encoding: nonce\0\1")[:12]
    head = salt + _RECORD_BYTES.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return head + AESGCM(key).encrypt(nonce, message + _LAST_RECORD, None)


def _hmac(key: bytes, data: bytes) -> bytes:
    """One step of HKDF with SHA-256, whose results are never longer than one hash here."""
    made = hmac.HMAC(key, hashes.SHA256())
    made.update(data)
    return made.finalize()
