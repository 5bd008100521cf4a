"""The ornament of papers that are hung up: ram's horns in gold on red felt, drawn as SVG without any picture file.

The horns are arcs whose radii shrink, sewn with a line of the colour of horn; a frame has as many pairs of them as fit
between its corners. In black and white the felt prints dark and the horns light.
"""

from __future__ import annotations

from functools import cache

FELT, GOLD, HORN = "#7a2318", "#d9a441", "#fbeacb"
METALS = {1: "#c8922e", 2: "#8d949c", 3: "#a5642f"}
"""Colours of the first three places."""
_BAND = 14.0
"""Height of a band in its own units, of which a pair of horns is about as wide as one and a half."""
_PAIR = 20.0
_PALE = "#f9f3e6"


def frame(width: float, height: float, band: float) -> str:
    """A frame around a page, from its outer edge inwards, of lengths in millimetres."""
    scale = _BAND / band
    wide, high = width * scale, height * scale
    across, down = wide - 2 * _BAND, high - 2 * _BAND
    sides = (
        (_BAND, 0.0, 0, across),
        (wide, _BAND, 90, down),
        (wide - _BAND, high, 180, across),
        (0.0, high - _BAND, 270, down),
    )
    strips = "".join(
        f'<g transform="translate({_n(x)} {_n(y)}) rotate({turn})">{_strip(length)}</g>' for x, y, turn, length in sides
    )
    corners = "".join(
        f'<use href="#corner" x="{_n(x)}" y="{_n(y)}"/>' for x in (0.0, wide - _BAND) for y in (0.0, high - _BAND)
    )
    inner = f'x="{_n(_BAND)}" y="{_n(_BAND)}" width="{_n(across)}" height="{_n(down)}"'
    body = (
        f'<path fill="{FELT}" fill-rule="evenodd" d="M0 0H{_n(wide)}V{_n(high)}H0ZM{_n(_BAND)} {_n(_BAND)}'
        f'V{_n(high - _BAND)}H{_n(wide - _BAND)}V{_n(_BAND)}Z"/>{strips}{corners}'
        f'<rect fill="none" stroke="{GOLD}" stroke-width="0.9" x="0.9" y="0.9" width="{_n(wide - 1.8)}" '
        f'height="{_n(high - 1.8)}"/><rect fill="none" stroke="{GOLD}" stroke-width="0.9" {inner}/>'
    )
    return _svg(wide, high, body, f"{_defined('pair', _pair())}{_defined('corner', _corner())}")


@cache
def strip(width: float, band: float) -> str:
    """A band of horns, of lengths in millimetres."""
    length = width * _BAND / band
    edges = f'd="M0 .9H{_n(length)}M0 {_n(_BAND - 0.9)}H{_n(length)}"'
    body = (
        f'<path fill="{FELT}" d="M0 0H{_n(length)}V{_n(_BAND)}H0Z"/>{_strip(length)}'
        f'<path fill="none" stroke="{GOLD}" stroke-width="0.9" {edges}/>'
    )
    return _svg(length, _BAND, body, _defined("pair", _pair()))


@cache
def medal(place: int) -> str:
    """A disc in the colour of a place between two horns; the number is set upon it, in the middle."""
    metal = METALS.get(place, FELT)
    rays = "".join(
        f'<path transform="rotate({turn} 50 30)" fill="{metal}" d="M50 4l3.4 6h-6.8z"/>' for turn in range(0, 360, 15)
    )
    horns = _sewn(_horns(50, 60, 46, (21, 12, 7, 3.4)), "none", metal, 3.6, 0)
    return _svg(
        100,
        64,
        f'{horns}<circle cx="50" cy="30" r="23" fill="#fff"/>{rays}<circle cx="50" cy="30" r="20" fill="{metal}"/>'
        f'<circle cx="50" cy="30" r="16.5" fill="none" stroke="{HORN}" stroke-width="0.9"/>',
    )


@cache
def rosette() -> str:
    """A pale rosette of horns for the middle of a page, behind its text."""
    arms = "".join(
        f'<g transform="rotate({turn} 50 50)">{_sewn(_horns(50, 50, top, radii), "none", _PALE, width, 0)}</g>'
        for begin, top, radii, width in ((0, 21, (8.6, 5.6, 2.8), 2.6), (45, 29, (4.2, 2.6), 2.0))
        for turn in range(begin, 360, 90)
    )
    return _svg(100, 100, f'{arms}<path fill="{_PALE}" d="M50 43l7 7-7 7-7-7z"/>')


def _strip(length: float) -> str:
    count = max(1, round(length / _PAIR))
    each = length / count
    pairs = "".join(f'<use href="#pair" x="{_n(each * (at + 0.5))}"/>' for at in range(count))
    knots = "".join(
        f'<path fill="{HORN}" d="M{_n(each * at)} 7.6l1.5 2.2-1.5 2.2-1.5-2.2z"/>'
        f'<path fill="{GOLD}" d="M{_n(each * at)} 5.6l2-3.4h-4z"/>'
        for at in range(1, count)
    )
    return pairs + knots


def _pair() -> str:
    """A pair of horns, from the inner edge of a band outwards, about x = 0."""
    return _sewn(_horns(0, 12.6, 6.4, (4.0, 2.6, 1.25)), HORN, GOLD, 1.45, 0.55) + (
        f'<path fill="{HORN}" d="M0 1.9l1.3 1.9L0 5.7l-1.3-1.9z"/><path fill="{GOLD}" d="M-3.4 12.6L0 9.2l3.4 3.4z"/>'
    )


def _corner() -> str:
    """A cross of four small pairs of horns in the corner of a frame."""
    arms = "".join(
        f'<g transform="rotate({turn} 7 7)">{_sewn(_horns(7, 7, 3.4, (1.35, 0.9)), "none", GOLD, 1.0, 0)}</g>'
        for turn in (0, 90, 180, 270)
    )
    return f'{arms}<path fill="{HORN}" d="M7 5.6L8.4 7 7 8.4 5.6 7z"/>'


def _horns(x: float, foot: float, top: float, radii: tuple[float, ...]) -> str:
    """The path of a stem that parts into two horns, each a row of half circles that turn inwards."""
    path = ""
    for side, sweep in ((1, 1), (-1, 0)):
        at, way = x, side
        path += f"M{_n(x)} {_n(foot)}V{_n(top)}"
        for radius in radii:
            at += 2 * radius * way
            way = -way
            path += f"A{_n(radius)} {_n(radius)} 0 0 {sweep} {_n(at)} {_n(top)}"
    return path


def _sewn(path: str, seam: str, colour: str, width: float, edge: float) -> str:
    """A path of felt with a seam along both of its sides."""
    drawn = f'fill="none" stroke-linecap="round" stroke-linejoin="round" d="{path}"'
    under = f'<path stroke="{seam}" stroke-width="{_n(width + edge)}" {drawn}/>' if edge else ""
    return f'{under}<path stroke="{colour}" stroke-width="{_n(width)}" {drawn}/>'


def _defined(name: str, body: str) -> str:
    return f'<g id="{name}">{body}</g>'


def _svg(width: float, height: float, body: str, defined: str = "") -> str:
    known = f"<defs>{defined}</defs>" if defined else ""
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(width)} {_n(height)}">{known}{body}</svg>'


def _n(value: float) -> str:
    return f"{value:.3f}".rstrip("0").rstrip(".")
