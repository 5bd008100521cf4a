"""The unfinished game of `korgool play`, saved in the user's data folder so that a killed program loses nothing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec
import platformdirs

from korgool.app.cli.output import write_whole
from korgool.engine.levels import nearest, of_number
from korgool.notation.terminations import format_options, parse_options
from korgool.rules import GAMES, Game, Position, Side


class SavedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Game as saved on disk.

    Attributes:
        game: the rules by their short name.
        rules: the options that differ from the usual ones, as in a record.
        start: the starting position.
        moves: the hole numbers played.
        side: `white` or `black`, whom the person plays.
        level: strength of the engine, 1 to 8 or a rating, or None for perfect play.
        seconds: the most time for a move of the engine, or None.
        book: whether the engine plays from its opening book.
    """

    game: str
    rules: str
    start: str
    moves: tuple[int, ...]
    side: str
    level: int | None
    seconds: float | None
    book: bool

    @classmethod
    def of(cls, game: Game, human: Side, level: int | None, seconds: float | None, *, book: bool) -> SavedGame:
        """The data to save for a game."""
        rules = game.start.rules
        side = human.name.lower()
        return cls(rules.name, format_options(rules), str(game.start), tuple(game.moves), side, level, seconds, book)

    @property
    def human(self) -> Side:
        """Side of the person."""
        return Side[self.side.upper()]

    def played(self) -> Game:
        """The game, played again.

        Raises:
            ValueError: it is not a valid game.
        """
        if self.game not in GAMES or self.side not in ("white", "black"):
            raise ValueError("it names a game or a side that does not exist")
        rules = GAMES[self.game]
        if self.level is not None:
            of_number(nearest(self.level, rules), rules)
        if self.rules:
            rules = parse_options(self.rules, rules)
        return Game(Position.parse(self.start, rules, lenient=True), self.moves)


@dataclass(frozen=True, slots=True)
class SaveFile:
    """The file of the unfinished game: at every moment it is complete or does not exist.

    Attributes:
        path: the file.
    """

    path: Path

    @classmethod
    def usual(cls) -> SaveFile:
        """The file in the user's data folder."""
        return cls(Path(platformdirs.user_data_path("korgool")) / "play.json")

    def load(self) -> SavedGame | None:
        """The saved game, or None. A rating that its game no longer has is the nearest one that it has.

        Raises:
            ValueError: the file is damaged.
            OSError: the file cannot be read.
        """
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return None
        try:
            kept = msgspec.json.decode(content, type=SavedGame)
            rules = kept.played().start.rules
        except (msgspec.MsgspecError, ValueError) as error:
            raise ValueError(f"{self.path}: {error}") from None
        return kept if kept.level is None else msgspec.structs.replace(kept, level=nearest(kept.level, rules))

    def save(self, kept: SavedGame) -> None:
        """Save a game in place of the earlier one; it is on disk when this returns.

        Raises:
            OSError: the folder cannot be created.
            InputError: the file cannot be written.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(str(self.path), msgspec.json.encode(kept))

    def discard(self) -> None:
        """Delete the saved game."""
        self.path.unlink(missing_ok=True)
