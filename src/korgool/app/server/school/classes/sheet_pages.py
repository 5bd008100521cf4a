"""The results of a class on one sheet: a page to read and print, files for spreadsheets, and certificates."""

from __future__ import annotations

import asyncio

from litestar import MediaType, Response, get
from litestar.params import FromPath, FromQuery

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.http.dependencies import KnownVisitor, TheCaller
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.school.classes.model import Sheet
from korgool.app.server.school.classes.pages import TheClasses
from korgool.app.server.school.classes.views import cells, result_table, task_lines
from korgool.competition.csv_export import SPREADSHEET_LANGUAGES, csv_text
from korgool.competition.xlsx_export import workbook

_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@get("/classes/{class_id:str}/results", action=Action.TEACH, media_type=MediaType.HTML, include_in_schema=False)
async def results_page(
    request: AnyRequest, class_id: FromPath[str], visitor: KnownVisitor, classes: TheClasses
) -> Response[str]:
    """Who has done what, as a table."""
    of, language = await classes.own(visitor, class_id), language_of(request)
    sheet = await classes.sheet(of)
    rows = zip(sheet.members, cells(sheet, language), strict=True)
    return page(
        request,
        "class_results.html",
        of=of,
        game=of.game,
        tasks=task_lines(sheet, language),
        rows=[(member, told) for member, (_, told) in rows],
    )


@get("/classes/{class_id:str}/file", action=Action.TEACH, include_in_schema=False)
async def results_file(
    request: AnyRequest, class_id: FromPath[str], visitor: KnownVisitor, classes: TheClasses, what: FromQuery[str] = ""
) -> Response[bytes]:
    """The same as a file: `csv` or `xlsx`."""
    of, language = await classes.own(visitor, class_id), language_of(request)
    if what not in ("csv", "xlsx"):
        raise ApiError(404, errors.NO_PAGE)
    content = await asyncio.to_thread(_written, await classes.sheet(of), language, what)
    headers = {"content-disposition": f'attachment; filename="class-{of.id}.{what}"'}
    return Response(content, media_type=_XLSX if what == "xlsx" else "text/csv; charset=utf-8", headers=headers)


@get("/classes/{class_id:str}/certificates", action=Action.TEACH, include_in_schema=False)
async def certificates(
    class_id: FromPath[str],
    visitor: KnownVisitor,
    classes: TheClasses,
    caller: TheCaller,
    number: FromQuery[int] = 0,
) -> Response[bytes]:
    """Certificates as PDF, of all children or of one."""
    of = await classes.own(visitor, class_id)
    made = await classes.certificates(of, caller, number)
    headers = {"content-disposition": f'inline; filename="class-{of.id}-certificates.pdf"'}
    return Response(made, media_type="application/pdf", headers=headers)


def _written(sheet: Sheet, language: str, what: str) -> bytes:
    table = result_table(sheet, language)
    if what == "xlsx":
        return workbook([table])
    local = language in SPREADSHEET_LANGUAGES
    return csv_text(table, delimiter=";" if local else ",", bom=local).encode()


handlers = [results_page, results_file, certificates]
