"""Pages as lines that people can read, and texts recorded beside the tests: any other text is a failure.

`KORGOOL_TEST_RECORD=1 python -m pytest tests/publishing` writes the texts anew; `git diff` shows what has changed.
"""

from __future__ import annotations

import os
from html.parser import HTMLParser
from pathlib import Path

RECORD = "KORGOOL_TEST_RECORD"
_LINES = {
    "address", "article", "aside", "blockquote", "body", "caption", "dd", "details", "div", "dl", "dt", "fieldset",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "header", "input", "li", "main", "nav", "ol", "option", "p",
    "section", "select", "summary", "table", "tbody", "textarea", "thead", "title", "tr", "ul",
}  # fmt: skip
"""The elements that begin a line."""
_TOLD = {
    "a": ("href",), "button": ("name", "value", "formaction"), "form": ("method", "action"), "img": ("src", "alt"),
    "input": ("type", "name", "value", "min", "max"), "link": (), "option": ("value",), "select": ("name",),
    "textarea": ("name",), "time": ("datetime",),
}  # fmt: skip
"""The attributes that are told of an element, after its name."""
_STATES = ("aria-current", "checked", "disabled", "hidden", "open", "readonly", "required", "selected")
_APART = {"a", "b", "button", "code", "img", "small", "span", "strong", "time"}
"""The elements before which there is a space, since styles set them apart."""
_SILENT = {"script", "style", "svg"}


class _Lines(HTMLParser):
    """The text of a page within one element."""

    def __init__(self, within: str) -> None:
        super().__init__(convert_charrefs=True)
        self.lines = [""]
        self._within = within
        self._inside = False
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = self._inside or tag == self._within
        self._silent += tag in _SILENT
        if not self._inside or self._silent:
            return
        if tag in _LINES:
            self._begin()
        self.lines[-1] += " " if tag in _APART else ""
        held = dict(attrs)
        told = [f"{name}={held[name]}" for name in _TOLD.get(tag, ()) if held.get(name)]
        told += [name for name in _STATES if name in held and held[name] != "false"]
        if tag in ("td", "th"):
            self.lines[-1] += " | " if self.lines[-1].strip() else ""
        if told or tag in _TOLD:
            self.lines[-1] += f"<{' '.join([tag, *told])}>"
        if tag in ("h1", "h2", "h3", "h4"):
            self.lines[-1] += "#" * int(tag[1]) + " "

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in _SILENT
        if tag in _LINES:
            self._begin()
        self._inside = self._inside and tag != self._within

    def handle_data(self, data: str) -> None:
        if self._inside and not self._silent:
            self.lines[-1] += data.replace("\n", " ")

    def _begin(self) -> None:
        if self.lines[-1].strip():
            self.lines.append("")


def page_lines(page: str, within: str = "main") -> str:
    """What an element of a page says, with its links and fields: a line for each block and each row of a table."""
    reader = _Lines(within)
    reader.feed(page)
    reader.close()
    return "\n".join(line for line in (" ".join(line.split()) for line in reader.lines) if line)


def check_recorded(path: Path, text: str) -> None:
    """Compare a text with the recorded one, or record it if the environment says so."""
    if os.environ.get(RECORD):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8"), f"other than {path.name}; {RECORD}=1 records it anew"
