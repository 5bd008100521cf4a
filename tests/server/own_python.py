"""Commands as users type them, in a Python of their own that nothing has prepared."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from tests.package import environment
from tests.patience import PATIENCE

_EACH = """
import json, sys
from korgool.app.cli import main

for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        assert end.code == 1, (words, end.code)
"""


def refusals(*commands: list[str], path: str = "", **settings: Any) -> list[str]:
    """The message of each of some commands that fail, one after the other in one process: the imports cost seconds.

    Args:
        commands: the words after `korgool`.
        path: a folder whose modules hide others.
        settings: more for `subprocess.run`.
    """
    around = environment()
    if path:
        around["PYTHONPATH"] = f"{path}:{around['PYTHONPATH']}"
    done = subprocess.run(
        [sys.executable, "-c", _EACH, json.dumps(commands)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=around,
        check=False,
        **settings,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    told: list[str] = done.stderr.splitlines()
    assert len(told) == len(commands), done.stderr
    return told
