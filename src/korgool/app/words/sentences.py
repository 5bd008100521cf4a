"""Sentences of the catalogues as templates need them: escaped once, by whoever translates them."""

from __future__ import annotations

from collections.abc import Callable
from gettext import GNUTranslations

from markupsafe import Markup, escape


def sentences(catalogue: GNUTranslations) -> dict[str, Callable[..., Markup]]:
    """`_`, `gettext` and `ngettext` for templates.

    What they give is markup already, so a value that is put into a sentence is escaped exactly if it is none: a moment
    or a link stays an element, and a name stays text.
    """

    def gettext(message: str) -> Markup:
        return escape(catalogue.gettext(message))

    def ngettext(one: str, many: str, number: int) -> Markup:
        return escape(catalogue.ngettext(one, many, number))

    return {"_": gettext, "gettext": gettext, "ngettext": ngettext}
