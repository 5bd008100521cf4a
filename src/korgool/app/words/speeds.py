"""The words of speeds, of claims, and of how a game ended for one of its players."""

from __future__ import annotations

from korgool.accounts import Speed
from korgool.conduct.claims import ClaimKind
from korgool.languages import N_

SPEED_NAMES = {
    Speed.BULLET: N_("bullet"),
    Speed.BLITZ: N_("blitz"),
    Speed.RAPID: N_("rapid"),
    Speed.SLOW: N_("slow, an hour and more"),
    Speed.DAYS: N_("days for each turn"),
}
"""What pages call each speed."""
CLAIM_BUTTONS = {
    ClaimKind.RECURRENCE: N_("Claim a draw"),
    ClaimKind.FLAG: N_("Claim the game on time"),
    ClaimKind.FOURTH_OFFER: N_("Claim the game: fourth offer of a draw"),
    ClaimKind.NO_SHOW: N_("Claim the game: the opponent has not come"),
}
"""What the buttons say for the claims that the state of a game lists."""
RESULT_NAMES = {
    "won": N_("Win"),
    "lost": N_("Loss"),
    "drawn": N_("Draw"),
    "running": N_("goes on"),
    "aborted": N_("called off"),
}
"""How a game ended for whoever is asked about."""
