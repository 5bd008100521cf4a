"""What holds in every position of every game."""

from __future__ import annotations

from hypothesis import given

from korgool import GAMES, Position, Side
from tests.rules.positions import positions, random_sowings


def stones(position: Position) -> int:
    return sum(map(sum, position.holes)) + sum(position.stores)


@given(positions())
def test_a_sowing_is_its_trace(position: Position) -> None:
    """Putting down the drops by hand, then taking what was captured, gives the position after."""
    for number in position.legal_moves():
        sowing = position.sow(number)
        assert sowing.after == position.play(number)
        assert sowing.hole == number
        assert len(sowing.drops) == sowing.lifted == position.holes[position.to_move][number - 1]
        holes, stores = [list(row) for row in position.holes], list(position.stores)
        holes[sowing.mover][sowing.hole - 1] = 0
        for drop in sowing.drops:
            if not drop.hole:
                stores[drop.side] += 1
            elif drop.tuz_owner is not None:
                stores[drop.tuz_owner] += 1
            else:
                holes[drop.side][drop.hole - 1] += 1
        for side, hole, count in sowing.captured:
            assert holes[side][hole - 1] == count
            holes[side][hole - 1] = 0
            stores[sowing.mover] += count
        assert sowing.after.holes == (tuple(holes[0]), tuple(holes[1]))
        assert sowing.after.stores == tuple(stores)


@given(positions())
def test_no_stone_is_lost_and_the_turn_passes(position: Position) -> None:
    for number in position.legal_moves():
        sowing = position.sow(number)
        assert stones(sowing.after) == position.rules.total
        assert sowing.outcome == sowing.after.outcome()
        goes_on = sowing.after.to_move is position.to_move
        assert goes_on == (sowing.extra_turn or (sowing.outcome is not None and not sowing.last.hole))
        assert all(tuz in (None, sowing.after.tuz[side]) for side, tuz in enumerate(position.tuz))


@given(positions())
def test_stores_never_shrink_and_outcomes_count_every_stone_once(position: Position) -> None:
    outcome = position.outcome()
    if outcome is not None:
        assert position.legal_moves() == ()
        assert sum(outcome.stores) == sum(position.stores) + sum(outcome.swept) <= position.rules.total
        assert (outcome.winner is None) == (outcome.stores[0] == outcome.stores[1])
    for number in position.legal_moves():
        after = position.play(number)
        assert all(after.stores[side] >= position.stores[side] for side in Side)


@given(positions())
def test_both_sides_play_by_the_same_rules(position: Position) -> None:
    """Exchanging the colours and everything they own changes nothing but the colours."""
    turned = exchanged(position)
    assert turned.legal_moves() == position.legal_moves()
    for number in position.legal_moves():
        assert exchanged(position.play(number)) == turned.play(number)


def exchanged(position: Position) -> Position:
    """The same position with the colours exchanged."""
    return Position(
        position.rules, position.holes[::-1], position.stores[::-1], position.tuz[::-1], position.to_move.other
    )


def test_random_games_reach_an_end_or_go_on_legally() -> None:
    """Over whole games of all kinds: 162, 48 or 50 stones always, and a stated end."""
    for rules in GAMES.values():
        ended = 0
        for seed in range(60):
            last = None
            for sowing in random_sowings(rules, seed, 2000):
                assert stones(sowing.after) == rules.total
                last = sowing
            assert last is not None
            ended += last.outcome is not None
        assert ended >= 55
