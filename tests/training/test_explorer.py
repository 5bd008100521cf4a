"""The explorer, compared with a plain count over the games, and with files that are none."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.notation.record import Record
from korgool.rules import GAMES, Game, Position
from korgool.training.explorer import (
    MOST_GAMES,
    ExplorerError,
    ExplorerWriter,
    PlayedMove,
    open_explorer,
    writing,
)

DATES = ["2024.05.01", "2025.01.??", "2023.??.??", "????.??.??", "?"]


def games_by_chance(count: int, seed: int) -> list[Record]:
    """Games of all kinds; few first moves, so that many share their positions; some have no end and no ratings."""
    random, records = Random(seed), []
    for number in range(count):
        game = Game(random.choice(list(GAMES.values())).start())
        length = random.choice([3, 20, 400])
        while game.outcome() is None and len(game.moves) < length:
            legal = game.position.legal_moves()
            game.play(random.choice(legal[:2] if len(game.moves) < 4 else legal))
        tags = {
            "White": f"W{number}",
            "Date": random.choice(["2024.05.01", "2025.01.??", "2023.??.??", "????.??.??", "?"]),
        }
        if number % 3:
            tags |= {"WhiteElo": str(random.randint(800, 2200)), "BlackElo": random.choice(["1500", "none", "0"])}
        records.append(replace(Record.of(game), tags=tags))
    return records


def counted(records: list[Record]) -> dict[tuple[int, int], list[Record]]:
    """The games in which each move was made in each position, once each."""
    found: dict[tuple[int, int], dict[int, Record]] = defaultdict(dict)
    for record in records:
        for position, move in zip(record.positions, record.moves, strict=False):
            found[position.key, move][id(record)] = record
    return {ply: list(games.values()) for ply, games in found.items()}


def expected(move: int, mover: str, games: list[Record]) -> PlayedMove:
    """What the explorer has to say of a move."""
    white, draws, black = (sum(game.result == result for game in games) for result in ("1-0", "1/2-1/2", "0-1"))
    texts = [game.tags.get(f"{mover}Elo", "") for game in games]
    ratings = [int(text) for text in texts if text.isdigit() and text != "0"]
    dates = [game.tags["Date"].replace(".??", "").replace(".", "-") for game in games if "Date" in game.tags]
    known = [date for date in dates if not date.startswith("?")]
    rating = round(sum(ratings) / len(ratings)) if ratings else None
    return PlayedMove(move, len(games), white, draws, black, rating, max(known, default=None))


@pytest.mark.parametrize("where", ["file", "memory"])
def test_every_position_of_every_game_is_answered_as_a_plain_count_does(where: str, tmp_path: Path) -> None:
    records = games_by_chance(120, seed=5)
    if where == "file":
        with writing(tmp_path / "games.explorer") as writer:
            for record in records:
                writer.add(record)
        explorer = open_explorer(tmp_path / "games.explorer")
    else:
        writer = ExplorerWriter()
        for record in records:
            writer.add(record)
        explorer = writer.finish()
    count = counted(records)
    with explorer:
        for record in Random(6).sample(records, 40):
            for position in record.positions:
                mover = position.to_move.name.capitalize()
                played = explorer.ask(position)
                wanted = [
                    expected(move, mover, count[position.key, move])
                    for move in range(1, position.rules.holes + 1)
                    if (position.key, move) in count
                ]
                for one, other in zip(sorted(played.moves, key=lambda move: move.move), wanted, strict=True):
                    # The mean of ratings that ends in a half may be rounded either way.
                    assert (one.rating is None) == (other.rating is None)
                    assert abs((one.rating or 0) - (other.rating or 0)) <= 1
                    assert (one.move, one.games, one.white, one.draws, one.black, one.last) == (
                        (other.move, other.games, other.white, other.draws, other.black, other.last)
                    )
                assert [move.games for move in played.moves] == sorted(
                    (move.games for move in played.moves), reverse=True
                )
                assert 1 <= len(played.games) <= MOST_GAMES
                for game in played.games:
                    same = next(one for one in records if one.tags["White"] == game.white)
                    assert game.moves == tuple(same.moves)
                    assert game.result == same.result
                    assert position.key in {one.key for one in same.positions}


def test_a_position_is_found_however_it_was_reached_and_the_better_games_come_first() -> None:
    writer = ExplorerWriter()
    start = GAMES["mangala"].start()
    lines = [[3, 1, 2], [2, 1, 3]]
    for number, line in enumerate(lines):
        for rating in range(20):
            game = Game(start)
            for hole in line:
                if hole in game.position.legal_moves():
                    game.play(hole)
            writer.add(Record.of(game, White=f"{number} {rating}", WhiteElo=str(1000 + rating)))
    with writer.finish() as explorer:
        played = explorer.ask(start)
        assert [(move.move, move.games) for move in played.moves] == [(2, 20), (3, 20)]
        assert [game.white_rating for game in played.games] == [
            1000 + rating for rating in range(19, 13, -1) for _ in "12"
        ]
        assert explorer.ask(GAMES["castle"].start()).moves == (), "other rules, other games"
        later = Position(start.rules, start.holes, start.stores, start.tuz, start.to_move, start.fullmove + 7)
        assert explorer.ask(later) == played, "the number of the move does not matter"


def ask_all(path: Path) -> None:
    """Ask a file for the starts of all games."""
    with open_explorer(path) as explorer:
        for rules in GAMES.values():
            explorer.ask(rules.start())


def write_half(path: Path) -> None:
    """Begin to write a file, and stop."""
    with writing(path) as writer:
        writer.add(games_by_chance(1, seed=1)[0])
        raise KeyboardInterrupt


def test_files_that_are_no_explorer_are_refused(tmp_path: Path) -> None:
    good = tmp_path / "good"
    with writing(good) as writer:
        for record in games_by_chance(20, seed=1):
            writer.add(record)

    def changed(name: str, script: str) -> Path:
        path = tmp_path / name
        path.write_bytes(good.read_bytes())
        with sqlite3.connect(path) as database:
            database.executescript(script)
        database.close()
        return path

    text, other = tmp_path / "text", tmp_path / "other"
    text.write_text("1. 76(10)\n")
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE moves(position)")
    database.close()
    # A view that would count for ever in the place of a table.
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS position, 1 AS move FROM n"
    view = changed("view", f"DROP TABLE moves; CREATE VIEW moves AS {endless};")
    newer = changed("newer", "PRAGMA user_version = 2")
    for path, reason in [
        (text, "not an explorer"),
        (other, "not an explorer"),
        (view, "not an explorer"),
        (newer, "version 2"),
        (tmp_path, "not a file"),
        (tmp_path / "none", "no such file"),
    ]:
        with pytest.raises(ExplorerError, match=reason):
            open_explorer(path)
    cut = tmp_path / "cut"
    cut.write_bytes(good.read_bytes()[:8192])
    with pytest.raises(ExplorerError):
        ask_all(cut)
    wrong = changed("wrong", "UPDATE games SET moves = 'abc'")
    blob = changed("blob", "UPDATE moves SET games = x'00'")
    for path in (wrong, blob):
        with pytest.raises(ExplorerError, match="damaged"):
            ask_all(path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "games.explorer"
    path.write_text("what stood here")
    with pytest.raises(KeyboardInterrupt):
        write_half(path)
    assert path.read_text() == "what stood here"
    assert [one.name for one in tmp_path.iterdir()] == [path.name]
    with pytest.raises(ExplorerError, match="No such file"):
        write_half(tmp_path / "nowhere" / "games")
