"""A file of what has been found so far, so that long work that was interrupted goes on with the next game."""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Self

import msgspec

from korgool.training.puzzle import Puzzle, PuzzleError, read_puzzle
from korgool.training.puzzle_making import RecordedGame, Task

FORMAT = 1
_HEAD = {"puzzles of": "korgool puzzles make", "format": FORMAT}


class PuzzleJournalError(ValueError):
    """A file that is no journal of this work, or one on which another process is at work."""


def task_key(task: Task) -> str:
    """The name of a game with all that its puzzles depend on."""
    if not isinstance(task, RecordedGame):
        return f"{task.game}, {task.name}"
    text = f"{task.start.rules.name} {task.start} {task.moves}"
    return f"{task.name}, {blake2b(text.encode(), digest_size=8).hexdigest()}"


class Journal:
    """The journal of one file of puzzles. A line that was cut off by a crash is written again.

    Args:
        path: the journal; it is made where there is none.

    Raises:
        PuzzleJournalError: the file is something else, of another version, or in use.
        OSError: it cannot be read or written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._known: dict[str, list[Puzzle]] = {}
        self._file = self._opened()
        try:
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._known)

    def _opened(self) -> IO[bytes]:
        """The file, locked for this process however it ends; one that was finished before the lock is made anew."""
        while True:
            file = self.path.open("a+b")
            if not _locked(file):
                file.close()
                raise PuzzleJournalError(f"{self.path}: another command is at work on it")
            if self.path.exists() and os.path.samestat(os.fstat(file.fileno()), self.path.stat()):
                return file
            file.close()

    def _read(self) -> None:
        self._file.seek(0)
        good = 0
        for number, line in enumerate(self._file):
            if not line.endswith(b"\n"):
                break
            try:
                said = msgspec.json.decode(line)
                if number:
                    self._known[said["task"]] = [read_puzzle(msgspec.json.encode(one)) for one in said["puzzles"]]
                elif said != _HEAD:
                    raise PuzzleError("it begins otherwise")
            except (msgspec.DecodeError, PuzzleError, KeyError, TypeError, UnicodeError, RecursionError) as error:
                reason = f"line {number + 1} is no line of such a journal ({error})"
                raise PuzzleJournalError(f"{self.path}: {reason}; delete it to begin anew") from None
            good += len(line)
        if good < self._file.seek(0, os.SEEK_END):
            if not good:
                raise PuzzleJournalError(f"{self.path}: this is no journal of puzzles; delete it to begin anew")
            self._file.truncate(good)
        if not good:
            self._write(_HEAD)

    def _write(self, line: dict[str, Any]) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")
        self._file.flush()

    def known(self, key: str) -> list[Puzzle] | None:
        """The puzzles that were noted under a key, or None where it has not been done."""
        return self._known.get(key)

    def add(self, key: str, puzzles: Sequence[Puzzle]) -> None:
        """Note the puzzles of a game; see `task_key`."""
        self._known[key] = list(puzzles)
        self._write({"task": key, "puzzles": [puzzle.to_json() for puzzle in puzzles]})

    def finish(self) -> None:
        """Delete the file: its work has another place now."""
        if os.name == "nt":  # an open file cannot be deleted there
            self._file.close()
        self.path.unlink(missing_ok=True)


def _locked(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows has no such locks
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
