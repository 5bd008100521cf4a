"""`korgool analyse`: the engine's best moves, for a position or for every position of a game."""

from __future__ import annotations

import sys
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.analyse_output import GameReview, Task, Thinking, exact_verdicts, write_graph
from korgool.app.cli.engine_data import book_text, shared_tables
from korgool.app.cli.group import INTERRUPTED
from korgool.app.cli.language import spoken, tell, value
from korgool.app.cli.options import GameChoice, Seconds, game_options, json_option, lenient_option
from korgool.app.cli.output import emit, result_of, write_whole
from korgool.app.cli.vocabulary import option
from korgool.app.cli.work_places import cluster_option, work_place
from korgool.languages import N_
from korgool.rules import GAMES, Position, Rules

if TYPE_CHECKING:
    from korgool.clusters import Pool
    from korgool.engine import Analysis, Engine, Limits
    from korgool.training.mistakes import Mistake

EXACT_SECONDS = 10.0
_CHANCES = {"win": N_("win"), "draw": N_("draw"), "loss": N_("loss")}

EPILOG = """\b
Examples:
  korgool analyse --position '2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16' --seconds 2
  korgool analyse --record game.pgn --depth 8 --lines 3 --threads 2 --json"""


@click.command("analyse", epilog=EPILOG)
@option("--position", "positions", metavar="TEXT", multiple=True, help="A position; repeatable.")
@option(
    "--record",
    metavar="FILE",
    help="Game records of any dialect; analyse every position of every game. - is standard input.",
)
@option("--seconds", type=Seconds(), help="Time for a position; 1 if no limit is given.")
@option("--depth", type=click.IntRange(1, 250), help="Plies to search.")
@option("--nodes", type=click.IntRange(1, 1 << 62), help="Positions to visit.")
@option("--lines", "count", type=click.IntRange(1, 9), default=1, show_default=True, help="Moves to show.")
@option(
    "--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Positions analysed at the same time."
)
@cluster_option
@option(
    "--exact",
    type=click.FloatRange(0, 86400),
    default=EXACT_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="With --record, in mangala: time for each game to compare its moves with perfect play.",
)
@option("--tables/--no-tables", default=True, help="Whether endings are looked up in endgame tables.")
@option("--graph", metavar="FILE", help="With --record: draw White's expected points over the game as SVG.")
@option(
    "--worst",
    metavar="OUT.pdf",
    help="With --record: print the 20 worst moves as PDF, with the better ones. --lines says how many may be accepted.",
)
@option("--side", type=click.Choice(["white", "black"]), help="With --worst: whose moves; both without it.")
@option("--serve", is_flag=True, help="Read requests as JSON lines from standard input and answer each.")
@lenient_option
@game_options
@json_option
def command(
    positions: tuple[str, ...],
    record: str | None,
    seconds: float | None,
    depth: int | None,
    nodes: int | None,
    count: int,
    threads: int,
    cluster: str | None,
    exact: float,
    tables: bool,
    graph: str | None,
    worst: str | None,
    side: str | None,
    serve: bool,
    lenient: bool,
    game: GameChoice,
    as_json: bool,
) -> None:
    """Search a position, or every position of a game, and print a line for each.

    The evaluation is the expected final difference of the stores for the player to move, in stones, as if the game were
    played out. If several limits are given, the search ends at the first that is reached. If the opening book has the
    position, its moves are printed too, with evaluations from much longer analysis; those of mangala are exact.

    Below each line are the reasons for its move: what it captures, wins, prevents and threatens.

    The moves of a record are marked by the expected points that they give away: ?! from 0.05 of a point, ? from 0.10,
    ?? from 0.20. With --lines 2 or more, ! marks the only good move where it is hard to find. The better move is shown
    too, how many stones the played one lost, and what it allows or misses. At the end each side's moves are summed up,
    with its accuracy in percent. Moves of mangala are also compared with perfect play, in stones, from the end of the
    game backward as far as --exact allows.

    On a terminal the current depth and line are shown during the search. Ctrl-C ends the search, prints what it has
    found and exits with status 130.
    """
    from korgool.engine import Limits
    from korgool.engine.surroundings import EngineSurroundings

    if [bool(positions), record is not None, serve].count(True) != 1:
        raise click.UsageError("give --position, --record or --serve, one of them")
    if graph is not None and record is None:
        raise click.UsageError("--graph draws a game; give --record")
    if (worst is not None and record is None) or (side is not None and worst is None):
        raise click.UsageError("--worst prints moves of a record, and --side says whose; give --record and --worst")
    if cluster is not None and serve:
        raise click.UsageError("--serve answers here; --cluster belongs to --record and --position")
    if worst is not None:
        import_module("typst")  # what is not installed is said before anything is searched
    if (seconds, depth, nodes) == (None, None, None):
        seconds = 1.0
    limits = Limits(seconds=seconds, depth=depth, nodes=nodes)
    if serve:
        from korgool.app.cli.analyse_server import run, standard_input

        run(standard_input(), emit, limits, count, game, tables=tables)
        return
    bad: list[str] = []
    if record is None:
        boards = [game.position(text, lenient=lenient) for text in positions]
        tasks = iter([Task(board, (), {"position": str(board)}) for board in boards])
    else:
        tasks = _tasks(record, game, lenient, bad, exact)
    reviewed = GameReview("en" if as_json else spoken())
    searches = Searches(limits, count, threads, tables=tables)
    # A file may hold several games, so the tables of all of them have to be alike.
    read = tuple({game.rules, *GAMES.values()} if record is not None else {game.rules}) if tables else ()
    with (
        nullcontext() if cluster is None else work_place(threads, cluster, EngineSurroundings(read)) as place,
        searches.thinking.shown(),
    ):
        for line in reviewed.lines(searches.run(tasks) if place is None else searches.run_away(place, tasks)):
            with searches.thinking.aside():
                if as_json:
                    emit(line)
                else:
                    _print(line)
    if record is not None and not as_json:
        for text in reviewed.summaries():
            click.echo(text)
    if graph is not None:
        write_graph(graph, reviewed.expectations)
    if worst is not None:
        _print_worst(worst, reviewed.worst(side))
    if searches.interrupted:
        sys.exit(INTERRUPTED)
    if bad:
        sys.exit(1)


def _tasks(path: str, game: GameChoice, lenient: bool, bad: list[str], exact: float) -> Iterator[Task]:
    """Every position of every game, including the last; a bad game is reported and analysed up to its error."""
    from korgool.app.cli.records import complaint, games_of

    for index, (file, record) in enumerate(games_of([path], game, lenient=lenient)):
        boards = record.positions
        known = exact_verdicts(record.start, record.moves, exact)
        for ply, board in enumerate(boards):
            played = record.moves[ply] if ply < len(record.moves) else None
            place = {"index": index, "ply": ply, "played": played, "position": str(board)}
            yield Task(board, boards[:ply], place | (known[ply] if ply < len(known) else {}))
        if record.error is not None:
            bad.append(complaint(file, index, record))
            click.echo(f"korgool: {bad[-1]}", err=True)


class Searches:
    """Searches of positions by several threads.

    Every search begins with an empty table, so that the answer does not depend on what was searched before it.

    Args:
        limits: when each search ends.
        count: the number of moves to report.
        threads: the number of simultaneous searches.
        tables: whether endings are looked up in the tables.
    """

    def __init__(self, limits: Limits, count: int, threads: int, *, tables: bool) -> None:
        self.limits, self.count, self.threads, self.tables = limits, count, threads, tables
        self.thinking = Thinking()
        self.interrupted = False
        """True if Ctrl-C has ended the searches early."""
        self._engines: list[Engine] = []
        self._own = threading.local()  # of each worker: its engine by rules, as one file may hold several games

    def run(self, tasks: Iterator[Task]) -> Iterator[tuple[Task, Analysis | None]]:
        """Each task with its analysis, or None if the game is over, in the order of the tasks.

        After Ctrl-C the running searches return what they have found, and no others start.
        """
        pool = ThreadPoolExecutor(self.threads)
        waiting: deque[tuple[Task, Future[Analysis | None]]] = deque()
        try:
            try:
                for task in tasks:
                    waiting.append((task, pool.submit(self.search, task)))
                    while len(waiting) > 2 * self.threads:
                        yield waiting[0][0], result_of(waiting[0][1])
                        waiting.popleft()
                while waiting:
                    yield waiting[0][0], result_of(waiting[0][1])
                    waiting.popleft()
            except KeyboardInterrupt:
                self.interrupted = True
                self._end(pool, waiting)
                while waiting and not waiting[0][1].cancelled():
                    task, future = waiting.popleft()
                    found = future.result()
                    if found is not None and not found.lines:
                        break
                    yield task, found
        finally:
            self._end(pool, waiting)

    def run_away(self, place: Pool, tasks: Iterator[Task]) -> Iterator[tuple[Task, Analysis | None]]:
        """As `run`, on a cluster. After Ctrl-C what is not known yet is left out."""
        sent: deque[Task] = deque()

        def asked() -> Iterator[tuple[Position, Sequence[Position]]]:
            for task in tasks:
                sent.append(task)
                yield task.position, task.history

        work = partial(_search_away, self.limits, self.count, self.tables)
        try:
            for found in place.in_turn(work, asked()):
                task = sent.popleft()
                if found is not None:
                    self.thinking.tell(task.position, found)
                yield task, found
        except KeyboardInterrupt:
            self.interrupted = True

    def _end(self, pool: ThreadPoolExecutor, waiting: deque[tuple[Task, Future[Analysis | None]]]) -> None:
        pool.shutdown(wait=False, cancel_futures=True)
        while not all(future.done() for _, future in waiting):
            for engine in self._engines:
                engine.stop()
            time.sleep(0.01)

    def search(self, task: Task) -> Analysis | None:
        """The analysis of a position, by an engine of this thread; None if the game is over."""
        position = task.position
        moves = position.legal_moves()
        if not moves:
            return None
        engine = self._engine_for(position.rules)
        engine.clear()
        return engine.analyse(
            position,
            self.limits,
            lines=min(self.count, len(moves)),
            history=task.history,
            on_depth=(lambda found: self.thinking.tell(position, found)) if self.thinking.seen else None,
        )

    def _engine_for(self, rules: Rules) -> Engine:
        from korgool.engine import Engine

        kept: dict[Rules, Engine] = self._own.__dict__.setdefault("engines", {})
        if rules not in kept:
            kept[rules] = Engine(rules, tables=None)
            kept[rules].use_tables(shared_tables(rules) if self.tables else None)
            self._engines.append(kept[rules])
        return kept[rules]


def _search_away(
    limits: Limits, count: int, tables: bool, asked: tuple[Position, Sequence[Position]]
) -> Analysis | None:
    """Search a position, by a worker of a cluster."""
    return _searches_away(limits, count, tables).search(Task(*asked, {}))


@cache
def _searches_away(limits: Limits, count: int, tables: bool) -> Searches:
    return Searches(limits, count, 1, tables=tables)


def _print_worst(path: str, mistakes: Sequence[Mistake]) -> None:
    """Write the sheet of the worst moves, or say that there are none."""
    from korgool.app.printing.worst_moves import MOST_DIAGRAMS, worst_moves_pdf

    if mistakes:
        write_whole(path, worst_moves_pdf(mistakes[:MOST_DIAGRAMS], language=spoken()))
    else:
        click.echo("korgool: " + tell(N_("there are no mistakes to print")), err=True)


def _heaviest(reasons: list[dict[str, Any]]) -> str:
    """The reasons with the most weight for or against a move, as text."""
    from korgool.app.words.reasons import MOST

    return "; ".join(reason["text"] for reason in reasons[:MOST])


def _print(line: dict[str, Any]) -> None:
    click.echo(line["position"])
    for found in line["lines"]:
        percent = " ".join(f"{tell(word)} {found[name]:.0%}" for name, word in _CHANCES.items())
        proven = tell(N_("exact")) if found["exact"] else tell(N_("depth {plies}"), plies=found["depth"])
        click.echo(f"  {found['move']}  {found['evaluation']:+7.2f}  {percent}  {proven}  {found['pv_text']}")
        if found["reasons"]:
            click.echo(f"     {_heaviest(found['reasons'])}")
    if line["book"]:
        click.echo("  " + tell(N_("book: {moves}"), moves=book_text(line["book"])))
    if line.get("mark"):
        said = N_("played {move}, lost about {stones} stones; better {better}")
        move, stones = f"{line['played']}{line['sign']}", f"{line['lost_stones']:.1f}"
        click.echo("  " + tell(said, move=move, stones=stones, better=line["better"]))
        if line["faults"]:
            click.echo(f"     {_heaviest(line['faults'])}")
    if line.get("given") is not None:
        said = N_("exact: {difference} before it, {move} kept everything")
        if line["given"]:
            said = N_("exact: {difference} before it, {move} gave away {stones} stones")
        before = f"{line['difference']:+d}"
        click.echo("  " + tell(said, difference=before, move=line["played"], stones=line["given"]))
    if line["result_text"] is not None:
        from korgool.app.words.event_texts import halves_said

        said = N_("the game is over: {result}, {reason}")
        result = halves_said(line["result_text"])
        click.echo("  " + tell(said, result=result, reason=value(line["termination"])))
    else:
        click.echo("  " + tell(N_("{count} nodes, {seconds} s"), count=line["nodes"], seconds=f"{line['seconds']:.2f}"))
