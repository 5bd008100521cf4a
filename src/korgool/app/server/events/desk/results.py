"""The results of a round, typed board by board: each row is a command of its own, entered at once or said why not.

A result that contradicts the one of another official is not entered: the log holds it as a dispute, and every official
sees both at the board until one corrects the result or says that it stays.

With scripts a row is sent as soon as it is typed, under an id of its own, and answered with the row as it stands now.
A device that could not send it may send it much later, from any page of the event, and names who has typed it then.
Without them the whole page is one form; what can be entered is entered, and the other rows keep what was typed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from litestar import MediaType, Response, get, post
from litestar.params import FromPath, FromQuery

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.action_requests import result_request
from korgool.app.server.events.desk.forms import Answer, Fields, known_line, read_fields, refusal_of, whole_number
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page, mark_of
from korgool.app.server.events.desk.result_rows import (
    ENDINGS,
    BoardRow,
    RowProblem,
    board_rows,
    dependents_of,
    ending_choices,
)
from korgool.app.server.events.live_event import ActionRefusedError, ConflictError
from korgool.app.server.events.tables.service import TablePhones
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame
from korgool.competition.pairing_doubts import pairing_notes
from korgool.competition.result import Result
from korgool.competition.result_entry import NoWinnerError, read_entry
from korgool.competition.result_words import LETTERS
from korgool.competition.roles import Officer

_STATUS = {"unread": 422, "reason": 422, "refused": 422, "other": 409, "disputed": 409}
_LONGEST = 300
_EXAMPLE = Result(2, 0, None, "forfeit")
"""A result of any game."""


@dataclass(frozen=True, slots=True)
class _TypedRow:
    """A row as it was typed: what stands there now, what stood there before, why it changes, and in which language.

    Or what is disputed there `stays`.
    """

    board: int
    text: str
    was: str
    reason: str
    id: str
    language: str
    stays: bool = False


@get("/round", action=Action.OFFICIATE)
async def last_round(place: ThePlace) -> Answer:
    """The round that is being played; before the first one, the page that pairs it."""
    number = len(place.state.rounds)
    return see(f"/events/{place.event.id}/desk/{f'round/{number}' if number else 'pairing'}")


@get("/round/{number:str}", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def round_page(request: AnyRequest, place: ThePlace, number: FromPath[str]) -> Response[str]:
    """The boards of a round with their results."""
    return await _page(request, place, round_of(place, number), {}, 200)


@get("/round/{number:str}/rows", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def round_rows(request: AnyRequest, place: ThePlace, number: FromPath[str], boards: FromQuery[str]) -> Answer:
    """Some boards of a round, `3,5`, and what stands above them: for a page on which the others are right."""
    at = round_of(place, number)
    asked = {whole_number(one, 4) for one in boards.split(",")}
    return await _page(
        request, place, at, {}, 200, [game.board for game in place.state.round(at).games if game.board in asked]
    )


@post("/round/{number:str}/results", action=Action.OFFICIATE)
async def enter_results(
    request: AnyRequest, place: ThePlace, number: FromPath[str]
) -> Answer | Response[dict[str, str]]:
    """Enter the rows of a form that were changed; the answer is these rows if it has a field `rows`, else the page."""
    at = round_of(place, number)
    given = await read_fields(request)
    if _by_another(place.officer, given):
        told = {"detail": "another official is here now", "official": place.officer.name}
        return Response(told, media_type=MediaType.JSON, status_code=403)
    language = given.get("language", [language_of(request)])[-1]
    typed, after, troubles = _typed_rows(given, language), known_line(given), {}
    for one in typed:
        try:
            trouble = await (_settle if one.stays else _enter)(place, at, one, after)
        except CompetitionError as problem:
            trouble = _refused(place, one, problem)
        if trouble is not None:
            troubles[one.board] = trouble
    status = max((_STATUS[one.kind] for one in troubles.values()), default=200)
    now = DeskPlace(place.event, place.officer)
    if "rows" in given:
        boards = [one.board for one in typed if any(game.board == one.board for game in now.state.round(at).games)]
        return await _page(request, now, at, troubles, status, boards)
    if troubles:
        return await _page(request, now, at, troubles, status)
    return see(f"/events/{place.event.id}/desk/round/{at}?done")


def _by_another(officer: Officer, given: Fields) -> bool:
    """Return whether a device sends what another official typed on it: the log would name the wrong one.

    Whoever comes by a new link is another official with the same name, and goes on.
    """
    who, by = (given.get(name, [""])[-1] for name in ("who", "by"))
    return bool(who) and who != mark_of(officer) and by != officer.name


async def _enter(place: DeskPlace, number: int, typed: _TypedRow, after: int) -> RowProblem | None:
    """Enter a row.

    Returns:
        What keeps it from being entered, or None.

    Raises:
        CompetitionError: it is refused.
    """
    state = place.event.state
    held = state.round(number).game(typed.board).result
    result = None
    if typed.text:
        try:
            result = read_entry(typed.text, state.event, language=typed.language)
        except NoWinnerError as problem:
            choices = ending_choices(problem.stones, problem.cause) if state.event.sets == 1 else ()
            return RowProblem("unread", typed.text, problem.message, reason=typed.reason, choices=choices)
        except CompetitionError as problem:
            return RowProblem("unread", typed.text, problem.message, reason=typed.reason)
        if result == held:
            return None  # entered already, by somebody else or by the same command
    if typed.was or result is None:
        if not typed.reason:
            said = result_request(typed.id, "", do.Correct(number, typed.board, result))
            disputed = await place.event.dispute(place.officer, after, [said])
            return RowProblem("disputed" if disputed else "reason", typed.text)
        asked = result_request(typed.id, typed.reason, do.Correct(number, typed.board, result))
    else:
        asked = result_request(typed.id, "", do.EnterResult(number, typed.board, result))
    await place.event.act(place.officer, after, [asked])
    return None


async def _settle(place: DeskPlace, number: int, typed: _TypedRow, after: int) -> RowProblem | None:
    """Let a disputed result stay as it is; returns and raises what `_enter` does."""
    asked = {"do": "settle", "round": number, "board": typed.board, "id": typed.id, "reason": typed.reason}
    if (number, typed.board) in place.event.state.disputes:
        await place.event.act(place.officer, after, [asked])
    return None


def _refused(place: DeskPlace, typed: _TypedRow, problem: CompetitionError) -> RowProblem:
    if isinstance(problem, ActionRefusedError | ConflictError) and problem.disputed:
        return RowProblem("disputed", typed.text, reason=typed.reason)
    if isinstance(problem, ConflictError):
        by = next((line.by for line in reversed(problem.since) if problem.parts & set(line.parts)), "")
        return RowProblem("other", typed.text, by=by, reason=typed.reason)
    return RowProblem("refused", typed.text, refusal_of(problem).text, reason=typed.reason)


def _typed_rows(given: Fields, language: str) -> list[_TypedRow]:
    """The rows of a form that were changed: `r5` is what stands at board 5, `w5` what stood there before."""
    found = []
    for name in given:
        board = name.removeprefix("r")
        if not (name.startswith("r") and board.isascii() and board.isdecimal() and len(board) < 5):
            continue
        text, was, reason = (" ".join(given.get(part + board, [""])[-1].split())[:_LONGEST] for part in "rwy")
        stays = given.get("stays", [""])[-1] == board
        if text != was or stays:
            found.append(_TypedRow(int(board), text, was, reason, given.get("id", [""])[-1][:40], language, stays))
    return sorted(found, key=lambda one: one.board)


def round_of(place: DeskPlace, text: str) -> int:
    """The number of a paired round in an address.

    Raises:
        ApiError: 404.
    """
    number = whole_number(text, 3) or 0
    if not 1 <= number <= len(place.state.rounds):
        raise ApiError(404, errors.NO_PAGE)
    return number


async def _page(
    request: AnyRequest,
    place: DeskPlace,
    number: int,
    troubles: dict[int, RowProblem],
    status: int,
    only: list[int] | None = None,
) -> Response[str]:
    state = place.state
    one = state.round(number)
    open_ = {game.board: _may(place, number, game) for game in one.games if only is None or game.board in only}
    said_by = await place.event.said_by(state, number, open_)
    return desk_page(
        request,
        place,
        "results",
        "round.html" if only is None else "rows.html",
        status,
        round=one,
        rows=await _with_photos(
            request, place, number, board_rows(state, number, open_, troubles, only, language_of(request), said_by)
        ),
        touched=dependents_of(state, number),
        endings=ENDINGS,
        letters=LETTERS.get(language_of(request), LETTERS["en"]),
        half=state.event.rules().total // 2,
        may_enter=any(open_.values()),
        may_keep=number == len(state.rounds) and do.Attach in place.allowed,
        may_change=bool({do.Repair, do.Choose, do.Attach} & place.allowed),
        notes=pairing_notes(state, number) if one.manual and only is None else (),
    )


def sees_photos(officer: Officer, board: int) -> bool:
    """Return whether an official sees the photographs of the scoresheets of a board: who may enter its result does."""
    return officer.lacks(do.EnterResult) is None and (officer.boards is None or board in officer.boards)


async def _with_photos(request: AnyRequest, place: DeskPlace, number: int, rows: list[BoardRow]) -> list[BoardRow]:
    """The rows with the photographs that the official sees."""
    if not place.state.event.phones:
        return rows
    phones: TablePhones = request.app.state.table_phones
    there = await phones.photos_of_round(place.event, number)
    if not there:
        return rows
    return [
        replace(
            one,
            photos=tuple(
                side
                for side, seat in (("white", one.white), ("black", one.black))
                if sees_photos(place.officer, one.board) and (one.board, side, seat.id) in there
            ),
        )
        for one in rows
    ]


def _may(place: DeskPlace, number: int, game: PairedGame) -> bool:
    """Return whether the official may enter the result of a board."""
    kind = do.EnterResult if game.result is None else do.Correct
    return place.officer.refusal(kind(number, game.board, game.result or _EXAMPLE), place.state) is None


handlers = [last_round, round_page, round_rows, enter_results]
