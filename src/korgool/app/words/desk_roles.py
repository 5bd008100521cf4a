"""The roles at the desk of an event, as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from korgool.competition.roles import DeskRole
from korgool.languages import N_

ROLE_NAMES: Mapping[DeskRole, str] = MappingProxyType(
    {
        DeskRole.ORGANISER: N_("Organiser"),
        DeskRole.CHIEF: N_("Chief referee"),
        DeskRole.DEPUTY: N_("Deputy chief referee"),
        DeskRole.SECTOR: N_("Arbiter of a sector"),
        DeskRole.RESULTS: N_("Results only"),
        DeskRole.CHECK_IN: N_("Check-in only"),
        DeskRole.SPECTATOR: N_("Only looks"),
    }
)
"""English; they are translated where they are shown."""
