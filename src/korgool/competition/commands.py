"""The commands of an arbiter, one function each: enter, pair, record, correct, warn, publish and so on.

Every function writes to the log of an event and returns once that is kept for good. Players are named by their number
or their name as one searches it (`languages/name_search.py`). A command that is not allowed raises CompetitionError and
changes nothing.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from typing import Any

import korgool.competition.actions as do
from korgool.competition.eligibility import same_person
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.log.group_actions import joining
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
from korgool.competition.people_index import name_key, people_index
from korgool.competition.result import Cause, Result
from korgool.competition.result_entry import ResultList, check_whole, read_entry, read_list
from korgool.competition.result_sources import check_records, read_protocol
from korgool.competition.standings import standings
from korgool.competition.storage.book import Book
from korgool.competition.text_cleaning import clean
from korgool.languages import N_
from korgool.languages.name_search import matches

Reference = int | str
"""A player's number, or their name as `EventState.player` finds it."""


def enter(book: Book, entry: Entry, personal: Personal | None = None, *, by: str, namesake: bool = False) -> Player:
    """Enter a player (WNG-TK §XIII); personal data is kept apart from the log.

    `namesake` says that they are not the player of the same name who is entered already.
    """
    with book.together():
        state = book.do(do.Enter(_cleaned(entry), namesake), by=by)
        player = state.players[max(state.players)]
        if personal is not None and personal != Personal():
            book.set_personal(player.id, personal)
    return player


def enter_all(book: Book, entries: Sequence[tuple[Entry, Personal | None]], *, by: str) -> tuple[Player, ...]:
    """Enter many players with their personal data, all or none; who is known from another group joins this one."""
    before = book.refresh()
    with book.together():
        entering = (_entering(before, _cleaned(entry)) for entry, _ in entries)
        state = book.do(*entering, by=by, after=book.state)
        added = tuple(player for id_, player in state.players.items() if id_ not in before.players)
        for player, (_, personal) in zip(added, entries, strict=True):
            if personal is not None and personal != Personal():
                book.set_personal(player.id, personal)
    return added


def _entering(state: EventState, entry: Entry) -> do.Enter | do.Join:
    if state.elsewhere:
        for player in people_index(state.elsewhere).alike(entry):
            if same_person(player.entry, entry):
                return joining(player.id, entry)
    return do.Enter(entry)


def amend(book: Book, player: Reference, entry: Entry, *, by: str, reason: str = "") -> Player:
    """Replace the entry of a player."""
    id_ = book.refresh().player(player).id
    return book.do(do.Amend(id_, _cleaned(entry)), by=by, reason=reason).players[id_]


def _cleaned(entry: Entry) -> Entry:
    """An entry without invisible characters, as the readers of lists make theirs.

    Raises:
        CompetitionError: a text holds a control character, or the family name nothing that can be seen.
    """
    texts: dict[str, Any] = {
        one.name: clean(text) for one in fields(entry) if isinstance(text := getattr(entry, one.name), str)
    }
    groups = tuple(filter(None, map(clean, entry.groups)))
    if not all(text.isprintable() for text in (*texts.values(), *groups)):
        raise CompetitionError(N_("The text holds a control character."))
    return replace(entry, **texts, groups=groups)


def forget(book: Book, player: Reference | None = None, *, by: str, reason: str = "") -> int:
    """Remove the name of a player, or of all, and all else that is not public, for good; returns how many it was.

    Players and results stay, as numbers (`Book.forget`).
    """
    return book.forget(None if player is None else book.refresh().player(player).id, by=by, reason=reason)


def change(book: Book, settings: Settings, *, by: str, reason: str = "") -> EventState:
    """Change the regulations. The game and the system cannot change once a round is paired."""
    return book.do(do.Change(settings), by=by, reason=reason)


def withdraw(book: Book, player: Reference, *, by: str, reason: str = "") -> Player:
    """Withdraw a player from the event."""
    id_ = book.refresh().player(player).id
    return book.do(do.Withdraw(id_), by=by, reason=reason).players[id_]


def readmit(book: Book, player: Reference, *, by: str, reason: str = "") -> Player:
    """Let a player who withdrew come back."""
    id_ = book.refresh().player(player).id
    return book.do(do.Readmit(id_), by=by, reason=reason).players[id_]


def miss(
    book: Book, player: Reference, number: int, *, by: str, kind: ByeKind = ByeKind.HALF, reason: str = ""
) -> Player:
    """Give a player a bye in a coming round, by default a half-point bye."""
    id_ = book.refresh().player(player).id
    return book.do(do.Miss(id_, Absence(number, kind)), by=by, reason=reason).players[id_]


def attend(book: Book, player: Reference, number: int, *, by: str) -> Player:
    """Cancel a player's bye in a coming round."""
    id_ = book.refresh().player(player).id
    return book.do(do.Attend(id_, number), by=by).players[id_]


def correct_bye(book: Book, competitor: Reference, number: int, kind: ByeKind, *, by: str, reason: str) -> Round:
    """Replace the bye of a player, or in a team event of a team, in a round that is paired."""
    state = book.refresh()
    one = state.team(competitor) if state.event.system.of_teams else state.player(competitor)
    return book.do(do.CorrectBye(number, one.id, kind), by=by, reason=reason).round(number)


def set_team(book: Book, team: Team, *, by: str) -> Team:
    """Enter a team (its id is 0), or replace the one with its id."""
    state = book.do(do.SetTeam(team), by=by)
    return state.teams[team.id or max(state.teams)]


def warn(book: Book, player: Reference, *, by: str, reason: str) -> Player:
    """Warn a player; the third warning costs a point at once, the fourth excludes (WNG-TK §XIV)."""
    id_ = book.refresh().player(player).id
    return book.do(do.GiveWarning(id_), by=by, reason=reason).players[id_]


def penalise(book: Book, player: Reference, half_points: int, *, by: str, reason: str) -> Player:
    """Take half points from a player; a negative number gives them back."""
    id_ = book.refresh().player(player).id
    return book.do(do.Penalise(id_, half_points), by=by, reason=reason).players[id_]


def exclude(book: Book, player: Reference, *, by: str, reason: str) -> Player:
    """Exclude a player from the event."""
    id_ = book.refresh().player(player).id
    return book.do(do.Exclude(id_), by=by, reason=reason).players[id_]


def reinstate(book: Book, player: Reference, *, by: str, reason: str) -> Player:
    """End an exclusion that was a mistake, from the next round on."""
    id_ = book.refresh().player(player).id
    return book.do(do.Reinstate(id_), by=by, reason=reason).players[id_]


def cancel_warning(book: Book, player: Reference, warning: int, *, by: str, reason: str) -> Player:
    """Cancel a warning that was a mistake, with what followed from it, from the next round on; they count from 1."""
    id_ = book.refresh().player(player).id
    return book.do(do.CancelWarning(id_, warning), by=by, reason=reason).players[id_]


def appoint(book: Book, name: str, role: Role, *, by: str, category: str = "", federation: str = "") -> Official:
    """Appoint an official (WNG-TK §XIV)."""
    state = book.do(do.Appoint(name, role, category, federation), by=by)
    return state.officials[max(state.officials)]


def dismiss(book: Book, name: str, *, by: str, reason: str) -> Official:
    """Exclude an official from the body of referees (WNG-TK §XIV), from all offices that they hold.

    Raises:
        CompetitionError: no official is meant by this name, or several may be.
    """
    held = [one for one in book.refresh().officials.values() if not one.excluded]
    found = matches(clean(name), ((one, one.name) for one in held))
    if not found:
        raise CompetitionError(N_("there is no official {name!r}"), name=name)
    if len(names := {name_key(one.name): one.name for one in found}) > 1:
        listed = "; ".join(names.values())
        raise CompetitionError(N_("{text!r} may be any of {listed}; give the whole name"), text=name, listed=listed)
    state = book.do(*(do.Dismiss(one.id) for one in found), by=by, reason=reason)
    return state.officials[found[0].id]


def lend(book: Book, number: int, board: int, borrower: str, *, by: str) -> LentForm:
    """Lend the record form of a game (WNG-TK §VIII)."""
    state = book.do(do.Lend(number, board, borrower), by=by)
    return state.forms[max(state.forms)]


def take_back(book: Book, form: int, *, by: str, lost: bool = False, spoiled: bool = False) -> LentForm:
    """Note that a lent form came back, was lost, or came back spoiled."""
    became = do.TakeBack(form, "lost" if lost else "spoiled" if spoiled else "returned")
    return book.do(became, by=by).forms[form]


def pair(book: Book, *, by: str, lot: str | None = None, engine: PairingEngine = ISOLATED) -> Round:
    """Pair and publish the next round.

    Before the first round, the players get their pairing numbers and the lot decides the colours of the first board.

    Args:
        book: the event.
        by: the official.
        lot: the seed of the lot, to repeat a draw; by default an unpredictable one.
        engine: what pairs a Swiss event; by default gacrux in a process of its own.
    """
    held = book.refresh()
    return book.do(*next_pairing(held, lot=lot, engine=engine), by=by, after=held).rounds[-1]


def next_pairing(held: EventState, *, lot: str | None = None, engine: PairingEngine = ISOLATED) -> list[do.AnyAction]:
    """Compute the action of `pair` without writing it: the same event and lot give the same, so it can be shown first.

    Raises:
        CompetitionError: the next round cannot be paired.
    """
    number = len(held.rounds) + 1
    if number > held.event.rounds:
        raise CompetitionError(N_("the event has {rounds} rounds, all are paired"), rounds=held.event.rounds)
    if not held.complete:
        boards = ", ".join(map(str, held.rounds[-1].missing[:20]))
        raise CompetitionError(
            N_("round {number} lacks the results of boards {boards}"), number=number - 1, boards=boards
        )
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
        if not (game.white and game.black):  # a team left this board empty
            points = (2, 0) if game.white else (0, 2)
            wanted.append(do.EnterResult(number, game.board, Result(*points, cause="forfeit")))
    return wanted


def unpair(book: Book, number: int, *, by: str, reason: str) -> EventState:
    """Take back the last round before it has results. Later entries and withdrawals count when it is paired again."""
    return book.do(do.Unpair(number, rewinds=True), by=by, reason=reason)


def repair(
    book: Book, pairings: Iterable[tuple[Reference, Reference]], *, by: str, reason: str,
    byes: Iterable[tuple[Reference, ByeKind]] = (), number: int | None = None,
) -> tuple[Round, tuple[str, ...]]:  # fmt: skip
    """Replace the pairings of a round by hand. Two players who meet both before and after keep their result.

    Args:
        book: the event.
        pairings: White and Black of every board, in order.
        by: the official.
        reason: for the log.
        byes: players without an opponent.
        number: the round, by default the last.

    Returns:
        The round, marked as manual, and doubts about it, such as rematches, colours and second byes.
    """
    state = book.refresh()
    games = tuple(
        PairedGame(board, state.player(white).id, state.player(black).id)
        for board, (white, black) in enumerate(pairings, 1)
    )
    given = tuple(Bye(state.player(player).id, kind) for player, kind in byes)
    return _repair(book, state, _round(state, number), games, given, by=by, reason=reason)


def _round(state: EventState, number: int | None) -> Round:
    if not state.rounds:
        raise CompetitionError(N_("no round is paired"))
    return state.round(number or len(state.rounds))


def _repair(
    book: Book,
    state: EventState,
    held: Round,
    games: Sequence[PairedGame],
    byes: Sequence[Bye],
    *,
    by: str,
    reason: str,
) -> tuple[Round, tuple[str, ...]]:
    action = do.Repair(tuple(games), tuple(byes), held.matches, held.number)
    after = book.do(action, by=by, reason=reason, after=state)
    return after.round(held.number), pairing_notes(after, held.number)


def pair_by_hand(
    book: Book, pairings: Iterable[tuple[Reference, Reference]], *, by: str, reason: str,
    byes: Iterable[tuple[Reference, ByeKind]] = (),
) -> tuple[Round, tuple[str, ...]]:  # fmt: skip
    """Pair and publish the next round by hand, as the chief referee does when no legal pairing is left.

    Arguments and return value are those of `repair`. Team matches cannot be paired by hand.
    """
    state = book.refresh()
    if state.event.system.of_teams:
        raise CompetitionError(N_("matches of teams are not paired by hand"))
    games = tuple(
        PairedGame(board, state.player(white).id, state.player(black).id)
        for board, (white, black) in enumerate(pairings, 1)
    )
    given = tuple(Bye(state.player(player).id, kind) for player, kind in byes)
    number = len(state.rounds) + 1
    after = book.do(
        do.Pair(number, games, given, (), do.BY_HAND),
        do.Repair(games, given, (), number),
        by=by,
        reason=reason,
        after=state,
    )
    return after.rounds[-1], pairing_notes(after, number)


def swap(
    book: Book, one: Reference, other: Reference, *, by: str, reason: str, number: int | None = None
) -> tuple[Round, tuple[str, ...]]:
    """Exchange two players in a round by hand, by default in the last one. Returns what `repair` returns.

    Two opponents exchange colours and keep their result. Otherwise a result stays at its board.
    """
    state = book.refresh()
    held, ids = _round(state, number), (state.player(one).id, state.player(other).id)
    if ids[0] == ids[1]:
        raise CompetitionError(N_("name two different players"))
    put = {ids[0]: ids[1], ids[1]: ids[0]}
    games = []
    for game in held.games:
        white, black = put.get(game.white, game.white), put.get(game.black, game.black)
        met = {white, black} == {game.white, game.black}
        games.append(PairedGame(game.board, white, black, None if met else game.result))
    byes = [Bye(put.get(bye.player, bye.player), bye.kind) for bye in held.byes]
    return _repair(book, state, held, games, byes, by=by, reason=reason)


def seat(book: Book, white: Reference, black: Reference, *, by: str, reason: str) -> tuple[Round, tuple[str, ...]]:
    """Pair two players who have a bye in the last round or were entered since at a new board; returns as `repair`."""
    state = book.refresh()
    held, ids = _round(state, None), (state.player(white).id, state.player(black).id)
    games = [PairedGame(game.board, game.white, game.black) for game in held.games]
    byes = [bye for bye in held.byes if bye.player not in ids]
    return _repair(book, state, held, [*games, PairedGame(len(games) + 1, *ids)], byes, by=by, reason=reason)


def fill(
    book: Book, board: int, player: Reference, *, by: str, reason: str, number: int | None = None
) -> tuple[Round, tuple[str, ...]]:
    """Put a player on a board that their team had left empty; the result stays and can be corrected.

    Returns what `repair` returns.
    """
    state = book.refresh()
    held, id_ = _round(state, number), state.player(player).id
    game = held.game(board)
    if game.white and game.black:
        raise CompetitionError(N_("board {board} has two players; exchange one of them"), board=board)
    filled = replace(game, white=game.white or id_, black=game.black or id_, records=(), special=False)
    games = [filled if one.board == board else PairedGame(one.board, one.white, one.black) for one in held.games]
    return _repair(book, state, held, games, held.byes, by=by, reason=reason)


def undo(book: Book, line: int, *, by: str, reason: str) -> EventState:
    """Take back a line of the log on which no later line depends. The line stays, and this can be taken back in turn.

    If the line entered a player, their personal data is removed for good.
    """
    known = book.refresh().players
    with book.together():
        state = book.do(do.Undo(line), by=by, reason=reason)
        for id_ in known.keys() - state.players.keys():
            book.remove_personal(id_, by=by, reason=reason)
    return state


def record(
    book: Book, number: int, board: int, result: str | Result, *, by: str, cause: Cause | None = None
) -> PairedGame:
    """Enter the result of a game, such as `1 (82) - 0 (60)` (WNG-TK §IX)."""
    found = _result(book, result, cause)
    return book.do(do.EnterResult(number, board, found), by=by).round(number).game(board)


def record_list(book: Book, number: int, text: str, *, by: str, correct: bool = False, reason: str = "") -> ResultList:
    """Enter many results at once, all or none: one board on each line (`result_entry.read_list`).

    A result that stands already is skipped. A different one is refused, or replaced with `correct` and a reason.
    """
    found = read_list(book.refresh(), number, text, correct=correct, reason=reason)
    if found.actions:
        book.do(*found.actions, by=by, reason=reason)
    return found


def correct(
    book: Book, number: int, board: int, result: str | Result | None, *, by: str, reason: str,
    cause: Cause | None = None,
) -> PairedGame:  # fmt: skip
    """Correct a result; None takes it back while no later round is paired. The old result stays in the log."""
    found = None if result is None else _result(book, result, cause)
    return book.do(do.Correct(number, board, found), by=by, reason=reason).round(number).game(board)


def dispute(book: Book, number: int, board: int, result: str | Result | None, *, by: str) -> PairedGame:
    """Say that a game has ended otherwise than its result says, or with None that it is still being played."""
    found = None if result is None else _result(book, result, None)
    return book.do(do.Dispute(number, board, found), by=by).round(number).game(board)


def settle(book: Book, number: int, board: int, *, by: str, reason: str = "") -> PairedGame:
    """Say that a disputed result stays as it is."""
    return book.do(do.Settle(number, board), by=by, reason=reason).round(number).game(board)


def _result(book: Book, result: str | Result, cause: Cause | None) -> Result:
    """The result that was given. A match must be complete; logs of older versions may hold incomplete ones."""
    settings = book.refresh().event
    if isinstance(result, str):
        return read_entry(result, settings, cause=cause)
    check_whole(result, settings)
    return result


def attach(book: Book, number: int, board: int, records: Sequence[str], *, by: str) -> PairedGame:
    """Attach the game records of a pairing, one for each set; they must agree with its result."""
    state = book.refresh()
    check_records(state, state.round(number).game(board), records)
    return book.do(do.Attach(number, board, tuple(records)), by=by).round(number).game(board)


def record_protocol(book: Book, number: int, board: int, lines: Iterable[bytes], *, by: str) -> PairedGame:
    """Enter the result and the warnings that the referee's log of a game holds."""
    state = book.refresh()
    result, warnings = read_protocol(state, lines)
    check_whole(result, state.event)
    game = state.round(number).game(board)
    wanted: list[do.AnyAction | tuple[do.AnyAction, str]] = [
        (do.GiveWarning(player), why)
        for player, reasons in zip((game.white, game.black), warnings, strict=True)
        for why in reasons
    ]
    return book.do(*wanted, do.EnterResult(number, board, result), by=by, after=state).round(number).game(board)


def choose(book: Book, number: int, board: int, *, by: str, special: bool = True) -> PairedGame:
    """Choose a game for the special board (WNG-TK §VIII), or undo the choice."""
    return book.do(do.Choose(number, board, special), by=by).round(number).game(board)


def publish(book: Book, *, by: str) -> tuple[Row, ...]:
    """Publish the standings after the rounds played so far; `audit.check` compares them with the log later."""
    state = book.refresh()
    rounds = len(state.rounds) if state.complete else len(state.rounds) - 1
    rows = standings(state, rounds=rounds)
    book.do(do.Publish(rounds, state.event.tiebreaks, rows), by=by, after=state)
    return rows
