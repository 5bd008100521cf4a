"""The pages of a trainer: their classes, and one of them with its code, tasks and children."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from litestar import MediaType, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import Form, KnownVisitor, TheCaller
from korgool.app.server.http.forms import EMPTY, Filled, see, shown_again
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of, page
from korgool.app.server.http.template_texts import qr_svg
from korgool.app.server.play.dependencies import TheGameRegistry
from korgool.app.server.school.classes.model import DAY_MS, SchoolClass
from korgool.app.server.school.classes.repository import KEPT_DAYS
from korgool.app.server.school.classes.service import LONGEST_DAYS, USUAL_DAYS, ClassAction, ClassService
from korgool.app.server.school.classes.views import task_choices, task_lines

TheClasses = NamedDependency[ClassService]
_TO_LIST = {ClassAction.DELETE}


@get("/classes", action=Action.TEACH, media_type=MediaType.HTML, include_in_schema=False)
async def classes_page(
    request: AnyRequest, visitor: KnownVisitor, classes: TheClasses, game_registry: TheGameRegistry
) -> Response[str]:
    """The classes of a trainer, and the form for another one."""
    form = Filled({"ends": _day(now_ms() + USUAL_DAYS * DAY_MS)})
    return page(request, "classes.html", form=form, **await _list(visitor, classes, game_registry.settings.game))


@post("/classes", action=Action.TEACH, include_in_schema=False)
async def make_class(
    request: AnyRequest,
    data: Form,
    visitor: KnownVisitor,
    caller: TheCaller,
    classes: TheClasses,
    game_registry: TheGameRegistry,
) -> Response[str] | Redirect:
    """Make a class."""
    try:
        made = await classes.make(visitor, caller, {"language": language_of(request), **data})
    except ApiError as problem:
        context = await _list(visitor, classes, game_registry.settings.game)
        return shown_again(request, "classes.html", problem, data, "name", **context)
    return see(f"/classes/{made.id}")


@get("/classes/{class_id:str}", action=Action.TEACH, media_type=MediaType.HTML, include_in_schema=False)
async def class_page(
    request: AnyRequest, class_id: FromPath[str], visitor: KnownVisitor, classes: TheClasses
) -> Response[str]:
    """A class: how children join it, its tasks, its children, and its settings."""
    return page(request, "class_trainer.html", form=EMPTY, **await _one(request, visitor, class_id, classes))


@post("/classes/{class_id:str}/act", action=Action.TEACH, include_in_schema=False)
async def act(
    request: AnyRequest,
    class_id: FromPath[str],
    data: Form,
    visitor: KnownVisitor,
    caller: TheCaller,
    classes: TheClasses,
) -> Response[str] | Redirect:
    """Do something with a class; then the page from which it was done is shown again."""
    do = data.get("do", "")
    try:
        await classes.act(visitor, caller, class_id, do, data)
    except ApiError as problem:
        if problem.status == 404:
            raise
        context = await _one(request, visitor, class_id, classes)
        return shown_again(request, "class_trainer.html", problem, data, do, **context)
    if do in _TO_LIST:
        return see("/classes")
    return see(f"/class/{class_id}/screen" if data.get("back") == "screen" else f"/classes/{class_id}")


async def _list(trainer: str, classes: ClassService, game: str) -> dict[str, Any]:
    now = now_ms()
    return {
        "found": await classes.of_trainer(trainer),
        "first_game": game,
        "now": now,
        "last_end": _day(now + LONGEST_DAYS * DAY_MS),
        "first_end": _day(now),
        "kept_days": KEPT_DAYS,
    }


async def _one(request: AnyRequest, trainer: str, id_: str, classes: ClassService) -> dict[str, Any]:
    of, now, language = await classes.own(trainer, id_), now_ms(), language_of(request)
    sheet = await classes.sheet(of)
    code = of.code_at(now)
    return {
        "of": of,
        "game": of.game,
        "sheet": sheet,
        "tasks": task_lines(sheet, language),
        "choices": task_choices(of.game, language),
        "last_day": _day(of.ends_ms - 1),
        "last_end": _day(now + LONGEST_DAYS * DAY_MS),
        "first_end": _day(now),
        "over": of.ends_ms <= now,
        "kept_days": KEPT_DAYS,
        **joining(request, of, code),
    }


def joining(request: AnyRequest, of: SchoolClass, code: str) -> dict[str, Any]:
    """The way to join a class as pages show it: the code in groups, the address, and its picture."""
    if not code:
        return {"code": ""}
    address = f"{origin_of(request)}/class"
    return {"code": f"{code[:4]} {code[4:]}", "address": address, "qr": qr_svg(f"{address}?code={code}")}


def _day(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).date().isoformat()


handlers = [classes_page, make_class, class_page, act]
