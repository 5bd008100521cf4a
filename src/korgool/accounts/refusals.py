"""Why something is refused to people: a kind for programs and translations, and a sentence in English."""

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


@dataclass(frozen=True, slots=True)
class Refused:
    """Something that is not done.

    Attributes:
        kind: why.
        arguments: what its sentence needs.
    """

    kind: RefusedKind
    arguments: Mapping[str, str | int] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.kind.value.format(**self.arguments)
