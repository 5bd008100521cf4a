"""The actions of officials as clients say them, and what each does to a book.

Most have the form that they have in the log (`competition/actions.py`). Where an arbiter says less than the log holds,
there is a form here: a result as it is typed, a round to be paired. Players are named by their permanent id.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias, cast

import korgool.competition.actions as do
from korgool.app.server.events.asked_groups import GROUP
from korgool.app.server.events.wall_requests import AskAnnounce, AskClock, ask_announce, ask_clock
from korgool.competition import commands
from korgool.competition.codec import TAG, JsonError, from_plain
from korgool.competition.errors import CompetitionError
from korgool.competition.group_commands import add_group, enter_groups, rename_group
from korgool.competition.json_schema import Schema, Schemas
from korgool.competition.model import ByeKind, Entry, Personal, Settings
from korgool.competition.pairing import PairingEngine
from korgool.competition.photographs import read_picture
from korgool.competition.storage.book import Book
from korgool.competition.table_commands import report_result
from korgool.languages import N_

MOST_ACTIONS = 5_000
"""Most actions of one request; so many entries take a dozen seconds of a processor."""
_LONGEST_ID, _LONGEST_REASON = 40, 500
REQUEST_SCHEMA = "AskedAction"  # the name of their schema


@dataclass(frozen=True, slots=True)
class AskEnter:
    """Enter a player, with the personal data that stays out of the log; in `groups`, or else in that of the action."""

    do: ClassVar[str] = "enter"
    entry: Entry
    personal: Personal | None = None
    namesake: bool = False
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskAmend:
    """Replace the entry of a player; personal data only where it is given."""

    do: ClassVar[str] = "amend"
    player: int
    entry: Entry
    personal: Personal | None = None


@dataclass(frozen=True, slots=True)
class AskPhoto:
    """Store a photograph of a player, base64 of a JPEG as `photographs.check_picture` wants it; with none remove it."""

    do: ClassVar[str] = "photo"
    player: int
    picture: str = ""


@dataclass(frozen=True, slots=True)
class AskResult:
    """Enter a result as `korgool event results` reads it: `82-60`, `1 (82) - 0 (60)`, `+-`."""

    do: ClassVar[str] = "result"
    round: int
    board: int
    result: str


@dataclass(frozen=True, slots=True)
class AskCorrect:
    """Replace a result, or with null take it back."""

    do: ClassVar[str] = "correct"
    round: int
    board: int
    result: str | None


@dataclass(frozen=True, slots=True)
class AskDispute:
    """Say that a game has ended otherwise than its result says, or with null that it is still being played."""

    do: ClassVar[str] = "dispute"
    round: int
    board: int
    result: str | None


@dataclass(frozen=True, slots=True)
class AskPair:
    """Pair a round, which is the next; `lot` repeats a draw."""

    do: ClassVar[str] = "pair"
    round: int
    lot: str | None = None


@dataclass(frozen=True, slots=True)
class AskRepair:
    """Replace the pairings of a round by hand, or pair the next one so: White and Black of each board."""

    do: ClassVar[str] = "repair"
    round: int
    games: tuple[tuple[int, int], ...]
    byes: tuple[tuple[int, ByeKind], ...] = ()


@dataclass(frozen=True, slots=True)
class AskSwap:
    """Exchange two players in a round; two opponents exchange colours."""

    do: ClassVar[str] = "swap"
    round: int
    players: tuple[int, int]


@dataclass(frozen=True, slots=True)
class AskSeat:
    """Pair two players without a game in the last round at a new board."""

    do: ClassVar[str] = "seat"
    round: int
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class AskFill:
    """Put a player on a board for which their team had nobody."""

    do: ClassVar[str] = "fill"
    round: int
    board: int
    player: int


@dataclass(frozen=True, slots=True)
class AskPublish:
    """Publish the standings after the rounds played so far."""

    do: ClassVar[str] = "publish"


@dataclass(frozen=True, slots=True)
class AskForget:
    """Remove the personal data of a player, with `names` also the name and all else that is not public."""

    do: ClassVar[str] = "forget"
    player: int
    names: bool = False


@dataclass(frozen=True, slots=True)
class AskGroup:
    """Add a group; its title is made of the names of the event and of the group, unless its settings have another.

    `first` names the group that the event is so far, the first time, where somebody is entered in it.
    """

    do: ClassVar[str] = "group"
    name: str
    settings: Settings
    first: str = ""


RequestedAction: TypeAlias = (
    AskEnter | AskAmend | AskPhoto | AskResult | AskCorrect | AskDispute | AskPair | AskRepair | AskSwap | AskSeat
    | AskFill | AskPublish | AskForget | do.Settle | do.Change | do.Withdraw | do.Readmit | do.Miss | do.Attend
    | do.Present | do.Exclude | do.Reinstate | do.GiveWarning | do.CancelWarning | do.Penalise | do.CorrectBye
    | do.SetTeam | AskGroup | do.NameGroup | do.SetEmblem | do.Join | do.Appoint | do.Dismiss | do.Unpair | do.Attach
    | do.Choose | AskClock | AskAnnounce | do.Silence | do.Lend | do.TakeBack | do.Call | do.Undo
)  # fmt: skip
PerformedAction: TypeAlias = RequestedAction | do.EnterResult | do.Correct | do.Report
"""Actions that are done: those of clients, and results that a form has read."""
_ANY: type[RequestedAction] = cast("type[RequestedAction]", RequestedAction)
LOGGED: Mapping[str, type[do.Action]] = {one.do: one for one in do.AnyAction.__args__} | {
    "swap": do.Repair,
    "seat": do.Repair,
    "fill": do.Repair,
}
"""The kind of action in the log that each of them becomes."""


@dataclass(frozen=True, slots=True)
class ActionRequest:
    """An action as a client says it.

    Attributes:
        id: chosen by the client; the same id of the same official is done once.
        reason: why, where that is needed.
        action: what is to be done.
        group: the name of its group; empty for that of the event's address.
    """

    id: str
    reason: str
    action: PerformedAction
    group: str = ""


def result_request(id_: str, reason: str, action: do.EnterResult | do.Correct | do.Report) -> ActionRequest:
    """The action of an official or of players whose result has been read already, so that nobody reads it once more.

    Raises:
        JsonError: `id_` or `reason` is too long, or holds a control character.
    """
    return _request({"id": id_, "reason": reason}, action)


def read_request(given: object) -> tuple[ActionRequest, ...]:
    """The actions of a request, a list of objects; those that are read already stay as they are.

    Raises:
        JsonError: something in it is not one; the message names its place, such as `actions[2].board`.
    """
    if not isinstance(given, list) or not given:
        raise JsonError("a list of actions is needed", "actions")
    if len(given) > MOST_ACTIONS:
        raise JsonError(f"at most {MOST_ACTIONS:,} actions are done at once, not {len(given):,}", "actions")
    found = []
    for number, one in enumerate(given):
        try:
            found.append(_read(one))
        except JsonError as error:
            raise error.inside(f"[{number}]").inside("actions") from None
    ids = [one.id for one in found if one.id]
    if len(ids) != len(set(ids)):
        twice = next(id_ for id_ in ids if ids.count(id_) > 1)
        raise JsonError(f"the id {twice!r} stands there twice", "actions")
    return tuple(found)


def _read(given: object) -> ActionRequest:
    if isinstance(given, ActionRequest):
        return given
    if not isinstance(given, Mapping):
        raise JsonError("an object is needed")
    if given.get(TAG) == do.Open.do:
        raise JsonError("an event is opened when it is made", TAG)
    rest = {name: value for name, value in given.items() if name not in ("id", "reason", GROUP)}
    return _request(given, from_plain(rest, _ANY))


def _request(given: Mapping[str, Any], action: PerformedAction) -> ActionRequest:
    return ActionRequest(
        _text(given, "id", _LONGEST_ID),
        " ".join(_text(given, "reason", _LONGEST_REASON).split()),
        action,
        _text(given, GROUP, _LONGEST_REASON),
    )


def describe_requests(schemas: Schemas) -> None:
    """Add the schema of an action as `read_request` reads it, by the name `REQUEST_SCHEMA`."""
    printable = "^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f]*$"
    more: dict[str, Schema] = {
        "id": {
            "type": "string",
            "maxLength": _LONGEST_ID,
            "pattern": printable,
            "description": "chosen by the client; an action with the same id of the same official is done once.",
        },
        GROUP: {
            "type": "string",
            "maxLength": 60,
            "description": "the name of a group of the event; without it the action is for the group of the address.",
        },
        "reason": {
            "type": "string",
            "maxLength": _LONGEST_REASON,
            "pattern": printable,
            "description": "why; some actions need it.",
        },
    }
    schemas.name(RequestedAction, REQUEST_SCHEMA, before="Ask", more=more)


def _text(given: Mapping[str, Any], name: str, most: int) -> str:
    text = given.get(name, "")
    if not isinstance(text, str):
        raise JsonError("a text is needed", name)
    if len(text) > most:
        raise JsonError(f"at most {most} characters are possible", name)
    if not text.isprintable() and any(ord(letter) < 32 and letter not in "\t\n\r" for letter in text):
        raise JsonError("the text holds a control character", name)
    return text


def perform(book: Book, asked: ActionRequest, *, by: str, engine: PairingEngine) -> None:
    """Do an action.

    Raises:
        CompetitionError: it is refused; nothing is changed.
    """
    action, reason = asked.action, asked.reason
    handler = _HANDLERS.get(type(action))
    if handler is not None:
        handler(book, action, _Context(by, reason, engine))
    elif isinstance(action, do.Action):
        book.do(cast("do.AnyAction", action), by=by, reason=reason)
    else:
        raise TypeError(f"{action!r} has no handler")


@dataclass(frozen=True, slots=True)
class _Context:
    """The official, the reason and the pairing engine of an action."""

    by: str
    reason: str
    engine: PairingEngine


def _enter(book: Book, action: AskEnter, context: _Context) -> None:
    _check_name(action.entry)
    if action.groups:
        groups = [book.refresh().group_named(name) for name in action.groups]
        enter_groups(book, action.entry, action.personal, groups, by=context.by, namesake=action.namesake)
        return
    commands.enter(book, action.entry, action.personal, by=context.by, namesake=action.namesake)


def _check_name(entry: Entry) -> None:
    """Refuse an entry that says of itself that its name was removed; an action of its own does that."""
    if entry.removed:
        raise CompetitionError(N_("a player needs a family name"))


def _amend(book: Book, action: AskAmend, context: _Context) -> None:
    held = book.refresh().players.get(action.player)
    if held is None or not held.entry.removed:
        _check_name(action.entry)
    commands.amend(book, _number(book, action.player), action.entry, by=context.by, reason=context.reason)
    if action.personal is not None:
        book.set_personal(action.player, action.personal)


def _photo(book: Book, action: AskPhoto, context: _Context) -> None:
    jpeg = read_picture(action.picture) if action.picture else None
    book.set_photo(action.player, jpeg, by=context.by, reason=context.reason)


def _result(book: Book, action: AskResult | do.EnterResult, context: _Context) -> None:
    commands.record(book, action.round, action.board, action.result, by=context.by)


def _correct(book: Book, action: AskCorrect | do.Correct, context: _Context) -> None:
    commands.correct(book, action.round, action.board, action.result, by=context.by, reason=context.reason)


def _dispute(book: Book, action: AskDispute, context: _Context) -> None:
    commands.dispute(book, action.round, action.board, action.result, by=context.by)


def _pair(book: Book, action: AskPair, context: _Context) -> None:
    next_ = len(book.refresh().rounds) + 1
    if action.round != next_:
        raise CompetitionError(N_("round {next} is the next, not {number}"), next=next_, number=action.round)
    commands.pair(book, by=context.by, lot=action.lot, engine=context.engine)


def _repair(book: Book, action: AskRepair, context: _Context) -> None:
    games = [(_number(book, white), _number(book, black)) for white, black in action.games]
    byes = [(_number(book, player), kind) for player, kind in action.byes]
    if action.round == len(book.refresh().rounds) + 1:
        commands.pair_by_hand(book, games, by=context.by, reason=context.reason, byes=byes)
    else:
        commands.repair(
            book, games, by=context.by, reason=context.reason, byes=byes, number=_paired(book, action.round)
        )


def _swap(book: Book, action: AskSwap, context: _Context) -> None:
    one, other = (_number(book, player) for player in action.players)
    commands.swap(book, one, other, by=context.by, reason=context.reason, number=_paired(book, action.round))


def _seat(book: Book, action: AskSeat, context: _Context) -> None:
    if action.round != len(book.refresh().rounds):
        raise CompetitionError(
            N_("round {number} is not the last; only there two players get a new board"), number=action.round
        )
    white, black = _number(book, action.white), _number(book, action.black)
    commands.seat(book, white, black, by=context.by, reason=context.reason)


def _fill(book: Book, action: AskFill, context: _Context) -> None:
    player, number = _number(book, action.player), _paired(book, action.round)
    commands.fill(book, action.board, player, by=context.by, reason=context.reason, number=number)


def _attach(book: Book, action: do.Attach, context: _Context) -> None:
    commands.attach(book, action.round, action.board, action.records, by=context.by)


def _publish(book: Book, _: AskPublish, context: _Context) -> None:
    commands.publish(book, by=context.by)


def _forget(book: Book, action: AskForget, context: _Context) -> None:
    if action.names:
        book.forget(action.player, by=context.by, reason=context.reason)
    else:
        _number(book, action.player)
        book.remove_personal(action.player, by=context.by, reason=context.reason)


def _group(book: Book, action: AskGroup, context: _Context) -> None:
    state = book.refresh()
    titled = action.settings.name.strip() not in (action.name.strip(), state.title, state.event.name)
    add_group(book, action.name, action.settings, by=context.by, first=action.first, titled=titled)


def _name_group(book: Book, action: do.NameGroup, context: _Context) -> None:
    rename_group(book, action.of, action.name, by=context.by)


def _undo(book: Book, action: do.Undo, context: _Context) -> None:
    commands.undo(book, action.line, by=context.by, reason=context.reason)


_HANDLERS: Mapping[type, Callable[[Book, Any, _Context], None]] = {
    AskEnter: _enter,
    AskAmend: _amend,
    AskPhoto: _photo,
    AskResult: _result,
    AskCorrect: _correct,
    do.EnterResult: _result,
    do.Correct: _correct,
    do.Report: lambda book, action, context: report_result(book, action, by=context.by),
    AskDispute: _dispute,
    AskPair: _pair,
    AskRepair: _repair,
    AskSwap: _swap,
    AskSeat: _seat,
    AskFill: _fill,
    AskPublish: _publish,
    AskForget: _forget,
    do.Attach: _attach,
    do.Undo: _undo,
    AskClock: lambda book, action, context: ask_clock(book, action, by=context.by),
    AskAnnounce: lambda book, action, context: ask_announce(book, action, by=context.by),
    AskGroup: _group,
    do.NameGroup: _name_group,
}


def _number(book: Book, player: int) -> int:
    """The pairing number by which the commands know a player."""
    held = book.refresh().players.get(player)
    if held is None:
        raise CompetitionError(N_("there is no player with the id {id}"), id=player)
    return held.number


def _paired(book: Book, number: int) -> int:
    return book.refresh().round(number).number
