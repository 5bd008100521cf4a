"""The lines of an event's log in words, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from korgool.app.words.event_texts import halves_said
from korgool.app.words.event_words import CAUSES, OFFICES, SYSTEM_TITLES
from korgool.competition import actions as do
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.log.group_actions import inner
from korgool.competition.log.undo import LineTag
from korgool.competition.result import points_text
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState

_PEOPLE = {
    do.Withdraw: N_("%(name)s withdraws"),
    do.Readmit: N_("%(name)s comes back"),
    do.Exclude: N_("%(name)s is excluded"),
    do.Reinstate: N_("%(name)s: exclusion ended"),
    do.GiveWarning: N_("%(name)s is warned"),
}
_OPENED = N_("opened: %(event)s, %(rounds)s rounds, %(system)s")
_CHANGED = N_("regulations changed: %(event)s, %(rounds)s rounds, %(system)s")
_ENTERED = N_("entered: %(name)s")
_AMENDED = N_("%(name)s: amended")
_PHOTO = N_("%(name)s: photo stored")
_NO_PHOTO = N_("%(name)s: photo removed")
_MISSES = N_("%(name)s misses round %(round)s (%(kind)s)")
_COMES = N_("%(name)s comes to round %(round)s")
_THERE = N_("round %(round)s, there: %(names)s")
_NOT_THERE = N_("round %(round)s, not there: %(names)s")
_WARNING_CANCELLED = N_("%(name)s: warning %(number)s cancelled")
_BYE_CORRECTED = N_("%(name)s: bye of round %(round)s corrected (%(kind)s)")
_PENALTY = N_("%(name)s: penalty of %(points)s")
_TEAM = N_("team %(name)s")
_DISMISSED = N_("dismissed: %(name)s")
_LENT = N_("form of round %(round)s, board %(board)s lent to %(name)s")
_FORM = {
    "returned": N_("form %(form)s returned"),
    "lost": N_("form %(form)s lost"),
    "spoiled": N_("form %(form)s spoiled"),
}
_FORGOTTEN = N_("personal data removed: %(names)s")
_NAMES_FORGOTTEN = N_("names and personal data removed: %(names)s")
_IN_GROUP = N_("%(group)s: %(what)s")
_GROUP = N_("group added: %(name)s")
_GROUP_NAMED = N_("group named %(name)s")
_EVENT_NAMED = N_("event named %(name)s")
_EMBLEM = N_("emblem stored")
_NO_EMBLEM = N_("emblem removed")
_TAKEN_OVER = N_("%(machine)s leads the event from here on")
_JOINED = N_("%(name)s takes part here too")
_UNDONE = N_("line %(line)s taken back: %(what)s")
_SEEDED = (
    N_("pairing numbers of %(count)s, number 1 Black"),
    N_("pairing numbers of %(count)s, number 1 White"),
)
_PAIRED = N_("round %(round)s paired: %(boards)s boards, %(byes)s byes, %(engine)s")
_REPAIRED = N_("round %(round)s paired by hand: %(boards)s boards")
_LAST_REPAIRED = N_("last round paired by hand: %(boards)s boards")
_UNPAIRED = N_("round %(round)s taken back")
_RESULT = N_("round %(round)s, board %(board)s: %(result)s")
_CORRECTED = N_("round %(round)s, board %(board)s corrected: %(result)s")
_TAKEN_BACK = N_("taken back")
_DISPUTED = N_("round %(round)s, board %(board)s disputed: %(result)s")
_STILL_PLAYING = N_("still playing")
_STAYS = N_("round %(round)s, board %(board)s: the result stays")
_REPORTED = N_("round %(round)s, board %(board)s, %(side)s reports: %(result)s")
_SAID = {"none": N_("nothing any more")}
SIDE_NAMES = {"white": N_("White"), "black": N_("Black")}
CALL_REASONS: Mapping[str, str] = {
    "result": N_("the result"),
    "phone": N_("both reports from one phone"),
    "rules": N_("the rules"),
    "clock": N_("the clock"),
    "other": N_("something else"),
}
"""Reasons of calls for a referee, inside a sentence."""
_TABLE_CALLS = {
    "called": N_("round %(round)s, board %(board)s calls a referee: %(about)s"),
    "coming": N_("round %(round)s, board %(board)s: a referee is coming (%(about)s)"),
    "done": N_("round %(round)s, board %(board)s: the call is done (%(about)s)"),
}
_ATTACHED = N_("round %(round)s, board %(board)s: %(count)s records")
_CHOSEN = N_("round %(round)s, board %(board)s chosen for the special board")
_NOT_CHOSEN = N_("round %(round)s, board %(board)s not on the special board")
_PUBLISHED = N_("standings after round %(round)s published")
_CLOCK = N_("round %(round)s begins at %(time)s")
_NO_CLOCK = N_("round %(round)s begins as the timetable says")
_ANNOUNCED = N_("announced: %(text)s")
_SILENCED = N_("announcement taken from the wall")
CALLS = {
    "begin": (N_("Board %(boards)s: please begin"), N_("Boards %(boards)s: please begin")),
    "arbiter": (N_("Board %(boards)s: referee"), N_("Boards %(boards)s: referee")),
}
"""The calls of one board and of several, as they stand on the wall."""
_RESULT_LINES = {do.EnterResult: _RESULT, do.Correct: _CORRECTED, do.Dispute: _DISPUTED}
Gettext = Callable[[str], str]


def told(state: EventState, action: do.AnyAction, gettext: Gettext = str) -> str:
    """Describe an action, with the latest names and numbers of the players.

    Args:
        state: the event, with the line of the action or a later one.
        action: of its log.
        gettext: of the language; by default the texts are English.

    Raises:
        KeyError: it names a player or a line that the event does not have.
    """
    _ = gettext
    match action:
        case do.Open() | do.Change():
            settings = action.settings
            system = _plainly(settings.system.value, SYSTEM_TITLES, gettext)
            values = {"event": settings.name, "rounds": settings.rounds, "system": system}
            return _(_OPENED if isinstance(action, do.Open) else _CHANGED) % values
        case do.Enter():
            return _(_ENTERED) % {"name": action.entry.name}
        case do.Amend():
            return _(_AMENDED) % {"name": _name(state, action.player)}
        case do.SetPhoto():
            return _(_PHOTO if action.digest else _NO_PHOTO) % {"name": _name(state, action.player)}
        case do.Withdraw() | do.Readmit() | do.Exclude() | do.Reinstate() | do.GiveWarning():
            return _(_PEOPLE[type(action)]) % {"name": _name(state, action.player)}
        case do.CancelWarning():
            return _(_WARNING_CANCELLED) % {"name": _name(state, action.player), "number": action.warning}
        case do.Miss():
            values = {"round": action.absence.round, "kind": action.absence.kind.value}
            return _(_MISSES) % {"name": _name(state, action.player), **values}
        case do.Attend():
            return _(_COMES) % {"name": _name(state, action.player), "round": action.round}
        case do.Present():
            names = ", ".join(_name(state, id_) for id_ in action.players)
            return _(_THERE if action.here else _NOT_THERE) % {"round": action.round, "names": names}
        case do.Penalise():
            values = {"name": _name(state, action.player), "points": _halved(points_text(action.half_points), gettext)}
            return _(_PENALTY) % values
        case do.SetTeam():
            return _(_TEAM) % {"name": action.team.name}
        case do.Appoint():
            return f"{_plainly(action.role.value, OFFICES, gettext)}: {action.name}"
        case do.Dismiss():
            return _(_DISMISSED) % {"name": _official(state, action.official)}
        case do.Lend():
            return _(_LENT) % {"round": action.round, "board": action.board, "name": action.borrower}
        case do.TakeBack():
            return _(_FORM[action.state]) % {"form": action.form}
        case do.Forget():
            removed = _NAMES_FORGOTTEN if action.names else _FORGOTTEN
            return _(removed) % {"names": ", ".join(_name(state, id_) for id_ in action.players)}
        case do.InGroup():
            return _(_IN_GROUP) % {
                "group": state.groups.get(action.group, action.group),
                "what": _elsewhere(state, action.action, gettext),
            }
        case do.AddGroup():
            return _(_GROUP) % {"name": action.name}
        case do.NameGroup():
            return _(_GROUP_NAMED if action.of else _EVENT_NAMED) % {"name": action.name}
        case do.SetEmblem():
            return _(_EMBLEM if action.picture else _NO_EMBLEM)
        case do.Join():
            return _(_JOINED) % {"name": _name(state, action.player)}
        case do.TakeOver():
            return _(_TAKEN_OVER) % {"machine": action.machine}
        case do.SetClock() if action.begins:
            return _(_CLOCK) % {"round": action.round, "time": action.begins}
        case do.SetClock():
            return _(_NO_CLOCK) % {"round": action.round}
        case do.Announce():
            return _(_ANNOUNCED) % {"text": announced(action, "", gettext)}
        case do.Silence():
            return _(_SILENCED)
        case do.Undo():
            back = dict(enumerate(state.done, 1))[action.line][0]
            return _(_UNDONE) % {"line": action.line, "what": told(state, back, gettext)}
        case _:
            return _of_round(state, action, gettext)


def announced(action: do.Announce, language: str, gettext: Gettext) -> str:
    """Text of an announcement on the wall: a text in this language if there is one, otherwise the first."""
    if action.kind != "text":
        return gettext(CALLS[action.kind][len(action.boards) > 1]) % {"boards": ", ".join(map(str, action.boards))}
    own = next((one.text for one in action.words if one.language == language), "")
    return own or (action.words[0].text if action.words else "")


def in_words(text: str, state: EventState, gettext: Gettext) -> str:
    """A reason with what lines of the log say, in place of the codes of their actions; any other text as it is.

    Args:
        text: such as the reason why a line cannot be taken back.
        state: the event with these lines.
        gettext: of the language.
    """
    if isinstance(text, LineTag):
        return told(state, state.done[text.at - 1][0], gettext)
    if not isinstance(text, Message):
        return text

    def worded(value: object) -> object:
        if isinstance(value, tuple):
            return tuple(worded(one) for one in value)
        return in_words(value, state, gettext) if isinstance(value, str) else value

    return Message(text.message, **{name: worded(value) for name, value in text.values.items()})


def lines_named(text: str) -> tuple[int, ...]:
    """The lines of the log that a reason names by their actions."""
    if isinstance(text, LineTag):
        return (text.at,)
    values = text.values.values() if isinstance(text, Message) else ()
    parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
    return tuple(sorted({at for part in parts if isinstance(part, str) for at in lines_named(part)}))


def _of_round(state: EventState, action: do.AnyAction, gettext: Gettext) -> str:
    _ = gettext
    match action:
        case do.Seed():
            return _(_SEEDED[action.white]) % {"count": len(action.order)}
        case do.Pair():
            values = {"boards": len(action.games), "byes": len(action.byes), "engine": action.engine}
            return _(_PAIRED) % {"round": action.round, **values}
        case do.Repair():
            values = {"round": action.round, "boards": len(action.games)}
            return _(_REPAIRED if action.round else _LAST_REPAIRED) % values
        case do.CorrectBye():
            teams = state.event.system.of_teams
            name = state.teams[action.player].name if teams else _name(state, action.player)
            return _(_BYE_CORRECTED) % {"name": name, "round": action.round, "kind": action.kind.value}
        case do.Unpair():
            return _(_UNPAIRED) % {"round": action.round}
        case do.EnterResult() | do.Correct() | do.Dispute():
            none = _STILL_PLAYING if isinstance(action, do.Dispute) else _TAKEN_BACK
            text = _(none) if action.result is None else _halved(action.result.text, gettext)
            if action.result is not None and action.result.cause not in ("board", "forfeit"):
                text += f" {_plainly(action.result.cause, CAUSES, gettext)}"
            values = {"round": action.round, "board": action.board, "result": text}
            return _(_RESULT_LINES[type(action)]) % values
        case do.Settle():
            return _(_STAYS) % {"round": action.round, "board": action.board}
        case do.Report():
            said = _plainly("none", _SAID, gettext) if action.result is None else _halved(action.result.text, gettext)
            side = _plainly(action.side, SIDE_NAMES, gettext)
            return _(_REPORTED) % {"round": action.round, "board": action.board, "side": side, "result": said}
        case do.Call():
            values = {
                "round": action.round,
                "board": action.board,
                "about": _plainly(action.about, CALL_REASONS, gettext),
            }
            return _(_TABLE_CALLS[action.state]) % values
        case do.Attach():
            return _(_ATTACHED) % {"round": action.round, "board": action.board, "count": len(action.records)}
        case do.Choose():
            return _(_CHOSEN if action.special else _NOT_CHOSEN) % {"round": action.round, "board": action.board}
        case do.Publish():
            return _(_PUBLISHED) % {"round": action.round}
        case _:
            return type(action).__name__.lower()


def table_name(board: int) -> str:
    """The name of the players of a board where the log names officials; `official_name` says it in words."""
    return f"players, board {board}"


def official_name(name: str, gettext: Gettext) -> str:
    """The name of an official as people read it: of the players of a board in the language, of others as it is."""
    found = _TABLE.fullmatch(name)
    return gettext(_PLAYERS_AT) % {"board": found[1]} if found else name


_TABLE = re.compile(r"players, board (\d{1,4})", re.ASCII)
_PLAYERS_AT = N_("players at board %(board)s")


def _plainly(value: str, names: Mapping[str, str], gettext: Gettext) -> str:
    """A value as people read it; as the log has it where nothing is translated."""
    return value if gettext is str or value not in names else gettext(names[value])


def _halved(text: str, gettext: Gettext) -> str:
    """A text with half points as people read them; with decimals where nothing is translated, as programs read it."""
    return text if gettext is str else halves_said(text)


def _name(state: EventState, id_: int) -> str:
    """Number and name; without a number if the entry was undone. Raises KeyError for an id that was never given."""
    if id_ in state.players:
        player = state.players[id_]
        return f"{player.number} {player.name}"
    if id_ in state.elsewhere:
        return state.elsewhere[id_].entry.name
    entries = (one for action, _ in state.done if isinstance(one := inner(action), do.Enter))
    return dict(enumerate(entries, 1))[id_].entry.name  # every entry takes the next id, even if it was undone


def _elsewhere(state: EventState, action: do.AnyAction, gettext: Gettext) -> str:
    """Describe an action in another group, of which this one knows only the people."""
    try:
        return told(state, action, gettext)
    except (KeyError, CompetitionError):
        return action.do


def _official(state: EventState, id_: int) -> str:
    if id_ in state.officials:
        return state.officials[id_].name
    return dict(enumerate((action for action, _ in state.done if isinstance(action, do.Appoint)), 1))[id_].name
