"""The text of a diploma or certificate, which an organiser may change: lines with named places such as `{name}`.

A line that begins with `# ` is large, with `## ` less so; an empty line is free space. On lines of their own,
`{signatures}` is a row of lines to sign on with room for a stamp, `{emblem}` the picture of the organiser, and
`{medal}` a medal with the number of the place. A line whose places are all empty is left out. `{{` and `}}` are braces.
The text is printed as it is and never run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

NAMES = (
    "title", "name", "place", "category", "event", "group", "date", "venue", "where", "federation", "team", "from",
    "members", "points", "organiser", "opening", "linking", "closing",
)  # fmt: skip
"""The places that are filled in."""
SIGNATURES = "signatures"
ALONE = (SIGNATURES, "emblem", "medal")
"""The parts of a page that stand on a line of their own."""
DEFAULT = """\
{emblem}
{event}
{group}

# {title}
{opening}
## {name}
{from}
{linking}
{members}

{medal}
## {place}
{category}
{closing}
{points}

{signatures}
{where}
"""
MOST_LINES = 40
MOST_LETTERS = 300
_PARTS = tuple(f"{{{part}}}" for part in ALONE)
_PLACE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")


@dataclass(frozen=True, slots=True)
class TemplateLine:
    """A line: `size` 2 is the largest, 0 plain text; `text` may have places; empty text is free space.

    `part` names a part of the page that the line is, one of `ALONE`.
    """

    text: str
    size: int = 0
    part: str = ""


def read_template(text: str) -> tuple[TemplateLine, ...]:
    """The lines of a template.

    Raises:
        ValueError: it is too long, or a place is unknown or not closed; the message names the line.
    """
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").strip("\r\n").splitlines()]
    if len(lines) > MOST_LINES:
        raise ValueError(f"the template has {len(lines)} lines, {MOST_LINES} fit on a page")
    if not any(lines):
        raise ValueError("the template is empty")
    template = []
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_LETTERS:
            raise ValueError(f"line {number} of the template has {len(line)} letters, {MOST_LETTERS} fit")
        size = 2 if line.startswith("# ") else 1 if line.startswith("## ") else 0
        body = line.lstrip("#").strip() if size else line.strip()
        _check(body, number)
        template.append(TemplateLine(body, size if body else 0, body[1:-1] if body in _PARTS else ""))
    return tuple(template)


def filled(lines: tuple[TemplateLine, ...], values: Mapping[str, str]) -> list[TemplateLine]:
    """The lines with their places filled in, without those whose places are all empty."""
    filled_lines = []
    for line in lines:
        contents = (
            [] if line.part else [values[place[1]] for place in _PLACE.finditer(line.text) if place[1] is not None]
        )
        if line.part:
            filled_lines.append(line)
        elif not contents or any(contents):
            text = _PLACE.sub(lambda place: place[0][0] if place[1] is None else values[place[1]], line.text)
            filled_lines.append(TemplateLine(text, line.size))
    return filled_lines


def _check(body: str, number: int) -> None:
    for place in _PLACE.finditer(body):
        name = place[1]
        if place[0] in ("{", "}"):
            raise ValueError(f"line {number} of the template has a single {place[0]}; write {place[0] * 2} for a brace")
        if name in ALONE and body != place[0]:
            raise ValueError(f"line {number} of the template: {{{name}}} stands on a line of its own")
        if name is not None and name not in (*NAMES, *ALONE):
            raise ValueError(
                f"line {number} of the template: there is no place {{{name[:40]}}}; there are "
                + ", ".join(f"{{{known}}}" for known in (*NAMES, *ALONE))
            )
