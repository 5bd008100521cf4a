"""What people are told when something about accounts is refused, in words of the catalogues."""

from __future__ import annotations

from typing import Any

from korgool.accounts import Refused, RefusedKind
from korgool.app.server.core.errors import ApiError
from korgool.languages import N_

SENTENCES = {
    RefusedKind.NAME_LENGTH: N_("A name has {least} to {most} letters and digits."),
    RefusedKind.NAME_CHARACTER: N_("A name cannot have {character}."),
    RefusedKind.NAME_BEGINNING: N_("A name begins with a letter."),
    RefusedKind.NAME_SEPARATORS: N_("In a name, - and _ stand alone between letters and digits."),
    RefusedKind.NAME_SCRIPTS: N_("The letters of a name belong to one script."),
    RefusedKind.NAME_RESERVED: N_("This name is kept for the site."),
    RefusedKind.NAME_TAKEN: N_("This name, or one that looks like it, is taken."),
    RefusedKind.PASSWORD_SHORT: N_("A password has at least {least} characters."),
    RefusedKind.PASSWORD_LONG: N_("A password has at most {most} characters."),
    RefusedKind.PASSWORD_COMMON: N_("This is one of the passwords that are tried first. Choose another."),
    RefusedKind.PASSWORD_NAME: N_("The password is the name of the account. Choose another."),
    RefusedKind.TOKEN_SCOPES: N_("A token is for something: choose at least one thing that it may do."),
    RefusedKind.TOKEN_LABEL: N_("A token has a label of 1 to {most} characters."),
    RefusedKind.TOKEN_DAYS: N_("A token lasts 1 to {most} days."),
    RefusedKind.CODE_WRONG: N_("This is none of the unused recovery codes."),
    RefusedKind.SIGN_IN: N_("Sign in first."),
    RefusedKind.PROVE: N_("Give your password or passkey once more."),
    RefusedKind.GUESTS: N_("This needs an account."),
    RefusedKind.CHILDREN: N_("An adult does this for a child's account."),
    RefusedKind.BOTS: N_("Bots do not do this."),
    RefusedKind.OPERATORS: N_("The operator of the site does this."),
    RefusedKind.LOCKED: N_("This account is locked."),
    RefusedKind.NOT_BY_TOKEN: N_("This is not done with a token."),
    RefusedKind.SCOPE: N_("This token is not for this; it lacks {scope}."),
    RefusedKind.NOT_YOURS: N_("This belongs to somebody else."),
    RefusedKind.YOURSELF: N_("This is done to others."),
    RefusedKind.NOT_REACHABLE: N_("A game with this player is not possible."),
    RefusedKind.NOT_FOUND: N_("There is no such player."),
    RefusedKind.KEPT: N_("You have left too many games; rated games are open to you again later."),
    RefusedKind.NO_ADULT: N_("An adult's account opens that of a child."),
    RefusedKind.MANY_CHILDREN: N_("An account has at most {most} children's accounts."),
    RefusedKind.SHORT_NAME: N_("The short name is the name itself; choose another that says less."),
    RefusedKind.SHORT_DIGITS: N_("The short name of a child has no digits."),
}
"""Every kind of refusal there is."""


def refused_error(refused: Refused) -> ApiError:
    """A refusal as the server answers it."""
    values: dict[str, Any] = dict(refused.arguments)
    return ApiError(refused.status, SENTENCES[refused.kind], **values)
