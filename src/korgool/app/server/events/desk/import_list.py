"""Entering players from a list: pasted text, CSV or XLSX, shown with every doubt before anything is entered.

The list travels with the page, packed in a hidden field, so that nothing of it lies on the server before it is
confirmed. On confirmation it is read and shown again within the server, and only if that gives the same as the official
saw, it is entered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from litestar import MediaType, Request, Response, get, post
from litestar.datastructures import UploadFile
from litestar.response import Redirect

import korgool.competition.actions as do
from korgool.accounts import Action
from korgool.app.server.events.desk.forms import refusal_of, whole_number
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.official_access import TheEventRegistry
from korgool.app.server.events.sandbox import ENTRY_LIST, Sandbox
from korgool.app.server.http.dependencies import TheCaller
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.limits import Caller
from korgool.app.words.desk_texts import FIELD_NAMES, remark_text
from korgool.competition.codec import plain
from korgool.competition.entry_lists.list_table import MOST_BYTES, ListTable, pack, unpack
from korgool.competition.entry_lists.preview import Choices, Grade, PreviewRow, chosen_entries, preview
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_, translations

_BODY: Final = MOST_BYTES + 200_000
"""Most bytes of a form with a file."""
_CHANGED: Final = N_("The event has changed since the list was shown. Look at it again.")
_NOBODY: Final = N_("No line is chosen.")
_TITLES: Final = {
    Grade.REFUSED: N_("Cannot be entered"),
    Grade.DOUBT: N_("Doubtful: choose what is right"),
    Grade.GOOD: N_("Would be entered"),
    Grade.OTHER: N_("Other groups"),
}
_MAN: Final = N_("man")
_WOMAN: Final = N_("woman")
_NO_LIST: Final = N_("Paste a list, or choose a file.")


@dataclass(frozen=True, slots=True)
class ListForm:
    """A form: the first value of each field, the numbers of the chosen lines, and a file."""

    values: dict[str, str]
    lines: tuple[int, ...]
    data: bytes

    def text(self, name: str) -> str:
        """The value of a field; empty if the form has none."""
        return self.values.get(name, "")


@get("/players/list", action=Action.OFFICIATE, media_type=MediaType.HTML)
async def list_form(request: AnyRequest, place: ThePlace) -> Response[str]:
    """The form for a list."""
    place.permit(do.Enter, 404)
    return _form(request, place, 200, pasted="", problem="")


@post("/players/list", action=Action.OFFICIATE, status_code=200, request_max_body_size=_BODY)
async def show_list(
    request: AnyRequest, place: ThePlace, event_registry: TheEventRegistry, caller: TheCaller
) -> Response[str]:
    """Preview of a list; nothing is entered."""
    place.permit(do.Enter, 404)
    sent = await _read_form(request)
    try:
        table = await _table(sent, event_registry.sandbox, caller)
    except CompetitionError as error:
        return _form(request, place, 422, pasted=sent.text("pasted"), problem=error.message)
    if table is None:
        return _form(request, place, 422, pasted="", problem=Message(_NO_LIST))
    return await _shown(request, place, table, sent)


@post("/players/list/enter", action=Action.OFFICIATE, status_code=200, request_max_body_size=_BODY)
async def enter_list(request: AnyRequest, place: ThePlace) -> Response[str] | Redirect:
    """Enter the chosen lines of a list, all or none, if it still gives what was shown."""
    place.permit(do.Enter, 404)
    sent = await _read_form(request)
    try:
        table = await asyncio.to_thread(unpack, sent.text("list"))
    except CompetitionError as error:
        return _form(request, place, 422, pasted="", problem=error.message)
    state = await place.event.fresh()
    now = DeskPlace(place.event, place.officer)
    found = await asyncio.to_thread(preview, table, state, _choices(sent))
    if found.digest != sent.text("digest"):
        return await _shown(request, now, table, sent, Message(_CHANGED), 409)
    chosen = chosen_entries(found, state, set(sent.lines))
    if not chosen:
        return await _shown(request, now, table, sent, Message(_NOBODY), 422)
    asked = [
        {"do": "enter", "entry": plain(action.entry), "namesake": action.namesake}
        | ({} if personal is None else {"personal": plain(personal)})
        for action, personal in chosen
    ]
    try:
        await place.event.act(place.officer, state.actions, asked)
    except CompetitionError as error:
        why = refusal_of(error)
        return await _shown(request, now, table, sent, why.text, why.status)
    return see(f"/events/{place.event.id}/desk/players?done")


def _form(request: AnyRequest, place: DeskPlace, status: int, *, pasted: str, problem: str) -> Response[str]:
    return desk_page(request, place, "players", "list.html", status, guide="import", pasted=pasted, problem=problem)


async def _read_form(request: Request[Any, Any, Any]) -> ListForm:
    """The fields of a form; of the rows, those that were ticked."""
    values: dict[str, str] = {}
    lines: list[int] = []
    data = b""
    for name, value in (await request.form()).multi_items():
        if isinstance(value, UploadFile):
            data = data or await value.read(MOST_BYTES + 1)
        elif name == "line" and (line := whole_number(value, 9)) is not None:
            lines.append(line)
        else:
            values.setdefault(name, value)
    return ListForm(values, tuple(lines), data)


async def _table(sent: ListForm, sandbox: Sandbox, caller: Caller) -> ListTable | None:
    """The table of a file, of what was pasted, or of a page that has shown one."""
    packed, data = sent.text("list"), sent.data
    if not data and not packed:
        data = sent.text("pasted").strip().encode(errors="replace")
        if not data:
            return None
    if data:
        packed = (await sandbox.open(caller, ENTRY_LIST, data, sent.text("sheet") or None)).decode()
    return await asyncio.to_thread(unpack, packed)


def _choices(sent: ListForm) -> Choices:
    columns = [sent.values[f"column-{at}"] for at in range(100) if f"column-{at}" in sent.values]
    sex = sent.text("sex")
    return Choices(
        headed={"yes": True, "no": False}.get(sent.text("headed")),
        meanings=tuple(columns) if columns else None,
        sex="m" if sex == "m" else "f" if sex == "f" else "",
        born_from=_year(sent.text("born_from")),
        born_to=_year(sent.text("born_to")),
        team=sent.text("team").strip()[:100],
        group=sent.text("group").strip()[:100],
    )


def _year(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) == 4 else 0


async def _shown(
    request: AnyRequest, place: DeskPlace, table: ListTable, sent: ListForm, problem: str = "", status: int = 200
) -> Response[str]:
    choices = _choices(sent)
    found = await asyncio.to_thread(preview, table, place.state, choices)
    good = {row.line for row in found.rows if row.grade is Grade.GOOD}
    gettext = translations(language_of(request)).gettext
    return desk_page(
        request,
        place,
        "players",
        "list_preview.html",
        status,
        guide="import",
        table=table,
        packed=pack(table),
        found=found,
        counts={grade.value: found.count(grade) for grade in Grade},
        titles=[(grade.value, gettext(title)) for grade, title in _TITLES.items()],
        choices=choices,
        chosen=set(sent.lines) if sent.text("digest") == found.digest else good,
        fields=FIELD_NAMES,
        wishes=[gettext(FIELD_NAMES[name]) for name in found.lacking],
        remark_text=lambda remark: remark_text(remark, gettext),
        shown_entry=lambda row: shown_entry(row, gettext),
        problem=problem,
    )


def shown_entry(row: PreviewRow, gettext: Callable[[str], str]) -> str:
    """Members of a row beside the name, for one line of a page."""
    entry = row.entry
    if entry is None:
        return ""
    sex = {"m": gettext(_MAN), "f": gettext(_WOMAN)}.get(entry.sex, "")
    parts = (sex, entry.born, entry.rating, entry.title, entry.federation, entry.club, entry.team, entry.board)
    own = (row.personal.born, row.personal.passport_number, *row.personal.coaches) if row.personal else ()
    return " · ".join(str(part) for part in (*parts, *entry.groups, entry.external, *own) if part)


handlers = [list_form, show_list, enter_list]
