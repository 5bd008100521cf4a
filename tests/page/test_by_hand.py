"""Whole games between two browsers, each used in another way, and of two people at one device."""

from __future__ import annotations

from random import Random

import pytest

from korgool.app.words.event_texts import halves_said
from korgool.rules import GAMES, Game, Side
from tests.conftest import SEED
from tests.page.conftest import PHONE, NewTable
from tests.page.hands import Hand, Keys, Mouse, Tree
from tests.page.phones import QUICK, Phone, seated
from tests.page.table import PLAYABLE, Table, expect
from tests.page.test_whole_games import finished
from tests.slices import drawn


def whole(name: str, random: Random) -> Game:
    """A random game to its end by the board."""
    while True:
        game = Game(GAMES[name])
        while game.outcome() is None and len(game.moves) < 300:
            game.play(random.choice(game.position.legal_moves()))
        if game.outcome() is not None:
            return game


def late(game: Game, plies: int) -> Game:
    """The last plies of a game."""
    return Game(game.positions[-1 - plies], game.moves[-plies:])


def play(table: NewTable, address: str, game: Game, hands: tuple[type[Hand], type[Hand]]) -> None:
    """Both play their moves to the end, and then they agree on a rematch."""
    tables = tuple(table(hand.size, address=address) for hand in hands)
    pair = Phone(tables[0], "en"), Phone(tables[1], "en")
    start = None if game.start == game.rules.start() else str(game.start)
    url = seated(pair, game=game.rules.name, position=start)
    for one in tables:
        one.page.add_init_script(QUICK)
        one.page.goto(url)
        one.ready()
    used = [hand(one) for hand, one in zip(hands, tables, strict=True)]
    for ply, (position, hole) in enumerate(zip(game.positions, game.moves, strict=False), 1):
        used[position.to_move].sow(hole)
        for side, phone in zip(Side, pair, strict=True):
            phone.table.wait_for_ply(ply)
            phone.sees(game.positions[ply], side) if ply < len(game.moves) else None
    for one in tables:
        ended(one, game)
    used[0].press(tables[0].page.get_by_role("button", name="Rematch", exact=True))
    used[1].press(tables[1].page.get_by_role("button", name="Play the rematch", exact=True))
    for one in tables:
        one.page.wait_for_url(lambda now: now != url)
        one.ready()
    assert tables[0].state()["you"] == "black"


def ended(table: Table, game: Game) -> None:
    if game.start == game.rules.start():
        finished(table, game.rules.name)
    outcome = game.outcome()
    assert outcome is not None
    expect(table.page.locator("#outcome .result")).to_have_text(halves_said(outcome.result_text))
    expect(table.page.get_by_role("log")).to_contain_text(halves_said(outcome.result_text))


def test_the_end_of_a_game_by_keys_and_through_the_tree(table: NewTable, server: str) -> None:
    game = late(whole("bestemshe", Random(f"late {SEED}")), 5)
    play(table, server, game, (Keys, Tree))


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "hands"),
    [
        ("toguz", (Hand, Mouse)),
        ("mangala", (Keys, Tree)),
        ("castle", (Mouse, Keys)),
        ("bestemshe", (Tree, Hand)),
        ("bestemshe", (Keys, Keys)),
    ],
)
def test_whole_games(table: NewTable, server: str, name: str, hands: tuple[type[Hand], type[Hand]]) -> None:
    play(table, server, whole(name, Random(f"{name} {SEED}")), hands)


def at_one_device(table: NewTable, address: str, game: Game, *, turning: bool) -> None:
    """Both tap on the one phone; who has the turn sits at the lower edge, or everybody stays where they are."""
    one = table(PHONE, address=address)
    chosen = "on" if turning else "off"
    one.page.add_init_script(f"{QUICK} if (origin !== 'null') localStorage.setItem('korgool.turning', {chosen!r});")
    start = None if game.start == game.rules.start() else str(game.start)
    made = Phone(one, "en").post("/api/challenges", game=game.rules.name, to="self", side="white", position=start)
    one.page.goto(made["url"])
    one.ready()
    near = None
    for ply, hole in enumerate(game.moves, 1):
        side = game.positions[ply - 1].to_move.name.lower()
        below = side if turning else "white"
        expect(one.page.locator(".strip.near")).to_have_attribute("data-side", below)
        # Whose holes lie where the near player's did before?
        place = one.page.locator(f'.hole-button[data-side="{below}"][data-hole="1"]').bounding_box()
        assert place == (near := near or place)
        button = one.page.locator(f'{PLAYABLE}[data-side="{side}"][data-hole="{hole}"]')
        button.tap()
        one.wait_for_ply(ply)
    ended(one, game)
    outcome = game.outcome()
    assert outcome is not None
    won = {Side.WHITE: "White wins", Side.BLACK: "Black wins", None: "Draw"}[outcome.winner]
    expect(one.page.get_by_role("heading", name=won, exact=True)).to_be_visible()
    url = one.page.url
    one.page.get_by_role("button", name="Rematch", exact=True).tap()
    one.page.wait_for_url(lambda now: now != url)
    one.ready()
    assert one.state()["shared"]


@pytest.mark.parametrize("turning", drawn("turning", [True, False]))
def test_the_end_of_a_game_at_one_device(table: NewTable, server: str, turning: bool) -> None:
    game = late(whole("mangala", Random(f"late {SEED}")), 4)
    at_one_device(table, server, game, turning=turning)


@pytest.mark.long
@pytest.mark.parametrize("turning", [True, False])
@pytest.mark.parametrize("name", list(GAMES))
def test_whole_games_at_one_device(table: NewTable, server: str, name: str, turning: bool) -> None:
    at_one_device(table, server, whole(name, Random(f"{name} {SEED}")), turning=turning)
