"""Pairing numbers by rating, title and name, and the lot that decides the first colour."""

from __future__ import annotations

from hashlib import sha256

from korgool.competition.actions import Seed
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Player, System, Team
from korgool.languages import N_

TITLES: tuple[tuple[str, ...], ...] = (
    ("gm", "гроссмейстер", "gg"),
    ("zms", "змс"),
    ("msmk", "мсмк", "im"),
    ("wgm",),
    ("ms", "мс", "fm", "нм", "nm"),
    ("wim",),
    ("kms", "кмс", "cm"),
    ("wfm",),
    ("wcm",),
    ("1", "i", "i разряд", "1 разряд"),
    ("2", "ii", "ii разряд", "2 разряд"),
    ("3", "iii", "iii разряд", "3 разряд"),
)
"""Titles and sports grades from the highest; those of one line are equal. Any other text ranks below, none last."""


def title_rank(title: str) -> int:
    """The place of a title in `TITLES` from 0; lower is stronger."""
    key = title.strip().casefold().rstrip(".")
    for place, names in enumerate(TITLES):
        if key in names:
            return place
    return len(TITLES) + (not key)


def seed(state: EventState, lot: str) -> Seed:
    """Pairing numbers, and White on the first board, for an event that has none yet.

    Players are numbered by rating from the highest, then by title, then by name (FIDE C.04.2 B); teams by the mean
    rating of their best players on as many boards as a match has, then by name. In a round robin the numbers are drawn
    by lot. The lot is the SHA-256 of its text, so that everybody can repeat it: an even first byte gives number 1
    White.

    Args:
        state: the event, not seeded.
        lot: the text of the lot, written down before the draw.

    Raises:
        CompetitionError: fewer than two take part.
    """
    system = state.event.system
    if system.of_teams:
        order = [team.id for team in sorted(state.teams.values(), key=lambda team: _team_key(state, team))]
    else:
        order = [player.id for player in sorted(state.players.values(), key=_player_key)]
    if len(order) < 2:
        raise CompetitionError(N_("{count} take part, an event needs two"), count=len(order))
    if system in (System.ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN, System.TEAM_ROUND_ROBIN):
        # In a group the lot is that of an event of its own, whose ids would count from 1.
        held = state.teams if system.of_teams else state.players
        drawn = {id_: at for at, id_ in enumerate(held, 1)} if state.groups else {id_: id_ for id_ in held}
        order.sort(key=lambda id_: _digest(f"{lot} {drawn[id_]}"))
    return Seed(tuple(order), _digest(lot)[0] % 2 == 0, lot)


def _digest(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _player_key(player: Player) -> tuple[int, int, str, int]:
    entry = player.entry
    return (-entry.rating, title_rank(entry.title), entry.name.casefold(), player.id)


def _team_key(state: EventState, team: Team) -> tuple[float, str, int]:
    held = sorted((state.players[id_].entry.rating for id_ in team.players if id_ in state.players), reverse=True)
    best = held[: state.event.boards]
    return (-sum(best) / len(best) if best else 0.0, team.name.casefold(), team.id)
