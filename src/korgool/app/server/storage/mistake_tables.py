"""The table of mistakes that come back to their makers."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Double, Index, SmallInteger, String, Table, Text

from korgool.app.server.storage.schema import metadata

mistakes = Table(
    "mistakes",
    metadata,
    Column("account", String(24), primary_key=True, comment="whose mistake it is; nobody else sees it"),
    Column("id", String(16), primary_key=True, comment="made of the game and the position"),
    Column("data", Text, nullable=False, comment="JSON: the card, checked by the rules"),
    Column("lost", Double, nullable=False, comment="share of a point, repeated from the card for lists"),
    Column("memory", Text, comment="JSON: what follows from the answers; none of a new card"),
    Column("due_ms", BigInteger, nullable=False, comment="when it comes back, since 1970; 0 of a new card"),
    Column("answers", Text, nullable=False, comment="JSON: id, time and grade of each, in the order of time"),
    Column("dropped", SmallInteger, nullable=False, comment="1 where it does not come back"),
    Column("switched_ms", BigInteger, nullable=False, comment="when it was last dropped or kept again; 0 for never"),
    Column("changed", BigInteger, nullable=False, comment="counts the changes of the cards of an account"),
    Index("mistakes_by_change", "account", "changed"),
)
"""Cards of accounts. A card stands once for a position; a dropped one stays, so that no review brings it back."""
