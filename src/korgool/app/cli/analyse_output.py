"""The output of `korgool analyse`: lines, marks, totals and the graph, and the live display on a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from korgool.app.cli.language import moves_of_both, spoken, tell
from korgool.app.cli.output import unwritable
from korgool.languages import N_
from korgool.rules import Game, Position, Side

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from korgool.engine import Analysis
    from korgool.engine.reasons import Reason
    from korgool.engine.review import ReviewedPly
    from korgool.rules import Position
    from korgool.training.mistakes import Mistake


@dataclass(frozen=True)
class Task:
    """A position to analyse, the positions before it, and the other data of its line."""

    position: Position
    history: Sequence[Position]
    place: dict[str, Any]


@dataclass
class GameReview:
    """Judges the plies of games as the analyses of their positions arrive, one after the other.

    Attributes:
        language: of the reasons.
        expectations: White's expected points by ply, for each game.
        judged: the moves of each game.
        mistakes: of all games, each position once.
    """

    language: str = "en"
    expectations: list[list[float]] = field(default_factory=list)
    judged: list[list[ReviewedPly]] = field(default_factory=list)
    mistakes: list[Mistake] = field(default_factory=list)

    def lines(self, analysed: Iterator[tuple[Task, Analysis | None]]) -> Iterator[dict[str, Any]]:
        """The lines of output. Judging a ply needs the position after it, so each line waits for the next analysis."""
        from korgool.engine.review import expectation, judge_ply

        before: tuple[Task, Analysis | None] | None = None
        for task, seen in analysed:
            if before is not None:
                earlier, then = before
                line = analysis_line(earlier, then, self.language)
                if earlier.place.get("played") is not None and then is not None:
                    ply = earlier.place["ply"] + 1
                    one = judge_ply(ply, earlier.position, then, earlier.place["played"], task.position, seen)
                    self.judged[-1].append(one)
                    self._keep(earlier.position, one, then)
                    answer = seen.lines[0].pv if seen and seen.lines else ()
                    line |= _judged_fields(earlier.position, one, answer, self.language)
                yield line
            if task.place.get("ply") == 0:
                self.expectations.append([])
                self.judged.append([])
            if "ply" in task.place:
                self.expectations[-1].append(expectation(task.position, seen))
            before = task, seen
        if before is not None:
            yield analysis_line(*before, self.language)

    def _keep(self, position: Position, one: ReviewedPly, seen: Analysis) -> None:
        from korgool.training.mistakes import mistake_of

        found = mistake_of(position, one, seen, int(time.time() * 1000))
        if found is not None and all(found.id != other.id for other in self.mistakes):
            self.mistakes.append(found)

    def worst(self, side: str | None) -> list[Mistake]:
        """The mistakes of White, of Black or of both, the worst first."""
        own = [one for one in self.mistakes if side in (None, one.start().to_move.name.lower())]
        return sorted(own, key=lambda one: -one.lost)

    def summaries(self) -> Iterator[str]:
        """A summary line for each side of each game."""
        from korgool.engine.review import GOOD_SIGN, Mark, summary

        for number, judged in enumerate(self.judged):
            for side in Side:
                own = summary(judged, side)
                counts = [f"{count} {mark.sign}" for mark, count in zip(Mark, own.marks, strict=True)]
                if own.good:
                    counts.append(f"{own.good} {GOOD_SIGN}")
                game = tell(N_("game {number}"), number=number) + ", " if len(self.judged) > 1 else ""
                percent = "–" if own.accuracy is None else f"{own.accuracy:.0f} %"
                accuracy = tell(N_("accuracy {percent}"), percent=percent)
                yield f"{game}{_side(side)}: {moves_of_both(own.moves)}, {accuracy}, {', '.join(counts)}"


def exact_verdicts(start: Position, moves: Sequence[int], seconds: float) -> list[dict[str, Any]]:
    """For each ply of a mangala game, the exact difference before it and the stones it gave away, or None if unknown.

    Empty for the other games, of which only endings can be solved, and if no time is given.
    """
    from korgool.engine.solving import Solver, judge
    from korgool.engine.solving.mangala_table import refusal

    if not seconds or not moves or refusal(start.rules) is not None:
        return []
    verdicts = judge(start, moves, Solver(start.rules), seconds=seconds)
    return [{"difference": verdict.difference, "given": verdict.given} for verdict in verdicts]


def _side(side: Side) -> str:
    if spoken() == "en":
        return side.name.lower()
    return tell(N_("White") if side is Side.WHITE else N_("Black"))


def _judged_fields(position: Position, one: ReviewedPly, answer: Sequence[int], language: str) -> dict[str, Any]:
    from korgool.engine.pv import playable
    from korgool.engine.reasons import faults
    from korgool.engine.review import move_accuracy

    better = pv_text(position, playable(position, one.better)) if one.better else None
    found = faults(position, one.played, one.best, answer, one.better[1:]) if one.mark else ()
    return {
        "lost": round(one.lost, 4),
        "lost_stones": round(one.stones, 2),
        "accuracy": round(move_accuracy(one.lost), 1),
        "weight": one.weight,
        "mark": str(one.mark) if one.mark else None,
        "sign": one.sign or None,
        "better": better,
        "faults": reason_fields(position, found, language),
    }


def analysis_line(task: Task, analysis: Analysis | None, language: str = "en") -> dict[str, Any]:
    """The data of one line of output, with its reasons in a language."""
    from korgool.app.cli.engine_data import book_lines
    from korgool.engine.pv import playable
    from korgool.engine.reasons import explain

    outcome = task.position.outcome()
    lines = [] if analysis is None else analysis.lines
    shown = [playable(task.position, line.pv) for line in lines]
    return {
        **task.place,
        "game": task.position.rules.name,
        "lines": [
            {
                "move": line.move,
                "evaluation": round(line.evaluation, 3),
                "win": round(line.win, 4),
                "draw": round(line.draw, 4),
                "loss": round(line.loss, 4),
                "exact": line.exact,
                "depth": line.depth,
                "pv": pv,
                "pv_text": pv_text(task.position, pv),
                "reasons": reason_fields(task.position, explain(task.position, lines, at), language),
            }
            for at, (line, pv) in enumerate(zip(lines, shown, strict=True))
        ],
        "book": book_lines(task.position),
        "nodes": 0 if analysis is None else analysis.nodes,
        "seconds": 0.0 if analysis is None else round(analysis.seconds, 6),
        "result_text": None if outcome is None else outcome.result_text,
        "termination": None if outcome is None else str(outcome.termination),
    }


def reason_fields(position: Position, reasons: Sequence[Reason], language: str) -> list[dict[str, Any]]:
    """Reasons for or against a move in their order, each with its sentence in a language."""
    from korgool.app.words.reasons import reason_text
    from korgool.languages import translations

    game, catalogue = position.rules.name, translations(language)
    return [
        {
            "kind": str(reason.kind),
            "stones": reason.stones,
            "left": reason.left,
            "hole": reason.hole,
            "line": list(reason.line),
            "shared": reason.shared,
            "text": reason_text(catalogue, reason, game),
        }
        for reason in reasons
    ]


def pv_text(position: Position, moves: Sequence[int]) -> str:
    """Moves in field notation, such as `76(10) 55(10)`; the plies of one turn are joined by a comma."""
    from korgool.notation import format_movetext

    return format_movetext(Game(position, moves), numbered=False)


WIDTH, HEIGHT, MARGIN = 800, 240, 24


def write_graph(path: str, games: Sequence[Sequence[float]]) -> None:
    """Draw White's expected points over the plies of games, one line each, as SVG.

    Raises:
        InputError: the file cannot be written.
    """
    longest = max((len(game) for game in games), default=2)
    step = (WIDTH - 2 * MARGIN) / max(longest - 1, 1)

    def place(ply: int, expected: float) -> str:
        return f"{MARGIN + ply * step:.1f},{MARGIN + (1 - expected) * (HEIGHT - 2 * MARGIN):.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
        "<title>White's expected points by ply</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fbf8f1"/>',
    ]
    for expected in (0.0, 0.5, 1.0):
        y = MARGIN + (1 - expected) * (HEIGHT - 2 * MARGIN)
        parts.append(f'<path d="M{MARGIN} {y:.1f}H{WIDTH - MARGIN}" stroke="#b9ae98" stroke-dasharray="4 4"/>')
    for game in games:
        points = " ".join(place(ply, expected) for ply, expected in enumerate(game))
        parts.append(f'<polyline points="{points}" fill="none" stroke="#8a3b12" stroke-width="2"/>')
    try:
        Path(path).write_text("\n".join([*parts, "</svg>"]) + "\n", encoding="utf-8")
    except OSError as error:
        raise unwritable(path, error.strerror) from None


class Thinking:
    """One line on the standard error of a terminal that changes with every depth; nothing in a pipe.

    Several searches may report at the same time; the newest report is shown.
    """

    def __init__(self) -> None:
        self._live: Live | None = None
        self._latest: tuple[Position, Analysis] | None = None
        if sys.stderr and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            # With redirection on, text for the standard output would appear next to the line.
            self._live = Live(
                console=Console(stderr=True),
                get_renderable=self._line,
                refresh_per_second=4,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )

    @property
    def seen(self) -> bool:
        """True if there is a terminal."""
        return self._live is not None

    def tell(self, position: Position, analysis: Analysis) -> None:
        """Take the result of a search after a depth; may be called from any thread."""
        if analysis.lines:
            self._latest = position, analysis

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Show the line during the block if there is a terminal, and remove it at the end."""
        if self._live is None:
            yield
            return
        with self._live:
            yield

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the line while something is printed."""
        if self._live is None:
            yield
            return
        self._live.stop()
        yield
        self._live.start()

    def _line(self) -> Text:
        from rich.text import Text

        latest = self._latest
        return Text(tell(N_("thinking …")) if latest is None else described(*latest), no_wrap=True, overflow="ellipsis")


def described(position: Position, analysis: Analysis) -> str:
    """The best line so far as text: depth, evaluation, moves, nodes."""
    from korgool.engine.pv import playable

    best = analysis.lines[0]
    proven = tell(N_("exact")) if best.exact else tell(N_("depth {plies}"), plies=best.depth)
    moves = pv_text(position, playable(position, best.pv[:8]))
    nodes = tell(N_("{count} nodes, {seconds} s"), count=f"{analysis.nodes:,}", seconds=f"{analysis.seconds:.1f}")
    return f"{proven}  {best.evaluation:+.2f}  {moves}  {nodes}"
