"""Values as JSON: the same bytes in every version, and every bad text refused with its place."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from enum import Enum
from math import inf, nan
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from korgool.competition.actions import ANY_ACTION, AnyAction, Open, Pair, Publish, Withdraw
from korgool.competition.codec import JsonError, from_json, plain, to_json
from korgool.competition.errors import CompetitionError
from korgool.competition.model import ByeKind, Entry, PairedGame, Row, Settings, System

FILES = Path(__file__).parent / "files"
KINDS = get_args(AnyAction)


def written() -> list[str]:
    """Actions as earlier versions wrote them: some of each kind, and all in the event files of then."""
    found = (FILES / "actions-2026-11.jsonl").read_text(encoding="utf-8").split("\n")[:-1]
    for path in sorted(FILES.glob("*.korgool")):
        connection = sqlite3.connect(path)
        found += [text for (text,) in connection.execute("SELECT action FROM log ORDER BY at")]
        connection.close()
    return found


def test_lines_of_older_versions_are_written_as_they_were() -> None:
    """The chain of hashes rests on every byte."""
    texts = written()
    assert {type(from_json(text, ANY_ACTION)) for text in texts} == set(KINDS)
    assert [to_json(from_json(text, ANY_ACTION)) for text in texts] == texts


def test_a_tuple_that_was_given_is_written_also_where_it_is_the_usual_one() -> None:
    usual = Settings(name="Cup")
    codes, game = tuple(code.upper() for code in ("ps", "bh", "de", "kl")), "".join(("to", "guz"))
    named = Settings(name="Cup", tiebreaks=codes, game=game)
    assert named == usual
    assert to_json(usual) == '{"name":"Cup"}'
    assert to_json(named) == '{"name":"Cup","tiebreaks":["PS","BH","DE","KL"]}'


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


def values(type_: Any) -> st.SearchStrategy[Any]:
    """Values of a type that an action can hold."""
    origin, inner = get_origin(type_), get_args(type_)
    if type_ is str:
        return TEXTS
    if type_ is int:
        return st.integers(-(2**53), 2**53)
    if type_ is float:
        return st.floats(allow_nan=False, allow_infinity=False)
    if type_ in (bool, NoneType):
        return st.booleans() if type_ is bool else st.none()
    if origin is Literal:
        return st.sampled_from(inner)
    if origin in (Union, UnionType):
        return st.one_of(*map(values, inner))
    if origin is tuple and inner[1:] == (...,):
        return st.lists(values(inner[0]), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, inner))
    if issubclass(type_, Enum):
        return st.sampled_from(list(type_))
    assert is_dataclass(type_)
    return records(type_)


def records(kind: Any) -> st.SearchStrategy[Any]:
    """Objects of a class, some of their members left at the default."""
    hints = get_type_hints(kind)

    @st.composite
    def build(draw: st.DrawFn) -> Any:
        given_ = {
            one.name: draw(values(hints[one.name]))
            for one in fields(kind)
            if one.default is MISSING or draw(st.booleans())
        }
        try:
            return kind(**given_)
        except ValueError:
            assume(False)

    special: dict[Any, st.SearchStrategy[Any]] = {
        Settings: st.builds(
            Settings, name=st.just("Cup"), rounds=st.integers(1, 99),
            system=st.sampled_from([System.SWISS, System.KNOCKOUT]), place=TEXTS,
            forbid=st.lists(st.sampled_from(["team", "federation"]), max_size=2).map(tuple),
        ),
        Entry: st.builds(
            Entry, family=TEXTS.filter(str.strip), rating=st.integers(0, 9999), born=st.sampled_from([0, 1999]),
            groups=st.lists(TEXTS, max_size=2).map(tuple), sex=st.sampled_from(["m", "f", ""]),
        ),
    }  # fmt: skip
    return special[kind] if kind in special else build()


@given(st.sampled_from(KINDS).flatmap(records))
def test_what_is_written_is_read_again(action: AnyAction) -> None:
    text = to_json(action)
    assert "\n" not in text
    assert from_json(text, ANY_ACTION) == action
    assert from_json(text.encode(), ANY_ACTION) == action
    assert to_json(from_json(text, ANY_ACTION)) == text
    assert plain(action) == json.loads(text)
    assert next(iter(plain(action).items())) == ("do", action.do)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS | st.sampled_from(["withdraw", "pair", "enter"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["do", "player", "round", "games", "entry", "family", "x"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@given(JSON.map(json.dumps) | st.text(max_size=20) | st.binary(max_size=20))
def test_any_text_is_an_action_or_is_refused(text: str | bytes) -> None:
    try:
        action = from_json(text, ANY_ACTION)
    except JsonError as error:
        assert str(error)
    else:
        assert isinstance(action, KINDS)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is not JSON: Expecting value at character 1"),
        ("{", "it is not JSON: Expecting property name enclosed in double quotes at character 2"),
        (b'{"do":"\xff"}', "it is not UTF-8: byte 8 is 0xff"),
        ("[" * 100_000, "it is nested too deeply"),
        ('["[[["],' * 20 + '{"a":[' * 51, "it is nested too deeply"),
        ("[" * 100 + "]" * 100, "an object is needed, not a list"),
        ('["' + "[" * 1000 + '"]', "an object is needed, not a list"),
        ('"' + '\\"[' * 100_000, "it is not JSON: Unterminated string starting at character 1"),
        ("[]", "an object is needed, not a list"),
        ("null", "an object is needed, not null"),
        ('{"player":1}', "do: the member is missing"),
        ('{"do":1}', "do: one of 'open', "),
        ('{"do":"x"}', "'undo' is needed, not 'x'"),
        ('{"do":"withdraw"}', "player: the member is missing"),
        ('{"do":"withdraw","player":"1"}', "player: a whole number is needed, not '1'"),
        ('{"do":"withdraw","player":1.0}', "player: a whole number is needed, not a number"),
        ('{"do":"withdraw","player":true}', "player: a whole number is needed, not true or false"),
        ('{"do":"withdraw","player":null}', "player: a whole number is needed, not null"),
        (f'{{"do":"withdraw","player":1{"0" * 40}}}', "1000000000… is too large a number"),
        ('{"do":"withdraw","player":1,"x":2}', "x: there is no such member; there are player"),
        ('{"do":"withdraw","player":1,"player":2}', "the member 'player' stands there twice"),
        ('{"do":"withdraw","player":NaN}', "NaN is no number"),
        ('{"do":"attend","player":1,"round":[]}', "round: a whole number is needed, not a list"),
        ('{"do":"enter","entry":{"family":" "}}', "entry: a player needs a family name"),
        ('{"do":"enter","entry":{"family":{}}}', "entry.family: a text is needed, not an object"),
        ('{"do":"enter","entry":{"family":"A","sex":"x"}}', "entry.sex: one of 'm', 'f', '' is needed, not 'x'"),
        ('{"do":"enter","entry":{"family":"\\ud800"}}', "entry.family: the text holds half of a surrogate pair"),
        ('{"do":"enter","entry":{"family":"A"},"namesake":0}', "namesake: true or false is needed, not a whole number"),
        ('{"do":"miss","player":1,"absence":{"round":1,"kind":"Q"}}', "absence.kind: one of 'U', 'F', 'H', 'Z' is"),
        ('{"do":"pair","round":1,"games":[{"board":1,"white":1,"black":"2"}]}', "games[0].black: a whole number is"),
        ('{"do":"pair","round":1,"games":{}}', "games: a list is needed, not an object"),
        ('{"do":"seed","order":[1,2,"3"],"white":true}', "order[2]: a whole number is needed, not '3'"),
        ('{"do":"open","settings":{"name":"A","rule":[["a"]]}}', "settings.rule[0]: a list of 2 is needed, not of 1"),
        ('{"do":"open","settings":{"name":"A","rule":[["a",1]]}}', "settings.rule[0][1]: a text is needed"),
        (
            '{"do":"result","round":1,"board":1,"result":{"white":2,"black":0,"stores":[90]}}',
            "result.stores: a list of 2 is needed, not of 1",
        ),
        (
            '{"do":"publish","round":1,"tiebreaks":[],"rows":[{"rank":1,"competitor":1,"points":1,"values":["a"]}]}',
            "rows[0].values[0]: a number is needed, not 'a'",
        ),
        (
            '{"do":"publish","round":1,"tiebreaks":[],"rows":[{"rank":1,"competitor":1,"points":1,"values":[1e999]}]}',
            "rows[0].values[0]: the number is too large",
        ),
    ],
)  # fmt: skip
def test_a_bad_text_is_refused_with_place_and_reason(text: str | bytes, words: str) -> None:
    with pytest.raises(JsonError) as caught:
        from_json(text, ANY_ACTION)
    assert words in str(caught.value)
    assert isinstance(caught.value, CompetitionError)


def test_members_may_come_in_any_order_and_the_usual_ones_be_left_out() -> None:
    assert from_json('{"player":3,"do":"withdraw"}', ANY_ACTION) == Withdraw(3)
    game = PairedGame(1, 2, 3)
    text = '{"games":[{"white":2,"black":3,"board":1}],"round":1,"do":"pair"}'
    assert from_json(text, ANY_ACTION) == Pair(1, (game,))
    assert from_json('{"do":"open","settings":{"name":"A","system":"knockout"}}', ANY_ACTION) == Open(
        Settings(name="A", system=System.KNOCKOUT)
    )


def test_a_whole_number_serves_as_a_figure() -> None:
    text = '{"do":"publish","round":1,"tiebreaks":["BH"],"rows":[{"rank":1,"competitor":2,"points":3,"values":[4]}]}'
    action = from_json(text, ANY_ACTION)
    assert action == Publish(1, ("BH",), (Row(1, 2, 3, (4.0,)),))
    assert type(action.rows[0].values[0]) is float


@dataclass(frozen=True)
class Loose:
    """What types beside those of the log can be."""

    held: dict[str, list[int]] = field(default_factory=dict)
    kind: ByeKind | None = None
    anything: Any = None
    none: None = None


def test_other_types() -> None:
    text = '{"held":{"a":[1,2],"b":[]},"kind":"H","anything":{"x":[1.5,null]}}'
    found = from_json(text, Loose)
    assert found == Loose({"a": [1, 2], "b": []}, ByeKind.HALF, {"x": [1.5, None]})
    assert to_json(found) == text
    assert from_json('{"kind":null,"y":1}', Loose, lenient=True) == Loose()
    for text, words in (
        ('{"held":[]}', "held: an object is needed, not a list"),
        ('{"held":{"a":{}}}', "held.a: a list is needed, not an object"),
        ('{"held":{"a":[1,"b"]}}', "held.a[1]: a whole number is needed, not 'b'"),
        ('{"none":0}', "none: null is needed, not a whole number"),
        ('{"y":1}', "y: there is no such member"),
    ):
        with pytest.raises(JsonError) as caught:
            from_json(text, Loose)
        assert words in str(caught.value)


def test_what_has_no_form_in_json() -> None:
    for number in (nan, inf):
        with pytest.raises(ValueError, match="not JSON compliant"):
            to_json(Row(1, 1, 1, (number,)))
    with pytest.raises(TypeError, match="object has no form in JSON"):
        to_json(object())
    with pytest.raises(TypeError, match="no form in JSON"):
        from_json("1", complex)
