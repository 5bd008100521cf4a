"""Events played by chance, through the same actions as an arbiter's."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from korgool.competition import actions as do
from korgool.competition.event_state import EventState
from korgool.competition.log.apply import apply
from korgool.competition.model import Absence, Bye, ByeKind, Entry, PairedGame, Settings
from korgool.competition.pairing import GacruxHere, GacruxProcess, Paired, gacrux_process, pair, seed
from korgool.competition.pairing.engine import Pairs
from korgool.competition.result import Result, match_result
from korgool.competition.result import SetResult as OneSet

Factory = Callable[..., EventState]
TITLES = ("", "", "", "KMS", "MS", "MSMK", "1")


def by_chance(state: EventState, number: int, chance: random.Random) -> Paired:
    """A round in which players meet anybody they have not met yet, if that is easily found."""
    met = {frozenset((game.white, game.black)) for one in state.rounds for game in one.games}
    fixed = {id_: one.bye(number) for id_, one in state.players.items()}
    byes = [Bye(id_, kind) for id_, kind in fixed.items() if kind not in (None, ByeKind.ZERO)]
    waiting = [id_ for id_, kind in fixed.items() if kind is None]
    chance.shuffle(waiting)
    games: list[PairedGame] = []
    while len(waiting) > 1:
        one = waiting.pop()
        free = [id_ for id_ in waiting if frozenset((one, id_)) not in met] or waiting
        other = chance.choice(free)
        waiting.remove(other)
        games.append(PairedGame(len(games) + 1, one, other))
    byes += [Bye(id_, ByeKind.ALLOCATED) for id_ in waiting]
    return Paired(tuple(games), tuple(byes), engine="chance")


def a_result(chance: random.Random, settings: Settings, *, forfeits: float, draws: float) -> Result:
    """A result that the rules allow, of any kind."""
    if chance.random() < forfeits:
        return Result(*chance.choice(((2, 0), (0, 2), (0, 0))), cause="forfeit")
    total = settings.rules().total
    if settings.sets > 1:
        sets = []
        for _ in range(settings.sets):
            won = chance.randint(total // 2 + 1, total)
            stores = (won, chance.randint(0, total - won))
            sets.append(OneSet(2, 0, stores) if chance.random() < 0.5 else OneSet(0, 2, stores[::-1]))
        return match_result(tuple(sets))
    if chance.random() < draws:
        return Result(1, 1, (total // 2, total // 2))
    kind = chance.random()
    if kind < 0.1:
        low = chance.randint(0, total // 2)
        return Result(*chance.choice(((2, 0), (0, 2))), (low, chance.randint(0, total // 2)), "resignation")
    if kind < 0.15:
        return Result(0, 0, (chance.randint(0, total // 2), chance.randint(0, total // 2)), "time")
    won = chance.randint(total // 2 + 1, total)
    stores = (won, chance.randint(0, total - won))
    return Result(2, 0, stores) if chance.random() < 0.5 else Result(0, 2, stores[::-1])


def play_event(
    players: int = 12,
    rounds: int = 5,
    number: int = 0,
    *,
    engine: bool = False,
    teams: int = 0,
    absences: float = 0.05,
    forfeits: float = 0.05,
    draws: float = 0.2,
    late: int = 0,
    withdrawals: int = 0,
    penalties: int = 0,
    unrated: float = 0.0,
    decisive: bool = False,
    **settings: Any,
) -> EventState:
    """An event that is played to the end, the same for the same arguments.

    `number` seeds the chance. With `engine` rounds are paired as the system says, else by chance. `teams` puts the
    players into so many teams, in turns. `decisive` replays what was drawn, as a knock-out asks.
    """
    chance = random.Random(number)
    state = apply(EventState(), do.Open(Settings(name="Cup", rounds=rounds, **settings)))

    def entry(count: int) -> Entry:
        rating = 0 if chance.random() < unrated else chance.randint(1000, 2400)
        team = f"Team {count % teams + 1}" if teams else ""
        return Entry(
            family=f"Player {count}",
            rating=rating,
            title=chance.choice(TITLES),
            team=team,
            sex="m" if chance.random() < 0.5 else "f",
            born=chance.randint(1960, 2014),
            federation=chance.choice(("KGZ", "KAZ", "TUR")),
        )

    for count in range(players):
        state = apply(state, do.Enter(entry(count)))
    state = apply(state, seed(state, f"lot {number}"))
    for round_ in range(1, rounds + 1):
        state = _before(state, round_, chance, late, withdrawals, entry, absences)
        paired = pair(state, round_) if engine else by_chance(state, round_, chance)
        state = apply(state, paired.action(round_))
        for game in paired.games:
            result = a_result(chance, state.event, forfeits=forfeits, draws=draws)
            while decisive and result.white == result.black:
                result = a_result(chance, state.event, forfeits=0, draws=0)
            if not (game.white and game.black):
                result = Result(*((2, 0) if game.white else (0, 2)), cause="forfeit")
            state = apply(state, do.EnterResult(round_, game.board, result))
        if penalties and chance.random() < penalties / rounds:
            state = apply(
                state, do.Penalise(chance.choice(list(state.players)), chance.randint(1, 3)), reason="conduct"
            )
    return state


def _before(
    state: EventState,
    round_: int,
    chance: random.Random,
    late: int,
    withdrawals: int,
    entry: Callable[[int], Entry],
    absences: float,
) -> EventState:
    """What happens before a round: late entries, withdrawals, absences."""
    if 1 < round_ <= late + 1:
        state = apply(state, do.Enter(entry(len(state.players))))
    here = [id_ for id_, one in state.players.items() if one.plays(round_)]
    if 1 < round_ <= withdrawals + 1 and len(here) > 4:
        state = apply(state, do.Withdraw(here.pop(chance.randrange(len(here)))))
    for id_ in here:
        if chance.random() < absences:
            kind = chance.choice((ByeKind.HALF, ByeKind.ZERO, ByeKind.FULL))
            state = apply(state, do.Miss(id_, Absence(round_, kind)))
    return state


@pytest.fixture(scope="module", autouse=True)
def pairing_here() -> Iterator[None]:
    """Let gacrux pair in this process, for a tenth of what a process for each round costs.

    What is put in its place is started as ever, and `test_swiss_process.py` tries the process itself.
    """
    usual, apart = gacrux_process.COMMAND, GacruxProcess.pair

    def here(self: GacruxProcess, trf: str, number: int, competitors: int) -> Pairs:
        if gacrux_process.COMMAND is usual:
            return GacruxHere().pair(trf, number, competitors)
        return apart(self, trf, number, competitors)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(GacruxProcess, "pair", here)
        yield


@pytest.fixture(scope="session")
def event() -> Factory:
    """`play_event`: an event of so many players and rounds, played by chance."""
    return play_event
