"""What handlers that are about blocks are given by name."""

from __future__ import annotations

from litestar.di import NamedDependency

from korgool.app.server.people.blocks.repository import BlockRepository

TheBlocks = NamedDependency[BlockRepository]
