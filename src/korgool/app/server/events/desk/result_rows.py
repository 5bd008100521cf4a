"""The boards of a round as the grid shows them: who plays, what stands, and what was typed but not entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from korgool.app.words.event_texts import half, halves_said
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame, Player
from korgool.competition.pairing.engine_file import pairing_points
from korgool.competition.result import Cause, Result
from korgool.competition.result_entry import entry_text


@dataclass(frozen=True, slots=True)
class BoardSide:
    """A side of a board.

    Attributes:
        id: the player's, 0 where a team has nobody.
        number: their pairing number.
        name: as lists have it.
        points: before the round, in points.
    """

    id: int
    number: int = 0
    name: str = ""
    points: str = ""


@dataclass(frozen=True, slots=True)
class EndingChoice:
    """A possible ending of a game that was not played to its end.

    Attributes:
        name: as `words.games.REASONS` has it.
        text: the result as it is typed; where the stones are not known yet, what stands before and behind them.
    """

    name: str
    text: str


ENDINGS: Final = (
    EndingChoice("resignation black", "0-1 {} resignation"),
    EndingChoice("resignation white", "1-0 {} resignation"),
    EndingChoice("time black", "0-1 {} time"),
    EndingChoice("time white", "1-0 {} time"),
    EndingChoice("agreement draw", "= {} agreement"),
)
"""Endings that buttons offer: first a loss of White."""


def ending_choices(stones: tuple[int, int], cause: Cause | None) -> tuple[EndingChoice, ...]:
    """The possible endings of a game with these stones, limited to a cause if that is known."""
    found = [one for one in ENDINGS if cause is None or one.name.startswith(f"{cause} ")]
    return tuple(EndingChoice(one.name, one.text.format("{}-{}".format(*stones))) for one in found)


@dataclass(frozen=True, slots=True)
class RowProblem:
    """The reason for which a typed result is not entered.

    Attributes:
        kind: `unread`, it is no result; `reason`, another result stands, and it needs a reason to change it; `other`,
            somebody else has changed the board meanwhile; `disputed`, it contradicts the result of somebody else, and
            the log holds it; `refused`, anything else.
        typed: what was typed.
        said: the reason.
        by: who has changed it.
        reason: the reason that was typed.
        choices: how the game can have ended, where the stones do not tell the winner.
    """

    kind: Literal["unread", "reason", "other", "disputed", "refused"]
    typed: str
    said: str = ""
    by: str = ""
    reason: str = ""
    choices: tuple[EndingChoice, ...] = ()


@dataclass(frozen=True, slots=True)
class Statement:
    """The ending of a disputed game according to an official.

    Attributes:
        typed: the result as it is typed; empty where the game is still being played.
        shown: the result as protocols write it.
        ended: why the game ended, where the stones do not tell, as `words.names.REASONS` has it.
        by: the official; empty where that is not known.
    """

    typed: str
    shown: str
    ended: str
    by: str


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A row of the grid.

    Attributes:
        board: its number.
        match: the table of a team match that begins here, otherwise 0.
        white, black: who plays.
        typed: the result as it is typed; empty while they play.
        shown: the result as protocols write it.
        ended: why the game ended, where the stones do not tell, as `words.games.REASONS` has it.
        special: whether it was chosen for the special board.
        records: how many game records are attached.
        open: whether the official may enter it.
        trouble: what was typed and is not entered.
        disputed: what officials say of a disputed game, first whoever entered the result that stands; empty otherwise.
        reported: what the players say by phone of a game without a result; `by` is the colour.
        photos: the colours from whose seats there are photographs of scoresheets.
    """

    board: int
    match: int
    white: BoardSide
    black: BoardSide
    typed: str
    shown: str
    ended: str
    special: bool
    records: int
    open: bool
    trouble: RowProblem | None = None
    disputed: tuple[Statement, ...] = ()
    reported: tuple[Statement, ...] = ()
    photos: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dependents:
    """Pairings and tables that rest on the results of a round.

    Attributes:
        rounds: rounds that were paired with it and stay as they are.
        tables: rounds after which standings were published that it changes.
    """

    rounds: tuple[int, ...]
    tables: tuple[int, ...]


def dependents_of(state: EventState, number: int) -> Dependents:
    """Find the pairings and tables that rest on the results of a round."""
    return Dependents(
        tuple(range(number + 1, len(state.rounds) + 1)), tuple(sorted(at for at in state.published if at >= number))
    )


def board_rows(
    state: EventState,
    number: int,
    open_: Mapping[int, bool] | None = None,
    troubles: Mapping[int, RowProblem] | None = None,
    only: Sequence[int] | None = None,
    language: str = "",
    said_by: Mapping[int, Sequence[str]] | None = None,
) -> list[BoardRow]:
    """The rows of a round, in the order of its boards.

    Args:
        state: the event.
        number: the round.
        open_: whether the official may enter a board; by default all.
        troubles: what was typed and is not entered, by board.
        only: the boards that are wanted; by default all.
        language: in which results are typed.
        said_by: who said how disputed games have ended, by board; see `LiveEvent.said_by`.
    """
    one = state.round(number)
    points = {} if state.event.system.of_teams else _points(_PointsKey(state, number))
    begins = {min(match.boards): match.table for match in one.matches if match.boards}
    wanted = one.games if only is None else [one.game(board) for board in only]
    return [
        _row(
            state,
            game,
            points,
            begins.get(game.board, 0),
            open_ is None or open_.get(game.board, False),
            (troubles or {}).get(game.board),
            language,
            _disputed(state, number, game, (said_by or {}).get(game.board, ()), language),
            tuple(
                Statement(_typed(state, one.result, language), _shown(one.result), _ended(one.result), one.side)
                for one in state.reports.get((number, game.board), ())
            ),
        )
        for game in wanted
    ]


def _disputed(
    state: EventState, number: int, game: PairedGame, names: Sequence[str], language: str
) -> tuple[Statement, ...]:
    said = state.disputes.get((number, game.board), ())
    if not said:
        return ()
    known = [*names, *("" for _ in range(1 + len(said)))]  # the names may be of a moment later
    return tuple(
        Statement(_typed(state, one, language), _shown(one), _ended(one), by)
        for one, by in zip((game.result, *said), known, strict=False)
    )


class _PointsKey:
    """An event before a round; equal to another one as long as nothing has changed that the points then rest on.

    States share what an action leaves as it was, and a result that is entered leaves all of this.
    """

    def __init__(self, state: EventState, number: int) -> None:
        self.state, self.number = state, number
        self.parts = (state.event, state.players, *state.rounds[: number - 1])

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.parts)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _PointsKey) or len(self.parts) != len(other.parts):
            return False
        return all(one is two for one, two in zip(self.parts, other.parts, strict=True))


@lru_cache(maxsize=32)
def _points(before: _PointsKey) -> Mapping[int, int]:
    return pairing_points(before.state, before.number)


def _row(
    state: EventState,
    game: PairedGame,
    points: Mapping[int, int],
    match: int,
    open_: bool,
    trouble: RowProblem | None,
    language: str,
    disputed: tuple[Statement, ...],
    reported: tuple[Statement, ...],
) -> BoardRow:
    result = game.result
    return BoardRow(
        board=game.board,
        match=match,
        white=_seat(state.players.get(game.white), points),
        black=_seat(state.players.get(game.black), points),
        typed=_typed(state, result, language),
        shown=_shown(result),
        ended=_ended(result),
        special=game.special,
        records=len(game.records),
        open=open_ and bool(game.white and game.black),
        trouble=trouble,
        disputed=disputed,
        reported=reported,
    )


def _typed(state: EventState, result: Result | None, language: str) -> str:
    return "" if result is None else entry_text(result, state.event, language)


def _shown(result: Result | None) -> str:
    return "" if result is None else halves_said(result.full_text)


def _ended(result: Result | None) -> str:
    if result is None or result.cause in ("board", "forfeit", "unknown", "no_move"):
        return ""
    winner = {(2, 0): "white", (0, 2): "black"}.get((result.white, result.black), "draw")
    return f"{result.cause} {winner}"


def _seat(player: Player | None, points: Mapping[int, int]) -> BoardSide:
    if player is None:
        return BoardSide(0)
    held = points.get(player.id)
    return BoardSide(player.id, player.number, player.name, "" if held is None else half(held))
