"""What handlers that are about children's accounts are given by name."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.people.children.service import ChildAccountService

TheChildren = NamedDependency[ChildAccountService]
