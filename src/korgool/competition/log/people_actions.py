"""Actions on players, teams, officials, forms and settings: each checked, then done."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar

import korgool.competition.actions as do
from korgool.competition.eligibility import check_entry
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState, Kept
from korgool.competition.model import (
    ROLE_NAMES,
    Absence,
    ByeKind,
    Entry,
    EventWarning,
    LentForm,
    Official,
    Penalty,
    Player,
    Role,
    Settings,
    Team,
)
from korgool.competition.people_index import name_key, people_index
from korgool.competition.standings import check_tiebreaks
from korgool.languages import N_

T = TypeVar("T")

POINT = 2
"""Half points that a third warning costs (WNG-TK §XIV)."""
_DIGEST = re.compile("[0-9a-f]{64}")
THIRD_WARNING = "third warning"
"""The reason of that penalty."""
WARNING_CANCELLED = "warning cancelled"
"""The reason with which the point is given back."""
AUTOMATIC_REASONS = {THIRD_WARNING: "third_warning", WARNING_CANCELLED: "warning_cancelled"}
"""The reasons that the program gives, each with the key of its words (`app.words.event_words`)."""


def apply_people_action(state: EventState, action: do.AnyAction, reason: str) -> EventState:
    """The event after an action on its people or settings; raises CompetitionError if it is refused."""
    return PEOPLE[type(action)](state, action, reason)


def pass_over(state: EventState, action: do.AnyAction) -> EventState:
    """The event after an action that was taken back: nothing is done, but its ids are not used again."""
    spent = dict(state.spent)
    for kind in _gives(state, action):
        spent[kind] = state.fresh_id(kind)
    return replace(state, spent=MappingProxyType(spent))


def _gives(state: EventState, action: do.AnyAction) -> tuple[Kept, ...]:
    """The kinds of things that an action gives new ids to."""
    match action:
        case do.Enter() | do.Amend():
            new_team = _named_team(state, action.entry) is None
            teams: tuple[Kept, ...] = ("teams",) if new_team else ()
            return (*teams, "players") if isinstance(action, do.Enter) else teams
        case do.SetTeam():
            return () if action.team.id else ("teams",)
        case do.Appoint():
            return ("officials",)
        case do.Lend():
            return ("forms",)
        case do.AddGroup():
            return ("groups",)
        case do.Announce():
            return ("announcements",)
        case do.InGroup():
            return ("players",) if isinstance(action.action, do.Enter) else ()
        case _:
            return ()


def put(values: Mapping[int, T], key: int, value: T) -> Mapping[int, T]:
    """The mapping with one value added or replaced, read-only."""
    return MappingProxyType({**values, key: value})


def _player(state: EventState, id_: int) -> Player:
    if id_ not in state.players:
        raise CompetitionError(N_("there is no player with the id {id}"), id=id_)
    return state.players[id_]


def _with_player(state: EventState, player: Player, **changes: Any) -> EventState:
    return replace(state, players=put(state.players, player.id, replace(player, **changes)))


def _change(state: EventState, action: do.Change, reason: str) -> EventState:
    old, new = state.event, action.settings
    check_tiebreaks(new)
    if state.rounds:
        for name in ("game", "system", "sets", "boards"):
            if getattr(old, name) != getattr(new, name):
                raise CompetitionError(N_("{name} cannot change once a round is paired"), name=name)
        _check_slips(state, old, new, reason)
    if new.rounds < len(state.rounds):
        raise CompetitionError(
            N_("{count} rounds are paired, {rounds} would be too few"), count=len(state.rounds), rounds=new.rounds
        )
    after = replace(state, settings=new)
    for player in state.players.values():
        check_entry(after, player.entry, player.id)
    return after


def _check_slips(state: EventState, old: Settings, new: Settings, reason: str) -> None:
    """Refuse to put right what the rounds were played by without a reason, or where a result would not be possible."""
    slips = [name for name in ("rule", "set_points", "bye_points") if getattr(old, name) != getattr(new, name)]
    if slips and not reason.strip():
        raise CompetitionError(N_("rounds are paired: give the reason why {name} changes"), name=slips[0])
    for one in state.rounds if "rule" in slips else ():
        for game in one.games:
            if game.result is not None:
                game.result.check(new.rules(), sets=new.sets)


def _enter(state: EventState, action: do.Enter, _: str) -> EventState:
    _refuse_late(state)
    check_entry(state, action.entry, namesake=action.namesake)
    return _seat(state, Player(state.fresh_id("players"), 0, action.entry))


def take_in(state: EventState, player: Player) -> EventState:
    """The event with a player whom it knows from another group."""
    _refuse_late(state)
    return _seat(state, player)


def _seat(state: EventState, player: Player) -> EventState:
    """The event with one more player, with the next number, from the next round on."""
    index = people_index(state.players)
    player = replace(player, number=index.highest + 1, since=len(state.rounds) + 1)
    players = put(state.players, player.id, player)
    index.go_on(players, player)
    return _join(replace(state, players=players), player)


def _refuse_late(state: EventState) -> None:
    if state.seeded and not state.event.system.value.endswith("swiss"):
        raise CompetitionError(
            N_("the draw of a {system} event is made, nobody can be added"), system=state.event.system
        )


def _amend(state: EventState, action: do.Amend, _: str) -> EventState:
    player = _player(state, action.player)
    check_entry(state, action.entry, player.id)
    after = _leave(_with_player(state, player, entry=action.entry), player, action.entry.team)
    return _join(after, after.players[player.id])


def _photo(state: EventState, action: do.SetPhoto, _: str) -> EventState:
    if not 1 <= action.player < state.fresh_id("players"):
        raise CompetitionError(N_("there is no player with the id {id}"), id=action.player)
    player = state.players.get(action.player)
    if player is None:  # the entry was taken back, and the photograph went with it
        return state
    if not action.digest:
        if not player.photo:
            raise CompetitionError(N_("{name} has no photo"), name=player.name)
        return _with_player(state, player, photo="")
    if not _DIGEST.fullmatch(action.digest):
        raise CompetitionError("the digest of a photograph has 64 hexadecimal digits")
    if "photo" not in state.event.shown:
        raise CompetitionError(N_("the regulations of this event show no photos"))
    return _with_player(state, player, photo=action.digest)


def _join(state: EventState, player: Player) -> EventState:
    """Put a player of a team event into the team that their entry names, which is made if it is new."""
    found = _named_team(state, player.entry)
    if found is None:
        _refuse_late_team(state)
        number = max((team.number for team in state.teams.values()), default=0) + 1
        found = Team(state.fresh_id("teams"), number, player.entry.team.strip(), player.entry.federation)
    if not found.id or player.id in found.players:
        return state
    order = sorted((*found.players, player.id), key=lambda id_: state.players[id_].entry.board or 10**6)
    return replace(state, teams=put(state.teams, found.id, replace(found, players=tuple(order))))


_NO_TEAM = Team(0, 0, "")


def _named_team(state: EventState, entry: Entry) -> Team | None:
    """Team that an entry names, `_NO_TEAM` if it needs none, None if there is no such team yet."""
    name = entry.team.strip()
    if not state.event.system.of_teams or not name:
        return _NO_TEAM
    return next((team for team in state.teams.values() if name_key(team.name) == name_key(name)), None)


def _leave(state: EventState, player: Player, stays: str) -> EventState:
    for team in state.teams.values():
        if player.id in team.players and name_key(team.name) != name_key(stays):
            players = tuple(id_ for id_ in team.players if id_ != player.id)
            state = replace(state, teams=put(state.teams, team.id, replace(team, players=players)))
    return state


def _refuse_late_team(state: EventState) -> None:
    if state.seeded and not state.event.system.value.endswith("swiss"):
        raise CompetitionError(N_("the draw is made, no team can be added"))


def _team(state: EventState, action: do.SetTeam, _: str) -> EventState:
    team = action.team
    if not team.name.strip():
        raise CompetitionError(N_("a team needs a name"))
    if team.id and team.id not in state.teams:
        raise CompetitionError(N_("there is no team with the id {id}"), id=team.id)
    for id_ in team.players:
        _player(state, id_)
    if len(set(team.players)) != len(team.players):
        raise CompetitionError(N_("a player stands twice in team {name}"), name=team.name)
    for other in state.teams.values():
        if other.id == team.id:
            continue
        if name_key(other.name) == name_key(team.name):
            raise CompetitionError(N_("there is a team {name} already"), name=other.name)
        if both := set(other.players) & set(team.players):
            name = state.players[min(both)].name
            raise CompetitionError(N_("{name} plays for team {team} already"), name=name, team=other.name)
    if not team.id:
        _refuse_late_team(state)
        number = max((other.number for other in state.teams.values()), default=0) + 1
        team = replace(team, id=state.fresh_id("teams"), number=number)
    else:
        team = replace(team, number=state.teams[team.id].number)
    return replace(state, teams=put(state.teams, team.id, team))


def _withdraw(state: EventState, action: do.Withdraw, _: str) -> EventState:
    player = _player(state, action.player)
    if player.until is not None:
        raise CompetitionError(N_("{name} has left the event already"), name=player.name)
    return _with_player(state, player, until=len(state.rounds))


def _readmit(state: EventState, action: do.Readmit, _: str) -> EventState:
    player = _player(state, action.player)
    if player.excluded:
        raise CompetitionError(
            N_("{name} was excluded and cannot come back: end the exclusion first"), name=player.name
        )
    if player.until is None:
        raise CompetitionError(N_("{name} has not left the event"), name=player.name)
    return _with_player(state, player, until=None)


def _miss(state: EventState, action: do.Miss, _: str) -> EventState:
    player, absence = _player(state, action.player), action.absence
    _check_coming(state, absence.round)
    if absence.kind is ByeKind.ALLOCATED:
        raise CompetitionError(N_("a pairing-allocated bye is given by the pairing, nobody can ask for it"))
    others = tuple(one for one in player.absences if one.round != absence.round)
    kept = tuple(sorted((*others, absence), key=lambda one: one.round))
    return _with_player(state, player, absences=kept)


def _attend(state: EventState, action: do.Attend, _: str) -> EventState:
    player = _player(state, action.player)
    _check_coming(state, action.round)
    kept: tuple[Absence, ...] = tuple(one for one in player.absences if one.round != action.round)
    if kept == player.absences:
        raise CompetitionError(N_("{name} does not miss round {round}"), name=player.name, round=action.round)
    return _with_player(state, player, absences=kept)


def _present(state: EventState, action: do.Present, _: str) -> EventState:
    number = action.round
    if not 1 <= number <= state.event.rounds:
        raise CompetitionError(
            N_("the event has {rounds} rounds, there is no round {number}"), rounds=state.event.rounds, number=number
        )
    for id_ in action.players:
        if not 1 <= id_ < state.fresh_id("players"):  # nothing rests on this line, so an entry can still be taken back
            raise CompetitionError(N_("there is no player with the id {id}"), id=id_)
    held = state.present.get(number, frozenset())
    after = held.union(action.players) if action.here else held.difference(action.players)
    if after == held:
        raise CompetitionError(N_("that is noted already") if action.players else N_("say which players"))
    return replace(state, present=put(state.present, number, after))


def _check_coming(state: EventState, number: int) -> None:
    if number <= len(state.rounds):
        raise CompetitionError(N_("round {number} is paired already"), number=number)
    if number > state.event.rounds:
        raise CompetitionError(
            N_("the event has {rounds} rounds, there is no round {number}"), rounds=state.event.rounds, number=number
        )


def _exclude(state: EventState, action: do.Exclude, _: str) -> EventState:
    player = _player(state, action.player)
    if player.excluded:
        raise CompetitionError(N_("{name} is excluded already"), name=player.name)
    until = len(state.rounds) if player.until is None else player.until
    return _with_player(state, player, excluded=True, until=until)


def _reinstate(state: EventState, action: do.Reinstate, _: str) -> EventState:
    player = _player(state, action.player)
    if not player.excluded:
        raise CompetitionError(N_("{name} is not excluded"), name=player.name)
    if len(player.warnings) > 3:  # only a fourth warning leads there, and it excludes
        return _cancelled(state, player, len(player.warnings))
    return _with_player(state, player, excluded=False, until=None)


def _cancel_warning(state: EventState, action: do.CancelWarning, _: str) -> EventState:
    player = _player(state, action.player)
    if not 1 <= action.warning <= len(player.warnings):
        raise CompetitionError(
            N_("{name} has no warning {warning}, but {count}"),
            name=player.name,
            warning=action.warning,
            count=len(player.warnings),
        )
    return _cancelled(state, player, action.warning)


def _cancelled(state: EventState, player: Player, warning: int) -> EventState:
    """The event without a warning, and without what followed from the number of warnings."""
    before = len(player.warnings)
    kept = player.warnings[: warning - 1] + player.warnings[warning:]
    state = _with_player(state, player, warnings=kept)
    if before == 3:
        given_back = Penalty(len(state.rounds), -POINT, WARNING_CANCELLED)
        return _with_player(state, state.players[player.id], penalties=(*player.penalties, given_back))
    if before > 3:
        return _with_player(state, state.players[player.id], excluded=False, until=None)
    return state


def _warn(state: EventState, action: do.GiveWarning, reason: str) -> EventState:
    player, now = _player(state, action.player), len(state.rounds)
    if player.excluded:
        raise CompetitionError(N_("{name} is excluded already"), name=player.name)
    warnings = (*player.warnings, EventWarning(now, reason.strip()))
    if len(warnings) == 3:
        penalty = Penalty(now, POINT, THIRD_WARNING)
        return _with_player(state, player, warnings=warnings, penalties=(*player.penalties, penalty))
    if len(warnings) > 3:
        until = now if player.until is None else player.until
        return _with_player(state, player, warnings=warnings, excluded=True, until=until)
    return _with_player(state, player, warnings=warnings)


def _penalise(state: EventState, action: do.Penalise, reason: str) -> EventState:
    player = _player(state, action.player)
    if not action.half_points or abs(action.half_points) > 100:
        raise CompetitionError(
            N_("a penalty takes some points, not {half_points} half points"), half_points=action.half_points
        )
    penalty = Penalty(len(state.rounds), action.half_points, reason.strip())
    return _with_player(state, player, penalties=(*player.penalties, penalty))


_ONE_OF_A_KIND = (Role.CHIEF_REFEREE, Role.DEPUTY, Role.CHIEF_SECRETARY)


def _appoint(state: EventState, action: do.Appoint, _: str) -> EventState:
    if not action.name.strip():
        raise CompetitionError(N_("an official needs a name"))
    for official in state.officials.values():
        if official.excluded:
            if name_key(official.name) == name_key(action.name):
                raise CompetitionError(
                    N_("{name} was excluded from the referees: {excluded}"),
                    name=official.name,
                    excluded=official.excluded,
                )
            continue
        if official.role is action.role and action.role in _ONE_OF_A_KIND:
            raise CompetitionError(
                N_("{name} is {role} already"), name=official.name, role=Message(ROLE_NAMES[action.role])
            )
        if name_key(official.name) == name_key(action.name) and official.role is action.role:
            raise CompetitionError(
                N_("{name} is {role} already"), name=official.name, role=Message(ROLE_NAMES[action.role])
            )
    id_ = state.fresh_id("officials")
    official = Official(id_, action.name.strip(), action.role, action.category, action.federation)
    return replace(state, officials=put(state.officials, id_, official))


def _dismiss(state: EventState, action: do.Dismiss, reason: str) -> EventState:
    official = state.officials.get(action.official)
    if official is None:
        raise CompetitionError(N_("there is no official with the id {official}"), official=action.official)
    if official.excluded:
        raise CompetitionError(N_("{name} is excluded already"), name=official.name)
    gone = replace(official, excluded=reason.strip())
    return replace(state, officials=put(state.officials, official.id, gone))


def _lend(state: EventState, action: do.Lend, _: str) -> EventState:
    state.round(action.round).game(action.board)
    if not action.borrower.strip():
        raise CompetitionError(N_("say who borrows the form"))
    id_ = state.fresh_id("forms")
    form = LentForm(id_, action.round, action.board, action.borrower.strip())
    return replace(state, forms=put(state.forms, id_, form))


def _take_back(state: EventState, action: do.TakeBack, _: str) -> EventState:
    form = state.forms.get(action.form)
    if form is None:
        raise CompetitionError(N_("no form with the number {form} was lent"), form=action.form)
    if form.state == "returned":
        raise CompetitionError(N_("form {id} was returned already"), id=form.id)
    return replace(state, forms=put(state.forms, form.id, replace(form, state=action.state)))


def _forget(state: EventState, action: do.Forget, _: str) -> EventState:
    if not action.players:
        raise CompetitionError(N_("say of which players personal data was removed"))
    for id_ in action.players:
        if not 1 <= id_ < state.fresh_id("players"):  # also of one whose entry was taken back
            raise CompetitionError(N_("there is no player with the id {id}"), id=id_)
    for id_ in action.players:
        if id_ in state.people:
            player = state.people[id_]
            entry = player.entry.public if action.names else player.entry
            if id_ in state.players:
                state = _with_player(state, player, entry=entry, photo="")
            else:
                gone = replace(player, entry=entry, photo="")
                state = replace(state, elsewhere=put(state.elsewhere, id_, gone))
    return state


PEOPLE: dict[type[do.Action], Callable[[EventState, Any, str], EventState]] = {
    do.Change: _change,
    do.Enter: _enter,
    do.Amend: _amend,
    do.SetPhoto: _photo,
    do.SetTeam: _team,
    do.Withdraw: _withdraw,
    do.Readmit: _readmit,
    do.Miss: _miss,
    do.Attend: _attend,
    do.Present: _present,
    do.Exclude: _exclude,
    do.Reinstate: _reinstate,
    do.GiveWarning: _warn,
    do.CancelWarning: _cancel_warning,
    do.Penalise: _penalise,
    do.Appoint: _appoint,
    do.Dismiss: _dismiss,
    do.Lend: _lend,
    do.TakeBack: _take_back,
    do.Forget: _forget,
}
"""The handler of each of these actions."""
