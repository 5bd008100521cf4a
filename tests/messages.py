"""The messages of the sources, extracted once in a process: reading all of them takes Babel two seconds."""

from __future__ import annotations

from functools import cache

from babel.messages.catalog import Catalog

from korgool.languages.extraction import extracted


@cache
def messages() -> Catalog:
    """What `extracted` gives; nobody may change it."""
    return extracted()
