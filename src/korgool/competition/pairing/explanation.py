"""Explanations of a Swiss round in words: score groups, floats, colours, and who got the bye and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import ByeKind, System
from korgool.competition.pairing.colours import Preference, Strength, allocate, preference
from korgool.competition.pairing.engine_file import numbers, pairing_points
from korgool.competition.pairing.legal_opponents import bye_barred
from korgool.competition.result import said_points
from korgool.competition.round_history import Meeting, RoundKind, competitors
from korgool.languages import N_

SENTENCES: Mapping[str, str] = {
    "pairing.group": "Both have {points}.",
    "pairing.float": "{upper} has {upper_points} and floats down to {lower}, who has {lower_points}.",
    "pairing.again": "{name} floated the same way in round {round}.",
    "colour.due": "{name} is due {colour} ({strength}: {history}).",
    "colour.free": "{name} is due no colour yet.",
    "colour.5.2.1": "Each gets the colour they are due (5.2.1).",
    "colour.5.2.2": "The stronger wish is granted, or the wider difference (5.2.2).",
    "colour.5.2.3": "The colours are those of the latest round in which they differed, the other way round (5.2.3).",
    "colour.5.2.4": "The wish of the higher ranked is granted (5.2.4).",
    "colour.5.2.5": "The lot for the first round decides (5.2.5).",
    "colour.hand": "The colours were set by hand: by the rules {name} has White.",
    "bye.allocated": "{name} has {points} and gets the pairing-allocated bye.",
    "bye.least": "Nobody with fewer points may get it.",
    "bye.barred": "{name} cannot get it: {why} in round {round}.",
    "bye.asked": "{name} does not play this round ({kind}).",
    "word.white": "White",
    "word.black": "Black",
    "word.mild": "mildly",
    "word.strong": "strongly",
    "word.absolute": "absolutely",
    "word.bye": "a bye",
    "word.walkover": "a win without a game",
    "word.half": "half-point bye",
    "word.full": "full-point bye",
    "word.zero": "zero-point bye",
}
"""English of every sentence, and of the words that stand in them, by key: what a translation replaces."""

_STRENGTHS = {Strength.MILD: "word.mild", Strength.STRONG: "word.strong", Strength.ABSOLUTE: "word.absolute"}
_KINDS = {ByeKind.HALF: "word.half", ByeKind.FULL: "word.full", ByeKind.ZERO: "word.zero"}
_NAMED = 5


@dataclass(frozen=True, slots=True)
class PairingReason:
    """One sentence of an explanation: its key in `SENTENCES`, and the values in it, some of them keys of words."""

    key: str
    values: Mapping[str, str]

    def in_words(self, sentences: Mapping[str, str]) -> str:
        """The sentence by a catalogue with the keys of `SENTENCES`."""
        return sentences[self.key].format(**{name: sentences.get(one, one) for name, one in self.values.items()})

    @property
    def text(self) -> str:
        """Sentence in English."""
        return self.in_words(SENTENCES)


@dataclass(frozen=True, slots=True)
class Explanation:
    """Explanation of a pairing, or of a bye.

    Attributes:
        board: the board, or the table of a team match; 0 for a bye.
        white, black: ids of players, or of teams; `black` is None for a bye.
        points: half points of each before the round, penalties taken off; one number for a bye.
        float: how many half points they are apart, from White's side; 0 within a score group.
        article: article of C.04.3 that gives the colours, empty for a bye.
        reasons: sentences.
    """

    board: int
    white: int
    black: int | None
    points: tuple[int, ...]
    float: int
    article: str
    reasons: tuple[PairingReason, ...]

    @property
    def text(self) -> str:
        """Whole explanation in English."""
        return " ".join(reason.text for reason in self.reasons)


def explain(state: EventState, number: int) -> tuple[Explanation, ...]:
    """Every pairing and bye of a published Swiss round, in the order of boards.

    Raises:
        CompetitionError: the round is not paired, or the event is not a Swiss one.
    """
    if state.event.system not in (System.SWISS, System.TEAM_SWISS):
        raise CompetitionError(N_("only a Swiss round is explained: other systems pair by their tables"))
    one = state.round(number)
    view = _View(state, number)
    if state.event.system.of_teams:
        pairs = [(match.table, match.home, match.away) for match in one.matches]
    else:
        pairs = [(game.board, game.white, game.black) for game in one.games]
    found = [view.pairing(board, white, black) for board, white, black in pairs]
    return (*found, *(view.bye(bye.player, bye.kind) for bye in one.byes))


class _View:
    """State before a round."""

    def __init__(self, state: EventState, number: int) -> None:
        self.state, self.number = state, number
        self.found = competitors(state, rounds=number - 1)
        self.points = pairing_points(state, number)
        self.numbers = numbers(state)
        self.due = {id_: preference(meetings) for id_, meetings in self.found.items()}
        self.playing = self._playing()
        ever = [id_ for id_ in self.numbers if id_ in self.playing or any(map(_paired, self.found[id_]))]
        ever.sort(key=self.numbers.__getitem__)
        self.places = {id_: place for place, id_ in enumerate(ever, 1)}

    def _playing(self) -> set[int]:
        one = self.state.round(self.number)
        if self.state.event.system.of_teams:
            playing = {id_ for match in one.matches for id_ in (match.home, match.away)}
        else:
            playing = {id_ for game in one.games for id_ in (game.white, game.black)}
        return playing | {bye.player for bye in one.byes if bye.kind is ByeKind.ALLOCATED}

    def name(self, id_: int) -> str:
        if self.state.event.system.of_teams:
            return f"{self.numbers[id_]} {self.state.teams[id_].name}"
        return f"{self.numbers[id_]} {self.state.players[id_].name}"

    def pairing(self, board: int, white: int, black: int) -> Explanation:
        upper, lower = sorted((white, black), key=lambda id_: (-self.points[id_], self.numbers[id_]))
        high, low = self.points[upper], self.points[lower]
        if high == low:
            reasons = [PairingReason("pairing.group", {"points": said_points(high)})]
        else:
            values = {"upper": self.name(upper), "upper_points": said_points(high)}
            values |= {"lower": self.name(lower), "lower_points": said_points(low)}
            reasons = [
                PairingReason("pairing.float", values),
                *self._again(upper, down=True),
                *self._again(lower, down=False),
            ]
        given = allocate(
            self.due[upper],
            self.due[lower],
            first_number=self.places[upper],
            white_first=self.state.white_first,
        )
        reasons += [self._due(white), self._due(black), PairingReason(f"colour.{given.article}", {})]
        by_rule = upper if given.first_white else lower
        if by_rule != white:
            reasons[-1] = PairingReason("colour.hand", {"name": self.name(by_rule)})
        points = (self.points[white], self.points[black])
        return Explanation(board, white, black, points, points[0] - points[1], given.article, tuple(reasons))

    def _due(self, id_: int) -> PairingReason:
        due: Preference = self.due[id_]
        if due.white is None:
            return PairingReason("colour.free", {"name": self.name(id_)})
        history = "".join("-" if colour is None else "W" if colour else "B" for colour in due.rounds)
        values = {"name": self.name(id_), "colour": "word.white" if due.white else "word.black"}
        return PairingReason("colour.due", {**values, "strength": _STRENGTHS[due.strength], "history": history})

    def _again(self, id_: int, *, down: bool) -> list[PairingReason]:
        """The same float in one of the two rounds before (criteria C14 to C21)."""
        for one in reversed(self.found[id_][-2:]):
            if one.kind is not RoundKind.PLAYED or one.opponent is None:
                continue
            before = pairing_points(self.state, one.round)
            own, other = before[id_], before[one.opponent]
            if own != other and (own > other) is down:
                return [PairingReason("pairing.again", {"name": self.name(id_), "round": str(one.round)})]
        return []

    def bye(self, id_: int, kind: ByeKind) -> Explanation:
        points = (self.points[id_],)
        if kind is not ByeKind.ALLOCATED:
            reason = PairingReason("bye.asked", {"name": self.name(id_), "kind": _KINDS[kind]})
            return Explanation(0, id_, None, points, 0, "", (reason,))
        reasons = [PairingReason("bye.allocated", {"name": self.name(id_), "points": said_points(points[0])})]
        below = [other for other in self.playing if self.points[other] < points[0]]
        below.sort(key=lambda other: (self.points[other], -self.numbers[other]))
        if below:
            for other in below[:_NAMED]:
                if barred := bye_barred(self.found[other]):
                    why = "word.bye" if barred.kind is RoundKind.BYE else "word.walkover"
                    values = {"name": self.name(other), "why": why, "round": str(barred.round)}
                    reasons.append(PairingReason("bye.barred", values))
        else:
            reasons.append(PairingReason("bye.least", {}))
        return Explanation(0, id_, None, points, 0, "", tuple(reasons))


def _paired(one: Meeting) -> bool:
    return one.opponent is not None or one.bye is ByeKind.ALLOCATED
