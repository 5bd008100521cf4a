"""The actions of officials as values. The log of an event is a list of actions; everything else follows from it.

The log stores each action with its time, its official and, if one is needed, its reason. Actions name players by their
permanent id. Personal data must stay removable: `model.Personal` is in no action, and names, years of birth and reasons
are kept apart from the chain of hashes (`storage.sealing`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, cast

import korgool.competition.action_base as base
import korgool.competition.table_actions as table
import korgool.competition.wall_actions as wall
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Role, Row, Settings, Team, TeamMatch
from korgool.competition.result import Result

Action = base.Action
SetClock = wall.SetClock
Announce = wall.Announce
Silence = wall.Silence
Report = table.Report
Call = table.Call


@dataclass(frozen=True, slots=True)
class Open(Action):
    """Open an event: the first action of every log, and only there."""

    do: ClassVar[str] = "open"
    settings: Settings


@dataclass(frozen=True, slots=True)
class Change(Action):
    """Replace the settings. The game and the system cannot change once a round is paired."""

    do: ClassVar[str] = "change"
    settings: Settings


@dataclass(frozen=True, slots=True)
class Enter(Action):
    """Enter a player. After the first round they play from the next round on.

    `namesake` says that they are not the player of the same name who is entered already.
    """

    do: ClassVar[str] = "enter"
    entry: Entry
    namesake: bool = False


@dataclass(frozen=True, slots=True)
class Amend(Action):
    """Replace the entry of a player."""

    do: ClassVar[str] = "amend"
    player: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class SetPhoto(Action):
    """Log that a player has another photograph, of this salted digest, or with an empty one none any more.

    The photograph itself is personal data and in no action.
    """

    do: ClassVar[str] = "photo"
    player: int
    digest: str = ""


@dataclass(frozen=True, slots=True)
class Withdraw(Action):
    """A player leaves and is not paired from the next round on."""

    do: ClassVar[str] = "withdraw"
    player: int


@dataclass(frozen=True, slots=True)
class Readmit(Action):
    """A player who withdrew comes back from the next round on. Of an excluded player, `Reinstate` is needed."""

    do: ClassVar[str] = "readmit"
    player: int


@dataclass(frozen=True, slots=True)
class Miss(Action):
    """Give a player a half-point, full-point or zero-point bye in a round that is not paired yet."""

    do: ClassVar[str] = "miss"
    player: int
    absence: Absence


@dataclass(frozen=True, slots=True)
class Attend(Action):
    """Cancel a player's bye in a round that is not paired yet."""

    do: ClassVar[str] = "attend"
    player: int
    round: int


@dataclass(frozen=True, slots=True)
class Present(Action):
    """Note that players are there for a round, or with `here` false that they are not.

    Nothing follows from it: who does not come misses the round, or loses by forfeit, only if an official says so.
    """

    do: ClassVar[str] = "present"
    round: int
    players: tuple[int, ...]
    here: bool = True


@dataclass(frozen=True, slots=True)
class Exclude(Action):
    """Exclude a player, a decision of the chief referee."""

    do: ClassVar[str] = "exclude"
    player: int


@dataclass(frozen=True, slots=True)
class Reinstate(Action):
    """End an exclusion that was a mistake: the player is paired from the next round on; what was missed stays missed.

    If it followed from a fourth warning, that warning is cancelled.
    """

    do: ClassVar[str] = "reinstate"
    player: int


@dataclass(frozen=True, slots=True)
class GiveWarning(Action):
    """Warn a player (WNG-TK §XIV): the third warning costs a point at once, the fourth excludes."""

    do: ClassVar[str] = "warn"
    player: int


@dataclass(frozen=True, slots=True)
class CancelWarning(Action):
    """Cancel a warning that was a mistake; what followed from their number ends from the next round on.

    Below three warnings, the point of the third is given back; below four, the exclusion ends. `warning` counts from 1
    among those that the player has.
    """

    do: ClassVar[str] = "unwarn"
    player: int
    warning: int


@dataclass(frozen=True, slots=True)
class Penalise(Action):
    """Take half points from a player; a negative number gives them back."""

    do: ClassVar[str] = "penalise"
    player: int
    half_points: int


@dataclass(frozen=True, slots=True)
class SetTeam(Action):
    """Enter a team (`team.id` is 0) or replace one."""

    do: ClassVar[str] = "team"
    team: Team


@dataclass(frozen=True, slots=True)
class Appoint(Action):
    """Appoint an official of the event."""

    do: ClassVar[str] = "appoint"
    name: str
    role: Role
    category: str = ""
    federation: str = ""


@dataclass(frozen=True, slots=True)
class Dismiss(Action):
    """Exclude an official who made a biased decision (WNG-TK §XIV)."""

    do: ClassVar[str] = "dismiss"
    official: int


@dataclass(frozen=True, slots=True)
class Seed(Action):
    """Give pairing numbers: `order` holds the ids of the players or teams; the first gets number 1.

    `white` says whether the lot gave number 1 White on the first board; `lot` is the seed of the lot.
    """

    do: ClassVar[str] = "seed"
    order: tuple[int, ...]
    white: bool
    lot: str = ""


@dataclass(frozen=True, slots=True)
class Pair(Action):
    """Publish a round; `engine` is the name and version of what paired it."""

    do: ClassVar[str] = "pair"
    round: int
    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    engine: str = ""


BY_HAND = "by hand"
"""The engine of a round that an official paired; a `Repair` with the reason follows at once."""
IMPORTED = "TRF"
"""The engine of a round that comes from a tournament report."""
NOT_COMPUTED = (BY_HAND, IMPORTED)
"""Engines whose rounds cannot be paired again for comparison."""


@dataclass(frozen=True, slots=True)
class Repair(Action):
    """Replace the pairings of a round by hand; the round is marked as manual.

    Two players who meet both before and after keep their result, also if they exchange colours. A board with other
    players may bring the result that was entered for the board. `round` 0 means the last round, which has no results
    yet; only logs of older versions hold it.
    """

    do: ClassVar[str] = "repair"
    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    round: int = 0


@dataclass(frozen=True, slots=True)
class Unpair(Action):
    """Take back the last round before it has results.

    With `rewinds`, entries, withdrawals and penalties since then count when the round is paired again. It is false only
    in logs of older versions.
    """

    do: ClassVar[str] = "unpair"
    round: int
    rewinds: bool = False


@dataclass(frozen=True, slots=True)
class EnterResult(Action):
    """Enter the result of a game."""

    do: ClassVar[str] = "result"
    round: int
    board: int
    result: Result


@dataclass(frozen=True, slots=True)
class Correct(Action):
    """Replace the result of a game, or with None take it back. The old one stays in the log."""

    do: ClassVar[str] = "correct"
    round: int
    board: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class Dispute(Action):
    """Say that a game has ended otherwise than its result says, or with None that it is still being played.

    No table and no pairing follows: the result stands until an official corrects it, or settles that it stays.
    """

    do: ClassVar[str] = "dispute"
    round: int
    board: int
    result: Result | None


@dataclass(frozen=True, slots=True)
class Settle(Action):
    """Say that a disputed result stays as it is."""

    do: ClassVar[str] = "settle"
    round: int
    board: int


@dataclass(frozen=True, slots=True)
class CorrectBye(Action):
    """Replace the bye of a player, or in a team event of a team, in a round that is paired.

    Also of one who was not there, and so got no points. Later rounds stay as they are.
    """

    do: ClassVar[str] = "bye"
    round: int
    player: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class Attach(Action):
    """Attach game records to a pairing, one for each set, in any dialect; they replace the earlier ones."""

    do: ClassVar[str] = "attach"
    round: int
    board: int
    records: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choose(Action):
    """Choose a game for the special board (WNG-TK §VIII), or undo the choice."""

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
    """Record the return of a lent form: returned, lost or spoiled. A penalty is an action of its own."""

    do: ClassVar[str] = "form"
    form: int
    state: Literal["returned", "lost", "spoiled"]


@dataclass(frozen=True, slots=True)
class Forget(Action):
    """Log that personal data of some players was removed, and nothing of what it was.

    With `names`, their names and all else that the log held of them apart from its chain was removed too.
    """

    do: ClassVar[str] = "forget"
    players: tuple[int, ...]
    names: bool = False


@dataclass(frozen=True, slots=True)
class Publish(Action):
    """Publish the standings after a round. The audit compares `rows` later; `tiebreaks` names their values."""

    do: ClassVar[str] = "publish"
    round: int
    tiebreaks: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Undo(Action):
    """Take back a line of the log on which no later line depends. The line stays, and this action can be taken back."""

    do: ClassVar[str] = "undo"
    line: int


@dataclass(frozen=True, slots=True)
class AddGroup(Action):
    """Add a group to the event, which takes the next id, from 2.

    The first one parts the event: `first` names the group that was the whole event so far, which stays the first. With
    an empty `first` it goes, and nobody may have been entered.
    """

    do: ClassVar[str] = "group"
    name: str
    settings: Settings
    first: str = ""


@dataclass(frozen=True, slots=True)
class NameGroup(Action):
    """Give a group another name; `of` is its id, and 0 the whole event."""

    do: ClassVar[str] = "name-group"
    of: int
    name: str


@dataclass(frozen=True, slots=True)
class SetEmblem(Action):
    """Give the event the emblem of its organiser, or with an empty picture none.

    The picture is a JPEG in base64 (`emblem.emblem_text`).
    """

    do: ClassVar[str] = "emblem"
    picture: str = ""


@dataclass(frozen=True, slots=True)
class Join(Action):
    """Let somebody who is entered in another group take part in this one too.

    What is None stays as the entry has it; a rating, a team and a board in it may differ from group to group.
    """

    do: ClassVar[str] = "join"
    player: int
    rating: int | None = None
    team: str | None = None
    board: int | None = None


@dataclass(frozen=True, slots=True)
class TakeOver(Action):
    """Another machine leads the event from here on: it holds the log up to this line, of which `chain` is the hash."""

    do: ClassVar[str] = "take-over"
    machine: str
    chain: str


AnyAction: TypeAlias = (
    Open | Change | Enter | Amend | SetPhoto | Withdraw | Readmit | Miss | Attend | Present | Exclude | Reinstate
    | GiveWarning | CancelWarning | Penalise | SetTeam | Appoint | Dismiss | Seed | Pair | Repair | Unpair | EnterResult
    | Correct | Dispute | Settle | CorrectBye | Attach | Choose | Lend | TakeBack | Forget | Publish | AddGroup
    | NameGroup | SetEmblem | Report | Call | Join | TakeOver | SetClock | Announce | Silence | Undo
)  # fmt: skip
"""Union of all kinds of action."""
ANY_ACTION: type[AnyAction] = cast("type[AnyAction]", AnyAction)
"""The same for the codec, which asks for a type."""


@dataclass(frozen=True, slots=True)
class InGroup(Action):
    """An action in a group that is not the one looked at; a log holds it as the member `group` of its line.

    It is in no union, because nobody asks for it.
    """

    do: ClassVar[str] = "in"
    group: int
    action: AnyAction


WHOLE_EVENT: tuple[type[Action], ...] = (
    Open, Appoint, Dismiss, Forget, Undo, AddGroup, NameGroup, SetEmblem, TakeOver,
)  # fmt: skip
"""Actions that are of no group; all others are, and of the first one where they name none."""


@dataclass(frozen=True, slots=True)
class Logged:
    """A line of the log: an action with its circumstances.

    Attributes:
        at: the number of the line, from 1, without gaps.
        time: in UTC: `2026-09-14T10:05:00Z`.
        by: the official who did it.
        reason: why; empty unless one was needed or given.
        action: what was done.
    """

    at: int
    time: str
    by: str
    reason: str
    action: AnyAction


NEEDS_REASON: tuple[type[Action], ...] = (
    Exclude, Reinstate, GiveWarning, CancelWarning, Penalise, Dismiss, Repair, Unpair, Correct, CorrectBye, Undo,
)  # fmt: skip
"""Actions that need a reason."""
