"""The live display of `korgool analyse` on a terminal: the depth reached and the line so far."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from korgool.app.cli.language import tell
from korgool.languages import N_

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

    from korgool.engine import Analysis
    from korgool.rules import Position


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
    from korgool.app.cli.analyse_review import pv_text
    from korgool.engine.pv import playable

    best = analysis.lines[0]
    proven = tell(N_("exact")) if best.exact else tell(N_("depth {plies}"), plies=best.depth)
    moves = pv_text(position, playable(position, best.pv[:8]))
    nodes = tell(N_("{count} nodes, {seconds} s"), count=f"{analysis.nodes:,}", seconds=f"{analysis.seconds:.1f}")
    return f"{proven}  {best.evaluation:+.2f}  {moves}  {nodes}"
