"""Papers to be cut or folded: result slips and place cards."""

from __future__ import annotations

from korgool.app.printing.event_values import Block, Making, by_number
from korgool.app.printing.qr import qr_svg
from korgool.app.words.games import GAME_WORDS
from korgool.competition.model import PairedGame
from korgool.competition.privacy import shown_parts

_MANY_SETS = 7
"""Sets of a match that fit on a slip of half a page's width."""


def result_slips(making: Making) -> list[Block]:
    """A slip for every game of a round: players, boxes for the result, signatures, and a QR code with round and board.

    Without an address the code contains `round=5&board=12`.
    """
    one, event = making.state.round(making.number), making.state.event
    sets = event.sets
    slips = []
    for game in making.chosen(one.games):
        code = making.qr(one.number, game.board) or qr_svg(f"round={one.number}&board={game.board}")
        slips.append(
            {
                "round": making.words["round_n"] % {"round": one.number},
                "board": making.words["board_n"] % {"board": game.board},
                "white": _side(making, game.white),
                "black": _side(making, game.black),
                "result": _known(game),
                "qr": code,
            }
        )
    names = ("white", "black", "points", "total", "set", "referee", "qr")
    words = {name: making.words[name] for name in names}
    words["stones"] = making.words["korgools" if GAME_WORDS[event.game].korgools else "stones"]
    return [
        {
            "kind": "slips",
            "event": making.cell(event.name),
            "slips": slips,
            "words": words,
            "sets": sets if sets > 1 else 0,
            "across": 1 if making.paper == "a5" or sets > _MANY_SETS else 2,
            "down": (3 if making.paper == "a4" else 2) if sets > 1 else (4 if making.paper == "a4" else 3),
        }
    ]


def _side(making: Making, id_: int) -> dict[str, str]:
    if not id_:
        return {"name": making.words["no_player"], "number": "", "about": ""}
    player = making.state.players[id_]
    about = " · ".join(filter(None, (player.entry.title, player.entry.federation, player.entry.team)))
    return {"name": making.player(id_), "number": str(player.number), "about": making.cell(about)}


def _known(game: PairedGame) -> list[list[str]]:
    """Points and stones of White and Black if the result is known; in a match set by set, then the totals."""
    from korgool.app.words.event_texts import half

    if game.result is None:
        return []
    stores = game.result.stores
    sums = [
        [half(game.result.white), "" if stores is None else str(stores[0])],
        [half(game.result.black), "" if stores is None else str(stores[1])],
    ]
    for at, side in enumerate(("white", "black")):
        for one in game.result.sets:
            sums[at].append(half(getattr(one, side)))
            sums[at].append("" if one.stores is None else str(one.stores[at]))
    return sums


def place_cards(making: Making) -> list[Block]:
    """A card for every player, to be folded in the middle so that it can be read from both sides."""
    cards = []
    for player in by_number(making.state):
        if player.until is not None and player.until <= len(making.state.rounds) and making.state.rounds:
            continue
        entry = player.entry
        family, given = shown_parts(player)
        rated = f"{making.words['rating']} {entry.rating}" if entry.rating else ""
        cards.append(
            {
                "number": str(player.number),
                "family": making.cell(family),
                "given": making.cell(given),
                "about": making.cell(" · ".join(filter(None, (entry.title, rated)))),
                "team": making.cell(" · ".join(filter(None, (entry.federation, entry.team or entry.club)))),
            }
        )
    across, down = (2, 3) if making.paper == "a4" else (1, 2)
    return [
        {"kind": "cards", "cards": cards, "event": making.cell(making.state.event.name), "across": across, "down": down}
    ]
