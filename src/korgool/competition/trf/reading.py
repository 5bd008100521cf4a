"""`read_trf`: a tournament report file read into an event, with every contradiction refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

from korgool.competition.errors import CompetitionError
from korgool.competition.model import Absence, Bye, ByeKind, PairedGame, Penalty, Player, Round, Settings
from korgool.competition.trf.byes_and_penalties import read_absences, read_penalties, read_unkept
from korgool.competition.trf.comment_lines import LotLine, note_kind, read_note
from korgool.competition.trf.declared_totals import differing_totals
from korgool.competition.trf.encoding import decode_trf
from korgool.competition.trf.header import (
    edition_of,
    read_bye_points,
    read_officials,
    read_settings,
    read_white_first,
    system_of,
)
from korgool.competition.trf.imported_event import Imported
from korgool.competition.trf.player_lines import read_lost_letters, read_players
from korgool.competition.trf.report_lines import ReportLines, parse_report
from korgool.competition.trf.round_tables import Pairing, ReportRounds, read_tables
from korgool.competition.trf.team_points import board_points_notes, match_points, read_team_bye, read_team_penalties
from korgool.competition.trf.team_records import read_matches, read_teams, teams_by_number
from korgool.competition.trf_columns import TrfError

_WITH_POINTS = ("F", "H", "+", "=")
"""Letters of a round without an opponent that gave points."""


def read_trf(data: str | bytes, *, rules: Literal["2023", "2026"] | None = None) -> Imported:
    """Read a tournament report file, TRF16 or TRF26.

    Args:
        data: the file, as text or as bytes, whose encoding `decode_trf` guesses.
        rules: edition of the tie-break rules; by default that of our comment line, else the one in force on the first
            day.

    Returns:
        The event. `Imported.actions` puts it into a log; `Imported.notes` lists what is not kept.

    Raises:
        TrfError: a line cannot be read, or contradicts another; the message names line and column.
        CompetitionError: this program cannot hold such an event.
    """
    text, encoding = decode_trf(data) if isinstance(data, bytes) else (data, "utf-8")
    report = parse_report(text)
    if not report.players:
        raise TrfError(1, 0, "this is no tournament report file: no line begins with 001")
    notes: list[str] = []
    tables = read_tables(report)
    notes += tables.forgotten
    stated = read_bye_points(report)
    if system_of(report).of_teams and (of_team := read_team_bye(report)) is not None:
        stated = of_team
    settings = read_settings(report, tables.shown, stated, _likely_bye_points(tables), notes)
    if rules is not None:
        settings = replace(settings, edition=rules)
    of_teams = settings.system.of_teams
    players = read_players(report, notes)
    teams = read_teams(report, players) if of_teams else ()
    by_number = teams_by_number(report, teams) if of_teams else {}
    if of_teams:
        rounds = read_matches(report, tables, teams, players, notes)
        penalties = read_team_penalties(report, by_number, tables.rounds, notes)
        if any(one.penalties for one in players.values()):
            penalties = {}  # our comment lines name the players
        people = tuple(replace(one, penalties=one.penalties or penalties.get(one.id, ())) for one in players.values())
        settings = _with_boards(settings, report, rounds)
        notes += board_points_notes(report, settings.bye_points, settings.boards)
    else:
        penalties = read_penalties(report, tables)
        absences = read_absences(report, tables, settings.rounds, settings.bye_points, notes)
        people = tuple(_person(one, absences.get(at, {}), penalties.get(at, ())) for at, one in players.items())
        rounds = _rounds(tables, players, people, settings.bye_points)
    notes += read_unkept(report)
    lot = next((read_note(one, LotLine) for one in report.records("###") if note_kind(one) == "lot"), None)
    white = read_white_first(report)
    if white is None:
        white = lot.white_first if lot else _drawn(tables)
    imported = Imported(
        settings,
        tuple(sorted(people, key=lambda one: one.id)),
        teams,
        read_officials(report),
        rounds,
        white,
        lot.lot if lot else "",
        edition_of(report),
        encoding,
        tuple(notes),
        read_lost_letters(report),
    )
    numbers = {number: team.number for number, team in by_number.items()}
    worth = match_points(report)[0] if of_teams else 2
    differing = differing_totals(report, tables, imported.state, numbers, worth)
    return replace(imported, notes=(*imported.notes, *differing))


def _with_boards(settings: Settings, report: ReportLines, rounds: tuple[Round, ...]) -> Settings:
    """The settings; if the file does not state the boards, with as many as the widest match has."""
    stated = report.value("352") or any(note_kind(one) == "event" for one in report.records("###"))
    widest = max((len(match.boards) for one in rounds for match in one.matches), default=0)
    if stated or not widest:
        return settings
    try:
        return replace(settings, boards=widest)
    except CompetitionError as error:
        raise TrfError(1, 0, str(error)) from None


def _likely_bye_points(tables: ReportRounds) -> int:
    """The half points of a bye that fit most totals: a point, else a half, else nothing.

    Some programs add the byes of rounds to come to a total, and some do not.
    """
    having = [
        number for number, line in tables.lines.items()
        if line.points is not None and any(cell.result == "U" for cell in line.cells[: tables.rounds])
    ]  # fmt: skip
    fitting = {
        worth: sum(
            tables.lines[number].points in {tables.points(number, rounds, worth) for rounds in (tables.rounds, 99)}
            for number in having
        )
        for worth in (2, 1, 0)
    }
    return max((2, 1, 0), key=lambda worth: fitting[worth])


def _person(player: Player, missed: Mapping[int, ByeKind], taken: tuple[Penalty, ...]) -> Player:
    """The player with the byes that late entry or withdrawal does not imply."""
    kept = {one.round: one for one in player.absences}
    for number, kind in missed.items():
        outside = number < player.since or (player.until is not None and number > player.until)
        if not (outside and kind is ByeKind.ZERO):
            kept[number] = Absence(number, kind)
    absences = tuple(kept[number] for number in sorted(kept))
    penalties = player.penalties or taken
    return replace(player, absences=absences, penalties=penalties)


def _rounds(
    tables: ReportRounds, players: Mapping[int, Player], people: tuple[Player, ...], bye_points: int
) -> tuple[Round, ...]:
    rounds = []
    for at, pairings in enumerate(tables.games, 1):
        games = []
        for board, one in enumerate(_by_board(tables, at, pairings, bye_points), 1):
            special = one.note.special if one.note else False
            games.append(PairedGame(board, players[one.white].id, players[one.black].id, one.result, special=special))
        byes = [
            Bye(players[number].id, ByeKind.ALLOCATED)
            for number, letter in tables.alone[at - 1].items()
            if letter == "U"
        ]
        given = {players[number].id: letter for number, letter in tables.alone[at - 1].items()}
        byes += [
            Bye(one.id, absence.kind) for one in people for absence in one.absences
            if absence.round == at
            and (given.get(one.id) in _WITH_POINTS or (one.since <= at and (one.until is None or at <= one.until)))
        ]  # fmt: skip
        rounds.append(Round(at, tuple(games), tuple(byes)))
    return tuple(rounds)


def _by_board(tables: ReportRounds, at: int, pairings: tuple[Pairing, ...], bye_points: int) -> list[Pairing]:
    """By the boards of our comment lines if all have one, else by points and numbers, the usual order."""
    boards = [one.note.board for one in pairings if one.note]
    if sorted(boards) == list(range(1, len(pairings) + 1)):
        return sorted(pairings, key=lambda one: one.note.board if one.note else 0)

    def usual(one: Pairing) -> tuple[int, int, int]:
        points = [tables.points(number, at - 1, bye_points) for number in (one.white, one.black)]
        return (-max(points), -sum(points), min(one.white, one.black))

    return sorted(pairings, key=usual)


def _drawn(tables: ReportRounds) -> bool:
    """The lot, from the first game: odd places among those paired by then got the colour of number 1."""
    for at, pairings in enumerate(tables.games, 1):
        colours = {one.white: True for one in pairings} | {one.black: False for one in pairings}
        if not colours:
            continue
        place = 0
        for number in sorted(tables.lines):
            cells = tables.lines[number].cells[:at]
            if any(cell.opponent or cell.result == "U" for cell in cells):
                place += 1
                if number in colours:
                    return colours[number] is (place % 2 == 1)
    return True
