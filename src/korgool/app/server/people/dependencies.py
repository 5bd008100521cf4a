"""What handlers that are about people are given by name."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.people.sign_in.authentication import Authentication

TheAuthentication = NamedDependency[Authentication]
