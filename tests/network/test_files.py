"""Network files: what is shipped gives what was stored, and what is damaged is refused with a reason."""

from __future__ import annotations

import ctypes
import gc
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from korgool.engine.limits import Limits
from korgool.engine.networks import FOLDER, NetworkError, NetworkFile
from korgool.engine.networks.layout import checksum, network_of, stored_checks, to_bytes
from korgool.engine.search import UNIT, Engine
from korgool.rules import BESTEMSHE, GAMES, MANGALA, TOGUZ_KORGOOL

from .samples import by_hand, file_of, played_positions, random_weights

SHIPPED = sorted(FOLDER.glob("*.kgn"))


def test_what_is_shipped() -> None:
    names = {file.stem for file in SHIPPED}
    assert names >= {"toguz", "mangala", "castle"}
    assert names <= set(GAMES)
    assert sum(file.stat().st_size for file in SHIPPED) < 1_000_000


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_stored_outputs_are_reproduced(file: Path) -> None:
    """The weights are the ones that were trained, whatever happened on their way into the kernel."""
    rules, data = GAMES[file.stem], file.read_bytes()
    weights, engine = network_of(data, rules), Engine(rules)
    assert engine.network == str(file)
    gc.collect()
    checks = stored_checks(data)
    assert len(checks) >= 16
    assert len({outputs for _, outputs in checks}) >= 12
    for packed, stored in checks:
        assert by_hand(weights, packed) == stored
        board = sum(packed[:18])
        value = max(-UNIT * board, min(UNIT * board, stored[0])) + UNIT * (packed[18] - packed[19])
        assert engine.library.kg_engine_evaluate(engine.address, packed) == value


def test_weights_outlive_everything_but_the_engine(tmp_path: Path) -> None:
    """A temporary freed too early would give a network that loses every game and raises no error."""
    file = tmp_path / "gone.kgn"
    file.write_bytes((FOLDER / "toguz.kgn").read_bytes())
    engine = Engine(TOGUZ_KORGOOL, network=file)
    file.write_bytes(b"\0" * 200_000)
    file.unlink()
    gc.collect()
    rubbish = [bytearray(200_000) for _ in range(50)]
    start = TOGUZ_KORGOOL.start()
    assert engine.evaluate(start) == Engine(TOGUZ_KORGOOL).evaluate(start)
    assert engine.analyse(start, Limits(depth=6)).lines == Engine(TOGUZ_KORGOOL).analyse(start, Limits(depth=6)).lines
    assert len(rubbish) == 50


def _refused(tmp_path: Path, data: bytes, reason: str) -> None:
    """The file is refused with that reason, by a new engine and by one that goes on as before."""
    file = tmp_path / "bad.kgn"
    file.write_bytes(data)
    with pytest.raises(NetworkError, match=reason) as caught:
        Engine(TOGUZ_KORGOOL, network=file)
    assert str(file) in str(caught.value)
    engine, start = Engine(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start()
    before, named = engine.evaluate(start), engine.network
    with pytest.raises(NetworkError, match=reason):
        engine.use_network(file)
    assert (engine.evaluate(start), engine.network) == (before, named)
    assert engine.analyse(start, Limits(depth=4)).move in start.legal_moves()


def _resealed(data: bytearray) -> bytes:
    """The checksum put right again."""
    data[16:24] = checksum(bytes(data[24:])).to_bytes(8, "little")
    return bytes(data)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    good = (FOLDER / "toguz.kgn").read_bytes()
    for length in (1, 7, 24, 831, 832, 5000, len(good) - 1):
        _refused(tmp_path, good[:length], "cut off")
    _refused(tmp_path, b"", "0 bytes")
    _refused(tmp_path, good + b"\0", "checksum")
    _refused(tmp_path, b"PK" + good[2:], "no network")
    _refused(tmp_path, good[:8] + b"\2" + good[9:], "version")
    random = Random(11)
    for _ in range(40):
        flipped = bytearray(good)
        flipped[random.randrange(16, len(good))] ^= 1 << random.randrange(8)
        _refused(tmp_path, bytes(flipped), "checksum")


def test_files_that_lie_are_refused(tmp_path: Path) -> None:
    """With a right checksum: numbers that would lead outside of the file, and weights that give something else."""
    good = (FOLDER / "toguz.kgn").read_bytes()
    for at, value in (
        *((84, number) for number in (0, 1, 63, 65, 128, 2**16, 2**31, 2**32 - 1)),
        *((88, number) for number in (0, 17, 2**31, 2**32 - 1)),
        *((92, number) for number in (0, 1, 99, 2**32 - 1)),
        *((96, number) for number in (0, 1025, 2**32 - 1)),
        *((192, number) for number in (2**31 - 1, 2**31, 2**29)),
        (24, 0), (24, 10), (24, 2**32 - 1), (576, 255 | 255 << 8),
    ):  # fmt: skip
        lying = bytearray(good)
        lying[at : at + 4] = value.to_bytes(4, "little")
        _refused(tmp_path, _resealed(lying), "sizes")
    other = bytearray(good)
    other[28] = 4
    _refused(tmp_path, _resealed(other), "other rules")
    wrong = bytearray(good)
    wrong[832 : 832 + 2 * 64 * 9] = bytes(2 * 64 * 9)
    _refused(tmp_path, _resealed(wrong), "outputs stored")


def test_a_network_of_another_game_is_refused() -> None:
    for rules in (MANGALA, BESTEMSHE, TOGUZ_KORGOOL.with_option("tuz_last_hole", "true")):
        with pytest.raises(NetworkError, match="other rules"):
            Engine(rules, network=FOLDER / "toguz.kgn")


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path / "absent.kgn", tmp_path):
        with pytest.raises(NetworkError, match="cannot be read"):
            Engine(TOGUZ_KORGOOL, network=path)


def test_the_kernel_wants_aligned_bytes() -> None:
    engine, file = Engine(TOGUZ_KORGOOL, network=None), NetworkFile(FOLDER / "toguz.kgn")
    assert engine.library.kg_engine_network(engine.address, file.address + 8, file.length - 8) == -8
    assert engine.library.kg_engine_network(engine.address, file.address, file.length) == 0


def test_by_hand_and_by_default() -> None:
    start = TOGUZ_KORGOOL.start()
    hand, learned = Engine(TOGUZ_KORGOOL, network=None), Engine(TOGUZ_KORGOOL)
    assert hand.network is None
    assert learned.network == str(FOLDER / "toguz.kgn")
    position = start.play(7)
    assert hand.evaluate(position) != learned.evaluate(position)
    kept = hand.evaluate(position)
    learned.use_network(None)
    assert learned.evaluate(position) == kept
    learned.use_network("default")
    assert learned.evaluate(position) != kept
    # Goal and repetition change nothing for the network; where stones go does.
    assert Engine(replace(TOGUZ_KORGOOL, goal=0, threefold=0)).network is not None
    assert Engine(TOGUZ_KORGOOL.with_option("tuz_last_hole", "true")).network is None


def test_format_written_and_read(tmp_path: Path) -> None:
    for seed, rules in enumerate(GAMES.values()):
        weights = random_weights(rules, 64, 5, 200, seed)
        positions = played_positions(rules, 5, seed)
        data = file_of(weights, positions)
        assert network_of(data, rules) == weights
        assert [packed for packed, _ in stored_checks(data)] == positions
        file = tmp_path / f"{rules.name}.kgn"
        file.write_bytes(data)
        engine = Engine(rules, network=file)
        assert engine.analyse(rules.start(), Limits(depth=5)).move in rules.start().legal_moves()
    with pytest.raises(ValueError, match="rows"):
        to_bytes(replace(weights, numbers=b""), [])


def test_random_bytes_never_hurt() -> None:
    """Straight into the kernel, with headers that look right."""
    good, random = (FOLDER / "castle.kgn").read_bytes(), Random(5)
    engine = Engine(GAMES["castle"], network=None)
    file = NetworkFile(FOLDER / "castle.kgn")
    for _ in range(150):
        data = bytearray(good)
        for _ in range(random.randint(1, 4)):
            at = random.choice([random.randrange(24, 832), random.randrange(8, len(good))])
            data[at] = random.randrange(256)
        sealed = _resealed(data) if random.random() < 0.05 else bytes(data)
        ctypes.memmove(file.address, sealed, len(sealed))
        code = engine.library.kg_engine_network(engine.address, file.address, len(sealed))
        assert code in {0, -2, -3, -4, -5, -6, -7, -1}
        assert engine.analyse(GAMES["castle"].start(), Limits(depth=2)).nodes > 0
        # The bytes change under it now, which only a test does.
        engine.use_network(None)
