"""Marks for messages that stand in the code in English and are translated where they are shown."""

from __future__ import annotations


def N_(message: str) -> str:  # noqa: N802 - the name that gettext users know
    """Mark a message for the catalogues and leave it as it is."""
    return message


def NN_(one: str, many: str) -> tuple[str, str]:  # noqa: N802 - likewise
    """Mark a message that counts, in its forms for one and for many."""
    return one, many
