"""Moves the games and other things of a visitor to the account that they open or sign in to: their identity is
replaced.

The cookie of a visitor never expires, so an account gets another identity, and an old cookie opens nothing.
"""

from __future__ import annotations

import asyncio

from sqlalchemy import delete, select

from korgool.app.server.core.principal import Principal
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.play.challenges.service import ChallengeService
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.storage.class_rows import move_member
from korgool.app.server.storage.schema import (
    blocks,
    challenges,
    mail_addresses,
    push_subscriptions,
    reports,
    seat_links,
    seats,
    vacations,
)


class GuestMigration:
    """Moves what visitors have to their accounts, while games run. All methods run on the event loop.

    Args:
        transactions: the tables of people.
        game_registry: the running games, which are read again.
        challenges: the challenges, likewise.
    """

    def __init__(
        self, transactions: PeopleTransactions, game_registry: GameRegistry, challenges: ChallengeService
    ) -> None:
        self._transactions = transactions
        self._game_registry = game_registry
        self._challenges = challenges

    async def has_games(self, principal: Principal) -> bool:
        """True if the visitor of this browser has games that an account could take over."""
        if principal.visitor is None:
            return False
        return bool(await asyncio.to_thread(self._game_registry.repository.recent, principal.visitor, 1))

    async def run(self, principal: Principal, account: str) -> None:
        """Give an account what the visitor of this browser or token has."""
        if principal.visitor is not None:
            await asyncio.to_thread(move, self._transactions, principal.visitor, account)
            self._game_registry.reseat(principal.visitor)
            self._challenges.refresh()


def move(transactions: PeopleTransactions, visitor: str, account: str) -> None:
    """Give an account the games, challenges, vacations, notices and classes of a visitor, all or nothing.

    The visitor's links to other browsers end: an account signs in there. Where both are in one game or
    challenge, it stays as it is: nobody can be their own opponent.
    """
    other = seats.alias("other")
    with transactions.writing() as connection:
        both = select(other.c.game_id).where(other.c.who == account)
        connection.execute(
            seats.update().where((seats.c.who == visitor) & seats.c.game_id.not_in(both)).values(who=account)
        )
        columns = challenges.c.maker, challenges.c.addressee, challenges.c.by
        for column in columns:
            alone = column == visitor
            for one in columns:
                alone &= one != account
            connection.execute(challenges.update().where(alone).values({column: account}))
        twice = select(vacations.c.began_ms).where(vacations.c.who == account)
        own = vacations.c.who == visitor
        connection.execute(delete(vacations).where(own & vacations.c.began_ms.in_(twice)))
        connection.execute(vacations.update().where(own).values(who=account))
        table = push_subscriptions
        connection.execute(table.update().where(table.c.who == visitor).values(who=account))
        address = connection.scalar(select(mail_addresses.c.who).where(mail_addresses.c.who == account))
        mine = mail_addresses.c.who == visitor
        if address is None:
            connection.execute(mail_addresses.update().where(mine).values(who=account))
        else:
            connection.execute(delete(mail_addresses).where(mine))
        connection.execute(delete(seat_links).where(seat_links.c.who == visitor))
        for column in (reports.c.reporter, reports.c.about):
            connection.execute(reports.update().where(column == visitor).values({column: account}))
        blocked = select(blocks.c.account).where(blocks.c.blocked == account)
        known = blocks.c.account.in_(blocked) | (blocks.c.account == account)
        connection.execute(delete(blocks).where((blocks.c.blocked == visitor) & known))
        connection.execute(blocks.update().where(blocks.c.blocked == visitor).values(blocked=account))
        move_member(connection, visitor, account)
