"""`write_trf`: an event written as a tournament report file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from typing import Literal

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.people_actions import AUTOMATIC_REASONS
from korgool.competition.model import REMOVED, ByeKind, Official, PairedGame, Player, Role, System, Team, TeamMatch
from korgool.competition.round_history import Meeting, RoundKind, history, home_has_white, team_history
from korgool.competition.standings.ranking import standings
from korgool.competition.standings.tiebreaks import trf_code
from korgool.competition.trf.comment_lines import GameNote, LotLine, MatchNote, write_note
from korgool.competition.trf.local_ids import with_local_ids
from korgool.competition.trf.player_lines import name_column, title_column
from korgool.competition.trf.report_lines import PlayerLine, RoundColumns
from korgool.competition.trf.round_tables import letters_of
from korgool.competition.trf_columns import abnormal_record, list_record, points_field

Edition = Literal["2026", "2016"]

_TYPES = {
    System.SWISS: ("Individual: Swiss-System", "FIDE_DUTCH"),
    System.ROUND_ROBIN: ("Individual: Round-Robin", "FIDE_ROUNDROBIN"),
    System.DOUBLE_ROUND_ROBIN: ("Individual: Double Round-Robin", "FIDE_DOUBLEROUNDROBIN"),
    System.KNOCKOUT: ("Individual: Knock-out", "CUSTOM_KNOCKOUT"),
    System.TEAM_SWISS: ("Team: Swiss-System", "CUSTOM_TEAM_SWISS_MP"),
    System.TEAM_ROUND_ROBIN: ("Team: Round-Robin", "FIDE_TEAM_ROUNDROBIN"),
}


def write_trf(state: EventState, *, edition: Edition = "2026", rounds: int | None = None, reasons: bool = False) -> str:
    """The event as a tournament report file.

    What the format has no columns for (stores, causes, patronymics, the settings of the event) goes into comment lines
    (`korgool.competition.trf.comment_lines`), from which `read_trf` takes it. Letters outside ASCII stay as they are:
    save the text in UTF-8. The points of a player are those of the rounds; penalties stand in record 299, and in TRF16,
    which has none, only in our comment lines (`left_out`). The Swiss system is called FIDE_DUTCH, the code without a
    year that every program knows.

    Args:
        state: the event.
        edition: `2026` for TRF26; `2016` for TRF16 with the usual XX records, and byes of the next round on the lines.
        rounds: how many rounds to write; None for all.
        reasons: whether the reasons for warnings, penalties and dismissals are written, of no concern outside.

    Raises:
        CompetitionError: there are no such rounds, or no player is entered.
    """
    count = len(state.rounds) if rounds is None else rounds
    if not 0 <= count <= len(state.rounds):
        raise CompetitionError(f"{len(state.rounds)} rounds are paired, {count} cannot be written")
    if not state.players:
        raise CompetitionError("nobody is entered, there is nothing to report")
    if state.groups:
        state = with_local_ids(state)
    new = edition == "2026"
    lines = _header(state, new)
    if not new:
        lines += _old_records(state)
    numbers = {player.id: player.number for player in state.players.values()}
    ranks = _ranks(state, count)
    found = history(state, rounds=count)
    for player in sorted(state.players.values(), key=lambda one: one.number):
        lines.append(_player(state, player, found[player.id], numbers, ranks, new=new))
    if new:
        lines += _new_records(state, count)
    lines += _teams(state, count, ranks, new=new)
    return "".join(line + "\n" for line in (*lines, *_notes(state, count, reasons)))


def _plain(text: str) -> str:
    """A text on one line, with single blanks."""
    return " ".join(text.split())


def _header(state: EventState, new: bool) -> list[str]:
    event, (words, code) = state.event, _TYPES[state.event.system]
    officials = [one for one in state.officials.values() if not one.excluded]
    rated = sum(1 for player in state.players.values() if player.entry.rating)
    control = event.control or str(event.time_control())
    found: list[tuple[str, str]] = [
        ("012", event.name),
        ("022", event.place),
        ("032", event.federation),
        ("042", event.begins.replace("-", "/")),
        ("052", event.ends.replace("-", "/")),
        ("062", str(len(state.players))),
        ("072", str(rated)),
        ("082", str(len(state.teams)) if event.system.of_teams else ""),
        ("092", words),
        *(("102", one.name) for one in officials if one.role is Role.CHIEF_REFEREE),
        *(("112", one.name) for one in officials if one.role is Role.DEPUTY),
        ("122", control),
    ]
    if new:
        minutes, _, seconds = control.partition("+")
        found += [("142", str(event.rounds)), ("152", "W" if state.white_first else "B")]
        if event.bye_points != 2:  # a game is worth 1, a half and 0, and a bye as much as a win, unless this says else
            found += [("162", f" P{points_field(event.bye_points)}")]
        found += [("192", code)]
        found += [("202", ",".join(filter(None, map(trf_code, event.tiebreaks))))]
        found += [("222", f"{int(minutes) * 60}+{seconds}" if minutes.isdecimal() and seconds != "0" else "")]
        found += [("352", "".join("WB"[at % 2] for at in range(event.boards)))]
    return [f"{tag} {value if tag == '162' else _plain(value)}" for tag, value in found if value.strip()]


def _old_records(state: EventState) -> list[str]:
    found = [f"XXR {state.event.rounds}", f"XXC {'white1' if state.white_first else 'black1'}"]
    if state.event.bye_points != 2:
        found.append(f"BBU {state.event.bye_points / 2:4.1f}")
    return found


def _new_records(state: EventState, count: int) -> list[str]:
    """Byes of rounds to come, and penalties: in a team event those of its players, which the team bears."""
    if state.event.system.of_teams:
        return _penalties((team.number, state.players[id_], count) for team in state.teams.values()
                          for id_ in team.players)  # fmt: skip
    byes: dict[tuple[int, str], list[int]] = defaultdict(list)
    for player in sorted(state.players.values(), key=lambda one: one.number):
        coming = {absence.round: absence.kind for absence in player.absences if absence.round > count}
        if count < state.event.rounds and (kind := player.bye(count + 1)) is not None:
            coming[count + 1] = kind  # also of those who have left: they are not to be paired
        for at, kind in coming.items():
            byes[at, kind.value].append(player.number)
    lines = [list_record(f"240 {kind} {at:>3}", ids) for (at, kind), ids in sorted(byes.items())]
    return lines + _penalties((player.number, player, count) for player in state.players.values())


def _penalties(fined: Iterable[tuple[int, Player, int]]) -> list[str]:
    """Records 299 from the number of who bears the penalties, the player, and the last round that counts.

    A field holds at most nine and a half points.
    """
    taken: dict[tuple[int, int], list[int]] = defaultdict(list)
    for number, player, count in fined:
        for penalty in player.penalties:
            if penalty.round <= count:
                rest = -penalty.half_points
                while rest:
                    step = max(rest, -19)
                    taken[penalty.round, step].append(number)
                    rest -= step
    return [abnormal_record(step, at, sorted(ids)) for (at, step), ids in sorted(taken.items())]


def _ranks(state: EventState, count: int) -> Mapping[int, int]:
    """Ranks of the competitors by the standings, by id; none while a round lacks results."""
    if any(one.missing for one in state.rounds[:count]):
        return {}
    return {row.competitor: row.rank for row in standings(state, rounds=count)}


def _player(
    state: EventState,
    player: Player,
    meetings: Iterable[Meeting],
    numbers: Mapping[int, int],
    ranks: Mapping[int, int],
    *,
    new: bool,
) -> str:
    entry, cells, points = player.entry, [], 0
    last = 0
    for one in meetings:
        cells.append(_cell(one, numbers))
        points += one.points
        last = one.round
    if not new and not state.event.system.of_teams and last < state.event.rounds:
        kind = player.bye(last + 1)
        if kind is not None:
            cells.append(RoundColumns(0, "-", kind.value))
    line = PlayerLine(
        0,
        player.number,
        {"f": "w"}.get(entry.sex, entry.sex),
        title_column(_plain(entry.title)),
        _plain(name_column(player)),
        entry.rating,
        _plain(entry.federation)[:3],
        _plain(entry.external)[:11],
        f"{entry.born}/00/00" if entry.born else "",
        points,
        player.number if state.event.system.of_teams else ranks.get(player.id, 0),
        tuple(cells),
    )
    return line.text


def _cell(one: Meeting, numbers: Mapping[int, int]) -> RoundColumns:
    if one.kind is RoundKind.BYE:
        assert one.bye is not None
        return RoundColumns(0, "-", one.bye.value)
    letters = letters_of(one.result)
    letter = letters[0 if one.white else 1]
    if not one.opponent:
        return RoundColumns(0, "-", letter)
    return RoundColumns(numbers[one.opponent], "w" if one.white else "b", letter)


def _teams(state: EventState, count: int, ranks: Mapping[int, int], *, new: bool) -> list[str]:
    """Records of teams: 310 and 320 in TRF26, 013 in TRF16. In an individual event 013 tells who is of which team."""
    teams = sorted(state.teams.values(), key=lambda one: one.number)
    if not state.event.system.of_teams:
        names = sorted({player.entry.team.strip() for player in state.players.values()} - {""})
        squads = {
            name: sorted(player.number for player in state.players.values() if player.entry.team.strip() == name)
            for name in names
        }
        return [] if new else [_squad(name, squads[name]) for name in names]
    if not new:
        return [_squad(team.name, [state.players[id_].number for id_ in team.players]) for team in teams]
    found = team_history(state, rounds=count)
    lines = []
    for team in teams:
        match_points = sum(one.points for one in found[team.id])
        board_points = sum(one.game_points for one in found[team.id])
        head = f"310 {team.number:>3} {_plain(team.name)[:32]:32} {'':5} {'':6} {match_points:>6.1f} "
        head += f"{board_points / 2:>6.1f} {ranks.get(team.id, 0):>3} "
        lines.append(head + "".join(f" {state.players[id_].number:>4}" for id_ in team.players))
    numbers = {team.id: team.number for team in teams}
    others = _orders(state, count, numbers)
    return lines + _team_byes(state, count, numbers) + others + _forfeited(state, count, numbers)


def _squad(name: str, numbers: Iterable[int]) -> str:
    return f"013 {_plain(name)[:32]:32}" + " ".join(f"{number:>4}" for number in numbers)


def _team_byes(state: EventState, count: int, numbers: Mapping[int, int]) -> list[str]:
    event, given = state.event, [0] * count
    others: dict[tuple[int, str], list[int]] = defaultdict(list)
    for one in state.rounds[:count]:
        for bye in one.byes:
            if bye.kind is ByeKind.ALLOCATED and not given[one.number - 1]:
                given[one.number - 1] = numbers[bye.player]
            elif bye.kind is not ByeKind.ALLOCATED:
                others[one.number, bye.kind.value].append(numbers[bye.player])
    lines = [list_record(f"240 {kind} {at:>3}", sorted(ids)) for (at, kind), ids in sorted(others.items())]
    if any(given):
        boards = event.bye_points * event.boards / 2
        lines.append(f"320 {event.bye_points:4.1f} {boards:4.1f}" + "".join(f" {number:>3}" for number in given))
    return lines


def _orders(state: EventState, count: int, numbers: Mapping[int, int]) -> list[str]:
    """Records 300: who sat where in matches with an empty board, or not in the order of the team."""
    lines = []
    for one in state.rounds[:count]:
        for match in one.matches:
            games = [one.game(board) for board in match.boards]
            if all(game.result is not None and not game.result.played for game in games):
                continue  # record 330
            for own, other in ((match.home, match.away), (match.away, match.home)):
                squad = state.teams[own].players
                order = [next((id_ for id_ in (game.white, game.black) if id_ in squad), 0) for game in games]
                if 0 in order or order != sorted(order, key=squad.index):
                    head = f"300 {one.number:>3} {numbers[own]:>3} {numbers[other]:>3} "
                    seated = (state.players[id_].number if id_ else 0 for id_ in order)
                    lines.append(head + "".join(f" {number:>4}" for number in seated)[1:])
    return lines


def _forfeited(state: EventState, count: int, numbers: Mapping[int, int]) -> list[str]:
    """Records 330: matches in which no board was played."""
    lines = []
    for one in state.rounds[:count]:
        for match in one.matches:
            games = [one.game(board) for board in match.boards]
            if any(game.result is None or game.result.played for game in games):
                continue
            won = [0, 0]
            for game in games:
                assert game.result is not None
                own_white = home_has_white(state, match, game)
                won[0 if own_white else 1] += game.result.white
                won[1 if own_white else 0] += game.result.black
            kind = "--" if won[0] == won[1] else "+-" if won[0] > won[1] else "-+"
            lines.append(f"330 {kind} {one.number:>3} {numbers[match.home]:>3} {numbers[match.away]:>3}")
    return lines


def _notes(state: EventState, count: int, reasons: bool) -> list[str]:
    if not reasons:
        state = without_reasons(state)
    lines = [write_note("event", state.event), write_note("lot", asdict(LotLine(state.white_first, state.lot, count)))]
    officials: list[Official] = list(state.officials.values())
    lines += [write_note("official", one) for one in officials]
    for player in sorted(state.players.values(), key=lambda one: one.number):
        warnings = tuple(one for one in player.warnings if one.round <= count)
        penalties = tuple(one for one in player.penalties if one.round <= count)
        left = player.until is not None and player.until <= count
        shown = replace(
            player,
            entry=replace(player.entry, consent=None),  # for the organiser alone
            warnings=warnings,
            penalties=penalties,
            until=player.until if left else None,
            excluded=player.excluded and left,
        )
        lines.append(write_note("player", shown))
    teams: list[Team] = sorted(state.teams.values(), key=lambda one: one.number)
    lines += [write_note("team", one) for one in teams] if state.event.system.of_teams else []
    numbers = {0: 0} | {player.id: player.number for player in state.players.values()}
    of_team = {team.id: team.number for team in teams}
    for one in state.rounds[:count]:
        for game in one.games:
            lines.append(write_note("game", GameNote(one.number, _renumbered(game, numbers))))
        for match in one.matches:
            renumbered = TeamMatch(match.table, of_team[match.home], of_team[match.away], match.boards)
            lines.append(write_note("match", MatchNote(one.number, renumbered)))
    return lines


def without_reasons(state: EventState) -> EventState:
    """The event without what officials wrote about people: that it happened, and when, remains."""
    players = {
        id_: replace(
            one,
            warnings=tuple(replace(warning, reason="") for warning in one.warnings),
            penalties=tuple(
                replace(taken, reason=taken.reason if taken.reason in AUTOMATIC_REASONS else "")
                for taken in one.penalties
            ),
        )
        for id_, one in state.players.items()
    }
    officials = {id_: replace(one, excluded=one.excluded and REMOVED) for id_, one in state.officials.items()}
    return replace(state, players=players, officials=officials)


def _renumbered(game: PairedGame, numbers: Mapping[int, int]) -> PairedGame:
    return PairedGame(game.board, numbers[game.white], numbers[game.black], game.result, special=game.special)
