"""A move chosen ahead, one board for two, slow games, lost connections, and pages without scripts or WebAssembly."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from korgool.app.server.play.state_messages import preview
from korgool.rules import GAMES, Position, Rules, Side
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.people import House, house, sit
from tests.page.phones import phones, seated
from tests.page.table import PLAYABLE, Table, expect
from tests.page.test_two_people import play
from tests.solving.positions import laid


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("ahead")) as made:
        yield made


@pytest.fixture
def two(table: NewTable, home: House) -> tuple[Table, Table]:
    return table(DESK, address=home.address), table(PHONE, address=home.address)


def ahead(table: Table) -> None:
    table.page.locator("#settings summary").click()
    table.page.get_by_label("Choose a move while the opponent thinks").check()


def test_a_move_chosen_ahead(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    url = home.seat(white, black)
    for player in two:
        sit(player, url)
    hole = black.page.locator('.hole-button[data-side="black"][data-hole="3"]')
    expect(hole).to_have_attribute("aria-disabled", "true")  # nobody gets it unasked
    ahead(black)
    black.page.wait_for_timeout(600)  # two taps in quick succession count once
    hole.click()
    marked = black.page.locator("svg.board:visible .hole.planned")
    expect(marked).to_have_attribute("data-hole", "3")
    expect(hole).to_have_accessible_name(re.compile("chosen ahead"))
    black.page.keyboard.press("Escape")
    expect(marked).to_have_count(0)
    expect(black.page.locator("#spoken")).to_contain_text("The move chosen ahead is cancelled.")

    # A move that is taken back takes the choice with it.
    play(two, 7, 5)
    black.page.wait_for_timeout(600)
    hole.click()
    expect(marked).to_have_count(1)
    black.page.get_by_role("button", name="Ask to take back").click()
    white.page.get_by_role("button", name="Let them take back").click()
    expect(marked).to_have_count(0)
    expect(black.page.locator("#connection")).to_have_text("The move chosen ahead is cancelled.")


def effect(position: Position, hole: int) -> tuple[object, ...] | None:
    """What Black's hole would do, if it were Black's turn: what it gains, and not what the kazans hold."""
    black = replace(position, to_move=Side.BLACK)
    if hole not in black.legal_moves():
        return None
    known = preview(black, hole)
    gains = tuple(after - before for after, before in zip(known.stores, black.stores, strict=True))
    return known.side, known.hole, known.captures, known.tuz, known.extra_turn, known.ends, gains


def answers() -> dict[str, tuple[int, int]]:
    """White's hole, and the hole that Black has chosen before: what becomes of Black's by White's move."""
    before = GAMES["toguz"].start().play(7).play(5)
    found: dict[str, tuple[int, int]] = {}
    for hole in before.legal_moves():
        after = before.play(hole)
        for own in range(1, 10):
            was, now = effect(before, own), effect(after, own)
            stones = before.holes[Side.BLACK][own - 1] == after.holes[Side.BLACK][own - 1]
            if was is None or before.holes[Side.BLACK][own - 1] == 0:
                continue
            kind = "illegal" if now is None else "same" if was == now else "other" if stones else "other stones"
            found.setdefault(kind, (hole, own))
    return found


@pytest.mark.parametrize(
    ("kind", "always"),
    [("same", False), ("other", False), ("other", True), ("other stones", False), ("illegal", True)],
)
def test_what_was_chosen_ahead_does_what_was_shown(
    home: House, two: tuple[Table, Table], kind: str, always: bool
) -> None:
    """Or it is cancelled, and the player told; or played all the same, as the player has chosen."""
    theirs, own = answers()[kind]
    white, black = two
    url = home.seat(white, black)
    for player in two:
        sit(player, url)
    play(two, 7, 5)
    ahead(black)
    if always:
        black.page.get_by_label("If it would do something else by then").select_option("play it all the same")
    black.page.wait_for_timeout(600)
    black.page.locator(f'.hole-button[data-side="black"][data-hole="{own}"]').click()
    expect(black.page.locator("svg.board:visible .hole.planned")).to_have_attribute("data-hole", str(own))
    expect(black.page.locator("#spoken p").last).to_have_text(re.compile(r"turn comes\. lands in .*White's kazan then"))
    white.press(theirs)
    notice = black.page.locator("#connection")
    if kind == "same" or (always and kind != "illegal"):
        for player in two:
            player.wait_for_ply(4)
        assert [move["hole"] for move in white.state()["moves"]][2:] == [theirs, own]
        expect(notice).to_be_hidden()
        return
    why = "cannot be sown now" if kind == "illegal" else "would do something else now"
    expect(notice).to_contain_text(f"The move chosen ahead is cancelled: hole {own} {why}")
    expect(black.page.locator("svg.board:visible .hole.planned")).to_have_count(0)
    assert len(white.state()["moves"]) == 3


def test_two_at_one_device(home: House, two: tuple[Table, Table]) -> None:
    one = two[1]
    sit(one, home.seat(one, one))
    near = one.page.locator(".strip.near")
    expect(near).to_have_attribute("data-side", "white")
    expect(near.locator(".name")).to_have_text("White")
    one.press(7)
    expect(near).to_have_attribute("data-side", "black")
    expect(one.page.get_by_role("toolbar", name="Black's holes").locator(PLAYABLE)).not_to_have_count(0)
    one.press(5)
    expect(near).to_have_attribute("data-side", "white")
    one.matches_server()
    one.page.locator("#settings summary").click()
    one.page.get_by_label("Turn the board to the player to move").uncheck()
    one.page.locator("body").click(position={"x": 5, "y": 5})
    one.press(3)
    one.wait_for_ply(3)
    expect(near).to_have_attribute("data-side", "white")
    expect(one.page.locator("#hint")).to_be_hidden()
    one.page.get_by_role("button", name="Take back").click()
    expect(one.page.locator("#moves button").nth(2)).to_be_hidden()
    one.matches_server()


def test_a_slow_game_has_a_deadline(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    url = home.seat(white, black, clock="3d")
    for player in two:
        sit(player, url)
    face = black.page.locator('.strip[data-side="white"] .clock')
    expect(face).to_have_text(re.compile(r"^2 days 23 hours$|^3 days$"))
    expect(black.page.locator('.strip[data-side="black"] .clock')).to_be_hidden()
    expect(white.page.locator("#due")).to_have_text(re.compile(r"^The move is due on .*\d:\d\d.*\.$"))
    play(two, 7)
    expect(face).to_be_hidden()
    expect(white.page.locator("#more-time")).to_be_hidden()


def test_a_command_without_a_connection_is_sent_again(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    url = home.seat(white, black)
    # The first socket takes what is said and delivers nothing.
    mute = [True]

    def route(socket: object) -> None:
        server = socket.connect_to_server()  # type: ignore[attr-defined]
        socket.on_message(lambda said: None if mute[0] and '"move"' in str(said) else server.send(said))  # type: ignore[attr-defined]

    white.page.route_web_socket(re.compile("/live"), route)
    for player in two:
        sit(player, url)
    white.press(7)
    white.page.wait_for_timeout(300)
    mute[0] = False
    white.wait_for_ply(1)
    black.wait_for_ply(1)
    assert len(white.state()["moves"]) == 1


def test_without_webassembly_there_are_no_previews(table: NewTable, home: House) -> None:
    players = table(address=home.address), table(address=home.address)
    players[0].page.add_init_script("delete WebAssembly.instantiateStreaming; delete globalThis.WebAssembly;")
    url = home.seat(*players)
    for player in players:
        sit(player, url)
    play(players, 7, 5)
    described = ".hole-button[aria-describedby]"
    players[0].page.locator(PLAYABLE).first.wait_for()
    expect(players[0].page.locator(described)).to_have_count(0)
    play(players, 3)
    expect(players[1].page.locator(described)).not_to_have_count(0)


def test_two_people_without_scripts(table: NewTable, home: House) -> None:
    white, black = (table(address=home.address, java_script_enabled=False) for _ in range(2))
    url = home.seat(white, black)
    for player in (white, black):
        player.page.goto(url)
    white.page.goto(url)
    white.page.get_by_role("button", name=re.compile("^hole 7, ")).click()
    black.page.goto(url)
    black.page.get_by_role("button", name=re.compile("^hole 5, ")).click()
    expect(black.page.locator("#moves")).to_contain_text("1. 76(10) 55(10)")
    white.page.goto(url)
    white.page.get_by_role("button", name="Offer a draw").click()
    black.page.goto(url)
    black.page.get_by_role("button", name="Accept the draw").click()
    expect(black.page.locator("#outcome")).to_contain_text("½ (10) - ½ (10)")


def test_looking_back_where_the_server_tells_no_history(home: House, two: tuple[Table, Table]) -> None:
    white, black = two
    url = home.seat(white, black)
    for player in two:
        sit(player, url)
    play(two, 7, 5)
    white.page.route_web_socket(re.compile(r"since=0$"), lambda socket: socket.close())
    white.page.reload()
    white.ready()
    white.page.keyboard.press("Home")
    white.page.keyboard.press(".")
    expect(white.page.locator("#back")).to_contain_text("Move 1, White")
    expect(white.hole(7)).to_have_attribute("aria-label", "hole 7, 1 stone")


@pytest.mark.parametrize("option", [("toguz", "tuz_takes", False), ("mangala", "empty_capture", False)])
def test_previews_know_named_options(table: NewTable, server: str, option: tuple[str, str, bool]) -> None:
    """Black's page has none from the server: it was there before White's move, after which the options matter."""
    game, name, value = option
    start, hole, after = matters(GAMES[game], GAMES[game].with_option(name, str(value)))
    pair = phones(table, server, "en", "en")
    url = seated(pair, game=game, position=str(start), rules={name: value})
    for phone in pair:
        phone.sit(url)
    pair[0].sow(hole, 1)
    for own in after.legal_moves():
        known = preview(after, own)
        told = pair[1].page.locator(f'.hole-button[data-side="black"][data-hole="{own}"]')
        effects = f"captures {known.captures}" if known.captures else r"(?!.*captures)"
        expect(told).to_have_accessible_description(re.compile(rf"^lands in .*{effects}"))
        white, black = known.stores
        expect(told).to_have_accessible_description(re.compile(f"White's kazan then holds {white}, Black's {black}."))


def matters(usual: Rules, other: Rules) -> tuple[Position, int, Position]:
    """A position, White's hole, and what stands then, where an option changes what a hole of Black's would do."""
    random = Random(1)
    while True:
        start = laid(other, random.randint(6, 12), random)
        for hole in start.legal_moves() if start.outcome() is None and start.to_move is Side.WHITE else ():
            after = start.play(hole)
            if after.outcome() is not None or after.to_move is Side.WHITE:
                continue
            before = replace(after, rules=usual)
            if any(preview(before, own) != preview(after, own) for own in after.legal_moves()):
                return start, hole, after
