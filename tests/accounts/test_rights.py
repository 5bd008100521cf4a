"""Rights: every action by every kind of person, with every token, on everybody's things, against a table of its own."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from korgool.accounts.people import Person, PersonKind
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.rights import NOTHING, RULES, Action, Actor, Thing, refusal
from korgool.accounts.scopes import Scope

Kind = RefusedKind

# Written from docs/design.md and the protocol, not from the rules in the code.
# The columns nobody to operator: y may, - may not. Then: what a token must be for (no: no token is enough), whose it
# must be, and in what states it is refused: a block between the two, a child and a stranger, a locked account, an
# account that is kept from rated games, a session without a fresh proof.
EXPECTED = """
action       nobody visitor account child bot operator  token      whose     refused
watch        y      y       y       y     y   y         read       any       -
see-profile  y      y       y       y     y   y         read       any       stranger
see-own      -      y       y       y     y   y         read       own,ward  -
export       -      y       y       y     y   y         read       own,ward  -
play         -      y       y       y     y   y         play       own       locked
challenge    -      y       y       y     y   y         challenge  any       locked
invite       -      y       y       y     y   y         challenge  other     locked,blocked,stranger
answer       -      y       y       y     y   y         challenge  other     locked,blocked
withdraw     -      y       y       y     y   y         challenge  own       locked
play-rated   -      -       y       y     y   y         play       any       locked,kept
solve        -      -       y       y     -   y         play       any       locked
enter-event  -      -       y       -     -   y         event      own,ward  locked
officiate    -      -       y       -     -   y         event      own       locked
teach        -      -       y       -     -   y         no         own       locked
attend       y      y       y       y     -   y         no         any       locked
edit         -      -       y       y     y   y         no         own,ward  locked
protect      -      -       y       y     y   y         no         own,ward  unproven
end-session  -      y       y       y     y   y         no         own,ward  -
make-token   -      -       y       -     y   y         no         own       locked,unproven
end-token    -      -       y       -     y   y         no         own       -
block        -      -       y       y     -   y         no         other     -
report       -      y       y       y     y   y         no         other     locked
open-child   -      -       y       -     -   y         no         any       locked,unproven
delete       -      -       y       y     y   y         no         own,ward  unproven
operate      -      -       -       -     -   y         no         any       locked,unproven
"""
HEAD, *ROWS = (line.split() for line in EXPECTED.strip().splitlines())
TABLE = {row[0]: dict(zip(HEAD[1:], row[1:], strict=True)) for row in ROWS}

SCOPES: list[frozenset[Scope] | None] = [None, frozenset(), *(frozenset({one}) for one in Scope), frozenset(Scope)]
OUTSIDE = {
    PersonKind.NOBODY: Kind.SIGN_IN,
    PersonKind.DELETED: Kind.SIGN_IN,
    PersonKind.VISITOR: Kind.GUESTS,
    PersonKind.CHILD: Kind.CHILDREN,
    PersonKind.BOT: Kind.BOTS,
    PersonKind.ACCOUNT: Kind.OPERATORS,
}
ANN = Person(PersonKind.ACCOUNT, "ann", "Ann")


def people(kind: PersonKind, locked: bool) -> Person:
    """The one who acts."""
    if kind is PersonKind.NOBODY:
        return Person(kind, locked=locked)
    trusted = frozenset({"friend", "playmate"}) if kind is PersonKind.CHILD else frozenset[str]()
    return Person(kind, "me", "Me", trusted=trusted, guardians=frozenset({"mother"} if trusted else ()), locked=locked)


def things(me: Person) -> Iterator[tuple[str, bool, Thing]]:
    """Whose a thing is, whether its owner and the one who acts are strangers of whom one is a child, and the thing."""
    child = me.kind is PersonKind.CHILD
    yield "none", False, NOTHING
    if me.id:
        yield "own", False, Thing((me,))
        yield "own", child, Thing((ANN, me))
        ward = Person(PersonKind.CHILD, "kid", "Kid", guardians=frozenset({"me"}), trusted=frozenset({"aunt"}))
        yield "ward", child, Thing((ward,))
    yield "other", child, Thing((ANN,))
    yield "other", False, Thing((Person(PersonKind.ACCOUNT, "friend", "Friend"),)) if child else Thing((ANN,))
    playmate = Person(PersonKind.CHILD, "playmate", "P", guardians=frozenset({"x"}), trusted=frozenset({"me"}))
    yield "other", not me.id, Thing((playmate,))
    stranger = me.kind is not PersonKind.OPERATOR
    yield "other", stranger, Thing((Person(PersonKind.CHILD, "kid2", "Kid", guardians=frozenset({"other"})),))
    yield "other", child, Thing((Person(PersonKind.BOT, "bot", "Bot"),))


def refused_to(action: Action, actor: Actor) -> set[RefusedKind]:
    """Every reason in the one who acts, by the table above; none where it depends on the thing alone."""
    row, who, found = TABLE[action.value], actor.person, set[RefusedKind]()
    if who.kind is PersonKind.DELETED or row[who.kind.value] == "-":
        found.add(OUTSIDE[who.kind])
    if actor.scopes is not None and row["token"] == "no":
        found.add(Kind.NOT_BY_TOKEN)
    elif actor.scopes is not None and row["token"] not in actor.scopes:
        found.add(Kind.SCOPE)
    states = {"locked": (who.locked, Kind.LOCKED), "kept": (actor.kept, Kind.KEPT)}
    states["unproven"] = not actor.fresh, Kind.PROVE
    return found | {kind for state, (holds, kind) in states.items() if holds and state in row["refused"].split(",")}


def refused_on(action: Action, whose: str, stranger: bool, blocked: bool) -> set[RefusedKind]:
    """Every reason in the thing."""
    row, found = TABLE[action.value], set[RefusedKind]()
    if row["whose"] == "other" and whose in ("own", "none"):
        found.add(Kind.YOURSELF)
    if row["whose"].startswith("own") and whose not in row["whose"].split(","):
        found.add(Kind.NOT_YOURS)
    if blocked and "blocked" in row["refused"].split(","):
        found.add(Kind.NOT_REACHABLE)
    if stranger and "stranger" in row["refused"].split(","):
        found.add(Kind.NOT_FOUND)
    return found


@pytest.mark.parametrize("action", Action)
def test_the_whole_matrix(action: Action) -> None:
    """Every kind of person, token, thing, block, lock, wait and proof; the reason given is one that holds."""
    allowed = tried = 0
    for kind, locked, blocks in product(PersonKind, (False, True), ("", "me", "they")):
        me = people(kind, locked)
        cases = []
        for whose, stranger, thing in things(me):
            other = next((owner.id for owner in thing.owners if owner.id != me.id), "")
            pairs = {"": [], "me": [("me", other)], "they": [(other, "me")]}[blocks]
            blocked = bool(blocks and other and me.id)
            blocking = frozenset({("x", "me"), ("ann", "x"), *pairs})
            cases.append((Thing(thing.owners, blocking), refused_on(action, whose, stranger, blocked)))
        for scopes, kept, fresh in product(SCOPES, (False, True), (False, True)):
            actor = Actor(me, scopes, fresh=fresh, kept=kept)
            reasons = refused_to(action, actor)
            for thing, others in cases:
                found, wanted = refusal(actor, action, thing), reasons | others
                tried += 1
                allowed += found is None
                right = found is None if not wanted else found is not None and found.kind in wanted
                assert right, f"{action} by {actor} on {thing}: {found}, expected {wanted}"
    assert 0 < allowed < tried


def test_the_table_is_whole() -> None:
    assert list(TABLE) == [action.value for action in Action] == [action.value for action in RULES]
    assert set(HEAD[1:7]) == {kind.value for kind in PersonKind} - {"deleted"}


def test_a_deleted_account_does_nothing() -> None:
    me = Person(PersonKind.DELETED, "me")
    for action, thing in product(Action, (NOTHING, Thing((me,)), Thing((ANN,)))):
        found = refusal(Actor(me, fresh=True), action, thing)
        assert found is not None
        assert found.kind is Kind.SIGN_IN


def test_who_blocks_is_not_told_of() -> None:
    """The blocked and the blocker hear the same, and a stranger hears of a child what they hear of nobody."""
    bob = Person(PersonKind.ACCOUNT, "bob", "Bob")
    for pair in (("ann", "bob"), ("bob", "ann")):
        found = refusal(Actor(bob), Action.INVITE, Thing((ANN,), frozenset({pair})))
        assert found is not None
        assert "block" not in str(found)
    kid = Person(PersonKind.CHILD, "kid", "Kid", guardians=frozenset({"ann"}))
    found = refusal(Actor(bob), Action.SEE_PROFILE, Thing((kid,)))
    assert found is not None
    assert (found.status, str(found)) == (404, "there is no such player")
    assert refusal(Actor(ANN), Action.SEE_PROFILE, Thing((kid,))) is None


def test_a_token_says_what_it_lacks() -> None:
    found = refusal(Actor(ANN, frozenset({Scope.READ})), Action.PLAY, Thing((ANN,)))
    assert str(found) == "this token is not for this; it lacks play"


def test_every_refusal_has_its_status() -> None:
    """401 asks to sign in, 404 and 409 tell what they must, 403 is for strangers, 422 for what cannot be read."""
    statuses = {kind: Refused(kind).status for kind in Kind}
    assert {kind for kind, status in statuses.items() if status == 401} == {Kind.SIGN_IN}
    assert {kind for kind, status in statuses.items() if status == 404} == {Kind.NOT_FOUND}
    assert {kind for kind, status in statuses.items() if status == 409} == {Kind.NAME_TAKEN}
    refused = {Kind.PROVE, Kind.LOCKED, Kind.NOT_BY_TOKEN, Kind.SCOPE, Kind.NOT_YOURS, Kind.NOT_REACHABLE, Kind.KEPT}
    assert {kind for kind, status in statuses.items() if status == 403} == (
        refused | set(OUTSIDE.values()) | {Kind.NO_ADULT}
    ) - {Kind.SIGN_IN}
    assert set(statuses.values()) == {401, 403, 404, 409, 422}


def test_whoever_has_shown_no_proof_has_none() -> None:
    refused = refusal(Actor(ANN), Action.DELETE, Thing(owners=(ANN,)))
    assert refused is not None
    assert refused.kind is Kind.PROVE
