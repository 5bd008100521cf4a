"""Studies in a browser: on the device and in an account, two tabs, a silent line, and moves that are to be found."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from korgool.training.study import read_study, write_study
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import PLAYABLE, expect
from tests.page.test_axe import violations_here
from tests.server.members import PASSWORD

if TYPE_CHECKING:
    from playwright.sync_api import Page

FILE = """[Event "Биринчи жүрүш: Тутуу"]
[StudyName "Биринчи жүрүш"]
[ChapterName "Тутуу"]
[Annotator "Айбек"]

{Look at the ninth hole.} 1. 76(10) $1 {[%cal Gf1e2] It takes ten.} (1. 65(10) {also takes}) 1... 55(10) 2. 33 *

[Event "World 2024"]
[White "Aibek"]
[Black "Elena"]
[ChapterMode "conceal"]

1. 76(10) {Takes ten.} 1... 55(10) (1... 76 {Also played.}) 2. 33 *

[Event "x"]
[Variant "Mangala"]

*

[FEN "1S,8/2S,8 80 79 S 40"]

{Who reaches 82?} *
"""
QUIET = "localStorage.setItem('korgool.speed', 'off'); localStorage.setItem('korgool.sound', 'off');"
SAVED = re.compile(r"^Saved$")


def chosen(page: Page, path: Path, text: str = FILE) -> None:
    """Open a file on the page of studies."""
    path.write_text(text, encoding="utf-8")
    page.goto("/studies")
    page.locator("#from-file:enabled").wait_for()
    page.set_input_files("#chosen", path)


def opened(page: Page) -> None:
    """Wait until a chapter is on the board."""
    page.locator("#chapters [aria-current]").wait_for(state="attached")
    page.locator("korgool-board[data-ready]").wait_for()
    page.locator("#study-open:not([inert] *)").wait_for()


def sow(page: Page, hole: int) -> None:
    """Play a hole by its digit, again where the board does not take it yet."""
    before = page.locator("#spoken").text_content() or ""
    for _ in range(20):
        page.locator(PLAYABLE).first.wait_for(state="attached")
        page.keyboard.press(str(hole))
        try:
            expect(page.locator("#spoken")).not_to_have_text(before, timeout=1000)
        except AssertionError:
            continue
        return
    raise AssertionError(f"hole {hole} is not played")


@pytest.fixture
def page_at(table: NewTable, server: str) -> Any:
    def new(size: dict[str, Any] = DESK, **options: Any) -> Page:
        page = table(size, base_url=server, reduced_motion="reduce", **options).page
        page.add_init_script(f"if (origin !== 'null') {{ {QUIET} }}")
        return page

    return new


def made_in_account(page: Page, name: str, path: Path) -> None:
    """Sign up, and make a study of the file."""
    page.goto("/help")
    token = page.locator('meta[name="csrf-token"]').get_attribute("content") or ""
    body = {"name": name, "password": PASSWORD}
    assert page.request.post("/api/account", data=body, headers={"x-csrftoken": token}).ok
    chosen(page, path)
    page.wait_for_url(re.compile(r"/studies/[\w-]{16}"))
    opened(page)


def test_a_file_is_walked_and_saved_again_without_an_account(page_at: Any, tmp_path: Path) -> None:
    """What the browser reads and writes is what the library reads and writes."""
    page: Page = page_at()
    chosen(page, tmp_path / "study.pgn")
    page.wait_for_url("**/studies/device#study=*")
    opened(page)
    expect(page.locator("#study-title")).to_have_text("Биринчи жүрүш")
    expect(page.locator("#chapters button")).to_have_text(["1 Тутуу", "2 Aibek – Elena", "3 Chapter 3", "4 Chapter 4"])
    expect(page.locator("#tree")).to_contain_text("It takes ten.")
    assert violations_here(page) == []
    page.keyboard.press("PageDown")
    expect(page.locator("#tree")).to_contain_text("Also played.")
    page.locator("#chapters button").nth(2).click()
    expect(page.locator("korgool-board")).to_have_attribute("data-game", "mangala")
    page.locator("#study-open").click()
    with page.expect_download() as download:
        page.locator("#study-save").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text == write_study(read_study(FILE))
    assert download.value.suggested_filename == "Биринчи-жүрүш.pgn"
    page.goto("/studies")
    expect(page.locator("#device-list")).to_contain_text("Биринчи жүрүш")
    assert violations_here(page) == []


def test_the_author_edits_and_two_tabs_lose_nothing(page_at: Any, tmp_path: Path) -> None:
    page: Page = page_at(expected="409")
    made_in_account(page, "Studyauthor", tmp_path / "study.pgn")
    other = page.context.new_page()
    other.goto(page.url)
    opened(other)
    page.keyboard.press("End")
    sow(page, 2)
    expect(page.locator("#study-state")).to_have_text("Saving…")
    expect(page.locator("#study-state")).to_have_text(SAVED)
    api = "/api" + re.sub(r"#.*", "", re.sub(r"https?://[^/]+", "", page.url))
    first = page.request.get(api).json()["chapters"][0]["record"]
    assert "2. 33 2" in first
    sow(other, 9)
    expect(other.locator("#study-conflict")).to_be_visible()
    expect(other.locator("#study-state")).to_contain_text("in another tab")
    other.locator("#keep-mine").click()
    expect(other.locator("#chapters button")).to_have_count(5)
    chapters = page.request.get(api).json()["chapters"]
    assert chapters[0]["record"] == first
    assert chapters[4]["title"] == "Тутуу (2)"
    assert "(1. 9" in chapters[4]["record"]
    # The order and the names.
    page.reload()
    opened(page)
    page.locator("#chapter-open").click()
    page.locator("#chapter-title").fill("Renamed")
    page.locator("#chapter-form button").click()
    expect(page.locator("#study-state")).to_have_text(SAVED)
    page.locator("#chapter-open").click()
    page.locator("#chapter-down").click()
    expect(page.locator("#chapters button").nth(1)).to_have_text("2 Renamed")
    page.locator("#chapter-sheet form[method=dialog]").last.locator("button").click()
    page.locator("#chapter-open").click()
    page.locator("#chapter-remove").click()
    page.locator("#chapter-remove-now").click()
    expect(page.locator("#chapters button")).to_have_count(4)
    page.locator("#chapter-add").click()
    page.locator("#add-game").select_option("bestemshe")
    page.locator("#add-start").click()
    expect(page.locator("korgool-board")).to_have_attribute("data-game", "bestemshe")
    titles = [one["title"] for one in page.request.get(api).json()["chapters"]]
    assert titles == ["Aibek – Elena", "", "", "Тутуу (2)", ""]


def test_what_is_written_while_the_server_is_away_is_sent_later(page_at: Any, tmp_path: Path) -> None:
    page: Page = page_at(expected="ERR_INTERNET_DISCONNECTED|ERR_FAILED")
    made_in_account(page, "Studyaway", tmp_path / "study.pgn")
    page.context.set_offline(offline=True)
    sow(page, 9)
    expect(page.locator("#study-state")).to_contain_text("kept on this device")
    page.context.set_offline(offline=False)
    expect(page.locator("#study-state")).to_have_text(SAVED)
    api = "/api" + re.sub(r"#.*", "", re.sub(r"https?://[^/]+", "", page.url))
    assert "(1. 9" in page.request.get(api).json()["chapters"][0]["record"]


def test_a_reader_finds_the_moves_of_a_chapter(page_at: Any, tmp_path: Path) -> None:
    """On a phone: nothing of what follows is shown, and nothing is stored."""
    author: Page = page_at()
    made_in_account(author, "Studytrainer", tmp_path / "study.pgn")
    page: Page = page_at(PHONE)
    page.goto(re.sub(r"#.*", "", author.url))
    opened(page)
    expect(page.locator("#chapter-open")).to_have_count(0)
    page.locator("#chapters-open").tap()
    page.locator("#chapters-sheet button").nth(1).tap()
    task, told, tree = page.locator("#find-task"), page.locator("#find-told"), page.locator("#tree")
    expect(task).to_have_text("Find the move. Move 1, White")
    expect(tree).to_have_text("Start")
    page.locator("#find-hint").tap()
    expect(told).to_have_text("It takes 10 stones.")
    sow(page, 1)
    expect(told).to_have_text("Another move was played here.")
    expect(task).to_have_text("Find the move. Move 1, White")
    expect(tree).to_have_text("Start")
    sow(page, 7)
    expect(told).to_have_text("Right. Takes ten.")
    expect(task).to_have_text("Find the move. Move 1, Black")
    expect(tree).not_to_contain_text("55")
    sow(page, 7)
    expect(told).to_have_text("Another move was played here. Also played.")
    page.locator("#find-back").tap()
    page.locator("#find-show").tap()
    expect(task).to_have_text("Find the move. Move 2, White")
    page.locator("#find-show").tap()
    expect(task).to_have_text("The chapter ends here.")
    assert violations_here(page) == []
    page.locator("#find-toggle").tap()
    expect(tree).to_contain_text("33")
    sow(page, 9)
    expect(tree).to_contain_text("9")
    api = "/api" + re.sub(r"#.*", "", re.sub(r"https?://[^/]+", "", page.url))
    assert page.request.get(api).json()["chapters"][1]["record"].rstrip().endswith("2. 33 *")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a letter", "It cannot be read|There is no"),
        (FILE + '[Event "bad"]\n\n1. 76(11) *\n', r"Chapter 5: .*76\(11\)"),
        ("1. 76(10) *\n" * 65, "at most 64 chapters"),
        ("x" * 1_000_001, "at most 1000 kB"),
    ],
    ids=["letter", "broken", "many", "large"],
)
def test_what_is_no_study_is_refused_with_its_place(page_at: Any, tmp_path: Path, text: str, told: str) -> None:
    page: Page = page_at()
    chosen(page, tmp_path / "study.pgn", text)
    expect(page.locator("#studies-problem")).to_have_text(re.compile(told))
    expect(page.locator("#new-study button").first).to_be_enabled()
    assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('korgool.study'))") == []
