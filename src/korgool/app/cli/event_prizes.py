"""`korgool event prizes`: who gets which prize."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from korgool.app.cli.event_common import columns, file_argument, reading, say, state_of, warning
from korgool.app.cli.language import gettext, tell
from korgool.app.words.prize_words import category_name, prize_reason
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.prizes import Award, PrizeList


@click.command("prizes")
@file_argument
@reading
def prizes_command(path: str, at: int | None, as_json: bool) -> None:
    """Print who gets which prize, and why: money and things, by place and category.

    `korgool event change --prize` sets the prizes and --sharing how those with equal points divide money. Somebody who
    could win several money prizes gets the largest, and the others pass to the next, unless the event has
    --several-prizes.

    \b
    Example:
      korgool event change cup.korgool --prize "1=30000 KGS; 2=20000 KGS; women 1=10000 KGS; U16 1=cup" --sharing equal
      korgool event prizes cup.korgool
    """
    from korgool.competition.event_fields import prize_fields
    from korgool.competition.prizes import prizes

    with state_of(path, at) as state:
        found = prizes(state)
        lines = prize_fields(state, found)
    if not found.fund.prizes:
        warning(tell(N_("no prizes are set; `korgool event change --prize` sets them")), path)
    elif not found.final:
        warning(tell(N_("the event is not over, this is the state of play")), path)
    for one in found.left:
        what = one.thing or found.fund.amount_text(one.amount)
        category = _category(one.category) or tell(N_("general"))
        warning(tell(N_("nobody for {category} {place}, {what}"), category=category, place=one.place, what=what), path)
    if found.remainder and not as_json:
        warning(tell(N_("{amount} remain from rounding"), amount=found.fund.amount_text(found.remainder)), path)
    rows = [
        [_category(one["category"]), one["rank"], one["number"], one["name"], one["prize"], _why(found, award)]
        for one, award in zip(lines, found.awards, strict=True)
    ]
    say(lines, lambda: columns(("category", "rank", "no.", "name", "prize", "why"), rows) if rows else "", as_json)


def _category(name: str) -> str:
    translate = gettext()
    return name if translate is None or not name else category_name(name, translate)


def _why(found: PrizeList, award: Award) -> str:
    translate = gettext()
    if translate is not None:
        return prize_reason(found.fund, award, translate)
    parts = []
    if award.thing and award.among > 1:
        parts.append(f"equal in everything with {award.among - 1} more: the lot decides")
    elif award.among > 1:
        how = "half by place, half shared" if found.fund.sharing == "hort" else "shared"
        parts.append(f"{how}: {found.fund.amount_text(award.pool)} among {award.among}")
    if award.passed:
        parts.append("passed on from above")
    return "; ".join(parts)
