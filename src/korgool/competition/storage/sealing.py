"""Sealing: the private parts of a line are kept apart from the chain of hashes, which holds salted digests of them.

A sealed line has two texts. The chain covers the public one, the action without its private parts:

    {"do":"enter","entry":{"rating":2100,"federation":"KGZ"},"sealed":{"entry":"5f2c…"}}

The other holds the private parts, each with a salt of its own:

    {"entry":["9a41…",{"family":"Asanova","given":"Aida","born":2001}]}

A digest is the SHA-256 of salt and part as compact JSON. Without the salt it reveals nothing, even to a reader who
tries every name there is. So a part can be removed, and the chain stays whole. The parts:

- `entry`: the members of an entry that are `model.PRIVATE`;
- `captain` of a team, `borrower` of a record form;
- `records`: names and comments in attached game records, cut out of them: number of the record, place, text;
- `words` of an announcement;
- `reason`: the reason of the line, whatever was done.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from korgool.competition.actions import ANY_ACTION, NEEDS_REASON, WHOLE_EVENT, AnyAction, InGroup
from korgool.competition.codec import JsonError, compact, from_plain, load, plain
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import Done
from korgool.competition.model import PRIVATE, REMOVED

SEALED, WAS = "sealed", "was"
"""Members of a public text that are not the action's: digests by part, and the hash of the line in format 1."""
GROUP = "group"
"""The member that names the group of an action by its id; without it an action is of the first group, or of all."""
_SALT_BYTES = 16
_TAG = re.compile(r'^[^\S\n]*\[(\w+)\s+"((?:[^"\\\n]|\\.)*)"', re.MULTILINE)
_COMMENT = re.compile(r"\{([^{}]*)\}")
_OF_THE_GAME = frozenset(
    (
        *("event", "site", "date", "round", "board", "set", "result", "variant", "fen", "setup", "termination"),
        *("plycount", "time", "timecontrol", "utcdate", "utctime", "whiteelo", "blackelo"),
    )
)
"""Tags of game records that tell nothing of people."""
_SIGNS = re.compile(r"\s*(?:zero\s*|\[%[^\]]*\]\s*)*")
"""Comments that belong to the notation."""


class Sealed(NamedTuple):
    """An action and its reason as a log keeps them: the public text, and the private parts, empty if there are none."""

    text: str
    details: str


def seal(action: AnyAction, reason: str = "", *, was: str = "") -> Sealed:
    """The two texts of an action and its reason.

    Args:
        action: what was done.
        reason: why.
        was: the hash of the line in format 1, if it comes from there.
    """
    value = plain(action.action if isinstance(action, InGroup) else action)
    parts = {name: part for name, cut in _CUTS.items() if (part := cut(value)) is not None}
    if reason:
        parts["reason"] = reason
    details = {name: [secrets.token_hex(_SALT_BYTES), part] for name, part in parts.items()}
    if isinstance(action, InGroup):
        value[GROUP] = action.group
    if details:
        value[SEALED] = {name: _digest(held) for name, held in details.items()}
    if was:
        value[WAS] = was
    return Sealed(compact(value), compact(details) if details else "")


def unseal(text: str, details: str, reason: str = "") -> Done:
    """The action and its reason; what is of a group other than the first is `InGroup`.

    A part that is removed reads as nothing where it may be missing, else as `model.REMOVED`; an entry is `removed`.

    Args:
        text, details: as `seal` gave them, or as `without` left them.
        reason: the reason beside a line that is not sealed, as logs of format 1 hold it.

    Raises:
        JsonError: the texts hold no action.
    """
    value = load(text)
    group = value.pop(GROUP, None) if type(value) is dict else None
    sealed = value.pop(SEALED, None) if type(value) is dict else None
    if sealed is None:
        if type(value) is dict:
            value.pop(WAS, None)
        return _in_group(from_plain(value, ANY_ACTION), group), reason
    value.pop(WAS, None)
    held = _held(details)
    try:
        for name in _object(sealed):
            if name in _PUTS:
                _PUTS[name](value, held[name][1] if name in held else None)
    except (KeyError, TypeError, IndexError, AttributeError, ValueError):
        raise JsonError("the private parts do not belong to it") from None
    action = from_plain(value, ANY_ACTION)
    if "reason" in held:
        if type(held["reason"][1]) is not str:
            raise JsonError("the reason is no text")
        return _in_group(action, group), held["reason"][1]
    return _in_group(action, group), REMOVED if "reason" in sealed and isinstance(action, NEEDS_REASON) else ""


def _in_group(action: AnyAction, group: object) -> AnyAction:
    """The action as one of its group; `group` is None or what stands in the line."""
    if group is None:
        return action
    if type(group) is not int or not 1 < group < 10**6:
        raise JsonError("the id of a group after the first is needed", GROUP)
    if isinstance(action, WHOLE_EVENT):
        raise JsonError(f"{action.do!r} is of the whole event and of no group", GROUP)
    return InGroup(group, action)  # type: ignore[return-value]


def parts_of(details: str) -> dict[str, Any]:
    """The private parts without their salts."""
    return {name: part for name, (_, part) in _held(details).items()}


def without(details: str, names: frozenset[str]) -> str:
    """The private parts without those of these names."""
    kept = {name: part for name, part in _held(details).items() if name not in names}
    return compact(kept) if kept else ""


def fits(text: str, details: str) -> bool:
    """Return whether every private part has the digest that the public text holds of it."""
    try:
        sealed, held = _object(load(text)).get(SEALED, {}), _held(details)
        return all(name in sealed and _digest(part) == sealed[name] for name, part in held.items())
    except (JsonError, TypeError, AttributeError):
        return False


def is_sealed(text: str) -> bool:
    """Return whether a public text has private parts, removed or not."""
    return SEALED in _object(load(text))


def lacking(text: str, details: str) -> frozenset[str]:
    """The parts of a line that are removed."""
    return frozenset(_object(load(text)).get(SEALED, {})) - frozenset(_held(details))


def are_details(text: str) -> bool:
    """Return whether a text may be the private parts of a line."""
    try:
        return bool(_held(text))
    except JsonError:
        return False


def was(text: str) -> str:
    """The hash that a line had in format 1, empty if it was never there."""
    found = _object(load(text)).get(WAS, "")
    return found if type(found) is str else ""


def _digest(part: list[Any]) -> str:
    return sha256(compact(part).encode()).hexdigest()


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise JsonError("an object is needed")
    return value


def _held(details: str) -> dict[str, list[Any]]:
    found = _object(load(details)) if details else {}
    for part in found.values():
        if type(part) is not list or len(part) != 2 or type(part[0]) is not str:
            raise JsonError("a private part needs its salt")
    return found


def _cut_entry(value: dict[str, Any]) -> Any:
    entry = value.get("entry")
    if entry is None or entry.get("removed"):
        return None
    return {name: entry.pop(name) for name in PRIVATE if name in entry}


def _put_entry(value: dict[str, Any], part: Any) -> None:
    if part is None:
        value["entry"] |= {"family": "", "removed": True}
    elif part.keys() - set(PRIVATE):
        raise CompetitionError("members that are not private")
    else:
        value["entry"] |= part


def _cut_captain(value: dict[str, Any]) -> Any:
    return value["team"].pop("captain", None) if isinstance(value.get("team"), dict) else None


def _put_captain(value: dict[str, Any], part: Any) -> None:
    if part is not None:
        value["team"]["captain"] = part


def _cut_borrower(value: dict[str, Any]) -> Any:
    return value.pop("borrower", None)


def _put_borrower(value: dict[str, Any], part: Any) -> None:
    value["borrower"] = REMOVED if part is None else part


def _cut_records(value: dict[str, Any]) -> Any:
    found = []
    for at, text in enumerate(value.get("records", ())):
        spans = [match.span(2) for match in _TAG.finditer(text) if match[1].casefold() not in _OF_THE_GAME]
        spans += [match.span(1) for match in _COMMENT.finditer(text) if not _SIGNS.fullmatch(match[1])]
        rest, last = [], 0
        for begin, end in sorted(spans):
            if begin >= last and begin < end:
                found.append([at, begin, text[begin:end]])
                rest.append(text[last:begin])
                last = end
        value["records"][at] = "".join((*rest, text[last:]))
    return found or None


def nameless(records: Sequence[str]) -> tuple[str, ...]:
    """Game records without what may tell of people: names in tags, and comments."""
    value: dict[str, Any] = {"records": list(records)}
    _cut_records(value)
    return tuple(value["records"])


def _put_records(value: dict[str, Any], part: Any) -> None:
    records = value["records"]
    for at, place, text in part or ():
        records[at] = records[at][:place] + text + records[at][place:]


def _cut_words(value: dict[str, Any]) -> Any:
    return value.pop("words", None)


def _put_words(value: dict[str, Any], part: Any) -> None:
    value["words"] = [{"language": "", "text": REMOVED}] if part is None else part


_CUTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "entry": _cut_entry,
    "captain": _cut_captain,
    "borrower": _cut_borrower,
    "records": _cut_records,
    "words": _cut_words,
}
"""Functions that take a private part out of an action; None if it has none."""
_PUTS: dict[str, Callable[[dict[str, Any], Any], None]] = {
    "entry": _put_entry,
    "captain": _put_captain,
    "borrower": _put_borrower,
    "records": _put_records,
    "words": _put_words,
}
"""Functions that put it back, or with None the placeholder of a removed one."""
