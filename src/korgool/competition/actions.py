"""What officials do, as values: the log of an event is a list of these, and nothing else is the truth of it.

Each is stored with its time, the official who did it and, where the rules ask for one, the reason. An action names
players by their permanent id. Nothing personal stands here: `Personal` is kept apart, so that it can be removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, cast

from korgool.competition.model import Absence, Bye, Entry, PairedGame, Role, Row, Settings, Team, TeamMatch
from korgool.competition.result import Result


@dataclass(frozen=True, slots=True)
class Action:
    """The base of all actions; in JSON the member `do` tells which it is."""

    do: ClassVar[str]


@dataclass(frozen=True, slots=True)
class Open(Action):
    """Begin an event. The first action of every log, and only there."""

    do: ClassVar[str] = "open"
    settings: Settings


@dataclass(frozen=True, slots=True)
class Change(Action):
    """Replace the settings; the game and the system stay once a round is paired."""

    do: ClassVar[str] = "change"
    settings: Settings


@dataclass(frozen=True, slots=True)
class Enter(Action):
    """Enter a player. After the first round he plays from the next round on.

    `namesake` tells that he is another person than the one whom the same name would make him be.
    """

    do: ClassVar[str] = "enter"
    entry: Entry
    namesake: bool = False


@dataclass(frozen=True, slots=True)
class Amend(Action):
    """Replace what is known of a player."""

    do: ClassVar[str] = "amend"
    player: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class Withdraw(Action):
    """A player leaves; he is not paired from the next round on."""

    do: ClassVar[str] = "withdraw"
    player: int


@dataclass(frozen=True, slots=True)
class Readmit(Action):
    """A player who withdrew comes back, from the next round on. An exclusion stays."""

    do: ClassVar[str] = "readmit"
    player: int


@dataclass(frozen=True, slots=True)
class Miss(Action):
    """A player asks to miss a round that is not paired yet: a half-point, full-point or zero-point bye."""

    do: ClassVar[str] = "miss"
    player: int
    absence: Absence


@dataclass(frozen=True, slots=True)
class Attend(Action):
    """A player takes back his wish to miss a round that is not paired yet."""

    do: ClassVar[str] = "attend"
    player: int
    round: int


@dataclass(frozen=True, slots=True)
class Exclude(Action):
    """The chief referee excludes a player."""

    do: ClassVar[str] = "exclude"
    player: int


@dataclass(frozen=True, slots=True)
class GiveWarning(Action):
    """A warning (WNG-TK §XIV): the third takes a point at once, the fourth excludes."""

    do: ClassVar[str] = "warn"
    player: int


@dataclass(frozen=True, slots=True)
class Penalise(Action):
    """Take half points from a player, or with a negative number give them back."""

    do: ClassVar[str] = "penalise"
    player: int
    half_points: int


@dataclass(frozen=True, slots=True)
class SetTeam(Action):
    """Enter a team or replace one: `team.id` 0 enters a new one."""

    do: ClassVar[str] = "team"
    team: Team


@dataclass(frozen=True, slots=True)
class Appoint(Action):
    """Name an official."""

    do: ClassVar[str] = "appoint"
    name: str
    role: Role
    category: str = ""
    federation: str = ""


@dataclass(frozen=True, slots=True)
class Dismiss(Action):
    """Exclude an official who took a decision that was not objective (WNG-TK §XIV)."""

    do: ClassVar[str] = "dismiss"
    official: int


@dataclass(frozen=True, slots=True)
class Seed(Action):
    """Give pairing numbers: `order` holds the ids of the competitors, players or teams, the first gets number 1.

    `white` tells whether the lot gave White on the first board to number 1; `lot` is the seed it was drawn with.
    """

    do: ClassVar[str] = "seed"
    order: tuple[int, ...]
    white: bool
    lot: str = ""


@dataclass(frozen=True, slots=True)
class Pair(Action):
    """Publish a round as it was paired by `engine` (its name and version)."""

    do: ClassVar[str] = "pair"
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


@dataclass(frozen=True, slots=True)
class Repair(Action):
    """Replace the pairings of a round by hand. It is logged and marked as manual.

    Two who met before and after keep their result, each his own also when they exchange colours. A board whose players
    are others may bring a result, which is the one that was entered for the board. `round` 0 is the last one, which has
    no results yet; only logs of older versions hold it.
    """

    do: ClassVar[str] = "repair"
    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    round: int = 0


@dataclass(frozen=True, slots=True)
class Unpair(Action):
    """Take back the last round, before it has results.

    Who came, left or was punished since it was paired did so before the round that will be paired in its place, if
    `rewinds`; only logs of older versions hold it false.
    """

    do: ClassVar[str] = "unpair"
    round: int
    rewinds: bool = False


@dataclass(frozen=True, slots=True)
class EnterResult(Action):
    """Enter the result of a game that has none."""

    do: ClassVar[str] = "result"
    round: int
    board: int
    result: Result


@dataclass(frozen=True, slots=True)
class Correct(Action):
    """Replace the result of a game; None takes it back. The old one stays in the log."""

    do: ClassVar[str] = "correct"
    round: int
    board: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class Attach(Action):
    """Attach game records to a pairing, one a set, in any dialect; they replace those before."""

    do: ClassVar[str] = "attach"
    round: int
    board: int
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """Choose a game for the special board (WNG-TK §VIII), or no longer."""

    do: ClassVar[str] = "special"
    round: int
    board: int
    special: bool = True


@dataclass(frozen=True, slots=True)
class Lend(Action):
    """Lend the record form of a game (WNG-TK §VIII)."""

    do: ClassVar[str] = "lend"
    round: int
    board: int
    borrower: str


@dataclass(frozen=True, slots=True)
class TakeBack(Action):
    """What became of a lent form: returned, lost or spoiled. The penalty is an action of its own."""

    do: ClassVar[str] = "form"
    form: int
    state: Literal["returned", "lost", "spoiled"]


@dataclass(frozen=True, slots=True)
class Forget(Action):
    """Personal data of players was removed. The log keeps of whom, and nothing of what it was."""

    do: ClassVar[str] = "forget"
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Publish(Action):
    """Publish the standings after a round; the rows are kept for the audit. `tiebreaks` names their values."""

    do: ClassVar[str] = "publish"
    round: int
    tiebreaks: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Take back a line of the log on which no later line rests; it stays in the log. Also this can be taken back."""

    do: ClassVar[str] = "undo"
    line: int


AnyAction: TypeAlias = (
    Open | Change | Enter | Amend | Withdraw | Readmit | Miss | Attend | Exclude | GiveWarning | Penalise
    | SetTeam | Appoint | Dismiss | Seed | Pair | Repair | Unpair | EnterResult | Correct | Attach | Choose | Lend
    | TakeBack | Forget | Publish | Undo
)  # fmt: skip
"""Every action."""
ANY_ACTION: type[AnyAction] = cast("type[AnyAction]", AnyAction)
"""The same for the codec, which asks for a type."""


@dataclass(frozen=True, slots=True)
class Logged:
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
