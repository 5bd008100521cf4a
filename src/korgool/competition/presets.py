"""Regulations that events often have, by name: those of the World Nomad Games, and FIDE's orders of tie-breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings, System
from korgool.languages import N_

Field: TypeAlias = Literal["", "men", "women", "teams"]
"""Field of players that an event is for; empty where a preset leaves it open."""


@dataclass(frozen=True, slots=True)
class Preset:
    """Named settings, and the texts that they follow.

    Attributes:
        name: as `korgool event new --preset` takes it.
        source: the clauses, separated by commas.
        regulations: the settings. What no clause decides (rounds, prizes) has its usual value, and an organiser
            changes it.
        field: whom the event is for. The men's event is open to women [WNG-TK §XIII:3].
    """

    name: str
    source: str
    regulations: Settings
    field: Field = ""

    def settings(self, name: str, **changes: Any) -> Settings:
        """The regulations of an event of this name, with some members changed; raises what `Settings` raises."""
        return replace(self.regulations, name=name, **changes)


def _games(name: str, game: str, control: str, source: str) -> list[Preset]:
    common = Settings(
        name=name, game=game, control=control, personal=("born", "passport", "coaches", "doctor")
    )  # what the application asks for, WNG-TK §XIII:1
    return [
        Preset(f"{name}-men", f"{source}, WNG-TK §XIII:3", common, "men"),
        Preset(f"{name}-women", f"{source}, WNG-TK §XIII:2", replace(common, sex="women"), "women"),
        Preset(f"{name}-teams", f"{source}, WNG-TK §XIII:4", common, "teams"),
    ]


_TOGUZ = "WNG-TK §XI:1, WNG-TK §XI:2, WNG-TK §XII:1"
_MANGALA = "WNG-M §II:1, WNG-M §II:2, WNG-M §II:3, WNG-TK §XII:1"
"""The rules of mangala name no order of places; that of toguz korgool serves both."""
_ALL = (
    *_games("wng-toguz", "toguz", "60+0", _TOGUZ),
    *_games("wng-mangala", "mangala", "15+0", _MANGALA),
    *_games("wng-castle", "castle", "15+0", _MANGALA.replace("WNG-M §II:1", "WNG-M §IV:1, WNG-M §II:1")),
    Preset(
        "fide-swiss",
        "FIDE C.02 13.16.4",
        Settings(name="fide-swiss", tiebreaks=("BH-C1", "BH", "SB", "PS", "DE", "WIN", "BWG")),
    ),
    Preset(
        "fide-swiss-rated",
        "FIDE C.02 13.16.5",
        Settings(name="fide-swiss-rated", tiebreaks=("BH-C1", "BH", "DE", "ARO-C1", "WIN", "BWG", "BPG", "SB")),
    ),
    Preset(
        "fide-round-robin",
        "FIDE C.02 13.16.2",
        Settings(name="fide-round-robin", system=System.ROUND_ROBIN, tiebreaks=("DE", "WIN", "SB", "KS")),
    ),
)

PRESETS: Mapping[str, Preset] = MappingProxyType({one.name: one for one in _ALL})
"""Every preset by its name. FIDE recommended its orders in C.02 until C.07 left the choice to the organiser (C.07 4.1);
the first of them is for fields in which not all ratings are consistent, the second for fields in which they are."""


def find_preset(name: str) -> Preset:
    """The preset of a name; raises CompetitionError if there is none."""
    if name not in PRESETS:
        raise CompetitionError(
            N_("there is no preset {name!r}; there are {listed}"), name=name[:40], listed=", ".join(PRESETS)
        )
    return PRESETS[name]
