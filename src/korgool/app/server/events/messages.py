"""Messages of the API of events: for officials, and the lines of standings and rounds, which `event_fields` makes."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from korgool.app.server.events.openapi_schemas import LOGGED
from korgool.app.server.http.openapi import refer
from korgool.competition.roles import DeskRole

Logged = Annotated[dict[str, Any], msgspec.Meta(extra_json_schema={"all_of": [refer(LOGGED)]})]


class StandingsLine(msgspec.Struct, frozen=True):
    """A competitor in the standings.

    Attributes:
        rank: place from 1; equal competitors share it.
        number: of the player or the team.
        points: penalties deducted.
        progress, buchholz, direct, korgools: these tie-breaks, whatever the order of the event.
        tiebreaks: all tie-breaks of the event by their codes.
    """

    rank: int
    number: int
    name: str
    points: float
    progress: float
    buchholz: float
    direct: float
    korgools: float
    tiebreaks: dict[str, float]


class WallClock(msgspec.Struct, frozen=True):
    """The clock of a round, in milliseconds.

    Attributes:
        group: empty in an event without groups.
        begins: since 1970.
        late: for how long after that late players may come.
        runs: whether the round is paired.
    """

    group: str
    round: int
    begins: int
    late: int
    runs: bool


class WallCall(msgspec.Struct, frozen=True):
    """An announcement.

    Attributes:
        id: within its group.
        group: from which it comes; empty in an event without groups.
        kind: `begin`, `arbiter` or `text`.
        text: in the reader's language.
        until: milliseconds since 1970.
    """

    id: int
    group: str
    kind: str
    boards: list[int]
    text: str
    until: int


class WallState(msgspec.Struct, frozen=True):
    """Answer with what runs in a hall.

    Attributes:
        now: the time of the server, in milliseconds since 1970.
        version: differs with everything that the wall shows.
    """

    now: int
    version: str
    clocks: list[WallClock]
    announcements: list[WallCall]


class LiveBoardLine(msgspec.Struct, frozen=True):
    """A board of the running round as readers see it, some time ago.

    Attributes:
        white, black: numbers of the players of the pairing; in every second set of a match they change sides.
        set: the set that is played, from 1.
        moves: the holes of that set.
        turns: the same as a scoresheet has them, turn by turn.
        position: position text.
        result_text: of the set, such as `1 (82) - 0 (60)`; none while it goes on.
        termination: why it ended.
    """

    round: int
    board: int
    white: int
    white_name: str
    black: int
    black_name: str
    set: int
    moves: list[int]
    turns: list[str]
    position: str
    result_text: str | None
    termination: str | None


class BoardLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """A board of a round, or a bye with the player or the team as White.

    Attributes:
        board: none for a bye.
        white, black: numbers; none where a team has nobody.
        table, home, away: in matches of teams.
        bye: U, F, H or Z; none for a board.
        result: `1-0`, `0-1`, `1/2-1/2`, `0-0`, or none.
        result_text: with the stones, such as `1 (82) - 0 (60)`.
        points, stores: by side.
        set_score, sets: of a match of several sets.
    """

    round: int
    board: int | None
    white: int | None
    white_name: str | None
    black: int | None
    black_name: str | None
    bye: str | None
    result: str | None
    result_text: str | None
    cause: str | None
    points: dict[str, float] | None
    stores: dict[str, int] | None
    table: int | None = None
    home: str | None = None
    away: str | None = None
    special: bool = False
    set_score: dict[str, float] | None = None
    sets: list[dict[str, object]] | None = None


class EventGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A group of an event.

    Attributes:
        id: its address, in place of the event's id.
        title: the name of its regulations.
        game: the short name of the game.
        sex: `open`, `women` or `men`.
        from_year, to_year: the years of birth that it is open to.
        players, teams: how many are entered.
        paired: how many rounds are paired.
        missing: the boards of the last one without a result.
        over: whether the last planned round has all its results.
    """

    id: str
    name: str
    title: str
    game: str
    system: str
    rounds: int
    sex: str
    from_year: int | None
    to_year: int | None
    players: int
    teams: int
    paired: int
    missing: list[int]
    over: bool


class CountedResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a player or a team adds to the points of a federation.

    Attributes:
        group: the name of the group.
        name: theirs.
        rank: their place in it.
        points: theirs in it.
    """

    group: str
    name: str
    rank: int
    points: float


class Medals(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A federation over all groups of an event.

    Attributes:
        rank: place from 1, by gold, silver, bronze and points, or by points first; equal federations share it.
        federation: none for players without one.
        gold, silver, bronze: first, second and third places in groups that are over.
        medals: all of them.
        points: of its players who count.
        players: how many it has, once for each group.
        counted: who counts, group by group.
    """

    rank: int
    federation: str | None
    gold: int
    silver: int
    bronze: int
    medals: int
    points: float
    players: int
    counted: list[CountedResult]


class EventMade(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new event.

    Attributes:
        id: its id.
    """

    id: str


class EventBrought(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that came from a file.

    Attributes:
        id: its id here; that of the file where it was free.
        seq: the last line of its log.
        carried: the id that the file carries; empty for none.
        head: of the chain after the last line.
    """

    id: str
    seq: int
    carried: str = ""
    head: str = ""


class EventFollowed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event of another site.

    Attributes:
        id: its id here.
        name: as the other site tells it.
    """

    id: str
    name: str


class EventShown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether anybody may read an event."""

    public: bool


class ActionsDone(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Actions that were done.

    Attributes:
        seq: the last line of the log that came of them.
    """

    seq: int


class LogLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of the log of an event.

    Attributes:
        at: its number, from 1.
        time: when, in UTC: `2026-09-14T10:05:00Z`.
        by: the official.
        reason: why, or empty.
        text: what was done, in English.
        action: the same as the log has it; without private members of entries for those who may not change entries.
        parts: what it changed, such as `["board", 3, 5]` or `["player", 12, 0]`; empty before the last 500 lines.
        group: the name of its group, in an event of several; left out where the line is of the whole event.
    """

    at: int
    time: str
    by: str
    reason: str
    text: str
    action: Logged
    parts: list[tuple[str, int, int]]
    group: str = ""


class LogLines(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Lines of the log of an event.

    Attributes:
        seq: the last line that there is.
        lines: those that were asked for.
    """

    seq: int
    lines: list[LogLine]


class ActionRefusal(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Why actions are refused; none of them is done.

    Attributes:
        detail: the reason, in the language of the request.
        action: the place of the action that is refused, from 0, where it is one of them.
        seq: the last line of the log, if `action` is there.
        disputed: whether the log holds as a dispute what they say against results, if `action` is there.
    """

    detail: str
    action: int | msgspec.UnsetType = msgspec.UNSET
    seq: int | msgspec.UnsetType = msgspec.UNSET
    disputed: bool | msgspec.UnsetType = msgspec.UNSET


class Conflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What others have done to the same players, boards or pairings; none of the actions is done.

    Attributes:
        detail: the last of it, in the language of the request.
        action: the place of the first action that it concerns, from 0.
        seq: the last line of the log.
        since: the lines after `after`.
        disputed: whether the log holds as a dispute what they say against results.
    """

    detail: str
    action: int
    seq: int
    since: list[LogLine]
    disputed: bool


class HelperTold(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A role at an event.

    Attributes:
        id: by which it is ended; opens nothing.
        boards: the first and the last board that it is confined to, or null.
        name: what the log calls them; empty where they say it themselves.
        account: whether it belongs to an account; otherwise a link and a code open it.
        until: when it ends by itself, in UTC such as `2026-09-14T18:00:00Z`, or null.
        going: whether it goes on now.
    """

    id: str
    role: DeskRole
    boards: tuple[int, int] | None
    name: str
    account: bool
    until: str | None
    going: bool


class HelperMade(HelperTold, frozen=True, forbid_unknown_fields=True):
    """A role that was given; by `token`, `url` or `code`, which are told this once, somebody comes without an account.

    Attributes:
        id: by which it is ended; opens nothing.
        boards: the first and the last board that it is confined to, or null.
        name: what the log calls them; empty where they say it themselves.
        account: whether it was given to an account.
        until: when it ends by itself, in UTC such as `2026-09-14T18:00:00Z`, or null.
        token, url, code: left out for an account.
    """

    token: str | msgspec.UnsetType = msgspec.UNSET
    url: str | msgspec.UnsetType = msgspec.UNSET
    code: str | msgspec.UnsetType = msgspec.UNSET
