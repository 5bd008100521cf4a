"""Papers of games: record forms for a round, and the games of the special board with diagrams (WNG-TK §VIII)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from korgool.app.printing.event_lists import sentence
from korgool.app.printing.form_words import reason_of
from korgool.app.printing.paper_context import BLACK, WHITE, Block, PaperContext
from korgool.app.printing.record_form import FormPlayer, RecordForm
from korgool.app.words.event_texts import halves_said
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame
from korgool.competition.privacy import shown_name
from korgool.competition.result_sources import check_records
from korgool.notation import Record, format_move, format_movetext, svg_board
from korgool.rules import VARIANTS, Match, Side, Sowing

DIAGRAMS = 6
"""The most diagrams of a game: every tuz, the end, and others between them as far as there is room."""


MOST_FORMS = 200
"""The most record forms in one document; typesetting takes 9 MiB of memory a sheet."""


def record_forms(context: PaperContext) -> list[RecordForm]:
    """The record forms of a round: one for every game or set, filled in if a record is attached."""
    round_, event = context.state.round(context.number), context.state.event
    games = context.chosen(round_.games)
    if len(games) * event.sets > MOST_FORMS:
        raise CompetitionError(
            f"round {round_.number} needs {len(games) * event.sets} record forms, a document holds {MOST_FORMS}; "
            f"print them in parts, such as boards 1 to {max(1, MOST_FORMS // event.sets)}"
        )
    forms = []
    for game in games:
        records = _records(context, round_.number, game)
        for number in range(1, event.sets + 1):
            forms.append(
                _form(context, round_.number, game, number, records[number - 1] if number <= len(records) else None)
            )
    return forms


def _records(context: PaperContext, number: int, game: PairedGame) -> tuple[Record, ...]:
    try:
        return check_records(context.state, game, game.records)
    except CompetitionError as error:
        raise CompetitionError(f"round {number}, board {game.board}: {error}") from None


def _form(context: PaperContext, number: int, game: PairedGame, at: int, record: Record | None) -> RecordForm:
    event = context.state.event
    rules = event.rules()
    white_first = Match(rules, event.sets).side_of(0, at) is Side.WHITE
    white, black = (game.white, game.black) if white_first else (game.black, game.white)
    of_sets = event.sets > 1 or VARIANTS[rules.name].in_sets
    form = RecordForm(
        rules,
        _form_player(context, white),
        _form_player(context, black),
        event=event.name,
        site=event.place,
        date=context.day(context.date or (event.begins if event.begins == event.ends else "")),
        round=str(number),
        board=str(game.board),
        set=str(at) if of_sets else None,
        control=str(event.time_control()),
    )
    return form if record is None else replace(form, rules=record.start.rules, record=record)


def _form_player(context: PaperContext, id_: int) -> FormPlayer:
    if not id_:
        return FormPlayer()
    player = context.state.players[id_]
    entry = player.entry
    return FormPlayer(shown_name(player), entry.title, str(entry.rating or ""), entry.team or entry.federation)


def special_games(context: PaperContext) -> list[Block]:
    """The games chosen for the special board, of one round or of all: players, result, diagrams, moves.

    A game without a record shows the position it starts from.
    """
    rounds = context.state.rounds if context.round is None else (context.state.round(context.round),)
    chosen = [(round_.number, game) for round_ in rounds for game in round_.games if game.special]
    if not chosen:
        where = context.state.event.name if context.round is None else f"round {context.round}"
        raise CompetitionError(f"no game of {where} is chosen for the special board")
    blocks: list[Block] = []
    for number, game in chosen:
        records = _records(context, number, game) or (Record(context.state.event.rules().start()),)
        for at, record in enumerate(records, 1):
            if blocks:
                blocks.append({"kind": "break"})
            blocks.append(_game(context, number, game, record, at if len(records) > 1 else 0))
    return blocks


def _game(context: PaperContext, number: int, game: PairedGame, record: Record, at: int) -> Block:
    words = context.words
    places = [words["round_n"] % {"round": number}, words["board_n"] % {"board": game.board}]
    if at:
        places.append(words["set_n"] % {"set": at})
    outcome = record.outcome()
    own = "" if outcome is None else halves_said(outcome.result_text).replace(" - ", " – ")
    result = own if at else context.result(game)
    reason = "" if outcome is None else reason_of(outcome, context.language)
    swapped = at and Match(context.state.event.rules(), context.state.event.sets).side_of(0, at) is Side.BLACK
    white, black = (game.black, game.white) if swapped else (game.white, game.black)
    return {
        "kind": "game",
        "place": " · ".join(places),
        "white": _about(context, white),
        "black": _about(context, black),
        "result": " · ".join(filter(None, (result, sentence(reason)))),
        "moves": format_movetext((record.start, record.moves), offers=record.offers),
        "diagrams": diagrams(record, words),
        "across": 2,
        "qr": context.qr(number, game.board),
    }


def _about(context: PaperContext, id_: int) -> dict[str, str]:
    if not id_:
        return {"name": context.words["no_player"], "about": ""}
    entry = context.state.players[id_].entry
    about = " · ".join(filter(None, (entry.title, str(entry.rating or ""), entry.federation)))
    return {"name": context.player(id_), "about": context.cell(about)}


def diagrams(record: Record, words: Mapping[str, str]) -> list[dict[str, str]]:
    """The positions worth a diagram, as drawings with the move they follow: every tuz, the end, and steps between."""
    position, plies = record.start, list[tuple[int, Sowing]]()
    for move in record.moves:
        plies.append((position.fullmove, position.sow(move)))
        position = plies[-1][1].after
    if not plies:
        return [{"svg": svg_board(record.start, theme="print"), "text": ""}]
    wanted = {len(plies)} | {ply for ply, (_, sowing) in enumerate(plies, 1) if sowing.tuz is not None}
    if free := max(0, DIAGRAMS - len(wanted)):
        step = max(10, -(-len(plies) // (free + 1)))
        wanted |= set(range(step, len(plies) - step // 2, step))
    drawings = []
    for ply in sorted(wanted)[-DIAGRAMS:]:
        number, sowing = plies[ply - 1]
        after = words["after_move"] % {"move": number}
        text = f"{after}: {WHITE if sowing.mover is Side.WHITE else BLACK} {format_move(sowing)}"
        drawings.append({"svg": svg_board(sowing.after, trace=sowing, theme="print"), "text": text})
    return drawings
