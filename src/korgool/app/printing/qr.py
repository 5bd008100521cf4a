"""QR codes of games, rounds, boards and players, with the addresses or moves that they hold."""

from __future__ import annotations

import re
from io import BytesIO
from urllib.parse import urlencode

from korgool.notation.record import Record
from korgool.notation.writing import write_record

MOST_VERSION = 18
"""The largest QR version that a phone can read from the form: 89 modules and a quiet zone on 30 mm."""
_ADDRESS = re.compile(r"https?://[!-~]{1,400}")


def qr_text(record: Record, base_url: str | None = None) -> str | None:
    """The contents of the QR code, or None if the bare dialect cannot express the game.

    Without an address, this is a line of the bare dialect with its result, `79681… 1-0`, which every command that reads
    records accepts. With an address, it is `ADDRESS?game=toguz&moves=79681…&result=1-0`.

    Args:
        record: the game.
        base_url: the address of a page that shows such a game.

    Raises:
        ValueError: that is not the address of a page.
    """
    if base_url is not None:
        address(base_url)
    try:
        moves = write_record(record, "bare").strip()
    except ValueError:
        return None
    if base_url is None:
        return moves if record.result == "*" else f"{moves} {record.result}"
    values = {"game": record.start.rules.name, "moves": moves}
    if record.result != "*":
        values["result"] = record.result
    sign = "&" if "?" in base_url else "?"
    return base_url + sign + urlencode(values)


def address(base_url: str) -> str:
    """The address of a page, unchanged; raises ValueError if it is invalid."""
    if not _ADDRESS.fullmatch(base_url):
        raise ValueError(f"{base_url[:60]!r} is not an address such as https://example.org/replay")
    return base_url


def round_address(base_url: str, number: int, board: int | None = None) -> str:
    """`ADDRESS?round=5`, or `ADDRESS?round=5&board=12`.

    Raises:
        ValueError: the address is invalid.
    """
    values = {"round": number} if board is None else {"round": number, "board": board}
    return f"{address(base_url)}{'&' if '?' in base_url else '?'}{urlencode(values)}"


def page_address(base_url: str, page: str) -> str:
    """`ADDRESS/boards/12`, for the pages below an event's own.

    Raises:
        ValueError: the address is invalid, or goes on with `?` or `#`.
    """
    if set("?#") & set(base_url):
        raise ValueError(f"{base_url[:60]!r}: pages of boards and players need an address without ? and #")
    return address(f"{base_url.rstrip('/')}/{page}")


def qr_svg(text: str) -> str | None:
    """The code as SVG, or None if it would be too fine to read from paper."""
    import segno

    try:
        code = segno.make(text, error="m", micro=False, boost_error=False)
    except segno.DataOverflowError:
        return None
    if not isinstance(code.version, int) or code.version > MOST_VERSION:
        return None
    out = BytesIO()
    code.save(out, kind="svg", border=2, xmldecl=False, svgns=True, omitsize=True, light="#fff")
    return out.getvalue().decode()
