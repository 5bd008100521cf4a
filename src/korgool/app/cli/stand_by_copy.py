"""`StandByCopy`: the folder in which a second machine keeps an event: its file, and what stands beside its log."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from korgool.app.cli.group import InputError
from korgool.app.cli.language import spoken, tell
from korgool.atomic_files import sync_folder
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from korgool.competition.model import Personal
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.line import Line

FORMAT = 1
MOST_LINES = 1_000_000
"""Most lines of a log that comes from one file."""
EVENT, SOURCE, SNAPSHOT, SITE = "event.korgool", "stand-by.json", "snapshot.json", "site"
"""The names in the folder: the event, where it comes from, what stands beside its log, and the server after a
take-over."""
_ANOTHER_STATE = N_("this folder holds another state of the event; move it away")


@dataclass(frozen=True, slots=True)
class Source:
    """The machine that leads the event.

    Attributes:
        origin: its address, such as `http://192.168.1.5:8000`.
        event: the event's id.
        token: lets this machine in.
    """

    origin: str
    event: str
    token: str


@dataclass(frozen=True, slots=True)
class _Packed:
    """All that one file holds of an event: where it comes from, its log, and what stands beside it."""

    source: Source
    lines: Sequence[Line]
    personal: dict[int, Personal]
    snapshot: dict[str, Any]


class StandByCopy:
    """An event as a second machine keeps it. After each method it is whole on disk.

    Attributes:
        folder: where.
        source: the machine that leads it.
        file: the event.
    """

    def __init__(self, folder: Path, source: Source, file: EventFile) -> None:
        self.folder, self.source, self.file = folder, source, file

    @classmethod
    def begin(cls, folder: Path, source: Source) -> StandByCopy:
        """Open the copy of an event, or begin it.

        Raises:
            InputError: the folder holds another event, or cannot be written.
        """
        from korgool.competition.storage.event_file import EventFile
        from korgool.competition.storage.whole_file import new_file

        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder}: {error.strerror}") from None
        held = _source(folder)
        if held is not None and held.event != source.event:
            raise _refused(folder, N_("this folder keeps another event; name a new folder by --data"))
        if held is None and any(not one.name.startswith(".") for one in folder.iterdir()):
            raise _refused(folder, N_("this folder holds something else; name a new folder by --data"))
        if held != source:
            _write(folder / SOURCE, {"format": FORMAT, **asdict(source)})
        if not (folder / EVENT).exists():
            with new_file(folder / EVENT) as scratch:
                EventFile.begin(scratch).close()
        return cls(folder, source, EventFile.open(folder / EVENT))

    @classmethod
    def open(cls, folder: Path) -> StandByCopy:
        """Open a copy that is there.

        Raises:
            InputError: there is none.
        """
        from korgool.competition.storage.event_file import EventFile

        source = _source(folder)
        if source is None or not (folder / EVENT).exists():
            raise _refused(folder, N_("here is no copy of an event; `korgool event stand-by` makes one"))
        return cls(folder, source, EventFile.open(folder / EVENT))

    @classmethod
    def unpack(cls, path: Path) -> StandByCopy:
        """Make the copy of an event from one file, in a folder beside it; one that is there takes what it lacks.

        Args:
            path: the log that a browser has kept, or an event file that a server has written.

        Raises:
            InputError: it is neither, its log does not stand, or the folder cannot be written or holds another state.
        """
        from korgool.app.backup.scratch import BackupError, scratch_in
        from korgool.competition.errors import CompetitionError

        folder = path.with_name(path.name.partition(".")[0] + "-taken")
        packed = _packed(path)
        try:
            if folder.exists() and any(folder.iterdir()):
                return cls._unpacked_before(folder, packed)
            with scratch_in(folder.parent) as place:  # what runs that were killed have left there goes: it holds keys
                made = cls.begin(place / folder.name, packed.source)
                try:
                    made._fill(packed)
                finally:
                    made.close()
                if folder.exists():  # empty: not every system puts one folder over another
                    folder.rmdir()
                made.folder.rename(folder)
            sync_folder(folder.parent)
        except BackupError as error:
            raise InputError(str(error)) from None
        except OSError as error:
            raise InputError(f"{folder}: {error.strerror}") from None
        except CompetitionError as error:
            raise InputError(f"{path}: {error.said(spoken())}") from None
        return cls.open(folder)

    @classmethod
    def _unpacked_before(cls, folder: Path, packed: _Packed) -> StandByCopy:
        """Open a folder of an earlier time; what leads already takes no more lines."""
        if _source(folder) is None:
            raise _refused(folder, _ANOTHER_STATE)
        copy = cls.open(folder)
        try:
            held, found = ([line.chain for line in lines] for lines in (copy.file.lines(), packed.lines))
            leads = copy.leads
            goes_on = held == found[: len(held)] and (len(held) == len(found) or not leads)
            if copy.source.event != packed.source.event or not goes_on:
                raise _refused(folder, _ANOTHER_STATE)
            if not leads:
                copy._fill(packed)
        except BaseException:
            copy.close()
            raise
        return copy

    def _fill(self, packed: _Packed) -> None:
        """Add what is not here, and keep personal data that the file lacks, but for what the log has removed; raises
        what `take` raises."""
        from korgool.competition.codec import plain
        from korgool.competition.photographs import with_photo_of

        self.take(packed.lines[self.line :])
        people = self.file.state.people
        kept = {id_: held for id_ in people if (held := self.file.personal(id_)) is not None} | packed.personal
        self.keep(self.snapshot() | packed.snapshot | {"personal": dict.fromkeys(map(str, kept), "")})
        for player, held in kept.items():
            self.put_personal(player, plain(with_photo_of(held, people[player].photo)))

    @property
    def leads(self) -> bool:
        """This machine leads the event: the database of its server holds it.

        Raises:
            InputError: the database cannot be read.
        """
        import sqlite3
        from contextlib import closing

        from korgool.app.server.core.settings import ServerSettings

        path = Path(ServerSettings(data=self.folder / SITE).url().database or "").absolute()
        if not path.is_file():
            return False
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True)) as database:
                found = database.execute("SELECT 1 FROM competitions WHERE id = ?", (self.source.event,)).fetchone()
        except sqlite3.Error as error:
            if "no such table" in str(error):  # a take-over was ended before there were any
                return False
            raise InputError(f"{path}: {error}") from None
        return found is not None

    @property
    def line(self) -> int:
        """The last line that is safe here."""
        return self.file.state.actions

    @property
    def chain(self) -> str:
        """Its hash, empty before the first."""
        lines = self.file._lines(self.line - 1) if self.line else ()
        return lines[-1].chain if lines else ""

    def snapshot(self) -> dict[str, Any]:
        """All that stands beside the log, as it came last; empty before."""
        return _read(self.folder / SNAPSHOT) or {}

    def take(self, lines: Sequence[Line]) -> None:
        """Add lines; raises CompetitionError for one that does not follow. None of them is there then."""
        self.file.take(lines)

    def keep(self, snapshot: Mapping[str, Any]) -> None:
        """Keep what stands beside the log; personal data that is not in it any more goes."""
        listed = {int(id_) for id_ in snapshot.get("personal", {})}
        with self.file.together():
            self.file._drop_personal([id_ for id_ in self.file._personal_of() if id_ not in listed])
        _write(self.folder / SNAPSHOT, snapshot)

    def put_personal(self, player: int, data: Mapping[str, Any]) -> bool:
        """Keep the personal data of a player; returns whether it fits the log that is here."""
        from korgool.competition.codec import from_plain
        from korgool.competition.errors import CompetitionError
        from korgool.competition.model import Personal

        try:
            self.file.copy_personal(player, from_plain(dict(data), Personal))
        except CompetitionError:
            return False
        return True

    def close(self) -> None:
        """Close the event."""
        self.file.close()


def _packed(path: Path) -> _Packed:
    """All that one file holds.

    Raises:
        InputError: its log does not stand, or it is none.
    """
    from korgool.competition.errors import CompetitionError, said
    from korgool.competition.file_summary import is_event_file
    from korgool.competition.kept_log import SNAPSHOT, is_kept, read_kept
    from korgool.competition.storage.carried import carried_id
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.transfer import contents

    try:
        if is_event_file(path):
            with EventFile.open(path) as file:
                (lines, personal), beside, damage = contents(file), file.carried(), ""
        elif is_kept(data := path.read_bytes()):
            kept = read_kept(data, most_lines=MOST_LINES)
            lines, personal, beside, damage = kept.lines, kept.personal, kept.beside, kept.damage
        else:
            why = tell(N_("this is no event file, and no log that a browser has kept"))
            raise InputError(f"{path}: {why}")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}") from None
    except CompetitionError as error:
        raise InputError(f"{path}: {error.said(spoken())}") from None
    if damage:
        raise InputError(f"{path}: {said(damage, spoken())}")
    if not (event := carried_id(beside)):
        why = tell(N_("the file carries no address of an event"))
        raise InputError(f"{path}: {why}")
    found = beside.get(SNAPSHOT)
    snapshot = dict(found) if isinstance(found, dict) else {}
    return _Packed(Source(str(snapshot.get("address") or ""), event, ""), lines, personal, snapshot)


def _source(folder: Path) -> Source | None:
    """The machine that a folder has its event from; None where there is no copy.

    Raises:
        InputError: another version has made it.
    """
    held = _read(folder / SOURCE)
    if held is None:
        return None
    if held.get("format") != FORMAT:
        raise _refused(folder, N_("another version of korgool has made this copy"))
    return Source(held["origin"], held["event"], held["token"])


def _refused(folder: Path, why: str) -> InputError:
    said = tell(why)
    return InputError(f"{folder}: {said}")


def _read(path: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    return found if isinstance(found, dict) else None


def _write(path: Path, value: Mapping[str, Any]) -> None:
    """Write a file that its owner alone can read; it is replaced as a whole."""
    from korgool.atomic_files import hidden_file, put_over

    scratch = hidden_file(path)
    scratch.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    put_over(scratch, path)
