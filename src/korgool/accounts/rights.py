"""Permissions: one table of rules, and the one function that reads it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from korgool.accounts.people import Person, PersonKind
from korgool.accounts.refusals import Refused, RefusedKind
from korgool.accounts.scopes import Scope


class Action(StrEnum):
    """Actions that need permission. Each docstring names the owner that the rule is checked against."""

    WATCH = "watch"
    """See a game of its players."""
    SEE_PROFILE = "see-profile"
    """See the page of a person, with ratings and games."""
    SEE_OWN = "see-own"
    """See what only a person themselves sees: lists, settings, open challenges."""
    EXPORT = "export"
    """Take out everything that is stored of a person."""
    PLAY = "play"
    """Give a command in a game of its players."""
    CHALLENGE = "challenge"
    """Challenge the engine, the lobby, or everyone who has a link. No owner."""
    INVITE = "invite"
    """Challenge a person by name."""
    ANSWER = "answer"
    """Accept or decline a challenge of its maker."""
    WITHDRAW = "withdraw"
    """Take a challenge of its maker back."""
    PLAY_RATED = "play-rated"
    """Agree that a game counts for ratings. No owner."""
    SOLVE = "solve"
    """Have answers to puzzles counted. No owner."""
    ENTER_EVENT = "enter-event"
    """Enter a person for an event."""
    OFFICIATE = "officiate"
    """Act in an event of its officials."""
    TEACH = "teach"
    """Make a class, and look after it as its trainer."""
    ATTEND = "attend"
    """Join a class by its code, see one's own part of it, and say what one has done there. No owner."""
    EDIT = "edit"
    """Change the profile and the settings of a person."""
    PROTECT = "protect"
    """Change what protects a person's account: password, passkeys, recovery codes."""
    END_SESSION = "end-session"
    """List and end a person's sessions."""
    MAKE_TOKEN = "make-token"
    """Make a token for a person."""
    END_TOKEN = "end-token"
    """List and end a person's tokens."""
    BLOCK = "block"
    """Block a person, or no longer."""
    REPORT = "report"
    """Report a person to the operator."""
    OPEN_CHILD = "open-child"
    """Open an account for a child. No owner."""
    DELETE = "delete"
    """Delete the account of a person."""
    OPERATE = "operate"
    """Lock accounts, reset passwords, read reports; of every owner."""


class Whose(StrEnum):
    """Owner that an action requires."""

    ANY = "any"
    OWN = "own"
    OWN_OR_WARD = "own or a child's of whom one is the guardian"
    OTHERS = "others"


@dataclass(frozen=True, slots=True)
class Rule:
    """Conditions for one action.

    Attributes:
        kinds: kinds of people that may do it.
        scope: the scope that a token needs, None where no token is enough.
        whose: the owner that is required.
        fresh: whether the password or a passkey must have been given a moment ago.
        locked: whether a locked account may still do it.
        blocked: whether a block between the two prevents it.
        known: whether the two must be allowed to know each other's names.
        rated: whether it is closed to players who are banned from rated games.
    """

    kinds: frozenset[PersonKind]
    scope: Scope | None = None
    whose: Whose = Whose.ANY
    fresh: bool = False
    locked: bool = False
    blocked: bool = False
    known: bool = False
    rated: bool = False


_ADULTS = frozenset({PersonKind.ACCOUNT, PersonKind.OPERATOR})
_MEMBERS = _ADULTS | {PersonKind.CHILD, PersonKind.BOT}
_PLAYERS = _MEMBERS | {PersonKind.VISITOR}
_EVERYBODY = _PLAYERS | {PersonKind.NOBODY}

RULES: Mapping[Action, Rule] = MappingProxyType(
    {
        Action.WATCH: Rule(_EVERYBODY, Scope.READ, locked=True),
        Action.SEE_PROFILE: Rule(_EVERYBODY, Scope.READ, locked=True, known=True),
        Action.SEE_OWN: Rule(_PLAYERS, Scope.READ, Whose.OWN_OR_WARD, locked=True),
        Action.EXPORT: Rule(_PLAYERS, Scope.READ, Whose.OWN_OR_WARD, locked=True),
        Action.PLAY: Rule(_PLAYERS, Scope.PLAY, Whose.OWN),
        Action.CHALLENGE: Rule(_PLAYERS, Scope.CHALLENGE),
        Action.INVITE: Rule(_PLAYERS, Scope.CHALLENGE, Whose.OTHERS, blocked=True, known=True),
        Action.ANSWER: Rule(_PLAYERS, Scope.CHALLENGE, Whose.OTHERS, blocked=True),
        Action.WITHDRAW: Rule(_PLAYERS, Scope.CHALLENGE, Whose.OWN),
        Action.PLAY_RATED: Rule(_MEMBERS, Scope.PLAY, rated=True),
        # Programs know every answer, and how hard a puzzle is is told by people.
        Action.SOLVE: Rule(_ADULTS | {PersonKind.CHILD}, Scope.PLAY),
        Action.ENTER_EVENT: Rule(_ADULTS, Scope.EVENT, Whose.OWN_OR_WARD),
        Action.OFFICIATE: Rule(_ADULTS, Scope.EVENT, Whose.OWN),
        Action.TEACH: Rule(_ADULTS, None, Whose.OWN),
        Action.ATTEND: Rule(_EVERYBODY - {PersonKind.BOT}),
        Action.EDIT: Rule(_MEMBERS, None, Whose.OWN_OR_WARD),
        Action.PROTECT: Rule(_MEMBERS, None, Whose.OWN_OR_WARD, fresh=True, locked=True),
        Action.END_SESSION: Rule(_PLAYERS, None, Whose.OWN_OR_WARD, locked=True),
        Action.MAKE_TOKEN: Rule(_ADULTS | {PersonKind.BOT}, None, Whose.OWN, fresh=True),
        Action.END_TOKEN: Rule(_ADULTS | {PersonKind.BOT}, None, Whose.OWN, locked=True),
        # A bot's program declines whom it will not play; who decides that is its owner.
        Action.BLOCK: Rule(_ADULTS | {PersonKind.CHILD}, None, Whose.OTHERS, locked=True),
        Action.REPORT: Rule(_PLAYERS, None, Whose.OTHERS),
        Action.OPEN_CHILD: Rule(_ADULTS, None, fresh=True),
        Action.DELETE: Rule(_MEMBERS, None, Whose.OWN_OR_WARD, fresh=True, locked=True),
        Action.OPERATE: Rule(frozenset({PersonKind.OPERATOR}), None, fresh=True),
    }
)


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who acts, and how they are authenticated.

    Attributes:
        person: the person.
        scopes: those of the token; None for the session of a browser, which does everything.
        fresh: whether the password or a passkey was given a moment ago.
        kept: whether they are banned from rated games (`korgool.accounts.leaving`).
    """

    person: Person
    scopes: frozenset[Scope] | None = None
    fresh: bool = False
    kept: bool = False


@dataclass(frozen=True, slots=True)
class Thing:
    """Object of an action.

    Attributes:
        owners: its owners: the players of a game, the maker of a challenge, the officials of an event, the person.
        blocks: pairs of identities, blocker and blocked, as far as they concern the actor and the owners.
    """

    owners: tuple[Person, ...] = ()
    blocks: frozenset[tuple[str, str]] = frozenset()


NOTHING = Thing()
_OUTSIDE = {
    PersonKind.NOBODY: RefusedKind.SIGN_IN,
    PersonKind.DELETED: RefusedKind.SIGN_IN,
    PersonKind.VISITOR: RefusedKind.GUESTS,
    PersonKind.CHILD: RefusedKind.CHILDREN,
    PersonKind.BOT: RefusedKind.BOTS,
    PersonKind.ACCOUNT: RefusedKind.OPERATORS,
}


def refusal(actor: Actor, action: Action, thing: Thing = NOTHING) -> Refused | None:
    """Check a permission: return why the action is refused, or None. Every interface of a server asks this function."""
    rule, who = RULES[action], actor.person
    if who.kind not in rule.kinds:
        return Refused(_OUTSIDE[who.kind])
    if who.locked and not rule.locked:
        return Refused(RefusedKind.LOCKED)
    if actor.scopes is not None:
        if rule.scope is None:
            return Refused(RefusedKind.NOT_BY_TOKEN)
        if rule.scope not in actor.scopes:
            return Refused(RefusedKind.SCOPE, {"scope": rule.scope.value})
    if not _belongs(who, rule.whose, thing):
        return Refused(RefusedKind.YOURSELF if rule.whose is Whose.OTHERS else RefusedKind.NOT_YOURS)
    if rule.known and not all(who.knows(owner) for owner in thing.owners):
        return Refused(RefusedKind.NOT_FOUND)
    if rule.blocked and any({who.id, owner.id} == set(pair) for owner in thing.owners for pair in thing.blocks):
        return Refused(RefusedKind.NOT_REACHABLE)
    if rule.rated and actor.kept:
        return Refused(RefusedKind.KEPT)
    return Refused(RefusedKind.PROVE) if rule.fresh and not actor.fresh else None


def _belongs(who: Person, whose: Whose, thing: Thing) -> bool:
    own = bool(who.id) and any(owner.id == who.id for owner in thing.owners)
    if whose is Whose.ANY:
        return True
    if whose is Whose.OTHERS:
        return bool(thing.owners) and not own
    ward = any(owner.kind is PersonKind.CHILD and who.id in owner.guardians for owner in thing.owners)
    return own or (whose is Whose.OWN_OR_WARD and ward)
