"""Children: consent, short names, and who reads which name."""

from __future__ import annotations

from itertools import product

import pytest

from korgool.accounts.children import (
    MOST_CHILDREN,
    Consent,
    Naming,
    SeenName,
    consent,
    marked_short_name,
    read_short_name,
    seen_name,
    usual_short_name,
)
from korgool.accounts.names import AccountName, read_name
from korgool.accounts.people import Person, PersonKind
from korgool.accounts.refusals import Refused, RefusedKind

NOW = 1_790_000_000_000
MOTHER = Person(PersonKind.ACCOUNT, "mother", "Gulnara")
KID = Person(PersonKind.CHILD, "kid", "Aizada2014", "Ай", frozenset({"mother"}), frozenset({"friend", "mate"}))
MATE = Person(PersonKind.CHILD, "mate", "Temir2015", "Те", frozenset({"other"}), frozenset({"kid"}))
SHY = Person(PersonKind.CHILD, "shy", "Nurbek2013", "Ну", frozenset({"other"}))
FRIEND = Person(PersonKind.ACCOUNT, "friend", "Friend")
STRANGER = Person(PersonKind.ACCOUNT, "bob", "Bob")
OPERATOR = Person(PersonKind.OPERATOR, "op", "Op")
NOBODY = Person(PersonKind.NOBODY)
GUEST = Person(PersonKind.VISITOR, "g1")
GONE = Person(PersonKind.DELETED, "gone", "Was")
EVERYBODY = (MOTHER, KID, MATE, SHY, FRIEND, STRANGER, OPERATOR, NOBODY, GUEST, GONE)


def test_an_adult_consents_and_it_is_noted() -> None:
    given = consent(MOTHER, "kid", NOW, "2026-1", children=0)
    assert given == Consent("mother", "kid", NOW, "2026-1")
    assert given.withdraw(NOW + 5).withdrawn == NOW + 5
    assert given.withdraw(NOW + 5).withdraw(NOW + 9).withdrawn == NOW + 5
    bot, locked = Person(PersonKind.BOT, "b", "B"), Person(PersonKind.ACCOUNT, "l", "L", locked=True)
    for other in (KID, GUEST, NOBODY, GONE, bot, locked):
        refused = consent(other, "new", NOW, "2026-1", children=0)
        assert isinstance(refused, Refused)
        assert refused.kind is RefusedKind.NO_ADULT
    refused = consent(MOTHER, "new", NOW, "2026-1", children=MOST_CHILDREN)
    assert isinstance(refused, Refused)
    assert str(refused) == f"an account has at most {MOST_CHILDREN} children's accounts"
    assert isinstance(consent(MOTHER, "new", NOW, "2026-1", children=MOST_CHILDREN - 1), Consent)


def test_who_reads_which_name() -> None:
    """For every reader of every person: neither children nor strangers to them are told the other's name."""
    full = {
        "mother": {"kid"},
        "friend": {"kid"},
        "kid": {"mother", "friend", "mate"},
        "mate": {"kid"},
        "shy": set[str](),
        "op": {"kid", "mate", "shy"},
    }
    children = {"kid", "mate", "shy"}
    for person, reader in product(EVERYBODY, EVERYBODY):
        found = seen_name(person, reader)
        if person is GONE:
            assert found == SeenName(Naming.DELETED)
        elif person in (NOBODY, GUEST):
            assert found == SeenName(Naming.GUEST)
        elif person is reader or person.id in full.get(reader.id, ()) or not children & {person.id, reader.id}:
            assert found == SeenName(Naming.NAME, person.name), (person, reader)
        elif person is OPERATOR:
            assert found == SeenName(Naming.NAME, "Op"), "the operator is no stranger"
        elif person.id in children:
            assert found == SeenName(Naming.SHORT, person.short), (person, reader)
        else:
            assert found == SeenName(Naming.STRANGER), (person, reader)


def test_two_know_each_other_or_neither_does() -> None:
    for one, other in product(EVERYBODY, EVERYBODY):
        assert one.knows(other) is other.knows(one)
    assert not KID.knows(Person(PersonKind.CHILD, "friend", "F")), "one child's trust is not the other's"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Айзада2014", RefusedKind.SHORT_DIGITS),
        ("Ай14", RefusedKind.SHORT_DIGITS),
        ("Айзада", RefusedKind.SHORT_NAME),
        ("АЙЗАДА", RefusedKind.SHORT_NAME),
        ("Аизада", RefusedKind.SHORT_NAME),
        ("Айзадахан", RefusedKind.SHORT_NAME),
        ("А", RefusedKind.NAME_LENGTH),
        ("А й", RefusedKind.NAME_CHARACTER),
        ("Админ", RefusedKind.NAME_RESERVED),
    ],
)
def test_a_short_name_says_less_than_the_name(text: str, kind: RefusedKind) -> None:
    name = read_name("Айзада")
    assert isinstance(name, AccountName)
    refused = read_short_name(text, name)
    assert isinstance(refused, Refused)
    assert refused.kind is kind


def test_no_short_name_is_that_of_an_account() -> None:
    name = read_name("Aizada")
    assert not isinstance(name, Refused)
    for typed in ("Nur", "Nur.", " Nur. "):
        chosen = read_short_name(typed, name)
        assert chosen == "Nur"
        assert marked_short_name(chosen) == marked_short_name("Nur.") == "Nur."
    assert isinstance(read_name("Nur."), Refused)
    assert isinstance(read_short_name("Nur..", name), Refused)
    assert marked_short_name("") == ""


def test_a_short_name_is_chosen_or_made() -> None:
    name = read_name("Айзада2014")
    assert isinstance(name, AccountName)
    assert read_short_name(" Барс ", name) == "Барс"
    assert usual_short_name(name) == "Ай."
    for text, short in (("Lô", "L."), ("Ann", "A."), ("A1b2c3", "A."), ("A-bc", "A."), ("山田太郎", "山田.")):
        found = read_name(text)
        assert isinstance(found, AccountName)
        assert usual_short_name(found) == short
