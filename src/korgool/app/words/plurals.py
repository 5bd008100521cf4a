"""Plural forms as scripts choose among them: the form of each number as a digit, and the texts of all forms."""

from __future__ import annotations

from gettext import GNUTranslations

_COUNTS = 200
"""More than the stones of any game, and than the boards whose results wait."""


def plural_digits(catalogue: GNUTranslations) -> str:
    """The plural form of each number from 0 to 199 as a digit."""
    plural = catalogue.plural  # type: ignore[attr-defined]  # the compiled Plural-Forms header
    return "".join(str(plural(number)) for number in range(_COUNTS))


def plural_texts(catalogue: GNUTranslations, one: str, many: str) -> list[str]:
    """The translation of a message in each of its forms."""
    digits = plural_digits(catalogue)
    return [catalogue.ngettext(one, many, digits.index(form)) for form in sorted(set(digits))]
