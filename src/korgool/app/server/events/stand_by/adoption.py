"""Making a site lead an event that another machine has led: the log as it was received, and what stands beside it."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.exc import IntegrityError

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.event_registry import is_id
from korgool.app.server.events.event_repository import give_role
from korgool.app.server.events.helpers.service import code_digest, link_digest, new_code, usual_end_ms
from korgool.app.server.events.lead_repository import Lead, key_name, put_lead
from korgool.app.server.events.stand_by.parts import PARTS
from korgool.app.server.events.stand_by.service import stand_by_digest
from korgool.app.server.events.stored_book import StoredBook
from korgool.app.server.storage import schema
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.event_tables import competition_stand_bys, competitions
from korgool.competition.actions import TakeOver
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Personal
from korgool.competition.roles import DeskRole, Officer
from korgool.competition.storage.book import whole_log
from korgool.competition.storage.line import Line
from korgool.competition.storage.transfer import fill
from korgool.languages import N_

_TOKEN_BYTES = 18


@dataclass(frozen=True, slots=True)
class Adopted:
    """An event that is led here from now on.

    Attributes:
        token: of the link by which a chief arbiter comes to its desk.
        code: the same as eight digits.
        line: the line of its log that says so.
        head: the last line that came from the other machine.
    """

    token: str
    code: str
    line: int
    head: int


def holds(storage: Storage, event: str) -> bool:
    """Return whether a site has an event already."""
    with storage.engine.begin() as connection:
        return connection.scalar(select(competitions.c.id).where(competitions.c.id == event)) is not None


def adopt(
    storage: Storage,
    event: str,
    lines: Iterable[Line],
    personal: Mapping[int, Personal],
    snapshot: Mapping[str, Any],
    *,
    by: str,
    machine: str,
    peers: Iterable[str] = (),
    own_token: str = "",
    organiser: Officer | None = None,
) -> Adopted:
    """Lead an event here from now on, with everybody's links, codes and roles; all or nothing.

    Args:
        storage: the database of the site.
        event: its id, which it keeps.
        lines: its log.
        personal: the personal data by the id of the player.
        snapshot: what stood beside the log at the other machine; without it there are no roles but a new one.
        by: who takes over.
        machine: what the log calls this machine.
        peers: addresses of other machines that may believe that they lead, the printed one first.
        own_token: by which this machine was let in; it is no second machine any more.
        organiser: an account that becomes the organiser, instead of a chief arbiter by link.

    Raises:
        CompetitionError: the log cannot stand, or the site has an event of this id, or one with the same links.
    """
    log = whole_log(lines)
    if not is_id(event) or not log.lines:
        raise CompetitionError(N_("nothing has come of this event yet; there is nothing to lead"))
    parts = snapshot.get("parts", {})
    key = bytes.fromhex(str(snapshot.get("secret", ""))) or secrets.token_bytes(32)
    token, code = secrets.token_urlsafe(_TOKEN_BYTES), new_code()
    until = usual_end_ms(log.state.event, now_ms())

    def beside(connection: Connection) -> None:
        connection.execute(delete(schema.secrets).where(schema.secrets.c.name == key_name(event)))
        connection.execute(insert(schema.secrets).values(name=key_name(event), value=key.hex()))
        for part in PARTS:
            if part.name in parts:
                part.put(connection, event, parts[part.name])
        known = tuple(dict.fromkeys((*peers, *snapshot.get("peers", ()))))
        own = competition_stand_bys.c.token == stand_by_digest(own_token)
        connection.execute(delete(competition_stand_bys).where(own))
        put_lead(connection, event, Lead(home=str(snapshot.get("address", "")), peers=known))
        if organiser is not None:
            give_role(connection, event, organiser, account=organiser.who)
            return
        chief = Officer("", by, DeskRole.CHIEF)
        digests = {"link": link_digest(token), "code": code_digest(key, code)}
        give_role(connection, event, chief, **digests, until_ms=until)

    accounts = (row["account"] for row in parts.get("roles", ()) if row.get("account"))
    maker = next(accounts, "") if organiser is None else organiser.who
    book = StoredBook(storage.engine, storage.lease.fence, event)
    book.patient = True
    try:
        with book.together():
            book.begin(beside, maker, public=bool(snapshot.get("public")))
            fill(book, log, personal)
            book.do(TakeOver(machine, log.lines[-1].chain), by=by)
    except IntegrityError:
        if holds(storage, event):
            raise CompetitionError(N_("there is an event of this id here already")) from None
        raise CompetitionError(N_("links or codes that this copy holds belong to another event here")) from None
    return Adopted(token, code, book.state.actions, len(log.lines))
