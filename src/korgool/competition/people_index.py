"""Index of the entered players by name and by number, kept from one entry to the next, so that a long list is not
searched once more for each of its lines."""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator, Mapping
from functools import lru_cache

from korgool.competition.model import Entry, Player

_HERE = threading.local()
_KEPT = 2
"""Of a group, and of those in other groups."""


@lru_cache(maxsize=65536)
def name_key(name: str) -> str:
    """A name without case, double blanks and the dots of ё, to recognise the same name."""
    plain = unicodedata.normalize("NFKC", name).casefold().replace("ё", "е").replace(",", " ")
    return " ".join(plain.split())


class PeopleIndex:
    """The players of one moment by what makes them namesakes.

    Attributes:
        highest: the highest pairing number, 0 without players.
    """

    def __init__(self, players: Mapping[int, Player]) -> None:
        self._players = players
        self._found: dict[str, list[int]] = {}
        self.highest = 0
        for one in players.values():
            self._add(one)

    def alike(self, entry: Entry) -> Iterator[Player]:
        """Players with the name or the external number of an entry, in the order of entering."""
        ids = {id_ for key in _keys(entry) for id_ in self._found.get(key, ())}
        return (self._players[id_] for id_ in sorted(ids))

    def is_of(self, players: Mapping[int, Player]) -> bool:
        """Return whether it is the index of these very players."""
        return self._players is players

    def go_on(self, players: Mapping[int, Player], entered: Player) -> None:
        """From now on be the index of these players, who are the same and one more."""
        self._players = players
        self._add(entered)

    def _add(self, player: Player) -> None:
        self.highest = max(self.highest, player.number)
        for key in _keys(player.entry):
            self._found.setdefault(key, []).append(player.id)


def people_index(players: Mapping[int, Player]) -> PeopleIndex:
    """The index of these players. Each thread keeps the last ones that it was asked for."""
    kept: list[PeopleIndex] = getattr(_HERE, "kept", [])
    found = next((one for one in kept if one.is_of(players)), None) or PeopleIndex(players)
    _HERE.kept = [found, *(one for one in kept if one is not found)][:_KEPT]
    return found


def _keys(entry: Entry) -> Iterator[str]:
    yield _person_key(entry.family, entry.given, entry.patronymic)
    if entry.external:
        yield f"\0{entry.external}"


@lru_cache(maxsize=65536)
def _person_key(family: str, given: str, patronymic: str) -> str:
    return name_key(f"{family} {given} {patronymic}")
