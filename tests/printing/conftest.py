"""The command line for tests of what it prints."""

from __future__ import annotations

from tests.cli.conftest import invoke

__all__ = ["invoke"]
