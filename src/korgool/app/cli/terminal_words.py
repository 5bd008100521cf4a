"""The texts of `korgool play` in the language of the player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from korgool.app.words.games import GAME_NAMES, REASONS, STONE_GAMES
from korgool.app.words.opponents import strength
from korgool.app.words.reasons import reasons_text
from korgool.languages import N_, translations
from korgool.notation.moves import NotationError, format_move, parse_move
from korgool.rules import Outcome, Position, Side, Sowing

if TYPE_CHECKING:
    from korgool.engine.reasons import Reason

HELP = (
    ("1, 2, 3 …", N_("sow that hole; 76 and 76(10) are checked")),
    ("undo", N_("take back your last move and the answer to it")),
    ("hint", N_("ask the engine at its full strength")),
    ("board", N_("show the board again")),
    ("moves", N_("list the moves")),
    ("position", N_("print the position as text")),
    ("claim", N_("claim a draw when the position is repeated")),
    ("resign", N_("resign the game")),
    ("save FILE", N_("write the record of the game")),
    ("quit", N_("leave the game and keep it")),
)


class TypedError(ValueError):
    """The player's input is invalid; the message is a whole sentence in the player's language."""


class Words:
    """The sentences of a game in one language.

    Args:
        language: its tag.
        game: its short name, where a game is spoken of: in some languages mangala's stones have another name.

    Raises:
        ValueError: there is no such language.
    """

    def __init__(self, language: str, game: str = "") -> None:
        self._catalogue = translations(language, game in STONE_GAMES)
        self._: Callable[[str], str] = self._catalogue.gettext

    def side(self, side: Side) -> str:
        """The name of a side."""
        return self._("White") if side is Side.WHITE else self._("Black")

    def game(self, name: str) -> str:
        """The title of a game by its short name."""
        return self._(GAME_NAMES[name])

    def opponent(self, level: int | None) -> str:
        """Strength of the engine in words."""
        return self._("perfect") if level is None else strength(self._, level)

    def told(self, sowing: Sowing) -> str:
        """Effect of the last stone in words, or empty."""
        if sowing.tuz is not None:
            return self._("tuz in hole %(hole)s") % {"hole": sowing.tuz}
        if sowing.taken:
            return self._("captures %(stones)s") % {"stones": sowing.taken}
        return self._("and moves again") if sowing.extra_turn else ""

    def why(self, reasons: Sequence[Reason], game: str) -> str:
        """Reasons for a move in words, or empty."""
        return reasons_text(self._catalogue, reasons, game)

    def verdict(self, outcome: Outcome, human: Side) -> str:
        """Ending of the game in words."""
        if outcome.winner is None:
            who, winner = self._("Draw"), "draw"
        else:
            who = self._("You win") if outcome.winner is human else self._("The engine wins")
            winner = outcome.winner.name.lower()
        reason = REASONS.get(f"{outcome.termination} {winner}")
        return f"{who}: {outcome.result_text}" + (f" ({self._(reason)})" if reason else "")

    def move(self, text: str, position: Position) -> int:
        """The hole meant by the input.

        Raises:
            TableError: it is not a move, or not a legal one.
        """
        if not (text[:1].isascii() and text[:1].isdigit()):
            message = self._("“%(word)s” is neither a hole number nor a command; help lists the commands.")
            raise TypedError(message % {"word": text[:40].encode("ascii", "backslashreplace").decode()})
        hole, holes = int(text[0]), position.rules.holes
        if not 1 <= hole <= holes:
            message = self._("There is no hole {hole}; holes are numbered 1 to {holes}.")
            raise TypedError(message.format(hole=hole, holes=holes))
        if hole not in position.legal_moves():
            tuz = position.tuz[position.to_move.other] == hole
            message = self._("Hole {hole} is a tuz; it cannot be sown.") if tuz else self._("Hole {hole} is empty.")
            raise TypedError(message.format(hole=hole))
        if len(text) > 1:
            try:
                parse_move(text, position)
            except NotationError:
                message = self._("“%(text)s” does not fit; the move is %(move)s.")
                raise TypedError(message % {"text": text[:20], "move": format_move(position.sow(hole))}) from None
        return hole
