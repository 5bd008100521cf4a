"""The rules in the browser, from the kernel, against the reference: every sowing of random games, endings, text."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from korgool.app.server.analysis import messages as analysis_wire
from korgool.app.server.play import game_events, state_messages
from korgool.rules import GAMES, Position, PositionError, Setup, Side
from tests.conftest import SEED

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PLAY = """
async ([game, games]) => {
  const { KernelRules } = await import("/static/js/device/kernel_rules.js");
  const rules = await KernelRules.load(game);
  return games.map((moves) => {
    let board = rules.start();
    const told = [];
    const tell = (trace, preview) => told.push({
      board, trace, preview, legal: rules.legal(board), outcome: rules.outcome(board),
      text: rules.text(board, 7), again: rules.parse(rules.text(board)),
    });
    tell(null, null);
    for (const move of moves) {
      const preview = rules.preview(board, move);
      const sown = rules.sow(board, move);
      board = sown.board;
      tell(sown.trace, preview);
    }
    return told;
  });
}
"""
REFUSED = """
async ([game, boards, texts, moves]) => {
  const { KernelRules } = await import("/static/js/device/kernel_rules.js");
  const rules = await KernelRules.load(game);
  const why = (call) => {
    try { call(); return null; } catch (error) { return [error instanceof RangeError, error.message]; }
  };
  return {
    boards: boards.map((board) => why(() => rules.check(board))),
    texts: texts.map((text) => why(() => rules.parse(text))),
    moves: moves.map(([board, hole]) => why(() => rules.sow(board, hole))),
  };
}
"""


@pytest.fixture(scope="module")
def page(browser: Browser, server: str) -> Iterator[Page]:
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    page.goto(f"{server}/")
    yield page
    context.close()


def board(position: Position) -> dict[str, Any]:
    tuz = list(position.tuz)
    white, black = map(list, position.holes)
    turn = game_events.NAMES[position.to_move]
    return {"white": white, "black": black, "stores": list(position.stores), "tuz": tuz, "turn": turn}


def _sent(told: msgspec.Struct) -> Any:
    """As it comes out of the wire."""
    return msgspec.json.decode(msgspec.json.encode(told))


def _outcome(position: Position) -> Any:
    outcome = _sent(analysis_wire.snapshot(position, None))["outcome"]
    return outcome and {name: value for name, value in outcome.items() if name != "clause"}


@pytest.mark.parametrize("count", [3, pytest.param(25, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", GAMES)
def test_plays_as_the_reference(page: Page, name: str, count: int) -> None:
    rules, random = GAMES[name], Random(f"page {name} {SEED}")
    games: list[list[int]] = []
    for _ in range(count):
        position, moves = rules.start(), list[int]()
        while (legal := position.legal_moves()) and len(moves) < 250:
            moves.append(random.choice(legal))
            position = position.play(moves[-1])
        games.append(moves)
    told = page.evaluate(PLAY, [name, games])
    ended = set()
    for moves, steps in zip(games, told, strict=True):
        position = rules.start()
        for ply, step in enumerate(steps):
            trace: Any = None
            preview: Any = None
            if ply:
                preview = _sent(state_messages.preview(position, moves[ply - 1]))
                sowing = position.sow(moves[ply - 1])
                trace, position = _sent(game_events.trace(sowing)), sowing.after
            known = board(position)
            text = str(Position(rules, position.holes, position.stores, position.tuz, position.to_move, 7))
            expected = {"board": known, "again": known, "text": text}
            expected |= {"trace": trace, "preview": preview, "outcome": _outcome(position)}
            assert step == expected | {"legal": list(position.legal_moves())}, f"{moves[:ply]}"
        ended.add((outcome := position.outcome()) and outcome.termination)
    assert ended - {None}


def test_says_why_it_refuses(page: Page) -> None:
    rules = GAMES["toguz"]
    start = board(rules.start())
    one_short = start | {"white": [8, *start["white"][1:]]}
    bad: list[dict[str, Any]] = [
        one_short,
        start | {"white": start["white"][1:]},
        start | {"black": [-1, 19, *start["black"][2:]]},
        start | {"stores": [-9, 9]},
        start | {"tuz": [10, None]},
        start | {"tuz": [3, None]},
        start | {"white": [1.5, 16.5, *start["white"][2:]]},
        start | {"turn": "green"},
        {**start, "black": [0, 18, *start["black"][2:]], "white": [0, 18, *start["white"][2:]], "tuz": [1, 1]},
        {**start, "black": [*start["black"][:7], 18, 0], "tuz": [9, None]},
    ]
    texts = [
        "",
        "9S/9S",
        "9x/9 0 0 S 1",
        "9S,t,t/9 0 0 S 1",
        "10/9 81 81 S 1",
        "9/9 81 81 E 1",
        "9/9 81 x S 1",
        "9/9 81 81 S 0",
    ]
    moves = [[start, 10], [start, 0], [start, 1.5], [start | {"white": [0, 18, *start["white"][2:]]}, 1]]
    moves.append([board(Position.parse("9/9 81 81 S 60")), 1])
    said = page.evaluate(REFUSED, ["toguz", bad, texts, moves])
    for refusals in said.values():
        assert all(refusal and refusal[0] and refusal[1] for refusal in refusals), refusals
    reasons = [message for _, message in said["boards"]]
    for text, message in zip(texts, [message for _, message in said["texts"]], strict=True):
        with pytest.raises(PositionError) as refused:
            Position.parse(text, rules)
        assert message.replace("'", "") == str(refused.value).replace("'", ""), text
    for told, reason in ((bad[0], reasons[0]), (bad[1], reasons[1]), (bad[5], reasons[5]), (bad[8], reasons[8])):
        rows = told["white"], told["black"]
        tuz = told["tuz"]
        here = Setup(rules, rows, tuple(told["stores"]), (tuz[0], tuz[1]), Side.WHITE).problems()
        assert reason in "; ".join(map(str, here))
    assert said["moves"][3][1] == "hole 1 of White cannot be sown; possible are 2, 3, 4, 5, 6, 7, 8, 9"
    assert said["moves"][4][1] == "the game is over: 0.5 (81) - 0.5 (81), equal"


def test_mangala_has_no_tuz(page: Page) -> None:
    start = board(GAMES["mangala"].start())
    tuz = start | {"black": [0, 8, 4, 4, 4, 4], "tuz": [1, None]}
    said = page.evaluate(REFUSED, ["mangala", [tuz], [], []])
    assert said["boards"] == [[True, "White's tuz in hole 1: this game allows none there"]]
