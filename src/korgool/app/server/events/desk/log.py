"""The log of an event at the desk: its lines, the event as it stood at any of them, taking one back, and the check."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from litestar import MediaType, Response, get, post
from litestar.params import FromPath

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.desk.forms import whole_number
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.live_event import EnteredLine
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.http.dependencies import TheCaller, TheRateLimiter
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.http.template_texts import time_ms
from korgool.app.server.people.checks import count_change
from korgool.app.words.event_log import in_words, lines_named, official_name, told
from korgool.app.words.event_texts import half
from korgool.app.words.event_words import event_words
from korgool.competition.audit import LogSnapshot, checking, snapshot
from korgool.competition.errors import CompetitionError, said
from korgool.competition.event_state import EventState
from korgool.competition.log.replay import replay, taken_back
from korgool.competition.log.undo import undo
from korgool.competition.standings import standings
from korgool.competition.storage.book import Book
from korgool.competition.storage.hash_chain import Head
from korgool.languages import N_, translations
from korgool.languages.name_search import Sought, finds, sought

_LINES = 100
"""Lines on a page."""
_HEADS = {
    "same": N_("The log holds this head at line %(line)s; %(more)s lines were written after it."),
    "other": N_("This is not the head of line %(line)s: the paper belongs to another log, or the log was changed."),
    "none": N_("The log has no line %(line)s."),
    "unread": N_("This is no head of a log. It looks like 39-3f9a-2c71-88ab-01de."),
}


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log as a reader sees it.

    Attributes:
        at: its number.
        ms: when, in milliseconds since 1970.
        by: the official.
        text: what was done, in the reader's language.
        reason: why, or empty.
        back: whether a later line has taken it back.
    """

    at: int
    ms: int
    by: str
    text: str
    reason: str
    back: bool


@dataclass(frozen=True, slots=True)
class UndoCheck:
    """The possibility of taking a line back.

    Attributes:
        possible: whether it can.
        problem: why not, in the reader's language.
        later: the lines that rest on it or have replaced it, as far as they are named.
    """

    possible: bool
    problem: str = ""
    later: tuple[int, ...] = ()


@get("/log", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def log_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The lines, the newest first, those that fit what is searched for."""
    language, asked = language_of(request), request.query_params
    lines = _log_lines(place.state, await place.event.log(), language)
    text = " ".join(asked.get("q", "").split())[:80]
    words = sought(text)
    found = [one for one in reversed(lines) if _matches(one, words)]
    before = whole_number(asked.get("before", ""), 9)
    if before is not None:
        found = [one for one in found if one.at < before]
    head = asked.get("head", "").strip()[:120]
    return desk_page(
        request,
        place,
        "log",
        "log.html",
        lines=found[:_LINES],
        older=found[_LINES - 1].at if len(found) > _LINES else 0,
        sought=text,
        head=head,
        answer=await place.event.with_book(lambda book: _compare_head(book, head)) if head else None,
    )


@get("/log/{number:str}", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def line_page(request: AnyRequest, place: ThePlace, number: FromPath[str]) -> Response[str]:
    """A line: what was done, the event as it stood then, and whether the line can be taken back."""
    language = language_of(request)
    at = whole_number(number, 9) or 0
    lines = await place.event.log(at - 1) if at > 0 else ()
    if not lines or lines[0].at != at:
        raise ApiError(404, errors.NO_PAGE)
    now = place.event.state
    then = await asyncio.to_thread(replay, now.done[:at], now.blank)
    can = await asyncio.to_thread(_check_undo, now, at, language) if do.Undo in place.allowed else None
    return desk_page(
        request,
        place,
        "log",
        "line.html",
        line=_log_lines(now, lines[:1], language)[0],
        last=now.actions,
        then=then,
        rows=[] if not then.rounds else await asyncio.to_thread(standings, then),
        names=then.teams if then.settings and then.event.system.of_teams else then.players,
        can=can,
        half=half,
        w=event_words(language),
    )


def _log_lines(state: EventState, lines: tuple[EnteredLine, ...], language: str) -> list[LogLine]:
    gettext, gone = translations(language).gettext, taken_back(state.done)
    return [
        LogLine(
            one.at,
            time_ms(one.time),
            official_name(one.by, gettext),
            told(state, one.action, gettext),
            one.reason,
            one.at in gone,
        )
        for one in lines
    ]


def _matches(line: LogLine, words: Sought) -> bool:
    """Return whether a line matches a search."""
    return finds(words, f"{line.at} {line.by} {line.text} {line.reason}")


def _check_undo(state: EventState, at: int, language: str) -> UndoCheck:
    """Try to take a line back, without doing it."""
    try:
        undo(state, do.Undo(at), "?")
    except CompetitionError as error:
        why = in_words(error.message, state, translations(language).gettext)
        later = tuple(one for one in lines_named(error.message) if one != at)
        return UndoCheck(False, said(why, language), later)
    return UndoCheck(True)


def _compare_head(book: Book, text: str) -> tuple[bool, str, dict[str, int]]:
    """Compare a head with the log: a flag, and the message with its values."""
    try:
        head = Head.read(text)
    except CompetitionError:
        return False, _HEADS["unread"], {}
    last = book.state.actions
    values = {"line": head.at, "more": last - head.at}
    if not 0 < head.at <= last:
        return False, _HEADS["none"], values
    same = any(str(one) == str(head) for one in book.heads(head.at))
    return same, _HEADS["same" if same else "other"], values


_LINES_AT_ONCE = 200
"""Lines of a log that are checked in one turn of a thread, unless one of them has something to say or is a round."""


async def find_faults(event_registry: EventRegistry, place: DeskPlace, held: LogSnapshot) -> list[str]:
    """The faults of an event. Nobody waits for the check: its lines are checked in turns between other work."""
    going, faults = checking(held, engine=place.event.engine), list[str]()
    while (found := await event_registry.in_thread(lambda: _check_lines(going))) is not None:
        faults += found
    return faults


def _check_lines(going: Iterator[tuple[str, ...]]) -> list[str] | None:
    """The faults of the next lines, None at the end."""
    found: list[str] = []
    for at in range(_LINES_AT_ONCE):
        faults = next(going, None)
        if faults is None:
            return found if at else None
        found += faults
    return found


@get("/check", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def check_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The remarks, and the button that checks everything."""
    held = await place.event.with_book(snapshot)
    return _checked_page(request, place, held, None)


@post("/check", action=Action.OFFICIATE, status_code=200)
async def check_event(
    request: AnyRequest,
    place: ThePlace,
    event_registry: TheEventRegistry,
    caller: TheCaller,
    rate_limiter: TheRateLimiter,
) -> Response[str]:
    """Pair every round again, compute every published table again, and say what differs.

    Raises:
        ApiError: 403, the role does not have it.
    """
    place.permit(do.Pair)
    count_change(rate_limiter, caller)
    held = await place.event.with_book(snapshot)
    return _checked_page(request, place, held, await find_faults(event_registry, place, held))


def _checked_page(request: AnyRequest, place: DeskPlace, held: LogSnapshot, faults: list[str] | None) -> Response[str]:
    rounds, lines = len(held.state.rounds), len(held.lines)
    return desk_page(
        request, place, "log", "check.html", faults=faults, remarks=held.remarks, rounds=rounds,
        lines=lines, may_check=do.Pair in place.allowed,
    )  # fmt: skip


handlers = [log_page, line_page, check_page, check_event]
