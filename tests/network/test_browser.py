"""The browser's kernel with the shipped networks searches as the native one does."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from korgool.engine.kernel import rules_struct
from korgool.engine.limits import Limits
from korgool.engine.networks import FOLDER
from korgool.engine.search import UNIT, Engine
from korgool.rules import GAMES
from tests.patience import PATIENCE

KERNEL = Path(__file__).parents[2] / "src" / "korgool" / "app" / "static" / "kernel.wasm"
NODES = 30_000


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.kgn")), ids=lambda file: file.stem)
def test_searches_as_here(file: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("WebAssembly outside of a browser needs node")
    rules = GAMES[file.stem]
    struct = rules_struct(rules)
    numbers = [str(getattr(struct, field[0])) for field in struct._fields_]
    script = str(Path(__file__).with_name("browser.mjs"))
    command = [node, script, str(KERNEL), str(file), str(NODES), *numbers]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    engine = Engine(rules, table_mib=1, tables=None)
    assert (answer["taken"], answer["damaged"]) == (0, -4)
    assert answer["evaluation"] / UNIT == engine.evaluate(rules.start())
    assert answer["chances"] == pytest.approx(engine.chances(rules.start(), 5, 7))
    here = engine.analyse(rules.start(), Limits(nodes=NODES))
    line = here.lines[0]
    assert answer["found"] == {"nodes": here.nodes, "move": line.move, "value": line.evaluation * UNIT}
