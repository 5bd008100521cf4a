"""The running games of a person and the challenges made to them, as the database has them: what each wants of them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from sqlalchemy import BindParameter, Engine, Select, and_, bindparam, case, exists, literal_column, or_, select

from korgool.app.server.storage.challenge_rows import read_challenge
from korgool.app.server.storage.schema import challenges, events, games, seats
from korgool.live import Challenge, ChallengeState, Manner

_MOST_GAMES, _MOST_CHALLENGES = 200, 100


class Wanted(StrEnum):
    """Demand of a running game on one of its players."""

    COME = "come"
    """The game begins when this player comes to the board."""
    MOVE = "move"
    """It is their turn."""
    DRAW = "draw"
    """The opponent offers a draw."""
    TAKEBACK = "takeback"
    """The opponent asks to take back."""


@dataclass(frozen=True, slots=True)
class WaitingGame:
    """A running game as one of its players sees it in a list.

    Attributes:
        id: its address.
        game: the rules by their short name.
        clock: the time control as text, `none`, or days for a turn such as `3d`.
        side: the side of the player: `white`, `black`, or `both` at one device.
        opponent: the identity of the other person; empty for the engine and at one device.
        strength: of the engine, 0 against a person.
        plies: how many plies stand.
        started_ms: when it was made, since 1970.
        due_ms: when time alone decides something, since 1970; None for never.
        wants: what it wants of the player, the most urgent first; empty while it waits for the opponent.
    """

    id: str
    game: str
    clock: str
    side: str
    opponent: str
    strength: int
    plies: int
    started_ms: int
    due_ms: int | None
    wants: tuple[Wanted, ...]

    @property
    def counts(self) -> bool:
        """True if another person waits for this player: the engine does not, and neither does one's own second seat."""
        return bool(self.wants and self.opponent)

    @property
    def slow(self) -> bool:
        """True if every turn has days of its own."""
        return self.clock.endswith("d")


@dataclass(frozen=True, slots=True)
class WaitingList:
    """All that waits for a person.

    Attributes:
        running: their running games: first those that other people wait for, by the time that is left; the rest newest
            first.
        challenges: the open challenges made to them, newest first.
    """

    running: tuple[WaitingGame, ...] = ()
    challenges: tuple[Challenge, ...] = ()

    @property
    def games(self) -> tuple[WaitingGame, ...]:
        """The games in which somebody waits for this person."""
        return tuple(game for game in self.running if game.counts)

    def game(self, address: str) -> WaitingGame | None:
        """Return one of the running games by its address."""
        return next((game for game in self.running if game.id == address), None)

    def beside(self, address: str) -> WaitingList:
        """Return the same without one of the games."""
        return replace(self, running=tuple(game for game in self.running if game.id != address))

    @property
    def count(self) -> int:
        """Number of games and challenges that wait."""
        return len(self.games) + len(self.challenges)


class WaitingRepository:
    """Reads what waits for people. Methods block, and may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def read(self, who: str, now_ms: int) -> WaitingList:
        """Return what waits for a person at a time in milliseconds since 1970, challenges of blocked people too."""
        kinds: defaultdict[str, set[str]] = defaultdict(set)
        with self._engine.begin() as connection:
            rows = connection.execute(_RUNNING, {"who": who}).all()
            if people := [row.id for row in rows if row.people]:
                for game, kind in connection.execute(_TELLING, {"who": who, "found": people}):
                    kinds[game].add(kind)
            made = connection.execute(_CHALLENGES, {"who": who, "now": now_ms}).all()
        running = sorted((_game(row, who, kinds[row.id]) for row in rows), key=_urgency)
        return WaitingList(tuple(running), tuple(map(read_challenge, made)))


def _running_games() -> Select[Any]:
    """The statement for the running games of a person, `who`."""
    own, other = seats.alias("own"), seats.alias("other")
    who: BindParameter[str] = bindparam("who")
    return (
        select(games, own.c.side, other.c.who.label("opponent"), other.c.strength)
        .select_from(own)
        .join(games, games.c.id == own.c.game_id)
        .join(other, (other.c.game_id == own.c.game_id) & (other.c.side == 1 - own.c.side))
        .where((own.c.who == who) & (own.c.running == literal_column("1")))
        .where((other.c.who != who) | (own.c.side == 0))  # a game at one device stands in the list once
        .order_by(own.c.started_ms.desc(), own.c.game_id)
        .limit(_MOST_GAMES)
    )


def _open_challenges() -> Select[Any]:
    """The statement for the challenges to a person, `who`, that are open at a time, `now`."""
    made = (challenges.c.addressee == bindparam("who")) & (challenges.c.expires_ms > bindparam("now"))
    still = challenges.c.state == ChallengeState.OPEN.value
    return select(challenges).where(made & still).order_by(challenges.c.expires_ms.desc()).limit(_MOST_CHALLENGES)


def _telling_events() -> Select[Any]:
    """The statement for what the journals of games between people, `found`, say to a player, `who`, beside whose turn
    it is: the beginning, that the player has come, and offers of the opponent that stand, by the kinds of events.

    An offer of a draw stands until its reader moves or declines it, one to take back until anybody moves, it is
    declined, or the other asks too; a take-back ends both.
    """
    event, later, own = events.alias("event"), events.alias("later"), seats.alias("own")
    offers = or_(
        event.c.kind == "offer-draw",
        and_(event.c.kind == "move", event.c.payload.like('%"offer":true%')),
    )
    asks = event.c.kind == "ask-takeback"
    ended = case(
        (asks, later.c.kind.in_(("move", "takeback", "undo", "ask-takeback", "decline-takeback"))),
        else_=later.c.kind.in_(("takeback", "undo"))
        | (later.c.kind.in_(("move", "decline-draw")) & (later.c.side == own.c.side)),
    )
    over = exists().where((later.c.game_id == event.c.game_id) & (later.c.version > event.c.version) & ended)
    theirs = (event.c.side == 1 - own.c.side) & (offers | asks) & ~over
    begins = event.c.kind.in_(("begin", "start")) | ((event.c.kind == "join") & (event.c.side == own.c.side))
    return (
        select(event.c.game_id, event.c.kind)
        .join(own, (own.c.game_id == event.c.game_id) & (own.c.who == bindparam("who")))
        .where(event.c.game_id.in_(bindparam("found", expanding=True)) & (theirs | begins))
    )


_RUNNING, _CHALLENGES, _TELLING = _running_games(), _open_challenges(), _telling_events()
"""Statements that are made once: to make them for every page would take longer than to carry them out."""


def _wanted(kinds: set[str], *, turn: bool, competition: bool) -> tuple[Wanted, ...]:
    """Demands of a game between people, from the kinds of its events that `_telling_events` finds."""
    if not kinds & {"begin", "start"}:
        return () if "join" in kinds else (Wanted.COME,)
    found = [Wanted.COME] if competition and "join" not in kinds else []
    found += [Wanted.MOVE] if turn else []
    found += [Wanted.DRAW] if kinds & {"offer-draw", "move"} else []
    return (*found, Wanted.TAKEBACK) if "ask-takeback" in kinds else tuple(found)


def _game(row: Any, who: str, kinds: set[str]) -> WaitingGame:
    both = row.opponent == who
    turn = both or row.to_move == row.side
    if row.people:
        wants = _wanted(kinds, turn=turn, competition=row.conduct == Manner.COMPETITION.value)
    else:
        wants = (Wanted.MOVE,) if turn else ()
    return WaitingGame(
        row.id,
        row.game,
        row.clock,
        "both" if both else ("white", "black")[row.side],
        "" if both else row.opponent,
        row.strength,
        row.plies,
        row.started_ms,
        row.due_ms,
        wants,
    )


def _urgency(game: WaitingGame) -> tuple[bool, float, int]:
    """The order of a list: what waits for the player first, by the time that is left; the rest newest first."""
    due = float("inf") if game.due_ms is None or not game.counts else game.due_ms
    return not game.counts, due, -game.started_ms
