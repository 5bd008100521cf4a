"""The game records attached to an event, with its names and results in their tags."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace

from korgool.competition.event_state import EventState
from korgool.competition.model import PairedGame
from korgool.notation import Record, read_records


def games(state: EventState, number: int | None = None) -> Iterator[Record]:
    """The game records attached to a round or to all rounds, with the names and results of the event in their tags.

    The tags name the round, the board and, in a match, the set. If the moves of a single game do not end it, its result
    is the event's. `korgool.notation.write_records` makes a file of the records.
    """
    rules = state.event.rules()
    for one in state.rounds if number is None else [state.round(number)]:
        for game in one.games:
            for at, text in enumerate(game.records, 1):
                for record in read_records(io.StringIO(text), rules):
                    yield _tagged(state, record, one.number, game, at if len(game.records) > 1 else 0)


def _tagged(state: EventState, record: Record, number: int, game: PairedGame, at: int) -> Record:
    settings = state.event
    tags = {name: text for name, text in record.tags.items() if name not in ("White", "Black")}
    white, black = (_one_line(state.players[id_].name) if id_ else "" for id_ in (game.white, game.black))
    tags |= {"Event": _one_line(settings.name), "Round": str(number), "White": white, "Black": black}
    tags |= {"Board": str(game.board), **({"Set": str(at)} if at else {})}
    if settings.place:
        tags["Site"] = _one_line(settings.place)
    result = record.result
    if result == "*" and game.result is not None and not at and game.result.played:
        result = {(2, 0): "1-0", (0, 2): "0-1", (1, 1): "1/2-1/2"}.get((game.result.white, game.result.black), "*")
        if result != "*" and game.result.cause not in ("board", "unknown"):
            tags["Termination"] = game.result.cause
    return replace(record, tags={name: text for name, text in tags.items() if text}, result=result)


def _one_line(text: str) -> str:
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
