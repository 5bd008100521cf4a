"""The API of studies: made, read by link, and changed by who made them."""

from __future__ import annotations

from typing import Annotated

from litestar import Router, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody, QueryParameter

from korgool.accounts import Action
from korgool.app.server.http.dependencies import TheCaller, ThePrincipal, check_body
from korgool.app.server.http.openapi import refusals
from korgool.app.server.people.messages import Ended
from korgool.app.server.school.studies.messages import (
    ChapterCommand,
    NewChapters,
    NewStudy,
    Number,
    Numbers,
    StudyCommand,
    StudyId,
    StudyItem,
    StudyMade,
    StudyMessage,
    Version,
)
from korgool.app.server.school.studies.service import StudyService

TheStudies = NamedDependency[StudyService]
_BODY_LIMIT = 2_200_000
"""Bytes of a body: the file of a study as JSON, where a letter may take two."""
_NONE = {404: "there is no such study for who asks"}
_OWN = {403: "it is not theirs", **_NONE}
_STALE = {409: "it has changed since that version: read it again"}
_BAD = {422: "it cannot be read, with chapter, line and reason, or is too large"}


@get("/", action=Action.SEE_OWN, responses=refusals(), summary="Your studies")
async def list_studies(principal: ThePrincipal, studies: TheStudies) -> list[StudyItem]:
    """Your studies, the one changed last first."""
    return [StudyItem.of(study) for study in await studies.own(principal)]


@post(
    "/",
    action=Action.EDIT,
    request_max_body_size=_BODY_LIMIT,
    responses=refusals(_BAD, command=True),
    summary="Make a study",
)
async def make_study(
    data: JSONBody[NewStudy], principal: ThePrincipal, studies: TheStudies, caller: TheCaller
) -> StudyMade:
    """Make a study of a file of games, or an empty one. Who has its address may read it."""
    made = await studies.make(principal, data.title, data.language, data.text, caller)
    return StudyMade(made, f"/studies/{made}")


@get("/{study_id:str}", action=Action.WATCH, responses=refusals(_NONE), summary="A study")
async def read_study(study_id: StudyId, principal: ThePrincipal, studies: TheStudies) -> StudyMessage:
    """A study with all its chapters."""
    return StudyMessage.of(await studies.read(study_id, principal), principal.person.id)


@put(
    "/{study_id:str}",
    action=Action.EDIT,
    responses=refusals(_OWN | _STALE | {422: "a title or the order cannot be"}, command=True),
    summary="Rename a study or move its chapters",
)
async def describe_study(
    study_id: StudyId, data: JSONBody[StudyCommand], principal: ThePrincipal, studies: TheStudies
) -> Version:
    """Replace the title, the author, the language and the order of the chapters."""
    head = (data.title, data.author, data.language)
    return Version(await studies.describe(study_id, principal, data.version, head, data.chapters))


@delete(
    "/{study_id:str}",
    action=Action.EDIT,
    status_code=200,
    responses=refusals(_OWN, command=True),
    summary="Delete a study",
)
async def remove_study(study_id: StudyId, principal: ThePrincipal, studies: TheStudies) -> Ended:
    """Delete a study with its chapters."""
    await studies.remove(study_id, principal)
    return Ended(1)


@post(
    "/{study_id:str}/chapters",
    action=Action.EDIT,
    request_max_body_size=_BODY_LIMIT,
    responses=refusals(_OWN | _BAD, command=True),
    summary="Add chapters",
)
async def add_chapters(
    study_id: StudyId, data: JSONBody[NewChapters], principal: ThePrincipal, studies: TheStudies, caller: TheCaller
) -> Numbers:
    """Add the games of a file at the end, each a chapter: all of them, or none."""
    return Numbers(tuple(await studies.append(study_id, principal, data.title, data.text, caller)))


@put(
    "/{study_id:str}/chapters/{number:int}",
    action=Action.EDIT,
    request_max_body_size=_BODY_LIMIT,
    responses=refusals(_OWN | _STALE | _BAD, command=True),
    summary="Save a chapter",
)
async def save_chapter(
    study_id: StudyId,
    number: Number,
    data: JSONBody[ChapterCommand],
    principal: ThePrincipal,
    studies: TheStudies,
    caller: TheCaller,
) -> Version:
    """Replace a chapter with what is sent."""
    chapter = (data.title, data.concealed, data.record)
    return Version(await studies.save(study_id, number, principal, data.version, chapter, caller))


@delete(
    "/{study_id:str}/chapters/{number:int}",
    action=Action.EDIT,
    status_code=200,
    responses=refusals(_OWN | _STALE, command=True),
    summary="Delete a chapter",
)
async def remove_chapter(
    study_id: StudyId,
    number: Number,
    version: Annotated[int, QueryParameter(description="the one that was read last")],
    principal: ThePrincipal,
    studies: TheStudies,
) -> Ended:
    """Delete a chapter of the version that the query names; one that is no longer there stays so."""
    await studies.remove_chapter(study_id, number, principal, version)
    return Ended(1)


router = Router(
    "/api/studies",
    before_request=check_body,
    route_handlers=[
        *(list_studies, make_study, read_study, describe_study, remove_study),
        *(add_chapters, save_chapter, remove_chapter),
    ],
    tags=["studies"],
)
