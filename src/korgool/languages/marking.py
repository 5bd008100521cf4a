"""Markers for English messages in the code that are translated where they are shown."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802 - the name that gettext users know
    """Mark a message for the catalogues and return it unchanged."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - likewise
    """Mark a message with a number, in its singular and plural forms."""
    return one, many
