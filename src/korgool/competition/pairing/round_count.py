"""The number of rounds that a field needs, and the most that it allows."""

from __future__ import annotations

from korgool.competition.errors import CompetitionError, Message
from korgool.competition.model import Settings, System
from korgool.languages import N_

FEWEST = 2
MORE = 2
"""Excess of the most advised rounds of a Swiss event over the fewest."""


def advise_rounds(players: int, system: System = System.SWISS) -> tuple[int, int]:
    """The fewest and the most rounds that are advised for a number of competitors.

    A Swiss event needs as many rounds as a knock-out, after which only one player can have won every game; two more
    sort the places below. No more than half of the field are advised, up to which a pairing without rematches always
    exists (a graph of n points has a perfect matching if each is joined to n/2 others: Dirac), unless the field is so
    small that the fewest are more.

    Raises:
        CompetitionError: fewer than two competitors.
    """
    if players < FEWEST:
        raise CompetitionError(
            N_("{players} competitors are too few, an event needs {least}"), players=players, least=FEWEST
        )
    fewest = (players - 1).bit_length()
    if system is System.KNOCKOUT:
        return fewest, fewest
    if system in (System.ROUND_ROBIN, System.TEAM_ROUND_ROBIN, System.DOUBLE_ROUND_ROBIN):
        whole = (players - 1 + players % 2) * (2 if system is System.DOUBLE_ROUND_ROBIN else 1)
        return whole, whole
    return fewest, max(fewest, min(fewest + MORE, (players + players % 2) // 2))


def most_rounds(players: int, system: System = System.SWISS) -> int:
    """The most rounds a field allows: in a Swiss event everybody meets everybody, or is free once, where their number
    is odd."""
    if system in (System.SWISS, System.TEAM_SWISS):
        return max(0, players - 1 + players % 2)
    return advise_rounds(players, system)[1]


def check_rounds(settings: Settings, count: int) -> None:
    """Refuse a number of rounds that the field does not allow.

    Args:
        settings: of the event.
        count: how many players, in a team event teams, take part.

    Raises:
        CompetitionError: with the reason and with what is allowed.
    """
    of_teams = settings.system.of_teams
    whom = Message(N_("teams") if of_teams else N_("players"))
    if count < FEWEST:
        nobody, alone = (N_("no teams"), N_("1 team")) if of_teams else (N_("no players"), N_("1 player"))
        there = Message(alone if count else nobody)
        raise CompetitionError(N_("{there}: too few, an event needs {least}"), there=there, least=FEWEST)
    least, most = advise_rounds(count, settings.system)
    if settings.system in (System.SWISS, System.TEAM_SWISS):
        bound = most_rounds(count, settings.system)
        if settings.rounds > bound:
            raise CompetitionError(
                N_(
                    "{count} {whom} can play {bound} rounds at most before two meet again, not {rounds}; {least} to "
                    "{most} are advised"
                ),
                count=count,
                whom=whom,
                bound=bound,
                rounds=settings.rounds,
                least=least,
                most=most,
            )
    elif settings.rounds != least:
        raise CompetitionError(
            N_("a {system} of {count} {whom} has {least} rounds, not {rounds}"),
            system=settings.system,
            count=count,
            whom=whom,
            least=least,
            rounds=settings.rounds,
        )
