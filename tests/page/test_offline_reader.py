"""The reader of pasted texts in the page against the one in Python: what one takes, the other takes likewise."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from korgool.app.server.analysis.api import MOST_PLIES, read_pasted
from korgool.app.server.core.errors import ApiError
from korgool.notation import parse_records
from korgool.rules import GAMES
from tests.notation.pasted import doubtful, readable

if TYPE_CHECKING:
    from playwright.sync_api import Page

READ = """
async (given) => {
  const { parseRecord } = await import("/static/js/analysis/record_parser.js");
  const { records } = JSON.parse(document.getElementById("facts").textContent);
  const said = [];
  for (const [game, text] of given) {
    try {
      said.push(await parseRecord(text, game, records));
    } catch (error) {
      const known = { MovetextError: error.message, ServerOnlyError: "beyond" };
      said.push(known[error.constructor.name] ?? `${error.stack}`);
    }
  }
  return said;
}
"""
BEYOND = "beyond"
SEEDS = 1


def here(page: Page, texts: list[tuple[str, str]]) -> list[Any]:
    """What the page says: a record, or a refusal."""
    said: list[Any] = page.evaluate(READ, texts)
    for (game, text), one in zip(texts, said, strict=True):
        assert isinstance(one, dict) or "\n    at " not in one, f"{game}: {text!r} broke the reader: {one}"
    return said


def there(game: str, text: str) -> Any:
    """What the server says, as it goes over the wire; of a refused record the step."""
    try:
        return msgspec.to_builtins(read_pasted(text, GAMES[game]))
    except ApiError:
        record = next(iter(parse_records(text, GAMES[game])), None)
        if record is None or record.error is None:
            return None
        return f"Move {record.position.fullmove}, {record.position.to_move.name.capitalize()}"


def agree(game: str, text: str, one: Any) -> str:
    """Whether the two readers agree; the kind of what the page said."""
    other = there(game, text)
    about = f"{game}: {text!r}: the page says {one!r} and the server {other!r}"
    if isinstance(one, dict):
        assert isinstance(other, dict), about
        assert one == json.loads(msgspec.json.encode(other)), about
        return "taken"
    if one.startswith(BEYOND):
        return "beyond"
    assert not isinstance(other, dict), about
    step = re.match(r"Move \d+, (?:White|Black)(?=:)", one)
    if step:
        assert step[0] == other, about
    return "refused"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_records_of_the_common_dialects_are_read_by_both(analysis: Page, seed: int) -> None:
    texts = readable(seed, 100)
    for (game, text), one in zip(texts, here(analysis, texts), strict=True):
        assert agree(game, text, one) == "taken", f"{game}: {text!r}: {one}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_damaged_records_are_judged_alike(analysis: Page, seed: int) -> None:
    texts = doubtful(seed, 400)
    kinds = Counter(agree(game, text, one) for (game, text), one in zip(texts, here(analysis, texts), strict=True))
    assert min(kinds["taken"], kinds["refused"]) >= 20, kinds
    assert kinds["beyond"] <= 20, kinds


@pytest.mark.long
@pytest.mark.parametrize("seed", range(SEEDS, SEEDS + 60))
def test_many_damaged_records_are_judged_alike(analysis: Page, seed: int) -> None:
    texts = doubtful(seed, 2000)
    for (game, text), one in zip(texts, here(analysis, texts), strict=True):
        agree(game, text, one)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. 76(99)", "Move 1, White: “76(99)” does not fit; the move is 76(10)."),
        ("1. 76(10)(10)", "Move 1, White: “76(10)(10)” does not fit; the move is 76(10)."),
        ("1. 76X *", "Move 1, White: “76X” does not fit; the move is 76(10)."),
        ("1. 75 *", "Move 1, White: “75” does not fit; the move is 76(10)."),
        ("1. 76(10) 55 2. 44 (12) *", "Move 2, Black: “(12)” does not fit; the move is 44."),
        ("1. 76 3. 55 *", "Move 1, Black: “3.” does not belong here."),
        ("1... 76 *", "Move 1, White: “1...” does not belong here."),
        ("1. 76 1-0 0-1", "Move 1, Black: “0-1” does not belong here."),
        ("1. 76 1-0 55", "Move 1, Black: “55” does not belong here."),
        ("1. 76, 55 *", "Move 1, Black: “55” does not belong here."),
        ("1. 76(10) 55 } *", "Move 2, White: “}” does not belong here."),
        ("1. 76(10) 0-0", "Move 1, Black: “0-0” does not belong here."),
        ("1. 76(10) {never", "Move 1, Black: the record seems cut off here."),
        ("1. 76(10),", "Move 1, Black: the record seems cut off here."),
        ("1. 76(10) 55(10) 2. 3", "Move 2, White: the record seems cut off here."),
        ("7560", "Move 2, Black: “0” cannot be played."),
        ("1. 7 horse", "Move 1, Black: “horse” is not a move."),
        ("1.", "There is no record and no position in this text."),
        ("horse", "There is no record and no position in this text."),
        (" \n", "There is no record and no position in this text."),
        ('[Result "2-0"]\n\n1. 76 *', "The tag “2-0” cannot be read."),
        ('[White "A"]\n\n1. 65 65\n2. 99 89\n3. 23 45\n*', "Move 3, Black: “45” does not fit; the move is 45X."),
        ("1. 76 (1. 54", "Move 1, Black, in a variation: the record seems cut off here."),
        ("1. 76 (1. 54 53)", "Move 1, Black, in a variation: “53” does not fit; the move is 54(10)."),
        ("1. 76) 55", "Move 1, White: “76)” does not belong here."),
        ("1. 76 () 55", "Move 1, White, in a variation: “)” does not belong here."),
        ("1. 76 (1. 54 1-0 ) 55", "Move 1, Black, in a variation: “1-0” does not belong here."),
        ("f1e2 d2f1", "Move 1, Black: “d2f1” does not fit; the move is d2e1"),
        ("f1e2 55", "Move 1, Black: “55” does not belong here."),
        ("f1e2 f1e2", "Move 1, Black: “f1e2” cannot be played."),
        ('[FEN "9S/9S 0 0 S 1"]\n\n1. 76 *', "This is not a position of the game"),
        ('[Variant "Chess"]\n\n1. 76 *', "The tag “Chess” cannot be read."),
        ('[White "A"]\n[White "B"]\n\n1. 76 *', 'The tag “[White "B"]” cannot be read.'),
        ('[Rules "goal=25"]\n\n1. 76 *', BEYOND),
        ("1. 76 1-0\nBlack wins", "Move 1, Black: “0-1” does not belong here."),
        ("7 9 " * 501, "Move"),
        ("1. 9" + "9" * 1000, "Move"),
        ("7\x00", BEYOND),
    ],
)
def test_why_it_is_refused(analysis: Page, text: str, said: str) -> None:
    (one,) = here(analysis, [("toguz", text)])
    assert isinstance(one, str), f"{text!r} was taken"
    assert one.startswith(said)
    agree("toguz", text, one)


@pytest.mark.parametrize(
    ("text", "moves", "result"),
    [
        ("1. 76(10) 55(10) 1 (82) - 0 (60)", [7, 5], "1-0"),
        ("76 (10) 55 = *", [7, 5], "*"),
        ("75", [7, 5], "*"),
        ("796817 0-1", [7, 9, 6, 8, 1, 7], "0-1"),
        ("*", [], "*"),
        ('[White "A"]\n[Result "1/2-1/2"]\n\n1. 76(10) {so} 1... 55!? ½ - ½', [7, 5], "1/2-1/2"),
    ],
)
def test_what_is_read(analysis: Page, text: str, moves: list[int], result: str) -> None:
    (one,) = here(analysis, [("toguz", text)])
    assert agree("toguz", text, one) == "taken"
    assert (one["moves"], one["result"]) == (moves, result)


def test_as_many_plies_as_the_server_takes(analysis: Page) -> None:
    source = analysis.evaluate("fetch('/static/js/analysis/record_parser.js').then((answer) => answer.text())")
    assert f"MOST_PLIES = {MOST_PLIES};" in source
