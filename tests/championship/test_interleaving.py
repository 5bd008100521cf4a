"""What two officials, twenty phones and a second machine do at once, in an order that chance chooses."""

from __future__ import annotations

from pathlib import Path

import pytest

from korgool.app.server.events.stand_by import service
from tests.championship.interleaving import interleave
from tests.conftest import SEED
from tests.server.members import Site, on_site
from tests.server.test_event_doors import somebody


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for the second machine, whose link is cut often here."""
    monkeypatch.setattr(service, "CONFIRM_SECONDS", 0.01)


def interleavings(folder: Path, seeds: range) -> None:
    async def test(site: Site) -> None:
        maker, *typists = [await somebody(site, name) for name in ("Maker", "Typista", "Typistb")]
        phones = [await site.browser().visit() for _ in range(20)]
        for seed in seeds:
            await interleave(site, maker, typists, phones, seed)

    on_site(folder, test)


def test_a_few_interleavings(tmp_path: Path) -> None:
    interleavings(tmp_path, range(SEED * 1000, SEED * 1000 + 4))


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(10))
def test_a_thousand_interleavings(tmp_path: Path, hundred: int) -> None:
    interleavings(tmp_path, range(100 * hundred, 100 * hundred + 100))
