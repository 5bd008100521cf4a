"""The screen of a class, for a projector: how to join, who is there, the task, and questions that all answer."""

from __future__ import annotations

import zlib
from typing import Any

from litestar import MediaType, Response, get
from litestar.params import FromPath, FromQuery

from korgool.accounts import Action
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.dependencies import KnownVisitor
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.play.board_picture import LowBoard
from korgool.app.server.school.classes.pages import TheClasses, joining
from korgool.app.server.school.classes.service import Screen
from korgool.app.server.school.classes.views import task_lines
from korgool.app.words.games import STONE_GAMES
from korgool.app.words.lessons import DRILL_WORDS
from korgool.languages import translations
from korgool.training.drills import Drill

MOST_NAMES = 60
"""Nicknames on the screen; of more their number is told."""


@get("/class/{class_id:str}/screen", action=Action.TEACH, media_type=MediaType.HTML, include_in_schema=False)
async def screen_page(
    request: AnyRequest, class_id: FromPath[str], visitor: KnownVisitor, classes: TheClasses
) -> Response[str]:
    """The screen; only the trainer opens it."""
    of = await classes.own(visitor, class_id)
    screen = await classes.screen(of)
    catalogue = translations(language_of(request), of.game in STONE_GAMES)
    drills = [(drill.value, catalogue.gettext(DRILL_WORDS[drill][0])) for drill in Drill]
    context = _context(request, screen)
    picture = LowBoard.start(of.game) if screen.asked is None else screen.asked.picture()
    return page(request, "class_screen.html", drills=drills, board=picture, **context)


@get(
    "/class/{class_id:str}/screen/part",
    action=Action.TEACH,
    media_type=MediaType.HTML,
    include_in_schema=False,
    counts=False,
)
async def screen_part(
    request: AnyRequest, class_id: FromPath[str], visitor: KnownVisitor, classes: TheClasses, known: FromQuery[str] = ""
) -> Response[str]:
    """The part of the screen that changes; nothing (204) while it is as `known`."""
    screen = await classes.screen(await classes.own(visitor, class_id))
    context = _context(request, screen)
    if context["tag"] == known:
        return Response("", status_code=204)
    return page(request, "class_screen_part.html", **context)


def _context(request: AnyRequest, screen: Screen) -> dict[str, Any]:
    of, language, asked = screen.sheet.of, language_of(request), screen.asked
    lines = task_lines(screen.sheet, language)
    running = next((line for line in lines if line.number == of.running), None)
    task = next((one for one in screen.sheet.tasks if one.number == of.running), None)
    people = [
        (member.name, of.shown and task is not None and screen.sheet.is_done(member.number, task))
        for member in screen.sheet.members
    ]
    context: dict[str, Any] = {
        "of": of,
        "game": of.game,
        "tasks": lines,
        "running": running,
        "people": people[:MOST_NAMES],
        "more": max(0, len(people) - MOST_NAMES),
        "count": len(people),
        "over": of.ends_ms <= now_ms(),
        "asked": asked,
        **joining(request, of, of.code_at(now_ms())),
    }
    if asked is not None:
        shown = asked.state.shown
        given = list(screen.answers.values())
        names = {member.number: member.name for member in screen.sheet.members}
        best = sorted(screen.tally.items(), key=lambda one: (-one[1], names.get(one[0], "")))
        context |= {
            "asked_title": asked.title(language),
            "asked_task": asked.task(language),
            "remark": asked.remark(language) if shown else "",
            "answers": [
                (text, given.count(answer) if shown else None, shown and answer in asked.question.right)
                for answer, text in asked.choices(language)
            ],
            "answered": len(given),
            "tally": [(names[number], right) for number, right in best if number in names][:10],
        }
    seen = repr({**context, "asked": of.drill, "qr": ""})
    return context | {"tag": f"{zlib.crc32(seen.encode()):08x}"}


handlers = [screen_page, screen_part]
