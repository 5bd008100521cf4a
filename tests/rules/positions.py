"""Positions written the short way, and random play, for the tests of the rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from hypothesis import strategies as st

from korgool import GAMES, TOGUZ_KORGOOL, Game, Position, Rules, Setup, Side, Sowing


def board(
    white: Sequence[int],
    black: Sequence[int],
    stores: tuple[int, int] | None = None,
    *,
    rules: Rules = TOGUZ_KORGOOL,
    tuz: tuple[int | None, int | None] = (None, None),
    mover: Side = Side.WHITE,
) -> Position:
    """A position from rows as each player sees them and tuz as hole numbers.

    Without stores, White's store is filled so that the stones add up, as far as the goal allows, then Black's.
    """
    if stores is None:
        rest = rules.total - sum(white) - sum(black)
        most = rules.goal - 1 if rules.goal else rest
        stores = min(rest, most), max(0, rest - most)
    holes = tuple(white), tuple(black)
    return Setup(rules, holes, stores, tuz, mover).position()


def random_sowings(rules: Rules, seed: int, plies: int = 400) -> Iterator[Sowing]:
    """The sowings of a random game, at most so many."""
    chance, position = random.Random(seed), rules.start()
    for _ in range(plies):
        moves = position.legal_moves()
        if not moves:
            return
        sowing = position.sow(chance.choice(moves))
        yield sowing
        position = sowing.after


# Strategies are made once: made anew for every example, they take most of its time.
_ANY_RULES = st.sampled_from(list(GAMES.values()))
_CHOICES = st.lists(st.integers(0, 8), max_size=120)
_CUTS = {
    rules: st.lists(st.integers(0, rules.total), min_size=2 * rules.holes + 1, max_size=2 * rules.holes + 1)
    for rules in GAMES.values()
}
_TUZ = {rules: st.none() | st.integers(1, rules.holes - 1) for rules in GAMES.values()}
_SIDES = st.sampled_from(Side)


@st.composite
def games(draw: st.DrawFn, rules: Rules | None = None) -> Game:
    """A game after some random plies."""
    game = Game(draw(_ANY_RULES) if rules is None else rules)
    for choice in draw(_CHOICES):
        moves = game.position.legal_moves()
        if not moves:
            break
        game.play(moves[choice % len(moves)])
    return game


@st.composite
def positions(draw: st.DrawFn, rules: Rules | None = None) -> Position:
    """A position set up at random: any legal spread of the stones, with and without tuz."""
    rules = draw(_ANY_RULES) if rules is None else rules
    cuts = sorted(draw(_CUTS[rules]))
    parts = [after - before for before, after in zip([0, *cuts], [*cuts, rules.total], strict=True)]
    rows = [parts[: rules.holes], parts[rules.holes : 2 * rules.holes]]
    stores = parts[-2:]
    tuz: list[int | None] = [None, None]
    if rules.tuz:
        for owner in Side:
            hole = draw(_TUZ[rules])
            if hole is not None and (rules.tuz_same_number or hole not in tuz):
                tuz[owner] = hole
                stores[owner] += rows[owner.other][hole - 1]
                rows[owner.other][hole - 1] = 0
    mover = draw(_SIDES)
    return Setup(rules, (rows[0], rows[1]), (stores[0], stores[1]), (tuz[0], tuz[1]), mover).position()
