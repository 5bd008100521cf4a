"""Random records for the tests of the notation room."""

from __future__ import annotations

from hypothesis import strategies as st

from korgool import Game, Rules, Side, Termination
from korgool.notation import Record
from tests.rules.positions import games, positions

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")) | st.just(" "), max_size=30)
"""Names and comments in any script, with the quotes and backslashes that tags must escape."""


@st.composite
def played(draw: st.DrawFn, rules: Rules | None = None) -> Game:
    """A game from the start, over or not, and if not, perhaps concluded by its players."""
    game = draw(games(rules))
    if game.outcome() is None and draw(st.booleans()):
        reasons = (Termination.RESIGNATION, Termination.TIME, Termination.AGREEMENT, Termination.FORFEIT)
        game.conclude(draw(st.none() | st.sampled_from(Side)), draw(st.sampled_from(reasons)))
    return game


@st.composite
def from_set_up(draw: st.DrawFn) -> Game:
    """A game from a position set up at random."""
    game = Game(draw(positions()))
    for choice in draw(st.lists(st.integers(0, 8), max_size=40)):
        moves = game.position.legal_moves()
        if not moves:
            break
        game.play(moves[choice % len(moves)])
    return game


@st.composite
def records(draw: st.DrawFn, *, annotated: bool = True) -> Record:
    """A record with tags, comments and offers where `annotated`, else of moves alone."""
    game = draw(played() | from_set_up()) if annotated else draw(games())
    if not annotated:
        return Record.of(game)
    plies = st.integers(0, len(game.moves))
    notes = draw(
        st.lists(st.tuples(plies, TEXT.map(lambda text: " ".join(text.replace("}", ")").split()))), max_size=4)
    )
    notes = [(ply, text) for ply, text in notes if text]
    offers = draw(st.lists(st.integers(1, len(game.moves)), max_size=3)) if game.moves else []
    tags = {name: draw(TEXT).strip() for name in draw(st.sets(st.sampled_from(["Event", "White", "Black", "Board"])))}
    return Record.of(game, comments=notes, offers=offers, **tags)
