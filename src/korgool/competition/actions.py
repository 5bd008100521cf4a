"""What officials do, as values: the log of an event is a list of these, and nothing else is the truth of it.

Each is stored with its time, the official who did it and, where the rules ask for one, the reason. An action names
players by their permanent id. Nothing personal stands here: `Personal` is kept apart, so that it can be removed.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from korgool.competition.model import Absence, Bye, Entry, PairedGame, Role, Row, Settings, Team, TeamMatch
from korgool.competition.result import Result


class Action(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag_field="do"):
    """The base of all actions; in JSON the field `do` tells which it is."""


class Open(Action, frozen=True, tag="open"):
    """Begin an event. The first action of every log, and only there."""

    settings: Settings


class Change(Action, frozen=True, tag="change"):
    """Replace the settings; the game and the system stay once a round is paired."""

    settings: Settings


class Enter(Action, frozen=True, tag="enter"):
    """Enter a player. After the first round he plays from the next round on.

    `namesake` tells that he is another person than the one whom the same name would make him be.
    """

    entry: Entry
    namesake: bool = False


class Amend(Action, frozen=True, tag="amend"):
    """Replace what is known of a player."""

    player: int
    entry: Entry


class Withdraw(Action, frozen=True, tag="withdraw"):
    """A player leaves; he is not paired from the next round on."""

    player: int


class Readmit(Action, frozen=True, tag="readmit"):
    """A player who withdrew comes back, from the next round on. An exclusion stays."""

    player: int


class Miss(Action, frozen=True, tag="miss"):
    """A player asks to miss a round that is not paired yet: a half-point, full-point or zero-point bye."""

    player: int
    absence: Absence


class Attend(Action, frozen=True, tag="attend"):
    """A player takes back his wish to miss a round that is not paired yet."""

    player: int
    round: int


class Exclude(Action, frozen=True, tag="exclude"):
    """The chief referee excludes a player."""

    player: int


class GiveWarning(Action, frozen=True, tag="warn"):
    """A warning (WNG-TK §XIV): the third takes a point at once, the fourth excludes."""

    player: int


class Penalise(Action, frozen=True, tag="penalise"):
    """Take half points from a player, or with a negative number give them back."""

    player: int
    half_points: int


class SetTeam(Action, frozen=True, tag="team"):
    """Enter a team or replace one: `team.id` 0 enters a new one."""

    team: Team


class Appoint(Action, frozen=True, tag="appoint"):
    """Name an official."""

    name: str
    role: Role
    category: str = ""
    federation: str = ""


class Dismiss(Action, frozen=True, tag="dismiss"):
    """Exclude an official who took a decision that was not objective (WNG-TK §XIV)."""

    official: int


class Seed(Action, frozen=True, tag="seed"):
    """Give pairing numbers: `order` holds the ids of the competitors, players or teams, the first gets number 1.

    `white` tells whether the lot gave White on the first board to number 1; `lot` is the seed it was drawn with.
    """

    order: tuple[int, ...]
    white: bool
    lot: str = ""


class Pair(Action, frozen=True, tag="pair"):
    """Publish a round as it was paired by `engine` (its name and version)."""

    round: int
    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    engine: str = ""


BY_HAND = "by hand"
"""What stands as the engine of a round that an official paired; a `Repair` with the reason follows at once."""
IMPORTED = "TRF"
"""What stands as the engine of a round that a report brought."""
NOT_COMPUTED = (BY_HAND, IMPORTED)
"""Engines that cannot pair a round again."""


class Repair(Action, frozen=True, tag="repair"):
    """Replace the pairings of a round by hand. It is logged and marked as manual.

    Two who met before and after keep their result, each his own also when they exchange colours. A board whose players
    are others may bring a result, which is the one that was entered for the board. `round` 0 is the last one, which has
    no results yet; only logs of older versions hold it.
    """

    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    round: int = 0


class Unpair(Action, frozen=True, tag="unpair"):
    """Take back the last round, before it has results.

    Who came, left or was punished since it was paired did so before the round that will be paired in its place, if
    `rewinds`; only logs of older versions hold it false.
    """

    round: int
    rewinds: bool = False


class EnterResult(Action, frozen=True, tag="result"):
    """Enter the result of a game that has none."""

    round: int
    board: int
    result: Result


class Correct(Action, frozen=True, tag="correct"):
    """Replace the result of a game; None takes it back. The old one stays in the log."""

    round: int
    board: int
    result: Result | None


class Attach(Action, frozen=True, tag="attach"):
    """Attach game records to a pairing, one a set, in any dialect; they replace those before."""

    round: int
    board: int
    records: tuple[str, ...]


class Choose(Action, frozen=True, tag="special"):
    """Choose a game for the special board (WNG-TK §VIII), or no longer."""

    round: int
    board: int
    special: bool = True


class Lend(Action, frozen=True, tag="lend"):
    """Lend the record form of a game (WNG-TK §VIII)."""

    round: int
    board: int
    borrower: str


class TakeBack(Action, frozen=True, tag="form"):
    """What became of a lent form: returned, lost or spoiled. The penalty is an action of its own."""

    form: int
    state: Literal["returned", "lost", "spoiled"]


class Forget(Action, frozen=True, tag="forget"):
    """Personal data of players was removed. The log keeps of whom, and nothing of what it was."""

    players: tuple[int, ...]


class Publish(Action, frozen=True, tag="publish"):
    """Publish the standings after a round; the rows are kept for the audit. `tiebreaks` names their values."""

    round: int
    tiebreaks: tuple[str, ...]
    rows: tuple[Row, ...]


class Undo(Action, frozen=True, tag="undo"):
    """Take back a line of the log on which no later line rests; it stays in the log. Also this can be taken back."""

    line: int


AnyAction: TypeAlias = (
    Open | Change | Enter | Amend | Withdraw | Readmit | Miss | Attend | Exclude | GiveWarning | Penalise
    | SetTeam | Appoint | Dismiss | Seed | Pair | Repair | Unpair | EnterResult | Correct | Attach | Choose | Lend
    | TakeBack | Forget | Publish | Undo
)  # fmt: skip
"""Every action."""


class Logged(msgspec.Struct, frozen=True):
    """A line of the log.

    Attributes:
        at: its place, from 1, without gaps.
        time: when, in UTC: `2026-09-14T10:05:00Z`.
        by: the official who did it.
        reason: why, where it was asked or given.
        action: what.
    """

    at: int
    time: str
    by: str
    reason: str
    action: AnyAction


NEEDS_REASON: tuple[type[Action], ...] = (Exclude, GiveWarning, Penalise, Dismiss, Repair, Unpair, Correct, Undo)
"""Actions that nobody takes without saying why."""
