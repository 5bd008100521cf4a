"""Vacations as rows of their table: the one truth about how many days somebody has left and until when they are away.

What games know of a vacation follows from its row (`korgool.app.server.play.clockwork`), and may come later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlalchemy import Connection, Engine, literal_column, select

from korgool.app.server.storage.schema import games, seats, vacations
from korgool.live import Refused, Vacation
from korgool.live.terms import MOST_DAYS
from korgool.live.vacations import MOST_VACATION_MS, YEAR_MS, present, take

_SLOW = [f"{days}d" for days in range(1, MOST_DAYS + 1)]


class VacationRepository:
    """Reads and writes vacations. Methods block, and may be called from any thread.

    A vacation is taken in one transaction that begins with the fence of the server: no two of them can spend the same
    day, and a server that is killed has either written all of it or nothing.
    """

    def __init__(self, engine: Engine, fence: Callable[[Connection], None]) -> None:
        self._engine = engine
        self._fence = fence

    def taken(self, who: str, at: int) -> tuple[Vacation, ...]:
        """The vacations of a person that count at a time, in milliseconds since 1970, the latest first."""
        with self._engine.begin() as connection:
            return _taken(connection, who, at)

    def take(self, who: str, days: int, at: int) -> Vacation | Refused:
        """Begin a vacation, if the person has so many days.

        Raises:
            StorageError: this server may not write.
        """
        with self._engine.begin() as connection:
            self._fence(connection)
            answer = take(_taken(connection, who, at), days, at)
            if isinstance(answer, Vacation):
                row = {"who": who, "began_ms": answer.began, "until_ms": answer.until}
                connection.execute(vacations.insert().values(row))
        return answer

    def end(self, who: str, at: int) -> None:
        """End the present vacation of a person, if there is one.

        Raises:
            StorageError: this server may not write.
        """
        with self._engine.begin() as connection:
            self._fence(connection)
            found = present(_taken(connection, who, at), at)
            if found is not None:
                own = (vacations.c.who == who) & (vacations.c.began_ms == found.began)
                connection.execute(vacations.update().where(own).values(until_ms=found.ended(at).until))

    def until(self, people: Sequence[str], at: int) -> dict[str, int]:
        """Until when those of these people are away who are away at `at`."""
        away = vacations.c.who.in_(people) & (vacations.c.until_ms > at)
        with self._engine.begin() as connection:
            rows = connection.execute(select(vacations.c.who, vacations.c.until_ms).where(away)).all()
        return {row.who: row.until_ms for row in rows}

    def slow_games(self, who: str) -> list[str]:
        """The running games of a person against others in which every turn has days."""
        own, other = seats.alias("own"), seats.alias("other")
        mine = (own.c.who == who) & (own.c.running == literal_column("1"))
        query = (
            select(games.c.id)
            .select_from(own)
            .join(games, (games.c.id == own.c.game_id) & mine)
            .join(other, (other.c.game_id == games.c.id) & (other.c.side == 1 - own.c.side))
            .where(games.c.clock.in_(_SLOW) & (other.c.kind == "person") & (other.c.who != who))
        )
        with self._engine.begin() as connection:
            return list(connection.scalars(query))


def _taken(connection: Connection, who: str, at: int) -> tuple[Vacation, ...]:
    """All that began too long ago to reach into the 365 days before now are left out."""
    counts = (vacations.c.who == who) & (vacations.c.began_ms > at - YEAR_MS - MOST_VACATION_MS)
    query = select(vacations.c.began_ms, vacations.c.until_ms).where(counts).order_by(vacations.c.began_ms.desc())
    return tuple(Vacation(row.began_ms, row.until_ms) for row in connection.execute(query))
