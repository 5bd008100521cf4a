"""The players read from a report file, their player lines and our comment lines put together."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from korgool.competition.errors import CompetitionError
from korgool.competition.model import Entry, Player
from korgool.competition.text_cleaning import clean, lost_letters
from korgool.competition.trf.comment_lines import note_kind, read_note
from korgool.competition.trf.report_lines import PlayerLine, ReportLines
from korgool.competition.trf.team_records import team_names
from korgool.competition.trf_columns import TrfError

_YEAR = re.compile(r"(?:^|[./-])((?:19|20)\d\d)(?:[./-]|$)", re.ASCII)


def read_players(report: ReportLines, notes: list[str]) -> dict[int, Player]:
    """Players by the number of their line, with ids from 1; numbers without gaps stay as they are.

    Ids of our comment lines keep their order; the one of an entry that was taken back leaves no gap.
    Absences and penalties come from our comment lines only. Raises TrfError for an impossible player.
    """
    own = {}
    for record in report.records("###"):
        if note_kind(record) == "player":
            player = read_note(record, Player)
            if player.number in own:
                raise TrfError(record.line, 0, f"there are two notes on player {player.number}")
            own[player.number] = player
    lines = sorted(report.players, key=lambda line: line.number)
    ids = {id_: place for place, id_ in enumerate(sorted(one.id for one in own.values()), 1)}
    complete = len(ids) == len(own) and set(own) == {line.number for line in lines}
    if own and not complete:
        notes.append("the korgool notes do not name the players that the player lines name; who came when is not kept")
    if lines[-1].number != len(lines):
        notes.append(f"the starting numbers have gaps; the players get 1 to {len(lines)} in the same order")
    teams = team_names(report)
    found = {}
    for place, line in enumerate(lines, 1):
        noted = own.get(line.number)
        try:
            entry = _entry(line, noted, teams.get(line.number, ""))
        except CompetitionError as error:
            raise TrfError(line.line, 15, str(error)) from None
        if noted is not None and complete:
            found[line.number] = replace(noted, id=ids[noted.id], number=place, entry=entry)
        else:
            found[line.number] = Player(place, place, entry)
    return found


def read_lost_letters(report: ReportLines) -> tuple[str, ...]:
    """Letters that seem to be lost in names of players, teams and officials, in sentences with line and column."""
    found = [(line.line, 15, line.name) for line in report.players]
    found += [(one.line, 5, one.value) for one in report.records("013", "102", "112", "310")]
    return tuple(
        f"line {line}, column {column}: {reason}"
        for line, column, text in sorted(found)
        if (reason := lost_letters(text))
    )


def year_of(text: str) -> int:
    """The year of a date of birth, 0 without one."""
    match = _YEAR.search(text)
    return int(match[1]) if match else 0


def title_column(title: str) -> str:
    """A title for its three columns; a longer one goes into our comment line only."""
    return title if len(title) <= 3 else ""


def name_column(player: Player) -> str:
    """The name, cut to its 33 columns; `№ 12` if it was removed."""
    return player.name[:33].rstrip()


def _entry(line: PlayerLine, own: Player | None, team: str) -> Entry:
    """The entry of our comment line with what the player line changes, or that of the player line alone."""
    name = clean(line.name)
    family, _, given = (part.strip() for part in name.partition(","))
    sex = {"m": "m", "w": "f"}.get(line.sex, "")
    external = "" if not line.external.strip("0") else line.external
    if own is None:
        return Entry(
            family=family or name.strip(", "),
            given=given,
            sex=sex,  # type: ignore[arg-type]
            born=year_of(line.born),
            title=line.title,
            rating=line.rating,
            external=external,
            federation=line.federation,
            team=team,
        )
    noted = own.entry
    changes: dict[str, Any] = {}
    if name != clean(name_column(own)):
        changes |= {"family": family, "given": given, "patronymic": "", "removed": False}
    for name, value, written in (
        ("sex", sex, noted.sex),
        ("born", year_of(line.born), noted.born),
        ("title", line.title, title_column(noted.title)),
        ("rating", line.rating, noted.rating),
        ("external", external, noted.external[:11].strip()),
        ("federation", line.federation, noted.federation[:3].strip()),
    ):
        if value != written:
            changes[name] = value
    return replace(noted, **changes)
