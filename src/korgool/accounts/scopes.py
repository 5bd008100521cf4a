"""Scopes of tokens: what a program may do with one."""

from __future__ import annotations

from enum import StrEnum


class Scope(StrEnum):
    """One thing that a token may do in the name of its owner. A browser's session does everything."""

    READ = "read"
    """See what the owner sees: games, lists, profiles."""
    PLAY = "play"
    """Give commands in the owner's games."""
    CHALLENGE = "challenge"
    """Make, answer and withdraw challenges."""
    EVENT = "event"
    """Enter events, and do what the owner may do there as an official."""
