"""Comments, marks, branches and tags on the analysis board: shown, edited by keyboard, kept, copied and saved."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from korgool.notation import parse_records, write_record
from tests.page.analysis import Board
from tests.page.conftest import NewTable
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

TREES = """async () => {
  const {Node, buildTree, movesText, readMoves} = await import("/static/js/analysis/game_tree.js");
  const {openRules} = await import("/static/js/analysis/rules_provider.js");
  const rules = await openRules("toguz");
  const tree = await buildTree(rules, null, readMoves("7(5)(3),5"));
  const {root} = tree;
  const branches = () => root.children.map(({branches}) => branches.map(({hole}) => hole));
  const told = [[movesText(tree), branches()]];
  const tried = new Node(rules.follow(root.snapshot, 9), root);
  const beyond = tree.add(tried, rules.follow(tried.snapshot, 1));
  for (const node of [tried, beyond]) {
    tree.promote(node);
    tree.remove(node);
  }
  told.push([movesText(tree), branches()]);
  tree.promote(root.child(3));
  told.push([movesText(tree), branches()]);
  tree.remove(root.child(7));
  told.push([movesText(tree), branches()]);
  root.append(tried);
  told.push([movesText(tree), branches()]);
  return told;
}"""
RECORD = """[Event "Lesson"]
[White "Aida"]
[Black "Bek"]
[Result "1-0"]
[Annotator "Teacher"]

{to begin} 1. 76(10) $1 {main} ({so} 1. 54(10) $6 {beside} (1. 98(10))) {after it} 1... 55(10) $14 2. 33= 1-0
"""


def copied(board: Board) -> str:
    """What the page copies as PGN."""
    page = board.page
    board.tab("moves")
    if not page.locator("#share-record").is_visible():
        page.locator("#share summary").click()
    page.locator("#copy-record").click()
    text: str = page.locator("#share-record").input_value()
    return text


def again(text: str) -> str:
    """A record as the library writes it again."""
    return write_record(parse_records(text)[0]).rstrip("\n") + "\n"


def test_what_is_pasted_is_shown_kept_and_copied(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    page = board.page
    board.paste(RECORD)
    tree = page.locator("#tree")
    for said in ("to begin", "main", "so", "beside", "after it"):
        expect(tree.get_by_text(said, exact=True)).to_be_visible()
    assert "".join(tree.inner_text().split()) == (
        "Starttobegin1.76(10)!,goodmovemainso1.54(10)?!,doubtfulmovebeside1.98(10)afterit1…55(10)+=2.33="
    )
    expect(page.locator(".strip.near")).to_contain_text("Aida")
    assert copied(board) == again(RECORD)
    page.reload()
    page.locator("korgool-board[data-ready]").wait_for()
    assert copied(board) == again(RECORD)
    page.locator(".languages summary").click()
    page.get_by_role("button", name="Türkçe").click()
    expect(page.locator("html")).to_have_attribute("lang", "tr")
    page.locator("korgool-board[data-ready]").wait_for()
    assert copied(board) == again(RECORD)
    page.locator("#set-up").click()
    page.locator("#new").click()
    board.tab("moves")
    expect(tree.locator(".comment")).to_have_count(0)
    page.go_back()
    expect(tree.get_by_text("beside", exact=True)).to_be_visible()
    assert copied(board) == again(RECORD)


def test_a_page_that_is_reloaded_at_once_has_what_was_pasted(table: NewTable) -> None:
    one = table()
    one.page.add_init_script(
        "const wait = setTimeout; "
        "window.setTimeout = (what, ms, ...rest) => wait(what, ms === 150 ? 2 ** 30 : ms, ...rest);"
    )
    board = Board(one, **{"engine-on": "off"})
    page = board.page
    board.paste(RECORD)
    expect(page.locator("#tree").get_by_text("beside", exact=True)).to_be_visible()
    assert "moves" not in page.url  # it has not been written into the address yet
    page.reload()
    page.locator("korgool-board[data-ready]").wait_for()
    assert copied(board) == again(RECORD)


def test_comments_marks_and_tags_are_edited_by_keyboard(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7(5),5&ply=0", **{"engine-on": "off"})
    page = board.page
    page.keyboard.press("ArrowRight")
    board.tab("moves")
    page.locator("#notes summary").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="good move", exact=True)).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="weak move", exact=True).press("Enter")
    expect(page.get_by_role("button", name="good move", exact=True)).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Comment on this move").focus()
    page.keyboard.type("a } brace\nand  a second")
    expect(page.locator("#tree").get_by_text("and a second", exact=True)).to_be_visible()
    page.keyboard.press("1")  # a digit in the field plays nothing
    page.locator("#tree [data-ply='1']").nth(1).click()
    page.get_by_label("After this branch").fill("after")
    page.get_by_label("Before this branch").fill("before")
    page.locator("#edit-tags").press("Enter")
    sheet = page.get_by_role("dialog", name="Names and tags of the game")
    sheet.get_by_label("White").fill('Aida "A"')
    sheet.get_by_label("Result").select_option("1-0")
    sheet.get_by_role("button", name="Another tag").press("Enter")
    page.keyboard.type("Variant")
    page.keyboard.press("Tab")
    page.keyboard.type("Teacher")
    page.keyboard.press("Enter")
    expect(sheet.get_by_role("alert")).to_contain_text("“Variant” cannot be the name of a tag")
    sheet.get_by_label("Name of the tag").fill("Annotator")
    page.keyboard.press("Enter")
    expect(sheet).to_be_hidden()
    expect(page.locator(".strip.near")).to_contain_text('Aida "A"')
    (record,) = parse_records(copied(board))
    assert record.comments == ((1, "a ) brace"), (1, "and a second1"))
    assert record.glyphs == ((1, 2),)
    assert dict(record.tags) == {"White": 'Aida "A"', "Annotator": "Teacher"}
    assert record.result == "1-0"
    (branch,) = record.variations
    assert (branch.comments, branch.after) == (((0, "before"),), ("after",))
    page.locator("#promote").click()
    (record,) = parse_records(copied(board))
    assert (record.moves, record.variations[0].moves) == ((5,), (7, 5))
    assert record.comments == ((0, "before"), (1, "after"))
    assert record.result == "1-0"


def test_a_move_that_is_only_tried_is_neither_promoted_nor_removed(analysis: Page) -> None:
    assert analysis.evaluate(TREES) == [
        ["7(5)(3),5", [[5, 3], [], []]],
        ["7(5)(3),5", [[5, 3], [], []]],
        ["3(7,5)(5)", [[7, 5], [], []]],
        ["3(5)", [[5], []]],
        ["3(5)(9,1)", [[5, 9], [], []]],
    ]


def test_files_of_several_games_without_the_network(table: NewTable, tmp_path: Path) -> None:
    one = table()
    board = Board(one, **{"engine-on": "off"})
    page = board.page
    file = tmp_path / "games.pgn"
    file.write_text(RECORD + '\n[White "Cholpon"]\n\n1) 7-6 5-5\nпобеда чёрных\n\n796817\n', "utf-8")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    board.tab("moves")
    page.locator("#paste summary").click()
    with page.expect_file_chooser() as chooser:
        page.locator("#open-file").click()
    chooser.value.set_files(file)
    games = page.get_by_label("Game of the text")
    expect(games.locator("option")).to_have_text(["1. Aida – Bek, Lesson", "2. Cholpon", "3. 796817"])
    games.select_option(index=1)
    expect(page.locator("#notice")).to_contain_text("Moves of both sides read: 2, result 0-1.")
    page.locator("#share summary").click()
    expected = parse_records(file.read_text("utf-8"))[1]
    for form in ("pgn", "tgk", "coordinates", "bare"):
        page.locator("#share-form").select_option(form)
        with page.expect_download() as saved:
            page.locator("#save-record").click()
        assert Path(saved.value.path()).read_text("utf-8") == write_record(expected, form)
        assert saved.value.suggested_filename.startswith("Cholpon")
    wrong = tmp_path / "wrong.pgn"
    wrong.write_bytes("победа".encode("cp1251"))
    with page.expect_file_chooser() as chooser:
        page.locator("#open-file").click()
    chooser.value.set_files(wrong)
    expect(page.locator("#paste-problem")).to_contain_text("save it as UTF-8")
    assert board.fragment()["moves"] == "7,5"


def test_forms_that_hold_no_such_game_say_so(table: NewTable) -> None:
    board = Board(table(), **{"engine-on": "off"})
    page = board.page
    board.tab("moves")
    page.locator("#share summary").click()
    page.locator("#share-form").select_option("bare")
    expect(page.locator("#share-problem")).to_be_visible()
    page.locator("#share-form").select_option("tgk")
    expect(page.locator("#share-problem")).to_be_hidden()


def test_pictures_are_saved(table: NewTable) -> None:
    board = Board(table(expected="ERR_INTERNET_DISCONNECTED"), "#game=toguz&moves=7,5,3&ply=2", **{"engine-on": "off"})
    page = board.page
    board.tab("moves")
    page.locator("#share summary").click()
    begins = {"png": b"\x89PNG", "svg": b"<svg", "gif": b"GIF89a"}
    for form, first in begins.items():
        with page.expect_download() as saved:
            page.locator(f'[data-picture="{form}"]').click()
        assert saved.value.suggested_filename == f"korgool.{form}"
        assert Path(saved.value.path()).read_bytes().startswith(first)
    page.context.set_offline(True)
    page.locator('[data-picture="gif"]').click()
    expect(page.locator("#picture-problem")).to_contain_text("does not answer")
    page.context.set_offline(False)
