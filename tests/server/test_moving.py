"""What a visitor has moves to an account, all of it or nothing, and nobody becomes their own opponent."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import select

from korgool.accounts import Refused, read_name
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.people.account_repository import AccountRepository
from korgool.app.server.people.guests.migration import move
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage import schema
from korgool.app.server.storage.database import Storage

from .inside import GUEST, VISITOR, Kept, alone, people


def test_everything_moves_but_what_would_make_somebody_their_own_opponent(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    ledger = PeopleTransactions(storage.engine)
    name = read_name("Aida")
    assert not isinstance(name, Refused)
    made = AccountRepository(ledger).new(name, 1)
    assert not isinstance(made, Refused)
    Kept(storage, "lonely", alone())
    Kept(storage, "both", people())
    move(ledger, GUEST, made.id)
    with storage.engine.begin() as connection:
        for who, began in ((VISITOR, 1), (VISITOR, 2), (made.id, 2)):
            connection.execute(schema.vacations.insert().values(who=who, began_ms=began, until_ms=3))
        for who, address in ((VISITOR, "v@example.org"), (made.id, "a@example.org")):
            row = {"who": who, "address": address, "language": "en", "token": who, "asked_ms": 1}
            connection.execute(schema.mail_addresses.insert().values(row))
        blocked = {"account": made.id, "blocked": VISITOR, "at_ms": 1}
        connection.execute(schema.blocks.insert().values(blocked))
    move(ledger, VISITOR, made.id)
    with storage.engine.begin() as connection:
        seats = connection.execute(select(schema.seats).where(schema.seats.c.kind == "person")).all()
        vacations = connection.execute(select(schema.vacations.c.who, schema.vacations.c.began_ms)).all()
        addresses = connection.scalars(select(schema.mail_addresses.c.address)).all()
        blocks = connection.execute(select(schema.blocks)).all()
    assert {(row.game_id[:4], row.side, row.who) for row in seats} == {
        ("lone", 0, made.id),
        ("both", 0, VISITOR),
        ("both", 1, made.id),
    }
    assert sorted(map(tuple, vacations)) == [(made.id, 1), (made.id, 2)]
    assert list(addresses) == ["a@example.org"]
    assert blocks == []
    storage.close()
