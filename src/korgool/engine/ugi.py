"""UGI, the Universal Game Interface: text commands in, text answers out.

The protocol is that of `ugi.md` in the project cutegames. Moves are hole numbers, `score cp` is in hundredths of a
stone for the player to move. It does not depend on a command line: two text streams suffice.

Where the protocol is silent:

- Whatever cannot be obeyed is answered by `info string` with the reason, and the engine goes on as if it had not come.
  After a `position` that is refused, the position before stays.
- `go` without a limit thinks for a second; a limit that is no number is left out, one that cannot be meant is made the
  nearest that can. Either is said.
- `movetime` is the whole time of a move, from the `position` before it to the answer.
- Beside `p1time`, `p2time`, `p1inc`, `p2inc` (also `wtime`, `btime`, `winc`, `binc`) `go` knows `movestogo`, the turns
  until the stock is filled up; `delay`, what a turn has for nothing; and `byoyomi`, a period that every turn makes full
  again once the stock is spent. All times are milliseconds.
- `go` on a finished game answers `bestmove none`.
- While a search runs, `stop`, `isready`, `query` and `quit` are obeyed. Other commands wait for a search with a limit,
  so that a script may be piped in, but no longer than three seconds; then, and while a search without a limit runs,
  they are refused.
- The third occurrence of a position is a draw to `query`, as on an unattended server; the option `threefold` set to 0
  switches that off. Moves may still be played and searched after it.
- With the option `book` a move of the opening book is answered at once, without a search, and `info string` tells it.
  An endless search and several lines are analysis, and search.
- At the end of the input a search with a limit is finished first, one without a limit is stopped.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from korgool.engine.levels import NUMBERS, USUAL_SECONDS, choose, nearest, of_number
from korgool.engine.limits import Limits
from korgool.engine.networks import NetworkError
from korgool.engine.pace import Pace
from korgool.engine.pv import playable
from korgool.engine.search import Analysis, Engine
from korgool.engine.tables import TableError, Tables
from korgool.engine.ugi_options import EngineOptions
from korgool.engine.ugi_words import Told, go_words, position_words
from korgool.rules import Game, Rules, Side

if TYPE_CHECKING:
    from korgool.engine.openings import BookMove

LONGEST = 1 << 20
"""Characters of a line; longer ones are refused, and only so much of them is held."""


PATIENCE = 3.0
"""Seconds that a command waits for a search to end by itself; a `stop` behind it waits as long."""
_WAY = 0.005
"""Seconds of `movetime` that are reserved for the transport of the answer, at most a tenth of the time."""
_QUIET = 0.02
"""Seconds: a shorter search tells its last depth only, for telling of each would take a good part of the time."""


class Source(Protocol):
    """Source of commands; any text stream."""

    def readline(self, limit: int, /) -> str:
        """The next line with its end, or as much of it as the limit allows; empty at the end of the input."""


class Sink(Protocol):
    """Destination of answers; any text stream."""

    def write(self, text: str, /) -> int:
        """Write a text."""

    def flush(self) -> None:
        """Let the reader see it."""


class Ugi:
    """One session.

    Args:
        source: where commands come from, a line each.
        sink: where answers go; every line is flushed.
        rules: the game before any `setoption name game`; None to tell it from the positions, toguz korgool at first.
        seed: for the chance of the levels below 8; None for a new one each time.
    """

    def __init__(self, source: Source, sink: Sink, rules: Rules | None = None, seed: int | None = None) -> None:
        self._source, self._sink = source, sink
        self._writing = threading.Lock()
        self.options = EngineOptions(rules)
        self.game = Game(self.options.rules)
        self._told: Told | None = None
        self._reading = 0.0
        self._pace = Pace()
        self._late = deque([0.0003] * 9, maxlen=9)
        self._engine: Engine | None = None
        self._built: tuple[Rules, int, int, str | None, bool] | None = None
        self._random = Random(seed)
        self._search: threading.Thread | None = None
        self._searching = self._endless = False
        self._stopped = threading.Event()
        self._commands: dict[str, Callable[[list[str]], None]] = {
            "ugi": self._ugi,
            "isready": self._is_ready,
            "uginewgame": self._new_game,
            "setoption": self._set_option,
            "position": self._position,
            "query": self._query,
            "go": self._go,
            "stop": self._stop,
        }

    def run(self) -> None:
        """Answer commands until `quit` or the end of the input."""
        try:
            for line in iter(self._read, None):
                words = line.split()
                if words == ["quit"]:
                    break
                self.obey(words)
            else:
                if self._search is not None and not self._endless:
                    self._search.join()
        finally:
            self._halt()

    def _read(self) -> str | None:
        line = self._source.readline(LONGEST)
        if not line:
            return None
        if len(line) < LONGEST or line.endswith("\n"):
            return line
        while line and not line.endswith("\n"):
            line = self._source.readline(LONGEST)
        self._say(f"a line of more than {LONGEST} characters is refused")
        return ""

    def obey(self, words: list[str]) -> None:
        """Obey one command, given as its words; an empty one is nothing."""
        if not words:
            return
        command = self._commands.get(words[0])
        if command is None:
            self._say(f"unknown command {_shown(words[0])}; known are {', '.join([*self._commands, 'quit'])}")
        elif words[0] not in ("isready", "query", "stop") and self._busy():
            self._say(f"{words[0]} is refused while a search runs; send stop first")
        else:
            try:
                command(words[1:])
            except ValueError as error:
                self._say(f"{words[0]}: {error}")

    def _busy(self) -> bool:
        """Return whether a search runs that does not end soon."""
        if self._searching and self._search is not None and not self._endless:
            self._search.join(PATIENCE)
        return self._searching

    def _send(self, line: str) -> None:
        with self._writing:
            self._sink.write(line + "\n")
            self._sink.flush()

    def _say(self, message: str) -> None:
        self._send("info string " + " ".join(message.split()))

    def _ugi(self, _: list[str]) -> None:
        from korgool import __version__

        self._send(f"id name Korgool {__version__}")
        self._send("id author the Korgool authors")
        for line in self.options.declarations():
            self._send(line)
        self._send("ugiok")

    def _is_ready(self, _: list[str]) -> None:
        if not self._searching:
            self._ready_engine()  # tables are opened and checked now, not on a player's clock
            self._book_move()
        self._send("readyok")

    def _new_game(self, _: list[str]) -> None:
        self.game, self._told = Game(self.options.rules), None
        if self._engine is not None:
            self._engine.clear()

    def _set_option(self, words: list[str]) -> None:
        before = self.options.rules
        self.options.set(words)
        self._told = None  # the same words may mean another game now
        if self.options.rules != before:
            self.game = Game(self.options.rules)

    def _position(self, words: list[str]) -> None:
        began = perf_counter()
        try:
            self._told = position_words(words, self.options, self._told)
        except ValueError as error:
            raise ValueError(f"{error}; the position before stays") from None
        self.game, self._reading = self._told.game, perf_counter() - began

    def _query(self, words: list[str]) -> None:
        answers: dict[str, Callable[[], str]] = {
            "gameover": lambda: "true" if self._ended() else "false",
            "p1turn": lambda: "true" if self.game.position.to_move is Side.WHITE else "false",
            "result": self._result,
        }
        question = " ".join(words)
        if question not in answers:
            raise ValueError(f"unknown question {_shown(question)}; known are {', '.join(answers)}")
        self._send(f"response {answers[question]()}")

    def _ended(self) -> bool:
        return self.game.outcome() is not None or self._repeated()

    def _repeated(self) -> bool:
        enough = self.game.rules.threefold
        return bool(enough) and len(self.game.occurrences()) >= enough

    def _result(self) -> str:
        outcome = self.game.outcome()
        if outcome is None:
            return "draw" if self._repeated() else "none"
        return "draw" if outcome.winner is None else ("p1win", "p2win")[outcome.winner]

    def _go(self, words: list[str]) -> None:
        began, self._reading = perf_counter() - self._reading, 0.0
        limits, clock, complaints = go_words(words, self.game.position.to_move)
        for complaint in complaints:
            self._say(f"go: {complaint}")
        if self.game.outcome() is not None:
            self._say("go: the game is over")
            self._send("bestmove none")
            return
        if limits.seconds is not None:
            limits = replace(limits, seconds=limits.seconds - self._way(limits.seconds))
        if clock is None:
            self._pace.leave()
        else:
            time = self._pace.plan(self.game, clock.of(self.game.position.to_move), self.options.overhead)
            most = time.most if limits.seconds is None else min(time.most, limits.seconds)
            limits = replace(limits, seconds=most, aim=time.aim)
        self._endless = "infinite" in words
        if limits == Limits() and not self._endless:
            limits = Limits(seconds=USUAL_SECONDS)
        self._stopped.clear()
        self._searching = True
        self._search = threading.Thread(target=self._think, args=(self._ready_engine(), limits, began), daemon=True)
        self._search.start()

    def _way(self, seconds: float) -> float:
        """The part of a time for a move that is left for the answer: for its way, or what answers took of late.

        One of them may have taken longer than usual, on a busy machine."""
        return min(max(min(_WAY, seconds / 10), sorted(self._late)[-2]), seconds / 2)

    def _ready_engine(self) -> Engine:
        options = self.options
        wanted = self.game.rules, options.hash, options.threads, "default" if options.network else None, options.tables
        if self._engine is None or self._built != wanted:
            rules, mib, threads, network, tables = wanted
            try:
                self._engine = Engine(rules, table_mib=mib, threads=threads, network=network, tables=None)
            except NetworkError as error:
                self._say(f"go: {error}; going on with the evaluation by hand")
                self._engine = Engine(rules, table_mib=mib, threads=threads, network=None, tables=None)
            except ValueError as error:
                self._say(f"go: {error}; going on with 1 MiB")
                self._engine = Engine(rules, table_mib=1, threads=threads, network=network, tables=None)
            self._engine.stopped = self._stopped
            if tables:
                self._take_tables(self._engine)
            self._built = wanted
        return self._engine

    def _take_tables(self, engine: Engine) -> None:
        """Use the endgame tables, unless one of them is damaged."""
        try:
            tables = Tables.shared(engine.rules)
            if tables.files:
                engine.use_tables(tables)
        except (TableError, OSError) as error:
            self._say(f"no endgame tables are used: {error}")

    def _think(self, engine: Engine, limits: Limits, began: float) -> None:
        """Search and answer; runs in its own thread.

        Args:
            engine: the engine.
            limits: of the whole move.
            began: when its time began, by `perf_counter`.
        """
        best = self.game.position.legal_moves()[0]
        try:
            try:
                best = self._best(engine, limits, began) or best
                if self._endless:
                    self._stopped.wait()
            except OSError:
                raise
            except Exception as error:
                # A caller that waits for a move must get one, and the session must go on.
                self._say(f"the search failed: {type(error).__name__}: {error}")
            with self._writing:
                # The next command may come as soon as this line is out, and a search of its own with it: from here on
                # nothing may be said about this one.
                took = perf_counter() - began
                self._pace.answered(best, took)
                if limits.seconds is not None and took > limits.seconds:
                    self._late.append(took - limits.seconds)
                self._searching = False
                self._sink.write(f"bestmove {best}\n")
                self._sink.flush()
        except OSError:  # the reader went away; the input then ends too
            self._searching = False

    def _best(self, engine: Engine, limits: Limits, began: float) -> int | None:
        position, history = self.game.position, self.game.positions[:-1]
        if not self._endless and self.options.multipv == 1:
            known = self._book_move()
            if known is not None:
                self._say(f"from the book: {known.move}, {known.evaluation:+.1f} stones")
                return known.move
        number = self.options.rating or self.options.level
        if number != NUMBERS[-1]:
            strength = nearest(number, position.rules)
            if strength != number:
                self._say(f"{position.rules.title} has no rating {number}; playing at {strength}")
            level = of_number(strength, position.rules)
            left = _rest(limits, began).seconds
            return choose(engine, position, level, history=history, seconds=left, random=self._random).move
        moves = len(position.legal_moves())
        if limits.aim is not None and moves == 1:
            limits = Limits(depth=1)
        lines = min(self.options.multipv, moves)
        quiet = limits.seconds is not None and limits.seconds < _QUIET
        reported: list[Analysis] = []
        tell = None if quiet else lambda seen: reported.append(self._report(seen))
        found = engine.analyse(position, _rest(limits, began), lines=lines, history=history, on_depth=tell)
        if not reported or reported[-1].lines != found.lines:
            self._report(found)
        return found.lines[0].move if found.lines else None

    def _book_move(self) -> BookMove | None:
        """A move of the book, when it is wanted and knows one; every level plays it."""
        if not self.options.book:
            return None
        from korgool.engine.openings import BookError, pick  # a session without it starts sooner

        try:
            return pick(self.game.position, self._random)
        except BookError as error:
            self._say(f"no book is used: {error}")
            return None

    def _report(self, analysis: Analysis) -> Analysis:
        speed = f"nodes {analysis.nodes} time {round(analysis.seconds * 1000)}"
        if analysis.seconds > 0:
            speed += f" nps {round(analysis.nodes / analysis.seconds)}"
        for number, line in enumerate(analysis.lines, 1):
            several = f" multipv {number}" if self.options.multipv > 1 else ""
            moves = " ".join(map(str, playable(self.game.position, line.pv) or (line.move,)))
            self._send(f"info depth {line.depth}{several} score cp {round(line.evaluation * 100)} {speed} pv {moves}")
        return analysis

    def _stop(self, _: list[str]) -> None:
        if not self._searching:
            raise ValueError("no search is running")
        self._halt()

    def _halt(self) -> None:
        """Stop the search, if one runs, and wait for its `bestmove`."""
        self._stopped.set()
        if self._search is not None and self._engine is not None:
            self._engine.stop()
            self._search.join()


def _rest(limits: Limits, began: float) -> Limits:
    """Rest of the times of a move that began then."""
    past = perf_counter() - began
    seconds, aim = (None if time is None else max(0.0, time - past) for time in (limits.seconds, limits.aim))
    return replace(limits, seconds=seconds, aim=aim)


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:40] + "…")
