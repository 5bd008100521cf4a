"""Every vector path gives the same bits: those of this processor here, the others under an emulator."""

from __future__ import annotations

import ctypes
import json
import shutil
import struct
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from korgool.engine.kernel import Memory, library
from korgool.engine.networks import FOLDER
from korgool.engine.networks.layout import HEADS, NetworkWeights
from korgool.rules import GAMES, MANGALA, TOGUZ_KORGOOL, Rules
from tests.patience import PATIENCE

from .samples import board_of, by_hand, extreme_positions, file_of, played_positions, random_weights

ROOT = Path(__file__).parents[2]
PATHS = ("portable", "sse2", "avx2", "avx512", "neon", "simd128")
BARE = ["-std=c11", "-O2", "-ffreestanding", "-fno-stack-protector", "-Wall", "-Wextra"]
DRIVER = "kernel/test/network.c"


def here() -> list[int]:
    """The paths of this machine."""
    bits = library().kg_network_paths()
    return [path for path in range(len(PATHS)) if bits >> path & 1]


def outputs(data: bytes, positions: list[bytes], path: int, head: int) -> list[int]:
    """What the kernel gives, on one path."""
    memory = Memory(len(data))
    ctypes.memmove(memory.address, data, len(data))
    found = (ctypes.c_int32 * len(positions))()
    assert library().kg_network_outputs(memory.address, path, head, b"".join(positions), len(positions), found) == 0
    return list(found)


@cache
def cases(rules: Rules) -> list[tuple[NetworkWeights, list[bytes]]]:
    """Networks of all sizes that have a function of their own, with small numbers and with all that 16 bits hold."""
    positions = played_positions(rules, 60, 3) + extreme_positions(rules, 60, 4)
    shapes = ((64, 8, 300), (64, 3, 32767), (128, 16, 300), (192, 1, 32767))
    return [(random_weights(rules, *shape, seed), positions) for seed, shape in enumerate(shapes)]


def test_paths_equal_plain_numbers(rules: Rules) -> None:
    """Python's own numbers are the reference, so the portable path is checked as well."""
    for weights, positions in cases(rules):
        data = file_of(weights, positions[:1])
        expected = [by_hand(weights, position) for position in positions]
        for path in here():
            for head in range(HEADS):
                assert outputs(data, positions, path, head) == [row[head] for row in expected], (PATHS[path], head)


def test_the_value_stays_within_what_lies_on_the_board(rules: Rules) -> None:
    weights, positions = cases(rules)[0]
    data = file_of(weights, positions[:1])
    raw = outputs(data, positions, 0, 0)
    expected = [
        max(-32 * board_of(at), min(32 * board_of(at), value)) + 32 * (at[18] - at[19])
        for at, value in zip(positions, raw, strict=True)
    ]
    for path in here():
        assert outputs(data, positions, path, HEADS) == expected


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.kgn")), ids=lambda file: file.stem)
def test_shipped_networks_on_all_paths(file: Path) -> None:
    rules = GAMES[file.stem]
    positions = played_positions(rules, 4000, 5) + extreme_positions(rules, 2000, 6)
    data = file.read_bytes()
    for head in range(HEADS + 1):
        expected = outputs(data, positions, 0, head)
        assert len(set(expected)) > 20
        for path in here():
            assert outputs(data, positions, path, head) == expected, PATHS[path]


def test_a_path_that_is_not_here_is_refused() -> None:
    absent = [path for path in (*range(len(PATHS)), 6, -1) if path not in here()]
    found = (ctypes.c_int32 * 1)()
    memory = Memory(1 << 20)
    for path in absent:
        assert library().kg_network_outputs(memory.address, path, 0, bytes(24), 1, found) < 0
    assert library().kg_network_outputs(memory.address, 0, HEADS + 1, bytes(24), 1, found) < 0


def _emulated(command: list[str], path: int, data: bytes, positions: list[bytes]) -> tuple[int, list[list[int]]]:
    """The bits of the paths that the driver finds, and its outputs, head by head."""
    text = struct.pack("<3Q", path, len(data), len(positions)) + data + b"".join(positions)
    done = subprocess.run(command, input=text, capture_output=True, check=True, timeout=PATIENCE)
    count = len(positions)
    numbers = struct.unpack(f"<I{(HEADS + 1) * count}i", done.stdout)
    return numbers[0], [list(numbers[1 + head * count :][:count]) for head in range(HEADS + 1)]


def _agree(command: list[str], bits: int) -> None:
    """Every path of an emulated processor gives what the portable path gives here."""
    for rules in (TOGUZ_KORGOOL, MANGALA):
        for weights, positions in cases(rules)[:3]:
            data = file_of(weights, positions[:1])
            expected = [outputs(data, positions, 0, head) for head in range(HEADS + 1)]
            for path in range(len(PATHS)):
                if bits >> path & 1:
                    assert _emulated(command, path, data, positions) == (bits, expected), PATHS[path]


def _zig(target: str, flags: list[str], source: str, linker: list[str], output: Path) -> None:
    """Compile and link in two steps: in one, Zig builds its own library too, six seconds long, and nothing uses it."""
    pytest.importorskip("ziglang", reason="other processors need the ziglang wheel")
    caches = {"ZIG_GLOBAL_CACHE_DIR": str(output.parent), "ZIG_LOCAL_CACHE_DIR": str(output.parent)}
    compiled = str(output.with_suffix(".o"))
    for command in (
        ["cc", "-target", target, *flags, "-c", source, "-o", compiled],
        [*linker, compiled, "-o", str(output)],
    ):
        words = [sys.executable, "-m", "ziglang", *command]
        done = subprocess.run(words, cwd=ROOT, env=caches, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")


def _emulator(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not here (package qemu-user)")
    return found


def test_neon(tmp_path: Path) -> None:
    emulator = _emulator("qemu-aarch64")
    _zig("aarch64-linux-musl", BARE, DRIVER, ["ld.lld", "-static"], tmp_path / "driver")
    _agree([emulator, str(tmp_path / "driver")], 1 << 0 | 1 << 4)


def test_old_processors_choose_what_they_have(tmp_path: Path) -> None:
    """A processor without AVX2 must not be asked for it; the emulator of Debian 12 has no AVX-512."""
    emulator = _emulator("qemu-x86_64")
    _zig("x86_64-linux-musl", [*BARE, "-mcpu=baseline"], DRIVER, ["ld.lld", "-static"], tmp_path / "driver")
    for processor, bits in (("qemu64", 0b11), ("max", 0b111)):
        _agree([emulator, "-cpu", processor, str(tmp_path / "driver")], bits)


def test_webassembly(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("WebAssembly outside of a browser needs node")
    flags = ["-std=c11", "-O3", "-msimd128", "-fno-builtin", "-fvisibility=hidden", "-Wall", "-Wextra"]
    linker = ["wasm-ld", "--no-entry", "--export-dynamic", "--export=__heap_base"]
    _zig("wasm32-freestanding", flags, "kernel/network_paths.c", linker, tmp_path / "paths.wasm")
    for rules in (TOGUZ_KORGOOL, MANGALA):
        for weights, positions in cases(rules)[:3]:
            data = file_of(weights, positions[:1])
            (tmp_path / "network").write_bytes(data)
            (tmp_path / "positions").write_bytes(b"".join(positions))
            script = str(Path(__file__).with_name("paths.mjs"))
            done = subprocess.run(
                [node, script, str(tmp_path)], capture_output=True, text=True, check=False, timeout=PATIENCE
            )
            assert done.returncode == 0, done.stderr
            answer = json.loads(done.stdout)
            assert answer["paths"] == 1 << 0 | 1 << 5
            expected = [outputs(data, positions, 0, head) for head in range(HEADS + 1)]
            assert answer["outputs"] == [expected, expected]
