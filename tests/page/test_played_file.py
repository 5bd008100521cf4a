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


READ = """
async ({text, speed, stop}) => {
  const {PlayedFile} = await import("/static/js/analysis/played_file.js");
  const {records} = JSON.parse(document.getElementById("facts").textContent);
  const [now, told] = [performance.now, []];
  const giving = new AbortController();
  let [looks, pauses, longest, since] = [0, 0, 0, 0];
  // Each look at the clock takes a part of a millisecond, whatever the machine does.
  performance.now = () => {
    looks += 1;
    longest = Math.max(longest, looks - since);
    return looks / speed;
  };
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (value) {
    pauses += 1;
    since = looks;
    if (pauses === stop) giving.abort();
    post.call(this, value);
  };
  const made = new PlayedFile(records, "toguz");
  try {
    await made.read(new File([text], "games.pgn"), (games) => told.push(games), giving.signal);
  } catch (error) {
    told.push(error.name);
  } finally {
    [performance.now, MessagePort.prototype.postMessage] = [now, post];
  }
  return {games: made.games, bad: made.bad, looks, pauses, longest, told};
}
"""


def test_the_page_has_its_turn_whatever_the_file_consists_of(table: NewTable, server: str) -> None:
    """The clock ticks with each look at it, so that what is between two turns of the page is counted and not timed."""
    page = table(base_url=server).page
    page.goto("/analysis")
    page.locator("korgool-board[data-ready]").wait_for()
    many = "1. 76(10) " + "(1. 65(10) {branch}) " * 300 + "1... 55(10) *\n\n"
    for name, text, least, found in (
        ("a game of each kind", games(), 500, (69, 1)),
        ("lines without a game", "; nothing\n" * 5000 + "796817\n", 5000, (1, 0)),
        ("words", "nothing is played here\n" * 5000 + "\n796817\n", 5000, (1, 0)),
        ("a comment that does not end", "796817\n\n1. 76(10) {" + "nothing\n" * 5000, 5000, (1, 1)),
        ("variations on one line", many, 1500, (1, 0)),
        ("a line longer than a game", "796817\n\n" + "x" * 1_200_000 + "\n\n[White \"A\"]\n\n1. 76(10) *\n", 5, (2, 0)),
        ("blanks and braces", f"796817\n\n{' ' * 300_000}x\n\n1. 76 {'{' * 300_000}\n\n" + "\r" * 5000, 3, (1, 1)),
    ):  # fmt: skip
        told = page.evaluate(READ, {"text": text, "speed": 5, "stop": 0})
        assert (told["games"], told["bad"]) == found, name
        assert told["looks"] >= least, f"{name}: {told}"
        # 12 ms of five looks, and those that begin the work.
        assert told["longest"] <= 64, f"{name}: {told}"
        assert told["pauses"] >= told["looks"] // 64 - 1, f"{name}: {told}"
    stopped = page.evaluate(READ, {"text": games(), "speed": 5, "stop": 3})
    assert stopped["told"][-1] == "AbortError"
    assert stopped["pauses"] == 3
