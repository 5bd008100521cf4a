"""The notebook of the page on learning: it is that of the page, it is a notebook, and its cells run in their order."""

from __future__ import annotations

import ast
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"


def load() -> Any:
    spec = importlib.util.spec_from_file_location("notebook", DOCS / "notebook.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


notebook = load()


def test_the_notebook_is_that_of_the_page() -> None:
    """`python docs/notebook.py` makes it anew."""
    page = notebook.PAGE.read_text(encoding="utf-8")
    assert notebook.NOTEBOOK.read_text(encoding="utf-8") == notebook.notebook_of(page)
    assert "learner.ipynb" in page


def test_a_cell_ends_with_its_answer() -> None:
    typed = ">>> a = 1\n>>> def f():\n...     return 2\n...\n>>> a\n1\n>>> f()\n2\n>>> b = 3\n"
    page = f"Text\n\n```pycon\n{typed}```\n\nMore\n"
    cells = notebook.cells_of(page)
    assert ["".join(cell["source"]) for cell in cells] == [
        "Text",
        "a = 1\ndef f():\n    return 2\n\na",
        "f()",
        "b = 3",
        "More",
    ]
    assert [len(cell.get("outputs", ())) for cell in cells] == [0, 1, 1, 0, 0]


def test_the_cells_run_in_their_order() -> None:
    """As Jupyter runs them: what a cell's last line gives is its answer. Each is small."""
    pytest.importorskip("numpy")
    book = json.loads(notebook.NOTEBOOK.read_text(encoding="utf-8"))
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in book["cells"]}) == len(book["cells"])
    names: dict[str, Any] = {"__name__": "__main__"}
    answers = 0
    for cell in book["cells"]:
        assert set(cell) >= {"cell_type", "id", "metadata", "source"}
        if cell["cell_type"] == "code":
            given = run("".join(cell["source"]), names)
            told = "".join("".join(output["data"]["text/plain"]) for output in cell["outputs"])
            assert ("" if given is None else repr(given)) == told, cell["source"]
            answers += bool(told)
    assert answers >= 4


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; the value of its last line, if that is an expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    value = last.value if isinstance(last, ast.Expr) else None
    exec(compile(ast.Module(tree.body if value is None else tree.body[:-1], []), "cell", "exec"), names)
    return None if value is None else eval(compile(ast.Expression(value), "cell", "eval"), names)
