"""The export of everything that is stored of somebody, and the deletion of an account.

Games need the identity in their seats, which stays without a name. Everything else of the account goes, in one
transaction; SQLite overwrites the freed pages (`secure_delete`), and its log of changes is emptied at once.
"""

from __future__ import annotations

import logging
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, delete, or_, select, text, tuple_
from sqlalchemy.exc import DBAPIError

from korgool.app.server.people.reports.repository import ReportReason
from korgool.app.server.people.sign_in.browsers import end_device_cookies
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.class_rows import delete_people
from korgool.app.server.storage.class_tables import class_answers, class_members, class_results, class_tasks, classes
from korgool.app.server.storage.event_tables import competition_roles, competitions, followed_events
from korgool.app.server.storage.mistake_tables import mistakes
from korgool.app.server.storage.puzzle_tables import puzzle_answers, puzzle_days, puzzle_standings
from korgool.app.server.storage.schema import (
    accounts,
    blocks,
    ceremonies,
    challenges,
    consents,
    events,
    games,
    mail_addresses,
    marks,
    passkeys,
    push_subscriptions,
    rated_games,
    recovery_codes,
    reports,
    seats,
    sessions,
    sign_ins,
    standings,
    tokens,
    trusted,
    vacations,
)
from korgool.app.server.storage.study_tables import studies, study_chapters

_LOG = logging.getLogger(__name__)
_OWNED: tuple[tuple[Table, tuple[Column[Any], ...]], ...] = (
    (accounts, (accounts.c.id, accounts.c.owner, accounts.c.guardian)),
    (sessions, (sessions.c.account,)),
    (sign_ins, (sign_ins.c.account,)),
    (tokens, (tokens.c.account,)),
    (passkeys, (passkeys.c.account,)),
    (trusted, (trusted.c.child, trusted.c.who)),
    (consents, (consents.c.child, consents.c.guardian)),
    (blocks, (blocks.c.account,)),
    (reports, (reports.c.reporter,)),
    (challenges, (challenges.c.maker, challenges.c.addressee, challenges.c.by)),
    (vacations, (vacations.c.who,)),
    (push_subscriptions, (push_subscriptions.c.who,)),
    (mail_addresses, (mail_addresses.c.who,)),
    (standings, (standings.c.account,)),
    (rated_games, (rated_games.c.white, rated_games.c.black)),
    (marks, (marks.c.account,)),
    (puzzle_answers, (puzzle_answers.c.account,)),
    (puzzle_standings, (puzzle_standings.c.account,)),
    (puzzle_days, (puzzle_days.c.account,)),
    (competitions, (competitions.c.maker,)),
    (competition_roles, (competition_roles.c.account,)),
    (followed_events, (followed_events.c.maker,)),
    (mistakes, (mistakes.c.account,)),
    (classes, (classes.c.trainer,)),
    (class_members, (class_members.c.who,)),
    (studies, (studies.c.maker,)),
    (seats, (seats.c.who,)),
)
"""The tables that name people, with the columns that do."""
_SECRET = {"password", "digest", "token", "key", "look", "credential", "public_key", "p256dh", "auth", "link", "code"}
_OTHERS = {
    *(
        "trainer",
        "maker",
        "addressee",
        "by",
        "white",
        "black",
        "blocked",
        "about",
        "guardian",
        "owner",
        "child",
        "who",
        "account",
    )
}


def stored_rows(transactions: PeopleTransactions, identity: str) -> dict[str, list[dict[str, Any]]]:
    """Everything that is stored of somebody, by table; without secrets, and without the identities of others.

    Args:
        transactions: the database.
        identity: an account's or a visitor's.
    """
    with transactions.reading() as connection:
        tables = {
            table.name: _rows(connection, table, or_(*(column == identity for column in columns)), identity)
            for table, columns in _OWNED
        }
        own = select(seats.c.game_id).where(seats.c.who == identity)
        tables["games"] = _rows(connection, games, games.c.id.in_(own), identity)
        made = select(studies.c.id).where(studies.c.maker == identity)
        tables["study_chapters"] = _rows(connection, study_chapters, study_chapters.c.study.in_(made), identity)
        tables["events"] = _rows(connection, events, events.c.game_id.in_(own), identity)
        mine = select(classes.c.id).where(classes.c.trainer == identity)
        tables["class_tasks"] = _rows(connection, class_tasks, class_tasks.c.class_id.in_(mine), identity)
        places = select(class_members.c.class_id, class_members.c.number).where(class_members.c.who == identity)
        for table in (class_results, class_answers):
            done = tuple_(table.c.class_id, table.c.member).in_(places)
            tables[table.name] = _rows(connection, table, done, identity)
    return tables


def _rows(connection: Connection, table: Table, condition: ColumnElement[bool], identity: str) -> list[dict[str, Any]]:
    order = list(table.primary_key.columns)
    rows = connection.execute(select(table).where(condition).order_by(*order)).mappings()
    return [
        {
            name: "somebody else" if name in _OTHERS and value and value != identity else value
            for name, value in row.items()
            if name not in _SECRET
        }
        for row in rows
    ]


def delete_account(transactions: PeopleTransactions, identity: str, at: int) -> list[str]:
    """Delete an account, its bots, and the children's accounts that depend on it.

    Args:
        transactions: the database.
        identity: the account.
        at: milliseconds since 1970.

    Returns:
        The identities of all that were deleted.
    """
    with transactions.writing() as connection:
        depends = (accounts.c.owner == identity) | (accounts.c.guardian == identity)
        gone = [identity, *connection.scalars(select(accounts.c.id).where(depends))]
        for account in gone:
            end_device_cookies(connection, account)
        made = select(studies.c.id).where(studies.c.maker.in_(gone))
        connection.execute(delete(study_chapters).where(study_chapters.c.study.in_(made)))
        for table, column in (
            (recovery_codes, recovery_codes.c.account),
            (passkeys, passkeys.c.account),
            (ceremonies, ceremonies.c.account),
            (sign_ins, sign_ins.c.account),
            (trusted, trusted.c.child),
            (trusted, trusted.c.who),
            (blocks, blocks.c.account),
            (blocks, blocks.c.blocked),
            (reports, reports.c.reporter),
            (push_subscriptions, push_subscriptions.c.who),
            (mail_addresses, mail_addresses.c.who),
            (competition_roles, competition_roles.c.account),
            (followed_events, followed_events.c.maker),
            (mistakes, mistakes.c.account),
            (studies, studies.c.maker),
            (puzzle_answers, puzzle_answers.c.account),
            (puzzle_standings, puzzle_standings.c.account),
            (puzzle_days, puzzle_days.c.account),
        ):
            connection.execute(delete(table).where(column.in_(gone)))
        delete_people(connection, gone)
        # The rows themselves are needed for a day: by them other processes learn that their connections have ended.
        ends = {"ended_ms": at}
        connection.execute(sessions.update().where(sessions.c.account.in_(gone)).values({**ends, "device": ""}))
        connection.execute(
            tokens.update().where(tokens.c.account.in_(gone)).values({**ends, "label": "", "scopes": ""})
        )
        reported = reports.c.about.in_(gone)
        connection.execute(reports.update().where(reported).values(record=None))
        for reason in ReportReason:  # the reason, the time and the game stay, but neither names nor words
            this = reported & reports.c.words.startswith(f"{reason.value}\n")
            connection.execute(reports.update().where(this).values(words=f"{reason.value}\n"))
        offers = challenges.c.maker.in_(gone) & (challenges.c.state == "open")
        connection.execute(challenges.update().where(offers).values(state="withdrawn"))
        connection.execute(consents.update().where(consents.c.child.in_(gone)).values(withdrawn_ms=at))
        nothing = dict.fromkeys(("name", "key", "look", "short", "password", "owner", "guardian"))
        connection.execute(accounts.update().where(accounts.c.id.in_(gone)).values({**nothing, "deleted_ms": at}))
    _empty_log(transactions)
    return gone


def _empty_log(transactions: PeopleTransactions) -> None:
    """SQLite's log of changes holds pages as they were until it is taken over into the file."""
    try:
        with transactions.raw() as connection:
            if connection.dialect.name == "sqlite":
                connection.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
    except DBAPIError as error:
        _LOG.warning("the log of the database is emptied later: %s", " ".join(str(error).split())[:200])
