"""The pages of a child: to enter a code, and the class with its tasks."""

from __future__ import annotations

from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from litestar.response import Redirect

from korgool.accounts import Action, PersonKind
from korgool.accounts.children import SHORT_MARK
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.dependencies import Form, KnownVisitor, TheCaller, ThePrincipal, TheVisitor
from korgool.app.server.http.forms import EMPTY, Filled, see, shown_again
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.school.classes.attendance import ChildView, ClassAttendance
from korgool.app.server.school.classes.model import TaskKind, task_puzzles
from korgool.app.server.school.classes.views import task_lines
from korgool.app.server.school.puzzles.pages import solving_page

TheClassAttendance = NamedDependency[ClassAttendance]
LONGEST_WAIT = 20
"""Seconds for which a page may wait for a change."""


@get("/class", action=Action.ATTEND, media_type=MediaType.HTML, include_in_schema=False)
async def code_page(
    request: AnyRequest, principal: ThePrincipal, class_attendance: TheClassAttendance, code: FromQuery[str] = ""
) -> Response[str]:
    """The form for a code and a nickname; an address may bring the code. Above it the classes one is in."""
    form = Filled({"digits": code[:20], "name": _usual_name(principal)})
    found = await class_attendance.of(principal.identity)
    return page(request, "class_join.html", form=form, found=found, given=bool(code))


@post("/class", action=Action.ATTEND, include_in_schema=False)
async def join(
    request: AnyRequest, data: Form, visitor: KnownVisitor, caller: TheCaller, class_attendance: TheClassAttendance
) -> Response[str] | Redirect:
    """Join a class."""
    try:
        of = await class_attendance.join(visitor, caller, data.get("digits", ""), data.get("name", ""))
    except ApiError as problem:
        codes = (errors.WRONG_CLASS_CODE, errors.TOO_MANY_CLASS_CODES, errors.CLASS_FULL)
        field = "digits" if problem.message in codes else "name"
        found = await class_attendance.of(visitor)
        return shown_again(request, "class_join.html", problem, data, field, found=found, given=False)
    return see(f"/class/{of.id}")


@get("/class/{class_id:str}", action=Action.ATTEND, media_type=MediaType.HTML, include_in_schema=False)
async def child_page(
    request: AnyRequest, class_id: FromPath[str], visitor: TheVisitor, class_attendance: TheClassAttendance
) -> Response[str]:
    """The tasks of a class in their order, with what one has done."""
    view = await class_attendance.view(visitor, class_id)
    return page(request, "class_child.html", form=EMPTY, **_context(request, view))


@get(
    "/class/{class_id:str}/part",
    action=Action.ATTEND,
    media_type=MediaType.HTML,
    include_in_schema=False,
    counts=False,
)
async def child_part(
    request: AnyRequest,
    class_id: FromPath[str],
    visitor: TheVisitor,
    caller: TheCaller,
    class_attendance: TheClassAttendance,
    known: FromQuery[str] = "",
    wait: FromQuery[int] = 0,
) -> Response[str]:
    """The part of that page that changes, as soon as it is not `known` any more; nothing (204) after `wait` seconds."""
    view = await class_attendance.change(visitor, class_id, caller, known, max(0, min(wait, LONGEST_WAIT)))
    if view.tag == known:
        return Response("", status_code=204)
    return page(request, "class_child_part.html", **_context(request, view))


@post("/class/{class_id:str}/answer", action=Action.ATTEND, include_in_schema=False)
async def answer(
    class_id: FromPath[str], data: Form, visitor: KnownVisitor, class_attendance: TheClassAttendance
) -> Redirect:
    """Answer the question on the screen; what came too late is left out."""
    number = data.get("question", "")
    try:
        given = int(number) if number.isascii() and number.isdecimal() and len(number) < 4 else 0
        await class_attendance.answer(visitor, class_id, given, data.get("answer", ""))
    except ApiError as problem:
        if problem.message != errors.NO_QUESTION:
            raise
    return see(f"/class/{class_id}")


@post("/class/{class_id:str}/leave", action=Action.ATTEND, include_in_schema=False)
async def leave(class_id: FromPath[str], visitor: KnownVisitor, class_attendance: TheClassAttendance) -> Redirect:
    """Leave a class."""
    await class_attendance.leave(visitor, class_id)
    return see("/class")


@get(
    "/class/{class_id:str}/puzzles/{number:str}",
    action=Action.ATTEND,
    media_type=MediaType.HTML,
    include_in_schema=False,
)
async def puzzles_page(
    request: AnyRequest,
    class_id: FromPath[str],
    number: FromPath[str],
    visitor: TheVisitor,
    class_attendance: TheClassAttendance,
) -> Response[str] | Redirect:
    """The puzzles of a task that one has not answered yet."""
    view = await class_attendance.view(visitor, class_id)
    task = next((one for one in view.sheet.tasks if str(one.number) == number and one.kind is TaskKind.PUZZLES), None)
    if task is None:
        raise ApiError(404, errors.NO_PAGE)
    answered = await class_attendance.answered_puzzles(view.of, view.member, task)
    left = [(part, puzzle) for part, puzzle in task_puzzles(view.of.game, task) if part not in answered]
    if not left:
        return see(f"/class/{class_id}")
    parts = ",".join(str(part) for part, _ in left)
    return await solving_page(
        request,
        view.of.game,
        [puzzle for _, puzzle in left],
        of_class={"id": class_id, "task": task.number, "member": view.member.number, "parts": parts},
    )


def _context(request: AnyRequest, view: ChildView) -> dict[str, Any]:
    lines = task_lines(view.sheet, language_of(request), view.member.number)
    return {
        "of": view.of,
        "game": view.of.game,
        "member": view.member,
        "tasks": lines,
        "following": next((line.number for line in lines if not line.finished), 0),
        "tag": view.tag,
        **_question(view, language_of(request)),
    }


def _question(view: ChildView, language: str) -> dict[str, Any]:
    """The question on the screen as a phone shows it."""
    asked = view.asked
    if asked is None:
        return {"asked": None}
    words = dict(asked.choices(language))
    return {
        "asked": asked,
        "asked_title": asked.title(language),
        "asked_choices": list(words.items()),
        "answered": words.get(view.answer, ""),
        "right": asked.state.shown and view.answer in asked.question.right,
        "right_answer": words.get(asked.question.right[0], "") if asked.state.shown else "",
    }


def _usual_name(principal: Principal) -> str:
    """The nickname that is offered: of a child its short name, so that nobody types more by mistake."""
    person = principal.person
    if principal.session is None:
        return ""
    return person.short.removesuffix(SHORT_MARK) if person.kind is PersonKind.CHILD else person.name


handlers = [code_page, join, child_page, child_part, answer, leave, puzzles_page]
