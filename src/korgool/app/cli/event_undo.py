"""`korgool event undo`: take back any action in the log."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from korgool.app.cli.event_common import (
    file_argument,
    opened,
    plain,
    player_text,
    result_text,
    say,
    writing,
)
from korgool.app.cli.event_people import required_reason
from korgool.app.cli.language import gettext, tell, value
from korgool.languages import N_

if TYPE_CHECKING:
    from korgool.competition.event_state import EventState


@click.command("undo")
@file_argument
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

    with opened(path) as file:
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
