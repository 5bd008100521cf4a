"""What handlers that are about passkeys are given by name."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.people.passkeys.repository import PasskeyRepository

ThePasskeys = NamedDependency[PasskeyRepository]
