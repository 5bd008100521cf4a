"""Refusals of backups and restores."""

from __future__ import annotations


class BackupError(ValueError):
    """Nothing was taken or put back; the message says why, and what to do."""
