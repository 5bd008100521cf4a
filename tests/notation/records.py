"""Random records for the tests of the notation room."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from hypothesis import strategies as st

from korgool import Game, Position, Rules, Side, Termination
from korgool.notation import Record, Variation
from tests.rules.positions import games, positions

_WORD = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), max_size=9)
TEXT = st.lists(_WORD | st.sampled_from(['"', "\\", '\\"', '"]', "}"]), max_size=4).map(" ".join)
"""Names and comments in any script, with the quotes and backslashes that tags must escape."""

# Strategies are made once: made anew for every example, they take most of its time.
_PLACE = st.integers(0, 120)
_SAID = TEXT.map(lambda text: " ".join(text.replace("}", ")").split())).filter(bool)
_REMARKS = st.tuples(
    st.lists(st.tuples(_PLACE, _SAID), max_size=4), st.lists(st.tuples(_PLACE, st.integers(0, 255)), max_size=2)
)
_CHOICES = st.lists(st.integers(0, 8), max_size=40)
_LINE = st.lists(st.integers(0, 8), min_size=1, max_size=5)
_AFTER = st.lists(_SAID, max_size=2).map(tuple)
_TWO_PLACES = st.lists(_PLACE, max_size=2)
_OFFERS = st.lists(_PLACE, max_size=3)
_TAGS = st.dictionaries(st.sampled_from(["Event", "White", "Black", "Board"]), TEXT.map(str.strip))
_CONCLUDED = st.booleans()
_WINNERS = st.none() | st.sampled_from(Side)
_REASONS = st.sampled_from((Termination.RESIGNATION, Termination.TIME, Termination.AGREEMENT, Termination.FORFEIT))
_POSITIONS = positions()


@st.composite
def played(draw: st.DrawFn, rules: Rules | None = None) -> Game:
    """A game from the start, over or not, and if not, perhaps concluded by its players."""
    game = draw(games(rules))
    if game.outcome() is None and draw(_CONCLUDED):
        game.conclude(draw(_WINNERS), draw(_REASONS))
    return game


@st.composite
def from_set_up(draw: st.DrawFn) -> Game:
    """A game from a position set up at random."""
    game = Game(draw(_POSITIONS))
    for choice in draw(_CHOICES):
        moves = game.position.legal_moves()
        if not moves:
            break
        game.play(moves[choice % len(moves)])
    return game


_GAMES, _ANY_GAMES = games(), played() | from_set_up()


def _remarks(draw: st.DrawFn, first: int, last: int) -> tuple[list[tuple[int, str]], list[tuple[int, int]]]:
    """Comments and marks on the plies from `first` to `last`."""
    said, marks = draw(_REMARKS)
    plies = last - first + 1
    return (
        [(first + place % plies, text) for place, text in said],
        [(first + place % plies, mark) for place, mark in marks],
    )


def _variations(
    draw: st.DrawFn, start: Position, moves: Sequence[int], first: int = 1, depth: int = 1
) -> list[Variation]:
    """Lines beside a line of `moves` from `start`, whose first ply has the number `first`."""
    found: list[Variation] = []
    positions = [start]
    for hole in moves:
        positions.append(positions[-1].play(hole))
    for place in sorted(one % len(moves) for one in draw(_TWO_PLACES)) if moves else []:
        at, line = positions[place], list[int]()
        for choice in draw(_LINE):
            legal = at.legal_moves()
            if not legal:
                break
            line.append(legal[choice % len(legal)])
            at = at.play(line[-1])
        ply = first + place
        comments, glyphs = _remarks(draw, ply - 1, ply + len(line) - 1)
        offers = {ply + one % len(line) for one in draw(_TWO_PLACES)}
        inner = _variations(draw, positions[place], line, ply, depth + 1) if depth < 4 else []
        notes = tuple(sorted(comments, key=itemgetter(0))), tuple(sorted(glyphs, key=itemgetter(0)))
        after = draw(_AFTER)
        found.append(Variation(ply, tuple(line), *notes, tuple(sorted(offers)), tuple(inner), after))
    return found


@st.composite
def records(draw: st.DrawFn, *, annotated: bool = True) -> Record:
    """A record with tags, comments, marks, offers and variations where `annotated`, else of moves alone."""
    if not annotated:
        return Record.of(draw(_GAMES))
    game = draw(_ANY_GAMES)
    comments, glyphs = _remarks(draw, 0, len(game.moves))
    offers = [1 + place % len(game.moves) for place in draw(_OFFERS)] if game.moves else []
    beside = _variations(draw, game.start, game.moves)
    return Record.of(game, comments=comments, glyphs=glyphs, offers=offers, variations=beside, **draw(_TAGS))
