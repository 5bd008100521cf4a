"""Random records for the tests of the notation room."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from hypothesis import strategies as st

from korgool import Game, Position, Rules, Side, Termination
from korgool.notation import Record, Variation
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


def remarks(first: int, last: int) -> st.SearchStrategy[tuple[list[tuple[int, str]], list[tuple[int, int]]]]:
    """Comments and marks on the plies from `first` to `last`."""
    plies = st.integers(first, last)
    said = TEXT.map(lambda text: " ".join(text.replace("}", ")").split())).filter(bool)
    return st.tuples(
        st.lists(st.tuples(plies, said), max_size=4), st.lists(st.tuples(plies, st.integers(0, 255)), max_size=2)
    )


@st.composite
def variations(
    draw: st.DrawFn, start: Position, moves: Sequence[int], first: int = 1, depth: int = 1
) -> list[Variation]:
    """Lines beside a line of `moves` from `start`, whose first ply has the number `first`."""
    found: list[Variation] = []
    positions = [start]
    for hole in moves:
        positions.append(positions[-1].play(hole))
    for place in sorted(draw(st.lists(st.integers(0, len(moves) - 1), max_size=2))) if moves else []:
        at, line = positions[place], list[int]()
        for choice in draw(st.lists(st.integers(0, 8), min_size=1, max_size=5)):
            legal = at.legal_moves()
            if not legal:
                break
            line.append(legal[choice % len(legal)])
            at = at.play(line[-1])
        ply = first + place
        comments, glyphs = draw(remarks(ply - 1, ply + len(line) - 1))
        offers = draw(st.sets(st.integers(ply, ply + len(line) - 1), max_size=2))
        inner = draw(variations(positions[place], line, ply, depth + 1)) if depth < 4 else []
        notes = sorted(comments, key=itemgetter(0)), sorted(glyphs, key=itemgetter(0))
        found.append(Variation(ply, tuple(line), tuple(notes[0]), tuple(notes[1]), tuple(sorted(offers)), tuple(inner)))
    return found


@st.composite
def records(draw: st.DrawFn, *, annotated: bool = True) -> Record:
    """A record with tags, comments, marks, offers and variations where `annotated`, else of moves alone."""
    game = draw(played() | from_set_up()) if annotated else draw(games())
    if not annotated:
        return Record.of(game)
    comments, glyphs = draw(remarks(0, len(game.moves)))
    offers = draw(st.lists(st.integers(1, len(game.moves)), max_size=3)) if game.moves else []
    beside = draw(variations(game.start, game.moves))
    tags = {name: draw(TEXT).strip() for name in draw(st.sets(st.sampled_from(["Event", "White", "Black", "Board"])))}
    return Record.of(game, comments=comments, glyphs=glyphs, offers=offers, variations=beside, **tags)
