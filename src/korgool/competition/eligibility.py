"""Eligibility of players, and the officials that an event needs (WNG-TK §XIII, §XIV)."""

from __future__ import annotations

from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.competition.model import ROLE_NAMES, Entry, Role
from korgool.competition.people_index import name_key, people_index
from korgool.languages import N_

LEAST_OFFICIALS = 3
"""The fewest officials of any event."""
SMALL = 7
"""Up to this many players an event does not need every office."""


def check_entry(state: EventState, entry: Entry, own: int | None = None, *, namesake: bool = False) -> None:
    """Refuse an entry that the event does not allow.

    Args:
        state: the event.
        entry: the entry.
        own: the id of the player whose entry is amended. Namesakes they had before are allowed.
        namesake: whether equal names are known to be of two people; equal external numbers never are.

    Raises:
        CompetitionError: a man in a women's event, somebody of another age, or a player who is entered already.
    """
    check_limits(state, entry)
    for player in people_index(state.players).alike(entry):
        other = player.entry
        same_number = entry.external and entry.external == other.external
        if player.id == own or not same_person(other, entry):
            continue
        before = state.players.get(own) if own is not None else None
        known = namesake or (before is not None and same_person(other, before.entry))
        if not known or same_number:
            raise CompetitionError(
                N_("{name} is entered already, with number {number}"), name=entry.name, number=player.number
            )
    if own is None and not namesake and state.elsewhere:
        for player in people_index(state.elsewhere).alike(entry):
            if same_person(player.entry, entry):
                raise CompetitionError(N_("{name} is entered already, in another group"), name=entry.name)


def check_limits(state: EventState, entry: Entry) -> None:
    """Refuse somebody whom the regulations do not admit, by sex or by year of birth.

    Raises:
        CompetitionError: with the reason.
    """
    event = state.event
    if event.sex == "women" and entry.sex != "f":
        why = N_("men cannot play among women") if entry.sex == "m" else N_("the sex is not stated")
        raise CompetitionError(N_("{name}: this is a women's event, {why}"), name=entry.name, why=Message(why))
    if event.sex == "men" and entry.sex != "m":
        why = N_("women cannot play among men") if entry.sex == "f" else N_("the sex is not stated")
        raise CompetitionError(N_("{name}: this is a men's event, {why}"), name=entry.name, why=Message(why))
    if not (event.from_year or event.to_year) or entry.removed:  # with a name the year of birth goes too
        return
    if not entry.born:
        raise CompetitionError(N_("{name}: the year of birth is not stated"), name=entry.name)
    if event.from_year and entry.born < event.from_year:
        early = N_("{name}: born in {born}, and only those born in {year} or later may play")
        raise CompetitionError(early, name=entry.name, born=entry.born, year=event.from_year)
    if event.to_year and entry.born > event.to_year:
        late = N_("{name}: born in {born}, and only those born in {year} or earlier may play")
        raise CompetitionError(late, name=entry.name, born=entry.born, year=event.to_year)


def same_person(one: Entry, other: Entry) -> bool:
    """Return whether two entries are of one player: the same external number, or equal names and no difference.

    An entry whose name was removed is never the same.
    """
    if one.removed or other.removed:
        return False
    if one.external and other.external:
        return one.external == other.external
    if name_key(one.name) != name_key(other.name):
        return False
    return not any(
        getattr(one, name) and getattr(other, name) and getattr(one, name) != getattr(other, name)
        for name in ("born", "sex", "federation")
    )


def missing_officials(state: EventState) -> tuple[str, ...]:
    """Missing officials, in sentences; empty if the body of referees is complete (WNG-TK §XIV)."""
    active = [official for official in state.officials.values() if not official.excluded]
    lacks: list[str] = []
    if len(active) < LEAST_OFFICIALS:
        few = N_("an event has at least {least} officials, {count} named")
        lacks.append(Message(few, least=LEAST_OFFICIALS, count=len(active)))
    if len(state.players) > SMALL:
        held = {official.role for official in active}
        for role in Role:
            if role not in held:
                without = N_("more than {small} take part and there is no {role}")
                lacks.append(Message(without, small=SMALL, role=Message(ROLE_NAMES[role])))
    return tuple(lacks)
