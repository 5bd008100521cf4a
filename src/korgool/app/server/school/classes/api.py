"""Reports of children's devices to their class."""

from __future__ import annotations

from typing import Annotated

import msgspec
from litestar import Router, post
from litestar.params import JSONBody, PathParameter

from korgool.accounts import Action
from korgool.app.server.http.dependencies import TheCaller, TheVisitor, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.school.classes.attendance import MOST_AT_ONCE, Reported
from korgool.app.server.school.classes.child_pages import TheClassAttendance

_Number = Annotated[int, msgspec.Meta(ge=0, le=1000)]
_Holes = Annotated[list[_Number], msgspec.Meta(max_length=40)]


class ReportMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that was done.

    Attributes:
        id: given by the device; the same id counts once.
        task: the number of the task in the class.
        part: of puzzles which one, from 1.
        value: stars of a lesson, or right answers of a drill.
        tries: of a puzzle the holes that were tried, for each move to find.
    """

    id: Annotated[str, msgspec.Meta(pattern="^[!-~]{1,40}$")]
    task: _Number
    part: _Number = 0
    value: _Number = 0
    tries: Annotated[list[_Holes], msgspec.Meta(max_length=10)] = []


class ReportsMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reports that a device has kept for a child.

    Attributes:
        member: the number of the child in the class.
        reports: what was done, the oldest first.
    """

    member: _Number
    reports: Annotated[list[ReportMessage], msgspec.Meta(max_length=MOST_AT_ONCE)]


class ReportsTaken(msgspec.Struct, frozen=True):
    """Answer to reports.

    Attributes:
        taken: how many the server has seen; none of them is to be sent again.
    """

    taken: int


@post(
    "/{class_id:str}/results",
    action=Action.ATTEND,
    status_code=200,
    responses=refusals(
        {404: "there is no such class, or you are not in it", 409: "another child is here now, or it has ended"},
        command=True,
    ),
    summary="Report what was done for a class",
)
async def report(
    class_id: Annotated[str, PathParameter(description="id of the class", max_length=40)],
    data: JSONBody[ReportsMessage],
    visitor: TheVisitor,
    caller: TheCaller,
    class_attendance: TheClassAttendance,
) -> ReportsTaken:
    """Report lessons, drills and puzzles that were tasks. Games report themselves. What is no task is left out."""
    reports = [Reported(one.id, one.task, one.part, one.value, one.tries) for one in data.reports]
    await class_attendance.report(visitor, class_id, data.member, reports, caller)
    return ReportsTaken(len(reports))


router = Router("/api/class", before_request=check_body, route_handlers=[report], tags=["classes"])
