"""Real games: 500 played online, whose text another program wrote, and all shortest games."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from korgool import Game, Side, Termination
from korgool.notation import (
    DIALECTS,
    Record,
    format_movetext,
    parse_movetext,
    parse_records,
    read_records,
    write_records,
)
from korgool.notation.moves import format_move
from tests.slices import drawn


@pytest.fixture(scope="module", params=drawn("games of real notation", range(4)))
def online(shared: Path, request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Every fourth of the games from one of the first four on."""
    lines = (shared / "data" / "games_online.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[request.param :: 4]]


@pytest.fixture(scope="module")
def games(online: list[dict[str, Any]]) -> list[Game]:
    return [Game(moves=map(int, one["moves"])) for one in online]


def test_the_running_text_is_written_as_it_was(online: list[dict[str, Any]], games: list[Game]) -> None:
    assert len(games) == 125
    for one, game in zip(online, games, strict=True):
        assert format_movetext(game, numbered=False) == one["movetext"]
        assert parse_movetext(one["movetext"], game.start).moves == list(game.moves)


def test_marks_without_stores_are_written_as_they_were(online: list[dict[str, Any]], games: list[Game]) -> None:
    for one, game in zip(online, games, strict=True):
        sowings = [position.sow(number) for position, number in zip(game.positions, game.moves, strict=False)]
        assert [format_move(sowing, store=False, tuz="x") for sowing in sowings] == one["notation"]
        assert parse_movetext(" ".join(one["notation"]), game.start).moves == list(game.moves)


def test_a_file_of_running_text(online: list[dict[str, Any]], games: list[Game]) -> None:
    """One game a line, without tags and numbers, as the data has it."""
    found = parse_records("\n".join(one["movetext"] for one in online))
    assert [record.moves for record in found] == [game.moves for game in games]
    assert {record.error for record in found} == {None}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_carries_them(online: list[dict[str, Any]], games: list[Game], dialect: str) -> None:
    """The games are dealt out among the dialects."""
    at = list(DIALECTS).index(dialect)
    carry(online[at :: len(DIALECTS)], games[at :: len(DIALECTS)], dialect)


@pytest.mark.long
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_carries_all_of_them(online: list[dict[str, Any]], games: list[Game], dialect: str) -> None:
    carry(online, games, dialect)


def carry(online: list[dict[str, Any]], games: list[Game], dialect: str) -> None:
    """Written and read again, they are the same."""
    concluded = []
    for one, game in zip(online, games, strict=True):
        again = Game(game.start, game.moves)
        if again.outcome() is None and dialect in ("pgn", "tgk"):
            winner = {"1-0": Side.WHITE, "0-1": Side.BLACK}.get(one["result"])
            again.conclude(winner, Termination.UNKNOWN)
        concluded.append(Record.of(again))
    text = "".join(write_records(concluded, dialect))
    found = list(read_records(io.BytesIO(text.encode())))
    assert [record.moves for record in found] == [record.moves for record in concluded]
    assert {record.dialect for record in found} == {dialect}
    assert {record.warnings for record in found} == {()}
    if dialect in ("pgn", "tgk"):
        assert found == concluded
        assert [record.result for record in found] == [one["result"] for one in online]


def test_zero_stands_where_the_site_ended_for_want_of_stones(online: list[dict[str, Any]], games: list[Game]) -> None:
    texts = list(write_records(Record.of(game) for game in games))
    assert ["{zero}" in text for text in texts] == [one["ended_zero"] for one in online]


def test_headers_of_the_site_agree_with_the_board(online: list[dict[str, Any]]) -> None:
    """As exported: tags, unnumbered text, the result and `{zero}`."""
    text = "".join(
        f'[Event "E"]\n[Result "{one["result"]}"]\n[WhiteElo "{one["white_elo"]}"]\n\n{one["movetext"]} {one["result"]}'
        + (" {zero}\n\n" if one["ended_zero"] else "\n\n")
        for one in online
    )
    found = parse_records(text)
    assert [record.result for record in found] == [one["result"] for one in online]
    assert {record.error for record in found} == {None}
    assert {record.warnings for record in found} == {()}
    for record, one in zip(found, online, strict=True):
        outcome = record.outcome()
        assert outcome is not None
        assert (outcome.termination == Termination.NO_MOVE) == one["ended_zero"]


@pytest.mark.parametrize("part", drawn("shortest games", range(3)))
def test_the_shortest_games(shared: Path, part: int) -> None:
    every = [line.split() for line in (shared / "data" / "shortest_games.txt").read_text().splitlines()]
    assert len(every) == 1391
    lines = every[part::3]
    found = parse_records("\n".join(moves for moves, _, _ in lines))
    for record, (_, white, black) in zip(found, lines, strict=True):
        outcome = record.outcome()
        assert outcome is not None
        assert outcome.stores == (int(white), int(black))
        assert (record.result, outcome.termination) == ("1-0" if int(white) > 81 else "0-1", Termination.MAJORITY)
    for at, dialect in enumerate(DIALECTS):
        dealt = found[at :: len(DIALECTS)]
        assert parse_records("".join(write_records(dealt, dialect))) == dealt
