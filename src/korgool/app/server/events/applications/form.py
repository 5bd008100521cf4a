"""The public form read: one player or a list of them, as applicants."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from litestar.datastructures import UploadFile

from korgool.app.server.events.applications.model import ADULT, Applicant
from korgool.app.server.events.photo_conversion import MOST_SENT
from korgool.app.server.events.sandbox import ENTRY_LIST, PAPER, Sandbox
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.limits import Caller
from korgool.competition.entry_lists.list_table import MOST_BYTES, unpack
from korgool.competition.entry_lists.preview import Choices, preview
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.model import Consent, Entry
from korgool.competition.text_cleaning import clean
from korgool.languages import N_

BODY: Final = MOST_SENT + MOST_BYTES + 200_000
"""Most bytes of a form with its files."""
TEXTS: Final = {
    "family": 60,
    "given": 60,
    "patronymic": 60,
    "title": 40,
    "external": 30,
    "federation": 40,
    "club": 80,
    "contact": 120,
    "guardian": 120,
}
"""The fields of a text, and how long each may be."""


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form as it was sent: the last text of each field, the chosen groups, the list and the picture."""

    values: Mapping[str, str]
    groups: tuple[int, ...]
    listed: bytes
    paper: bytes

    def text(self, name: str) -> str:
        """The text of a field without what does not belong there; raises CompetitionError where it is too long."""
        text, most = clean(" ".join(self.values.get(name, "").split())), TEXTS[name]
        if len(text) > most:
            raise CompetitionError(N_("A field has at most {most} letters."), most=most)
        return text


async def read_form(request: AnyRequest) -> SentForm:
    """The fields of a form with its files."""
    values: dict[str, str] = {}
    groups, files = [], {"listed": b"", "paper": b""}
    for name, value in (await request.form()).multi_items():
        if isinstance(value, UploadFile):
            if name in files:
                files[name] = await value.read((MOST_SENT if name == "paper" else MOST_BYTES) + 1)
        elif name == "group" and value.isascii() and value.isdecimal() and len(value) < 7:
            groups.append(int(value))
        else:
            values[name] = value[:20_000]
    return SentForm(values, tuple(dict.fromkeys(groups)), files["listed"], files["paper"])


async def applicants(
    sent: SentForm, state: EventState, sandbox: Sandbox, caller: Caller, today: str
) -> tuple[list[Applicant], bytes | None]:
    """The people of a form, and a picture of the doctor's paper made safe.

    Args:
        sent: the form.
        state: the first group that they apply for.
        sandbox: opens files.
        caller: who sends it.
        today: the day, `2026-09-14`.

    Raises:
        CompetitionError: something is missing or cannot be.
    """
    if "consent" not in sent.values:
        raise CompetitionError(Message(N_("Tick that you agree.")))
    contact = sent.text("contact")
    if not contact:
        raise CompetitionError(Message(N_("Write how the organiser reaches you.")))
    guardian = sent.text("guardian")
    rows = await _listed(sent, state, sandbox, caller)
    people = [_single(sent)] if rows is None else rows
    found = []
    for entry in people:
        child = bool(entry.born) and int(today[:4]) - entry.born < ADULT
        if child and not guardian:
            raise CompetitionError(Message(N_("For a child, write the name of the parent who agrees.")))
        consent = Consent(guardian=guardian, day=today, how="web form") if child else None
        found.append(Applicant(entry=replace(entry, consent=consent), groups=sent.groups, contact=contact))
    paper = await sandbox.open(caller, PAPER, sent.paper) if sent.paper else None
    if "doctor" in state.event.personal and rows is None and paper is None:
        raise CompetitionError(Message(N_("Add a photo of the doctor's paper.")))
    return found, paper


def _single(sent: SentForm) -> Entry:
    family, given = sent.text("family"), sent.text("given")
    if not family or not given:
        raise CompetitionError(Message(N_("Write the family name and the given name.")))
    sex = sent.values.get("sex", "")
    return Entry(
        family=family,
        given=given,
        patronymic=sent.text("patronymic"),
        sex="m" if sex == "m" else "f" if sex == "f" else "",
        born=_number(sent, "born", N_("The year of birth has four digits.")),
        rating=_number(sent, "rating", N_("The rating is a whole number.")),
        title=sent.text("title"),
        external=sent.text("external"),
        federation=sent.text("federation"),
        club=sent.text("club"),
    )


def _number(sent: SentForm, name: str, wrong: str) -> int:
    text = sent.values.get(name, "").strip()
    if text and not (text.isascii() and text.isdecimal() and len(text) <= 4):
        raise CompetitionError(Message(wrong))
    return int(text or 0)


async def _listed(sent: SentForm, state: EventState, sandbox: Sandbox, caller: Caller) -> list[Entry] | None:
    """The players of a list, None where there is none.

    Raises:
        CompetitionError: a line cannot be read; nothing of the list is taken then.
    """
    data = sent.listed or sent.values.get("lines", "").strip().encode(errors="replace")
    if not data:
        return None
    packed = (await sandbox.open(caller, ENTRY_LIST, data, None)).decode()
    shown = await asyncio.to_thread(lambda: preview(unpack(packed), state, Choices()))
    bad: Sequence[int] = [row.line for row in shown.rows if row.entry is None]
    if bad or not shown.rows:
        lines = ", ".join(map(str, bad[:10])) or "1"
        wrong = N_("These lines cannot be read: {lines}. The first line names the columns.")
        raise CompetitionError(wrong, lines=lines)
    return [
        replace(row.entry, team="", board=0, groups=(), consent=None) for row in shown.rows if row.entry is not None
    ]
