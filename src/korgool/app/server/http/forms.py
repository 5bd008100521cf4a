"""Forms of pages: what was typed is shown again, with the reason of a refusal beside the field that it is about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from litestar import Response
from litestar.response import Redirect

from korgool.accounts import RefusedKind
from korgool.app.server.core.errors import ACCOUNT_REFUSALS, ApiError, RateLimitError
from korgool.app.server.http.responses import AnyRequest, language_of, page
from korgool.languages import N_

SECRET: Final = frozenset({"password", "new_password", "code", "_csrf_token"})
"""Fields whose content is never sent back."""
_LONGEST = 400
"""Characters of a field that are shown again."""
_BY_KIND = {RefusedKind.TOKEN_LABEL: "label", RefusedKind.TOKEN_SCOPES: "scopes", RefusedKind.TOKEN_DAYS: "days"}
_FIELDS = {
    ACCOUNT_REFUSALS[kind]: _BY_KIND.get(kind, kind.name.partition("_")[0].lower())
    for kind in RefusedKind
    if kind in _BY_KIND or kind.name.startswith(("NAME_", "PASSWORD_"))
}
"""The fields that refusals are about, by their sentences."""


_MISSING = N_("Fill this in.")
OTHER_NAME = N_("This is not the name of your account.")


class FieldError(ApiError):
    """A form with something in a field that cannot be there: 422, where nothing else is said.

    Attributes:
        field: the name of the field.
    """

    def __init__(self, message: str, name: str, status: int = 422) -> None:
        super().__init__(status, message)
        self.field = name


@dataclass(frozen=True, slots=True)
class Filled:
    """A form as a page shows it.

    Attributes:
        values: what stands in its fields.
        problem: why it was refused, in the reader's language; empty where it was not.
        field: the field that the problem is about; empty for the form as a whole.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    problem: str = ""
    field: str = ""


EMPTY: Final = Filled()


def shown_again(
    request: AnyRequest,
    template: str,
    problem: ApiError,
    data: Mapping[str, str],
    about: str = "",
    **context: object,
) -> Response[str]:
    """The page of a form that was refused, with what was typed but for secrets, and the status of the refusal.

    Args:
        request: the form.
        template: of the page.
        problem: the refusal.
        data: what was typed.
        about: the field that it is about; empty for the one that the refusal itself belongs to.
        context: what else the page needs.
    """
    values = {name: text[:_LONGEST] for name, text in data.items() if name not in SECRET}
    about = about or (problem.field if isinstance(problem, FieldError) else _FIELDS.get(problem.message, ""))
    filled = Filled(values, problem.said(language_of(request)), about)
    answer = page(request, template, problem.status, form=filled, **context)
    if isinstance(problem, RateLimitError):
        answer.headers["retry-after"] = str(max(1, math.ceil(problem.wait)))
    return answer


def needed(data: Mapping[str, str], *names: str) -> list[str]:
    """Return the contents of the fields of these names.

    Raises:
        FieldError: one of them is empty.
    """
    for name in names:
        if not data.get(name):
            raise FieldError(_MISSING, name)
    return [data[name] for name in names]


def see(path: str) -> Redirect:
    """Go on to a page after a form was accepted, so that reloading it sends nothing again."""
    return Redirect(path, status_code=303)
