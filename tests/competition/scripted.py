"""A scripted event for the tests that kill it: `python scripted.py FILE SEED` goes on with FILE wherever it stands.

What comes next follows from the event alone, so that a second process continues where the first was killed. After
every command that has returned, the number of log lines is printed: from then on they must never be lost.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
from pathlib import Path

from korgool.app.cli import main
from korgool.competition import EventFile
from korgool.competition.actions import GiveWarning
from korgool.competition.event_state import EventState

PLAYERS, ROUNDS = 8, 4
_RESULTS = ("1 (82) - 0 (60)", "0 (41) - 1 (100)", "0.5 (81) - 0.5 (81)", "1 (60) - 0 (50) resignation", "- - +")


def next_command(path: Path, seed: int) -> list[str] | None:
    """The next command of the script, or None when the event is over."""
    if not path.exists():
        return ["new", str(path), "--name", f"Event {seed}", "--rounds", str(ROUNDS)]
    with EventFile.open(path) as file:
        words = _next(file.state, random.Random(1000 * seed + file.state.actions))
    return None if words is None else [words[0], str(path), *words[1:]]


def _next(state: EventState, chance: random.Random) -> list[str] | None:
    if len(state.players) < PLAYERS:
        return ["enter", "--name", f"Player {len(state.players)}, Aida", "--rating", str(chance.randint(1000, 2400))]
    number = len(state.rounds)
    if state.complete and number not in state.published and number:
        return ["publish"]
    if state.complete:
        return None if state.over else ["pair", "--lot", str(chance.random())]
    named = [player.number for player in state.players.values() if not player.entry.removed]
    if number > 1 and named and chance.random() < 0.05:
        return ["personal", str(chance.choice(named)), "--remove", "--names"]
    if isinstance(state.done[-1][0], GiveWarning) and chance.random() < 0.5:
        return ["undo", str(state.actions), "--reason", "the wrong player"]
    board = state.rounds[-1].missing[0]
    before = state.rounds[-1].games[: board - 1]
    if chance.random() < 0.2 and len(before) == 2:
        calm = [player.number for player in state.players.values() if len(player.warnings) < 3]
        return ["warn", str(chance.choice(calm)), "--reason", "talk"]
    if chance.random() < 0.3 and before and before[-1].result is not None:
        return ["result", str(number), str(board - 1), chance.choice(_RESULTS), "--correct", "--reason", "mixed up"]
    return ["result", str(number), str(board), chance.choice(_RESULTS)]


def play(path: Path, seed: int) -> None:
    """Go on to the end."""
    while (words := next_command(path, seed)) is not None:
        with contextlib.redirect_stdout(io.StringIO()):
            main(["event", *words], standalone_mode=False)
        with EventFile.open(path) as file:
            print(file.state.actions, flush=True)


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]))
