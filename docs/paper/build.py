"""Builds the paper about what is solved: `python docs/paper/build.py [FILE.pdf]`.

All its numbers come from `numbers.json`, each with the command that gives it again; tests compare them with what the
program says. Boards are drawn by the library.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import typst

from korgool.notation.svg import svg_board
from korgool.rules import TOGUZ_KORGOOL, Position

HERE = Path(__file__).parent
BOARDS = {
    "circle": "1S,8/8,1S 81 79 S 1",
    "next": "1S,7,1S/9 81 79 N 1",
    "open": "8,2S/2,1S,4,1S,1 79 79 S 1",
    "opposite": "7,1S,1/2,1S,6 81 79 N 2",
}
"""Positions of toguz korgool that are drawn, by the names that `paper.typ` gives them."""


def numbers() -> dict[str, Any]:
    """The numbers of the paper, by the names of their groups."""
    read: dict[str, Any] = json.loads((HERE / "numbers.json").read_text(encoding="utf-8"))
    return read


def build() -> tuple[bytes, list[str]]:
    """The paper as PDF, and the warnings of typst."""
    boards = {name: svg_board(Position.parse(text, TOGUZ_KORGOOL), theme="print") for name, text in BOARDS.items()}
    data = json.dumps({"numbers": numbers(), "boards": boards})
    made, warnings = typst.compile_with_warnings(
        HERE / "paper.typ",
        format="pdf",
        sys_inputs={"data": data},
        font_paths=typst.Fonts(include_system_fonts=False, include_embedded_fonts=True),
        root=HERE,
    )
    assert isinstance(made, bytes)
    return made, [warning.message for warning in warnings]


if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "korgool-solved.pdf")
    pdf, warned = build()
    target.write_bytes(pdf)
    print(f"{target}: {len(pdf)} bytes")
    if warned:
        sys.exit("\n".join(warned))
