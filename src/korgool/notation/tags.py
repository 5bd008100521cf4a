"""The tags of a game record, `[Name "text"]`: their names, and how they are read and written."""

from __future__ import annotations

import re
from collections.abc import Iterator

from korgool.notation.moves import NotationError
from korgool.notation.segments import TAG

SEVEN_TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
"""The tags that every tagged game carries, in the order of the PGN style."""
DERIVED_TAGS = ("Result", "Variant", "Rules", "FEN", "SetUp")
"""Tags that a record holds as its result and its start, and not among `tags`."""
TGK_TAGS = (*SEVEN_TAGS, "Count", "Comment")
"""The tags of the TGK dialect."""

_OTHER_TAGS = ("Time", "TimeControl", "WhiteElo", "BlackElo", "Variant", "Rules", "FEN", "SetUp", "Termination")
KNOWN_TAGS = (*TGK_TAGS, *_OTHER_TAGS)
"""The tags that are read in any case."""
_CASE = {name.lower(): name for name in KNOWN_TAGS}
_ESCAPE = re.compile(r"\\(.)")
_CONTROL = re.compile(r"[\x00-\x1f]")


def usual_name(name: str) -> str:
    """The name of a tag, a known one in its usual case."""
    return _CASE.get(name.lower(), name)


def tags_in(text: str) -> Iterator[tuple[str, str]]:
    """The tags of a line, as (name, text); known names in their usual case.

    Raises:
        NotationError: a part of the line is not a tag.
    """
    place = 0
    while place < len(text):
        match = TAG.match(text, place)
        if match is None:
            raise NotationError(f'the tag {text[place : place + 40]!r} is not complete; a tag is [Name "text"]')
        name, said = match.groups()
        if "\\" in said:
            said = _ESCAPE.sub(r"\1", said)
        yield usual_name(name), _CONTROL.sub(" ", said)
        place = match.end()


def format_tag(name: str, text: str) -> str:
    """A tag with its brackets.

    Raises:
        ValueError: the name or the text cannot stand in a tag.
    """
    if not name.isascii() or not name.isidentifier() or name.startswith("_"):
        raise ValueError(f"{name!r} cannot be the name of a tag; letters, digits and _ can")
    if any(ord(letter) < 32 for letter in text):
        raise ValueError(f"the tag {name} holds a line break or a control character")
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def unknown_tag(text: str) -> bool:
    """Return whether a tag's text says nothing: empty, `?` or a date of question marks."""
    return not text.strip(" ?.")
