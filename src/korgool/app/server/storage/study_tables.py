"""The tables of studies: annotated games and positions of accounts, which are read by link."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, SmallInteger, String, Table, Text

from korgool.app.server.storage.schema import metadata

studies = Table(
    "studies",
    metadata,
    Column("id", String(16), primary_key=True, comment="of its address, which nobody can guess"),
    Column("maker", String(24), nullable=False, comment="an identity"),
    Column("title", Text, nullable=False),
    Column("author", Text, nullable=False, comment="as its maker wrote it"),
    Column("language", String(3), nullable=False, comment="of its comments; empty where nobody said"),
    Column("version", Integer, nullable=False, comment="rises with every change but those within chapters"),
    Column("last_number", Integer, nullable=False, comment="of a chapter; numbers are not given twice"),
    Column("made_ms", BigInteger, nullable=False, comment="since 1970, UTC"),
    Column("changed_ms", BigInteger, nullable=False),
    Index("studies_by_maker", "maker", "changed_ms"),
)
"""Studies."""

study_chapters = Table(
    "study_chapters",
    metadata,
    Column("study", String(16), ForeignKey("studies.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="names it within its study"),
    Column("place", Integer, nullable=False, comment="its place in the order"),
    Column("version", Integer, nullable=False, comment="rises with every change"),
    Column("title", Text, nullable=False),
    Column("concealed", SmallInteger, nullable=False, comment="1 where the moves are to be found"),
    Column("record", Text, nullable=False, comment="in PGN style"),
    Column("length", Integer, nullable=False, comment="bytes of the record"),
)
"""The chapters of studies."""
