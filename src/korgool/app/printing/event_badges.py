"""Cards for the tables with a code that opens the board's page, and badges of players and officials."""

from __future__ import annotations

from korgool.app.printing.event_lists import sentence
from korgool.app.printing.event_values import Block, Making, by_number, page_address
from korgool.app.printing.qr import qr_svg
from korgool.competition.errors import CompetitionError
from korgool.competition.privacy import shown_parts

_MOST_CARDS = 1000


def table_cards(making: Making) -> list[Block]:
    """A card with the number of every board; with an address also a code that opens `ADDRESS/boards/3`.

    The boards are those of the largest round, or enough for all players; or the requested ones, which may be more.
    """
    state = making.state
    most = max((len(one.games) for one in state.rounds), default=len(state.players) // 2)
    first, last = making.boards or (1, most)
    if not 1 <= first <= last:
        raise CompetitionError(f"{state.event.name} has no boards {first} to {last}")
    if last - first >= _MOST_CARDS:
        raise CompetitionError(
            f"a document holds {_MOST_CARDS} table cards, not {last - first + 1}; print them in parts"
        )
    cards = [
        {"number": str(board), **_code(making, f"boards/{board}")}
        for board in range(first, last + 1)
    ]  # fmt: skip
    across, down = (2, 2) if making.paper == "a4" else (1, 2)
    return [
        {
            "kind": "tables",
            "cards": cards,
            "event": making.cell(state.event.name),
            "board": making.words["board"],
            "across": across,
            "down": down,
        }
    ]


def badges(making: Making) -> list[Block]:
    """A badge for every player who takes part and every official; with an address, players' badges have a code that
    opens their card, `ADDRESS/players/17`."""
    state, words = making.state, making.words
    found = []
    for player in by_number(state):
        left = player.until is not None and state.rounds and player.until <= len(state.rounds)
        if left or player.entry.removed:
            continue
        entry = player.entry
        family, given = shown_parts(player)
        found.append(
            {
                "family": making.cell(family),
                "given": making.cell(given),
                "from": making.cell(" · ".join(filter(None, (entry.federation, entry.team or entry.club)))),
                "role": " · ".join(filter(None, (words["player"], making.cell(entry.title)))),
                "number": str(player.number),
                **_code(making, f"players/{player.number}"),
            }
        )
    for official in state.officials.values():
        if official.excluded:
            continue
        family, _, given = official.name.partition(",")
        found.append(
            {
                "family": making.cell(family.strip()),
                "given": making.cell(given.strip()),
                "from": making.cell(official.federation),
                "role": " · ".join(
                    filter(None, (sentence(words[f"role {official.role}"]), making.cell(official.category)))
                ),
                "number": "",
                "qr": None,
                "address": "",
            }
        )
    across, down = (2, 4) if making.paper == "a4" else (1, 3)
    return [
        {"kind": "badges", "cards": found, "event": making.cell(state.event.name), "across": across, "down": down}
    ]  # fmt: skip


def _code(making: Making, page: str) -> dict[str, str | None]:
    if making.base_url is None:
        return {"qr": None, "address": ""}
    address = page_address(making.base_url, page)
    return {"qr": qr_svg(address), "address": making.cell(address)}
