"""The pages of studies: the list, the board with its chapters, and the file."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import quote

from litestar import MediaType, Response, get, post
from litestar.params import FromQuery

from korgool.accounts import Action, PersonKind
from korgool.app.server.analysis.api import drawn_boards, page_facts
from korgool.app.server.http.dependencies import Form, TheCaller, ThePrincipal
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.app.server.http.rights import ANYBODY
from korgool.app.server.http.template_texts import safe_json
from korgool.app.server.school.studies.api import TheStudies
from korgool.app.server.school.studies.messages import StudyId
from korgool.training.study import LONGEST_CHAPTER, LONGEST_STUDY, LONGEST_TITLE, MOST_CHAPTERS

ON_DEVICE = "device"
"""In place of an id: a study that is in the browser alone; the fragment of the address names it."""
_FORM_LIMIT = 3_500_000
"""Bytes of a form with the file of a study, where each letter of other scripts takes six."""
_LIMITS = {"chapters": MOST_CHAPTERS, "chapter": LONGEST_CHAPTER, "study": LONGEST_STUDY, "title": LONGEST_TITLE}


@get("/studies", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def studies_page(request: AnyRequest, principal: ThePrincipal, studies: TheStudies) -> Response[str]:
    """The studies of who asks; those on the device are added by a script."""
    member = principal.person.kind not in (PersonKind.NOBODY, PersonKind.VISITOR)
    found = await studies.own(principal) if member else []
    facts = await asyncio.to_thread(page_facts)
    needed = {"games": facts["games"], "records": facts["records"], "limits": _LIMITS, "member": member}
    return page(request, "studies.html", studies=found, member=member, limits=_LIMITS, study_json=safe_json(needed))


@get(f"/studies/{ON_DEVICE}", action=ANYBODY, media_type=MediaType.HTML, include_in_schema=False)
async def device_study_page(request: AnyRequest) -> Response[str]:
    """The board with a study of this device."""
    return await _board(request, {"id": "", "own": True}, "", [])


@get("/studies/{study_id:str}", action=Action.WATCH, media_type=MediaType.HTML, include_in_schema=False)
async def study_page(
    request: AnyRequest, study_id: StudyId, principal: ThePrincipal, studies: TheStudies
) -> Response[str]:
    """The board with a study, for everybody who has its address."""
    study = await studies.read(study_id, principal)
    own = study.maker == principal.person.id
    return await _board(request, {"id": study.id, "own": own}, study.title, [one.title for one in study.chapters])


@get("/studies/{study_id:str}/study.pgn", action=Action.WATCH, include_in_schema=False)
async def study_download(study_id: StudyId, principal: ThePrincipal, studies: TheStudies) -> Response[bytes]:
    """The file of a study."""
    title, text = await studies.file(study_id, principal)
    return Response(text.encode(), media_type="application/vnd.chess-pgn", headers=attached(title, "pgn"))


@get("/studies/{study_id:str}/booklet.pdf", action=Action.WATCH, include_in_schema=False)
async def booklet_download(
    request: AnyRequest,
    study_id: StudyId,
    principal: ThePrincipal,
    studies: TheStudies,
    caller: TheCaller,
    paper: FromQuery[str] = "a4",
) -> Response[bytes]:
    """A study as a booklet on paper of a size."""
    title, made = await studies.booklet(study_id, principal, paper, language_of(request), caller)
    return Response(made, media_type="application/pdf", headers=attached(title, "pdf"))


@post(
    "/studies/booklet.pdf", action=ANYBODY, status_code=200, request_max_body_size=_FORM_LIMIT, include_in_schema=False
)
async def print_booklet(request: AnyRequest, data: Form, studies: TheStudies, caller: TheCaller) -> Response[bytes]:
    """The booklet of a study that only the device has."""
    made = await studies.print(data.get("text", ""), data.get("paper", "a4"), language_of(request), caller)
    return Response(made, media_type="application/pdf", headers=attached("", "pdf"))


def attached(title: str, suffix: str) -> dict[str, str]:
    """The headers of a file that has the title of a study as its name."""
    plain = "-".join("".join(letter if letter.isalnum() else " " for letter in title).split())[:80] or "study"
    return {"content-disposition": f"attachment; filename=\"study.{suffix}\"; filename*=UTF-8''{quote(plain)}.{suffix}"}


async def _board(request: AnyRequest, study: dict[str, Any], title: str, chapters: list[str]) -> Response[str]:
    facts = await asyncio.to_thread(page_facts) | {"study": study | {"limits": _LIMITS}}
    board = drawn_boards(language_of(request))[0]
    return page(
        request,
        "analysis.html",
        analysis_json=safe_json(facts),
        board=board,
        study=study,
        study_title=title,
        chapter_titles=chapters,
    )


handlers = [studies_page, device_study_page, study_page, study_download, booklet_download, print_booklet]
