"""Records of the platform's games: who played, when and where, and what a dialect cannot say."""

from __future__ import annotations

import pytest

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.play.game_records import record_text
from korgool.app.words.people import guest_name
from korgool.rules import Side

from .inside import ADDRESS, ROUND, ROUND_START, VISITOR, Table, alone, people

BLACK = Side.BLACK


def test_a_record_names_the_players_the_clock_and_the_site() -> None:
    table = Table(alone("mangala", BLACK, level=4, clock="10+5"), at=1_700_000_000_000)
    name, text = record_text(ADDRESS, table.game, "pgn", site="https://example.org")
    assert name == f"korgool-{ADDRESS}.pgn"
    tags = dict(line[1:-2].split(' "') for line in text.splitlines() if line.startswith("["))
    assert (tags["Event"], tags["Site"]) == ("Game against the engine", f"https://example.org/games/{ADDRESS}")
    assert (tags["Date"], tags["Time"], tags["TimeControl"]) == ("2023.11.14", "22:13:20", "10+5")
    assert tags["White"].startswith("Korgool")
    assert "4" in tags["White"]
    assert tags["Black"] == guest_name(VISITOR)
    between = record_text(ADDRESS, Table(people()).game, "pgn", site="")[1]
    assert '[Event "Game between people"]' in between
    assert "TimeControl" not in between
    assert "Elo" not in between
    counted = record_text(ADDRESS, Table(people()).game, "pgn", site="", ratings=(1512, 1490))[1]
    assert '[WhiteElo "1512"]\n[BlackElo "1490"]' in counted


def test_records_that_cannot_be_written() -> None:
    def refusal(table: Table, dialect: str) -> tuple[int, str]:
        with pytest.raises(ApiError) as refused:
            record_text(ADDRESS, table.game, dialect, site="")
        return refused.value.status, refused.value.message

    table = Table(people("bestemshe"))
    assert refusal(table, "csv") == (404, errors.NO_DIALECT)
    assert refusal(table, "bare") == (409, errors.NO_MOVES)
    table.sows(3)
    assert record_text(ADDRESS, table.game, "bare", site="")[1].strip()
    started = Table(people(start=ROUND_START))
    started.sows(ROUND[0])
    assert refusal(started, "bare") == (409, errors.NO_START)
    assert ROUND_START in record_text(ADDRESS, started.game, "pgn", site="")[1]
