"""The teams of a report file and their matches, joined from the games of their players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from korgool.competition.model import Bye, ByeKind, PairedGame, Player, Round, Team, TeamMatch
from korgool.competition.trf.comment_lines import MatchNote, note_kind, read_note
from korgool.competition.trf.report_lines import OtherLine, ReportLines
from korgool.competition.trf.round_tables import Pairing, ReportRounds
from korgool.competition.trf_columns import TrfError

_NAME = {"310": (8, 40), "013": (4, 36)}
_FIRST = {"310": 74, "013": 37}


def _rosters(report: ReportLines) -> list[tuple[OtherLine, int, str, list[int]]]:
    """The teams of records 310, or without these 013: number, name, numbers of the players."""
    known = {line.number for line in report.players}
    code = "310" if report.records("310") else "013"
    found: list[tuple[OtherLine, int, str, list[int]]] = []
    seen: dict[int, int] = {}
    for place, record in enumerate(report.records(code), 1):
        text = record.text
        first, last = _NAME[code]
        name = text[first:last].strip()
        if not name:
            raise TrfError(record.line, first + 1, "the name of the team is missing")
        number = place
        if code == "310":
            digits = text[4:7].strip()
            if not (digits.isascii() and digits.isdecimal() and int(digits)):
                raise TrfError(record.line, 5, f"the number of a team is 1 to 999, not {digits!r}")
            number = int(digits)
            if any(number == other for _, other, _, _ in found):
                raise TrfError(record.line, 5, f"team {number} stands in the file already")
        players = []
        for column in range(_FIRST[code], len(text.rstrip()) + 1, 5):
            part = text[column - 1 : column + 3].strip()
            if not part or (part.isdecimal() and not int(part)):
                continue
            if not (part.isascii() and part.isdecimal()) or int(part) not in known:
                raise TrfError(record.line, column, f"team {name}: there is no player {part!r}")
            if int(part) in seen:
                raise TrfError(record.line, column, f"player {int(part)} is in a team of line {seen[int(part)]} too")
            seen[int(part)] = record.line
            players.append(int(part))
        found.append((record, number, name, players))
    return found


def team_names(report: ReportLines) -> dict[int, str]:
    """The name of the team by number of a player."""
    return {number: name for _, _, name, players in _rosters(report) for number in players}


def read_teams(report: ReportLines, players: Mapping[int, Player]) -> tuple[Team, ...]:
    """The teams in the order of their ids: those of our comment lines, else by number.

    Raises:
        TrfError: there is none, or a record cannot be read.
    """
    rosters = _rosters(report)
    if not rosters:
        raise TrfError(1, 0, "this is a team event, but no record 310 or 013 names the teams")
    own = {}
    for record in report.records("###"):
        if note_kind(record) == "team":
            team = read_note(record, Team)
            own[team.number] = team
    complete = set(own) == {number for _, number, _, _ in rosters} and sorted(team.id for team in own.values()) == list(
        range(1, len(rosters) + 1)
    )
    found = []
    for place, (_, number, name, squad) in enumerate(sorted(rosters, key=lambda roster: roster[1]), 1):
        ids = tuple(players[one].id for one in squad)
        noted = own[number] if complete else Team(place, place, name)
        noted = replace(noted, number=place, players=ids)
        if name != noted.name[:32].strip():
            noted = replace(noted, name=name)
        found.append(noted)
    return tuple(sorted(found, key=lambda team: team.id))


def teams_by_number(report: ReportLines, teams: tuple[Team, ...]) -> dict[int, Team]:
    """The teams by their numbers in the file, which may have gaps."""
    numbers = sorted(number for _, number, _, _ in _rosters(report))
    return dict(zip(numbers, sorted(teams, key=lambda team: team.number), strict=True))


def read_matches(
    report: ReportLines,
    tables: ReportRounds,
    teams: tuple[Team, ...],
    players: Mapping[int, Player],
    notes: list[str],
) -> tuple[Round, ...]:
    """The rounds of a team event: games grouped into matches of two teams, in board order.

    Sentences on what is not kept are added to the notes.

    Raises:
        TrfError: players of one team meet, or a record on byes or forfeited matches cannot be read.
    """
    team_of = {id_: team for team in teams for id_ in team.players}
    by_number = teams_by_number(report, teams)
    stated = _stated(report, by_number)
    byes = _byes(report, by_number)
    orders = _orders(report, by_number, players)
    rounds = []
    for at, pairings in enumerate(tables.games, 1):
        games = _boards(tables, at, pairings, team_of, players)
        games += _chairs(tables.chairs[at - 1], games, stated[at], team_of, players)
        rounds.append(_matches(at, games, team_of, stated[at], by_number, tuple(byes[at]), orders[at]))
    coming = sorted(at for at, given in byes.items() if given and at > tables.rounds)
    notes += [f"byes of teams in round {at}, which is not paired yet, are not kept" for at in coming]
    return tuple(rounds)


def _stated(report: ReportLines, by_number: Mapping[int, Team]) -> dict[int, list[tuple[int, int]]]:
    """Matches (ids of home and away) in our comment lines or records 330, by round in the order of tables."""
    noted: dict[int, list[TeamMatch]] = defaultdict(list)
    for record in report.records("###"):
        if note_kind(record) == "match":
            note = read_note(record, MatchNote)
            if note.match.home not in by_number or note.match.away not in by_number:
                raise TrfError(record.line, 0, "the note names a team that the file does not have")
            noted[note.round].append(note.match)
    found: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for at, matches in noted.items():
        matches.sort(key=lambda match: match.table)
        found[at] = [(by_number[match.home].id, by_number[match.away].id) for match in matches]
    for record in report.records("330"):
        at = _team(record, record.text[7:10], 8, None)
        white, black = (_team(record, record.text[column - 1 : column + 2], column, by_number) for column in (12, 16))
        if not (at and white and black):
            raise TrfError(record.line, 8, "a forfeited match names its round and two teams")
        ids = (by_number[white].id, by_number[black].id)
        if not any(set(ids) == set(both) for both in found[at]):
            found[at].append(ids)
    return found


def _boards(
    tables: ReportRounds,
    at: int,
    pairings: tuple[Pairing, ...],
    team_of: Mapping[int, Team],
    players: Mapping[int, Player],
) -> list[tuple[int, int, Pairing]]:
    """Games as (id of White, id of Black, pairing)."""
    found = []
    for one in pairings:
        white, black = players[one.white], players[one.black]
        for player in (white, black):
            if player.id not in team_of:
                raise TrfError(tables.lines[one.white].line, 0, f"{player.name} is in no team")
        if team_of[white.id] is team_of[black.id]:
            name = team_of[white.id].name
            raise TrfError(tables.lines[one.white].line, 0, f"round {at}: two players of team {name} meet")
        found.append((white.id, black.id, one))
    return found


def _chairs(
    chairs: tuple[Pairing, ...],
    games: list[tuple[int, int, Pairing]],
    stated: list[tuple[int, int]],
    team_of: Mapping[int, Team],
    players: Mapping[int, Player],
) -> list[tuple[int, int, Pairing]]:
    """Games against an empty chair, as `games`, with the id 0 for it; only where the team has a match at all."""
    playing = {team_of[id_].id for white, black, _ in games for id_ in (white, black)}
    playing |= {id_ for both in stated for id_ in both}
    found = []
    for one in chairs:
        id_ = players[one.white or one.black].id
        if id_ in team_of and team_of[id_].id in playing:
            found.append((id_ if one.white else 0, 0 if one.white else id_, one))
    return found


def _matches(
    at: int,
    games: list[tuple[int, int, Pairing]],
    team_of: Mapping[int, Team],
    stated: list[tuple[int, int]],
    by_number: Mapping[int, Team],
    byes: tuple[Bye, ...],
    orders: Mapping[int, tuple[int, ...]],
) -> Round:
    met: dict[frozenset[int], list[tuple[int, int, Pairing]]] = {frozenset(both): [] for both in stated}
    match_of = {id_: both for both in met for id_ in both}
    for game in games:
        if all(game[:2]):
            both = frozenset((team_of[game[0]].id, team_of[game[1]].id))
            match_of |= dict.fromkeys(both, both)
            met.setdefault(both, []).append(game)
    for game in games:
        if not all(game[:2]):
            met[match_of[team_of[game[0] or game[1]].id]].append(game)
    teams = {team.id: team for team in by_number.values()}
    order = {frozenset(both): (place, both[0]) for place, both in enumerate(stated)}
    found = []
    for both, group in met.items():
        group.sort(key=lambda game: _seat(game, team_of, orders))
        place, home = order.get(both, (len(order), 0))
        if not home and group[0][0]:
            home = team_of[group[0][0]].id
        elif not home:
            home = next(id_ for id_ in both if id_ != team_of[group[0][1]].id)
        away = next(id_ for id_ in both if id_ != home)
        found.append((place, min(teams[home].number, teams[away].number), home, away, group))
    found.sort(key=lambda match: match[:2])
    board, matches, seated = 0, [], []
    for table, (_, _, home, away, group) in enumerate(found, 1):
        boards = []
        for white, black, pairing in group:
            board += 1
            boards.append(board)
            special = pairing.note.special if pairing.note else False
            seated.append(PairedGame(board, white, black, pairing.result, special=special))
        matches.append(TeamMatch(table, home, away, tuple(boards)))
    return Round(at, tuple(seated), byes, tuple(matches))


def _seat(
    game: tuple[int, int, Pairing], team_of: Mapping[int, Team], orders: Mapping[int, tuple[int, ...]]
) -> tuple[int, int]:
    """The board of the comment line, else that of record 300, else the places of the two players in their teams."""
    white, black, pairing = game
    if pairing.note:
        return pairing.note.board, 0
    seated = [id_ for id_ in (white, black) if id_]
    for id_ in seated:
        if id_ in (order := orders.get(team_of[id_].id, ())):
            return 0, 2 * order.index(id_)
    places = [team_of[id_].players.index(id_) for id_ in seated]
    return 0, sum(places) * 2 // len(places)


def _orders(
    report: ReportLines, by_number: Mapping[int, Team], players: Mapping[int, Player]
) -> dict[int, dict[int, tuple[int, ...]]]:
    """Seats by round and id of the team, where record 300 gives them: ids by board, 0 for an empty one."""
    found: dict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for record in report.records("300"):
        at = _team(record, record.text[4:7], 5, None)
        number = _team(record, record.text[8:11], 9, by_number)
        if not (at and number):
            raise TrfError(record.line, 5, "a record of another order names its round and its team")
        order = []
        for column in range(17, len(record.text.rstrip()) + 1, 5):
            part = record.text[column - 1 : column + 3].strip()
            if part and (not (part.isascii() and part.isdecimal()) or (int(part) and int(part) not in players)):
                raise TrfError(record.line, column, f"there is no player {part!r}")
            order.append(players[int(part)].id if part and int(part) else 0)
        found[at][by_number[number].id] = tuple(order)
    return found


def _byes(report: ReportLines, teams: Mapping[int, Team]) -> dict[int, list[Bye]]:
    """Byes of teams by round, from records 320 and 240."""
    found: dict[int, list[Bye]] = defaultdict(list)
    kinds = {"F": ByeKind.FULL, "H": ByeKind.HALF, "Z": ByeKind.ZERO, " ": ByeKind.ZERO}
    for record in report.records("320"):
        for at, column in enumerate(range(15, len(record.text.rstrip()) + 1, 4), 1):
            if number := _team(record, record.text[column - 1 : column + 2], column, teams):
                found[at].append(Bye(teams[number].id, ByeKind.ALLOCATED))
    for record in report.records("240"):
        kind = record.text[4:5].upper() or " "
        digits = record.text[6:9].strip()
        if kind not in kinds or not (digits.isascii() and digits.isdecimal()):
            raise TrfError(record.line, 5, "a bye is F, H or Z and names its round")
        for column in range(11, len(record.text.rstrip()) + 1, 5):
            if number := _team(record, record.text[column - 1 : column + 3], column, teams):
                found[int(digits)].append(Bye(teams[number].id, kinds[kind]))
    return found


def _team(record: OtherLine, text: str, column: int, teams: Mapping[int, Team] | None) -> int:
    """The number of a team, 0 for blanks; any number if `teams` is None."""
    part = text.strip()
    if not part:
        return 0
    if not (part.isascii() and part.isdecimal()) or (teams is not None and int(part) and int(part) not in teams):
        raise TrfError(record.line, column, f"there is no team {part!r}" if teams else f"{part!r} is no number")
    return int(part)
