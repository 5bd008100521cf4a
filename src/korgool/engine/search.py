"""The engine: the kernel's search behind an object that knows no protocol and prints nothing."""

from __future__ import annotations

import ctypes
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Literal, NoReturn, Self

from korgool.engine.asking import aside, asked
from korgool.engine.kernel import Kernel, Memory, library
from korgool.engine.kernel_layout import MAX_HISTORY, MAX_LINES, LimitsStruct, LineStruct, ReportStruct
from korgool.engine.limits import USUAL_SECONDS, Limits
from korgool.engine.networks import OTHER_RULES, NetworkError, NetworkFile, default, reason
from korgool.engine.tables.native import TableError
from korgool.engine.tables.probing import Tables
from korgool.rules import Game, Position, Rules

UNIT = 32
"""The kernel's values are whole numbers of this many to a stone."""
_WIN = 16000
_CERTAIN = 12000
_MOST_TABLE_MIB = 1 << 16
_DEEPEST = 1 << 20
MOST_THREADS = 256
"""Threads of one search, at most."""


@dataclass(frozen=True, slots=True)
class Line:
    """One first move and what is expected after it.

    Attributes:
        move: hole number, 1 to n.
        evaluation: expected final store difference for the side to move, in stones, as if the game were played out.
        win: chance that the side to move wins, 0 to 1; the three chances add up to 1.
        draw: chance of a draw.
        loss: chance that the side to move loses.
        exact: whether the evaluation is proven: every line was followed to the end of the game.
        depth: plies looked ahead; 0 where there was no time to look at all.
        pv: the line expected, hole numbers beginning with `move`; plies of an extra turn follow each other.
    """

    move: int
    evaluation: float
    win: float
    draw: float
    loss: float
    exact: bool
    depth: int
    pv: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Analysis:
    """Result of a search.

    Attributes:
        lines: the best first moves, the best one first.
        nodes: positions reached by a sowing.
        seconds: wall-clock time.
    """

    lines: tuple[Line, ...]
    nodes: int
    seconds: float

    @property
    def move(self) -> int:
        """The best move, a hole number."""
        return self.lines[0].move


class Engine:
    """Searches positions of one game. It remembers what it has found; `clear` makes it forget.

    It plays as `korgool play` and `korgool engine` do: with the learned evaluation, and with the user's endgame tables
    or else the package's. Several threads may use one engine: searches wait for each other, `stop` does not wait. As a
    context manager, also by `async with`, it is closed at the end; its `…_async` methods search beside an event loop,
    and end the search where their task is cancelled.

    Attributes:
        stopped: while it is set, searches end at once. `stop` ends only a search that runs; a caller that may come
            before it has begun sets this event first, and then calls `stop`.

    Args:
        rules: the game.
        table_mib: size of the transposition table in MiB, at most; 0 for none. Memory is taken as it is filled.
        threads: searches that run at once, on one table. More than one makes results differ from run to run.
        network: a file of the learned evaluation; "default" for the shipped one, where there is one for these rules;
            None for the evaluation by hand.
        tables: endgame tables of these rules; "usual" for the user's or else the package's, without which a warning is
            given if they are damaged; None for a search that does not depend on what a user has built.

    Raises:
        ValueError: a table size or a number of threads that cannot be, or rules that the kernel cannot play.
        NetworkError: a network file that cannot be used for these rules.
        KernelMissingError: the native library is not installed.
    """

    def __init__(
        self,
        rules: Rules,
        *,
        table_mib: int = 16,
        threads: int = 1,
        network: str | Path | None = "default",
        tables: Tables | Literal["usual"] | None = "usual",
    ) -> None:
        if not 1 <= threads <= MOST_THREADS:
            raise ValueError(f"a search has 1 to {MOST_THREADS} threads, not {threads}")
        if not 0 <= table_mib <= _MOST_TABLE_MIB:
            raise ValueError(f"the table has 0 to {_MOST_TABLE_MIB} MiB, not {table_mib}")
        self.rules = rules
        self.stopped: Event | None = None
        self._kernel = Kernel(rules)
        self.library = library()
        try:
            self._place: tuple[Memory, int] | None = self._allocated(table_mib << 20)
        except (OSError, OverflowError) as error:
            raise ValueError(f"there is no memory for a table of {table_mib} MiB; choose a smaller one") from error
        self._helpers = [self._allocated(0) for _ in range(threads - 1)]
        self._lock = Lock()
        self._running: object = None  # whose search runs, where that was asked from an event loop
        self._network: NetworkFile | None = None
        self._tables: Tables | None = None  # kept alive: the kernel reads them where they lie
        self.use_network(network)
        if tables == "usual":
            tables = self._usual_tables()
        if tables is not None:
            self.use_tables(tables)

    def _usual_tables(self) -> Tables | None:
        try:
            tables = Tables.shared(self.rules)
        except (TableError, OSError) as error:
            warnings.warn(f"no endgame tables are used: {error}", RuntimeWarning, stacklevel=3)
            return None
        return tables if tables.files else None

    def __repr__(self) -> str:
        if self._place is None:
            return f"<Engine of {self.rules.title}, closed>"
        stones = f"tables up to {self._tables.stones} stones" if self._tables else "no tables"
        return f"<Engine of {self.rules.title}, {self.network or 'evaluation by hand'}, {stones}>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an engine is memory at work and not copied or pickled: make another with Engine(rules)")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await aside(self.close, self.stop)

    @property
    def address(self) -> int:
        """Address of the engine in the kernel.

        Raises:
            ValueError: the engine is closed.
        """
        if self._place is None:
            raise ValueError("the engine is closed")
        return self._place[1]

    def close(self) -> None:
        """End a running search and give the memory back; a search after that raises ValueError."""
        while not self._lock.acquire(timeout=0.01):
            self.stop()
        self._place, self._helpers, self._network, self._tables = None, [], None, None
        self._lock.release()

    def _allocated(self, table: int) -> tuple[Memory, int]:
        """Memory with an engine in it, and where that begins."""
        memory = Memory(self.library.kg_engine_bytes(table) + 64)
        address = (memory.address + 63) // 64 * 64
        self.library.kg_engine_init(address, self._kernel.address, table)
        return memory, address

    def analyse(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        *,
        lines: int = 1,
        history: Sequence[Position] | None = None,
        on_depth: Callable[[Analysis], None] | None = None,
        exact_depth: bool = False,
    ) -> Analysis:
        """Search a position; the interpreter lock is free meanwhile.

        Args:
            position: where the game goes on; or a game, for its present position and all before it.
            limits: when to end, see `Limits`; one second without them.
            lines: how many first moves to tell, each with its own full search; fewer when fewer are legal.
            history: the positions of the game before this one, oldest first, by which a repetition is known. The
                present one may stand at its end, as in `Game.positions`.
            on_depth: called in this thread with what is known after each depth but the last, which is what it returns.
            exact_depth: prune and reduce nothing, and use nothing that was found for another depth, so that a search
                by one thread to a fixed depth gives the value of plain minimax to that depth.

        Raises:
            ValueError: the game is over there, it is not a position of these rules, `lines` is not 1 to 9, or the
                engine is closed.
            TypeError: neither a position nor a game is given.
        """
        position, history = asked(position, history)
        return self._search(position, limits or Limits(seconds=USUAL_SECONDS), lines, history, on_depth, exact_depth)

    def play(self, position: Position | Game, limits: Limits | None = None) -> int:
        """The hole number that it plays there, without playing it; takes and raises what `analyse` does."""
        return self.analyse(position, limits).move

    async def analyse_async(
        self,
        position: Position | Game,
        limits: Limits | None = None,
        *,
        lines: int = 1,
        history: Sequence[Position] | None = None,
        on_depth: Callable[[Analysis], None] | None = None,
        exact_depth: bool = False,
    ) -> Analysis:
        """As `analyse`, beside the event loop; `on_depth` is called in another thread."""
        position, before = asked(position, history)
        bounds = limits or Limits(seconds=USUAL_SECONDS)
        called_off = Event()

        def stop() -> None:
            called_off.set()
            if self._running is called_off:  # not the search of another task
                self.stop()

        return await aside(
            lambda: self._search(position, bounds, lines, before, on_depth, exact_depth, called_off), stop
        )

    async def play_async(self, position: Position | Game, limits: Limits | None = None) -> int:
        """As `play`, beside the event loop."""
        return (await self.analyse_async(position, limits)).move

    def _search(
        self,
        position: Position,
        limits: Limits,
        lines: int,
        history: Sequence[Position],
        on_depth: Callable[[Analysis], None] | None,
        exact_depth: bool,
        called_off: Event | None = None,
    ) -> Analysis:
        if not 1 <= lines <= MAX_LINES:
            raise ValueError(f"an analysis tells 1 to {MAX_LINES} lines, not {lines}")
        packed = self._kernel.pack(position)
        before = self._before(position, history)
        earlier = b"".join(map(self._kernel.pack, before))
        sides = bytes(earlier_position.to_move for earlier_position in before)
        bounds = LimitsStruct(
            seconds=-1.0 if limits.seconds is None else limits.seconds,
            nodes=limits.nodes or 0,
            depth=min(limits.depth or 0, _DEEPEST),
            lines=lines,
            exact_depth=exact_depth,
        )
        start = packed, position.to_move, ctypes.byref(bounds), earlier, sides, len(before)
        with self._lock:
            if self.library.kg_engine_begin(self.address, *start):
                outcome = position.outcome()
                how = "" if outcome is None else f": {outcome.result_text}, {outcome.termination}"
                raise ValueError(f"there is nothing to search, the game is over{how}")
            self._running = called_off
            if any(event is not None and event.is_set() for event in (self.stopped, called_off)):
                self.stop()  # begun, it has forgotten every stop before
            helpers = self._begun_helpers(start)
            try:
                self._deepen(position, limits.aim, on_depth)
            finally:
                for _, address in self._helpers:
                    self.library.kg_engine_stop(address)
                for thread in helpers:
                    thread.join()
                self._running = None
            return self._analysis(position)

    def _begun_helpers(self, start: tuple[object, ...]) -> list[Thread]:
        """The other threads, searching the same position until they are stopped."""
        threads = []
        for number, (_, address) in enumerate(self._helpers, 1):
            self.library.kg_engine_help(address, self.address, number)
            self.library.kg_engine_begin(address, *start)
            thread = Thread(target=self.library.kg_engine_run, args=(address,), daemon=True)
            thread.start()
            threads.append(thread)
        return threads

    def _deepen(self, position: Position, aim: float | None, on_depth: Callable[[Analysis], None] | None) -> None:
        """Depth by depth: between two of them Python sees an interrupt from the keyboard."""
        best, changed, report = -1, 0, ReportStruct()
        while self.library.kg_engine_step(self.address):
            if on_depth is not None:
                on_depth(self._analysis(position))
            if aim is None:
                continue
            self.library.kg_engine_report(self.address, ctypes.byref(report))
            move = report.lines[0].move
            # A move that has just come up is looked at longer, up to twice the aim.
            changed = 2 if best not in (-1, move) else max(0, changed - 1)
            best = move
            if report.seconds >= aim * (1 + 0.5 * changed):
                break

    def stop(self) -> None:
        """End the running search within milliseconds, from any thread. Without one it does nothing."""
        place = self._place  # kept alive while the kernel looks at it
        if place is not None:
            self.library.kg_engine_stop(place[1])

    def use_network(self, network: str | Path | None) -> None:
        """Take another network, as at the start; waits for a running search and forgets what was found.

        Raises:
            NetworkError: a network file that cannot be used for these rules. The engine stays as it was.
        """
        chosen = (
            default(self.rules) if network == "default" else None if network is None else NetworkFile(Path(network))
        )
        with self._lock:
            refused = chosen and self.library.kg_engine_network(self.address, chosen.address, chosen.length)
            if chosen and refused and not (network == "default" and refused == OTHER_RULES):
                raise NetworkError(f"the network {chosen.name} cannot be used: {reason(refused)}")
            if chosen is None or refused:
                chosen = None
                self.library.kg_engine_network(self.address, None, 0)
            for _, address in self._helpers:
                bytes_, length = (chosen.address, chosen.length) if chosen else (None, 0)
                self.library.kg_engine_network(address, bytes_, length)
            # The kernel reads the weights where they lie: they must live as long as they are used.
            self._network = chosen

    def use_tables(self, tables: Tables | None) -> None:
        """Take what endgame tables know for proven, or no more; waits for a running search and forgets what was found.

        Raises:
            ValueError: the tables are of another game.
        """
        if tables is not None and tables.rules != self.rules:
            raise ValueError(f"these are tables of {tables.rules.title} under other rules than the engine's")
        with self._lock:
            for address in self._addresses():
                self.library.kg_engine_tables(address, tables.address if tables else None)
            self._tables = tables

    def _addresses(self) -> list[int]:
        return [*(address for _, address in self._helpers), self.address]

    @property
    def network(self) -> str | None:
        """The file of the network in use, or None for the evaluation by hand."""
        return self._network.name if self._network else None

    def clear(self) -> None:
        """Forget what earlier searches found, as before a new game. Waits for a running search."""
        with self._lock:
            for address in self._addresses():
                self.library.kg_engine_clear(address)

    def evaluate(self, position: Position) -> float:
        """The evaluation of a position without looking ahead, in stones for the side to move."""
        return int(self.library.kg_engine_evaluate(self.address, self._kernel.pack(position))) / UNIT

    @staticmethod
    def _before(position: Position, history: Sequence[Position]) -> list[Position]:
        """The end of the history that can matter: as many stones in the stores as now, which never lose any."""
        stored = sum(position.stores)
        before: list[Position] = []
        for at in range(len(history) - 1, -1, -1):
            if sum(history[at].stores) != stored or len(before) > MAX_HISTORY:
                break
            before.append(history[at])
        if before and before[0] == position:
            del before[0]
        return before[::-1]

    def _analysis(self, position: Position) -> Analysis:
        report = ReportStruct()
        nodes = 0
        for _, address in self._helpers:
            self.library.kg_engine_report(address, ctypes.byref(report))
            nodes += report.nodes
        self.library.kg_engine_report(self.address, ctypes.byref(report))
        lines = tuple(self._line(line, position) for line in report.lines[: report.count])
        return Analysis(lines, nodes + report.nodes, report.seconds)

    def _line(self, line: LineStruct, position: Position) -> Line:
        return line_of(line, lambda evaluation: self.chances(position, evaluation, line.depth))

    def chances(self, position: Position, evaluation: float, depth: int = 0) -> tuple[float, float, float]:
        """Chances of win, draw and loss for the side to move when a search found that evaluation, in stones.

        The network tells how far from it a game from this position may still end; without one, the stones on the board
        do. What was found by looking `depth` plies ahead is surer than what is seen at once. `benchmarks/chances.py`
        fits the curves and tells how true they are.
        """
        found = (ctypes.c_double * 3)()
        value = round(evaluation * UNIT)
        self.library.kg_engine_chances(self.address, self._kernel.pack(position), value, depth, found)
        return found[0], found[1], found[2]


def line_of(line: LineStruct, chances_of: Callable[[float], tuple[float, float, float]]) -> Line:
    """The line that the kernel tells of."""
    exact = bool(line.exact)
    certain = (line.value > _CERTAIN) - (line.value < -_CERTAIN)
    evaluation = (line.value - certain * _WIN) / UNIT
    if certain or exact:
        win, draw, loss = float(certain > 0), float(certain == 0), float(certain < 0)
    else:
        win, draw, loss = chances_of(evaluation)
    pv = tuple(hole + 1 for hole in line.pv[: line.length])
    return Line(line.move + 1, evaluation, win, draw, loss, exact, line.depth, pv)
