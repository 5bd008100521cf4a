"""Choices that distinguish the games of the family: one comparable, printable record of named choices."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, Literal, Self, get_args

Ending = Literal["no_move", "side_empty"]
Sweep = Literal["owner", "emptied", "nobody"]

CHOICES: dict[str, tuple[str, ...]] = {"ending": get_args(Ending), "sweep": get_args(Sweep)}
"""The choices that are words, with their values in the order of their numbers."""
FIRST_CHOICES = 15
"""Numbers of a record that the first files hold. A choice that comes later stands at the end of the record, and its
default, under which the older games play as before, has the number 0."""
_NAMES = ("name", "title")
_SHAPE = (*_NAMES, "holes", "stones")


@dataclass(frozen=True, slots=True)
class Choices:
    """One game of the family as a plain value. Every doubtful point of the source texts is a field, see
    `docs/rules/options.md`. `Rules` adds the start of the game.

    Two records are equal when every choice is equal, whatever their origin.

    Attributes:
        name: the short name used on the command line, such as `toguz`.
        title: the name in game records, such as `Toguz korgool`.
        holes: holes of each side, 1 to 9.
        stones: stones in each hole at the start.
        goal: stones in a store that end the game at once, 0 to play it out (WNG-TK §V).
        tuz: whether a hole of the opponent can be won, as tuz or castle (WNG-TK §IV, WNG-M §IV).
        tuz_last_hole: whether the hole farthest along, number `holes`, may be won. Both texts say no.
        tuz_same_number: whether a hole may be won whose number is that of the opponent's tuz. WNG-TK §IV says no,
            WNG-M §IV says nothing.
        tuz_takes: whether the three stones that make a tuz go to its owner's store. With False they stay, as ordinary
            stones that the player of that side may still sow; only later stones go to the owner.
        store_sown: whether sowing drops a stone in the mover's own store on passing it (WNG-M §III.1).
        extra_turn: whether a last stone in the own store gives another turn (WNG-M §III.1).
        extra_turn_single: whether that holds for a single stone moved into the store too.
        empty_capture: whether a last stone in an own hole that was empty takes itself and the stones opposite,
            if there are any (WNG-M §III.3).
        ending: `no_move`: the game ends when the player to move has no stone; `side_empty`: when either side is empty,
            tested after every ply, also within a turn (WNG-M §III.4, §IV).
        sweep: who gains the stones left then: `owner` the side they lie on, `emptied` the player whose side is empty
            (WNG-M §III.4 read literally), `nobody`.
        threefold: occurrences of a position that allow a claim of a draw, 0 for none.
        recurrence: moves of each player within which a position may recur to allow a claim, 0 for none; the reading
            of "recurrence of position in 73 moves" (WNG-TK §V).
        drawn_position: whether a draw may be claimed in a drawn position with few stones that a side cannot bring to an
            end; another reading of "draw position on the board" (WNG-TK §V, §X). See `korgool.rules.unending`.
    """

    name: str
    title: str
    holes: int
    stones: int
    goal: int = 0
    tuz: bool = False
    tuz_last_hole: bool = False
    tuz_same_number: bool = False
    tuz_takes: bool = True
    store_sown: bool = False
    extra_turn: bool = False
    extra_turn_single: bool = True
    empty_capture: bool = False
    ending: Ending = "no_move"
    sweep: Sweep = "owner"
    threefold: int = 3
    recurrence: int = 73
    drawn_position: bool = False

    @property
    def total(self) -> int:
        """Stones on the board and in the stores together: 162 in toguz korgool."""
        return 2 * self.holes * self.stones

    def options(self) -> dict[str, int | bool | str]:
        """The choices that an organiser can switch, by name, in the order of the record."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _SHAPE}

    def file_options(self) -> dict[str, int | bool | str]:
        """The options as files name them: a choice later than the first only where it differs from its default."""
        later = {field.name: field.default for field in fields(self)[len(_NAMES) + FIRST_CHOICES :]}
        return {name: value for name, value in self.options().items() if name not in later or value != later[name]}

    def numbers(self) -> tuple[int, ...]:
        """The record without its names as whole numbers in its order, as the kernel and the pages' scripts take it."""
        values = ((field.name, getattr(self, field.name)) for field in fields(self)[len(_NAMES) :])
        return tuple(CHOICES[name].index(value) if name in CHOICES else int(value) for name, value in values)

    def with_option(self, name: str, text: str) -> Self:
        """These rules with one choice switched, given as text: `with_option("sweep", "owner")`.

        Raises:
            ValueError: there is no such option or it cannot have that value; the message lists what is possible.
        """
        options = self.options()
        if name not in options:
            raise ValueError(f"no rule is called {name!r}; there are {', '.join(options)}")
        word = text.strip().lower()
        value: Any
        if isinstance(options[name], bool):
            if word not in _BOOLEANS:
                raise ValueError(f"rule {name} is yes or no, not {text!r}")
            value = _BOOLEANS[word]
        elif name in CHOICES:
            if word not in CHOICES[name]:
                raise ValueError(f"rule {name} is one of {', '.join(CHOICES[name])}, not {text!r}")
            value = word
        else:
            most = self.total if name == "goal" else 999
            if not (word.isascii() and word.isdigit() and len(word) <= 3 and int(word) <= most):
                raise ValueError(f"rule {name} is a whole number from 0 (off) to {most}, not {text!r}")
            value = int(word)
        return replace(self, **{name: value})


_BOOLEANS = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
