"""`korgool event log`, `undo`, `check` and `salvage`: the log of an event and what rests on it."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    MOST_AT,
    asked_group,
    columns,
    file_argument,
    file_of_group,
    named,
    opened,
    player_text,
    result_text,
    said,
    say,
    state_of,
    unnamed,
    warning,
    writing,
)
from korgool.app.cli.event_people import required_reason
from korgool.app.cli.forms import HEAD
from korgool.app.cli.group import InputError
from korgool.app.cli.language import counts, gettext, language_option, tell, value
from korgool.app.cli.options import json_option
from korgool.app.cli.output import counted, emit, plain
from korgool.app.cli.vocabulary import option
from korgool.app.words.event_log import official_name, told
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from korgool.competition.actions import AnyAction, Logged
    from korgool.competition.event_state import EventState
    from korgool.competition.pairing import PairingEngine
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.hash_chain import Head
    from korgool.competition.storage.salvage import Salvaged


@click.command("log")
@file_of_group
@option("--at", type=click.IntRange(1, MOST_AT), metavar="N", help="Print the event as line N left it.")
@option("--board", nargs=2, type=click.IntRange(1, 9999), metavar="ROUND BOARD", help="Only lines about a board.")
@language_option
@json_option
def log_command(path: str, at: int | None, board: tuple[int, int] | None, as_json: bool) -> None:
    """Print what the officials did: time, official, action, reason. With --at, print the event as that line left it.

    `korgool event undo` and --at take the numbers of these lines.

    \b
    Example:
      korgool event log cup.korgool
      korgool event log cup.korgool --board 1 3
      korgool event log cup.korgool --at 40
    """
    from korgool.competition import codec
    from korgool.competition.log.replay import taken_back

    if at is not None:
        _say_past(path, at, as_json)
        return
    with opened(path, whole=True) as file:
        lines = file.log()
        state = file.state
        states = {id_: file.turn_to(id_) for id_ in state.groups}
    gone = taken_back(state.done)
    if (asked := asked_group()) is not None:
        lines = tuple(one for one in lines if _group(state, one.action) == state.group)
    if board is not None:
        if len(states) > 1 and asked is None:
            raise InputError(named(path, unnamed(state)))
        lines = tuple(
            one for one in lines if (getattr(one.action, "round", None), getattr(one.action, "board", None)) == board
        )
    if states:
        _say_log_of_groups(state, states, lines, gone, as_json)
        return
    data = ({**codec.plain(one), "text": told(state, one.action), "taken_back_by": gone.get(one.at)} for one in lines)
    translate = gettext()
    words = () if translate is None else (translate,)
    shown = {one.at: _shown(told(state, one.action, *words), one.action) for one in lines}
    rows = [
        [one.at, one.time, official_name(one.by, translate or str), shown[one.at] + _by(gone.get(one.at)), one.reason]
        for one in lines
    ]
    say(data, lambda: columns(("line", "time", "by", "what", "reason"), rows), as_json)


def _group(state: EventState, action: AnyAction) -> int:
    """The group of a line as the state's group sees it, 0 for the whole event."""
    from korgool.competition.actions import WHOLE_EVENT, InGroup, Undo

    while isinstance(action, Undo):
        action = state.done[action.line - 1][0]
    if isinstance(action, InGroup):
        return action.group
    return 0 if isinstance(action, WHOLE_EVENT) else state.group


def _say_log_of_groups(
    state: EventState, states: Mapping[int, EventState], lines: Sequence[Logged], gone: Mapping[int, int], as_json: bool
) -> None:
    """Print lines of an event of several groups, each told as its group knows it."""
    from dataclasses import replace

    from korgool.competition import codec
    from korgool.competition.log.group_actions import inner

    translate = gettext()
    words = () if translate is None else (translate,)
    data: list[dict[str, Any]] = []
    rows: list[list[Any]] = []
    for one in lines:
        group = _group(state, one.action)
        seen, action = states.get(group, state), inner(one.action)
        name = state.groups.get(group)
        plain_line = {**codec.plain(replace(one, action=action)), "group": name, "text": told(seen, action)}
        data.append(plain_line | {"taken_back_by": gone.get(one.at)})
        text = _shown(told(seen, action, *words), action) + _by(gone.get(one.at))
        rows.append([one.at, one.time, official_name(one.by, translate or str), name, text, one.reason])
    say(data, lambda: columns(("line", "time", "by", "group", "what", "reason"), rows), as_json)


def _shown(text: str, action: AnyAction) -> str:
    """Text of a line, with half points as people read them."""
    from korgool.app.words.event_texts import halves_said
    from korgool.competition.actions import Correct, EnterResult, Penalise

    return halves_said(text) if isinstance(action, Correct | EnterResult | Penalise) else text


def _by(line: int | None) -> str:
    if not line:
        return ""
    translate = gettext()
    if translate is None:
        return f" (taken back by line {line})"
    text = translate(N_("taken back by line %(line)s")) % {"line": line}
    return f" ({text})"


def _say_past(path: str, at: int, as_json: bool) -> None:
    from korgool.app.cli.event_common import round_text
    from korgool.competition.event_fields import standings_fields
    from korgool.competition.json_export import facts

    with state_of(path, at) as state:
        if as_json:
            emit(facts(state))
            return
        if translate := gettext():
            held = counts((len(state.players), "", N_("Players")), (len(state.rounds), "", N_("Rounds paired")))
            after = translate(N_("after line {line}")).format(line=at)
        else:
            held = f"{counted(len(state.players), 'player')}, {counted(len(state.rounds), 'round')} paired"
            after = f"after line {at}"
        click.echo(f"{plain(state.event.name)} {after}: {held}")
        if state.rounds:
            click.echo(round_text(state, state.rounds[-1]))
            fields = standings_fields(state)
            codes = list(fields[0]["tiebreaks"]) if fields else []
            rows = [
                [one["rank"], one["number"], one["name"], one["points"], *one["tiebreaks"].values()] for one in fields
            ]
            click.echo(columns(("rank", "no.", "name", "points", *codes), rows))


@click.command("undo")
@file_of_group
@click.argument("line", type=click.IntRange(1, 10**9), metavar="SEQ")
@required_reason
@writing
def undo_command(path: str, line: int, reason: str, by: str, as_json: bool) -> None:
    """Undo line SEQ of the log (`korgool event log`), as if it had never been entered.

    If something later depends on it, as the pairing of the next round depends on a result, the command names that line
    and changes nothing: undo that first, or correct instead. The line stays in the log, and so does the undo, which can
    itself be undone.

    \b
    Example:
      korgool event undo cup.korgool 41 --reason "warned the wrong player"
    """
    from korgool.app.words.event_log import told
    from korgool.competition import commands
    from korgool.competition.log.undo import touched

    with opened(path, whole=True) as file:
        if asked_group() is None and (own := file.group_of_line(line)) in file.state.groups:
            file.turn_to(own)
        before = file.state
        after = commands.undo(file, line, by=by, reason=reason)
        what = told(after, after.done[line - 1][0])
        translate = gettext()
        shown = what if translate is None else told(after, after.done[line - 1][0], translate)
    taken_back = tell(N_("line {line} is taken back: {what}"), line=line, what=shown)
    now = [text for part in sorted(touched(before, after)) if (text := _now(after, *part))]
    fields: dict[str, Any] = {"at": after.actions, "taken_back": line, "text": what, "now": now}
    say([fields], lambda: "\n".join(map(plain, [taken_back, *now])), as_json)


def _now(state: EventState, kind: str, number: int, board: int) -> str:
    """The current state of a part of the event; empty if it is gone, or needs no line."""
    from korgool.competition.event_fields import board_fields

    if kind == "player":
        return player_text(state.players[number]) if number in state.players else ""
    if kind != "board" or number > len(state.rounds) or board > len(state.round(number).games):
        return ""
    line = board_fields(state, number, state.round(number).game(board))
    names = f"{line['white_name'] or value('nobody')} - {line['black_name'] or value('nobody')}"
    at = tell(N_("round {number}, board {board}"), number=number, board=board)
    result = result_text(line) or tell(N_("no result"))
    return f"{at}: {names}  {result}"


@click.command("check")
@file_of_group
@option("--head", "heads", type=HEAD, multiple=True, metavar="HEAD",
              help="A head of the log from a paper or a table; repeatable.")  # fmt: skip
@option("--seconds", "timeout", was=("--timeout",), type=click.FloatRange(0.1, 86400), metavar="SECONDS",
              help="Time for the pairing engine in each round; by default as in `pair`.")  # fmt: skip
@option("--memory", type=click.IntRange(0, 10**6), default=2048, show_default=True, metavar="MIB",
              help="Memory for it; 0 sets no bound.")  # fmt: skip
@language_option
@json_option
def check_command(path: str, heads: tuple[Head, ...], timeout: float | None, memory: int, as_json: bool) -> None:
    """Pair every round again, compute every published table again, replay the log, and report what differs.

    Papers and standings show the head of the log at the time they were made. With --head the command reports whether
    the log still contains it, and what was done since: only this can reveal lines that were cut off or rewritten. The
    exit status is 1 if anything differs. Remarks for the organiser are printed too, even if nothing is wrong.

    \b
    Example:
      korgool event check cup.korgool
      korgool event check cup.korgool --head 39-3f9a-2c71-88ab-01de
    """
    from korgool.competition.audit import check, snapshot
    from korgool.competition.pairing import GacruxProcess

    with opened(path, whole=True) as file:
        if len(file.state.groups) > 1 and asked_group() is None:
            faults, notes, groups = _check_groups(file, GacruxProcess(timeout, memory))
        else:
            faults, notes, groups = check(file, engine=GacruxProcess(timeout, memory)), snapshot(file).remarks, []
        state = file.state
        held = [_held(file, printed) for printed in heads]
        head = str(file.head())
    faults += tuple(one["fault"] for one in held if one["fault"])
    line: dict[str, Any] = {"ok": not faults, "rounds": len(state.rounds), "actions": state.actions, "head": head}
    line |= {"rounds": sum(one["rounds"] for one in groups)} if groups else {}
    line |= {"faults": list(faults), "remarks": list(notes)} | ({"heads": held} if held else {})
    line |= {"groups": groups} if groups else {}
    texts = [_since(one) for one in held if not one["fault"]]
    holds = f"{counted(line['rounds'], 'round')} and {counted(state.actions, 'line')} of log hold"
    text = "" if faults else f"{path}: {holds}"
    say([line], lambda: "\n".join(filter(None, [*texts, text])), as_json)
    for note in notes if not as_json else ():
        warning(note)
    for fault in faults:
        click.echo(f"korgool: {path}: {plain(fault)}", err=True)
    if faults:
        sys.exit(1)


def _check_groups(
    file: EventFile, engine: PairingEngine
) -> tuple[tuple[str, ...], tuple[str, ...], list[dict[str, Any]]]:
    """Faults and remarks of every group, each with its name, and the groups as data; what all share is said once."""
    from korgool.competition.audit import check, snapshot

    names, groups = dict(file.state.groups), []
    found: list[tuple[str, str, str]] = []
    for id_, name in names.items():
        file.turn_to(id_)
        faults, notes = check(file, engine=engine), snapshot(file).remarks
        found += [("fault", name, said(one)) for one in faults] + [("remark", name, said(one)) for one in notes]
        groups.append({"group": name, "ok": not faults, "rounds": len(file.state.rounds)})
    file.turn_to(next(iter(names)))
    of_all = {(kind, text): sum((kind, text) == (one, other) for one, _, other in found) for kind, _, text in found}
    told = {"fault": dict[str, None](), "remark": dict[str, None]()}
    for kind, name, text in found:
        told[kind][text if of_all[kind, text] == len(names) else f"{name}: {text}"] = None
    return tuple(told["fault"]), tuple(told["remark"]), groups


def _held(file: EventFile, head: Head) -> dict[str, Any]:
    """Tell if a printed head is in the log, and list the lines that came after it."""
    from korgool.competition.audit import head_fault

    fault = head_fault(file, head)
    since = [] if fault else file.log()[head.at :]
    return {"head": str(head), "fault": fault or None} | {
        "since": [
            {"at": one.at, "time": one.time, "by": one.by, "reason": one.reason, "text": told(file.state, one.action)}
            for one in since
        ]
    }


def _since(held: dict[str, Any]) -> str:
    if not held["since"]:
        return f"{held['head']} is the head of the log"
    count = len(held["since"])
    lines = "one line came" if count == 1 else f"{count} lines came"
    return f"{held['head']} lies on the chain; {lines} after it\n{_table(held['since'])}"


def _table(lines: Sequence[dict[str, Any]]) -> str:
    names = ("at", "time", "by", "text", "reason")
    rows = [[line[name] for name in names] for line in lines]
    return columns(("line", "time", "by", "what", "reason"), rows)


@click.command("salvage")
@file_argument
@option("-o", "--output", required=True, metavar="NEW", help="The event file to write; it must not exist.")
@language_option
@json_option
def salvage_command(path: str, output: str, as_json: bool) -> None:
    """Save the log of a damaged event file, up to the damage, in a new file.

    Every line that fits the lines before it is saved with its time, official and hash. Lines after the damage that can
    still be read are listed, so that they can be entered again. The damaged file is not changed.

    \b
    Example:
      korgool event salvage cup.korgool -o saved.korgool
    """
    from korgool.competition.errors import CompetitionError
    from korgool.competition.storage.salvage import salvage

    try:
        found = salvage(path, output)
    except CompetitionError as error:
        raise InputError(str(error)) from None
    with opened(output) as file:
        head = str(file.head())
    lost = [
        {"at": one.at, "time": one.time, "by": one.by, "reason": one.reason, "text": _told(found.state, one.action)}
        for one in found.lost
    ]
    line = {"saved": found.state.actions, "head": head, "personal": found.personal, "damage": found.damage or None}
    line |= {"lost": lost, "missing": list(found.missing), "personal_lost": found.personal_lost}
    line |= {"details_lost": list(found.bare)}
    say([line], lambda: _salvaged_text(output, found, head, lost), as_json)
    if found.damage:
        warning(tell(N_("{damage}; it and what came after it is not saved"), damage=found.damage), path)


def _salvaged_text(output: str, found: Salvaged, head: str, lost: Sequence[dict[str, Any]]) -> str:
    texts = [f"{output}: {found.state.actions} lines of log, head {head}, personal data of {found.personal}"]
    if not found.damage:
        texts.append("no damage found; lines cut off at the end leave no trace, `check --head` tells of them")
    if found.missing:
        texts.append(f"nothing is left of the lines {', '.join(map(str, found.missing))}")
    if found.bare:
        texts.append(f"names or reasons of the lines {', '.join(map(str, found.bare))} are lost")
    if found.personal_lost:
        texts.append(f"personal data of {found.personal_lost} players who are not saved is left out")
    if lost:
        texts.append(f"not saved, as far as it can be read:\n{_table(lost)}")
    return "\n".join(map(_lines_plain, texts))


def _lines_plain(text: str) -> str:
    return "\n".join(map(plain, text.split("\n")))


def _told(state: EventState, action: AnyAction | None) -> str:
    """Describe a lost action; it may be about players who are not saved."""
    from korgool.competition.codec import to_json

    if action is None:
        return "cannot be read"
    try:
        return told(state, action)
    except KeyError:
        return to_json(action)
