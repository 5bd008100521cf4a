"""The schemas accept what the codec accepts, and refuse what it refuses for its form."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.server.events.action_requests import REQUEST_SCHEMA, RequestedAction, describe_requests, read_request
from korgool.competition.actions import ANY_ACTION, AnyAction, GiveWarning
from korgool.competition.codec import JsonError, from_plain, plain
from korgool.competition.json_export import Everything, Version1, write_json
from korgool.competition.json_schema import Schemas, documentation, reference
from korgool.competition.storage.event_file import EventFile

from .test_codec import FILES, records, written

SCHEMAS = Schemas()
SCHEMAS.name(AnyAction, "LoggedAction", before="Log")
describe_requests(SCHEMAS)
SCHEMAS.of(Everything), SCHEMAS.of(Version1)


def checker(name: str) -> jsonschema_rs.Draft202012Validator:
    return jsonschema_rs.Draft202012Validator({"components": {"schemas": SCHEMAS.named}, **reference(name)})


LOGGED, SAID, EVENT, EVENT_1 = map(checker, ("LoggedAction", REQUEST_SCHEMA, "Everything", "Version1"))
SPOILT = st.sampled_from([None, True, 7, -2.5, "", "x", [], {}, [1, 2], ["a", "b"], [1, 2, 3], {"x": 1}, "pair"])


def read(value: Any) -> str:
    """Why the codec refuses an action of a log, or nothing."""
    try:
        from_plain(value, ANY_ACTION)
    except JsonError as error:
        return str(error)
    return ""


def ask(value: Any) -> str:
    """Why an action is refused as clients say it, or nothing."""
    try:
        read_request([value])
    except JsonError as error:
        return str(error)
    return ""


OF_FORM = (
    "is needed",
    "there is no such member",
    "the member is missing",
    "characters are possible",
    "control character",
)
"""What the refusals say that a schema can say too; the others are those of the classes themselves."""


@st.composite
def spoilt(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    """A value in which one place holds something else, is missing, or is too much."""
    value = draw(values)
    places: list[tuple[Any, Any]] = []

    def walk(held: Any) -> None:
        for key, inner in held.items() if isinstance(held, dict) else enumerate(held) if isinstance(held, list) else ():
            places.append((held, key))
            walk(inner)

    walk(value)
    held, key = draw(st.sampled_from(places))
    way = draw(st.sampled_from(["other", "gone", "more"]))
    if way == "gone":
        del held[key]
    elif way == "more" and isinstance(held, dict):
        held["colour"] = 1
    else:
        held[key] = draw(SPOILT)
    return value


ACTIONS = st.sampled_from(get_args(AnyAction)).flatmap(records).map(plain)
SAYINGS = st.builds(
    lambda action, more: action | more,
    st.sampled_from(get_args(RequestedAction)).flatmap(records).map(plain),
    st.fixed_dictionaries({}, optional={"id": st.text(max_size=40), "reason": st.text(max_size=50)}),
)


@given(ACTIONS, SAYINGS)
def test_what_the_codec_writes_is_as_described(action: Any, said: Any) -> None:
    LOGGED.validate(action)
    if not ask(said):
        SAID.validate(said)


@given(spoilt(ACTIONS), spoilt(SAYINGS))
def test_a_value_of_another_form_is_refused_by_both(action: Any, said: Any) -> None:
    for value, refused, described in ((action, read(action), LOGGED), (said, ask(said), SAID)):
        if not refused:
            described.validate(value)
        elif any(words in refused for words in OF_FORM):
            assert not described.is_valid(value), refused


def test_events_and_lines_of_all_versions_are_as_described(tmp_path: Path) -> None:
    for text in written():
        LOGGED.validate(json.loads(text))
    for path in sorted(FILES.glob("*.korgool")):
        copied = tmp_path / path.name
        copied.write_bytes(path.read_bytes())
        with EventFile.open(copied) as book:
            value = json.loads(write_json(book, personal=True))
        assert value["version"] == 1
        EVENT_1.validate(value)
        assert not EVENT.is_valid(value)
        EVENT.validate(plain(from_plain(value, Version1).today()))


def test_what_a_schema_says_of_a_class_and_its_members() -> None:
    @dataclass(frozen=True)
    class Pair:
        """Two of them, or None.

        Attributes:
            one, other: a number;
                None if there is none.
            kind: of both.
        """

        one: int
        other: int | None
        kind: Literal["a", "b"] = "a"
        names: Annotated[tuple[str, ...], {"maxItems": 3}] = ()
        either: tuple[int, str] | None = None
        more: dict[str, Any] = field(default_factory=dict)

    number = "a number; null if there is none."
    schemas = Schemas()
    assert schemas.of(Pair) == {"$ref": "#/components/schemas/Pair"}
    assert schemas.named["Pair"] == {
        "type": "object",
        "additionalProperties": False,
        "description": "Two of them, or null.",
        "required": ["one", "other"],
        "properties": {
            "one": {"type": "integer", "description": number},
            "other": {"anyOf": [{"type": "integer"}, {"type": "null"}], "description": number},
            "kind": {"type": "string", "enum": ["a", "b"], "description": "of both.", "default": "a"},
            "names": {"type": "array", "items": {"type": "string"}, "maxItems": 3, "default": []},
            "either": {
                "anyOf": [
                    {
                        "type": "array",
                        "prefixItems": [{"type": "integer"}, {"type": "string"}],
                        "minItems": 2,
                        "maxItems": 2,
                    },
                    {"type": "null"},
                ],
                "default": None,
            },
            "more": {"type": "object", "additionalProperties": {}},
        },
    }
    assert documentation(GiveWarning)[0].startswith("Warn a player")
    with pytest.raises(TypeError, match="has no form in JSON"):
        schemas.of(bytes)
