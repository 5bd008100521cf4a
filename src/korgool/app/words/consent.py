"""What an adult agrees to who opens an account for a child. A text that changes gets another name."""

from __future__ import annotations

from korgool.languages import N_

WORDING = "2026-11"
"""What the present text is called where it is noted that somebody has agreed to it."""
CONSENT = (
    N_("I am an adult, and this child is in my care."),
    N_("I agree that this site keeps the child's names, games and password, the password so that nobody can read it."),
    N_("I can take this back at any time: the account is then deleted, and its games stay, under “Deleted player”."),
)
"""The sentences of the present text."""
