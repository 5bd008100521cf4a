"""The values of an event: settings, entries, players, teams, officials, rounds, games and standings rows.

All are frozen and hold no reference to a file or a clock. `codec` writes and reads them as JSON.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal

from korgool.competition.broadcast import NO_BROADCAST, Broadcast
from korgool.competition.errors import CompetitionError
from korgool.competition.prize_fund import NO_PRIZES, PrizeFund
from korgool.competition.result import Result
from korgool.competition.time_control import read_control
from korgool.competition.timetable import PlannedRound, check_timetable
from korgool.conduct.control import TimeControl
from korgool.languages import N_
from korgool.rules import GAMES, VARIANTS, Rules

_SINCE_2026 = "2026-03-01"
"""From this day on FIDE's tie-break rules of 2026 are in force."""


class System(StrEnum):
    """The pairing system (WNG-TK §XI names the Swiss system; the others serve other events)."""

    SWISS = "swiss"
    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    KNOCKOUT = "knockout"
    TEAM_SWISS = "team-swiss"
    TEAM_ROUND_ROBIN = "team-round-robin"

    @property
    def of_teams(self) -> bool:
        """True if teams are paired and their players meet on boards."""
        return self in (System.TEAM_SWISS, System.TEAM_ROUND_ROBIN)


class ByeKind(StrEnum):
    """Reason why a player has no game in a round, by its letter in TRF."""

    ALLOCATED = "U"
    """The pairing-allocated bye of an odd field: a full point by default (FIDE C.04.1 §3)."""
    FULL = "F"
    HALF = "H"
    ZERO = "Z"
    """Absent with notice, not yet entered, withdrawn or excluded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The regulations of an event.

    Attributes:
        name: the event's name.
        game: the short name of a game, as `korgool.rules.GAMES` has it.
        rule: options of the rules record, as (name, text) pairs.
        rounds: number of rounds planned.
        system: how rounds are paired.
        sets: sets of a match in each pairing, 1 for a single game.
        set_points: whether the half points of all sets count; otherwise a match gives 2, 1 or 0 half points as a whole.
        control: the time control as `time_control.read_control` reads it, empty for the usual one of the game: an hour
            each in toguz korgool (WNG-TK §XI), a quarter of an hour in mangala (WNG-M §II).
        sex: `women` closes the event to men (WNG-TK §XIII), `men` closes it to women.
        from_year, to_year: the years of birth that it is open to, both included; 0 sets no bound.
        boards: boards of a team match; 0 outside team systems.
        team_best: how many of its players count for a team's total in an individual event; 0 counts all.
        tiebreaks: codes in their order (`korgool.competition.standings.TIEBREAKS`); the default is WNG-TK §XII.
        edition: the edition of FIDE's tie-break rules that governs unplayed games: `2023`, or `2026` (in force from
            1 March 2026).
        resigned_korgools: what a game lost by resignation or on time counts for "korgools in lost games": the loser's
            `store` as it stood, or `none`.
        penalised_progress: whether a point taken by a third warning also lowers Progress from that round on.
        bye_points: half points of a pairing-allocated bye.
        forbid: players of one `team` or one `federation` are not paired with each other unless nothing else is legal.
        personal: the personal data that the organiser asks for: `born`, `passport`, `coaches`, `doctor`.
        shown: what public pages show of players beside name, federation, rating and results: `born` (the year),
            `photo`.
        prizes: number of prize places.
        fund: the prizes, in money and things; may change at any time.
        timetable: when rounds are planned to begin, in their order.
        zone: the time zone of these times, such as `Asia/Bishkek`; empty if it is not said.
        phones: whether players report their results by phone, with the codes on the cards of their tables.
        live: what the public sees of games while they are played.
    """

    name: str
    game: str = "toguz"
    rule: tuple[tuple[str, str], ...] = ()
    rounds: int = 7
    system: System = System.SWISS
    sets: int = 1
    set_points: bool = False
    control: str = ""
    sex: Literal["open", "women", "men"] = "open"
    boards: int = 0
    team_best: int = 0
    tiebreaks: tuple[str, ...] = ("PS", "BH", "DE", "KL")
    edition: Literal["2023", "2026"] = "2026"
    resigned_korgools: Literal["store", "none"] = "store"
    penalised_progress: bool = False
    bye_points: int = 2
    forbid: tuple[Literal["team", "federation"], ...] = ()
    personal: tuple[Literal["born", "passport", "coaches", "doctor"], ...] = ()
    shown: tuple[Literal["born", "photo"], ...] = ()
    prizes: int = 3
    place: str = ""
    federation: str = ""
    begins: str = ""
    ends: str = ""
    organiser: str = ""
    fund: PrizeFund = NO_PRIZES
    timetable: tuple[PlannedRound, ...] = ()
    zone: str = ""
    from_year: int = 0
    to_year: int = 0
    phones: bool = False
    live: Broadcast = NO_BROADCAST

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise CompetitionError(N_("an event needs a name"))
        if not 1 <= self.rounds <= 99:
            raise CompetitionError(N_("an event has 1 to 99 rounds, not {rounds}"), rounds=self.rounds)
        if not 1 <= self.sets <= 21:
            raise CompetitionError(N_("a match has 1 to 21 sets, not {sets}"), sets=self.sets)
        if self.bye_points not in (0, 1, 2):
            raise CompetitionError(
                N_("a bye is worth 0, 1 or 2 half points, not {bye_points}"), bye_points=self.bye_points
            )
        if self.system.of_teams and not 1 <= self.boards <= 20:
            raise CompetitionError(N_("a team match has 1 to 20 boards, not {boards}"), boards=self.boards)
        if not self.system.of_teams and self.boards:
            raise CompetitionError(N_("boards of a match are for team events; leave them out"))
        if self.game not in GAMES:
            raise CompetitionError(
                N_("the game is one of {listed}, not {game!r}"), listed=", ".join(GAMES), game=self.game[:40]
            )
        for year in (self.from_year, self.to_year):
            if year and not 1900 <= year <= 2100:
                raise CompetitionError(N_("a year of birth has four digits, not {born}"), born=year)
        if 0 < self.to_year < self.from_year:
            years = {"first": self.from_year, "last": self.to_year}
            raise CompetitionError(N_("nobody is born from {first} to {last}"), **years)
        self.rules()
        self.time_control()
        check_timetable(self.timetable, self.zone)

    def rules(self) -> Rules:
        """The rules of the games; raises ValueError for an unknown option."""
        rules = GAMES[self.game]
        for name, text in self.rule:
            rules = rules.with_option(name, text)
        return rules

    def time_control(self) -> TimeControl:
        """The time control of the games; raises ValueError if the text is not a time control."""
        return read_control(self.control or VARIANTS[self.game].control)


def edition_in_force(day: str) -> Literal["2023", "2026"]:
    """The edition of FIDE's tie-break rules in force on a day such as `2026-03-01`; the newest for any other text."""
    return "2023" if re.match(r"\d{4}-\d\d-\d\d", day, re.ASCII) and day < _SINCE_2026 else "2026"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consent:
    """The consent of a minor's guardian, as an official noted it.

    Attributes:
        guardian: who consented.
        day: when, `2026-09-14`.
        how: how, such as `signed form` or `by telephone`.
    """

    guardian: str
    day: str = ""
    how: str = ""

    def __post_init__(self) -> None:
        if not self.guardian.strip():
            raise CompetitionError(N_("a consent needs the name of the guardian"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A player as they were entered (WNG-TK §XIII).

    The log keeps the members of `PRIVATE` apart from its chain of hashes, so that they can be removed.

    Attributes:
        family: family name; the only required member, empty if it was removed.
        born: year of birth, 0 when unknown.
        sex: `m` or `f`, empty when not stated.
        title: sports grade or title, as written on the application.
        rating: 0 when unrated.
        external: the player's number at a federation (TRF calls it the FIDE number).
        federation: usually three letters.
        board: place in the team's board order, 0 outside teams.
        groups: names of the groups the player is also ranked in, such as `U16`.
        short: the name that public pages show in place of the whole one, such as `Aida A.`; empty for the whole one.
        consent: the consent of a guardian, or None.
        removed: whether the members of `PRIVATE` were removed.
    """

    family: str
    given: str = ""
    patronymic: str = ""
    sex: Literal["m", "f", ""] = ""
    born: int = 0
    title: str = ""
    rating: int = 0
    external: str = ""
    federation: str = ""
    club: str = ""
    team: str = ""
    board: int = 0
    groups: tuple[str, ...] = ()
    short: str = ""
    consent: Consent | None = None
    removed: bool = False

    def __post_init__(self) -> None:
        if not self.family.strip() and not self.removed:
            raise CompetitionError(N_("a player needs a family name"))
        if not 0 <= self.rating <= 9999:
            raise CompetitionError(N_("a rating lies between 0 and 9999, not {rating}"), rating=self.rating)
        if self.born and not 1900 <= self.born <= 2100:
            raise CompetitionError(N_("a year of birth has four digits, not {born}"), born=self.born)

    @property
    def name(self) -> str:
        """`Family, Given Patronymic`, as lists print it."""
        rest = " ".join(part for part in (self.given, self.patronymic) if part)
        return f"{self.family}, {rest}" if rest else self.family or REMOVED

    @property
    def public(self) -> Entry:
        """Entry without the members of `PRIVATE`: all that pairings and standings need."""
        return replace(
            self, family="", given="", patronymic="", born=0, external="", short="", consent=None, removed=True
        )


PRIVATE = ("family", "given", "patronymic", "born", "external", "short", "consent")
"""The members of an entry that can be removed."""
REMOVED = "—"
"""Placeholder for a text that was removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Photograph:
    """A photograph of a player; the log holds its digest alone, so that it can be removed.

    Attributes:
        salt: without it the digest tells nothing of the picture.
        jpeg: the picture as `photographs.check_picture` wants it, in base64.
    """

    salt: str
    jpeg: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Personal:
    """Personal data, which only officials may see; kept apart from the log, so that it can be removed (WNG-TK §XIII).

    Attributes:
        born: date of birth, `2001-05-31`.
        passport: series and number.
        coaches: full names.
        doctor: the doctor who admitted the player, and the date.
        photo: the photograph, which the public sees where the regulations say so (`privacy.shown_photo`).
    """

    born: str = ""
    passport_series: str = ""
    passport_number: str = ""
    coaches: tuple[str, ...] = ()
    doctor: str = ""
    photo: Photograph | None = None


@dataclass(frozen=True, slots=True)
class Absence:
    """A bye that a player asked for before the round was paired."""

    round: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class EventWarning:
    """A warning: the round and the reason (WNG-TK §XIV)."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class Penalty:
    """Half points taken from a player when `round` rounds had begun, with the reason."""

    round: int
    half_points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Player:
    """Player with all that the log holds of them.

    Attributes:
        id: permanent, from 1 in the order of entry; the log names players by it.
        number: pairing number: `id` until the first round is paired, then by rating; late entries follow at the end.
        entry: who they are.
        since: the first round they may play in.
        until: the last round they may play in; None unless they withdrew or were excluded.
        excluded: whether they were excluded (a fourth warning, WNG-TK §XIV).
        absences: rounds they asked to miss.
        warnings: in order; the third costs a point.
        penalties: points taken, including the one for the third warning.
        photo: the salted digest of the photograph, which lies with the personal data; empty if there is none.
    """

    id: int
    number: int
    entry: Entry
    since: int = 1
    until: int | None = None
    excluded: bool = False
    absences: tuple[Absence, ...] = ()
    warnings: tuple[EventWarning, ...] = ()
    penalties: tuple[Penalty, ...] = ()
    photo: str = ""

    @property
    def name(self) -> str:
        """The whole name, or `№ 12` with the pairing number if it was removed."""
        return f"№ {self.number}" if self.entry.removed else self.entry.name

    @property
    def penalty(self) -> int:
        """Half points taken from the player in total."""
        return sum(penalty.half_points for penalty in self.penalties)

    def plays(self, number: int) -> bool:
        """Return whether the player may be paired in a round."""
        return self.bye(number) is None

    def bye(self, number: int) -> ByeKind | None:
        """The bye that the player has in a round before it is paired, or None."""
        if number < self.since or (self.until is not None and number > self.until):
            return ByeKind.ZERO
        return next((absence.kind for absence in self.absences if absence.round == number), None)


@dataclass(frozen=True, slots=True)
class Team:
    """A team: its players stand in `players` by board. `id` counts from 1, `number` is its pairing number."""

    id: int
    number: int
    name: str
    federation: str = ""
    captain: str = ""
    players: tuple[int, ...] = ()


class Role(StrEnum):
    """Offices of the regulations (WNG-TK §XIV)."""

    CHIEF_REFEREE = "chief-referee"
    DEPUTY = "deputy-chief-referee"
    CHIEF_SECRETARY = "chief-secretary"
    REFEREE = "referee"
    SECRETARY = "secretary"


ROLE_NAMES = {
    Role.CHIEF_REFEREE: N_("chief referee"),
    Role.DEPUTY: N_("deputy chief referee"),
    Role.CHIEF_SECRETARY: N_("chief secretary"),
    Role.REFEREE: N_("referee"),
    Role.SECRETARY: N_("secretary"),
}
"""The offices inside a sentence."""


@dataclass(frozen=True, slots=True)
class Official:
    """An official; `excluded` holds the reason if they were removed from the body of referees."""

    id: int
    name: str
    role: Role
    category: str = ""
    federation: str = ""
    excluded: str = ""


@dataclass(frozen=True, slots=True)
class PairedGame:
    """One pairing of two players.

    Attributes:
        board: from 1, counted through the round.
        white, black: ids of the players; 0 if a team has no player for the board, which is then forfeited.
        result: None until it is known.
        records: game records attached, one a set.
        special: whether the game was chosen for the special board (WNG-TK §VIII).
    """

    board: int
    white: int
    black: int
    result: Result | None = None
    records: tuple[str, ...] = ()
    special: bool = False

    def opponent(self, player: int) -> int:
        """The id of the opponent of one of the two players."""
        return self.black if player == self.white else self.white


@dataclass(frozen=True, slots=True)
class Bye:
    """A player, or in a team event a team, without an opponent in a round."""

    player: int
    kind: ByeKind


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """Two teams against each other: `boards` are board numbers of the round's games, `home` has White on the first."""

    table: int
    home: int
    away: int
    boards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A published round. `manual` says that an official paired or changed it by hand."""

    number: int
    games: tuple[PairedGame, ...]
    byes: tuple[Bye, ...] = ()
    matches: tuple[TeamMatch, ...] = ()
    manual: bool = False

    @property
    def missing(self) -> tuple[int, ...]:
        """The boards without a result."""
        return tuple(game.board for game in self.games if game.result is None)

    def game(self, board: int) -> PairedGame:
        """The game at a board; raises CompetitionError if there is no such board."""
        for game in self.games:
            if game.board == board:
                return game
        asked, last = {"number": self.number, "board": board}, len(self.games)
        if not last:
            raise CompetitionError(N_("round {number} has no board {board}, it has no boards"), **asked)
        raise CompetitionError(N_("round {number} has no board {board}, it has boards 1 to {last}"), **asked, last=last)


@dataclass(frozen=True, slots=True)
class LentForm:
    """Record form that was lent (WNG-TK §VIII): the game, the borrower, and its return."""

    id: int
    round: int
    board: int
    borrower: str
    state: Literal["lent", "returned", "lost", "spoiled"] = "lent"


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the standings: a player, or in a team event a team.

    Attributes:
        rank: place from 1; equal competitors share it.
        competitor: id of the player or team.
        points: half points, penalties deducted.
        values: the tie-breaks in the order of the settings, in points, stones or rating points.
    """

    rank: int
    competitor: int
    points: int
    values: tuple[float, ...] = ()
