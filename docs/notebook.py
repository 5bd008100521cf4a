"""The notebook of the page on learning: `python docs/notebook.py` makes `learner.ipynb` of `learner.md`.

The page is the source: its text becomes the text of the notebook, and what is typed after `>>>` its cells, with the
answers of the page below them. The notebook is kept beside the page, for those who take it home; a test compares them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parent / "learner.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")
_BLOCK = re.compile(r"^```pycon\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_ABOUT_THE_NOTEBOOK = re.compile(r"^\{\.notebook\}\n.*?\n\n", re.MULTILINE | re.DOTALL)


def cells_of(page: str) -> list[dict[str, Any]]:
    """The cells of a notebook for a page, without what the page says of the notebook."""
    found: list[dict[str, Any]] = []
    for number, part in enumerate(_BLOCK.split(_ABOUT_THE_NOTEBOOK.sub("", page))):
        if number % 2:
            found += [_code(source, answer) for source, answer in _typed(part)]
        elif part.strip():
            found.append({"cell_type": "markdown", "metadata": {}, "source": _lines(part.strip())})
    return [{"id": f"cell-{number:02}", **cell} for number, cell in enumerate(found, 1)]


def _typed(block: str) -> Iterator[tuple[str, str]]:
    """What is typed up to each answer, and the answer; one that is cut off has none."""
    source: list[str] = []
    answer: list[str] = []
    for line in block.splitlines():
        if line.startswith(">>> ") and answer:
            yield "\n".join(source), "\n".join(answer)
            source, answer = [], []
        if line.startswith((">>> ", "... ")) or line == "...":
            source.append(line[4:])
        else:
            answer.append(line)
    yield "\n".join(source), "\n".join(answer)


def _code(source: str, answer: str) -> dict[str, Any]:
    shown = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [{**shown, "data": {"text/plain": _lines(answer)}}] if answer else [],
        "source": _lines(source),
    }


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def notebook_of(page: str) -> str:
    """The notebook as the text of its file."""
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    metadata = {"kernelspec": kernel, "language_info": {"name": "python"}}
    book = {"cells": cells_of(page), "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(book, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook_of(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(f"{NOTEBOOK}\n")
