"""Encryption of push messages: the worked example of RFC 8291, and messages of every length that a browser reads."""

from __future__ import annotations

import base64

import pytest
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.app.server.notices.push_encryption import CURVE, LONGEST, encrypt


def raw(text: str) -> bytes:
    """The bytes of base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def key(text: str) -> ec.EllipticCurvePrivateKey:
    """A private key, as RFCs print it."""
    return ec.derive_private_key(int.from_bytes(raw(text), "big"), CURVE)


SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
READER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl"
    "7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
"""RFC 8291, section 5 and appendix A."""


def read(body: bytes) -> bytes:
    """What the reader of the example makes of a body, by the steps of RFC 8188 with HKDF of the library."""
    salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
    point, record = body[21 : 21 + length], body[21 + length :]
    assert len(record) <= size
    mine, theirs = key(READER), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)

    def derived(length: int, salt: bytes, info: bytes, material: bytes) -> bytes:
        return HKDF(hashes.SHA256(), length, salt, info).derive(material)

    shared = mine.exchange(ec.ECDH(), theirs)
    material = derived(32, raw(SECRET), b"WebPush: info\0" + raw(POINT) + point, shared)
    content = derived(16, salt, b"Content-Encoding: aes128gcm\0", material)
    nonce = derived(12, salt, b"Content-Encoding: nonce\0", material)
    plain = AESGCM(content).decrypt(nonce, record, None).rstrip(b"\0")
    assert plain.endswith(b"\x02")
    return plain[:-1]


def test_the_example_of_the_standard_comes_out() -> None:
    message = b"When I grow up, I want to be a watermelon"
    assert encrypt(message, raw(POINT), raw(SECRET), own_key=key(SENDER), salt=raw(SALT)) == raw(BODY)
    assert read(raw(BODY)) == message
    point = (
        key(READER).public_key().public_bytes(serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
    )
    assert point == raw(POINT)


@settings(max_examples=30)
@given(st.binary(max_size=200).map(lambda data: data + b"."))
def test_a_reader_gets_what_was_sent_and_no_two_bodies_are_alike(message: bytes) -> None:
    first, second = (encrypt(message, raw(POINT), raw(SECRET)) for _ in range(2))
    assert read(first) == read(second) == message
    assert first[:16] != second[:16]
    assert first[21:86] != second[21:86]


def test_the_longest_message_fits_into_what_every_service_takes() -> None:
    longest = b"x" * LONGEST
    body = encrypt(longest, raw(POINT), raw(SECRET))
    assert len(body) == 4096
    assert read(body) == longest
    with pytest.raises(ValueError, match="at most 3993 bytes"):
        encrypt(longest + b"x", raw(POINT), raw(SECRET))
    with pytest.raises(ValueError, match="key"):
        encrypt(b"", b"\x04" + bytes(64), raw(SECRET))
