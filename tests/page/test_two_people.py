"""Two people play each other in two browsers: seats, offers, take-backs, time, claims, and how a game ends."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from korgool.live import Manner
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.people import House, house, sit
from tests.page.table import PLAYABLE, Table, expect, settled


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("people")) as made:
        yield made


@pytest.fixture
def two(table: NewTable, home: House) -> tuple[Table, Table]:
    return table(DESK, address=home.address), table(PHONE, address=home.address)


def begin(home: House, two: tuple[Table, Table], **terms: object) -> None:
    url = home.seat(*two, **terms)  # type: ignore[arg-type]
    for player in two:
        sit(player, url)


def play(two: tuple[Table, Table], *holes: int) -> None:
    for hole in holes:
        mover = next(one for one in two if (state := one.state())["turn"] == state["you"])
        ply = len(mover.state()["moves"])
        mover.press(hole)
        for player in two:
            player.wait_for_ply(ply + 1)


@pytest.mark.smoke
def test_a_game_from_waiting_to_a_draw_and_a_rematch(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    url = home.seat(white, black, clock="5+3")
    sit(white, url)
    expect(white.page.locator("#waiting")).to_be_visible()
    expect(white.page.locator(PLAYABLE)).to_have_count(0)
    sit(black, url)
    expect(white.page.locator("#waiting")).to_be_hidden()
    expect(white.page.locator("#spoken")).to_contain_text("Your turn.")
    expect(white.page.locator("#hint")).to_be_hidden()
    expect(white.page.locator(".strip.far .presence[data-present]")).to_have_count(1)
    play(two, 7, 5)
    for player in two:
        player.matches_server()
    expect(black.page.locator(".clock[data-running]")).to_have_text(re.compile(r"^[45]:\d\d"))

    white.page.get_by_role("button", name="Offer a draw").click()
    expect(white.page.locator("#offered")).to_have_text("You have offered a draw.")
    expect(black.page.locator("#spoken")).to_contain_text("The opponent offers a draw.")
    black.page.get_by_role("button", name="Decline").click()
    expect(white.page.locator("#offered")).to_be_hidden()
    expect(white.page.locator("#spoken")).to_contain_text("The draw is declined.")

    black.page.get_by_role("button", name="Ask to take back").click()
    white.page.get_by_role("button", name="Let them take back").click()
    for player in two:
        expect(player.page.locator("#moves button")).to_have_count(1)
        player.matches_server()

    black.page.get_by_role("button", name="Give 15 seconds").click()
    expect(white.page.locator("#spoken")).to_contain_text("You were given 15 seconds.")
    play(two, 5)
    black.page.get_by_role("button", name="Offer a draw").click()
    settled(white.page.get_by_role("button", name="Accept the draw")).click()
    for player in two:
        expect(player.page.locator("#outcome")).to_contain_text("Draw")
        expect(player.page.locator("#outcome .clause")).to_have_text(re.compile("WNG|§"))
        expect(player.page.locator("#outcome .result")).to_have_text(re.compile(r"^½ \(\d+\) - ½ \(\d+\)$"))
        expect(player.page).to_have_title(re.compile(r"^½ \("))
        for path in (player.page.url, "/", "/games"):
            text = player.page.request.get(path if path[0] == "h" else home.address + path).text()
            assert re.search(r'class="result"[^½]*½ \(\d+\) - ½ \(\d+\)', text), path
            assert not re.search(r">[^<]*0\.5 \(", re.sub("<script.*?</script>", "", text, flags=re.DOTALL)), path

    white.page.get_by_role("button", name="Rematch").click()
    expect(black.page.locator("#spoken")).to_contain_text("The opponent offers a rematch.")
    black.page.get_by_role("button", name="Play the rematch").click()
    for player in two:
        player.page.wait_for_url(lambda now: now != url)
        player.ready()
    assert white.page.url == black.page.url
    assert black.state()["you"] == "white"


def test_calling_off_and_resigning(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    begin(home, two)
    expect(white.page.get_by_role("button", name="Resign")).to_be_hidden()
    play(two, 7)
    settled(black.page.get_by_role("button", name="Call the game off")).click()
    for player in two:
        expect(player.page.locator("#outcome")).to_contain_text("The game was called off")
        expect(player.page.locator(PLAYABLE)).to_have_count(0)
    white.page.reload()
    expect(white.page.locator("#outcome")).to_contain_text("The game was called off")

    begin(home, two)
    play(two, 7, 5)
    expect(white.page.get_by_role("button", name="Call the game off")).to_be_hidden()
    black.page.get_by_role("button", name="Resign").click()
    black.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(white.page.get_by_role("heading", name="You win")).to_be_visible()
    expect(black.page.get_by_role("heading", name=re.compile(r"^Guest \d{4} wins$"))).to_be_visible()


def test_what_a_competition_has_not(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    begin(home, two, manner=Manner.COMPETITION, clock="5+3")
    for player in two:
        for missing in ("#undo", "#more-time", "#draw", "#hint", "#claim-proof", "#gone"):
            expect(player.page.locator(missing)).to_be_hidden()
    play(two, 7)
    black.page.get_by_label("Offer a draw with the next move").check()
    play(two, 5)
    expect(white.page.locator("#draw-asked")).to_be_visible()
    expect(black.page.get_by_label("Offer a draw with the next move")).not_to_be_checked()
    settled(white.page.get_by_role("button", name="Accept the draw")).click()
    expect(black.page.locator("#outcome .clause")).to_have_text(re.compile("WNG-TK §"))


def test_a_refusal_is_shown_with_its_clause(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    begin(home, two)
    play(two, 7, 5)
    white.page.get_by_role("button", name="Offer a draw").click()
    black.page.get_by_role("button", name="Decline").click()
    white.page.get_by_role("button", name="Offer a draw").click()
    expect(white.page.locator("#connection")).to_have_text(re.compile("after your next move"))


def test_presence(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    begin(home, two, clock="5+3")
    play(two, 7, 5, 3)
    expect(white.page.locator("#spoken")).to_contain_text("The opponent is here.")
    black.page.goto("about:blank")
    expect(white.page.locator(".strip.far .presence:not([data-present])")).to_have_count(1)
    expect(white.page.locator("#spoken")).to_contain_text("The opponent has left.")
    gone = white.page.get_by_role("group", name="The opponent has left")
    expect(gone).to_contain_text(re.compile(r"You can claim the game in 0:\d\d"))
    expect(gone.get_by_role("button", name="Claim the game")).to_be_disabled()
    gone.get_by_role("button", name="Wait").click()
    expect(gone).to_be_hidden()
    black.page.go_back()
    expect(white.page.locator("#spoken p").last).to_have_text("The opponent is here.")


def test_the_question_comes_back_while_the_opponent_does_not(table: NewTable, home: House) -> None:
    """The countdown is the server's, on a page that is opened anew too: 30 seconds from the last sign of life."""
    two = white, black = table(DESK, address=home.address), table(PHONE, address=home.address)
    page = white.page
    page.clock.install()
    begin(home, two, clock="5+3")
    play(two, 7, 5, 3)
    running = home.run(home.game_registry.find(white.id))
    black.page.goto("about:blank")
    gone = page.get_by_role("group", name="The opponent has left")
    expect(gone).to_contain_text("You can claim the game in 0:")
    page.clock.run_for(10_000)
    expect(gone).to_contain_text(re.compile(r"in 0:(20|1\d)\."))
    gone.get_by_role("button", name="Give 15 seconds").click()
    expect(gone).to_be_hidden()
    page.clock.run_for(13_000)
    expect(gone).to_be_hidden()
    page.clock.run_for(3_000)
    expect(gone).to_be_visible()
    gone.get_by_role("button", name="Wait").click()
    expect(gone).to_be_hidden()
    page.clock.run_for(10_000)
    claim = gone.get_by_role("button", name="Claim the game")
    expect(claim).to_be_enabled()
    expect(page.locator("#spoken")).to_contain_text("The opponent has left. You can claim the game now.")
    gone.get_by_role("button", name="Wait").click()
    expect(gone).to_be_hidden()
    page.clock.run_for(28_000)
    expect(gone).to_be_hidden()
    page.clock.run_for(3_000)
    expect(claim).to_be_enabled()

    # What was a guess of this page before: a reload began the countdown anew.
    signs = running.broadcast.presence.signs
    page.reload()
    white.ready()
    expect(gone).to_be_visible()
    seat = white.state()["seats"]["black"]
    assert (seat["present"], seat["gone"]) == (False, signs[1])
    black.page.go_back()
    expect(gone).to_be_hidden()
    assert "gone" not in white.state()["seats"]["black"]
    black.page.goto("about:blank")
    expect(gone).to_be_visible()


def test_watchers_see_who_plays(table: NewTable, home: House, two: tuple[Table, Table]) -> None:
    begin(home, two)
    play(two, 7)
    watcher = table(address=home.address)
    sit(watcher, two[0].page.url)
    expect(watcher.page.locator(PLAYABLE)).to_have_count(0)
    expect(watcher.page.locator(".strip.near .name")).to_have_text(re.compile(r"Guest \d+"))
    expect(two[0].page.locator("#viewers")).to_have_text("1 person is watching")
    for button in ("#draw", "#undo", "#resign", "#abort"):
        expect(watcher.page.locator(button)).to_be_hidden()
    play(two, 5)
    watcher.wait_for_ply(2)
    watcher.matches_server()
