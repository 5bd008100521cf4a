"""What is done with files from outside, in the process that opens them: from bytes to bytes.

Each job takes the file and returns what the server may believe in form, though not in what it says.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_

MOST_LINES: Final = 50_000
"""Most lines of an event's log: five times those of 500 players in eleven rounds."""
THE_FILE: Final = N_("the file")
_SQLITE: Final = b"SQLite format 3\0"


def event(_: bytes, place: str) -> bytes:
    """The log and the personal data of an event file, or of an event as JSON, which lies at `place`.

    Returns:
        JSON: the lines as `Line` has them, and by the id of the player what `Personal` is as JSON.
    """
    from korgool.competition.codec import compact, plain
    from korgool.competition.json_export import TOO_LONG, read_json
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.sqlite_database import connect, told
    from korgool.competition.storage.transfer import contents

    path = Path(place)
    with path.open("rb") as file:
        head = file.read(len(_SQLITE))
    if head != _SQLITE:
        found = read_json(path.read_bytes(), most_lines=MOST_LINES)
        lines, personal = found.lines(), {int(id_): held for id_, held in found.personal.items()}
    else:
        with told(path), closing(connect(path)) as connection:
            (count,) = connection.execute("SELECT count(*) FROM log").fetchone()
        if count > MOST_LINES:
            raise CompetitionError(TOO_LONG, lines=count, most=MOST_LINES)
        with EventFile.open(path) as source:
            if source.state.settings is None:
                raise CompetitionError(N_("its log is empty"))
            lines, personal = contents(source)
    return compact([lines, {id_: plain(held) for id_, held in personal.items()}]).encode()


def entry_list(data: bytes, sheet: str | None) -> bytes:
    """The table of a workbook or a text, packed as `list_table.unpack` takes it."""
    from korgool.competition.entry_lists.list_table import pack, read_table

    return pack(read_table(data, sheet)).encode()


def photo(data: bytes) -> bytes:
    """A picture as events keep it."""
    from korgool.app.server.events.photo_conversion import small_photo

    return small_photo(data)


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
    "entry_list": entry_list,
    "photo": photo,
    "snapshot": snapshot,
}
"""The jobs by name."""


def plain_message(text: str) -> Any:
    """A text as JSON; a message with its values, so that it can be translated elsewhere (`message_of`)."""
    if not isinstance(text, Message):
        return text
    return {"message": text.message, "values": {name: _plain(value) for name, value in text.values.items()}}


def message_of(value: Any) -> str:
    """What `plain_message` gave, as a message again."""
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
