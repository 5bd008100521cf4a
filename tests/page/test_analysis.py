"""The analysis board in a real browser: steps, branches, lines and arrows, pastes, links, on the device and without."""

from __future__ import annotations

import re

import pytest

from korgool.app.words.event_texts import halves_said
from korgool.notation import DIALECTS, format_movetext
from korgool.notation.record import Record
from korgool.notation.writing import write_record
from korgool.rules import GAMES, Game, Position, Side
from tests.conftest import SEED
from tests.page.analysis import SIDES, Board, after, greedy, text
from tests.page.conftest import NewTable
from tests.page.table import expect

REFUSED = "status of 422"


def test_play_step_and_branch(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    page = board.page
    board.stands(after("toguz", []))
    board.hole("white", 7).click()
    board.stands(after("toguz", [7]))
    board.hole("black", 5).click()
    board.press("3")
    board.stands(after("toguz", [7, 5, 3]))
    expect(page.locator("#tree")).to_have_text(re.compile(r"Start\s*1\.\s*76\(10\)\s*55\(10\)\s*2\.\s*33"))
    page.locator("body").click(position={"x": 4, "y": 400})
    page.keyboard.press("ArrowLeft")
    page.locator("#previous").click()
    board.stands(after("toguz", [7]))
    board.press("9")
    board.tab("moves")
    branch = page.get_by_role("group", name="Branch in place of 55(10)")
    expect(branch).to_contain_text("1…98")
    assert board.fragment() == {"game": "toguz", "moves": "7,5(9),3", "at": "7,9"}
    page.keyboard.press("ArrowUp")
    board.stands(after("toguz", [7, 5]))
    page.keyboard.press("End")
    board.stands(after("toguz", [7, 5, 3]))
    page.keyboard.press("Home")
    board.stands(after("toguz", []))
    expect(page.locator("#previous")).to_have_attribute("aria-disabled", "true")
    branch.get_by_role("button").click()
    page.get_by_role("button", name="Make it the main line").click()
    assert board.fragment() == {"game": "toguz", "moves": "7,9(5,3)", "ply": "2"}
    page.get_by_role("button", name="Delete from here").click()
    assert board.fragment() == {"game": "toguz", "moves": "7,5,3", "ply": "1"}
    page.get_by_role("button", name="Turn the board").click()
    assert board.fragment()["side"] == "black"
    boxes = [board.hole(side, 1).bounding_box() for side in SIDES]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] < boxes[1]["y"]
    board.stands(after("toguz", [7]))
    board.press("5")
    board.stands(after("toguz", [7, 5]))


SLICE = [*GAMES][SEED % 2 :: 2]


@pytest.mark.parametrize(("games", "plies"), [(SLICE, 10), pytest.param([*GAMES], 400, marks=pytest.mark.long)])
def test_a_game_is_stepped_through_as_the_rules_have_it(table: NewTable, games: list[str], plies: int) -> None:
    """So many plies from its start and as many to its end; the list of moves has all of it."""
    board = Board(table(), **{"engine-on": "off"})
    for game in games:
        stepped_through(board, game, plies)


def stepped_through(board: Board, game: str, plies: int) -> None:
    moves = greedy(game, 400)
    board.open(f"#game={game}&moves={text(moves)}&ply=0")
    played = Game(GAMES[game], moves)
    words = format_movetext(played, numbered=False).replace(",", " ").split()
    buttons, step = board.page.locator("#tree .ply button"), board.page.locator("#next")
    assert buttons.all_text_contents() == words
    ply = 0
    while ply < len(moves):
        if plies <= ply < len(moves) - plies:
            ply = len(moves) - plies
            buttons.nth(ply - 1).dispatch_event("click")
        if ply % 5 == 0 or ply > len(moves) - 3:
            board.stands(played.positions[ply])
        step.dispatch_event("click")  # a real click waits for two frames, and other tests make some
        ply += 1
    outcome = played.position.outcome()
    assert outcome is not None
    expect(board.page.locator("#outcome .result")).to_have_text(halves_said(outcome.result_text))
    expect(board.page.locator(".hole-button[aria-disabled=false]")).to_have_count(0)
    totals = board.page.locator(".store .count").all_text_contents()
    assert sorted(map(int, totals)) == sorted(outcome.stores)


@pytest.mark.parametrize("games", [SLICE, pytest.param([*GAMES], marks=pytest.mark.long)], ids=["slice", "all"])
def test_lines_and_arrows(table: NewTable, games: list[str]) -> None:
    board = Board(table(), **{"engine-on": "off"})
    for game in games:
        lines_and_arrows(board, game)


def lines_and_arrows(board: Board, game: str) -> None:
    moves, page = greedy(game, 6), board.page
    for name, value in (("engine-on", "on"), ("arrows", "on"), ("line-count", "3")):
        page.evaluate(f"localStorage.setItem('korgool.{name}', '{value}')")
    board.open(f"#game={game}&moves={text(moves)}")
    position = after(game, moves)
    wanted = min(3, len(position.legal_moves()))
    board.lines(wanted)
    expect(page.locator("#engine-status")).to_contain_text(re.compile(r"depth \d+ · .* nodes · \d threads? · on this"))
    page.locator("#engine-on").uncheck()  # the lines stand still
    board.lines(0)
    assert board.arrows() == []
    page.locator("#engine-on").check()
    board.lines(wanted)
    expect(page.locator(".board .arrow")).to_have_count(wanted)
    arrows = board.arrows()
    side = SIDES[position.to_move]
    for arrow in arrows:
        owner, hole = arrow["from"].split("-")
        assert owner == side
        last = position.sow(int(hole)).last
        place = last.hole
        assert arrow["to"] == f"{SIDES[last.side]}-{place}"
        if place:
            box = board.hole(SIDES[last.side], place).bounding_box()
            assert box is not None
            assert box["x"] <= arrow["x"] <= box["x"] + box["width"]
            assert box["y"] <= arrow["y"] <= box["y"] + box["height"]
    assert [arrow["width"] for arrow in arrows] == sorted((arrow["width"] for arrow in arrows), reverse=True)
    page.locator("#arrows").uncheck()
    expect(page.locator(".board .arrow")).to_have_count(0)
    page.locator("#line-count").select_option("1")
    board.lines(1)
    first = page.locator("#lines .first").first
    said = first.get_attribute("aria-label") or ""
    found = re.match(r"Play (\d)\d\S*, [+−]?[\d.]+.*White wins (<?\d+) %, draw (<?\d+) %, Black wins (<?\d+) %$", said)
    assert found is not None, said
    page.locator("#engine-on").uncheck()
    board.press(found[1])
    board.stands(position.play(int(found[1])))


def test_a_line_is_played_by_a_click(table: NewTable) -> None:
    board = Board(table(), "#game=bestemshe&moves=5")
    board.lines(3)
    board.page.locator("#lines .pv button").first.click()
    found = board.fragment()
    assert found["ply"] == "3"
    assert len(found["moves"].split(",")) == 3


def test_graph_marks_and_the_better_move(table: NewTable) -> None:
    moves = greedy("toguz", 24)
    board = Board(table(), f"#game=toguz&moves={text(moves)}&ply=0")
    page = board.page
    page.locator("#graph[data-complete] svg").wait_for(state="attached")
    board.tab("review")
    expect(page.locator("#graph .summary")).to_contain_text("Expected difference of the kazans from White's view")
    box = page.locator("#graph svg").bounding_box()
    assert box is not None
    page.locator("#graph svg").click(position={"x": box["width"] * (34 + 282 / 2) / 320, "y": 30})
    board.stands(after("toguz", moves[:12]))
    marked = page.locator("#tree button:has(.mark)")
    assert marked.count(), "twenty-four greedy plies are not all good"
    expect(page.locator("#graph .dot")).to_have_count(marked.count())
    board.tab("moves")
    marked.last.click()
    board.tab("review")
    expect(page.locator("#verdict")).to_contain_text(
        re.compile(r"(blunder|mistake|inaccuracy), lost (about \d|less than)")
    )
    better = page.locator("#verdict button")
    said = (better.text_content() or "").split()[1]
    better.click()
    expect(page.locator("#tree [aria-current]")).to_have_text(said)
    assert "(" in board.fragment()["moves"]


def test_the_graph_goes_on_with_another_game(table: NewTable) -> None:
    board = Board(table(), f"#game=toguz&moves={text(greedy('toguz', 60))}")
    board.page.locator("#graph svg .line").wait_for(state="attached")
    moves = greedy("castle", 8)
    board.page.evaluate("hash => { location.hash = hash; }", f"#game=castle&moves={text(moves)}")
    expect(board.page.locator("#tree .ply")).to_have_count(len(moves))
    board.page.locator("#graph[data-complete]").wait_for(state="attached")
    board.lines(3)


def test_records_are_pasted(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    for plies, dialect in enumerate(DIALECTS, 24):
        moves = greedy("toguz", plies)
        board.open("")
        board.paste(write_record(Record.of(Game(GAMES["toguz"], moves), White="Aida", Black="Bek"), dialect))
        expect(board.page.locator("#notice")).to_contain_text(f"Moves of both sides read: {plies}")
        assert board.fragment() == {"game": "toguz", "moves": text(moves), "ply": "0"}, dialect
        if dialect == "pgn":
            expect(board.page.locator(".strip.near")).to_contain_text("Aida")
        board.page.locator("#last").click()
        board.stands(after("toguz", moves))
        board.page.go_back()
        board.stands(after("toguz", []))


def test_positions_are_pasted_and_another_game_opens(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    for game in GAMES:
        position = after(game, greedy(game, 7))
        board.set_up(game=game)
        board.paste(f"  {position} \n")
        board.stands(position)
        assert board.fragment() == {"game": game, "start": str(position), "ply": "0"}
    board.paste(str(GAMES["toguz"].start()))
    board.stands(GAMES["toguz"].start())
    expect(board.page.locator("#game")).to_have_value("toguz")


REFUSALS = [
    ("", "no record and no position"),
    ("hello", "no record and no position"),
    ("1. 76(10) 55(10)\n2. 33 91", "Move 2, Black: “91” does not fit"),
    ("9S,9S/9S 0 0 S 1", "not a position of the game"),
    ("9S,9S,9S,9S,9S,9S,9S,9S,9S/9S,9S,9S,9S,9S,9S,9S,9S,8S 0 0 S 1", "161 stones instead of 162"),
    ("<b>7</b>", "no record and no position"),
    ('[Rules "goal=25"]\n\n1. 76 *', "rules"),
]
BAD_LINKS = [
    ("#game=chess&moves=1", "The link cannot be read"),
    ("#game=toguz&moves=7,7,x", "The link cannot be read"),
    ("#game=toguz&moves=7,(7", "The link cannot be read"),
    ("#game=toguz&moves=(7)", "The link cannot be read"),
    ("#game=toguz&moves=7&ply=-1", "The link cannot be read"),
    ("#game=toguz&moves=7,0", "Move 1, Black: hole 0 cannot be played"),
    ("#game=mangala&moves=99", "Move 1, White: hole 99 cannot be played"),
    ("#game=toguz&start=9S/9S+0+0+S+1", "not a position of the game"),
]


def test_a_refused_paste_leaves_the_board(table: NewTable) -> None:
    board = Board(table(expected=REFUSED), "#game=toguz&moves=7,5(9)&ply=1", **{"engine-on": "off"})
    before = board.fragment()
    for pasted, reason in REFUSALS:
        board.paste(pasted)
        expect(board.page.locator("#paste-problem")).to_contain_text(reason)
        assert board.fragment() == before, pasted
        board.stands(after("toguz", [7]))


def test_a_bad_link_says_so(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    for fragment, said in BAD_LINKS:
        board.open(fragment)
        expect(board.page.locator("#notice")).to_contain_text(said)
        game = "mangala" if "mangala" in fragment else "toguz"
        board.stands(after(game, []))


def test_links_restore_everything(table: NewTable) -> None:
    start = "4S,4S,4S,4S,4S,4S/4S,4S,4S,4S,4S,4S 0 0 N 3"
    board = Board(table(), f"#game=castle&start={start.replace(' ', '+')}&moves=3,4(2,1),5&at=3,2&side=black")
    position = Position.parse(start, GAMES["castle"]).play(3).play(2)
    board.stands(position)
    expect(board.page.locator("#tree")).to_contain_text("3…")
    before = board.fragment()
    assert before["moves"] == "3,4(2,1),5"
    board.page.reload()
    board.page.locator("korgool-board[data-ready]").wait_for()
    board.stands(position)
    assert board.fragment() == before
    board.page.evaluate("location.hash = '#game=bestemshe&moves=5,5&ply=1'")
    board.stands(after("bestemshe", [5]))
    board.page.locator(".languages summary").click()
    board.page.get_by_role("button", name="Русский").click()
    expect(board.page.locator("html")).to_have_attribute("lang", "ru")
    board.page.locator("korgool-board[data-ready]").wait_for()
    assert board.fragment() == {"game": "bestemshe", "moves": "5,5", "ply": "1"}


def test_copies(table: NewTable) -> None:
    one = table(permissions=["clipboard-read", "clipboard-write"])
    board = Board(one, "#game=mangala&moves=3,1,2,6&ply=2", **{"engine-on": "off"})
    page = board.page
    page.locator("#share-open").click()
    copied = {}
    for name in ("record", "position", "link"):
        page.locator(f"#copy-{name}").click()
        expect(page.locator(f"#copy-{name}")).to_have_text("Copied")
        copied[name] = page.evaluate("navigator.clipboard.readText()")
    game = Game(GAMES["mangala"], [3, 1, 2, 6])
    assert copied["record"] == write_record(Record.of(game)).rstrip("\n") + "\n"
    assert copied["position"] == str(game.positions[2])
    board.open(copied["link"].split("/analysis")[1])
    board.stands(game.positions[2])
    board.paste(copied["record"])
    assert board.fragment() == {"game": "mangala", "moves": "3,1,2,6", "ply": "0"}


def test_a_level_plays_on_this_device(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    asked: list[str] = []
    board.page.on("request", lambda request: asked.append(request.url) if "/api/" in request.url else None)
    for game, side in (("toguz", "black"), ("mangala", "white"), ("bestemshe", "white")):
        level_plays(board, game, side)
        assert asked == [], game


def level_plays(board: Board, game: str, side: str) -> None:
    board.open(f"#game={game}")
    page = board.page
    board.set_up(opponent="1", opponent_side=side)
    mine = "black" if side == "white" else "white"
    strip = page.locator(f'.strip[data-side="{mine}"]')
    expect(page.locator(f'.strip[data-side="{side}"] .side')).to_have_text("Kulun · level 1")
    moves: list[int] = []
    # In mangala a ply of ours may bring another turn: the last ply is to be the engine's.
    while len(moves) < 4 or Game(GAMES[game], moves[:-1]).position.to_move is Side[mine.upper()]:
        expect(strip).to_have_attribute("data-turn", "")
        plies = page.locator("#tree .ply").count()
        page.locator(f'.hole-button[data-side="{mine}"][aria-disabled=false]').last.click()
        expect(page.locator("#tree .ply").nth(plies)).to_be_attached()
        expect(strip).to_have_attribute("data-turn", "")
        moves = [int(move) for move in board.fragment()["moves"].split(",")]
    board.stands(after(game, moves))
    # Looking back is no move: the engine waits until it is asked.
    page.locator("#previous").click()
    page.wait_for_timeout(400)
    assert board.fragment()["moves"] == text(moves)
    page.locator("#let-move").click()
    expect(strip).to_have_attribute("data-turn", "")


def test_a_link_begins_a_game_against_a_level(table: NewTable) -> None:
    """As the first page makes it without a network; a reload goes on with it."""
    board = Board(table(), "#game=bestemshe&opponent=2&side=black")
    page = board.page
    expect(page.locator("#engine-on")).not_to_be_checked()
    expect(page.locator('.strip.near[data-turn][data-side="black"]')).to_be_visible()
    expect(page.locator("#tree .ply")).to_have_count(1)
    before = board.fragment()
    assert (before["opponent"], before["side"]) == ("2", "black")
    page.reload()
    page.locator("korgool-board[data-ready]").wait_for()
    page.locator('.hole-button[data-side="black"][aria-disabled=false]').first.click()
    expect(page.locator("#tree .ply")).to_have_count(3)
    assert board.fragment()["moves"].startswith(before["moves"] + ",")
    page.locator("#set-up").click()
    page.locator("#new").click()
    expect(page.locator("#tree .ply")).to_have_count(1)
    board.open("#game=bestemshe&opponent=9")
    expect(page.locator("#notice")).to_contain_text("The link cannot be read")


def test_without_webassembly_the_server_plays_and_thinks(table: NewTable) -> None:
    one = table(expected=REFUSED)
    one.page.add_init_script("delete globalThis.WebAssembly")
    moves = greedy("castle", 8)
    board = Board(one, f"#game=castle&moves={text(moves)}&ply=4")
    page = board.page
    board.stands(after("castle", moves[:4]))
    board.lines(min(3, len(after("castle", moves[:4]).legal_moves())))
    expect(page.locator("#engine-status")).to_contain_text("on the server")
    expect(page.locator(".board .arrow").first).to_be_visible()
    page.locator("#last").click()
    board.stands(after("castle", moves))
    hole = after("castle", moves).legal_moves()[0]
    board.press(hole)
    board.stands(after("castle", [*moves, hole]))
    page.locator("#graph[data-complete] svg").wait_for(state="attached")
    board.set_up(opponent="3", opponent_side=SIDES[after("castle", [*moves, hole]).to_move])
    expect(page.locator("#tree .ply").nth(len(moves) + 1)).to_be_attached()
    board.paste("0")
    expect(page.locator("#paste-problem")).to_contain_text("move 1, White")
    board.paste("123")
    expect(page.locator("#notice")).to_contain_text("Moves of both sides read: 3")
    assert board.fragment()["game"] == "castle"


def test_without_the_network(table: NewTable) -> None:
    """After loading, the server is needed for nothing but the other dialects."""
    board = Board(table(expected="ERR_INTERNET_DISCONNECTED"), "#game=toguz&moves=7,5")
    page = board.page
    board.lines(3)
    page.locator("#graph[data-complete]").wait_for(state="attached")
    page.context.set_offline(True)
    board.press("3")
    board.stands(after("toguz", [7, 5, 3]))
    board.lines(3)
    for pasted, moves in [
        ("1. 76(10) 55(10) 1 (82) - 0 (60)", [7, 5]),
        ("796817", [7, 9, 6, 8, 1, 7]),
        ('[White "A"]\n\n1. 76(10) 55(10) {so} 2. 33 1-0', [7, 5, 3]),
    ]:
        board.paste(pasted)
        expect(page.locator("#notice")).to_contain_text(f"Moves of both sides read: {len(moves)}")
        assert board.fragment()["moves"] == text(moves)
    position = after("toguz", greedy("toguz", 9))
    board.paste(str(position))
    board.stands(position)
    for pasted, reason in [
        ("1. 76(10) 54", "Move 1, Black: “54” does not fit; the move is 55"),
        ("7 0", "Move 1, Black: “0” cannot be played."),
        ("7 horse", "Move 1, Black: “horse” is not a move."),
        ("1. 76(99)", "Move 1, White: “76(99)” does not fit; the move is 76(10)."),
        ('[Rules "goal=25"]\n\n1. 76 *', "Without the network, this text cannot be read"),
        ("", "no record and no position"),
        ("9S/9S 0 0 S 1", "1 holes instead of 9"),
    ]:
        board.paste(pasted)
        expect(page.locator("#paste-problem")).to_contain_text(reason)
        board.stands(position)
    plies = page.locator("#tree .ply").count()
    board.set_up(opponent="2", opponent_side=SIDES[position.to_move])
    expect(page.locator("#tree .ply").nth(plies)).to_be_attached()


def test_a_finished_game_leads_here(table: NewTable) -> None:
    one = table()
    one.start("bestemshe", side="black")
    one.wait_for_turn()
    expect(one.page.locator("#analyse")).to_be_hidden()
    one.page.locator(".hole-button[aria-disabled=false]").first.click()
    one.wait_for_ply(3)
    one.page.get_by_role("button", name="Resign").click()
    one.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    moves = [move["hole"] for move in one.state()["moves"]]
    one.page.get_by_role("link", name="Analyse this game").click()
    one.page.locator("korgool-board[data-ready]").wait_for()
    expect(one.page.locator("#tree .ply")).to_have_count(len(moves))
    assert f"moves={text(moves)}&" in one.page.evaluate("`${location.hash}&`")
    one.page.goto(f"{one.address}/")
    one.page.get_by_role("link", name="Analyse", exact=True).click()
    one.ready()


def test_it_is_spoken(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7,5&ply=0", **{"engine-on": "off"})
    page = board.page
    page.keyboard.press("ArrowRight")
    expect(page.locator("#spoken")).to_contain_text("Move 1. White: hole 7, 9 stones, captures 10")
    board.press("9")
    expect(page.locator("#spoken")).to_contain_text("Black: hole 9, 9 stones")
    expect(board.hole("white", 7)).to_have_attribute("aria-label", "White's hole 7, 2 stones")
    board.hole("white", 3).focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    would = re.compile("^lands in Black's hole 3. White's kazan then")
    expect(board.hole("white", 3)).to_have_accessible_description(would)
    expect(board.hole("white", 3)).to_have_attribute("aria-disabled", "false")
    page.keyboard.press("Enter")
    board.stands(after("toguz", [7, 9, 3]))
