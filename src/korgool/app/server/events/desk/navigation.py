"""The screens of the console, in the order of its navigation: a new screen is a line here, a view and a template."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, field
from typing import Final

import korgool.competition.actions as do
from korgool.languages import N_


@dataclass(frozen=True, slots=True)
class Screen:
    """A screen of the console.

    Attributes:
        name: the name by which views know it.
        path: behind `/events/ID/desk`; empty for the first.
        title: as a message.
        guide: the page of the arbiter's guide beside it; empty if there is none.
        needs: kinds of actions; the navigation shows it to who may do one of them, and to everybody where it is empty.
    """

    name: str
    path: str
    title: str
    guide: str = ""
    needs: frozenset[type[do.Action]] = field(default=frozenset())

    def address(self, event: str) -> str:
        """Its address for an event, by id."""
        return f"/events/{event}/desk{self.path}"


SCREENS: Final = (
    Screen("overview", "", N_("Overview")),
    Screen("players", "/players", N_("Players"), "entries"),
    Screen("check-in", "/check-in", N_("Check-in"), "check-in", frozenset({do.Present})),
    Screen("pairing", "/pairing", N_("Pairing"), "round", frozenset({do.Pair})),
    Screen("results", "/round", N_("Results"), "results"),
    Screen("standings", "/standings", N_("Standings"), "standings"),
    Screen("prizes", "/prizes", N_("Prizes"), "prizes"),
    Screen("warnings", "/warnings", N_("Warnings"), "warnings", frozenset({do.GiveWarning})),
    Screen("papers", "/papers", N_("Papers and files"), "papers", frozenset({do.Publish})),
    Screen("log", "/log", N_("Log"), "log"),
    Screen("helpers", "/helpers", N_("Helpers"), "helpers", frozenset({do.Appoint})),
    Screen("officials", "/officials", N_("Officials"), "", frozenset({do.Appoint})),
    Screen("settings", "/settings", N_("Regulations"), "settings"),
)
"""Every screen that the navigation leads to."""
BY_NAME: Final = {screen.name: screen for screen in SCREENS}


def shown(allowed: Set[type[do.Action]]) -> tuple[Screen, ...]:
    """The screens for somebody who may do these kinds of actions."""
    return tuple(screen for screen in SCREENS if not screen.needs or screen.needs & allowed)
