"""The rounds of each competitor, game by game and bye by bye: what standings, pairing and reports start from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, PairedGame, Round, TeamMatch
from korgool.competition.result import Result


class RoundKind(StrEnum):
    """Kind of a competitor's round."""

    PLAYED = "played"
    FORFEIT = "forfeit"
    """Paired and decided without a game."""
    BYE = "bye"
    PENDING = "pending"
    """Paired, still without a result."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """One round of one competitor.

    Attributes:
        round: its number.
        kind: whether it was played, forfeited, missed or is pending.
        opponent: id of the opponent; None for a bye, and if the other team had no player for the board.
        white: whether the competitor had White; None for a bye. For a team, whether it had White on the first board.
        points: half points from the round, before penalties.
        game_points: half points won on boards; differs from `points` only in a team event.
        bye: the kind of bye, else None.
        own, other: stones of the competitor and of the opponent; None if unknown. Sums in a team event.
        board: board of a player, table of a team; 0 for a bye.
        result: the result of the game; None for a bye, for a team, and before it is known.
    """

    round: int
    kind: RoundKind
    opponent: int | None = None
    white: bool | None = None
    points: int = 0
    game_points: int = 0
    bye: ByeKind | None = None
    own: int | None = None
    other: int | None = None
    board: int = 0
    result: Result | None = None


def history(state: EventState, *, rounds: int | None = None) -> Mapping[int, tuple[Meeting, ...]]:
    """The rounds of every player by id, also in team events: one Meeting for each of the first `rounds` rounds.

    Rounds before a late entry and after a withdrawal are zero-point byes.
    """
    counted = state.rounds if rounds is None else state.rounds[:rounds]
    found: dict[int, list[Meeting]] = {id_: [] for id_ in state.players}
    for one in counted:
        met = dict(_of_round(state, one))
        for id_, meetings in found.items():
            meetings.append(met.get(id_) or _bye(state, one.number, ByeKind.ZERO))
    return {id_: tuple(meetings) for id_, meetings in found.items()}


def team_history(state: EventState, *, rounds: int | None = None) -> Mapping[int, tuple[Meeting, ...]]:
    """The rounds of every team by id: match points in `points`, board points in `game_points`."""
    counted = state.rounds if rounds is None else state.rounds[:rounds]
    found: dict[int, list[Meeting]] = {id_: [] for id_ in state.teams}
    for one in counted:
        met = {bye.player: _team_bye(state, one.number, bye.kind) for bye in one.byes}
        for match in one.matches:
            games = [(one.game(board), home_has_white(state, match, one.game(board))) for board in match.boards]
            met[match.home] = _team_meeting(state, one.number, match, games, home=True)
            met[match.away] = _team_meeting(state, one.number, match, games, home=False)
        for id_, meetings in found.items():
            meetings.append(met.get(id_) or _team_bye(state, one.number, ByeKind.ZERO))
    return {id_: tuple(meetings) for id_, meetings in found.items()}


def home_has_white(state: EventState, match: TeamMatch, game: PairedGame) -> bool:
    """Return whether the first team of a match has White at one of its boards.

    The teams of the two players tell. Where a player has changed the team since, the place of the board does: the first
    team has White on the first board and every other one.
    """
    home, away = (state.teams[id_].players for id_ in (match.home, match.away))
    white, black = ((id_ in home) - (id_ in away) for id_ in (game.white, game.black))
    return white > black if white != black else match.boards.index(game.board) % 2 == 0


def competitors(state: EventState, *, rounds: int | None = None) -> Mapping[int, tuple[Meeting, ...]]:
    """The rounds of the competitors: of teams in a team event, else of players."""
    return team_history(state, rounds=rounds) if state.event.system.of_teams else history(state, rounds=rounds)


def _of_round(state: EventState, one: Round) -> list[tuple[int, Meeting]]:
    met: list[tuple[int, Meeting]] = []
    if not state.event.system.of_teams:
        met += [(bye.player, _bye(state, one.number, bye.kind)) for bye in one.byes]
    for game in one.games:
        for white in (True, False):
            if id_ := game.white if white else game.black:
                met.append((id_, _meeting(state, one.number, game, white)))
    return met


def _meeting(state: EventState, number: int, game: PairedGame, white: bool) -> Meeting:
    opponent = (game.black if white else game.white) or None
    if game.result is None:
        return Meeting(number, RoundKind.PENDING, opponent, white, board=game.board)
    result = game.result
    points = result_points(result, white, set_points=state.event.set_points)
    stores = result.stores if white or result.stores is None else result.stores[::-1]
    own, other = stores if stores is not None else (None, None)
    kind = RoundKind.PLAYED if result.played else RoundKind.FORFEIT
    return Meeting(number, kind, opponent, white, points, points, None, own, other, game.board, result)


def result_points(result: Result, white: bool, *, set_points: bool = False) -> int:
    """Half points that a result gives one side; with `set_points` a match gives the points of its sets."""
    if set_points and result.sets:
        return sum(one.white if white else one.black for one in result.sets)
    return result.white if white else result.black


def _bye(state: EventState, number: int, kind: ByeKind) -> Meeting:
    points = _bye_points(state, kind) * (state.event.sets if state.event.set_points else 1)
    return Meeting(number, RoundKind.BYE, points=points, game_points=points, bye=kind)


def _team_bye(state: EventState, number: int, kind: ByeKind) -> Meeting:
    points = _bye_points(state, kind)
    return Meeting(number, RoundKind.BYE, points=points, game_points=points * state.event.boards, bye=kind)


def _bye_points(state: EventState, kind: ByeKind) -> int:
    """Half points of a bye where a win gives 2; a team has them on each board."""
    return {ByeKind.ALLOCATED: state.event.bye_points, ByeKind.FULL: 2, ByeKind.HALF: 1, ByeKind.ZERO: 0}[kind]


def _team_meeting(
    state: EventState, number: int, match: TeamMatch, games: Sequence[tuple[PairedGame, bool]], *, home: bool
) -> Meeting:
    opponent, table = match.away if home else match.home, match.table
    if any(game.result is None for game, _ in games):
        return Meeting(number, RoundKind.PENDING, opponent, home, board=table)
    own_points = other_points = own = other = 0
    stones = played = False
    for game, home_white in games:
        result = game.result
        assert result is not None
        white = home_white is home
        own_points += result_points(result, white, set_points=state.event.set_points)
        other_points += result_points(result, not white, set_points=state.event.set_points)
        played |= result.played
        if result.stores is not None:
            stones = True
            own += result.stores[0 if white else 1]
            other += result.stores[1 if white else 0]
    points = 1 if own_points == other_points else 2 if own_points > other_points else 0
    if not any((own_points, other_points)):
        points = 0
    kind = RoundKind.PLAYED if played else RoundKind.FORFEIT
    return Meeting(
        number,
        kind,
        opponent,
        home,
        points,
        own_points,
        None,
        own if stones else None,
        other if stones else None,
        table,
    )
