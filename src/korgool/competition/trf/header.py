"""The header of a report file: the settings of the event, its officials and the lot."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from korgool.competition.errors import CompetitionError
from korgool.competition.model import Official, Role, Settings, System, edition_in_force
from korgool.competition.standings.tiebreaks import find_tiebreak, trf_code
from korgool.competition.trf.comment_lines import note_kind, read_note
from korgool.competition.trf.report_lines import OtherLine, ReportLines, read_points
from korgool.competition.trf_columns import TrfError

_ONLY_2026 = {"142", "152", "162", "172", "182", "192", "202", "212", "222", "352", "362", "310", "240", "250", "260",
              "299", "300", "320", "330", "801", "802"}  # fmt: skip
_DATE = re.compile(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})", re.ASCII)
_DATE_TURNED = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})", re.ASCII)


def edition_of(report: ReportLines) -> str:
    """`2026` if the file holds a record of TRF26, else `2016`."""
    codes = {line.code for line in report.lines if isinstance(line, OtherLine)}
    return "2026" if codes & _ONLY_2026 else "2016"


def read_settings(
    report: ReportLines, found_rounds: int, bye_points: int | None, likely_bye_points: int, notes: list[str]
) -> Settings:
    """The settings: those of our comment line, else those of the numbered records.

    Args:
        report: the file.
        found_rounds: how many rounds the player lines have.
        bye_points: half points of a pairing-allocated bye, None if no record says it.
        likely_bye_points: what they are then.
        notes: sentences on what had to be assumed are added here.

    Raises:
        TrfError: a record is malformed.
    """
    rounds = number_of_rounds(report)
    system = system_of(report)
    of_file: dict[str, Any] = {}
    for code, name in (("012", "name"), ("022", "place"), ("032", "federation")):
        if value := report.value(code):
            of_file[name] = value
    for code, name in (("042", "begins"), ("052", "ends")):
        if value := report.value(code):
            of_file[name] = _date(value)
    own = next((record for record in report.records("###") if note_kind(record) == "event"), None)
    if own is not None:
        settings = read_note(own, Settings)
        if bye_points is not None:
            of_file["bye_points"] = bye_points
        named = _tiebreaks(report, settings.system, notes)
        if named and list(named) != list(filter(None, map(trf_code, settings.tiebreaks))):
            of_file["tiebreaks"] = named
        changed = replace(settings, **of_file)
        return _sized(changed, rounds, found_rounds, own.line)
    if not rounds:
        rounds = max(found_rounds, 1)
        notes.append(f"no record 142 or XXR tells the number of rounds; {rounds} are taken, as many as are there")
    if named := _tiebreaks(report, system, notes):
        of_file["tiebreaks"] = named
    settings = Settings(
        name=of_file.pop("name", "") or "Tournament",
        system=system,
        boards=_boards(report) if system.of_teams else 0,
        control=_control(report, notes),
        edition=edition_in_force(of_file.get("begins", "")),
        bye_points=likely_bye_points if bye_points is None else bye_points,
        **of_file,
    )
    return _sized(settings, rounds, found_rounds, 0)


def _sized(settings: Settings, rounds: int, found: int, line: int) -> Settings:
    try:
        return replace(settings, rounds=max(rounds or settings.rounds, found))
    except CompetitionError as error:
        raise TrfError(line or 1, 0, str(error)) from None


def number_of_rounds(report: ReportLines) -> int:
    """The number in record 142 or XXR; 0 without either."""
    for record in report.records("142", "XXR"):
        if not (record.value.isascii() and record.value.isdecimal() and 1 <= int(record.value[:6]) <= 99):
            raise TrfError(record.line, 5, f"the number of rounds is 1 to 99, not {record.value[:20]!r}")
        return int(record.value)
    return 0


def system_of(report: ReportLines) -> System:
    """The system by record 192 or 092, else by whether there are teams."""
    for text in (report.value("192"), report.value("092")):
        words = re.sub(r"[^a-z]", "", text.lower())
        if not words:
            continue
        of_teams = "team" in words and "personal" not in words
        if "knockout" in words or "playoff" in words:
            return System.KNOCKOUT
        if "robin" in words or "berger" in words:
            if of_teams:
                return System.TEAM_ROUND_ROBIN
            return System.DOUBLE_ROUND_ROBIN if "double" in words else System.ROUND_ROBIN
        if of_teams and (report.records("310") or report.records("013")):
            return System.TEAM_SWISS
        return System.SWISS
    return System.TEAM_SWISS if report.records("310") else System.SWISS


def _tiebreaks(report: ReportLines, system: System, notes: list[str]) -> tuple[str, ...]:
    """The tie-breaks of record 202, or without it 212, that this program knows; none stands for the usual ones."""
    for record in report.records("202") or report.records("212"):
        found: list[str] = []
        unknown: list[str] = []
        for text in filter(None, map(str.strip, record.value.split(","))):
            try:
                code = find_tiebreak(text, teams=system.of_teams).code
            except CompetitionError:
                unknown += [text] if text.upper() != "PTS" else []
                continue
            if (named := trf_code(code)) and named not in found:
                found.append(named)
        if unknown:
            rest = f"the others are {', '.join(found)}" if found else "the usual ones are set"
            notes.append(f"line {record.line}: this program does not have the tie-breaks {', '.join(unknown)}; {rest}")
        if found or unknown:
            return tuple(found)
    return ()


def _boards(report: ReportLines) -> int:
    if sequence := report.value("352"):
        return len(sequence)
    return 4


def _date(text: str) -> str:
    if found := _DATE.match(text):
        return f"{found[1]}-{int(found[2]):02}-{int(found[3]):02}"
    if found := _DATE_TURNED.match(text):
        return f"{found[3]}-{int(found[2]):02}-{int(found[1]):02}"
    return text


def _control(report: ReportLines, notes: list[str]) -> str:
    """`MINUTES+SECONDS` if record 222 or 122 says so, else empty, which stands for the usual one."""
    if found := re.fullmatch(r"(\d+)(?:\+(\d+))?", report.value("222"), re.ASCII):
        seconds, more = int(found[1]), int(found[2] or 0)
        minutes, rest = divmod(seconds, 60)
        if 1 <= minutes <= 1000 and not rest and more <= 600:
            return f"{minutes}+{more}"
    if found := re.fullmatch(r"(\d{1,3})\s*\+\s*(\d{1,3})", report.value("122"), re.ASCII):
        control = f"{int(found[1])}+{int(found[2])}"
        try:
            return Settings(name="-", control=control).control
        except ValueError:
            pass
    for record in report.records("122", "222")[:1]:
        if record.value:
            notes.append(f"line {record.line}: the time control {record.value} is not taken over, the usual one is set")
    return ""


def read_bye_points(report: ReportLines) -> int | None:
    """Half points of a pairing-allocated bye by record 162, XXS or BBU; None if the file does not say.

    Raises:
        TrfError: a win, a draw and a loss are not worth 1, a half and 0 or multiples of these.
    """
    values: dict[str, int] = {}
    where = 0
    for record in report.records("162"):
        where = record.line
        for first in range(5, len(record.text), 9):
            part = record.text[first : first + 9].strip()
            if part:
                values[part[0].upper()] = _worth(record, first + 2, part[1:])
    for record in report.records("XXS"):
        where = record.line
        for found in re.finditer(r"(\w+)\s*=\s*(\S+)", record.value):
            names = {"WW": "W", "BW": "W", "WD": "D", "BD": "D", "WL": "L", "BL": "L", "PAB": "P"}
            values[names.get(found[1].upper(), found[1].upper())] = _worth(record, 5, found[2])
    for record in report.records("BBW", "BBD", "BBL", "BBU"):
        where = record.line
        values["P" if record.code == "BBU" else record.code[2]] = _worth(record, 5, record.value)
    win, draw, loss = values.get("W", 2), values.get("D", values.get("W", 2) // 2), values.get("L", 0)
    if loss or draw * 2 != win or not win:
        raise TrfError(where, 5, "a game is worth 1, a half and 0 in this program, the file counts in another way")
    if "P" not in values:
        return None
    if values["P"] * 2 % win or not 0 <= values["P"] <= win:
        raise TrfError(where, 5, "a pairing-allocated bye is worth 1, a half or 0 in this program")
    return values["P"] * 2 // win


def _worth(record: OtherLine, column: int, text: str) -> int:
    half_points = read_points(text)
    if half_points is None:
        raise TrfError(record.line, column, f"points are written like 0.5, not {text.strip()!r}")
    return half_points


def read_white_first(report: ReportLines) -> bool | None:
    """Colour that the lot gave number 1 on the first board by record 152 or XXC; None where the file is silent."""
    for record in report.records("152"):
        letter = record.value[:1].upper()
        if letter not in ("W", "B"):
            raise TrfError(record.line, 5, f"the initial colour is W or B, not {record.value[:10]!r}")
        return letter == "W"
    for record in report.records("XXC"):
        words = record.value.lower().split()
        if "white1" in words or "black1" in words:
            return "white1" in words
    return None


def read_officials(report: ReportLines) -> tuple[Official, ...]:
    """The officials of our comment lines, else the arbiters of records 102 and 112."""
    own = [read_note(record, Official) for record in report.records("###") if note_kind(record) == "official"]
    if own:
        return tuple(own)
    found: list[Official] = []
    for record in report.records("102", "112"):
        if not record.value or any(one.name == record.value for one in found):
            continue
        role = Role.CHIEF_REFEREE if record.code == "102" else Role.DEPUTY
        if any(one.role is role for one in found):
            role = Role.REFEREE
        found.append(Official(len(found) + 1, record.value, role))
    return tuple(found)
