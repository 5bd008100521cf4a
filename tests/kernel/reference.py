"""Random play by the reference, written down the way the kernel answers, so that whole games are compared at once."""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random
from typing import TypeAlias

from korgool.engine.kernel import Kernel, pack, unpack_outcome
from korgool.rules import Outcome, Position, Rules, Setup, Side

SHARE = float(os.environ.get("KORGOOL_KERNEL_SHARE", "0.4"))
"""The part of all games that is played by default; the sanitizers' run, which is slow, plays fewer."""

LONGEST = 300
"""Plies after which a random game is given up: castle and bestemshe can go round for ever."""


Switch: TypeAlias = dict[str, bool | int | str]


def share(games: int) -> int:
    """The number of games to play, at least 1."""
    return max(1, round(games * SHARE))


def random_game(start: Position, random: Random) -> tuple[bytes, list[Position], bytes, Outcome | None]:
    """Hole numbers, the position after each, whether the same side went on, and the outcome at the end."""
    moves, positions, extra = bytearray(), [], bytearray()
    position, outcome = start, start.outcome()
    while outcome is None and len(moves) < LONGEST:
        row = position.holes[position.to_move]
        sowing = position.sow(random.choice([hole for hole, stones in enumerate(row, 1) if stones]))
        extra.append(sowing.after.to_move is position.to_move)
        position, outcome = sowing.after, sowing.outcome
        moves.append(sowing.hole)
        positions.append(position)
    return bytes(moves), positions, bytes(extra), outcome


def compare(kernel: Kernel, start: Position, random: Random) -> int:
    """Play one random game by the reference and trace it in the kernel; the number of plies."""
    moves, positions, extra, outcome = random_game(start, random)
    assert kernel.outcome(start) == start.outcome()
    assert kernel.legal_moves(start) == start.legal_moves()
    done, packed, legal, again, outcomes = kernel.trace(start, moves)
    told = f"from {start!r} by {moves.hex()}"
    assert done == len(moves), told
    assert packed == b"".join(map(pack, positions)), told
    assert again == extra, told
    over = len(moves) - 1 if outcome is not None else len(moves)
    for ply, position in enumerate(positions):
        mask = 0
        if ply != over:
            for hole, stones in enumerate(position.holes[position.to_move]):
                mask |= (stones > 0) << hole
        assert legal[2 * ply] | legal[2 * ply + 1] << 8 == mask, told
        assert (outcomes[ply].termination != 0) == (ply == over), told
    if positions:
        assert unpack_outcome(outcomes[-1], positions[-1].to_move) == outcome, told
    return len(moves)


def random_setup(rules: Rules, random: Random) -> Position:
    """A random playable position: few or many stones, even or heaped in some holes, with none, one or two tuz."""
    lenient = random.random() < 0.25
    total = random.randint(0, 255) if lenient else rules.total
    tuz: list[int | None] = [None, None]
    if rules.tuz:
        farthest = rules.holes - (0 if rules.tuz_last_hole else 1)
        tuz = [1 + random.randrange(farthest) if farthest and random.random() < 0.5 else None for _ in range(2)]
        if tuz[0] == tuz[1] and not rules.tuz_same_number:
            tuz[random.randrange(2)] = None
    cells = [(side, hole) for side in Side for hole in range(rules.holes)]
    if rules.tuz_takes:
        cells = [(side, hole) for side, hole in cells if tuz[side.other] != hole + 1]
    cells = random.sample(cells, random.randint(1, len(cells))) if random.random() < 0.5 else cells
    holes = [[0] * rules.holes, [0] * rules.holes]
    stores = [0, 0]
    on_board = total if random.random() < 0.2 else random.randint(0, total)
    while on_board:
        side, hole = random.choice(cells)
        stones = min(on_board, random.choice((1, 1, 2, 3, 5, 9, 40)))
        holes[side][hole] += stones
        on_board -= stones
    rest = total - sum(map(sum, holes))
    stores[0] = random.randint(0, rest)
    stores[1] = rest - stores[0]
    setup = Setup(rules, (holes[0], holes[1]), (stores[0], stores[1]), (tuz[0], tuz[1]), Side(random.randrange(2)))
    return setup.position(lenient=True)


def variations(rules: Rules) -> list[Rules]:
    """The rules with each choice that moves stones switched, alone and all together."""
    switches: list[Switch] = [{name: not value} for name, value in rules.options().items() if isinstance(value, bool)]
    switches.append({"ending": "side_empty" if rules.ending == "no_move" else "no_move"})
    for sweep in sorted({"owner", "emptied", "nobody"} - {rules.sweep}):
        switches.append({"sweep": sweep})
    for goal in sorted({0, rules.total // 2 + 1, 25} - {rules.goal}):
        switches.append({"goal": goal})
    together: Switch = {}
    for switch in switches:
        together |= switch
    tuz_stays: Switch = {"tuz": True, "tuz_takes": False}
    store: Switch = {"store_sown": True, "extra_turn": True}
    switches += [together, tuz_stays, {**tuz_stays, "tuz_last_hole": True}, {**tuz_stays, "empty_capture": True}]
    switches += [store, {**store, "extra_turn_single": False}, {**store, **tuz_stays, "empty_capture": True}]
    return [replace(rules, **switch) for switch in switches]  # type: ignore[arg-type]
