"""A game record: what one game in a file says, checked against the rules.

Its moves are a tree: the game itself is the trunk, and what else might have been played stands beside it in variations.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from korgool.notation.tags import DERIVED_TAGS, unknown_tag
from korgool.notation.terminations import RESULTS, declared
from korgool.notation.variation import Glyphs, Notes, Variation, check_moves, check_plies
from korgool.rules import Game, Outcome, Position, Termination


class RecordError(ValueError):
    """The error at which a record could not be read to its end.

    Attributes:
        ply: the ply of the game that is missing, from 1; for a fault before the first move that is 1, for one in a
            variation the ply after it, and the reason names the place in the variation.
        reason: what is wrong there.
        line: line of the file, from 1.
    """

    def __init__(self, ply: int, reason: str, line: int) -> None:
        super().__init__(ply, reason, line)
        self.ply, self.reason, self.line = ply, reason, line

    def __str__(self) -> str:
        return f"line {self.line}, ply {self.ply}: {self.reason}"

    def __eq__(self, other: object) -> bool:
        return self.args == other.args if isinstance(other, RecordError) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.args)


@dataclass(frozen=True)
class Record:
    """One game as recorded. Equality compares what it says and not where it stood.

    Attributes:
        start: where it starts; its rules are the game's.
        moves: hole numbers, 1 to n, of the plies; of a bad record those before the error.
        result: `1-0`, `0-1`, `1/2-1/2` or `*`: of the board's ending, else as the record says.
        tags: the tags but those of `DERIVED_TAGS`; unknown ones of the seven, written `?`, are left out.
        comments: (ply, text), ply 0 before the first move, each with single spaces.
        offers: the plies, from 1, with which a draw was offered.
        glyphs: (ply, n) for the marks `$n`; the signs `!`, `?`, `!!`, `??`, `!?`, `?!` are `$1` to `$6`.
        variations: the lines beside the game, each with the ply that it replaces.
        error: what is wrong with it, or None.
        warnings: what it says that the board contradicts, without making the moves unreadable.
        header: the result as the record gave it, or None where it gave none.
        dialect: `pgn`, `tgk`, `coordinates`, `bare`, or `unknown` where nothing could be made of the text.
        line: line of the file where it begins, from 1.
        index: its place among the games of the file, from 0.
        end: the position after the last ply, as the reader found it; see `position`.
    """

    start: Position
    moves: tuple[int, ...] = ()
    result: str = "*"
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: Notes = ()
    offers: tuple[int, ...] = ()
    glyphs: Glyphs = ()
    variations: tuple[Variation, ...] = ()
    error: RecordError | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)
    header: str | None = field(default=None, compare=False)
    dialect: str = field(default="pgn", compare=False)
    line: int = field(default=1, compare=False)
    index: int = field(default=0, compare=False)
    end: Position | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(
        cls,
        game: Game,
        *,
        comments: Iterable[tuple[int, str]] = (),
        offers: Iterable[int] = (),
        glyphs: Iterable[tuple[int, int]] = (),
        variations: Iterable[Variation] = (),
        **tags: str,
    ) -> Record:
        """The record of a game, with its result; a declared ending becomes the Termination tag.

        Args:
            game: the game.
            comments: (ply, text), ply 0 before the first move.
            offers: the plies, from 1, with which a draw was offered.
            glyphs: (ply, n) for the marks `$n`.
            variations: lines beside the game, whose moves have to fit.
            tags: tags such as `White="Family, Given"`; `?` or empty leaves one out.

        Raises:
            ValueError: a tag repeats what the game itself says, a comment, mark, offer or variation names no ply of it,
                or a move of a variation cannot be played.
        """
        for name in tags:
            if name in DERIVED_TAGS:
                raise ValueError(f"the tag {name} follows from the game and cannot be given")
        notes = tuple(sorted(((ply, " ".join(text.split())) for ply, text in comments), key=lambda note: note[0]))
        asked = tuple(sorted(set(offers)))
        marks = tuple(sorted(glyphs, key=lambda mark: mark[0]))
        beside = tuple(sorted(variations, key=lambda one: one.ply))
        moves = tuple(game.moves)
        check_plies(1, len(moves), notes, marks, asked, beside)
        check_moves(game.start, moves, beside)
        outcome = game.outcome()
        known = {name: text for name, text in tags.items() if not unknown_tag(text)}
        if outcome is not None and game.position.outcome() is None and outcome.termination != Termination.UNKNOWN:
            known.setdefault("Termination", str(outcome.termination))
        result = outcome.result if outcome else "*"
        return cls(game.start, moves, result, known, notes, asked, marks, beside, header=result, end=game.position)

    @property
    def position(self) -> Position:
        """The position after the last ply, before any sweep."""
        return self.end if self.end is not None else Game(self.start, self.moves).position

    @property
    def positions(self) -> Sequence[Position]:
        """All positions from the start, one more than moves."""
        return Game(self.start, self.moves).positions

    def outcome(self) -> Outcome | None:
        """Outcome of the game: by the board, else as the record declares, else None. A bad record has not ended."""
        if self.error is not None:
            return None
        position = self.position
        return position.outcome() or declared(self.result, self.tags.get("Termination", ""), position.stores)

    def game(self) -> Game:
        """The game, played to its end and concluded as the record declares.

        Raises:
            ValueError: the moves were put together by hand and do not fit the start.
        """
        game = Game(self.start, self.moves)
        outcome = self.outcome()
        if outcome is not None and game.outcome() is None:
            game.conclude(outcome.winner, outcome.termination)
        return game

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise ValueError(f"{self.result!r} is not a result; there are {' '.join(RESULTS)}")
