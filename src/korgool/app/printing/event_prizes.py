"""The prize list: who gets which prize and why, with lines to sign on."""

from __future__ import annotations

from itertools import groupby

from korgool.app.printing.event_protocol import signatures
from korgool.app.printing.paper_context import Block, PaperContext
from korgool.app.printing.table_layout import Column, Row, table
from korgool.app.words.prize_words import amount_name, category_name, prize_reason
from korgool.competition.errors import CompetitionError
from korgool.competition.privacy import shown_name
from korgool.competition.prizes import Award, prizes
from korgool.languages import translations

_SHORT = 24
"""Letters of a prize that stay on one line."""


def prize_list(context: PaperContext) -> list[Block]:
    """Prizes with their winners, by category, with room for the winners' signatures."""
    event, words = context.state.event, context.words
    if not event.fund.prizes:
        raise CompetitionError(f"{event.name} has no prizes; `korgool event change --prize` sets them")
    prize_awards, gettext = prizes(context.state), translations(context.language).gettext
    short = all(len(amount_name(prize_awards.fund, award)) <= _SHORT for award in prize_awards.awards)
    columns = [
        Column(words["rank"], "right", bold=True),
        Column(words["name"], flex=13, bold=True),
        Column(words["federation_short"], flex=4, optional=True),
        Column(words["prize"], flex=0 if short else 9, bold=True),
        Column(words["reason"], flex=9, optional=True),
        Column(words["signature"], least=11),
    ]

    def cells(award: Award) -> list[str]:
        prize = context.cell(amount_name(prize_awards.fund, award))
        player = context.state.players.get(award.winner) if isinstance(award.winner, int) else None
        return [
            str(award.rank),
            context.cell(str(award.winner) if player is None else shown_name(player)),
            context.cell(player.entry.federation) if player else "",
            prize.replace(" ", "\u00a0") if award.amount else prize,
            context.cell(prize_reason(prize_awards.fund, award, gettext)),
            "",
        ]

    blocks: list[Block] = []
    for category, awards in groupby(prize_awards.awards, key=lambda award: award.category):
        rows: list[Row] = [cells(award) for award in awards]
        name = context.cell(category_name(category, gettext))
        blocks += [{"kind": "heading", "text": name}, table(columns, rows, tall=2.2)]
    if not blocks:
        blocks.append({"kind": "text", "text": words["none"]})
    sums = [words["prize_fund"] % {"sum": prize_awards.fund.amount_text(prize_awards.fund.money, "\u00a0")}] * bool(
        prize_awards.fund.money
    )
    if prize_awards.remainder:
        sums.append(words["remainder"] % {"sum": prize_awards.fund.amount_text(prize_awards.remainder, "\u00a0")})
    if sums:
        blocks.append({"kind": "note", "text": context.cell(" · ".join(sums))})
    return [*blocks, {"kind": "signatures", "items": signatures(context)}]
