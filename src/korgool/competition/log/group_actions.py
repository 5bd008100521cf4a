"""Groups of an event: how they begin, are named and joined, and what a group keeps of lines that are of another one."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import korgool.competition.actions as do
from korgool.competition.eligibility import check_entry
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import Done, EventState
from korgool.competition.log.people_actions import put, take_in
from korgool.competition.model import Entry, Player
from korgool.competition.people_index import name_key
from korgool.competition.standings import check_tiebreaks
from korgool.languages import N_

FIRST = 1
"""The group that an event is before it has others."""
MOST_GROUPS = 60
LONGEST_NAME = 60
NAMELESS = N_("a group needs a name, in one line and without control characters")
_IN_ADDRESSES = "/\\?#%"
"""Signs that an address of a page would read otherwise."""


def group_of(action: do.AnyAction) -> int:
    """The id of the group that a line of a log is of, as the log holds it; 0 where it is of the whole event."""
    if isinstance(action, do.InGroup):
        return action.group
    return 0 if isinstance(action, do.WHOLE_EVENT) else FIRST


def seen(done: Done, group: int) -> Done:
    """A line of a log as a group sees it: what is of another group is `InGroup`."""
    action, reason = done
    if isinstance(action, do.InGroup):
        return (action.action, reason) if action.group == group else done
    if group == FIRST or isinstance(action, do.WHOLE_EVENT):
        return done
    return do.InGroup(FIRST, action), reason  # type: ignore[return-value]


def inner(action: do.AnyAction) -> do.AnyAction:
    """The action itself, of whatever group."""
    return action.action if isinstance(action, do.InGroup) else action


def title_in(title: str, name: str) -> str:
    """The title of a group's papers and pages, unless its regulations have another one."""
    return f"{title}, {name}"


def check_alive(state: EventState, group: int) -> None:
    """Refuse what is of a group that the event does not have (any more)."""
    if group not in (state.groups or (FIRST,)):
        raise CompetitionError(N_("there is no group with the id {id}"), id=group)


def follow(state: EventState, line: do.InGroup) -> EventState:
    """The event, as a group sees it, after a line that is of another group.

    A new player takes the next id; who somebody is, and their photograph, are the same in all groups.

    Raises:
        CompetitionError: there is no such group, or a changed entry is not allowed here.
    """
    check_alive(state, line.group)
    action = line.action
    if isinstance(action, do.Enter):
        id_ = state.fresh_id("players")
        return replace(state, elsewhere=put(state.elsewhere, id_, Player(id_, 0, action.entry)))
    if isinstance(action, do.Amend | do.SetPhoto):
        return _known_otherwise(state, action)
    if isinstance(action, do.Change) and not state.groups:  # the event is not parted yet
        return replace(state, settings=action.settings)
    return state


def _known_otherwise(state: EventState, action: do.Amend | do.SetPhoto) -> EventState:
    id_ = action.player
    held = state.people.get(id_)
    if held is None:
        return state
    if isinstance(action, do.SetPhoto):
        player = replace(held, photo=action.digest)
    else:
        player = replace(held, entry=_own(action.entry, held.entry) if id_ in state.players else action.entry)
    if id_ not in state.players:
        return replace(state, elsewhere=put(state.elsewhere, id_, player))
    if isinstance(action, do.Amend):
        check_entry(state, player.entry, id_)
    return replace(state, players=put(state.players, id_, player))


def _own(entry: Entry, here: Entry) -> Entry:
    """An entry that was changed in another group, with what this group has of its own."""
    return replace(entry, rating=here.rating, team=here.team, board=here.board)


def join(state: EventState, action: do.Join) -> EventState:
    """The group with somebody who is entered in another one."""
    if action.player in state.players:
        raise CompetitionError(N_("{name} is in this group already"), name=state.players[action.player].name)
    if action.player not in state.elsewhere:
        raise CompetitionError(N_("there is no player with the id {id}"), id=action.player)
    held = state.elsewhere[action.player]
    changes = {name: value for name in ("rating", "team", "board") if (value := getattr(action, name)) is not None}
    entry = replace(held.entry, **changes)
    check_entry(state, entry, held.id)
    others = MappingProxyType({id_: one for id_, one in state.elsewhere.items() if id_ != held.id})
    return take_in(replace(state, elsewhere=others), replace(held, entry=entry))


def joining(player: int, entry: Entry) -> do.Join:
    """The action by which somebody who is known takes part in a group too, with what the entry says of it."""
    return do.Join(player, entry.rating or None, entry.team or None, entry.board or None)


def add_group(state: EventState, action: do.AddGroup) -> EventState:
    """The event with one more group; its own state begins with the group's regulations."""
    name = _checked(state, action.name)
    groups, title = dict(state.groups), state.title
    if not groups:
        title = state.event.name
        if action.first:
            groups[FIRST] = _checked(state, action.first)
            if name_key(name) == name_key(action.first):
                raise CompetitionError(N_("there is a group {name} already"), name=name)
        elif state.people or state.teams or state.rounds:
            raise CompetitionError(N_("somebody is entered: give the group that is there a name too"))
    elif action.first:
        raise CompetitionError(N_("the first group has a name already"))
    if len(groups) >= MOST_GROUPS:
        raise CompetitionError(N_("an event has at most {most} groups"), most=MOST_GROUPS)
    id_ = state.fresh_id("groups")
    groups[id_] = name
    after = replace(state, groups=MappingProxyType(groups), title=title)
    if state.group != id_:
        return after
    check_tiebreaks(action.settings)
    return replace(after, settings=action.settings)


def name_group(state: EventState, action: do.NameGroup) -> EventState:
    """The event with another name of a group, or of the whole event; titles made of the old name follow."""
    if not state.groups:
        raise CompetitionError(N_("this event has no groups"))
    if action.of:
        check_alive(state, action.of)
        name, title = _checked(state, action.name, action.of), state.title
    else:
        name, title = "", action.name
        if not title.strip() or not title.isprintable() or len(title) > 200:
            raise CompetitionError(N_("an event needs a name"))
    groups = MappingProxyType({**state.groups, action.of: name}) if action.of else state.groups
    after = replace(state, groups=groups, title=title)
    own = state.groups.get(state.group, "")
    if state.event.name == title_in(state.title, own):
        named = replace(state.event, name=title_in(title, groups.get(state.group, "")))
        return replace(after, settings=named)
    return after


def _checked(state: EventState, name: str, own: int = 0) -> str:
    """A name for a group; raises CompetitionError for one that cannot be used."""
    shown = name.strip()
    if not shown or shown != name or not name.isprintable():
        raise CompetitionError(NAMELESS)
    if len(name) > LONGEST_NAME:
        raise CompetitionError(N_("the name of a group has at most {most} letters"), most=LONGEST_NAME)
    if any(sign in name for sign in _IN_ADDRESSES) or not name.strip("."):
        signs = " ".join(_IN_ADDRESSES)
        raise CompetitionError(N_("{name!r}: the name of a group holds none of {signs}"), name=name, signs=signs)
    for id_, held in state.groups.items():
        if id_ != own and name_key(held) == name_key(name):
            raise CompetitionError(N_("there is a group {name} already"), name=held)
    return name
