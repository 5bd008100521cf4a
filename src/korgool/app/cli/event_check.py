"""`korgool event check` and `salvage`: check an event file for consistency, and save what is left of a damaged one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import columns, file_argument, opened, plain, say, warning
from korgool.app.cli.forms import HEAD
from korgool.app.cli.group import InputError
from korgool.app.cli.language import language_option, tell
from korgool.app.cli.options import json_option
from korgool.app.cli.output import counted
from korgool.app.cli.vocabulary import option
from korgool.app.words.event_log import told
from korgool.languages import N_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from korgool.competition.actions import AnyAction
    from korgool.competition.event_state import EventState
    from korgool.competition.storage.event_file import EventFile
    from korgool.competition.storage.hash_chain import Head
    from korgool.competition.storage.salvage import Salvaged


@click.command("check")
@file_argument
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

    with opened(path) as file:
        faults = check(file, engine=GacruxProcess(timeout, memory))
        notes = snapshot(file).remarks
        state = file.state
        held = [_held(file, printed) for printed in heads]
        head = str(file.head())
    faults += tuple(one["fault"] for one in held if one["fault"])
    line: dict[str, Any] = {"ok": not faults, "rounds": len(state.rounds), "actions": state.actions, "head": head}
    line |= {"faults": list(faults), "remarks": list(notes)} | ({"heads": held} if held else {})
    texts = [_since(one) for one in held if not one["fault"]]
    holds = f"{counted(len(state.rounds), 'round')} and {counted(state.actions, 'line')} of log hold"
    text = "" if faults else f"{path}: {holds}"
    say([line], lambda: "\n".join(filter(None, [*texts, text])), as_json)
    for note in notes if not as_json else ():
        warning(note)
    for fault in faults:
        click.echo(f"korgool: {path}: {plain(fault)}", err=True)
    if faults:
        sys.exit(1)


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
