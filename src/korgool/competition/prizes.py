"""Prizes of an event with their reasons: places, categories, and money shared by those with equal points.

A competitor gets one money prize, the largest they have a claim to, unless the fund allows several. The prize that they
leave passes to the next in its category. Those with whom they are level on points keep their own share of it: a claim
elsewhere neither helps nor harms them. Things are given by place and never pass on.
Shares are rounded down; the remainder is reported.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from korgool.competition.event_state import EventState
from korgool.competition.prize_fund import TEAMS, Prize, PrizeFund, Sharing
from korgool.competition.round_history import history
from korgool.competition.standings.figures import table
from korgool.competition.standings.groups import group_members
from korgool.competition.standings.personal_teams import team_totals
from korgool.competition.standings.ranking import rank

Winner: TypeAlias = int | str
"""The id of a player, or the name of a team."""
Ranked: TypeAlias = Sequence[Sequence[Sequence[Winner]]]
"""Competitors from the best on: those with equal points together, and among them those who are equal in everything."""

_BY_PLACE = {Sharing.NONE: Fraction(1), Sharing.EQUAL: Fraction(0), Sharing.HORT: Fraction(1, 2)}
"""The part of the money that goes by place and is not shared."""


@dataclass(frozen=True, slots=True)
class Award:
    """A prize and who gets it.

    Attributes:
        winner: the id of a player, or the name of a team.
        category: of the prize; empty for the standings of all.
        rank: the winner's place in the category.
        place: the place that the prize was announced for.
        amount: money in the smallest unit of the fund, 0 for a thing.
        thing: what it is, empty for money.
        pool: the sum of the prizes that were shared; 0 if none were.
        among: how many shared them. For a thing, how many are equal in everything, so that an official has to decide.
        passed: whether it came from a place above, whose holder has a larger prize elsewhere.
    """

    winner: Winner
    category: str
    rank: int
    place: int
    amount: int = 0
    thing: str = ""
    pool: int = 0
    among: int = 1
    passed: bool = False


@dataclass(frozen=True, slots=True)
class PrizeList:
    """All awards of an event; `paid + remainder + kept` is the money of the fund.

    Attributes:
        fund: the prizes offered.
        awards: by category in the order of the fund, then by place; money before things.
        remainder: what rounding left over.
        left: prizes without a winner, money as it remained.
        final: whether the event is over; before that the list shows the state of play.
    """

    fund: PrizeFund
    awards: tuple[Award, ...]
    remainder: int
    left: tuple[Prize, ...]
    final: bool

    @property
    def paid(self) -> int:
        """The sum of all money given."""
        return sum(one.amount for one in self.awards)

    @property
    def kept(self) -> int:
        """Money of prizes without a winner."""
        return sum(one.amount for one in self.left)


def prizes(state: EventState) -> PrizeList:
    """The prizes of an event by its settings, as the standings are.

    Those who were excluded or played no game win nothing.

    Raises:
        CompetitionError: a category needs a date of the event, to compute ages from.
    """
    fund = state.event.fund
    categories = dict.fromkeys(one.category for one in sorted(fund.prizes, key=lambda one: bool(one.category)))
    ranked = {category: contenders(state, category) for category in categories}
    return divide(fund, ranked, final=state.over)


def divide(fund: PrizeFund, ranked: dict[str, Ranked], *, final: bool = True) -> PrizeList:
    """The prizes of a fund, given the competitors of every category; `""` is the category of all."""
    queues = [_Queue(fund, category, groups) for category, groups in ranked.items()]
    paid: set[Winner] = set()
    awards: list[Award] = []
    while (best := max(queues, key=lambda one: one.offer(paid), default=None)) and best.offer(paid) > 0:
        if (award := best.give(paid)) is not None and award.amount:
            awards.append(award)
            if not fund.several:
                paid.add(award.winner)
    left = [one for queue in queues for one in queue.rest()]
    for category, groups in ranked.items():
        for prize in fund.prizes:
            if prize.thing and prize.category == category:
                given = _things(prize, groups)
                awards += given
                left += [] if given else [prize]
    order = {category: at for at, category in enumerate(ranked)}
    awards.sort(key=lambda one: (order[one.category], one.rank, bool(one.thing), one.place))
    return PrizeList(fund, tuple(awards), sum(queue.remainder for queue in queues), tuple(left), final)


@dataclass(frozen=True, slots=True)
class _Slot:
    """Money that is not awarded yet, with the details of its award."""

    amount: int
    place: int
    pool: int = 0
    among: int = 1
    passed: bool = False


@dataclass(slots=True)
class _Queue:
    """The money prizes of a category, and those who have not had their turn yet.

    `offer` never rises, so a competitor who takes the largest offer of all queues takes the largest they can get.
    """

    fund: PrizeFund
    category: str
    groups: Ranked
    slots: deque[_Slot] = field(default_factory=deque)
    levels: deque[tuple[int, list[Winner]]] = field(default_factory=deque)
    """The levels of the present group, each with its place."""
    turn: list[Winner] = field(default_factory=list)
    """Those of the level whose shares are made."""
    remainder: int = 0
    begun: int = 0
    standing: int = 1
    rank: int = 1

    def __post_init__(self) -> None:
        held = {one.place: one.amount for one in self.fund.prizes if one.amount and one.category == self.category}
        self.slots.extend(_Slot(held.get(place, 0), place) for place in range(1, max(held, default=0) + 1))
        if self.fund.sharing is Sharing.NONE:
            self.groups = [[place] for group in self.groups for place in group]

    def offer(self, paid: Container[Winner]) -> int:
        """Most money that an unpaid competitor may still get here, 0 if there is none."""
        while self.slots:
            self.turn = [one for one in self.turn if one not in paid]
            while self.levels and not any(one not in paid for one in self.levels[0][1]):
                self.levels.popleft()
            if self.turn or self.levels:
                return max(one.amount for one in self.slots)
            if self.begun == len(self.groups):
                break
            self._begin(self.groups[self.begun])
        return 0

    def give(self, paid: Container[Winner]) -> Award | None:
        """The next prize to the next in turn; None if their shares had to be made first, which may lower the offer.

        The amount may be 0, where a place has a thing only.
        """
        if not self.turn:
            self.rank, level = self.levels.popleft()
            self.turn = [one for one in level if one not in paid]
            self._share([self.turn], len(self.turn), lambda own: own)
            return None
        slot = self.slots.popleft()
        winner = self.turn.pop(0)
        return Award(winner, self.category, self.rank, slot.place, slot.amount, "", slot.pool, slot.among, slot.passed)

    def rest(self) -> list[Prize]:
        """Money without a winner."""
        return [Prize(one.place, one.amount, category=self.category) for one in self.slots if one.amount]

    def _begin(self, group: Sequence[Sequence[Winner]]) -> None:
        """Let the next group take its turn: the prizes of their places become the shares of all, also of those paid."""
        self.begun += 1
        first, count = self.standing, sum(map(len, group))
        while self.slots and self.slots[0].place < first and not self.slots[0].amount:
            self.slots.popleft()  # a place above that has a thing only, whose holder has money elsewhere
        for level in group:
            self.levels.append((self.standing, list(level)))
            self.standing += len(level)
        taken = [self.slots[at] for at in range(min(count, len(self.slots)))]
        pool, passed = sum(one.amount for one in taken), any(one.amount and one.place < first for one in taken)
        for at, one in enumerate(taken):
            shared = replace(one, pool=pool, among=count) if count > 1 else replace(one, pool=0, among=1)
            self.slots[at] = replace(shared, passed=passed)
        even = Fraction(pool, count)
        by_place = _BY_PLACE[self.fund.sharing]
        self._share(group, count, lambda own: by_place * own + (1 - by_place) * even)

    def _share(self, levels: Sequence[Sequence[Winner]], count: int, share: Callable[[Fraction], Fraction]) -> None:
        """Turn the first slots into shares, the same for all of a level."""
        taken = [self.slots.popleft() for _ in range(min(count, len(self.slots)))]
        last = taken[-1] if taken else _Slot(0, self.rank)
        taken += [replace(last, amount=0, place=last.place + at) for at in range(1, count - len(taken) + 1)]
        shares: list[int] = []
        for level in levels:
            own = Fraction(sum(one.amount for one in taken[len(shares) : len(shares) + len(level)]), max(1, len(level)))
            shares += [int(share(own))] * len(level)
        self.remainder += sum(one.amount for one in taken) - sum(shares)
        for one, amount in zip(reversed(taken), reversed(shares), strict=True):
            self.slots.appendleft(replace(one, amount=amount))


def _things(prize: Prize, groups: Ranked) -> list[Award]:
    """A thing goes to the place it was announced for; those who share the place are all named."""
    standing = 1
    for group in groups:
        for level in group:
            if standing == prize.place:
                return [
                    Award(one, prize.category, standing, prize.place, thing=prize.thing, among=len(level))
                    for one in level
                ]
            standing += len(level)
    return []


def contenders(state: EventState, category: str, *, players: bool = False) -> Ranked:
    """The competitors of a category who may win prizes, from the best on; `""` is the category of all.

    `players` ranks the players of a team event also in the category of all.
    """
    of_teams = state.event.system.of_teams
    if category == TEAMS and not of_teams:
        return _ranked_totals(state)
    players = players or not of_teams or category not in ("", TEAMS)
    ids = tuple(state.players if players else state.teams)
    if category not in ("", TEAMS):
        ids = group_members(state, category)
    lines = table(state, players=players).lines
    able = [id_ for id_ in ids if not lines[id_].excluded and any(one.opponent for one in lines[id_].meetings)]
    level = rank(state, tiebreaks=(), competitors=able, players=players).places
    places = rank(state, competitors=able, players=players).places
    return [
        [[id_ if players else state.teams[id_].name for id_ in one] for one in places if one[0] in group]
        for group in level
    ]


def _ranked_totals(state: EventState) -> Ranked:
    """Teams of an individual event with at least one player who has played."""
    meetings = history(state)
    totals = [one for one in team_totals(state) if any(met.opponent for id_ in one.counted for met in meetings[id_])]
    return [
        [[one.team for one in level] for _, level in groupby(group, key=lambda one: one.rank)]
        for _, group in groupby(totals, key=lambda one: one.points)
    ]
