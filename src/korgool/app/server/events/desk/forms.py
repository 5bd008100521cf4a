"""Forms of the console without scripts: their fields become an action, and a refusal keeps what was typed.

A member of a member has a name with dots: `absence.round`, `games.0.white`. A field that was left empty is left out, so
that the member has its default. A list takes every field of its name, each line of it as a text or each word of it as a
number; `records.0` is the first of a list of texts as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass, replace
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Final, Literal, TypeAlias, Union, get_args, get_origin, get_type_hints

from litestar import Response, post
from litestar.response import Redirect

from korgool.accounts import Action
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.action_requests import RequestedAction
from korgool.app.server.events.desk.frame import DeskPlace, ThePlace, desk_page
from korgool.app.server.events.live_event import ActionRefusedError, ConflictError, EnteredLine
from korgool.app.server.http.forms import see
from korgool.app.server.http.responses import AnyRequest, language_of
from korgool.app.server.http.return_address import local
from korgool.app.server.http.template_texts import time_ms
from korgool.app.words.event_log import in_words, told
from korgool.competition.codec import JsonError
from korgool.competition.errors import CompetitionError, Message
from korgool.languages import N_, translations

Fields: TypeAlias = Mapping[str, Sequence[str]]
_YES, _NO = ("on", "true", "1"), ("", "off", "false", "0")


def whole_number(text: str, digits: int) -> int | None:
    """The number in a text of at most so many ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None


def members_of(kind: type, given: Fields) -> dict[str, Any]:
    """The members of an object of a class, as its JSON has them.

    Args:
        kind: a dataclass of the kind that the codec reads.
        given: the fields of the form by name; names that the class does not have are passed over.

    Raises:
        JsonError: a field holds something else than its member; the message names the member.
    """
    return _record(kind, given, "")


def flat(name: str, value: Any) -> dict[str, list[str]]:
    """The fields that give a member this value, which is as its JSON has it."""
    if isinstance(value, dict):
        return {key: held for part, one in value.items() for key, held in flat(f"{name}.{part}", one).items()}
    if isinstance(value, list):
        return {key: held for at, one in enumerate(value) for key, held in flat(f"{name}.{at}", one).items()}
    return {name: [("on" if value else "off") if isinstance(value, bool) else str(value)]}


def _record(kind: Any, given: Fields, place: str) -> dict[str, Any]:
    hints, found = get_type_hints(kind), {}
    for member in fields(kind):
        value = _value(hints[member.name], given, f"{place}{member.name}")
        if value is None and (member.default is not MISSING or member.default_factory is not MISSING):
            continue
        if value is None and NoneType not in get_args(hints[member.name]):
            value = "" if hints[member.name] is str else None
            if value is None:
                raise JsonError("the field is empty", f"{place}{member.name}")
        found[member.name] = value
    return found


def _value(type_: Any, given: Fields, place: str) -> Any:
    origin, inner = get_origin(type_), get_args(type_)
    if origin in (Union, UnionType):
        (one,) = [one for one in inner if one is not NoneType]
        filled = any(text.strip() for name in given if name.startswith(f"{place}.") for text in given[name])
        return _value(one, given, place) or None if filled or not is_dataclass(one) else None
    if origin is tuple:
        return _list(inner, given, place)
    if is_dataclass(type_):
        inside = any(name.startswith(f"{place}.") for name in given)
        return _record(type_, given, f"{place}.") if inside else None
    texts = given.get(place)
    if texts is None:
        return None
    return _single(type_, texts[-1], place)


def _list(inner: tuple[Any, ...], given: Fields, place: str) -> list[Any] | None:
    numbered = sorted({int(part) for name in given if (part := _index(name, place)) is not None})
    kinds = [inner[0]] * len(numbered) if inner[1:] == (...,) else list(inner)
    if numbered:
        found = [_value(kind, given, f"{place}.{at}") for kind, at in zip(kinds, numbered, strict=False)]
        return [one for one in found if one is not None and one != ""]
    if place not in given:
        return None
    one = inner[0]
    texts = [part.strip() for text in given[place] for part in (text.splitlines() if one is str else text.split())]
    return [_single(one, text, place) for text in texts if text]


def _index(name: str, place: str) -> str | None:
    """The number behind a place in a name: `2` of `games.2.white` for `games`."""
    part = name.removeprefix(f"{place}.").partition(".")[0]
    return part if name.startswith(f"{place}.") and part.isdecimal() and len(part) < 5 else None


def _single(type_: Any, text: str, place: str) -> Any:
    plain = text.strip()
    if type_ is bool:
        if plain.lower() not in _YES + _NO:
            raise JsonError(f"yes or no is needed, not {plain[:40]!r}", place)
        return plain.lower() in _YES
    if type_ is str or get_origin(type_) is Literal or (isinstance(type_, type) and issubclass(type_, Enum)):
        return text if type_ is str else plain
    if not plain:
        return None
    if not (plain.removeprefix("-").isascii() and plain.removeprefix("-").isdecimal() and len(plain) < 10):
        raise JsonError(f"a whole number is needed, not {plain[:40]!r}", place)
    return int(plain)


_KINDS: Final[Mapping[str, type]] = {kind.do: kind for kind in get_args(RequestedAction)}
_FRAME: Final = frozenset({"_csrf_token", "after", "back"})
"""Fields that do not belong to the action."""
_LABELS: Final = {
    "reason": N_("Reason"),
    "result": N_("Result"),
    "entry.family": N_("Family name"),
    "entry.given": N_("Given name, patronymic"),
    "entry.rating": N_("Rating"),
    "entry.federation": N_("Federation"),
    "team.name": N_("Team"),
}
"""The fields that can be changed where an action was refused; the others are sent again as they were."""
_MEANWHILE = N_("{name} has changed this meanwhile. Look at it again.")
_LONGEST = 2000

Answer: TypeAlias = Response[str] | Response[None] | Redirect


@dataclass(frozen=True, slots=True)
class ActionRefusal:
    """The reason for which an action was not done.

    Attributes:
        status: of the answer.
        text: the reason, a message of the catalogues where it is one.
        since: the lines that others have written meanwhile, where that is the reason.
        again: whether it can be done all the same, once one has seen that.
    """

    status: int
    text: str
    since: tuple[EnteredLine, ...] = ()
    again: bool = False


def refusal_of(problem: CompetitionError) -> ActionRefusal:
    """The status and the reason of an action that was refused."""
    if isinstance(problem, ConflictError):
        by = ", ".join(dict.fromkeys(line.by for line in problem.since if problem.parts & set(line.parts)))
        return ActionRefusal(409, Message(_MEANWHILE, name=by), problem.since, again=True)
    if isinstance(problem, ActionRefusedError) and problem.forbidden:
        return ActionRefusal(403, Message(errors.NO_ROLE))
    return ActionRefusal(422, problem.message)


def lines_since(why: ActionRefusal, place: DeskPlace, language: str) -> list[tuple[int, str, str]]:
    """The lines of a refusal for a page: when, in milliseconds since 1970, who, and what in the reader's language."""
    gettext = translations(language).gettext
    return [(time_ms(line.time), line.by, told(place.event.state, line.action, gettext)) for line in why.since]


async def read_fields(request: AnyRequest) -> Fields:
    """The fields of a form, each with all its values."""
    form = await request.form()
    found: dict[str, list[str]] = {}
    for name, value in form.multi_items():
        if isinstance(value, str):
            found.setdefault(name, []).append(value)
    return found


def known_line(given: Fields) -> int:
    """The last line of the log that the page of a form knew."""
    text = given.get("after", ["0"])[-1]
    return whole_number(text, 9) or 0


def requested_action(given: Fields) -> dict[str, Any]:
    """The action that a form asks for, as its JSON.

    Raises:
        ApiError: there is no such action.
        JsonError: a field holds something else than its member.
    """
    name = given.get("do", [""])[-1]
    if name not in _KINDS:
        raise ApiError(422, errors.NOT_UNDERSTOOD)
    asked = {"do": name} | members_of(_KINDS[name], given)
    return asked | {member: given[member][-1] for member in ("reason", "id") if member in given}


@post("/act", action=Action.OFFICIATE)
async def act(request: AnyRequest, place: ThePlace) -> Answer:
    """Do the action of a form and go back to its page; or say why not, with the form as it was.

    A script that asks for JSON gets 204 instead of the way back: it sees by the log what has changed.
    """
    return await act_on_fields(request, place, await read_fields(request))


async def act_on_fields(request: AnyRequest, place: DeskPlace, given: Fields) -> Answer:
    """The same for fields that were read already."""
    try:
        await place.event.act(place.officer, known_line(given), [requested_action(given)])
    except JsonError as problem:
        return refusal_page(request, place, given, ActionRefusal(422, problem.message))
    except CompetitionError as problem:
        return refusal_page(request, place, given, refusal_of(problem))
    return done(request, place, given)


def done(request: AnyRequest, place: DeskPlace, given: Fields) -> Answer:
    """The way back to the page of a form, or 204 for a script."""
    if request.headers.get("accept") == "application/json":
        return Response(None, status_code=204)
    back = _back(place, given)
    path, mark, part = back.partition("#")
    return see(f"{path}{'&' if '?' in path else '?'}done{mark}{part}")


def refusal_page(
    request: AnyRequest, place: DeskPlace, given: Fields, why: ActionRefusal, door: str = ""
) -> Response[str]:
    """The page of a refused action with all that was typed, to be sent to `door`, by default to that of actions."""
    now, language = DeskPlace(place.event, place.officer), language_of(request)
    why = replace(why, text=in_words(why.text, now.state, translations(language).gettext))
    fixed, typed = [], []
    for name, values in given.items():
        if name in _LABELS and len(values) == 1:
            typed.append((name, _LABELS[name], values[0][:_LONGEST]))
        elif name not in _FRAME:
            fixed += [(name, value) for value in values]
    return desk_page(
        request,
        now,
        "",
        "refused.html",
        why.status,
        why=why,
        door=door or f"/events/{place.event.id}/desk/act",
        since=lines_since(why, now, language),
        fixed=fixed,
        typed=typed,
        back=_back(place, given),
    )


def _back(place: DeskPlace, given: Fields) -> str:
    return local(given.get("back", [""])[-1], f"/events/{place.event.id}/desk")
