"""The room without its helpers: what it can do where only the standard library is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import korgool.competition
from korgool.installing import advice

ROOT = Path(korgool.competition.__file__).parent
MODULES = sorted(
    ".".join(("korgool.competition", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    for path in ROOT.rglob("*.py")
)
BLOCKED = ("msgspec", "gacrux", "openpyxl", "litestar", "sqlalchemy", "babel", "click", "rich", "typst")
UNLOADED = ("subprocess", "multiprocessing", "asyncio", "importlib.metadata")
BLOCK = f"""
import sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {BLOCKED!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
"""


def run(code: str, *words: str) -> str:
    """What a fresh Python prints that lacks the blocked packages."""
    done = subprocess.run([sys.executable, "-c", BLOCK + code, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_module_can_be_imported_without_other_packages() -> None:
    assert len(MODULES) > 60
    code = f"import importlib\nfor name in {MODULES!r}: importlib.import_module(name)\nprint(*sys.modules)"
    loaded = set(run(code).split())
    assert set(MODULES) <= loaded
    assert not loaded & set(UNLOADED)
    assert not {name.partition(".")[0] for name in loaded} & set(BLOCKED)


def test_an_event_is_kept_read_and_ranked_without_other_packages(tmp_path: Path) -> None:
    """All but pairing a Swiss round and reading a workbook."""
    code = """
from korgool.competition import EventFile, Entry, Settings, System
from korgool.competition import commands
from korgool.competition.audit import check
from korgool.competition.json_export import read_json, restore, write_json
from korgool.competition.trf import read_trf, write_trf

with EventFile.create(sys.argv[1], Settings(name="Cup", system=System.ROUND_ROBIN, rounds=3), by="a") as file:
    for name in "ABCD":
        commands.enter(file, Entry(family=name), by="a")
    for number in (1, 2, 3):
        for game in commands.pair(file, by="a").games:
            commands.record(file, number, game.board, "1 (90) - 0 (72)", by="a")
    commands.publish(file, by="a")
    assert check(file) == ()
    data = write_json(file)
    assert len(read_trf(write_trf(file.state)).players) == 4
restore(sys.argv[2], read_json(data)).close()
with EventFile.open(sys.argv[2]) as file:
    print(len(file.state.rounds), file.head())
"""
    rounds, head = run(code, str(tmp_path / "cup.korgool"), str(tmp_path / "copy.korgool")).split()
    assert rounds == "3"
    with korgool.competition.EventFile.open(tmp_path / "cup.korgool") as file:
        assert str(file.head()) == head


def test_a_swiss_round_without_gacrux_says_what_to_install(tmp_path: Path) -> None:
    code = """
from korgool.competition import EventFile, Entry, Settings
from korgool.competition import commands
from korgool.competition.pairing import EngineError, GacruxHere

with EventFile.create(sys.argv[1], Settings(name="Cup"), by="a") as file:
    for name in "ABCDEFGH":
        commands.enter(file, Entry(family=name), by="a")
    try:
        commands.pair(file, by="a", engine=GacruxHere())
    except EngineError as error:
        print(error)
    assert "subprocess" not in sys.modules
"""
    assert advice("event") in run(code, str(tmp_path / "cup.korgool"))
