"""The commands of an arbiter, one function each: enter, pair, record, correct, warn, publish and so on.

Every function writes to the log of an event file and returns once that is on disk. Players are named by their number or
the beginning of their name. A command that is not allowed raises CompetitionError and changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence

import korgool.competition.actions as do
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import (
    Absence,
    Bye,
    ByeKind,
    Entry,
    LentForm,
    Official,
    PairedGame,
    Personal,
    Player,
    Role,
    Round,
    Row,
    Settings,
    Team,
)
from korgool.competition.pairing import PairingEngine, check_rounds, seed
from korgool.competition.pairing import pair as pair_round
from korgool.competition.pairing.gacrux_process import ISOLATED
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.result import Cause, Result
from korgool.competition.result_entry import ResultList, check_whole, read_entry, read_list
from korgool.competition.result_sources import check_records, read_protocol
from korgool.competition.standings import standings
from korgool.competition.storage.event_file import EventFile

Reference = int | str
"""A player's number, their name, or the beginning of it."""


def enter(
    file: EventFile, entry: Entry, personal: Personal | None = None, *, by: str, namesake: bool = False
) -> Player:
    """Enter a player (WNG-TK §XIII); personal data is kept apart from the log.

    `namesake` says that they are not the player of the same name who is entered already.
    """
    with file.together():
        state = file.do(do.Enter(entry, namesake), by=by)
        player = state.players[max(state.players)]
        if personal is not None and personal != Personal():
            file.set_personal(player.id, personal)
    return player


def enter_all(file: EventFile, entries: Sequence[tuple[Entry, Personal | None]], *, by: str) -> tuple[Player, ...]:
    """Enter many players with their personal data, all or none."""
    known = max(file.refresh().players, default=0)
    with file.together():
        state = file.do(*(do.Enter(entry) for entry, _ in entries), by=by, after=file.state)
        added = tuple(player for id_, player in state.players.items() if id_ > known)
        for player, (_, personal) in zip(added, entries, strict=True):
            if personal is not None and personal != Personal():
                file.set_personal(player.id, personal)
    return added


def amend(file: EventFile, player: Reference, entry: Entry, *, by: str, reason: str = "") -> Player:
    """Replace the entry of a player."""
    id_ = file.refresh().player(player).id
    return file.do(do.Amend(id_, entry), by=by, reason=reason).players[id_]


def change(file: EventFile, settings: Settings, *, by: str, reason: str = "") -> EventState:
    """Change the regulations. The game and the system cannot change once a round is paired."""
    return file.do(do.Change(settings), by=by, reason=reason)


def withdraw(file: EventFile, player: Reference, *, by: str, reason: str = "") -> Player:
    """Withdraw a player."""
    id_ = file.refresh().player(player).id
    return file.do(do.Withdraw(id_), by=by, reason=reason).players[id_]


def readmit(file: EventFile, player: Reference, *, by: str, reason: str = "") -> Player:
    """Let a player who withdrew come back."""
    id_ = file.refresh().player(player).id
    return file.do(do.Readmit(id_), by=by, reason=reason).players[id_]


def miss(
    file: EventFile, player: Reference, number: int, *, by: str, kind: ByeKind = ByeKind.HALF, reason: str = ""
) -> Player:
    """Give a player a bye in a coming round, by default a half-point bye."""
    id_ = file.refresh().player(player).id
    return file.do(do.Miss(id_, Absence(number, kind)), by=by, reason=reason).players[id_]


def attend(file: EventFile, player: Reference, number: int, *, by: str) -> Player:
    """Cancel a player's bye in a coming round."""
    id_ = file.refresh().player(player).id
    return file.do(do.Attend(id_, number), by=by).players[id_]


def set_team(file: EventFile, team: Team, *, by: str) -> Team:
    """Enter a team (its id is 0), or replace the one with its id."""
    state = file.do(do.SetTeam(team), by=by)
    return state.teams[team.id or max(state.teams)]


def warn(file: EventFile, player: Reference, *, by: str, reason: str) -> Player:
    """Warn a player; the third warning costs a point at once, the fourth excludes (WNG-TK §XIV)."""
    id_ = file.refresh().player(player).id
    return file.do(do.GiveWarning(id_), by=by, reason=reason).players[id_]


def penalise(file: EventFile, player: Reference, half_points: int, *, by: str, reason: str) -> Player:
    """Take half points from a player; a negative number gives them back."""
    id_ = file.refresh().player(player).id
    return file.do(do.Penalise(id_, half_points), by=by, reason=reason).players[id_]


def exclude(file: EventFile, player: Reference, *, by: str, reason: str) -> Player:
    """Exclude a player from the event."""
    id_ = file.refresh().player(player).id
    return file.do(do.Exclude(id_), by=by, reason=reason).players[id_]


def appoint(file: EventFile, name: str, role: Role, *, by: str, category: str = "", federation: str = "") -> Official:
    """Appoint an official (WNG-TK §XIV)."""
    state = file.do(do.Appoint(name, role, category, federation), by=by)
    return state.officials[max(state.officials)]


def dismiss(file: EventFile, name: str, *, by: str, reason: str) -> Official:
    """Exclude an official from the body of referees (WNG-TK §XIV)."""
    held = [one for one in file.refresh().officials.values() if not one.excluded]
    found = [one for one in held if one.name.casefold() == name.strip().casefold()]
    if not found:
        raise CompetitionError(f"there is no official {name!r}")
    state = file.do(*(do.Dismiss(one.id) for one in found), by=by, reason=reason)
    return state.officials[found[0].id]


def lend(file: EventFile, number: int, board: int, borrower: str, *, by: str) -> LentForm:
    """Lend the record form of a game (WNG-TK §VIII)."""
    state = file.do(do.Lend(number, board, borrower), by=by)
    return state.forms[max(state.forms)]


def take_back(file: EventFile, form: int, *, by: str, lost: bool = False, spoiled: bool = False) -> LentForm:
    """Note that a lent form came back, was lost, or came back spoiled."""
    became = do.TakeBack(form, "lost" if lost else "spoiled" if spoiled else "returned")
    return file.do(became, by=by).forms[form]


def pair(file: EventFile, *, by: str, lot: str | None = None, engine: PairingEngine = ISOLATED) -> Round:
    """Pair and publish the next round.

    Before the first round, the players get their pairing numbers and the lot decides the colours of the first board.

    Args:
        file: the event.
        by: the official.
        lot: the seed of the lot, to repeat a draw; by default an unpredictable one.
        engine: what pairs a Swiss event; by default gacrux in a process of its own.
    """
    held = file.refresh()
    number = len(held.rounds) + 1
    if number > held.event.rounds:
        raise CompetitionError(f"the event has {held.event.rounds} rounds, all are paired")
    if not held.complete:
        boards = ", ".join(map(str, held.rounds[-1].missing[:20]))
        raise CompetitionError(f"round {number - 1} lacks the results of boards {boards}")
    state = held
    wanted: list[do.AnyAction] = []
    if not held.rounds:
        check_rounds(held.event, len(held.teams if held.event.system.of_teams else held.players))
        if not held.seeded:
            wanted.append(seed(held, lot if lot is not None else secrets.token_hex(8)))
            state = apply(held, wanted[0])
    paired = pair_round(state, number, engine=engine)
    wanted.append(paired.action(number))
    for game in paired.games:
        if not (game.white and game.black):  # a team has nobody for this board
            points = (2, 0) if game.white else (0, 2)
            wanted.append(do.EnterResult(number, game.board, Result(*points, cause="forfeit")))
    return file.do(*wanted, by=by, after=held).rounds[-1]


def unpair(file: EventFile, number: int, *, by: str, reason: str) -> EventState:
    """Take back the last round before it has results. Later entries and withdrawals count when it is paired again."""
    return file.do(do.Unpair(number, rewinds=True), by=by, reason=reason)


def repair(
    file: EventFile, pairings: Iterable[tuple[Reference, Reference]], *, by: str, reason: str,
    byes: Iterable[tuple[Reference, ByeKind]] = (), number: int | None = None,
) -> tuple[Round, tuple[str, ...]]:  # fmt: skip
    """Replace the pairings of a round by hand. Two players who meet both before and after keep their result.

    Args:
        file: the event.
        pairings: White and Black of every board, in order.
        by: the official.
        reason: for the log.
        byes: players without an opponent.
        number: the round, by default the last.

    Returns:
        The round, marked as manual, and doubts about it: rematches, colours, second byes.
    """
    state = file.refresh()
    games = tuple(
        PairedGame(board, state.player(white).id, state.player(black).id)
        for board, (white, black) in enumerate(pairings, 1)
    )
    given = tuple(Bye(state.player(player).id, kind) for player, kind in byes)
    return _repair(file, state, _round(state, number), games, given, by=by, reason=reason)


def _round(state: EventState, number: int | None) -> Round:
    if not state.rounds:
        raise CompetitionError("no round is paired")
    return state.round(number or len(state.rounds))


def _repair(
    file: EventFile,
    state: EventState,
    held: Round,
    games: Sequence[PairedGame],
    byes: Sequence[Bye],
    *,
    by: str,
    reason: str,
) -> tuple[Round, tuple[str, ...]]:
    action = do.Repair(tuple(games), tuple(byes), held.matches, held.number)
    after = file.do(action, by=by, reason=reason, after=state)
    return after.round(held.number), pairing_notes(after, held.number)


def pair_by_hand(
    file: EventFile, pairings: Iterable[tuple[Reference, Reference]], *, by: str, reason: str,
    byes: Iterable[tuple[Reference, ByeKind]] = (),
) -> tuple[Round, tuple[str, ...]]:  # fmt: skip
    """Pair and publish the next round by hand, as the chief referee does when no legal pairing is left.

    Arguments and return value are those of `repair`. Team matches cannot be paired by hand.
    """
    state = file.refresh()
    if state.event.system.of_teams:
        raise CompetitionError("matches of teams are not paired by hand")
    games = tuple(
        PairedGame(board, state.player(white).id, state.player(black).id)
        for board, (white, black) in enumerate(pairings, 1)
    )
    given = tuple(Bye(state.player(player).id, kind) for player, kind in byes)
    number = len(state.rounds) + 1
    after = file.do(
        do.Pair(number, games, given, (), do.BY_HAND),
        do.Repair(games, given, (), number),
        by=by,
        reason=reason,
        after=state,
    )
    return after.rounds[-1], pairing_notes(after, number)


def swap(
    file: EventFile, one: Reference, other: Reference, *, by: str, reason: str, number: int | None = None
) -> tuple[Round, tuple[str, ...]]:
    """Exchange two players in a round by hand, by default in the last one. Returns what `repair` returns.

    Two opponents exchange colours and keep their result. Otherwise a result stays at its board.
    """
    state = file.refresh()
    held, ids = _round(state, number), (state.player(one).id, state.player(other).id)
    put = {ids[0]: ids[1], ids[1]: ids[0]}
    games = []
    for game in held.games:
        white, black = put.get(game.white, game.white), put.get(game.black, game.black)
        met = {white, black} == {game.white, game.black}
        games.append(PairedGame(game.board, white, black, None if met else game.result))
    byes = [Bye(put.get(bye.player, bye.player), bye.kind) for bye in held.byes]
    return _repair(file, state, held, games, byes, by=by, reason=reason)


def seat(file: EventFile, white: Reference, black: Reference, *, by: str, reason: str) -> tuple[Round, tuple[str, ...]]:
    """Pair two players who have a bye in the last round or were entered since at a new board; returns as `repair`."""
    state = file.refresh()
    held, ids = _round(state, None), (state.player(white).id, state.player(black).id)
    games = [PairedGame(game.board, game.white, game.black) for game in held.games]
    byes = [bye for bye in held.byes if bye.player not in ids]
    return _repair(file, state, held, [*games, PairedGame(len(games) + 1, *ids)], byes, by=by, reason=reason)


def undo(file: EventFile, line: int, *, by: str, reason: str) -> EventState:
    """Take back a line of the log on which no later line depends. The line stays, and this can be taken back in turn.

    If the line entered a player, their personal data is removed for good.
    """
    known = file.refresh().players
    with file.together():
        state = file.do(do.Undo(line), by=by, reason=reason)
        for id_ in known.keys() - state.players.keys():
            file.remove_personal(id_, by=by, reason=reason)
    return state


def record(
    file: EventFile, number: int, board: int, result: str | Result, *, by: str, cause: Cause | None = None
) -> PairedGame:
    """Enter the result of a game, such as `1 (82) - 0 (60)` (WNG-TK §IX)."""
    found = _result(file, result, cause)
    return file.do(do.EnterResult(number, board, found), by=by).round(number).game(board)


def record_list(
    file: EventFile, number: int, text: str, *, by: str, correct: bool = False, reason: str = ""
) -> ResultList:
    """Enter many results at once, all or none: one board on each line (`result_entry.read_list`).

    A result that stands already is skipped. A different one is refused, or replaced with `correct` and a reason.
    """
    found = read_list(file.refresh(), number, text, correct=correct, reason=reason)
    if found.actions:
        file.do(*found.actions, by=by, reason=reason)
    return found


def correct(
    file: EventFile, number: int, board: int, result: str | Result | None, *, by: str, reason: str,
    cause: Cause | None = None,
) -> PairedGame:  # fmt: skip
    """Correct a result; None takes it back while no later round is paired. The old result stays in the log."""
    found = None if result is None else _result(file, result, cause)
    return file.do(do.Correct(number, board, found), by=by, reason=reason).round(number).game(board)


def _result(file: EventFile, result: str | Result, cause: Cause | None) -> Result:
    """The result that was given. A match must be complete; logs of older versions may hold incomplete ones."""
    settings = file.refresh().event
    if isinstance(result, str):
        return read_entry(result, settings, cause=cause)
    check_whole(result, settings)
    return result


def attach(file: EventFile, number: int, board: int, records: Sequence[str], *, by: str) -> PairedGame:
    """Attach the game records of a pairing, one for each set; they must agree with its result."""
    state = file.refresh()
    check_records(state, state.round(number).game(board), records)
    return file.do(do.Attach(number, board, tuple(records)), by=by).round(number).game(board)


def record_protocol(file: EventFile, number: int, board: int, lines: Iterable[bytes], *, by: str) -> PairedGame:
    """Enter the result and the warnings that the referee's log of a game holds."""
    state = file.refresh()
    result, warnings = read_protocol(state, lines)
    check_whole(result, state.event)
    game = state.round(number).game(board)
    wanted: list[do.AnyAction | tuple[do.AnyAction, str]] = [
        (do.GiveWarning(player), why)
        for player, reasons in zip((game.white, game.black), warnings, strict=True)
        for why in reasons
    ]
    return file.do(*wanted, do.EnterResult(number, board, result), by=by, after=state).round(number).game(board)


def choose(file: EventFile, number: int, board: int, *, by: str, special: bool = True) -> PairedGame:
    """Choose a game for the special board (WNG-TK §VIII), or undo the choice."""
    return file.do(do.Choose(number, board, special), by=by).round(number).game(board)


def publish(file: EventFile, *, by: str) -> tuple[Row, ...]:
    """Publish the standings after the rounds played so far; `audit.check` compares them with the log later."""
    state = file.refresh()
    rounds = len(state.rounds) if state.complete else len(state.rounds) - 1
    rows = standings(state, rounds=rounds)
    file.do(do.Publish(rounds, state.event.tiebreaks, rows), by=by, after=state)
    return rows
