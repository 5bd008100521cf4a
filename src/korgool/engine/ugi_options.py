"""The options of a UGI session: memory, lines, level, the game, and every choice of its rules."""

from __future__ import annotations

from collections.abc import Iterator

from korgool.engine.levels import NUMBERS, ratings_of
from korgool.engine.search import MOST_THREADS
from korgool.rules import GAMES, TOGUZ_KORGOOL, Rules
from korgool.rules.choices import CHOICES

SPINS = {
    "hash": (16, 1, 4096),
    "multipv": (1, 1, 9),
    "level": (NUMBERS[-1], NUMBERS[0], NUMBERS[-1]),
    "rating": (0, 0, max(ratings_of(rules)[-1] for rules in GAMES.values())),
    "threads": (1, 1, MOST_THREADS),
    "overhead": (0, 0, 10_000),
}
"""Whole-number options: default, least, most. `rating` goes before `level`, and 0 switches it off; `hash` is in MiB;
`overhead` is what each move costs beyond its search, in milliseconds, at least: more is planned when the clock shows
that it is more."""


CHECKS = {"network": True, "tables": True, "book": False}
"""Options that are on or off: the learned evaluation, where the game has one, the user's endgame tables, and whether
moves are played from the opening book of the package."""


class EngineOptions:
    """The values of all options.

    Attributes:
        rules: the game with its choices.
        chosen: whether the game was named; if not, a position's number of holes tells it.
        switched: choices of the rules by name, as text, kept when the game changes.
    """

    def __init__(self, rules: Rules | None = None) -> None:
        self.chosen = rules is not None
        self.rules = rules or TOGUZ_KORGOOL
        self.switched: dict[str, str] = {}
        self._checks = dict(CHECKS)
        self._spins = {name: default for name, (default, _, _) in SPINS.items()}

    @property
    def hash(self) -> int:
        """Memory of the search's table, in MiB."""
        return self._spins["hash"]

    @property
    def multipv(self) -> int:
        """Number of lines to report."""
        return self._spins["multipv"]

    @property
    def threads(self) -> int:
        """Searches that run at once."""
        return self._spins["threads"]

    @property
    def overhead(self) -> float:
        """Seconds of a clock that each move costs beyond its search, at least; 0 for what is measured."""
        return self._spins["overhead"] / 1000

    @property
    def level(self) -> int:
        """Level of strength, 1 to 8."""
        return self._spins["level"]

    @property
    def rating(self) -> int:
        """Strength by rating, or 0 where the level tells it."""
        return self._spins["rating"]

    @property
    def network(self) -> bool:
        """True if the learned evaluation is used."""
        return self._checks["network"]

    @property
    def tables(self) -> bool:
        """True if the endgame tables that the user has built are used."""
        return self._checks["tables"]

    @property
    def book(self) -> bool:
        """True if moves are played from the opening book."""
        return self._checks["book"]

    def declarations(self) -> Iterator[str]:
        """The `option` lines that answer `ugi`."""
        for name, (default, least, most) in SPINS.items():
            yield f"option name {name} type spin default {default} min {least} max {most}"
        for name, on in CHECKS.items():
            yield f"option name {name} type check default {str(on).lower()}"
        games = " ".join(f"var {name}" for name in GAMES)
        yield f"option name game type combo default {self.rules.name} {games}"
        for name, value in self.rules.options().items():
            if isinstance(value, bool):
                yield f"option name {name} type check default {str(value).lower()}"
            elif isinstance(value, int):
                most = self.rules.total if name == "goal" else 999
                yield f"option name {name} type spin default {value} min 0 max {most}"
            else:
                choices = " ".join(f"var {choice}" for choice in CHOICES[name])
                yield f"option name {name} type combo default {value} {choices}"

    def set(self, words: list[str]) -> None:
        """Obey `setoption`, given the words after it: `name N value V`.

        Raises:
            ValueError: the words have another form, there is no such option, or it cannot have that value.
        """
        if len(words) < 4 or words[0] != "name" or "value" not in words[2:]:
            raise ValueError("the form is setoption name NAME value VALUE")
        cut = words.index("value", 2)
        name, value = " ".join(words[1:cut]).lower(), " ".join(words[cut + 1 :])
        if name in SPINS:
            _, least, most = SPINS[name]
            if not (value.isascii() and value.isdigit() and len(value) < 7 and least <= int(value) <= most):
                raise ValueError(f"{name} is a whole number from {least} to {most}")
            ratings = ratings_of(self.rules)
            if name == "rating" and int(value) and int(value) not in ratings:
                raise ValueError(f"rating is 0, for off, or in {self.rules.title} {ratings[0]} to {ratings[-1]}")
            self._spins[name] = int(value)
        elif name in CHECKS:
            if value.lower() not in {"true", "false"}:
                raise ValueError(f"{name} is true or false")
            self._checks[name] = value.lower() == "true"
        elif name == "game":
            if value.lower() not in GAMES:
                raise ValueError(f"game is one of {', '.join(GAMES)}")
            self.rules, self.chosen = self.adapt(GAMES[value.lower()]), True
        elif name in self.rules.options():
            self.rules = self.rules.with_option(name, value)
            self.switched[name] = value
        else:
            known = ", ".join([*SPINS, *CHECKS, "game", *self.rules.options()])
            raise ValueError(f"there is no option {name[:40]!a}; there are {known}")

    def adapt(self, rules: Rules) -> Rules:
        """Any game with the choices switched so far."""
        for name, value in self.switched.items():
            rules = rules.with_option(name, value)
        return rules
