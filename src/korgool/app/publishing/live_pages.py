"""Boards of the running round as readers see them: the first ones on one page, and a page for each.

Which lines of a scoresheet readers may see is decided before: these pages show all that they are given.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from korgool.app.publishing.page_making import Context, NoPageError, PageMaking
from korgool.app.words.event_texts import halves_said
from korgool.app.words.games import REASONS
from korgool.competition.board_sheet import BoardSheet
from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.conduct.sentences.durations import in_words
from korgool.languages import translations
from korgool.notation import format_move, svg_board
from korgool.rules import Outcome, Side

LIVE_PAGE = "live"
"""Name of the page of the first boards."""


def live_page(making: PageMaking) -> Context:
    """The first boards of the round: those whose scoresheet is kept, and the others by name.

    Raises:
        NoPageError: nothing is shown while it is played.
    """
    sheets, state = _shown(making), making.figures.state
    games = state.rounds[-1].games[: state.event.live.boards] if state.rounds else ()
    followed = [_board(making, game, sheets[game.board]) for game in games if game.board in sheets]
    return _about(making) | {
        "boards": followed,
        "others_here": [_row(making, game) for game in games if game.board not in sheets],
    }


def live_board_page(making: PageMaking, text: str) -> Context:
    """A board with all that is written of its game.

    Raises:
        NoPageError: nobody writes there.
    """
    sheets, state = _shown(making), making.figures.state
    games = state.rounds[-1].games if state.rounds else ()
    game = next((one for one in games if str(one.board) == text and one.board in sheets), None)
    if game is None:
        raise NoPageError(making.at)
    shown = _board(making, game, sheets[game.board])
    first = sheets[game.board].now.positions[0].fullmove
    entries = sheets[game.board].now.entries()
    rows = [(first + at // 2, *entries[at : at + 2]) for at in range(0, len(entries), 2)]
    return _about(making) | {"one": shown, "turns": [(*row, "")[:3] for row in rows], "back": making.link(LIVE_PAGE)}


def live_fields(state: EventState, sheets: Mapping[int, BoardSheet]) -> list[dict[str, Any]]:
    """The boards of the round whose scoresheets are kept, as data."""
    games = state.rounds[-1].games if state.rounds else ()
    return [_fields(state, game, sheets[game.board]) for game in games if game.board in sheets]


def _fields(state: EventState, game: PairedGame, sheet: BoardSheet) -> dict[str, Any]:
    now, outcome = sheet.now, sheet.now.outcome()
    return {
        "round": len(state.rounds),
        "board": game.board,
        "white": state.players[game.white].number,
        "white_name": state.players[game.white].name,
        "black": state.players[game.black].number,
        "black_name": state.players[game.black].name,
        "set": sheet.set,
        "moves": list(now.moves),
        "turns": list(now.entries()),
        "position": str(now.position),
        "result_text": None if outcome is None else outcome.result_text,
        "termination": None if outcome is None else str(outcome.termination),
    }


def _shown(making: PageMaking) -> Mapping[int, BoardSheet]:
    sheets = making.circumstances.sheets
    if sheets is None or not making.figures.state.event.live.boards:
        raise NoPageError(making.at)
    return sheets


def _about(making: PageMaking) -> Context:
    state, catalogue = making.figures.state, translations(making.circumstances.language)
    delay = state.event.live.delay
    return {"round": len(state.rounds), "delay": in_words(1000 * delay, catalogue) if delay else ""}


def _row(making: PageMaking, game: PairedGame) -> Context:
    sides = {"white": making.player(game.white), "black": making.player(game.black)}
    return {"board": game.board, **sides, **making.result(game.result)}


def _board(making: PageMaking, game: PairedGame, sheet: BoardSheet) -> Context:
    now = sheet.now
    position, outcome = now.position, now.outcome()
    last = now.positions[-2].sow(now.moves[-1]) if now.moves else None
    first, second = (game.white, game.black) if sheet.side_of("white") is Side.WHITE else (game.black, game.white)
    number = now.positions[-2].fullmove if last is not None else 0
    return {
        **_row(making, game),
        "above": making.player(second),
        "below": making.player(first),
        "stores": position.stores if outcome is None else outcome.stores,
        "svg": svg_board(position, trace=last, title=f"{making.words['board_n'] % {'board': game.board}}"),
        "turn": "" if outcome is not None else "white" if position.to_move is Side.WHITE else "black",
        "last": "" if last is None else f"{number}. {'… ' if last.mover is Side.BLACK else ''}{format_move(last)}",
        "set": sheet.set if sheet.of_sets > 1 else 0,
        "ended": "" if outcome is None else _ending(outcome, making.circumstances.language),
        "href": making.link(f"{LIVE_PAGE}/{game.board}"),
    }


def _ending(outcome: Outcome, language: str) -> str:
    """The result with the stones and the reason: `1 (82) – 0 (60), White has 82`."""
    winner = "draw" if outcome.winner is None else outcome.winner.name.lower()
    reason = REASONS.get(f"{outcome.termination} {winner}")
    said = "" if reason is None else translations(language).gettext(reason)
    return ", ".join(filter(None, (halves_said(outcome.result_text).replace(" - ", " – "), said)))
