"""Sowings told stone by stone, against the reference and against the fast sowing of the same kernel."""

from __future__ import annotations

import ctypes
from random import Random

import pytest

from korgool.engine.kernel import Kernel, library, unpack, unpack_outcome
from korgool.engine.kernel_layout import OutcomeStruct
from korgool.rules import GAMES, Position, Rules, Side, Sowing
from korgool.rules.sowing import Place

from .reference import LONGEST, random_setup, share, variations


class SowingStruct(ctypes.Structure):
    """`kg_sowing`."""

    _fields_ = [
        ("after", ctypes.c_uint64 * 3),
        ("outcome", OutcomeStruct),
        ("lifted", ctypes.c_int32),
        ("captures", ctypes.c_int32),
        ("tuz", ctypes.c_int32),
        ("extra_turn", ctypes.c_int32),
        ("drops", ctypes.c_uint8 * 256),
        ("lies", ctypes.c_uint8 * 256),
        ("captured", ctypes.c_uint8 * 2),
        ("taken", ctypes.c_uint8 * 2),
    ]


def tell(kernel: Kernel, position: Position, number: int) -> tuple[int, SowingStruct]:
    told = SowingStruct()
    function = library().kg_tell
    function.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.c_void_p)
    function.restype = ctypes.c_int32
    return function(kernel.address, kernel.pack(position), number - 1, ctypes.byref(told)), told


def place(number: int, mover: Side) -> Place:
    if number >= 18:
        return mover if number == 18 else mover.other, 0
    return (mover, number + 1) if number < 9 else (mover.other, number - 8)


def hold(kernel: Kernel, position: Position, number: int) -> Sowing:
    """Everything that the kernel tells of a sowing is what the reference says."""
    sowing = position.sow(number)
    again, told = tell(kernel, position, number)
    mover, after = position.to_move, sowing.after
    said = f"{position!r} {number}"
    assert again == (after.to_move is mover), said
    assert unpack(bytes(told.after), position.rules, after.to_move) == after, said
    assert kernel.play(position, number) == after, said
    assert unpack_outcome(told.outcome, after.to_move) == sowing.outcome, said
    drops = []
    for at in range(told.lifted):
        fell, lies = place(told.drops[at], mover), place(told.lies[at], mover)
        drops.append((*fell, None if lies == fell else lies[0]))
        assert lies == fell or not lies[1], said
    assert drops == [(drop.side, drop.hole, drop.tuz_owner) for drop in sowing.drops], said
    captured = [(*place(told.captured[at], mover), told.taken[at]) for at in range(told.captures)]
    assert captured == list(sowing.captured), said
    assert (told.tuz or None) == sowing.tuz, said
    assert (told.lifted, bool(told.extra_turn)) == (sowing.lifted, sowing.extra_turn), said
    return sowing


def hold_game(kernel: Kernel, position: Position, random: Random) -> int:
    """Every legal sowing of every position of a random game; the number of plies."""
    plies = 0
    while (moves := position.legal_moves()) and plies < LONGEST:
        position = random.choice([hold(kernel, position, move) for move in moves]).after
        plies += 1
    return plies


@pytest.mark.parametrize("name", GAMES)
def test_random_games(name: str) -> None:
    rules, random = GAMES[name], Random(f"trace {name}")
    kernel = Kernel(rules)
    plies = sum(hold_game(kernel, rules.start(), random) for _ in range(share(60)))
    assert plies > 15 * share(60)
    for _ in range(share(100)):
        hold_game(kernel, random_setup(rules, random), random)


def _varied() -> list[tuple[str, Rules]]:
    return [(f"{name}-{n}", varied) for name, rules in GAMES.items() for n, varied in enumerate(variations(rules))]


@pytest.mark.parametrize(("name", "rules"), _varied(), ids=[name for name, _ in _varied()])
def test_every_option(name: str, rules: Rules) -> None:
    random, kernel = Random(f"trace {name}"), Kernel(rules)
    for _ in range(share(2)):
        hold_game(kernel, rules.start(), random)
        hold_game(kernel, random_setup(rules, random), random)


def test_refuses_as_the_fast_one() -> None:
    kernel = Kernel(GAMES["toguz"])
    start = kernel.rules.start()
    assert tell(kernel, start, 0)[0] == tell(kernel, start, 10)[0] == -2
    empty = Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/1,9S,9S,9S,9S,9S,9S,9S,9S 9 0 S 2")
    assert tell(kernel, empty, 1)[0] == -3
    assert tell(kernel, Position.parse("9/9 81 81 S 60"), 1)[0] == -1
