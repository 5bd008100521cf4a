"""Typesets forms as PDF, and as PNG for previews, with Typst, offline and with its own fonts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from korgool.app.printing.form import RecordForm
from korgool.app.printing.layout import form_data

if TYPE_CHECKING:
    import typst

_TEMPLATE = Path(__file__).with_name("form.typ")


def form_pdf(
    forms: RecordForm | Sequence[RecordForm], *, language: str = "en", paper: str = "a4", base_url: str | None = None
) -> bytes:
    """Forms as one PDF document, each on its own sheets. The same forms give the same bytes.

    Args:
        forms: one form or several of the same game.
        language: one of `korgool.languages.LANGUAGES`.
        paper: `a4` or `a5`.
        base_url: the address of a page that shows games, for the QR code; without one the code holds the moves as text.

    Raises:
        ValueError: there is no such language or paper, or no form, or the forms are of different games.
    """
    return _typeset(forms, language, paper, base_url, "pdf")[0]


def form_png(
    forms: RecordForm | Sequence[RecordForm],
    *,
    language: str = "en",
    paper: str = "a4",
    base_url: str | None = None,
    resolution: float = 110,
) -> list[bytes]:
    """The pages of the same document as pictures, `resolution` pixels an inch."""
    return _typeset(forms, language, paper, base_url, "png", resolution)


def _typeset(
    forms: RecordForm | Sequence[RecordForm],
    language: str,
    paper: str,
    base_url: str | None,
    kind: Literal["pdf", "png"],
    resolution: float = 110,
) -> list[bytes]:
    import typst

    forms = [forms] if isinstance(forms, RecordForm) else list(forms)
    if not forms:
        raise ValueError("there is no form to print")
    if len({form.rules.name for form in forms}) > 1:
        raise ValueError("forms of different games do not fit in one document; print each game by itself")
    parts = [form_data(form, language, paper, base_url) for form in forms]
    data: dict[str, Any] = {
        **parts[0],
        "pages": [page for part in parts for page in part["pages"]],
        "language": language,
        "paper": paper,
        "title": parts[0]["words"]["title"],
    }
    text = json.dumps(data, ensure_ascii=False)
    result = typst.compile(
        _TEMPLATE,
        format=kind,
        ppi=resolution,
        sys_inputs={"data": text},
        font_paths=carried_fonts(text),
        root=_TEMPLATE.parent,
    )
    return result if isinstance(result, list) else [result]


def carried_fonts(text: str) -> typst.Fonts:
    """The fonts that typst carries; they have every letter of all languages, Greek and Hebrew.

    For a name in other scripts, such as Arabic or Chinese, the fonts of the system are searched, which takes a while; a
    letter that no font has is printed as a box. A font that is installed later is found by the next process.
    """
    return _fonts(include_system=not all(map(_carried, set(text))))


@cache
def _fonts(*, include_system: bool) -> typst.Fonts:
    """Parsed once: every document that parses them again takes almost twice as long."""
    import typst

    return typst.Fonts(include_system_fonts=include_system, include_embedded_fonts=True)


def _carried(letter: str) -> bool:
    return letter < "\u0530" or "\u1e00" <= letter <= "\u22ff" or letter in "■☐×○●"
