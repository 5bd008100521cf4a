"""A game in the terminal between a person and the engine: input and display."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable
from random import Random

from korgool.app.cli.group import InputError
from korgool.app.cli.output import ask, emit, interruptible, write_whole
from korgool.app.cli.records import record_line
from korgool.app.cli.saved_game import SavedGame, SaveFile
from korgool.app.cli.terminal_words import HELP, TypedError, Words
from korgool.engine import Engine, Limits, choose
from korgool.engine.openings import pick
from korgool.engine.perfect import PerfectPlayer
from korgool.engine.reasons import explain
from korgool.notation import format_movetext
from korgool.notation.board import text_board
from korgool.notation.moves import format_move
from korgool.notation.record import Record
from korgool.notation.writing import write_record
from korgool.rules import Game, Side, Termination

HINT_SECONDS = 1.0
_WIDE, _ENDLESS = 60, 10_000


class TerminalGame:
    """One game.

    Args:
        game: the game so far.
        human: the side that the person plays.
        level: strength of the engine, 1 to 8 or a rating, or None for perfect play.
        seconds: the most time for a move of the engine, or None.
        random: the random generator of the level.
        output: the file that receives the record at the end, or None.
        book: whether the engine plays from the opening book.
        language: the player's, as a tag.
        save_file: where the unfinished game is saved, or None.
        as_json: whether the conversation is on standard error, and the record of the game on standard output at the
            end, as JSON.
    """

    def __init__(
        self, game: Game, human: Side, level: int | None, seconds: float | None, random: Random,
        output: str | None, language: str, save_file: SaveFile | None, *, book: bool = False, as_json: bool = False,
    ) -> None:  # fmt: skip
        from rich.console import Console

        self.game, self.save_file = game, save_file
        self.words = words = Words(language, game.start.rules.name)
        self.human, self.level, self.seconds, self.random, self.output = human, level, seconds, random, output
        self.book, self.as_json = book, as_json
        self.engine = Engine(game.start.rules)
        self._perfect = PerfectPlayer(self.engine) if level is None else None
        # Lines are wrapped between words on a terminal, but not in a pipe.
        out = sys.stderr if as_json else sys.stdout
        piped = out is None or not out.isatty()
        self.console = Console(file=out, highlight=False, soft_wrap=piped, emoji=False)
        self.leaving = False
        self._words: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "hint": self._hint,
            "board": lambda _: self._show_board(),
            "moves": lambda _: self._say(format_movetext(self.game) or words._("No move has been played.")),
            "position": lambda _: self._say(str(self.game.position)),
            "claim": self._claim,
            "resign": self._resign,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
        }
        self._words |= {"?": self._help, "u": self._undo, "h": self._hint, "q": self._quit, "exit": self._quit}

    def run(self) -> None:
        """Play until the game is over, the person leaves, or the input ends. An unfinished game is kept."""
        words = self.words
        said = words._("%(game)s. You play %(side)s, the row below, against: %(opponent)s.")
        name, opponent = words.game(self.game.rules.name), words.opponent(self.level)
        self._say(said % {"game": name, "side": words.side(self.human), "opponent": opponent})
        self._show_board()
        try:
            while not self.leaving and self.game.outcome() is None:
                if self.game.position.to_move is self.human:
                    self._ask()
                else:
                    self._answer()
        except KeyboardInterrupt:
            self._say("")
            self._leave()
            raise
        outcome = self.game.outcome()
        if outcome is None:
            self._leave()
        else:
            self._say(words.verdict(outcome, self.human))
        if self.output is not None:
            self._save(self.output)
        if self.as_json:
            record = self._record()
            emit({**record_line(record), "tags": record.tags, "record": write_record(record, "pgn")})

    def _leave(self) -> None:
        if self.save_file is not None and self.game.moves:
            self._say(self.words._("The game stays unfinished; korgool play goes on with it."))
        else:
            self._say(self.words._("The game stays unfinished."))

    def _keep(self) -> None:
        """Save the game before its state is shown; delete a saved game that is over."""
        if self.save_file is None:
            return
        try:
            if self.game.outcome() is not None or not self.game.moves:
                self.save_file.discard()
            else:
                self.save_file.save(SavedGame.of(self.game, self.human, self.level, self.seconds, book=self.book))
        except (OSError, InputError) as error:
            self.save_file = None
            message = error.message if isinstance(error, InputError) else str(error)
            self._say(self.words._("This game cannot be saved: %(reason)s") % {"reason": message}, "yellow")

    def _say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False)

    @property
    def _columns(self) -> int:
        """Number of characters that fit on a line; in a pipe, any number."""
        return _ENDLESS if self.console.soft_wrap else self.console.width

    def _show_board(self) -> None:
        from rich.text import Text

        names = self.words.side(Side.WHITE), self.words.side(Side.BLACK)
        board_text = text_board(self.game.position, below=self.human, names=names, columns=self._columns)
        above, *rows, below = board_text.splitlines()
        board = Text()
        for row in rows:
            board.append(row + "\n", "bold" if row.startswith(">") else "")
        board.highlight_regex(r"\d*X\b", "red")
        board.highlight_regex(r"\|\s+\d+", "green")
        self.console.print(Text.assemble((above + "\n", "dim"), board, (below, "dim")))

    def _ask(self) -> None:
        # With few columns the numbers are close together, so that the answer stays on the line of the question.
        legal = ("" if self._columns < _WIDE else " ").join(map(str, self.game.position.legal_moves()))
        line = self._read(self.words._("Your move (%(moves)s, or help)") % {"moves": legal} + ": ")
        if line is None:
            self.leaving = True
            return
        word, _, rest = line.strip().partition(" ")
        if not word:
            return
        try:
            if word.lower() in self._words:
                self._words[word.lower()](rest.strip())
            else:
                self._move(line.strip())
        except (ValueError, InputError) as error:
            message = error.message if isinstance(error, InputError) else str(error)
            self._say(message if isinstance(error, TypedError) else f"{message[:1].upper()}{message[1:]}.", "yellow")

    def _read(self, prompt: str) -> str | None:
        """The next line of input, or None at its end; a prompt is shown only on a terminal."""
        if sys.stdin is None:
            return None
        if not sys.stdin.isatty():
            line = sys.stdin.readline(10_000)
            return line or None
        try:
            return ask(self.console, prompt)
        except EOFError:
            self._say("")
            return None

    def _move(self, text: str) -> None:
        self._sow(self.words.move(text, self.game.position), engine=False)

    def _sow(self, number: int, *, engine: bool) -> None:
        sowing = self.game.sow(number)
        claims = {claim.reason for claim in self.game.claims()}
        if "threefold" in claims:
            self.game.conclude(None, Termination.REPETITION)
        self._keep()
        who = self.words._("Engine") if engine else self.words._("You")
        told = self.words.told(sowing)
        self._say(f"{who}: {format_move(sowing)}" + (f"  {told}" if told else ""), "bold" if engine else None)
        self._show_board()
        if claims and self.game.outcome() is None and self.game.position.to_move is self.human:
            self._say(self.words._("The position has been repeated: you may claim a draw."))

    def _answer(self) -> None:
        position, history = self.game.position, self.game.positions[:-1]

        def think() -> int:
            known = pick(position, self.random) if self.book else None
            if known is not None:
                return known.move
            if self._perfect is not None:
                return self._perfect.choose(position, history=history, seconds=self.seconds)[0]
            assert self.level is not None
            return choose(
                self.engine, position, self.level, history=history, seconds=self.seconds, random=self.random
            ).move

        if self.console.is_terminal:
            with self.console.status(self.words._("thinking …")):
                move = interruptible(think, self.engine.stop)
        else:
            move = interruptible(think, self.engine.stop)
        self._sow(move, engine=True)

    def _undo(self, _: str) -> None:
        movers = [position.to_move for position in self.game.positions[:-1]]
        if self.human not in movers:
            raise TypedError(self.words._("There is no move of yours to take back."))
        while movers.pop() is not self.human:
            self.game.undo()
        self.game.undo()
        self._keep()
        self._show_board()

    def _hint(self, _: str) -> None:
        position, history = self.game.position, self.game.positions[:-1]
        count = min(3, len(position.legal_moves()))
        limits = Limits(seconds=min(HINT_SECONDS, self.seconds or HINT_SECONDS))
        found = interruptible(
            lambda: self.engine.analyse(position, limits, lines=count, history=history), self.engine.stop
        )
        for at, line in enumerate(found.lines):
            text = format_move(position.sow(line.move))
            said = self.words._("%(stones)s stones in the end, %(chance)s to win")
            said %= {"stones": f"{line.evaluation:+.1f}", "chance": f"{line.win:.0%}"}
            indent = " " * 11
            self._say(textwrap.fill(said, self._columns, initial_indent=f"  {text:<8} ", subsequent_indent=indent))
            why = self.words.why(explain(position, found.lines, at), position.rules.name)
            if why:
                self._say(textwrap.fill(why, self._columns, initial_indent=indent, subsequent_indent=indent))

    def _claim(self, _: str) -> None:
        if not self.game.claims():
            raise TypedError(self.words._("The position has not been repeated, so there is no draw to claim."))
        self.game.conclude(None, Termination.REPETITION)
        self._keep()

    def _resign(self, _: str) -> None:
        self.game.conclude(self.human.other, Termination.RESIGNATION)
        self._keep()

    def _record(self) -> Record:
        # JSON is the same in every language.
        words = Words("en", self.game.start.rules.name) if self.as_json else self.words
        names = (words._("You"), f"Korgool, {words.opponent(self.level)}")
        white, black = names if self.human is Side.WHITE else names[::-1]
        return Record.of(self.game, White=white, Black=black)

    def _save(self, path: str) -> None:
        if not path:
            raise TypedError(self.words._("save needs the name of a file: save game.pgn"))
        write_whole(path, write_record(self._record(), "pgn").encode())
        self._say(self.words._("The record is in %(path)s.") % {"path": path})

    def _help(self, _: str) -> None:
        indent = max(len(word) for word, _ in HELP) + 4
        for word, meaning in HELP:
            line = f"  {word:<{indent - 2}}{self.words._(meaning)}"
            self._say(textwrap.fill(line, self._columns, subsequent_indent=" " * indent))

    def _quit(self, _: str) -> None:
        self.leaving = True
