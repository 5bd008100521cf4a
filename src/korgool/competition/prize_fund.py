"""The prizes that an event offers, as values and as an arbiter types them: `1=30000 KGS; women 1=10000 KGS; U16 1=cup`.

Amounts are whole numbers of the smallest unit of which the fund speaks: of `10**-digits` of the currency.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from korgool.competition.errors import CompetitionError
from korgool.competition.text_cleaning import clean
from korgool.languages import N_

MOST_PRIZES = 500
MOST_AMOUNT = 10**13
TEAMS = "team"
"""The category of teams in an event of single players."""
_EXAMPLE = "such as 1=30000 KGS, 4-6=1000 KGS, women 1=10000 KGS or U16 1=cup"
_ITEM = re.compile(
    r"(?:(?P<category>[^=]*\S)\s+)?(?P<first>\d{1,3})(?:\s*[-–]\s*(?P<last>\d{1,3}))?\s*=\s*(?P<what>.+)"
)
_MONEY = re.compile(
    r"(?P<before>[^\w\s.,+-])?\s*(?P<whole>\d+(?:[ \u00a0\u202f]\d{3})*)(?:[.,](?P<part>\d{1,2}))?"
    r"\s*(?P<after>[^\d\s.,;=]{1,12})?"
)
_GROUPED = re.compile(r"\D?\s*\d{1,3}(?:[.,]\d{3})+(?!\d).*")
_KNOWN = ("women", "men", "unrated", TEAMS)


class Sharing(StrEnum):
    """Sharing of money among competitors with equal points; tie-breaks always decide over things.

    `NONE` leaves it to the tie-breaks. `EQUAL` adds up the prizes of the places that they hold together and divides the
    sum evenly (US Chess, Official Rules, 32B2). `HORT` gives everyone half of the prize of their own place and divides
    the other halves evenly (the system of Vlastimil Hort).
    """

    NONE = "none"
    EQUAL = "equal"
    HORT = "hort"


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize for a place: money or a thing.

    Attributes:
        place: from 1, within the category.
        amount: money in the smallest unit of the fund; 0 for a thing.
        thing: such as `cup`; empty for money.
        category: empty for the standings of all; `team`, or a group as `standings.groups.members` knows it.
    """

    place: int
    amount: int = 0
    thing: str = ""
    category: str = ""

    def __post_init__(self) -> None:
        if not 1 <= self.place <= 999:
            raise CompetitionError(N_("a prize is for a place from 1 to 999, not {place}"), place=self.place)
        if not 0 <= self.amount <= MOST_AMOUNT:
            raise CompetitionError(
                N_("a money prize has an amount from 1 to {most}, not {amount}"),
                most=MOST_AMOUNT,
                amount=self.amount,
            )
        if bool(self.amount) == bool(self.thing):
            raise CompetitionError(N_("the prize of place {place} is either money or a thing"), place=self.place)
        if set(";\n=") & set(self.thing + self.category):
            raise CompetitionError(N_("the name of a prize or a category holds no ; and no ="))


@dataclass(frozen=True, slots=True)
class PrizeFund:
    """All prizes of an event.

    Attributes:
        prizes: in the order of their announcement.
        currency: as text, such as `KGS`; empty if no amount names one.
        digits: decimal places of the amounts, 0 or 2.
        sharing: how those with equal points divide money.
        several: whether one competitor may get several money prizes, rather than the largest one only (US Chess, 32B1).
    """

    prizes: tuple[Prize, ...] = ()
    currency: str = ""
    digits: int = 0
    sharing: Sharing = Sharing.NONE
    several: bool = False

    def __post_init__(self) -> None:
        if len(self.prizes) > MOST_PRIZES:
            raise CompetitionError(
                N_("an event has {most} prizes at most, not {count}"),
                most=MOST_PRIZES,
                count=len(self.prizes),
            )
        if self.digits not in (0, 2):
            raise CompetitionError(N_("amounts have 0 or 2 decimal places, not {digits}"), digits=self.digits)
        seen = set()
        for one in self.prizes:
            key = one.category.casefold(), one.place
            if one.amount and key in seen:
                raise CompetitionError(N_("{where} has two money prizes; give their sum"), where=_where(one))
            seen |= {key} if one.amount else set()

    @property
    def money(self) -> int:
        """The sum of all money prizes, in the smallest unit."""
        return sum(one.amount for one in self.prizes)

    def amount_text(self, amount: int, group: str = "") -> str:
        """An amount with its currency: `30000 KGS`; `group` is a space to stand between groups of three digits."""
        whole, part = divmod(amount, 10**self.digits)
        text = f"{whole:,}".replace(",", group) + (f".{part:0{self.digits}}" if self.digits else "")
        return f"{text}{group or ' '}{self.currency}" if self.currency else text


NO_PRIZES = PrizeFund()


def read_fund(text: str, *, sharing: Sharing = Sharing.NONE, several: bool = False) -> PrizeFund:
    """The fund that a text lists: `[CATEGORY] PLACE[-PLACE]=PRIZE`, separated by semicolons or lines.

    A prize is money, `30 000 KGS` or `99.50 €`, or anything else as text. All money is in one currency, which may be
    left out after its first mention. `none` is no prize at all.

    Raises:
        CompetitionError: some prize cannot be read; the message names its number and text.
    """
    prizes: list[Prize] = []
    money: list[tuple[int, str, str]] = []
    currency = ""
    spelt: dict[str, str] = {}
    items = [] if text.strip().casefold() == "none" else [one.strip() for one in re.split(r"[;\n]", text)]
    for number, item in enumerate(filter(None, items), 1):
        try:
            category, places, what = _split(clean(item))
            category = spelt.setdefault(category.casefold(), category)
            read = _MONEY.fullmatch(what)
            if read is None:
                if _GROUPED.fullmatch(what):
                    raise CompetitionError(N_("the comma or point is ambiguous; write 30000 or 30 000"))
                prizes += [Prize(place, thing=what, category=category) for place in places]
                continue
            named = (read["after"] or read["before"] or "").strip()
            if named and currency and named != currency:
                raise CompetitionError(
                    N_("all money is in one currency, {currency}; begin a thing with a word"), currency=currency
                )
            currency = currency or named
            whole, part = re.sub(r"\D", "", read["whole"]), (read["part"] or "").ljust(2, "0")
            if len(whole) > 11 or not int(whole + part):
                raise CompetitionError(N_("the amount is above 0 and has at most eleven digits"))
            for place in places:
                money.append((len(prizes), whole, part))
                prizes.append(Prize(place, 1, category=category))
        except CompetitionError as error:
            raise CompetitionError(
                N_("prize {number}, {item!r}: {error}"), number=number, item=item[:60], error=error
            ) from None
    digits = 2 if any(int(part) for _, _, part in money) else 0
    for at, whole, part in money:
        prizes[at] = Prize(prizes[at].place, int(whole + part[:digits]), category=prizes[at].category)
    return PrizeFund(tuple(prizes), currency, digits, sharing, several)


def fund_items(fund: PrizeFund) -> list[tuple[str, int, int, Prize]]:
    """The fund in short: category, first and last place, and what each of these places gets."""
    parts: list[tuple[str, int, int, Prize]] = []
    for one in fund.prizes:
        if parts:
            category, first, last, before = parts[-1]
            same = (category, last + 1, before.amount, before.thing) == (one.category, one.place, one.amount, one.thing)
            if same:
                parts[-1] = category, first, one.place, before
                continue
        parts.append((one.category, one.place, one.place, one))
    return parts


def fund_text(fund: PrizeFund) -> str:
    """The fund as `read_fund` reads it; `none` without prizes. Equal prizes of neighbouring places are one item."""
    items = []
    for category, first, last, one in fund_items(fund):
        places = f"{first}" if first == last else f"{first}-{last}"
        items.append(f"{category} {places}={one.thing or fund.amount_text(one.amount)}".lstrip())
    return "; ".join(items) or "none"


def _split(item: str) -> tuple[str, range, str]:
    found = _ITEM.fullmatch(item)
    if found is None:
        raise CompetitionError(N_("a prize has a place and what it is, {example}"), example=_EXAMPLE)
    category = found["category"] or ""
    if category.casefold() in (*_KNOWN, "general"):
        category = category.casefold()
    first = int(found["first"])
    last = int(found["last"] or first)
    if not 1 <= first <= last or last - first >= MOST_PRIZES:
        raise CompetitionError(N_("the places {first} to {last} are none"), first=first, last=last)
    return "" if category == "general" else category, range(first, last + 1), found["what"].strip()


def _where(prize: Prize) -> str:
    return f"place {prize.place}" + (f" of {prize.category}" if prize.category else "")
