"""Papers without margins, to be cut or folded: result slips, place cards, table cards and badges."""

from __future__ import annotations

from collections.abc import Mapping

from korgool.app.printing.event_lists import sentence
from korgool.app.printing.paper_context import Block, PaperContext, by_number
from korgool.app.printing.qr import page_address, qr_svg
from korgool.app.words.event_texts import half
from korgool.app.words.games import GAME_WORDS
from korgool.competition.errors import CompetitionError
from korgool.competition.model import PairedGame
from korgool.competition.privacy import shown_parts
from korgool.languages import translations

_MOST_CARDS = 1000
_MANY_SETS = 7
"""Sets of a match that fit on a slip of half a page's width."""


def result_slips(context: PaperContext) -> list[Block]:
    """A slip for every game of a round: players, boxes for the result, signatures, and a QR code with round and board.

    Without an address the code contains `round=5&board=12`.
    """
    round_, event = context.state.round(context.number), context.state.event
    sets = event.sets
    slips = []
    for game in context.chosen(round_.games):
        code = context.qr(round_.number, game.board) or qr_svg(f"round={round_.number}&board={game.board}")
        slips.append(
            {
                "round": context.words["round_n"] % {"round": round_.number},
                "board": context.words["board_n"] % {"board": game.board},
                "white": _side(context, game.white),
                "black": _side(context, game.black),
                "result": _known(game),
                "qr": code,
            }
        )
    names = ("white", "black", "points", "total", "set", "referee", "qr")
    words = {name: context.words[name] for name in names}
    korgools = GAME_WORDS[event.game].korgools
    words["stones"] = translations(context.language, not korgools).gettext("Stones")
    return [
        {
            "kind": "slips",
            "event": context.cell(event.name),
            "slips": slips,
            "words": words,
            "sets": sets if sets > 1 else 0,
            "across": 1 if context.paper == "a5" or sets > _MANY_SETS else 2,
            "down": (3 if context.paper == "a4" else 2) if sets > 1 else (4 if context.paper == "a4" else 3),
        }
    ]


def _side(context: PaperContext, id_: int) -> dict[str, str]:
    if not id_:
        return {"name": context.words["no_player"], "number": "", "about": ""}
    player = context.state.players[id_]
    about = " · ".join(filter(None, (player.entry.title, player.entry.federation, player.entry.team)))
    return {"name": context.player(id_), "number": str(player.number), "about": context.cell(about)}


def _known(game: PairedGame) -> list[list[str]]:
    """Points and stones of White and Black if the result is known; in a match set by set, then the totals."""
    if game.result is None:
        return []
    stores = game.result.stores
    sums = [
        [half(game.result.white), "" if stores is None else str(stores[0])],
        [half(game.result.black), "" if stores is None else str(stores[1])],
    ]
    for at, side in enumerate(("white", "black")):
        for set_ in game.result.sets:
            sums[at].append(half(getattr(set_, side)))
            sums[at].append("" if set_.stores is None else str(set_.stores[at]))
    return sums


def place_cards(context: PaperContext) -> list[Block]:
    """A card for every player, to be folded in the middle so that it can be read from both sides."""
    cards = []
    for player in by_number(context.state):
        if context.has_left(player):
            continue
        entry = player.entry
        family, given = shown_parts(player)
        rated = f"{context.words['rating']} {entry.rating}" if entry.rating else ""
        cards.append(
            {
                "number": str(player.number),
                "family": context.cell(family),
                "given": context.cell(given),
                "about": context.cell(" · ".join(filter(None, (entry.title, rated)))),
                "team": context.cell(" · ".join(filter(None, (entry.federation, entry.team or entry.club)))),
            }
        )
    across, down = (2, 3) if context.paper == "a4" else (1, 2)
    return [
        {
            "kind": "cards",
            "cards": cards,
            "event": context.cell(context.state.event.name),
            "across": across,
            "down": down,
        }
    ]


def table_cards(context: PaperContext) -> list[Block]:
    """A card with the number of every board; with an address also a code that opens `ADDRESS/boards/3`.

    The boards are those of the largest round, or enough for all players; or the requested ones, which may be more.
    Where players report by phone, the cards are for the last round, to be folded: with name and code on each side.
    """
    state = context.state
    if context.seats:
        return _seat_cards(context, context.seats)
    most = max((len(round_.games) for round_ in state.rounds), default=len(state.players) // 2)
    first, last = context.boards or (1, most)
    if not 1 <= first <= last:
        raise CompetitionError(f"{state.event.name} has no boards {first} to {last}")
    if last - first >= _MOST_CARDS:
        raise CompetitionError(
            f"a document holds {_MOST_CARDS} table cards, not {last - first + 1}; print them in parts"
        )
    cards = [
        {"number": str(board), **_code(context, f"boards/{board}")}
        for board in range(first, last + 1)
    ]  # fmt: skip
    across, down = (2, 2) if context.paper == "a4" else (1, 2)
    return [
        {
            "kind": "tables",
            "cards": cards,
            "event": context.cell(state.event.name),
            "board": context.words["board"],
            "across": across,
            "down": down,
        }
    ]


def _seat_cards(context: PaperContext, seats: Mapping[int, tuple[str, str]]) -> list[Block]:
    """A folding card for every board of the last round: on each side a player, and the code for their phone."""
    round_, cards = context.state.rounds[-1], []
    for game in context.chosen(round_.games):
        faces = []
        for side, id_, code in zip(("white", "black"), (game.white, game.black), seats[game.board], strict=True):
            address = page_address(context.seats_url, code)
            faces.append(
                {
                    "side": context.words[side],
                    "name": context.player(id_),
                    "code": f"{code[:4]} {code[4:]}",
                    "qr": qr_svg(address),
                    "address": context.cell(context.seats_url),
                }
            )
        cards.append(
            {
                "place": f"{context.words['round_n'] % {'round': round_.number}} · "
                f"{context.words['board_n'] % {'board': game.board}}",
                "white": faces[0],
                "black": faces[1],
            }
        )
    _ = translations(context.language).gettext
    across, down = (2, 2) if context.paper == "a4" else (1, 2)
    return [
        {
            "kind": "seats",
            "cards": cards,
            "event": context.cell(context.state.event.name),
            "say": _("After the game both players say here who has won."),
            "across": across,
            "down": down,
        }
    ]


def badges(context: PaperContext) -> list[Block]:
    """A badge for every player who takes part and every official; with an address, players' badges have a code that
    opens their card, `ADDRESS/players/17`."""
    state, words = context.state, context.words
    cards = []
    for player in by_number(state):
        if context.has_left(player) or player.entry.removed:
            continue
        entry = player.entry
        family, given = shown_parts(player)
        cards.append(
            {
                "family": context.cell(family),
                "given": context.cell(given),
                "from": context.cell(" · ".join(filter(None, (entry.federation, entry.team or entry.club)))),
                "role": " · ".join(filter(None, (words["player"], context.cell(entry.title)))),
                "number": str(player.number),
                **_code(context, f"players/{player.number}"),
            }
        )
    for official in state.officials.values():
        if official.excluded:
            continue
        family, _, given = official.name.partition(",")
        cards.append(
            {
                "family": context.cell(family.strip()),
                "given": context.cell(given.strip()),
                "from": context.cell(official.federation),
                "role": " · ".join(
                    filter(None, (sentence(words[f"role {official.role}"]), context.cell(official.category)))
                ),
                "number": "",
                "qr": None,
                "address": "",
            }
        )
    across, down = (2, 4) if context.paper == "a4" else (1, 3)
    return [
        {"kind": "badges", "cards": cards, "event": context.cell(state.event.name), "across": across, "down": down}
    ]  # fmt: skip


def _code(context: PaperContext, page: str) -> dict[str, str | None]:
    if context.base_url is None:
        return {"qr": None, "address": ""}
    address = page_address(context.base_url, page)
    return {"qr": qr_svg(address), "address": context.cell(address)}
