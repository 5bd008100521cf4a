"""Privacy of players on public pages and posted papers: name, federation, rating and results, by default no more."""

from __future__ import annotations

from korgool.competition.event_state import EventState
from korgool.competition.model import Player


def shown_name(player: Player) -> str:
    """The name for public pages: the short one if there is one, else the whole one, `№ 12` if it was removed.

    Where words are at hand, a page may say "player 12" of one whose `entry.removed` is true.
    """
    return player.entry.short or player.name


def shown_parts(player: Player) -> tuple[str, str]:
    """The same for a card: the family name and the others, or the whole in the first place if it is a short one."""
    entry = player.entry
    if entry.short or entry.removed:
        return shown_name(player), ""
    return entry.family, " ".join(filter(None, (entry.given, entry.patronymic)))


def shown_photo(state: EventState, player: Player) -> str:
    """The digest of the photograph for public pages, empty if there is none or the event does not show it.

    Players under a short name are not shown, nor those who were removed.
    """
    hidden = player.entry.short or player.entry.removed or "photo" not in state.event.shown
    return "" if hidden else player.photo


def shown_born(state: EventState, player: Player) -> int:
    """The year of birth for public pages, 0 if it is unknown or the event does not show it."""
    return player.entry.born if "born" in state.event.shown else 0
