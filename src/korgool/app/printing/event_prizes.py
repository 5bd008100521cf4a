"""The prize list with signatures, and what the event changes in ratings."""

from __future__ import annotations

from itertools import groupby

from korgool.app.printing.event_layout import Column, Row, table
from korgool.app.printing.event_protocol import signatures
from korgool.app.printing.event_values import Block, Making
from korgool.app.words.event_texts import half
from korgool.app.words.prize_words import amount_name, category_name, prize_reason
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Player
from korgool.competition.privacy import shown_name
from korgool.competition.prizes import Award, prizes
from korgool.competition.ratings import rating_changes
from korgool.languages import translations

_SHORT = 24
"""Letters of a prize that stay on one line."""


def prize_list(making: Making) -> list[Block]:
    """Prizes with their winners, by category, with room for the winners' signatures."""
    event, words = making.state.event, making.words
    if not event.fund.prizes:
        raise CompetitionError(f"{event.name} has no prizes; `korgool event change --prize` sets them")
    found, gettext = prizes(making.state), translations(making.language).gettext
    short = all(len(amount_name(found.fund, award)) <= _SHORT for award in found.awards)
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["name"], flex=13, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["prize"], flex=0 if short else 9, bold=True),
        Column(words["reason"], flex=9, optional=True),
        Column(words["signature"], least=11),
    ]

    def cells(award: Award) -> list[str]:
        prize = making.cell(amount_name(found.fund, award))
        player = making.state.players.get(award.winner) if isinstance(award.winner, int) else None
        return [
            str(award.rank),
            making.cell(str(award.winner) if player is None else shown_name(player)),
            making.cell(player.entry.federation) if player else "",
            prize.replace(" ", "\u00a0") if award.amount else prize,
            making.cell(prize_reason(found.fund, award, gettext)),
            "",
        ]

    blocks: list[Block] = []
    for category, awards in groupby(found.awards, key=lambda one: one.category):
        rows: list[Row] = [cells(award) for award in awards]
        name = making.cell(category_name(category, gettext))
        blocks += [{"kind": "heading", "text": name}, table(columns, rows, tall=2.2)]
    if not blocks:
        blocks.append({"kind": "text", "text": words["none"]})
    sums = [words["prize_fund"] % {"sum": found.fund.amount_text(found.fund.money, "\u00a0")}] * bool(found.fund.money)
    if found.remainder:
        sums.append(words["remainder"] % {"sum": found.fund.amount_text(found.remainder, "\u00a0")})
    if sums:
        blocks.append({"kind": "note", "text": making.cell(" · ".join(sums))})
    return [*blocks, {"kind": "signatures", "items": signatures(making)}]


def ratings(making: Making) -> list[Block]:
    """Rating, games, points and change of every player, and the rating after the event."""
    words, state = making.words, making.state
    columns = [
        Column("№", "right"),
        Column(words["name"], flex=15, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["rating"], "right"),
        Column(words["games"], "right"),
        Column(words["points"], "right"),
        Column(words["change"], "right", bold=True),
        Column(words["new_rating"], "right"),
    ]
    rows: list[Row] = []
    for one in rating_changes(state):
        player: Player = state.players[one.player]
        rows.append(
            [
                str(player.number),
                making.cell(shown_name(player)),
                making.cell(player.entry.federation),
                str(round(one.rating) or ""),
                str(one.games),
                half(one.score),
                f"{one.change:+.1f}".replace("-", "−") if one.rating and one.games else "",
                str(round(one.after) or ""),
            ]
        )
    return [table(columns, rows)]
