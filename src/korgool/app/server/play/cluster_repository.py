"""Queries of processes that serve the same games, in their PostgreSQL database.

Methods block, and may be called from any thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Engine, select, text

from korgool.app.server.storage.journal import JournalEntry, read_entries
from korgool.app.server.storage.schema import challenges, seats

_NEWER = """
SELECT events.* FROM events JOIN unnest(%(id)s::text[], %(version)s::bigint[]) AS known (id, version)
  ON events.game_id = known.id AND events.version > known.version
ORDER BY events.game_id, events.version
"""
_STANDING = text("""
SELECT version, ARRAY(SELECT who FROM seats WHERE game_id = games.id AND who <> '') AS players
FROM games WHERE id = :id
""")
_DUE = text("""
WITH due AS (
  SELECT id FROM games WHERE due_ms <= :until AND coalesce(swept_ms, 0) <= :now
  ORDER BY due_ms LIMIT :most FOR NO KEY UPDATE SKIP LOCKED
)
UPDATE games SET swept_ms = :now + :lease FROM due WHERE games.id = due.id RETURNING games.id
""")
_UNATTENDED = text("""
WITH waiting AS (
  SELECT games.id FROM games JOIN seats ON seats.game_id = games.id AND seats.side = games.to_move
  WHERE games.due_ms IS NOT NULL AND games.termination IS NULL AND seats.kind = 'engine'
    AND coalesce(games.thinks_ms, 0) <= :now AND coalesce(games.swept_ms, 0) <= :now
  LIMIT :most FOR NO KEY UPDATE OF games SKIP LOCKED
)
UPDATE games SET swept_ms = :now + :lease FROM waiting WHERE games.id = waiting.id RETURNING games.id
""")
_THINK = text("""
UPDATE games SET thinks_ms = :until WHERE id = :id AND coalesce(thinks_ms, 0) <= :now
""")


class ClusterRepository:
    """Reads what others have written, and takes what one process has to do alone."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")  # each of these is one statement

    def standing(self, game: str) -> tuple[int, frozenset[str]] | None:
        """The version of a game and the identities of its players; None where there is no such game."""
        with self._engine.connect() as connection:
            row = connection.execute(_STANDING, {"id": game}).one_or_none()
            return None if row is None else (row.version, frozenset(row.players))

    def players(self, of: Iterable[str]) -> dict[str, frozenset[str]]:
        """The identities of the players of games."""
        found: dict[str, set[str]] = {}
        with self._engine.connect() as connection:
            for row in connection.execute(select(seats.c.game_id, seats.c.who).where(seats.c.game_id.in_(list(of)))):
                found.setdefault(row.game_id, set()).update({row.who} if row.who else ())
        return {game: frozenset(players) for game, players in found.items()}

    def behind(self, known: Mapping[str, int]) -> dict[str, int]:
        """Of games with the versions that are known of them, those that have gone on."""
        query = "SELECT id, version FROM unnest(%(id)s::text[], %(version)s::bigint[]) AS known (id, version)"
        query = f"SELECT known.id, known.version FROM ({query}) known JOIN games ON games.id = known.id"
        with self._engine.connect() as connection:
            rows = connection.exec_driver_sql(f"{query} WHERE games.version > known.version", _arrays(known))
            return {row.id: row.version for row in rows}

    def newer(self, known: Mapping[str, int]) -> dict[str, tuple[JournalEntry, ...]]:
        """The entries of games after the versions that are known of them, for those that have gone on.

        Raises:
            ValueError: a journal is damaged.
        """
        with self._engine.connect() as connection:
            rows = connection.exec_driver_sql(_NEWER, _arrays(known)).all()
        return {
            game: read_entries(game, known[game], tuple(own)) for game, own in groupby(rows, lambda row: row.game_id)
        }

    def take_due(self, until_ms: int, now_ms: int, lease_ms: int, most: int = 200) -> Sequence[str]:
        """Games whose time has come by `until_ms` and to which nobody else sees; this process does for so long."""
        asked = {"until": until_ms, "now": now_ms, "lease": lease_ms, "most": most}
        with self._engine.begin() as connection:
            return connection.execute(_DUE, asked).scalars().all()

    def take_unattended(self, now_ms: int, lease_ms: int, most: int = 50) -> Sequence[str]:
        """Games with a clock in which the engine is to move and no process thinks; they are this process's likewise."""
        asked = {"now": now_ms, "lease": lease_ms, "most": most}
        with self._engine.begin() as connection:
            return connection.execute(_UNATTENDED, asked).scalars().all()

    def take_turn(self, game: str, now_ms: int, until_ms: int, *, again: bool = False) -> bool:
        """Return whether this process may think for the engine of a game until then; `again` if it does."""
        asked = {"id": game, "now": until_ms if again else now_ms, "until": until_ms}
        with self._engine.begin() as connection:
            return connection.execute(_THINK, asked).rowcount == 1

    def wait_for(self, challenge: str, until_ms: int) -> None:
        """The maker of a challenge waits until then."""
        with self._engine.begin() as connection:
            mine = challenges.c.id == challenge
            connection.execute(challenges.update().where(mine).values(waits_ms=until_ms))


def _arrays(known: Mapping[str, int]) -> dict[str, Any]:
    return {"id": list(known), "version": list(known.values())}
