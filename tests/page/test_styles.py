"""The style sheets of the pages keep to one scale of sizes and of distances, and controls to one colour of borders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import korgool.app

STYLES = Path(korgool.app.__file__).parent / "static" / "css"
PAPER = {"scoresheet.css"}
"""Sheets for printers, which have points and millimetres."""
SHEETS = sorted(path.name for path in STYLES.glob("*.css") if path.name not in PAPER)
RULE = re.compile(r"([^{}]*)\{([^{}]*)\}")
DISTANCE = re.compile(r"(?:(?:row|column)-)?gap|(?:margin|padding)(?:-[a-z]+)*")
CONTROL = re.compile(r"\b(input|select|textarea|button)\b(?!\[)|\.(button|way|tool|link)\b")
SIZE = r"var\(--size-\d+\)"
SCALED = re.compile(
    rf"(?:{SIZE}|inherit)(?: !important)?|(?:clamp|min|max)\((?:{SIZE}|[\d.]+vw)(?:, (?:{SIZE}|[\d.]+vw))*\)"
)


def rules(sheet: str) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """The selectors of a sheet, each with its declarations; what stands in media queries too."""
    text = re.sub(r"/\*.*?\*/", "", (STYLES / sheet).read_text(encoding="utf-8"), flags=re.DOTALL)
    text = re.sub(r"url\([^)]*\)", "url()", text)
    for selector, body in RULE.findall(text):
        pairs = (part.partition(":") for part in body.split(";") if ":" in part)
        yield " ".join(selector.split()), [(name.strip(), value.strip()) for name, _, value in pairs]


@pytest.mark.parametrize("sheet", SHEETS)
def test_letters_have_sizes_of_the_scale(sheet: str) -> None:
    """On the wall of a hall they follow its height, and in a drawing its own units."""
    odd = []
    for selector, pairs in rules(sheet):
        if selector.startswith((":root", ".wall ")) or re.search(r"\.(evaluations|board) ", f"{selector} "):
            continue
        for name, value in pairs:
            if name == "font-size" and not SCALED.fullmatch(value):
                odd.append(f"{selector}: {value}")
            if name == "font" and value != "inherit" and not re.search(SIZE, value):
                odd.append(f"{selector}: {value}")
    assert not odd


@pytest.mark.parametrize("sheet", SHEETS)
def test_distances_are_those_of_the_scale(sheet: str) -> None:
    """A line or two, the indent of a list in letters, and what pulls a thing out of its place are none."""
    odd = []
    for selector, pairs in rules(sheet):
        for name, value in pairs:
            lengths = re.findall(r"(?<![\w.-])(\d*\.?\d+)(px|rem|mm|pt)\b", value)
            if DISTANCE.fullmatch(name) and any(unit != "px" or float(number) > 2 for number, unit in lengths):
                odd.append(f"{selector}: {name}: {value}")
    assert not odd


@pytest.mark.parametrize("sheet", SHEETS)
def test_borders_of_controls_have_their_colour(sheet: str) -> None:
    pale = [
        f"{selector}: {value}"
        for selector, pairs in rules(sheet)
        if CONTROL.search(selector) and ":disabled" not in selector and "output" not in selector
        for name, value in pairs
        if re.fullmatch(r"border(-color)?", name) and re.search(r"var\(--(line|quiet)\)", value)
    ]
    assert not pale


def luminance(colour: str) -> float:
    """Of `#rrggbb`, as WCAG counts it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("look", ["light", "dark"])
def test_that_colour_is_seen_on_everything_controls_lie_on(look: str) -> None:
    found = dict(
        re.findall(r"--([a-z-]+): var\(--light, (#\w{6})\) var\(--dark, #\w{6}\)", (STYLES / "page.css").read_text())
    )
    if look == "dark":
        found = dict(
            re.findall(
                r"--([a-z-]+): var\(--light, #\w{6}\) var\(--dark, (#\w{6})\)", (STYLES / "page.css").read_text()
            )
        )
    for ground in ("ground", "card", "accent-soft"):
        one, other = sorted(luminance(found[name]) for name in ("edge", ground))
        assert (other + 0.05) / (one + 0.05) >= 3, ground
