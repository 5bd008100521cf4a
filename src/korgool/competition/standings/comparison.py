"""Comparison of two competitors in the standings, tie-break by tie-break, in sentences with figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.result import said_number, said_points
from korgool.competition.standings.charts import competitor_name
from korgool.competition.standings.personal_meetings import meetings_among
from korgool.competition.standings.ranking import Ranking, rank, survived
from korgool.competition.standings.tiebreaks import Tiebreak
from korgool.languages import N_

SENTENCES: Mapping[str, str] = MappingProxyType(
    {
        "above": "{above} stands above {below}.",
        "shared": "{above} and {below} share a place: they are equal in everything.",
        "excluded": "{below} was excluded and stands behind all others.",
        "rounds.more": "Rounds survived: {first} against {second}.",
        "rounds.equal": "Both survived as many rounds: {first}.",
        "points.more": "Points: {first} against {second}.",
        "points.equal": "Both have as many points: {first}.",
        "value.more": "{name} ({code}): {first} against {second}, the higher is the better.",
        "value.less": "{name} ({code}): {first} against {second}, the lower is the better.",
        "value.equal": "{name} ({code}): both have {first}.",
        "tie.decides": "{name} ({code}) decides among the {count} who are equal so far: {figures}.",
        "tie.equal": "{name} ({code}) does not part them among the {count} who are equal so far: {figures}.",
        "tie.missing": "Not all of them have met.",
    }
)
"""The sentences by their keys, for translation; braces stand for the figures of a step."""


@dataclass(frozen=True, slots=True)
class DecidingStep:
    """One comparison.

    Attributes:
        key: one of `SENTENCES`.
        figures: the texts for the braces; `name` holds the English name of a tie-break.
        decides: whether this step puts one above the other.
    """

    key: str
    figures: Mapping[str, str]
    decides: bool = False

    @property
    def text(self) -> str:
        """Sentence in English."""
        return SENTENCES[self.key].format(**self.figures)


@dataclass(frozen=True, slots=True)
class Why:
    """The comparison of two competitors.

    Attributes:
        above, below: ids; if they share a place, the lower pairing number is `above`.
        shared: whether they share a place.
        steps: the verdict, then each comparison up to the one that decides.
    """

    above: int
    below: int
    shared: bool
    steps: tuple[DecidingStep, ...]

    @property
    def text(self) -> str:
        """All steps in English."""
        return " ".join(step.text for step in self.steps)


def why(
    state: EventState, a: int, b: int, *, rounds: int | None = None, tiebreaks: Sequence[str] | None = None,
    group: str | None = None, players: bool = False,
) -> Why:  # fmt: skip
    """Explain why one of two competitors (ids) stands above the other; the other arguments are those of `standings`.

    Raises:
        CompetitionError: one of them is not in these standings, or both are the same.
    """
    found = rank(state, rounds=rounds, tiebreaks=tiebreaks, group=group, players=players)
    rows = {row.competitor: row for row in found.rows()}
    for id_ in (a, b):
        if id_ not in rows:
            raise CompetitionError(N_("nobody with the id {id} is in these standings"), id=id_)
    if a == b:
        raise CompetitionError(N_("a competitor is not compared with itself"))
    above, below = sorted((a, b), key=lambda id_: (rows[id_].rank, found.table.lines[id_].number))
    shared = rows[above].rank == rows[below].rank
    names = {id_: competitor_name(state, id_, teams=found.table.teams) for id_ in rows}
    verdict = DecidingStep("shared" if shared else "above", {"above": names[above], "below": names[below]}, shared)
    return Why(above, below, shared, (verdict, *_steps(found, above, below, names)))


def _steps(found: Ranking, above: int, below: int, names: Mapping[int, str]) -> list[DecidingStep]:
    lines = found.table.lines
    one, other = lines[above], lines[below]
    if one.excluded != other.excluded:
        return [DecidingStep("excluded", {"below": names[below]}, True)]
    steps = []
    if found.knockout:
        steps.append(_compare("rounds", str(survived(one)), str(survived(other))))
    if not steps or not steps[-1].decides:
        steps.append(_compare("points", said_points(one.points), said_points(other.points)))
    tied = found.level(above)
    for at, tiebreak in enumerate(found.tiebreaks):
        if steps[-1].decides:
            break
        steps += _by_tiebreak(found, at, tiebreak, (above, below), tied[at], names)
    return steps


def _compare(kind: str, first: str, second: str) -> DecidingStep:
    decides = first != second
    return DecidingStep(f"{kind}.{'more' if decides else 'equal'}", {"first": first, "second": second}, decides)


def _by_tiebreak(
    found: Ranking, at: int, tiebreak: Tiebreak, pair: tuple[int, int], tied: Sequence[int], names: Mapping[int, str]
) -> list[DecidingStep]:
    figures = {"name": tiebreak.name, "code": tiebreak.code}
    values = found.values[at]
    first, second = (said_number(values[id_]) for id_ in pair)
    if tiebreak.value is not None:
        decides = values[pair[0]] != values[pair[1]]
        key = "value.equal" if not decides else "value.less" if tiebreak.lowest else "value.more"
        return [DecidingStep(key, {**figures, "first": first, "second": second}, decides)]
    assert tiebreak.order is not None
    order = tiebreak.order(found.table, tied)
    decides = not any(set(pair) <= set(group) for group in order.groups)
    ordered = [id_ for group in order.groups for id_ in group]
    listed = ", ".join(f"{names[id_]} {_met(found, tiebreak, id_, tied, order.values)}" for id_ in ordered)
    steps = [
        DecidingStep(
            "tie.decides" if decides else "tie.equal",
            {**figures, "count": str(len(tied)), "figures": listed},
            decides,
        )
    ]
    if tiebreak.code in ("DE", "EDE"):
        met = meetings_among(found.table, tied)
        if any(len(met[id_]) < len(tied) - 1 for id_ in tied):
            steps.insert(0, DecidingStep("tie.missing", {}))
    return steps


def _met(found: Ranking, tiebreak: Tiebreak, id_: int, tied: Sequence[int], values: Mapping[int, float]) -> str:
    """Points among the tied over the number of opponents met; for a tie-break on boards its first figure."""
    if tiebreak.code not in ("DE", "EDE"):
        return said_number(values[id_])
    met = meetings_among(found.table, tied)[id_]
    return f"{said_points(round(sum(met.values())))}/{len(met)}"
