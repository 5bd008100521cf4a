"""`UgiEngine`: any program that speaks UGI, started, asked and ended. Its failures are reported with their cause."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from threading import Event, Lock
from typing import NoReturn, Self

from korgool.engine.asking import aside, asked
from korgool.engine.limits import USUAL_SECONDS, Limits
from korgool.engine.timing import TimeLeft
from korgool.engine.ugi_process import PATIENCE, UgiError, UgiProcess
from korgool.rules import GAMES, TOGUZ_KORGOOL, Game, Position, Rules, Side

UNBOUNDED = 3600.0
"""Seconds after which a search without a time of its own has failed."""


@dataclass(frozen=True, slots=True)
class UgiLine:
    """A line as a program tells it.

    Attributes:
        move: the first move, a hole number.
        evaluation: stones for the side to move, or None where it tells none.
        depth: plies looked ahead, 0 where it tells none.
        pv: the line expected, beginning with `move`.
    """

    move: int
    evaluation: float | None = None
    depth: int = 0
    pv: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class UgiAnalysis:
    """Answer of a program to one search.

    Attributes:
        move: the move that it plays, a hole number.
        lines: the last line of each number that it told, the best first; empty where it told none.
        nodes: positions looked at, as it says, or 0.
        seconds: wall-clock time until the answer.
    """

    move: int
    lines: tuple[UgiLine, ...] = ()
    nodes: int = 0
    seconds: float = 0.0


class UgiEngine(UgiProcess):
    """A program that speaks UGI. Close it, or use it in a `with` or `async with` block.

    Searches of several threads wait for each other; `stop` does not wait. The `…_async` methods search beside an event
    loop, and stop the search where their task is cancelled.

    Args:
        command: how it is started: words, or one text as a shell would read it; no shell is used.
        rules: the game, told by `setoption name game`, and its options where they are not the usual ones.
        options: further options to set, by name.
        patience: seconds that it may take to answer anything but a search, and beyond the time of a search.

    Attributes:
        name: as the program calls itself, or the command.
        author: as it says, or empty.
        options: its options by name, each with the rest of its declaration, such as `type spin default 1 min 1 max 9`.

    Raises:
        UgiError: it does not start, or does not answer as UGI wants.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        rules: Rules = TOGUZ_KORGOOL,
        *,
        options: Mapping[str, object] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        super().__init__(command, patience)
        self.author, self.rules, self.named = "", rules, False
        self.options: dict[str, str] = {}
        self._lock = Lock()
        self._lines_told = 1  # by `multipv`
        self._running: object = None  # whose search runs, where that was asked from an event loop
        try:
            self._greet(rules, options or {})
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"process {self._process.pid}"
        return f"<UgiEngine {self.name!r} of {self.rules.title}, {state}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a program at work is not copied or pickled: start another with UgiEngine(command)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await aside(self.close, lambda: None)

    def _greet(self, rules: Rules, options: Mapping[str, object]) -> None:
        self.say("ugi")
        until = time.monotonic() + self.patience
        while (line := self._hear(until, "ugi")) != "ugiok":
            words = line.split()
            if words[:2] == ["id", "name"]:
                self.name, self.named = " ".join(words[2:]), True
            elif words[:2] == ["id", "author"]:
                self.author = " ".join(words[2:])
            elif words[:2] == ["option", "name"]:
                cut = words.index("type") if "type" in words else len(words)
                self.options[" ".join(words[2:cut])] = " ".join(words[cut:])
        if rules.name != TOGUZ_KORGOOL.name or "game" in self.options:
            self.say(f"setoption name game value {rules.name}")
        usual = GAMES.get(rules.name, TOGUZ_KORGOOL).options()
        for name, value in rules.options().items():
            if value != usual[name]:
                self.set_option(name, value)
        for name, given in options.items():
            self.set_option(name, given)
        self.ready()

    def set_option(self, name: str, value: object) -> None:
        """Set an option; True and False are written as UGI has them.

        Raises:
            UgiError: it has no such option, or has left.
        """
        if name not in self.options:
            known = ", ".join(self.options) or "none"
            raise UgiError(f"{self.name} has no option {name!r}; it has {known}")
        self.say(f"setoption name {name} value {str(value).lower() if isinstance(value, bool) else value}")

    def new_game(self) -> None:
        """Let it forget the game before.

        Raises:
            UgiError: it does not answer.
        """
        with self._lock:
            self.say("uginewgame")
            self.ready()

    def analyse(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        *,
        lines: int = 1,
        clocks: tuple[TimeLeft, TimeLeft] | None = None,
        timeout: float | None = None,
        on_line: Callable[[UgiLine], object] | None = None,
    ) -> UgiAnalysis:
        """Search a position, and wait for the answer.

        Args:
            position: where the game goes on; or a game, whose moves are sent too.
            limits: when to end; one second without limits and clocks. `aim` is not known to UGI.
            lines: first moves to tell, if it has the option `multipv`.
            clocks: of White and of Black.
            timeout: seconds after which the search has failed; by default the time that it may take and `patience`, or
                an hour without such a time.
            on_line: called in this thread with every line that it tells.

        Raises:
            UgiError: it has ended, does not answer in time, or answers what cannot be played.
            ValueError: the game is over.
            TypeError: neither a position nor a game is given.
        """
        return self._search(position, limits, lines, clocks, timeout, on_line)

    def _search(
        self,
        position: Position | Game,
        limits: Limits | None,
        lines: int,
        clocks: tuple[TimeLeft, TimeLeft] | None,
        timeout: float | None,
        on_line: Callable[[UgiLine], object] | None = None,
        called_off: Event | None = None,
    ) -> UgiAnalysis:
        at, _ = asked(position)
        if at.rules != self.rules:
            raise ValueError(f"{self.name} was told to play {self.rules.title}, by the rules given when it was started")
        if (outcome := at.outcome()) is not None:
            raise ValueError(f"there is nothing to search, the game is over: {outcome.result_text}")
        limits = limits or (Limits() if clocks else Limits(seconds=USUAL_SECONDS))
        go = " ".join(["go", *_clock_words(clocks, at.to_move), *_limit_words(limits)])
        if go == "go":
            go = "go infinite"
        longest = _longest(limits, clocks, at.to_move)
        wait = timeout if timeout is not None else UNBOUNDED if longest is None else longest + self.patience
        with self._lock:
            self._settle()
            if lines != self._lines_told:
                self.set_option("multipv", lines)
                self._lines_told = lines
            self.say(position_line(position))
            self._stopped_at = None
            began = time.monotonic()
            self.say(go)
            self._running = called_off
            if called_off is not None and called_off.is_set():
                self.stop()
            found = _Found()
            try:
                while not (line := self._hear(began + wait, go)).startswith("bestmove"):
                    told = found.take(line)
                    if told is not None and on_line is not None:
                        on_line(told)
            finally:
                self._running = None
            return UgiAnalysis(self._move(line, position, at), found.lines(), found.nodes, time.monotonic() - began)

    def play(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        *,
        clocks: tuple[TimeLeft, TimeLeft] | None = None,
        timeout: float | None = None,
    ) -> int:
        """The hole number that it plays there; takes and raises what `analyse` does."""
        return self.analyse(position, limits, clocks=clocks, timeout=timeout).move

    async def analyse_async(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        *,
        lines: int = 1,
        clocks: tuple[TimeLeft, TimeLeft] | None = None,
        timeout: float | None = None,
    ) -> UgiAnalysis:
        """As `analyse`, beside the event loop."""
        called_off = Event()

        def stop() -> None:
            called_off.set()
            if self._running is called_off:  # not the search of another task
                with suppress(UgiError):  # the search itself tells
                    self.stop()

        return await aside(lambda: self._search(position, limits, lines, clocks, timeout, called_off=called_off), stop)

    async def play_async(self, position: Position | Game, limits: Limits | None = None) -> int:
        """As `play`, beside the event loop."""
        return (await self.analyse_async(position, limits)).move

    def stop(self) -> None:
        """End the running search, from any thread; its answer has to come within `patience`.

        Raises:
            UgiError: it has left.
        """
        if self._owed:
            if self._stopped_at is None:
                self._stopped_at = time.monotonic()
            self.say("stop")

    def _settle(self) -> None:
        """Before a search: take the answers that it owes to earlier ones, so that none is taken for the next."""
        if self._owed:
            self._stopped_at = time.monotonic()
            self.say("stop")
            while self._owed:
                self._hear(self._stopped_at + self.patience, "stop")
        self.drain()

    def _move(self, line: str, position: Position | Game, at: Position) -> int:
        words = line.split()
        if len(words) < 2 or not (words[1].isascii() and words[1].isdigit() and len(words[1]) < 3):
            raise UgiError(f"{self.name} answers {line[:80]!r}")
        move = int(words[1])
        if at.problem(move) is not None:
            played = (
                f" after {' '.join(map(str, position.moves))}" if isinstance(position, Game) and position.moves else ""
            )
            raise UgiError(f"{self.name} plays hole {move}, which is not legal{played}")
        return move


def position_line(position: Position | Game) -> str:
    """The `position` command that tells a position or a game."""
    start, moves = (position.start, position.moves) if isinstance(position, Game) else (position, ())
    usual = start.rules.start()
    words = ["position", "startpos"] if start == usual and start.fullmove == 1 else ["position", "fen", str(start)]
    return " ".join([*words, *(["moves", *map(str, moves)] if moves else [])])


class _Found:
    """Output of a search so far."""

    def __init__(self) -> None:
        self.nodes = 0
        self._lines: dict[int, UgiLine] = {}

    def take(self, line: str) -> UgiLine | None:
        """Read an `info` line; what cannot be understood in it is left out."""
        words = line.split()
        if words[:1] != ["info"] or "string" in words[:2]:
            return None
        self.nodes = _number(words, "nodes") or self.nodes
        if "pv" not in words:
            return None
        pv = tuple(int(word) for word in words[words.index("pv") + 1 :] if word.isascii() and word.isdigit())
        if not pv:
            return None
        cp = _number(words, "cp")
        told = UgiLine(pv[0], None if cp is None else cp / 100, _number(words, "depth") or 0, pv)
        self._lines[_number(words, "multipv") or 1] = told
        return told

    def lines(self) -> tuple[UgiLine, ...]:
        """The last line of each number."""
        return tuple(line for _, line in sorted(self._lines.items()))


def _number(words: Sequence[str], name: str) -> int | None:
    """The whole number after a word."""
    if name not in words[:-1]:
        return None
    text = words[words.index(name) + 1]
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


def _limit_words(limits: Limits) -> list[str]:
    words = []
    if limits.seconds is not None:
        words += ["movetime", str(max(1, round(limits.seconds * 1000)))]
    if limits.nodes is not None:
        words += ["nodes", str(limits.nodes)]
    if limits.depth is not None:
        words += ["depth", str(limits.depth)]
    return words


def _clock_words(clocks: tuple[TimeLeft, TimeLeft] | None, side: Side) -> list[str]:
    """The clocks in whole milliseconds; what has not run out shows 1 ms at least."""
    if clocks is None:
        return []
    words = []
    for name, clock in zip(("p1", "p2"), clocks, strict=True):
        words += [f"{name}time", str(max(int(clock.stock > 0), int(clock.stock * 1000)))]
    for name, clock in zip(("p1", "p2"), clocks, strict=True):
        words += [f"{name}inc", str(round(clock.increment * 1000))]
    own = clocks[side]
    if own.moves:
        words += ["movestogo", str(own.moves)]
    if own.delay:
        words += ["delay", str(round(own.delay * 1000))]
    if own.period and own.periods:
        words += ["byoyomi", str(round(own.period * 1000))]
    return words


def _longest(limits: Limits, clocks: tuple[TimeLeft, TimeLeft] | None, side: Side) -> float | None:
    """Seconds that a search may take, or None without an end."""
    if limits.seconds is not None:
        return limits.seconds
    if clocks is None:
        return None
    own = clocks[side]
    return max(0.0, own.stock) + own.delay + own.period * own.periods
