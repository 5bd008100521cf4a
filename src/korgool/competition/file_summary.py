"""Summary of an event file or an event as JSON, for somebody who may take it; the file is only read.

Where the file is damaged, or its log was changed after it was written, it says up to which line the log stands. That
much can be saved (`storage.salvage`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.json_export import TOO_LONG, read_json
from korgool.competition.kept_log import SNAPSHOT, is_kept, read_kept
from korgool.competition.storage.book import whole_log
from korgool.competition.storage.carried import carried_id, read_carried
from korgool.competition.storage.event_file import EventFile
from korgool.competition.storage.hash_chain import Head
from korgool.competition.storage.line import Line
from korgool.competition.storage.salvage import recover
from korgool.competition.storage.transfer import check_whole_log
from korgool.languages import N_

SQLITE: Final = b"SQLite format 3\0"
"""The first bytes of an event file."""
EMPTY: Final = N_("its log is empty")


@dataclass(frozen=True, slots=True)
class GroupSummary:
    """A group of an event, or an event without groups.

    Attributes:
        name: of the group; empty for an event without groups.
        players: how many it has.
        paired, rounds: how many rounds are paired, and planned.
        over: whether all rounds are played.
    """

    name: str
    players: int
    paired: int
    rounds: int
    over: bool


@dataclass(frozen=True, slots=True)
class FileSummary:
    """An event as a file holds it.

    Attributes:
        name: of the event.
        groups: at least one.
        players: of all groups, each counted once.
        lines: of the log that stand.
        head: of the chain after them, as papers show it.
        last, by: time and official of the last of them.
        personal: the number of players with personal data.
        id: the address that the file carries; empty for none.
        damage: why the log does not stand as a whole, as a message; empty where it does.
        lost: the number of lines after the damage that can still be read, and that nothing proves.
        missing: the number of lines after it that cannot.
        roles: the number of links and codes that go on with it.
        snapshot: what a server knew beside the log, as the file has it; nobody has looked at it.
        bare: the number of lines that stand and have lost names or reasons that nobody has removed.
    """

    name: str
    groups: tuple[GroupSummary, ...]
    players: int
    lines: int
    head: str
    last: str
    by: str
    personal: int
    id: str
    damage: str = ""
    lost: int = 0
    missing: int = 0
    bare: int = 0
    roles: int = 0
    snapshot: object = None


def is_event_file(path: Path) -> bool:
    """Return whether a file begins as an event file does, and not as JSON."""
    with path.open("rb") as file:
        return file.read(len(SQLITE)) == SQLITE


def summarise(path: Path, *, most_lines: int) -> FileSummary:
    """Read a file and say what it holds.

    Args:
        path: an event file, whole or damaged, an event as JSON, or a log that a browser has kept.
        most_lines: of its log.

    Raises:
        CompetitionError: it is no event, of a newer version or too long, or nothing of it can be saved.
    """
    if not is_event_file(path):
        data = path.read_bytes()
        return _of_kept(data, most_lines) if is_kept(data) else _of_json(data, most_lines)
    try:
        with EventFile.open(path) as file:
            if file.state.actions <= most_lines:
                check_whole_log(file)
            return _of_file(file, most_lines)
    except CompetitionError as error:
        whole = error.message
    try:
        saved = recover(path.read_bytes(), path)
    except CompetitionError:
        raise CompetitionError(whole) from None
    _limit(len(saved.lines), most_lines)
    states = [saved.views.state(id_) for id_ in saved.views.groups()]
    found = _made(states, saved.lines, len(saved.personal), read_carried(saved.beside))
    damage = saved.damage or whole
    return replace(found, damage=damage, lost=len(saved.lost), missing=len(saved.missing), bare=len(saved.bare))


def _of_file(file: EventFile, most_lines: int) -> FileSummary:
    state = file.state
    _limit(state.actions, most_lines)
    if state.settings is None:
        raise CompetitionError(EMPTY)
    states = [file.turn_to(id_) for id_ in state.groups] if state.groups else [state]
    personal = sum(file.personal(id_) is not None for id_ in state.people)
    return _made(states, file.lines(), personal, file.carried())


def _limit(lines: int, most_lines: int) -> None:
    if lines > most_lines:
        raise CompetitionError(TOO_LONG, lines=lines, most=most_lines)


def _of_kept(data: bytes, most_lines: int) -> FileSummary:
    found = read_kept(data, most_lines=most_lines)
    states = [found.views.state(id_) for id_ in found.views.groups()]
    made = _made(states, found.lines, len(found.personal), found.beside)
    return replace(made, damage=found.damage, lost=found.lost)


def _of_json(data: bytes, most_lines: int) -> FileSummary:
    found = read_json(data, most_lines=most_lines)
    log = whole_log(found.lines())
    states = [log.views.state(id_) for id_ in log.views.groups()]
    return _made(states, log.lines, len(found.personal), {})


def _made(states: Sequence[EventState], lines: Sequence[Line], personal: int, beside: Mapping[str, Any]) -> FileSummary:
    first, last = states[0], lines[-1]
    groups = tuple(
        GroupSummary(
            one.groups.get(one.group, "") if one.groups else "",
            len(one.players),
            len(one.rounds),
            one.event.rounds,
            one.over,
        )
        for one in states
    )
    return FileSummary(
        name=first.title or first.event.name,
        groups=groups,
        players=len(first.people),
        lines=len(lines),
        head=str(Head.of(last.at, last.chain)),
        last=last.time,
        by=last.by,
        personal=personal,
        id=carried_id(beside),
        snapshot=beside.get(SNAPSHOT),
    )
