"""A championship as it is held: twelve groups, 260 players, and what every game of theirs ends with.

What a game ends with depends on the two players and the round alone, so the same championship can be played twice, in
one event and in twelve, by different hands and in a different order.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

STONES = {"toguz": 162, "mangala": 48}
_FAMILIES = ["Asanov", "Bekov", "Omurov", "Kasymov", "Sadykov", "Tologon", "Isakov", "Jumaev", "Aliev", "Mamytov"]
_GIVEN = ["Aibek", "Bakyt", "Cholpon", "Dinara", "Erlan", "Feruza", "Gulnara", "Askar", "Nurlan", "Zarina"]
_FEDERATIONS = ("KGZ", "KAZ", "TUR", "UZB", "MGL")


@dataclass(frozen=True)
class Group:
    """A group of the championship.

    Attributes:
        name: what it is called.
        players: how many there are.
        rounds: how many are played.
        game: `toguz` or `mangala`.
        system: how it is paired.
        sex: of whom it is, `women`, `men` or empty for all.
        from_year: the earliest year of birth; 0 for all.
    """

    name: str
    players: int
    rounds: int
    game: str = "toguz"
    system: str = "swiss"
    sex: str = ""
    from_year: int = 0

    @property
    def settings(self) -> dict[str, Any]:
        """Its regulations as the desk takes them."""
        given = {"system": self.system, "sex": self.sex, "from_year": self.from_year}
        own = {name: value for name, value in given.items() if value and value != "swiss"}
        return {"name": self.name, "game": self.game, "rounds": self.rounds, "tiebreaks": ["BH", "SB", "DE"], **own}

    @property
    def words(self) -> list[str]:
        """Its regulations as the command line takes them."""
        words = ["--game", self.game, "--rounds", str(self.rounds), "--system", self.system, "--tiebreaks", "BH,SB,DE"]
        words += ["--admits", self.sex] if self.sex else []
        return words + (["--from-year", str(self.from_year)] if self.from_year else [])


WHOLE = (
    Group("Men", 44, 9, sex="men"),
    Group("Women", 30, 9, sex="women"),
    Group("U18 boys", 28, 9, sex="men", from_year=2008),
    Group("U18 girls", 22, 9, sex="women", from_year=2008),
    Group("U15 boys", 26, 9, sex="men", from_year=2011),
    Group("U15 girls", 20, 7, sex="women", from_year=2011),
    Group("U12 boys", 22, 7, sex="men", from_year=2014),
    Group("U12 girls", 16, 7, sex="women", from_year=2014),
    Group("U10", 18, 7, from_year=2016),
    Group("Mangala men", 14, 7, game="mangala", sex="men"),
    Group("Mangala women", 12, 7, game="mangala", sex="women"),
    Group("Veterans", 8, 7, system="round-robin"),
)
"""260 places at the boards."""
SMALL = (
    Group("Men", 10, 3, sex="men"),
    Group("Women", 6, 3, sex="women"),
    Group("Mangala", 6, 3, game="mangala"),
)
"""The same in small, for every day."""


def people(group: Group, at: int) -> list[dict[str, Any]]:
    """Those who play in a group, as entries; `at` is its place among the groups."""
    chance = random.Random(f"people {group.name}")
    found = []
    for number in range(group.players):
        woman = group.sex == "women" or (not group.sex and number % 3 == 0)
        found.append(
            {
                "family": f"{_FAMILIES[number % 10]}{'a' if woman else ''} {at + 1}{number // 10}",
                "given": chance.choice(_GIVEN),
                "sex": "f" if woman else "m",
                "rating": 1000 + chance.randrange(60) * 20,
                "federation": chance.choice(_FEDERATIONS),
                "born": group.from_year + chance.randrange(2) if group.from_year else 1980 + chance.randrange(20),
            }
        )
    return found


def outcome(group: Group, number: int, white: str, black: str) -> tuple[int, int]:
    """The stones with which the game of two players ends in a round."""
    chance = random.Random(f"{group.name} {number} {white} {black}")
    whole = STONES[group.game]
    half = whole // 2
    if chance.random() < 0.08:
        return half, half
    winner = half + 1 + chance.randrange(half // 3)
    return (winner, whole - winner) if chance.random() < 0.53 else (whole - winner, winner)


def typed(group: Group, number: int, white: str, black: str) -> str:
    """The same as an official types it."""
    return "{}-{}".format(*outcome(group, number, white, black))
