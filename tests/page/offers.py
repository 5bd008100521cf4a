"""A walk through everything that two friends can ask each other in a game: what both pages must show is known anew."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from korgool.rules import GAMES, Game, Side
from tests.page.phones import Pair, Phone, move
from tests.page.table import expect

DRAW, TAKEBACK = "The opponent offers a draw.", "The opponent asks to take back."
_STANDS = {"draw": "You have offered a draw.", "takeback": "You have asked to take back."}


class Walk:
    """A friendly game with a clock, its offers, and what becomes of them.

    Args:
        pair: the phones of White and Black, which have the board before them.
        game: the name of the game.
        done: how often every act was done, in this walk and before; those done least come first.
    """

    def __init__(self, pair: Pair, game: str, random: Random, done: Counter[str]) -> None:
        self.pair, self.random, self.done = pair, random, done
        self.game = Game(GAMES[game])
        self.draw: Side | None = None
        self.takeback: Side | None = None
        self._offered: list[int | None] = [None, None]
        """How many own plies stood at the last offer."""
        self._refused: list[object] = [None, None]
        """The plies at which taking back was refused last."""
        self._boards = 0

    ACTS = (
        "move",
        "draw offered",
        "draw offered too soon",
        "draw declined",
        "draw lapsed",
        "draw outlives the own move",
        "takeback asked",
        "takeback asked again",
        "takeback declined",
        "takeback lapsed",
        "taken back",
        "time given",
    )

    def step(self) -> str:
        """Do something that can be done, and look at both pages; what was done."""
        can = self._possible()
        least = min(self.done[act] for act, _ in can)
        act, side = self.random.choice([one for one in can if self.done[one[0]] == least])
        for phone in self.pair:
            phone.forget()
        self._do(act, side)
        self.done[act] += 1
        self.look()
        return act

    def _possible(self) -> list[tuple[str, Side]]:
        mover, draw, asks = self.game.position.to_move, self.draw, self.takeback
        can = []
        if asks is not None:
            can += [("takeback declined", asks.other), ("taken back", asks.other), ("takeback lapsed", mover)]
        if draw is not None:
            can.append(("draw declined", draw.other))
            can.append(("draw lapsed" if draw is not mover else "draw outlives the own move", mover))
        if asks is None and draw is None:
            can.append(("move", mover))
        for side in Side:
            can.append(("time given", side))
            if draw is None:
                soon = self._offered[side] == self._own(side)
                can.append(("draw offered too soon" if soon else "draw offered", side))
            if asks is None and self._turn_of(side) is not None:
                again = self._refused[side] == self._boards
                can.append(("takeback asked again" if again else "takeback asked", side))
        return can

    def _do(self, act: str, side: Side) -> None:
        here, there = self.pair[side], self.pair[side.other]
        match act:
            case "draw offered":
                here.tap("Offer a draw")
                there.hears(DRAW)
                self.draw, self._offered[side] = side, self._own(side)
            case "draw offered too soon":
                here.tap("Offer a draw")
                here.reads(re.escape(here.text("You can offer a draw again after your next move.")))
            case "draw declined":
                here.answer(DRAW, "Decline")
                there.hears("The draw is declined.")
                self.draw = None
            case "takeback asked":
                here.tap("Ask to take back")
                there.hears(TAKEBACK)
                self.takeback = side
            case "takeback asked again":
                here.tap("Ask to take back")
                here.reads(re.escape(here.text("The opponent does not let you take back; play on.")))
            case "takeback declined":
                here.answer(TAKEBACK, "Decline")
                there.hears("Taking back is declined.")
                self.takeback, self._refused[side.other] = None, self._boards
            case "taken back":
                here.answer(TAKEBACK, "Let them take back")
                self._take_back(side.other)
                for phone in self.pair:
                    expect(phone.page.locator("#moves button")).to_have_count(len(self.game.moves))
                there.hears("Taken back.")
            case "time given":
                before = seconds(there, side.other)
                here.tap("Give 15 seconds")
                there.hears("You were given 15 seconds.")
                here.hears("The opponent was given 15 seconds.")
                assert seconds(there, side.other) > before
            case _:  # a move, and what it does to the offers
                hole = self.random.choice(self.game.position.legal_moves())
                move(self.pair, hole)
                self.game.play(hole)
                self._boards += 1
                self.draw = self.draw if self.draw is side else None
                self.takeback = None

    def look(self) -> None:
        """Both pages show what stands."""
        plies = len(self.game.moves)
        for side, phone in zip(Side, self.pair, strict=True):
            expect(phone.page.locator("#moves button")).to_have_count(plies)
            for by, question in ((self.draw, DRAW), (self.takeback, TAKEBACK)):
                group = phone.page.get_by_role("group", name=phone.text(question), exact=True)
                expect(group).to_be_visible(visible=by is side.other)
            own = "draw" if self.draw is side else "takeback" if self.takeback is side else ""
            stands = phone.page.locator("#offered")
            expect(stands).to_be_visible(visible=bool(own))
            if own:
                expect(stands).to_have_text(phone.text(_STANDS[own]))
            for name, can in (
                ("Offer a draw", self.draw is None),
                ("Ask to take back", self.takeback is None and self._turn_of(side) is not None),
            ):
                button = phone.page.get_by_role("button", name=phone.text(name), exact=True)
                expect(button).to_be_enabled(enabled=can)
            phone.sees(self.game.position, side)

    def _own(self, side: Side) -> int:
        return sum(position.to_move is side for position in self.game.positions[:-1])

    def _turn_of(self, side: Side) -> int | None:
        """After how many plies the last turn of a side began."""
        movers = [position.to_move for position in self.game.positions[:-1]]
        own = [ply for ply, mover in enumerate(movers) if mover is side and (ply == 0 or movers[ply - 1] is not side)]
        return own[-1] if own else None

    def _take_back(self, side: Side) -> None:
        began = self._turn_of(side)
        self.game = Game(self.game.positions[0], self.game.moves[:began])
        self.draw = self.takeback = None
        self._offered, self._refused = [None, None], [None, None]
        self._boards += 1


def seconds(phone: Phone, side: Side) -> int:
    """What a clock shows."""
    face = phone.page.locator(f'.strip[data-side="{side.name.lower()}"] .clock').inner_text()
    minutes, rest = face.split(":")
    return int(minutes) * 60 + int(float(rest))
