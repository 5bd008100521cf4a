"""`EventUploads`: a file from outside is looked at, and made an event of this site where its sender says so.

Nothing of a file stays on the server between the two: who has looked at one sends it once more. A digest makes sure
that it is the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import AsyncIterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from korgool.app.server.events.event_registry import MOST_EVENTS, EventRegistry, is_id
from korgool.app.server.events.live_event import MOST_PLAYERS, TOO_MANY_PLAYERS, LiveEvent
from korgool.app.server.events.sandbox import EVENT, EVENT_SUMMARY
from korgool.app.server.events.sandbox_child import message_of
from korgool.app.server.events.stand_by.adoption import adopt
from korgool.app.server.events.uploads.beside import beside_of, going_roles
from korgool.app.server.limits import Caller
from korgool.app.server.storage.database import Storage
from korgool.competition.codec import from_plain
from korgool.competition.errors import CompetitionError
from korgool.competition.file_summary import FileSummary, GroupSummary
from korgool.competition.kept_log import SNAPSHOT
from korgool.competition.model import Personal
from korgool.competition.roles import Officer
from korgool.competition.storage.book import Book, WholeLog, whole_log
from korgool.competition.storage.carried import carried_id
from korgool.competition.storage.line import Line
from korgool.competition.storage.transfer import fill
from korgool.languages import N_

UPLOAD_LIMIT = 32 * 1024 * 1024
"""Bytes of an event file; 500 players in eleven rounds with all records take a tenth of it."""
ANOTHER = N_("This is another file than the one that was shown. Look at what it holds first.")


class Upload(NamedTuple):
    """An event from elsewhere: its log, the personal data by the id of the player, the id that it had there, and what a
    server knew of it beside the log."""

    log: WholeLog
    personal: dict[int, Personal]
    id: str
    snapshot: object = None

    def write(self, book: Book) -> None:
        """Write it into an empty book; raises what `fill` raises."""
        fill(book, self.log, self.personal)


def read_upload(made: bytes) -> Upload:
    """Read what `sandbox_child.event` made. It takes seconds for a long log; the event is not locked meanwhile.

    Raises:
        CompetitionError: its log cannot stand, or it has too many players.
    """
    lines, personal, beside = json.loads(made)
    log = whole_log(Line(*line) for line in lines)
    if len(log.state.people) > MOST_PLAYERS:
        raise CompetitionError(TOO_MANY_PLAYERS, most=MOST_PLAYERS)
    held = {int(id_): from_plain(one, Personal) for id_, one in personal.items()}
    id_ = carried_id(beside)
    return Upload(log, held, id_ if is_id(id_) else "", beside.get(SNAPSHOT))


class Brought(NamedTuple):
    """An event that was made of a file, and the id that the file carries; empty for none."""

    event: LiveEvent
    carried: str


@dataclass(frozen=True, slots=True)
class SentFile:
    """A file that was sent, in a folder that is removed when it has been answered.

    Attributes:
        path: where it lies.
        digest: SHA-256 of its bytes.
    """

    path: Path
    digest: str


async def keep_sent(path: Path, parts: AsyncIterable[bytes]) -> SentFile:
    """Write what is sent to a place, part by part."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        async for part in parts:
            file.write(part)
            digest.update(part)
    return SentFile(path, digest.hexdigest())


class EventUploads:
    """Looks at files and takes them. Its methods are called on the event loop. A file is counted as a change before it
    is received: its routes are `large`.

    Args:
        event_registry: the events of this site.
        storage: their database.
        hall: whether the site is one in a hall, which may ask other machines in its network.
    """

    def __init__(self, event_registry: EventRegistry, storage: Storage, *, hall: bool) -> None:
        self._events = event_registry
        self._storage = storage
        self._hall = hall

    async def look(self, caller: Caller, sent: SentFile) -> FileSummary:
        """Summary of a file; an id that cannot be one here is left out.

        Raises:
            CompetitionError: it is no event, or nothing of it can be saved.
        """
        made = json.loads(await self._events.sandbox.open(caller, EVENT_SUMMARY, b"", str(sent.path)))
        groups = tuple(GroupSummary(**one) for one in made.pop("groups"))
        damage, id_ = message_of(made.pop("damage")), made.pop("id")
        made["roles"] = going_roles(made.pop("snapshot"))
        return FileSummary(**made, groups=groups, damage=damage, id=id_ if is_id(id_) else "")

    async def is_free(self, id_: str) -> bool:
        """Return whether an event can have this id here."""
        return await self._events.in_thread(lambda: self._events.repository.is_free(id_))

    async def take(
        self, caller: Caller, organiser: Officer, sent: SentFile, origin: str, *, saving: bool = False
    ) -> Brought:
        """Make an event of a file, with its id where that is free.

        Where the file also carries the key and the roles of the event, this site leads it from now on, with the links
        and codes of helpers; the log says so. Nothing of a file makes the event public.

        Args:
            caller: who sends it.
            organiser: who becomes its organiser.
            sent: the file.
            origin: the address of this site.
            saving: of a damaged one, take the log up to the damage.

        Raises:
            CompetitionError: it is no event, its log cannot stand, or the organiser has made too many.
        """
        found = await self._events.sandbox.open(caller, EVENT, b"", str(sent.path), saving)
        upload = await self._events.in_thread(lambda: read_upload(found))
        beside = beside_of(upload.snapshot, origin=origin, hall=self._hall)
        if beside and upload.id and await self.is_free(upload.id):
            return Brought(await self._lead(organiser, upload, beside, urlsplit(origin).netloc), upload.id)
        return Brought(await self._events.take(organiser, upload.write, wanted=upload.id), upload.id)

    async def _lead(self, organiser: Officer, upload: Upload, beside: Mapping[str, Any], machine: str) -> LiveEvent:
        def work() -> None:
            if self._events.repository.made_by(organiser.who) >= MOST_EVENTS:
                raise CompetitionError(N_("an account makes at most {most} events"), most=MOST_EVENTS)
            adopt(
                self._storage,
                upload.id,
                upload.log.lines,
                upload.personal,
                beside,
                by=organiser.name,
                machine=machine,
                organiser=organiser,
            )

        await self._events.in_thread(work)
        return await self._events.find(upload.id)

    async def same_here(self, event: LiveEvent, found: FileSummary) -> bool:
        """Return whether an event of this site goes on from the lines of a file."""
        if event.seq < found.lines:
            return False
        try:
            heads = await event.with_book(lambda book: book.heads(found.lines))
        except CompetitionError:
            return False
        return found.head in map(str, heads)
