"""Everything on paper, as PDF in every language, and the event and its tables as files for other programs."""

from __future__ import annotations

import asyncio
import hashlib
import io
import zipfile
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from litestar import MediaType, Response, get, post

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.printing import EVENT_PAPERS, ONE_BY_ONE, PAPER_TITLES, GroupPaperError, PaperContext, print_papers
from korgool.app.printing.diploma_template import DEFAULT, NAMES
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.printing import printed
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.events.tables.service import TablePhones
from korgool.app.server.http.dependencies import Form
from korgool.app.server.http.responses import AnyRequest, language_of, origin_of
from korgool.app.words.event_words import event_words
from korgool.competition.csv_export import SPREADSHEET_LANGUAGES, TABLES, csv_text
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.game_records import games
from korgool.competition.model import Personal, System
from korgool.competition.standings import group_names
from korgool.competition.trf import write_trf
from korgool.competition.xlsx_export import workbook
from korgool.languages import LANGUAGES, N_
from korgool.notation import write_records

STAGES: Final = (
    (N_("Before the event"), ("application", "start-list", "badges", "place-cards", "table-cards", "team-sheets")),
    (
        N_("For a round"),
        ("pairings", "pairings-by-name", "result-slips", "record-forms", "match-protocols", "wall-chart"),
    ),
    (N_("After a round"), ("standings", "cross-table", "team-standings", "bracket", "special-games", "rating-changes")),
    (N_("At the end"), ("protocol", "prize-list", "diplomas", "certificates")),
)
"""The papers in the order in which an event needs them."""
_TEXTS = ("diplomas", "certificates")
_GROUPED = ("standings", *_TEXTS)
_BOARDS = ("record-forms", "result-slips", "table-cards")
_OF_TEAMS = ("team-sheets", "match-protocols")
_DATED = ("record-forms", *_TEXTS)
_FILES = "files"
"""The value of `every` that asks for a file of each group."""
_UNNAMED = str.maketrans('/\\:*?"<>|', "---------")
"""Letters that names of files hold on some systems alone."""

Writer: TypeAlias = "Callable[[EventState, str], bytes]"


def _csv(name: str) -> tuple[str, str, Writer]:
    """A table as CSV, in the form that spreadsheets expect where a language is at home."""

    def write(state: EventState, language: str) -> bytes:
        local = language in SPREADSHEET_LANGUAGES
        return csv_text(TABLES[name](state, None), delimiter=";" if local else ",", bom=local).encode()

    return "text/csv", "csv", write


XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

FILES: Final[Mapping[str, tuple[str, str, Writer]]] = {
    "trf": ("text/plain", "trf", lambda state, _: write_trf(state).encode()),
    "trf-reasons": ("text/plain", "trf", lambda state, _: write_trf(state, reasons=True).encode()),
    "trf16": ("text/plain", "trf", lambda state, _: write_trf(state, edition="2016").encode()),
    **{name: _csv(name) for name in TABLES},
    "tables": (XLSX, "xlsx", lambda state, _: workbook(make(state, None) for make in TABLES.values())),
    "games": ("text/plain", "pgn", lambda state, _: "".join(write_records(games(state))).encode()),
}
"""Files for other programs: the kind, the end of the name, and what writes it for a language."""


@get("/papers", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def papers_page(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The papers with their options, the text of diplomas, and the files."""
    place.permit(do.Publish)
    return papers_form(request, place, {})


@get("/papers/print", action=Action.OFFICIATE)
async def print_paper(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry
) -> Response[bytes] | Response[str]:
    """A paper as PDF, with `every` that of all groups, in one or as a file of files; what is refused leads back to the
    form."""
    place.permit(do.Publish)
    return await _printed(request, place, event_registry, dict(request.query_params))


@post("/papers/text", action=Action.OFFICIATE, status_code=200)
async def print_text(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry, data: Form
) -> Response[bytes] | Response[str]:
    """Diplomas or certificates with the organiser's text."""
    place.permit(do.Publish)
    return await _printed(request, place, event_registry, data)


@get("/papers/file", action=Action.OFFICIATE)
async def export_file(request: AnyRequest, place: ThePlace) -> Response[bytes] | Response[str]:
    """A table or the games as a file."""
    place.permit(do.Publish)
    what = request.query_params.get("what", "")
    if what not in FILES:
        raise ApiError(404, errors.NO_PAGE)
    kind, end, write = FILES[what]
    try:
        content = await asyncio.to_thread(write, place.state, language_of(request))
    except ValueError as error:
        return papers_form(request, place, {}, _said(error, language_of(request)), 422)
    headers = {"content-disposition": f'attachment; filename="{place.event.id}-{what}.{end}"'}
    return Response(content, media_type=kind, headers=headers)


async def _printed(
    request: AnyRequest, place: DeskPlace, event_registry: EventRegistry, asked: Mapping[str, str]
) -> Response[bytes] | Response[str]:
    what = asked.get("what", "")
    if what not in EVENT_PAPERS:
        raise ApiError(404, errors.NO_PAGE)
    held = what == "application" and do.Forget in place.allowed
    every = asked.get("every", "") if place.state.groups else ""
    groups = await event_registry.groups(place.event) if every else [place.event]
    contexts: dict[str, PaperContext] = {}
    for event in groups:
        name = event.state.groups.get(event.state.group, "")
        try:
            contexts[name] = await _context(request, event, asked, what, held=held)
        except ValueError as error:
            return papers_form(request, place, asked, _said(error, language_of(request)), 422)
    try:
        if every == _FILES or (every and what in ONE_BY_ONE):
            made = {name: await _printed_of(what, {name: context}) for name, context in contexts.items()}
            headers = {"content-disposition": f'attachment; filename="{place.event.event_id}-{what}.zip"'}
            return Response(_together(made, what), media_type="application/zip", headers=headers)
        content = await _printed_of(what, contexts)
    except GroupPaperError as error:
        problem = _said(error.reason, language_of(request))
        return papers_form(request, place, asked, f"{error.group}: {problem}" if every else problem, 422)
    name = place.event.event_id if every else place.event.id
    headers = {"content-disposition": f'inline; filename="{name}-{what}.pdf"'}
    return Response(content, media_type="application/pdf", headers=headers)


async def _printed_of(what: str, contexts: Mapping[str, PaperContext]) -> bytes:
    return await printed(lambda: print_papers(contexts, what))


async def _context(
    request: AnyRequest, event: LiveEvent, asked: Mapping[str, str], what: str, *, held: bool
) -> PaperContext:
    """The context of a paper of a group or an event; raises ValueError for numbers that are none."""

    def read(book: StoredBook) -> tuple[EventState, str, dict[int, Personal] | None]:
        state = book.refresh()
        personal = {id_: data for id_ in state.players if (data := book.personal(id_))} if held else None
        return state, str(book.head()), personal

    state, head, personal = await event.with_book(read)
    first, last, number = (_number(asked.get(name, "")) for name in ("first", "last", "round"))
    seats = None
    if what == "table-cards" and state.event.phones and state.rounds and number in (0, len(state.rounds)):
        table_phones: TablePhones = request.app.state.table_phones
        seats = await table_phones.codes(event, [game.board for game in state.rounds[-1].games])
    return PaperContext(
        state,
        asked.get("language", language_of(request)),
        asked.get("paper", "a4"),
        number or None,
        group=(asked.get("group") or None) if what in _GROUPED else None,
        personal=personal,
        base_url=f"{origin_of(request)}/events/{event.id}",
        date=asked.get("date", "") if what in _DATED else "",
        boards=((first or 1, last or 9999) if first or last else None) if what in _BOARDS else None,
        head=head,
        template=(asked.get("template") or None) if what in _TEXTS else None,
        seats=seats,
        seats_url=f"{origin_of(request)}/events/{event.event_id}/table",
    )


def _together(made: Mapping[str, bytes], what: str) -> bytes:
    """The papers of groups by their names as one file."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as files:
        for name, content in made.items():
            files.writestr(f"{name.translate(_UNNAMED)} - {what}.pdf", content)
    return whole.getvalue()


def _number(text: str) -> int:
    """A number of a round or a board, 0 where nothing stands."""
    text = text.strip()
    if text and not (text.isascii() and text.isdecimal() and len(text) < 5):
        raise CompetitionError(N_("{text} is no whole number"), text=text[:40])
    return int(text or 0)


def _said(error: ValueError, language: str) -> str:
    return error.said(language) if isinstance(error, CompetitionError) else str(error)


def papers_form(
    request: AnyRequest, place: DeskPlace, typed: Mapping[str, str], problem: str = "", status: int = 200
) -> Response[str]:
    """The page with the papers, filled in as it was sent, with a problem at its top."""
    language, state = language_of(request), place.state
    w = event_words(language)
    titles = {name: w[f"title {key}"] for name, key in PAPER_TITLES.items()}
    return desk_page(
        request,
        place,
        "papers",
        "papers.html",
        status,
        w=w,
        stages=[
            (stage, [(name, titles[name]) for name in names if _fits(name, state.event.system)])
            for stage, names in STAGES
        ],
        texts=[(name, titles[name]) for name in _TEXTS],
        tongues=LANGUAGES,
        chosen=typed.get("language", language),
        groups=group_names(state),
        default=typed.get("template") or DEFAULT,
        places=NAMES,
        typed=typed,
        problem=problem,
        personal=do.Forget in place.allowed,
        may={"emblem": do.SetEmblem in place.allowed},
        emblem_mark=hashlib.sha256(state.emblem.encode()).hexdigest()[:16],
    )


def _fits(name: str, system: System) -> bool:
    return (name not in _OF_TEAMS or system.of_teams) and (name != "bracket" or system is System.KNOCKOUT)


handlers = [papers_page, print_paper, print_text, export_file]
