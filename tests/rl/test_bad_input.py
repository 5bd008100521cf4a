"""What environments refuse, and that a refusal leaves no trace."""

from __future__ import annotations

import copy
import ctypes
import pickle
from typing import Any, ClassVar

import numpy as np
import pytest

from korgool.rl import BatchEnv, State
from korgool.rl.layout import Array
from korgool.rules import TOGUZ_KORGOOL, Position

EMPTY = Position.parse("9S,9S,9S,9S,9S,9S,9S,9S,9S/1,9S,9S,9S,9S,9S,9S,9S,9S 9 0 S 2")


def everything(env: BatchEnv) -> list[bytes]:
    return [array.tobytes() for array in env._arrays.values()]


WRONG: list[tuple[Any, str]] = [
    ([1, 2], r"actions are 3 whole numbers, not an array of shape \(2,\) of int64"),
    ([[1, 2, 3]], r"actions are 3 whole numbers, not an array of shape \(1, 3\)"),
    (4, r"not an array of shape \(\)"),
    (None, "actions are 3 whole numbers"),
    ("abc", "actions are 3 whole numbers"),
    ([1.0, 2.0, 3.0], "float64"),
    ([True, False, True], "of bool"),
    ([1, 2, 9], "game 2 does not take action 9, hole 10: there is no hole 10; holes are numbered 1 to 9"),
    ([1, -1, 0], "game 1 does not take action -1, hole 0: there is no hole 0"),
    ([1, 2**40, 0], "game 1 does not take action 1099511627776, "),
    ([1, -(2**63), 0], "game 1 does not take action -9223372036854775808, "),
    (np.array([1, 2**64 - 1, 0], np.uint64), "game 1 does not take action 255, "),
    (
        np.array([0, 0, 0], np.int8),
        "game 0 does not take action 0, hole 1: hole 1 of White cannot be sown, it is empty",
    ),
    ([5, 5, 300], "game 2 does not take action 300"),
]


@pytest.mark.parametrize(("actions", "said"), WRONG, ids=[said[:40] for _, said in WRONG])
def test_an_action_that_is_refused_changes_nothing(actions: Any, said: str) -> None:
    """Not even in the games before it."""
    env = BatchEnv("toguz", n=3, positions=[EMPTY, TOGUZ_KORGOOL.start(), TOGUZ_KORGOOL.start()])
    before = everything(env)
    with pytest.raises(ValueError, match=said):
        env.step(actions)
    assert everything(env) == before
    env.step([1, 2, 3])
    assert env.plies.tolist() == [1, 1, 1]


def test_a_tuz_is_called_by_its_name() -> None:
    position = Position.parse("2,T,24S,2S,9S,3S,9S,9S/2S,11S,2S,T,2,9S,9S,4S 30 39 S 16")
    with pytest.raises(ValueError, match=r"game 0 does not take action 3, hole 4: hole 4 of White .* it is a tuz"):
        BatchEnv("toguz", n=1, positions=position).step([3])


def test_arguments_that_cannot_be() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"game": "chess"}, "no game is called 'chess'; there are toguz, mangala, castle, bestemshe"),
        ({"n": 0}, "n is a whole number from 1 to "),
        ({"n": 2.5}, "n is a whole number, not 2.5"),
        ({"seed": -1}, "seed is a whole number from 0 to "),
        ({"seed": "x"}, "seed is a whole number, not 'x'"),
        ({"max_plies": 0}, "max_plies is a whole number from 1 to "),
        ({"observations": "float64"}, "observations are uint8 or float32, not 'float64'"),
        ({"rules": {"tuzz": True}}, "no rule is called 'tuzz'; there are goal, tuz, "),
        ({"rules": {"sweep": "nobody else"}}, "rule sweep is one of owner, emptied, nobody"),
        ({"rules": {"threefold": 1}}, "with threefold=1 every game would end at its start"),
        ({"positions": "9/9 81 81 S 1"}, "position 0: the game is over in 9/9 81 81 S 1: 0.5"),
        ({"positions": "rubbish"}, "position 0: position text has five parts"),
        ({"positions": [TOGUZ_KORGOOL.start()] * 3}, "there are 3 positions for 2 games; give 1 or 2"),
        ({"positions": Position.parse("9/8,1S 3 4 N 5", lenient=True)}, "position 0: a game of Toguz korgool has 162"),
        ({"game": "mangala", "positions": EMPTY}, "position 0: the position is one of Toguz korgool by other rules"),
        ({"positions": np.zeros((2, 24), np.uint8)}, "row 0 is no position of Toguz korgool in which a game may begin"),
        ({"positions": np.zeros((2, 23), np.uint8)}, r"positions are 2 × 24 of uint8, not an array of shape \(2, 23\)"),
        ({"turn": np.zeros(2, np.uint8)}, "turn goes with an array of positions"),
    ]
    for arguments, said in wrong:
        with pytest.raises(ValueError, match=said):
            BatchEnv(**{"game": "toguz", "n": 2, **arguments})


def test_a_reset_that_is_refused_changes_nothing() -> None:
    env = BatchEnv("toguz", n=2)
    env.step([3, 4])
    before = everything(env)
    packed = BatchEnv("toguz", n=2).positions
    wrong: list[dict[str, Any]] = [
        {"seed": 1.5},
        {"where": [1, 0]},
        {"where": [True]},
        {"positions": "9/9 81 81 S 1"},
        {"seed": 3, "positions": np.zeros((2, 24), np.uint8)},
        {"positions": packed, "turn": [0, 2]},
        {"positions": packed, "turn": [0.5, 0]},
        {"turn": [0, 1]},
    ]
    for arguments in wrong:
        with pytest.raises(ValueError, match=r"whole number|where are|position|turn"):
            env.reset(**arguments)
        assert everything(env) == before, arguments


def test_a_closed_environment_says_so() -> None:
    with BatchEnv("toguz", n=2) as env:
        env.step([0, 0])
    for use in (lambda: env.step([1, 1]), env.reset, env.random_actions):
        with pytest.raises(ValueError, match="the environment is closed"):
            use()
    assert (env.plies.tolist(), "closed" in repr(env)) == ([1, 1], True)


def test_arrays_cannot_be_written_from_outside() -> None:
    env = BatchEnv("toguz", n=2)
    shown = [value for value in vars(env).values() if isinstance(value, np.ndarray) and value is not env._actions]
    assert len(shown) >= 10
    for array in [*shown, env.random_actions()]:
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make another one"):
            copied(env)


def test_numbers_of_another_shape() -> None:
    env = BatchEnv("toguz", n=2)
    rows: list[Array] = [np.zeros((2, 23), np.uint8), np.zeros(24, np.uint8), np.zeros((2, 24))]
    for positions in rows:
        with pytest.raises(ValueError, match="positions are k × 24 of uint8, not an array of shape"):
            env.as_float32(positions)
    for out in (np.zeros((2, 37), np.float32), np.zeros((2, 38)), np.zeros((38, 2), np.float32).T):
        with pytest.raises(ValueError, match="out is 2 × 38 of float32, contiguous and writable, not"):
            env.as_float32(env.positions, out)


def test_a_state_refuses_as_the_rules_do() -> None:
    state = State("toguz", EMPTY)
    for hole in (0, 1, 10, -1, "x", 2**40, None, [3], 1.5):
        with pytest.raises((ValueError, TypeError)) as refused:
            state.play(hole)  # type: ignore[arg-type]
        with pytest.raises(type(refused.value)) as same:
            EMPTY.play(hole)  # type: ignore[arg-type]
        assert str(refused.value) == str(same.value)
    assert (state.position, state.plies) == (EMPTY, 0)
    with pytest.raises(ValueError, match="nothing has been played"):
        state.undo()
    state.play("3")  # type: ignore[arg-type]  # as the rules take it
    assert state.moves == (3,)
    with pytest.raises(ValueError, match="the game is over"):
        State("toguz", "9/9 81 81 S 1")


def test_a_kernel_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would write beyond what this package lays out."""
    from korgool.engine.kernel import KernelMissingError
    from korgool.rl import layout

    class Other(layout.BatchStruct):
        _fields_: ClassVar = [("more", ctypes.c_int64)]

    monkeypatch.setattr(layout, "BatchStruct", Other)
    with pytest.raises(KernelMissingError, match="the native kernel has other structures than this package"):
        layout.batch_library.__wrapped__()
    monkeypatch.setattr(layout, "library", object)
    with pytest.raises(KernelMissingError, match="the native kernel is older than this package"):
        layout.batch_library.__wrapped__()
