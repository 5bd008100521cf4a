"""Sheets against each other and against the true game: the difference is found at its turn and ply."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from korgool.conduct.comparison import Difference, compare_sheets, compare_with_game, read_sheet
from korgool.conduct.scoresheet import Sheet, format_turn, turns
from korgool.rules import GAMES, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Game, Rules, Side, Termination

OPENING = (7, 5, 3, 7)  # 1. 76(10) 55(10) 2. 33 ...


def entries(game: Game, offers: Sequence[int] = ()) -> list[str | None]:
    """What a perfect writer writes."""
    found: list[str | None] = []
    ply = 1
    for turn in turns(game):
        found.append(format_turn(turn, offer=any(ply <= offer < ply + len(turn) for offer in offers)))
        ply += len(turn)
    return found


def sheet(game: Game, written: Sequence[str | None], owner: Side = Side.WHITE) -> Sheet:
    return Sheet(owner, game.start, entries=tuple(written))


def pair(game: Game, white: Sequence[str | None], black: Sequence[str | None]) -> tuple[Sheet, Sheet]:
    return sheet(game, white), sheet(game, black, Side.BLACK)


def kinds(found: Sequence[Difference]) -> list[tuple[int, int | None, str]]:
    return [(difference.turn, difference.ply, difference.kind) for difference in found]


def random_game(rules: Rules, seed: int, most: int = 300) -> Game:
    chance, game = random.Random(seed), Game(rules)
    while game.outcome() is None and len(game.moves) < most:
        game.play(chance.choice(game.position.legal_moves()))
    return game


# --- what counts as a difference


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("76(10)", []),
        ("76", []),
        ("7", []),
        (" 7 6 ( 10 ) ", []),
        ("75(10)", ["landing"]),
        ("76(12)", ["store"]),
        ("66(10)", ["move"]),
        ("76X", ["tuz"]),
        ("76(10)=", ["offer"]),
        ("75(12)X", ["landing", "store", "tuz"]),
        ("76,55", ["plies"]),
        (None, ["missing"]),
        ("=", ["missing"]),
        ("seven", ["unreadable"]),
    ],
)
def test_one_entry_against_the_game(written: str | None, expected: list[str]) -> None:
    game = Game(TOGUZ_KORGOOL, [7])
    assert [difference.kind for difference in compare_with_game(sheet(game, [written]), game)] == expected


def test_a_tuz_must_be_marked() -> None:
    """WNG-TK §IV: in the protocol a tuz is marked with the letter X, and the Cyrillic letter looks the same."""
    game = random_game(TOGUZ_KORGOOL, 3)
    written = entries(game)
    place = next(turn for turn, text in enumerate(written) if text and "X" in text)
    unmarked = [*written[:place], str(written[place]).replace("X", ""), *written[place + 1 :]]
    (found,) = compare_with_game(sheet(game, unmarked), game)
    assert (found.kind, found.ply, found.clause) == ("tuz", place + 1, "WNG-TK §IV")
    cyrillic = [text and text.replace("X", "х") for text in written]
    assert compare_with_game(sheet(game, cyrillic), game) == ()


def test_an_offer_unmarked_by_the_opponent_is_found() -> None:
    """WNG-TK §X: both players mark it."""
    game = Game(TOGUZ_KORGOOL, OPENING)
    marked, unmarked = entries(game, [2]), entries(game)
    assert compare_with_game(sheet(game, marked), game, offers=[2]) == ()
    (found,) = compare_with_game(sheet(game, unmarked), game, offers=[2])
    assert (found.turn, found.kind, found.clause, found.second) == (2, "offer", "WNG-TK §X", "55(10)=")
    (between,) = compare_sheets(*pair(game, marked, unmarked))
    assert (between.turn, between.kind) == (2, "offer")


def test_an_exempt_player_owes_no_moves_but_the_marks_of_offers() -> None:
    game = Game(TOGUZ_KORGOOL, OPENING)
    first = str(entries(game)[0])
    exempt = Sheet(Side.WHITE, game.start).write(first).exempt(1, 1)
    assert compare_with_game(exempt, game) == ()
    assert kinds(compare_with_game(exempt, game, offers=[3])) == [(3, 3, "offer")]
    assert compare_with_game(exempt.skip().skip().mark("="), game, offers=[3]) == ()
    # What the player writes all the same may be wrong.
    assert kinds(compare_with_game(exempt.write("99"), game)) == [(2, 2, "move")]


def test_entries_after_the_last_turn() -> None:
    game = Game(TOGUZ_KORGOOL, [7])
    assert kinds(compare_with_game(sheet(game, ["76(10)", None, "33"]), game)) == [(3, None, "extra")]


def test_the_written_result_against_the_true_one() -> None:
    game = Game(TOGUZ_KORGOOL, OPENING)
    game.conclude(Side.WHITE, Termination.RESIGNATION)
    outcome = game.outcome()
    assert outcome is not None
    right = sheet(game, entries(game)).finish()
    assert compare_with_game(right.write_result(outcome.result_text), game) == ()
    assert compare_with_game(right.write_result("1-0"), game) == ()  # §V: korgools only if necessary
    for wrong in ("0-1", "1/2-1/2", f"1 ({outcome.stores[0] + 1}) - 0 ({outcome.stores[1]})"):
        (found,) = compare_with_game(right.write_result(wrong), game)
        assert (found.kind, found.second, found.clause) == ("result", outcome.result_text, "WNG-TK §IX")


def test_two_sheets_with_different_results() -> None:
    game = Game(TOGUZ_KORGOOL, [7])
    white, black = (one.finish() for one in pair(game, ["76(10)"], ["76(10)"]))
    (found,) = compare_sheets(white.write_result("1-0"), black.write_result("0-1"))
    assert (found.kind, found.turn, found.first, found.second) == ("result", 2, "1-0", "0-1")


def test_gaps_on_both_sheets_are_no_difference_between_them() -> None:
    game = Game(TOGUZ_KORGOOL, OPENING)
    assert compare_sheets(*pair(game, ["76", None, "33"], ["76(10)", None, "33"])) == ()
    assert kinds(compare_sheets(*pair(game, ["76"], ["76", "55"]))) == [(2, 2, "missing")]


def test_plies_are_counted_through_turns() -> None:
    """White's first turn in mangala has two plies, so Black's first is ply 3."""
    game = Game(MANGALA, [4, 1, 2])
    assert entries(game) == ["40,14", "25"]
    assert kinds(compare_with_game(sheet(game, ["40,14", "45"]), game)) == [(2, 3, "move")]
    assert kinds(compare_with_game(sheet(game, ["40,24", "25"]), game)) == [(1, 2, "move")]
    assert kinds(compare_with_game(sheet(game, ["40", "25"]), game)) == [(1, 2, "plies")]
    assert kinds(compare_sheets(*pair(game, ["40,14", "25"], [None, "26"]))) == [(1, 1, "missing"), (2, 3, "landing")]
    # With the first turn on neither sheet, nobody can say which ply the second begins with.
    assert kinds(compare_sheets(*pair(game, [None, "25"], [None, "26"]))) == [(2, None, "landing")]


def test_a_sheet_alone_tells_the_game_up_to_its_first_gap() -> None:
    game = Game(TOGUZ_KORGOOL, OPENING)
    full = read_sheet(sheet(game, entries(game)))
    assert (full.moves, full.position, full.turn) == (OPENING, game.position, None)
    gap = read_sheet(sheet(game, ["76(10)", None, "33"]))
    assert (gap.moves, gap.turn, gap.reason) == ((7,), 2, "nothing is written")
    wrong = read_sheet(sheet(game, ["76(10)", "56(10)"]))
    assert (wrong.moves, wrong.turn) == ((7,), 2)
    assert wrong.reason == "'56(10)' does not fit (landing): it would be 55(10)"
    assert "cannot be played" in read_sheet(sheet(game, ["0"])).reason
    assert "stops within the turn" in read_sheet(sheet(Game(MANGALA), ["40"])).reason
    assert "the turn ends after 1 plies" in read_sheet(sheet(Game(MANGALA), ["14,25"])).reason


# --- real games


def test_real_games_written_by_perfect_and_by_careless_players(shared: Path) -> None:
    lines = (shared / "data" / "games_online.jsonl").read_text(encoding="utf-8").splitlines()[:60]
    chance = random.Random(8)
    for line in lines:
        game = Game(TOGUZ_KORGOOL, map(int, json.loads(line)["moves"]))
        plies = len(game.moves)
        offers = sorted(chance.sample(range(1, plies + 1), min(3, plies)))
        perfect = sheet(game, entries(game, offers))
        assert compare_with_game(perfect, game, offers) == ()
        assert read_sheet(perfect).moves == tuple(game.moves)
        place = chance.randrange(plies)
        careless = list(entries(game, offers))
        careless[place] = None
        other = sheet(game, careless, Side.BLACK)
        assert kinds(compare_with_game(other, game, offers))[0] == (place + 1, place + 1, "missing")
        assert kinds(compare_sheets(perfect, other))[0] == (place + 1, place + 1, "missing")
        assert other.missing(plies) == (place + 1,)
        assert read_sheet(other).turn == place + 1


# --- properties

RULES = st.sampled_from(list(GAMES.values()))


@settings(max_examples=60)
@given(RULES, st.integers(0, 10**6), st.data())
def test_a_wrong_hole_is_found_at_its_ply(rules: Rules, seed: int, data: st.DataObject) -> None:
    game = random_game(rules, seed, most=60)
    written = entries(game)
    perfect = sheet(game, written)
    assert compare_with_game(perfect, game) == ()
    turn = data.draw(st.integers(0, len(written) - 1))
    plies = str(written[turn]).split(",")
    within = data.draw(st.integers(0, len(plies) - 1))
    true = int(plies[within][0])
    plies[within] = str(data.draw(st.integers(0, 9).filter(lambda hole: hole != true)))
    wrong = sheet(game, [*written[:turn], ",".join(plies), *written[turn + 1 :]], Side.BLACK)
    ply = sum(len(sowings) for sowings in turns(game)[:turn]) + within + 1
    assert kinds(compare_with_game(wrong, game))[0] == (turn + 1, ply, "move")
    assert kinds(compare_sheets(perfect, wrong))[0] == (turn + 1, ply, "move")


WRITTEN = st.lists(st.none() | st.text(max_size=12) | st.from_regex(r"[0-9]{1,2}[X=(0-9),]{0,8}", fullmatch=True))


@given(RULES, st.integers(0, 10**6), WRITTEN, WRITTEN)
def test_whatever_is_written_can_be_compared(
    rules: Rules, seed: int, white: list[str | None], black: list[str | None]
) -> None:
    game = random_game(rules, seed, most=8)
    one, two = pair(game, white, black)
    between = compare_sheets(one, two)
    # Seen from the other side the same points differ.
    swapped = compare_sheets(*pair(game, black, white))
    assert {(found.turn, found.kind) for found in between} == {(found.turn, found.kind) for found in swapped}
    assert compare_sheets(*pair(game, white, white)) == ()
    for account in (one, two):
        compare_with_game(account, game)
        reading = read_sheet(account)
        assert Game(rules, reading.moves).position == reading.position


def test_castle_games_are_compared_too() -> None:
    game = random_game(MANGALA_CASTLE, 12)
    assert any("X" in str(text) for text in entries(game))
    assert compare_with_game(sheet(game, entries(game)), game) == ()
