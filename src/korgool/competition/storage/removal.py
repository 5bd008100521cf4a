"""Removal of players from a log: their private parts apart from its chain, and the rest that stays."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import korgool.competition.actions as do
from korgool.competition.codec import compact
from korgool.competition.event_state import Done
from korgool.competition.log.group_actions import inner
from korgool.competition.model import Entry
from korgool.competition.people_index import name_key
from korgool.competition.storage.line import Line
from korgool.competition.storage.sealing import lacking, parts_of, without

_INFLECTED = 5
"""Names from this length on are also recognised with another ending: Асанова in Асановой."""


def known(done: Sequence[Done]) -> range:
    """The ids of all players who were ever entered: every entry takes the next one, even if it was taken back."""
    return range(1, 1 + sum(1 for action, _ in done if isinstance(inner(action), do.Enter)))


def stripped(lines: Sequence[Line], done: Sequence[Done], players: Iterable[int]) -> dict[int, str]:
    """The private parts that stay when some players are forgotten, by line, for the lines where some go.

    These go: the entries of the players, every part of a line that is about one of them or about a board at which one
    of them sat, and in other lines every reason, captain, borrower, announcement and record that mentions one of their
    names or numbers. Entries of others stay.

    Args:
        lines: the whole log as it is kept.
        done: what it holds.
        players: by id; with all of them, everything goes.
    """
    gone, entered = frozenset(players), 0
    everybody = gone.issuperset(known(done))
    own: dict[int, bool] = {}
    names: set[str] = set()
    seats: dict[tuple[int, int, int], set[int]] = defaultdict(set)
    last: dict[int, int] = defaultdict(int)
    for line, (held, _) in zip(lines, done, strict=True):
        group, action = held.group if isinstance(held, do.InGroup) else 0, inner(held)
        entered += isinstance(action, do.Enter)
        about = {entered} if isinstance(action, do.Enter) else {getattr(action, "player", 0)}
        match action:
            case do.Pair() | do.Repair():
                last[group] = action.round if isinstance(action, do.Pair) else last[group]
                for game in action.games:
                    seats[group, action.round or last[group], game.board] |= {game.white, game.black}
            case do.EnterResult() | do.Correct() | do.Dispute() | do.Settle() | do.Attach() | do.Choose() | do.Lend():
                about = seats[group, action.round, action.board]
            case do.Present():
                about = set(action.players)
        # The reason of a removal stays, unless it names the player.
        own[line.at] = (everybody or not gone.isdisjoint(about)) and not isinstance(action, do.Forget)
        if own[line.at] and isinstance(action, do.Enter | do.Amend):
            names.update(_names(action.entry))
    mention = re.compile("|".join(sorted(names))) if names else None
    found = {}
    for line in lines:
        if not line.details:
            continue
        parts = parts_of(line.details)
        going = frozenset(
            name
            for name, part in parts.items()
            if own[line.at] or (name != "entry" and mention is not None and mention.search(_text(part)))
        )
        if going:
            found[line.at] = without(line.details, going)
    return found


def unexplained(lines: Sequence[Line], done: Sequence[Done]) -> tuple[int, ...]:
    """Numbers of lines that lack private parts although no later line says that an official removed them."""
    forgotten: set[int] = set()
    found = []
    entered = len(known(done))
    for line, (held, _) in zip(reversed(lines), reversed(done), strict=True):
        action = inner(held)
        if isinstance(action, do.Forget) and action.names:
            forgotten.update(action.players)
        player = entered if isinstance(action, do.Enter) else getattr(action, "player", 0)
        entered -= isinstance(action, do.Enter)
        gone = lacking(line.action, line.details)
        if ("entry" in gone and player not in forgotten) or (gone and not forgotten):
            found.append(line.at)
    return tuple(reversed(found))


def _text(part: Any) -> str:
    return name_key(part if isinstance(part, str) else compact(part))


def _names(entry: Entry) -> Iterator[str]:
    """Patterns of what names a player."""
    for text in (entry.family, entry.given, entry.external, entry.short):
        if key := name_key(text):
            stem = key[:-1] if len(key) >= _INFLECTED and key[-1].isalpha() else key
            yield rf"\b{re.escape(stem)}" + ("" if stem != key else r"\b")
