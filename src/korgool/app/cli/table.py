"""A game in the terminal between a person and the engine: what is typed, and what is shown."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random

from korgool.app.cli.group import InputError
from korgool.app.cli.output import interruptible, write_whole
from korgool.engine.levels import choose
from korgool.engine.limits import Limits
from korgool.engine.openings import pick
from korgool.engine.perfect import PerfectPlayer
from korgool.engine.search import Engine
from korgool.notation.board import text_board
from korgool.notation.moves import format_move, parse_move
from korgool.notation.movetext import format_movetext
from korgool.notation.record import Record
from korgool.notation.writing import write_record
from korgool.rules import Game, Outcome, Position, Side, Sowing, Termination

HINT_SECONDS = 1.0
HELP = (
    ("1, 2, 3 …", "sow that hole; `76` and `76(10)` are checked"),
    ("undo", "take back your last move and the answer to it"),
    ("hint", "ask the engine at its full strength"),
    ("board", "show the board again"),
    ("moves", "list the moves"),
    ("position", "print the position as text"),
    ("claim", "claim a draw when the position has come back"),
    ("resign", "give the game up"),
    ("save FILE", "write the record of the game"),
    ("quit", "leave the game unfinished"),
)


class Table:
    """One game.

    Args:
        start: the position to begin from.
        human: the side that the person plays.
        level: strength of the engine, 1 to 8, or None for perfect play.
        seconds: the most time for a move of the engine, or None.
        random: the source of chance for the level.
        output: the file that receives the record at the end, or None.
        book: whether the engine plays from the opening book.
    """

    def __init__(
        self, start: Position, human: Side, level: int | None, seconds: float | None, random: Random,
        output: str | None, *, book: bool = False,
    ) -> None:  # fmt: skip
        from rich.console import Console

        self.game = Game(start)
        self.human, self.level, self.seconds, self.random, self.output = human, level, seconds, random, output
        self.book = book
        self.engine = Engine(start.rules)
        self._perfect = PerfectPlayer(self.engine) if level is None else None
        self._opponent = "perfect play" if level is None else f"level {level}"
        self.console = Console(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False)
        self.leaving = False
        self._words: dict[str, Callable[[str], None]] = {
            "undo": self._undo,
            "hint": self._hint,
            "board": lambda _: self._show_board(),
            "moves": lambda _: self._say(self._movetext() or "No move has been played."),
            "position": lambda _: self._say(str(self.game.position)),
            "claim": self._claim,
            "resign": self._resign,
            "save": self._save,
            "help": self._help,
            "quit": self._quit,
        }
        self._words |= {"?": self._help, "u": self._undo, "h": self._hint, "q": self._quit, "exit": self._quit}

    def run(self) -> None:
        """Play until the game is over, the person leaves or the input ends."""
        name = self.game.rules.title
        self._say(f"{name}. You play {self.human.name.capitalize()}, the row below, against {self._opponent}.")
        self._show_board()
        while not self.leaving and self.game.outcome() is None:
            if self.game.position.to_move is self.human:
                self._ask()
            else:
                self._answer()
        outcome = self.game.outcome()
        self._say(self._verdict(outcome) if outcome is not None else "The game stays unfinished.")
        if self.output is not None:
            self._save(self.output)

    def _say(self, text: str, style: str | None = None) -> None:
        self.console.print(text, style=style, markup=False)

    def _show_board(self) -> None:
        from rich.text import Text

        above, *rows, below = text_board(self.game.position, below=self.human).splitlines()
        board = Text()
        for row in rows:
            board.append(row + "\n", "bold" if row.startswith(">") else "")
        board.highlight_regex(r"\d*X\b", "red")
        board.highlight_regex(r"\|\s+\d+", "green")
        self.console.print(Text.assemble((above + "\n", "dim"), board, (below, "dim")))

    def _ask(self) -> None:
        legal = " ".join(map(str, self.game.position.legal_moves()))
        line = self._read(f"Your move ({legal}, or help): ")
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
            self._say(f"{message[:1].upper()}{message[1:]}.", "yellow")

    def _read(self, prompt: str) -> str | None:
        """A line that was typed, or None at the end of the input; a pipe is not asked, only read."""
        if sys.stdin is None:
            return None
        if not sys.stdin.isatty():
            line = sys.stdin.readline(10_000)
            return line or None
        try:
            return self.console.input(prompt, markup=False)
        except EOFError:
            self._say("")
            return None

    def _move(self, text: str) -> None:
        if not (text[:1].isascii() and text[:1].isdigit()):
            raise ValueError(f"{text[:40]!a} is neither a hole number nor a word of mine; help lists the words")
        number = int(text) if len(text) == 1 else parse_move(text, self.game.position).number
        self._sow(number, "You")

    def _sow(self, number: int, who: str) -> None:
        sowing = self.game.sow(number)
        self._say(f"{who}: {format_move(sowing)}{_told(sowing)}", "bold" if who == "Engine" else None)
        self._show_board()
        claims = {claim.reason for claim in self.game.claims()}
        if "threefold" in claims:
            self.game.conclude(None, Termination.REPETITION)
        elif claims and self.game.position.to_move is self.human:
            self._say("The position has come back: you may claim a draw.")

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
            with self.console.status("thinking …"):
                move = interruptible(think, self.engine.stop)
        else:
            move = interruptible(think, self.engine.stop)
        self._sow(move, "Engine")

    def _undo(self, _: str) -> None:
        movers = [position.to_move for position in self.game.positions[:-1]]
        if self.human not in movers:
            raise ValueError("you have played nothing yet that could be taken back")
        while movers.pop() is not self.human:
            self.game.undo()
        self.game.undo()
        self._show_board()

    def _hint(self, _: str) -> None:
        position, history = self.game.position, self.game.positions[:-1]
        count = min(3, len(position.legal_moves()))
        limits = Limits(seconds=min(HINT_SECONDS, self.seconds or HINT_SECONDS))
        found = interruptible(
            lambda: self.engine.analyse(position, limits, lines=count, history=history), self.engine.stop
        )
        for line in found.lines:
            text = format_move(position.sow(line.move))
            self._say(f"  {text:<8} {line.evaluation:+6.1f} stones in the end, {line.win:.0%} to win")

    def _movetext(self) -> str:
        return format_movetext(self.game)

    def _claim(self, _: str) -> None:
        if not self.game.claims():
            raise ValueError("the position has not come back, there is nothing to claim")
        self.game.conclude(None, Termination.REPETITION)

    def _resign(self, _: str) -> None:
        self.game.conclude(self.human.other, Termination.RESIGNATION)

    def _save(self, path: str) -> None:
        if not path:
            raise ValueError("save needs the name of a file: save game.pgn")
        names = ("You", f"Korgool {self._opponent}")
        white, black = names if self.human is Side.WHITE else names[::-1]
        record = Record.of(self.game, White=white, Black=black)
        write_whole(path, write_record(record, "pgn").encode())
        self._say(f"The record is in {path}.")

    def _help(self, _: str) -> None:
        width = max(len(word) for word, _ in HELP)
        for word, meaning in HELP:
            self._say(f"  {word:<{width}}  {meaning}")

    def _quit(self, _: str) -> None:
        self.leaving = True

    def _verdict(self, outcome: Outcome) -> str:
        who = "A draw" if outcome.winner is None else "You win" if outcome.winner is self.human else "The engine wins"
        return f"{who}: {outcome.result_text} ({outcome.termination.replace('_', ' ')})"


def _told(sowing: Sowing) -> str:
    """What the last stone did, in words."""
    if sowing.tuz is not None:
        return f"  tuz in hole {sowing.tuz + 1}"
    if sowing.taken:
        return f"  captures {sowing.taken}"
    return "  and goes on" if sowing.extra_turn else ""
