"""Record forms as PDF and PNG: their pages, blocks of rows and totals, as data for the template `form.typ`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from korgool.app.printing.form_words import form_words, game_name, reason_of
from korgool.app.printing.qr import qr_svg, qr_text
from korgool.app.printing.record_form import FormPlayer, RecordForm
from korgool.app.printing.typesetting import printable, typeset
from korgool.app.words.event_texts import halves_said
from korgool.app.words.games import GAME_WORDS
from korgool.conduct.scoresheet import turns
from korgool.notation.moves import landing
from korgool.rules import Outcome, Rules, Side, Sowing

_TEMPLATE = Path(__file__).with_name("form.typ")
PAPERS = ("a4", "a5")
"""Paper sizes; a form of A5 is printed on both sides of its sheet."""

_ROWS = {
    # (paper, whether turns may have several plies): rows of a block on the front, and on the sheets after it
    ("a4", False): (36, 46),
    ("a4", True): (20, 26),
    ("a5", False): (25, 34),
    ("a5", True): (15, 20),
}
_BLOCKS = 2

_Row: TypeAlias = dict[str, Any]


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
    return _typeset_forms(forms, language, paper, base_url, "pdf")[0]


def form_png(
    forms: RecordForm | Sequence[RecordForm],
    *,
    language: str = "en",
    paper: str = "a4",
    base_url: str | None = None,
    resolution: float = 110,
) -> list[bytes]:
    """The pages of the same document as pictures, `resolution` pixels an inch."""
    return _typeset_forms(forms, language, paper, base_url, "png", resolution)


def _typeset_forms(
    forms: RecordForm | Sequence[RecordForm],
    language: str,
    paper: str,
    base_url: str | None,
    kind: Literal["pdf", "png"],
    resolution: float = 110,
) -> list[bytes]:
    forms = [forms] if isinstance(forms, RecordForm) else list(forms)
    if not forms:
        raise ValueError("there is no form to print")
    if len({form.rules.name for form in forms}) > 1:
        raise ValueError("forms of different games do not fit in one document; print each game by itself")
    documents = [form_data(form, language, paper, base_url) for form in forms]
    data: dict[str, Any] = {
        **documents[0],
        "pages": [page for document in documents for page in document["pages"]],
        "language": language,
        "paper": paper,
        "title": documents[0]["words"]["title"],
    }
    return typeset(_TEMPLATE, data, kind, resolution)


def form_data(form: RecordForm, language: str, paper: str, base_url: str | None = None) -> dict[str, Any]:
    """The pages of one form for the template `form.typ`, with its words.

    Raises:
        ValueError: there is no such language or paper.
    """
    if paper not in PAPERS:
        raise ValueError(f"there is no paper {paper!r}; there are {', '.join(PAPERS)}")
    words = form_words(form.rules, language)
    name = printable(game_name(form.rules, language))
    front, after = _ROWS[paper, form.rules.extra_turn]
    rows = _rows(form)
    if rows and not rows[-1]["white"] and len(rows) - 1 in _full(front, after):
        rows.pop()  # a total alone needs no new sheet, because the result shows it too
    outcome = form.record.outcome() if form.record is not None else None
    sheets = list(
        _sheets(rows, front, after, GAME_WORDS[form.rules.name].turns, over=outcome is not None or form.both_lost)
    )
    result = "" if outcome is None else halves_said(outcome.result_text)
    points = ["", ""] if outcome is None else [half.split(" (")[0] for half in result.split(" - ")]
    if form.both_lost:
        result, points = "0 - 0", ["0", "0"]
    texts = {
        "game": name,
        **{
            field: printable(getattr(form, field))
            for field in ("event", "site", "date", "round", "board", "control", "clock", "started", "ended", "arbiter")
        },
        "set": None if form.set is None else printable(form.set),
        "white": _player(form.white),
        "black": _player(form.black),
        "summary": _summary(form, name, words),
        "start": _start(form),
        "qr": _qr(form, base_url),
        "points": points,
        "stones": ["", ""] if outcome is None else [str(stones) for stones in outcome.stores],
        "time_used": [printable(text) for text in form.time_used],
        "offers": _offers(form),
        "warnings": list(form.warnings),
        "result": result,
        "result_label": _result_label(form.rules, outcome, words, language),
        "legend": words["legend"],
    }
    pages = [
        {**texts, "front": number == 1, "page": f"{number} / {len(sheets)}", "blocks": blocks}
        for number, blocks in enumerate(sheets, 1)
    ]
    return {"words": words, "pages": pages, "several": form.rules.extra_turn}


def _player(player: FormPlayer) -> dict[str, str]:
    return {name: printable(getattr(player, name)) for name in ("name", "title", "rating", "team")}


def _summary(form: RecordForm, name: str, words: dict[str, str]) -> str:
    """The heading of a sheet after the first, in one line."""
    parts = [name, form.event]
    parts += [f"{words[field]} {getattr(form, field)}" for field in ("round", "board", "set") if getattr(form, field)]
    parts.append(f"{form.white.name or words['white']} – {form.black.name or words['black']}")
    return printable(" · ".join(filter(None, parts)))


def _result_label(rules: Rules, outcome: Outcome | None, words: dict[str, str], language: str) -> str:
    """The name of the field for the result, with the reason; on a blank form, with an example (WNG-TK §IX)."""
    if outcome is not None:
        return " · ".join(filter(None, (words["result"], reason_of(outcome, language))))
    won = rules.goal or rules.total // 2 + 6
    lost = rules.total - won - 20 * (rules.goal == 82)
    return words["result_like"] % {"example": f"1 ({won}) - 0 ({lost})"}


def _start(form: RecordForm) -> str | None:
    record = form.record
    return None if record is None or record.start == form.rules.start() else str(record.start)


def _qr(form: RecordForm, base_url: str | None) -> str | None:
    text = None if form.record is None else qr_text(form.record, base_url)
    return None if text is None else qr_svg(text)


def _offers(form: RecordForm) -> list[int]:
    """Draw offers of White and of Black, at most the number of boxes (WNG-TK §X)."""
    counts = [0, 0]
    if form.record is not None:
        movers = [sowing.mover for turn in turns(form.record.game()) for sowing in turn]
        for ply in form.record.offers:
            counts[movers[ply - 1]] += 1
    return [min(3, count) for count in counts]


def _rows(form: RecordForm) -> list[_Row]:
    """The rows of the game, each with a move of both players, without the empty rows after it."""
    rows: list[_Row] = []
    if form.record is None:
        return rows
    game, offers = form.record.game(), set(form.record.offers)
    shown, ply = list(game.start.stores), 0
    for turn in turns(game):
        side = turn[0].mover
        if side is Side.WHITE or not rows:
            rows.append(_row(len(rows) + 1))
            if side is Side.BLACK:
                rows[-1]["white"] = "…"
        offered = any(number in offers for number in range(ply + 1, ply + len(turn) + 1))
        column = side.name.lower()
        after = turn[-1].after.stores
        rows[-1][column] = ",".join(map(_move, turn)) + ("=" if offered else "")
        if after[side] != shown[side]:
            rows[-1][f"{column}_kazan"] = str(after[side])
            shown[side] = after[side]
        ply += len(turn)
    # Stones of the last move may have fallen into the opponent's tuz.
    last = game.position.stores
    if last[Side.BLACK] != shown[Side.BLACK]:
        rows[-1]["black_kazan"] = str(last[Side.BLACK])
    elif last[Side.WHITE] != shown[Side.WHITE]:
        rows.append({**_row(len(rows) + 1), "white_kazan": str(last[Side.WHITE])})
    return rows


def _move(sowing: Sowing) -> str:
    """A ply as shown in the cell of a move; the store has its own cell."""
    return f"{sowing.hole}{landing(sowing)}" + ("X" if sowing.tuz is not None else "")


def _row(number: int, void: bool = False) -> _Row:
    return {"number": number, "void": void, "white": "", "white_kazan": "", "black": "", "black_kazan": ""}


def _full(front: int, after: int) -> range:
    """The numbers of rows that fill the last sheet."""
    return range(_BLOCKS * front, 10**6, _BLOCKS * after)


def _sheets(rows: Sequence[_Row], front: int, after: int, room: int, *, over: bool) -> Iterator[list[list[_Row]]]:
    """The rows in sheets of two blocks, padded with empty rows.

    If the game is over, the rows after it are struck out, so that nothing can be added.
    """
    wanted = len(rows) or (room + 1) // 2
    done, size = 0, front
    while done < wanted:
        blocks = []
        for _ in range(_BLOCKS):
            block = list(rows[done : done + size])
            block += [_row(done + place + 1, over) for place in range(len(block), size)]
            blocks.append(block)
            done += size
        yield blocks
        size = after
