"""Reasons for and against moves in the page: the same facts, in the same order and the same words as in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from korgool.app.server.analysis.messages import report
from korgool.app.words.reasons import REASON_WORDS, reasons_text
from korgool.engine.limits import Limits
from korgool.engine.reasons import Reason, ReasonKind, explain, faults, reasons
from korgool.engine.search import Engine
from korgool.languages import LANGUAGES, translations
from korgool.rules import GAMES, Game, Position, Rules
from tests.engine.test_reasons import random_line
from tests.kernel.reference import random_setup
from tests.page.analysis import Board
from tests.page.conftest import NewTable
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

TELL = """
async ([game, asked]) => {
  const { openRules } = await import("/static/js/analysis/rules_provider.js");
  const { reasonsText } = await import("/static/js/analysis/move_reasons.js");
  const rules = await openRules(game);
  const told = [];
  for (const { position, lines, hole, answers } of asked) {
    const [snapshot] = await rules.line(position, []);
    const found = lines.map((_, at) => rules.explain(snapshot, lines, at));
    const { against, instead } = rules.compare(snapshot, [hole, ...answers], lines[0].pv);
    told.push({ found, against, instead, texts: [...found, against].map((one) => reasonsText(one, game)) });
  }
  return told;
}
"""
REFUSED = """
async (calls) => {
  const { KernelRules } = await import("/static/js/device/kernel_rules.js");
  const rules = await KernelRules.load("toguz");
  return calls.map(([name, ...given]) => {
    try { return rules[name](rules.start(), ...given); } catch (error) { return error.message; }
  });
}
"""
ALMOST = "4,6S,3,1S/1S,7,2S 80 72 S 60"
WORDS = "() => JSON.parse(document.getElementById('words').textContent).why"


@pytest.fixture(scope="module")
def pages(browser: Browser, server: str) -> Iterator[dict[str, Page]]:
    """An analysis board in each language; nothing thinks there."""
    found, contexts = {}, []
    for language in LANGUAGES:
        context = browser.new_context(service_workers="block", locale=language)
        context.add_init_script("localStorage.setItem('korgool.engine-on', 'off')")
        contexts.append(context)
        found[language] = context.new_page()
        found[language].goto(f"{server}/analysis")
    yield found
    for context in contexts:
        context.close()


def sent(found: tuple[Reason, ...]) -> list[dict[str, Any]]:
    return [
        {
            "kind": str(one.kind),
            "weight": one.weight,
            "stones": one.stones,
            "left": one.left,
            "hole": one.hole,
            "shared": one.shared,
            "line": list(one.line),
        }
        for one in found
    ]


def _positions(rules: Rules, random: Random) -> list[Position]:
    """Those of a random game and some set up at random, each with a move to play."""
    game = Game(rules)
    while len(game.moves) < 60 and (moves := game.position.legal_moves()):
        game.play(random.choice(moves))
    found = [*game.positions, *(random_setup(rules, random) for _ in range(40))]
    # The page knows whole positions only.
    whole = (position for position in found if sum(map(sum, position.holes)) + sum(position.stores) == rules.total)
    return [position for position in whole if position.legal_moves()]


@pytest.mark.parametrize("all_languages", [False, pytest.param(True, marks=pytest.mark.long)], ids=["two", "all"])
@pytest.mark.parametrize("name", GAMES)
def test_the_page_says_what_python_says(pages: dict[str, Page], name: str, all_languages: bool) -> None:
    rules, random, engine = GAMES[name], Random(f"page reasons {name}"), Engine(GAMES[name], tables=None)
    asked, expected, said = [], [], []
    for position in _positions(rules, random):
        lines = engine.analyse(position, Limits(nodes=500), lines=min(3, len(position.legal_moves()))).lines
        hole = random.choice(position.legal_moves())
        answers = random_line(position.play(hole), random)
        sent_lines = [
            {
                **{key: getattr(line, key) for key in ("move", "evaluation", "exact", "win", "draw", "loss")},
                "certain": (line.win == 1) - (line.loss == 1),
                "pv": list(line.pv),
            }
            for line in lines
        ]
        asked.append({"position": str(position), "lines": sent_lines, "hole": hole, "answers": answers})
        found = [explain(position, lines, at) for at in range(len(lines))]
        best = lines[0]
        against = faults(position, hole, best.move, answers, best.pv[1:])
        other = (hole, *answers) if hole != best.move else ()
        instead = sent(reasons(position, best.move, best.pv[1:], other))
        expected.append({"found": [*map(sent, found)], "against": sent(against), "instead": instead})
        said.append([*found, against])
    # The facts are the same in each language, and by default each of the others says those of one game.
    others = [language for language in LANGUAGES if language != "en"]
    for language in pages if all_languages else ("en", others[[*GAMES].index(name) % len(others)]):
        told = pages[language].evaluate(TELL, [name, asked])
        catalogue = translations(language)
        for one, want, each in zip(told, expected, said, strict=True):
            texts = one.pop("texts")
            assert one == want
            assert texts == [reasons_text(catalogue, reason, name) for reason in each], language


def test_every_kind_has_words_in_every_language(pages: dict[str, Page]) -> None:
    assert {key.removesuffix(" castle") for key in REASON_WORDS} == set(ReasonKind)
    assert {f"{kind} castle" for kind in ReasonKind if "tuz" in kind or "feeds" in kind} <= set(REASON_WORDS)
    for language, page in pages.items():
        texts = page.evaluate(WORDS)
        assert set(texts) == set(REASON_WORDS)
        for key, text in texts.items():
            message = REASON_WORDS[key]
            english = message if isinstance(message, str) else message[1]
            for form in [text] if isinstance(text, str) else text:
                # A message without the number of stones or the hole would say less than the English one.
                assert sorted(re.findall(r"%\(\w+\)s", form)) == sorted(re.findall(r"%\(\w+\)s", english)), form
                assert language == "en" or form not in (message, english, message[0])


def test_a_move_that_cannot_be_played_has_no_reasons(pages: dict[str, Page]) -> None:
    said = pages["en"].evaluate(
        REFUSED, [["reasons", [0]], ["reasons", [10]], ["faults", [1], [10]], ["faults", [10], [1]]]
    )
    assert said == ["the move cannot be played"] * 4
    long = pages["en"].evaluate(REFUSED, [["reasons", [7, *[3] * 300]], ["reasons", [7, 0, 257]]])
    assert [one[0]["kind"] for one in long] == ["captures", "captures"]


def test_the_server_sends_reasons_to_a_page_without_webassembly() -> None:
    position = GAMES["toguz"].start()
    analysis = Engine(position.rules, tables=None).analyse(position, Limits(nodes=2000), lines=2)
    lines = msgspec.to_builtins(report(position, analysis))["lines"]
    told = [[{**one, "line": list(one["line"])} for one in line["reasons"]] for line in lines]
    assert told == [sent(explain(position, analysis.lines, at)) for at in range(2)]


def test_lines_say_why(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=")
    first = board.page.locator("#lines li").first
    expect(first.locator(".why")).to_contain_text("captures 10 stones")


def test_a_bad_move_is_told_with_what_it_misses_and_what_was_better(table: NewTable) -> None:
    """Black could take ten stones and plays another move."""
    board = Board(table(), "#game=toguz&moves=7,9&ply=2")
    verdict = board.page.locator("#verdict")
    board.tab("review")
    expect(verdict).to_contain_text(re.compile("misses a capture of 10 stones", re.IGNORECASE))
    expect(verdict.locator(".why")).to_contain_text("aptures 10 stones")
    # What refutes the move is drawn, each sowing with its number; beside the review the engine's own arrows are shown.
    arrows = board.page.locator(".board .arrow.threat")
    expect(arrows.first).to_have_attribute("data-rank", re.compile(r"\d"))
    expect(board.page.locator(".board .arrow.line")).to_have_count(0)
    board.tab("lines")
    expect(arrows).to_have_count(0)


def test_what_refutes_a_move_that_is_tried_is_drawn_until_it_is_taken_back(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7,9&ply=2")
    page = board.page
    board.tab("review")
    page.locator("#graph[data-complete]").wait_for()
    page.locator("#better-side").select_option("black")
    page.locator("#better-start").click()
    board.press(9)
    arrows = page.locator(".board .arrow.threat")
    # They stay for a moment only.
    arrows.first.wait_for(state="attached")
    expect(page.locator("#better-told")).to_contain_text("Try another move.")
    expect(arrows).to_have_count(0)


def test_a_hint_says_why_and_stays_until_the_position_changes(table: NewTable) -> None:
    """It is for the game as it began: here from a position in which one hole wins."""
    board = table()
    page = board.page
    page.goto(f"{board.address}/play")
    page.get_by_text("Own clock, handicap, position", exact=True).click()
    page.locator("form.new-game [name=position]").fill(ALMOST)
    page.locator("form.new-game button").click()
    board.ready()
    page.keyboard.press("h")
    line = page.locator("#hinted")
    expect(line).to_have_text("Hint: hole 9, brings the kazan to 82 stones and wins; captures 2 stones")
    page.clock.install()
    page.clock.run_for(60_000)
    expect(line).to_be_visible()
    expect(page.locator(".board .arrow")).to_have_count(1)
    board.press("1")
    expect(line).to_be_hidden()
