"""A practice event: numbered players of no real name, with which arbiters learn the work before an event begins.

Everything follows from its arguments, so that the same seed plays the same event.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Entry, Settings
from korgool.competition.result import Result, SetResult, match_result
from korgool.languages import N_
from korgool.rules import Rules

PLAYERS = 24
ROUNDS = 5
TEAMS = 3
_TEAM_SIZE = 4
_BEST = 2200
_STEP = 40
_UNRATED = 3
"""The last of the list have no rating, as in most fields."""
_FEDERATIONS = ("KGZ", "KAZ", "TUR", "UZB", "KGZ", "MGL")
_MARK = "PRACTICE-"
"""Prefix of external numbers for practice; no federation uses it, so practice results never get into a real event."""
_DRAWS = 0.07
_RESIGNED = 0.15


@dataclass(frozen=True, slots=True)
class PracticeWords:
    """Words of a practice event in a language: `player` and `team` with `%(number)s` for their number."""

    event: str
    player: str
    team: str


def practice_settings(words: PracticeWords) -> Settings:
    """The regulations: five rounds of toguz korgool by the rules of the World Nomad Games."""
    return Settings(name=words.event, rounds=ROUNDS)


def practice_entries(words: PracticeWords) -> tuple[Entry, ...]:
    """The 24 players, by rating, women and men in turn; half of them in three teams, some in groups of age."""
    return tuple(_entry(words, number) for number in range(1, PLAYERS + 1))


def _entry(words: PracticeWords, number: int) -> Entry:
    teamed = number <= TEAMS * _TEAM_SIZE
    groups = {0: ("U16",), 4: ("50+",)}.get(number % 7, ())
    return Entry(
        family=words.player % {"number": number},
        sex="f" if number % 2 else "m",
        rating=_BEST - _STEP * (number - 1) if number <= PLAYERS - _UNRATED else 0,
        external=f"{_MARK}{number}",
        federation=_FEDERATIONS[number % len(_FEDERATIONS)],
        team=words.team % {"number": (number - 1) % TEAMS + 1} if teamed else "",
        board=(number - 1) // TEAMS + 1 if teamed else 0,
        groups=groups,
    )


def is_practice(state: EventState) -> bool:
    """Return whether an event was made for practice: whether it holds one of the players of `practice_entries`."""
    return any(player.entry.external.startswith(_MARK) for player in state.players.values())


def practice_results(state: EventState, number: int, seed: str = "") -> dict[int, Result]:
    """Results for the boards of a round that have none, by chance; the higher rating wins more often.

    Args:
        state: of a practice event.
        number: of the round.
        seed: the same seed gives the same results.

    Returns:
        The results by board.

    Raises:
        CompetitionError: the event is not a practice event, or the round is not paired.
    """
    if not is_practice(state):
        raise CompetitionError(N_("results by chance are for practice events only"))
    found = {}
    for game in state.round(number).games:
        chance = Random(f"{seed} {number} {game.board}")
        if game.result is None:
            white, black = (_strength(state, id_) for id_ in (game.white, game.black))
            found[game.board] = _match(state.event, 1 / (1 + 10 ** ((black - white) / 400)), chance)
    return found


def _strength(state: EventState, id_: int) -> int:
    return (state.players[id_].entry.rating if id_ else 0) or _BEST - _STEP * PLAYERS


def _match(settings: Settings, expected: float, chance: Random) -> Result:
    if settings.sets == 1:
        return _game(settings.rules(), expected, chance)
    games = [_game(settings.rules(), expected, chance) for _ in range(settings.sets)]
    return match_result(tuple(SetResult(one.white, one.black, one.stores, one.cause) for one in games))


def _game(rules: Rules, expected: float, chance: Random) -> Result:
    half = rules.total // 2
    if chance.random() < _DRAWS:
        return Result(1, 1, (half, half))
    resigned = chance.random() < _RESIGNED
    if resigned:
        won = chance.randint(rules.total // 3, half)
        lost = chance.randint(rules.total // 6, won - 1)
    else:
        won = half + 1 + chance.randint(0, rules.total // 8)
        lost = chance.randint(rules.total // 4, rules.total - won) if rules.goal else rules.total - won
    result = Result(2, 0, (won, lost), "resignation" if resigned else "board")
    return result if chance.random() < expected else result.mirrored
