"""The explorer of the analysis board over a file: as `korgool explorer`, on the device, while the page works."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

from korgool.notation import parse_records, write_record
from korgool.notation.record import Record
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Game, Position, Rules
from korgool.training.explorer import ExplorerWriter
from tests.page.conftest import NewTable
from tests.page.table import expect


def played(random: Random, rules: Rules, plies: int, number: int) -> str:
    game = Game(rules.start())
    while len(game.moves) < plies and game.outcome() is None:
        game.play(random.choice(list(game.position.legal_moves())[:3]))
    comment = [(2, "a word (here) 1-0")] if number % 3 == 0 else []
    record = Record.of(game, comments=comment, White=f"W{number}", Black="B", Date=f"2026.11.{1 + number % 28:02}")
    text = write_record(record)
    return text if number % 4 else text.replace("*\n", "1-0\n").replace('[Result "*"]', '[Result "1-0"]')


def games() -> str:
    random = Random(7)
    parts = [played(random, TOGUZ_KORGOOL, 200 if n < 3 else 14, n) for n in range(60)]
    parts += [played(random, MANGALA, 12, n) for n in range(5)]
    parts.append("796817\n\n")  # bare digits
    parts.append('[White "V"]\n\n1. 76(10) (1. 65(10) {branch}) 1... 55(10) 2. 33 *\n\n')
    parts.append('[White "Bad"]\n\n1. 76(11) *\n\n')
    parts.append('[FEN "9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,9S 0 0 S 1"]\n\n1. 21 *\n\n')
    return "".join(parts)


def test_a_file_is_counted_as_the_command_line_counts_it(table: NewTable, server: str, tmp_path: Path) -> None:
    text = games()
    path = tmp_path / "games.pgn"
    path.write_text(text, encoding="utf-8")
    writer = ExplorerWriter()
    for record in parse_records(text):
        writer.add(record)
    page = table(base_url=server, reduced_motion="reduce").page
    page.goto("/analysis#game=toguz&quiet=1")
    page.locator("korgool-board[data-ready]").wait_for()
    page.locator("#tab-book:not([inert] *)").click()
    page.locator("#played-whose").select_option("file")
    page.set_input_files("#played-chosen", path)
    expect(page.locator("#played-read")).to_have_text(re.compile("69 games of the file count. 1 cannot be read"))

    def shown() -> list[list[str]]:
        rows = page.locator("#played-moves tr")
        return [[cell.strip() for cell in row] for row in rows.evaluate_all(
            "(rows) => rows.map((row) => [row.querySelector('button').dataset.move, row.children[1].textContent,"
            " row.querySelector('.counts').textContent, row.children[3].textContent])"
        )]  # fmt: skip

    with writer.finish() as explorer:
        for position in (TOGUZ_KORGOOL.start(), after(TOGUZ_KORGOOL, 1), after(TOGUZ_KORGOOL, 1, 1)):
            told = [
                [str(one.move), str(one.games), f"{one.white} · {one.draws} · {one.black}", one.last or ""]
                for one in explorer.ask(position).moves
            ]
            expect(page.locator("#played-moves tr")).to_have_count(len(told))
            expect(page.locator("#played-moves tr").first).to_be_visible()
            assert sorted(shown()) == sorted(told)
            page.locator('#played-moves button[data-move="1"]').click()


def after(rules: Rules, *moves: int) -> Position:
    position = rules.start()
    for move in moves:
        position = position.play(move)
    return position


def test_what_is_no_file_of_games_is_refused(table: NewTable, server: str, tmp_path: Path) -> None:
    page = table(base_url=server, reduced_motion="reduce").page
    page.goto("/analysis")
    page.locator("korgool-board[data-ready]").wait_for()
    page.locator("#tab-book:not([inert] *)").click()
    page.locator("#played-whose").select_option("file")
    for data, told in ((b"\xff\xfe", "UTF-8"), (b"", "no game"), (b"x" * 33_000_000, "too large")):
        path = tmp_path / "bad.pgn"
        path.write_bytes(data)
        page.set_input_files("#played-chosen", path)
        expect(page.locator("#played-read")).to_contain_text(told)
