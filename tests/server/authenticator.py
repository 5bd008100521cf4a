"""A passkey in software: makes an ES256 key for a site, and signs as WebAuthn says."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
Answer = dict[str, Any]


def text(value: bytes) -> str:
    """Base64url without padding."""
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


class Authenticator:
    """One passkey, and the browser around it.

    Attributes:
        origin: where the browser is.
        uses: the counter of signatures.
        flags: what is said of the person.
    """

    def __init__(self, origin: str = "http://localhost:8000") -> None:
        self.origin = origin
        self.uses = 0
        self.flags = PRESENT | VERIFIED
        self.id = secrets.token_bytes(16)
        self.user = b""
        self._key = ec.generate_private_key(ec.SECP256R1())

    def make(self, options: Answer) -> Answer:
        """The answer of `navigator.credentials.create`."""
        self.user = base64.urlsafe_b64decode(options["user"]["id"] + "==")
        point = self._key.public_key().public_numbers()
        key = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32, "big"), -3: point.y.to_bytes(32, "big")}
        about = bytes(16) + len(self.id).to_bytes(2, "big") + self.id + cbor2.dumps(key)
        data = self._data(options["rp"]["id"], ATTESTED) + about
        whole = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options)
        return {"id": text(self.id), "response": {"clientDataJSON": text(client), "attestationObject": text(whole)}}

    def make_id(self) -> str:
        """What names the credential."""
        return text(self.id)

    def sign(self, options: Answer) -> Answer:
        """The answer of `navigator.credentials.get`."""
        self.uses += 1
        data, client = self._data(options["rpId"]), self._client("webauthn.get", options)
        signature = self._key.sign(data + hashlib.sha256(client).digest(), ec.ECDSA(hashes.SHA256()))
        response = {
            "clientDataJSON": text(client),
            "authenticatorData": text(data),
            "signature": text(signature),
            "userHandle": text(self.user),
        }
        return {"id": text(self.id), "response": response}

    def _data(self, site: str, more: int = 0) -> bytes:
        return hashlib.sha256(site.encode()).digest() + bytes([self.flags | more]) + self.uses.to_bytes(4, "big")

    def _client(self, kind: str, options: Answer) -> bytes:
        told = {"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": False}
        return json.dumps(told).encode()
