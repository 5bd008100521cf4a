"""Swiss rounds by the Dutch system (FIDE C.04.3), paired by an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.model import Bye, ByeKind, PairedGame, System
from korgool.competition.pairing.engine import EngineError, NoPairingError, PairingEngine, Pairs
from korgool.competition.pairing.engine_file import FILE, engine_file, fixed_byes, numbers
from korgool.competition.pairing.gacrux_process import ISOLATED
from korgool.competition.pairing.legal_opponents import in_words
from korgool.competition.pairing.paired_round import Paired
from korgool.competition.pairing.team_matches import lay_out
from korgool.languages import N_


def pair_swiss(state: EventState, number: int, *, engine: PairingEngine = ISOLATED, version: int = FILE) -> Paired:
    """Pair a round of a Swiss event, of players or of teams.

    Competitors that the settings keep apart (`forbid`) do not meet if the field can be paired without it. If not,
    members of one federation may meet, then members of one team; `Paired.engine` says so. Rematches are never paired.

    Args:
        state: the event, seeded, with every result of the rounds before.
        number: the round, from 1; all before it are paired.
        engine: what pairs; by default gacrux in a process of its own.
        version: of the file that the engine is given (`engine_file`).

    Raises:
        NoPairingError: no legal pairing exists; the message names the players without an opponent.
        EngineError: the engine is missing, was stopped or failed.
        CompetitionError: results or pairing numbers are missing, or the round is not the event's next.
    """
    event = state.event
    if event.system not in (System.SWISS, System.TEAM_SWISS):
        raise CompetitionError(N_("this is a {system} event, not a Swiss one"), system=event.system)
    if not 1 <= number <= event.rounds:
        raise CompetitionError(
            N_("the event has {rounds} rounds, there is no round {number}"), rounds=event.rounds, number=number
        )
    if number > len(state.rounds) + 1:
        raise CompetitionError(N_("the next round is {next}, not {number}"), next=len(state.rounds) + 1, number=number)
    away = fixed_byes(state, number)
    pairs, note = _pairs(state, number, away, engine=engine, version=version)
    ids = {number_: id_ for id_, number_ in numbers(state).items()}
    met = [(ids[white], ids[black]) for white, black in pairs if black]
    byes = [Bye(ids[white], ByeKind.ALLOCATED) for white, black in pairs if not black]
    by = engine.name + (f", file {version}" if version > 1 else "") + note
    if event.system is System.TEAM_SWISS:
        byes += [Bye(id_, kind) for id_, kind in away.items()]
        return lay_out(state, number, met, byes, by)
    byes += [Bye(id_, kind) for id_, kind in away.items() if _asked(state, number, id_)]
    games = tuple(PairedGame(board, white, black) for board, (white, black) in enumerate(met, 1))
    return Paired(games, tuple(byes), engine=by)


def verify_swiss(state: EventState, number: int, *, engine: PairingEngine = ISOLATED) -> tuple[str, ...]:
    """Pair a round again and say how the published one differs.

    It is paired from the earlier rounds as they stand now. Competitors without a game in the published round count as
    absent; the engine gives the pairing-allocated bye.

    Returns:
        A sentence for every difference.

    Raises:
        CompetitionError: the round is not paired, or the engine failed (`pair_swiss`).
    """
    published = state.round(number)
    of_teams = state.event.system.of_teams
    held: Mapping[int, Any] = state.teams if of_teams else state.players
    tables = [(one.home, one.away) for one in published.matches] if of_teams else [
        (game.white, game.black) for game in published.games
    ]  # fmt: skip
    allocated = {bye.player for bye in published.byes if bye.kind is ByeKind.ALLOCATED}
    kinds = {bye.player: bye.kind for bye in published.byes}
    playing = {id_ for pair in tables for id_ in pair} | allocated
    away = {id_: kinds.get(id_, ByeKind.ZERO) for id_ in held if id_ not in playing}
    try:
        pairs, _ = _pairs(state, number, away, engine=engine, version=FILE)
    except NoPairingError as error:
        return (f"round {number} was paired, but {error}",)
    ids = {number_: id_ for id_, number_ in numbers(state).items()}
    wanted = [(ids[white], ids[black] if black else 0) for white, black in pairs]
    given = [*tables, *((id_, 0) for id_ in sorted(allocated))]

    def name(id_: int) -> str:
        one = held[id_]
        return f"{one.number} {one.name}"

    def meeting(pair: tuple[int, int]) -> str:
        return f"{name(pair[0])} - {name(pair[1])}" if pair[1] else f"bye {name(pair[0])}"

    found = [f"round {number}: {meeting(pair)} is not what the engine pairs" for pair in given if pair not in wanted]
    found += [f"round {number}: the engine pairs {meeting(pair)}" for pair in wanted if pair not in given]
    if not found and wanted != given:
        found.append(f"round {number}: the boards stand in another order than points and numbers give")
    return tuple(found)


def _pairs(
    state: EventState, number: int, away: Mapping[int, ByeKind], *, engine: PairingEngine, version: int
) -> tuple[Pairs, str]:
    """Pairs by number, with a note on what had to be allowed; checked to hold everybody once."""
    field = set(numbers(state).values()) - {numbers(state)[id_] for id_ in away}
    if len(field) < 2:
        raise NoPairingError(
            N_("round {number} cannot be paired: {count} of {all} are there to play"),
            number=number,
            count=len(field),
            all=len(numbers(state)),
        )
    forbid = tuple(sorted(state.event.forbid, key=("team", "federation").index))
    for kept in range(len(forbid), -1, -1):
        try:
            trf = engine_file(state, number, forbid=forbid[:kept], absent=away, version=version)
            pairs = engine.pair(trf, number, len(field))
        except NoPairingError:
            continue
        seated = sorted(one for pair in pairs for one in pair if one)
        if seated != sorted(field) or sum(not black for _, black in pairs) != len(field) % 2:
            raise EngineError(
                N_("the pairing engine did not pair everybody once: {seated} of {field}"),
                seated=seated,
                field=sorted(field),
            )
        allowed = forbid[kept:]
        return pairs, f" (of one {' or '.join(allowed)} allowed to meet)" if allowed else ""
    raise NoPairingError(in_words(state, number, away))


def _asked(state: EventState, number: int, id_: int) -> bool:
    """Return whether a player with a bye is in the event then; those who have left or not come yet are not listed."""
    player = state.players[id_]
    return number >= player.since and (player.until is None or number <= player.until)
