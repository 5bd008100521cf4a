"""The lines of an event's log in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from korgool.competition import actions as do
from korgool.competition.result import points_text

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState

_PEOPLE = {
    do.Withdraw: "withdraws",
    do.Readmit: "comes back",
    do.Exclude: "is excluded",
    do.GiveWarning: "is warned",
}


def told(state: EventState, action: do.AnyAction) -> str:
    """Describe an action, with the latest names and numbers of the players.

    Raises:
        KeyError: it names a player or a line that the event does not have.
    """
    match action:
        case do.Open() | do.Change():
            verb = "opened" if isinstance(action, do.Open) else "regulations changed"
            return f"{verb}: {action.settings.name}, {action.settings.rounds} rounds, {action.settings.system.value}"
        case do.Enter():
            return f"entered: {action.entry.name}"
        case do.Amend():
            return f"{_name(state, action.player)}: amended"
        case do.Withdraw() | do.Readmit() | do.Exclude() | do.GiveWarning():
            return f"{_name(state, action.player)} {_PEOPLE[type(action)]}"
        case do.Miss():
            return f"{_name(state, action.player)} misses round {action.absence.round} ({action.absence.kind.value})"
        case do.Attend():
            return f"{_name(state, action.player)} comes to round {action.round}"
        case do.Present():
            names = ", ".join(_name(state, id_) for id_ in action.players)
            return f"round {action.round}, {'there' if action.here else 'not there'}: {names}"
        case do.Penalise():
            return f"{_name(state, action.player)}: penalty of {points_text(action.half_points)}"
        case do.SetTeam():
            return f"team {action.team.name}"
        case do.Appoint():
            return f"{action.role.value}: {action.name}"
        case do.Dismiss():
            return f"dismissed: {_official(state, action.official)}"
        case do.Lend():
            return f"form of round {action.round}, board {action.board} lent to {action.borrower}"
        case do.TakeBack():
            return f"form {action.form} {action.state}"
        case do.Forget():
            what = "names and personal data" if action.names else "personal data"
            return f"{what} removed: {', '.join(_name(state, id_) for id_ in action.players)}"
        case do.Undo():
            return f"line {action.line} taken back: {told(state, dict(enumerate(state.done, 1))[action.line][0])}"
        case _:
            return _of_round(state, action)


def _of_round(state: EventState, action: do.AnyAction) -> str:
    match action:
        case do.Seed():
            return f"pairing numbers of {len(action.order)}, number 1 {'White' if action.white else 'Black'}"
        case do.Pair():
            return f"round {action.round} paired: {len(action.games)} boards, {len(action.byes)} byes, {action.engine}"
        case do.Repair():
            which = f"round {action.round}" if action.round else "last round"
            return f"{which} paired by hand: {len(action.games)} boards"
        case do.Unpair():
            return f"round {action.round} taken back"
        case do.EnterResult() | do.Correct():
            text = "taken back" if action.result is None else action.result.text
            if action.result is not None and action.result.cause not in ("board", "forfeit"):
                text += f" {action.result.cause}"
            correction = " corrected" if isinstance(action, do.Correct) else ""
            return f"round {action.round}, board {action.board}{correction}: {text}"
        case do.Attach():
            return f"round {action.round}, board {action.board}: {len(action.records)} records"
        case do.Choose():
            chosen = "chosen for" if action.special else "not on"
            return f"round {action.round}, board {action.board} {chosen} the special board"
        case do.Publish():
            return f"standings after round {action.round} published"
        case _:
            return type(action).__name__.lower()


def _name(state: EventState, id_: int) -> str:
    """Number and name; without a number if the entry was undone. Raises KeyError for an id that was never given."""
    if id_ in state.players:
        player = state.players[id_]
        return f"{player.number} {player.name}"
    entries = (action for action, _ in state.done if isinstance(action, do.Enter))
    return dict(enumerate(entries, 1))[id_].entry.name  # every entry takes the next id, even if it was undone


def _official(state: EventState, id_: int) -> str:
    if id_ in state.officials:
        return state.officials[id_].name
    return dict(enumerate((action for action, _ in state.done if isinstance(action, do.Appoint)), 1))[id_].name
