"""The program of the process that opens one file from outside: bounded, and ended by the process that started it.

It reads from standard input a line of JSON, the name of the job, its arguments and its limits, and then the file. It
writes a line of JSON, null or why the file is refused, and then what the job has made. Each job takes bytes and returns
bytes that the server may believe in form, though not in what they say. Libraries are loaded once it is bounded.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Final

from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

EXHAUSTED = 98
"""Exit status when the memory that the job may take was used up."""
MOST_LINES: Final = 50_000
"""Most lines of an event's log: five times those of 500 players in eleven rounds."""
THE_FILE: Final = N_("the file")


def event(_: bytes, place: str, saving: bool = False) -> bytes:
    """The log and the personal data of an event file, an event as JSON or a log that a browser has kept, at `place`.

    With `saving` a damaged file's log is taken up to the damage.

    Returns:
        JSON: the lines as `Line` has them, by the id of the player what `Personal` is as JSON, and what the file
        carries beside them.
    """
    from korgool.competition.codec import compact, plain
    from korgool.competition.file_summary import EMPTY, is_event_file
    from korgool.competition.json_export import TOO_LONG, read_json
    from korgool.competition.kept_log import is_kept, read_kept
    from korgool.competition.storage.carried import read_carried
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.salvage import recover
    from korgool.competition.storage.sqlite_database import connect, told
    from korgool.competition.storage.transfer import contents

    path = Path(place)
    data = None if is_event_file(path) else path.read_bytes()
    if saving and data is None:
        saved = recover(path.read_bytes(), path)
        if len(saved.lines) > MOST_LINES:
            raise CompetitionError(TOO_LONG, lines=len(saved.lines), most=MOST_LINES)
        lines, personal, beside = saved.lines, saved.personal, read_carried(saved.beside)
    elif data is not None and is_kept(data):
        kept = read_kept(data, most_lines=MOST_LINES)
        if kept.damage and not saving:
            raise CompetitionError(kept.damage)
        lines, personal, beside = kept.lines, kept.personal, kept.beside
    elif data is not None:
        found = read_json(data, most_lines=MOST_LINES)
        lines, personal = found.lines(), {int(id_): held for id_, held in found.personal.items()}
        beside = {}
    else:
        with told(path), closing(connect(path)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM log").fetchone()
        if count > MOST_LINES:
            raise CompetitionError(TOO_LONG, lines=count, most=MOST_LINES)
        with EventFile.open(path) as source:
            if source.state.settings is None:
                raise CompetitionError(EMPTY)
            lines, personal = contents(source)
            beside = source.carried()
    return compact([lines, {id_: plain(held) for id_, held in personal.items()}, beside]).encode()


def event_summary(_: bytes, place: str) -> bytes:
    """Summary of such a file: JSON with the members of `FileSummary`."""
    from dataclasses import asdict

    from korgool.competition.file_summary import summarise

    found = summarise(Path(place), most_lines=MOST_LINES)
    return json.dumps(asdict(found) | {"damage": plain_message(found.damage)}).encode()


def entry_list(data: bytes, sheet: str | None) -> bytes:
    """The table of a workbook or a text, packed as `list_table.unpack` takes it."""
    from korgool.competition.entry_lists.list_table import pack, read_table

    return pack(read_table(data, sheet)).encode()


def paper(data: bytes) -> bytes:
    """A picture of a paper made readable: a JPEG without metadata."""
    from korgool.app.server.events.photo_conversion import paper_photo

    return paper_photo(data)


def photo(data: bytes) -> bytes:
    """A picture as events keep it."""
    from korgool.app.server.events.photo_conversion import small_photo

    return small_photo(data)


def emblem(data: bytes) -> bytes:
    """An organiser's emblem as events keep it."""
    from korgool.app.server.events.emblem_conversion import small_emblem

    return small_emblem(data)


def snapshot(data: bytes) -> bytes:
    """The name of the event of which another site shows this."""
    from korgool.app.publishing import SnapshotError, read_snapshot

    try:
        state, _ = read_snapshot(data)
    except SnapshotError as error:
        raise CompetitionError(str(error)) from None
    return state.event.name.encode()


JOBS: Final[dict[str, Callable[..., bytes]]] = {
    "event": event,
    "event_summary": event_summary,
    "entry_list": entry_list,
    "emblem": emblem,
    "photo": photo,
    "paper": paper,
    "snapshot": snapshot,
}
"""The jobs by name."""


def plain_message(text: str) -> Any:
    """A text as JSON; a message with its values, so that it can be translated elsewhere (`message_of`)."""
    if not isinstance(text, Message):
        return text
    return {"message": text.message, "values": {name: _plain(value) for name, value in text.values.items()}}


def message_of(value: Any) -> str:
    """Restore a message from the JSON of `plain_message`."""
    if not isinstance(value, dict):
        return str(value)
    return Message(value["message"], **{name: _whole(held) for name, held in value["values"].items()})


def _plain(value: object) -> Any:
    if isinstance(value, Path):
        return plain_message(Message(THE_FILE))  # where it lies is nobody's business
    if isinstance(value, CompetitionError):
        return plain_message(value.message)
    if isinstance(value, tuple):
        return {"all": [_plain(one) for one in value]}
    return value if isinstance(value, int | float) else plain_message(value if isinstance(value, str) else str(value))


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return tuple(map(_whole, value["all"])) if "all" in value else message_of(value)
    return value


def bound(seconds: int, memory_mib: int) -> None:
    """Limit processor time, memory and files of this process as far as the system can.

    Linux limits all of it. macOS does not limit memory, and Windows nothing: there the limits of each job itself hold,
    and the deadline of whoever waits for it.
    """
    try:
        import resource
    except ImportError:
        return
    wanted = {
        resource.RLIMIT_CPU: seconds,
        resource.RLIMIT_AS: memory_mib << 20,
        resource.RLIMIT_FSIZE: 0,  # it writes nothing but its answer, into a pipe
        resource.RLIMIT_CORE: 0,
    }
    for limit, most in wanted.items():
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(limit)
            resource.setrlimit(limit, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def answer(name: str, arguments: list[Any], data: bytes) -> tuple[Any, bytes]:
    """Do a job: why the file is refused, as `plain_message` gives it, or None; and what the job has made."""
    try:
        return None, JOBS[name](data, *arguments)
    except CompetitionError as error:
        return plain_message(error.message), b""


def main() -> int:
    """Do the job on standard input."""
    name, arguments, seconds, memory_mib = json.loads(sys.stdin.buffer.readline())
    bound(seconds, memory_mib)
    try:
        refusal, made = answer(name, arguments, sys.stdin.buffer.read())
        sys.stdout.buffer.write(json.dumps(refusal).encode() + b"\n" + made)
        sys.stdout.buffer.flush()
    except MemoryError:
        return EXHAUSTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
