"""Reasons for refusing a request: a kind for programs and translations, and a sentence in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class RefusedKind(StrEnum):
    """Every refusal there is; the arguments of its sentence stand in braces."""

    NAME_LENGTH = "a name has {least} to {most} letters and digits"
    NAME_CHARACTER = "a name cannot have {character}"
    NAME_BEGINNING = "a name begins with a letter"
    NAME_SEPARATORS = "- and _ stand alone between letters and digits"
    NAME_SCRIPTS = "the letters of a name belong to one script"
    NAME_RESERVED = "this name is kept for the site"
    NAME_TAKEN = "this name, or one that looks like it, is taken"
    PASSWORD_SHORT = "a password has {least} characters at least"
    PASSWORD_LONG = "a password has {most} characters at most"
    PASSWORD_COMMON = "this is one of the passwords that are tried first"
    PASSWORD_NAME = "the password is the name of the account"
    TOKEN_SCOPES = "a token is for something: choose at least one thing that it may do"
    TOKEN_LABEL = "a token has a label of 1 to {most} characters"
    TOKEN_DAYS = "a token lasts 1 to {most} days"
    CODE_WRONG = "this is none of the unused recovery codes"
    SIGN_IN = "sign in first"
    PROVE = "give your password or passkey once more"
    GUESTS = "this needs an account"
    CHILDREN = "an adult does this for a child's account"
    BOTS = "bots do not do this"
    OPERATORS = "the operator of the site does this"
    LOCKED = "this account is locked"
    NOT_BY_TOKEN = "this is not done with a token"
    SCOPE = "this token is not for this; it lacks {scope}"
    NOT_YOURS = "this belongs to somebody else"
    YOURSELF = "this is done to others"
    NOT_REACHABLE = "a game with this player is not possible"
    NOT_FOUND = "there is no such player"
    KEPT = "you have left too many games; rated games are open to you again later"
    NO_ADULT = "an adult's account opens that of a child"
    MANY_CHILDREN = "an account has at most {most} children's accounts"
    SHORT_NAME = "the short name is the name itself; choose another that says less"
    SHORT_DIGITS = "the short name of a child has no digits"


_FORBIDDEN = (
    *(RefusedKind.PROVE, RefusedKind.GUESTS, RefusedKind.CHILDREN, RefusedKind.BOTS, RefusedKind.OPERATORS),
    *(RefusedKind.LOCKED, RefusedKind.NOT_BY_TOKEN, RefusedKind.SCOPE, RefusedKind.NOT_YOURS),
    *(RefusedKind.NOT_REACHABLE, RefusedKind.KEPT, RefusedKind.NO_ADULT),
)
_STATUS = {
    **dict.fromkeys(_FORBIDDEN, 403),
    RefusedKind.SIGN_IN: 401,
    RefusedKind.NOT_FOUND: 404,
    RefusedKind.NAME_TAKEN: 409,
}


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that is not done.

    Attributes:
        kind: why.
        arguments: what its sentence needs.
    """

    kind: RefusedKind
    arguments: Mapping[str, str | int] = field(default_factory=dict)

    @property
    def status(self) -> int:
        """The status of HTTP that says the same."""
        return _STATUS.get(self.kind, 422)

    def __str__(self) -> str:
        return self.kind.value.format(**self.arguments)
