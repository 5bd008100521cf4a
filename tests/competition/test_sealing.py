"""What a log tells of people lies outside its chain: sealed and unsealed without loss, and removable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.competition import actions as do
from korgool.competition.codec import JsonError, from_json, to_json
from korgool.competition.model import REMOVED, Consent, Entry, Team
from korgool.competition.storage.sealing import fits, lacking, parts_of, seal, unseal, was, without

TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
NAMES = TEXTS.filter(str.strip)
ENTRIES = st.builds(
    Entry, family=NAMES, given=TEXTS, patronymic=TEXTS, sex=st.sampled_from(("m", "f", "")), title=TEXTS,
    born=st.just(0) | st.integers(1900, 2100), rating=st.integers(0, 9999), external=TEXTS, club=TEXTS, team=TEXTS,
    groups=st.lists(NAMES, max_size=2).map(tuple), short=TEXTS,
    consent=st.none() | st.builds(Consent, guardian=NAMES, day=TEXTS, how=TEXTS),
)  # fmt: skip
PIECES = ('[White "A"]', '[Round "1"]', "\n", "{A thinks}", "{zero}", "1. 7 6", "{[%clk 1]}")
RECORDS = st.lists(TEXTS | st.sampled_from(PIECES)).map("".join)
ACTIONS = st.one_of(
    st.builds(do.Enter, ENTRIES, st.booleans()),
    st.builds(do.Amend, st.integers(1, 9), ENTRIES),
    st.builds(do.SetTeam, st.builds(Team, st.integers(0, 9), st.just(1), NAMES, captain=TEXTS)),
    st.builds(do.Lend, st.integers(1, 9), st.integers(1, 9), TEXTS),
    st.builds(do.Attach, st.integers(1, 9), st.integers(1, 9), st.lists(RECORDS, max_size=3).map(tuple)),
    st.builds(do.GiveWarning, st.integers(1, 9)),
)
OLDER = (Path(__file__).parent / "files" / "actions-2026-11.jsonl").read_text(encoding="utf-8").strip().split("\n")


@given(ACTIONS, TEXTS, TEXTS)
def test_sealed_and_unsealed_is_the_same(action: do.AnyAction, reason: str, before: str) -> None:
    text, details = seal(action, reason, was=before)
    assert unseal(text, details) == (action, reason)
    assert fits(text, details)
    assert (lacking(text, details), was(text)) == (frozenset(), before)
    public = json.loads(text)
    for name, part in parts_of(details).items():
        left = without(details, frozenset({name}))
        assert fits(text, left)
        assert lacking(text, left) == {name}
        assert not fits(text, json.dumps({name: ["", part]})), "a digest is of the salt too"
    gone, _ = unseal(text, "")
    assert type(gone) is type(action)
    if isinstance(gone, do.Enter | do.Amend):
        assert isinstance(action, do.Enter | do.Amend)
        assert gone.entry == action.entry.public
        assert not {"family", "given", "born", "external", "consent"} & public["entry"].keys()


def test_actions_of_every_kind_are_sealed() -> None:
    for line in OLDER:
        action = from_json(line, do.ANY_ACTION)
        sealed = seal(action, "why")
        assert unseal(*sealed) == (action, "why")
        assert unseal(line, "", "why") == (action, "why"), "a line of format 1 is read as it is"
        unsealed, reason = unseal(sealed.text, "")
        assert reason == (REMOVED if isinstance(action, do.NEEDS_REASON) else "")
        assert unseal(*seal(unsealed, reason)) == (unsealed, reason)


def test_names_are_cut_out_of_records_and_moves_stay() -> None:
    record = '[Event "Cup"]\n[White "Asanova, Aida"]\n[Black "B {C} D"]\n\n1. 76 {Asanova thinks} 55 {zero} *\n'
    text, details = seal(do.Attach(1, 1, (record,)))
    assert json.loads(text)["records"] == ['[Event "Cup"]\n[White ""]\n[Black ""]\n\n1. 76 {} 55 {zero} *\n']
    assert "Asanova" not in text
    assert unseal(text, details)[0] == do.Attach(1, 1, (record,))


@pytest.mark.parametrize(
    "details",
    ["{", "[]", '{"entry":1}', '{"entry":["a"]}', '{"entry":["a",5]}', '{"entry":["a",{"rating":5}]}',
     '{"entry":["a",{"family":5}]}', '{"reason":["a",5]}', '{"entry":[1,{"family":"A"}]}'],
)  # fmt: skip
def test_damaged_details_are_said(details: str) -> None:
    text = seal(do.Enter(Entry(family="A")), "why").text
    assert not fits(text, details)
    with pytest.raises(JsonError):
        unseal(text, details)


def test_texts_are_steady() -> None:
    """The chain covers them: members in their order, and nothing of what was sealed but its digest."""
    text = seal(do.Enter(Entry(family="A", rating=1500, club="C"), namesake=True)).text
    digest = json.loads(text)["sealed"]["entry"]
    public = '{"do":"enter","entry":{"rating":1500,"club":"C"},"namesake":true,'
    assert text == f'{public}"sealed":{{"entry":"{digest}"}}}}'
    assert len(digest) == 64
    assert seal(do.Withdraw(3)) == (to_json(do.Withdraw(3)), "")
